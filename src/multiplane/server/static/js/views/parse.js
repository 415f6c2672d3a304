// The parse view: text or CoNLL in, trees out; choose, compare, edit, download.
import { looksLikeConll } from "../conll.js";
import { button, el, field, select } from "../dom.js";
import { alternativeList } from "../parse/alternatives.js";
import { detailPanel } from "../parse/detail.js";
import { chosenAlternative, edited, editedWords, Redo } from "../parse/edits.js";
import { EXAMPLES } from "../parse/examples.js";
import { propertyList } from "../parse/properties.js";
import { SentenceList } from "../parse/sentences.js";
import { toolbar } from "../parse/toolbar.js";

const BEST = 5; // trees of each sentence to ask for
const LONGEST_FOR_BEST = 20_000; // characters; the best trees of a book would take long
const SYSTEM_FOR_PLANES = { 1: "2-planar", 2: "2-planar", 3: "3-planar" };
const LAYER_NAMES = { syntax: "Syntax", enhanced: "Enhanced", semantics: "Semantics", both: "Both" };

let context;
let parts; // elements, by name
let models = [];
let state = {};
let result = { key: null, sentences: [] }; // what the server made of the input
let shown = { key: null, sentence: null }; // the sentence in view, with its edits
let working = null; // stops the request under way when a newer one starts
const redo = new Redo();

export const view = {
  name: "parse",
  title: "Parse",
  async mount(container, given) {
    context = given;
    parts = build();
    container.append(parts.head, parts.form, parts.problem, parts.list.element, parts.results);
    document.addEventListener("keydown", undoByKey);
    models = await context.models();
    parts.model.replaceChildren(...models.map((model) => el("option", { value: model.name }, model.title || model.name)));
  },
  async show(wanted) {
    state = wanted;
    fillForm();
    if (state.damaged) context.toast("This link is incomplete; part of it could not be read.");
    await refresh();
  },
};

function build() {
  const input = el("textarea", { id: "parse-input", rows: 4, dir: "auto", spellcheck: "false", placeholder: "Type a sentence, or paste text or CoNLL…", oninput: noteKind });
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) parts.form.requestSubmit();
  });
  const model = select([], { id: "parse-model" });
  const again = el("input", { type: "checkbox", id: "parse-again" });
  const againLabel = el("label", { class: "check", hidden: true }, again, "Parse again");
  const kind = el("p", { class: "hint", id: "parse-kind", "aria-live": "polite" });
  const problem = el("div");
  const results = el("div", { class: "results" });
  const box = el("div", { class: "tree-box" });
  const list = new SentenceList((index) => change({ sentence: index + 1, choice: undefined }));
  const examples = el("div", { class: "examples row centred", role: "group", "aria-label": "Examples" }, el("span", { class: "grey small" }, "Try"), EXAMPLES.map((example) => button(example.title, () => openExample(example), { class: "small", title: example.about })));
  const form = el(
    "form",
    { class: "panel parse-form", onsubmit: submit },
    el("label", { class: "field" }, el("span", { class: "field-label" }, "Text or CoNLL"), input),
    kind,
    el("div", { class: "row" }, field("Parser", model), againLabel, el("button", { type: "submit", class: "primary" }, "Parse")),
    examples,
  );
  const head = el("header", { class: "view-head" }, el("h1", {}, "Parse a sentence"), el("p", { class: "lead" }, "See its dependencies as arcs in planes. Arcs in the same plane never cross; arcs that cross another are bold."));
  return { head, form, input, model, again, againLabel, kind, problem, results, box, list };
}

function noteKind() {
  const isConll = looksLikeConll(parts.input.value);
  parts.input.classList.toggle("conll", isConll);
  parts.input.dir = isConll ? "ltr" : "auto"; // columns stay in order
  parts.againLabel.hidden = !isConll;
  parts.model.disabled = isConll && !parts.again.checked;
  parts.again.onchange = noteKind;
  const raw = models.find((model) => model.name === parts.model.value)?.raw_text !== false;
  parts.kind.textContent = isConll ? "CoNLL: its own trees are shown." : raw || !parts.input.value ? "" : "This parser needs tokenized text: words separated by spaces, one sentence per line.";
  if (isConll && parts.again.checked) parts.kind.textContent = "CoNLL: the parser replaces its trees.";
}

function fillForm() {
  const text = state.conllu ?? state.text;
  if (text !== undefined) parts.input.value = text; // else what the reader has typed already stays
  parts.input.scrollTop = 0;
  parts.again.checked = state.again === true;
  parts.model.value = state.model ?? models[0]?.name ?? "";
  noteKind();
}

function submit(event) {
  event.preventDefault();
  const text = parts.input.value;
  if (!text.trim()) {
    parts.input.focus();
    context.announce("Enter some text first.");
    return;
  }
  const isConll = looksLikeConll(text);
  const usesModel = !isConll || parts.again.checked;
  context.navigate("parse", {
    ...(usesModel && parts.model.value ? { model: parts.model.value } : {}), // none while the list is on its way: the server's default
    ...(isConll ? { conllu: text, again: parts.again.checked || undefined } : { text }),
  });
}

async function openExample({ state: example, language }) {
  models = await context.models(); // a quick reader may be here before them
  const model = language && models.find(({ name }) => name === language || name.startsWith(`${language}-`) || name.startsWith(`${language}_`));
  context.navigate("parse", { ...(example.text ? { model: model?.name ?? models[0]?.name } : {}), ...example });
}

/** Brings what is seen to `state`: asks the server for what is not there yet. */
async function refresh() {
  working?.abort();
  working = new AbortController();
  const { signal } = working;
  context.error(parts.problem, null);
  parts.results.setAttribute("aria-busy", "true");
  try {
    await load(signal);
    await loadShown(signal);
    if (!signal.aborted) await render();
  } catch (problem) {
    if (problem.name === "AbortError") return;
    parts.results.replaceChildren();
    setResult(null, []);
    context.error(parts.problem, problem);
  }
  if (!signal.aborted) parts.results.removeAttribute("aria-busy");
}

async function load(signal) {
  const { text, conllu, model, again } = state;
  const key = JSON.stringify([text, conllu, model, again]);
  if (result.key === key) return;
  shown = { key: null, sentence: null };
  if (!text && !conllu) {
    setResult(key, []);
    return;
  }
  const parses = !conllu || again;
  const body = parses ? { model, ...(conllu ? { conllu } : { text }), scores: true, ...(text?.length > LONGEST_FOR_BEST ? {} : { best: BEST }) } : { conllu };
  const answer = await (parses ? context.api.parse(body, { signal }) : context.api.sentences(body, { signal }));
  setResult(key, answer.sentences);
  context.announce(answer.sentences.length === 1 ? "1 sentence" : `${answer.sentences.length} sentences`);
}

function setResult(key, sentences) {
  result = { key, sentences };
  parts.list.start(sentences);
}

/** The sentence in view. The server looks at edited ones again, so properties and drawing agree with the edits. */
async function loadShown(signal) {
  const index = position();
  const original = result.sentences[index];
  const edits = state.edits ?? [];
  const key = JSON.stringify([result.key, index, edits]);
  if (!original || shown.key === key) return;
  const conllu = edited(original, index, edits);
  if (conllu === original.conllu) {
    shown = { key, sentence: original };
    return;
  }
  const { sentences } = await context.api.sentences({ conllu }, { signal });
  for (const word of editedWords(index, edits)) delete sentences[0].tokens[word - 1]?.score; // it was that of another head
  shown = { key, sentence: { ...sentences[0], alternatives: original.alternatives } };
}

function position() {
  return Math.min(Math.max(Number(state.sentence ?? 1) - 1, 0), Math.max(result.sentences.length - 1, 0));
}

function change(more, options) {
  return context.navigate("parse", { ...state, ...more }, options);
}

async function render() {
  const { sentence } = shown;
  if (!sentence) {
    parts.results.replaceChildren();
    if (state.text || state.conllu) parts.results.append(el("p", { class: "empty" }, "No sentences found."));
    return;
  }
  const layer = layerOf(sentence);
  const detail = el("div", { class: "panel", id: "detail", role: "region", "aria-label": "Word or arc" }, el("p", { class: "grey" }, "Select a word or an arc to see its fields and the parser's confidence, or to edit it."));
  let tree = null;
  const title = layer === "syntax" ? "Properties" : "Properties of the tree";
  const properties = hasTree(sentence) && el("div", { class: "panel" }, el("h2", {}, title), propertyList(sentence, (arcs) => tree?.highlight(arcs, "focus")));
  parts.list.show(position());
  replaceResults(
    // The box is the same as before, so that the old drawing stays until the new one is there.
    el("div", { class: "panel flush" }, toolbar(tools(sentence, layer)), sentenceText(sentence), parts.box),
    el("div", { class: "columns" }, el("div", { class: "side" }, properties, alternatives(sentence)), detail),
  );
  tree = await context.drawTree(parts.box, { conllu: sentence.conllu, layer, options: { label: `Tree of: ${sentence.text || ""}` } });
  tree.onSelect((choice) => {
    detail.replaceChildren(detailPanel(sentence, choice, { edit, alternative: choose }));
    state = { ...state, choice: choice.kind === "word" ? [choice.word] : [choice.head, choice.dependent] };
    context.record("parse", state, { replace: true });
    context.announce(detail.querySelector("h2")?.textContent ?? "");
  });
  if (state.choice) reselect(tree, detail, sentence, layer);
}

/** Does the format have trees? SDP has only semantics. */
function hasTree({ layers }) {
  return !layers || layers.includes("syntax");
}

function layerOf({ layers = [] }) {
  const known = layers.includes(state.layer) || (state.layer === "both" && layers.length > 1);
  return known ? state.layer : (layers[0] ?? "syntax");
}

/** Keeps the keyboard where it was: the elements are new, but their ids are not. */
function replaceResults(...elements) {
  const focused = parts.results.contains(document.activeElement) ? document.activeElement.id : "";
  parts.results.replaceChildren(...elements);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function reselect(tree, detail, sentence, layer) {
  const [head, dependent] = state.choice;
  if (dependent === undefined) {
    tree.select({ word: head });
    detail.replaceChildren(detailPanel(sentence, { kind: "word", word: head }, { edit, alternative: choose }));
    return;
  }
  const token = sentence.tokens.find(({ id }) => Number(id) === dependent);
  // After an edit, the arc to the same word. Other layers cannot be edited, and their words can have several heads.
  const now = layer === "syntax" ? Number(token?.head ?? head) : head;
  const label = Number(token?.head) === now ? token?.deprel : "";
  tree.select({ head: now, dependent });
  detail.replaceChildren(detailPanel(sentence, { kind: now ? "arc" : "root", head: now, dependent, label }, { edit, alternative: choose }));
}

function sentenceText(sentence) {
  const text = sentence.text || sentence.tokens.map(({ form }) => form).join(" ");
  const name = sentence.sent_id && !/^(sentence )?\d+$/.test(sentence.sent_id) ? el("span", { class: "grey small" }, ` ${sentence.sent_id}`) : null;
  return el("p", { class: "sentence-text" }, el("bdi", { dir: "auto" }, text), name);
}

function alternatives(sentence) {
  if ((sentence.alternatives?.length ?? 0) < 2) return null;
  return el("div", { class: "panel" }, el("h2", {}, "The parser's best trees"), alternativeList(sentence, chosenAlternative(position(), state.edits ?? []), choose));
}

function tools(sentence, layer) {
  const edits = state.edits ?? [];
  const layers = sentence.layers?.length > 1 ? [...sentence.layers, "both"] : [];
  return {
    sentence,
    number: position() + 1,
    layer,
    layers: layers.map((name) => [name, LAYER_NAMES[name] ?? name]),
    onLayer: (name) => change({ layer: name === "syntax" ? undefined : name, choice: undefined }),
    canUndo: edits.length > 0,
    canRedo: redo.possible(edits),
    showsUndo: edits.length > 0 || redo.possible(edits),
    onUndo: undo,
    onRedo: redoOne,
    allConll: () => result.sentences.map((original, index) => edited(original, index, edits)).join(""),
    onStep: hasTree(sentence) && (() => context.navigate("step", stepState(sentence))),
    onLink: () => context.copyLink("parse", state),
    onError: (problem) => context.toast(problem.message),
  };
}

function stepState(sentence) {
  const parsed = !state.conllu || state.again;
  if (parsed) return { model: state.model ?? models[0]?.name, conllu: sentence.conllu, gold: state.edits ? true : undefined };
  // A given tree may be of any language: what shows it best is the oracle of a system that can build it.
  return { system: SYSTEM_FOR_PLANES[sentence.properties.planarity] ?? "covington", conllu: sentence.conllu };
}

function edit(word, head, label) {
  change({ edits: [...(state.edits ?? []), [position(), word, head, label]], choice: [head, word] });
}

function choose(alternative) {
  change({ edits: [...(state.edits ?? []), [position(), alternative]] });
}

function undo() {
  if (!state.edits?.length) return;
  const edits = redo.undo(state.edits);
  change({ edits: edits.length ? edits : undefined });
  context.announce("Undone");
}

function redoOne() {
  if (!redo.possible(state.edits ?? [])) return;
  change({ edits: redo.redo(state.edits ?? []) });
  context.announce("Redone");
}

function undoByKey(event) {
  const typing = event.target.closest?.("input, textarea, select");
  const inView = parts.results.closest(".view") && !parts.results.closest(".view").hidden;
  if (typing || !inView || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "z" && !event.shiftKey) undo();
  else if (key === "y" || (key === "z" && event.shiftKey)) redoOne();
  else return;
  event.preventDefault();
}
