// Edits of trees, as data that fits into an address: [sentence, word, head, label], or [sentence, alternative].
// The trees are always the server's, with the edits applied in order; so undo is one edit less.
import { withHead } from "../conll.js";

/** The CoNLL-U text of a sentence with its edits; `sentence` is as the server sent it. */
export function edited(sentence, index, edits) {
  let { conllu } = sentence;
  for (const [position, ...change] of edits) {
    if (position !== index) continue;
    if (change.length === 1) conllu = sentence.alternatives?.[change[0]]?.conllu ?? conllu;
    else conllu = withHead(conllu, ...change);
  }
  return conllu;
}

/** The words of a sentence that were edited since its tree was chosen. */
export function editedWords(index, edits) {
  const here = edits.filter(([position]) => position === index);
  return here.slice(here.findLastIndex((edit) => edit.length === 2) + 1).map(([, word]) => word);
}

/** The alternative that is shown, or null if it is the sentence's own tree or one edited since. */
export function chosenAlternative(index, edits) {
  const last = edits.filter(([position]) => position === index).at(-1);
  return last?.length === 2 ? last[1] : null;
}

/** Keeps what was undone, until something else changes. */
export class Redo {
  #undone = [];
  #at = "[]";

  undo(edits) {
    if (JSON.stringify(edits) !== this.#at) this.#undone = [];
    this.#undone.push(edits.at(-1));
    return this.#remember(edits.slice(0, -1));
  }

  redo(edits) {
    return this.#remember([...edits, this.#undone.pop()]);
  }

  possible(edits) {
    return this.#undone.length > 0 && JSON.stringify(edits) === this.#at;
  }

  #remember(edits) {
    this.#at = JSON.stringify(edits);
    return edits;
  }
}
