// A free seat, which a click takes.

import { attr, el } from "./dom.js";

/** The elements of one free seat, with the methods of a `SeatView`. */
export class FreeSeat {
  constructor(choose) {
    this.button = el("button", { type: "button", class: "take", on: { click: () => choose(this.number, this.button) } }, "Sit here");
    this.node = el("li", { class: "seat free" }, this.button);
    this.bet = el("span", { hidden: true });
  }

  update(seat, place) {
    this.number = seat.seat;
    for (const key of ["x", "y", "px", "py"]) this.node.style.setProperty(`--${key}`, place[key]);
    this.node.dataset.seat = seat.seat;
    attr(this.button, "aria-label", `Sit here, seat ${seat.seat + 1}`);
  }

  time() {}

  pend() {}
}
