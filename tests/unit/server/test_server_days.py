"""Turns that take hours and days: their end is a point in real time, over restarts and housekeeping."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from poker_actors.errors import BadSpec
from poker_actors.server.hspe import MOST_TURN_SECONDS, Game, Setting, read_setting
from tests.unit.server.conftest import House, picture
from tests.unit.server.test_server_clearing import GuardedHouse, guarded
from tests.unit.server.test_server_pace import fold, table_of, to_act

if TYPE_CHECKING:
    from poker_actors.server import User

__all__ = ["guarded"]

DAY = 86_400
SLOW = Setting(turn_seconds=3 * DAY)


def slow_table(house: House, setting: Setting = SLOW) -> tuple[Game, list[User]]:
    return table_of(house, setting, "ann", "bob", "cat")


def expiry(game: Game) -> float:
    assert game.turn is not None
    return game.turn.expiry


def again(reopened: Callable[[], House], house: House, game: Game, down: float) -> tuple[House, Game]:
    """Kill a house, and start it `down` seconds later."""
    now = house.clock.time
    after = reopened_at(reopened, now + down)
    return after, after.lobby.games[game.id]


def reopened_at(reopened: Callable[[], House], now: float) -> House:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.unit.server.conftest.START", now)
        return reopened()


@pytest.mark.parametrize("seconds", [10, 121, DAY, MOST_TURN_SECONDS])
def test_a_table_may_give_its_players_up_to_two_weeks_for_a_turn(seconds: int) -> None:
    assert read_setting(b'{"turn_seconds": %d}' % seconds, "").turn_seconds == seconds


def test_more_than_two_weeks_are_refused_with_the_limit() -> None:
    with pytest.raises(BadSpec, match="turn_seconds 1209601 is not 10 to 1209600 seconds"):
        read_setting(b'{"turn_seconds": 1209601}', "")


def test_a_turn_of_days_lasts_to_its_last_minute_and_no_longer(house: House) -> None:
    game, _ = slow_table(house)
    slow, end = to_act(game), house.clock.time + 3 * DAY
    assert picture(game, None)["turn"]["expiry"] == end
    assert picture(game, None)["turn_seconds"] == 3 * DAY
    house.run(3 * DAY - 60)
    assert to_act(game) == slow
    house.run(60)
    assert game.turn is None or to_act(game) != slow
    assert game.roster.playing[slow].away == end


def test_a_turn_ends_by_the_time_of_day_though_the_machine_slept(house: House) -> None:
    game, _ = slow_table(house)
    slow = to_act(game)
    house.clock.time += 3 * DAY  # no call was made: the loop's clock stood still
    house.run(1)
    assert game.turn is None or to_act(game) != slow


def test_a_restart_in_the_middle_of_a_long_turn_keeps_its_end(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, _ = slow_table(house)
    slow, end = to_act(game), expiry(game)
    house.run(DAY)
    house, game = again(reopened, house, game, down=DAY)
    assert (to_act(game), expiry(game)) == (slow, end)
    house, game = again(reopened, house, game, down=60)
    assert (to_act(game), expiry(game)) == (slow, end), "the second restart keeps it, too"
    house.run(end - house.clock.time - 1)
    assert to_act(game) == slow
    house.run(1)
    assert game.turn is None or to_act(game) != slow


def test_who_could_not_act_while_the_server_was_down_has_a_tenth_of_the_turn(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    game, _ = slow_table(house)
    slow = to_act(game)
    house, game = again(reopened, house, game, down=10 * DAY)
    assert (to_act(game), expiry(game)) == (slow, house.clock.time + 0.3 * DAY)


def test_after_a_restart_a_turn_of_minutes_has_a_minute_left_at_least(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, _ = slow_table(house, Setting(turn_seconds=120))
    house, game = again(reopened, house, game, down=DAY)
    assert expiry(game) == house.clock.time + 60


def test_a_short_turn_begins_anew_after_a_restart_and_costs_no_write(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, _ = slow_table(house, Setting(turn_seconds=59))
    assert not house.notes.under("due/")
    house, game = again(reopened, house, game, down=DAY)
    assert expiry(game) == house.clock.time + 59


def test_the_next_turn_has_all_its_time_after_a_restart(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, _ = slow_table(house)
    house, game = again(reopened, house, game, down=DAY)
    fold(house, game)
    assert expiry(game) == house.clock.time + 3 * DAY


def test_a_time_bank_that_runs_goes_on_after_a_restart(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, _ = slow_table(house, Setting(turn_seconds=120, time_bank=600))
    house.run(120)
    end = expiry(game)
    assert picture(game, None)["turn"]["bank"]
    house, game = again(reopened, house, game, down=100)
    assert picture(game, None)["turn"]["bank"]
    assert expiry(game) == end


SHORT = Setting(turn_seconds=15, time_bank=600)
LONG = Setting(turn_seconds=DAY, time_bank=600)


def in_bank(game: Game) -> bool:
    return bool(picture(game, None)["turn"]["bank"])


@pytest.mark.parametrize("setting", [SHORT, LONG])
def test_two_restarts_in_a_time_bank_neither_give_nor_take(
    reopened: Callable[[], House], setting: Setting
) -> None:
    house = reopened()
    game, _ = slow_table(house, setting)
    slow = to_act(game)
    house.run(setting.turn_seconds or 0.0)
    end = expiry(game)
    assert end == house.clock.time + 600
    for down in (100, 150):
        house.run(10)
        house, game = again(reopened, house, game, down)
        assert (to_act(game), expiry(game), in_bank(game)) == (slow, end, True)
    house.run(30)
    fold(house, game)
    assert game.roster.playing[slow].bank == 600 - 10 - 100 - 10 - 150 - 30
    assert reopened_at(reopened, house.clock.time).lobby.games[game.id].roster.playing[slow].bank == 300


@pytest.mark.parametrize("setting", [SHORT, LONG])
@pytest.mark.parametrize("left", [20, -1000])
def test_the_minute_to_act_after_a_restart_is_no_part_of_the_time_bank(
    reopened: Callable[[], House], setting: Setting, left: int
) -> None:
    house = reopened()
    game, _ = slow_table(house, setting)
    slow = to_act(game)
    house.run(setting.turn_seconds or 0.0)
    house, game = again(reopened, house, game, 600 - left - 5)
    house, game = again(reopened, house, game, 5)
    assert (to_act(game), expiry(game), in_bank(game)) == (slow, house.clock.time + 60, True)
    assert picture(game, None)["turn"]["seconds"] >= 60, "no more is left than there was"
    house.run(8)
    fold(house, game)
    assert game.roster.playing[slow].bank == max(0, left - 8)


def test_who_does_not_act_in_that_minute_sits_out_with_an_empty_bank(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, _ = slow_table(house, LONG)
    slow = to_act(game)
    house.run(DAY)
    house, game = again(reopened, house, game, DAY)
    house.run(59)
    assert to_act(game) == slow
    house.run(1)
    assert game.roster.playing[slow].away is not None
    assert game.roster.playing[slow].bank == 0


def test_a_record_of_a_turn_that_does_not_read_is_set_aside(reopened: Callable[[], House]) -> None:
    house = reopened()
    game, _ = slow_table(house)
    house.notes.put(f"due/{game.id}", "[1]")
    house, game = again(reopened, house, game, down=DAY)
    assert expiry(game) == house.clock.time + 3 * DAY
    assert len(house.notes.asides) == 1


def test_the_end_of_a_turn_is_forgotten_with_its_table(guarded: Callable[..., GuardedHouse]) -> None:
    house = guarded()
    game, users = slow_table(house)
    assert house.notes.under("due/")
    for user in users:
        game.leave(user.id)
    house.clear_up(20)
    house.clear_up(700)
    assert game.id not in house.lobby.games
    assert not house.notes.under("due/")


def test_nobody_at_a_slow_table_is_cleared_up_while_a_turn_takes_its_time(
    guarded: Callable[..., GuardedHouse],
) -> None:
    house = guarded()
    game, users = slow_table(house)
    slow = to_act(game)
    for _ in range(70):
        house.clear_up(3600)
    assert to_act(game) == slow
    assert set(game.roster.playing) == {user.id for user in users}
    assert all(house.users.get(user.id) is user for user in users)


def test_who_misses_a_turn_of_days_has_a_turn_of_days_to_come_back(
    guarded: Callable[..., GuardedHouse],
) -> None:
    house = guarded()
    game, _ = slow_table(house)
    slow = to_act(game)
    house.run(3 * DAY)
    assert game.roster.playing[slow].away is not None
    house.clear_up(2 * DAY)
    assert slow in game.roster.playing
    house.clear_up(2 * DAY)
    assert slow not in game.roster.playing
