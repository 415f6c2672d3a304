// Files that users choose or drop: their bytes, unpacked.

/** A file that cannot be used, and what to do about it. */
export class FileError extends Error {}

const MAGIC = [
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], hint: (name) => `${name} is compressed with xz, which browsers cannot decompress. Decompress it first: unxz ${name}` },
  { bytes: [0x42, 0x5a, 0x68], hint: (name) => `${name} is compressed with bzip2, which browsers cannot decompress. Decompress it first: bunzip2 ${name}` },
  { bytes: [0x50, 0x4b, 0x03, 0x04], hint: (name) => `${name} is a zip archive. Extract it, and open the CoNLL file inside.` },
];
const GZIP = [0x1f, 0x8b];

/** Returns the contents of a file as bytes; unpacks gzip, and refuses other archives with a hint. */
export async function readBytes(file) {
  const start = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  const refused = MAGIC.find(({ bytes }) => startsWith(start, bytes));
  if (refused) throw new FileError(refused.hint(file.name));
  if (!startsWith(start, GZIP)) return new Uint8Array(await file.arrayBuffer());
  try {
    const unpacked = file.stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(unpacked).arrayBuffer());
  } catch {
    throw new FileError(`${file.name} looks like a gzip file, but it is damaged or cut off. Copy or download it again.`);
  }
}

/** Returns the contents of a file as text. */
export async function readText(file) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readBytes(file));
  } catch (error) {
    if (error instanceof FileError) throw error;
    throw new FileError(`${file.name} is not UTF-8. Convert it first: iconv -t UTF-8`);
  }
}

const SUFFIXES = {
  conllu: ["conllu"],
  conllx: ["conllx", "conll", "conll06", "conll07"],
  conll08: ["conll08", "conll2008"],
  conll09: ["conll09", "conll2009"],
  sdp: ["sdp"],
};

/** Returns the format that the name of a file tells, or null: the server then looks at its contents. */
export function formatOf(name) {
  const suffix = name.toLowerCase().replace(/\.gz$/, "").split(".").at(-1);
  return Object.keys(SUFFIXES).find((format) => SUFFIXES[format].includes(suffix)) ?? null;
}

/** Lets users drop a file on an element. */
export function acceptDrops(element, open) {
  let inside = 0;
  const mark = (step) => {
    inside = Math.max(0, inside + step);
    element.classList.toggle("dropping", inside > 0);
  };
  element.addEventListener("dragenter", () => mark(1));
  element.addEventListener("dragleave", () => mark(-1));
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(-inside);
    const file = event.dataTransfer.files[0];
    if (file) open(file);
  });
}

function startsWith(bytes, prefix) {
  return prefix.every((byte, i) => bytes[i] === byte);
}
