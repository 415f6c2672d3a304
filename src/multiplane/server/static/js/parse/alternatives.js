// The parser's best trees of a sentence, to look at one after the other.
import { button, el, plural, word } from "../dom.js";

const SHOWN = 0.0005; // a smaller share would be shown as 0.0 %

/** A list of the k best trees; `chosen` is the index of the one shown, or null for the sentence's own. */
export function alternativeList(sentence, chosen, onChoose) {
  const scoreText = scoresBeside(sentence.alternatives[0]?.score);
  const own = { heads: headsOf(sentence), deprels: sentence.tokens.map((token) => token.deprel) };
  const items = sentence.alternatives.map((tree, index) => {
    const differences = differencesOf(sentence.alternatives[0] ?? own, tree);
    const pressed = chosen === null ? index === 0 : chosen === index;
    const note = index === 0 ? "the best tree" : plural(differences.length, "word differs", "words differ");
    const names = differences.slice(0, 3).flatMap((position, place) => [place ? ", " : " ", word(sentence.tokens[position]?.form ?? "")]);
    const score = typeof tree.score === "number" ? el("span", { class: "score" }, scoreText(tree.score, index)) : null;
    return el("li", {}, button([el("b", {}, String(index + 1)), el("span", { class: "what" }, note, index ? ":" : "", ...(index ? names : []), differences.length > 3 ? " …" : ""), score].filter(Boolean), () => onChoose(index), { "aria-pressed": String(pressed) }));
  });
  return el("ol", { class: "alternatives" }, items);
}

function headsOf(sentence) {
  return sentence.tokens.map((token) => Number(token.head));
}

function differencesOf(best, tree) {
  return tree.heads.flatMap((head, index) => (head === best.heads[index] && tree.deprels[index] === best.deprels[index] ? [] : [index]));
}

/** How to write scores: as probabilities or, where even the best of many trees has next to none, relative to the best. */
function scoresBeside(best) {
  return (score, index) => {
    if (!(score >= 0 && score <= 1)) return score.toFixed(2);
    if (best < SHOWN) return index === 0 ? "" : `${(score / best).toFixed(2)} × the best`;
    return score < SHOWN ? "< 0.1 %" : `${(score * 100).toFixed(1)} %`;
  };
}
