"""Games that are played in turn: the same hands on every driver, on any number of workers, in any form."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from poker_actors.cli import main
from poker_actors.errors import BadSpec
from poker_actors.history import histories, replay
from poker_actors.rules import GAMES, Stakes, game_named
from poker_actors.rules.games import Rotation
from poker_actors.sim import CarryOver, Cash, Duplicate, Match, simulate
from poker_actors.sim.tournaments import TournamentPlan, play_direct, sit_and_go

BOTS = ["caller", "random", "maniac"]


def test_each_game_is_played_for_an_orbit() -> None:
    match = Match.of(BOTS, hands=30, seed=1, game="horse")
    games = [match.played(hand)[0].name for hand in range(18)]
    assert games[::3] == ["limit-holdem", "limit-omaha8", "razz", "stud", "stud8", "limit-holdem"]
    assert games[0::3] == games[1::3] == games[2::3]


def test_a_list_of_games_is_a_rotation() -> None:
    rotation = Rotation.named("holdem+F7S+badugi")
    assert isinstance(rotation, Rotation)
    assert [game.name for game in rotation.games] == ["holdem", "stud", "badugi"]
    assert (rotation.name, rotation.max_seats) == ("holdem+stud+badugi", 8)
    assert Rotation.named("plo") is GAMES["omaha"]


def test_stakes_are_of_one_size_in_the_form_of_each_game() -> None:
    blinds = Stakes(4, 8)
    assert GAMES["holdem"].stakes_like(blinds) == blinds
    stud = GAMES["stud"].stakes_like(blinds)
    assert stud == Stakes(0, 0, ante=2, bring_in=4, min_bet=8)
    assert GAMES["razz"].stakes_like(stud) == stud
    assert GAMES["holdem"].stakes_like(stud) == blinds
    assert GAMES["double-board-holdem"].stakes_like(blinds) == Stakes(0, 0, ante=8, min_bet=8)


@pytest.mark.parametrize("game", ["8-game", "dealers-choice", "holdem+badugi+kuhn"])
@pytest.mark.parametrize("form", [Cash(), Duplicate(), CarryOver(6)], ids=lambda form: form.name)
def test_every_driver_plays_the_same_hands(game: str, form: Cash | Duplicate | CarryOver) -> None:
    bots = BOTS[: Rotation.named(game).max_seats]

    def digest(driver: str) -> str:
        found = simulate(bots, hands=6 * len(bots), seed=5, game=game, form=form, driver=driver)
        return found.digest

    assert digest("direct") == digest("stepper")


def test_a_rotation_is_the_same_on_any_number_of_workers() -> None:
    one, two = (simulate(BOTS, hands=30, seed=5, game="8-game", workers=workers) for workers in (1, 2))
    assert one.digest == two.digest


def test_a_dealers_choice_follows_from_the_seed() -> None:
    matches = [Match.of(BOTS, hands=1, seed=seed, game="dealers-choice") for seed in (1, 2)]
    first, second = ([match.played(3 * orbit)[0].name for orbit in range(80)] for match in matches)
    assert first != second
    assert len(set(first)) == 8


def test_a_tournament_changes_the_game_with_the_level() -> None:
    plan = TournamentPlan.of(sit_and_go(3, game="horse", by="hands", length=2), 3, BOTS, seed=2)
    assert plan.structure.stakes(2).bring_in
    assert [plan.structure.game_at(level).name for level in (0, 2, 5)] == [
        "limit-holdem",
        "razz",
        "limit-holdem",
    ]
    result = play_direct(plan)
    assert result.chips_in == result.chips_out


def test_hands_of_a_rotation_are_written_down(tmp_path: Path) -> None:
    path = tmp_path / "mix.phhs"
    options = ["--game", "8-game", "--hands", "48", "--seed", "3", "--phh", str(path)]
    assert main(["simulate", *options, "--json", str(tmp_path / "result.json")]) == 0
    found = list(histories(path))
    assert len({history.game.name for history in found}) == 8
    for history in found:
        assert replay(history).final_stacks == history.finishing
    assert json.loads((tmp_path / "result.json").read_text())["game"] == "8-game"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("holdem+", "no game is called ''"),
        ("holdem+nope", "no game is called 'nope'"),
    ],
)
def test_a_rotation_of_what_is_no_game_is_refused(name: str, reason: str) -> None:
    with pytest.raises(BadSpec, match=reason):
        Rotation.named(name)


def test_one_game_is_asked_for_where_a_rotation_has_no_place() -> None:
    for name in ("horse", "8-game", "holdem+stud"):
        with pytest.raises(BadSpec, match="is a rotation, but only one game is played here"):
            game_named(name)
    with pytest.raises(BadSpec, match="the minimum is 2"):
        Rotation("alone", (GAMES["stud"],))


def test_antes_of_a_games_own_stakes_are_paid(tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    assert main(["simulate", "--game", "kuhn", "--hands", "4", "--seed", "1", "--json", str(path)]) == 0
    assert json.loads(path.read_text())["stakes"] == "0/0 ante 1"
