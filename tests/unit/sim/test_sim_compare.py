"""Bootstrap intervals, and two results beside each other."""

import random
import statistics
from pathlib import Path

import attrs
import pytest

from poker_actors.errors import BadSpec
from poker_actors.sim import CarryOver, Duplicate, Form, SimulationResult, simulate
from poker_actors.sim.intervals import by_blocks, estimate
from poker_actors.sim.results import bootstrap
from poker_actors.sim.results.bootstrap import bootstrap_words


def test_stretches_of_one_hand_are_single_results() -> None:
    results = [random.Random(1).randrange(-200, 200) for _ in range(50)]
    found = by_blocks(results, [1] * 50)
    plain = estimate(50, sum(results), sum(x * x for x in results))
    assert found.mean == pytest.approx(plain.mean)
    assert found.margin == pytest.approx(plain.margin)


def test_stretches_that_differ_in_length_hold_the_truth_as_often_as_they_say() -> None:
    rng = random.Random(5)
    held = 0
    for _ in range(600):
        hands = [rng.choice((20, 40)) for _ in range(30)]
        gains = [sum(rng.randrange(7) for _ in range(count)) for count in hands]
        low, high = by_blocks(gains, hands).interval or (9, 9)
        held += low <= 3 <= high
    # 95 % give or take three standard deviations
    assert 554 <= held <= 586


def test_one_stretch_has_no_margin() -> None:
    assert by_blocks([6], [3]).interval is None
    assert by_blocks([], []).mean == 0.0


@pytest.mark.parametrize("form", [None, Duplicate(), CarryOver(50)])
def test_the_bootstrap_agrees_with_t_in_every_form(form: Form | None) -> None:
    result = simulate(["tight", "maniac", "caller"], hands=2100, seed=3, form=form)
    drawn = bootstrap(result)
    assert drawn is not None
    assert drawn.reasons == (None, None, None)
    for (low, high), player in zip(drawn.intervals, result.players, strict=True):
        margin = player.judged.margin
        assert margin is not None
        assert low < player.judged.mean < high
        assert (high - low) / 2 == pytest.approx(margin, rel=0.25)
    assert bootstrap_words(result, doubts_only=True) == ""
    assert "agrees with Student's t" in bootstrap_words(result)


def test_the_bootstrap_follows_from_the_seed() -> None:
    one, two = (simulate(["tight", "caller"], hands=500, seed=3) for _ in range(2))
    assert bootstrap(one) == bootstrap(two)


def test_few_stretches_cannot_be_drawn_from() -> None:
    assert bootstrap(simulate(["tight", "caller"], hands=7, seed=3)) is None


def skewed(result: SimulationResult, count: int) -> SimulationResult:
    """The result of somebody who loses a chip a block, and once wins all of it back and more."""
    gains = [-1] * (count - 1) + [10 * count]
    curve = tuple(sum(gains[: end + 1]) for end in range(count))
    net = curve[-1]
    found = estimate(count, net, sum(x * x for x in gains)).scaled(100 / result.big_blind)
    player = attrs.evolve(result.players[0], curve=curve, net_chips=net, bb_per_100=found)
    return attrs.evolve(result, hands=count, players=(player,), blocks=(1,) * count)


def test_where_the_two_intervals_differ_the_result_says_why() -> None:
    result = simulate(["caller", "caller"], hands=100, seed=3)
    lopsided = bootstrap(skewed(result, 100))
    assert lopsided is not None
    assert lopsided.reasons == ("a few large results weigh on one side",)
    assert "(a few large results weigh on one side)" in bootstrap_words(skewed(result, 100))
    few = bootstrap(skewed(result, 12))
    assert few is not None
    assert few.reasons == ("there are only 12 blocks of hands to draw from",)
    clustered = attrs.evolve(
        result.players[0], bb_per_100=attrs.evolve(result.players[0].bb_per_100, margin=1.0)
    )
    wide = bootstrap(attrs.evolve(result, players=(clustered, result.players[1])))
    assert wide is not None
    assert wide.reasons[0] is not None


def test_a_better_bot_on_the_same_decks_is_told_apart_by_pairs() -> None:
    before = simulate(["caller", "maniac", "tight"], hands=1500, seed=3)
    after = simulate(["pot-odds", "maniac", "tight"], hands=1500, seed=3)
    found = after.compare(before)
    assert found.paired
    first = found.bots[0]
    assert (first.bot, first.before, first.verdict) == ("pot-odds", "caller", "better")
    assert first.difference.mean == pytest.approx(
        after.players[0].bb_per_100.mean - before.players[0].bb_per_100.mean
    )
    assert first.hands_needed is not None
    assert first.hands_needed < 1500


def test_pairs_are_narrower_than_two_runs_that_have_nothing_to_do_with_each_other() -> None:
    bots = ["caller", "tight", "loose"]
    before = simulate(bots, hands=1200, seed=3)
    after = simulate(["caller", "tight", "pot-odds"], hands=1200, seed=3)
    elsewhere = simulate(["caller", "tight", "pot-odds"], hands=1200, seed=4)
    paired, unpaired = after.compare(before), elsewhere.compare(before)
    assert (paired.paired, unpaired.paired) == (True, False)
    assert unpaired.why == "seed 4 and 3"
    tight = paired.bots[1].difference.margin, unpaired.bots[1].difference.margin
    assert tight[0] is not None
    assert tight[1] is not None
    assert tight[0] < 0.8 * tight[1]


def test_a_result_compared_with_itself_is_the_same(tmp_path: Path) -> None:
    result = simulate(["tight", "caller"], hands=300, seed=3)
    result.save(tmp_path / "before.json")
    found = result.compare(SimulationResult.load(tmp_path / "before.json"))
    assert [each.difference.mean for each in found.bots] == [0.0, 0.0]
    assert [each.verdict for each in found.bots] == ["not told apart"] * 2
    assert [each.hands_needed for each in found.bots] == [None, None]


def test_a_comparison_prints_as_text_html_and_values() -> None:
    before, after = (simulate(["tight", "caller"], hands=hands, seed=3) for hands in (300, 301))
    found = after.compare(before)
    first, head, *rows = str(found).splitlines()
    assert first == "not paired: hands 301 and 300; as the chips fell"
    assert head.split()[:3] == ["seat", "bot", "bb/100"]
    assert len(rows) == 2
    risky = attrs.evolve(found, bots=(attrs.evolve(found.bots[0], bot="<b>&"),))
    assert "&lt;b&gt;&amp;" in risky._repr_html_()
    plain = found.to_dict()
    assert plain["paired"] is False
    assert {"seat", "bot", "before", "difference", "verdict"} <= set(plain["bots"][0])


def test_other_numbers_of_players_are_not_compared() -> None:
    with pytest.raises(BadSpec, match="2 players cannot be compared with 3"):
        simulate(["tight"] * 2, hands=5, seed=1).compare(simulate(["tight"] * 3, hands=5, seed=1))


def test_the_pairing_takes_hardly_more_than_the_spread_of_the_differences() -> None:
    """Against the textbook: a paired t-test over blocks of one hand."""
    before = simulate(["caller", "tight"], hands=200, seed=9)
    after = simulate(["maniac", "tight"], hands=200, seed=9)
    steps = [
        mine - theirs for mine, theirs in zip(after.players[0].gains, before.players[0].gains, strict=True)
    ]
    assert len(steps) == 200
    found = after.compare(before).bots[0].difference
    wanted = 1.972 * statistics.stdev(steps) / 200**0.5 * 100 / after.big_blind
    assert found.margin == pytest.approx(wanted, rel=1e-3)
