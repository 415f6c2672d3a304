// What the page itself needs to know of CoNLL text; everything else is the server's business.

const WORD_LINE = /^\d+\t[^\t\n]*(\t[^\t\n]*){5,}$/m;

/** Is this CoNLL rather than running text? A line with a number and at least seven columns says so. */
export function looksLikeConll(text) {
  return WORD_LINE.test(text.slice(0, 20_000).replaceAll("\r", ""));
}

/** CoNLL text of one sentence with another head and label of one word. */
export function withHead(conll, word, head, deprel) {
  return editLines(conll, (columns, place) => (columns[0] === String(word) ? attached(columns, place, head, deprel) : columns));
}

/** CoNLL text of one sentence with exactly these arcs [head, dependent, label]; a word without one depends on the root. */
export function withArcs(conll, arcs) {
  const headOf = new Map(arcs.map(([head, dependent, label]) => [String(dependent), [head, label]]));
  return editLines(conll, (columns, place) => {
    if (!/^\d+$/.test(columns[0])) return columns;
    return attached(columns, place, ...(headOf.get(columns[0]) ?? [0, "root"]));
  });
}

/** CoNLL-U text of one sentence with these arcs in DEPS, where a word may have several heads and arcs may form cycles. */
export function withEnhancedArcs(conll, arcs) {
  const depsOf = (word) => arcs.filter(([, dependent]) => String(dependent) === word).sort(([one], [other]) => one - other).map(([head, , label]) => `${head}:${label || "_"}`).join("|");
  return editLines(conll, (columns) => (/^\d+$/.test(columns[0]) ? columns.with(8, depsOf(columns[0]) || "_") : columns));
}

/** CoNLL text of one sentence with only the arcs that `isShown(head, dependent)` lets through. */
export function onlyArcs(conll, isShown) {
  return editLines(conll, (columns, place) => {
    if (!/^\d+$/.test(columns[0]) || isShown(Number(columns[place.head]), Number(columns[0]))) return columns;
    return attached(columns, place, "_", "_");
  });
}

/** Do these arcs give every word one head at most, without cycles? */
export function isForest(arcs) {
  const headOf = new Map();
  for (const [head, dependent] of arcs) {
    if (headOf.has(dependent)) return false;
    headOf.set(dependent, head);
  }
  return [...headOf.keys()].every((word) => {
    let steps = 0;
    for (let at = word; at; at = headOf.get(at)) if (++steps > headOf.size + 1) return false;
    return true;
  });
}

/** Where formats have HEAD and DEPREL, by their number of columns: CoNLL-2009, CoNLL-2008, and CoNLL-U and CoNLL-X. */
function placeOf({ length }) {
  if (length >= 14) return { head: 8, deprel: 10 };
  return length >= 11 ? { head: 8, deprel: 9 } : { head: 6, deprel: 7 };
}

function attached(columns, { head, deprel }, newHead, newLabel) {
  return columns.with(head, String(newHead)).with(deprel, newLabel || "_");
}

function editLines(conll, edit) {
  const changed = (columns) => edit(columns, placeOf(columns)).join("\t");
  return conll
    .split("\n")
    .map((line) => (/^\d/.test(line) ? changed(line.split("\t")) : line))
    .join("\n");
}

/** Sentences of CoNLL text as texts of their own, each with its blank line. */
export function splitSentences(conllu) {
  return conllu
    .replaceAll("\r", "")
    .split(/\n\s*\n/)
    .filter((block) => /^\d/m.test(block))
    .map((block) => `${block.replace(/^\n+/, "").trimEnd()}\n\n`);
}
