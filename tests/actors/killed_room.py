"""A room that plays with a journal in a process of its own, and the killer of that process.

    python tests/actors/killed_room.py --kills 200 --tables 100 --seed 1

starts the room, kills it by SIGKILL at a random moment, starts it again on the same journal, and so
on. The room reports every acknowledged command; after a restart none of them may be missing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

CHIPS = 1000
TOP_UP = 5


# -- the room, in the child process --------------------------------------------------------------


def say(**said: object) -> None:
    """Report one line, in a single write: a kill cannot leave half of it."""
    os.write(1, (json.dumps(said) + "\n").encode())


def live_in_room(store: str, tables: int, seed: int) -> None:
    """Open the room, report the state recovered, and play until killed."""
    from poker_actors.actors import Room
    from poker_actors.rules import Stakes

    imported, before = time.perf_counter(), time.process_time()
    room = Room(store=store)
    ready = time.perf_counter()
    say(what="ready", seconds=ready - imported, processor=time.process_time() - before, **state_of(room))
    for number in range(tables):
        name = f"t{number}"
        if name not in room.tables:
            room.open_table(name, seats=2, stakes=Stakes(1, 2))
        for player in (f"{name}a", f"{name}b"):
            if player not in room.players:
                room.player(player, chips=CHIPS)
                say(what="minted", chips=CHIPS)
    say(what="seated")
    workers = [
        threading.Thread(target=work, args=(room, part, tables, seed), daemon=True) for part in range(4)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


def state_of(room: Any) -> dict[str, object]:
    """Return the state recovered: chips, and the actions of each table's last hand."""
    audit = room.audit()
    journal = room._journal
    hands = journal.look(
        lambda image: {
            name: (table.dealt.hand_id, list(table.log), table.over)
            for name, table in image.tables.items()
            if table.dealt is not None
        }
    )
    return {
        "conserved": audit.conserved,
        "minted": audit.minted,
        "hands": hands,
        "records": journal.replayed.records,
        "torn": journal.replayed.torn,
    }


def work(room: Any, part: int, tables: int, seed: int) -> None:
    """Play at every fourth table, as an outside caller, one command after the other."""
    luck = random.Random(f"{seed}/{part}")
    while True:
        for number in range(part, tables, 4):
            play_some(room, f"t{number}", luck)


def play_some(room: Any, name: str, luck: random.Random) -> None:
    """Send a few commands at one table."""
    from poker_actors.errors import PokerError
    from poker_actors.rules import Action, Call, Check, Fold, RaiseTo

    table = room.tables[name]
    players = [room.players[f"{name}a"], room.players[f"{name}b"]]
    try:
        for player in players:
            sit_down(room, table, player)
        live = table.live() or table.deal()
        for _ in range(luck.randint(1, 12)):
            turns = [state for player in players if (state := player.state()) and state.active]
            if not turns or turns[0].hand_id != live.hand_id:
                break
            state = turns[0]
            legal = state.legal
            choices: list[Action] = [Call() if legal.to_call else Check()]
            choices *= 6
            if legal.to_call:
                choices.append(Fold())
            if legal.can_raise:
                choices.append(RaiseTo(legal.min_raise_to))
            action = luck.choice(choices)
            player = room.players[f"{name}{'ab'[state.seat]}"]
            player.act(action, hand_id=state.hand_id, seq=state.seq)
            say(
                what="acted",
                table=name,
                hand=state.hand_id,
                seq=state.seq,
                seat=state.seat,
                action=str(action),
            )
    except PokerError as error:
        # expected of an outside caller: the hand may have moved on between its look and its command
        if error.code not in ("hand_in_progress", "room_closed", "not_active", "stale_action"):
            raise


def sit_down(room: Any, table: Any, player: Any) -> None:
    """Seat a player and buy chips, where missing."""
    seats = [seat for seat in table.state().seats if seat is not None and seat.player == player.name]
    if not seats:
        table.sit(player)
    if (not seats or seats[0].stack < 2) and table.live() is None:
        if room.bank.balance(player.name) < TOP_UP:
            room.bank.deposit(player.name, CHIPS)
            say(what="minted", chips=CHIPS)
        table.buy_in(player, room.bank.balance(player.name))


# -- the killer ----------------------------------------------------------------------------------


class Killer:
    """Starts the room, kills it, and checks it against its own reports; `lost` must stay empty."""

    def __init__(self, store: str, tables: int, seed: int) -> None:
        self._arguments = ["--room", store, "--tables", str(tables), "--seed", str(seed)]
        self._luck = random.Random(seed)
        self._acted: dict[tuple[str, int], dict[str, Any]] = {}
        self._minted = 0
        self._in_flight = 0
        self.kills = 0
        self.acknowledged = 0
        self.hands: set[str] = set()
        self.torn = 0
        self.seconds: list[float] = []
        self.busiest = 0.0
        self.lost: list[str] = []

    def run(self, kills: int, least: int = 0) -> None:
        """Kill the room `kills` times, then open it once more for a last check.

        It is killed at a random moment, but not before `least` reports, so that a slow machine gets as far as a
        fast one.
        """
        for _ in range(kills):
            self._live(self._luck.uniform(0.0, 0.6), least)
            self.kills += 1
        self._live(0.0, 0)

    def _live(self, seconds: float, least: int) -> None:
        arguments = [sys.executable, __file__, *self._arguments]
        process = subprocess.Popen(
            arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=Path(__file__).parents[2]
        )
        assert process.stdout is not None
        assert process.stderr is not None
        said: list[str] = []
        enough = threading.Event()
        reader = threading.Thread(target=self._listen, args=(process.stdout, said, least, enough))
        reader.start()
        enough.wait(120)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
        reader.join()
        errors = process.stderr.read().decode()
        process.stdout.close()
        process.stderr.close()
        if not said or "Traceback" in errors:
            self.lost.append(f"after kill {self.kills} the room did not come back: {errors[-2000:]}")
        for line in said:
            self._hear(json.loads(line))

    @staticmethod
    def _listen(stream: Any, said: list[str], least: int, enough: threading.Event) -> None:
        for line in stream:
            if line.endswith(b"\n"):
                said.append(line.decode())
                if len(said) > least:  # the first report only says that it is ready
                    enough.set()
        enough.set()

    def _hear(self, said: dict[str, Any]) -> None:
        match said["what"]:
            case "ready":
                self._compare(said)
            case "minted":
                self._minted += said["chips"]
                self.acknowledged += 1
            case "acted":
                self._acted[said["hand"], said["seq"]] = said
                self.hands.add(said["hand"])
                self.acknowledged += 1

    def _compare(self, said: dict[str, Any]) -> None:
        """Compare the state recovered with the commands acknowledged before the kill."""
        self.seconds.append(said["seconds"])
        self.busiest = max(self.busiest, said["processor"])
        self.torn += bool(said["torn"])
        # a command in flight at the kill may have been executed: at most one for each of the four threads
        extra = said["minted"] - self._minted
        if not said["conserved"] or extra % CHIPS or not 0 <= extra <= 4 * CHIPS:
            self.lost.append(
                f"chips after kill {self.kills}: {said['minted']} there, {self._minted} acknowledged"
            )
        self._minted = said["minted"]
        hands = {hand: (log, over) for hand, log, over in said["hands"].values()}
        for (hand, seq), acted in self._acted.items():
            last = said["hands"].get(acted["table"])
            if last is None or last[0] < hand:
                self.lost.append(f"{hand} is gone, and #{seq} in it was acknowledged")
            elif hand in hands and not _is_there(hands[hand][0], acted):
                self.lost.append(f"{hand} #{seq} {acted['action']} was acknowledged and is gone")
        self._acted.clear()

    def report(self) -> dict[str, object]:
        return {
            "kills": self.kills,
            "acknowledged": self.acknowledged,
            "hands": len(self.hands),
            "chips": self._minted,
            "torn_ends_cut": self.torn,
            "median_ready_seconds": round(statistics.median(self.seconds), 3),
            "slowest_ready_seconds": round(max(self.seconds), 3),
            "ready_within_a_second": sum(seconds < 1 for seconds in self.seconds),
            "slowest_ready_processor_seconds": round(self.busiest, 3),
            "lost": self.lost,
        }


def _is_there(entries: list[int], acted: dict[str, Any]) -> bool:
    """Return whether a hand's log has an acknowledged action."""
    from poker_actors.rules import log

    if acted["seq"] >= len(entries):
        return False
    entry = entries[acted["seq"]]
    kinds = {
        log.FOLDED: "fold",
        log.CHECKED: "check",
        log.CALLED: "call",
        log.BET: "raise_to",
        log.RAISED: "raise_to",
    }
    word, _, amount = acted["action"].partition(" ")
    same = kinds[log.kind_of(entry)] == word and (not amount or log.amount_of(entry) == int(amount))
    return same and bool(log.seat_of(entry) == acted["seat"])


def main() -> int:
    options = argparse.ArgumentParser()
    options.add_argument("--kills", type=int, default=200)
    options.add_argument("--tables", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--store", help="a file or a postgresql:// URL; a new file if not given")
    options.add_argument("--room", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.room is not None:
        live_in_room(given.room, given.tables, given.seed)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        killer = Killer(given.store or f"{folder}/room.db", given.tables, given.seed)
        killer.run(given.kills)
    print(json.dumps(killer.report()))
    return 1 if killer.lost else 0


if __name__ == "__main__":
    sys.exit(main())
