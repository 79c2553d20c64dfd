"""The five-card game in the simulator: the CPU is a bot, and the one that peeks is shown the cards."""

import pytest

from poker_actors.cli import main
from poker_actors.sim import simulate

CPUS = ["cpu-seed", "cpu-fair"]


def test_the_cpu_that_peeks_beats_the_fair_one_and_no_credit_appears() -> None:
    result = simulate(CPUS, hands=1500, seed=1, game="five-card")
    seed, fair = result.players
    assert seed.net_chips == -fair.net_chips > 0
    assert result.chips_in == result.chips_out == 1500 * 400
    assert result.stacks == (200, 200)
    assert seed.illegal_actions == fair.illegal_actions == 0


@pytest.mark.parametrize("driver", ["stepper", "threads"])
def test_every_driver_shows_the_same_cards_to_the_cpu_that_peeks(driver: str) -> None:
    digests = {
        simulate(CPUS, hands=60, seed=5, game="five-card", driver=way).digest for way in ("direct", driver)
    }
    assert len(digests) == 1


def test_the_printed_and_the_kicker_classes_play_too() -> None:
    digests = {
        simulate(CPUS, hands=60, seed=5, game=f"five-card{kind}").digest
        for kind in ("", "-printed", "-kickers")
    }
    assert len(digests) == 3


def test_the_command_says_who_is_shown_the_cards(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "--game", "five-card", "--bot", "cpu-seed", "--bot", "cpu-fair", "--hands", "50"]
    assert main([*arguments, "--seed", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == "shown the others' cards at its request: cpu-seed\n"
    assert "chips in 20,000, out 20,000" in out
    assert main([*arguments[:3], *arguments[5:7], *arguments[5:], "--seed", "1"]) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "bot", ["caller", "folder", "random", "maniac", "tight", "loose", "pot-odds", "equity:samples=3"]
)
def test_the_bots_of_the_house_play_it_without_a_fault(bot: str) -> None:
    result = simulate([bot, "cpu-seed"], hands=60, seed=3, game="five-card")
    assert [player.illegal_actions for player in result.players] == [0, 0]


def test_a_hand_of_it_is_told_with_its_words(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["simulate", "--game", "five-card", "--bot", "caller", "--bot", "cpu-fair", "--seed", "1"]
    assert main([*arguments, "--hand", "2"]) == 0
    out = capsys.readouterr().out
    assert "Five-card console poker 0/0" in out
    assert "fourth, pot " in out
    assert " from the pot with " in out
