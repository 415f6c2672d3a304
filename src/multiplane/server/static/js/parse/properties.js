// The properties of a sentence in words, each with the arcs that prove it.
import { button, el, plural, word } from "../dom.js";

/** What holds of a sentence: [{text: [strings and elements], arcs, good}], the arcs being the certificate, if there is one. */
export function describe(sentence) {
  const { properties, certificates = {}, tokens } = sentence;
  const arc = arcIn(tokens);
  const facts = [];
  if (!properties.tree) facts.push(fact("Not a tree: a word has no head or several, or the arcs form a cycle.", [], false));
  facts.push(planes(properties, certificates, arc));
  if (certificates.odd_cycle) facts.push(oddCycle(certificates.odd_cycle, arc));
  facts.push(projectivity(properties, arc, sentence.tokens));
  facts.push(nesting(properties, certificates, tokens));
  const gap = properties.gap_degree;
  if (typeof gap === "number") {
    facts.push(fact(gap === 0 ? "Gap degree 0: every subtree is a contiguous block of words." : `Gap degree ${gap}: some subtree consists of ${gap + 1} separate blocks of words.`, [], gap === 0));
  }
  return facts;
}

/** One line for a list of sentences. */
export function summary({ properties }) {
  const { planarity, projective } = properties;
  if (planarity > 1) return plural(planarity, "plane");
  return projective ? "projective" : "planar, not projective";
}

export function propertyList(sentence, onShow) {
  const items = describe(sentence).map(({ text, arcs, good }) => {
    const mark = el("span", { class: good ? "mark good" : "mark", "aria-hidden": "true" }, good ? "✓" : "×");
    const toggle = arcs.length > 0 && showButton(arcs, onShow);
    return el("li", {}, mark, el("span", {}, text, toggle ? " " : null, toggle));
  });
  return el("ul", { class: "properties" }, items);
}

function showButton(arcs, onShow) {
  const toggle = button("show", () => {
    const on = toggle.getAttribute("aria-pressed") !== "true";
    for (const other of toggle.closest("ul").querySelectorAll("[aria-pressed]")) other.setAttribute("aria-pressed", "false");
    toggle.setAttribute("aria-pressed", String(on));
    onShow(on ? arcs : []);
  }, { class: "small inline", "aria-pressed": "false", "aria-label": "Show these arcs in the drawing" });
  return toggle;
}

function planes({ planarity, crossings }, { crossing }, arc) {
  if (!crossing) return fact("1 plane: no arcs cross.", [], true);
  const count = typeof crossings === "number" ? ` (${plural(crossings, "crossing")} in all)` : "";
  const [first, second] = crossing;
  const number = typeof planarity === "number" ? plural(planarity, "plane") : "More than 1 plane";
  return fact([`${number}: `, arc(first), " and ", arc(second), ` cross${count}.`], crossing, false);
}

function oddCycle(cycle, arc) {
  const chain = cycle.flatMap((item, index) => (index ? [" × ", arc(item)] : [arc(item)]));
  return fact(["2 planes are not enough: these arcs form an odd cycle, in which each crosses the next, and the last the first: ", ...chain, "."], cycle, false);
}

function projectivity({ projective, nonprojective = [] }, arc, tokens) {
  if (projective) return fact("Projective: arcs pass only over words that their heads dominate.", [], true);
  const label = (dependent) => tokens.find((token) => Number(token.id) === dependent)?.deprel;
  const named = nonprojective.slice(0, 4).flatMap(([head, dependent, deprel], index) => [index ? ", " : " ", arc([head, dependent, deprel ?? label(dependent)])]);
  const more = nonprojective.length > 4 ? `, and ${nonprojective.length - 4} more` : "";
  const what = plural(nonprojective.length, "arc passes over words that its head does not dominate", "arcs pass over words that their heads do not dominate");
  return fact([`Not projective: ${what}:`, ...named, `${more}.`], nonprojective, false);
}

function nesting({ well_nested: wellNested }, { ill_nested: certificate }, tokens) {
  if (wellNested) return fact("Well-nested: no two subtrees interleave.", [], true);
  const [first, second] = (certificate?.roots ?? []).map((position) => word(tokens.find((token) => Number(token.id) === position)?.form ?? String(position)));
  return fact(first ? ["Ill-nested: the subtrees of ", first, " and ", second, " interleave."] : "Ill-nested: two subtrees interleave.", [], false);
}

function fact(text, arcs, good) {
  return { text, arcs, good };
}

/** Writes arcs as “obj: leren → papegaai”. */
function arcIn(tokens) {
  const form = (position) => (position === 0 ? "root" : (tokens.find((token) => Number(token.id) === position)?.form ?? String(position)));
  return ([head, dependent, label]) => el("span", { class: "arc-name" }, label && el("b", {}, label), label ? " " : null, "(", word(form(head)), " → ", word(form(dependent)), ")");
}
