"""One game's settings: stakes, buy-in, seats, name, maker and pace; and the dialects of the API."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal

import attrs

from poker_actors.errors import BadJournal, BadSpec, unknown
from poker_actors.rules import GAMES, HOLDEM, Game, Stakes
from poker_actors.rules.games import Rotation
from poker_actors.server.contract import Talk, bodies
from poker_actors.server.shapes import Limit, When, check, check_fields, fields_of, held, object_of, shown

SEATS: Final = 10
"""Seats of a game by default, and the most there can be."""
_MOST_CHIPS: Final = 1_000_000_000
"""Ten such stacks and their pots stay below 2**53, the limit of exact integers in the page's JavaScript."""
_NAME_LENGTH: Final = 32
"""Fits a line of the lobby on a phone."""
_UNIT: Final = " seconds"
_Pause = Annotated[float, Limit(0, 60, unit=_UNIT)]
"""After a longer pause a table looks dead."""
_Thinking = Annotated[float, Limit(0, 10, unit=_UNIT)]
"""Well below the shortest turn."""
MOST_TURN_SECONDS: Final = 14 * 86_400
"""Two weeks, the longest turn of correspondence chess on Lichess.

A session of 30 days covers two such turns, and the actors' limit of a month is not reached.
"""
SLOW_SECONDS: Final = 600.0
"""Turns of this length or more make a table slow: nobody waits at the page for their turn."""
_TurnSeconds = Annotated[float, Limit(10, MOST_TURN_SECONDS, unit=_UNIT)]
"""A person on a phone needs at least the first. Each table chooses how long others wait for an absent player."""
_Bank = Annotated[float, Limit(0, 600, unit=_UNIT)]
"""The same, for all turns together."""
MOST_WATCH_DELAY: Final = 300
_Delay = Annotated[float, Limit(0, MOST_WATCH_DELAY, unit=_UNIT)]
"""Five minutes: a hand is over by then, and a table's past stays small."""
_Blind = Annotated[int, Limit(0, _MOST_CHIPS)]
_Chips = Annotated[int, Limit(1, _MOST_CHIPS)]
_MOST_GAMES: Final = 16
"""of a list with `+`"""
SERVED: Final[tuple[Game | Rotation, ...]] = (
    *[game for game in GAMES.values() if not game.capped],
    *[Rotation.named(name) for name in ("horse", "8-game", "dealers-choice")],
)
"""Games of a table, alone or as a list with `+`: all but the console's own games."""
NAMES: Final = tuple([one.name for one in SERVED if isinstance(one, Game)])
"""The names of the single ones."""


def _pattern(*, choice: bool) -> str:
    """Return the pattern that `game_served` accepts, with or without games that players choose."""
    single = "|".join(NAMES)
    several = [one.name for one in SERVED if isinstance(one, Rotation) and (choice or not one.choice)]
    in_turn = f"({single})(\\+({single})){{0,{_MOST_GAMES - 1}}}"
    return f"^({'|'.join([*several, in_turn])})$"


_Played = Annotated[str, Limit(pattern=_pattern(choice=True))]
TournamentGame = Annotated[str, Limit(pattern=_pattern(choice=False))]


@attrs.frozen
class Rules:
    """How games are played. `turn_seconds` is the time for a turn, `pause` the time between two hands."""

    turn_seconds: float = 15.0
    pause: float = 0.0
    waiting: int = 100
    """the most players that may wait for a seat in one game"""
    missed_blinds: bool = False
    """whether missed blinds are owed in games whose maker does not choose"""


@held(
    When("ledger", (True,), "private", "ledger: only a private table has one", among=(True,)),
    When(
        *("ledger", (True,), "watch_delay"),
        "ledger: a table with a watch_delay has none: it would tell those who left what they may not see yet",
        among=(0,),
    ),
)
@attrs.frozen
class Setting:
    """A game's settings; the defaults are the contract's. Amounts in chips, times in seconds.

    `big_blind` is at least `small_blind`, `buy_in` at least `big_blind`; `seats` is at most, and by default,
    the game's maximum; `missed_blinds` is for games with blinds; `name` has printable characters only.
    """

    small_blind: _Blind = 10
    big_blind: _Chips = 20
    buy_in: _Chips = 10_000
    """chips minted for each player who takes a seat"""
    seats: Annotated[int, Limit(2, SEATS)] = SEATS
    name: Annotated[str, Limit(most=_NAME_LENGTH)] = ""
    maker: str = attrs.field(default="", metadata={"ours": True})
    """user id"""
    pause: _Pause | None = None
    """seconds between two hands; None: the server's"""
    think: _Thinking = 0.6
    """time that a house player takes for a turn"""
    turn_seconds: _TurnSeconds | None = None
    """the time for a turn; None: the server's"""
    time_bank: _Bank = 0.0
    """each player's extra time, for all turns together; 0: none"""
    time_bank_refill: _Bank = 0.0
    """seconds of it that come back with each hand dealt to the player"""
    private: bool = False
    """whether it is in no list: only its link leads to it"""
    game: _Played = HOLDEM.name
    """what is played, by its name"""
    watch_delay: _Delay = 0.0
    """delay with which users who do not sit see the table; 0: none"""
    missed_blinds: bool | None = None
    """whether a player owes the blinds missed while sitting out, and a new player the big blind; None: the server's"""
    chat: Talk = "seated"
    """who hears what players say"""
    ledger: bool = False
    """whether a private table counts who owes whom"""

    def __attrs_post_init__(self) -> None:
        check_fields(self)
        least = {"big_blind": self.small_blind, "buy_in": self.big_blind}
        for key, bound in least.items():
            if getattr(self, key) < bound:
                raise BadSpec(f"{key} {getattr(self, key)} is not {bound} to {_MOST_CHIPS}")
        most = min(SEATS, game_served(self.game).max_seats)
        if self.seats > most:
            raise BadSpec(f"seats {self.seats} is not 2 to {most}")
        if self.missed_blinds and not self._has_blinds:
            raise BadSpec(f"missed_blinds: {self.game} has no blinds to miss")
        if not self.name.isprintable():
            raise BadSpec(f"the name of a game must be at most {_NAME_LENGTH} printable characters")

    @property
    def rules(self) -> Game | Rotation:
        """The game, or the games played in turn."""
        return GAMES.get(self.game) or game_served(self.game)

    @property
    def title(self) -> str:
        """The game's title, or the name of the rotation."""
        rules = self.rules
        return rules.title if isinstance(rules, Game) else rules.name

    @property
    def by_contract(self) -> bool:
        """Whether HSPE's contract covers this game: only no-limit hold'em."""
        return self.game == HOLDEM.name

    @property
    def stakes(self) -> Stakes:
        """The blinds, in the form of the rules; in a game without blinds, antes and bets of their size."""
        rules, blinds = self.rules, Stakes(self.small_blind, self.big_blind)
        return rules.stakes_like(blinds) if isinstance(rules, Game) else blinds

    @property
    def _has_blinds(self) -> bool:
        return self.stakes.big_blind > 0

    def owes_blinds(self, rules: Rules) -> bool:
        """Whether missed blinds are owed, if the server's default is that of `rules`."""
        if self.missed_blinds is None:
            return rules.missed_blinds and self._has_blinds
        return self.missed_blinds

    def plain(self) -> dict[str, Any]:
        """Return the settings that differ from the defaults, for storing."""
        blank = Setting()
        plain = attrs.asdict(self)
        return {key: value for key, value in plain.items() if value != getattr(blank, key)}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Setting:
        """Read a stored setting; raises `BadJournal`."""
        try:
            return cls(**plain)
        except (TypeError, BadSpec) as error:
            raise BadJournal(f"a game's setting cannot be read: {error}") from None


def game_served(name: object) -> Game | Rotation:
    """Return a game or rotation that the server offers: built-in, never from a file. Raises `BadSpec`."""
    for served in SERVED:
        if served.name == name:
            return served
    if not isinstance(name, str):
        return _one_served(name)
    parts = name.split("+")
    if len(parts) > _MOST_GAMES:
        raise BadSpec(f"{len(parts)} games in turn: the maximum is {_MOST_GAMES}")
    return Rotation(name, tuple([_one_served(part) for part in parts]))


def _one_served(name: object) -> Game:
    game = GAMES.get(name) if isinstance(name, str) else None
    if game is None:
        raise BadSpec(f"game {shown(name):.40} must be one of {', '.join(one.name for one in SERVED)}")
    if game.capped:
        raise BadSpec(f"a table on the server cannot play {game}: it is a console game")
    return game


def read_setting(body: bytes, maker: str) -> Setting:
    """Read what `POST /games/` asks for, all of it optional; an empty body asks for the contract's game."""
    plain = object_of(body.strip() or b"{}")
    if plain is None:
        raise BadSpec("Couldn't read request: a game's setting must be a JSON object")
    plain.pop("keeps_seat", None)
    for name in sorted(plain.keys() - fields_of(Setting).keys()):
        raise BadSpec(unknown("setting of a game", name, sorted(fields_of(Setting))))
    if "game" in plain and "seats" not in plain:
        plain["seats"] = min(SEATS, game_served(plain["game"]).max_seats)
    return Setting(**plain, maker=maker)


def read_place(body: bytes) -> bodies.Place:
    """Read where a user wants to sit, ``{"seat": 3, "keeps_seat": true}``, and whether to keep the seat.

    A user who keeps the seat sits out after a missed turn. By default it is any seat, kept by people but not by
    programs. HSPE clients may send anything there, so whatever is not an object is ignored. Raises `BadSpec`.
    """
    return check(bodies.Place, object_of(body) or {})


# -- dialects ---------------------------------------------------------------------------------

_JSON: Final = "application/json"
_TEXT: Final = "text/plain; charset=utf-8"


@attrs.frozen
class Profile:
    """One dialect: every difference is in the requests and answers.

    Both play the same poker, by the rules.
    """

    name: str
    turn_seconds: float
    """the time for a turn"""
    json_type: str
    """Content-Type of successful answers with a body"""
    id_in_object: bool
    """POST /users/ answers ``{"PlayerID": GUID}`` instead of a bare JSON string"""
    known_user: int
    """status of POST /users/ for a name that is registered with the same password"""
    no_credentials: int
    """status if credentials are missing or unreadable"""
    made: int
    """status of POST /games/"""
    joined: int
    """status of POST /games/ID/players/ if there is a seat; 202 if the player has to wait"""
    join_gives_game: bool
    """joining answers the Game instead of the player's id as a JSON string"""
    out_of_turn: int
    """status of an act on another player's turn"""
    stranger: int
    """status of GET /games/ID with credentials of a user who does not sit there"""
    holes_in_list: bool
    """GET /games/ with credentials shows the asker's hole cards"""
    players_shown: bool
    """GET /games/ID/players/ answers Players instead of empty objects"""
    handles: bool
    """a Player's handle is the username instead of empty"""
    small_blind_keys: tuple[Literal["small_blind", "small blind"], ...]
    """the types say `small_blind`, the README's example `small blind`"""
    last_winners: bool
    """a Game has `last_winners`: null, [] if all others folded, else the winners who showed"""
    says_why: bool
    """a Game has `invalid_bet`: the bet that folded somebody in this hand, and why"""
    negative_folds: bool
    """a negative bet is invalid and folds, instead of being answered as unreadable (400)"""
    loose_orders: bool
    """an Act's keys may be in any case, missing ones are 0, any action but 0 is a bet"""


README: Final = Profile(
    name="readme",
    turn_seconds=15.0,
    json_type=_JSON,
    id_in_object=False,
    known_user=403,
    no_credentials=401,
    made=201,
    joined=201,
    join_gives_game=False,
    out_of_turn=403,
    stranger=200,
    holes_in_list=True,
    players_shown=True,
    handles=True,
    small_blind_keys=("small_blind", "small blind"),
    last_winners=False,
    says_why=True,
    negative_folds=True,
    loose_orders=False,
)

GO: Final = Profile(
    name="go",
    turn_seconds=100.0,
    json_type=_TEXT,
    id_in_object=True,
    known_user=201,
    no_credentials=400,
    made=202,
    joined=202,
    join_gives_game=True,
    out_of_turn=409,
    stranger=403,
    holes_in_list=False,
    players_shown=False,
    handles=False,
    small_blind_keys=("small_blind",),
    last_winners=True,
    says_why=False,
    negative_folds=False,
    loose_orders=True,
)

PROFILES: Final = {profile.name: profile for profile in (README, GO)}
