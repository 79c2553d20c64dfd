// Draw cards: a rank and the shape of a suit, or a back.

import { el, svg } from "./dom.js";
import { cardName } from "./words.js";

/** Outlines of the suits as SVG paths, in a square of 32. */
const SHAPES = {
  s: "M16 2c4 6 12 9 12 16 0 5-3.500 7.500-7 7.500-1.600 0-3-.6-4-1.600.2 2.800 1.200 4.600 3 6.100h-8c1.800-1.500 2.800-3.300 3-6.100-1 1-2.400 1.600-4 1.600-3.500 0-7-2.500-7-7.500C4 11 12 8 16 2z",
  h: "M16 29C8 22.500 3 17.500 3 11.500 3 7 6.300 4 10 4c2.500 0 4.700 1.300 6 3.500C17.300 5.300 19.500 4 22 4c3.700 0 7 3 7 7.500 0 6-5 11-13 17.500z",
  d: "M16 2l10.500 14L16 30 5.500 16z",
  c: "M16 3a6.300 6.300 0 0 1 5.300 9.700 6.300 6.300 0 1 1-3.800 11.200c.3 2.600 1.100 4.300 2.700 6.100h-8.400c1.600-1.800 2.400-3.500 2.700-6.100a6.300 6.300 0 1 1-3.800-11.200A6.300 6.300 0 0 1 16 3z",
};

function suit(letter, kind) {
  return svg("svg", { viewBox: "0 0 32 32", class: kind, "aria-hidden": "true", focusable: "false" }, svg("path", { d: SHAPES[letter] }));
}

/** Return a card, two letters of rank and suit, face up; any other text gives a back. */
export function card(text) {
  if (!(text[1] in SHAPES)) return back();
  const rank = text[0] === "T" ? "10" : text[0];
  return el("span", { class: "card", role: "img", "aria-label": cardName(text), data: { suit: text[1], card: text } },
    el("span", { class: rank === "10" ? "rank ten" : "rank", "aria-hidden": "true" }, rank), suit(text[1], "corner"), suit(text[1], "middle"));
}

/** Return a card face down. */
export const back = () => el("span", { class: "card back", role: "img", "aria-label": "card face down" });

/** Return the empty place of a card still to come. */
export const gap = () => el("span", { class: "card gap", "aria-hidden": "true" });

/** Put cards in `node`: texts, `""` for a back, null for a gap. Unchanged cards are left alone, or they would be animated again. */
export function deal(node, cards) {
  cards.forEach((text, place) => {
    const before = node.children[place];
    const key = text ?? "gap";
    if (before?.dataset.key === key) return;
    const made = text === null ? gap() : text === "" ? back() : card(text);
    made.dataset.key = key;
    if (before?.dataset.key === "" && text) made.classList.add("turned");
    else if (text !== null) made.classList.add("dealt");
    if (before === undefined) node.append(made);
    else before.replaceWith(made);
  });
  while (node.children.length > cards.length) node.lastElementChild.remove();
}
