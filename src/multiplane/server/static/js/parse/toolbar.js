// What can be done with the tree in view: layers, undo, files, link, steps.
import { button, el } from "../dom.js";
import { downloadDrawing, downloadText, fileName } from "../download.js";

export function toolbar(tools) {
  const { layers, layer, onLayer } = tools;
  const segments = layers.length
    ? el("div", { class: "segments", role: "group", "aria-label": "Layer" }, layers.map(([name, title]) => button(title, () => onLayer(name), { id: `layer-${name}`, class: "small", "aria-pressed": String(name === layer) })))
    : null;
  const history = tools.showsUndo
    ? el("div", { class: "segments", role: "group", "aria-label": "Edits" }, button("Undo", tools.onUndo, { id: "undo", class: "small", disabled: !tools.canUndo, title: "Ctrl+Z" }), button("Redo", tools.onRedo, { id: "redo", class: "small", disabled: !tools.canRedo, title: "Ctrl+Shift+Z" }))
    : null;
  return el(
    "div",
    { class: "row centred bar", role: "group", "aria-label": "Tools" },
    segments,
    history,
    button("Step through", tools.onStep, { id: "to-step", class: "small" }),
    el("div", { class: "row centred push files" }, files(tools), button("Copy link", guarded(tools, tools.onLink), { id: "copy-link", class: "small" })),
  );
}

function files(tools) {
  const { sentence, number, layer } = tools;
  const name = fileName(sentence, number);
  const drawing = (kind) => guarded(tools, () => downloadDrawing(kind, { conllu: sentence.conllu, layer, name }));
  const conllu = guarded(tools, () => downloadText(tools.allConllu(), `${name}.conllu`));
  return el(
    "div",
    { class: "segments", role: "group", "aria-label": "Download" },
    [["SVG", drawing("svg")], ["PNG", drawing("png")], ["TikZ", drawing("tikz")], ["CoNLL-U", conllu]].map(([title, onclick]) => button(title, onclick, { class: "small", "aria-label": `Download ${title}`, id: `download-${title.toLowerCase()}` })),
  );
}

function guarded(tools, action) {
  return async () => {
    try {
      await action();
    } catch (problem) {
      tools.onError(problem);
    }
  };
}
