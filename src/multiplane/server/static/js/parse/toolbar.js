// What can be done with the tree in view: layers, undo, files, link, steps.
import { button, el } from "../dom.js";
import { fileName } from "../download.js";
import { downloadButtons, guarded } from "../downloads.js";

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
    tools.onStep && button("Step through", tools.onStep, { id: "to-step", class: "small" }),
    el("div", { class: "row centred push files" }, files(tools), button("Copy link", guarded(tools.onLink, tools.onError), { id: "copy-link", class: "small" })),
  );
}

function files({ sentence, number, layer, allConll, onError }) {
  return downloadButtons({ name: () => fileName(sentence, number), drawing: () => ({ conllu: sentence.conllu, layer }), conll: allConll, onError });
}
