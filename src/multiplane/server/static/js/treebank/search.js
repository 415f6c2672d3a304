// Conditions on the text of a sentence: a word, its label, the sentence's name.

import { sentIdOf, wordsOf } from "../columns.js";

/** Returns the test whether a sentence meets the conditions; word and label must hold of one and the same word. */
export function matcher({ word = "", label = "", name = "" }, format) {
  const isWord = word ? pattern(word) : () => true;
  const isLabel = label ? pattern(label) : () => true;
  // Most sentences lack the longest part of the pattern, and are refused before their columns are looked at.
  const needles = [word, label].map(longestPart).filter(Boolean);
  const part = fold(name);
  return (text) => {
    const folded = fold(text);
    if (!needles.every((needle) => folded.includes(needle))) return false;
    if (part && !fold(sentIdOf(text, format) ?? "").includes(part)) return false;
    return !(word || label) || wordsOf(text, format).some((token) => isWord(token.form) && isLabel(token.deprel));
  };
}

/** Returns the test for a pattern: letters match without regard to case, and * matches anything. */
export function pattern(source) {
  const parts = fold(source).split("*").map((part) => part.replace(/[.+?^${}()|[\]\\/-]/g, "\\$&"));
  const whole = new RegExp(`^${parts.join(".*")}$`, "su");
  return (value) => whole.test(fold(value));
}

function longestPart(source) {
  return fold(source).split("*").reduce((longest, part) => (part.length > longest.length ? part : longest), "");
}

function fold(text) {
  return text.normalize("NFC").toLowerCase();
}
