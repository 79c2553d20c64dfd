"""What arena.toml says, and what it may not say."""

from pathlib import Path

import pytest

from poker_actors.arena import ArenaSettings
from poker_actors.errors import BadInput, BadSpec
from poker_actors.sim.tournaments import sit_and_go
from tests.unit.arena.places import TOML, made


def read(folder: Path, text: str) -> ArenaSettings:
    (folder / "arena.toml").write_text(text, encoding="utf-8")
    return ArenaSettings.read(folder)


def test_a_folder_without_a_file_is_played_by_default(tmp_path: Path) -> None:
    settings = ArenaSettings.read(tmp_path)
    assert (settings.game, settings.hands, settings.schedule, settings.cage) == (
        "holdem",
        1000,
        "round-robin",
        True,
    )


def test_the_limits_are_read(tmp_path: Path) -> None:
    assert ArenaSettings.read(made(tmp_path / "a", TOML)).limits.decision_seconds == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hnads = 100", "no setting hnads, did you mean hands?"),
        ("[limits]\nmemroy = 5", "no setting limits.memroy, did you mean memory?"),
        ("hands = 101", "hands is 101, and odd"),
        ("check_hands = 17", "check_hands is 17, and odd"),
        ("hands = 8", "hands is 8: it can be 16 to"),
        ('hands = "many"', "hands is 'many', and no whole number"),
        ("hands = true", "hands is True, and no whole number"),
        ("cage = 1", "cage is 1: it can be true or false"),
        ("game = 5", "game is 5, and no text"),
        ('schedule = "knock-out"', "schedule 'knock-out' is none of round-robin, swiss, ladder"),
        ('seats = "nine-max"', "seats 'nine-max' is none of heads-up, six-max, sit-and-go"),
        ('seats = "six-max"\ngame = "kuhn"', "seats 'six-max': kuhn seats 2 to 2"),
        ("tournaments = 5", "tournaments is 5: it can be 8 to"),
        ('house = "tight"', "house is 'tight', and no list of bots"),
        ('house = ["cmd:./bot"]', "house 'cmd:./bot' is a program: give it a folder"),
        ('house = ["cage"]', "house 'cage' is a program: give it a folder"),
        ('house = ["tigt"]', "did you mean tight?"),
        ('game = "holdme"', "did you mean holdem?"),
        ('stakes = "1:2"', "1:2"),
        ('stacks = "much"', "much"),
        ("limits = 5", "limits is 5, and no table"),
        ("[limits]\nprocesses = 0", "processes is 0: it can be 1 to 1000"),
        ("hands = ", "cannot be read"),
    ],
)
def test_what_is_not_understood_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput, match="(?s)" + said.replace("?", "[?]").replace(".", "[.]")):
        read(tmp_path, text)


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="nowhere is not a folder"):
        ArenaSettings.read(tmp_path / "nowhere")


def test_a_game_of_a_file_lies_beside_the_arenas_file_and_its_code_counts(tmp_path: Path) -> None:
    place = tmp_path / "games.py"
    place.write_text(
        "import attrs\nfrom poker_actors.rules import HOLDEM\nmine = attrs.evolve(HOLDEM, name='mine')\n"
    )
    settings = read(tmp_path, 'game = "games.py:mine"')
    assert settings.rules.name == "mine"
    before = settings.key
    place.write_text(place.read_text() + "# changed\n")
    assert before != ArenaSettings.read(tmp_path).key


def test_who_meets_whom_does_not_change_a_match(tmp_path: Path) -> None:
    assert read(tmp_path, 'schedule = "swiss"').key == read(tmp_path, "control = true").key
    assert read(tmp_path, "hands = 64").key != read(tmp_path, "hands = 32").key
    assert read(tmp_path, "[limits]\nmemory = 64").key != read(tmp_path, "[limits]\nmemory = 32").key


def test_hands_at_tables_of_six_are_whole_decks(tmp_path: Path) -> None:
    settings = read(tmp_path, 'seats = "six-max"\nhands = 1000')
    assert settings.match(["caller"] * 6, hands=settings.hands, seed=1).hands == 1002
    assert read(tmp_path, 'seats = "six-max"\nhands = 17\ncheck_hands = 17').hands == 17, (
        "odd, and no deck is halved"
    )
    assert settings.length(6) == "1,002 hands"
    assert settings.length(4) == "1,000 hands"


def test_scores_of_two_stay_where_there_are_new_settings(tmp_path: Path) -> None:
    assert read(tmp_path, "tournaments = 9").key == read(tmp_path, "").key
    assert read(tmp_path, 'seats = "six-max"').key != read(tmp_path, "").key
    sit_and_go = read(tmp_path, 'seats = "sit-and-go"')
    assert sit_and_go.key != read(tmp_path, 'seats = "sit-and-go"\ntournaments = 9').key


def test_a_sit_and_go_has_the_blinds_and_stacks_that_are_said(tmp_path: Path) -> None:
    structure = read(tmp_path, 'seats = "sit-and-go"\nstakes = "5/10"\nstacks = "50bb"').structure(6)
    assert (structure.stakes(0).big_blind, structure.stack, structure.seats) == (10, 500, 6)
    with pytest.raises(BadSpec, match="sit-and-go"):
        read(tmp_path, 'seats = "sit-and-go"\ngame = "leduc"')
    assert read(tmp_path, 'stacks = "900,800"').stacks == "900,800", "of two, who play hands"
    with pytest.raises(BadSpec, match="a sit-and-go begins with one stack for everybody"):
        read(tmp_path, 'seats = "sit-and-go"\nstacks = "900,800,900,800,900,800"')


def test_a_sit_and_go_of_which_nothing_is_said_has_its_own_and_is_counted_in_tournaments(
    tmp_path: Path,
) -> None:
    settings = read(tmp_path, 'seats = "sit-and-go"\nhouse = ["tight:vpip=0.3"]')
    structure = settings.structure(6)
    stud = read(tmp_path, 'seats = "sit-and-go"\ngame = "stud"').structure(6)
    assert stud == sit_and_go(6, game="stud"), "a game without blinds has levels, too"
    assert (structure.stakes(0).big_blind, structure.stack) == (20, 1500)
    assert settings.length(6) == "20 sit-and-gos"
    assert settings.house == ("tight:vpip=0.3",)
    with pytest.raises(BadSpec, match="house"):
        read(tmp_path, "house = [5]")


def test_luck_is_taken_out_where_hands_are_compared(tmp_path: Path) -> None:
    assert read(tmp_path, "").corrects
    assert not read(tmp_path, "adjust = false").corrects
    assert not read(tmp_path, 'game = "open-face"').corrects
    assert not read(tmp_path, 'seats = "sit-and-go"').corrects
