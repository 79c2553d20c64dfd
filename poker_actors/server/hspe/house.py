"""House players: who they are, and how they take a turn."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Protocol

import attrs

from poker_actors.actors import HandState
from poker_actors.bots import Bot, BotSpec, Faults, HandStream, SeedTree, decide
from poker_actors.errors import BadSpec, UnknownBot, unknown
from poker_actors.rules import Action, View
from poker_actors.server.contract import bodies
from poker_actors.server.shapes import check, object_of, shown
from poker_actors.server.users import ENTRANT, HOUSE_BOTS, HOUSE_NUMBERS, User, house_bots, spec_of_house

_NAMED: Final = 16
"""Games whose possible house names are cached; one game's take milliseconds to make, and a third of a megabyte."""


class Entrants(Protocol):
    """The arena's entrants at tables."""

    def check(self, name: str, game: str, seated: int, theirs: int) -> None:
        """Raise `UnknownBot`, or `TableRefusal` unless this entrant can play `game`.

        `seated` are the numbers seated already, in all and by the same user.
        """

    def decide(self, seat: HouseSeat, state: HandState, stream: HandStream) -> Action | None:
        """Return an entrant's action for a turn, or None while it thinks."""


class NoEntrants:
    """Stands in for entrants on a server without an arena: one restored after a restart checks or folds."""

    def check(self, name: str, game: str, seated: int, theirs: int) -> None:
        """Raise `UnknownBot`."""
        raise UnknownBot(f"there is no entrant {name[:40]!r}: this server has no arena")

    def decide(self, seat: HouseSeat, state: HandState, stream: HandStream) -> Action | None:
        """Check or fold."""
        return state.legal.passive


@attrs.define(eq=False)
class HouseSeat:
    """One house player in one game.

    Its name, the bot's with a number, is unique in the game. Its id follows from game and name, so a player who
    returns is the same one.
    """

    user: User
    bot: str
    decider: Bot
    """the bot; for an entrant of the arena, whose process is asked instead, one that checks or folds"""
    _stream: HandStream
    faults: Faults = attrs.field(factory=Faults)
    entrants: Entrants = attrs.field(factory=NoEntrants)
    asked_by: str = ""
    """the id of the user who seated an entrant"""

    @classmethod
    def of(cls, user_id: str, name: str, bot: str, seed: int, asked_by: str = "") -> HouseSeat:
        """Return the player of this name; its luck follows from the room's `seed` and its id.

        Raises `UnknownBot`, `BadSpec`.
        """
        luck = SeedTree(seed).stream(0, uuid.UUID(user_id).int)
        known = bot.startswith(ENTRANT)  # whether there is such an entrant is asked when it has a turn
        decider = _passive if known else BotSpec.parse(spec_of_house(bot)).make()
        return cls(User(name, user_id, ""), bot, decider, luck, asked_by=asked_by)

    @property
    def entrant(self) -> str:
        """The name of the arena's entrant that plays, or an empty text."""
        return self.bot.removeprefix(ENTRANT) if self.bot.startswith(ENTRANT) else ""

    @staticmethod
    def id_of(game_id: str, name: str) -> str:
        """Return the id of the house player of this name in a game."""
        return str(uuid.uuid5(uuid.UUID(game_id), name))

    def plain(self) -> list[str]:
        """Return the arguments of `of` apart from the id and the seed."""
        return [self.user.name, self.bot, *([self.asked_by] if self.entrant else [])]

    def decide(self, state: HandState) -> Action | None:
        """Return the bot's action for a turn; None while an entrant is thinking, which is then asked again."""
        self._stream.hand = state.change.number
        if self.entrant:
            return self.entrants.decide(self, state, self._stream)
        return decide(self.decider, state.view(self._stream), self.faults)


def is_house(player_id: str) -> bool:
    """Return whether an id is a house player's, which is derived from the table; a user's is random."""
    return uuid.UUID(player_id).version != 4


@lru_cache(_NAMED)
def house_names(game_id: str) -> Mapping[str, str]:
    """Return the names of all possible house players in a game, by id, without entrants of the arena."""
    names = [f"{bot} {number}" for bot in HOUSE_BOTS for number in HOUSE_NUMBERS]
    return {HouseSeat.id_of(game_id, name): name for name in names}


def _passive(view: View) -> Action:
    return view.legal.passive


def read_wish(body: bytes) -> tuple[str, ...]:
    """Read ``{"bot": "tight", "count": 2}`` or ``{"bots": ["tight", "loose"]}``, one per seat.

    They are bots of `house_bots` or entrants of the arena, such as ``arena/ann``.

    Raises `BadSpec`, `UnknownBot`.
    """
    plain = object_of(body.strip() or b"{}")
    if plain is None or not (plain.keys() <= {"bot", "count"} or plain.keys() == {"bots"}):
        raise BadSpec('ask for house bots by {"bot": "tight", "count": 1} or {"bots": ["tight", "loose"]}')
    bots = plain.get("bots", [plain.get("bot", "tight")])
    for bot in bots if isinstance(bots, list) else ():
        _check_known(bot)
    if "bots" in plain:
        return tuple(check(bodies.Mixed, plain)["bots"])
    alike = check(bodies.Alike, plain)
    return (alike.get("bot", "tight"),) * alike.get("count", 1)


def _check_known(bot: object) -> None:
    known = house_bots()
    if not isinstance(bot, str) or not (bot in known or bot.startswith(ENTRANT)):
        raise UnknownBot(unknown("house bot", bot if isinstance(bot, str) else shown(bot), known))
