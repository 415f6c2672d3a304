// The scores of one side against the other, as a table.

import { table } from "../chart.js";
import { el } from "../dom.js";

/** The scores to show first, and what they count; all others are behind a switch. */
const MAIN = {
  UAS: "words with the correct head",
  LAS: "words with the correct head and label, ignoring subtypes",
  CLAS: "the same for content words only",
  LA: "words with the correct label",
  NP: "non-projective arcs",
  "NP-labelled": "the same with labels",
  UEM: "sentences with all heads correct",
  LEM: "sentences with all heads and labels correct",
};

const NUMBERS = [
  ["precision", "precision"],
  ["recall", "recall"],
  ["f1", "F1"],
];

export function scoreTables(scores) {
  const rest = Object.keys(scores).filter((name) => !(name in MAIN));
  return [
    scoreTable("Scores", scores, Object.keys(MAIN).filter((name) => name in scores)),
    rest.length > 0 && el("details", {}, el("summary", {}, "All other scores"), scoreTable("All other scores", scores, rest)),
  ].filter(Boolean);
}

function scoreTable(title, scores, names) {
  return table(title, ["score", ...NUMBERS.map(([, heading]) => heading), "correct"], names.map((name) => [
    el("span", {}, name, MAIN[name] ? el("span", { class: "score-meaning" }, MAIN[name]) : null),
    ...NUMBERS.map(([key]) => shown(scores[name][key])),
    countsOf(scores[name]),
  ]));
}

/** Returns how many are right; scores whose precision and recall count different things have no such number. */
function countsOf({ correct, gold, recall }) {
  const fits = gold > 0 && Math.abs((100 * correct) / gold - recall) < 0.01;
  return fits ? `${correct.toLocaleString("en")} of ${gold.toLocaleString("en")}` : "–";
}

function shown(value) {
  return typeof value === "number" ? value.toFixed(2) : "–";
}
