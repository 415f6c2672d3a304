// The differences between two annotations of the same words, and where they are.

import { wordsOf } from "../columns.js";

/** What can be wrong with a word. */
export const KINDS = { head: "wrong head", label: "wrong label", both: "wrong head and label" };

/** Returns the words whose head or label differs: [{word, form, kind, gold: {head, deprel}, system: {…}}]; null if the words differ. */
export function differences(goldWords, systemWords) {
  if (!sameWords(goldWords, systemWords)) return null;
  const found = [];
  goldWords.forEach((gold, i) => {
    const system = systemWords[i];
    const head = gold.head !== system.head;
    const label = gold.deprel !== system.deprel;
    if (head || label) {
      found.push({ word: i + 1, form: gold.form, kind: head && label ? "both" : head ? "head" : "label", gold, system });
    }
  });
  return found;
}

function sameWords(a, b) {
  return a.length === b.length && a.every((word, i) => word.form === b[i].form);
}

/**
 * Counts confusions over all sentences, in slices of time, so that the page stays responsive.
 * Returns {confusions: Map("gold → system" → {gold, system, count, rows}), differing: rows whose words differ}.
 */
export async function confusionsOf(gold, system, formats, signal) {
  const confusions = new Map();
  const differing = [];
  let pause = performance.now() + 12;
  for (let row = 0; row < gold.length; row++) {
    const found = differences(wordsOf(gold[row], formats.gold), wordsOf(system[row] ?? "", formats.system));
    if (found === null) {
      differing.push(row);
    } else {
      found.forEach((difference) => count(confusions, difference, row));
    }
    if (performance.now() > pause) {
      await new Promise((resume) => setTimeout(resume));
      if (signal?.aborted) return null;
      pause = performance.now() + 12;
    }
  }
  return { confusions: [...confusions.values()].sort((a, b) => b.count - a.count), differing };
}

function count(confusions, difference, row) {
  const key = `${difference.gold.deprel}\t${difference.system.deprel}`;
  let entry = confusions.get(key);
  if (!entry) {
    entry = { key, gold: difference.gold.deprel, system: difference.system.deprel, count: 0, rows: new Set() };
    confusions.set(key, entry);
  }
  entry.count++;
  entry.rows.add(row);
}

/** Returns the rows with differences, most first; only those with the confusion or label asked for. */
export function ranked(sentences, { confusion = null, rowsOfLabel = null, kind = "any" } = {}) {
  const errors = (row) => sentences[row].wrong_heads + sentences[row].wrong_labels;
  const rows = [];
  for (let row = 0; row < sentences.length; row++) {
    if (
      errors(row) > 0 &&
      (kind === "any" || sentences[row][kind === "head" ? "wrong_heads" : "wrong_labels"] > 0) &&
      (!confusion || confusion.rows.has(row)) &&
      (!rowsOfLabel || rowsOfLabel.has(row))
    ) {
      rows.push(row);
    }
  }
  return rows.sort((a, b) => errors(b) - errors(a) || a - b);
}
