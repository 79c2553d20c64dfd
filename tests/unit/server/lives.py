"""Random lives of a server on one journal: what was acknowledged before an end is there after the next start.

People come, make tables of every game, play, sit out, leave and delete their accounts; the house and tournaments play;
the clock moves on and the housekeeping with it; and each life ends as told to, is killed between two commands, or dies
at a write in the midst of one. `python -m tests.unit.server.lives --seeds 100` plays so many rooms of several lives each.
"""

from __future__ import annotations

import argparse
import json
import logging
import random
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.bots import Bot, BotSpec, Faults, HandStream, SeedTree, decide
from poker_actors.errors import PokerError, StorageFailed
from poker_actors.rules import GAMES
from poker_actors.server import Notes, Passwords, Rules, User, Users
from poker_actors.server.hspe import Game, read_setting
from poker_actors.server.http.housekeeping import GuardedLobby
from poker_actors.server.http.limits import Limits
from poker_actors.server.live import Hands, Results, Shares, Tournaments, read_announced
from poker_actors.store import Journal, open_journal
from poker_actors.testing.chaos.faults import ProcessDied
from tests.actors.test_table_ledger import Recount, counted
from tests.unit.server.conftest import House, TurnedClock, picture

BOTS = ("caller", "random")
LIVES, COMMANDS = 5, 14
"""Lives of a room, and commands of a life at most."""
LIMITS: Final = Limits(games_per_hour=10_000, unused_hours=1_000)
NAMES: Final = sorted(game.name for game in GAMES.values() if not game.capped)
ROTATIONS: Final = ("horse", "8-game", "dealers-choice")
PASSWORDS: Final = Passwords(argon2=False, scrypt_cost=2)
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
        self.mortal = Mortal(journal._storage, luck, tape)
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
        self.results, self.shares = Results(self.lobby), Shares(self.notes)
        self.lobby.go_on()
        self.runtime.run()  # and no call of the clock: nothing new happens before it is looked at

    def drop(self) -> None:
        """Be gone, without a word to anybody."""
        self.clock.calls.clear()
        self.room.books.abandon()
        self.mortal.close()
        self.runtime.close()

    def close(self) -> None:
        """End as told to."""
        self.clock.calls.clear()
        self.lobby.close()
        self.room.close()

    # -- what can be seen --------------------------------------------------------------------

    def seen(self) -> Seen:
        """Everything that clients can see of this room, and every chip in the books."""
        assert self.room.audit().conserved
        users = {name: self.users.find(name).id for name in self.users.names()}
        ids = [None, *users.values()]
        games = {game.id: self.seen_of(game) for game in self.lobby.games.values()}
        return {
            "users": users,
            "games": games,
            "chips": None
            if any(map(due, self.lobby.games.values()))
            else self.journal.look(lambda image: dict(image.ledger.balances())),
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
            "hands": self.hands.told(game.id, None),
        }
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
        return told

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
    unsettled = any(who.what != "playing" or not who.wealth for who in roster.members.values())
    room = len(roster.members) < game.setting.seats or bool(roster.house)
    return unsettled or (bool(roster.queue) and room)


def lasting(told: Seen) -> Seen:
    """A picture without what a restart may change: the count of changes, the clock's time, and news of the moment."""
    told = {key: one for key, one in told.items() if key not in ("version", "notice", "choice")}
    if told["turn"] is not None:
        told["turn"] = told["turn"]["seat"]
    return told


def told_of(event: Any) -> Seen:
    return {key: event.get(key) for key in ("id", "name", "state", "players", "entrants", "results")}


@attrs.define(eq=False)
class World:
    """One journal, and all its lives. The same seed lives the same lives."""

    seed: int
    place: str
    luck: random.Random = attrs.field(init=False)
    stream: HandStream = attrs.field(init=False)
    bot: Bot = attrs.field(init=False)
    clock: TurnedClock = attrs.field(factory=TurnedClock)
    counts: Counter[str] = attrs.field(factory=Counter)
    story: list[str] = attrs.field(factory=list)
    tape: list[Any] = attrs.field(factory=list)
    """all records ever written: snapshots drop them"""

    def __attrs_post_init__(self) -> None:
        self.luck = random.Random(self.seed)
        self.bot = BotSpec.parse("random").make()
        self.stream = SeedTree(self.seed).stream(0, 1)

    def run(self) -> None:
        """Live all lives; raises `AssertionError` with the story of what is not as it was."""
        with pytest.MonkeyPatch.context() as patch:
            # ids are drawn from the seed, too: a bot's luck follows from its id
            patch.setattr(uuid, "uuid4", lambda: uuid.UUID(int=self.luck.getrandbits(128), version=4))
            self._run()

    def _run(self) -> None:
        seen: Seen | None = None
        touched: set[str] | None = set()
        for _ in range(LIVES):
            life = Life(open_journal(self.place), self.clock, self.luck, self.seed, self.tape)
            self.counts["lives"] += 1
            try:
                self.check(life, seen, touched)
                seen, touched = self.live(life)
            except BaseException:
                life.drop()
                raise

    def check(self, life: Life, before: Seen | None, touched: set[str] | None) -> None:
        """Compare a start with what was acknowledged; `touched` games were in a command that was not answered."""
        found = life.room.recovery
        assert found is None or found.set_aside == (), self.said(f"set aside: {found.set_aside}")
        now = life.seen()
        self.count_again(life)
        if before is None:
            return
        if touched == set():
            for key in before:
                if key != "games" and before[key] is not None:
                    self.equal(key, before[key], now[key])
        for game_id, one in before["games"].items():
            if touched is None or game_id in touched:
                continue
            assert game_id in now["games"], self.said(f"game {game_id} is gone")
            again = now["games"][game_id]
            for key in one.keys() & again.keys():
                self.counts[f"{key} compared"] += 1
                self.equal(f"{key} of {game_id}", one[key], again[key])

    def count_again(self, life: Life) -> None:
        """Compare the ledgers of tables with what all records come to."""
        for game in life.lobby.games.values():
            if game.setting.ledger:
                accounts = counted(life.room.bank.accounts(game.table))
                assert accounts == Recount(game.id).take(self.tape).accounts, self.said(
                    f"ledger of {game.id}"
                )
                self.counts["ledgers counted again"] += bool(accounts)

    def equal(self, what: str, before: object, now: object) -> None:
        """Compare two things seen, and say of the first difference alone."""
        if before == now:
            return
        if isinstance(before, dict) and isinstance(now, dict) and before.keys() == now.keys():
            for key in before:
                self.equal(f"{what}, {key}", before[key], now[key])
        if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
            for number, (one, other) in enumerate(zip(before, now, strict=True)):
                self.equal(f"{what}, {number}", one, other)
        raise AssertionError(self.said(f"{what}:\n{before}\nbecame\n{now}"))

    def said(self, what: str) -> str:
        return f"seed {self.seed}: {what}\n" + "\n".join(self.story[-40:])

    def live(self, life: Life) -> tuple[Seen, set[str] | None]:
        """Give commands until the end; return what was seen last, and which games the end has caught at work."""
        life.run(0)
        seen = life.seen()
        commands = self.luck.randrange(COMMANDS)
        dies = self.luck.random() < 0.5
        for number in range(commands + 1):
            if dies and number == commands:
                life.mortal.left = self.luck.randrange(1, 8)
            touched: set[str] | None = set()
            try:
                touched = self.command(life)
                life.run(0)
            except PokerError as error:
                self.story.append(f"  {type(error).__name__}: {error}")
                if not life.mortal.dead:
                    life.run(0)
            except ProcessDied:
                pass
            if life.mortal.dead:
                self.counts["died at a write"] += 1
                self.story.append("died at a write")
                life.drop()
                return seen, None if touched == set() else touched
            seen = life.seen()
        life.mortal.left = None
        self.count_again(life)
        if self.luck.random() < 0.5:
            self.counts["killed"] += 1
            self.story.append("killed")
            life.drop()
        else:
            self.counts["ended"] += 1
            self.story.append("ended")
            life.close()
        return seen, set()

    # -- commands ----------------------------------------------------------------------------

    def command(self, life: Life) -> set[str] | None:
        """Do one thing; return the games it is about, None for all."""
        does = self.luck.choices(*zip(*WEIGHTS.items(), strict=True))[0]
        self.counts[does] += 1
        self.story.append(does)
        named = getattr(self, does)(life)
        return None if named is None else {named}

    def _user(self, life: Life) -> User:
        names = life.users.names()
        if not names or (len(names) < 6 and self.luck.random() < 0.3):
            return life.users.add(f"user {len(self.story)}", "secret")
        return life.users.find(self.luck.choice(names))

    def _game(self, life: Life) -> Game:
        games = list(life.lobby.games.values())
        return self.luck.choice(games) if games else life.lobby.games[self.make(life) or ""]

    def register(self, life: Life) -> str | None:
        self._user(life)
        return ""

    def make(self, life: Life) -> str | None:
        name = self.luck.choice([*NAMES, *ROTATIONS])
        most = 10 if name in ROTATIONS else GAMES[name].max_seats
        asked: Seen = {
            "game": name,
            "seats": min(self.luck.randint(2, 6), most if name not in ROTATIONS else 6),
        }
        asked |= {"pause": self.luck.choice([0, 5]), "think": self.luck.choice([0, 1])}
        if self.luck.random() < 0.3:
            asked |= {"time_bank": 30}
        if (
            random.Random(f"{self.seed} {len(self.tape)}").random() < 0.5
        ):  # luck of its own: seeds live as they did
            asked |= {"private": True, "ledger": True}
        maker = self._user(life)
        keeps = self.luck.random() < 0.5
        game, _ = life.lobby.make(maker, read_setting(json.dumps(asked).encode(), maker.id), keeps_seat=keeps)
        return game.id

    def join(self, life: Life) -> str | None:
        game = self._game(life)
        life.lobby.join(self._user(life), game.id, keeps_seat=self.luck.random() < 0.5)
        return game.id

    def leave(self, life: Life) -> str | None:
        game = self._game(life)
        here = [*game.roster.playing, *game.roster.queue]
        if here:
            game.leave(self.luck.choice(here))
        return game.id

    def sit(self, life: Life) -> str | None:
        game = self._game(life)
        if game.roster.playing:
            game.sit_out(self.luck.choice(list(game.roster.playing)), out=self.luck.random() < 0.6)
        return game.id

    def top_up(self, life: Life) -> str | None:
        game = self._game(life)
        if game.roster.playing:
            game.top_up(self.luck.choice(list(game.roster.playing)))
        return game.id

    def house(self, life: Life) -> str | None:
        game = self._game(life)
        user = life.users.get(game.setting.maker)
        if user is not None:
            life.lobby.seat_house(user, game.id, [*BOTS][: self.luck.randint(1, 2)])
        return game.id

    def house_away(self, life: Life) -> str | None:
        game = self._game(life)
        user = life.users.get(game.setting.maker)
        if user is not None:
            life.lobby.send_house_away(user, game.id)
        return game.id

    def play(self, life: Life) -> str | None:
        """Take some turns at one table."""
        game = self._game(life)
        for _ in range(self.luck.randint(1, 12)):
            turn = game.turn
            if turn is None:
                break
            turn.state.act(decide(self.bot, turn.state.view(self.stream), Faults()))
            life.run(0)
        return game.id

    def tournament(self, life: Life) -> str | None:
        events = life.tournaments.listed()
        if not events or self.luck.random() < 0.3:
            asked = json.dumps({"players": 2, "seats": 2, "minutes": 1, "turn_seconds": 10}).encode()
            life.tournaments.make(self._user(life), read_announced(asked))
            return None
        event, user = self.luck.choice(events)["id"], self._user(life)
        does = self.luck.choice([life.tournaments.enter, life.tournaments.fill, life.tournaments.leave])
        does(user, event)
        return None

    def delete(self, life: Life) -> str | None:
        """Delete an account that is in no game."""
        user = self._user(life)
        entered = [one for asked in life.lobby.on_entered for one in asked(user.id)]
        if not entered and not any(user.id in game.roster.everybody for game in life.lobby.games.values()):
            life.users.delete(user)
        return None

    def password(self, life: Life) -> str | None:
        life.users.set_digest(self._user(life), PASSWORDS.digest("new"))
        return ""

    def time(self, life: Life) -> str | None:
        life.run(self.luck.choice([1, 6, 20, 70]))
        return None

    def clear_up(self, life: Life) -> str | None:
        """Let much time pass, and the housekeeping with it."""
        life.run(self.luck.choice([60, 700, 1_000]))
        for _ in range(self.luck.randint(1, 3)):
            life.lobby.clear_up()
            life.run(0)
        return None


WEIGHTS: Final = {
    "register": 2, "make": 3, "join": 6, "leave": 4, "sit": 3, "top_up": 2, "house": 3, "house_away": 2, "play": 12,
    "tournament": 2, "delete": 1, "password": 1, "time": 2, "clear_up": 3,
}  # fmt: skip


def lives(seeds: Sequence[int], place: Callable[[int], str]) -> Counter[str]:
    """Live the lives of these seeds, each on a journal of its own; return what has been done how often."""
    counts: Counter[str] = Counter()
    for seed in seeds:
        world = World(seed, place(seed))
        world.run()
        counts += world.counts
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--from", dest="first", type=int, default=0)
    given = parser.parse_args()
    logging.disable()  # a process that dies says so at length
    with tempfile.TemporaryDirectory() as folder:
        counts = lives(
            range(given.first, given.first + given.seeds), lambda seed: str(Path(folder, f"{seed}.db"))
        )
    for what, count in sorted(counts.items()):
        print(f"{what:20} {count:9,}")


if __name__ == "__main__":
    main()
