// Treebank: open a file, filter its sentences, and see why each is hard.

import { isNarrow, onWidthChange } from "../chart.js";
import { button, el, plural, word } from "../dom.js";
import { downloadText } from "../download.js";
import { acceptDrops, formatOf, readBytes } from "../files.js";
import { VirtualList } from "../list.js";
import { Controls, planesText } from "../treebank/controls.js";
import { EVERYTHING, fromState, looksAtText, matchColumns, toState } from "../treebank/filter.js";
import { Treebank } from "../treebank/index.js";
import { charts, problemList } from "../treebank/overview.js";
import { SentencePanel } from "../treebank/panel.js";
import { Searcher } from "../treebank/searcher.js";

const SAMPLE = "sample.conllu";
const ROW_HEIGHT = 62;
const FORMATS = { conllu: "CoNLL-U", conllx: "CoNLL-X", conll08: "CoNLL-2008", conll09: "CoNLL-2009", sdp: "SDP" };

let context;
let parts;
let list;
let controls;
let panel;
let treebank = null;
let searcher = null;
let filter = EVERYTHING;
let opening = null; // what stops the file that is being opened
let awaited = null; // the state of a link about a file that has to be opened again

export const view = {
  name: "treebank",
  title: "Treebank",

  mount(container, given) {
    context = given;
    controls = new Controls((changed) => apply(changed));
    list = new VirtualList({ label: "Sentences", rowHeight: ROW_HEIGHT, fill: fillRow, select: choose });
    panel = new SentencePanel(context, (by) => list.choose(list.place + by), () => context.copyLink("treebank", stateOf()));
    parts = build(container);
    acceptDrops(container, (file) => open(file));
    list.listenIn(container);
    onWidthChange(drawCharts);
  },

  async show(state) {
    if (state.sample && !treebank?.isSample) await load(async (signal) => new File([await context.api.sample({ signal })], SAMPLE), true);
    else if (state.file && (treebank?.isSample || state.file !== treebank?.name)) {
      awaited = state;
      say(`This link is about ${state.file}. Files stay in your browser: open it here to see the same sentences.`);
      return;
    }
    if (state.sample || state.file) awaited = null;
    if (!treebank) return;
    filter = fromState(state);
    controls.filter = filter;
    const row = Number.isInteger(state.row) ? state.row : null;
    find(() => {
      if (row !== null && row !== list.selectedRow) list.chooseRow(row);
    });
  },

  hide() {
    searcher?.stop();
  },
};

function build(container) {
  const input = el("input", { type: "file", class: "only-spoken", id: "treebank-file", tabindex: -1, "aria-hidden": "true", onchange: () => input.files[0] && open(input.files[0]) });
  const elements = {
    status: el("p", { class: "small", role: "status" }),
    problem: el("div"),
    count: el("p", { class: "count", role: "status" }),
    progress: el("progress", { max: 1, hidden: true, "aria-label": "Search" }),
    save: button("Save these", saveHits, { class: "small" }),
    charts: el("div", { class: "charts" }),
    problems: el("div"),
    opened: null,
  };
  elements.opened = el("div", { class: "treebank", hidden: true },
    elements.problems,
    el("div", { class: "browser" },
      el("div", { class: "browser-side" },
        el("details", { class: "panel", open: !isNarrow() }, el("summary", {}, "Filters"), controls.element),
        el("div", { class: "panel flush hits" },
          el("div", { class: "hits-head" }, elements.count, elements.save, elements.progress), list.element),
      ),
      el("div", { class: "browser-main" },
        panel.element,
        el("details", { class: "panel coverage", open: true }, el("summary", {}, "Coverage"), elements.charts)),
    ),
  );
  container.append(
    el("header", { class: "view-head" },
      el("h1", {}, "Treebank"),
      el("p", { class: "lead" }, "Find the sentences that are not projective, not planar or need many planes, and see why."),
    ),
    el("div", { class: "panel drop" },
      el("div", { class: "row centred" },
        button("Open a file", () => input.click(), { class: "primary" }),
        button("Sample treebank", () => context.navigate("treebank", { sample: true })),
        el("span", { class: "hint" }, "Or drop a file here: CoNLL-U, CoNLL-X, CoNLL-2008, CoNLL-2009; also as .gz."),
        input,
      ),
      elements.status, elements.problem,
    ),
    elements.opened,
  );
  return elements;
}

/** Opens a file of the user's, and shows all of it, or what a link wants to show of it. */
async function open(file) {
  const wanted = awaited?.file === file.name ? awaited : null;
  if (!(await load(async () => file, false))) return;
  awaited = null;
  if (wanted) await context.navigate("treebank", wanted, { replace: true });
  else await context.record("treebank", origin());
}

/** Reads a file and has it analysed; the file that was open stays if this fails. Returns whether it went well. */
async function load(get, isSample) {
  opening?.abort();
  const { signal } = (opening = new AbortController());
  context.error(parts.problem, null);
  try {
    const file = await get(signal);
    say(`Reading ${file.name} …`);
    const bytes = await readBytes(file);
    say(`Analysing ${file.name} …`);
    const answer = await context.api.treebank(bytes, { format: formatOf(file.name), signal });
    if (signal.aborted) return false;
    take(new Treebank(file.name, bytes, answer, isSample));
    return true;
  } catch (problem) {
    if (!signal.aborted) {
      say("");
      context.error(parts.problem, problem);
    }
    return false;
  }
}

function take(opened) {
  searcher?.close();
  treebank = opened;
  searcher = new Searcher(treebank);
  filter = EVERYTHING;
  controls.offer(treebank);
  controls.filter = filter;
  panel.hide();
  parts.opened.hidden = false;
  const facts = [FORMATS[treebank.format] ?? treebank.format, plural(treebank.size, "sentence"), plural(treebank.wordCount, "word")];
  parts.status.replaceChildren(el("strong", {}, word(treebank.name)), `: ${facts.join(", ")}`);
  parts.problems.replaceChildren(...[problemList(treebank)].filter(Boolean));
  drawCharts();
  list.setRows([]);
  list.element.scrollTop = 0;
  find();
}

function drawCharts() {
  if (treebank) parts.charts.replaceChildren(...(treebank.size ? charts(treebank) : [el("p", {}, "There are no sentences to count.")]));
}

function say(text) {
  parts.status.textContent = text;
}

/** Takes over a filter from the form. */
function apply(changed) {
  filter = changed;
  record();
  find();
}

/** Returns what the address says of the file. */
function origin() {
  return treebank.isSample ? { sample: true } : { file: treebank.name };
}

function stateOf() {
  const row = list.selectedRow;
  return { ...origin(), ...toState(filter), ...(row === null ? {} : { row }) };
}

function record() {
  context.record("treebank", stateOf(), { replace: true });
}

/** Finds the sentences that meet the filter; conditions on text take a moment, and show what they have found so far. */
function find(then = () => {}) {
  searcher.stop();
  context.error(parts.problem, null);
  const rows = matchColumns(treebank, filter);
  if (!looksAtText(filter)) {
    showHits(rows, 1);
    then();
    return;
  }
  const { word: form, label, name } = filter;
  searcher.search(rows, { word: form, label, name }, (found, share, done) => {
    showHits(found, share);
    if (done) then();
  }, (problem) => context.error(parts.problem, problem));
}

function showHits(rows, share) {
  list.setRows(rows);
  const done = share === 1;
  parts.progress.hidden = done;
  parts.progress.value = share;
  const found = rows.length.toLocaleString("en");
  parts.count.textContent = done ? `${found} of ${plural(treebank.size, "sentence")}` : `${found} found so far`;
  parts.save.disabled = !done || rows.length === 0;
  panel.setPlace(list.place, list.size);
}

function fillRow(option, row) {
  const { name, text } = treebank.summary(row);
  option.append(
    el("span", { class: "row-head" },
      el("bdi", { class: "row-name" }, name),
      el("span", { class: "grey" }, plural(treebank.words[row], "word")),
      el("span", { class: "row-flags" }, kindOf(row)),
    ),
    el("span", { class: "row-text", dir: "auto" }, text),
  );
}

/** Returns how hard a sentence is, in a few words; nothing if it is projective. */
function kindOf(row) {
  if (treebank.has(row, "not-a-tree")) return "not a tree";
  if (!treebank.has(row, "non-projective")) return "";
  const k = treebank.planarity[row];
  const planes = k === 1 ? "planar, not projective" : `${planesText(k)} planes`;
  return treebank.has(row, "ill-nested") ? `${planes}, ill-nested` : planes;
}

function choose(row, place) {
  panel.setPlace(place, list.size);
  panel.show(treebank.summary(row), treebank.text(row), treebank.format);
  record();
}

function saveHits() {
  const chosen = list.rows;
  const [, base, suffix] = /^(.*?)(\.[^.]*)?$/.exec(treebank.name.replace(/\.gz$/i, ""));
  downloadText(treebank.parts(chosen), `${base}-filtered${suffix ?? ".conllu"}`);
  context.toast(`Saved ${plural(chosen.length, "sentence")}.`);
}
