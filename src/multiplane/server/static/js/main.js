/*
 * The shell of the page: tabs, the address, and what every view can use.
 *
 * A view is a module in views/ that exports
 *
 *   export const view = {
 *     name,                       // as in VIEWS below; the address of the view is #name?state
 *     title,                      // what the tab and the window say
 *     mount(container, context),  // once, at the first visit: build the elements
 *     show(state),                // whenever the address asks for a state, {} at first; may be async; errors are shown in place
 *     hide?(),                    // when the reader goes to another view: stop playing, and so on
 *   };
 *
 * A state is a flat object: strings, numbers, booleans, and arrays of these. It must be enough to reproduce what is seen,
 * because links are made of it; long strings are compressed in the address. Leave out what has its default value.
 *
 * `context` offers
 *
 *   api                                     the server: see api.js; every call returns a promise and throws ApiError
 *   models()                                a promise of the list of models, asked for once
 *   navigate(viewName, state, {replace})    go to a view and state: new address, then its show(state); use it for all changes
 *   record(viewName, state, {replace})      the new address only, without show: what is seen has this state already
 *   link(viewName, state)                   a promise of the whole address, for an <a href>
 *   copyLink(viewName, state)               puts it into the clipboard, and says so
 *   drawTree(container, {conllu, sentence, layer, options})
 *                                           a promise of a drawing in `container`, in place of what was there; see tree.js:
 *        onSelect(callback)                 callback({kind: "arc" | "word" | "root", head, dependent, label, word, plane})
 *        highlight(arcs, kind)              arcs: [[head, dependent], …]; kind: "crossing" | "wrong" | "right" | "focus"; [] removes
 *        setVisible(arcs)                   show only these arcs, where head 0 is the root; null shows all
 *        reveal(position)                   scroll sideways until the word is in view
 *        select(choice)                     mark an arc {head, dependent, label} or a word {word}; null removes the mark
 *      `sentence` counts from 0; `layer` is "syntax" | "enhanced" | "semantics" | "both"; options: {keys: false} leaves the
 *      arrow keys to the view, {label} names the drawing for screen readers.
 *   announce(text)                          says it to screen readers
 *   toast(text)                             says it to all, for a few seconds
 *   error(container, error)                 shows what went wrong in `container`, which it empties first; null removes it
 */
import { api } from "./api.js";
import { el } from "./dom.js";
import { announce, error, toast } from "./notices.js";
import { decode, encode } from "./state.js";
import { startTheme } from "./theme.js";
import { drawTree } from "./tree.js";

const VIEWS = [
  ["parse", "Parse"],
  ["step", "Step"],
  ["treebank", "Treebank"],
  ["compare", "Compare"],
  ["systems", "Systems"],
];
const content = document.getElementById("content");
const tabs = new Map();
const mounted = new Map();
let current = null;
let modelList = null;
let opened = 0; // counts openings, so that one that had to wait notices a newer one
// States are compressed asynchronously; one queue keeps the addresses in the order in which they were asked for.
let writing = Promise.resolve();

const context = { api, models, navigate, record, link, copyLink, drawTree, announce, toast, error };

function models() {
  modelList ??= api.models().catch((problem) => {
    modelList = null; // so that the next call asks again
    throw problem;
  });
  return modelList;
}

function record(name, state, { replace = false } = {}) {
  writing = writing.then(async () => {
    const { hash, complete } = await encode(name, state);
    const kept = complete ? null : { state };
    if (replace || (complete && hash === location.hash)) history.replaceState(kept, "", hash);
    else history.pushState(kept, "", hash);
    tabs.get(name).href = hash;
  });
  return writing;
}

async function navigate(name, state = {}, options = {}) {
  await record(name, state, options);
  await open(name, state);
}

async function link(name, state) {
  const { hash, complete } = await encode(name, state);
  if (!complete) throw new Error("This is too long for a link. Download the CoNLL-U file instead.");
  return new URL(hash, location.href).href;
}

async function copyLink(name, state) {
  try {
    const address = await link(name, state);
    // Browsers offer the clipboard only to pages from this machine or over HTTPS.
    if (!navigator.clipboard) throw new Error("Copy the address of this page from your browser; it shows exactly this view.");
    await navigator.clipboard.writeText(address);
    toast("Link copied. It shows exactly this view.");
  } catch (problem) {
    toast(problem.message);
  }
}

async function open(name, state) {
  const number = ++opened;
  const changes = current !== name;
  if (changes && current) mounted.get(current)?.view?.hide?.();
  current = name;
  for (const [tab, anchor] of tabs) {
    if (tab === name) anchor.setAttribute("aria-current", "page");
    else anchor.removeAttribute("aria-current");
  }
  const entry = mountedView(name);
  for (const [other, { section }] of mounted) section.hidden = other !== name;
  document.title = `${titleOf(name)} · multiplane`;
  if (changes) announce(`${titleOf(name)} view`);
  try {
    await entry.loading;
    if (number !== opened) return;
    error(entry.problem, null);
    await entry.view.show(state);
  } catch (problem) {
    error(entry.problem, problem);
  }
}

function mountedView(name) {
  if (mounted.has(name)) return mounted.get(name);
  const problem = el("div");
  const body = el("div", { class: "view-body" });
  const section = el("section", { id: `view-${name}`, "aria-label": titleOf(name), class: "view" }, problem, body);
  content.append(section);
  const entry = { section, problem, view: null, loading: null };
  entry.loading = import(`./views/${name}.js`).then((module) => {
    entry.view = module.view;
    return entry.view.mount(body, context);
  });
  mounted.set(name, entry);
  return entry;
}

function titleOf(name) {
  return VIEWS.find(([view]) => view === name)[1];
}

async function openAddress() {
  const { name, state } = await decode(location.hash);
  const known = VIEWS.some(([view]) => view === name);
  await open(known ? name : "parse", history.state?.state ?? (known ? state : {}));
}

function start() {
  for (const [name, title] of VIEWS) {
    const anchor = el("a", { href: `#${name}` }, title);
    tabs.set(name, anchor);
    document.getElementById("tabs").append(anchor);
  }
  // The skip link must not change the address, which holds the state.
  document.getElementById("skip").addEventListener("click", (event) => {
    event.preventDefault();
    content.focus();
  });
  startTheme(document.getElementById("theme"));
  window.addEventListener("popstate", openAddress);
  openAddress();
}

start();
