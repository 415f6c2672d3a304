// A list of any length: only the rows in view are in the document. A listbox for keyboards and screen readers.

/** Rows beyond the visible ones, above and below, so that quick scrolling shows no gaps. */
const MARGIN = 12;

let lists = 0;

export class VirtualList {
  #rows = [];
  #selected = -1;
  #shown = new Map();
  #frame = 0;

  /**
   * @param label what the list holds, for screen readers
   * @param rowHeight in pixels; must be the height of a row in the style sheet
   * @param fill(element, row): puts the contents of a row into an empty element
   * @param select(row, place): called when the user chooses a row
   */
  constructor({ label, rowHeight, fill, select }) {
    this.rowHeight = rowHeight;
    this.fill = fill;
    this.select = select;
    this.id = `list-${++lists}`;
    this.element = document.createElement("div");
    this.element.className = "virtual-list";
    this.element.tabIndex = 0;
    this.element.setAttribute("role", "listbox");
    this.element.setAttribute("aria-label", label);
    this.canvas = document.createElement("div");
    this.canvas.className = "virtual-list-canvas";
    this.canvas.setAttribute("role", "presentation");
    this.element.append(this.canvas);
    this.element.addEventListener("scroll", () => this.#schedule(), { passive: true });
    this.element.addEventListener("keydown", (event) => this.#press(event));
    this.element.addEventListener("click", (event) => this.#click(event));
    new ResizeObserver(() => this.#schedule()).observe(this.element);
  }

  /** Shows other rows; the selected one stays selected if it is still among them. If rows mean something else now, set [] first. */
  setRows(rows) {
    const selected = this.selectedRow;
    // A search that finds more and more leaves the rows in view as they are.
    for (const [place, option] of this.#shown) {
      if (rows[place] === this.#rows[place]) {
        option.setAttribute("aria-setsize", rows.length);
      } else {
        option.remove();
        this.#shown.delete(place);
      }
    }
    this.#rows = rows;
    this.#selected = selected === null ? -1 : rows.indexOf(selected);
    this.canvas.style.height = `${rows.length * this.rowHeight}px`;
    this.#draw();
  }

  get rows() {
    return this.#rows;
  }

  get size() {
    return this.#rows.length;
  }

  get selectedRow() {
    return this.#selected < 0 ? null : this.#rows[this.#selected];
  }

  /** The place of the selected row in the list, from 0; -1 if none is selected. */
  get place() {
    return this.#selected;
  }

  /** Selects the row at a place, brings it into view, and tells whoever listens. */
  choose(place) {
    if (place < 0 || place >= this.#rows.length) return;
    this.#selected = place;
    this.#reveal(place);
    this.#draw();
    this.select(this.#rows[place], place);
  }

  /** Lets Alt with the arrow keys move through the list from anywhere, as long as a view is shown. */
  listenIn(view) {
    document.addEventListener("keydown", (event) => {
      const by = event.altKey && !event.ctrlKey && !event.metaKey ? { ArrowDown: 1, ArrowUp: -1 }[event.key] : 0;
      if (!by || !this.size || view.closest("[hidden]")) return;
      event.preventDefault();
      this.choose(Math.min(Math.max(this.#selected + by, 0), this.size - 1));
    });
  }

  /** Selects a row if it is in the list. */
  chooseRow(row) {
    this.choose(this.#rows.indexOf(row));
  }

  #press(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.rowHeight) - 1);
    const last = this.#rows.length - 1;
    const moves = {
      ArrowDown: this.#selected + 1,
      ArrowUp: this.#selected - 1,
      PageDown: this.#selected + page,
      PageUp: this.#selected - page,
      Home: 0,
      End: last,
    };
    if (!(event.key in moves) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.choose(Math.min(Math.max(moves[event.key], 0), last));
  }

  #click(event) {
    const option = event.target.closest("[role=option]");
    if (option) this.choose(Number(option.dataset.place));
  }

  #reveal(place) {
    const top = place * this.rowHeight;
    const view = this.element;
    if (top < view.scrollTop) {
      view.scrollTop = top;
    } else if (top + this.rowHeight > view.scrollTop + view.clientHeight) {
      view.scrollTop = top + this.rowHeight - view.clientHeight;
    }
  }

  #schedule() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
    });
  }

  /** Puts the rows in view into the document, and takes the others out. */
  #draw() {
    const first = Math.max(0, Math.floor(this.element.scrollTop / this.rowHeight) - MARGIN);
    const count = Math.ceil(this.element.clientHeight / this.rowHeight) + 2 * MARGIN;
    const end = Math.min(this.#rows.length, first + count);
    for (const [place, option] of this.#shown) {
      if (place < first || place >= end) {
        option.remove();
        this.#shown.delete(place);
      }
    }
    for (let place = first; place < end; place++) {
      if (!this.#shown.has(place)) this.#shown.set(place, this.#option(place));
      this.#shown.get(place).setAttribute("aria-selected", String(place === this.#selected));
    }
    this.#announce();
  }

  #option(place) {
    const option = document.createElement("div");
    option.id = `${this.id}-${place}`;
    option.className = "virtual-list-row";
    option.dataset.place = place;
    option.setAttribute("role", "option");
    option.setAttribute("aria-setsize", this.#rows.length);
    option.setAttribute("aria-posinset", place + 1);
    option.style.transform = `translateY(${place * this.rowHeight}px)`;
    this.fill(option, this.#rows[place]);
    this.canvas.append(option);
    return option;
  }

  #announce() {
    if (this.#shown.has(this.#selected)) {
      this.element.setAttribute("aria-activedescendant", `${this.id}-${this.#selected}`);
    } else {
      this.element.removeAttribute("aria-activedescendant");
    }
  }
}
