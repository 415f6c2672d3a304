// States as addresses: #view?key=value&…, where long values are compressed (deflate, then base64url).
// A key says how its value is written: `text` as it is, `text.z` compressed, `edits.j` as JSON, `edits.jz` both.

const WORTH_COMPRESSING = 60; // characters
const LONGEST_ADDRESS = 60_000; // far below what browsers and chat programs cut off

/** The hash of a state; `complete` is false if the state is too long for an address and only the view's name is in it. */
export async function encode(name, state) {
  const parts = await Promise.all(
    Object.entries(state)
      .filter(([, value]) => value !== undefined && value !== null && value !== "")
      .map(([key, value]) => encodePair(key, value)),
  );
  const hash = `#${name}${parts.length ? "?" : ""}${parts.join("&")}`;
  return hash.length <= LONGEST_ADDRESS ? { hash, complete: true } : { hash: `#${name}`, complete: false };
}

async function encodePair(key, value) {
  const kind = typeof value === "string" ? "" : "j";
  const text = kind ? JSON.stringify(value) : value;
  const plain = encodeURIComponent(text);
  if (plain.length > WORTH_COMPRESSING) {
    const packed = await compress(text);
    if (packed.length < plain.length) return `${key}.${kind}z=${packed}`;
  }
  return `${key}${kind ? ".j" : ""}=${plain}`;
}

/** The view and state of a hash. Parts that are damaged, as in a link cut off by a mail program, are left out. */
export async function decode(hash) {
  const [name, query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const state = {};
  for (const part of query.split("&").filter(Boolean)) {
    const [left, right = ""] = part.split(/=(.*)/s);
    const [key, kind = ""] = left.split(".");
    try {
      const text = kind.includes("z") ? await decompress(right) : decodeURIComponent(right);
      state[key] = kind.includes("j") ? JSON.parse(text) : text;
    } catch {
      state.damaged = true;
    }
  }
  return { name, state };
}

async function compress(text) {
  const bytes = await through(new Blob([text]), new CompressionStream("deflate-raw"));
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

async function decompress(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  const text = await through(new Blob([bytes]), new DecompressionStream("deflate-raw"));
  return new TextDecoder("utf-8", { fatal: true }).decode(text);
}

async function through(blob, transform) {
  return new Uint8Array(await new Response(blob.stream().pipeThrough(transform)).arrayBuffer());
}
