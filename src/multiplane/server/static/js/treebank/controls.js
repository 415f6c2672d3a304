// The form of filters: what it shows, and the filter that it holds.

import { el, field, select } from "../dom.js";
import { EVERYTHING } from "./filter.js";

/** How the names of properties read. */
const FLAGS = {
  "non-projective": "not projective",
  "non-planar": "not planar",
  "not-2-planar": "not 2-planar",
  "ill-nested": "ill-nested",
  "not-a-tree": "not a tree",
  "without-heads": "without heads",
};

const TYPING = 200; // milliseconds without a key before a search starts

export class Controls {
  #timer = 0;
  #boxes = new Map();

  /** @param change(filter): called when the user changed something and paused */
  constructor(change) {
    this.change = change;
    this.flags = el("div", { class: "filter-flags" });
    this.planes = select([["", "any number"]], { "aria-label": "Planes needed" });
    this.gap = el("input", { type: "number", min: 0, inputmode: "numeric", placeholder: "0" });
    this.shortest = el("input", { type: "number", min: 1, inputmode: "numeric", placeholder: "1", "aria-label": "Shortest, in words" });
    this.longest = el("input", { type: "number", min: 1, inputmode: "numeric", placeholder: "any", "aria-label": "Longest, in words" });
    this.word = textInput("hond, ver*");
    this.label = textInput("obl, acl*");
    this.name = textInput("nl-0");
    this.clear = el("button", { type: "reset", class: "small" }, "Clear filters");
    this.more = el("details", {}, el("summary", {}, "More filters"),
      el("div", { class: "filter-fields" },
        field("Planes needed", this.planes),
        field("Gap degree, at least", this.gap),
        el("div", { class: "field", role: "group", "aria-label": "Length" },
          el("span", { class: "field-label" }, "Words, from – to"),
          el("div", { class: "pair" }, this.shortest, this.longest)),
        field("sent_id contains", this.name),
      ));
    this.element = el("form", { class: "filters", "aria-label": "Filters" },
      el("fieldset", {}, el("legend", {}, "Only sentences that are"), this.flags),
      el("div", { class: "filter-fields" }, field("Word", this.word), field("Label", this.label)),
      el("span", { class: "hint" }, "* matches any characters. If you give both, the same word must have them."),
      this.more,
      el("div", {}, this.clear),
    );
    this.element.addEventListener("input", () => this.#changed(TYPING));
    this.element.addEventListener("change", () => this.#changed(0));
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#changed(0);
    });
    this.element.addEventListener("reset", (event) => {
      event.preventDefault();
      this.filter = EVERYTHING;
      this.#changed(0);
    });
  }

  /** Offers what a treebank has: its properties with their numbers, and its numbers of planes. */
  offer(treebank) {
    const counts = treebank.flagCounts();
    this.#boxes.clear();
    this.flags.replaceChildren(...treebank.flagNames.map((flag, i) => {
      const box = el("input", { type: "checkbox", value: flag });
      this.#boxes.set(flag, box);
      return el("label", { class: "check", hidden: counts[i] === 0 }, box, `${FLAGS[flag] ?? flag} `, el("span", { class: "grey" }, counts[i].toLocaleString("en")));
    }));
    const planes = new Map();
    for (const k of treebank.planarity) planes.set(k, (planes.get(k) ?? 0) + 1);
    const options = [...planes].sort(([a], [b]) => (a || 99) - (b || 99));
    this.planes.replaceChildren(
      el("option", { value: "" }, "any number"),
      ...options.map(([k, count]) => el("option", { value: k }, `${planesText(k)} (${count.toLocaleString("en")})`)),
    );
  }

  get filter() {
    return {
      flags: [...this.#boxes].filter(([, box]) => box.checked).map(([flag]) => flag),
      planes: this.planes.value === "" ? null : Number(this.planes.value),
      gap: numberIn(this.gap, EVERYTHING.gap),
      shortest: numberIn(this.shortest, EVERYTHING.shortest),
      longest: numberIn(this.longest, EVERYTHING.longest),
      word: this.word.value.trim(),
      label: this.label.value.trim(),
      name: this.name.value.trim(),
    };
  }

  set filter(filter) {
    for (const [flag, box] of this.#boxes) box.checked = filter.flags.includes(flag);
    this.planes.value = filter.planes ?? "";
    if (this.planes.selectedIndex < 0) this.planes.value = "";
    this.gap.value = filter.gap || "";
    this.shortest.value = filter.shortest || "";
    this.longest.value = Number.isFinite(filter.longest) ? filter.longest : "";
    for (const key of ["word", "label", "name"]) this[key].value = filter[key];
    if ([this.planes, this.gap, this.shortest, this.longest, this.name].some((control) => control.value)) this.more.open = true;
  }

  #changed(pause) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.change(this.filter), pause);
  }
}

/** Returns a number of planes as the server counts them: 0 is undecided, 5 more than it tells apart. */
export function planesText(k) {
  if (k === 0) return "more than 2";
  return k > 4 ? "more than 4" : String(k);
}

function textInput(example) {
  return el("input", { type: "search", autocomplete: "off", autocapitalize: "off", spellcheck: "false", placeholder: example });
}

function numberIn(input, otherwise) {
  const value = Number.parseInt(input.value, 10);
  return Number.isFinite(value) && value >= 0 ? value : otherwise;
}
