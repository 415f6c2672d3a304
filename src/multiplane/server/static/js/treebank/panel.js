// One sentence of a treebank: its tree, and the proof of what it is not.

import { button, el, word } from "../dom.js";
import { fileName } from "../download.js";
import { downloadButtons, guarded } from "../downloads.js";
import { proofsOf, verdict } from "./proofs.js";

const PAUSE = 50; // milliseconds; a key that is held down passes over sentences that nobody could read

export class SentencePanel {
  #timer = 0;
  #controller = null;
  #tree = null;
  #marked = []; // the arcs of the proof that is shown

  /** @param step(by): goes to another hit; @param copyLink(): copies a link to this sentence */
  constructor(context, step, copyLink) {
    this.context = context;
    this.copyLink = copyLink;
    this.heading = el("h2", { id: "treebank-sentence" });
    this.place = el("span", { class: "grey small" });
    this.previous = button("Previous", () => step(-1), { class: "small", title: "Alt + ↑" });
    this.next = button("Next", () => step(1), { class: "small", title: "Alt + ↓" });
    this.text = el("p", { class: "plain-sentence", dir: "auto" });
    this.verdict = el("p");
    this.problem = el("div");
    this.proofs = el("div", { class: "proofs" });
    this.drawing = el("div", { class: "tree-box" });
    this.links = el("div", { class: "row centred links" });
    this.files = el("div", { class: "row centred" });
    this.element = el("section", { class: "panel sentence-panel", "aria-labelledby": "treebank-sentence", hidden: true },
      el("div", { class: "row centred" }, this.heading, this.place, el("div", { class: "row push" }, this.previous, this.next)),
      this.text, this.verdict, this.problem, this.drawing, this.proofs, this.files, this.links,
    );
  }

  hide() {
    this.#cancel();
    this.element.hidden = true;
  }

  /** Says where the sentence is among the hits. */
  setPlace(place, size) {
    this.place.textContent = place < 0 ? "not among the matches" : `${(place + 1).toLocaleString("en")} of ${size.toLocaleString("en")}`;
    this.previous.disabled = place <= 0;
    this.next.disabled = size === 0 || place + 1 >= size;
  }

  /** Shows a sentence: its words at once, its tree and proofs as soon as the server has answered. */
  show({ name, text }, conllu, format) {
    this.#cancel();
    this.element.hidden = false;
    this.heading.replaceChildren(word(name));
    this.text.textContent = text;
    this.#timer = setTimeout(() => this.#load(conllu, format, name), PAUSE);
  }

  #cancel() {
    clearTimeout(this.#timer);
    this.#controller?.abort();
  }

  async #load(conllu, format, name) {
    const controller = new AbortController();
    this.#controller = controller;
    try {
      const [{ sentences }, tree] = await Promise.all([
        this.context.api.sentences({ conllu, format }, { signal: controller.signal }),
        this.context.drawTree(this.drawing, { conllu, options: { label: `Tree of ${name}` } }),
      ]);
      if (controller.signal.aborted) return;
      this.#tree = tree;
      this.context.error(this.problem, null);
      this.#explain(sentences[0]);
      this.#offer(sentences[0]);
      this.#link(sentences[0]);
    } catch (problem) {
      if (controller.signal.aborted || problem.name === "AbortError") return;
      this.drawing.replaceChildren();
      this.proofs.replaceChildren();
      this.links.replaceChildren();
      this.files.replaceChildren();
      this.verdict.textContent = "";
      this.context.error(this.problem, problem);
    }
  }

  #explain(sentence) {
    this.verdict.textContent = verdict(sentence);
    const proofs = proofsOf(sentence);
    const explanation = el("div", { class: "proof", "aria-live": "polite" });
    const buttons = proofs.map((proof) => button(proof.title, () => choose(proof), { class: "small", "data-proof": proof.key }));
    const choose = (proof) => {
      for (const each of buttons) each.setAttribute("aria-pressed", String(each.dataset.proof === proof.key));
      explanation.replaceChildren(el("p", {}, proof.text), el("ul", {}, proof.details.map((line) => el("li", {}, word(line)))), ...legend(proof));
      this.#mark(proof);
    };
    this.proofs.replaceChildren(
      ...(proofs.length ? [el("h3", {}, "Why"), el("div", { class: "segments", role: "group", "aria-label": "Proof to show" }, buttons), explanation] : []),
    );
    this.drawing.classList.remove("has-proof"); // of the sentence before
    this.#marked = [];
    if (proofs.length) choose(proofs[0]);
  }

  /** Draws a proof: its arcs are thick and the others fade; the words of its groups are underlined. */
  #mark(proof) {
    this.drawing.classList.toggle("has-proof", proof.arcs.length > 0);
    this.#marked = proof.arcs;
    this.#tree.highlight(proof.arcs, "focus");
    revealMarked(this.#tree.scroller);
    for (const element of this.drawing.querySelectorAll(".word[data-word]")) {
      const group = proof.groups.findIndex((words) => words.includes(Number(element.dataset.word)));
      element.classList.toggle("in-group-1", group === 0);
      element.classList.toggle("in-group-2", group === 1);
    }
  }

  /** Buttons to save the sentence; the arcs of the proof are bold in its drawings, too. */
  #offer(sentence) {
    const onError = (problem) => this.context.toast(problem.message);
    const drawing = () => ({ conllu: sentence.conllu, highlight: this.#marked.map(([head, dependent]) => [head, dependent]) });
    this.files.replaceChildren(
      downloadButtons({ name: () => fileName(sentence, 1), drawing, conll: () => sentence.conllu, id: "treebank-download", onError }),
      button("Copy link", guarded(this.copyLink, onError), { class: "small", id: "treebank-link" }),
    );
  }

  #link(sentence) {
    const { conllu, properties } = sentence;
    const goTo = (view, title, state) => button(title, () => this.context.navigate(view, state), { class: "small" });
    this.links.replaceChildren(
      el("span", { class: "grey" }, "Open this sentence in"),
      goTo("parse", "Parse", { conllu }),
      goTo("step", "Step", { conllu, system: systemFor(properties) }),
      goTo("compare", "Compare", { gold: conllu }),
    );
  }
}

/** Scrolls a wide drawing sideways so that the marked arcs are in view, or at least where they start. */
function revealMarked(scroller) {
  const boxes = [...scroller.querySelectorAll(".is-focus")].map((arc) => arc.getBoundingClientRect());
  if (!boxes.length) return;
  const view = scroller.getBoundingClientRect();
  const left = Math.min(...boxes.map((box) => box.left)) - view.left;
  const right = Math.max(...boxes.map((box) => box.right)) - view.left;
  if (left < 0 || right > view.width) scroller.scrollLeft += left - 20;
}

/** Returns a system of the catalogue that derives a tree. */
function systemFor({ projective, planarity }) {
  if (projective) return "arc-eager";
  if (planarity === 1 || planarity === 2) return "2-planar";
  return planarity === 3 ? "3-planar" : "swap";
}

function legend({ groups, key }) {
  if (key !== "ill-nested") return [];
  return [el("p", { class: "small grey" }, `Underlined once: the first subtree, ${groups[0].length} words; underlined twice: the second, ${groups[1].length} words.`)];
}
