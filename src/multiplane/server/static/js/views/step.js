// The step view: a derivation, one transition after the other, forwards and backwards, with detours by hand.
import { formatOfText, sentIdOf } from "../columns.js";
import { isForest, looksLikeConll, onlyArcs, splitSentences, withArcs, withEnhancedArcs } from "../conll.js";
import { DUTCH, LATIN } from "../parse/examples.js";
import { button, el, field, plural } from "../dom.js";
import { fileName } from "../download.js";
import { downloadButtons } from "../downloads.js";
import { arcsUpTo, isTaken, newArcsText, tookDetour, visibleArcs } from "../step/derivation.js";
import { ConfigurationPanel } from "../step/configuration.js";
import { LegalPanel } from "../step/legal.js";
import { Player } from "../step/player.js";
import { History } from "../step/history.js";

const EXAMPLES = [
  ["A parser at work", { text: "The committee has a plan which I think is good." }],
  ["An oracle with two stacks", { system: "2-planar", conllu: DUTCH }],
  ["Swaps", { system: "swap", conllu: DUTCH }],
  ["Covington's two lists", { system: "covington", conllu: LATIN }],
];
const RECORD_AFTER = 400; // milliseconds without a step until the address follows

let context;
let parts;
let models = [];
let systems = [];
let state = {};
let loaded = { key: null, derivation: null };
let tree = null;
let working = null;
let recording = null;
let at = 0; // the step in view
const detours = []; // states to go back to
const player = new Player({ show: goTo, onPlaying: showPlaying });

export const view = {
  name: "step",
  title: "Step",
  async mount(container, given) {
    context = given;
    parts = build();
    container.append(parts.head, parts.form, parts.problem, parts.work);
    document.addEventListener("keydown", byKey);
    [models, systems] = await Promise.all([context.models(), context.api.systems()]);
    parts.follow.replaceChildren(
      el("optgroup", { label: "A parser" }, models.map(({ name, title }) => el("option", { value: `model:${name}` }, title || name))),
      el("optgroup", { label: "A system's oracle, for the given tree" }, systems.map(({ name }) => el("option", { value: `system:${name}` }, name))),
    );
  },
  async show(wanted) {
    clearTimeout(recording); // it would record the step of the state before
    state = wanted;
    fillForm();
    await refresh();
  },
  hide() {
    player.stop();
  },
};

function build() {
  const input = el("textarea", { id: "step-input", rows: 2, dir: "auto", spellcheck: "false", placeholder: "A sentence, or its tree in CoNLL…", oninput: noteKind });
  const follow = el("select", { id: "step-follow" });
  const gold = el("input", { type: "checkbox", id: "step-gold" });
  const goldLabel = el("label", { class: "check", hidden: true }, gold, "Compare with this tree");
  const form = el(
    "form",
    { class: "panel parse-form step-form", onsubmit: submit },
    el("label", { class: "field" }, el("span", { class: "field-label" }, "Sentence"), input),
    el("div", { class: "row" }, field("Follow", follow), goldLabel, el("button", { type: "submit", class: "primary" }, "Derive")),
    el("div", { class: "examples row centred", role: "group", "aria-label": "Examples" }, el("span", { class: "grey small" }, "Try"), EXAMPLES.map(([title, example]) => button(title, () => openExample(example), { class: "small" }))),
  );
  const configuration = new ConfigurationPanel();
  const legal = new LegalPanel(chooseByHand);
  const history = new History((step) => player.go(step));
  const box = el("div", { class: "tree-box" });
  const controls = buildControls();
  const note = el("div", { class: "detour", hidden: true });
  const remarks = el("p", { class: "hint remarks" });
  const files = el("div", { class: "row centred bar files-below" });
  const work = el(
    "div",
    { class: "results", hidden: true },
    el("div", { class: "panel flush step-panel" }, controls.bar, controls.caption, note, remarks, box, files),
    el("div", { class: "columns step-columns" }, configuration.element, legal.element, history.element),
  );
  const head = el("header", { class: "view-head" }, el("h1", {}, "Step through a derivation"), el("p", { class: "lead" }, "Watch the parser build the tree, one transition at a time. Choose another transition at any point, and it continues from there."));
  return { head, form, input, follow, gold, goldLabel, problem: el("div"), work, box, note, remarks, files, configuration, legal, history, ...controls };
}

function buildControls() {
  const slider = el("input", { type: "range", id: "step-slider", min: 0, max: 0, value: 0, "aria-label": "Step", oninput: () => player.go(Number(slider.value)) });
  const count = el("output", { id: "step-count", for: "step-slider" });
  const play = button("▶ Play", () => player.toggle(), { id: "step-play", class: "small", title: "Space" });
  const speed = el("select", { "aria-label": "Steps per second", id: "step-speed", onchange: () => player.setRate(Number(speed.value)) }, [1, 2, 5, 10, 30].map((rate) => el("option", { value: rate }, `${rate} / s`)));
  speed.value = "2";
  const bar = el(
    "div",
    { class: "bar controls", role: "group", "aria-label": "Steps" },
    el("div", { class: "segments" }, button("⇤", () => player.go(0), { class: "small", "aria-label": "First step", title: "Home" }), button("←", () => player.go(at - 1), { class: "small", "aria-label": "Step back", title: "←", id: "step-back" }), button("→", () => player.go(at + 1), { class: "small", "aria-label": "Step forward", title: "→", id: "step-forward" }), button("⇥", () => player.go(Infinity), { class: "small", "aria-label": "Last step", title: "End" })),
    play,
    speed,
    slider,
    count,
    button("Copy link", () => context.copyLink("step", { ...state, step: at || undefined }), { class: "small", id: "step-link" }),
  );
  const caption = el("p", { class: "caption", id: "step-caption" });
  return { bar, slider, count, play, speed, caption };
}

function noteKind() {
  const isConll = looksLikeConll(parts.input.value);
  parts.input.classList.toggle("conll", isConll);
  parts.input.dir = isConll ? "ltr" : "auto"; // columns stay in order
  parts.goldLabel.hidden = !isConll || !parts.follow.value.startsWith("model:");
  parts.follow.onchange = noteKind;
}

function fillForm() {
  const text = state.conllu ?? state.text;
  if (text !== undefined) parts.input.value = text; // else what the reader has typed already stays
  parts.input.scrollTop = 0;
  parts.follow.value = state.system ? `system:${state.system}` : `model:${state.model ?? models[0]?.name}`;
  parts.gold.checked = state.gold === true;
  noteKind();
}

function submit(event) {
  event.preventDefault();
  const text = parts.input.value;
  if (!text.trim()) {
    parts.input.focus();
    context.announce("Enter a sentence first.");
    return;
  }
  const [kind, name] = parts.follow.value.split(/:(.*)/s);
  const isConll = looksLikeConll(text);
  const gold = isConll && kind === "model" && parts.gold.checked;
  detours.length = 0;
  context.navigate("step", { [kind]: name, ...(isConll ? { conllu: text } : { text }), ...(gold ? { gold } : {}) });
}

function openExample(example) {
  detours.length = 0;
  context.navigate("step", example);
}

async function refresh() {
  working?.abort();
  working = new AbortController();
  const { signal } = working;
  player.stop();
  context.error(parts.problem, null);
  if (!state.text && !state.conllu) {
    parts.work.hidden = true;
    return;
  }
  parts.work.setAttribute("aria-busy", "true");
  try {
    await load(signal);
    player.go(Number(state.step) || 0);
    if (!tree) await draw(signal);
  } catch (problem) {
    if (problem.name === "AbortError") return;
    parts.work.hidden = true;
    loaded = { key: null, derivation: null };
    context.error(parts.problem, problem);
  }
  if (!signal.aborted) parts.work.removeAttribute("aria-busy");
}

async function load(signal) {
  const { model, system, prefix, gold, sentence = 1 } = state;
  const key = JSON.stringify([state.text, state.conllu, model, system, prefix, gold, sentence]);
  if (loaded.key === key) return;
  loaded = { key: null, derivation: null }; // nothing can be done with the old one meanwhile
  tree = null;
  const conllu = await sentenceOf(state, signal);
  const body = { conllu, ...(system ? { system } : { model }), ...(prefix ? { transitions: prefix } : {}), ...(gold || system ? { gold: true } : {}) };
  const derivation = await context.api.derivation(body, { signal });
  loaded = { key, derivation, drawn: drawnArcs(conllu, derivation) };
  player.setLength(derivation.steps.length);
  parts.work.hidden = false;
  parts.slider.max = derivation.steps.length - 1;
  parts.configuration.start(derivation);
  parts.legal.start(derivation);
  parts.history.start(derivation);
  showDetour(derivation);
  parts.files.replaceChildren(downloadButtons({ name: () => `${fileName({ sent_id: sentIdOf(conllu, formatOfText(conllu)) }, sentence)}-step-${at}`, drawing: drawingNow, conll: () => drawingNow().conllu, id: "step-download", onError: (problem) => context.toast(problem.message) }));
}

/** What to draw: the arcs at the end. They are drawn once; steps only show and hide them. */
function drawnArcs(conllu, { arcs, undirected }) {
  if (undirected) return { conllu }; // edges have no head; those of the tree stand for them
  if (isForest(arcs) || formatOfText(conllu) !== "conllu") return { conllu: withArcs(conllu, arcs) };
  return { conllu: withEnhancedArcs(conllu, arcs), layer: "enhanced" };
}

/** The drawing in view, with the arcs so far. */
function drawingNow() {
  const { derivation, drawn } = loaded;
  const known = new Set(visibleArcs(arcsUpTo(derivation, at)).map(String));
  if (drawn.layer) return { ...drawn, conllu: withEnhancedArcs(drawn.conllu, arcsUpTo(derivation, at)) };
  return { conllu: onlyArcs(drawn.conllu, (head, dependent) => known.has(String([head, dependent]))) };
}

async function draw(signal) {
  const drawn = await context.drawTree(parts.box, { ...loaded.drawn, options: { keys: false, label: "The arcs so far" } });
  if (signal.aborted) return;
  tree = drawn;
  showArcs();
}

function showArcs() {
  const { derivation } = loaded;
  tree?.setVisible(visibleArcs(arcsUpTo(derivation, at)));
  tree?.highlight(visibleArcs(derivation.steps[at].new_arcs), "focus");
  tree?.reveal(placeOf(derivation, at));
}

/** The one sentence to derive, in CoNLL; a text is parsed first, for its words and, for an oracle, its tree. */
async function sentenceOf({ conllu, text, model, sentence = 1 }, signal) {
  const found = conllu ? splitSentences(conllu) : (await context.api.parse({ model, text }, { signal })).sentences.map((item) => item.conllu);
  if (!found.length) throw new Error("No sentence found.");
  return found[Math.min(Math.max(Number(sentence) - 1, 0), found.length - 1)];
}

function goTo(step) {
  const { derivation } = loaded;
  if (!derivation) return;
  at = step;
  const { steps } = derivation;
  const now = steps[step];
  parts.slider.value = step;
  parts.count.textContent = `${step} / ${steps.length - 1}`;
  parts.caption.replaceChildren(...caption(derivation, step));
  parts.configuration.show(now);
  parts.legal.show(derivation, step);
  parts.history.show(step);
  showArcs();
  if (!player.playing) context.announce(spoken(derivation, step));
  rememberStep();
}

function caption(derivation, step) {
  const { transition, new_arcs: arcs } = derivation.steps[step];
  if (step === 0) return [el("b", {}, "Start"), " All words are in the buffer."];
  return [el("b", { class: "transition" }, transition), " ", el("bdi", {}, newArcsText(derivation, arcs))];
}

function spoken(derivation, step) {
  const { transition, new_arcs: arcs } = derivation.steps[step];
  return step === 0 ? "Start" : `${step}: ${transition}. ${newArcsText(derivation, arcs)}`;
}

/** Where the parser is: at the next word of the buffer, or at the end. */
function placeOf({ steps, n }, step) {
  return steps[step].buffer[0] || n;
}

function rememberStep() {
  clearTimeout(recording);
  recording = setTimeout(() => {
    if (parts.work.closest(".view").hidden) return;
    state = { ...state, step: at || undefined };
    context.record("step", state, { replace: true });
  }, RECORD_AFTER);
}

function showPlaying(playing) {
  parts.play.textContent = playing ? "⏸ Pause" : "▶ Play";
}

/** Goes on from the step in view with another transition than the parser's. */
function chooseByHand(transition) {
  if (!loaded.derivation) return;
  const { steps } = loaded.derivation;
  if (isTaken({ transition }, steps[at + 1]?.transition)) {
    player.go(at + 1);
    return;
  }
  detours.push({ ...state, step: at || undefined });
  const prefix = [...steps.slice(1, at + 1).map((step) => step.transition), transition];
  context.navigate("step", { ...state, prefix, step: at + 1 });
}

function showDetour(derivation) {
  const detour = tookDetour(derivation);
  parts.remarks.textContent = (derivation.notes ?? []).map((note) => `${note[0].toUpperCase()}${note.slice(1)}.`).join(" ");
  parts.note.hidden = !state.prefix;
  if (!state.prefix) return;
  const text = detour ? `${plural(detour.length, "transition")} chosen by hand, first at step ${detour[0]}.` : state.system ? "The transitions that you chose cost nothing." : "The parser would have chosen the same.";
  const own = state.system ? "Back to the oracle's own choices" : "Back to the parser's own choices";
  parts.note.replaceChildren(el("span", {}, text), button("Undo", undoDetour, { class: "small", id: "step-undo", title: "Ctrl+Z" }), button(own, dropDetours, { class: "small", id: "step-own" }));
}

function undoDetour() {
  if (!state.prefix) return;
  const before = detours.pop() ?? { ...state, prefix: undefined, step: state.prefix.length - 1 };
  context.navigate("step", before);
}

function dropDetours() {
  const first = tookDetour(loaded.derivation)?.[0] ?? 1;
  detours.length = 0;
  context.navigate("step", { ...state, prefix: undefined, step: first - 1 });
}

function byKey(event) {
  if (parts.work.hidden || parts.work.closest(".view").hidden || event.altKey) return;
  const typing = event.target.closest?.("input, textarea, select");
  if (typing) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") undoDetour();
  else if (event.ctrlKey || event.metaKey) return;
  else if (event.key === "ArrowRight") player.go(at + 1);
  else if (event.key === "ArrowLeft") player.go(at - 1);
  else if (event.key === "Home") player.go(0);
  else if (event.key === "End") player.go(Infinity);
  else if (event.key === " " && !event.target.closest?.("button, a, summary")) player.toggle();
  else return;
  event.preventDefault();
}
