// The sentences of a text as a list to move through. It is built once for a text, which may have thousands.
import { button, el } from "../dom.js";
import { summary } from "./properties.js";

export class SentenceList {
  #position = el("span");
  #previous = button("← Previous", () => this.#onChoose(this.#current - 1), { id: "sentence-previous", class: "small" });
  #next = button("Next →", () => this.#onChoose(this.#current + 1), { id: "sentence-next", class: "small" });
  #list = el("ol", { class: "sentences" });
  #buttons = [];
  #current = 0;
  #onChoose;

  constructor(onChoose) {
    this.#onChoose = onChoose;
    const bar = el("div", { class: "row centred bar" }, this.#position, el("span", { class: "push row" }, this.#previous, this.#next));
    this.element = el("nav", { class: "panel flush sentence-nav", "aria-label": "Sentences", hidden: true }, bar, this.#list);
  }

  start(sentences) {
    this.element.hidden = sentences.length < 2;
    this.#current = 0;
    this.#buttons = sentences.map((sentence, index) => this.#button(sentence, index));
    this.#list.replaceChildren(...this.#buttons.map((item) => el("li", {}, item)));
    this.#list.scrollTop = 0;
  }

  show(index) {
    this.#buttons[this.#current]?.removeAttribute("aria-current");
    this.#current = index;
    this.#position.textContent = `Sentence ${index + 1} of ${this.#buttons.length}`;
    this.#previous.disabled = index === 0;
    this.#next.disabled = index === this.#buttons.length - 1;
    const current = this.#buttons[index];
    if (!current) return;
    current.setAttribute("aria-current", "true");
    const { offsetTop, offsetHeight } = current.parentElement;
    const { scrollTop, clientHeight } = this.#list;
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) this.#list.scrollTop = offsetTop - clientHeight / 3;
  }

  #button(sentence, index) {
    const text = sentence.text || sentence.tokens.map(({ form }) => form).join(" ");
    const crossing = sentence.properties.planarity > 1;
    return el(
      "button",
      { type: "button", id: `sentence-${index + 1}`, onclick: () => this.#onChoose(index) },
      el("span", { class: "number" }, String(index + 1)),
      el("bdi", { class: "text", dir: "auto" }, text),
      el("span", { class: crossing ? "tag crossing" : "tag" }, summary(sentence)),
    );
  }
}
