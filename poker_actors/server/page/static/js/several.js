// Several tables side by side: each is this page again in a frame, so that every table has its own keys and dialogs.

import { ask } from "./api.js";
import { againstBots } from "./bots.js";
import * as dialogs from "./dialogs.js";
import { el, say, show } from "./dom.js";
import * as session from "./session.js";

const MOST = 6;
const TURN = "● ";

/** Whether this page is in a frame of such a window. */
export const framed = window.parent !== window;

/** Tell the window around this frame which screen its visitor wants. */
export function leaveFrame(path) {
  window.parent.postMessage({ from: decodeURIComponent(location.hash.split("/")[2] ?? ""), to: path }, location.origin);
}

/** Return the path of several tables. */
export const beside = (ids) => `/tables/${ids.map(encodeURIComponent).join(",")}`;

/** Ask which table to put beside the `open` ones; resolve with its id, or null. */
export function another(open) {
  return new Promise((resolve) => {
    let chosen = null;
    const list = el("ul", { class: "beside-list" });
    const state = el("p", { class: "small", role: "status" }, "Looking for tables…");
    const dialog = dialogs.open("Another table beside", "beside", state, list);
    dialog.addEventListener("close", () => resolve(chosen));
    const choose = (id) => {
      chosen = id;
      dialog.close();
    };
    ask("GET", "/lobby?limit=100").then(({ games, bots }) => {
      const rest = games.filter((one) => !open.includes(one.game));
      say(state, rest.length ? "Tables you sit at come first." : "No other table is open.");
      const mine = (one) => one.players.includes(session.me()?.name);
      list.append(...rest.sort((one, other) => mine(other) - mine(one)).map((one) => el("li", {},
        el("button", { type: "button", on: { click: () => choose(one.game) } },
          `${mine(one) ? "Go on at" : "Open"} ${one.name || `Table ${one.game.slice(0, 4)}`}`))),
      el("li", {}, el("button", { type: "button", class: "primary", on: { click: ({ target }) => {
        target.disabled = true;
        againstBots(bots).then(choose, (refusal) => {
          target.disabled = false;
          say(state, refusal.message);
        });
      } } }, "Play against bots at a new one")));
    }, (refusal) => say(state, refusal.message));
  });
}

class Pane {
  constructor(id, changed, close) {
    this.id = id;
    this.title = "Table";
    this.name = el("button", { type: "button", class: "quiet pane-name", on: { click: () => this.frame.focus() } }, this.title);
    this.frame = el("iframe", { src: `/#/table/${encodeURIComponent(id)}`, title: this.title });
    this.node = el("section", { class: "pane" },
      el("header", {}, this.name, el("button", { type: "button", class: "icon", "aria-label": "Close this table", on: { click: () => close(id) } }, "✕")),
      this.frame);
    this.frame.addEventListener("load", () => {
      const heading = this.frame.contentDocument?.querySelector("title");
      if (!heading) return;
      const told = () => {
        this.turn = heading.textContent.startsWith(TURN);
        this.title = heading.textContent.replace(/^● Your turn – /, "");
        this.frame.title = this.title;
        say(this.name, this.title);
        this.node.classList.toggle("to-act", this.turn);
        changed();
      };
      new MutationObserver(told).observe(heading, { childList: true });
      told();
    });
  }
}

/** Show the tables `ids` in `main`; return a function that ends it. Adding or closing one does not reload the others. */
export function several(main, ids, go) {
  const panes = [];
  const place = el("div", { class: "panes" });
  const open = () => panes.map((pane) => pane.id);
  const changed = () => {
    const turns = panes.filter((pane) => pane.turn).length;
    document.title = turns ? `${TURN}${turns === 1 ? "Your turn" : `${turns} turns`} – Tables` : "Tables";
    // keys go to the focused frame: move the focus to a table whose turn it is, but never away from one
    const idle = !panes.some((pane) => pane.turn && pane.frame === document.activeElement);
    if (idle && document.activeElement?.tagName === "IFRAME") panes.find((pane) => pane.turn)?.frame.focus();
  };
  const arranged = () => {
    place.dataset.count = panes.length;
    show(add, panes.length < MOST);
    // replaceState fires no hashchange, which would draw the screen anew and reload every table
    history.replaceState(null, "", `#${beside(open())}`);
    changed();
  };
  const close = (id) => {
    if (panes.length < 2) {
      go("/");
      return;
    }
    const [gone] = panes.splice(open().indexOf(id), 1);
    gone.node.remove();
    arranged();
  };
  const put = (id) => {
    const pane = new Pane(id, changed, close);
    panes.push(pane);
    place.append(pane.node);
  };
  const add = el("button", { type: "button", class: "add", on: { click: async () => {
    const id = await another(open());
    if (id === null) return;
    put(id);
    arranged();
  } } }, "Another table");
  for (const id of [...new Set(ids)].slice(0, MOST)) put(id);
  main.replaceChildren(el("section", { class: "several" }, el("h1", { class: "unseen" }, "Tables"), place, add));
  arranged();
  const heard = (event) => {
    if (event.origin !== location.origin || !open().includes(event.data?.from)) return;
    if (event.data.to === "/") close(event.data.from);
    else go(event.data.to);
  };
  addEventListener("message", heard);
  return () => removeEventListener("message", heard);
}
