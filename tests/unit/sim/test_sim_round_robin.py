"""Round robin: every two bots, the same decks, chips conserved."""

import json

import pytest

from poker_actors.cli import main
from poker_actors.errors import BadSpec
from poker_actors.sim import Duplicate, RoundRobin, simulate

BOTS = ["tight", "caller", "random", "folder"]


def test_every_two_bots_meet_once_and_their_results_mirror() -> None:
    result = RoundRobin(BOTS, 200, seed=2).run()
    assert len(result.pairings) == 6
    for one in range(4):
        for other in range(4):
            mine, theirs = result.estimate(one, other), result.estimate(other, one)
            assert (mine is None) == (one == other)
            if mine is not None and theirs is not None:
                assert mine.mean == pytest.approx(-theirs.mean)
    assert result.chips_in == result.chips_out == 6 * 200 * 400
    assert sum(standing.net_chips for standing in result.standings) == 0


def test_a_pairing_is_the_match_that_simulate_plays() -> None:
    result = RoundRobin(BOTS, 100, seed=2, form=Duplicate()).run()
    for pairing in result.pairings:
        pair = [BOTS[pairing.one], BOTS[pairing.other]]
        assert pairing.result == simulate(pair, hands=100, seed=2, form=Duplicate())


def test_standings_are_sorted_and_count_what_stands_out() -> None:
    standings = RoundRobin(["caller", "tight", "random"], 2000, seed=2).run().standings
    assert [standing.place for standing in standings] == [1, 2, 3]
    assert standings[0].name == "tight"
    assert (standings[0].won, standings[0].lost) == (2, 0)
    assert [standing.net_chips for standing in standings] == sorted(
        (standing.net_chips for standing in standings), reverse=True
    )


def test_one_bot_is_no_tournament() -> None:
    with pytest.raises(BadSpec, match="bots: 1 given, a round robin takes 2 to 200"):
        RoundRobin(["tight"], 10, seed=1)


def test_the_command_prints_pairs_and_standings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "--hands", "60", "--seed", "2", "--format", "round-robin"]) == 0
    shown = capsys.readouterr().out
    assert "round robin of 6 bots, 60 hands a pair, seed 2" in shown
    assert "chips in 360,000, out 360,000" in shown
    assert main(["tournament", "--hands", "60", "--seed", "2", "--json", "-"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert len(result["pairings"]) == 15
    assert result["chips_in"] == result["chips_out"]
    assert [row["place"] for row in result["standings"]] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    "arguments", ["--format chess", "--bot tight", "--hands 0", "--duplicate --hands 61", "--seed x"]
)
def test_a_wrong_tournament_is_one_line_and_status_2(
    capsys: pytest.CaptureFixture[str], arguments: str
) -> None:
    assert main(["tournament", *arguments.split()]) == 2
    assert capsys.readouterr().err.count("\n") == 1
