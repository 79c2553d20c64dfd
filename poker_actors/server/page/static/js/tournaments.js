// Tournaments: the list in the lobby, the standings of one, and the player's own table in it.

import { ask } from "./api.js";
import * as dialogs from "./dialogs.js";
import { el, say, show } from "./dom.js";
import * as session from "./session.js";
import { table } from "./table.js";
import { chips, many } from "./words.js";

const LOOK = 3_000; // milliseconds between two requests: tables and places change between hands
const STATES = { open: "takes players", playing: "is played", over: "is over" };

const at = (id, ...rest) => ["/tournaments", encodeURIComponent(id), ...rest].join("/");
const title = (one) => one.name || `Tournament ${one.id.slice(0, 4)}`;

/** Return the lobby's list of tournaments: `node` is its element, `end` stops its requests. */
export function tournaments(button, go) {
  const state = el("p", { class: "small", role: "status" });
  const list = el("ul", { class: "tables" });
  const draw = async () => {
    try {
      const { tournaments: all } = await ask("GET", "/tournaments");
      const text = JSON.stringify([all, session.me()]);
      if (list.dataset.text === text) return;
      list.dataset.text = text;
      say(state, all.length ? "" : "No tournament is announced.");
      list.replaceChildren(...all.map((one) => row(one, go)));
    } catch (refusal) {
      say(state, refusal.message);
    }
  };
  const make = button("Make a tournament", "", async () => {
    if (session.me() === null && (await dialogs.logIn("To play a tournament, you need a name.")) === null) return;
    const { served } = await ask("GET", "/lobby?limit=1");
    dialogs.makeTournament(served.filter((one) => one.name !== "dealers-choice"), async (body) => {
      const { id } = await ask("POST", "/tournaments", body);
      go(`/tournament/${id}`);
    });
  });
  const timer = setInterval(() => document.hidden || draw(), LOOK);
  draw();
  return { node: el("section", { class: "tournaments" }, el("h2", {}, "Tournaments"), make, state, list), end: () => clearInterval(timer) };
}

function row(one) {
  const mine = one.entrants.includes(session.me()?.name);
  const address = `#/tournament/${encodeURIComponent(one.id)}`;
  return el("li", { class: "table-row" },
    el("div", { class: "table-what" }, el("h3", {}, title(one)),
      el("p", { class: "small" }, one.entrants.join(", ") || "Nobody is in it yet.")),
    el("dl", { class: "facts" }, fact("In", `${one.entrants.length} of ${one.players}`), fact("A table", many(one.seats, "seat")), fact("Levels", `${one.minutes} min`)),
    el("div", { class: "buttons" }, el("a", { class: `button${one.state === "over" ? "" : " primary"}`, href: address, "aria-label": `${title(one)}, ${STATES[one.state]}` },
      one.state === "over" ? "Results" : mine ? "Go on" : one.can_enter ? "Look and join" : "Look")));
}

const nth = (place) => `${place}${place % 10 === 1 && place % 100 !== 11 ? "st" : place % 10 === 2 && place % 100 !== 12 ? "nd" : place % 10 === 3 && place % 100 !== 13 ? "rd" : "th"}`;

const fact = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));

/** Show a tournament in `main`: first to enter, then with the player's own table; return a function that ends it. */
export function tournament(main, id, go) {
  const screen = new TournamentScreen(main, id, go);
  return () => screen.close();
}

class TournamentScreen {
  constructor(main, id, go) {
    this.id = id;
    this.go = go;
    this.table = null;
    this.leaveTable = () => {};
    this.head = el("h1", {}, "Tournament");
    this.state = el("p", { class: "small", role: "status" }, "Looking…");
    this.wrong = el("p", { class: "wrong", role: "alert", hidden: true });
    this.enter = this.button("Enter", "primary", "POST", "players");
    this.out = this.button("Leave it", "", "DELETE", "players");
    this.fill = this.button("Fill with bots and begin", "", "POST", "house");
    this.rows = el("tbody", {});
    this.standings = el("table", { class: "standings" }, el("thead", {}, el("tr", {},
      ...["Place", "Player", "Chips", "Big blinds", "Prize"].map((name) => el("th", { scope: "col" }, name)))), this.rows);
    this.level = el("span", { role: "status" });
    this.clock = el("b", { role: "timer", title: "What is left of this level, and the next one" });
    this.strip = el("p", { class: "level", hidden: true }, this.level, " ", this.clock);
    this.about = el("section", { class: "lobby" }, this.head, this.state,
      el("div", { class: "buttons" }, this.enter, this.fill, this.out), this.wrong, this.standings);
    this.seat = el("div", { class: "own-table", hidden: true });
    main.replaceChildren(this.strip, this.seat, this.about);
    this.timer = setInterval(() => this.look(), LOOK);
    this.ticking = setInterval(() => this.tick(), 500);
    this.deaf = session.onUser(() => this.look());
    this.look();
  }

  button(text, kind, method, what) {
    const made = el("button", { type: "button", class: kind, hidden: true }, text);
    made.addEventListener("click", async () => {
      made.disabled = true;
      show(this.wrong, false);
      try {
        if (session.me() === null && (await dialogs.logIn("To play a tournament, you need a name.")) === null) return;
        await ask(method, at(this.id, what));
        await this.look();
      } catch (refusal) {
        say(this.wrong, refusal.message);
        show(this.wrong, true);
      } finally {
        made.disabled = false;
      }
    });
    return made;
  }

  async look() {
    let one;
    try {
      one = await ask("GET", at(this.id));
    } catch (refusal) {
      say(this.state, refusal.message);
      for (const button of [this.enter, this.out, this.fill]) show(button, false);
      return;
    }
    if (this.closed) return;
    this.one = one;
    this.offset = one.now - Date.now() / 1000;
    this.draw(one);
    this.tick();
  }

  draw(one) {
    const open = one.state === "open";
    say(this.head, title(one));
    say(this.state, this.words(one));
    show(this.enter, one.can_enter && !one.in);
    show(this.out, open && one.in);
    show(this.fill, open && one.in);
    this.drawStandings(one);
    this.sit(one);
    if (one.table === null) document.title = title(one);
  }

  words(one) {
    const { entrants, players, seats, minutes, game, plays } = one;
    const what = `${plays ?? game}, ${many(seats, "seat")} a table, 1,500 chips, blinds from 10/20 that rise every ${many(minutes, "minute")}.${this.late(one)}`;
    if (one.state === "open") return `${entrants.length} of ${players} are in: ${entrants.join(", ")}. It begins when all are. ${what}${this.paid(one)}`;
    if (one.state === "over") return `${one.standings[0]?.name ?? ""} has won.`;
    return `Level ${one.level}: ${one.terms}. ${many(this.left(one), "player")} of ${one.standings.length} left.${this.own(one)}${this.paid(one)}${one.can_enter ? this.late(one) : ""}`;
  }

  /** Return the player's own place and stack, in a sentence; empty for anybody else. */
  own(one) {
    const order = this.order(one);
    const rank = order.findIndex((player) => player.player_id === session.me()?.player_id && player.stack > 0);
    return rank < 0 ? "" : ` ${nth(rank + 1)} of ${this.left(one)}, ${order[rank].big_blinds.toFixed(1)} big blinds.`;
  }

  paid({ prizes }) {
    return prizes?.length ? ` Prizes: ${prizes.map(chips).join(", ")}.` : "";
  }

  order(one) {
    return [...one.standings].sort((first, second) => (first.place || 0) - (second.place || 0) || second.stack - first.stack);
  }

  /** Show how long the level still lasts. */
  tick() {
    const one = this.one;
    if (!one?.level_ends) return;
    const left = Math.max(0, Math.ceil(one.level_ends - Date.now() / 1000 - this.offset));
    const clock = left ? `in ${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : "with the next hand";
    say(this.clock, `${one.next_terms} ${clock}.`);
  }

  /** Return a sentence on late entry and rebuys; empty without late entry. */
  late({ late_levels: levels, rebuys }) {
    if (levels === 0) return "";
    return ` Late entry${rebuys ? ` and ${many(rebuys, "rebuy")} each` : ""} until the end of level ${levels}.`;
  }

  left(one) {
    return one.standings.filter((player) => player.stack > 0).length;
  }

  drawStandings(one) {
    const order = this.order(one);
    show(this.standings, order.length > 0);
    this.rows.replaceChildren(...order.map((player, rank) => el("tr", { class: player.name === session.me()?.name ? "own" : "" },
      el("td", {}, player.place || (player.stack ? rank + 1 : "")), el("th", { scope: "row" }, player.name),
      el("td", {}, player.stack ? chips(player.stack) : "out"), el("td", {}, player.stack ? player.big_blinds.toFixed(1) : ""), el("td", {}, player.prize ? chips(player.prize) : ""))));
  }

  /** Show the player's own table; another one after a move, and none once the player is out. */
  sit(one) {
    show(this.strip, one.table !== null);
    say(this.level, one.table === null ? "" : `Level ${one.level}: ${one.terms}.${this.own(one)}${this.paid(one)}`);
    show(this.about, one.table === null);
    if (one.table === this.table) return;
    this.table = one.table;
    this.leaveTable();
    this.leaveTable = () => {};
    this.seat.replaceChildren();
    show(this.seat, one.table !== null);
    document.documentElement.dataset.screen = one.table === null ? "lobby" : "table";
    if (one.table !== null) this.leaveTable = table(this.seat, one.table, () => this.look());
  }

  close() {
    this.closed = true;
    clearInterval(this.timer);
    clearInterval(this.ticking);
    this.deaf();
    this.leaveTable();
  }
}
