// Runs the page's own script on a few hundred bytes of DOM, and drives it as a person would.
"use strict";
const html = require("fs").readFileSync(process.argv[2], "utf8");
const listeners = {};
class Element {
  constructor() { this.children = []; this.attributes = {}; this.listeners = {}; this.textContent = ""; this.value = ""; this.innerHTML = ""; }
  addEventListener(kind, act) { this.listeners[kind] = act; }
  append(child) { this.children.push(child); }
  replaceChildren(...children) { this.children = children; }
  setAttribute(name, value) { this.attributes[name] = value; }
  removeAttribute(name) { delete this.attributes[name]; }
  scrollIntoView() {}
  fire(kind, event) { this.listeners[kind](event || {}); }
}
const elements = {};
for (const [, id] of html.matchAll(/ id="([a-z]+)"/g)) elements[id] = new Element();
elements.data.textContent = html.split('type="application/json">')[1].split("</script>")[0];
const document = {
  getElementById: (id) => elements[id],
  createElement: () => new Element(),
  addEventListener: (kind, act) => { listeners[kind] = act; },
};
const script = html.split("<script>")[1].split("</script>")[0];
new Function("document", script)(document);
const key = (name) => listeners.keydown({ key: name, preventDefault() {} });
const count = () => elements.count.textContent;
const seen = { start: count() };
elements.next.fire("click"); seen.next = count();
key("ArrowRight"); seen.right = count();
key("ArrowLeft"); seen.left = count();
elements.at.value = "9"; elements.at.fire("input"); seen.slider = count();
elements.messages.children[4].children[0].fire("click"); seen.row = count();
key("End"); seen.end = count();
key("ArrowRight"); seen.beyond = count();
key("Home"); seen.home = count();
seen.rows = elements.messages.children.length;
seen.drawn = elements.table.innerHTML.startsWith("<svg");
seen.current = elements.messages.children.filter((row) => row.children[0].attributes["aria-current"]).length;
console.log(JSON.stringify(seen));
