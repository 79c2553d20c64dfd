"""Games as bytes: each view is made once for a version of its game, and then sent to whoever may see it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import attrs

from poker_actors.rules import Game as Rules
from poker_actors.rules.games import Rotation
from poker_actors.server.hspe import SERVED, Game, Lobby, Profile, game_json
from poker_actors.server.live.picture import owner_of, picture
from poker_actors.server.users import house_bots

__all__ = ["ALL", "MOST_LISTED", "Listed", "Page", "Views"]

MOST_LISTED: Final = 1_000
"""Games of one page at most."""


@attrs.frozen
class Page:
    """Which games of a list are wanted: `limit` of them after the one called `after`, with filters."""

    limit: int | None = None
    """None: all of them"""
    after: str = ""
    name: str = ""
    """in the name of the game, or of somebody who plays"""
    free: bool = False
    """only with a free seat"""

    def takes(self, game: Game) -> bool:
        """Whether a game passes the filters; a private one passes none."""
        if game.setting.private or (self.free and not game.roster.free):
            return False
        wanted = self.name.casefold()
        names = (game.setting.name, *[member.user.name for member in game.roster.playing.values()])
        return not wanted or any(wanted in name.casefold() for name in names)

    def of(self, games: Iterable[Game]) -> Listed:
        """Return the page."""
        found = [game for game in games if self.takes(game)]
        start = next((number for number, game in enumerate(found, 1) if game.id == self.after), 0)
        page = found[start:] if self.limit is None else found[start : start + self.limit]
        more = start + len(page) < len(found)
        return Listed(page, len(found), page[-1].id if page and more else None)


@attrs.frozen
class Listed:
    """One page: its games, of how many, and what the next one is `after`; None for the last one."""

    games: Sequence[Game]
    of: int
    after: str | None


ALL: Final = Page()
_TITLES: Final = {False: "{}, an orbit of each game", True: "{}, an orbit of each game that is named"}
GAMES_SHOWN: Final = [
    {
        "name": game.name,
        "title": game.title if isinstance(game, Rules) else _TITLES[game.choice].format(game),
        "seats": game.max_seats,
        "several": isinstance(game, Rotation),
    }
    for game in SERVED
]
"""The games a table can be of."""


class Views:
    """What is shown of the games of `lobby`, to whom, and under which ETag.

    An ETag names this run of the server (`run`, drawn unless given), the version, and whose view it is.
    """

    def __init__(self, lobby: Lobby, profile: Profile, *, run: str | None = None) -> None:
        self._lobby = lobby
        self._profile = profile
        self._run: Final = secrets.token_hex(4) if run is None else run
        self._kept: dict[str, tuple[int, dict[tuple[str, str | None], bytes]]] = {}
        self._lobby_kept: tuple[int, bytes] = (-1, b"")
        self._games_kept: tuple[int, bytes] = (-1, b"")
        """all games as spectators see them: what strangers may ask for without end"""
        lobby.on_dropped.append(self._forget)

    def _forget(self, game: Game) -> None:
        """Forget what was made of a game that is closed."""
        self._kept.pop(game.id, None)

    def game(self, game: Game, user_id: str | None) -> bytes:
        """Return a Game of the contract, without the end of its line."""
        return self._view("g", game, user_id, lambda owner: game_json(game, self._profile, owner))

    def games(self, user_id: str | None) -> bytes:
        """Return all games of the contract."""
        version, body = self._games_kept
        if user_id is not None or version != self._lobby.version:
            body = self.games_of(ALL.of(self._lobby.games.values()), user_id)
            if user_id is None:
                self._games_kept = (self._lobby.version, body)
        return body

    def games_of(self, listed: Listed, user_id: str | None) -> bytes:
        """Return the games of a page that the contract covers."""
        played = [game for game in listed.games if game.setting.by_contract]
        return b"[%s]\n" % b",".join([self.game(game, user_id) for game in played])

    def table(self, game: Game, user_id: str | None, now: float) -> bytes:
        """Return the picture of a game, and what time it is."""
        # the time is put in front of bytes that stay the same for a version: a look costs no JSON
        view = self._view("t", game, user_id, lambda owner: picture(game, owner))
        return b'{"now":%.3f,%s' % (now, view[1:])

    def message(self, game: Game, user_id: str | None, now: float) -> str:
        """Return the picture as a message of the socket."""
        return '{"type":"table",' + self.table(game, user_id, now)[1:].decode()

    def lobby(self, page: Page = ALL) -> bytes:
        """Return the lobby, the same for everybody."""
        version, body = self._lobby_kept
        if page != ALL or version != self._lobby.version:
            listed = page.of(self._lobby.games.values())
            plain: dict[str, Any] = {
                "games": [_summary(game) for game in listed.games],
                "bots": list(house_bots()),
                "served": GAMES_SHOWN,
            }
            if page != ALL:
                plain |= {"of": listed.of, "after": listed.after}
            body = _bytes(plain)
            if page == ALL:
                self._lobby_kept = (self._lobby.version, body)
        return body

    def tag(self, kind: str, version: int, owner: str | None) -> str:
        """Return the ETag of a view: `g` a Game, `t` its picture, `l` the lobby, `a` all games."""
        return f'"{self._run}.{kind}{version}.{owner or ""}"'

    def game_tag(self, kind: str, game: Game, user_id: str | None) -> str:
        """Return the ETag of a game's view."""
        return self.tag(kind, game.version, owner_of(game, user_id))

    def _view(
        self, kind: str, game: Game, user_id: str | None, make: Callable[[str | None], Mapping[str, Any]]
    ) -> bytes:
        kept = self._kept.get(game.id)
        if kept is None or kept[0] != game.version:
            # nobody looks at an old version again, so that one game holds one view a player at most
            kept = self._kept[game.id] = (game.version, {})
        owner = owner_of(game, user_id)
        view = kept[1].get((kind, owner))
        if view is None:
            view = kept[1][kind, owner] = _bytes(make(owner))
        return view


def _bytes(plain: object) -> bytes:
    return json.dumps(plain, separators=(",", ":")).encode()


def _summary(game: Game) -> dict[str, Any]:
    setting, roster = game.setting, game.roster
    return {
        "game": game.id,
        "name": setting.name,
        "plays": setting.title,
        "stakes": {"small_blind": setting.small_blind, "big_blind": setting.big_blind},
        "buy_in": setting.buy_in,
        "seats": setting.seats,
        "players": [member.user.name for member in roster.playing.values()],
        "house": len(roster.house),
        "waiting": len(roster.queue),
        "hands": game.hands,
    }
