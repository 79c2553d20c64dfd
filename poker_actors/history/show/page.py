"""Write histories as one HTML page with a replayer, stepped by arrow keys; the page loads nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from html import escape
from typing import Any, Final

import attrs

from poker_actors.history.hand_history import HandHistory
from poker_actors.history.show.drawing import drawing
from poker_actors.history.show.frames import Said, frames_of

__all__ = ["page"]

_PAGE: Final = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Hand replayer</title>
<style>
:root { color-scheme: light dark; --felt: #14532d; --ground: #fff; --ink: #1b1b1b; }
@media (prefers-color-scheme: dark) { :root { --felt: #113f24; --ground: #16181c; --ink: #e6e6e6; } }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; color: var(--ink);
  background: var(--ground); }
nav a { color: inherit; }
header { display: flex; gap: .3rem 1rem; align-items: baseline; flex-wrap: wrap; }
h1 { font-size: 1.5rem; margin: .3rem 0; }
#table { background: var(--felt); color: #fff; border-radius: 2rem; padding: 1.25rem; margin: .5rem 0 1rem; }
#board { font-size: 2rem; min-height: 3rem; text-align: center; letter-spacing: .3rem; }
#pot { text-align: center; }
#seats { display: grid; gap: .75rem; margin: 1rem 0 0; padding: 0; list-style: none;
  grid-template-columns: repeat(var(--wide), minmax(0, 1fr)); }
.seat { border: 1px solid #ffffff66; border-radius: .75rem; padding: .4rem .6rem; }
.seat.folded { background: #0006; border-style: dashed; }
.seat.folded .cards { opacity: .85; }
.seat.moved { border: 1px solid #facc15; box-shadow: 0 0 0 2px #facc15; }
.name { font-weight: 600; overflow-wrap: anywhere; }
.mark { float: right; width: 1.5rem; border-radius: 50%; font-size: .8rem; line-height: 1.5rem; text-align: center;
  text-decoration: none; background: #fff; color: #111; }
.cards { font-size: 1.3rem; min-height: 1.95rem; }
.red { color: #fca5a5; }
#words { font-size: 1.25rem; min-height: 3.75rem; margin: .5rem 0; }
button, select { font: inherit; padding: .3rem .7rem; }
#steps { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; }
@media (max-width: 40rem) { #seats { grid-template-columns: repeat(var(--narrow), minmax(0, 1fr)); gap: .5rem; }
  #table { padding: .75rem; border-radius: 1rem; } body { padding: .75rem; } }
</style>
</head>
<body>
<main>
@BACK@<header><h1>Hand replayer</h1><label>Hand <select id="hand"></select></label><span id="title"></span></header>
<p id="words" role="status" aria-live="polite"></p>
<div id="table"><div id="board"></div><div id="pot"></div><ul id="seats"></ul></div>
<p id="steps"><button id="first">&#8676; first</button> <button id="back">&#8592; back</button>
<button id="next">next &#8594;</button> <button id="last">last &#8677;</button> <span id="place"></span></p>
<p>Left and right arrows step, Home and End jump, up and down change the hand.</p>
</main>
<script id="hands" type="application/json">@HANDS@</script>
<script>
"use strict";
const hands = JSON.parse(document.getElementById("hands").textContent);
const at = id => document.getElementById(id);
let hand = 0, place = 0;
hands.forEach((one, number) => at("hand").add(new Option(one.name, number)));
function cards(target, text) {
  target.replaceChildren();
  for (const card of text.split(" ").filter(Boolean)) {
    const shown = document.createElement("span");
    shown.textContent = card.replace("s", "\\u2660").replace("h", "\\u2665").replace("d", "\\u2666")
      .replace("c", "\\u2663") + " ";
    if (card === "/") shown.textContent = " / ";
    if (/[hd]$/.test(card)) shown.className = "red";
    target.append(shown);
  }
}
function part(parent, kind, text, tag) {
  const made = document.createElement(tag || "div");
  made.className = kind;
  made.textContent = text;
  parent.append(made);
  return made;
}
function draw() {
  const frames = hands[hand].frames, frame = frames[place];
  at("hand").value = hand;
  at("title").textContent = hands[hand].title;
  at("words").textContent = frame.street + ": " + frame.words;
  cards(at("board"), frame.board);
  at("pot").textContent = "pot " + frame.pot;
  at("place").textContent = (place + 1) + " of " + frames.length;
  // as few rows as will do, and as even as they can be: six are three and three
  const count = frame.seats.length, rows = Math.ceil(count / 5);
  at("seats").style.setProperty("--wide", Math.ceil(count / rows));
  at("seats").style.setProperty("--narrow", count % 3 === 0 && count > 3 ? 3 : 2);
  at("seats").replaceChildren();
  for (const seat of frame.seats) {
    const box = part(at("seats"), "seat", "", "li");
    if (seat.button) part(box, "mark", "D", "abbr").title = "the button";
    if (seat.folded) box.classList.add("folded");
    if (frame.words.startsWith(seat.name + " ")) box.classList.add("moved");
    part(box, "name", seat.name);
    cards(part(box, "cards", ""), seat.cards);
    part(box, "stack", seat.stack);
    const said = [seat.folded && "folded", seat.bet && "bet " + seat.bet].filter(Boolean);
    part(box, "bet", said.join(", ") || "\\u00a0");
  }
}
function go(to) { place = Math.max(0, Math.min(hands[hand].frames.length - 1, to)); draw(); }
function choose(to) { hand = Math.max(0, Math.min(hands.length - 1, to)); go(0); }
const keys = {
  ArrowRight: () => go(place + 1), ArrowLeft: () => go(place - 1), Home: () => go(0),
  End: () => go(Infinity), ArrowDown: () => choose(hand + 1), ArrowUp: () => choose(hand - 1),
};
addEventListener("keydown", event => {
  if (event.key in keys && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    keys[event.key]();
  }
});
at("first").onclick = keys.Home; at("last").onclick = keys.End;
at("back").onclick = keys.ArrowLeft; at("next").onclick = keys.ArrowRight;
at("hand").onchange = event => choose(Number(event.target.value));
const named = () => choose(Number(location.hash.slice(1)) - 1 || 0);
addEventListener("hashchange", named);
named();
</script>
</body>
</html>
"""


def page(
    histories: Iterable[HandHistory],
    *,
    back: tuple[str, str] | None = None,
    said: Callable[[HandHistory], Said] = lambda history: {},
) -> str:
    """Return one HTML page for these hands; raise `Discrepancy` at the first that the rules disagree with.

    `#3` at the end of its address opens it at the third hand. `back` is the address and name of a page to link to;
    `said` gives what was said before the actions of a hand, by their numbers from 0.
    """
    hands = [_hand(number, history, said(history)) for number, history in enumerate(histories, start=1)]
    # a name with "</script>" would end the script element
    data = json.dumps(hands, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    link = "" if back is None else f'<nav><a href="{escape(back[0])}">{escape(back[1])}</a></nav>'
    return _PAGE.replace("@BACK@", link, 1).replace("@HANDS@", data)


def _hand(number: int, history: HandHistory, said: Said) -> dict[str, Any]:
    _, frames = frames_of(history, said)
    return {
        "name": history.hand_id or str(number),
        "title": drawing(history)[0],
        "frames": [attrs.asdict(frame) for frame in frames],
    }
