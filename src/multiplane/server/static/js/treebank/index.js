// A treebank in the browser: the file's bytes, and what the server found out about each sentence, in columns.

import { plainTextOf, sentIdOf } from "../columns.js";

/** How many sentences' names and texts are kept; the list shows a few dozen at a time. */
const REMEMBERED = 2000;

export class Treebank {
  #decoder = new TextDecoder();
  #summaries = new Map();

  /** @param name the file's name; @param bytes its contents; @param answer that of /api/treebank; @param isSample whether it is the bundled one */
  constructor(name, bytes, answer, isSample) {
    this.name = name;
    this.isSample = isSample;
    this.bytes = bytes;
    this.format = answer.format;
    this.size = answer.sentences;
    this.wordCount = answer.words;
    this.offset = Float64Array.from(answer.offset);
    this.length = Uint32Array.from(answer.length);
    this.words = Uint32Array.from(answer.words_in);
    this.flags = Uint32Array.from(answer.flags);
    this.planarity = Int8Array.from(answer.planarity);
    this.gapDegree = Int32Array.from(answer.gap_degree);
    this.flagNames = answer.flag_names;
    this.problems = answer.problems;
    this.problemCount = answer.totals.problems ?? answer.problems.length;
  }

  /** Returns the bytes of a sentence, as they are in the file. */
  slice(row) {
    return this.bytes.subarray(this.offset[row], this.offset[row] + this.length[row]);
  }

  /** Returns the CoNLL text of a sentence. */
  text(row) {
    return this.#decoder.decode(this.slice(row));
  }

  /** Returns the name and the text of a sentence. */
  summary(row) {
    let found = this.#summaries.get(row);
    if (!found) {
      const text = this.text(row);
      found = { name: sentIdOf(text, this.format) ?? `sentence ${row + 1}`, text: plainTextOf(text, this.format) };
      if (this.#summaries.size >= REMEMBERED) this.#summaries.clear();
      this.#summaries.set(row, found);
    }
    return found;
  }

  /** Returns whether a sentence has a property of `flagNames`. */
  has(row, flag) {
    const bit = this.flagNames.indexOf(flag);
    return bit >= 0 && ((this.flags[row] >>> bit) & 1) === 1;
  }

  /** Returns how many sentences have each property. */
  flagCounts() {
    return this.flagNames.map((_, bit) => this.flags.reduce((count, flags) => count + ((flags >>> bit) & 1), 0));
  }

  /** Returns the parts of a file with these sentences, each followed by an empty line. */
  parts(rows) {
    const parts = [];
    for (const row of rows) {
      const slice = this.slice(row);
      parts.push(slice);
      const end = this.#decoder.decode(slice.subarray(-4)).replaceAll("\r", "");
      if (!end.endsWith("\n\n")) parts.push(end.endsWith("\n") ? "\n" : "\n\n");
    }
    return parts;
  }
}
