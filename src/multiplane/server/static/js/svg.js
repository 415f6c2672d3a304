// Takes a drawing from the server into the page. The server escapes all text; nothing is trusted here all the same.

const ALLOWED = new Set(["svg", "g", "path", "rect", "line", "circle", "text", "tspan", "title", "desc"]);

/** The <svg> element of a document, cleaned: drawing elements only, no handlers, styles, references or ids. */
export function parseSvg(text) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (root.nodeName !== "svg" || parsed.querySelector("parsererror")) throw new Error("The drawing is not a valid SVG image.");
  clean(root);
  return document.importNode(root, true);
}

function clean(element) {
  for (const { name, value } of [...element.attributes]) {
    const lower = name.toLowerCase();
    if (lower.startsWith("on") || lower === "style" || lower === "id" || lower.endsWith("href") || /url\s*\(/i.test(value)) {
      element.removeAttribute(name);
    }
  }
  for (const child of [...element.children]) {
    if (ALLOWED.has(child.localName) && child.namespaceURI === "http://www.w3.org/2000/svg") clean(child);
    else child.remove();
  }
}
