// The configuration: stacks, words set aside, and the buffer, as rows of words.
import { el } from "../dom.js";
import { formOf } from "./derivation.js";

// Which end of a row matters: the top of a stack is its last word, the next word of the buffer its first.
const ENDS = { buffer: "from-front", aside: "unordered" };

export class ConfigurationPanel {
  #rows = new Map();
  #list = el("div", { class: "configuration" });
  #derivation = null;

  constructor() {
    this.element = el("section", { class: "panel", "aria-label": "Configuration" }, el("h2", {}, "Configuration"), this.#list);
  }

  start(derivation) {
    this.#derivation = derivation;
    this.#rows.clear();
    this.#list.replaceChildren();
    const stacks = derivation.steps[0].stacks.length;
    for (let index = 0; index < stacks; index++) this.#addRow(`stack-${index}`, stacks > 1 ? `Stack ${index + 1}` : "Stack", "top on the right");
    if (derivation.steps.some(({ aside }) => aside?.length)) this.#addRow("aside", "Aside", "words set aside in a list");
    this.#addRow("buffer", "Buffer", "next word on the left");
  }

  #addRow(name, title, hint) {
    const words = el("ol", { class: `words ${ENDS[name] ?? "from-top"}`, "aria-label": title, tabindex: "0" });
    const active = el("span", { class: "tag", hidden: true }, "active");
    const row = el("div", { class: "configuration-row" }, el("h3", { title: hint }, title, " ", active), words);
    this.#rows.set(name, { row, words, active });
    this.#list.append(row);
  }

  show(step) {
    const several = step.stacks.length > 1;
    step.stacks.forEach((stack, index) => {
      const row = this.#rows.get(`stack-${index}`);
      this.#fill(row.words, stack);
      row.active.hidden = !several || step.active !== index;
      row.row.classList.toggle("is-active", step.active === index);
      row.words.scrollLeft = row.words.scrollWidth; // the top of the stack
    });
    if (this.#rows.has("aside")) this.#fill(this.#rows.get("aside").words, step.aside ?? []);
    this.#fill(this.#rows.get("buffer").words, step.buffer);
  }

  /** Changes only the words that differ: most stay where they are from step to step. */
  #fill(list, positions) {
    while (list.children.length > positions.length) list.lastElementChild.remove();
    positions.forEach((position, index) => {
      let item = list.children[index];
      if (!item) {
        item = el("li", {}, el("bdi"), el("sub"));
        list.append(item);
      }
      if (item.dataset.position === String(position)) return;
      item.dataset.position = position;
      item.firstElementChild.textContent = formOf(this.#derivation, position);
      item.lastElementChild.textContent = position || "";
    });
  }
}
