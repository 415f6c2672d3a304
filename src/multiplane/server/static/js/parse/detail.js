// The panel about a chosen word or arc: its fields, the parser's confidence, other readings, and a form to edit it.
import { button, el, field, select, word } from "../dom.js";

const FIELDS = [
  ["lemma", "Lemma"],
  ["upos", "Part of speech"],
  ["xpos", "XPOS tag"],
  ["feats", "Features"],
  ["misc", "Misc"],
];

/** `choice` is what drawTree's onSelect gives; `actions`: edit(word, head, label) and alternative(index). */
export function detailPanel(sentence, choice, actions) {
  const position = choice.kind === "word" ? choice.word : choice.dependent;
  const token = tokenAt(sentence, position);
  if (!token) return el("p", { class: "grey" }, "This word is not in the tree.");
  return el(
    "div",
    { class: "detail" },
    choice.kind === "word" ? el("h2", {}, word(token.form), el("span", { class: "grey" }, ` ${token.id}`)) : arcTitle(sentence, choice),
    choice.kind === "word" ? null : crossingNote(sentence, choice),
    facts(sentence, token),
    otherHeads(sentence, token, actions),
    sentence.layers?.includes("syntax") === false ? null : editor(sentence, token, actions),
  );
}

export function tokenAt(sentence, position) {
  return sentence.tokens.find((token) => Number(token.id) === position);
}

function formAt(sentence, position) {
  return position === 0 ? "root" : (tokenAt(sentence, position)?.form ?? emptyNode(sentence, position) ?? String(position));
}

/** The form of an empty node, such as 8.1. */
function emptyNode({ conllu }, position) {
  return conllu.split("\n").find((line) => line.startsWith(`${position}\t`) && String(position).includes("."))?.split("\t")[1];
}

function arcTitle(sentence, { head, dependent, label }) {
  return el("h2", {}, label || "arc", el("span", { class: "grey" }, ": "), word(formAt(sentence, head)), " → ", word(formAt(sentence, dependent)));
}

/** Arcs between words that share no end cross if exactly one end of one lies between the ends of the other. */
export function crossingWith(sentence, [head, dependent]) {
  const [left, right] = [Math.min(head, dependent), Math.max(head, dependent)];
  const inside = (position) => left < position && position < right;
  const outside = (position) => position < left || position > right;
  return sentence.tokens
    .map((token) => [Number(token.head), Number(token.id), token.deprel])
    .filter(([h, d]) => h > 0 && head > 0 && ((inside(h) && outside(d)) || (inside(d) && outside(h))));
}

function crossingNote(sentence, { head, dependent }) {
  if (Number(tokenAt(sentence, dependent)?.head) !== head) return null; // an arc of another layer
  const crossing = crossingWith(sentence, [head, dependent]);
  if (!crossing.length) return null;
  const names = crossing.flatMap(([h, d, label], index) => [index ? "; " : "", el("b", {}, label), " (", word(formAt(sentence, h)), " → ", word(formAt(sentence, d)), ")"]);
  return el("p", {}, "Crosses ", names, ".");
}

function facts(sentence, token) {
  const rows = FIELDS.map(([key, title]) => [title, listed(token[key], key)]).filter(([, values]) => values.length).map(([title, values]) => fact(title, chips(values)));
  const head = Number(token.head);
  if (token.head !== null && token.head !== undefined) {
    const to = head === 0 ? "the root of the sentence" : word(formAt(sentence, head));
    rows.push(fact("Head", [to, head ? ` (${head})` : ""]), fact("Relation", token.deprel ?? "_"));
  }
  if (typeof token.score === "number") rows.push(fact("Confidence", confidence(token.score)));
  rows.push(...otherLayers(sentence, token));
  return el("dl", { class: "facts" }, rows.flat());
}

function fact(title, content) {
  return [el("dt", {}, title), el("dd", {}, content)];
}

/** What enhanced dependencies and semantics say of a word. */
function otherLayers(sentence, { deps, predicate, roles = [] }) {
  const of = (head) => (head === "0" ? " of the sentence" : [" of ", word(formAt(sentence, Number(head))), ` (${head})`]);
  const listed = (pairs) => pairs.map(([head, label]) => el("div", {}, el("bdi", {}, label), of(String(head))));
  const enhanced = (deps ?? "").split("|").filter(Boolean).map((part) => part.split(/:(.*)/s));
  return [
    enhanced.length ? fact("Enhanced", listed(enhanced)) : [],
    predicate ? fact("Predicate", predicate === "_" ? "yes, without a sense" : el("bdi", {}, predicate)) : [],
    roles.length ? fact(roles.length === 1 ? "Role" : "Roles", listed(roles)) : [],
  ].filter((row) => row.length);
}

/** The values of a field; the score in MISC is shown as confidence. */
function listed(value, key) {
  if (!value || value === "_") return [];
  const several = key === "feats" || key === "misc";
  return several ? value.split("|").filter((part) => !part.startsWith("Score=")) : [value];
}

function chips(values) {
  return values.length === 1 ? el("bdi", {}, values[0]) : values.flatMap((value) => [el("span", { class: "tag" }, value), " "]);
}

function confidence(score) {
  const percent = Math.round(score * 1000) / 10;
  const meter = el("meter", { min: 0, max: 1, low: 0.5, high: 0.8, optimum: 1, value: score, "aria-label": "Confidence" });
  return el("span", { class: "unbroken" }, meter, ` ${percent} %`);
}

/** Heads and labels that the parser's other trees give this word. */
function otherHeads(sentence, token, actions) {
  const index = sentence.tokens.filter((other) => /^\d+$/.test(String(other.id))).indexOf(token);
  const seen = new Set([`${token.head} ${token.deprel}`]);
  const others = [];
  (sentence.alternatives ?? []).forEach(({ heads, deprels }, number) => {
    const key = `${heads[index]} ${deprels[index]}`;
    if (seen.has(key)) return;
    seen.add(key);
    others.push([heads[index], deprels[index], number]);
  });
  if (!others.length) return null;
  const items = others.map(([head, label, number]) =>
    el("li", {}, button([el("b", {}, label), " from ", word(formAt(sentence, head)), el("span", { class: "grey" }, ` (tree ${number + 1})`)].flat(), () => actions.alternative(number), { class: "small" })),
  );
  return el("div", {}, el("h3", {}, "Alternatives in the parser's other trees"), el("ul", { class: "plain-list" }, items));
}

function editor(sentence, token, actions) {
  const words = sentence.tokens.filter((other) => /^\d+$/.test(String(other.id)));
  const heads = [["0", "0 root"], ...words.filter((other) => other !== token).map((other) => [String(other.id), `${other.id} ${other.form}`])];
  const head = select(heads, { name: "head" });
  head.value = String(token.head ?? 0);
  const labels = [...new Set(words.map((other) => other.deprel))].filter(Boolean).sort();
  const label = el("input", { type: "text", name: "deprel", value: token.deprel ?? "", list: "labels-here", autocomplete: "off", spellcheck: "false", pattern: "\\S+", required: true });
  const apply = (event) => {
    event.preventDefault();
    actions.edit(Number(token.id), Number(head.value), label.value.trim());
  };
  return el(
    "form",
    { class: "editor", onsubmit: apply, "aria-label": `Edit ${token.form}` },
    el("h3", {}, "Edit"),
    el("div", { class: "row" }, field("Head", head), field("Relation", label), el("button", { type: "submit" }, "Apply")),
    el("datalist", { id: "labels-here" }, labels.map((item) => el("option", { value: item }))),
  );
}
