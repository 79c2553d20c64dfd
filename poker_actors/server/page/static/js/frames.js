// Turn the record of a hand, one line of JSON, into pictures of the table, by the rules of betting alone.

import { ROWS } from "./rows.js";
import { actionSentence, cardNames, chips, list, many } from "./words.js";

const STREETS = ["preflop", "flop", "flop", "flop", "turn", "river"];
const KNOWN = /[2-9TJQKA][shdc]/g;

/** Return the frames of a record, `{picture, words}` each, as the player called `me` saw them. */
export function frames(record, me = null) {
  const hand = new Hand(record, me);
  hand.take(`${list(record.stacks.map((_, player) => hand.name(player)))} sit down.`);
  hand.post();
  for (const event of record.events) hand.step(event);
  hand.end(record);
  return hand.frames;
}

/** Return a player's cards as seen: all if known, else backs beside the open ones. */
function held({ cards, folded }) {
  const known = cards.filter(Boolean);
  if (cards.length && known.length === cards.length) return { cards: [...cards], hidden: cards.length, up: [] };
  return { cards: null, hidden: folded ? 0 : cards.length - known.length, up: folded ? [] : known };
}

class Hand {
  constructor(record, me) {
    this.record = record;
    this.frames = [];
    this.boards = [[]];
    this.awards = [];
    this.betting = false; // whether somebody has acted on this street
    this.pot = 0; // chips of the earlier streets
    this.players = record.stacks.map((stack) => ({
      stack, bet: 0, putIn: 0, cards: [], shown: false, folded: false, did: null, won: 0, rows: [[], [], []], points: 0,
    }));
    this.laid = record.events.some((event) => "laid" in event);
    const names = new Set(record.events.flatMap((event) => Object.keys(event)));
    this.boardless = !names.has("street_dealt") && (record.bring_in > 0 || names.has("discarded"));
    this.seats = record.seats ?? record.stacks.map((_, player) => player);
    this.mine = this.seats[record.players?.indexOf(me) ?? -1] ?? null;
  }

  name(player) {
    return this.record.players?.[player] ?? `player ${player + 1}`;
  }

  pay(player, amount) {
    const one = this.players[player];
    const paid = Math.min(one.stack, Math.max(0, amount));
    one.stack -= paid;
    one.bet += paid;
    one.putIn += paid;
    return paid;
  }

  post() {
    (this.record.antes ?? []).forEach((ante, player) => {
      const paid = this.pay(player, ante);
      this.players[player].bet -= paid;
      this.pot += paid;
      if (paid) this.take(`${actionSentence(this.name(player), `ante ${paid}`)}.`);
    });
    const blinds = (this.record.blinds ?? []).map((blind, player) => [Math.abs(blind), player]).filter(([blind]) => blind > 0);
    for (const [blind, player] of blinds.sort((one, other) => one[0] - other[0])) {
      this.pay(player, blind);
      const posted = blind === Math.max(...blinds.map(([most]) => most)) ? "big_blind" : "small_blind";
      this.take(`${actionSentence(this.name(player), `${posted} ${blind}`)}.`);
    }
  }

  step(event) {
    if ("hole_dealt" in event) this.dealt(event);
    else if ("discarded" in event) this.discarded(event);
    else if ("acted" in event) this.acted(event);
    else if ("posted" in event) this.posted(event);
    else if ("laid" in event) this.lay(event);
    else if ("scored" in event) this.scored(event);
    else if ("awarded" in event) this.awards.push(event);
    else if ("reshuffled" in event) this.again();
    else if ("street_dealt" in event) this.street(event.street_dealt.match(KNOWN) ?? [], event.board ?? 0);
    else if ("shown" in event) this.showed(event);
    else if ("mucked" in event) this.take(`${this.name(event.mucked)} does not show.`);
  }

  posted({ posted: player, kind, amount }) {
    const paid = this.pay(player, amount);
    this.players[player].bet -= paid;
    this.pot += paid;
    this.take(`${actionSentence(this.name(player), `${kind.replaceAll(" ", "_")} ${paid}`)}.`);
  }

  /** Lay cards in rows; in fantasy land they are unknown until they are shown. */
  lay({ laid: player, rows, counts }) {
    const one = this.players[player];
    const parts = rows.map((row, number) => [ROWS[number][0].toLowerCase(), row.match(KNOWN) ?? []]);
    parts.forEach(([, cards], row) => one.rows[row].push(...cards));
    one.cards = [];
    const words = parts.filter(([, cards]) => cards.length).map(([name, cards]) => `${cardNames(cards)} in the ${name} row`);
    this.take(`${this.name(player)} lays ${words.length ? list(words) : `${counts.reduce((sum, count) => sum + count, 0)} cards face down`}.`);
  }

  scored({ scored: player, points, chips: paid, fouled }) {
    const one = this.players[player];
    one.points += points;
    this.take(`${this.name(player)}${fouled ? " fouls:" : ""} ${points > 0 ? "+" : ""}${many(points, "point")}, ${paid > 0 ? "+" : ""}${chips(paid)}.`);
  }

  /** Start a deal in fantasy land, with a reshuffled pack. */
  again() {
    for (const one of this.players) one.rows = [[], [], []];
    this.take("Fantasy land: the pack is mixed again.");
  }

  dealt({ hole_dealt: player, cards }) {
    const known = cards.match(KNOWN) ?? [];
    if (this.laid) this.players[player].cards = [];
    if (this.betting) this.gather(); // in stud a street opens with hole cards and not with a board
    this.players[player].cards.push(...(cards.match(/../g) ?? []).map((card) => (card === "??" ? "" : card)));
    if (known.length) this.take(`${this.name(player)} is dealt ${cardNames(known)}.`);
  }

  /** Discard cards; of unknown ones, the leftmost. */
  discarded({ discarded: player, cards }) {
    if (this.betting) this.gather();
    const held = this.players[player].cards;
    const thrown = cards.match(/../g) ?? [];
    for (const card of thrown) {
      const known = held.indexOf(card === "??" ? "" : card);
      held.splice(known < 0 ? held.indexOf("") : known, 1); // a card never seen lies there face down
    }
    this.take(`${actionSentence(this.name(player), thrown.length ? `discard ${thrown.length}` : "stand pat")}.`);
  }

  acted({ acted: player, move, to }) {
    this.betting = true;
    const one = this.players[player];
    const most = Math.max(...this.players.map((other) => other.bet));
    let did = move;
    if (move === "fold") one.folded = true;
    else if (move === "raise" || move === "bet") {
      this.pay(player, to - one.bet);
      did = most > 0 ? `raise_to ${to}` : `bet ${to}`;
    } else if (move === "bring_in") did = `bring in ${this.pay(player, this.record.bring_in)}`;
    else {
      const paid = this.pay(player, most - one.bet);
      did = paid > 0 ? `call ${paid}` : "check";
    }
    one.did = did;
    this.take(`${actionSentence(this.name(player), did)}${one.stack === 0 && move !== "fold" ? ", all-in" : ""}.`);
  }

  street(cards, number) {
    if (cards.length === 0) return;
    this.gather();
    (this.boards[number] ??= []).push(...cards);
    const street = STREETS[Math.min(5, this.boards[number].length)];
    const which = number ? `Board ${number + 1}. ` : "";
    this.take(`${which}${street.charAt(0).toUpperCase()}${street.slice(1)}: ${cardNames(cards)}.`);
  }

  gather() {
    this.betting = false;
    for (const one of this.players) {
      this.pot += one.bet;
      one.bet = 0;
      if (!one.folded) one.did = null;
    }
  }

  showed({ shown: player, cards }) {
    const known = cards.match(KNOWN) ?? [];
    const one = this.players[player];
    if (this.laid) {
      if (one.rows.flat().length === 0) one.rows = [known.slice(0, 3), known.slice(3, 8), known.slice(8)];
      this.take(`${this.name(player)} shows the rows.`);
      return;
    }
    one.cards = known.length ? known : one.cards;
    this.take(`${this.name(player)} shows ${cardNames(known)}.`);
  }

  /** Add the last frame: the winnings of all, from the record's final stacks. */
  end(record) {
    const { finishing } = record;
    if (!finishing) return;
    this.gather();
    const won = this.players.map((one, player) => finishing[player] - one.stack);
    this.players.forEach((one, player) => {
      one.won = won[player];
      one.stack = finishing[player];
    });
    this.pot = 0;
    const several = this.boards.length > 1 || new Set(this.awards.map((one) => one.share)).size > 1;
    for (const { awarded: player, amount, board, share } of several ? this.awards : []) {
      const where = [share && `for the ${share}`, this.boards.length > 1 && `on board ${board + 1}`].filter(Boolean).join(" ");
      this.take(`${this.name(player)} takes ${chips(amount)} ${where}.`);
    }
    const words = won.map((amount, player) => [amount, player]).filter(([amount]) => amount > 0)
      .map(([amount, player]) => `${this.name(player)} takes ${chips(amount)}`);
    this.take(`${list(words)}.`, true);
  }

  /** Return the rows by seat, in the form of a picture. */
  rows() {
    const rows = [];
    const points = [];
    this.players.forEach((one, player) => {
      rows[this.seats[player]] = one.rows.map((row) => [...row]);
      points[this.seats[player]] = one.points;
    });
    const scored = this.players.some((one) => one.points !== 0);
    return { rows, fantasy: [], deals: scored ? [{ rows, points }] : [] };
  }

  take(words, over = false) {
    const total = this.pot + (over ? 0 : this.players.reduce((sum, one) => sum + one.bet, 0));
    const last = this.players.length - 1; // the button: the record's order of players begins to its left
    const picture = {
      hand_id: "replay", over, board: [...this.boards[0]], boards: this.boards.map((board) => [...board]), board_cards: this.boardless ? 0 : 5, turn: null, you: this.mine === null ? null : { seat: this.mine },
      open_face: this.laid ? this.rows() : null,
      pots: total ? [{ size: total, seats: [] }] : [], winners: [],
      seats: this.players.map((one, player) => ({
        seat: this.seats[player], player_id: String(player), name: this.name(player), house: false,
        state: one.folded ? "folded" : one.stack === 0 && !over ? "all_in" : "active",
        stack: one.stack, bet: one.bet, put_in: one.putIn, button: player === last,
        ...held(one),
        last_action: one.did, won: one.won,
      })).sort((one, other) => one.seat - other.seat),
    };
    this.frames.push({ picture, words });
  }
}
