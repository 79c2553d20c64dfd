// Tell in sentences what happened between two pictures, for the log and for screen readers.

import { ROWS } from "./rows.js";
import { actionSentence, cardNames, chips, list, many, shareSentences, winnerSentence } from "./words.js";

const STREETS = { flop: "Flop", turn: "Turn", river: "River" };

const STUD = new Set(["third", "fourth", "fifth", "sixth", "seventh"]);

/** Return the sentences, oldest first, `{kind, text}` each. */
export function sentences(before, after) {
  const mine = after.you?.seat ?? null;
  const fresh = before === null || before.hand_id !== after.hand_id;
  return [
    ...(fresh ? beginning(before, after) : []),
    ...(fresh ? [] : actions(before, after, mine)),
    ...(fresh ? [] : deals(before, after, mine)),
    ...(fresh ? [] : street(before, after)),
    ...boards(fresh ? [] : before.boards ?? [before.board], after.boards ?? [after.board], fresh),
    ...(fresh ? [] : ending(before, after, mine)),
  ];
}

function beginning(before, after) {
  if (after.hand_id === null || after.over) return [];
  const cards = after.you?.cards?.length ? ` You have ${cardNames(after.you.cards)}.` : "";
  const other = before !== null && before.plays !== after.plays ? `A new hand: ${after.plays}.` : "A new hand.";
  return [{ kind: "hand", text: `${before === null ? "A hand is under way." : other}${cards}` }];
}

function actions(before, after, mine) {
  const old = new Map(before.seats.map((seat) => [seat.seat, seat]));
  const said = [];
  for (const seat of inOrder(after.seats, before.turn?.seat ?? 0)) {
    const was = old.get(seat.seat);
    if (was === undefined || was.player_id !== seat.player_id) continue;
    const closing = closed(before, after, was, seat);
    if (closing) said.push({ kind: "act", text: `${actionSentence(seat.name, closing, seat.seat === mine)}.` });
    if (!seat.last_action) continue;
    if (after.open_face) {
      if (before.turn?.seat === seat.seat && before.seq !== after.seq) said.push({ kind: "act", text: laid(before, after, seat, mine) });
      continue;
    }
    const acted = was.last_action !== seat.last_action || was.put_in !== seat.put_in || (before.turn?.seat === seat.seat && before.seq !== after.seq && before.street === after.street);
    if (acted) said.push({ kind: "act", text: `${actionSentence(seat.name, seat.last_action, seat.seat === mine)}.` });
  }
  return said;
}

/** Return the cards that a seat has laid, by row; in fantasy land, face down. */
function laid(before, after, seat, mine) {
  const you = seat.seat === mine;
  const scored = after.open_face.deals[before.open_face.deals.length];
  const rows = (scored ?? after.open_face).rows[seat.seat];
  const old = before.open_face.rows[seat.seat];
  const hidden = before.open_face.fantasy.includes(seat.seat);
  const parts = hidden ? [] : ROWS.map(([name], row) => [name.toLowerCase(), rows[row].filter((card) => !old[row].includes(card))])
    .filter(([, cards]) => cards.length).map(([name, cards]) => `${cardNames(cards)} in the ${name} row`);
  return `${you ? "You lay" : `${seat.name} lays`} ${parts.length ? list(parts) : "all cards face down"}.`;
}

/** Return the points of an open-face deal that has just ended, and the players in fantasy land in the next one. */
function deals(before, after, mine) {
  const [was, now] = [before.open_face, after.open_face];
  if (!was || !now || now.deals.length === was.deals.length) return [];
  const who = (seat) => (seat.seat === mine ? "you" : seat.name);
  const seats = after.seats.filter((seat) => seat.put_in > 0 || now.deals.at(-1).rows[seat.seat].flat().length > 0);
  const points = seats.map((seat) => [who(seat), now.deals.at(-1).points[seat.seat]])
    .map(([name, one]) => `${name} ${one > 0 ? "+" : ""}${many(one, "point")}`);
  const land = after.over ? [] : seats.filter((seat) => now.fantasy.includes(seat.seat)).map(who);
  return [{ kind: "street", text: `The rows are scored: ${list(points)}.` },
    ...(land.length ? [{ kind: "street", text: `In fantasy land: ${list(land)}.` }] : [])];
}

/** Return the check or call that ended a betting round, or null: the next picture is of a new street and no longer has it. */
function closed(before, after, was, seat) {
  const ended = before.street !== after.street || (after.over && !before.over);
  if (!ended || before.turn?.seat !== seat.seat || seat.state !== "active" || seat.last_action) return null;
  const toCall = Math.min(was.stack, Math.max(...before.seats.map((one) => one.put_in)) - was.put_in);
  const paid = seat.put_in - was.put_in;
  if (paid !== toCall) return null; // several actions between the two pictures: which one closed the round is unknown
  return paid > 0 ? `call ${paid}` : "check";
}

/** Return the seats clockwise from seat `first`. */
function inOrder(seats, first) {
  return [...seats.filter((seat) => seat.seat >= first), ...seats.filter((seat) => seat.seat < first)];
}

/** Return the street that opened and its open cards, in games without a board; `boards` covers the others. */
function street(before, after) {
  if (after.board_cards !== 0 || after.open_face || after.over || before.street === after.street) return [];
  const name = after.street[0].toUpperCase() + after.street.slice(1);
  const text = STUD.has(after.street) ? `${name} street` : name;
  const opened = inOrder(after.seats, 0).filter((seat) => seat.up?.length > (before.seats[seat.seat]?.up?.length ?? 0));
  const cards = opened.map((seat) => `${seat.name} ${cardNames(seat.up.slice(-1))}`);
  return [{ kind: "street", text: `${[text, ...(cards.length ? [cards.join(", ")] : [])].join(": ")}.` }];
}

/** Return the new cards of each board. */
function boards(before, after, fresh) {
  return after.flatMap((cards, number) => board(before[number] ?? [], cards, fresh)
    .map(({ kind, text }) => ({ kind, text: after.length > 1 ? `Board ${number + 1}. ${text}` : text })));
}

function board(before, after, fresh) {
  if (after.length <= before.length) return [];
  if (fresh) return [{ kind: "street", text: `On the board: ${cardNames(after)}.` }];
  const said = [];
  for (const [street, from, to] of [["flop", 0, 3], ["turn", 3, 4], ["river", 4, 5]]) {
    if (before.length <= from && after.length >= to) said.push({ kind: "street", text: `${STREETS[street]}: ${cardNames(after.slice(from, to))}.` });
  }
  return said;
}

function ending(before, after, mine) {
  if (!after.over || before.over) return [];
  const shown = after.open_face ? [] : after.seats.filter((seat) => seat.cards?.length && seat.seat !== mine)
    .map((seat) => ({ kind: "show", text: `${seat.name} shows ${cardNames(seat.cards)}.` }));
  const winners = after.winners ?? [];
  const shares = shareSentences(winners, mine).map((text) => ({ kind: "street", text: `${text}.` }));
  return [...shown, ...shares, ...winners.map((one) => ({ kind: "win", text: `${winnerSentence(one, one.seat === mine)}.` }))];
}

/** Return the question to the player: `Your turn: 20 to call, the pot is 60.` */
export function question(you) {
  if (you.legal.lay) return `Your turn: lay ${many(you.legal.lay.cards, "card")} of ${cardNames(you.cards)}.`;
  const { to_call: toCall, pot, discards = 0, must_discard: must = 0, bring_in: bringIn = 0 } = you.legal;
  if (discards) return `Your turn: ${must ? `give up ${must}` : `throw away up to ${discards}`} of your cards.`;
  if (bringIn) return `Your turn: bring it in for ${chips(bringIn)}, or complete the bet.`;
  return `Your turn: ${toCall > 0 ? `${chips(toCall)} to call` : "nothing to call"}, the pot is ${chips(pot)}.`;
}
