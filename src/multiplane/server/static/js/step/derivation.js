// What follows from a derivation as the server sends it.

const prefixes = new WeakMap(); // derivation → the arcs after each step

/** All arcs that exist after a step. */
export function arcsUpTo(derivation, step) {
  if (!prefixes.has(derivation)) {
    let arcs = [];
    prefixes.set(derivation, derivation.steps.map(({ new_arcs: more }) => (arcs = more.length ? [...arcs, ...more] : arcs)));
  }
  return prefixes.get(derivation)[step];
}

/** Arcs for a drawing, in both directions: some systems build undirected edges. */
export function visibleArcs(arcs) {
  return arcs.flatMap(([head, dependent]) => (head === 0 ? [[head, dependent]] : [[head, dependent], [dependent, head]]));
}

export function formOf(derivation, position) {
  return position === 0 ? "root" : (derivation.words[position - 1] ?? String(position));
}

export function newArcsText(derivation, arcs) {
  return arcs.map(([head, dependent, label]) => `${label ? `${label}: ` : ""}${formOf(derivation, head)} → ${formOf(derivation, dependent)}`).join(", ");
}

/** The legal transitions of a step, best first. */
export function ranked({ legal }) {
  const worth = ({ probability, score, cost }) => probability ?? score ?? (cost === undefined ? 0 : -cost);
  return [...legal].sort((one, other) => worth(other) - worth(one));
}

/** Is this option the transition that was taken? Options without labels stand for all labels. */
export function isTaken({ transition }, taken) {
  return taken !== undefined && (taken === transition || taken.startsWith(`${transition}(`));
}

/** The steps chosen by hand that the parser would not have taken, or that cost an oracle something, or null if there are none. */
export function tookDetour(derivation) {
  const { steps } = derivation;
  const byHand = steps.flatMap((step, index) => (step.by_hand && index ? [index] : []));
  const found = byHand.filter((index) => {
    const [best] = ranked(steps[index - 1]);
    if (best?.probability !== undefined) return !isTaken(best, steps[index].transition);
    const cost = steps[index - 1].legal.find((option) => isTaken(option, steps[index].transition))?.cost;
    // Without scores and costs, only the last choice is known to be the reader's.
    return cost === undefined || cost === null ? index === byHand.at(-1) : cost > 0;
  });
  return found.length ? found : null;
}
