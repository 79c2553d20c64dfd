"""Game definitions: the built-in ones, files, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from poker_actors.errors import BadSpec
from poker_actors.wire.acpc import DEFINITIONS, definition_named, parse_definition

NO_LIMIT = str(DEFINITIONS["holdem.nolimit.3p"])


@pytest.mark.parametrize("name", DEFINITIONS)
def test_a_definition_prints_as_a_file_that_reads_the_same(name: str) -> None:
    text = str(DEFINITIONS[name])
    assert parse_definition(text) == DEFINITIONS[name]
    assert "\n\n" not in text


def test_a_file_may_be_written_in_any_case_with_comments_and_without_equals_signs() -> None:
    text = """# heads-up
GameDef

NOLIMIT
numplayers 2
NumRounds=4
stack 500 400
blind = 2 1
firstplayer 2 1 1 1
numsuits 4
numranks 13
numholecards 2
numboardcards 0 3 1 1
end gamedef
what follows is not read
"""
    found = parse_definition(text)
    assert (found.no_limit, found.stacks, found.blinds) == (True, (500, 400), (2, 1))


@pytest.mark.parametrize(
    "name", ["holdem.nolimit.2p", "holdem.nolimit.2p.reverse_blinds", "holdem.nolimit.2p.game"]
)
def test_a_game_of_the_competition_has_its_short_name_and_its_files(name: str) -> None:
    assert definition_named(name) is DEFINITIONS["holdem.nolimit.2p"]


def test_a_file_is_named_by_its_path(tmp_path: Path) -> None:
    place = tmp_path / "deep.game"
    place.write_text(str(DEFINITIONS["holdem.nolimit.2p"]).replace("20000", "40000"))
    found = definition_named(str(place))
    assert (found.name, found.stacks) == ("deep", (40_000, 40_000))
    other = place.rename(tmp_path / "any name")
    assert definition_named(str(other)) == found
    with pytest.raises(FileNotFoundError):
        definition_named(str(place))


def test_a_file_that_is_called_as_a_game_of_the_competition_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert definition_named("holdem.limit.2p.game") is DEFINITIONS["holdem.limit.2p"]
    Path("holdem.limit.2p.game").write_text(str(DEFINITIONS["holdem.nolimit.2p"]))
    assert definition_named("holdem.limit.2p.game").no_limit


def test_heads_up_the_first_player_is_the_big_blind_and_acts_last_before_the_flop() -> None:
    from poker_actors.cards import Deck

    hand = DEFINITIONS["holdem.limit.2p"].hand(Deck.seeded(1))
    assert hand.bets == (10, 5)
    assert hand.to_act == (1, 0)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("numPlayers = 3", "numPlayers = 11", "numPlayers = 11: 2 to 10 can play"),
        ("numPlayers = 3", "numPlayers = 4", "4 players need 4 numbers"),
        ("numPlayers = 3", "numPlayers = 2 3", "line 3: 'numPlayers = 2 3' lacks the numbers"),
        ("numRounds = 4", "numRounds = 1", "numrounds = 1: the hold'em played here has 4"),
        ("numHoleCards = 2", "numHoleCards = 4", "numholecards = 4: the hold'em played here has 2"),
        ("numSuits = 4\n", "", "numsuits is missing"),
        ("0 3 1 1", "0 3 1 2", "numboardcards = 0 3 1 2"),
        ("3 1 1 1", "2 1 1 1", "firstplayer = 2 1 1 1: the hold'em played here has 3 1 1 1"),
        ("50 100 0", "100 50 0", "3 players post the small blind, the big one, then 0"),
        ("50 100 0", "50 100 200", "3 players post"),
        ("50 100 0", "0 0 0", "3 players post"),
        ("20000 20000 20000", "20000 20000 9000", "more than two players begin with the same stack"),
        ("20000 20000 20000", "100 100 100", "a stack is above the big blind of 100"),
        ("20000 20000 20000", "20000 20000", "3 players need 3 numbers"),
        ("nolimit", "nolimit\nmaxRaises = 3 4 4 4", "no-limit raises are not counted here"),
        ("nolimit", "limit", "raisesize is missing"),
        ("nolimit", "potlimit", "line 2: 'potlimit' is not a field"),
        ("blind = ", "blind = -", "is not a field"),
        ("numPlayers = 3", "numPlayers =", "line 3: 'numPlayers =' lacks the numbers"),
        ("20000 20000 20000", "20000 20000 99999999999", "lacks the numbers"),
        ("20000 20000 20000", "2147483648 2147483648 2147483648", "at most 2147483647"),
        ("nolimit", "nolimit 2", "'nolimit 2' is not a field"),
        ("GAMEDEF\n", "GAMEDEF 2\n", "'GAMEDEF 2' is not a field"),
    ],
)
def test_a_game_that_is_not_played_here_is_refused_by_its_field(old: str, new: str, said: str) -> None:
    assert old in NO_LIMIT
    with pytest.raises(BadSpec, match=said):
        parse_definition(NO_LIMIT.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("10 10 20 20", "10 10 20 40", "raisesize = 10 10 20 40: the hold'em played here has 10 10 20 20"),
        ("maxRaises = 3 4 4 4\n", "", "maxraises is missing"),
        ("maxRaises = 3 4 4 4", "maxRaises = 4 4 4 4", "maxraises = 4 4 4 4"),
    ],
)
def test_limit_games_raise_by_the_big_blind_at_most_four_bets(old: str, new: str, said: str) -> None:
    text = str(DEFINITIONS["holdem.limit.2p"])
    assert old in text
    with pytest.raises(BadSpec, match=said):
        parse_definition(text.replace(old, new))


def test_heads_up_the_big_blind_is_named_first() -> None:
    text = str(DEFINITIONS["holdem.nolimit.2p"]).replace("100 50", "50 100")
    with pytest.raises(BadSpec, match="blind = 50 100: 2 players post the big blind, then the small one"):
        parse_definition(text)


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(
        BadSpec, match=r"no game is called 'holdem.nolimit.2', did you mean holdem.nolimit.2p\?"
    ):
        definition_named("holdem.nolimit.2")


def test_a_file_that_is_too_long_is_not_read_to_its_end() -> None:
    with pytest.raises(BadSpec, match="at most 65536 characters"):
        parse_definition("#" * 70_000)
