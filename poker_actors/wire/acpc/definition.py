"""Game definitions: the competition's game files (.game), and the four games of its matches."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path
from typing import Final

import attrs

from poker_actors.cards import Deck
from poker_actors.errors import BadSpec
from poker_actors.history.acpc import COMPETITION, game_comment
from poker_actors.rules import GAMES, Game, Hand, Stakes

NO_STACK: Final = 2**31 - 1
"""The stack of a game that defines none, as in the competition's own dealer: it never runs out."""

NO_CAP: Final = 255
_LONGEST: Final = 64 * 1024
"""Most characters of a definition; the competition's have about 300."""

_LINE: Final = re.compile(r"([a-z]+(?: gamedef)?)\s*=?\s*([0-9 \t]*)")
_COUNTS: Final = ("numplayers", "numrounds", "numsuits", "numranks", "numholecards")
_LISTS: Final = ("stack", "blind", "raisesize", "firstplayer", "maxraises", "numboardcards")


@attrs.frozen
class GameDefinition:
    """Hold'em as one game file (.game) defines it: sequences are by player, amounts in chips.

    Player 0 sits left of the button; heads-up that is the big blind. Every hand begins with
    `stacks`. `str` gives the text of the file, which parses back.
    """

    name: str = attrs.field(eq=False)
    """the file's name without .game"""
    no_limit: bool
    stacks: tuple[int, ...]
    blinds: tuple[int, ...]

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.stacks)

    @property
    def stakes(self) -> Stakes:
        """The blinds; the big one is also the smallest bet."""
        return Stakes(min(self.blinds[:2]), max(self.blinds[:2]))

    @property
    def game(self) -> Game:
        """The rules: no-limit or fixed-limit hold'em."""
        return GAMES["holdem" if self.no_limit else "limit-holdem"]

    @property
    def comment(self) -> str:
        """The comment with stakes and stacks that our hand histories read for the hands that follow."""
        return game_comment(self.game.name, self.blinds, max(self.blinds), self.stacks)

    def hand(self, deck: Deck) -> Hand:
        """Begin a hand; its seats are the player numbers."""
        return Hand(self.stacks, self.stakes, deck=deck, button=self.players - 1, game=self.game)

    def __str__(self) -> str:
        size, big = self.players, max(self.blinds)
        rows = [
            "GAMEDEF",
            "nolimit" if self.no_limit else "limit",
            f"numPlayers = {size}",
            "numRounds = 4",
            f"stack = {_row(self.stacks)}" if min(self.stacks) < NO_STACK else "",
            f"blind = {_row(self.blinds)}",
            "" if self.no_limit else f"raiseSize = {_row((big, big, 2 * big, 2 * big))}",
            f"firstPlayer = {2 if size == 2 else 3} 1 1 1",  # left of the big blind, then left of the button
            "" if self.no_limit else "maxRaises = 3 4 4 4",
            "numSuits = 4",
            "numRanks = 13",
            "numHoleCards = 2",
            "numBoardCards = 0 3 1 1",
            "END GAMEDEF",
        ]
        return "".join(f"{row}\n" for row in rows if row)


def _row(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


DEFINITIONS: Final[dict[str, GameDefinition]] = {
    name: GameDefinition(
        name if len(blinds) > 2 else f"{name}.reverse_blinds",
        "nolimit" in name,
        (stack or NO_STACK,) * len(blinds),
        blinds,
    )
    for name, (blinds, stack) in COMPETITION.items()
}
"""The competition's games by the name to type, without `.reverse_blinds`."""


def definition_named(text: str) -> GameDefinition:
    """Return a game of the competition by name, or read the game file at that path.

    Raises `BadSpec` for an unknown name, with the nearest known one, and for a game that is not
    supported, naming the field; `OSError` for a file that cannot be read.
    """
    short = text.removesuffix(".game").removesuffix(".reverse_blinds")
    path = Path(text)
    if short in DEFINITIONS and not path.is_file():
        return DEFINITIONS[short]
    if not text.endswith(".game") and not path.is_file():
        near = get_close_matches(short, DEFINITIONS, n=1)
        hint = f", did you mean {near[0]}?" if near else ""
        raise BadSpec(
            f"no game is called {text[:60]!r}{hint} (choose from {', '.join(DEFINITIONS)}, or a file)"
        )
    with path.open(encoding="utf-8", errors="replace") as stream:
        written = stream.read(_LONGEST + 1)
    try:
        return parse_definition(written, path.name.removesuffix(".game"))
    except BadSpec as error:
        raise BadSpec(f"{text[:100]}: {error}") from None


def parse_definition(text: str, name: str = "game") -> GameDefinition:
    """Read the text of a game file; raises `BadSpec` naming the line or the field, and the limit."""
    if len(text) > _LONGEST:
        raise BadSpec(f"a game definition has at most {_LONGEST} characters")
    fields = _fields(text)
    [size] = fields.get("numplayers", (0,))
    if not 2 <= size <= 10:
        raise BadSpec(f"numPlayers = {size}: 2 to 10 can play")
    no_limit = "nolimit" in fields
    stacks = _by_player(fields, "stack", size) if "stack" in fields else (NO_STACK,) * size
    definition = GameDefinition(name, no_limit, stacks, _by_player(fields, "blind", size))
    for field, wanted in _fields(str(definition)).items():
        found = fields.get(field, ())
        if found[: len(wanted)] != wanted:
            written = f"{field} = {_row(found)}" if found else f"{field} is missing"
            raise BadSpec(f"{written}: the hold'em played here has {_row(wanted)}")
    caps = fields.get("maxraises", ())
    if no_limit and min(caps, default=NO_CAP) < NO_CAP:
        raise BadSpec(f"maxraises = {_row(caps)}: no-limit raises are not counted here")
    _check(definition)
    return definition


def _fields(text: str) -> dict[str, tuple[int, ...]]:
    """Return the numbers of each field by its lower-case name."""
    fields: dict[str, tuple[int, ...]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("#") or not line.strip():
            continue
        found = _LINE.fullmatch(line.strip().lower())
        field, values = (found[1], found[2].split()) if found else ("", [])
        if field == "end gamedef":
            break
        if field in _COUNTS + _LISTS:
            if not values or (field in _COUNTS and len(values) > 1) or max(map(len, values)) > 10:
                raise BadSpec(f"line {number}: {line.strip()[:60]!r} lacks the numbers it needs")
            fields[field] = tuple(map(int, values))
        elif field in ("limit", "nolimit") and not values:
            fields.pop("nolimit" if field == "limit" else "limit", None)
            fields[field] = ()
        elif field != "gamedef" or values:
            raise BadSpec(f"line {number}: {line.strip()[:60]!r} is not a field of a game definition")
    return fields


def _by_player(fields: dict[str, tuple[int, ...]], field: str, size: int) -> tuple[int, ...]:
    found = fields.get(field, ())
    if len(found) < size:
        raise BadSpec(f"{field} = {_row(found)}: {size} players need {size} numbers")
    return found[:size]


def _check(definition: GameDefinition) -> None:
    blinds, stacks = definition.blinds, definition.stacks
    size, big = definition.players, max(blinds)
    heads_up = size == 2 and blinds[0] >= blinds[1]
    ring = size > 2 and blinds[0] <= blinds[1] and not any(blinds[2:])
    if not (heads_up or ring) or big < 1:
        usual = "the big blind, then the small one" if size == 2 else "the small blind, the big one, then 0"
        raise BadSpec(f"blind = {_row(blinds)}: {size} players post {usual}")
    if min(stacks) <= big or max(stacks) > NO_STACK:
        raise BadSpec(f"stack = {_row(stacks)}: a stack is above the big blind of {big}, at most {NO_STACK}")
    if size > 2 and len(set(stacks)) > 1:
        # with short stacks an all-in below a full raise reopens the betting by the competition's rules, but not by ours
        raise BadSpec(f"stack = {_row(stacks)}: more than two players begin with the same stack")
