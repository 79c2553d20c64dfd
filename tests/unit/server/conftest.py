"""A lobby on a stepping room, with a clock that tests advance: no sockets, no waiting."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.server import README, Lobby, Notes, Passwords, Rules, User, Users, live
from poker_actors.server.hspe import Game, Profile, Setting
from poker_actors.server.hspe import game_json as json_of_game
from poker_actors.store import Journal, open_journal

START = 1_400_000_000.0
"""When a turned clock begins."""


def picture(game: Game, owner: str | None) -> Any:
    """A game's picture, as JSON is read: without its types."""
    return live.picture(game, owner)


def table(views: live.Views, game: Game, user: User | None) -> Any:
    """The table as views have it for a user, or for a stranger, as JSON is read."""
    return json.loads(views.table(game, None if user is None else user.id, 0.0))


def game_json(game: Game, profile: Profile, owner: str | None = None) -> Any:
    """The same of HSPE's Game."""
    return json_of_game(game, profile, owner)


@attrs.define(eq=False)
class Call:
    due: float
    callback: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class TurnedClock:
    """A clock that tests advance."""

    def __init__(self) -> None:
        self.time = START
        self.calls: list[Call] = []

    def now(self) -> float:
        return self.time

    def later(self, seconds: float, callback: Callable[[], None]) -> Call:
        call = Call(self.time + seconds, callback)
        self.calls.append(call)
        return call

    def due(self, until: float) -> Call | None:
        self.calls = [call for call in self.calls if not call.cancelled]
        first = min(self.calls, key=lambda call: call.due, default=None)
        if first is None or first.due > until:
            return None
        self.calls.remove(first)
        return first


class House:
    """A server without its sockets."""

    def __init__(
        self,
        journal: Journal | None = None,
        rules: Rules | None = None,
        runtime: StepRuntime | None = None,
        make: Callable[[Lobby], object] | None = None,
        seed: int | None = None,
    ) -> None:
        self.clock = TurnedClock()
        self.runtime = StepRuntime() if runtime is None else runtime
        self.notes = Notes(journal)
        self.room = Room(self.runtime, store=journal, seed=seed)
        self.users = Users(self.notes, Passwords(argon2=False, scrypt_cost=2))
        self.lobby = Lobby(self.room, self.users, self.notes, rules or Rules(), self.clock)
        self.ended: list[str] = []
        """ids of the hands reported as paid"""
        self.lobby.on_ended.append(lambda game, hand, hand_id, players: self.ended.append(hand_id))
        self.made = None if make is None else make(self.lobby)
        """an observer of the lobby from its start"""
        self.lobby.go_on()
        self.run(0.0)

    def run(self, seconds: float = 0.0) -> None:
        """Deliver all messages while `seconds` pass on the clock, with every call that falls due."""
        end = self.clock.time + seconds
        self.runtime.run()
        while (call := self.clock.due(end)) is not None:
            self.clock.time = max(self.clock.time, call.due)
            call.callback()
            self.runtime.run()
        self.clock.time = end

    def user(self, name: str) -> User:
        return self.users.add(name, "secret")

    def game_of(self, *names: str, **setting: Any) -> tuple[Game, list[User]]:
        """Return a new game and its users, of these names, with the first hand dealt."""
        users = [self.user(name) for name in names]
        game, _ = self.lobby.make(users[0], Setting(**setting) if setting else None)
        for user in users[1:]:
            self.lobby.join(user, game.id)
        self.run()
        return game, users

    def game_and_views(self, **setting: Any) -> tuple[Game, live.Views, list[User]]:
        """Return a new game of ann and bob, its views, and both users."""
        views = live.Views(self.lobby, README)
        game, users = self.game_of("ann", "bob", **setting)
        return game, views, users

    def wealth(self, game: Game) -> int:
        """Return all chips at the game's table, by the bank's books."""
        audit = self.room.audit()
        assert audit.conserved
        assert audit.bank == 0
        return audit.tables + audit.hands


@pytest.fixture
def house() -> Iterator[House]:
    made = House()
    with made.room:
        yield made


@pytest.fixture
def reopened(tmp_path: Path) -> Iterator[Callable[..., House]]:
    """A function that opens a house on one journal; each call drops the last house, as a dying process would."""
    houses: list[House] = []
    journals: list[Journal] = []

    def opened(make: Callable[[Lobby], object] | None = None) -> House:
        for journal in journals:
            journal._storage.close()
        journals[:] = [open_journal(tmp_path / "room.db")]
        houses.append(House(journals[0], make=make))
        return houses[-1]

    yield opened
    for house in houses[:-1]:
        house.runtime.close()
    if houses:
        houses[-1].room.close()
