// What a visitor can do at a table besides playing: sit down, leave, call bots, look at past hands.

import { ask, game } from "./api.js";
import * as dialogs from "./dialogs.js";
import { at, el, say, show } from "./dom.js";
import { another, beside } from "./several.js";
import { ledger } from "./results.js";
import * as session from "./session.js";
import { list, LONG, span } from "./words.js";

/** The buttons above the table, and the title in the page's bar. */
export class TableTools {
  constructor(id, go, notice, hands, log) {
    this.id = id;
    this.go = go;
    this.notice = notice;
    this.title = "Table";
    const button = (text, kind, task) => {
      const made = el("button", { type: "button", class: kind }, text);
      made.addEventListener("click", () => this.doing(made, task));
      return made;
    };
    this.sit = button("Take a seat", "primary", () => this.join());
    this.hands = button("Hands", "", async () => hands());
    this.ledger = button("Ledger", "ledger-button", () => ledger(id));
    this.bots = button("Bots", "", () => this.callBots());
    this.out = button("Sit out", "", () => this.seat("sit_out"));
    this.back = button("I am back", "primary", () => this.seat("sit_in"));
    this.leave = button("Leave", "", () => this.stand());
    this.log = button("Log", "log-button", async () => log());
    this.beside = button("Another table", "", () => this.openBeside());
    this.beside.id = "table-beside";
    this.status = el("p", { class: "status", role: "status" });
    this.node = el("div", { class: "table-tools" }, this.status, el("div", { class: "buttons" },
      this.sit, this.back, this.log, this.hands, this.ledger, this.bots, this.beside, this.out, this.leave));
  }

  /** Mark that something was said that only the log has. */
  news(is) {
    this.log.classList.toggle("news", is);
    this.log.title = is ? "Somebody has said something" : "";
  }

  /** Take the clicked seat. */
  async choose(seat, button) {
    await this.doing(button, () => this.join(seat));
  }

  async doing(button, task) {
    button.disabled = true;
    try {
      await task();
    } catch (refusal) {
      this.notice(refusal.message);
    } finally {
      button.disabled = false;
    }
  }

  update(picture) {
    this.title = picture.name || `Table ${picture.game.slice(0, 4)}`;
    const pace = picture.turn_seconds > LONG ? `, ${span(picture.turn_seconds)} a turn` : "";
    const key = `${this.title} ${picture.terms} ${picture.plays}${pace}`;
    if (this.key !== key) at("where").replaceChildren(el("b", {}, this.title), " ", el("span", {}, `${picture.plays} ${picture.terms}${pace}`));
    this.key = key;
    const { you } = picture;
    this.player = you?.player_id;
    const seated = you !== null && you.seat !== null;
    const waits = you !== null && !seated; // in the queue for a seat
    const taken = picture.seats.filter((seat) => seat.state !== "empty");
    const drawn = this.id.includes(" table "); // a tournament's table: its seats are drawn and cannot be chosen
    show(this.sit, !seated && !waits && !drawn);
    say(this.sit, taken.length < picture.seats.length ? "Take a seat" : "Wait for a seat");
    show(this.out, seated && !you.away && !drawn);
    show(this.back, seated && you.away);
    show(this.leave, (seated || waits) && !drawn);
    say(this.leave, waits ? "Stop waiting" : "Leave");
    this.free = picture.seats.length - taken.length;
    this.house = taken.some((seat) => seat.house);
    show(this.bots, seated && !drawn && (this.free > 0 || this.house));
    show(this.hands, !drawn && (seated || session.me() !== null));
    show(this.ledger, picture.ledger && session.me() !== null);
    show(this.beside, !drawn);
    say(this.status, this.words(picture, seated, waits, taken));
  }

  words(picture, seated, waits, taken) {
    const { you } = picture;
    const others = picture.waiting ?? [];
    const late = picture.watch_delay ? ` This is the table ${picture.watch_delay} seconds ago.` : "";
    if (waits) {
      const place = others.indexOf(session.me()?.name) + 1;
      return `${place > 1 ? `You wait for a seat, as number ${place}.` : "You wait for a seat, and get the next one."}${late}`;
    }
    const queue = others.length ? ` Waiting for a seat: ${list(others)}.` : "";
    if (!seated) return `You are watching.${late}${queue}`;
    if (taken.length < 2) return `Nobody else is here yet. Call a bot, or wait for company.${queue}`;
    const own = taken.find((seat) => seat.seat === you.seat);
    if (you.away) return `You sit out: no cards for you until you are back. After ${span(Math.max(900, picture.turn_seconds))} the seat is free.`;
    if (you.waiting || own?.state === "waiting") return `You are dealt in with the next ${you.owes?.waits ? "big blind" : "hand"}.${queue}`;
    return queue.trim();
  }

  /** Take a given seat, or any. */
  async join(seat = null) {
    if (session.me() === null && (await dialogs.logIn(`To sit down at ${this.title}, you need a name.`)) === null) return;
    await ask("POST", game(this.id, "players", ""), seat === null ? undefined : { seat });
  }

  /** Sit out, or sit in again. */
  async seat(what) {
    await ask("POST", game(this.id, "seat"), { do: what });
  }

  /** Open another table in the same window. */
  async openBeside() {
    const id = await another([this.id]);
    if (id !== null) this.go(beside([this.id, id]));
  }

  async stand() {
    await ask("DELETE", game(this.id, "players", this.player));
    this.go("/");
  }

  async callBots() {
    const { bots } = await ask("GET", "/lobby");
    const select = el("select", { autofocus: true }, ...bots.map((name) => el("option", { value: name }, name)));
    const send = (which) => which === "away"
      ? ask("DELETE", game(this.id, "house"))
      : ask("POST", game(this.id, "house"), { bot: select.value, count: 1 });
    dialogs.open("Bots", "bot", dialogs.form(send, [
      this.free > 0 && el("button", { type: "submit", value: "seat", class: "primary" }, "Seat it"),
      this.house && el("button", { type: "submit", value: "away" }, "Send all away"),
    ], this.free > 0 && el("label", { class: "field" }, el("span", {}, "Which one"), select),
    el("p", { class: "small" }, "They are the house's: they come and go between hands, and make room for people who wait.")));
  }
}
