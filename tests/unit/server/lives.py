"""Random lives of a server on one journal: what was acknowledged before an end is there after the next start.

People come, make tables of every game with every option, play turns of seconds and of days, talk, show, share, sit out,
leave and delete their accounts; the house and tournaments play; webhooks are called; the clock moves on, between two
lives, too, and the housekeeping with it; and each life ends as told to, is killed between two commands, or dies at a
write in the midst of one. `python -m tests.unit.server.lives --seeds 100` plays so many rooms of several lives each.
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

from poker_actors.bots import Bot, BotSpec, Faults, HandStream, SeedTree, decide
from poker_actors.errors import PokerError
from poker_actors.rules import GAMES, Action, Bet, BringIn, Call, Check, Discard, Fold, Lay, RaiseTo
from poker_actors.server import User
from poker_actors.server.contract import ActName
from poker_actors.server.hspe import Game, Key, NamedAction, read_setting
from poker_actors.server.hspe.game_notes import PlayedLast
from poker_actors.server.live import HANDS_KEPT, read_announced
from poker_actors.store import open_journal
from poker_actors.store.journal import SQLiteStorage
from poker_actors.testing.chaos.faults import ProcessDied
from tests.actors.test_table_ledger import Recount, counted
from tests.unit.server.conftest import TurnedClock
from tests.unit.server.life import BOTS, PASSWORDS, PLAN, Life, Seen

DAY: Final = 86_400
LIVES, COMMANDS = 5, 14
"""Lives of a room, and commands of a life at most."""
SAID: Final = "so much for a quiet evening"
FIRST_HAND: Final = 1_000_001
"""The number of the first hand at a tournament's first table."""
NAMES: Final = sorted(game.name for game in GAMES.values() if not game.capped)
ROTATIONS: Final = ("horse", "8-game", "dealers-choice")


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
    acted: dict[tuple[str, str], tuple[NamedAction, Key]] = attrs.field(factory=dict)
    """each player's last act at each table"""
    told: set[tuple[str, Key]] = attrs.field(factory=set)
    """turns told to a webhook, by its address, and known to be"""
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
            journal = open_journal(self.place)
            if isinstance(journal._storage, SQLiteStorage):
                # the machine never goes down here, and waiting for its disk is most of a life
                journal._storage._opened().execute("PRAGMA synchronous=OFF")
            life = Life(journal, self.clock, self.luck, self.seed, self.tape)
            self.counts["lives"] += 1
            try:
                self.check(life, seen, touched)
                seen, touched = self.live(life)
            except BaseException:
                life.drop()
                raise
            pause = self.luck.choice([0, 0, 5, 3_600, 4 * DAY])
            self.clock.time += pause
            if pause:
                seen["results"] = None  # who left a table with a delay is told of its last hand in time
        assert SAID not in "".join(str(row) for row in self.tape), self.said(
            "what was said is in the journal"
        )

    def check(self, life: Life, before: Seen | None, touched: set[str] | None) -> None:
        """Compare a start with what was acknowledged; `touched` games were in a command that was not answered."""
        found = life.room.recovery
        assert found is None or found.set_aside == (), self.said(f"set aside: {found.set_aside}")
        now = life.seen()
        self.forget_left(life)  # a leave that was not answered may be done
        self.count_again(life)
        self.ends_kept(life)
        if before is None:
            return
        for one in before["own"].values():
            ends = one["log-ins"].items()
            one["log-ins"] = {name: until for name, until in ends if until > self.clock.now()}
        if before["board"]["as_of"] != now["board"]["as_of"]:
            before["board"] = None  # a day is over
        if touched == set():
            for key in before:
                if key != "games" and before[key] is not None:
                    self.equal(key, before[key], now[key])
        for game_id, one in before["games"].items():
            if touched is None or game_id in touched:
                continue
            assert game_id in now["games"], self.said(f"game {game_id} is gone")
            again = now["games"][game_id]
            self.check_turn(game_id, one.pop("turn"), again["turn"])
            for key in one.keys() & again.keys():
                self.counts[f"{key} compared"] += 1
                self.equal(f"{key} of {game_id}", one[key], again[key])
            self.act_again(life, life.lobby.games[game_id])

    def act_again(self, life: Life, game: Game) -> None:
        """Send the last acts of a table again, as clients do that have lost an answer: each is answered as at first."""
        first = game.table.state().number - 1 - (game.table.state().hand_id is not None)
        for (game_id, user_id), (move, key) in self.acted.items():
            lasts = game_id == game.id and int(key[0].rpartition("-")[2]) >= first
            if lasts and user_id in [*game.roster.playing, *game.roster.queue]:
                before = life.seen_of(game)
                try:
                    answer = game.take(user_id, move, key)
                except PokerError as error:
                    raise AssertionError(self.said(f"{move} of {user_id} once more: {error}")) from None
                assert answer == key
                life.runtime.run()
                self.equal(f"{game_id} after {move} once more", before, life.seen_of(game))
                self.counts["acts sent again"] += 1

    def check_turn(self, game_id: str, before: Seen | None, now: Seen | None) -> None:
        """Hold the end of a turn to what is promised: a short one begins anew, a long one or a time bank ends as it would have.

        But for those at least a minute and a tenth of the turn's time are left.
        """
        if before is None:
            return
        assert now is not None, self.said(f"nobody has to act at {game_id}: {before}")
        whole, here = before["seconds"], self.clock.now()
        if whole < 60 and not before["bank"]:
            expected = before | {"expiry": here + whole, "bank": 0.0}
        else:
            expected = before | {"expiry": max(before["expiry"], here + max(60, whole / 10))}
            self.counts["long turns compared"] += 1
        self.equal(f"turn of {game_id}", expected, now)

    def count_again(self, life: Life) -> None:
        """Compare the ledgers of tables with what all records come to."""
        for game in life.lobby.games.values():
            if game.setting.ledger:
                accounts = counted(life.room.bank.accounts(game.table))
                assert accounts == Recount(game.id).take(self.tape).accounts, self.said(
                    f"ledger of {game.id}"
                )
                self.counts["ledgers counted again"] += bool(accounts)

    def ends_kept(self, life: Life) -> None:
        """Raise if a hand has been paid that nobody is told of, or is told of twice."""
        for name, all_kept in life.hands._kept.items():
            numbers = [one.told["hands"] for one in all_kept]
            assert numbers == sorted({*numbers}), self.said(f"{name} tells a hand twice: {numbers}")
        for game in life.lobby.games.values():
            last = PlayedLast.at(life.room, life.journal, game.id, life.hands._has)
            assert last is None or not any(map(life.users.get, last.ids.values())), self.said(
                f"{game.id} was paid a hand that is in no list"
            )
        for name, table in life.room.tables.items():
            if life.tournaments.title(name) is None:
                continue
            found = life.journal.look(lambda image: image.tables)[name]
            people = any(seat and life.users.get(seat.player) for seat in table.state().seats)
            if found.dealt is not None and people:  # bots among themselves are in no list
                ended = int(found.dealt.hand_id.rpartition("-")[2]) + found.over
                kept = [one["hands"] for one in life.hands.told(name, None)]
                due = range(max(ended - HANDS_KEPT, FIRST_HAND), ended)
                missing = {*due} - {one - 1 for one in kept}
                assert not missing, self.said(f"{name} was paid hands that are in no list: {missing}")
                self.counts["hands of tournaments found"] += bool(kept)

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
        commands = self.luck.randrange(COMMANDS)
        dies = self.luck.random() < 0.5
        seen: Seen = {} if commands else life.seen()
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
            if not life.mortal.dead:
                self.look(life)
            if life.mortal.dead:
                self.counts["died at a write"] += 1
                self.story.append("died at a write")
                life.drop()
                return seen, None if touched == set() else touched
            assert life.room.audit().conserved, self.said("chips are lost or made")
            if number >= commands - 1:  # compared is what was seen before or after the last command
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

    def look(self, life: Life) -> None:
        """Hold what spectators see, and which webhooks have been called."""
        for game in life.lobby.games.values():
            if game.setting.watch_delay:
                life.late(game)
                self.counts["seen late"] += 1
        self.forget_left(life)
        called = set(life.calls)
        assert not called & self.told, self.said(f"told again: {called & self.told}")
        self.told |= called
        self.counts["webhooks called"] += len(called)
        life.calls.clear()

    def forget_left(self, life: Life) -> None:
        """Forget the acts of who has left: a place that is taken anew is another's, and owes no answer once more."""
        games = life.lobby.games
        for one in list(self.acted):
            if one[0] not in games or one[1] not in games[one[0]].roster.playing:
                del self.acted[one]

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
        asked |= {"chat": self.luck.choice(["seated", "everyone", "off"])}
        asked |= self.luck.choice([{}, {"turn_seconds": 120}, {"turn_seconds": 3 * DAY}])
        asked |= self.luck.choice([{}, {}, {"time_bank": 30}])
        asked |= self.luck.choice([{}, {"private": True, "ledger": True}, {"watch_delay": 30}])
        if name not in ROTATIONS and GAMES[name].stakes.big_blind:
            asked |= {"missed_blinds": self.luck.random() < 0.5}
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
            who, out = self.luck.choice(list(game.roster.playing)), self.luck.random() < 0.6
            game.sit_out(who, out=out, wait=not out and self.luck.random() < 0.5)
        return game.id

    def leave_after(self, life: Life) -> str | None:
        game = self._game(life)
        if game.roster.playing:
            game.leave_after_hand(self.luck.choice(list(game.roster.playing)), leave=self.luck.random() < 0.7)
        return game.id

    def show(self, life: Life) -> str | None:
        """Turn up somebody's cards of the hand that is over."""
        game = self._game(life)
        if game.roster.playing:
            game.show(self.luck.choice(list(game.roster.playing)))
        return game.id

    def choose(self, life: Life) -> str | None:
        """Name the next game, where the dealer chooses."""
        games = [game for game in life.lobby.games.values() if game.choice and game.choice.open]
        for game in games[:1]:
            assert game.choice is not None
            name = self.luck.choice(game.choice.rotation.games).name
            game.choose(self.luck.choice(list(game.roster.playing)), name)
        return games[0].id if games else ""

    def talk(self, life: Life) -> str | None:
        """Say something, which no journal keeps."""
        game = self._game(life)
        life.lobby.say(self._user(life), game.id, SAID, None)
        return ""

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
        self._take_turns(life, game, self.luck.randint(1, 12))
        return game.id

    def _take_turns(self, life: Life, game: Game, most: int) -> None:
        for _ in range(most):
            turn = game.turn
            if turn is None:
                break
            move = named(decide(self.bot, turn.state.view(self.stream), Faults()))
            self.acted.pop((game.id, turn.user), None)  # who sends the next act has the last one's answer
            key = game.take(turn.user, move, turn.key)
            life.run(0)
            if life.mortal.dead:
                break
            if turn.user not in game.roster.house and game.id in life.lobby.games:
                self.acted[game.id, turn.user] = move, key

    def tournament(self, life: Life) -> str | None:
        events = life.tournaments.listed()
        tables = [game for name in life.room.tables if (game := life.tournaments.table(name)) is not None]
        if tables and self.luck.random() < 0.7:
            self._take_turns(life, self.luck.choice(tables), self.luck.randint(10, 40))
            return None
        if not events or self.luck.random() < 0.3:
            asked = json.dumps({"players": 2, "seats": 2, "minutes": 1, "turn_seconds": 10}).encode()
            maker = self._user(life)
            event = life.tournaments.make(maker, read_announced(asked))
            if self.luck.random() < 0.7:
                life.tournaments.fill(maker, event)
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
            for forget in life.lobby.on_delete:
                forget(user)
            life.users.delete(user)
        return None

    def password(self, life: Life) -> str | None:
        life.users.set_digest(self._user(life), PASSWORDS.digest("new"))
        return ""

    def list_on_board(self, life: Life) -> str | None:
        life.results.board.put(self._user(life).id, listed=self.luck.random() < 0.7)
        return ""

    def webhook(self, life: Life) -> str | None:
        url = f"https://hooks.example/{len(self.story)}"
        slow = [one.turn.user for one in life.lobby.games.values() if one.turn and one.turn_seconds >= DAY]
        asked = [user for one in slow if (user := life.users.get(one)) is not None]
        user = self.luck.choice(asked) if asked and self.luck.random() < 0.7 else self._user(life)
        life.hooks.set(user, url if self.luck.random() < 0.8 else None)
        return ""

    def log_in(self, life: Life) -> str | None:
        life.sessions.begin(self._user(life))
        return ""

    def share(self, life: Life) -> str | None:
        """Make a link to a hand, or end one."""
        user = self._user(life)
        links = list(life.shares.of(user.id).values())
        if links and self.luck.random() < 0.3:
            life.shares.end(user.id, self.luck.choice(links))
        hands = life.hands.of_user(user.id)
        if hands:
            hand = self.luck.choice(hands)
            text = life.hands.shareable(hand["game"], hand["hand_id"], user.id)
            life.shares.share(user.id, hand["hand_id"], text)
        return ""

    def time(self, life: Life) -> str | None:
        life.run(self.luck.choice([1, 6, 20, 70, 40_000]))
        return None

    def clear_up(self, life: Life) -> str | None:
        """Let much time pass, and the housekeeping with it."""
        life.run(self.luck.choice([60, 700, 1_000]))
        for _ in range(self.luck.randint(1, 3)):
            life.clear_up()
            if life.clock.now() >= life.began + 60 and not life.mortal.dead:
                self.all_told(life)
        return None

    def all_told(self, life: Life) -> None:
        """Raise if a slow table waits for somebody who has not been told."""
        for game in life.lobby.games.values():
            user = None if game.turn is None else life.users.get(game.turn.user)
            if game.turn is None or user is None or game.turn_seconds < PLAN.seconds:
                continue
            url = life.hooks.of(user)["webhook"]
            told = {key for _, key in self.told.union(life.calls)}
            others = [one for one in life.lobby.games.values() if one.turn and one.turn.user == user.id]
            # of several turns of one user, the next is told a minute later
            assert url is None or game.turn.key in told or len(others) > 1, self.said(
                f"{user.name} is not told at {game.id}"
            )


PLAIN: Final[dict[type, ActName]] = {Fold: "fold", Check: "check", Call: "call", BringIn: "bring_in"}
WEIGHTS: Final = {
    "register": 2, "make": 3, "join": 6, "leave": 4, "sit": 3, "top_up": 2, "house": 3, "house_away": 2, "play": 12,
    "tournament": 4, "delete": 1, "password": 1, "time": 2, "clear_up": 3, "leave_after": 1, "show": 2, "choose": 1,
    "talk": 1, "list_on_board": 1, "webhook": 3, "log_in": 1, "share": 1,
}  # fmt: skip


def named(action: Action) -> NamedAction:
    """Return an action of the rules as a request names it."""
    match action:
        case Bet():
            return NamedAction("bet", action.amount)
        case RaiseTo():
            return NamedAction("raise_to", action.total)
        case Discard():
            return NamedAction("discard", cards=action.cards)
        case Lay():
            return NamedAction("lay", rows=action.rows)
        case _:
            return NamedAction(PLAIN[type(action)])


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
