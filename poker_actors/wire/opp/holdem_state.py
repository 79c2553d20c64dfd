"""The state of a limit hold'em hand as the 2003 Perl article keeps and prints it; no network involved."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadSpec, IllegalAction
from poker_actors.wire.opp.protocol.hand import SHOWDOWN, HeardHand

STAGES: Final = ("preflop", "flop", "turn", "river", "showdown")


class HoldemState:
    """Players, bankrolls, pot and the next player, updated by the players' actions.

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
        rows = list(players)
        names = [name for name, _ in rows]
        if len(rows) < 2 or len(set(names)) < len(rows):
            raise BadSpec(f"players {names!r:.80}: there must be two or more, all different")
        if type(bet) is not int or type(limit) is not int or bet < 1 or limit < 0:
            raise BadSpec(f"bet {bet!r:.20}, limit {limit!r:.20}: whole chips, the bet 1 or more")
        if button not in names:
            raise _unknown(button, names)
        self.hand = HeardHand(rows, bet_size=bet, button=names.index(button))
        """the books, which this class moves on by the article's rules"""
        self.limit = limit

    @classmethod
    def of(cls, hand: HeardHand) -> HoldemState:
        """Return the state of a hand booked elsewhere, such as a client's from its server's messages."""
        state = cls.__new__(cls)
        state.hand = hand
        state.limit = 0
        return state

    # -- what a player does ------------------------------------------------------------------

    def blinds(self) -> None:
        """Post both blinds: the small one two seats before the next player, the big one one seat before."""
        hand = self.hand
        hand.next_seat = (hand.next_seat - 2) % len(hand.names)
        bet = hand.bet_size
        for amount in (bet / 2 if bet % 2 else bet // 2, bet):
            hand.pay(hand.next_seat, amount)
            self._move_on()

    def check(self) -> float:
        """Do the same as `call`; returns the chips paid."""
        return self.call()

    def call(self) -> float:
        """Call, or check when there is nothing to call; returns the chips paid."""
        paid = self.hand.current_bet - self.hand.front[self.next_seat]
        self.hand.pay(self.next_seat, paid)
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
        short = self.hand.current_bet - self.hand.front[self.next_seat]
        if amount < short:
            raise IllegalAction(f"{amount} is less than the {short} to call", code="not_enough")
        self.hand.pay(self.next_seat, amount)
        self._move_on()
        return amount

    def raise_(self, amount: float = 0) -> float:
        """Do the same as `bet`; the underscore is there because `raise` is a Python keyword."""
        return self.bet(amount)

    def fold(self) -> None:
        """Fold the next player's hand."""
        self.hand.folded[self.next_seat] = True
        self._move_on()

    def next_stage(self, cards: str | Sequence[Card] = ()) -> bool:
        """Go on to the next stage if all bets are equal, with `cards` added to the board; returns whether it did.

        At the showdown no cards are added, and no stage follows it. The next player stays the same, as in
        the article's object, until the server's `set_next`.
        """
        hand = self.hand
        if not self.pot_square or hand.stage == SHOWDOWN:
            return False
        last = hand.stage + 1 == SHOWDOWN
        hand.open_stage(hand.stage + 1, hand.board if last else (*hand.board, *parse_cards(cards)))
        return True

    def set_next(self, seat: int) -> None:
        """Set the next player to act."""
        self.hand.next_seat = seat

    # -- looking -----------------------------------------------------------------------------

    def seat_of(self, player: str | int) -> int:
        """Return the seat of a player given by name or seat; raises `BadSpec` for an unknown one."""
        names = self.hand.names
        if isinstance(player, int):
            if 0 <= player < len(names):
                return player
            raise BadSpec(f"there is no seat {player} (there are 0 to {len(names) - 1})")
        if player not in names:
            raise _unknown(player, names)
        return names.index(player)

    @property
    def players(self) -> tuple[str, ...]:
        """Names by seat."""
        return self.hand.names

    @property
    def bet_size(self) -> int:
        """The big blind and the smallest bet, in chips."""
        return self.hand.bet_size

    @property
    def button(self) -> str:
        """The name of the player who acts first, as the article's object has it."""
        return self.hand.names[self.hand.button]

    @property
    def board(self) -> tuple[Card, ...]:
        """The board so far."""
        return self.hand.board

    @property
    def pot(self) -> float:
        """All chips put in this hand."""
        return sum(self.hand.paid)

    @property
    def pot_square(self) -> bool:
        """Whether all players who have not folded have put in this stage's bet."""
        hand = self.hand
        return all(
            folded or front == hand.current_bet for folded, front in zip(hand.folded, hand.front, strict=True)
        )

    @property
    def stage(self) -> str:
        """One of `STAGES`."""
        return STAGES[self.hand.stage]

    @property
    def next_to_play(self) -> str:
        """The name of the next player."""
        return self.hand.names[self.next_seat]

    @property
    def next_seat(self) -> int:
        """The seat of the next player."""
        return self.hand.next_seat

    def to_call(self, seat: int) -> float:
        """Chips a seat must add to stay in."""
        return self.hand.current_bet - self.hand.front[seat]

    def put_in(self, player: str | int) -> float:
        """Chips a player has put in this hand."""
        return self.hand.paid[self.seat_of(player)]

    def bankroll(self, player: str | int) -> float:
        """Chips a player has left; may be below zero."""
        return self.hand.bankroll(self.seat_of(player))

    def folded(self, player: str | int) -> bool:
        """Whether a player has folded."""
        return self.hand.folded[self.seat_of(player)]

    def hole(self, player: str | int) -> tuple[Card, ...]:
        """Return a player's hole cards; empty if unknown."""
        return self.hand.hole(self.seat_of(player))

    def status(self) -> str:
        """Return the article's status table, byte for byte.

        Flags: `F` folded, `.` next with the pot square, `*` next with the pot not square. Half chips
        show in the pot and are truncated in the columns, as the original's formats do.
        """
        lines = [
            f"Pot: {self.pot:.15g} Stage: {self.stage}",
            f"? {'Name':>20} {'Bankroll':>6} {'InPot':>6}",
        ]
        for seat, name in enumerate(self.hand.names):
            flag = " "
            if self.hand.folded[seat]:
                flag = "F"
            elif seat == self.next_seat:
                flag = "." if self.pot_square else "*"
            bankroll, paid = int(self.hand.bankroll(seat)), int(self.hand.paid[seat])
            lines.append(f"{flag} {name:>20} ${bankroll: 5d} ${paid: 5d}")
        return "\n".join(lines) + "\n"

    def _move_on(self) -> None:
        """Make the next seat that has not folded the next player; stay when fewer than two are left."""
        folded, at = self.hand.folded, self.next_seat
        if folded.count(False) < 2:
            return
        size = len(folded)
        self.set_next(next(seat for step in range(1, size + 1) if not folded[seat := (at + step) % size]))

    def __repr__(self) -> str:
        return f"<HoldemState: {self.stage}, pot {self.pot:.15g}, {self.next_to_play} next>"


def _unknown(player: str, names: Sequence[str]) -> BadSpec:
    return BadSpec(f"there is no player {player[:40]!r} (there are {', '.join(names)})")
