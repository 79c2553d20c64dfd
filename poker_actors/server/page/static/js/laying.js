// Lay cards in open-face: click a card, then its row; the cards left over are thrown away.

import { card } from "./cards.js";
import { el, say, show } from "./dom.js";
import { ROWS } from "./rows.js";
import { cardName, many } from "./words.js";

const KEYS = ["t", "m", "b"];

/** The player's cards and rows as buttons; `changed(rows)` is called whenever a card enters or leaves a row. */
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

  /** Offer `cards`, `count` of which are to be laid; `room` is the number of free places by row. */
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

  /** Take a card back from its row, or else choose it, or undo the choice. */
  touch(text) {
    if (this.where.delete(text)) this.chosen = new Set([text]);
    else if (!this.chosen.delete(text)) this.chosen.add(text);
    this.show();
  }

  free(row) {
    return this.room[row] - [...this.where.values()].filter((one) => one === row).length;
  }

  /** Put the chosen cards in a row and choose the next card. */
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

  /** The label of the button that lays the cards. */
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

  /** Handle a key, a row's letter or a card's number; return whether it is one of them. */
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
