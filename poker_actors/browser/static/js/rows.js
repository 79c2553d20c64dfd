// A seat's rows in open-face: three, five and five cards, both those laid and those about to be laid.

import { deal } from "./cards.js";
import { el, say, show } from "./dom.js";
import { many } from "./words.js";

export const ROWS = [["Top", 3], ["Middle", 5], ["Bottom", 5]];

/**
 * Return a seat's rows in a picture, null in other games: the cards, whether the seat is in fantasy land and lays face
 * down, the points once scored, and whether the cards still to lay are drawn beside the rows.
 */
export function laidBy(picture, seat) {
  const all = picture.open_face;
  if (!all) return null;
  const last = all.deals.at(-1);
  return {
    rows: all.rows[seat] ?? [[], [], []],
    fantasy: all.fantasy.includes(seat) && !picture.over,
    hand: all.hands === true,
    points: last !== undefined && (picture.over || all.rows.flat(2).length === 0) ? last.points[seat] : null,
  };
}

/** The three rows of one seat; `node` is their element. */
export class Rows {
  constructor() {
    this.rows = ROWS.map(([name]) => el("span", { class: "row", role: "group", "aria-label": `${name} row` }));
    this.words = el("span", { class: "row-words", hidden: true });
    this.node = el("span", { class: "rows", hidden: true }, ...this.rows, this.words);
    this.laid = null;
  }

  /** Draw the rows; null hides them. */
  update(laid) {
    this.laid = laid;
    show(this.node, laid !== null);
    if (laid === null) return;
    this.draw([[], [], []]);
    const points = laid.points === null ? "" : many(laid.points, "point");
    const words = laid.fantasy ? "Fantasy land" : laid.points > 0 ? `+${points}` : points;
    say(this.words, words);
    show(this.words, words !== "");
  }

  /** Draw the cards laid and, after them in each row, those about to be laid. */
  draw(pending) {
    this.rows.forEach((node, row) => {
      const cards = [...this.laid.rows[row], ...pending[row]];
      deal(node, Array.from({ length: ROWS[row][1] }, (_, place) => cards[place] ?? null));
      [...node.children].forEach((card, place) => card.classList.toggle("pending", place >= this.laid.rows[row].length && place < cards.length));
    });
  }
}
