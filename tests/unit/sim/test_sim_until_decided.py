"""Runs that stop when they are decided: valid whenever they stop, and resumed to the same hand."""

import json
import math
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from poker_actors.errors import BadSpec
from poker_actors.sim import Duplicate, Estimates, Match, UntilDecided, simulate
from poker_actors.sim.deciding import widest
from poker_actors.sim.judging import Betting, Mixture, Sequential, raw_estimates
from poker_actors.sim.judging.sequential import mixture_p
from poker_actors.sim.run import RunFile
from poker_actors.sim.statistics import add_columns, empty_row
from poker_actors.version import __version__


def estimates(rows: list[list[int]]) -> Estimates:
    row = empty_row(2)
    add_columns(row, list(zip(*rows, strict=True)))
    return raw_estimates(row, 2, unit="hand", unit_hands=1, big_blind=2)


PAIR = ["tight", "maniac"]


def match(hands: int = 3000, seed: int = 4, bots: list[str] | None = None) -> Match:
    return Match.of(bots or PAIR, hands=hands, seed=seed)


def test_the_hands_are_those_of_a_run_of_the_same_length() -> None:
    found = UntilDecided(match()).run()
    assert found.decision is not None
    assert found.decision.decided
    assert 100 <= found.hands < 3000
    fixed = simulate(PAIR, hands=found.hands, seed=4)
    assert found.digest == fixed.digest
    assert [player.net_chips for player in found.players] == [player.net_chips for player in fixed.players]
    assert found.raw is not None
    assert fixed.raw is not None
    assert found.raw.covariance == fixed.raw.covariance
    assert (found.players[0].bb_per_100.margin or 0) > (fixed.players[0].bb_per_100.margin or 0)
    assert f"decided after {found.hands:,} hands" in "\n".join(found.remarks)


@pytest.mark.parametrize("adjust", [False, True])
def test_where_a_run_stops_does_not_depend_on_workers(adjust: bool) -> None:
    one, two = (UntilDecided(match(1200), adjust=adjust, workers=workers).run() for workers in (1, 2))
    assert one == two


def test_equal_bots_end_at_the_cap_or_where_they_are_as_good_as_equal() -> None:
    capped = UntilDecided(match(600, bots=["caller", "caller"])).run()
    assert capped.hands == 600
    assert capped.decision is not None
    assert not capped.decision.decided
    assert "not decided after 600 hands, the most allowed" in "\n".join(capped.remarks)
    interrupted = attrs.evolve(capped, hands_asked=700)
    assert "not decided after 600 hands so far" in "\n".join(interrupted.remarks)
    form = Duplicate()
    same = Match.of(["caller", "caller"], hands=10_000, seed=1, form=form)
    found = UntilDecided(same, within=5000).run()
    assert found.hands < 10_000
    assert found.judgement is not None
    assert [pair.equal for pair in found.judgement.pairs] == [True]
    assert not found.judgement.pairs[0].separated
    assert "within 5000 bb/100 of each other: caller and caller" in "\n".join(found.remarks)


def test_bets_at_fair_odds_are_seldom_won_forty_to_one() -> None:
    rng = random.Random(7)
    wrong = 0
    for _ in range(200):
        test = Betting(2, 400, None)
        for _ in range(15):
            rows = [[chips, -chips] for chips in rng.choices((-200, -2, 1, 2, 200), (1, 40, 70, 5, 1), k=40)]
            test.take(rows, estimates(rows))
        wrong += Sequential.of(test, 1, None).decided
    # the mean is 0; 5 % of 200 and three standard deviations
    assert wrong <= 19


def test_the_mixture_waits_for_its_limit_and_then_decides() -> None:
    rng = random.Random(9)
    rows = [[each, -each] for each in (round(rng.gauss(30, 100)) for _ in range(600))]
    early, late = Mixture(2, None), Mixture(2, None)
    early.take(rows[:400], estimates(rows[:400]))
    late.take(rows, estimates(rows))
    assert early.found(0)[0] == 1.0
    assert late.found(0)[0] < 0.01
    units, ratio = 10_000, 3.3
    grown = units * 0.04**2 + 1
    bound = grown / (grown - 1) * math.log(grown / mixture_p(ratio, units) ** 2)
    assert bound == pytest.approx(ratio**2)


def test_the_widest_a_hand_can_part_two_bots() -> None:
    assert [widest(stacks) for stacks in ((200, 200), (200, 200, 200), (200, 50))] == [400, 600, 100]


def test_a_run_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    whole = UntilDecided(match(1500, bots=["tight", "loose"])).run()
    path = tmp_path / "run.db"
    heard = 0

    def stop(hands: int) -> None:
        nonlocal heard
        heard += hands
        if heard > 700:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        UntilDecided(match(1500, bots=["tight", "loose"]), data=path).run(stop)
    again = UntilDecided(match(1500, bots=["tight", "loose"]), data=path, resume=True).run()
    assert again == whole
    assert again.hands > heard - 200


KILLED = """
import os, signal, sys
from poker_actors.sim import Match, UntilDecided
heard = 0
def stop(hands):
    global heard
    heard += hands
    if heard > 2300:
        os.kill(os.getpid(), signal.SIGKILL)
UntilDecided(Match.of(["tight", "loose"], hands=3000, seed=4), adjust=False, data=sys.argv[1]).run(stop)
"""


def test_a_run_goes_on_after_it_was_killed(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    run = subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False, env=dict(os.environ))
    assert run.returncode == -signal.SIGKILL
    again = UntilDecided(match(3000, bots=["tight", "loose"]), data=path, resume=True).run()
    assert again == UntilDecided(match(3000, bots=["tight", "loose"])).run()


def test_a_file_of_another_run_is_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    UntilDecided(match(200), data=path).run()
    for other, said in (
        (match(200, seed=5), "with seed 4, not 5"),
        (match(200, bots=["tight", "loose"]), "with bots tight, maniac, not tight, loose"),
        (Match.of(PAIR, hands=200, seed=4, stacks="50bb"), "with stacks 200, 200, not 100, 100"),
    ):
        with pytest.raises(BadSpec, match=said):
            UntilDecided(other, data=path, resume=True).run()
    with pytest.raises(BadSpec, match="with adjusted False, not True"):
        UntilDecided(match(200), data=path, resume=True, adjust=True).run()
    with pytest.raises(BadSpec, match="already holds a run"):
        UntilDecided(match(200), data=path).run()
    with RunFile(path, match(200)), pytest.raises(BadSpec, match="being written by another process"):
        UntilDecided(match(200), data=path, resume=True).run()


def test_a_damaged_file_and_one_of_another_version_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.db"
    UntilDecided(match(200), data=path).run()
    text = path.read_text()
    path.write_text(text.replace('"hands": 200', '"hands": 201', 1))
    with pytest.raises(BadSpec, match="checksum"):
        UntilDecided(match(200), data=path, resume=True).run()
    path.write_text(text[: len(text) // 2])
    with pytest.raises(BadSpec, match="damaged"):
        UntilDecided(match(200), data=path, resume=True).run()
    path.write_text(json.dumps(json.loads(text) | {"version": "0.0.9"}))
    with pytest.raises(BadSpec, match=f"version 0.0.9, format 2; this is {__version__}, format 2"):
        UntilDecided(match(200), data=path, resume=True).run()
    path.write_text(json.dumps(json.loads(text) | {"format": 1}))
    with pytest.raises(BadSpec, match=f"version {__version__}, format 1; this is {__version__}, format 2"):
        UntilDecided(match(200), data=path, resume=True).run()
    path.write_text(json.dumps(json.loads(text) | {"what": "something else"}))
    with pytest.raises(BadSpec, match="holds no run"):
        UntilDecided(match(200), data=path, resume=True).run()


def test_a_run_that_is_kept_keeps_no_hands() -> None:
    with pytest.raises(BadSpec, match="writes no files of hands"):
        UntilDecided(match(), data="run.db", sinks=[object()])
    with pytest.raises(BadSpec, match="name its file"):
        UntilDecided(match(), resume=True)
    with pytest.raises(BadSpec, match="is not above 0"):
        UntilDecided(match(), within=0)
