"""Serialize games: each view is made once per version of its game and sent to everybody who may see it.

At a table with a delay, users who do not sit see its past.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final
from weakref import WeakKeyDictionary

import attrs

from poker_actors.jsontext import compact_json
from poker_actors.rules import Game as Rules
from poker_actors.rules.games import Rotation
from poker_actors.server.contract import tables
from poker_actors.server.hspe import SERVED, Game, Lobby, Profile, game_json, players_json
from poker_actors.server.hspe.house import NoEntrants
from poker_actors.server.live.picture import owner_of, picture, yours
from poker_actors.server.users import house_bots

MOST_LISTED: Final = 1_000
"""The most games on one page."""


@attrs.frozen
class Page:
    """A request for games of a list: at most `limit`, after the game with id `after`, with filters."""

    limit: int | None = None
    """None for all"""
    after: str = ""
    name: str = ""
    """text in the name of the game or of a player"""
    free: bool = False
    """only games with a free seat"""

    def takes(self, game: Game, past: Moment | None) -> bool:
        """Return whether a game, as of `past` if given, passes the filters; a private one never does."""
        if game.setting.private or (self.free and not (game.roster if past is None else past).free):
            return False
        wanted = self.name.casefold()
        if not wanted:
            return True
        names = _names(game) if past is None else past.listing["players"]
        return any(wanted in name.casefold() for name in (game.setting.name, *names))

    def of(self, games: Iterable[Game], past: Callable[[Game], Moment | None]) -> Listed:
        """Return this page of the games, each in its current state or that of its `past`."""
        found = [game for game in games if self.takes(game, past(game))]
        start = next((number for number, game in enumerate(found, 1) if game.id == self.after), 0)
        page = found[start:] if self.limit is None else found[start : start + self.limit]
        more = start + len(page) < len(found)
        return Listed(page, len(found), page[-1].id if page and more else None)


@attrs.frozen
class Listed:
    """A page: its games, the number `of` all games, and the id the next page begins `after`; None on the last."""

    games: Sequence[Game]
    of: int
    after: str | None


ALL: Final = Page()
_TITLES: Final = {False: "{}, an orbit of each game", True: "{}, an orbit of each game that is named"}
GAMES_SHOWN: Final[list[tables.Offered]] = [
    {
        "name": game.name,
        "title": game.title if isinstance(game, Rules) else _TITLES[game.choice].format(game),
        "seats": game.max_seats,
        "several": isinstance(game, Rotation),
        "blinds": isinstance(game, Rotation) or bool(game.stakes.big_blind),
    }
    for game in SERVED
]
"""The games a table can play."""


class Views:
    """The cached views of a lobby's games, and their ETags.

    An ETag names the run of the server (`run`, drawn unless given), the version, and the view's owner. Without the run,
    a version counted from zero after a restart could match a client's old ETag.
    """

    def __init__(self, lobby: Lobby, profile: Profile, *, run: str | None = None) -> None:
        self._lobby = lobby
        self._profile = profile
        self._run: Final = secrets.token_hex(4) if run is None else run
        # by the game itself: one that is closed may still be watched, and goes with whoever watched it last
        self._kept: WeakKeyDictionary[Game, tuple[int, dict[tuple[str, str | None], bytes]]] = (
            WeakKeyDictionary()
        )
        self._lobby_kept: tuple[int, bytes] = (-1, b"")
        self._games_kept: tuple[int, bytes] = (-1, b"")
        """all games as spectators see them: cached, because strangers may ask for them as often as they like"""
        self._pasts: Final = Pasts(lobby, self._moment)

    def game(self, game: Game, user_id: str | None) -> bytes:
        """Return a Game of the HSPE contract, without a line end."""
        past = self._pasts.seen(game, user_id)
        if past is not None:
            return zlib.decompress(past.game)
        return self._view("g", game, user_id, lambda owner: game_json(game, self._profile, owner))

    def games(self, user_id: str | None) -> bytes:
        """Return all games of the HSPE contract."""
        version, body = self._games_kept
        if user_id is not None or version != self._lobby.version:
            body = self.games_of(self.listed(ALL), user_id)
            if user_id is None:
                self._games_kept = (self._lobby.version, body)
        return body

    def listed(self, page: Page) -> Listed:
        """Return a page of the games, as a spectator sees them."""
        return page.of(self._lobby.games.values(), lambda game: self._pasts.seen(game, None))

    def players(self, game: Game) -> Sequence[tables.Player]:
        """Return the Players of a game of the HSPE contract, the same for everybody: the request is anonymous."""
        past = self._pasts.seen(game, None)
        return players_json(game, self._profile) if past is None else past.players

    def listing(self, game: Game) -> tables.Listing:
        """Return a game as the lobby shows it."""
        past = self._pasts.seen(game, None)
        return _summary(game) if past is None else past.listing

    def games_of(self, listed: Listed, user_id: str | None) -> bytes:
        """Return those games of a page that the HSPE contract covers."""
        played = [game for game in listed.games if game.setting.by_contract]
        return b"[%s]\n" % b",".join([self.game(game, user_id) for game in played])

    def table(self, game: Game, user_id: str | None, now: float) -> bytes:
        """Return the picture of a game, with the current time."""
        # the time and what was said are spliced in front of the cached bytes: the picture itself is not encoded again
        chat = self._chat(game, user_id)
        said = _bytes(chat) if chat else b"[]"
        past = self._pasts.seen(game, user_id)
        if past is None:
            view = self._view("t", game, user_id, lambda owner: picture(game, owner))
            return b'{"now":%.3f,"chat":%b,%b' % (now, said, view[1:])
        owner = owner_of(game, user_id)
        waits = _bytes(None if owner is None else yours(game, owner))
        view = zlib.decompress(past.table)
        return b'{"now":%.3f,"chat":%b,"you":%b,%b' % (now - game.setting.watch_delay, said, waits, view[1:])

    def message(self, game: Game, user_id: str | None, now: float) -> str:
        """Return the picture as a WebSocket message."""
        return '{"type":"table",' + self.table(game, user_id, now)[1:].decode()

    def lobby(self, page: Page = ALL) -> bytes:
        """Return the lobby, the same for everybody."""
        version, body = self._lobby_kept
        if page != ALL or version != self._lobby.version:
            listed = self.listed(page)
            plain: tables.Lobby = {
                "games": [self.listing(game) for game in listed.games],
                "bots": list(house_bots()),
                "served": GAMES_SHOWN,
            }
            if not isinstance(self._lobby.entrants, NoEntrants):
                plain["arena"] = True
            if page != ALL:
                plain["of"], plain["after"] = listed.of, listed.after
            body = _bytes(plain)
            if page == ALL:
                self._lobby_kept = (self._lobby.version, body)
        return body

    def tag(self, kind: str, version: int | str, owner: str | None) -> str:
        """Return the ETag of a view; kinds are `g` Game, `t` picture, `l` lobby, `a` all games."""
        return f'"{self._run}.{kind}{version}.{owner or ""}"'

    def game_tag(self, kind: str, game: Game, user_id: str | None) -> str:
        """Return the ETag of a game's view."""
        mark = self.mark(game, user_id) if kind == "t" else self._mark(game, user_id)
        return self.tag(kind, mark, owner_of(game, user_id))

    def list_tag(self, user_id: str | None) -> str:
        """Return the ETag of all games, those of the user in their current state."""
        own = [
            game for game in self._lobby.games.values() if game.setting.watch_delay and game.sees_now(user_id)
        ]
        return self.tag(
            "a", "-".join(map(str, [self._lobby.version, *[game.version for game in own]])), user_id
        )

    def version(self, game: Game, user_id: str | None) -> int:
        """Return the version of a game that a user sees."""
        past = self._pasts.seen(game, user_id)
        return game.version if past is None else past.version

    def mark(self, game: Game, user_id: str | None) -> str:
        """Return the mark that tells pictures of a game apart: its version, whether past, and the lines said."""
        common = self.common_mark(game)
        if common is not None:
            return common
        mark, chat = self._mark(game, user_id), self._chat(game, user_id)
        return f"{mark}.{chat[-1]['number']}.{len(chat)}" if chat else mark

    def common_mark(self, game: Game) -> str | None:
        """Return the mark of a game if it is the same for all users, as at most tables, else None."""
        return str(game.version) if game.chat.silent and not game.setting.watch_delay else None

    def _chat(self, game: Game, user_id: str | None) -> list[tables.Said]:
        if game.chat.silent:
            return []  # as at most tables; this is asked several times for each picture
        return game.chat.heard(
            seated=game.roster.plays(user_id), until=self._lobby.now() - game.setting.watch_delay
        )

    def _mark(self, game: Game, user_id: str | None) -> str:
        past = self._pasts.seen(game, user_id)
        return str(game.version) if past is None else f"p{past.version}"

    def _moment(self, game: Game) -> Moment:
        """Return a game at this moment, as spectators see it."""
        seen = {name: one for name, one in picture(game, None).items() if name != "you"}
        contract = game_json(game, self._profile) if game.setting.by_contract else None
        return Moment(
            version=game.version,
            table=Moment.packed(_bytes(seen)),
            game=b"" if contract is None else Moment.packed(_bytes(contract)),
            players=players_json(game, self._profile),
            listing=_summary(game),
            free=game.roster.free,
        )

    def _view(
        self, kind: str, game: Game, user_id: str | None, make: Callable[[str | None], Mapping[str, object]]
    ) -> bytes:
        kept = self._kept.get(game)
        if kept is None or kept[0] != game.version:
            # drop the old version, which nobody asks for again: without it the cache would grow with every action
            kept = self._kept[game] = (game.version, {})
        owner = owner_of(game, user_id)
        view = kept[1].get((kind, owner))
        if view is None:
            view = kept[1][kind, owner] = _bytes(make(owner))
        return view


def _bytes(plain: object) -> bytes:
    return compact_json(plain).encode()


def _names(game: Game) -> list[str]:
    return [member.user.name for member in game.roster.playing.values()]


def _summary(game: Game) -> tables.Listing:
    setting, roster = game.setting, game.roster
    return {
        "game": game.id,
        "name": setting.name,
        "plays": setting.title,
        "stakes": {"small_blind": setting.small_blind, "big_blind": setting.big_blind},
        "buy_in": setting.buy_in,
        "seats": setting.seats,
        "players": _names(game),
        "house": len(roster.house),
        "waiting": len(roster.queue),
        "hands": game.hands,
    }


# -- the past of tables with a delay ---------------------------------------------------------

_LEAST_SECONDS: Final = 0.5
_MOST_MOMENTS: Final = 240
"""The most moments of a table that wait to be seen: bots that play without a pause would fill the memory."""


@attrs.frozen(kw_only=True)
class Moment:
    """A table at one moment, as a spectator sees it; views as JSON, compressed."""

    version: int
    table: bytes
    game: bytes
    """empty for a game that HSPE cannot describe"""
    players: list[tables.Player]
    listing: tables.Listing
    free: int
    """seats"""

    @staticmethod
    def packed(view: bytes) -> bytes:
        """Return a view compressed for a moment."""
        return zlib.compress(view, 1)


@attrs.define(eq=False)
class _Past:
    """One table: the moment shown to spectators, and when the newest moment was taken."""

    seen: Moment
    taken: float
    waits: bool = False
    """whether the next moment will be taken"""


class Pasts:
    """The pasts of a lobby's tables with a delay.

    A moment is taken soon after a change and shown once the delay is over: spectators can find nothing newer.
    Moments are in memory only: after a restart a table first appears empty.
    """

    def __init__(self, lobby: Lobby, make: Callable[[Game], Moment]) -> None:
        self._lobby = lobby
        self._make = make
        self._tables: dict[str, _Past] = {}
        lobby.on_behind = self._changed
        lobby.on_dropped.append(self._forget)
        for game in lobby.games.values():  # after a restart: what is there already is seen late, too
            if game.setting.watch_delay:
                self._of(game)

    def _forget(self, game: Game) -> None:
        self._tables.pop(game.id, None)

    def seen(self, game: Game, user_id: str | None) -> Moment | None:
        """Return the moment that a user sees, or a stranger for None; None if that is the present."""
        if not game.setting.watch_delay or game.sees_now(user_id):  # most tables have none: each view asks
            return None
        return self._of(game).seen

    def _of(self, game: Game) -> _Past:
        past = self._tables.get(game.id)
        if past is None:
            past = _Past(self._make(self._lobby.blank(game)), float("-inf"))
            if self._is_open(game):  # that of a closed one, still watched, nobody would forget again
                self._tables[game.id] = past
                self._changed(game)
        return past

    def _is_open(self, game: Game) -> bool:
        return self._lobby.games.get(game.id) is game

    def _changed(self, game: Game) -> None:
        past = self._of(game)
        if past.waits or not self._is_open(game):
            return
        past.waits = True
        rest = max(_LEAST_SECONDS, game.setting.watch_delay / _MOST_MOMENTS)
        # never at once: the game is in the middle of the change
        self._lobby.clock.later(
            max(0.0, past.taken + rest - self._lobby.now()), partial(self._take, game, past)
        )

    def _take(self, game: Game, past: _Past) -> None:
        past.waits, past.taken = False, self._lobby.now()
        moment = self._make(game)
        self._lobby.clock.later(game.setting.watch_delay, partial(self._show, game, past, moment))

    def _show(self, game: Game, past: _Past, moment: Moment) -> None:
        past.seen = moment
        if self._tables.get(game.id) is past:
            self._lobby.seen(game)

    def __repr__(self) -> str:
        return f"<Pasts: of {len(self._tables)} tables>"
