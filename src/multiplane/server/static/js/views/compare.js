// Compare: two files, or a file and a parser; where they differ, most first.

import { confusionsOf, ranked } from "../compare/difference.js";
import { PairPanel } from "../compare/panel.js";
import { scoreTables } from "../compare/scores.js";
import { formatOfText, plainTextOf, sentIdOf } from "../columns.js";
import { splitSentences } from "../conll.js";
import { button, el, field, plural, select, word } from "../dom.js";
import { acceptDrops, readText } from "../files.js";
import { VirtualList } from "../list.js";

const ROW_HEIGHT = 62;
const CONFUSIONS = 60; // in the menu; rarer ones are found by label
const MODEL = "model";
const FILE = "file";
const LONGEST_IN_STATE = 30_000; // characters; larger files stay out of addresses and of the history

let context;
let parts;
let list;
let panel;
let comparing = null;
const sides = { gold: null, system: null }; // {name, text, isSample}
let result = null; // {sentences, gold: [text], system: [text], formats, titles, confusions}

export const view = {
  name: "compare",
  title: "Compare",

  async mount(container, given) {
    context = given;
    list = new VirtualList({ label: "Sentences with differences", rowHeight: ROW_HEIGHT, fill: fillRow, select: choose });
    panel = new PairPanel(context, copyLink);
    parts = build(container);
    list.listenIn(container);
    const models = await context.models();
    parts.model.addEventListener("change", forget);
    parts.model.replaceChildren(...models.map(({ name, title }) => el("option", { value: name }, title ?? name)));
  },

  async show(state) {
    await restore(state);
    // Whoever comes from another view or by a link wants to see the result.
    if (!result && sides.gold && (withModel() || sides.system) && (state.gold || state.sample)) await compare();
    if (result && Number.isInteger(state.row) && state.row !== list.selectedRow) list.chooseRow(state.row);
  },

  hide() {
    comparing?.abort();
    parts.status.textContent = "";
  },
};

/** Opens what the state of an address names, unless it is open already. */
async function restore(state) {
  if (state.sample && !sides.gold?.isSample) await openSample();
  if (typeof state.gold === "string" && state.gold !== sides.gold?.text) take("gold", { name: "From a link", text: state.gold });
  if (typeof state.system === "string" && state.system !== sides.system?.text) {
    take("system", { name: "From a link", text: state.system });
    setWith(FILE);
  } else if (typeof state.model === "string" && (!withModel() || parts.model.value !== state.model)) {
    parts.model.value = state.model;
    setWith(MODEL);
  }
}

/** Returns the state of what is seen; files that are too long for an address are left out. */
function stateOf() {
  const { gold, system } = sides;
  const long = [gold, withModel() ? null : system].some((side) => side && !side.isSample && side.text.length > LONGEST_IN_STATE);
  if (!result || long) return {};
  const row = list.selectedRow;
  return {
    ...(gold.isSample ? { sample: true } : { gold: gold.text }),
    ...(withModel() ? { model: parts.model.value } : { system: system.text }),
    ...(row === null ? {} : { row }),
  };
}

async function copyLink() {
  const state = stateOf();
  if (!Object.keys(state).length) throw new Error("These files are too long for a link. Share the files themselves, or save the sentences.");
  await context.copyLink("compare", state);
}

function build(container) {
  const elements = {
    gold: el("p", { class: "small", role: "status" }, "No file yet."),
    system: el("p", { class: "small", role: "status" }, "No file yet."),
    model: select([], { "aria-label": "Parser" }),
    run: button("Compare", () => compare(), { class: "primary", disabled: true }),
    problem: el("div"),
    status: el("p", { class: "small", role: "status" }),
    scores: el("div", { class: "scores" }),
    count: el("p", { class: "count", role: "status" }),
    kind: select([["any", "any difference"], ["head", "wrong head"], ["label", "wrong label"]]),
    label: el("input", { type: "search", autocomplete: "off", spellcheck: "false", placeholder: "obl" }),
    confusion: select([["", "any"]]),
  };
  const choices = [
    [MODEL, "a parser"],
    [FILE, "a file"],
  ].map(([value, text]) => button(text, () => setWith(value), { class: "small", "data-with": value, "aria-pressed": String(value === MODEL) }));
  elements.choices = choices;
  elements.withModel = field("Parser", elements.model, "Parses the words of the file again.");
  elements.withFile = el("div", { class: "field", hidden: true }, openButton("Open the other file", "system"), elements.system);
  for (const control of [elements.kind, elements.confusion]) control.addEventListener("change", filter);
  elements.label.addEventListener("input", filter);
  elements.results = el("div", { class: "treebank", hidden: true },
    el("div", { class: "panel" }, el("h2", {}, "Scores"), elements.scores),
    el("div", { class: "browser" },
      el("div", { class: "browser-side" },
        el("div", { class: "panel filters" }, el("div", { class: "filter-fields" },
          field("Difference", elements.kind), field("Label", elements.label), field("Confusion", elements.confusion))),
        el("div", { class: "panel flush hits" }, el("div", { class: "hits-head" }, elements.count), list.element),
      ),
      panel.element,
    ),
  );
  const goldPanel = el("div", { class: "panel drop" }, el("h2", {}, "Gold standard"),
    el("div", { class: "row centred" }, openButton("Open a file", "gold"), button("Sample treebank", openSample)), elements.gold);
  const systemPanel = el("div", { class: "panel drop" },
    el("div", { class: "row centred" }, el("h2", {}, "Compared with"), el("div", { class: "segments", role: "group", "aria-label": "Compare with" }, choices)),
    elements.withModel, elements.withFile);
  acceptDrops(goldPanel, (file) => openFile("gold", file));
  acceptDrops(systemPanel, (file) => {
    setWith(FILE);
    openFile("system", file);
  });
  container.append(
    el("header", { class: "view-head" }, el("h1", {}, "Compare"),
      el("p", { class: "lead" }, "Put a parser’s trees beside the gold standard, or two files side by side, and see where they differ.")),
    el("div", { class: "two" }, goldPanel, systemPanel),
    el("div", { class: "row centred" }, elements.run, elements.status),
    elements.problem,
    elements.results,
  );
  return elements;
}

function openButton(text, side) {
  const input = el("input", { type: "file", class: "only-spoken", id: `compare-${side}`, tabindex: -1, "aria-hidden": "true", onchange: () => input.files[0] && openFile(side, input.files[0]) });
  return el("span", {}, button(text, () => input.click()), input);
}

async function openFile(side, file) {
  context.error(parts.problem, null);
  try {
    take(side, { name: file.name, text: await readText(file) });
  } catch (problem) {
    context.error(parts.problem, problem);
  }
}

async function openSample() {
  context.error(parts.problem, null);
  try {
    const sample = await context.api.sample();
    take("gold", { name: "sample.conllu", text: await sample.text(), isSample: true });
  } catch (problem) {
    context.error(parts.problem, problem);
  }
}

/** Takes one side; results of other files would mislead, so they go. */
function take(side, opened) {
  sides[side] = opened;
  const size = splitSentences(opened.text).length;
  parts[side].replaceChildren(word(opened.name), `: ${plural(size, "sentence")}`);
  forget();
}

function setWith(value) {
  for (const choice of parts.choices) choice.setAttribute("aria-pressed", String(choice.dataset.with === value));
  parts.withModel.hidden = value !== MODEL;
  parts.withFile.hidden = value !== FILE;
  forget();
}

function withModel() {
  return !parts.withModel.hidden;
}

function forget() {
  comparing?.abort();
  result = null;
  parts.results.hidden = true;
  parts.status.textContent = "";
  panel.hide();
  parts.run.disabled = !sides.gold || !(withModel() || sides.system);
}

async function compare() {
  comparing?.abort();
  const { signal } = (comparing = new AbortController());
  context.error(parts.problem, null);
  parts.status.textContent = withModel() ? "Parsing and comparing …" : "Comparing …";
  parts.run.disabled = true;
  try {
    const model = parts.model.value;
    const body = withModel() ? { gold: sides.gold.text, model } : { gold: sides.gold.text, system: sides.system.text };
    const answer = await context.api.compare(body, { signal });
    const titles = ["Gold standard", withModel() ? parts.model.selectedOptions[0].textContent : sides.system.name];
    const system = withModel() ? answer.system : sides.system.text;
    await showResult(answer, { gold: sides.gold.text, system }, titles, signal);
    if (!signal.aborted) await context.record("compare", stateOf(), { replace: true });
  } catch (problem) {
    if (!signal.aborted) context.error(parts.problem, problem);
  } finally {
    if (!signal.aborted) parts.status.textContent = "";
    parts.run.disabled = false;
  }
}

async function showResult(answer, texts, titles, signal) {
  const formats = { gold: formatOfText(texts.gold), system: formatOfText(texts.system) };
  const gold = splitSentences(texts.gold);
  const other = splitSentences(texts.system);
  if (gold.length !== answer.sentences.length) {
    throw new Error(`The page found ${plural(gold.length, "sentence")} in the gold standard, but the server found ${answer.sentences.length}. Check the file with multiplane check.`);
  }
  // Sentences can only be put side by side if both files have the same ones.
  const system = other.length === gold.length ? other : gold.map(() => null);
  const counted = await confusionsOf(gold, system, formats, signal);
  if (counted === null) return;
  result = { sentences: answer.sentences, gold, system, formats, titles, confusions: counted.confusions };
  parts.scores.replaceChildren(...scoreTables(answer.scores));
  parts.confusion.replaceChildren(el("option", { value: "" }, "any"), ...counted.confusions.slice(0, CONFUSIONS).map(
    ({ key, gold: first, system: second, count }) => el("option", { value: key }, first === second ? `${first}, other head (${count})` : `${first} → ${second} (${count})`)));
  parts.kind.value = "any";
  parts.label.value = "";
  parts.results.hidden = false;
  list.setRows([]); // the same numbers mean other sentences now
  filter();
  if (list.size) list.choose(0);
}

function filter() {
  if (!result) return;
  const confusion = result.confusions.find(({ key }) => key === parts.confusion.value) ?? null;
  const label = parts.label.value.trim();
  const rows = ranked(result.sentences, { confusion, kind: parts.kind.value, rowsOfLabel: label ? rowsOfLabel(label) : null });
  list.setRows(rows);
  parts.count.textContent = `${rows.length.toLocaleString("en")} of ${plural(result.sentences.length, "sentence")} with differences`;
}

/** Returns the sentences where one side has the label on a differing word. */
function rowsOfLabel(label) {
  const rows = result.confusions.filter(({ gold, system }) => gold === label || system === label).map((each) => [...each.rows]);
  return new Set(rows.flat());
}

function summary(row) {
  const text = result.gold[row] ?? "";
  return { name: sentIdOf(text, result.formats.gold) ?? `sentence ${row + 1}`, text: plainTextOf(text, result.formats.gold) };
}

function fillRow(option, row) {
  const { name, text } = summary(row);
  const { wrong_heads: heads, wrong_labels: labels, words } = result.sentences[row];
  option.append(
    el("span", { class: "row-head" },
      el("bdi", { class: "row-name" }, name),
      el("span", { class: "grey" }, plural(words, "word")),
      el("span", { class: "row-flags" }, `${plural(heads, "head")}, ${plural(labels, "label")}`)),
    el("span", { class: "row-text", dir: "auto" }, text),
  );
}

function choose(row) {
  const { gold, system, formats, titles } = result;
  panel.show({ ...summary(row), gold: gold[row], system: system[row] ?? null, formats, titles });
  context.record("compare", stateOf(), { replace: true });
}
