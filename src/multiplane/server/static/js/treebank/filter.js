// Filters over the columns of a treebank; all conditions must hold.

/** The filter that lets everything through. */
export const EVERYTHING = Object.freeze({
  flags: [],
  planes: null,
  gap: 0,
  shortest: 0,
  longest: Infinity,
  word: "",
  label: "",
  name: "",
});

/** Returns the rows that meet the conditions on columns: properties, planes, gap degree and length. */
export function matchColumns(treebank, filter) {
  const mask = maskOf(treebank, filter.flags);
  const { planarity, gapDegree, words, flags } = treebank;
  const rows = new Uint32Array(treebank.size);
  let count = 0;
  for (let row = 0; row < treebank.size; row++) {
    if (
      (flags[row] & mask) >>> 0 === mask &&
      (filter.planes === null || planarity[row] === filter.planes) &&
      gapDegree[row] >= filter.gap &&
      words[row] >= filter.shortest &&
      words[row] <= filter.longest
    ) {
      rows[count++] = row;
    }
  }
  return rows.subarray(0, count);
}

/** Returns whether a filter looks at the text of sentences, too. */
export function looksAtText(filter) {
  return Boolean(filter.word || filter.label || filter.name);
}

/** Returns the filter as the state of an address; only what differs from `EVERYTHING`. */
export function toState(filter) {
  const state = filter.flags.length ? { is: filter.flags } : {};
  for (const [key, empty] of Object.entries(EVERYTHING)) {
    if (key !== "flags" && filter[key] !== empty) state[key] = filter[key];
  }
  return state;
}

/** Returns the filter that the state of an address holds; whatever makes no sense in it is left out. */
export function fromState(state) {
  const number = (key) => (Number.isInteger(state[key]) && state[key] >= 0 ? state[key] : EVERYTHING[key]);
  const text = (key) => (typeof state[key] === "string" ? state[key] : "");
  return {
    flags: Array.isArray(state.is) ? state.is.filter((flag) => typeof flag === "string") : [],
    planes: number("planes"),
    gap: number("gap"),
    shortest: number("shortest"),
    longest: number("longest"),
    word: text("word"),
    label: text("label"),
    name: text("name"),
  };
}

function maskOf(treebank, flags) {
  let mask = 0;
  for (const flag of flags) {
    const bit = treebank.flagNames.indexOf(flag);
    if (bit >= 0) mask |= 1 << bit;
  }
  return mask >>> 0;
}
