// All transitions of the derivation, to jump to one.
import { el } from "../dom.js";
import { newArcsText, tookDetour } from "./derivation.js";

export class History {
  #list = el("ol", { class: "history", start: 0 });
  #buttons = [];
  #current = null;
  #onGo;

  constructor(onGo) {
    this.#onGo = onGo;
    this.element = el("section", { class: "panel history-panel", "aria-label": "Derivation" }, el("h2", {}, "Derivation"), this.#list);
  }

  start(derivation) {
    this.#current = null;
    const byHand = new Set(tookDetour(derivation));
    this.#buttons = derivation.steps.map((step, index) =>
      el("button", { type: "button", onclick: () => this.#onGo(index) }, el("span", { class: "number" }, String(index)), el("span", { class: "name" }, step.transition || "start"), byHand.has(index) && el("span", { class: "tag" }, "by hand"), el("bdi", { class: "grey" }, newArcsText(derivation, step.new_arcs))),
    );
    this.#list.replaceChildren(...this.#buttons.map((item) => el("li", {}, item)));
  }

  show(step) {
    this.#current?.removeAttribute("aria-current");
    this.#current = this.#buttons[step];
    this.#current.setAttribute("aria-current", "step");
    // Not scrollIntoView, which would also scroll the page.
    const { offsetTop, offsetHeight } = this.#current;
    this.#list.scrollTop = offsetTop - (this.#list.clientHeight - offsetHeight) / 2;
  }
}
