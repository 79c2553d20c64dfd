// Short animations: bets move to the pot at the end of a street, and the pot moves to its winners.

import { still } from "./settings.js";

const MILLISECONDS = 380;

/** Animates chips over a felt when it is redrawn. */
export class Flights {
  constructor(felt) {
    this.felt = felt;
  }

  /** Call `draw` and animate the chips that moved between the two pictures; starts are measured before, ends after it. */
  between(before, after, draw) {
    const moving = before !== null && !still() && before.hand_id === after.hand_id;
    const bets = moving ? this.bets(before, after) : [];
    draw();
    if (!moving) return;
    const pot = box(this.felt.boards);
    for (const from of bets) this.fly(from, pot);
    if (!after.over || before.over) return;
    for (const { seat } of after.winners ?? []) this.fly(pot, box(this.felt.node.querySelector(`.seat[data-seat="${seat}"] .plate`)));
  }

  /** Return the positions of the bets that the next picture no longer has. */
  bets(before, after) {
    return before.seats.filter((seat, place) => seat.bet > 0 && after.seats[place]?.bet === 0)
      .map((seat) => box(this.felt.views.get(`${seat.seat} ${seat.player_id ?? seat.name}`)?.bet));
  }

  fly(from, to) {
    if (from === null || to === null) return;
    const stage = this.felt.node.getBoundingClientRect();
    const chip = document.createElement("i");
    chip.className = "chip flying";
    chip.setAttribute("aria-hidden", "true");
    this.felt.node.append(chip);
    const place = ({ x, y }) => ({ transform: `translate(${x - stage.x}px, ${y - stage.y}px)` });
    chip.animate([place(from), place(to)], { duration: MILLISECONDS, easing: "ease-in-out" }).finished
      .then(() => chip.remove(), () => chip.remove());
  }
}

/** Return the middle of an element; null if it is not visible. */
function box(node) {
  const { x, y, width, height } = node?.getBoundingClientRect() ?? {};
  return width ? { x: x + width / 2, y: y + height / 2 } : null;
}
