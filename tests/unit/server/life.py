"""One life of a server on a journal that lasts longer: all of a server but its sockets, and what can be seen of it."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.errors import StorageFailed
from poker_actors.server import README, Notes, Passwords, Rules, Users
from poker_actors.server.hspe import GO, Game, Key
from poker_actors.server.http.app_state import GuardedLobby
from poker_actors.server.http.connections import Limits
from poker_actors.server.live import (
    Hands,
    HookPlan,
    Hooks,
    Results,
    Sessions,
    Shares,
    Tournaments,
    Views,
    hooks,
)
from poker_actors.store import Journal
from poker_actors.testing.chaos.faults import ProcessDied
from tests.unit.server.conftest import House, TurnedClock, game_json, picture

__all__ = ["BOTS", "PASSWORDS", "PLAN", "Life", "Seen", "lasting"]

BOTS = ("caller", "random")
LIMITS: Final = Limits(games_per_hour=10_000, unused_hours=1_000)
PASSWORDS: Final = Passwords(argon2=False, scrypt_cost=2)
PLAN: Final = HookPlan("https://poker.example", anywhere=True, waits=(0.0, 0.0))
Seen = dict[str, Any]


class Mortal:
    """A journal's storage whose process dies at the write that `left` counts down to, before or after it is done."""

    def __init__(self, storage: Any, luck: random.Random, tape: list[Any]) -> None:
        self._storage = storage
        self._luck = luck
        self._tape = tape
        self.left: int | None = None
        self.dead = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    def write(self, rows: Sequence[Any], after: int) -> None:
        if self.dead:
            raise StorageFailed("the process is dead")
        if self.left is not None:
            self.left -= 1
            self.dead = self.left <= 0
        if not self.dead or self._luck.random() < 0.5:
            self._storage.write(rows, after)
            self._tape += rows
        if self.dead:
            raise ProcessDied


class Life(House):
    """One process: all of a server but its sockets."""

    lobby: GuardedLobby

    def __init__(
        self, journal: Journal, clock: TurnedClock, luck: random.Random, seed: int, tape: list[Any]
    ) -> None:
        self.luck, self.mortal = luck, Mortal(journal._storage, luck, tape)
        journal._storage = self.mortal
        self.journal, self.clock = journal, clock
        self.runtime = StepRuntime()
        self.notes = Notes(journal)
        self.users = Users(self.notes, PASSWORDS, now=clock.now)
        GuardedLobby.set_bad_games_aside(self.users)
        self.room = Room(self.runtime, seed=seed, store=journal)
        self.lobby = GuardedLobby(LIMITS, self.room, self.users, self.notes, Rules(), clock)
        self.tournaments = Tournaments(self.lobby)
        self.hands = Hands(self.lobby, self.tournaments)
        self.shares, self.sessions = Shares(self.notes), Sessions(self.users, self.notes, clock.now)
        self.views, self.began = Views(self.lobby, README), clock.now()
        self.hooks, self.calls = Hooks(self.lobby, PLAN, lambda user_id: False), list[tuple[str, Key]]()
        self.results = Results(self.lobby)
        self.first_seen: dict[tuple[str, int], float] = {}
        """when a table had a version first"""
        self.lobby.on_change = self._changed
        self.lobby.go_on()
        self.runtime.run()  # and no call of the clock: nothing new happens before it is looked at
        for game in self.lobby.games.values():  # else it is first heard of when its delay is over
            self.first_seen.setdefault((game.id, game.version), self.began)

    def _changed(self, game: Game) -> None:
        self.first_seen.setdefault((game.id, game.version), self.clock.now())

    def drop(self) -> None:
        """Be gone, without a word to anybody."""
        self.clock.calls.clear()
        self.room.books.abandon()
        self.mortal.close()
        self.hooks.close()
        self.runtime.close()

    def close(self) -> None:
        """End as told to."""
        self.clock.calls.clear()
        self.hooks.close()
        self.lobby.close()
        self.room.close()

    def clear_up(self) -> None:
        """Keep house, which calls the webhooks of whoever keeps a slow table waiting, and wait for what they answer."""

        async def main() -> None:
            self.lobby.clear_up()
            await self.hooks.told()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(hooks, "post", self._called)
            asyncio.run(main())
        self.run(0)

    async def _called(self, url: str, body: bytes, names: ThreadPoolExecutor, *, anywhere: bool) -> bool:
        """Be called: most receivers take it."""
        game = self.lobby.games[json.loads(body)["game"]]
        assert game.turn is not None
        self.calls.append((url, game.turn.key))
        return self.luck.random() < 0.8

    # -- what can be seen --------------------------------------------------------------------

    def seen(self) -> Seen:
        """Everything that clients can see of this room, and every chip in the books."""
        assert self.room.audit().conserved
        users = {name: self.users.find(name).id for name in self.users.names()}
        ids, known = [None, *users.values()], [self.users.find(name) for name in users]
        games = {game.id: self.seen_of(game) for game in self.lobby.games.values()}
        return {
            "users": users,
            "games": games,
            "chips": None
            if any(map(due, self.lobby.games.values()))
            else self.journal.look(lambda image: dict(image.ledger.balances())),
            "own": {
                one.name: {
                    "listed": self.results.board.lists(one.id),
                    "webhook": self.hooks.of(one),
                    "links": {hand: self.shares.find(link) for hand, link in self.shares.of(one.id).items()},
                    "log-ins": {log_in["id"]: log_in["until"] for log_in in self.sessions.of(one)},
                }
                for one in known
            },
            "results": {one.name: self.results.of_user(one.id) for one in known},
            "board": json.loads(asyncio.run(self.results.board.told())[0]),
            "tournaments": {
                one["id"]: {str(owner): told_of(self.tournaments.told(one["id"], owner)) for owner in ids}
                for one in self.tournaments.listed()
            },
        }

    def seen_of(self, game: Game) -> Seen:
        """A game as its members and a spectator see it, and its last hands."""
        roster, state = game.roster, game.table.state()
        watching = [None, *roster.playing, *roster.queue]
        seats = {one.player: one.stack for one in state.seats if one is not None}
        told: Seen = {
            "setting": game.setting.plain(),
            "hand": state.hand_id,
            "turn": self.turn(game),
        }
        if not game.setting.watch_delay:  # what is told of those to strangers comes with time
            told["hands"] = self.hands.told(game.id, None)
        if not due(game):
            if game.setting.ledger:
                told["ledger"] = self.room.bank.accounts(game.table)
            told |= {
                "members": {
                    one: (who.seat, who.away, who.keeps_seat, who.bank) for one, who in roster.playing.items()
                },
                "own hands": {one: self.hands.told(game.id, one) for one in roster.playing},
                "queue": list(roster.queue),
                "stacks": {one: chips for one, chips in seats.items() if one in roster.playing},
            }
        if self.settled(game):
            told["pictures"] = {str(owner): lasting(picture(game, owner)) for owner in watching}
            if game.setting.by_contract:
                contract = {str(owner): lasting(game_json(game, GO, owner)) for owner in watching}
                for one in contract.values():
                    if state.hand_id is not None or game.public is None:
                        one.pop("last_winners")  # of the hand before, which no journal has any more
                told["contract"] = contract
        return told

    def turn(self, game: Game) -> Seen | None:
        """Whose turn it is and until when, while the clock of a person or of somebody's program runs."""
        member = None if game.turn is None else game.roster.playing.get(game.turn.user)
        if game.turn is None or member is None or member.house is not None or member.away is not None:
            return None
        due, long = game.turn.due, game.turn_seconds
        return {"key": due.key, "expiry": due.expiry, "bank": due.bank, "seconds": long}

    def late(self, game: Game) -> None:
        """Raise if a spectator sees a table with a delay as it was not yet so long ago, or hears what was said since."""
        delay, seen = game.setting.watch_delay, json.loads(self.views.table(game, None, self.clock.now()))
        since = self.first_seen.get((game.id, seen["version"]), self.began)
        blank = seen["hand_id"] is None and not any(one["name"] for one in seen["seats"])
        assert blank or since <= self.clock.now() - delay, (
            f"{game.id} is seen {delay} s late as it was at {since}"
        )
        assert all(line["time"] <= self.clock.now() - delay for line in seen["chat"]), (
            "a line is heard too soon"
        )

    def settled(self, game: Game) -> bool:
        """Whether nothing is due at the table: who has left is gone, who waits has no seat, and nobody came back since."""
        roster = game.roster
        here = {one: who for one, who in roster.members.items() if who.seat is not None}
        back = any(
            who is not here.get(who.user.id, who) or who.seat != seat
            for seat, who in game.at.items()
            if who.user.id in here
        )
        names = {who.user.name for who in here.values()}
        left = {who.user for who in game.at.values() if who.house is None} - {
            who.user for who in here.values()
        }
        # an account that is deleted takes its name with it, at the next start from the last hand's winners, too
        deleted = any(self.users.get(who.id) is None for who in left) or any(
            not name or (not self.users.has(name) and not name.startswith(BOTS))
            for name in game.gone.values()
        )
        return not (back or deleted or due(game) or names & {*game.gone.values()})


def due(game: Game) -> bool:
    """Whether seats are given up or taken as soon as the hand, or the pause after it, is over: a start does it at once."""
    roster = game.roster
    unsettled = any(
        who.what != "playing" or not who.wealth or who.last_hand for who in roster.members.values()
    )
    room = len(roster.members) < game.setting.seats or bool(roster.house)
    return unsettled or (bool(roster.queue) and room)


def lasting(told: Seen) -> Seen:
    """A picture without what a restart may change: the count of changes, the clock's time, and news of the moment."""
    told = {key: one for key, one in told.items() if key not in ("version", "notice", "choice")}
    if told["turn"] is not None:
        told["turn"] = {
            key: one for key, one in told["turn"].items() if key in ("seat", "playerID", "bet_to_player")
        }
    return told


def told_of(event: Any) -> Seen:
    return {key: event.get(key) for key in ("id", "name", "state", "players", "entrants", "results")}
