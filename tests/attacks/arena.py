"""Where attacks are tried: a bot with an attack in it, in a cage or not, beside a victim, and what came of it."""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import secrets
import select
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import process_time
from typing import Any, Final

import attrs

from poker_actors.bots import BotFault, BotSpec, SeedTree
from poker_actors.bots.cage import Cage
from poker_actors.bots.program import Program, ProgramBot, bare_environment, run
from poker_actors.cards import Deck
from poker_actors.errors import MissingFeature
from poker_actors.rules import Hand, Stakes, View
from poker_actors.sim import simulate
from tests.attacks.attacks import LOADED, Attack

__all__ = ["OTHERS", "Place", "attacked", "lacking", "made_place"]

_HERE: Final = Path(__file__).parent
_MEMORY: Final = 256
"""Megabytes of a bot here."""
_TMP: Final = 16
_OPPONENT_SECONDS: Final = 0.5
"""Processor time that the opponent thinks beside an attacker that was halted."""
_STOLEN_SECONDS: Final = 1.0
"""Processor time of an attacker beside the opponent that counts as thought: on a busy machine a caged program goes on until
we are scheduled to halt it."""
_OUTLIVED: Final = 5
"""Signs of life after the end that are one: a process that is being killed may be in the middle of the first."""
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_BUILD_OUTPUT: Final = 1 << 19
_ROOM: Final = 4 << 20
_SHM_REMOVE: Final = 0

_BOT: Final = """
import json, os, signal, socket, sys, threading, time
at = json.loads(sys.argv[1])
kept, bot = [], os.getpid()
keep = kept.append
def got(what): print('GOT', what, file=sys.stderr, flush=True)
def put(place): open(place, 'w').write('note')
def think():
    while bot in (os.getpid(), os.getppid()): pass
def leave():
    try: os.setsid()
    except OSError: pass
def attack():
{attack}
sys.stdin.readline()
print('{{"type": "hello", "version": 1}}', flush=True)
for turn, line in enumerate(sys.stdin):
    if turn == 0:
        try: attack()
        except BaseException as error: print(type(error).__name__, error, file=sys.stderr, flush=True)
    print('{{"act": "fold"}}', flush=True)
"""


@attrs.frozen
class Place:
    """The folders of two bots and a home, and what is to be got there."""

    root: Path
    token: str
    at: dict[str, Any]
    victim: subprocess.Popen[bytes]

    def wait_for_victim(self) -> None:
        """Wait until the victim has heard every signal sent so far."""
        assert self.victim.stdin is not None
        assert self.victim.stdout is not None
        self.victim.stdin.write(b"\n")
        self.victim.stdin.flush()
        self.victim.stdout.readline()


@contextmanager
def made_place(root: Path) -> Iterator[Place]:
    """Lay out folders below `root`, and run a victim."""
    token = secrets.token_hex(16)
    for name in ("bots/mine", "bots/other", "notes", "home"):
        (root / name).mkdir(parents=True)
    (root / "home/secret").write_text(token, encoding="utf-8")
    (root / "bots/other/bot.py").write_text(f"# {token}", encoding="utf-8")
    (root / "bots/beside.py").write_text(f"# {token}", encoding="utf-8")
    (root / "bots/mine/link").symlink_to(root / "home/secret")
    words = [sys.executable, "-S", str(_HERE / "victim.py"), "--secret", token, str(root / "home/secret")]
    victim = subprocess.Popen(
        [*words, str(root / "notes")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "TOP_SECRET": token},
    )
    assert victim.stdin is not None
    assert victim.stdout is not None
    with victim:
        at = json.loads(victim.stdout.readline())
        at |= {
            "home": str(root / "home"),
            "folder": str(root / "bots/mine"),
            "opponent": str(root / "bots/other"),
        }
        at |= {
            "beside": str(root / "bots/beside.py"),
            "notes": str(root / "notes"),
            "fifo": str(root / "fifo"),
        }
        at |= {"tmp": f"/tmp/{token}", "shm": f"/dev/shm/{token}", "fill": f"/tmp/{token}.fill"}
        at["key"] = int(token[:7], 16)
        yield Place(root, token, at, victim)
        victim.stdin.close()


def attacked(attack: Attack, place: Place, *, cage: bool) -> bool:
    """Play an attacker for two turns, in a cage or not; return whether the attack succeeded, and clear up after it."""
    mine = place.root / "bots/mine"
    source = "\n".join([f"    {line}" for line in attack.source.splitlines()])
    (mine / "bot.py").write_text(_BOT.format(attack=source), encoding="utf-8")
    fifo = place.root / "fifo"
    fifo.unlink(missing_ok=True)  # what outlived the control still holds its own
    os.mkfifo(fifo)
    pipe = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with _environment(TOP_SECRET=place.token):
            bot = ProgramBot(
                command=shlex.join([sys.executable, "-S", str(mine / "bot.py"), json.dumps(place.at)]),
                folder=str(mine),
                read=str(place.root / "fifo") if cage else "",
                # the environment is bare without a cage, too: the control passes the secret on by name
                env="" if cage else "TOP_SECRET",
                cage=cage,
                memory=_MEMORY,
                processes=LOADED,
                tmp=_TMP,
                seconds=30,
            )
            try:
                thinks = _played(bot, thinking=attack.seen == "thought")
                place.wait_for_victim()
                seen = thinks or _seen(attack.seen, place, bot.stderr)
            finally:
                bot.close()
        return seen or (attack.seen == "alive" and _has_writer(pipe))
    finally:
        os.close(pipe)
        _clear(place)


def _played(bot: ProgramBot, *, thinking: bool) -> bool:
    """Ask for two actions; with `thinking`, return whether the bot thought between them, while its opponent did."""
    bot.open()
    view, thought = _view(), False
    with suppress(BotFault):  # as when it was killed for its memory
        bot(view)
        assert bot.pid is not None
        thought = thinking and _thinks(bot.pid)
        bot(view)
    return thought


def _thinks(pid: int) -> bool:
    """Think until the bot has used the time that counts, or was halted and after that used any.

    One of these comes to pass however busy the machine is: no clock but the processor's decides.
    """
    before = _used_by(pid)[0]
    while True:
        used, halted = _used_by(pid)
        if used - before >= _STOLEN_SECONDS:
            return True
        if halted:
            break
    used, end = _used_by(pid)[0], process_time() + _OPPONENT_SECONDS
    while process_time() < end:
        pass
    return _used_by(pid)[0] > used


def _used_by(pid: int) -> tuple[float, bool]:
    """Return the processor time of a process and all below it in seconds, and whether every thread of theirs is halted."""
    used, halted = 0, True
    for task in Path(f"/proc/{pid}/task").iterdir():
        state, *rest = (task / "stat").read_text().rpartition(")")[2].split()
        used += int(rest[10]) + int(rest[11])  # `utime` and `stime` of proc(5)
        halted = halted and state in "TZ"
        for child in (task / "children").read_text().split():
            seconds, stopped = _used_by(int(child))
            used, halted = used + round(seconds * _TICKS), halted and stopped
    return used / _TICKS, halted


def _view() -> View:
    hand = Hand((200, 200), Stakes(1, 2), deck=Deck.seeded(1))
    return hand.view(hand.to_act[0], SeedTree(1).stream(0, 0))


@contextmanager
def _environment(**variables: str) -> Iterator[None]:
    os.environ.update(variables)
    try:
        yield
    finally:
        for name in variables:
            del os.environ[name]


def _seen(kind: str, place: Place, said: str) -> bool:
    got = [line.removeprefix("GOT ") for line in said.splitlines() if line.startswith("GOT ")]
    text = "\n".join(got)
    checks: dict[str, Callable[[], bool]] = {
        "secret": lambda: place.token in text,
        "users": lambda: "root:x:0:0" in said,
        "yes": lambda: "yes" in got,
        "pid": lambda: str(place.at["pid"]) in text.split(),
        "ticks": lambda: "ticks" in text,
        "tmp": lambda: Path(place.at["tmp"]).exists(),
        "shm": lambda: Path(place.at["shm"]).exists(),
        "segment": lambda: _segment(place.at["key"]) >= 0,
        "lock": _locked,
        "many": lambda: any(line.startswith("many") and int(line.split()[1]) >= 2 * LOADED for line in got),
        "much": lambda: "much" in got,
        "thought": lambda: False,  # seen while it is played
        "alive": lambda: False,  # only seen after the end
    }
    return checks[kind]() if kind in checks else (place.root / kind).exists()


def _segment(key: int) -> int:
    return int(ctypes.CDLL(None).shmget(key, 1, 0))


def _locked() -> bool:
    """Whether somebody holds a lock on a file that everybody sees."""
    with Path("/usr/bin/env").open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _has_writer(pipe: int) -> bool:
    """Whether a process goes on writing to the pipe; who was killed lets go of it, whenever it is scheduled to."""
    with suppress(BlockingIOError):
        while os.read(pipe, 1 << 16):  # what was written before the end
            pass
    for _ in range(_OUTLIVED):
        select.select([pipe], (), ())
        if not os.read(pipe, 1):
            return False
    return True


def _clear(place: Place) -> None:
    for name in ("tmp", "shm", "fill"):
        Path(place.at[name]).unlink(missing_ok=True)
    for name in ("bots/mine/note", "bots/other/note"):
        (place.root / name).unlink(missing_ok=True)
    for note in (place.root / "notes").glob("[a-z]*"):
        if not note.is_socket():
            note.unlink()
    segment = _segment(place.at["key"])
    if segment >= 0:
        ctypes.CDLL(None).shmctl(segment, _SHM_REMOVE, None)


def _building(place: Place, *, cage: bool) -> bool:
    """Write through a link in a folder that a build may write to."""
    folder, target = place.root / "bots/mine", place.root / "home/planted"
    link = folder / "out"
    link.symlink_to(target)
    run(_built(folder, "echo note > out", cage=cage), seconds=30, output=_BUILD_OUTPUT)
    link.unlink()
    found = target.exists()
    target.unlink(missing_ok=True)
    return found


def _printing(place: Place, *, cage: bool) -> bool:
    """Print in a build until whoever reads it has no memory left; a build without `run` is the control."""
    words = f"yes | head -c {8 * _BUILD_OUTPUT}"
    if not cage:
        return (
            len(subprocess.run(["sh", "-c", words], capture_output=True, check=True).stdout) > _BUILD_OUTPUT
        )
    ran = run(_built(place.root / "bots/mine", words, cage=cage), seconds=30, output=_BUILD_OUTPUT)
    assert ran.status == 0
    return len(ran.output) > _BUILD_OUTPUT


def _filling(place: Place, *, cage: bool) -> bool:
    """Fill the disk in a build: it writes much more than the room that it is given in a copy of its folder."""
    folder = place.root / "bots/mine"
    program = _built(folder, f"head -c {4 * _ROOM} /dev/zero > fill", cage=False)
    if cage:
        caged = Cage(folder=folder, room=_ROOM, memory=_MEMORY << 20, processes=LOADED, tmp=8 * _ROOM)
        program = attrs.evolve(program, cage=caged)
    run(program, seconds=30, output=_BUILD_OUTPUT)
    written = [path.stat().st_size for path in folder.parent.rglob("fill")]
    (folder / "fill").unlink(missing_ok=True)
    return sum(written) > _ROOM


def _built(folder: Path, words: str, *, cage: bool) -> Program:
    caged = (
        Cage(folder=folder, writable=os.access(folder, os.W_OK), memory=_MEMORY << 20, processes=LOADED)
        if cage
        else None
    )
    return Program(
        words=("/bin/sh", "-c", words),
        memory=_MEMORY << 20,
        cpu_seconds=30,
        environment=bare_environment(),
        folder=folder,
        cage=caged,
    )


_SPY: Final = """
import gc
from poker_actors import Hand
def spy(view):
    hands = [one for one in gc.get_objects() if isinstance(one, Hand)]
    got = [str(card) for hand in hands for seat, hole in enumerate(hand.holes) for card in hole if card not in view.hole]
    raise RuntimeError(f"got {' '.join(got)}" if got else "nothing")
"""


def _collecting(place: Place, *, cage: bool) -> bool:
    """Look for the opponent's cards among all objects of the process."""
    file = place.root / "bots/mine/spy.py"
    file.write_text(_SPY, encoding="utf-8")
    text = f"{file}:spy"
    result = simulate([BotSpec.isolated(text) if cage else text, "caller"], hands=1, seed=1)
    first = result.players[0].faults.first
    assert first.startswith("raised RuntimeError")
    return "got" in first


OTHERS: Final[dict[str, Callable[..., bool]]] = {
    "write through a link in the folder of a build": _building,
    "print without end in a build": _printing,
    "fill the disk in a build": _filling,
    "search the process's memory for cards": _collecting,
}
"""Attacks of a build, and of a bot of a Python file: each is called with a place and `cage`."""


def lacking() -> str:
    """Return what this machine lacks for a cage; empty if nothing."""
    try:
        run(_built(Path("/usr"), "true", cage=True), seconds=30, output=0)
    except MissingFeature as error:
        return str(error)
    return ""
