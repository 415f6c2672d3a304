// Keeps the row of words in view when a tall tree scrolls: the words get a layer of their own, which follows the view.

const MARGIN = 4;

/** `scale`: pixels for each unit of the drawing. */
export function keepWordsInView(scroller, canvas, svg, scale, signal) {
  const words = [...svg.querySelectorAll(".word[data-word]")];
  const [, , width, height] = (svg.getAttribute("viewBox") ?? "0 0 0 0").split(/\s+/).map(Number);
  if (!words.length || !width || !height) return;
  const units = rowOf(words);
  const layer = wordLayer(svg, words, width, units, scale);
  const row = { top: units.top * scale, height: units.height * scale };
  canvas.append(layer);
  const place = () => {
    const lowest = scroller.scrollTop + scroller.clientHeight - row.height;
    const y = Math.min(Math.max(row.top, scroller.scrollTop), Math.max(lowest, scroller.scrollTop));
    layer.classList.toggle("is-afloat", Math.abs(y - row.top) > 1);
    layer.style.transform = `translateY(${y}px)`;
  };
  scroller.addEventListener("scroll", place, { passive: true, signal });
  const observer = new ResizeObserver(place);
  observer.observe(scroller);
  signal.addEventListener("abort", () => observer.disconnect());
  // Short arcs matter most: begin where the words are.
  scroller.scrollTop = row.top + row.height * 3 - scroller.clientHeight;
  place();
}

function rowOf(words) {
  const boxes = words.map((element) => element.getBBox());
  const top = Math.min(...boxes.map((box) => box.y)) - MARGIN;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN;
  return { top, height: bottom - top };
}

function wordLayer(svg, words, width, row, scale) {
  const layer = svg.cloneNode(false);
  layer.setAttribute("viewBox", `0 ${row.top} ${width} ${row.height}`);
  layer.setAttribute("width", width * scale);
  layer.setAttribute("height", row.height * scale);
  layer.setAttribute("class", "tree-words");
  layer.setAttribute("aria-label", "Words");
  // Groups carry the size and colour of their texts.
  for (const parent of new Set(words.map((element) => element.parentElement))) {
    const group = parent === svg ? layer : layer.appendChild(parent.cloneNode(false));
    group.append(...words.filter((element) => element.parentElement === parent));
  }
  return layer;
}
