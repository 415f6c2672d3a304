// Searches the text of a treebank in a thread of its own, in slices of time, so that a new search stops an old one.

import { matcher } from "./search.js";

const SLICE = 80; // milliseconds between two reports

let treebank = null;
let current = 0;

self.onmessage = async ({ data }) => {
  if (data.treebank) {
    treebank = data.treebank;
    return;
  }
  current = data.search;
  await search(data.search, data.rows, matcher(data.conditions, treebank.format));
};

async function search(number, rows, matches) {
  const decoder = new TextDecoder();
  let next = 0;
  while (number === current) {
    const found = [];
    const end = performance.now() + SLICE;
    while (next < rows.length && performance.now() < end) {
      const start = treebank.offset[rows[next]];
      if (matches(decoder.decode(treebank.bytes.subarray(start, start + treebank.length[rows[next]])))) {
        found.push(rows[next]);
      }
      next++;
    }
    const done = next === rows.length;
    self.postMessage({ search: number, found: Uint32Array.from(found), share: done ? 1 : next / rows.length, done });
    if (done) return;
    await new Promise((resume) => setTimeout(resume));
  }
}
