// Builds elements. Text is always text: nothing on this page is made of HTML strings.

/** An element with attributes, properties (`onclick`, `value`, …) and children: elements, strings, or null for none. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value" || key === "checked" || key === "disabled" || key === "hidden") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** A labelled field: the label's text above the control. */
export function field(label, control, hint = null) {
  return el("label", { class: "field" }, el("span", { class: "field-label" }, label), control, hint && el("span", { class: "hint" }, hint));
}

/** A <select> of [value, text] pairs. */
export function select(options, attributes = {}) {
  return el("select", attributes, options.map(([value, text]) => el("option", { value }, text)));
}

export function button(text, onclick, attributes = {}) {
  return el("button", { type: "button", onclick, ...attributes }, text);
}

/** Text in its own direction and language, kept apart from its surroundings, so that bidi controls in it change nothing else. */
export function word(text, attributes = {}) {
  return el("bdi", { class: "word-form", ...attributes }, text);
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
