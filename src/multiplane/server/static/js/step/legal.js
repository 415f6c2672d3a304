// The transitions that can be taken now, with the model's scores as bars and the oracle's costs.
import { button, el } from "../dom.js";
import { isTaken, ranked } from "./derivation.js";

const SHOWN = 8; // the others are one click away

export class LegalPanel {
  #list = el("ol", { class: "legal" });
  #more = button("", () => this.#toggle(), { class: "small quiet", hidden: true });
  #hint = el("p", { class: "hint" });
  #all = false;
  #last = null;
  #onChoose;

  constructor(onChoose) {
    this.#onChoose = onChoose;
    this.element = el("section", { class: "panel", "aria-label": "Transitions" }, el("h2", {}, "Next transition"), this.#hint, this.#list, this.#more);
  }

  start(derivation) {
    const legal = derivation.steps[0].legal;
    const costs = legal.some(({ cost }) => cost !== undefined && cost !== null);
    this.#hint.textContent = costs ? "Choose one to continue from here. Its cost is the number of arcs of the given tree that it loses." : "Choose one to continue from here.";
  }

  show(derivation, step) {
    this.#last = [derivation, step];
    const options = ranked(derivation.steps[step]);
    const taken = derivation.steps[step + 1]?.transition;
    const shown = this.#all ? options : options.filter((option, index) => index < SHOWN || isTaken(option, taken));
    while (this.#list.children.length > shown.length) this.#list.lastElementChild.remove();
    const largest = Math.max(...options.map(worth), 0);
    shown.forEach((option, index) => this.#fill(index, option, isTaken(option, taken), largest));
    this.#more.hidden = options.length <= SHOWN;
    this.#more.textContent = this.#all ? "Show fewer" : `Show all ${options.length}`;
    if (!options.length) this.#list.replaceChildren(el("li", { class: "grey" }, derivation.complete === false ? "No transition is possible." : "The derivation is complete."));
  }

  #fill(index, option, taken, largest) {
    let item = this.#list.children[index];
    if (!item?.dataset.transition) {
      const made = newItem((transition) => this.#onChoose(transition));
      if (item) item.replaceWith(made);
      else this.#list.append(made);
      item = made;
    }
    item.dataset.transition = option.transition;
    const [control] = item.children;
    const [name, bar, number, cost] = control.children;
    name.textContent = option.transition;
    bar.firstElementChild.style.width = `${barWidth(option, largest)}%`;
    bar.hidden = largest === 0;
    number.textContent = numberText(option);
    cost.textContent = option.cost === undefined || option.cost === null ? "" : `cost ${option.cost}`;
    cost.className = option.cost === 0 ? "tag good cost" : "tag bad cost";
    cost.hidden = !cost.textContent;
    if (taken) control.setAttribute("aria-current", "step");
    else control.removeAttribute("aria-current");
  }

  #toggle() {
    this.#all = !this.#all;
    this.show(...this.#last);
  }
}

function newItem(onChoose) {
  const item = el("li", {});
  item.append(el("button", { type: "button", onclick: () => onChoose(item.dataset.transition) }, el("span", { class: "name" }), el("span", { class: "track", "aria-hidden": "true" }, el("span", { class: "fill" })), el("span", { class: "number" }), el("span", { class: "tag cost" })));
  return item;
}

function worth({ probability }) {
  return probability ?? 0;
}

function barWidth(option, largest) {
  return largest > 0 ? Math.round(worth(option) * 1000) / 10 : 0;
}

function numberText({ probability, score }) {
  if (typeof probability === "number") return probability < 0.0005 ? "< 0.1 %" : `${(probability * 100).toFixed(1)} %`;
  return typeof score === "number" ? score.toFixed(2) : "";
}
