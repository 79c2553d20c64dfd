"""Sixty entrants, fifteen of them hostile, in an arena that is killed a hundred times: `python -m tests.chaos.arena [KILLS]`.

First the arena plays undisturbed. The board must name every hostile entrant with its reason, nobody else may have a fault,
and what two honest ones play there must be what they play without all others. Then the same arena begins anew and is
killed by SIGKILL, whole process groups at a time, so often while matches are played, and besides in builds and checks; it
must end with the same board, byte for byte but for times. Exit status 1 if anything is wrong.
"""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from difflib import ndiff
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any, Final

from tests.attacks.attacks import ATTACKS
from tests.unit.arena.places import CRASHES, PROGRAM, root

ENTRANTS: Final = 60
_ROOT: Final = 1 << 128 | 40
_TOML: Final = """
hands = 32
check_hands = 16
schedule = "swiss"
rounds = 10
[limits]
decision_seconds = 8.0
start_seconds = 60.0
build_seconds = 10.0
restarts = 1
files = 1
"""
_TRIED: Final = (
    ("read", "read the users of the machine"),
    ("port", "connect to a port of the machine"),
    ("kill", "send another process a signal"),
    ("note", "write into its own folder, for the next match"),
    ("memory", "take memory that no process owns"),
)
"""Attacks of `tests/attacks` that end with an error where they fail; the process that is attacked is this one."""
_PLAYED: Final = {
    "fork": "    while True:\n        if not os.fork(): time.sleep(600)",
    "flood": "    while True: print('x' * 60000)",
    "sleep": "    time.sleep(600)",
    "nonsense": "    answer = 'I win'",
    "illegal": "    answer = {'act': 'raise_to', 'amount': 10**9}",
    "late": CRASHES,  # after the check
}
"""What an entrant does at its turns."""
_BUILT: Final = {"full": "cat /dev/zero > big", "endless": "while :; do :; done", "spoil": "rm *; exit 7"}
"""What it does when it is built."""
_PERL: Final = """#!/usr/bin/env perl
# calls up to a part of the pot, and raises the least now and then
$| = 1;
while (my $line = <STDIN>) {
    if ($line =~ /"type":"hello"/) { print qq({"type":"hello","version":1}\\n); next }
    my ($luck) = $line =~ /"seed":(\\d+)/;
    my ($pot, $call) = ($line =~ /"pot":(\\d+)/, $line =~ /"to_call":(\\d+)/);
    if ($luck % 100 < %RAISES% && $line =~ /"(bet|raise_to)":\\[(\\d+)/) { print qq({"act":"$1","amount":$2}\\n) }
    elsif ($line =~ /"check":true/) { print qq({"act":"check"}\\n) }
    elsif ($call <= %PRICE% * $pot) { print qq({"act":"call"}\\n) }
    else { print qq({"act":"fold"}\\n) }
}
"""
_PYTHON: Final = """    acts = [act for act in ('bet', 'raise_to') if act in legal]
    raises = acts and message['seed'] % 100 < {raises}
    stays = call if message['to_call'] <= {price} * message['pot'] else check
    answer = {{'act': acts[0], 'amount': legal[acts[0]][0]}} if raises else {{'act': stays}}"""


def laid(folder: Path, port: int) -> list[str]:
    """Write the arena into `folder`; return the names of its hostile entrants, one of which connects to `port`."""
    folder.mkdir()
    (folder / "arena.toml").write_text(_TOML, encoding="utf-8")
    sources = {attack.name: attack.source for attack in ATTACKS}
    at = {"pid": os.getpid(), "port": port, "folder": ".", "home": str(Path.home())}
    plays = dict(_PLAYED)
    for name, attack in _TRIED:
        source = sources[attack].replace("\n", "\n    ")
        plays[name] = f"    at, got = {at!r}, print\n    {source}\n    answer = {{'act': check}}"
    for name, play in plays.items():
        text = PROGRAM.replace("import json", "import os, signal, socket, json", 1) % play
        _put(
            folder,
            f"x {name}",
            text.replace("import", "def put(place): open(place, 'w').write('note')\nimport", 1),
        )
    for name, script in _BUILT.items():
        _put(folder, f"x {name}", PROGRAM % "    answer = {'act': check}")
        commands = {"build": ["sh", "-c", script], "run": ["./bot"], "protocol": "lines"}
        (folder / f"x {name}/commands.json").write_text(json.dumps(commands), encoding="utf-8")
    (folder / "x link").mkdir()
    (folder / "x link/bot").symlink_to("/etc/passwd")
    hostile = sorted(path.name for path in folder.glob("x *"))
    for number in range(ENTRANTS - len(hostile)):
        raises, price = 2 * number % 61, 0.1 + number / 40
        perl = _PERL.replace("%RAISES%", str(raises)).replace("%PRICE%", str(price))
        python = PROGRAM % _PYTHON.format(raises=raises, price=price)
        _put(folder, f"bot {number:02}", perl if number % 3 else python)
    return hostile


def _put(folder: Path, name: str, text: str) -> None:
    (folder / name).mkdir()
    (folder / name / "bot").write_text(text, encoding="utf-8")


def _start(folder: Path, output: int, errors: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "poker_actors", "arena", str(folder), "--workers", "2", "--json", "-"]
    return subprocess.Popen(command, stdout=output, stderr=errors, text=True, start_new_session=True)


def board_of(folder: Path) -> str:
    """Run the arena to its end; return the board as JSON, times and counts of the check's faults left out."""
    with _start(folder, subprocess.PIPE, subprocess.PIPE) as process:
        said, errors = process.communicate()
    assert process.returncode == 0, f"exit status {process.returncode}: {errors[-3000:]}"
    said = re.sub(r'"seconds": [^,\n}]*', '"seconds": null', said)
    # how many of its lines one that floods has out before it is stopped is the machine's, too
    return re.sub(r"\d+ faults \([^)]*\)", "faults", said)


def begun_anew(folder: Path) -> None:
    """Forget all that an arena keeps, but for the root of its decks."""
    shutil.rmtree(folder / ".arena", ignore_errors=True)
    root(folder, _ROOT)


def wrongs(board: dict[str, Any], hostile: list[str]) -> list[str]:
    """Return what is wrong with a board that was played undisturbed; print each hostile entrant's reason."""
    reasons = {row["name"]: f"refused ({row['code']}): {row['reason']}" for row in board["refused"]}
    reasons |= {row["name"]: row["first_fault"] for row in board["standings"] if row["faults"]}
    for name in hostile:
        print(f"  {name:12} {reasons.get(name, 'NOT NAMED')}"[:150])
    wrong = [f"{name} is not named" for name in hostile if name not in reasons]
    wrong += [f"{name} is named, and honest" for name in reasons if name not in hostile]
    wrong += [f"void: {row['players']}" for row in board["void"]]
    wrong += [f"{row['players']} played {row['hands']}" for row in board["matches"] if row["hands"] != 32]
    return wrong


def alone(place: Path, folder: Path, board: dict[str, Any], hostile: list[str], count: int) -> list[str]:
    """Play some matches of two honest entrants again in arenas of their own; return those that went otherwise."""
    honest = [row for row in board["matches"] if not {*row["players"]} & {*hostile}]
    wrong = []
    for row in honest[:: len(honest) // count][:count]:
        own = place / row["key"]
        own.mkdir()
        shutil.copy(folder / "arena.toml", own)
        for name in row["players"]:
            shutil.copytree(folder / name, own / name)
        root(own, _ROOT)
        (found,) = json.loads(board_of(own))["matches"]
        if found != row:
            wrong.append(f"{row['players']} played otherwise without the others")
    return wrong


def killed(folder: Path, kills: int, matches: int) -> tuple[int, int]:
    """Kill the arena `kills` times while its `matches` are played, and now and then as it begins.

    Return how many kills fell of each kind: fewer of the first if the arena ended before. Whoever is ahead of an even
    pace over all matches waits for the next match only, so that all kills fall.
    """
    rng, playing, begun = Random(40), 0, 0
    while playing < kills:
        done = len(_matches(folder))
        more, seconds = rng.randrange(1, 4), rng.uniform(0, 1)
        if done * kills > playing * matches:
            more, seconds = 1, 0.0
        starts = (playing + begun) % 5 == 0
        end = monotonic() + (6 * seconds if starts else 600)
        process = _start(folder, subprocess.DEVNULL)
        while process.poll() is None and monotonic() < end:
            sleep(0.02)
            if not starts and len(_matches(folder)) >= done + more:
                starts, end = True, monotonic() + seconds
        ended = process.poll() is not None
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if ended:
            break
        if len(_matches(folder)) > done:
            playing += 1
        else:
            begun += 1
        if playing % 10 == 0:
            print(f"  {playing} kills, {begun} as it begins, {len(_matches(folder))} matches", flush=True)
    return playing, begun


def _matches(folder: Path) -> list[Path]:
    return list((folder / ".arena/matches").glob("*/*/log.txt"))


def main(kills: int) -> int:
    """Do all of it; return the exit status."""
    with TemporaryDirectory() as place, socket.create_server(("127.0.0.1", 0)) as listener:
        folder = Path(place) / "arena"
        hostile = laid(folder, listener.getsockname()[1])
        begun_anew(folder)
        start = monotonic()
        text = board_of(folder)
        board = json.loads(text)
        print(
            f"{ENTRANTS} entrants, {len(hostile)} of them hostile: {board['title']}, {monotonic() - start:.0f} s"
        )
        wrong = wrongs(board, hostile) + alone(Path(place), folder, board, hostile, 4)
        begun_anew(folder)
        start = monotonic()
        playing, begun = killed(folder, kills, len(board["matches"]))
        differs = [
            line
            for line in ndiff(text.splitlines(), board_of(folder).splitlines())
            if not line.startswith(" ")
        ]
        print(
            f"{playing} kills while matches were played, {begun} as it began, {monotonic() - start:.0f} s: "
            f"{'ANOTHER BOARD' if differs else 'the same board'}"
        )
        wrong += ["the board differs after the kills:", *differs[:40]] if differs else []
        wrong += [] if playing == kills else [f"the arena ended before the kill {playing + 1}"]
        wrong += (
            ["an entrant has connected to this machine"] if select.select([listener], [], [], 0)[0] else []
        )
        kept = sum(path.stat().st_size for path in (folder / ".arena").rglob("*") if path.is_file())
        print(f"kept: {kept >> 20} megabytes")
    print("\n".join(wrong) or "nothing wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
