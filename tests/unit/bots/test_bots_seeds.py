"""Who plays cannot find the root seed, and with it the cards: not a drawn one; a typed one by trying."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import pytest

from poker_actors.bots import SeedTree, drawn_seed
from poker_actors.bots.program.protocol import turn_line
from poker_actors.cards import Card
from poker_actors.cli.values import typed_seed
from poker_actors.errors import BadSpec
from poker_actors.rules import Action, Call, Check, View
from poker_actors.sim import Match, RoundRobin, simulate
from poker_actors.sim.tournaments import TournamentPlan, sit_and_go

TYPED: Final = 31337
SOME_ROOTS: Final = 2**15
ALL_ROOTS: Final = 2**20


def seen_by_a_bot(seed: int | None) -> tuple[int, tuple[Card, ...], int]:
    """Return what a program is told in hand 0, `turn.seed` and its cards, and the match's root."""
    seen: list[tuple[int, tuple[Card, ...]]] = []

    def spy(view: View) -> Action:
        if not seen:
            seen.append((json.loads(turn_line(view))["seed"], view.hole))
        return Call() if view.to_call else Check()

    result = simulate(["caller", spy], hands=2, seed=seed)
    return (*seen[0], result.seed)


def found_by_turn_seed(turn_seed: int, roots: Iterable[int]) -> list[int]:
    return [root for root in roots if SeedTree(root).rng(0, 1).getrandbits(53) == turn_seed]


def found_by_cards(hole: tuple[Card, ...], roots: Iterable[int]) -> list[int]:
    return [root for root in roots if tuple(SeedTree(root).deck(0).draw(4)[2:]) == hole]


def test_a_typed_root_is_found_by_trying_and_is_for_practice() -> None:
    turn_seed, hole, _ = seen_by_a_bot(TYPED)
    around = range(TYPED - 100, TYPED + 100)
    assert found_by_turn_seed(turn_seed, around) == [TYPED]
    assert TYPED in found_by_cards(hole, around)


def check_a_drawn_root_is_not_among(roots: range) -> None:
    turn_seed, hole, root = seen_by_a_bot(None)
    assert root not in roots
    assert found_by_turn_seed(turn_seed, roots) == []
    # two cards fit one root in 1,326 by chance: what was "found" deals others their own cards wrong
    opponents = SeedTree(root).deck(0).draw(52)
    assert all(SeedTree(one).deck(0).draw(52) != opponents for one in found_by_cards(hole, roots))


def test_a_drawn_root_is_not_found_by_trying() -> None:
    check_a_drawn_root_is_not_among(range(SOME_ROOTS))


@pytest.mark.heavy
def test_a_drawn_root_is_not_found_by_trying_a_million() -> None:
    check_a_drawn_root_is_not_among(range(ALL_ROOTS))


@pytest.mark.parametrize(
    "draw",
    [
        drawn_seed,
        lambda: Match.of(["caller", "caller"], hands=1).seed,
        lambda: RoundRobin(["caller", "folder"], hands=2).seed,
        lambda: TournamentPlan.of(sit_and_go(3), 3, ["caller"]).seed,
    ],
)
def test_every_drawn_root_has_128_bits_and_is_another(draw: Callable[[], int]) -> None:
    roots = {draw() for _ in range(3)}
    assert len(roots) == 3
    assert all(2**128 <= root < 2**129 for root in roots)


def test_a_drawn_root_can_be_repeated() -> None:
    first = simulate(["tight", "random"], hands=20)
    assert simulate(["tight", "random"], hands=20, seed=first.seed).digest == first.digest


def test_a_seed_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "seed"
    file.write_text(f" {2**128 + 5}\n")
    assert typed_seed(None, file) == 2**128 + 5
    assert typed_seed(7, None) == 7
    assert typed_seed(None, None) is None


@pytest.mark.parametrize(("text", "seed", "said"), [("x7", None, "holds no seed"), ("7", 7, "choose one")])
def test_a_file_without_a_seed_and_two_seeds_are_refused(
    tmp_path: Path, text: str, seed: int | None, said: str
) -> None:
    file = tmp_path / "seed"
    file.write_text(text)
    with pytest.raises(BadSpec, match=said):
        typed_seed(seed, file)


SPY: Final = """
import json, os, sys
def parents():
    one = os.getppid()
    while one > 1:
        yield open(f"/proc/{one}/cmdline").read()
        one = int(open(f"/proc/{one}/stat").read().rpartition(")")[2].split()[1])
told = " ".join(parents())
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps({"type": "hello", "version": 1}), flush=True)
    else:
        with open("told", "w") as file:
            file.write(told)
        print(json.dumps({"act": "call" if asked["to_call"] else "check"}), flush=True)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="arguments are hidden where /proc shows them")
@pytest.mark.parametrize("typed", [["--seed", "98765432123"], ["--seed=98765432123"]])
def test_a_program_does_not_see_the_seed_among_its_parents_arguments(
    tmp_path: Path, typed: list[str]
) -> None:
    (tmp_path / "spy.py").write_text(SPY)
    bots = ["--bot", f"cmd:{sys.executable} spy.py", "--bot", "caller"]
    run = [sys.executable, "-m", "poker_actors", "simulate", *bots, "--hands", "4", *typed]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "98765432123" in done.stdout
    told = (tmp_path / "told").read_text()
    assert "simulate" in told
    assert "98765432123" not in told


def test_the_digests_of_typed_seeds_are_what_they_were() -> None:
    def luck(view: View) -> Action:
        legal = view.legal
        return (legal.all_in or legal.passive) if view.rng.random() < 0.1 else legal.passive

    pairs: list[Any] = [luck, "random"]
    found = [simulate(bots, hands=50, seed=seed).digest[:8] for bots, seed in ((pairs, 7), (pairs, 2**130))]
    assert found == DIGESTS


DIGESTS: Final = ["e46fca15", "dd611e43"]
