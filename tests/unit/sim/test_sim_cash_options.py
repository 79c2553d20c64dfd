"""Matches with the options of cash tables: the same hands with every driver, and chips that add up."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.errors import BadHistory, BadSpec
from poker_actors.history import format_named, parse, record, replay
from poker_actors.rules import Stakes
from poker_actors.rules.cash import CashHand, CashOptions, HandOptions, Rake
from poker_actors.sim import CarryOver, Duplicate, Match, Simulation, SimulationResult, hand_dict, play_hand

BOTS = ["maniac", "caller", "random", "tight"]
ALL = CashOptions(Rake(500, 9), bomb_pot=10, bomb_every=4, boards=2)
EACH = {
    "rake": CashOptions(Rake(250, 3)),
    "bomb pot": CashOptions(bomb_pot=10, bomb_every=3),
    "two boards": CashOptions(boards=2),
    "three boards": CashOptions(boards=3),
    "all": ALL,
}


def run(options: CashOptions | None, driver: str = "direct", **settings: Any) -> SimulationResult:
    asked: dict[str, Any] = {
        "hands": 60,
        "seed": 5,
        "stacks": 60,
        "stakes": Stakes(1, 2, straddle=4),
    } | settings
    workers = asked.pop("workers", 1)
    adjust = asked.pop("adjust", False)
    simulation = Simulation(Match.of(BOTS, options=options, **asked), driver, workers=workers, adjust=adjust)
    simulation.run()
    return simulation.result()


@pytest.mark.parametrize("name", EACH)
def test_every_driver_plays_the_same_hands(name: str) -> None:
    direct, stepper, threads = (run(EACH[name], driver) for driver in ("direct", "stepper", "threads"))
    assert direct.digest == stepper.digest == threads.digest
    assert direct.digest != run(None).digest
    assert direct.chips_in == direct.chips_out + direct.rake
    assert (direct.rake > 0) == (EACH[name].rake is not None)
    assert direct.rake == stepper.rake == threads.rake
    assert sum(player.net_chips for player in direct.players) == -direct.rake


def test_options_that_are_off_change_nothing() -> None:
    assert run(CashOptions()).digest == run(None).digest


@pytest.mark.parametrize("form", [CarryOver(20), Duplicate()], ids=["carry-over", "duplicate"])
def test_other_forms_have_options_too(form: Any) -> None:
    options = CashOptions(Rake(500, 9), boards=2)
    direct, stepper = (run(options, driver, form=form) for driver in ("direct", "stepper"))
    assert direct.digest == stepper.digest
    assert direct.chips_in == direct.chips_out + direct.rake
    assert direct.rake > 0


def test_the_rake_is_no_luck_so_the_adjusted_results_pay_it_too() -> None:
    result = run(CashOptions(Rake(500)), hands=400, adjust=True)
    expected = [player.bb_per_100_adjusted for player in result.players]
    total = sum(one.mean for one in expected if one is not None)
    assert total == pytest.approx(-100 * result.rake / 400 / 2, abs=0.5)


def test_a_result_with_a_rake_is_saved_and_loaded(tmp_path: Path) -> None:
    result = run(ALL)
    result.save(tmp_path / "result.json")
    again = SimulationResult.load(tmp_path / "result.json")
    assert again == result
    assert again.rake == result.rake > 0


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(BadSpec, match="duplicate"):
        run(ALL, form=Duplicate())
    with pytest.raises(BadSpec, match="five-card has no board"):
        Match.of(BOTS[:2], hands=4, game="five-card", options=CashOptions(boards=2))


def simulated(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert main(["simulate", "--hands", "40", "--seed", "3", "--json", "-", *arguments]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_command_has_a_flag_for_each(capsys: pytest.CaptureFixture[str]) -> None:
    raked = simulated(capsys, "--rake", "5%/3")
    assert raked["rake"] > 0
    assert raked["chips_in"] == raked["chips_out"] + raked["rake"]
    assert raked["stakes"] == "1/2, rake 5%/3"
    assert simulated(capsys)["rake"] == 0
    assert simulated(capsys, "--straddle")["stakes"] == "1/2 straddle 4"
    bomb = simulated(capsys, "--bomb-pot", "10")
    assert bomb["stakes"] == "1/2, bomb pot 10 every 10 hands"
    double = simulated(capsys, "--bomb-pot", "4/10", "--bomb-boards", "2")
    assert double["stakes"] == "1/2, bomb pot 10 on 2 boards every 4 hands"
    assert double["chips_in"] == double["chips_out"]
    twice = simulated(capsys, "--bomb-pot", "7/30", "--run-it-twice")
    assert twice["stakes"] == "1/2, bomb pot 30 every 7 hands, run it 2 times"


def test_a_hand_with_options_is_told_and_written_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["--bot", "maniac", "--bot", "maniac", "--stacks", "20"]
    arguments = ["--rake", "5%", "--run-it-twice", "--bomb-pot", "1/30", "--seed", "3", "--hand", "4"]
    assert main(["simulate", *bots, *arguments]) == 0
    told = capsys.readouterr().out
    assert "the house takes 2" in told
    assert "board 2, flop" in told
    assert "from the pot on board 2" in told
    assert main(["simulate", *bots, *arguments, "--json", "-"]) == 0
    plain = json.loads(capsys.readouterr().out)
    assert (plain["rake"], plain["bomb_pot"], len(plain["further_boards"])) == (2, 30, 1)


@pytest.mark.parametrize(
    "arguments",
    [
        *(["--rake", "5"], ["--rake", "x"], ["--bomb-pot", "0"], ["--bomb-pot", "3/x"]),
        *(["--bomb-boards", "2"], ["--bomb-pot", "3/9", "--bomb-boards", "3"]),
    ],
)
def test_a_flag_that_makes_no_sense_is_refused_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["simulate", "--hands", "10", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_straddle_and_a_bomb_pot_need_a_game_that_has_them(capsys: pytest.CaptureFixture[str]) -> None:
    five = ["simulate", "--bot", "caller", "--bot", "caller", "--game", "five-card", "--hands", "4"]
    for flag in (["--straddle"], ["--run-it-twice"], ["--bomb-pot", "2/5"]):
        assert main([*five, *flag]) == 2
        assert capsys.readouterr().err.count("\n") == 1


# -- histories ----------------------------------------------------------------------------------


def raked(**options: Any) -> CashHand:
    hand = CashHand(
        [100] * 3,
        Stakes(5, 10),
        deck=Deck.stacked(["AsAh", "KsKh", "7c2d"], "Kd9c5h3sJd"),
        options=HandOptions(Rake(500), **options),
    )
    hand.check_or_call()
    hand.raise_to(40)
    while not hand.over:
        hand.check_or_call()
    return hand


@pytest.mark.parametrize("kind", ["phh", "ohh", "pokerstars", "jsonl"])
def test_a_raked_hand_is_written_with_its_rake_and_replays(kind: str) -> None:
    hand = raked()
    history = record(hand, players=("ann", "bob", "cyd"), hand_id="1")
    assert history.rake == hand.rake == 6
    (again,) = parse(format_named(kind).text(history, 1), kind)
    found = replay(again)
    assert found.rake == 6
    assert found.final_stacks == history.finishing


def test_what_no_format_has_words_for_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bomb = CashHand([50] * 2, Stakes(5, 10), deck=Deck.seeded(1), options=HandOptions(bomb_pot=5))
    with pytest.raises(BadHistory, match="bomb pots"):
        record(bomb)
    assert main(["simulate", "--hands", "8", "--bomb-pot", "2", "--phh", str(tmp_path / "night.phhs")]) == 2
    assert "no hand history format can express" in capsys.readouterr().err
    assert (
        main(
            [
                "simulate",
                "--hands",
                "20",
                "--rake",
                "5%",
                "--seed",
                "1",
                "--phh",
                str(tmp_path / "raked.phhs"),
            ]
        )
        == 0
    )
    assert main(["replay", str(tmp_path / "raked.phhs")]) == 0


def test_a_hand_of_a_match_can_be_looked_at_alone() -> None:
    match = Match.of(BOTS, hands=8, seed=5, options=ALL)
    hand, _ = play_hand(match, 3)
    assert isinstance(hand, CashHand)
    assert hand_dict(3, hand)["bomb_pot"] == 10
