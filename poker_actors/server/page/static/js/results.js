// A player's results over time: figures, and a line that shows the same. The board of players, and who owes whom at a table.

import { ask, game } from "./api.js";
import { open } from "./dialogs.js";
import { el, say, show, svg } from "./dom.js";
import * as session from "./session.js";
import { chips, many } from "./words.js";

const WIDTH = 600;
const HEIGHT = 150;

export const signed = (amount) => `${amount < 0 ? "−" : "+"}${chips(Math.abs(amount))}`;

/** Return the profile's figures and line, drawn day by day; with only one day, hand by hand from `kept`, the newest first. */
export function profile(results, kept) {
  const { hands, net, days } = results;
  if (hands === 0) return el("section", { class: "results" }, el("p", { class: "small" }, "You have not played a hand yet."));
  const each = hands ? Math.round((net / hands) * 100) / 100 : 0;
  const best = days.reduce((most, day) => (day.net > most.net ? day : most), days[0] ?? { day: "", net: 0 });
  const facts = [["Hands", chips(hands)], ["Result", signed(net)], ["A hand", signed(each)], ["Days", chips(days.length)], ["Best day", `${best.day}, ${signed(best.net)}`]];
  const byDay = days.length > 1;
  const steps = byDay ? days.map((day) => day.net) : [...kept].reverse().map((one) => one.net);
  const words = byDay ? `by day, ${days[0].day} to ${days.at(-1).day}` : `over the last ${many(kept.length, "hand")}`;
  return el("section", { class: "results", "aria-label": "Results over time" },
    el("dl", { class: "facts" }, ...facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
    steps.length ? el("figure", {}, line(steps, words), el("figcaption", { class: "small" }, `Chips won, ${words}`)) : null);
}

function line(steps, words) {
  let sum = 0;
  const sums = [0, ...steps.map((step) => (sum += step))];
  const [least, most] = [Math.min(...sums), Math.max(...sums)];
  const y = (value) => HEIGHT - 8 - ((HEIGHT - 16) * (value - least)) / Math.max(1, most - least);
  const points = sums.map((value, at) => `${(WIDTH * at) / Math.max(1, sums.length - 1)},${y(value)}`);
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": `Chips won ${words}: from 0 to ${signed(sum)}` },
    svg("line", { x1: 0, x2: WIDTH, y1: y(0), y2: y(0), class: "zero" }), svg("polyline", { points: points.join(" ") }));
}

const SPANS = [["week", "Last 7 days"], ["month", "Last 30 days"], ["all", "All days"]];

/** Return the section with the board of the room's players, on which only those are who ask for it, and what ends it. */
export function players() {
  const span = el("select", { "aria-label": "Days that count" }, ...SPANS.map(([value, words]) => el("option", { value }, words)));
  const listed = el("input", { type: "checkbox" });
  const choice = el("label", { class: "check", hidden: true }, listed, el("span", {}, "List me here, for everybody to see"));
  const state = el("p", { class: "small", role: "status" }, "Looking…");
  const place = el("div", {});
  let told = null;
  const draw = () => {
    if (told === null) return;
    const { players: placed, fewer } = told[span.value];
    say(state, placed.length
      ? `Whole days up to ${told.as_of} (UTC). Sorted by the lower ends of the 95 % intervals.`
      : `Nobody listed has ${many(told.least_hands, "hand")} in these days, up to ${told.as_of} (UTC).`);
    place.replaceChildren(...[placed.length && ranks(placed),
      fewer.length && el("p", { class: "small" }, `With fewer than ${many(told.least_hands, "hand")}: ${fewer.map((one) => `${one.name} (${chips(one.hands)})`).join(", ")}.`)].filter(Boolean));
  };
  const look = async () => {
    const me = session.me();
    show(choice, false);
    try {
      told = await ask("GET", "/board");
      draw();
      if (me === null) return;
      const own = await ask("GET", "/account/board");
      if (session.me() !== me) return;
      listed.checked = own.listed;
      show(choice, true);
    } catch (refusal) {
      say(state, refusal.message);
    }
  };
  listed.addEventListener("change", async () => {
    try {
      await ask("POST", "/account/board", { listed: listed.checked });
      told = await ask("GET", "/board");
      draw();
    } catch (refusal) {
      listed.checked = !listed.checked;
      say(state, refusal.message);
    }
  });
  span.addEventListener("change", draw);
  look();
  return { node: el("section", { class: "players" }, el("h2", {}, "Players"), el("div", { class: "filter" }, span, choice), state, place), end: session.onUser(look) };
}

function ranks(placed) {
  const number = (value) => `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)}`;
  const rows = placed.map((one, at) => el("tr", {}, el("th", { scope: "row" }, `${at + 1}. ${one.name}`),
    el("td", { class: one.bb_per_100 < 0 ? "lost" : "won" }, number(one.bb_per_100)), el("td", {}, `± ${number(one.margin)}`), el("td", {}, chips(one.hands))));
  const heads = ["Player", "Big blinds per 100", "95 %", "Hands"].map((text) => el("th", { scope: "col" }, text));
  return el("div", { class: "accounts", tabindex: 0, role: "region", "aria-label": "The board of players" },
    el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)));
}

/** Show who owes whom at a table: what each has brought, taken and won, and the payments that settle it. */
export async function ledger(id) {
  if (document.querySelector("dialog.ledger") !== null) return;
  const state = el("p", { class: "small", role: "status" }, "Looking…");
  const place = el("div", {});
  open("Ledger", "ledger", state, place);
  try {
    const told = await ask("GET", game(id, "ledger"));
    say(state, "As of now, chips in a running hand with their owners.");
    place.replaceChildren(accounts(told), el("h3", {}, "To settle"), payments(told), el("p", { class: "buttons" },
      el("a", { class: "button", href: game(id, "ledger.csv"), download: "ledger.csv" }, "Save as CSV")));
  } catch (refusal) {
    say(state, refusal.message);
  }
}

function accounts({ players, house }) {
  const rows = players.map((one) => el("tr", { class: one.house ? "of-house" : null }, el("th", { scope: "row" }, called(one)),
    el("td", { class: one.net < 0 ? "lost" : one.net > 0 ? "won" : null }, one.net ? signed(one.net) : "0"),
    el("td", {}, chips(one.bought), one.times > 1 && el("small", {}, `in ${one.times}`)), el("td", {}, chips(one.cashed)),
    el("td", {}, one.seated ? chips(one.stack) : "–")));
  const heads = ["Player", "Net", "Bought", "Cashed", "Stack"].map((text) => el("th", { scope: "col" }, text));
  const bots = players.some((one) => one.house);
  return el("div", { class: "accounts", tabindex: 0, role: "region", "aria-label": "What everybody has brought and won" },
    el("table", {}, el("thead", {}, el("tr", {}, ...heads)), el("tbody", {}, ...rows)),
    house !== 0 && el("p", { class: "small" }, `The house${bots ? ", that is its bots," : ""} ${house > 0 ? "has won" : "has lost"} ${chips(Math.abs(house))}.`));
}

function payments({ players, payments: owed }) {
  if (owed.length === 0) return el("p", {}, "Nobody owes anybody.");
  const me = session.me()?.player_id;
  const named = (id) => (id === null ? "the house" : called(players.find((one) => one.player_id === id)));
  const lines = owed.map(({ payer, payee, chips: amount }) => {
    const from = payer === me ? "You give" : `${payer === null ? "The house" : named(payer)} gives`;
    return el("li", { class: payer === me || payee === me ? "mine" : null }, `${from} ${payee === me ? "you" : named(payee)} `, el("b", {}, chips(amount)));
  });
  return el("ul", { class: "payments" }, ...lines);
}

const called = (player) => player.name ?? "a deleted account";
