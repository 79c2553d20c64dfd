// Numbers, cards, actions and results in plain words.

const RANKS = {
  A: "ace", K: "king", Q: "queen", J: "jack", T: "ten", 9: "nine", 8: "eight", 7: "seven",
  6: "six", 5: "five", 4: "four", 3: "three", 2: "two",
};
const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
const NUMBER = new Intl.NumberFormat("en");

export const chips = (amount) => NUMBER.format(amount);

export const cardName = (card) => `${RANKS[card[0]] ?? "unknown"} of ${SUITS[card[1]] ?? "nothing"}`;

export const cardNames = (cards) => list(cards.map(cardName));

/** Join words: `a`, `a and b`, `a, b and c`. */
export function list(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}

export const many = (count, one, more = `${one}s`) => `${chips(count)} ${count === 1 ? one : more}`;

/** Longer turns than so many seconds have their time in words, not in a ring alone. */
export const LONG = 300;

/** Return a time in words, by its two largest units: `2 d 4 h`, `3 h 20 min`, `12 min`; below two minutes in seconds: `95 s`. */
export function span(seconds) {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60];
  const words = (...parts) => parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`).join(" ");
  if (days) return words([days, "d"], [hours, "h"]);
  if (seconds >= 120) return words([hours, "h"], [minutes, "min"]);
  return `${Math.ceil(seconds)} s`;
}

/** Return which blinds one owes, missed while sitting out or as a newcomer, for one's own plate; null owes none. */
export function owing(owes) {
  if (!owes) return "";
  if (owes.waits) return "you wait for the big blind";
  return `you owe ${blindsOwed(owes)}`;
}

/** Return which blinds are owed, in words. */
export function blindsOwed({ small_blind: small, big_blind: big }) {
  return small && big ? "both blinds" : big ? "the big blind" : "the small blind";
}

const VERBS = {
  fold: ["fold", "folds"], check: ["check", "checks"], call: ["call", "calls"], bet: ["bet", "bets"],
  raise_to: ["raise to", "raises to"], all_in: ["all-in", "is all-in"],
  small_blind: ["small blind", "posts the small blind,"], big_blind: ["big blind", "posts the big blind,"],
  ante: ["ante", "posts the ante,"],
  bring: ["bring in", "brings it in"], discard: ["discard", "discards"], lay: ["lay", "lays"], stand: ["stand pat", "stands pat"],
};

/** Split `raise_to 60 all-in` into the verb, the amount in words, and whether the player is all-in. */
function parts(action) {
  const [verb, ...rest] = action.split(" ");
  const amount = /^\d+$/.test(rest[0] ?? "") ? ` ${chips(Number(rest[0]))}` : "";
  return [verb, amount, rest.includes("all-in")];
}

/** Return an action for a seat's plate: `raise to 60`, or `all-in 60`. */
export function actionShort(action) {
  const [verb, amount, all] = parts(action);
  return `${all ? "all-in" : VERBS[verb]?.[0] ?? verb.replaceAll("_", " ")}${amount}`;
}

/** Return an action as a sentence: `Ann raises to 60`, or with `you`, `You raise to 60`. */
export function actionSentence(name, action, you = false) {
  const [verb, amount, all] = parts(action);
  const [first, third] = VERBS[verb] ?? [verb, verb];
  const words = you ? (verb === "all_in" ? "are all-in" : third.startsWith("posts") ? third.replace("posts", "post") : first) : third;
  return `${you ? "You" : name} ${words}${amount}${all ? ", all-in" : ""}`;
}

/** Write a hand within a sentence: its words small, the ranks of a low as they are. */
const small = (hand) => hand.replaceAll(/[A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());

/** Return a winner in words: `Ann wins 240 with two pair, aces and sevens`. */
export function winnerSentence(winner, you = false) {
  const shares = winner.shares ?? [];
  const boards = new Set(shares.map((share) => share.board)).size > 1;
  const parts = shares.map((one) => `${small(one.hand)}${one.share ? ` for the ${one.share}` : ""}${boards ? ` on board ${one.board + 1}` : ""}`);
  const hand = winner.hand ? ` with ${small(winner.hand)}` : parts.length ? ` with ${list(parts)}` : "";
  return `${you ? "You win" : `${winner.name} wins`} ${chips(winner.amount)}${hand}`;
}

/** Return all winners in one sentence for the table; from three on without their hands, or it would cover the cards. */
export function winnersSentence(winners, mine = null) {
  if (winners.length < 3) return list(winners.map((one) => winnerSentence(one, one.seat === mine)));
  return `Split: ${list(winners.map((one) => `${one.seat === mine ? "you" : one.name} ${chips(one.amount)}`))}`;
}

const PARTS = [[1, "the whole pot"], [2, "half the pot"], [4, "a quarter of the pot"]];

/** Return each share of a pot split by boards or halves, in words: `Ann wins 120, half the pot, on board 2 with two pair`. */
export function shareSentences(winners, mine = null) {
  const all = winners.reduce((sum, one) => sum + one.amount, 0);
  const boards = new Set(winners.flatMap((one) => (one.shares ?? []).map((share) => share.board))).size;
  return winners.flatMap((one) => (one.shares ?? []).map(({ board, share, amount, hand }) => {
    const part = PARTS.find(([parts]) => Math.abs(amount * parts - all) < parts)?.[1];
    const where = boards > 1 ? ` on board ${board + 1}` : "";
    const which = share ? ` for the ${share}` : "";
    return `${one.seat === mine ? "You win" : `${one.name} wins`} ${chips(amount)}${part ? `, ${part},` : ""}${which}${where} with ${small(hand)}`;
  }));
}

/** Return the hue of an avatar, in degrees; it depends on the name alone. */
export function hue(name) {
  let sum = 7;
  for (const letter of name) sum = (sum * 31 + letter.codePointAt(0)) % 997;
  return (sum * 47) % 360;
}

export const initial = (name) => [...name.trim()][0]?.toUpperCase() ?? "?";
