// Hands played: those of a table or of the user in a list, and the replay of each.

import { account } from "./account.js";
import { ask, game } from "./api.js";
import { open } from "./dialogs.js";
import { el, say } from "./dom.js";
import { profile, signed } from "./results.js";
import * as session from "./session.js";
import { chips, list, many, winnerSentence } from "./words.js";

/** Show a shared hand in `main`; its link is the only permission needed. Return a function that ends it. */
export function sharedHand(main, token) {
  const place = el("div", { class: "replay" }, el("p", { class: "small", role: "status" }, "Looking…"));
  main.replaceChildren(el("section", { class: "lobby" }, el("h1", {}, "A shared hand"), place));
  document.title = "A shared hand";
  replay(`/shared/${encodeURIComponent(token)}`, "A shared hand", place);
  return () => {};
}

/** Show the user's results and hands of all tables in `main`, with a search; return a function that ends it. */
export function archive(main) {
  const state = el("p", { class: "small", role: "status" }, "Looking…");
  const rows = el("ol", { class: "hand-list" });
  const place = el("div", { class: "replay", hidden: true });
  const search = el("input", { type: "search", maxlength: 64, "aria-label": "Search by table or player", placeholder: "Table or player" });
  const whole = el("div", {});
  const own = el("div", {});
  let asked = 0;
  const draw = async () => {
    const me = session.me();
    const name = search.value;
    const number = ++asked;
    own.replaceChildren(...(me === null ? [] : [account()]));
    if (me === null) {
      for (const node of [whole, rows]) node.replaceChildren();
      say(state, "Log in to see your hands.");
      return;
    }
    try {
      const { hands: found, net } = await ask("GET", `/account/hands?name=${encodeURIComponent(name)}`);
      // answers come in any order, and after logging out, too
      if (number === asked) {
        say(state, found.length ? `${many(found.length, "hand")} kept, ${signed(net)} chips. The newest first.` : "No hand of yours is kept here.");
        rows.replaceChildren(...found.map((one) => row(one.game, one, place, main)));
      }
      if (name) return;
      const results = await ask("GET", "/account/results");
      if (session.me() === me) whole.replaceChildren(profile(results, found));
    } catch (refusal) {
      if (number === asked) say(state, refusal.status === 401 ? "Log in to see your hands." : refusal.message);
    }
  };
  search.addEventListener("change", draw);
  main.replaceChildren(el("section", { class: "lobby" }, el("h1", {}, "Your results and hands"), whole, el("h2", {}, "Hands"), search, place, state, rows, own));
  document.title = "Your hands";
  draw();
  return session.onUser(draw);
}

async function share(one, id, button) {
  try {
    const { link } = await ask("POST", "/shared", { game: id, hand_id: one.hand_id });
    const address = el("input", { readonly: true, value: `${location.origin}${link}`, "aria-label": "Link to this hand", autofocus: true });
    open("Share this hand", "share", el("p", {}, "Whoever has this link sees the hand as you do: your cards, and those that were shown."),
      el("label", { class: "field" }, el("span", {}, "Link"), address));
    address.select();
  } catch (refusal) {
    say(button, refusal.message);
  }
}

/** Open the list of the hands of a game. */
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
      el("button", { type: "button", "aria-label": `Replay hand ${one.hands}`, on: { click: () => { dialog.scrollTop = 0; replay(address, `Hand ${chips(one.hands)}`, place); } } }, "Replay"),
      el("a", { class: "button", href: `${address}?format=html`, target: "_blank", rel: "noopener", "aria-label": `Open hand ${one.hands} as a page` }, "Page"),
      el("a", { class: "button", href: `${address}?format=phh`, download: `hand-${one.hands}.phh`, "aria-label": `Save hand ${one.hands} as PHH` }, "PHH"),
      el("button", { type: "button", "aria-label": `Share hand ${one.hands}`, on: { click: (event) => share(one, id, event.currentTarget) } }, "Share")));
}

/** Put the page that replays a hand in a frame; it has the focus once it is there, for its keys. */
async function replay(address, title, place) {
  place.hidden = false;
  try {
    await ask("GET", address); // a refusal is read here, where it can be told in words
    const frame = el("iframe", { class: "replayer", src: `${address}?format=html`, title, on: { load: () => frame.focus() } });
    place.replaceChildren(frame);
  } catch (refusal) {
    place.replaceChildren(el("p", { class: "wrong", role: "alert" }, refusal.message));
  }
}
