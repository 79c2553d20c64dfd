"""A match: bots, stacks, stakes, game, the one seed behind all its randomness, and its form from hand to hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import lcm
from typing import Any, Final, Protocol

import attrs

from poker_actors.bots import BotSpec, OutsideBot, SeedTree, drawn_seed
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec
from poker_actors.rules import GAMES, Game, Hand, Stakes
from poker_actors.rules.cash import CashOptions
from poker_actors.rules.games import Rotation

DEFAULT_BOTS: Final = ("tight", "loose", "pot-odds", "caller", "maniac", "random")
"""Six different styles of play, none of them slow."""


_PLAIN_GAME: Final = "holdem"
"""The game played if none is named; bots built for another game play theirs instead."""
MOST_HANDS: Final = 10**12
"""Hands of a match: a day of play at ten million hands a second, and far from what a 64-bit counter holds."""


@attrs.frozen
class Setting:
    """The start of one hand: bots by seat, chips by seat, the button's seat."""

    bots: tuple[int, ...]
    stacks: tuple[int, ...]
    button: int


class Form(Protocol):
    """Decides how each hand starts. Hands depend on each other only within a unit of `unit(seats)` hands.

    By default hands are independent, each has its own deck, and one table can play them all.
    """

    @property
    def name(self) -> str:
        """The name of the form."""

    def unit(self, seats: int) -> int:
        """Return the hands of a unit; units may be played in any order and on any worker."""
        return 1

    def check(self, seats: int, hands: int) -> None:
        """Raise `BadSpec` if this number of hands cannot be played in this form."""

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """Return the start of hand `number`; `stacks` are by seat, `previous` is the hand before it in its unit."""

    def deck(self, number: int, seats: int) -> int:
        """Return the number of the deck that hand `number` is dealt from."""
        return number

    def sittings(self, hands: range) -> list[range]:
        """Cut hands into runs that one table can play: same seats, the button moving by one."""
        return [hands]


@attrs.frozen
class Cash(Form):
    """Stacks are reset each hand; bot b sits in seat b; the button of hand k is seat k modulo the number of seats."""

    name: str = attrs.field(default="cash", init=False)

    def check(self, seats: int, hands: int) -> None:
        """Accept any number of hands."""

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """Return the same stacks with the next button."""
        return _seated(stacks, number % len(stacks))


@attrs.frozen
class CarryOver(Form):
    """Stacks carry over from hand to hand; a bot that has lost everything rebuys its first stack.

    Each session of `session` hands starts over, so that sessions can be played in any order. Intervals are over
    sessions, since the hands of a session depend on each other.
    """

    session: int = 100
    name: str = attrs.field(default="carry-over", init=False)

    def unit(self, seats: int) -> int:
        """Return the hands of a session."""
        return self.session

    def check(self, seats: int, hands: int) -> None:
        """Raise `BadSpec` unless the hands make whole sessions."""
        if type(self.session) is not int or self.session < 1:
            raise BadSpec(f"a session of {self.session!r:.40} hands: the minimum is 1")
        if hands % self.session:
            raise BadSpec(f"{hands} hands are not a multiple of the {self.session} hands of a session")

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """Return the stacks left by the previous hand, and first stacks for busted bots."""
        if previous is not None:
            stacks = tuple([left or first for left, first in zip(previous.stacks, stacks, strict=True)])
        return Setting(tuple(range(len(stacks))), stacks, number % len(stacks))


@attrs.frozen
class Duplicate(Form):
    """Each deck is played once per seat, the bots moving on by a seat: every bot plays every seat's cards.

    Cards, stacks and button stay with the seats. The luck of the deal then cancels in a bot's result
    over the hands of one deck, and intervals are over decks. This is the form of the Annual Computer
    Poker Competition (ACPC).
    """

    name: str = attrs.field(default="duplicate", init=False)

    def unit(self, seats: int) -> int:
        """Return the hands of one deck: one per seat."""
        return seats

    def check(self, seats: int, hands: int) -> None:
        """Raise `BadSpec` unless every deck is played once per seat."""
        if hands % seats:
            raise BadSpec(
                f"{hands} hands are not a multiple of {seats}: duplicate plays each deck once per seat"
            )

    def setting(self, number: int, stacks: tuple[int, ...], previous: Hand | None) -> Setting:
        """Return the same stacks with the bots moved on."""
        size = len(stacks)
        deck, turn = divmod(number, size)
        return Setting(tuple([(seat + turn) % size for seat in range(size)]), stacks, deck % size)

    def deck(self, number: int, seats: int) -> int:
        """Return the deck of a round of `seats` hands."""
        return number // seats

    def sittings(self, hands: range) -> list[range]:
        """Return one run per hand: the seats change every time."""
        return [range(number, number + 1) for number in hands]


@cache
def _seated(stacks: tuple[int, ...], button: int) -> Setting:
    """Make a setting, cached: in a cash match the same few recur, one for each button."""
    return Setting(tuple(range(len(stacks))), stacks, button)


@attrs.frozen
class Match:
    """All that determines a run of hands. Make one with `Match.of`.

    `stacks` are chips by seat at the start. Bot b is the b-th given; the `form` decides where it sits
    in hand k.
    """

    bots: tuple[BotSpec, ...]
    hands: int
    seed: int
    stacks: tuple[int, ...]
    stakes: Stakes
    game: Game | Rotation
    form: Form = attrs.field(factory=Cash)
    options: CashOptions | None = None
    """rake, bomb pots, boards run several times"""
    rounds: str = ""
    """the year of MIT Pokerbots whose rounds are played, under the name of `game`; empty for hands of the rules"""
    _tree: SeedTree = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_tree", SeedTree(self.seed))

    @classmethod
    def of(
        cls,
        bots: Sequence[str | BotSpec | Callable[..., Any]],
        *,
        hands: int,
        seed: int | None = None,
        stacks: str | int | Sequence[int] | None = None,
        stakes: str | Stakes | None = None,
        game: str | Game | Rotation = "holdem",
        form: Form | None = None,
        options: CashOptions | None = None,
    ) -> Match:
        """Read and check everything; raise `BadSpec` or `UnknownBot`, naming the value and the limit.

        `seed` is any integer; None draws one. Stacks and stakes default to the game's own.
        """
        rules = Rotation.named(game) if isinstance(game, str) else game
        if type(hands) is not int or not 1 <= hands <= MOST_HANDS:
            raise BadSpec(f"hands is {hands!r:.40}: it must be 1 to {MOST_HANDS:,}")
        if seed is not None and type(seed) is not int:
            raise BadSpec(f"seed {seed!r:.40} is not a whole number")
        specs = _specs_of(bots, rules)
        rounds = _rounds_of(specs) if game == _PLAIN_GAME else ""
        if rounds:
            rules = _game_of(rounds, form, options)
        blinds = Stakes.parse(stakes) if isinstance(stakes, str) else stakes or rules.stakes
        chips = _chips(stacks, specs, rules, blinds)
        played = Cash() if form is None else form
        played.check(len(specs), hands)
        if options is not None:
            _check_options(options, rules, played)
        root = drawn_seed() if seed is None else seed
        return cls(
            bots=specs,
            hands=hands,
            seed=root,
            stacks=chips,
            stakes=blinds,
            game=rules,
            form=played,
            options=options,
            rounds=rounds,
        )

    @property
    def tree(self) -> SeedTree:
        """The source of all randomness: decks and the bots' draws."""
        return self._tree

    @property
    def unit(self) -> int:
        """The number of hands that depend on each other; see `Form`."""
        return self.form.unit(len(self.bots))

    @property
    def span(self) -> int:
        """The number of hands after which nothing carries over: whole units, and bots' memories.

        A bot's memory is `forgets_after`, an attribute of its class: the number of hands after which it starts over.
        Raises `BadSpec` for an invalid number.
        """
        return lcm(self.unit, *map(_memory, self.bots))

    def deck(self, hand: int) -> Deck:
        """Return the deck of `hand`."""
        game = self.game
        if isinstance(game, Rotation):
            game = game.at(hand, len(self.bots), self.seed)
        return self._tree.deck(self.form.deck(hand, len(self.bots)), game.pack)

    def played(self, hand: int) -> tuple[Game, Stakes]:
        """Return the game and stakes of `hand`; a rotation plays an orbit of each game."""
        game, stakes = self.game, self.stakes
        if isinstance(game, Rotation):
            game = game.at(hand, len(self.bots), self.seed)
            stakes = game.stakes_like(stakes)
        return game, stakes

    def setting(self, hand: int, previous: Hand | None = None) -> Setting:
        """Return the start of `hand`, after `previous`, the hand before it."""
        return self.form.setting(hand, self.stacks, previous if hand % self.unit else None)


def programs(specs: Sequence[BotSpec]) -> list[tuple[type[OutsideBot], dict[str, Any]]]:
    """Return the kind and the settings of each bot that is a program."""
    sources = [(spec.source.factory, spec.values) for spec in specs]
    return [
        (kind, values) for kind, values in sources if isinstance(kind, type) and issubclass(kind, OutsideBot)
    ]


def _rounds_of(specs: Sequence[BotSpec]) -> str:
    """Return the year of MIT Pokerbots whose rounds all of these bots play; empty if they do not."""
    outside = programs(specs)
    years = {kind.rounds_of(values) for kind, values in outside}
    return years.pop() if len(years) == 1 and len(outside) == len(specs) == 2 else ""


def _game_of(rounds: str, form: Form | None, options: CashOptions | None) -> Game:
    """Return the game that stands for the rounds of a year; raise `BadSpec` for a form or options they cannot have."""
    if isinstance(form, CarryOver) or options is not None:
        asked = "carry-over" if options is None else str(options)
        raise BadSpec(
            f"{asked}: rounds of MIT Pokerbots {rounds} begin with the same chips, and have no options"
        )
    return attrs.evolve(
        GAMES[_PLAIN_GAME], name=f"mit-{rounds}", title=f"MIT Pokerbots {rounds}", max_seats=2, aliases=()
    )


def _memory(spec: BotSpec) -> int:
    hands = getattr(spec.source.factory, "forgets_after", 1)
    if type(hands) is not int or hands < 1:
        raise BadSpec(f"bot {spec}: forgets_after is {hands!r:.40}: it must be a number of hands, 1 or more")
    return hands


def _chips(
    stacks: str | int | Sequence[int] | None, specs: Sequence[BotSpec], game: Game | Rotation, stakes: Stakes
) -> tuple[int, ...]:
    """Return the stacks by seat: those given, those a bot has built in, or the game's own.

    Raises `BadSpec` for stacks that cannot be read, and for a match that one of the bots cannot play.
    """
    outside = programs(specs)
    if stacks is None:
        known = [kind.stack_of(values) for kind, values in outside]
        stacks = next((stack for stack in known if stack is not None), game.stack or "100bb")
    chips = stakes.stacks(stacks, len(specs))
    for kind, values in outside:
        kind.check_seat(values, game.name, stakes, chips)
    return chips


def _check_options(options: CashOptions, game: Game | Rotation, form: Form) -> None:
    """Raise `BadSpec` for options that the game or the form rules out."""
    if not game.board_cards and (options.bomb_pot or options.boards > 1):
        raise BadSpec(f"{game} has no board: it has no bomb pots and cannot be run twice")
    if options.bomb_every and isinstance(form, Duplicate):
        raise BadSpec(
            "duplicate plays each deck once per seat: a bomb pot every few hands would affect only some of them"
        )


def _specs_of(
    bots: Sequence[str | BotSpec | Callable[..., Any]], rules: Game | Rotation
) -> tuple[BotSpec, ...]:
    specs = tuple(BotSpec.of(each) for each in ([bots] if isinstance(bots, str) else bots))
    if not 2 <= len(specs) <= rules.max_seats:
        count = f"{len(specs)} bot{'' if len(specs) == 1 else 's'}"
        raise BadSpec(f"{count}: {rules.name} seats 2 to {rules.max_seats}")
    for spec in {spec.text: spec for spec in specs}.values():
        if not callable(spec.make()):
            raise BadSpec(f"bot {spec} does not make a function of a view")
    return specs
