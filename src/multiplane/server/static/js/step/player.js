// Plays steps at a steady rate, and keeps them within bounds.

export class Player {
  #length = 0;
  #at = 0;
  #rate = 2;
  #show;
  #onPlaying;
  #due = 0;
  playing = false;

  constructor({ show, onPlaying }) {
    this.#show = show;
    this.#onPlaying = onPlaying;
  }

  setLength(length) {
    this.#length = length;
  }

  setRate(rate) {
    this.#rate = rate;
    this.#due = performance.now() + 1000 / rate;
  }

  /** Shows a step; beyond the ends, the last one there is. */
  go(step) {
    if (!this.#length) return;
    const bounded = Math.min(Math.max(step, 0), this.#length - 1);
    this.#at = bounded;
    this.#show(bounded);
  }

  toggle() {
    if (this.playing) this.stop();
    else this.#start();
  }

  stop() {
    if (!this.playing) return;
    this.playing = false;
    this.#onPlaying(false);
  }

  #start() {
    if (this.#length < 2) return;
    this.playing = true;
    this.#onPlaying(true);
    if (this.#at >= this.#length - 1) this.go(0);
    this.#due = performance.now() + 1000 / this.#rate;
    requestAnimationFrame(() => this.#frame());
  }

  #frame() {
    if (!this.playing) return;
    const now = performance.now();
    if (now >= this.#due) {
      // A slow frame shows the step that is due by now, so that the rate holds.
      const steps = 1 + Math.floor(((now - this.#due) * this.#rate) / 1000);
      this.#due += (steps * 1000) / this.#rate;
      this.go(this.#at + steps);
    }
    if (this.#at >= this.#length - 1) this.stop();
    else requestAnimationFrame(() => this.#frame());
  }
}
