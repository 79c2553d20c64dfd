"""Serialize games: each view is made once per version of its game, then sent to everybody who may see it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import attrs

from poker_actors.rules import Game as Rules
from poker_actors.rules.games import Rotation
from poker_actors.server.contract import answers
from poker_actors.server.hspe import SERVED, Game, Lobby, Profile, game_json
from poker_actors.server.hspe.house import NoEntrants
from poker_actors.server.live.picture import owner_of, picture
from poker_actors.server.users import house_bots

__all__ = ["ALL", "MOST_LISTED", "Listed", "Page", "Views"]

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

    def takes(self, game: Game) -> bool:
        """Return whether a game passes the filters; a private one never does."""
        if game.setting.private or (self.free and not game.roster.free):
            return False
        wanted = self.name.casefold()
        names = (game.setting.name, *[member.user.name for member in game.roster.playing.values()])
        return not wanted or any(wanted in name.casefold() for name in names)

    def of(self, games: Iterable[Game]) -> Listed:
        """Return this page of the games."""
        found = [game for game in games if self.takes(game)]
        start = next((number for number, game in enumerate(found, 1) if game.id == self.after), 0)
        page = found[start:] if self.limit is None else found[start : start + self.limit]
        more = start + len(page) < len(found)
        return Listed(page, len(found), page[-1].id if page and more else None)


@attrs.frozen
class Listed:
    """A page: its games, `of` how many, and the id the next page is `after`; None on the last page."""

    games: Sequence[Game]
    of: int
    after: str | None


ALL: Final = Page()
_TITLES: Final = {False: "{}, an orbit of each game", True: "{}, an orbit of each game that is named"}
GAMES_SHOWN: Final[list[answers.Offered]] = [
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

    An ETag names the run of the server (`run`, drawn unless given), the version, and the view's owner.
    Without the run, a version counted anew after a restart could match a client's old ETag.
    """

    def __init__(self, lobby: Lobby, profile: Profile, *, run: str | None = None) -> None:
        self._lobby = lobby
        self._profile = profile
        self._run: Final = secrets.token_hex(4) if run is None else run
        self._kept: dict[str, tuple[int, dict[tuple[str, str | None], bytes]]] = {}
        self._lobby_kept: tuple[int, bytes] = (-1, b"")
        self._games_kept: tuple[int, bytes] = (-1, b"")
        """all games as spectators see them: cached, as strangers may ask for them endlessly"""
        lobby.on_dropped.append(self._forget)

    def _forget(self, game: Game) -> None:
        """Forget the views of a closed game."""
        self._kept.pop(game.id, None)

    def game(self, game: Game, user_id: str | None) -> bytes:
        """Return a Game of the HSPE contract, without a line end."""
        return self._view("g", game, user_id, lambda owner: game_json(game, self._profile, owner))

    def games(self, user_id: str | None) -> bytes:
        """Return all games of the HSPE contract."""
        version, body = self._games_kept
        if user_id is not None or version != self._lobby.version:
            body = self.games_of(ALL.of(self._lobby.games.values()), user_id)
            if user_id is None:
                self._games_kept = (self._lobby.version, body)
        return body

    def games_of(self, listed: Listed, user_id: str | None) -> bytes:
        """Return those games of a page that the HSPE contract covers."""
        played = [game for game in listed.games if game.setting.by_contract]
        return b"[%s]\n" % b",".join([self.game(game, user_id) for game in played])

    def table(self, game: Game, user_id: str | None, now: float) -> bytes:
        """Return the picture of a game, with the current time."""
        # the time is spliced in front of the cached bytes, so that a request needs no JSON encoding
        view = self._view("t", game, user_id, lambda owner: picture(game, owner))
        return b'{"now":%.3f,%s' % (now, view[1:])

    def message(self, game: Game, user_id: str | None, now: float) -> str:
        """Return the picture as a WebSocket message."""
        return '{"type":"table",' + self.table(game, user_id, now)[1:].decode()

    def lobby(self, page: Page = ALL) -> bytes:
        """Return the lobby, the same for everybody."""
        version, body = self._lobby_kept
        if page != ALL or version != self._lobby.version:
            listed = page.of(self._lobby.games.values())
            plain: answers.Lobby = {
                "games": [_summary(game) for game in listed.games],
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

    def tag(self, kind: str, version: int, owner: str | None) -> str:
        """Return the ETag of a view; kinds are `g` Game, `t` picture, `l` lobby, `a` all games."""
        return f'"{self._run}.{kind}{version}.{owner or ""}"'

    def game_tag(self, kind: str, game: Game, user_id: str | None) -> str:
        """Return the ETag of a game's view."""
        return self.tag(kind, game.version, owner_of(game, user_id))

    def _view(
        self, kind: str, game: Game, user_id: str | None, make: Callable[[str | None], Mapping[str, object]]
    ) -> bytes:
        kept = self._kept.get(game.id)
        if kept is None or kept[0] != game.version:
            # drop the old version, which nobody asks for again: without it the cache would grow with every action
            kept = self._kept[game.id] = (game.version, {})
        owner = owner_of(game, user_id)
        view = kept[1].get((kind, owner))
        if view is None:
            view = kept[1][kind, owner] = _bytes(make(owner))
        return view


def _bytes(plain: object) -> bytes:
    return json.dumps(plain, separators=(",", ":")).encode()


def _summary(game: Game) -> answers.Listing:
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
