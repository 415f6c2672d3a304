// Shows a tree that the server draws: arcs and words can be chosen, marked and hidden, and the words stay in view.
import { api } from "./api.js";
import { el } from "./dom.js";
import { moveBetween } from "./tree-keys.js";
import { keepWordsInView } from "./sticky.js";
import { parseSvg } from "./svg.js";

const LARGEST_SCALE = 1.3;
const drawings = new WeakMap(); // container → what stops the drawing under way and lets go of the old one

/** Draws a sentence into `container`; see main.js for the handle. A newer drawing in the same container wins. */
export async function drawTree(container, { conllu, sentence = 0, layer = "syntax", options = {} }) {
  drawings.get(container)?.abort();
  const controller = new AbortController();
  drawings.set(container, controller);
  container.setAttribute("aria-busy", "true");
  try {
    const body = { conllu, sentence, layer, format: "svg", interactive: true };
    const text = await api.draw(body, { signal: controller.signal });
    return new Tree(container, parseSvg(text), options, controller.signal);
  } finally {
    if (drawings.get(container) === controller) container.removeAttribute("aria-busy");
  }
}

class Tree {
  #listeners = [];
  #arcs = new Map(); // "head-dependent" → elements; a root is an arc from 0
  #words = new Map();
  #marked = new Map(); // kind of highlight → elements
  #hidden = new Set();
  #selected = [];

  constructor(container, svg, options, signal) {
    this.svg = svg;
    svg.setAttribute("role", "group");
    svg.setAttribute("aria-label", options.label ?? "Dependency tree. Arrow keys move along it.");
    svg.querySelector("title")?.remove(); // it would cover the drawing with a tooltip
    const scroller = el("div", { class: "tree-scroller" });
    const canvas = el("div", { class: "tree-canvas" });
    canvas.append(svg);
    scroller.append(canvas);
    container.replaceChildren(scroller);
    this.scroller = scroller;
    this.#collect(svg);
    keepWordsInView(scroller, canvas, svg, enlarge(svg, scroller.clientWidth), signal);
    this.#listen(canvas, options);
  }

  #collect(svg) {
    for (const element of svg.querySelectorAll(".arc, .root")) {
      const key = keyOf([element.dataset.head ?? 0, element.dataset.dependent]);
      if (!this.#arcs.has(key)) this.#arcs.set(key, []);
      this.#arcs.get(key).push(element);
    }
    for (const element of svg.querySelectorAll(".word[data-word]")) this.#words.set(Number(element.dataset.word), element);
  }

  #listen(canvas, options) {
    const items = [...this.#words.values(), ...[...this.#arcs.values()].flat()];
    // One stop for the Tab key; the arrow keys go on from there.
    items.forEach((item, index) => item.setAttribute("tabindex", index === 0 ? "0" : "-1"));
    canvas.addEventListener("click", (event) => this.#choose(event.target.closest(".arc, .root, .word[data-word]")));
    canvas.addEventListener("keydown", (event) => {
      const item = event.target.closest(".arc, .root, .word[data-word]");
      if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        event.stopPropagation();
        this.#choose(item);
      } else if (options.keys !== false) {
        const next = moveBetween(event.key, item, this.#words, this.#arcs);
        if (!next) return;
        event.preventDefault();
        event.stopPropagation();
        item.setAttribute("tabindex", "-1");
        next.setAttribute("tabindex", "0");
        next.focus();
      }
    });
  }

  #choose(item) {
    if (!item) return;
    const choice = choiceOf(item);
    this.select(choice);
    for (const listener of this.#listeners) listener(choice);
  }

  onSelect(callback) {
    this.#listeners.push(callback);
    return this;
  }

  select(choice) {
    for (const element of this.#selected) {
      element.classList.remove("is-selected");
      element.removeAttribute("aria-pressed");
    }
    this.#selected = [];
    if (!choice) return;
    const isWord = choice.word !== undefined && choice.word !== null;
    this.#selected = (isWord ? [this.#words.get(choice.word)] : this.#labelled(choice)).filter(Boolean);
    for (const element of this.#selected) {
      element.classList.add("is-selected");
      element.setAttribute("aria-pressed", "true");
    }
  }

  highlight(arcs, kind = "focus") {
    for (const element of this.#marked.get(kind) ?? []) element.classList.remove(`is-${kind}`);
    const elements = arcs.flatMap((arc) => this.#elements(arc));
    for (const element of elements) element.classList.add(`is-${kind}`);
    this.#marked.set(kind, elements);
  }

  setVisible(arcs) {
    const shown = arcs && new Set(arcs.map(keyOf));
    for (const [key, elements] of this.#arcs) {
      const hide = shown !== null && !shown.has(key);
      if (hide === this.#hidden.has(key)) continue; // only what changes costs time
      for (const element of elements) element.classList.toggle("is-hidden", hide);
      if (hide) this.#hidden.add(key);
      else this.#hidden.delete(key);
    }
  }

  /** Scrolls sideways until a word is well in view. */
  reveal(position) {
    const word = this.#words.get(position);
    if (!word || this.scroller.scrollWidth <= this.scroller.clientWidth) return;
    const [frame, box] = [this.scroller.getBoundingClientRect(), word.getBoundingClientRect()];
    const margin = frame.width / 6;
    if (box.left < frame.left + margin) this.scroller.scrollLeft += box.left - frame.left - margin;
    else if (box.right > frame.right - margin) this.scroller.scrollLeft += box.right - frame.right + margin;
  }

  /** The elements of an arc; of several between the same words, in two layers for instance, those with its label. */
  #labelled({ head, dependent, label }) {
    const found = this.#elements([head, dependent]);
    const same = found.filter((element) => element.dataset.label === label);
    return same.length ? same : found;
  }

  #elements(arc) {
    return this.#arcs.get(keyOf(arc)) ?? [];
  }
}

/** Makes a drawing larger where there is room; returns by how much. */
function enlarge(svg, room) {
  const width = Number(svg.getAttribute("width"));
  const scale = Math.min(Math.max(room / width, 1), LARGEST_SCALE);
  svg.setAttribute("width", width * scale);
  svg.setAttribute("height", Number(svg.getAttribute("height")) * scale);
  return scale;
}

function keyOf([head, dependent]) {
  return `${head}-${dependent}`;
}

function choiceOf(item) {
  const { head, dependent, label, word, plane } = item.dataset;
  if (word !== undefined) return { kind: "word", word: Number(word) };
  const kind = item.classList.contains("root") ? "root" : "arc";
  return { kind, head: Number(head ?? 0), dependent: Number(dependent), label: label ?? "", plane: Number(plane ?? 0) };
}
