"""Whole matches of array policies, compiled: hand after hand, each with its digest and its counts."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import attrs
import numpy as np

from poker_actors.cards import STANDARD_DECK, Card, Deck
from poker_actors.evaluator.fast.compiling import compiled_before
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.betting import begin, may_raise, seat_at, take
from poker_actors.learn.compiled.chance import LUCK_NUMBERS, LuckTables, note_luck, ready_for_luck
from poker_actors.learn.compiled.decks import IV, deal, hash_block
from poker_actors.learn.compiled.desk import Desk, Table, log_size
from poker_actors.learn.compiled.expert import decide
from poker_actors.learn.compiled.paying import collectors, pay
from poker_actors.learn.compiled.policies import CALL, FOLD, RAISE, bot_at, policy_at
from poker_actors.learn.compiled.row import (
    BUTTON,
    ENDED,
    HAND,
    LOGGED,
    MARKS,
    PLACE,
    PLACES,
    SEATS,
    STREET,
    as_bytes,
    bytes_at,
    compiled,
    compiled_call,
    ints_at,
    words_at,
)
from poker_actors.rules import Action, Bet, Fold, Game, Hand, PublicState, RaiseTo, Stakes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from poker_actors.learn.policies import Policy

_WORD = np.uint64
_U0 = _WORD(0)
BLOCK: Final = 128
_HASHED: Final = 16
"""Words of a BLAKE2b block; `BLOCK` are its bytes."""
PLAIN_DIGEST: Final = (_WORD(IV[0] ^ 0x01010000 ^ 16), *map(_WORD, IV[1:]))
"""Initial state of an unkeyed 16-byte hash."""
SHOWN: Final = 5
LINE: Final = 127
"""Mask for kind and seat of a log entry, without its amount."""
NEVER: Final = -1
"""The mark of a street that never opened."""

(
    T_BUTTON,
    T_MOVED,
    T_ACTIONS,
    T_MARKS,
    _T_2,
    _T_3,
    _T_4,
    T_LIVE,
    T_CAN_BET,
    T_SHOWN,
    T_PAID,
    T_DIGEST,
    _D_2,
    T_CARDS,
    _C_2,
    _C_3,
    _C_4,
    TOLD,
) = range(18)
"""Columns of a played hand; chips by seat before it, then after it, follow."""


@compiled
def _set(d, t, number):
    """Set the table up for a hand of the match: deck, button, seats of the bots, and stacks."""
    n = d[SEATS]
    deck, t[row.MOVED] = number, 0
    if d[row.DUPLICATE]:
        deck, t[row.MOVED] = number // n, number % n
    first = ints_at(d[row.FIRST_STACKS])
    for seat in range(n):
        if d[row.SESSION] == 0 or number % d[row.SESSION] == 0 or d[row.STACKS + seat] == 0:
            d[row.STACKS + seat] = first[seat]
    t[HAND] = deck
    t[BUTTON] = deck % n
    deal(d, t)
    # only after dealing: `deal` reads the deck's number here, bots draw by the hand's. With the deck's number a bot
    # would have the same luck in every seat of a duplicate deal.
    t[HAND] = number


@compiled
def _luck_told(d, n, hand):
    return ints_at(d[row.LUCK_TOLD_AT] + 8 * (LUCK_NUMBERS * n + 1) * hand)


@compiled
def _note_results(n, told, luck):
    """Write each seat's winnings as its worth, in thousandths of a chip, if chance played no part in them."""
    if luck[LUCK_NUMBERS * n] == 0:
        for seat in range(n):
            luck[LUCK_NUMBERS * seat] = 1_000 * (told[TOLD + n + seat] - told[TOLD + seat])


@compiled_call
def play_hands(desk, first, number, last, action, total):
    """Play on from hand `number` to `last` - 1 and record each from `first` on; return the first unfinished hand.

    That is `last`, or the hand in which an outside bot is to act: its turn is shown. Pass its `action` to the
    next call, or -1 to begin a hand.
    """
    d = ints_at(desk.ctypes.data)
    t = ints_at(d[row.ROWS])
    if action >= 0:
        take(d, t, action, total)
    while True:
        if action < 0:
            _set(d, t, number)
            begin(d, t)
        while t[ENDED] == 0:
            if d[row.ASKED_OF_AT] and np.int64(policy_at(d, bot_at(d, t))[0]) == row.OUTSIDE:
                _show_turn(d, t, ints_at(d[row.ASKED_OF_AT]))
                return number
            choice, chips = decide(d, t)
            take(d, t, choice, chips)
        _record(d, t, number - first, number)
        number += 1
        if number == last:
            return number
        action = -1


@compiled
def _record(d, t, place, number):
    """Pay a finished hand and record everything reported about it."""
    n = d[SEATS]
    if d[row.CHANCE_AT]:
        note_luck(d, t, _luck_told(d, n, place))
    pay(d, t)
    # record before hashing: `collectors` reads the strengths that `pay` left in the scratch space, which hashing
    # overwrites
    told = ints_at(d[row.TOLD_AT] + 8 * (TOLD + 2 * n) * place)
    _tell(d, t, told)
    if d[row.CHANCE_AT]:
        _note_results(n, told, _luck_told(d, n, place))
    _digest(d, t, told, number)
    line = bytes_at(d[row.LINES_AT] + d[row.LOG_SIZE] * place)
    for action in range(t[LOGGED]):
        line[action] = t[d[row.LOG_AT] + action] & LINE
    if d[row.LOGS_AT]:
        kept = ints_at(d[row.LOGS_AT] + 8 * d[row.LOG_SIZE] * place)
        for action in range(t[LOGGED]):
            kept[action] = t[d[row.LOG_AT] + action]
    if d[row.SESSION]:
        for seat in range(n):
            d[row.STACKS + seat] = told[TOLD + n + seat]


(A_BOT, A_SEAT, A_BUTTON, A_STREET, A_BET, A_RAISE_TO, A_LIVE, A_TO_ACT, A_LOGGED, A_CARDS) = range(10)
"""Numbers of a turn that is shown; its two cards and the board follow, then the marks of the streets, then for each seat
the stack, the bet, the stack before the hand, the seats live and the seats to act, and at last the log."""
A_MARKS: Final = A_CARDS + 2 + SHOWN
A_SEATS: Final = A_MARKS + row.STREETS
_BY_SEAT: Final = 5


@compiled
def _show_turn(d, t, turn):
    """Write out the turn of the place to act, with what its seat and everybody else may see."""
    n, cards, seat = d[SEATS], as_bytes(t), seat_at(d, t, t[row.TURN])
    turn[A_BOT], turn[A_SEAT], turn[A_BUTTON] = bot_at(d, t), seat, t[BUTTON]
    turn[A_STREET], turn[A_BET] = t[STREET], t[row.BET]
    turn[A_RAISE_TO] = t[row.LEAST] if may_raise(d, t) else 0
    for card in range(2):
        turn[A_CARDS + card] = cards[8 * row.CARDS + 2 * seat + card]
    for card in range(SHOWN):
        turn[A_CARDS + 2 + card] = cards[8 * row.CARDS + 2 * n + card]
    for street in range(row.STREETS):
        turn[A_MARKS + street] = t[MARKS + street]
    live = to_act = 0
    for place in range(n):
        here, at = seat_at(d, t, place), PLACES + PLACE * place
        turn[A_SEATS + here] = t[at + row.STACK]
        turn[A_SEATS + n + here] = t[at + row.FRONT]
        turn[A_SEATS + 2 * n + here] = t[at + row.START]
        if t[row.LIVE] >> place & 1:
            turn[A_SEATS + 3 * n + live] = here
            live += 1
        # from the place to act on: `place` steps after it
        after = place + t[row.TURN]
        after = after if after < n else after - n
        if t[row.WAITING] >> after & 1:
            turn[A_SEATS + 4 * n + to_act] = seat_at(d, t, after)
            to_act += 1
    turn[A_LIVE], turn[A_TO_ACT], turn[A_LOGGED] = live, to_act, t[LOGGED]
    for entry in range(t[LOGGED]):
        turn[A_SEATS + _BY_SEAT * n + entry] = t[d[row.LOG_AT] + entry]


@compiled
def _by_seat(d, t, mask):
    """Return a mask of places as a mask of seats."""
    seats = 0
    for place in range(d[SEATS]):
        if mask >> place & 1:
            seats |= 1 << seat_at(d, t, place)
    return seats


@compiled
def _tell(d, t, told):
    n = d[SEATS]
    told[T_BUTTON], told[T_MOVED], told[T_ACTIONS] = t[BUTTON], t[row.MOVED], t[LOGGED]
    for street in range(row.STREETS):
        told[T_MARKS + street] = t[MARKS + street] if street <= t[STREET] else NEVER
    told[T_LIVE], told[T_CAN_BET] = _by_seat(d, t, t[row.LIVE]), _by_seat(d, t, t[row.CAN_BET])
    told[T_SHOWN] = t[ENDED] == row.SHOWDOWN
    told[T_PAID] = _by_seat(d, t, collectors(d, t))
    for word in range(row.DECK_WORDS):
        told[T_CARDS + word] = t[row.CARDS + word]
    for place in range(n):
        seat, at = seat_at(d, t, place), PLACES + PLACE * place
        told[TOLD + seat] = t[at + row.START]
        told[TOLD + n + seat] = t[at + row.STACK]


@compiled
def _digest(d, t, told, number):
    """Hash the record of a hand exactly as `record_digest` does."""
    m, h = words_at(d[row.RECORD_AT]), words_at(d[row.SCRATCH])
    size = _write_record(d, t, told, number, m)
    for word in range(8):
        h[word] = PLAIN_DIGEST[word]
    at = 0
    # `>`: the last block, even a full one, is hashed with the final flag
    while size - at > BLOCK:
        at += BLOCK
        hash_block(h, words_at(d[row.RECORD_AT] + at - BLOCK), _WORD(at), _U0)
    hash_block(h, words_at(d[row.RECORD_AT] + at), _WORD(size), ~_U0)
    told[T_DIGEST], told[T_DIGEST + 1] = np.int64(h[0]), np.int64(h[1])


@compiled
def _write_record(d, t, told, number, m):
    """Write the record of a hand, zero-padded to whole blocks; return its size in bytes."""
    n = d[SEATS]
    cards = 2 * n + (min(t[STREET] + 2, SHOWN) if t[STREET] else 0)
    dealt = as_bytes(t)
    for word in range(4):
        m[word] = _U0
    for card in range(cards):
        m[card >> 3] |= _WORD(dealt[8 * row.CARDS + card]) << _WORD(8 * (card & 7))
    at = _append(m, cards, number)
    at = _append(m, at, cards)
    at = _append(m, at, t[BUTTON])
    for chips in range(2 * n):
        at = _append(m, at, told[TOLD + chips])
    for action in range(t[LOGGED]):
        at = _append(m, at, t[d[row.LOG_AT] + action])
    for word in range((at >> 3) + 1, ((at + BLOCK - 1) // BLOCK) * _HASHED):
        m[word] = _U0
    return at


@compiled
def _append(m, at, value):
    """Write eight bytes at any byte offset, with zeros after them up to a whole word; return the next offset."""
    word, bits = at >> 3, _WORD(8 * (at & 7))
    if bits == _U0:
        m[word] = _WORD(value)
        m[word + 1] = _U0
    else:
        m[word] |= _WORD(value) << bits
        m[word + 1] = _WORD(value) >> (_WORD(64) - bits)
    return at + 8


@attrs.frozen(eq=False)
class PlayedHands:
    """Records of consecutive hands, a row each; in masks, bit i is seat i."""

    first: int
    told: NDArray[np.int64]
    lines: NDArray[np.uint8]
    """kind and seat of each action, zeros after the last"""
    players: int
    luck: NDArray[np.int64] | None = None
    """by hand and seat, the numbers of `sim.luck.Luck`: the worth, then the terms; None if not requested"""
    logs: NDArray[np.int64] | None = None
    """entries of `Hand.log`, as many as `actions` of each hand; None if not requested"""

    buttons: NDArray[np.int64] = attrs.field(init=False)
    moved: NDArray[np.int64] = attrs.field(init=False)
    """by how many seats the bots are rotated"""
    actions: NDArray[np.int64] = attrs.field(init=False)
    """number of actions"""
    marks: NDArray[np.int64] = attrs.field(init=False)
    """actions before each street, -1 for streets that never opened"""
    live: NDArray[np.int64] = attrs.field(init=False)
    can_bet: NDArray[np.int64] = attrs.field(init=False)
    shown: NDArray[np.bool_] = attrs.field(init=False)
    """whether there was a showdown"""
    paid: NDArray[np.int64] = attrs.field(init=False)
    """the seats that won part of a pot"""
    holes: NDArray[np.uint8] = attrs.field(init=False)
    """two cards of each seat, by hand and seat"""
    starting: NDArray[np.int64] = attrs.field(init=False)
    stacks: NDArray[np.int64] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        told, n = self.told, self.players
        columns: dict[str, Any] = {
            "buttons": told[:, T_BUTTON],
            "moved": told[:, T_MOVED],
            "actions": told[:, T_ACTIONS],
            "marks": told[:, T_MARKS : T_MARKS + row.STREETS],
            "live": told[:, T_LIVE],
            "can_bet": told[:, T_CAN_BET],
            "shown": told[:, T_SHOWN] != 0,
            "paid": told[:, T_PAID],
            "holes": told[:, T_CARDS:TOLD].copy().view(np.uint8)[:, : 2 * n].reshape(-1, n, 2),
            "starting": told[:, TOLD : TOLD + n],
            "stacks": told[:, TOLD + n : TOLD + 2 * n],
        }
        for name, column in columns.items():
            object.__setattr__(self, name, column)

    @property
    def digest(self) -> int:
        """Return the sum of the digests of these hands."""
        # summed in halves of 32 bits: the sum of 64-bit words would wrap
        words = self.told[:, T_DIGEST : T_DIGEST + 2].copy().view(np.uint32).astype(np.uint64).sum(axis=0)
        return sum(int(word) << 32 * place for place, word in enumerate(words))


Ask = Callable[[int, int, PublicState, int, tuple[Card, ...]], Action]
"""Asks a bot outside for a legal action: number of the hand and of the bot, the state, its seat, its cards."""
_OPENINGS: Final = 1_024
"""How many starts of hands are kept, by button and stacks: carry-over would make ever more of them."""


class CompiledMatch:
    """Plays hands of a match between array policies, with the decks of the `SeedTree` whose key is `key`.

    With `duplicate` each deck is played once per seat, with the bots rotated; within a session of `session` hands
    stacks carry over. With `luck` the luck of each hand is computed, too. Bots whose policy is `Policy.asked()` are
    asked by `ask`; all other turns stay compiled. With `keep` whole logs are kept: let it play a few hundred hands at a
    time.
    """

    def __init__(  # noqa: PLR0913  what a match is made of, by name but for the first five
        self,
        game: Game,
        stakes: Stakes,
        stacks: tuple[int, ...],
        policies: Sequence[Policy],
        key: bytes,
        *,
        duplicate: bool = False,
        session: int = 0,
        luck: LuckTables | None = None,
        ask: Ask | None = None,
        keep: bool = False,
    ) -> None:
        table = self._table = Table(game, stakes, stacks)
        desk = self._desk = Desk(table, 1, log_size(table), policies)
        numbers = desk.numbers
        desk.seed(0, key)
        numbers[row.DUPLICATE], numbers[row.SESSION] = duplicate, session
        desk.give(row.FIRST_STACKS, (len(stacks),), np.int64)[:] = stacks
        words = 4 + 3 + 2 * len(stacks) + int(numbers[row.LOG_SIZE])
        desk.give(row.RECORD_AT, (words + 2 * _HASHED,), np.uint64)
        self._players = len(stacks)
        self._wants_luck = luck is not None
        if luck is not None:
            ready_for_luck(desk, luck)
        self._keep = keep
        self._ask = ask
        if ask is not None:
            turn = A_SEATS + _BY_SEAT * self._players + int(numbers[row.LOG_SIZE])
            self._turn = desk.give(row.ASKED_OF_AT, (turn,), np.int64)
        self._openings: dict[tuple[int, tuple[int, ...]], PublicState] = {}
        self._room(0)

    @staticmethod
    def compiled_before() -> Path | None:
        """Return the file that `compiled_before` names for matches."""
        return compiled_before(play_hands)

    def _room(self, hands: int) -> None:
        self._told = self._desk.give(row.TOLD_AT, (hands, TOLD + 2 * self._players), np.int64)
        self._lines = self._desk.give(row.LINES_AT, (hands, int(self._desk.numbers[row.LOG_SIZE])), np.uint8)
        if self._keep:
            self._logs = self._desk.give(row.LOGS_AT, self._lines.shape, np.int64)
        luck = LUCK_NUMBERS * self._players + 1
        self._luck = self._desk.give(row.LUCK_TOLD_AT, (hands * self._wants_luck, luck), np.int64)

    def play(self, hands: range) -> PlayedHands:
        """Play `hands`, which must begin with the first hand of a session; the next call overwrites the result."""
        if len(self._told) < len(hands):
            self._room(len(hands))
        numbers, first, last = self._desk.numbers, hands.start, hands.stop
        number = play_hands(numbers, first, first, last, -1, 0)
        while number < last:
            action, total = self._asked(number)
            number = play_hands(numbers, first, number, last, action, total)
        told = self._told[: len(hands)]
        longest = int(told[:, T_ACTIONS].max())
        lines = self._lines[: len(hands), :longest].copy()
        lines[np.arange(longest) >= told[:, T_ACTIONS : T_ACTIONS + 1]] = 0
        luck = None
        if self._wants_luck:
            luck = self._luck[: len(hands), :-1].reshape(len(hands), self._players, LUCK_NUMBERS)
        logs = self._logs[: len(hands), :longest] if self._keep else None
        return PlayedHands(hands.start, told, lines, self._players, luck, logs)

    def _asked(self, number: int) -> tuple[int, int]:
        """Ask the bot whose turn is shown; return its action in the form for compiled code."""
        n, shown = self._players, self._turn
        log = A_SEATS + _BY_SEAT * n
        turn = shown[: log + int(shown[A_LOGGED])].tolist()
        stacks, bets, starting, live, to_act = (
            tuple(turn[at : at + n]) for at in range(A_SEATS, A_SEATS + _BY_SEAT * n, n)
        )
        street = turn[A_STREET]
        dealt = tuple(
            [STANDARD_DECK[card] for card in turn[A_CARDS : A_CARDS + 2 + street + 2 * bool(street)]]
        )
        public = self._opening(turn[A_BUTTON], starting).later(
            street=street,
            board=dealt[2:],
            marks=tuple(turn[A_MARKS : A_MARKS + street + 1]),
            entries=turn[log:],
            stacks=stacks,
            bets=bets,
            live=live[: turn[A_LIVE]],
            to_act=to_act[: turn[A_TO_ACT]],
            bet=turn[A_BET],
            min_raise_to=turn[A_RAISE_TO],
        )
        assert self._ask is not None, "only then turns are shown"
        action = self._ask(number, turn[A_BOT], public, turn[A_SEAT], dealt[:2])
        if isinstance(action, Bet | RaiseTo):
            return RAISE, action.amount if isinstance(action, Bet) else action.total
        return (FOLD if isinstance(action, Fold) else CALL), 0

    def _opening(self, button: int, stacks: tuple[int, ...]) -> PublicState:
        """Return the state in which a hand begins: its blinds and positions are the rules' own."""
        found = self._openings.get((button, stacks))
        if found is None:
            if len(self._openings) >= _OPENINGS:
                self._openings.clear()
            table = self._table
            deck = Deck.seeded(b"", table.game.pack)
            hand = Hand(stacks, table.stakes, deck=deck, button=button, game=table.game)
            found = self._openings[button, stacks] = hand.public()
        return found
