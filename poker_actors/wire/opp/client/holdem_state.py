"""The state of a limit hold'em hand as the 2003 Perl article keeps and prints it; no network involved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import attrs

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadSpec, IllegalAction

__all__ = ["STAGES", "HoldemState"]

STAGES: Final = ("preflop", "flop", "turn", "river", "showdown")


@attrs.define
class Player:
    """One row of the table."""

    name: str
    bankroll: float
    put_in: float = 0
    """chips, this hand"""
    in_front: float = 0
    """chips, this stage"""
    folded: bool = False
    hole: tuple[Card, ...] = ()


class HoldemState:
    """Players, bankrolls, pot and who is next, moved on by what the players do.

    `players` are (name, bankroll) by seat; bankrolls may be negative: this is play money on
    credit. `button` names the player who acts first (as in the article's object: the two players
    before it pay the blinds). `bet` is the big blind and the smallest bet in chips, `limit` the largest
    single bet, 0 for none. The small blind of an odd bet ends in half a chip, as in the original.

    It keeps books and does not referee: `check`, `call`, `bet`, `raise_` and `fold` act for the next
    player and never check the rules of limit poker. Raises `BadSpec` for fewer than two players, equal
    names or a bad bet; `IllegalAction` for a raise that is smaller than the call.

    >>> state = HoldemState([("ann", 500), ("bob", 500)], button="ann", bet=10)
    >>> state.blinds()
    >>> state.call(), state.pot
    (5, 20)
    """

    def __init__(
        self,
        players: Iterable[tuple[str, float]],
        button: str,
        bet: int,
        limit: int = 0,
    ) -> None:
        self._players = [Player(name, bankroll) for name, bankroll in players]
        self._seats = {player.name: seat for seat, player in enumerate(self._players)}
        if len(self._players) < 2 or len(self._seats) < len(self._players):
            names = [player.name for player in self._players]
            raise BadSpec(f"players {names!r:.80}: there must be two or more, all different")
        if type(bet) is not int or type(limit) is not int or bet < 1 or limit < 0:
            raise BadSpec(f"bet {bet!r:.20}, limit {limit!r:.20}: whole chips, the bet 1 or more")
        self.bet_size: Final = bet
        self.limit: Final = limit
        self.button: Final = button
        self.board: tuple[Card, ...] = ()
        self._stage = 0
        self._current_bet: float = 0
        self._unfolded = len(self._players)
        self._next = self.seat_of(button)

    # -- what a player does ------------------------------------------------------------------

    def blinds(self) -> None:
        """Post both blinds: the small one two seats before the next player, the big one one seat before."""
        self._current_bet = self.bet_size
        self._next = (self._next - 2) % len(self._players)
        self._put_in(self.bet_size / 2 if self.bet_size % 2 else self.bet_size // 2)
        self._move_on()
        self._put_in(self.bet_size)
        self._move_on()

    def check(self) -> float:
        """Do the same as `call`; returns the chips paid."""
        return self.call()

    def call(self) -> float:
        """Call, or check when there is nothing to call; returns the chips paid."""
        paid = self._current_bet - self._players[self._next].in_front
        self._put_in(paid)
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
        short = self._current_bet - self._players[self._next].in_front
        if amount < short:
            raise IllegalAction(f"{amount} is less than the {short} to call", code="not_enough")
        self._current_bet += amount - short
        self._put_in(amount)
        self._move_on()
        return amount

    def raise_(self, amount: float = 0) -> float:
        """Do the same as `bet`; the underscore is there because `raise` is a Python keyword."""
        return self.bet(amount)

    def fold(self) -> None:
        """Fold the next player's hand."""
        self._players[self._next].folded = True
        self._unfolded -= 1
        self._move_on()

    def next_stage(self, cards: str | Sequence[Card] = ()) -> bool:
        """Go on to the next stage if all bets are equal, with `cards` added to the board; returns whether it did.

        At the showdown no cards are added, and no stage follows it. The next player stays the same, as in
        the article's object, until the server's `set_next`.
        """
        if not self.pot_square or self._stage + 1 == len(STAGES):
            return False
        last = self._stage + 2 == len(STAGES)
        self.open_stage(self._stage + 1, self.board if last else (*self.board, *parse_cards(cards)))
        return True

    # -- what a server says ------------------------------------------------------------------

    def pay(self, seat: int, amount: float) -> None:
        """Book chips that a seat puts in, even out of turn."""
        player = self._players[seat]
        player.bankroll -= amount
        player.put_in += amount
        player.in_front += amount
        self._current_bet = max(self._current_bet, player.in_front)

    def fold_seat(self, seat: int) -> None:
        """Book a fold, even out of turn."""
        self._unfolded -= not self._players[seat].folded
        self._players[seat].folded = True

    def open_stage(self, stage: int, board: Sequence[Card]) -> None:
        """Begin a stage by its number, with the whole board."""
        self._stage = stage
        self.board = tuple(board)
        self._current_bet = 0
        for player in self._players:
            player.in_front = 0

    def set_next(self, seat: int) -> None:
        """Set the next player to act."""
        self._next = seat

    def show(self, seat: int, cards: Sequence[Card]) -> None:
        """Record a player's hole cards."""
        self._players[seat].hole = tuple(cards)

    def award(self, seat: int, chips: int) -> None:
        """Pay out a share of the pot; `pot` keeps its value."""
        self._players[seat].bankroll += chips

    # -- looking -----------------------------------------------------------------------------

    def seat_of(self, player: str | int) -> int:
        """Return the seat of a player given by name or seat; raises `BadSpec` for an unknown one."""
        if isinstance(player, int):
            if 0 <= player < len(self._players):
                return player
            raise BadSpec(f"there is no seat {player} (there are 0 to {len(self._players) - 1})")
        seat = self._seats.get(player)
        if seat is None:
            raise BadSpec(f"there is no player {player[:40]!r} (there are {', '.join(self._seats)})")
        return seat

    @property
    def players(self) -> tuple[str, ...]:
        """Names by seat."""
        return tuple(self._seats)

    @property
    def pot(self) -> float:
        """All chips put in this hand."""
        return sum(player.put_in for player in self._players)

    @property
    def pot_square(self) -> bool:
        """Whether all players who have not folded have put in this stage's bet."""
        return all(player.folded or player.in_front == self._current_bet for player in self._players)

    @property
    def stage(self) -> str:
        """One of `STAGES`."""
        return STAGES[self._stage]

    @property
    def next_to_play(self) -> str:
        """The name of the next player."""
        return self._players[self._next].name

    @property
    def next_seat(self) -> int:
        """The seat of the next player."""
        return self._next

    def to_call(self, seat: int) -> float:
        """Chips a seat must add to stay in."""
        return max(0, self._current_bet - self._players[seat].in_front)

    def put_in(self, player: str | int) -> float:
        """Chips a player has put in this hand."""
        return self._players[self.seat_of(player)].put_in

    def bankroll(self, player: str | int) -> float:
        """Chips a player has left; may be below zero."""
        return self._players[self.seat_of(player)].bankroll

    def folded(self, player: str | int) -> bool:
        """Whether a player has folded."""
        return self._players[self.seat_of(player)].folded

    def hole(self, player: str | int) -> tuple[Card, ...]:
        """Return a player's hole cards; empty if unknown."""
        return self._players[self.seat_of(player)].hole

    def status(self) -> str:
        """Return the article's status table, byte for byte.

        Flags: `F` folded, `.` next with the pot square, `*` next with the pot not square. Half chips
        show in the pot and are truncated in the columns, as the original's formats do.
        """
        lines = [
            f"Pot: {self.pot:.15g} Stage: {self.stage}",
            f"? {'Name':>20} {'Bankroll':>6} {'InPot':>6}",
        ]
        for seat, player in enumerate(self._players):
            flag = " "
            if player.folded:
                flag = "F"
            elif seat == self._next:
                flag = "." if self.pot_square else "*"
            lines.append(f"{flag} {player.name:>20} ${int(player.bankroll): 5d} ${int(player.put_in): 5d}")
        return "\n".join(lines) + "\n"

    def _put_in(self, amount: float) -> None:
        player = self._players[self._next]
        player.bankroll -= amount
        player.put_in += amount
        player.in_front += amount

    def _move_on(self) -> None:
        """Make the next seat that has not folded the next player; stay when fewer than two are left."""
        if self._unfolded < 2:
            return
        size = len(self._players)
        for step in range(1, size + 1):
            seat = (self._next + step) % size
            if not self._players[seat].folded:
                self._next = seat
                return

    def __repr__(self) -> str:
        return f"<HoldemState: {self.stage}, pot {self.pot:.15g}, {self.next_to_play} next>"
