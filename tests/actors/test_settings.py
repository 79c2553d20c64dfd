"""Every setting of a room, a table and a deal is checked where it enters, and may be text where the command line takes text."""

from __future__ import annotations

from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime, Table
from poker_actors.errors import BadSpec, PokerError
from poker_actors.rules import GAMES, HOLDEM, Stakes


@pytest.mark.parametrize(
    ("setting", "value", "says"),
    [
        ("stakes", "1-2", "blinds '1-2' are not SMALL/BIG"),
        ("stakes", 5, "stakes 5 are neither Stakes nor text"),
        ("stakes", (1, 2), "stakes (1, 2) are neither Stakes nor text"),
        ("game", "holdm", "no game is called 'holdm', did you mean holdem?"),
        ("game", 7, "game 7 is neither a Game nor the name of one"),
        ("game", None, "game None is neither a Game nor the name of one"),
        ("options", "x", "options 'x' is neither CashOptions(...) nor None"),
        ("time_bank", 30, "time_bank 30 is neither TimeBank(...) nor None"),
        ("seats", "6", "seats '6' is not a whole number"),
        ("seats", 1, "1 seats"),
        ("seats", 10**9, "1000000000 seats"),
        ("button", 0.5, "button 0.5 is not a whole number"),
        ("button", 9, "button 9 is not a seat"),
        ("button_moves", "no", "button_moves 'no' must be True or False"),
        ("restack", -1, "restack is -1: the minimum is 0"),
        ("restack", "200", "restack is '200': chips must be whole numbers"),
        ("first_hand", -1, "first_hand -1 is below 0"),
        ("name", 5, "table 5: a name must be 1 to 64 printable characters"),
        ("name", "", "table ''"),
    ],
)
def test_a_setting_that_cannot_be_is_named_with_its_value(setting: str, value: Any, says: str) -> None:
    with Room(StepRuntime(), seed=1) as room:
        with pytest.raises(BadSpec) as refused:
            room.open_table(**{"name": "main", setting: value})
        assert says in str(refused.value)
        assert refused.value.code == "bad_spec"
        assert dict(room.tables) == {}


@pytest.mark.parametrize(
    ("game", "stakes", "says"),
    [
        ("stud", "1/2", "stud begins with a bring-in, but the stakes 1/2 have none"),
        ("holdem", GAMES["stud"].stakes, "bring-in 2: holdem has none"),
        ("open-face", "1/2", "open-face is played for points, without blinds"),
    ],
)
def test_a_table_whose_stakes_do_not_fit_its_game_is_not_opened_and_no_hand_dealt(
    game: str, stakes: Stakes, says: str
) -> None:
    with Room(StepRuntime(), seed=1) as room:
        with pytest.raises(BadSpec, match=says):
            room.open_table("main", stakes=stakes, game=game, seats=2)
        table = room.open_table("main", stakes=GAMES[game].stakes, game=game, seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=200)
            table.sit(player)
            table.buy_in(player, 200)
        with pytest.raises(BadSpec, match=says):
            table.deal(stakes=stakes)
        assert not table.deal().result(timeout=60).voided


def test_stakes_and_games_may_be_text() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table("attic", stakes="5/10", game="omaha", seats=3)
        assert (table.config.stakes, table.config.game) == (Stakes(5, 10), GAMES["omaha"])
        assert room.open_table("cellar", game="limit-holdem").config.stakes == GAMES["limit-holdem"].stakes
        assert room.open_table("porch").config.game is HOLDEM


@pytest.fixture
def table() -> Any:
    with Room(StepRuntime(), seed=1) as room:
        table = room.open_table(seats=2)
        for name in ("ann", "bob"):
            player = room.player(name, "caller", chips=200)
            table.sit(player)
            table.buy_in(player, 200)
        yield table


@pytest.mark.parametrize("wrong", [{"deck": "x"}, {"stakes": "1"}, {"stakes": 1}, {"positions": 3}])
def test_what_a_deal_is_given_is_checked_before_anything_happens(table: Table, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadSpec, match=str(next(iter(wrong))) + "|blinds"):
        table.deal(**wrong)
    assert table.state().hand_id is None
    assert table.deal(stakes="2/4").result().number == 0


@pytest.mark.parametrize("amount", ["5", 0.5, True, None, -1, 0, float("nan"), 10**30])
def test_an_amount_that_is_no_number_of_chips_is_refused(table: Table, amount: Any) -> None:
    before = table.state()
    with pytest.raises(PokerError):
        table.buy_in("ann", amount)
    assert table.state() == before
