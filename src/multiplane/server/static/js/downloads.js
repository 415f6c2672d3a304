// Buttons that save what is in view: the drawing as SVG, PNG or TikZ, and its sentences as CoNLL.
import { formatOfText } from "./columns.js";
import { button, el } from "./dom.js";
import { asConllu, downloadDrawing, downloadText } from "./download.js";

const OTHER_FORMATS = { conllx: "CoNLL-X", conll08: "CoNLL-2008", conll09: "CoNLL-2009", sdp: "SDP" };

/**
 * `drawing()` returns what to draw: {conllu, layer, highlight, gold}; `conll()` the text to save, in any format.
 * Both are called when a button is pressed. `id` goes before the ids of the buttons, and `of` behind
 * their names for screen readers.
 */
export function downloadButtons({ name, drawing, conll, id = "download", of = "", onError }) {
  const draw = (kind) => () => downloadDrawing(kind, { ...drawing(), name: name() });
  const save = {
    SVG: draw("svg"),
    PNG: draw("png"),
    TikZ: draw("tikz"),
    "CoNLL-U": async () => downloadText(await asConllu(conll()), `${name()}.conllu`),
  };
  const format = formatOfText(conll());
  // What CoNLL-U cannot hold, such as predicates, is in a file of the format that it came in.
  if (format in OTHER_FORMATS) save[OTHER_FORMATS[format]] = () => downloadText(conll(), `${name()}.${format}`);
  return el(
    "div",
    { class: "segments downloads", role: "group", "aria-label": `Download${of}` },
    Object.entries(save).map(([title, action]) => button(title, guarded(action, onError), { class: "small", "aria-label": `Download ${title}${of}`, id: `${id}-${title.toLowerCase()}` })),
  );
}

/** An action whose errors are reported instead of lost. */
export function guarded(action, onError) {
  return async () => {
    try {
      await action();
    } catch (problem) {
      onError(problem);
    }
  };
}
