// The coverage of a treebank: how many sentences each class holds, in all and by length.

/** The lengths that the chart puts together; the last bin is open. */
const BINS = [
  [1, 5],
  [6, 10],
  [11, 20],
  [21, 30],
  [31, 40],
  [41, Infinity],
];

/** More planes than this are not told apart. */
const MOST_PLANES = 4;

/**
 * Returns the classes with the number of sentences in each; every class contains those before it.
 * A planarity of 0 means more than two planes, but not decided how many.
 */
export function coverage(treebank, rows = everyRow(treebank)) {
  const { planarity } = treebank;
  const counts = { projective: 0, planes: new Array(MOST_PLANES + 1).fill(0) };
  let most = 1;
  for (const row of rows) {
    if (!treebank.has(row, "non-projective")) counts.projective++;
    const planes = planarity[row];
    if (planes >= 1 && planes <= MOST_PLANES) {
      counts.planes[planes]++;
      most = Math.max(most, planes);
    } else {
      most = MOST_PLANES;
    }
  }
  const classes = [{ name: "projective", count: counts.projective }];
  let within = 0;
  for (let k = 1; k <= Math.max(most, 2); k++) {
    within += counts.planes[k];
    classes.push({ name: k === 1 ? "planar" : `${k}-planar`, count: within });
  }
  return { size: rows.length, classes };
}

/** Returns the coverage of sentences of similar length, for the lengths that there are. */
export function coverageByLength(treebank) {
  const bins = BINS.map(() => []);
  for (let row = 0; row < treebank.size; row++) {
    bins[BINS.findIndex(([, longest]) => treebank.words[row] <= longest)].push(row);
  }
  const whole = coverage(treebank).classes.map(({ name }) => name);
  return BINS.map(([shortest, longest], i) => ({
    name: longest === Infinity ? `${shortest}+` : `${shortest}–${longest}`,
    size: bins[i].length,
    classes: padded(coverage(treebank, bins[i]).classes, whole),
  })).filter(({ size }) => size > 0);
}

/** Returns the classes of the whole treebank; a bin may have fewer, and its last class then counts for the rest. */
function padded(classes, names) {
  return names.map((name, i) => ({ name, count: (classes[i] ?? classes.at(-1)).count }));
}

function everyRow(treebank) {
  return Uint32Array.from({ length: treebank.size }, (_, row) => row);
}
