// Systems: the catalogue, what is proved of each system, and a sentence to try one on.

import { table } from "../chart.js";
import { plainTextOf, sentIdOf } from "../columns.js";
import { splitSentences } from "../conll.js";
import { button, el, field, plural, select, word } from "../dom.js";

const WORDS = new Map([[true, "yes"], [false, "no"], [null, "undecided"]]);
const TRANSITIONS_SHOWN = 200;

let context;
let parts;
let catalogue = [];
let coverage = new Map();
let examples = [];
let chosen = null;
let trying = null;

export const view = {
  name: "systems",
  title: "Systems",

  async mount(container, given) {
    context = given;
    parts = build(container);
    const [systems, covered, sample] = await Promise.all([context.api.systems(), context.api.systemCoverage(), context.api.sample()]);
    catalogue = systems;
    coverage = new Map(covered.systems.map(({ name, classes }) => [name, classes]));
    examples = splitSentences(await sample.text());
    parts.example.append(...examples.map((text, i) => el("option", { value: i }, `${sentIdOf(text)}: ${plainTextOf(text)}`)));
    parts.example.value = String(Math.max(0, examples.findIndex((text) => sentIdOf(text) === "nl-001")));
    list("");
  },

  show(state) {
    if (typeof state.find === "string") parts.search.value = state.find;
    list(parts.search.value);
    const wanted = catalogue.find(({ name }) => name === state.system);
    if (state.system && !wanted) throw new Error(`There is no system “${state.system}”. Choose one from the list.`);
    describe(wanted ?? chosen ?? catalogue.find(({ name }) => name === "2-planar") ?? catalogue[0]);
  },
};

function build(container) {
  const elements = {
    search: el("input", { type: "search", placeholder: "planar, swap, Nivre, not single-head …", autocomplete: "off", oninput: () => list(elements.search.value) }),
    count: el("p", { class: "count", role: "status" }),
    list: el("ul", { class: "system-list" }),
    detail: el("div", { class: "system-detail" }),
    example: select([]),
    text: el("input", { type: "text", placeholder: "Or type a sentence; a parser finds its tree", autocomplete: "off", onkeydown: (event) => event.key === "Enter" && tryIt() }),
    outcome: el("div", { "aria-live": "polite" }),
  };
  elements.trial = el("section", { class: "panel", "aria-labelledby": "system-trial" },
    el("h2", { id: "system-trial" }, "Try it"),
    el("div", { class: "filter-fields wide" }, field("A sentence of the sample treebank", elements.example), field("Your own", elements.text)),
    el("div", { class: "row centred trial-run" }, button("Derive the tree", () => tryIt(), { class: "primary" })),
    elements.outcome);
  container.append(
    el("header", { class: "view-head" }, el("h1", {}, "Systems"),
      el("p", { class: "lead" }, "Transition systems from the literature, with the properties that follow from their definitions and the reason for each.")),
    el("div", { class: "browser systems" },
      el("div", { class: "browser-side" }, el("div", { class: "panel flush hits" }, el("div", { class: "hits-head" }, field("Search", elements.search), elements.count), elements.list)),
      el("div", { class: "system-main" }, elements.detail, elements.trial),
    ),
  );
  return elements;
}

/** Lists the systems that match all words of a search: names, sources, transitions, properties that hold, “not …” for those that do not. */
function list(query) {
  const wanted = query.toLowerCase().replace(/\bnot /g, "not-").split(/\s+/).filter(Boolean);
  const found = catalogue.filter((system) => wanted.every((part) => searchable(system).some((text) => text.includes(part))));
  parts.count.textContent = `${found.length} of ${plural(catalogue.length, "system")}`;
  parts.list.replaceChildren(...found.map((system) => el("li", {},
    el("button", { type: "button", class: "system-choice", "aria-pressed": String(system === chosen), "data-system": system.name, onclick: () => context.navigate("systems", { system: system.name }) },
      el("strong", {}, system.name),
      el("span", { class: "grey small" }, system.about || "")))));
}

function searchable({ name, about, transitions, properties }) {
  const facts = properties.map(({ name: property, value }) => (value === true ? property : value === false ? `not-${property}` : ""));
  return [name, about ?? "", ...transitions.map((each) => each.name), ...facts].map((text) => text.toLowerCase());
}

function describe(system) {
  if (!system) return;
  if (system !== chosen) parts.outcome.replaceChildren();
  chosen = system;
  for (const choice of parts.list.querySelectorAll("[data-system]")) {
    const isChosen = choice.dataset.system === system.name;
    choice.setAttribute("aria-pressed", String(isChosen));
    if (isChosen) reveal(choice);
  }
  parts.detail.replaceChildren(
    el("section", { class: "panel", "aria-labelledby": "system-name" },
      el("h2", { id: "system-name" }, system.name),
      el("p", {}, [system.about, plural(system.stacks, "stack"), system.dynamic_oracle ? "static and dynamic oracle" : "static oracle"].filter(Boolean).join("; "), "."),
      el("h3", {}, "Transitions"),
      table(`Transitions of ${system.name}`, ["transition", "definition"], system.transitions.map(({ name, definition }) => [el("code", {}, name), el("code", {}, definition)])),
      notation(),
      el("h3", {}, "Properties"),
      table(`Properties of ${system.name}`, ["property", "holds", "why"], system.properties.map(({ name, value, reason }) => [name, verdict(value), el("span", {}, reason)])),
      ...covers(system),
    ),
  );
}

/** Scrolls the list, and nothing else, so that a choice is seen. */
function reveal(choice) {
  const top = choice.offsetTop;
  if (top < parts.list.scrollTop) parts.list.scrollTop = top;
  const bottom = top + choice.offsetHeight - parts.list.clientHeight;
  if (bottom > parts.list.scrollTop) parts.list.scrollTop = bottom;
}

/** Explains the signs in definitions. */
function notation() {
  const signs = [
    ["i, j", "the top of the active stack σ, and the front of the buffer β"],
    ["a;b", "first a, then b"],
    ["a|(…)", "a, only if the condition holds"],
    ["Hσ, Hβ", "i (or j) has a head; with a bar above H, it has none"],
    ["i⇔*j", "i and j are connected, regardless of direction; struck through, they are not"],
    ["i→j, i→*j", "there is an arc (or a path) from i to j"],
  ];
  return el("details", {}, el("summary", {}, "Notation"), el("dl", { class: "facts" }, signs.flatMap(([sign, meaning]) => [el("dt", {}, el("code", {}, sign)), el("dd", {}, meaning)])));
}

function verdict(value) {
  return el("span", { class: value === true ? "tag good" : "tag" }, WORDS.get(value) ?? String(value));
}

/** Says which classes of trees a system derives, counted on the sample treebank. */
function covers(system) {
  const classes = coverage.get(system.name);
  if (!classes) return [];
  return [
    el("h3", {}, "Coverage"),
    el("p", { class: "hint" }, "Trees of the sample treebank that the static oracle derives with all their arcs:"),
    el("div", { class: "narrow" }, table(`Coverage of ${system.name}`, ["trees", "derived", "of"], classes.map(({ name, exact, sentences }) => [name, exact, sentences]))),
  ];
}

async function tryIt() {
  trying?.abort();
  const { signal } = (trying = new AbortController());
  const system = chosen;
  parts.outcome.replaceChildren(el("p", {}, "Deriving …"));
  try {
    const typed = parts.text.value.trim();
    const conllu = typed ? (await context.api.parse({ text: typed }, { signal })).sentences[0].conllu : examples[Number(parts.example.value)];
    const [derivation, { sentences }] = await Promise.all([
      context.api.derivation({ conllu, system: system.name }, { signal }),
      context.api.sentences({ conllu }, { signal }),
    ]);
    parts.outcome.replaceChildren(...outcome(system, conllu, derivation, sentences[0]));
  } catch (problem) {
    if (!signal.aborted) context.error(parts.outcome, problem);
  }
}

function outcome(system, conllu, derivation, sentence) {
  const built = new Set(derivation.arcs.map(([head, dependent]) => `${head}-${dependent}`));
  const has = (head, dependent) => built.has(`${head}-${dependent}`) || (system.name.startsWith("undirected") && built.has(`${dependent}-${head}`));
  const lost = sentence.tokens.filter(({ id, head }) => head > 0 && !has(head, id));
  const names = derivation.steps.map(({ transition }) => transition).filter(Boolean);
  const arcs = lost.map(({ id, head, deprel, form }) => `${head} ${sentence.tokens[head - 1].form} →${deprel} ${id} ${form}`);
  return [
    el("p", {}, word(sentence.text)),
    el("p", {}, lost.length ? `It takes ${plural(names.length, "transition")}, and cannot build ${plural(lost.length, "arc")}: ` : `It derives the whole tree in ${plural(names.length, "transition")}.`, lost.length ? word(`${arcs.join("; ")}.`) : null),
    el("p", { class: "transitions" }, names.slice(0, TRANSITIONS_SHOWN).flatMap((name) => [el("code", {}, name), " "]), names.length > TRANSITIONS_SHOWN ? "…" : null),
    button("Step through it", () => context.navigate("step", { conllu, system: system.name })),
  ];
}
