// Make and change elements; text is inserted as text, never as markup, so that a player's name cannot inject HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Return a new element. Properties: `class`, `on` (listeners), `data`, `vars` (CSS variables) and attributes; children are nodes or text. */
export function el(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** Return a new SVG element, with the same arguments. */
export function svg(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

function fill(made, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") made.setAttribute("class", value);
    else if (name === "on") for (const [event, heard] of Object.entries(value)) made.addEventListener(event, heard);
    else if (name === "data") Object.assign(made.dataset, value);
    else if (name === "vars") for (const [key, one] of Object.entries(value)) made.style.setProperty(key, one);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Set an element's text if it differs: setting it again would make a screen reader repeat a live region. */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Show or hide an element. */
export function show(node, shown) {
  if (node.hidden === shown) node.hidden = !shown;
}

/** Return `run(button, task)`, which says a refusal of the task in `wrong`, and `button(label, kind, task, spoken)`, a button that runs one. */
export function doing(wrong) {
  const run = async (pressed, task) => {
    pressed.disabled = true;
    wrong.hidden = true;
    try {
      await task();
    } catch (refusal) {
      say(wrong, refusal.message);
      wrong.hidden = false;
    } finally {
      pressed.disabled = false;
    }
  };
  const button = (label, kind, task, spoken = null) => {
    const made = el("button", { type: "button", class: kind, "aria-label": spoken }, label);
    made.addEventListener("click", () => run(made, task));
    return made;
  };
  return { button, run };
}

/** Set an attribute if it differs; `null` removes it. */
export function attr(node, name, value) {
  if (value === null) node.removeAttribute(name);
  else if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

export const at = (id) => document.getElementById(id);
