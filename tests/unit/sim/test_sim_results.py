"""Results: figures, positions, files, comparisons."""

from pathlib import Path

import attrs
import pytest

from poker_actors.errors import BadSpec
from poker_actors.rules import Action, Call, Check, View
from poker_actors.sim import Duplicate, SimulationResult, separations, simulate
from poker_actors.sim.results import Share, position_names
from poker_actors.sim.results.table import sparkline


def test_a_result_is_saved_and_read_again(tmp_path: Path) -> None:
    for form in (None, Duplicate()):
        result = simulate(["tight", "random", "caller"], hands=300, seed=7, form=form)
        result.save(tmp_path / "result.json")
        again = SimulationResult.load(tmp_path / "result.json")
        assert again == result
        assert str(again) == str(result)
        assert again.seconds == result.seconds


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"hands": 3}', "no json"])
def test_a_file_that_holds_no_result_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "other.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadSpec, match=r"other\.json holds no result of a simulation"):
        SimulationResult.load(path)


def test_equal_hands_are_equal_results_however_long_they_took() -> None:
    one, two = (simulate(hands=50, seed=1) for _ in range(2))
    assert one == two
    assert one != simulate(hands=50, seed=2)
    assert one == attrs.evolve(two, seconds=1e9)


def test_a_result_prints_as_text_and_as_html() -> None:
    result = simulate(["tight", "scripted:actions=raise_to 3"], hands=50, seed=1)
    assert "scripted:actions=raise_to 3" in str(result)
    html = result._repr_html_()
    assert html.count("<tr>") == 3
    assert "faults, the first: raise_to 3 is below the minimum of 10" in html
    risky = attrs.evolve(result, players=(attrs.evolve(result.players[0], bot="<b>&"), result.players[1]))
    assert "&lt;b&gt;&amp;" in risky._repr_html_()


def test_positions_add_up_to_the_whole() -> None:
    result = simulate(hands=600, seed=7)
    for player in result.players:
        assert [place.position for place in player.positions] == ["BTN", "CO", "HJ", "UTG", "BB", "SB"]
        assert [place.hands for place in player.positions] == [100] * 6
        assert sum(place.net_chips for place in player.positions) == player.net_chips
        assert sum(place.vpip.count for place in player.positions) == player.vpip.count
        for name, total in player.counts.items():
            assert sum(place.counts[name] for place in player.positions) == total, name
    folder = simulate(["folder"] * 4, hands=400, seed=7).players[0]
    assert {place.position: place.net_chips for place in folder.positions} == {
        "BTN": 0,
        "CO": 0,
        "BB": 100,
        "SB": -100,
    }


@pytest.mark.parametrize(
    ("seats", "names"),
    [
        (2, "BTN BB"),
        (3, "BTN BB SB"),
        (6, "BTN CO HJ UTG BB SB"),
        (9, "BTN CO HJ LJ UTG+2 UTG+1 UTG BB SB"),
    ],
)
def test_positions_have_the_names_players_use(seats: int, names: str) -> None:
    assert position_names(seats) == names.split()
    assert all(len(set(position_names(size))) == size for size in range(2, 11))


def test_every_share_has_a_numerator_within_its_denominator() -> None:
    result = simulate(hands=500, seed=7)
    for player in result.players:
        for name, share in player.statistics.items():
            assert 0 <= share.count <= share.of, name
    assert Share(0, 0).value is None
    assert str(Share(1, 4)) == "25.0 %"


def test_streets_have_figures_of_their_own() -> None:
    for player in simulate(hands=300, seed=7).players:
        assert [street.street for street in player.streets] == ["preflop", "flop", "turn", "river"]
        before, *after = player.streets
        assert before.cbet is before.fold_to_cbet is None
        raises, calls = sum(street.raises for street in after), sum(street.calls for street in after)
        assert player.aggression_factor == (raises / calls if calls else None)
        for street in player.streets:
            assert street.aggression == player.statistics[f"{street.street}_aggression"]
        for street in after:
            assert street.cbet == player.statistics[f"{street.street}_cbet"]


def test_the_caller_calls_and_the_folder_folds() -> None:
    caller, folder = simulate(["caller", "folder"], hands=200, seed=1).players
    assert caller.aggression_factor is None
    assert caller.pfr.count == folder.vpip.count == 0
    assert folder.statistics["wtsd"].of == caller.statistics["wtsd"].of
    assert caller.statistics["wwsf"].value == pytest.approx(0.5, abs=0.15)


def test_two_players_are_told_apart_after_enough_hands() -> None:
    few, many = (simulate(["tight", "caller"], hands=hands, seed=3) for hands in (60, 1500))
    (early,), (late,) = separations(few), separations(many)
    assert late.separated
    assert (late.better, late.worse) == (0, 1)
    assert late.difference.mean == pytest.approx(
        many.players[0].bb_per_100.mean - many.players[1].bb_per_100.mean
    )
    # two players who only play each other differ by twice what one wins
    assert late.difference.margin == pytest.approx(2 * (many.players[0].bb_per_100.margin or 0), rel=0.25)
    assert late.hands_needed is not None
    assert 20 < late.hands_needed < 1500
    assert early.hands_needed is not None or early.difference.mean == 0
    assert separations(simulate(["tight", "caller"], hands=5, seed=3)) == []


def test_a_sparkline_goes_from_low_to_high() -> None:
    assert sparkline(range(8), 0, 7, 8) == "▁▂▃▄▅▆▇█"
    assert sparkline([5], 5, 5, 8) == "▁"
    assert sparkline([], 0, 0, 8) == sparkline([1, 2], 1, 2, 0) == ""
    assert len(sparkline(range(1000), 0, 999, 24)) == 24


def test_thinking_is_timed_on_a_sample_and_is_no_part_of_the_result() -> None:
    def slow(view: View) -> Action:
        sum(range(3000))
        return Call() if view.to_call else Check()

    one, two = (simulate([slow, "caller"], hands=200, seed=1) for _ in range(2))
    slow_one, fast_one = (player.seconds_per_decision for player in one.players)
    assert slow_one is not None
    assert fast_one is not None
    assert slow_one > fast_one > 0
    assert one == two
    assert (
        simulate([slow, "caller"], hands=70, seed=1, driver="stepper").players[0].seconds_per_decision is None
    )
