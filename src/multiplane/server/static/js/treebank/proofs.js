// Proofs that a sentence is outside a class: what to draw, and how to say it.

/**
 * Returns the proofs of a sentence, the strongest first.
 * Each has a key, a title, its explanation, the arcs [head, dependent] to draw, and groups of words to draw.
 */
export function proofsOf(sentence) {
  const { certificates, properties } = sentence;
  return [
    certificates.odd_cycle && oddCycle(sentence, certificates.odd_cycle),
    certificates.ill_nested && illNested(sentence, certificates.ill_nested),
    certificates.crossing && crossing(sentence, certificates.crossing),
    properties.nonprojective?.length ? nonProjective(sentence, properties.nonprojective[0]) : null,
  ].filter(Boolean);
}

/** Returns what the measures of a sentence say, in a sentence. */
export function verdict({ properties, tokens }) {
  if (properties.tree === false) return "This is not a tree: it has several roots, or none, or a cycle.";
  const size = `${tokens.length} ${tokens.length === 1 ? "word" : "words"}`;
  if (properties.projective) return `${size}; projective: no arcs cross, and none passes over the root.`;
  const nesting = properties.well_nested ? "well-nested" : "ill-nested";
  const gaps = `${nesting}, gap degree ${properties.gap_degree}`;
  if (properties.planar) return `${size}; planar, but not projective: no arcs cross, but one passes over the root; ${gaps}.`;
  const crossings = `${properties.crossings} ${properties.crossings === 1 ? "pair of arcs crosses" : "pairs of arcs cross"}`;
  return `${size}; ${planes(properties.planarity)}: ${crossings}; ${gaps}.`;
}

function planes(planarity) {
  return planarity ? `needs ${planarity} planes` : "needs more than 2 planes";
}

function oddCycle(sentence, arcs) {
  const pairs = arcs.map((arc, i) => [arc, arcs[(i + 1) % arcs.length]]);
  return {
    key: "odd-cycle",
    title: "Not 2-planar",
    text:
      `${arcs.length} arcs cross each other in a ring: each crosses the next, and the last crosses the first. Arcs that cross need ` +
      "different planes, but around a ring of odd length two planes cannot alternate.",
    details: pairs.map(([a, b]) => `${arcText(sentence, a)} crosses ${arcText(sentence, b)}`),
    arcs,
    groups: [],
  };
}

function illNested(sentence, { roots: [first, second], words: between }) {
  const [a, b] = [first, second].map((word) => wordText(sentence, word));
  const order = between.map((word) => wordText(sentence, word)).join(", ");
  return {
    key: "ill-nested",
    title: "Ill-nested",
    text: `The subtrees of ${a} and ${b} interleave: each has a word between words of the other, and neither contains the other.`,
    details: [`In this order: ${order}. The first and the third are below ${a}, the second and the fourth below ${b}.`],
    arcs: [],
    groups: [subtree(sentence, first), subtree(sentence, second)],
  };
}

function crossing(sentence, [a, b]) {
  return {
    key: "crossing",
    title: "Not planar",
    text: `Two arcs cross: each has exactly one end between the ends of the other.`,
    details: [`${arcText(sentence, a)} crosses ${arcText(sentence, b)}`],
    arcs: [a, b],
    groups: [],
  };
}

function nonProjective(sentence, [head, dependent]) {
  const under = new Set(subtree(sentence, head));
  const [left, right] = [Math.min(head, dependent), Math.max(head, dependent)];
  const foreign = [];
  for (let word = left + 1; word < right; word++) {
    if (!under.has(word)) foreign.push(word);
  }
  const label = sentence.tokens[dependent - 1]?.deprel ?? "";
  const names = foreign.slice(0, 3).map((word) => wordText(sentence, word)).join(", ") + (foreign.length > 3 ? " and others" : "");
  return {
    key: "non-projective",
    title: "Not projective",
    text: `An arc passes over words that its head does not dominate.`,
    details: [`${arcText(sentence, [head, dependent, label])} passes over ${names}.`],
    arcs: [[head, dependent, label]],
    groups: foreign.length ? [foreign] : [],
  };
}

/** Returns a word with its number. */
export function wordText(sentence, word) {
  return word === 0 ? "the root" : `${word} ${sentence.tokens[word - 1]?.form ?? ""}`.trim();
}

/** Returns an arc with its words: 2 lachten →advcl 10 liet. */
export function arcText(sentence, [head, dependent, label]) {
  return `${wordText(sentence, head)} →${label ?? ""} ${wordText(sentence, dependent)}`;
}

/** Returns the words that a word dominates, itself included; a cycle does no harm. */
export function subtree({ tokens }, root) {
  const inside = new Set([root]);
  let grown = true;
  while (grown) {
    grown = false;
    tokens.forEach(({ head }, i) => {
      if (inside.has(head) && !inside.has(i + 1)) {
        inside.add(i + 1);
        grown = true;
      }
    });
  }
  return [...inside].sort((a, b) => a - b);
}
