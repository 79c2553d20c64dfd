// The lobby: the open tables, and the ways to sit down at one.

import { ask, game } from "./api.js";
import { againstBots, BOTS, CALM } from "./bots.js";
import { card } from "./cards.js";
import * as dialogs from "./dialogs.js";
import { doing, el, say } from "./dom.js";
import { players } from "./results.js";
import * as session from "./session.js";
import { tournaments } from "./tournaments.js";
import { chips, many } from "./words.js";

/** Levels of the bots and their labels; without a level the bots are a mix of simple ones. */
const LEVELS = [["beginner", "Beginners"], ["casual", "Casual players"], ["regular", "Regulars"], ["strong", "Strong players"], ["expert", "Experts"],
  ["gambler", "Gamblers, who play too many hands"], ["stubborn", "Stubborn ones, who do not let go"], ["tame", "Tame ones, who check and call"],
  ["timid", "Timid ones, who give up"], ["wild", "Wild ones, who bet and raise"]];
/** The most tables listed at a time; a search finds the others. */
const SHOWN = 100;

/** Show the lobby in `main`; return a function that ends it. */
export function lobby(main, go) {
  const list = el("ul", { class: "tables", id: "tables" });
  const state = el("p", { class: "small", role: "status" }, "Looking for tables…");
  const named = el("input", { type: "search", maxlength: 64, "aria-label": "Tables or players called", placeholder: "Table or player" });
  const free = el("input", { type: "checkbox" });
  const filter = el("div", { class: "filter", role: "search" }, named, el("label", { class: "check" }, free, el("span", {}, "With a free seat")));
  const wrong = el("p", { class: "wrong", role: "alert", hidden: true });
  let bots = [];
  const level = el("select", { id: "level" }, el("option", { value: "" }, "A mix of simple bots"));
  const levels = el("label", { class: "field", hidden: true }, el("span", {}, "How good are they?"), level);
  let served = [];

  const { button } = doing(wrong);

  // both wait for the first picture of the lobby, with bots and games, which may arrive after the click
  const against = button("Play against bots", "primary large", async () => {
    await watching.first;
    go(`/table/${await againstBots(bots, level.value)}`);
  });
  const make = button("Make a table", "large", async () => {
    if (session.me() === null && (await dialogs.logIn("To sit at a table of your own, you need a name.")) === null) return;
    await watching.first;
    dialogs.makeTable(served, async (body) => {
      const made = await ask("POST", "/games/", { ...CALM, ...body });
      go(`/table/${made.gameID}`);
    });
  });

  const competition = el("p", { hidden: true }, el("a", { href: "#/arena" }, "The arena: a competition of bots. Hand one in, or sit down with one."));

  const events = tournaments(button, go);
  const ranked = players();
  main.replaceChildren(
    el("section", { class: "lobby" },
      el("div", { class: "hero" },
        el("div", { class: "hero-cards", "aria-hidden": "true" }, card("As"), card("Kh")),
        el("h1", {}, "No-limit hold'em, with people and bots"),
        el("p", {}, `Play money only. One click deals you in against ${BOTS} house bots; your name can wait.`),
        el("div", { class: "buttons" }, against, make), levels, wrong),
      el("h2", {}, "Tables"), filter, state, list, competition, events.node, ranked.node));
  document.title = "Poker room";

  const drawn = new Map(); // game id -> its row; an unchanged row is not replaced and keeps the focus
  const draw = (picture) => {
    bots = picture.bots ?? [];
    for (const [name, words] of LEVELS) {
      if (bots.includes(name) && !level.querySelector(`[value="${name}"]`)) level.append(el("option", { value: name }, words));
    }
    levels.hidden = level.options.length < 2;
    served = picture.served ?? [];
    competition.hidden = !picture.arena;
    for (const [id, one] of drawn) {
      if (picture.games.some((game) => game.game === id)) continue;
      one.node.remove();
      drawn.delete(id);
    }
    const here = (one) => Number(one.players.length > one.house) * 2 + Number(one.players.length > 0); // people, then bots alone, then nobody
    const shown = [...picture.games].sort((one, other) => here(other) - here(one));
    for (const one of shown) place(list, drawn, one, () => row(one, button, go));
    arrange(list, shown.map((one) => drawn.get(one.game).node));
    const count = picture.games.length;
    const all = picture.of ?? count;
    const none = named.value || free.checked ? "No such table is open." : "No table is open yet. Be the first.";
    say(state, count === 0 ? none : all > count ? `${chips(count)} of ${many(all, "table")}; search for the others.` : `${many(count, "table")} open.`);
  };
  const wanted = () => `limit=${SHOWN}&name=${encodeURIComponent(named.value)}&free=${free.checked ? 1 : 0}`;
  const watching = watch(draw, (text) => say(state, text), wanted);
  for (const input of [named, free]) input.addEventListener("change", watching.anew);
  return () => {
    watching.end();
    events.end();
    ranked.end();
  };
}

/** Put the rows in order; one that stands right is not moved, and keeps the focus. */
function arrange(list, nodes) {
  nodes.forEach((node, place) => list.children[place] !== node && list.insertBefore(node, list.children[place] ?? null));
}

/** Add a row, or replace a changed one; the focus stays on the same button. */
function place(list, drawn, one, make) {
  const text = JSON.stringify([one, session.me()]);
  const before = drawn.get(one.game);
  if (before?.text === text) return;
  const node = make();
  if (before === undefined) list.append(node);
  else {
    const focused = [...before.node.querySelectorAll("button, a")].indexOf(document.activeElement);
    before.node.replaceWith(node);
    if (focused >= 0) node.querySelectorAll("button, a")[focused]?.focus();
  }
  drawn.set(one.game, { text, node });
}

/** Return the row of one table, with the buttons to join and to watch it. */
function row(one, button, go) {
  const mine = session.me() !== null && one.players.includes(session.me().name);
  const full = one.players.length >= one.seats;
  const name = one.name || `Table ${one.game.slice(0, 4)}`;
  const enter = mine
    ? button("Go on playing", "primary", async () => go(`/table/${one.game}`))
    : button(full ? "Wait for a seat" : "Join", one.players.length ? "primary" : "", async () => {
      if (session.me() === null && (await dialogs.logIn(`To sit down at ${name}, you need a name.`)) === null) return;
      await ask("POST", game(one.game, "players", ""));
      go(`/table/${one.game}`);
    });
  const seats = el("span", { class: "pips", "aria-hidden": "true" },
    ...Array.from({ length: one.seats }, (_, seat) => el("i", { class: seat < one.players.length ? "taken" : "" })));
  return el("li", { class: "table-row" },
    el("div", { class: "table-what" },
      el("h3", {}, name),
      el("p", { class: "small" }, one.players.length ? one.players.join(", ") : "Nobody sits here."),
      el("p", { class: "table-seats" }, seats, el("span", {}, `${one.players.length} of ${many(one.seats, "seat")}`),
        one.waiting ? el("span", {}, `${chips(one.waiting)} waiting`) : null)),
    el("dl", { class: "facts" },
      fact("Game", one.plays), fact("Blinds", `${chips(one.stakes.small_blind)}/${chips(one.stakes.big_blind)}`),
      fact("Buy-in", chips(one.buy_in)), fact("Hands", chips(one.hands))),
    el("div", { class: "buttons" }, enter,
      el("a", { class: "button", href: `#/table/${encodeURIComponent(one.game)}`, "aria-label": `Watch ${name}` }, "Watch")));
}

const fact = (name, value) => el("div", {}, el("dt", {}, name), el("dd", {}, value));

/**
 * Follow the lobby by server-sent events. The browser reopens a broken stream, except a closed one, which is reopened
 * here. The promise `first` resolves after the first drawing; `anew` restarts with another filter, `end` stops.
 */
function watch(draw, tell, wanted) {
  let last = null;
  let again = null;
  let stream = null;
  let drawn;
  const first = new Promise((resolve) => { drawn = resolve; });
  const deaf = session.onUser(() => last !== null && draw(last));
  const heard = (event) => {
    last = JSON.parse(event.data);
    draw(last);
    drawn();
  };
  const listen = () => {
    stream = new EventSource(`/lobby/stream?${wanted()}`);
    stream.addEventListener("message", heard);
    stream.addEventListener("lobby", heard);
    stream.addEventListener("error", () => {
      tell("The server does not answer; trying again…");
      if (stream.readyState !== EventSource.CLOSED) return;
      again = setTimeout(listen, 2_000);
    });
  };
  listen();
  const stop = () => {
    clearTimeout(again);
    stream.close();
  };
  return {
    first,
    anew: () => {
      stop();
      listen();
    },
    end: () => {
      stop();
      deaf();
    },
  };
}
