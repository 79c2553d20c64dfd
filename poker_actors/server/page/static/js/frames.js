// A hand's record, one line of JSON, as pictures of the table: what each step did, by the rules of betting alone.

import { actionSentence, cardNames, chips, list } from "./words.js";

const STREETS = ["preflop", "flop", "flop", "flop", "turn", "river"];
const KNOWN = /[2-9TJQKA][shdc]/g;

/** Gives the frames of a record, each as `{picture, words}`, seen by the player called `me`. */
export function frames(record, me = null) {
  const hand = new Hand(record, me);
  hand.take(`${list(record.stacks.map((_, player) => hand.name(player)))} sit down.`);
  hand.post();
  for (const event of record.events) hand.step(event);
  hand.end(record);
  return hand.frames;
}

class Hand {
  constructor(record, me) {
    this.record = record;
    this.frames = [];
    this.board = [];
    this.pot = 0; // of the streets before this one
    this.players = record.stacks.map((stack) => ({
      stack, bet: 0, putIn: 0, cards: [], shown: false, folded: false, did: null, won: 0,
    }));
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
    else if ("acted" in event) this.acted(event);
    else if ("street_dealt" in event) this.street(event.street_dealt.match(KNOWN) ?? []);
    else if ("shown" in event) this.showed(event);
    else if ("mucked" in event) this.take(`${this.name(event.mucked)} does not show.`);
  }

  dealt({ hole_dealt: player, cards }) {
    const known = cards.match(KNOWN) ?? [];
    this.players[player].cards = known.length ? known : Array(cards.length / 2).fill("");
    if (known.length) this.take(`${this.name(player)} is dealt ${cardNames(known)}.`);
  }

  acted({ acted: player, move, to }) {
    const one = this.players[player];
    const most = Math.max(...this.players.map((other) => other.bet));
    let did = move;
    if (move === "fold") one.folded = true;
    else if (move === "raise" || move === "bet") {
      this.pay(player, to - one.bet);
      did = most > 0 ? `raise_to ${to}` : `bet ${to}`;
    } else {
      const paid = this.pay(player, most - one.bet);
      did = paid > 0 ? `call ${paid}` : "check";
    }
    one.did = did;
    this.take(`${actionSentence(this.name(player), did)}${one.stack === 0 && move !== "fold" ? ", all-in" : ""}.`);
  }

  street(cards) {
    this.gather();
    this.board.push(...cards);
    const street = STREETS[Math.min(5, this.board.length)];
    this.take(`${street.charAt(0).toUpperCase()}${street.slice(1)}: ${cardNames(cards)}.`);
  }

  gather() {
    for (const one of this.players) {
      this.pot += one.bet;
      one.bet = 0;
      if (!one.folded) one.did = null;
    }
  }

  showed({ shown: player, cards }) {
    const known = cards.match(KNOWN) ?? [];
    const one = this.players[player];
    one.cards = known.length ? known : one.cards;
    this.take(`${this.name(player)} shows ${cardNames(known)}.`);
  }

  /** The last frame: what everybody has won, from the stacks the record ends with. */
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
    const words = won.map((amount, player) => [amount, player]).filter(([amount]) => amount > 0)
      .map(([amount, player]) => `${this.name(player)} takes ${chips(amount)}`);
    this.take(`${list(words)}.`, true);
  }

  take(words, over = false) {
    const total = this.pot + (over ? 0 : this.players.reduce((sum, one) => sum + one.bet, 0));
    const last = this.players.length - 1; // the button: the record's order begins left of it
    const picture = {
      hand_id: "replay", over, board: [...this.board], turn: null, you: this.mine === null ? null : { seat: this.mine },
      pots: total ? [{ size: total, seats: [] }] : [], winners: [],
      seats: this.players.map((one, player) => ({
        seat: this.seats[player], player_id: String(player), name: this.name(player), house: false,
        state: one.folded ? "folded" : one.stack === 0 && !over ? "all_in" : "active",
        stack: one.stack, bet: one.bet, put_in: one.putIn, button: player === last,
        cards: one.cards[0] ? one.cards : null, hidden: one.folded && !one.cards[0] ? 0 : one.cards.length,
        last_action: one.did, won: one.won,
      })).sort((one, other) => one.seat - other.seat),
    };
    this.frames.push({ picture, words });
  }
}
