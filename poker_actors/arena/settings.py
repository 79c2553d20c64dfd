"""The settings in `arena.toml`: the game, the stakes, who meets whom, the clocks and the cage."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal, get_args

import attrs

from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec, unknown
from poker_actors.rules import Game, Stakes, game_named
from poker_actors.sim import Duplicate, Match
from poker_actors.sim.tournaments import Structure, blinds, sit_and_go

FILE: Final = "arena.toml"
_LONGEST: Final = 65536
"""The most bytes of the file, which holds some twenty short lines."""

Schedule = Literal["round-robin", "swiss", "ladder"]
Seats = Literal["heads-up", "six-max", "sit-and-go"]
_SIX: Final = 6
_LEVELS: Final = 16
"""Levels of a sit-and-go with given blinds; after the last one they double."""


def _within(least: float, most: float) -> Any:
    def check(settings: object, field: attrs.Attribute[Any], value: float) -> None:
        whole = isinstance(field.default, int)
        if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
            raise BadSpec(
                f"{FILE}: {field.name} is {value!r:.40}: it must be a {'whole ' if whole else ''}number"
            )
        if not least <= value <= most:
            raise BadSpec(f"{FILE}: {field.name} is {value:g}: it must be {least:g} to {most:g}")

    return check


def _yes_or_no(settings: object, field: attrs.Attribute[bool], value: object) -> None:
    if not isinstance(value, bool):
        raise BadSpec(f"{FILE}: {field.name} is {value!r:.40}: it must be true or false")


def _text(settings: object, field: attrs.Attribute[str], value: object) -> None:
    if not isinstance(value, str):
        raise BadSpec(f"{FILE}: {field.name} is {value!r:.40}: it must be a string")


@attrs.frozen(kw_only=True)
class Limits:
    """What an entrant may use; seconds are of the real clock, sizes in megabytes."""

    decision_seconds: float = attrs.field(default=1.0, validator=_within(0.001, 3600))
    """for one decision; a late entrant checks or folds"""
    start_seconds: float = attrs.field(default=10.0, validator=_within(0.1, 600))
    """until its `hello` at the start of a match"""
    match_seconds: float = attrs.field(default=120.0, validator=_within(0.1, 1e6))
    """for all decisions of a match together"""
    build_seconds: float = attrs.field(default=60.0, validator=_within(1, 3600))
    restarts: int = attrs.field(default=4, validator=_within(0, 1000))
    """in a match, after a crash or a late answer; then it checks and folds to the end"""
    memory: int = attrs.field(default=512, validator=_within(16, 1 << 20))
    processes: int = attrs.field(default=32, validator=_within(1, 1000))
    tmp: int = attrs.field(default=64, validator=_within(1, 1 << 16))
    """size of its /tmp, which is gone after the match"""
    files: int = attrs.field(default=64, validator=_within(1, 1 << 16))
    """size of its folder, including what its build made"""


@attrs.frozen(kw_only=True)
class ArenaSettings:
    """All settings of an arena; made by `read`, or by name. Raises `BadSpec`, naming the value and the limit."""

    game: str = attrs.field(default="holdem", validator=_text)
    """a name listed by `poker-actors games`, or FILE.py:NAME, relative to the folder"""
    stakes: str = attrs.field(default="", validator=_text)
    """the stakes; the game's own if empty"""
    stacks: str = attrs.field(default="", validator=_text)
    """chips, or big blinds (`100bb`), of each seat in each hand; the game's own if empty"""
    hands: int = attrs.field(default=1000, validator=_within(16, 10**7))
    """hands of a match; each deck is played once per seat, the last one too"""
    seats: Seats = "heads-up"
    """tables of two, tables of six, or tournaments of six; smaller with fewer than six entrants"""
    tournaments: int = attrs.field(default=20, validator=_within(8, 10**6))
    """tournaments in a match of sit-and-gos"""
    schedule: Schedule = "round-robin"
    rounds: int = attrs.field(default=0, validator=_within(0, 10_000))
    """the most rounds of the schedules swiss and ladder; 0 to choose by the number of entrants"""
    top: int = attrs.field(default=10, validator=_within(1, 200))
    """the places that the ladder decides"""
    adjust: bool = attrs.field(default=True, validator=_yes_or_no)
    """whether the luck of the cards is removed from the results, where possible"""
    control: bool = attrs.field(default=False, validator=_yes_or_no)
    """whether each entrant also plays a copy of itself, which must come out even"""
    house: tuple[str, ...] = ()
    """house bots that play too"""
    cage: bool = attrs.field(default=True, validator=_yes_or_no)
    histories: bool = attrs.field(default=True, validator=_yes_or_no)
    """whether every hand is kept as PHH"""
    seed: int = attrs.field(default=0, validator=_within(0, (1 << 128) - 1))
    """seed of all decks, so that an arena can be repeated; whoever knows it knows the decks. 0 draws a secret one"""
    check_hands: int = attrs.field(default=40, validator=_within(16, 10_000))
    """hands in the check that admits an entrant"""
    limits: Limits = Limits()

    def __attrs_post_init__(self) -> None:
        for name, choices in (("schedule", get_args(Schedule)), ("seats", get_args(Seats))):
            if getattr(self, name) not in choices:
                raise BadSpec(
                    f"{FILE}: {name} {getattr(self, name)!r:.40} must be one of {', '.join(choices)}"
                )
        for name in ("hands", "check_hands"):
            if self.seats == "heads-up" and getattr(self, name) % 2:
                raise BadSpec(
                    f"{FILE}: {name} is {getattr(self, name)}, an odd number: each deck is played twice"
                )
        if self.rules.max_seats < self.most_seats:
            raise BadSpec(
                f"{FILE}: seats {self.seats!r}: {self.rules.name} seats 2 to {self.rules.max_seats}"
            )
        for bot in self.house:
            if bot.partition(":")[0] in ("cmd", "mit", "cage"):
                raise BadSpec(f"{FILE}: house {bot[:40]!r} is a program: give it a folder")
        self.match(["caller"] * self.most_seats, hands=2, seed=0)
        if self.is_tournament:
            self.structure(self.most_seats)
        for bot in self.house:
            BotSpec.parse(bot)

    @classmethod
    def read(cls, folder: Path, *, served: bool = False) -> ArenaSettings:
        """Read `arena.toml` of a folder; without one, all settings are the defaults.

        Raises `BadSpec` for a folder that does not exist and for a file that cannot be read or understood;
        with the code `code_among_uploads` for the operator's own Python in a folder that is `served`.
        """
        if not folder.is_dir():
            raise BadSpec(f"{folder} is not a folder")
        path = folder / FILE
        if not path.exists():
            return cls()
        try:
            with path.open("rb") as file:
                value = tomllib.loads(file.read(_LONGEST).decode("utf-8"))
        except (OSError, ValueError) as error:
            raise BadSpec(f"{path} cannot be read: {error}") from None
        if served:
            _check_code(value, folder)
        return cls.of(value, folder)

    @classmethod
    def of(cls, value: Mapping[str, Any], folder: Path) -> ArenaSettings:
        """Make settings from the file's values; a game's file is relative to `folder`."""
        limits = value.get("limits", {})
        if not isinstance(limits, dict):
            raise BadSpec(f"{FILE}: limits is {limits!r:.40}, not a table")
        _check_names(limits, Limits, "setting of [limits]")
        _check_names(value, cls, "setting")
        house = value.get("house", [])
        if not isinstance(house, list) or not all(isinstance(bot, str) for bot in house):
            raise BadSpec(f"{FILE}: house is {house!r:.40}, not a list of bots")
        given = {**value, "house": tuple(house), "limits": Limits(**limits)}
        game = given.get("game")
        if isinstance(game, str) and game.partition(":")[0].endswith(".py"):
            place, _, row = game.rpartition(":")
            given["game"] = f"{os.path.realpath(folder / place)}:{row}"
        return cls(**given)

    @property
    def rules(self) -> Game:
        """The game."""
        return game_named(self.game)

    @property
    def is_tournament(self) -> bool:
        """Whether a match is played as tournaments instead of hands."""
        return self.seats == "sit-and-go"

    @property
    def corrects(self) -> bool:
        """Whether the luck of the cards is removed: if asked for, except in tournaments and open-face poker."""
        return self.adjust and not self.is_tournament and not self.rules.open_face

    @property
    def pairs_by_results(self) -> bool:
        """Whether the results so far decide who meets whom."""
        return self.schedule != "round-robin"

    @property
    def most_seats(self) -> int:
        """The seats of a table."""
        return 2 if self.seats == "heads-up" else _SIX

    def table(self, players: int) -> int:
        """Return the players at a table, given the number of entrants."""
        return max(2, min(self.most_seats, players))

    @property
    def measure(self) -> str:
        """The unit of results."""
        return "% of a buy-in" if self.is_tournament else "bb/100"

    def length(self, seats: int) -> str:
        """Return the length of a match of `seats` players, in words."""
        if self.is_tournament:
            return f"{self.tournaments:,} sit-and-gos"
        return f"{whole_decks(self.hands, seats):,} hands"

    def structure(self, seats: int) -> Structure:
        """Return the sit-and-go of the stakes and stacks; raises `BadSpec` for unsuitable blinds or stacks."""
        stakes = Stakes.parse(self.stakes) if self.stakes else self.rules.stakes_like(Stakes(10, 20))
        chosen: dict[str, Any] = {"game": self.game}
        if self.stakes:
            chosen["levels"] = blinds(stakes.small_blind, _LEVELS)
        if self.stacks:
            chosen["stack"] = stakes.chips(self.stacks)
            if chosen["stack"] is None:
                raise BadSpec(
                    f"{FILE}: stacks {self.stacks[:40]!r}: in a sit-and-go everybody begins with the same stack"
                )
        return sit_and_go(seats, **chosen)

    @property
    def key(self) -> str:
        """A hash of everything that decides a match's hands, except the players and the root."""
        kept = attrs.asdict(self)
        for name in ("schedule", "rounds", "top", "house", "control"):
            del kept[name]
        # newer settings only where they differ from the default: scores of earlier arenas stay valid
        if self.seats == "heads-up":
            del kept["seats"]
        if not self.is_tournament:
            del kept["tournaments"]
        if not self.seed:
            del kept["seed"]
        place, _, kept["game"] = self.game.rpartition(":")  # not the path of its file: an arena may be moved
        code = Path(place).read_bytes() if place else b""
        text = repr(sorted(kept.items())).encode() + code
        return blake2b(text, digest_size=12, person=b"arena settings").hexdigest()

    def match(self, bots: list[Any], *, hands: int, seed: int) -> Match:
        """Return a match of `bots` at the arena's table, in whole decks; raises as `Match.of` does."""
        return Match.of(
            bots,
            hands=whole_decks(hands, len(bots)),
            seed=seed,
            stacks=self.stacks or None,
            stakes=Stakes.parse(self.stakes) if self.stakes else None,
            game=self.rules,
            form=Duplicate(),
        )


def whole_decks(hands: int, seats: int) -> int:
    """Round `hands` up so that each deck is played once per seat."""
    return -(-hands // seats) * seats


def _check_code(value: Mapping[str, Any], folder: Path) -> None:
    """Raise `BadSpec` if the file of the game, or of a house bot, lies in the folder.

    Such a file runs outside any cage, and could import what is uploaded beside it, so this comes before loading it.
    """
    house = value.get("house", [])
    named: list[tuple[str, Any, Path]] = [("game", value.get("game"), folder)]
    named += [("house", bot, Path()) for bot in (house if isinstance(house, list) else [])]
    for setting, spec, seen_from in named:
        place, _, row = spec.partition(".py:") if isinstance(spec, str) else ("", "", "")
        if row and (seen_from / f"{place}.py").resolve().is_relative_to(folder.resolve()):
            name = f"{Path(place).name[:40]}.py"
            raise BadSpec(
                f"{FILE}: {setting} {spec[:60]!r}: {name} lies in the folder that entrants are uploaded into, and could "
                f"import them outside a cage: put it beside that folder, as in {f'../games/{name}:{row[:40]}'!r}",
                code="code_among_uploads",
            )


def _check_names(given: Mapping[str, Any], of: type[Any], what: str) -> None:
    known = [field.name for field in attrs.fields(of)]
    for name in given:
        if name not in known:
            raise BadSpec(f"{FILE}: {unknown(what, name, known)}")
