"""A seat's view of a hand: all that it may know."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, Protocol

from poker_actors.cards import Card
from poker_actors.errors import BadSpec
from poker_actors.native import mypyc_attr
from poker_actors.rules.game import Game
from poker_actors.rules.legal import Legal
from poker_actors.rules.public import PublicState, Taken
from poker_actors.rules.stakes import Stakes
from poker_actors.rules.words import YOU, state_text


class Stream(Protocol):
    """A bot's own random generator, made on first use."""

    def rng(self) -> Random:
        """Return the generator for the current hand."""


@mypyc_attr(allow_interpreted_subclasses=True)
class View:
    """All that one seat may know: its own cards, the public state, its legal actions.

    Amounts are in chips, seats count from 0. Other seats' hole cards and the deck are absent, not just hidden. Two
    views are equal if seat, cards and public state are.
    """

    # Properties read the fields of the public state, not its properties: a bot reads many, and each spares a call.

    __slots__ = ("_legal", "_stream", "hole", "public", "seat")

    def __init__(
        self, public: PublicState, seat: int, hole: tuple[Card, ...], stream: Stream | None = None
    ) -> None:
        self.public: Final = public
        self.seat: Final = seat
        self.hole: Final = hole
        self._stream = stream
        self._legal: Legal | None = None

    @property
    def rng(self) -> Random:
        """The bot's own generator for this hand, the same in every run with the same seed; raises `BadSpec` without one."""
        if self._stream is None:
            raise BadSpec("this view has no random stream: it was not made for a bot")
        return self._stream.rng()

    @property
    def stream(self) -> Stream | None:
        """The source of `rng`; None in a view not made for a bot."""
        return self._stream

    @property
    def hand_number(self) -> int | None:
        """The hand's number in its match or at its table, from 0; None in a view not made for a bot."""
        number: int | None = getattr(self._stream, "hand", None)
        return number

    @property
    def legal(self) -> Legal:
        """What this seat may do now; false if it is not its turn."""
        legal = self._legal
        if legal is None:
            legal = self._legal = self.public.legal(self.seat, self.hole)
        return legal

    @property
    def active(self) -> bool:
        """Whether it is this seat's turn."""
        return self.public.active == self.seat

    @property
    def to_call(self) -> int:
        """Chips to add to stay in, at most the stack."""
        return self.public.to_call(self.seat)

    @property
    def min_raise_to(self) -> int:
        """The least legal total of a bet or raise; 0 if there is none."""
        return self.legal.min_raise_to

    @property
    def max_raise_to(self) -> int:
        """The greatest legal total of a bet or raise; 0 if there is none."""
        return self.legal.max_raise_to

    @property
    def board(self) -> tuple[Card, ...]:
        """The board cards."""
        return self.public.dealt.board

    @property
    def street(self) -> str:
        """The street's name, such as `preflop`, `flop`, `turn` or `river`; `showdown` once the hand is over."""
        return self.public.phase

    @property
    def pot(self) -> int:
        """All chips put in so far, those in front included."""
        return self.public.pot

    @property
    def stacks(self) -> tuple[int, ...]:
        """Chips behind, by seat."""
        return self.public.chips_behind

    @property
    def stack(self) -> int:
        """The seat's chips behind."""
        return self.public.chips_behind[self.seat]

    @property
    def bets(self) -> tuple[int, ...]:
        """Chips in front on this street, by seat."""
        return self.public.chips_in_front

    @property
    def live(self) -> tuple[int, ...]:
        """Seats still in the hand."""
        return self.public.seats_live

    @property
    def button(self) -> int:
        """The seat with the button."""
        return self.public.dealt.setup.button

    @property
    def game(self) -> Game:
        """The game being played."""
        return self.public.dealt.setup.game

    @property
    def stakes(self) -> Stakes:
        """Blinds and antes."""
        return self.public.dealt.setup.stakes

    @property
    def open(self) -> tuple[tuple[Card, ...], ...]:
        """Open cards of each seat; empty in most games."""
        return self.public.open

    @property
    def actions(self) -> tuple[Taken, ...]:
        """Every action so far."""
        return self.public.actions

    def text(self, names: Sequence[str | None] = ()) -> str:
        """Return the view in words: `You hold As Kd. Flop 7c 3s Ac, pot 40; ann to call 20 of 180`.

        `names` are by seat; a seat without one is called `seat 0`, and the view's own is `you`.
        """
        padded = [*names, *[None] * len(self.public.setup.stacks)]
        padded[self.seat] = YOU
        told = state_text(self.public, padded)
        return f"You hold {' '.join(map(str, self.hole))}. {told}" if self.hole else told

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, View):
            return NotImplemented
        return (self.seat, self.hole, self.public) == (other.seat, other.hole, other.public)

    def __hash__(self) -> int:
        return hash((self.seat, self.hole, self.public))

    def __repr__(self) -> str:
        hole = " ".join(map(str, self.hole))
        board = " ".join(map(str, self.board)) or "-"
        return f"<View: seat {self.seat} {hole} on {board}, {self.street}, pot {self.pot}, {self.legal}>"

    def __reduce__(self) -> tuple[object, ...]:
        return (View, (self.public, self.seat, self.hole))
