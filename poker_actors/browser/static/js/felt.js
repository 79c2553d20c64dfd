// The table: the felt with seats, boards, pots and winners, drawn from a picture and nothing else.

import { deal } from "./cards.js";
import { el, say, show } from "./dom.js";
import { FreeSeat } from "./free-seat.js";
import { places } from "./layout.js";
import { laidBy } from "./rows.js";
import { SeatView } from "./seats.js";
import { chips, list, winnersSentence } from "./words.js";

/** A drawn table; `node` is its element. With `choose(seat, button)`, visitors without a seat see the free ones as buttons. */
export class Felt {
  constructor(choose = null) {
    this.choose = choose;
    this.views = new Map();
    this.boards = el("span", { class: "boards" });
    this.pots = el("p", { class: "pots" });
    this.result = el("p", { class: "result" });
    this.seats = el("ul", { class: "seats", "aria-label": "Seats" });
    this.bets = el("div", { class: "bets", "aria-hidden": "true" });
    this.node = el("div", { class: "stage" }, el("div", { class: "felt", "aria-hidden": "true" }),
      el("div", { class: "middle" }, this.pots, this.boards, this.result), this.bets, this.seats);
    this.turn = null;
    this.offset = 0;
  }

  /** Draw a picture; `mine` is the viewer's seat, or null. */
  update(picture, mine = picture.you?.seat ?? null) {
    const taken = picture.seats.filter((seat) => seat.state !== "empty");
    const drawn = this.choose !== null && picture.you === null ? picture.seats : taken;
    const first = Math.max(0, drawn.findIndex((seat) => seat.seat === mine));
    const order = [...drawn.slice(first), ...drawn.slice(0, first)];
    const where = places(order.length);
    this.node.dataset.count = order.length;
    this.node.classList.toggle("laid", Boolean(picture.open_face));
    this.drop(order);
    order.forEach((seat, place) => {
      const turn = picture.turn?.seat === seat.seat;
      this.view(seat).update(seat, where[place], { mine: seat.seat === mine, turn, laid: laidBy(picture, seat.seat), owes: picture.you?.owes });
    });
    this.arrange(order);
    this.turn = picture.turn;
    this.drawBoards(picture);
    this.drawPots(picture, taken);
    const winners = picture.over ? picture.winners ?? [] : [];
    say(this.result, winnersSentence(winners, mine));
    show(this.result, winners.length > 0);
    show(this.pots, !(winners.length > 0));
  }

  view(seat) {
    const key = `${seat.seat} ${seat.player_id ?? seat.name}`;
    if (!this.views.has(key)) {
      const view = seat.state === "empty" ? new FreeSeat(this.choose) : new SeatView();
      this.views.set(key, view);
      this.bets.append(view.bet);
    }
    return this.views.get(key);
  }

  /** Remove the seats of players who have left. */
  drop(order) {
    const keys = new Set(order.map((seat) => `${seat.seat} ${seat.player_id ?? seat.name}`));
    for (const [key, view] of this.views) {
      if (keys.has(key)) continue;
      view.node.remove();
      view.bet.remove();
      this.views.delete(key);
    }
  }

  /** Put the seats in reading order for screen readers: the viewer's first, then clockwise; a seat in place keeps the focus. */
  arrange(order) {
    order.forEach((seat, place) => {
      const node = this.view(seat).node;
      if (this.seats.children[place] !== node) this.seats.insertBefore(node, this.seats.children[place] ?? null);
    });
  }

  /** Draw the board, or several boards below each other. */
  drawBoards(picture) {
    const boards = picture.boards?.length ? picture.boards : [picture.board];
    while (this.boards.children.length > boards.length) this.boards.lastElementChild.remove();
    while (this.boards.children.length < boards.length) this.boards.append(el("span", { class: "board", role: "group" }));
    this.boards.dataset.count = boards.length;
    boards.forEach((board, number) => {
      const node = this.boards.children[number];
      node.setAttribute("aria-label", boards.length > 1 ? `Board ${number + 1}` : "Board");
      const wide = Math.max(picture.board_cards ?? 5, board.length);
      deal(node, picture.hand_id === null ? [] : Array.from({ length: wide }, (_, place) => board[place] ?? null));
    });
  }

  /** Show in a seat's rows the cards that its player is about to lay. */
  lay(seat, rows) {
    for (const view of this.views.values()) if (Number(view.node.dataset.seat) === seat) view.pend(rows);
  }

  drawPots(picture, taken) {
    const pots = picture.pots ?? [];
    const total = pots.reduce((sum, pot) => sum + pot.size, 0);
    const parts = total === 0 ? [] : pots.length < 2 ? [["Pot", total]] : pots.map((pot, place) => [place ? `Side pot${pots.length > 2 ? ` ${place}` : ""}` : "Main pot", pot.size]);
    const text = JSON.stringify(parts);
    if (this.pots.dataset.text === text) return;
    this.pots.dataset.text = text;
    const names = new Map(taken.map((seat) => [seat.seat, seat.name]));
    this.pots.replaceChildren(...parts.map(([name, size], place) => el("span", {
      class: "pot", title: pots.length > 1 ? `for ${list(pots[place].seats.map((seat) => names.get(seat) ?? `seat ${seat}`))}` : null,
    }, el("i", { class: "chip", "aria-hidden": "true" }), `${name} `, el("b", {}, chips(size)))));
  }

  /** Draw the time left and return it in seconds, or null if it is nobody's turn; `now` is the server's clock in seconds. */
  tick(now) {
    const left = this.turn === null ? null : Math.max(0, this.turn.expiry - now);
    for (const view of this.views.values()) {
      const acts = left !== null && Number(view.node.dataset.seat) === this.turn.seat;
      view.time(acts ? left : null, this.turn);
    }
    return left;
  }
}
