// Cards to lay in open-face: touch a card, then the row it goes to; what is left over is thrown away.

import { card } from "./cards.js";
import { el, say, show } from "./dom.js";
import { ROWS } from "./rows.js";
import { cardName, many } from "./words.js";

const KEYS = ["t", "m", "b"];

/** The own cards and the rows as buttons; `changed(rows)` is called whenever a card finds or leaves its row. */
export class Laying {
  constructor(changed) {
    this.changed = changed;
    this.cards = el("div", { class: "lay-cards", role: "group", "aria-label": "Cards to lay" });
    this.rows = ROWS.map(([name], row) => el("button", {
      type: "button", class: "lay-row", "aria-keyshortcuts": KEYS[row].toUpperCase(), on: { click: () => this.put(row) },
    }, el("span", {}, name), el("small", {}), el("kbd", { "aria-hidden": "true" }, KEYS[row].toUpperCase())));
    this.node = el("div", { class: "lays", hidden: true }, this.cards, el("div", { class: "lay-rows", role: "group", "aria-label": "Rows" }, ...this.rows));
    this.held = [];
  }

  /** Offers `cards` for rows with room for so many, `count` of them to be laid. */
  offer(cards, { cards: count, rows: room }) {
    this.held = cards;
    this.count = count;
    this.room = room;
    this.where = new Map(); // card -> row
    this.chosen = new Set(cards.slice(0, 1));
    this.cards.replaceChildren(...cards.map((text) => el("button", {
      type: "button", class: "lay-card", data: { card: text }, on: { click: () => this.touch(text) },
    }, card(text), el("small", { "aria-hidden": "true" }))));
    this.show();
  }

  hide() {
    show(this.node, false);
    this.held = [];
  }

  /** Takes a card back from its row, or chooses it, or leaves it. */
  touch(text) {
    if (this.where.delete(text)) this.chosen = new Set([text]);
    else if (!this.chosen.delete(text)) this.chosen.add(text);
    this.show();
  }

  free(row) {
    return this.room[row] - [...this.where.values()].filter((one) => one === row).length;
  }

  /** Puts the chosen cards in a row, and chooses the next one. */
  put(row) {
    const cards = this.held.filter((text) => this.chosen.has(text));
    if (cards.length === 0 || cards.length > this.free(row)) return;
    for (const text of cards) this.where.set(text, row);
    const next = this.where.size < this.count ? this.held.find((text) => !this.where.has(text)) : undefined;
    this.chosen = new Set(next === undefined ? [] : [next]);
    this.show();
  }

  /** The cards by row, from the top. */
  get laid() {
    return ROWS.map((_, row) => this.held.filter((text) => this.where.get(text) === row));
  }

  get ready() {
    return this.where.size === this.count;
  }

  /** What the button says that lays them. */
  get words() {
    const left = this.held.length - this.count;
    if (!this.ready) return `Lay ${this.where.size} of ${this.count}`;
    return `Lay ${many(this.count, "card")}${left ? `, throw ${left} away` : ""}`;
  }

  show() {
    show(this.node, true);
    for (const node of this.cards.children) {
      const row = this.where.get(node.dataset.card);
      node.setAttribute("aria-pressed", String(this.chosen.has(node.dataset.card)));
      node.setAttribute("aria-label", `${cardName(node.dataset.card)}${row === undefined ? "" : `, ${ROWS[row][0].toLowerCase()} row`}`);
      say(node.lastElementChild, row === undefined ? (this.ready ? "away" : "") : ROWS[row][0]);
      node.classList.toggle("placed", row !== undefined);
    }
    this.rows.forEach((node, row) => {
      say(node.children[1], `${this.free(row)} free`);
      node.disabled = this.chosen.size === 0 || this.chosen.size > this.free(row);
    });
    this.changed(this.laid);
  }

  /** A key: a row's letter, or a card's number; gives whether it meant something. */
  pressed(key) {
    if (this.held.length === 0) return false;
    const row = KEYS.indexOf(key);
    const text = this.held[Number(key) - 1];
    if (row >= 0) this.put(row);
    else if (text !== undefined) this.touch(text);
    else return false;
    return true;
  }
}
