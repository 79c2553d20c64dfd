"""Small arenas for tests: entrants that are programs of a few lines."""

import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

from poker_actors.arena import Arena, Board, workers
from poker_actors.arena.state import Score, State

PROGRAM = """#!/usr/bin/env python3
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type": "hello", "version": 1}', flush=True)
        continue
    legal, hand = message["legal"], message["hand"]
    check = "check" if legal["check"] else "fold"
    call = "check" if legal["check"] else "call"
%s
    print(json.dumps(answer), flush=True)
"""

CALLS = "    answer = {'act': call}"
FOLDS = "    answer = {'act': check}"
RAISES = """    acts = [act for act in ('bet', 'raise_to') if act in legal]
    luck = message['seed'] % 3 == 0
    answer = {'act': acts[0], 'amount': legal[acts[0]][0]} if acts and luck else {'act': call}"""
CRASHES = "    answer = {'act': call} if hand < 20 else [][hand]"
SLEEPS = "    time.sleep(20)"

TOML = """
hands = 32
check_hands = 16
cage = false
adjust = false
[limits]
decision_seconds = 5
"""


def put(arena: Path, name: str, play: str) -> Path:
    """Write an entrant's program; return its folder."""
    folder = arena / name
    folder.mkdir(exist_ok=True)
    (folder / "bot").write_text(PROGRAM % play, encoding="utf-8")
    return folder


def made(arena: Path, toml: str = TOML, **entrants: str) -> Path:
    """Write an arena with these entrants, whose decks are the same in every run; return its folder."""
    laid(arena, toml, **entrants)
    root(arena, 1 << 128 | 5)
    return arena


def root(arena: Path, number: int) -> None:
    """Set the root of an arena's decks, which it draws otherwise."""
    path = arena / ".arena/arena.db"
    with State(path):
        pass
    db = sqlite3.connect(path)
    with db:
        db.execute("UPDATE root SET value = ?", (str(number),))
    db.close()


def laid(arena: Path, toml: str = TOML, **entrants: str) -> Path:
    """Write an arena with these entrants, which has not begun; return its folder."""
    arena.mkdir(exist_ok=True)
    (arena / "arena.toml").write_text(toml, encoding="utf-8")
    for name, play in (entrants or {"ann": CALLS, "bob": RAISES, "cat": FOLDS}).items():
        put(arena, name, play)
    return arena


def scores(arena: Path) -> dict[str, Score]:
    """Return the scores that an arena keeps, by the keys of their matches."""
    with State(arena / ".arena/arena.db") as state:
        return state.scores()


class Here(workers.Workers):
    """A pool of this process alone: another one imports everything first, which takes longer than its matches."""

    def run(self, tasks: Sequence[Callable[[], object]]) -> Iterator[tuple[object, object]]:
        return ((task, workers._done(task)) for task in tasks)


def run_here(folder: Path, publish: Callable[[Board], None] | None = None) -> Board:
    """Run an arena in this process, for tests of what is played and kept, whoever plays it."""
    with patch("poker_actors.arena.arena.Workers", Here):
        return Arena(folder).run(publish=publish)


def copied(played: Path, folder: Path) -> Path:
    """Copy an arena with all that it keeps, to go on from there; return the copy's folder."""
    shutil.copytree(played, folder)
    return folder
