// Dealer's choice: a dialog in which the dealer names the game of the next hands before the time is up.

import { open } from "./dialogs.js";
import { el, say, show } from "./dom.js";
import { span } from "./words.js";

/** Shows the dialog while it is the player's turn to name a game; `choose(name)` sends the choice and may throw. */
export class Naming {
  constructor(choose) {
    this.choose = choose;
    this.dialog = null;
    this.choice = null;
  }

  update(picture) {
    const mine = picture.choice && picture.you !== null && picture.choice.seat === picture.you.seat ? picture.choice : null;
    if (mine?.expiry === this.choice?.expiry) return;
    this.close();
    this.choice = mine;
    if (mine !== null) this.ask(mine);
  }

  ask({ games }) {
    this.left = el("p", { class: "small" });
    const wrong = el("p", { class: "wrong", role: "alert", hidden: true });
    const buttons = games.map(({ name, title }) => el("button", {
      type: "button", on: {
        click: async () => {
          try {
            await this.choose(name);
            this.dialog?.close();
          } catch (refusal) {
            say(wrong, refusal.message);
            show(wrong, true);
          }
        },
      },
    }, title));
    this.dialog = open("Name the game", "naming", el("p", {}, "Which game is played next, a hand for each seat of the table?"),
      el("div", { class: "games" }, ...buttons), wrong, this.left);
  }

  /** Show the time left; `now` is the server's clock in seconds. */
  tick(now) {
    if (this.choice !== null) say(this.left, `${span(Math.max(0, this.choice.expiry - now))} left; then the games take turns.`);
  }

  close() {
    this.dialog?.close();
    this.dialog = this.choice = null;
  }
}
