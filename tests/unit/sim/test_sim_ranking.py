"""Round robins ranked: bankroll, run-off, ratings and populations, against cases one can check by hand."""

import math
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.errors import BadSpec
from poker_actors.sim import Duplicate, RoundRobin
from poker_actors.sim.ranking import alpha_rank, bankroll, elo, least_squares, ranked, replicator, run_off

CYCLE = [[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]]


def test_bankroll_and_run_off_may_name_different_winners() -> None:
    # 0 wins most from the weakest, and loses to 1
    table = [[0.0, -10.0, 100.0], [10.0, 0.0, 20.0], [-100.0, -20.0, 0.0]]
    assert bankroll(table) == [45.0, 15.0, -60.0]
    assert run_off(table) == [2, 0, 1]


def test_elo_is_the_log_of_the_odds() -> None:
    # 0.5 is added to each side of a pair: 9,999.5 to 999.5
    found = elo([[0, 9_999], [999, 0]])
    assert found[0] - found[1] == pytest.approx(400 * math.log10(9_999.5 / 999.5))
    assert sum(found) == pytest.approx(0)
    assert elo([[0, 0], [0, 0]]) == pytest.approx([0, 0])
    three = elo([[0, 60, 90], [40, 0, 80], [10, 20, 0]])
    assert three[0] > three[1] > three[2]


def test_a_fit_keeps_margins_and_leaves_the_cycle_over() -> None:
    errors = [[math.inf, 1.0, 1.0], [1.0, math.inf, 1.0], [1.0, 1.0, math.inf]]
    assert least_squares(CYCLE, errors) == pytest.approx([0, 0, 0], abs=1e-6)
    ordered = [[0.0, 10.0, 30.0], [-10.0, 0.0, 20.0], [-30.0, -20.0, 0.0]]
    assert least_squares(ordered, errors) == pytest.approx([40 / 3, 10 / 3, -50 / 3], abs=1e-6)


def test_a_cycle_leaves_everybody_as_much() -> None:
    assert alpha_rank(CYCLE) == pytest.approx([1 / 3] * 3)
    assert replicator(CYCLE) == pytest.approx([1 / 3] * 3)


def test_who_wins_from_everybody_takes_the_population() -> None:
    table = [[0.0, 5.0, 5.0], [-5.0, 0.0, 1.0], [-5.0, -1.0, 0.0]]
    assert alpha_rank(table)[0] > 0.999
    shares = replicator(table)
    assert shares[0] > 0.8
    assert sum(shares) == pytest.approx(1)


def test_alpha_rank_of_two_is_the_ratio_of_their_chances_to_take_over() -> None:
    mass = alpha_rank([[0.0, 0.01], [-0.01, 0.0]])
    # gains are made relative to the largest: D = 10, population of 50
    ratio = ((1 - math.exp(-10)) / (1 - math.exp(-500))) / ((1 - math.exp(10)) / (1 - math.exp(500)))
    assert mass[0] / mass[1] == pytest.approx(ratio, rel=1e-6)


def test_a_round_robin_is_ranked_by_what_was_won() -> None:
    result = RoundRobin(["tight", "caller", "folder"], hands=400, seed=3, form=Duplicate()).run()
    found = ranked(result)
    assert found.hands == 1200
    for pairing in result.pairings:
        cell = found.cells[pairing.one][pairing.other]
        assert cell is not None
        assert cell.estimate == pairing.result.players[0].judged
    means = [sum(cell.estimate.mean for cell in row if cell is not None) / 2 for row in found.cells]
    assert found.bankroll.means == pytest.approx(means, abs=0.5)
    assert found.order[-1] == min(range(3), key=found.bankroll.means.__getitem__)
    for spread in (found.elo, found.strength, found.alpha, found.population):
        for value, (low, high) in zip(spread.values, spread.intervals, strict=True):
            assert low - 1e-9 <= high
            assert math.isfinite(value)
    assert len(found.eliminations) == 2


def test_the_command_says_whose_hands_it_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["--bot", "tight", "--bot", "caller", "--bot", "folder"]
    picture = tmp_path / "cross.png"
    assert main(["rank", *bots, "--hands", "610", "--seed", "3", "--plot", str(picture)]) == 0
    out = capsys.readouterr().out
    assert "606 hands in all, 202 for each of 3 pairs on the same decks, seed 3" in out
    assert "run-off, the first to go first:" in out
    assert picture.stat().st_size > 5_000
    assert main(["rank", *bots, "--hands", "2000", "--engine", "ray"]) == 2
    assert capsys.readouterr().err == (
        "poker-actors: --engine ray and --address do not work with rank: its matches are played here\n"
    )
    assert main(["rank", *bots, "--hands", "20"]) == 2
    assert "below the minimum of 48" in capsys.readouterr().err
    assert main(["rank", "--bot", "tight"]) == 2


def test_too_few_decks_are_not_ranked() -> None:
    result = RoundRobin(["tight", "caller"], hands=8, seed=3, form=Duplicate()).run()
    with pytest.raises(BadSpec, match="a ranking needs at least 8"):
        ranked(result)
