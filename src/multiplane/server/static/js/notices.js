// What the page says to the reader: to screen readers, for a moment, or in place of what failed.
import { el } from "./dom.js";

const TOAST_MILLISECONDS = 5000;

export function announce(text) {
  const announcer = document.getElementById("announcer");
  announcer.textContent = "";
  // Screen readers notice a change, not a text that is there already.
  requestAnimationFrame(() => {
    announcer.textContent = text;
  });
}

export function toast(text) {
  const note = el("div", { class: "toast" }, text);
  document.getElementById("toasts").append(note);
  announce(text);
  setTimeout(() => note.remove(), TOAST_MILLISECONDS);
}

export function error(container, problem) {
  container.replaceChildren();
  if (!problem || problem.name === "AbortError") return;
  const where = problem.line ? ` (line ${problem.line})` : "";
  const text = problem.message ?? String(problem);
  const located = text.includes(`line ${problem.line}`) || text.includes(`:${problem.line}:`) ? text : `${text}${where}`;
  container.append(el("p", { class: "problem", role: "alert" }, located));
}
