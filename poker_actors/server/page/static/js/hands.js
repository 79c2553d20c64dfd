// The hands played at a table: a list, and each one's own replay.

import { ask, game } from "./api.js";
import { open } from "./dialogs.js";
import { el, say } from "./dom.js";
import { frames } from "./frames.js";
import { Replayer } from "./replayer.js";
import * as session from "./session.js";
import { chips, list, winnerSentence } from "./words.js";

/** Opens the list of hands of a game. */
export async function hands(id) {
  if (document.querySelector("dialog.hands") !== null) return;
  const state = el("p", { class: "small", role: "status" }, "Looking…");
  const rows = el("ol", { class: "hand-list" });
  const place = el("div", { class: "replay", hidden: true });
  const dialog = open("Hands played here", "hands", place, state, rows);
  try {
    const played = await ask("GET", game(id, "hands"));
    say(state, played.length ? "The newest first. Those you were dealt into can be played again." : "No hand has ended here yet.");
    rows.append(...played.map((one) => row(id, one, place, dialog)));
  } catch (refusal) {
    say(state, refusal.message);
  }
}

function row(id, one, place, dialog) {
  const words = list(one.winners.map((winner) => winnerSentence(winner, winner.name === session.me()?.name))) || "Nobody won";
  const address = `${game(id, "hands", one.hand_id)}`;
  return el("li", {},
    el("span", { class: "hand-words" }, el("b", {}, `Hand ${chips(one.hands)}`), ` ${words}`, el("small", {}, list(one.players))),
    one.yours && el("span", { class: "buttons" },
      el("button", { type: "button", "aria-label": `Replay hand ${one.hands}`, on: { click: () => replay(address, place, dialog, one) } }, "Replay"),
      el("a", { class: "button", href: `${address}?format=phh`, download: `hand-${one.hands}.phh`, "aria-label": `Save hand ${one.hands} as PHH` }, "PHH")));
}

async function replay(address, place, dialog, one) {
  place.hidden = false;
  try {
    const history = await ask("GET", `${address}?format=json`);
    const replayer = new Replayer(frames(typeof history === "string" ? JSON.parse(history) : history, session.me()?.name));
    place.replaceChildren(el("h3", {}, `Hand ${chips(one.hands)}`), replayer.node);
    dialog.scrollTop = 0;
    replayer.node.focus();
  } catch (refusal) {
    place.replaceChildren(el("p", { class: "wrong", role: "alert" }, refusal.message));
  }
}
