// Files of a sentence, made when asked for: pictures of the tree and its CoNLL-U.
import { api } from "./api.js";
import { formatOfText } from "./columns.js";

const PNG_SCALE = 2; // sharp on a dense screen and in print
const LARGEST_SIDE = 16_000; // of a canvas; browsers refuse larger ones

/** Saves the tree of one sentence as "svg", "png" or "tikz"; `highlight` and `gold` mark arcs, as in the API. */
export async function downloadDrawing(kind, { conllu, layer = "syntax", highlight, gold, name = "tree" }) {
  const format = kind === "tikz" ? "tikz" : "svg";
  const drawing = await api.draw({ conllu, layer, highlight, gold, format });
  if (kind === "tikz") save(new Blob([drawing], { type: "text/x-tex" }), `${name}.tex`);
  else if (kind === "svg") save(new Blob([drawing], { type: "image/svg+xml" }), `${name}.svg`);
  else save(await pngOf(drawing), `${name}.png`);
}

/** The text in CoNLL-U, whatever format it is in. */
export async function asConllu(text) {
  return formatOfText(text) === "conllu" ? text : (await api.convert({ conllu: text, to: "conllu" })).conllu;
}

/** Saves text; `parts`: strings and bytes, one after the other. */
export function downloadText(parts, name) {
  save(new Blob([parts].flat(), { type: "text/plain;charset=utf-8" }), name);
}

/** A name for files: the sentence's id, without what file systems dislike. */
export function fileName(sentence, number) {
  const id = (sentence.sent_id || "").replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|[-.]+$/g, "");
  return id.slice(0, 80) || `sentence-${number}`;
}

async function pngOf(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.min(PNG_SCALE, LARGEST_SIDE / image.naturalWidth, LARGEST_SIDE / image.naturalHeight);
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(image.naturalWidth * scale);
    canvas.height = Math.ceil(image.naturalHeight * scale);
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    const png = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!png) throw new Error("This tree is too large for a PNG. Download the SVG instead.");
    return png;
  } finally {
    URL.revokeObjectURL(url);
  }
}

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const anchor = document.createElement("a");
  anchor.href = url;
  anchor.download = name;
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
