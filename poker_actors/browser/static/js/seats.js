// A seat at the table: face, name, stack, cards, bet and last action.

import { deal } from "./cards.js";
import { attr, el, say, show, svg } from "./dom.js";
import { Rows } from "./rows.js";
import { actionShort, chips, hue, initial, LONG, owing, span } from "./words.js";

const STATES = { waiting: "next hand", folded: "folded", all_in: "all-in", out: "out" };

const kind = (action) => (action.endsWith("all-in") ? "all_in" : action.split(" ")[0]);

/** The elements of one seat; `update` draws the seat of a picture. */
export class SeatView {
  constructor() {
    this.hand = el("span", { class: "hand" });
    this.letter = el("span", { class: "letter", "aria-hidden": "true" });
    this.ring = svg("circle", { cx: 24, cy: 24, r: 21.5, pathLength: 100, class: "left" });
    this.face = el("span", { class: "face" },
      svg("svg", { viewBox: "0 0 48 48", class: "ring", "aria-hidden": "true" }, svg("circle", { cx: 24, cy: 24, r: 21.5, class: "whole" }), this.ring),
      this.letter);
    this.name = el("span", { class: "name" });
    this.stack = el("span", { class: "stack" });
    this.dealer = el("span", { class: "dealer", title: "Dealer button" }, "D", el("span", { class: "unseen" }, "dealer"));
    this.did = el("span", { class: "did" });
    this.clock = el("span", { class: "clock", hidden: true });
    this.rows = new Rows();
    this.node = el("li", { class: "seat" }, this.rows.node, this.hand,
      el("span", { class: "plate" }, this.face, el("span", { class: "lines" }, this.name, this.stack), this.dealer), this.did, this.clock);
    this.amount = el("span", { class: "amount" });
    this.bet = el("span", { class: "bet" }, el("i", { class: "chip", "aria-hidden": "true" }), this.amount);
  }

  /** Draw a seat at a place; `mine`: it is the viewer's, `turn`: it is to act, `laid`: its rows in open-face, `owes`: the viewer's missed blinds. */
  update(seat, place, { mine, turn, laid = null, owes = null }) {
    for (const node of [this.node, this.bet]) {
      for (const key of ["x", "y", "px", "py"]) node.style.setProperty(`--${key}`, place[key]);
      node.classList.toggle("mine", mine);
    }
    const classes = this.node.classList;
    classes.toggle("to-act", turn);
    classes.toggle("won", seat.won > 0);
    classes.toggle("house", seat.house);
    this.node.dataset.state = seat.state;
    this.node.dataset.seat = seat.seat;
    attr(this.node, "aria-current", turn ? "true" : null);
    say(this.name, seat.name ?? "");
    this.name.title = seat.name ?? "";
    say(this.letter, initial(seat.name ?? ""));
    this.face.style.setProperty("--hue", hue(seat.name ?? ""));
    say(this.stack, chips(seat.stack));
    show(this.dealer, seat.button);
    const up = seat.up ?? [];
    this.rows.update(laid);
    const hand = laid === null || laid.hand; // cards still to lay: the player sees them beside the buttons, the debugger at the seat
    show(this.hand, hand);
    deal(this.hand, !hand ? [] : seat.cards ?? [...Array.from({ length: seat.hidden ?? 0 }, () => ""), ...up]);
    this.hand.classList.toggle("many", this.hand.children.length > 2);
    for (const node of this.hand.children) node.classList.toggle("lies-open", up.includes(node.dataset.card));
    classes.toggle("open", (Array.isArray(seat.cards) && seat.cards.length > 0) || up.length > 0);
    this.words(seat, mine ? owing(owes) : "");
    show(this.bet, seat.bet > 0);
    say(this.amount, chips(seat.bet));
    attr(this.bet, "aria-label", `${seat.name ?? ""} bet`);
  }

  /** Show cards about to be laid. */
  pend(rows) {
    if (this.rows.laid !== null) this.rows.draw(rows);
  }

  /** Write below the plate what the seat won, what it owes, its last action, or why it does not act. */
  words(seat, owed) {
    const words = seat.won > 0 ? `won ${chips(seat.won)}` : owed ? owed : seat.last_action && this.rows.laid === null ? actionShort(seat.last_action) : STATES[seat.state] ?? "";
    say(this.did, words);
    this.did.dataset.kind = seat.won > 0 ? "won" : kind(seat.last_action ?? "");
    show(this.did, words !== "");
  }

  /** Draw `left` of the turn's `turn.seconds` as a ring, and a long turn or the time bank in words too; null for no turn. */
  time(left, turn = null) {
    const part = left === null ? null : Math.min(1, left / turn.seconds);
    attr(this.ring, "class", part === null ? "left none" : turn.bank ? "left bank" : part < 0.3 ? "left late" : "left");
    if (part !== null) this.ring.style.setProperty("stroke-dashoffset", String(100 * (1 - part)));
    const words = left === null ? "" : turn.bank ? `time bank ${Math.ceil(left)}` : turn.seconds > LONG ? `${span(left)} left` : "";
    show(this.clock, words !== "");
    say(this.clock, words);
  }
}
