"""A table for learners: hands of one seeded series, actions by number, raise sizes, observations by seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import attrs

from poker_actors.bots import SeedTree, drawn_seed
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec
from poker_actors.learn.layout import Layout, SeatEyes
from poker_actors.rules import GAMES, Game, Hand, Legal, Stakes, game_named, whole_chips
from poker_actors.rules.log import FOLDED, STEP, amount_of, kind_of, seat_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Series:
    """A series of hands: hand k of a seed has the same cards whoever plays and whatever happened before."""

    def __init__(self) -> None:
        self.number: int = -1
        """the hand's number, 0 being the first of the seed; -1 before it"""
        self.tree: SeedTree | None = None
        self._masks: dict[int, NDArray[np.int8]] = {}

    def seed(self, seed: int | None) -> None:
        """Start the series of hands of `seed`; with None, continue, or draw a seed before the first hand."""
        if seed is None and self.tree is not None:
            return
        self.tree = SeedTree(drawn_seed() if seed is None else seed)
        self.number = -1

    def shown_mask(self, bits: int, actions: int) -> NDArray[np.int8]:
        """Return a mask of `actions` numbers from its bits, in a new array."""
        mask = self._masks.get(bits)
        if mask is None:
            from numpy import array, int8

            mask = self._masks[bits] = array([bits >> place & 1 for place in range(actions)], int8)
        return mask.copy()  # the cached mask is shared by later turns, and the caller may write to its own


DEFAULT_SIZES: Final = ("min", 0.5, 1.0, "all-in")
_MIN: Final = "min"
_ALL_IN: Final = "all-in"
_MOST: Final = 100


def _checked(sizes: RaiseSizes, attribute: object, values: tuple[str | float, ...]) -> None:
    if not 1 <= len(values) <= _MOST:
        raise BadSpec(f"{len(values)} raise sizes: there must be 1 to {_MOST}")
    for value in values:
        number = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1_000
        if not number and value not in (_MIN, _ALL_IN):
            raise BadSpec(
                f"raise size {value!r:.20} must be 'min', 'all-in', or a part of the pot above 0 and at most 1000"
            )


@attrs.frozen
class RaiseSizes:
    """The raises to choose from; a number is a fraction of the pot after calling, so 1.0 is a pot-sized raise.

    A size is legal when its total is between the smallest and largest legal totals. `min` is legal wherever a raise
    is, `all-in` where the whole stack may go in. Raises `BadSpec` for other values, and for none or more than 100.
    """

    values: tuple[str | float, ...] = attrs.field(
        default=DEFAULT_SIZES, converter=tuple[str | float, ...], validator=_checked
    )

    @classmethod
    def of(cls, sizes: Sequence[str | float] | RaiseSizes) -> RaiseSizes:
        """Return `sizes` as `RaiseSizes`; raises `BadSpec` for invalid ones."""
        return sizes if isinstance(sizes, RaiseSizes) else cls(tuple(sizes))

    def totals(self, legal: Legal, bet: int, pot: int) -> list[int]:
        """Return the total of each size in chips, 0 where illegal, with `bet` to match and `pot` chips in."""
        low, high = legal.min_raise_to, legal.max_raise_to
        if not high:
            return [0] * len(self.values)
        base = pot + legal.to_call
        totals = []
        for size in self.values:
            if isinstance(size, str):
                total = low if size == _MIN else legal.all_in_total
            else:
                total = bet + round(base * size)
            totals.append(total if low <= total <= high else 0)
        return totals


FOLD: Final = 0
CALL: Final = 1
"""Check or call."""
RAISE: Final = 2
"""Bet or raise; with raise sizes, 2 and up are one size each."""

_MOST_COMPILED: Final = 1_000
"""Deepest stack in smallest bets: a row holds a log of every possible action, which grows with it."""
_COMPILED_NAMES: Final = "holdem limit-holdem pot-limit-holdem short-deck omaha omaha5 omaha6"
_COMPILED_GAMES: Final = tuple([GAMES[name] for name in _COMPILED_NAMES.split()])
_MOST_COMPILED_CARDS: Final = 32
"""Most cards of a hand: a row has room for 32 bytes of them."""
_MOST_COMPILED_SIZES: Final = 20
"""Most raise sizes: the mask of actions and the seat share one integer."""

_NOT_LEGAL: Final = Legal(-1, turn=False)


class Setting:
    """The settings of a table: seats, game, stakes, stacks, actions; raises `BadSpec` for invalid ones."""

    def __init__(
        self,
        players: int = 2,
        game: str | Game = "holdem",
        stakes: str | Stakes | None = None,
        stacks: int | Sequence[int] | None = None,
        raise_sizes: Sequence[str | float] | RaiseSizes | None = None,
        history: int = 64,
    ) -> None:
        rules = game_named(game) if isinstance(game, str) else game
        if type(players) is not int or not 2 <= players <= rules.max_seats:
            raise BadSpec(f"players is {players!r:.20}: {rules.name} seats 2 to {rules.max_seats}")
        blinds = Stakes.parse(stakes) if isinstance(stakes, str) else stakes or rules.stakes
        if not blinds.big_blind:
            raise BadSpec(f"{rules.name} has no big blind to count rewards in")
        each = 100 * blinds.big_blind if stacks is None else stacks
        chips = (each,) * players if isinstance(each, int) else tuple(each)
        if len(chips) != players:
            raise BadSpec(f"{len(chips)} stacks for {players} players: give one for all or one for each")
        least = max(blinds.straddle, blinds.big_blind) + blinds.ante + blinds.big_blind_ante + 1
        self.stacks: Final = tuple([whole_chips("a stack", stack, least=least) for stack in chips])
        self.players: Final = players
        self.game: Final = rules
        self.stakes: Final = blinds
        self.sizes: Final = None if raise_sizes is None else RaiseSizes.of(raise_sizes)
        self.layout: Final = Layout.of(rules, players, history)
        self.unit: Final = 1.0 / blinds.big_blind

    @property
    def actions(self) -> int:
        """Return the number of kinds of actions, which is the length of a mask."""
        return 3 if self.sizes is None else 2 + len(self.sizes.values)

    @property
    def compiles(self) -> bool:
        """Whether compiled code can play this setting: hold'em of any limit, short deck and pot-limit Omaha.

        No stack may exceed 1,000 smallest bets, no hand may take more than 32 cards, and there may be at most 20
        raise sizes.
        """
        return not self.why_not_compiled

    @property
    def why_not_compiled(self) -> str:
        """Say why compiled code cannot play this setting, with the value and the limit; empty if it can."""
        if self.game not in _COMPILED_GAMES:
            return f"compiled code plays {', '.join(game.name for game in _COMPILED_GAMES)}, not {self.game.name}"
        cards = self.game.cards_needed(self.players, 52)
        if cards > _MOST_COMPILED_CARDS:
            seats = f"{self.players} seats of {self.game.name}"
            return f"{seats} take {cards} cards, and compiled code deals at most {_MOST_COMPILED_CARDS}"
        bets = max(self.stacks) // self.stakes.min_bet
        if bets > _MOST_COMPILED:
            return f"a stack of {bets} smallest bets is above its limit of {_MOST_COMPILED}"
        if self.sizes is not None and len(self.sizes.values) > _MOST_COMPILED_SIZES:
            return f"{len(self.sizes.values)} raise sizes are above its limit of {_MOST_COMPILED_SIZES}"
        return ""

    @property
    def mask_name(self) -> str:
        """Return the name of the mask in infos.

        It is `action_mask` only where it masks the action space itself, not just the kind of an action.
        """
        return "kind_mask" if self.sizes is None else "action_mask"

    @property
    def most_big_blinds(self) -> float:
        """Return the largest total that any seat could raise to, in big blinds."""
        return max(self.stacks) * self.unit


class LearningTable(Series):
    """A table that plays hand after hand, by the rules; the button moves one seat each hand.

    `begin` deals, `act` takes the turn of `active`. Hand k of a seed has the same cards whoever plays.
    """

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting: Final = setting
        self.illegal: Final = [0] * setting.players
        """illegal actions of this hand by seat; each became a check or a fold"""
        self._observers = [
            SeatEyes(setting.layout, seat, setting.stakes.big_blind) for seat in range(setting.players)
        ]
        self._big_blind = setting.stakes.big_blind
        self.hand: Hand

    def begin(self, deck: Deck | None = None) -> None:
        """Deal the next hand, from `deck` if given."""
        setting = self.setting
        assert self.tree is not None, "seed the table before it deals"
        self.number += 1
        if deck is None:
            deck = self.tree.deck(self.number, setting.game.pack)
        button = self.number % setting.players
        hand = self.hand = Hand(setting.stacks, setting.stakes, deck=deck, button=button, game=setting.game)
        self._street = 0
        self._seen = 0
        self._live = [1.0] * setting.players
        self._totals: list[int] = []
        self.illegal[:] = [0] * setting.players
        for seat, observer in enumerate(self._observers):
            observer.begin(hand.holes[seat], (seat - button - 1) % setting.players)
        self._look_ahead()

    @property
    def active(self) -> int:
        """The seat to act; -1 when the hand is over."""
        return self.hand.to_act[0] if self.hand.to_act else -1

    def act(self, action: Any) -> None:
        """Take the turn of the seat to act; an illegal action checks if possible, else folds, and is counted."""
        hand, legal = self.hand, self._legal
        kind, size = self._read(action)
        if kind == CALL:
            hand.check_or_call()
        elif kind == FOLD:
            hand.fold()
        elif (total := self._total(kind, size)) > 0:
            hand.raise_to(total)
        else:
            seat = hand.to_act[0]
            self.illegal[seat] += 1
            if legal.to_call:
                hand.fold()
            else:
                hand.check_or_call()
        self.heard()

    def heard(self) -> None:
        """Update the observers with the actions logged since the last call."""
        hand = self.hand
        log = hand.log
        for place in range(self._seen, len(log)):
            entry = log[place]
            seat, kind, amount = seat_of(entry), kind_of(entry), amount_of(entry)
            if kind == FOLDED:
                self._live[seat] = 0.0
            for observer in self._observers:
                observer.hear(place, self._street, seat, kind // STEP, amount)
        self._seen = len(log)
        if hand.street != self._street:
            cards = hand.board
            for observer in self._observers:
                observer.turn_street(self._street, hand.street, cards)
            self._street = hand.street
        self._look_ahead()

    def _look_ahead(self) -> None:
        """Work out the legal actions of the seat to act, before it is asked."""
        hand = self.hand
        public = self._public = hand.public()
        if hand.to_act:
            legal = self._legal = public.legal(hand.to_act[0])
            if self.setting.sizes is not None:
                self._totals = self.setting.sizes.totals(legal, hand.bet, hand.pot)
        else:
            self._legal = _NOT_LEGAL

    def _read(self, action: Any) -> tuple[int, float]:
        """Return the kind of an action and its total in big blinds, 0 if it names none."""
        if self.setting.sizes is None and hasattr(action, "__len__"):
            return int(action[0]), float(action[1])
        return int(action), 0.0

    def _total(self, kind: int, size: float) -> int:
        """Return the total of a raise in chips; 0 if it is illegal."""
        if self.setting.sizes is not None:
            place = kind - RAISE
            return self._totals[place] if 0 <= place < len(self._totals) else 0
        legal = self._legal
        if kind != RAISE or not legal.can_raise:
            return 0
        # max before min, in this order of arguments: NaN then becomes the minimum
        return round(min(max(legal.min_raise_to, size * self._big_blind), legal.max_raise_to))

    def mask(self, seat: int) -> NDArray[np.int8]:
        """Return int8 of shape (actions,): 1 for each legal action of `seat`; all 0 when it is not its turn."""
        bits = 0
        if self.active == seat:
            bits = 3
            if self.setting.sizes is None:
                bits |= 4 * self._legal.can_raise
            else:
                place = 4
                for total in self._totals:
                    if total:
                        bits |= place
                    place *= 2
        return self.shown_mask(bits, self.setting.actions)

    def observation(self, seat: int) -> NDArray[np.float32]:
        """Return the observation of `seat`, float32 as in `Layout`, in a new array."""
        legal = self._legal
        if legal.seat == seat:
            bounds = (legal.to_call, legal.min_raise_to, legal.max_raise_to)
        else:
            bounds = (self._public.to_call(seat), 0, 0)
        return self._observers[seat].look(self.hand, self._live, bounds)

    def rewards(self) -> list[float]:
        """Return each seat's result of the finished hand, in big blinds."""
        unit = self.setting.unit
        return [chips * unit for chips in self.hand.payoffs]
