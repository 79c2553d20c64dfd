"""A hand followed from its messages: the state object of the 2003 Perl article, and the bookkeeper that updates it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, Final

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadInput, BadSpec, IllegalAction
from poker_actors.frozen import value
from poker_actors.wire.opp.protocol.messages import Message, Op

STAGES: Final = ("preflop", "flop", "turn", "river", "showdown")
SHOWDOWN: Final = 4
"""The stage after the river, when the pot has been paid."""


@value
class HeardStep:
    """One step after the blinds: FOLD, CALL, RAISE of a seat, or the NEW_STAGE that opened a street."""

    op: Op
    seat: int = -1
    """-1 for NEW_STAGE"""
    amount: int = 0
    """chips added by this step"""
    total: int = 0
    """chips in front of the seat afterwards, this stage"""
    board: tuple[Card, ...] = ()
    """the whole board, for NEW_STAGE"""


class HoldemState:
    """Players, bankrolls, pot and the next player, updated by the players' actions.

    `players` are (name, bankroll) by seat; bankrolls may be negative: this is play money on
    credit. `button` names the player who acts first (as in the article's object: the two players
    before it pay the blinds). `bet` is the big blind and the smallest bet in chips, `limit` the largest
    single bet, 0 for none. The small blind of an odd bet ends in half a chip, as in the original.

    It keeps records and does not referee: `check`, `call`, `bet`, `raise_` and `fold` act for the next
    player and never check the rules of limit poker. A client's state is updated from what its server says,
    with `position`, the client's own seat (-1 when not dealt in), and `game_id`. Raises `BadSpec` for fewer
    than two players, equal names or a bad bet; `IllegalAction` for a raise that is smaller than the call.

    >>> state = HoldemState([("ann", 500), ("bob", 500)], button="ann", bet=10)
    >>> state.blinds()
    >>> state.call(), state.pot
    (5, 20)
    """

    def __init__(self, players: Iterable[tuple[str, float]], button: str, bet: int, limit: int = 0) -> None:
        rows = tuple(players)
        size = len(rows)
        self.players: Final = tuple([name for name, _ in rows])
        """names by seat"""
        if size < 2 or len(set(self.players)) < size:
            raise BadSpec(f"players {[*self.players]!r:.80}: there must be two or more, all different")
        if type(bet) is not int or type(limit) is not int or bet < 1 or limit < 0:
            raise BadSpec(f"bet {bet!r:.20}, limit {limit!r:.20}: chips must be whole, and the bet 1 or more")
        self.bankrolls: Final = tuple([chips for _, chips in rows])
        """chips by seat, at the start"""
        self.bet_size: Final = bet
        """the big blind and the smallest bet, in chips"""
        self.limit: Final = limit
        self.button: Final = button
        self.position = -1
        self.game_id = 0
        self.paid: Final[list[float]] = [0] * size
        """chips by seat, this hand"""
        self.front: Final[list[float]] = [0] * size
        """chips by seat, this stage"""
        self.won: Final[list[float]] = [0] * size
        self.gone: Final = [False] * size
        """who has folded, by seat"""
        self.posted: Final[list[tuple[int, int]]] = []
        """(seat, chips) of the blinds a server told"""
        self.steps: Final[list[HeardStep]] = []
        self.dealt: Final[dict[int, tuple[Card, ...]]] = {}
        """own cards, told before the first step"""
        self.shown: Final[dict[int, tuple[Card, ...]]] = {}
        """cards told later, in the order of telling"""
        self.board: tuple[Card, ...] = ()
        """the board so far"""
        self.street = 0
        """the place of `stage` in `STAGES`"""
        self.next_seat = self.button_seat = self.seat_of(button)
        """the seat of the next player"""

    # -- books -------------------------------------------------------------------------------

    def pay(self, seat: int, amount: float) -> None:
        """Book chips that a seat puts in."""
        self.paid[seat] += amount
        self.front[seat] += amount

    def open_stage(self, stage: int, board: Sequence[Card]) -> None:
        """Begin a stage, with the whole board."""
        self.street = stage
        self.board = tuple(board)
        self.front[:] = [0] * len(self.front)

    # -- what a player does ------------------------------------------------------------------

    def blinds(self) -> None:
        """Post both blinds: the small one two seats before the next player, the big one one seat before."""
        self.next_seat = (self.next_seat - 2) % len(self.players)
        bet = self.bet_size
        for amount in (bet / 2 if bet % 2 else bet // 2, bet):
            self.pay(self.next_seat, amount)
            self._move_on()

    def call(self) -> float:
        """Call, or check when there is nothing to call; returns the chips paid."""
        paid = self.to_call(self.next_seat)
        self.pay(self.next_seat, paid)
        self._move_on()
        return paid

    check = call

    def bet(self, amount: float = 0) -> float:
        """Bet or raise by putting in `amount`, the call included; returns the chips paid.

        An amount below the bet counts as the bet, one above the limit as the limit. Raises
        `IllegalAction` when the result is less than the call.
        """
        amount = max(amount, self.bet_size)
        if self.limit:
            amount = min(amount, self.limit)
        short = self.to_call(self.next_seat)
        if amount < short:
            raise IllegalAction(f"{amount} is less than the {short} to call", code="not_enough")
        self.pay(self.next_seat, amount)
        self._move_on()
        return amount

    raise_ = bet
    """The same: as in the article's object, but `raise` is a Python keyword."""

    def fold(self) -> None:
        """Fold the next player's hand."""
        self.gone[self.next_seat] = True
        self._move_on()

    def next_stage(self, cards: str | Sequence[Card] = ()) -> bool:
        """Go on to the next stage if all bets are equal, with `cards` added to the board; returns whether it did.

        At the showdown no cards are added, and no stage follows it. The next player stays the same, as in
        the article's object, until the server's `set_next`.
        """
        if not self.pot_square or self.street == SHOWDOWN:
            return False
        last = self.street + 1 == SHOWDOWN
        self.open_stage(self.street + 1, self.board if last else (*self.board, *parse_cards(cards)))
        return True

    def set_next(self, seat: int) -> None:
        """Set the next player to act."""
        self.next_seat = seat

    # -- looking -----------------------------------------------------------------------------

    def seat_of(self, player: str | int) -> int:
        """Return the seat of a player given by name or seat; raises `BadSpec` for an unknown one."""
        names = self.players
        if isinstance(player, int):
            if 0 <= player < len(names):
                return player
            raise BadSpec(f"there is no seat {player} (seats: 0 to {len(names) - 1})")
        if player not in names:
            raise BadSpec(f"there is no player {player[:40]!r} (players: {', '.join(names)})")
        return names.index(player)

    @property
    def current_bet(self) -> float:
        """The highest bet of this stage."""
        return max(self.front)

    @property
    def pot(self) -> float:
        """All chips put in this hand."""
        return sum(self.paid)

    @property
    def pot_square(self) -> bool:
        """Whether all players who have not folded have put in this stage's bet."""
        bet = self.current_bet
        return all(gone or front == bet for gone, front in zip(self.gone, self.front, strict=True))

    @property
    def stage(self) -> str:
        """One of `STAGES`."""
        return STAGES[self.street]

    @property
    def next_to_play(self) -> str:
        """The name of the next player."""
        return self.players[self.next_seat]

    def to_call(self, seat: int) -> float:
        """Chips a seat must add to stay in."""
        return self.current_bet - self.front[seat]

    def put_in(self, player: str | int) -> float:
        """Chips a player has put in this hand."""
        return self.paid[self.seat_of(player)]

    def bankroll(self, player: str | int) -> float:
        """Chips a player has left; may be below zero."""
        seat = self.seat_of(player)
        return self.bankrolls[seat] - self.paid[seat] + self.won[seat]

    def folded(self, player: str | int) -> bool:
        """Whether a player has folded."""
        return self.gone[self.seat_of(player)]

    def hole(self, player: str | int) -> tuple[Card, ...]:
        """Return a player's hole cards; empty if unknown."""
        seat = self.seat_of(player)
        return self.shown.get(seat) or self.dealt.get(seat, ())

    @property
    def own(self) -> tuple[Card, ...]:
        """The hole cards of the client that followed the hand; empty if unknown or not dealt in."""
        return self.hole(self.position) if self.position >= 0 else ()

    def status(self) -> str:
        """Return the article's status table, byte for byte.

        Flags: `F` folded, `.` next with the pot square, `*` next with the pot not square. Half chips
        show in the pot and are truncated in the columns, as the original's formats do.
        """
        lines = [
            f"Pot: {self.pot:.15g} Stage: {self.stage}",
            f"? {'Name':>20} {'Bankroll':>6} {'InPot':>6}",
        ]
        for seat, name in enumerate(self.players):
            flag = " "
            if self.gone[seat]:
                flag = "F"
            elif seat == self.next_seat:
                flag = "." if self.pot_square else "*"
            lines.append(f"{flag} {name:>20} ${int(self.bankroll(seat)): 5d} ${int(self.paid[seat]): 5d}")
        return "\n".join(lines) + "\n"

    def _move_on(self) -> None:
        """Make the next seat that has not folded the next player; stay when fewer than two are left."""
        folded, at = self.gone, self.next_seat
        if folded.count(False) < 2:
            return
        size = len(folded)
        self.set_next(next(seat for step in range(1, size + 1) if not folded[seat := (at + step) % size]))

    def __repr__(self) -> str:
        return f"<HoldemState: {self.stage}, pot {self.pot:.15g}, {self.next_to_play} next>"


# -- the bookkeeper ------------------------------------------------------------------------------

MOST_PLAYERS: Final = 23
"""The most that one deck allows: two cards each and five on the board are 51 cards."""

# Until Python 3.12 a member of an Enum costs as much to look up as a call: messages are told apart by these.
_FOLD, _CALL, _RAISE, _BLIND = Op.FOLD, Op.CALL, Op.RAISE, Op.BLIND
_HOLE_CARDS, _NEXT_TO_ACT = Op.HOLE_CARDS, Op.NEXT_TO_ACT
_START_NEW_GAME, _NEW_STAGE, _WINNERS = Op.START_NEW_GAME, Op.NEW_STAGE, Op.WINNERS

_WITH_WHO: Final = frozenset({_FOLD, _CALL, _RAISE, _BLIND, _HOLE_CARDS, _NEXT_TO_ACT})  # their first field
_LONGEST: Final = 20
"""Characters of a text of cards: five take 14, so a sixth still shows, and a long text costs no time or cache."""
BOARD_CARDS: Final = (0, 3, 4, 5)
"""How many cards lie on the board in each stage."""


class Bookkeeper:
    """Records the hands of one session, one after the other, and refuses messages that cannot belong to them.

    `hear` is its only entry: a strict caller raises what it returns, a tolerant one counts it. A refused message books
    nothing, so no bytes can corrupt the books.
    """

    def __init__(self) -> None:
        self.hand: HoldemState | None = None
        """the hand announced last"""
        self.hands = 0
        """hands announced; one that is announced again before its end, as after a reconnection, counts once"""
        self._opened = -1
        """the number of the last NEW_STAGE"""

    def hear(self, message: Message) -> str | None:
        """Record a message and return None, or return why it cannot come now; messages outside a hand change nothing."""
        op, values, hand, refusal = message.op, message.values, self.hand, None
        if op in _WITH_WHO:
            if hand is None or not 0 <= values[0] < len(hand.players):
                return self._seat(values[0])
            if op is _HOLE_CARDS:
                refusal = _cards("hole cards", values[1], 2)
            elif values[1] < 0:
                return f"{values[1]} chips: the minimum is 0"
        elif op is _NEW_STAGE:
            refusal = self._stage(*values)
        elif op is _WINNERS:
            refusal = next((text for who, share in values[1] if (text := self._share(who, share))), None)
        elif op is _START_NEW_GAME:
            refusal = _start(values)
            if refusal is None:
                self._begin(values)
            return refusal
        if refusal is None and hand is not None:
            _book(hand, message)
        return refusal

    def _begin(self, values: tuple[Any, ...]) -> None:
        bet_size, _, button, position, game_id, rows = values
        last, self._opened = self.hand, -1
        players = [(name, bankroll) for name, bankroll, _ in rows]
        self.hand = HoldemState(players, rows[button][0], bet_size)
        self.hand.position, self.hand.game_id = position, game_id
        again = last is not None and last.street < SHOWDOWN and last.game_id == game_id
        self.hands += not again

    @property
    def position(self) -> int:
        """The listener's seat in the hand announced last; -1 when not dealt in."""
        return -1 if self.hand is None else self.hand.position

    @property
    def game_id(self) -> int:
        """The number of the hand announced last; 0 before the first."""
        return 0 if self.hand is None else self.hand.game_id

    # -- what cannot come next ---------------------------------------------------------------

    def _seat(self, who: int) -> str | None:
        players = 0 if self.hand is None else len(self.hand.players)
        return None if 0 <= who < players else f"who is {who}: the players are 0 to {players - 1}"

    def _share(self, who: int, share: int) -> str | None:
        return f"share is {share}: the minimum is 0" if share < 0 else self._seat(who)

    def _stage(self, number: int, board: str) -> str | None:
        if not 0 <= number < len(BOARD_CARDS):
            return f"round is {number}: rounds are 0 to 3"
        if number <= self._opened:
            return f"round is {number} after round {self._opened}"
        refusal = _cards("board", board, BOARD_CARDS[number])
        if refusal is None:
            self._opened = number
        return refusal


def _start(values: tuple[Any, ...]) -> str | None:
    bet_size, players, button, position, _, rows = values
    if bet_size < 1:
        return f"bet_size is {bet_size}: a bet is 1 or more"
    if len({name for name, _, _ in rows}) < players:
        return "two players have one name"
    if not 2 <= players <= MOST_PLAYERS:
        return f"num_players is {players}: a hand has 2 to {MOST_PLAYERS}"
    if not 0 <= button < players:
        return f"button is {button}: the players are 0 to {players - 1}"
    if not -1 <= position < players:
        return f"position is {position}: the players are 0 to {players - 1}, -1 is none of them"
    return None


_parsed: Final = lru_cache(4096)(parse_cards)
"""Clients of one table hear the same boards, and there are only 1,326 hole cards."""


def _cards(what: str, text: str, count: int) -> str | None:
    if len(text) > _LONGEST:
        return f"{what} of {len(text)} characters: the maximum is {_LONGEST}"
    try:
        found = len(_parsed(text))
    except BadInput as error:
        return f"{what}: {error}"
    return None if found == count else f"{what} {text!r}: {found} cards, not {count}"


def _book(hand: HoldemState, message: Message) -> None:
    op, values = message.op, message.values
    if op is _NEXT_TO_ACT:
        hand.next_seat = values[0]
    elif op is _CALL or op is _RAISE:
        seat, amount = values
        hand.paid[seat] += amount
        hand.front[seat] = total = hand.front[seat] + amount
        hand.steps.append(HeardStep(op, seat, amount, int(total)))
    elif op is _FOLD:
        hand.gone[values[0]] = True
        hand.steps.append(HeardStep(op, values[0]))
    elif op is _NEW_STAGE:
        if values[0] > 0:
            hand.open_stage(values[0], _parsed(values[1]))
            hand.steps.append(HeardStep(op, board=hand.board))
    elif op is _HOLE_CARDS:
        own = values[0] == hand.position and not hand.steps
        (hand.dealt if own else hand.shown)[values[0]] = _parsed(values[1])
    elif op is _BLIND:
        hand.posted.append((values[0], values[1]))
        hand.pay(values[0], values[1])
    elif op is _WINNERS:
        hand.open_stage(SHOWDOWN, hand.board)
        for seat, chips in values[1]:
            hand.won[seat] += chips
