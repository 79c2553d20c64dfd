"""The state of a limit hold'em hand as the 2003 Perl article keeps and prints it; no network involved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.frozen import value
from poker_actors.wire.opp.protocol.opcodes import Op

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

    It keeps books and does not referee: `check`, `call`, `bet`, `raise_` and `fold` act for the next
    player and never check the rules of limit poker. A client's is booked from what its server says, with
    `position`, the seat of whoever heard it (-1 when not dealt in), and `game_id`. Raises `BadSpec` for
    fewer than two players, equal names or a bad bet; `IllegalAction` for a raise that is smaller than the call.

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
            raise BadSpec(f"bet {bet!r:.20}, limit {limit!r:.20}: whole chips, the bet 1 or more")
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

    def check(self) -> float:
        """Do the same as `call`; returns the chips paid."""
        return self.call()

    def call(self) -> float:
        """Call, or check when there is nothing to call; returns the chips paid."""
        paid = self.to_call(self.next_seat)
        self.pay(self.next_seat, paid)
        self._move_on()
        return paid

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

    def raise_(self, amount: float = 0) -> float:
        """Do the same as `bet`; the underscore is there because `raise` is a Python keyword."""
        return self.bet(amount)

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
            raise BadSpec(f"there is no seat {player} (there are 0 to {len(names) - 1})")
        if player not in names:
            raise BadSpec(f"there is no player {player[:40]!r} (there are {', '.join(names)})")
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
        """The hole cards of whoever heard the hand; empty if unknown or not dealt in."""
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
