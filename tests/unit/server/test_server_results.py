"""What everybody has won and lost over all hands, longer than the hands themselves are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from poker_actors.server.hspe import Game, Order, Setting
from poker_actors.server.live import DAYS_KEPT, HANDS_KEPT, Hands, Results

if TYPE_CHECKING:
    from tests.unit.server.conftest import House

DAY = 86_400


def fold(house: House, game: Game, hands: int) -> None:
    for _ in range(hands):
        assert game.turn is not None
        game.act(game.turn.user, Order(None))
        house.run()


def test_all_hands_count_by_day_and_after_a_kill(reopened: Callable[[], House]) -> None:
    house = reopened()
    results, hands = Results(house.lobby), Hands(house.lobby)
    users = [house.user(name) for name in ("ann", "bob")]
    game, _ = house.lobby.make(users[0], Setting(turn_seconds=120))
    house.lobby.join(users[1], game.id)
    house.run()
    fold(house, game, HANDS_KEPT + 5)
    house.clock.time += DAY
    fold(house, game, 3)
    told = [results.of_user(user.id) for user in users]
    assert [one["hands"] for one in told] == [HANDS_KEPT + 8] * 2
    assert told[0]["net"] == -told[1]["net"]
    assert [(day["day"], day["hands"]) for day in told[0]["days"]] == [("2014-05-13", 30), ("2014-05-14", 3)]
    assert len(hands.of_user(users[0].id)) == HANDS_KEPT
    again = Results(reopened().lobby)
    assert [again.of_user(user.id) for user in users] == told
    assert again.of_user("nobody") == {"hands": 0, "net": 0, "days": []}


def test_days_of_long_ago_become_one_sum_and_bots_of_the_house_have_none(house: House) -> None:
    results = Results(house.lobby)
    game, (ann, _) = house.game_of("ann", "bob")
    for _ in range(DAYS_KEPT + 10):
        fold(house, game, 1)
        house.clock.time += DAY  # nothing falls due: the next fold comes first
    told = results.of_user(ann.id)
    assert told["hands"] == DAYS_KEPT + 10
    assert len(told["days"]) == DAYS_KEPT
    assert len(house.notes.under(f"results/{ann.id}/")) == DAYS_KEPT + 1
    assert sum(day["hands"] for day in told["days"]) == DAYS_KEPT


def test_who_is_deleted_leaves_no_results(house: House) -> None:
    results = Results(house.lobby)
    game, (ann, bob) = house.game_of("ann", "bob")
    fold(house, game, 1)
    for user in (ann, bob):
        game.leave(user.id)
    house.run(60)
    house.users.delete(ann)
    for forget in house.lobby.on_clear_up:
        forget()
    assert results.of_user(ann.id)["hands"] == 0
    assert {key.split("/")[0] for key in house.notes.under("results/")} == {bob.id}


def test_a_record_that_does_not_read_is_set_aside(house: House) -> None:
    house.notes.put("results/ann/2014-05-13", "[1]")
    house.notes.put("results/ann/2014-05-14", "[1, 2]")
    assert Results(house.lobby).of_user("ann")["hands"] == 1
    assert list(house.notes.under("results/")) == ["ann/2014-05-14"]
    assert list(house.notes.under("set aside/")) == ["results/ann/2014-05-13"]
