// The page's side of the search in a worker.

export class Searcher {
  #worker = null;
  #number = 0;
  #treebank;

  constructor(treebank) {
    this.#treebank = treebank;
  }

  /**
   * Looks for sentences among rows; calls `report(found, share, done)` with all that was found so far, or `fail`.
   * A new search, or `stop`, ends the one before.
   */
  search(rows, conditions, report, fail) {
    this.#start();
    const number = ++this.#number;
    const all = [];
    this.#worker.onmessage = ({ data }) => {
      if (data.search === number && number === this.#number) {
        all.push(data.found);
        report(joined(all), data.share, data.done);
      }
    };
    this.#worker.onerror = () => fail(new Error("The search stopped: the browser could not run it. Reload the page."));
    this.#worker.postMessage({ search: number, rows, conditions });
  }

  stop() {
    this.#number++;
    this.#worker?.postMessage({ search: this.#number, rows: [], conditions: {} });
  }

  close() {
    this.#number++;
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** Starts the worker with its own copy of the bytes, at the first search. */
  #start() {
    if (!this.#worker) {
      const { bytes, offset, length, format } = this.#treebank;
      this.#worker = new Worker(new URL("./search-worker.js", import.meta.url), { type: "module" });
      this.#worker.postMessage({ treebank: { bytes, offset, length, format } });
    }
  }
}

function joined(parts) {
  const all = new Uint32Array(parts.reduce((size, part) => size + part.length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}
