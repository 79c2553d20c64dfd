"""Where everything stands: in the row of a table, and in the desk that says what is played and where arrays are.

Both are int64. A row knows seats by place: 0 is the first left of the button, the button is the last. So a
mask of places lists them in the order in which they act and in which odd chips go. What belongs to one
place are `PLACE` numbers of the row; cards are bytes, in the order of the deck.
"""

from __future__ import annotations

from typing import Final

(
    HAND,
    BUTTON,
    STREET,
    BET,
    INCREMENT,
    LEAST,
    RAISES,
    LIVE,
    CAN_BET,
    WAITING,
    TURN,
    POT,
    ENDED,
    LOGGED,
    MARKS,
    _MARK_1,
    _MARK_2,
    _MARK_3,
    MISSING,
    DEAD,
    DEAD_PLACE,
    KEY,
    _KEY_1,
    _KEY_2,
    _KEY_3,
    CARDS,
    _CARDS_1,
    _CARDS_2,
    _CARDS_3,
    MOVED,
    PAID,
    DECKS_FIRST,
    DECKS,
) = range(33)
"""Of a row: number of the hand; the button's seat; street; the bet to match; the increment and the total of a
full raise; raises; masks of places live, able to bet, still to act; the place to act; chips put in; how it ended;
actions so far, and how many before each street; what short blinds fell short by; an ante for the whole table and
whose; the key of the decks; cards; by how many seats bots have moved on; who has won of a pot;
the cards of eight hands and the first of these hands. What belongs to places is next, from `PLACES`. Their luck follows,
where they have any; the log is last."""

DECK_WORDS: Final = 4
"""Of the cards of a hand: 32 of them, a byte each, hole cards by seat and then the board."""
PLACES: Final = DECKS + 8 * DECK_WORDS

STACK, FRONT, ANSWERED, START, ILLEGAL = range(5)
"""Of a place: chips behind and in front, the bet answered on this street, chips before the hand, actions of the
hand that were not legal."""
PLACE: Final = 5

FOLDED_OUT: Final = 1
SHOWDOWN: Final = 2
STREETS: Final = 4
NOT_YET: Final = -1
NO_LIMIT, POT_LIMIT, FIXED_LIMIT = range(3)
GROUP: Final = 4
GROUPS_MOST: Final = 4
MOST_SEATS: Final = 10

(
    SEATS,
    SMALL,
    BIG,
    ANTE,
    BIG_ANTE,
    STRADDLE,
    MIN_BET,
    BETTING,
    CAP,
    SIZES,
    SIZES_AT,
    LOG_AT,
    LOG_SIZE,
    ROW_SIZE,
    STRENGTH_KEYS,
    STRENGTH_LOW,
    STRENGTHS,
    _OF_FIVE,
    _HIGH_OF_SIX,
    _OF_SIX,
    _HIGH_OF_SEVEN,
    _OF_SEVEN,
    FLUSHES,
    SCRATCH,
    SEEN,
    SEEN_SIZE,
    SEEN_LIVE,
    SEEN_HISTORY,
    SEEN_ROWS,
    ROWS,
    SEEN_AT,
    ACTIONS_AT,
    ASKED_AT,
    TURNS_AT,
    MASKS_AT,
    REWARDS_AT,
    OVER_AT,
    WRONG_AT,
    DEALT_AT,
    AUTORESET,
    FIRST,
    LAST,
    LEARNER,
    FINAL_AT,
    LUCK_AT,
    POLICIES_AT,
    RANKS_AT,
    DUPLICATE,
    SESSION,
    FIRST_STACKS,
    RECORD_AT,
    TOLD_AT,
    LINES_AT,
    EXPERT_AT,
    KNOWN_AT,
    HOLE,
    PACK,
    GROUPS,
) = range(58)
"""Of a desk: seats; forced bets; the smallest bet; the structure of bets; the most bets of a street; how many sizes,
and where they are (0: totals are asked for); where the log begins, entries it holds, numbers of a row; where the
tables of strengths are; where there is room to work; what is seen (see `SEES_NOTHING`), how many numbers that is,
where parts of it begin, actions it holds; where rows and the caller's arrays are; what follows a hand; the tables to
play; the one seat that is asked, -1 for all, and where it sees the end of a hand; where luck begins in a row, 0 for
none; the bots' policies, and the ranks of starting hands; of a match: whether each deck goes round, hands of a session,
stacks at first, room for a record, and what is told of hands; room for experts to work in, and their tables; hole cards of a seat,
cards of the pack; the groups of a deck, `GROUP` numbers each."""
STACKS: Final = GROUPS + 1 + GROUP * GROUPS_MOST
"""Chips before the hand, by seat."""
CLASSES_AT: Final = STACKS + MOST_SEATS
"""The arrays that experts find the class of their cards in."""
CLASSES: Final = 11
DESK: Final = CLASSES_AT + CLASSES

SEES_NOTHING, SEES_NUMBERS, SEES_LAYOUT = range(3)
NO_RESET, NEXT_STEP, SAME_STEP = range(3)
"""What becomes of a table whose hand is over: nothing until it is reset; the next step deals; it is dealt at once."""

POLICY: Final = 4
"""Numbers of a policy: what it is, and its parameters; see `Policy`."""
CALLER, FOLDER, RANDOM, MANIAC, TIGHT, LOOSE, POT_ODDS, EXPERT = range(8)

KEPT: Final = 12
LUCK: Final = 1 + KEPT
"""Of a place's luck: how many numbers have been drawn in the hand, and the first ones."""
NOT_SEEDED: Final = -1
"""Less one for each number that has been left out so far."""
STATE_WORDS: Final = 624
"""Of the generator."""
