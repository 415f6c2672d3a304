// Two trees of one sentence, one above the other, with their differences.

import { table } from "../chart.js";
import { wordsOf } from "../columns.js";
import { button, el, plural, word } from "../dom.js";
import { fileName } from "../download.js";
import { downloadButtons, guarded } from "../downloads.js";
import { differences, KINDS } from "./difference.js";

export class PairPanel {
  #shown = 0;

  /** @param copyLink(): copies a link to this comparison */
  constructor(context, copyLink) {
    this.context = context;
    this.copyLink = copyLink;
    this.heading = el("h2", { id: "compare-sentence" });
    this.text = el("p", { class: "plain-sentence", dir: "auto" });
    this.problem = el("div");
    this.trees = [el("div", { class: "tree-box" }), el("div", { class: "tree-box" })];
    this.titles = [el("h3"), el("h3")];
    this.files = [el("div", { class: "row centred" }), el("div", { class: "row centred" })];
    this.legend = el("p", { class: "small legend" },
      el("span", { class: "sign sign-head" }, "Dashed and red"), ": wrong head; ",
      el("span", { class: "sign sign-label" }, "dotted and red"), ": right head, wrong label; ",
      el("span", { class: "sign sign-right" }, "thick and green"), ": the correct arc.");
    this.table = el("div");
    this.element = el("section", { class: "panel sentence-panel", "aria-labelledby": "compare-sentence", hidden: true },
      this.heading, this.text, this.problem,
      this.titles[0], this.trees[0], this.files[0], this.titles[1], this.trees[1], this.files[1], this.legend, this.table);
  }

  hide() {
    this.#shown++;
    this.element.hidden = true;
  }

  /** Shows a sentence of both sides: {name, text, gold, system, formats, titles}; `system` is null if it has no such sentence. */
  async show({ name, text, gold, system, formats, titles }) {
    const number = ++this.#shown;
    this.element.hidden = false;
    this.heading.replaceChildren(word(name));
    this.text.textContent = text;
    this.titles.forEach((title, i) => title.replaceChildren(word(titles[i])));
    this.context.error(this.problem, null);
    const goldWords = wordsOf(gold, formats.gold);
    const found = system === null ? null : differences(goldWords, wordsOf(system, formats.system));
    this.#list(found, goldWords, titles);
    try {
      const sides = [gold, system].map((conllu, i) => conllu && this.context.drawTree(this.trees[i], { conllu, options: { label: `${titles[i]}: tree of ${name}` } }));
      const drawn = await Promise.all(sides);
      if (number !== this.#shown) return;
      if (system === null) this.trees[1].replaceChildren();
      this.#offer(name, [gold, system], found);
      if (found) mark(drawn, this.trees, found);
    } catch (problem) {
      if (number !== this.#shown || problem.name === "AbortError") return;
      [...this.trees, ...this.files].forEach((box) => box.replaceChildren());
      this.context.error(this.problem, problem);
    }
  }

  /** Buttons to save the trees; in a drawing of the other side, differences are marked, if the words are the same. */
  #offer(name, [gold, system], found) {
    const onError = (problem) => this.context.toast(problem.message);
    const base = fileName({ sent_id: name }, 1);
    const buttons = (conll, marks, suffix, of) => downloadButtons({ name: () => `${base}-${suffix}`, drawing: () => ({ conllu: conll, ...marks }), conll: () => conll, id: `compare-${suffix}`, of, onError });
    this.files[0].replaceChildren(buttons(gold, {}, "gold", " of the gold standard"), button("Copy link", guarded(this.copyLink, onError), { class: "small", id: "compare-link" }));
    this.files[1].replaceChildren(...(system === null ? [] : [buttons(system, found ? { gold } : {}, "compared", " of the tree compared with it")]));
  }

  #list(found, words, titles) {
    this.legend.hidden = !found?.length;
    if (found === null) {
      this.table.replaceChildren(el("p", {}, "The two sides split this text into different words, so their arcs cannot be compared one by one. The scores above count matching words."));
      return;
    }
    if (!found.length) {
      this.table.replaceChildren(el("p", {}, "No differences."));
      return;
    }
    const arc = ({ head, deprel }) => word(head ? `${deprel} of ${head} ${words[head - 1]?.form ?? ""}` : `${deprel}, no head`);
    this.table.replaceChildren(table(plural(found.length, "difference"),
      ["word", "difference", ...titles],
      found.map(({ word: place, form, kind, gold, system }) => [word(`${place} ${form}`), el("span", {}, KINDS[kind]), arc(gold), arc(system)])));
  }
}

/** Marks the differing arcs in both drawings, by line, colour and name. */
function mark([goldTree, systemTree], [goldBox, systemBox], found) {
  const arcs = (side, wanted) => found.filter(({ kind }) => wanted.includes(kind)).map((each) => [each[side].head, each.word]);
  goldTree.highlight(arcs("gold", ["head", "both", "label"]), "right");
  systemTree.highlight(arcs("system", ["head", "both"]), "wrong");
  systemTree.highlight(arcs("system", ["label"]), "wrong-label");
  for (const { word: place, kind, system, gold } of found) {
    name(systemBox, [system.head, place], KINDS[kind]);
    name(goldBox, [gold.head, place], `the other side has a ${KINDS[kind]}`);
  }
}

/** Adds a remark to what screen readers say of an arc. */
function name(box, [head, dependent], remark) {
  const start = head ? `.arc[data-head="${head}"]` : ".root";
  for (const arc of box.querySelectorAll(`${start}[data-dependent="${dependent}"]`)) {
    arc.setAttribute("aria-label", `${arc.getAttribute("aria-label") ?? ""}; ${remark}`);
  }
}
