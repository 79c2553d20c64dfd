"""The engine batch plays and counts what every other engine does, to the digit."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import attrs
import pytest

pytest.importorskip("numba")

from poker_actors.bots import AllIn, HandEnd, OpenCards
from poker_actors.learn.compiled import CompiledMatch
from poker_actors.rules import Action, Bet, Call, Check, Fold, RaiseTo, Stakes, View
from poker_actors.sim import (
    CarryOver,
    Duplicate,
    Match,
    RoundRobin,
    Simulation,
    SimulationResult,
    UntilDecided,
    simulate,
)
from poker_actors.sim.engines import code_in_the_making
from poker_actors.sim.exports import StartingHands
from poker_actors.sim.run import WORTH

MIXED = ("tight", "loose", "pot-odds", "caller", "maniac", "random")
MATCHES: dict[str, dict[str, Any]] = {
    "six": {"bots": MIXED},
    "callers": {"bots": ("caller",) * 6, "stacks": "100bb"},
    "heads-up": {"bots": ("tight:vpip=0.5,bluff=1", "maniac:nerve=0.9"), "stacks": [200, 70]},
    "duplicate": {"bots": MIXED[:3], "form": Duplicate(), "stacks": [200, 30, 90]},
    "carry-over": {"bots": ("random", "caller", "maniac", "folder"), "form": CarryOver(20), "stacks": 12},
    "short": {"bots": ("caller", "random", "loose"), "stacks": [1, 2, 3], "stakes": Stakes(2, 5, ante=1)},
    "straddle": {"bots": MIXED, "stakes": Stakes(1, 2, ante=1, straddle=4), "stacks": [9, 60, 3, 200, 44, 5]},
    "limit": {"bots": MIXED, "game": "limit-holdem", "stacks": [15, 200, 40, 200, 7, 200]},
    "pot-limit": {"bots": MIXED[1:], "game": "pot-limit-holdem", "form": CarryOver(30), "stacks": 25},
    "large chips": {"bots": MIXED[3:], "stakes": Stakes(5 * 10**8, 10**9), "stacks": 10**11},
    "experts": {"bots": ("expert", "expert:level=casual")},
    "experts, short, deep and careless": {
        "bots": ("expert:level=strong", *MIXED[:2], "expert:level=beginner", "expert", "caller"),
        "stacks": [16, 900, 60, 200, 330, 1000],
    },
    "experts, straddle and duplicate": {
        "bots": ("expert", "maniac", "expert:level=regular"),
        "stakes": Stakes(1, 2, big_blind_ante=2, straddle=4),
        "form": Duplicate(),
    },
    "experts of limit": {"bots": ("expert", "random", "expert:level=casual"), "game": "limit-holdem"},
    "experts of pot-limit": {"bots": ("expert", "loose", "maniac"), "game": "pot-limit-holdem"},
    "experts without blinds": {"bots": ("expert", "tight"), "stakes": Stakes(0, 0, ante=2), "stacks": 60},
    "nine": {"bots": MIXED + MIXED[:3], "stakes": Stakes(1, 2, big_blind_ante=2), "stacks": 30},
}


def without_time(result: SimulationResult) -> SimulationResult:
    players = tuple([attrs.evolve(player, seconds_per_decision=None) for player in result.players])
    return attrs.evolve(result, seconds=0.0, engine="", players=players)


def noted(kind: str, engine: str) -> tuple[Simulation, SimulationResult, StartingHands]:
    """Play a match with all that a report of results without luck needs."""
    match = Match.of(**{"hands": 180, "seed": 6, **MATCHES[kind]})
    hands = StartingHands(len(match.bots))
    simulation = Simulation(match, engine=engine, adjust=True, examples=True, sinks=[hands])
    return simulation, simulation.run(), hands


@pytest.mark.parametrize("kind", MATCHES)
def test_luck_examples_and_starting_hands_are_those_of_hands_played_by_the_rules(kind: str) -> None:
    (_, slow, expected), (simulation, fast, hands) = noted(kind, "processes"), noted(kind, "batch")
    assert simulation.not_compiled == (
        "results are without luck, and chips above 70,000,000" if kind == "large chips" else ""
    )
    assert fast.digest == slow.digest
    assert without_time(fast).to_dict() == without_time(slow).to_dict()
    assert fast.examples == slow.examples
    assert hands.of == expected.of


def test_the_first_hands_of_a_figure_are_found_over_many_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poker_actors.sim.engines.compiled._AT_ONCE", 1_024)
    settings = {"bots": MIXED, "hands": 1_024 * 3, "seed": 9, "stacks": "20bb"}
    match = Match.of(**settings)  # type: ignore[arg-type]  # values of several types
    slow, fast = (Simulation(match, engine=each, examples=True).run() for each in ("processes", "batch"))
    assert fast.examples == slow.examples
    assert {len(hands) for hands in fast.examples.values()} >= {3, 4, 5}, "some figures lack hands to the end"


# -- bots in Python at the same table -----------------------------------------------------------------


def faulty(view: View) -> Any:
    """Play by luck of its own, by every kind of answer, legal or not."""
    luck, legal = view.rng.random(), view.legal
    if luck < 0.3:
        return (None, RaiseTo(10**12), AllIn())[int(luck * 10)]
    if luck < 0.6 and legal.can_raise:
        return Bet(legal.max_raise_to) if legal.opening else RaiseTo(legal.min_raise_to)
    return Fold() if luck > 0.9 else Call() if view.to_call else Check()


SEEN: list[tuple[Any, ...]] = []


def watching(view: View) -> Action:
    SEEN.append((view, view.hand_number, view.actions, str(view.legal)))
    return Call() if view.to_call else Check()


def with_a_bot_in_python(kind: str, bot: Any) -> dict[str, Any]:
    settings = {"seed": 5, **MATCHES[kind]}
    bots = [*settings["bots"]]
    bots[len(bots) // 2] = bot
    return {**settings, "bots": bots}


@pytest.mark.parametrize("kind", MATCHES)
def test_a_bot_in_python_plays_the_same_hands_at_a_compiled_table(kind: str) -> None:
    settings = {**with_a_bot_in_python(kind, faulty), "hands": 300}
    slow, fast = simulate(**settings), simulate(**settings, engine="batch")
    assert fast.engine == "compiled, with faulty in Python"
    assert fast.digest == slow.digest
    assert without_time(fast).to_dict() == without_time(slow).to_dict()
    faults = fast.players[len(settings["bots"]) // 2].faults
    assert faults.illegal
    assert faults.nonsense
    assert faults.ejected == slow.players[len(settings["bots"]) // 2].faults.ejected
    if kind == "callers":
        assert faults.ejected is not None, "and an ejected bot is asked no more"


@pytest.mark.parametrize("kind", MATCHES)
def test_a_bot_in_python_sees_what_the_rules_show(kind: str) -> None:
    settings = {**with_a_bot_in_python(kind, watching), "hands": 300}
    seen = []
    for engine in ("processes", "batch"):
        SEEN.clear()
        simulate(**settings, engine=engine)
        seen.append(SEEN.copy())
    assert len(seen[0]) > 50
    assert seen[1] == seen[0]


def lucky(view: View) -> Action:
    return Fold() if random.random() < 0.1 else watching(view)


def test_foreign_luck_of_a_bot_in_python_is_noticed_at_a_compiled_table() -> None:
    for bot, foreign in ((lucky, True), (watching, False)):
        simulation = Simulation(Match.of((bot, "caller"), hands=200, seed=1), engine="batch")
        simulation.run()
        assert simulation.foreign_luck is foreign


def test_time_of_a_bot_in_python_is_measured_at_a_compiled_table() -> None:
    result = simulate((faulty, "caller"), hands=200, seed=1, engine="batch")
    assert [player.seconds_per_decision is None for player in result.players] == [False, True]


@pytest.mark.parametrize("kind", MATCHES)
def test_results_and_digest_are_those_of_hands_played_by_the_rules(kind: str) -> None:
    settings = {"hands": 180, "seed": 5, **MATCHES[kind]}
    slow, fast = simulate(**settings), simulate(**settings, engine="batch")
    assert fast.digest == slow.digest
    assert without_time(fast).to_dict() == without_time(slow).to_dict()


def test_workers_change_nothing() -> None:
    alone = simulate(MIXED, hands=5_000, seed=1, engine="batch")
    together = simulate(MIXED, hands=5_000, seed=1, engine="batch", workers=2)
    assert without_time(alone) == without_time(together)


class Hearer:
    def __call__(self, view: View) -> Action:
        return watching(view)

    def hand_over(self, news: HandEnd) -> None:
        """Hear of every hand."""


class Peeker:
    open_cards: OpenCards | None = None

    def __call__(self, view: View) -> Action:
        return watching(view)


async def awaited(view: View) -> Action:
    return watching(view)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"bots": (watching, "equity:samples=1")}, "no bot has an array form"),
        ({"bots": ("caller", "adaptive")}, "bot adaptive remembers hands"),
        ({"bots": ("caller", Hearer)}, "bot Hearer hears of hands"),
        ({"bots": ("caller", awaited)}, "bot awaited is awaited"),
        ({"bots": ("caller", Peeker)}, "bot Peeker peeks"),
        ({"game": "omaha"}, "the game is omaha"),
        ({"stacks": 10**6}, "stacks are above 1000 bets"),
    ],
)
def test_a_match_that_is_not_for_compiled_code_is_played_hand_by_hand(
    change: dict[str, Any], reason: str
) -> None:
    settings: dict[str, Any] = {"bots": ("caller", "tight"), "hands": 20, "seed": 1, **change}
    simulation = Simulation(Match.of(**settings), engine="batch")
    assert simulation.not_compiled == reason
    assert simulation.run().digest == simulate(**settings).digest


class Listening:
    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def write(self, rows: list[dict[str, Any]]) -> None:
        self.rows += rows


@pytest.mark.parametrize("kind", ["six", "duplicate", "carry-over", "straddle", "limit"])
def test_rows_of_hands_are_those_of_hands_played_by_the_rules(kind: str) -> None:
    match = Match.of(**{"hands": 180, "seed": 6, **with_a_bot_in_python(kind, faulty)})
    rows = []
    for engine in ("processes", "batch"):
        sink = Listening()
        assert Simulation(match, engine=engine, adjust=True, sinks=[sink]).run().hands == 180
        rows.append(sink.rows)
    assert rows[1] == rows[0]


def test_what_only_single_hands_give_is_played_hand_by_hand() -> None:
    match = Match.of(("caller", "tight"), hands=20, seed=1)
    why = "luck is taken out by the odds of bots"
    assert Simulation(match, engine="batch", adjust="aivat").not_compiled == why
    assert Simulation(match, engine="batch", adjust=True, examples=True).not_compiled == ""
    assert Simulation(match, "stepper", engine="batch").not_compiled == "the driver is stepper"
    assert Simulation(match, engine="batch").not_compiled == ""


def test_a_round_robin_is_the_same_and_says_which_matches_go_hand_by_hand() -> None:
    settings: dict[str, Any] = {"hands": 200, "seed": 3, "form": Duplicate()}
    slow = RoundRobin(("tight", "equity:samples=2", "equity:samples=1"), **settings)
    fast = RoundRobin(("tight", "equity:samples=2", "equity:samples=1"), engine="batch", **settings)
    assert fast.not_compiled == "no bot has an array form"
    assert slow.not_compiled == ""
    played, expected = fast.run(), slow.run()
    assert played.standings == expected.standings
    digests = [[pairing.result.digest for pairing in result.pairings] for result in (played, expected)]
    assert digests[0] == digests[1]
    python = "in Python (no bot has an array form)"
    asked = "; ".join(f"1 of the matches compiled, with equity:samples={n} in Python" for n in (2, 1))
    assert played.engine == f"{asked}; 1 of the matches {python}"


# -- the engine that chooses itself ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "hands", "engine"),
    [
        ({}, WORTH, "compiled"),
        ({}, WORTH - 1, "in Python (fewer than 8,192 hands)"),
        (
            {"bots": ("caller", "equity:samples=1")},
            WORTH,
            "compiled, with equity:samples=1 in Python",
        ),
        ({"game": "omaha"}, WORTH, "in Python (the game is omaha)"),
    ],
)
def test_a_match_says_what_plays_it_and_why(settings: dict[str, Any], hands: int, engine: str) -> None:
    match = Match.of(**{"bots": ("caller", "tight"), "seed": 1, "hands": hands, **settings})
    simulation = Simulation(match)
    assert simulation.not_compiled == "", "nobody asked for it"
    assert simulation.result().engine == engine


@pytest.mark.parametrize(
    ("more", "engine"),
    [
        ({"adjust": "aivat"}, "in Python (luck is taken out by the odds of bots)"),
        ({"adjust": True, "examples": True}, "compiled"),
        ({"driver": "stepper"}, "in Python (the driver is stepper)"),
        ({"engine": "processes"}, "in Python"),
        ({"engine": "batch"}, "compiled"),
    ],
)
def test_what_is_asked_for_decides_the_engine(more: dict[str, Any], engine: str) -> None:
    match = Match.of(("caller", "tight"), seed=1, hands=WORTH)
    assert Simulation(match, **more).result().engine == engine


def test_without_numba_hands_are_played_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poker_actors.sim.run.find_spec", lambda name: None)
    match = Match.of(("caller", "tight"), seed=1, hands=WORTH)
    assert Simulation(match).result().engine == "in Python (the extra fast is not installed)"


def ready_after(looks: int) -> Callable[[], AbstractContextManager[Callable[[], bool]]]:
    """Stand in for the process that compiles: the code is there after so many looks."""

    @contextmanager
    def making() -> Iterator[Callable[[], bool]]:
        left = iter(range(looks))
        yield lambda: next(left, None) is None

    return making


FEWER = 1_024


@pytest.fixture
def worth_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile for an eighth of the hands, which are played in Python, too."""
    monkeypatch.setattr("poker_actors.sim.run.WORTH", FEWER)


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judge by a tenth of the draws: verdicts are worked out of the figures, which are compared."""
    monkeypatch.setattr("poker_actors.sim.judging.simultaneous._DRAWS", 999)


@pytest.fixture(autouse=True)
def compiled_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poker_actors.sim.run.code_in_the_making", ready_after(0))


@cache
def in_python(kind: str) -> SimulationResult:
    return Simulation(match_of(kind), adjust=True, examples=True, engine="processes").run()


def match_of(kind: str) -> Match:
    return Match.of(
        **{**(with_a_bot_in_python if kind == "callers" else plain)(kind, faulty), "hands": 1_200}
    )


@pytest.mark.parametrize(
    ("kind", "workers", "looks"), [("six", 1, 2), ("carry-over", 1, 2), ("callers", 2, 1)]
)
def test_hands_played_in_python_as_code_is_compiled_change_nothing(
    kind: str, workers: int, looks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poker_actors.sim.run.code_in_the_making", ready_after(looks))
    match = match_of(kind)
    found = Simulation(match, adjust=True, examples=True, together=WORTH, workers=workers).run()
    meanwhile = looks * (512 // match.unit * match.unit)
    assert found.engine.endswith(f", after {meanwhile:,} hands in Python while code was compiled")
    assert without_time(found).to_dict() == without_time(in_python(kind)).to_dict()


def plain(kind: str, _bot: Any) -> dict[str, Any]:
    return {"seed": 5, **MATCHES[kind]}


def test_a_run_until_decided_is_the_same_with_hands_in_python_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("poker_actors.sim.run.code_in_the_making", ready_after(4))
    match = Match.of(("tight", "loose"), hands=WORTH, seed=5)
    found, slow = UntilDecided(match).run(), UntilDecided(match, engine="processes").run()
    assert "hands in Python while code" in found.engine
    assert without_time(found).to_dict() == without_time(slow).to_dict()


def test_where_nothing_was_compiled_yet_a_run_begins_at_once_and_says_so(tmp_path: Path) -> None:
    code = f"""
from poker_actors import simulate
from poker_actors.sim import run
run.WORTH = {FEWER}
print(simulate(["tight", "loose"], hands={FEWER}, seed=5).digest)
result = simulate(["tight", "loose"], hands={FEWER}, seed=5)
print(result.digest, result.engine)
"""
    shown = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
    )
    expected = simulate(["tight", "loose"], hands=FEWER, seed=5, engine="processes").digest
    said = "in Python, while code was being compiled for the next run"
    assert shown.stdout.splitlines() == [f"{expected}", f"{expected} {said}"]
    assert shown.stderr == "", "which a program may read"


def test_the_process_that_compiles_is_stopped_with_the_run_and_not_started_where_all_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, told = tmp_path / "made", tmp_path / "told"
    monkeypatch.setattr(CompiledMatch, "compiled_before", staticmethod(lambda: made))
    code = f"import os, time; print(os.getpid(), file=open({str(told)!r}, 'w', 1)); time.sleep(600)"
    with code_in_the_making(code) as ready:
        while not (told.exists() and told.read_text().endswith("\n")):
            assert not ready()
            time.sleep(0.01)
    with pytest.raises(ProcessLookupError):
        os.kill(int(told.read_text()), 0)
    with code_in_the_making("raise SystemExit(1)") as ready:
        while not ready():  # what fails is not waited for
            time.sleep(0.01)
    made.touch()
    with code_in_the_making(code) as ready:
        assert ready()


@pytest.mark.usefixtures("worth_fewer")
def test_whatever_plays_them_the_hands_and_the_figures_are_the_same() -> None:
    settings: dict[str, Any] = {"bots": ("tight", "loose", "maniac"), "hands": FEWER, "seed": 5}
    chosen, forced = simulate(**settings), simulate(engine="processes", **settings)
    assert (chosen.engine, forced.engine) == ("compiled", "in Python")
    assert chosen.digest == forced.digest
    assert without_time(chosen) == without_time(forced)
