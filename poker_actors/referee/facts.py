"""The referee's input: a game as a rule book describes it, a table, and the facts of a hand in order."""

from __future__ import annotations

from typing import Final

import attrs

from poker_actors.cards import Card

NOBODY: Final = -1


@attrs.frozen(kw_only=True)
class SheetStreet:
    """A street: cards dealt down, up and to each board, cards to change or give up, and then the betting."""

    name: str
    down: int = 0
    up: int = 0
    board: int = 0
    draw: int = 0
    """the most cards that may be changed"""
    throw: int = 0
    """cards that must be given up"""
    bet_units: int = 1
    """fixed limit: the size of a bet in small bets"""
    first: str = "position"
    """`position`, or in stud `low card`, `high card`, `high hand` or `low hand`"""


@attrs.frozen(kw_only=True)
class Sheet:
    """A game, in plain words."""

    name: str
    streets: tuple[SheetStreet, ...]
    limit: str
    """`no-limit`, `pot-limit` or `fixed-limit`"""
    orders: tuple[str, ...]
    """the order of hands of each share of the pot, the high one first; see `ORDERS`"""
    shares: tuple[str, ...] = ("",)
    """the name of each share"""
    cap: int = 0
    """bets and raises a street; 0 for no cap"""
    boards: int = 1
    pack: tuple[Card, ...] = ()
    any_raise: bool = False
    """whether a raise may be as small as the least bet, whatever the last raise was"""
    raise_again: bool = True
    """whether a seat that has acted on a street may raise on it"""
    covered: bool = False
    """whether nobody may bet more than an opponent can call"""
    rows: bool = False
    """open-face: cards are laid in rows, for points"""

    @property
    def known(self) -> bool:
        """Whether every share has an order of hands; otherwise the winners of a showdown are not judged."""
        return all(self.orders)


@attrs.frozen
class Owed:
    """A forced bet that a seat owes; `kind` is `ante`, `small blind`, `big blind`, `straddle` and so on."""

    seat: int
    kind: str
    chips: int


@attrs.frozen(kw_only=True)
class Sitting:
    """A table at the start of a hand; chips by seat, 0 for a seat not dealt in."""

    stacks: tuple[int, ...]
    button: int
    small_seat: int | None = None
    """the seat that owes the small blind; None if it is dead"""
    big_seat: int = NOBODY
    """the seat that owes the big blind; -1 if the blinds follow from the button"""
    small: int = 0
    big: int = 0
    ante: int = 0
    big_ante: int = 0
    straddle: int = 0
    least_bet: int = 1
    bring_in: int = 0
    owed: tuple[Owed, ...] | None = None
    """forced bets one by one, instead of those above"""
    rake: tuple[int, int, bool] | None = None
    """hundredths of a percent, the most of a hand (0: no limit), and whether a flop must have been dealt"""
    bomb: int = 0
    """the ante of each seat in a bomb pot, instead of blinds; it begins on the flop"""
    bomb_boards: int = 1
    runs: int = 1
    """how often the rest of the board is dealt once betting is over"""
    declined: tuple[int, ...] = ()
    """seats that would not run it again"""
    cards: int = 52
    """cards to deal"""
    mixed_unsaid: bool = False
    """whether the pack may be reshuffled unannounced, as in a history, so that unheld cards come again"""


@attrs.frozen(kw_only=True)
class Fact:
    """One line of a hand. `what` says which other fields apply; those of an `ask` are what the seat is offered."""

    what: str
    """`start`, `post`, `down`, `up`, `board`, `reshuffle`, `ask`, `act`, `back`, `show`, `muck`, `rake`, `award`,
    `score`, `end` or `state`"""
    seat: int = NOBODY
    word: str = ""
    """the kind of a post, the street of a board, the verb of an act, what an `ask` asks for, the share of an award"""
    chips: int = 0
    """chips moved; in an `ask`, to call; in a `state`, in the pot"""
    total: int = 0
    """the total of a bet or raise"""
    least: int = 0
    most: int = 0
    """the bounds of a raise, or of cards to throw; 0 for none"""
    cards: tuple[Card, ...] = ()
    rows: tuple[tuple[Card, ...], ...] = ()
    """cards laid in the top, middle and bottom row"""
    board: int = 0
    pot: int = 0
    points: int = 0
    royalties: int = 0
    fouled: bool = False
    all_in: bool = False
    """in an `act`, whether it was announced as all-in"""
    stacks: tuple[int, ...] = ()
    payoffs: tuple[int, ...] | None = None
    """in a `state`, each seat's winnings so far, if told"""

    def acted_words(self) -> str:
        """Describe an `act` in words."""
        if self.word == "discard":
            return f"throws {len(self.cards)} cards"
        return f"raises to {self.total}" if self.word == "raise" else f"{self.word}s"


@attrs.frozen
class Verdict:
    """A fact that breaks a rule: the rule's code, the fact's number, the claim and the referee's result."""

    code: str
    place: int
    """number of the fact, from 0"""
    said: str
    computed: str
    rule: str
    """the rule and its source"""

    @property
    def words(self) -> str:
        """Return the result by the rules; unless the code makes them clear, also the claim and the rule."""
        if self.code in ("payout", "rake", "end"):
            return f"by the rules {self.computed}"
        return f"{self.said}: by the rules {self.computed} ({self.rule})"

    def __str__(self) -> str:
        return f"{self.code}: {self.said}; by the rules {self.computed} ({self.rule})"
