// What a treebank holds as a whole: the coverage of the classes, and the sentences that are broken.

import { barChart, lineChart } from "../chart.js";
import { el, plural } from "../dom.js";
import { coverage, coverageByLength } from "./coverage.js";

const LISTED = 200; // problems in the document; more would help nobody

/** Returns the charts of a treebank. */
export function charts(treebank) {
  const { size, classes } = coverage(treebank);
  const undecided = treebank.planarity.filter((planes) => planes === 0).length;
  return [
    barChart({ title: "Share of sentences in each class", bars: classes.map((each) => ({ ...each, size })) }),
    ...(undecided ? [el("p", { class: "hint" }, `${plural(undecided, "sentence")} with more than two planes took too long to decide; they are counted as outside all classes.`)] : []),
    lineChart({ title: "The same by length", axis: "Words per sentence; below, the number of sentences", groups: coverageByLength(treebank) }),
  ];
}

/** Returns the list of broken sentences, or null if there are none. */
export function problemList({ problems, problemCount }) {
  if (!problems.length) return null;
  return el("details", { class: "panel problems", open: problems.length <= 5 },
    el("summary", {}, `${plural(problemCount, "problem")}; broken sentences are left out`),
    el("ul", {}, problems.slice(0, LISTED).map(({ line, sent_id: name, message }) =>
      el("li", {}, el("strong", {}, `Line ${line}`), name && " ", name && el("bdi", { class: "mono" }, name), ": ", el("bdi", {}, message)))),
    problemCount > LISTED && el("p", { class: "grey" }, `And ${(problemCount - LISTED).toLocaleString("en")} more: multiplane check lists all of them.`),
  );
}
