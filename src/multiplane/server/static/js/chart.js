// Charts as SVG, each with a table that says the same.

import { el } from "./dom.js";

const ROW = 30;
const LABEL = 90;
const VALUE = 80;
const NARROW = matchMedia("(max-width: 44rem)");

/** Returns whether the screen is that of a phone. */
export function isNarrow() {
  return NARROW.matches;
}

/** Calls `draw` whenever the screen becomes narrow or wide: charts of narrow screens have larger letters. */
export function onWidthChange(draw) {
  NARROW.addEventListener("change", draw);
}

function chartWidth() {
  return isNarrow() ? 340 : 600;
}

/** Formats a share in percent; never rounds to 100 what is not all, nor to 0 what is something. */
export function percent(count, size) {
  if (!size) return "–";
  const share = (100 * count) / size;
  if (count < size && share > 99.99) return "> 99.99 %";
  if (count > 0 && share < 0.01) return "< 0.01 %";
  return `${share.toFixed(share === 100 || share === 0 ? 0 : 2)} %`;
}

/**
 * Returns a chart of bars, with its table.
 * @param title what the chart shows
 * @param bars [{name, count, size}]: each bar is a share
 */
export function barChart({ title, bars }) {
  const width = chartWidth();
  const drawing = svg("svg", {
    class: "chart",
    viewBox: `0 0 ${width} ${bars.length * ROW + 4}`,
    role: "img",
    "aria-label": `${title}: ${bars.map((bar) => `${bar.name} ${percent(bar.count, bar.size)}`).join(", ")}`,
  });
  const full = width - LABEL - VALUE;
  bars.forEach(({ name, count, size }, i) => {
    const y = i * ROW + 4;
    drawing.append(
      svg("text", { class: "chart-label", x: LABEL - 8, y: y + 15, "text-anchor": "end" }, name),
      svg("rect", { class: "chart-track", x: LABEL, y, width: full, height: ROW - 8, rx: 3 }),
      svg("rect", { class: "chart-bar", x: LABEL, y, width: size ? (full * count) / size : 0, height: ROW - 8, rx: 3 }),
      svg("text", { class: "chart-value", x: LABEL + full + 8, y: y + 15 }, percent(count, size)),
    );
  });
  return figure(title, drawing, ["class", "sentences", "share"], bars.map(({ name, count, size }) => [name, count, percent(count, size)]));
}

/**
 * Returns a chart of lines over groups, with its table; lines differ in dashes and markers, not in colour alone.
 * @param groups [{name, size, classes: [{name, count}]}]
 */
export function lineChart({ title, axis, groups }) {
  const names = groups[0]?.classes.map(({ name }) => name) ?? [];
  const width = chartWidth();
  const plot = { left: 48, right: width - 124, top: 12, bottom: 210 };
  const drawing = svg("svg", {
    class: "chart",
    viewBox: `0 0 ${width} 268`,
    role: "img",
    "aria-label": `${title}: ${groups.map((group) => describe(group)).join("; ")}`,
  });
  const lowest = floor(groups);
  const x = (i) => (groups.length < 2 ? (plot.left + plot.right) / 2 : plot.left + 14 + (i * (plot.right - plot.left - 28)) / (groups.length - 1));
  const y = (share) => plot.bottom - ((share - lowest) / (1 - lowest)) * (plot.bottom - plot.top);
  for (let i = 0; i <= 4; i++) {
    const share = lowest + ((1 - lowest) * i) / 4;
    drawing.append(
      svg("line", { class: "chart-grid", x1: plot.left, x2: plot.right, y1: y(share), y2: y(share) }),
      svg("text", { class: "chart-label", x: plot.left - 8, y: y(share) + 4, "text-anchor": "end" }, `${Math.round(100 * share)} %`),
    );
  }
  groups.forEach(({ name, size }, i) => {
    drawing.append(
      svg("text", { class: "chart-label", x: x(i), y: plot.bottom + 18, "text-anchor": "middle" }, name),
      svg("text", { class: "chart-note", x: x(i), y: plot.bottom + 33, "text-anchor": "middle" }, size.toLocaleString("en")),
    );
  });
  drawing.append(svg("text", { class: "chart-note", x: 0, y: plot.bottom + 54 }, axis));
  names.forEach((name, k) => {
    const points = groups.map((group, i) => [x(i), y(share(group, k))]);
    drawing.append(svg("polyline", { class: `chart-line line-${k}`, points: points.map((point) => point.join(",")).join(" ") }));
    drawing.append(...points.map(([px, py]) => marker(k, px, py)));
    // The widest class is the highest line, so it comes first.
    const legend = plot.top + 6 + (names.length - 1 - k) * 20;
    drawing.append(svg("line", { class: `chart-line line-${k}`, x1: plot.right + 10, x2: plot.right + 38, y1: legend, y2: legend }));
    drawing.append(marker(k, plot.right + 24, legend));
    drawing.append(svg("text", { class: "chart-label", x: plot.right + 46, y: legend + 4 }, name));
  });
  return figure(title, drawing, [axis.split(";")[0], "sentences", ...names], groups.map((group) => [
    group.name,
    group.size,
    ...group.classes.map(({ count }) => percent(count, group.size)),
  ]));
}

/** Returns a chart with its title and, behind a switch, its table. */
function figure(title, drawing, head, rows) {
  return el("figure", { class: "chart-figure" },
    el("figcaption", {}, title),
    drawing,
    el("details", {}, el("summary", {}, "As a table"), table(title, head, rows)),
  );
}

/** Returns a table that scrolls sideways if it must; the first cell of each row is its heading. */
export function table(title, head, rows) {
  const isNumber = (i) => i > 0 && rows.length > 0 && !(rows[0][i] instanceof Node);
  return el("div", { class: "table-scroll", tabindex: 0, role: "group", "aria-label": title },
    el("table", {},
      el("thead", {}, el("tr", {}, head.map((text, i) => el("th", { scope: "col", class: isNumber(i) ? "number" : null }, text)))),
      el("tbody", {}, rows.map(([first, ...rest]) => el("tr", {}, el("th", { scope: "row" }, first), rest.map(cell)))),
    ),
  );
}

function cell(value) {
  if (value instanceof Node) return el("td", {}, value);
  return el("td", { class: "number" }, typeof value === "number" ? value.toLocaleString("en") : value);
}

function share(group, k) {
  return group.size ? group.classes[k].count / group.size : 0;
}

function describe(group) {
  return `${group.name} words: ${group.classes.map(({ name, count }) => `${name} ${percent(count, group.size)}`).join(", ")}`;
}

/** Returns where the axis starts: a multiple of 20 % below every point, so that small differences show. */
function floor(groups) {
  const shares = groups.flatMap((group) => group.classes.map((_, k) => share(group, k)));
  return Math.min(0.8, Math.floor(Math.min(1, ...shares) * 5) / 5);
}

const SHAPES = [
  "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0",
  "M-4 -4h8v8h-8z",
  "M0 -5l5 9h-10z",
  "M0 -5l5 5l-5 5l-5 -5z",
  "M0 5l5 -9h-10z",
  "M-5 -1.5h3.5v-3.5h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5z",
];

function marker(k, x, y) {
  return svg("path", { class: `chart-marker line-${k}`, d: SHAPES[k % SHAPES.length], transform: `translate(${x} ${y})` });
}

function svg(name, attributes, text = null) {
  const shape = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
  if (text !== null) shape.textContent = text;
  return shape;
}
