"""What everybody has won and lost over all hands, longer than the hands themselves are kept; and who is listed by it."""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from math import sqrt
from random import Random
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import pytest

from poker_actors.server.hspe import Game, Order, Setting
from poker_actors.server.live import DAYS_KEPT, HANDS_KEPT, Announcement, Hands, Results, Tournaments
from poker_actors.server.live.results import LEAST_HANDS, MOST_ROWS
from tests.unit.server.test_server_ledger import call_down
from tests.unit.server.test_server_tournaments import play_on

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
    fold(house, game, 2)
    told = results.of_user(ann.id)
    assert told["hands"] == DAYS_KEPT + 12
    assert len(told["days"]) == DAYS_KEPT
    assert len(house.notes.under(f"results/{ann.id}/")) == DAYS_KEPT + 1
    assert sum(day["hands"] for day in told["days"]) == DAYS_KEPT + 1


def test_a_hand_counts_for_the_people_who_were_dealt_in(house: House) -> None:
    results = Results(house.lobby)
    game, users = house.game_of("ann", "bob", "cyd", pause=60.0, think=0.0)
    house.lobby.seat_house(users[0], game.id, ["caller"])
    game.sit_out(users[2].id, out=True)
    for _ in range(3):
        call_down(house, game)
        house.run(61)
    assert [results.of_user(user.id)["hands"] for user in users] == [3, 3, 1]
    assert {key.split("/")[0] for key in house.notes.under("results/")} == {user.id for user in users}


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


def test_who_has_left_is_told_of_a_hand_once_it_is_seen_after_a_restart_too(
    reopened: Callable[[], House],
) -> None:
    house = reopened()
    results = Results(house.lobby)
    game, users = house.game_of("ann", "bob", watch_delay=300, turn_seconds=600)
    assert game.turn is not None
    (stayer,), (leaver,) = [
        [user for user in users if (user.id == game.turn.user) is acts] for acts in (True, False)
    ]
    game.leave(leaver.id)
    house.run()
    if game.turn is not None:
        fold(house, game, 1)
    present = [results.of_user(user.id) for user in (stayer, leaver)]
    assert [one["hands"] for one in present] == [1, 0], "only who sits is told"
    assert present[1]["days"] == [], "not even that there was a hand"
    house.clock.time += 10
    again = reopened()
    again.clock.time = house.clock.time
    results = Results(again.lobby)
    assert [results.of_user(user.id) for user in (stayer, leaver)] == present
    again.clock.time += 289
    assert results.of_user(leaver.id) == present[1]
    again.clock.time += 2
    told = results.of_user(leaver.id)
    assert (told["hands"], told["net"]) == (1, -present[0]["net"])


# -- the board -------------------------------------------------------------------------------

MIDNIGHT = 1_400_025_600.0
"""When 2014-05-14 begins."""
OLD = "results/{}/{}"


def board(results: Results) -> Any:
    return json.loads(told(results)[0])


def told(results: Results) -> tuple[bytes, str]:
    return asyncio.run(results.board.told())


def names(span: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Who has a place, and who has too few hands for one."""
    return [one["name"] for one in span["players"]], [one["name"] for one in span["fewer"]]


class Recount:
    """Every hand's nets, straight from the hands: a count that shares nothing with the sums."""

    def __init__(self, house: House) -> None:
        self.nets: dict[tuple[str, str], list[float]] = defaultdict(list)
        """name and day -> nets in big blinds"""
        house.lobby.on_ended.append(self.ended)
        self.house = house

    def ended(self, game: Game, hand: Any, hand_id: str, players: Any) -> None:
        day = datetime.fromtimestamp(self.house.clock.time, UTC).strftime("%Y-%m-%d")
        for seat, member in players.items():
            net = hand.stacks[seat] - hand.starting[seat]
            self.nets[member.user.name, day].append(net / game.setting.big_blind)

    def check(self, span: dict[str, Any], first: str, last: str) -> None:
        for row in span["players"]:
            nets = [
                net
                for (name, day), each in self.nets.items()
                if name == row["name"] and first <= day <= last
                for net in each
            ]
            margin = 1.98 * stdev(nets) / sqrt(len(nets))  # Student's t of 100 to 240 hands: 1.984 to 1.970
            assert row["hands"] == len(nets)
            assert row["bb_per_100"] == pytest.approx(100 * fmean(nets), abs=0.06)
            assert row["margin"] == pytest.approx(100 * margin, rel=0.006)


def test_the_board_has_the_nets_and_margins_of_all_hands_in_big_blinds(reopened: Callable[[], House]) -> None:
    house = reopened()
    results, count = Results(house.lobby), Recount(house)
    users = [house.user(name) for name in ("ann", "bob", "cyd")]
    game, _ = house.lobby.make(users[0], Setting(turn_seconds=600, buy_in=200))
    house.lobby.join(users[1], game.id)
    house.run()
    fold(house, game, LEAST_HANDS - 1)
    house.clock.time += DAY
    fold(house, game, 20)
    large, _ = house.lobby.make(users[0], Setting(small_blind=30, big_blind=70, turn_seconds=600))
    house.lobby.join(users[2], large.id)
    house.run()
    fold(house, large, 25)
    results.board.put(users[0].id, listed=True)
    house.clock.time = MIDNIGHT + DAY - 1  # of the two days the first is over
    assert names(board(results)["all"]) == ([], ["ann"])
    house.clock.time += 301
    told = board(results)
    assert told["as_of"] == "2014-05-14"
    assert names(told["all"]) == (["ann"], [])
    for span, since in (("week", "2014-05-08"), ("month", "2014-04-15"), ("all", "")):
        assert told[span]["since"] == (since or None)
        count.check(told[span], since, "2014-05-14")
    assert told["all"]["players"][0]["hands"] == LEAST_HANDS + 44
    results.board.put(users[2].id, listed=True)
    assert names(board(results)["week"]) == (["ann"], ["cyd"])
    house.clock.time = MIDNIGHT + 7 * DAY + 300
    told = board(results)
    assert names(told["week"]) == ([], ["ann", "cyd"])
    count.check(told["month"], "2014-05-13", "2014-05-20")
    again = reopened()
    again.clock.time = house.clock.time
    assert board(Results(again.lobby)) == told


def test_a_hand_counts_on_the_board_once_its_day_and_every_delay_are_over(house: House) -> None:
    results = Results(house.lobby)
    game, (ann, _) = house.game_of("ann", "bob", watch_delay=300, turn_seconds=600)
    results.board.put(ann.id, listed=True)
    house.clock.time = MIDNIGHT - 0.5
    fold(house, game, 1)
    unseen, tag = told(results)
    assert json.loads(unseen)["all"]["of"] == 0
    house.clock.time = MIDNIGHT + 299.4
    assert told(results)[0] is unseen, "made once"
    house.clock.time = MIDNIGHT + 300
    assert board(results)["all"]["fewer"] == [{"name": "ann", "hands": 1}]
    assert told(results)[1] != tag
    fold(house, game, 1)
    assert board(results)["all"]["fewer"] == [{"name": "ann", "hands": 1}]


def test_only_who_wants_it_is_on_the_board_and_who_is_deleted_is_gone_at_once(house: House) -> None:
    results = Results(house.lobby)
    game, users = house.game_of("ann", "bob", "cyd")
    house.lobby.seat_house(users[0], game.id, ["caller"])
    house.run(60)
    for user in users:
        if user.id in game.roster.playing:  # the others have not taken their turns
            game.leave(user.id)
    house.run(60)
    house.clock.time += 2 * DAY
    assert board(results)["all"]["of"] == 0
    assert not any(results.board.lists(user.id) for user in users)
    for user in users:
        results.board.put(user.id, listed=True)
        results.board.put(user.id, listed=True)
    assert sorted(names(board(results)["all"])[1]) == ["ann", "bob", "cyd"]
    results.board.put(users[2].id, listed=False)
    house.users.delete(users[0])
    assert names(board(results)["all"])[1] == ["bob"]
    assert set(house.notes.under("board/")) == {users[0].id, users[1].id}
    for forget in house.lobby.on_clear_up:
        forget()
    assert set(house.notes.under("board/")) == {users[1].id}
    assert names(board(results)["all"])[1] == ["bob"]
    assert not results.board.lists(users[0].id)


def test_days_of_before_the_board_are_read_and_do_not_count_on_it(house: House) -> None:
    ann = house.user("ann")
    house.notes.put(OLD.format(ann.id, "2014-05-13"), "[500, 70]")
    house.notes.put("board/" + ann.id, "listed")
    results = Results(house.lobby)
    game, _ = house.lobby.make(ann)
    house.lobby.join(house.user("bob"), game.id)
    house.run()
    fold(house, game, 2)
    assert results.of_user(ann.id)["hands"] == 502
    house.clock.time += DAY
    assert board(results)["all"]["fewer"] == [{"name": "ann", "hands": 2}]


def test_hands_of_tournaments_do_not_count_on_the_board(house: House) -> None:
    results, tournaments = Results(house.lobby), Tournaments(house.lobby)
    users = [house.user(name) for name in ("ann", "bob")]
    event = tournaments.make(users[0], Announcement(players=2, seats=2))
    tournaments.enter(users[1], event)
    play_on(house, tournaments, event, users, 8)
    assert house.ended
    results.board.put(users[0].id, listed=True)
    house.clock.time += DAY
    assert board(results)["all"]["of"] == 0


def test_the_board_is_sorted_by_the_lower_end_and_has_so_many_rows(house: House) -> None:
    sums = {"sure": (10_000, 100_000), "lucky": (LEAST_HANDS, 100_000), "new": (LEAST_HANDS - 1, 99_000)}
    for number in range(MOST_ROWS):
        sums[f"even {number:03}"], sums[f"newer {number:03}"] = (200, 0), (1 + number % 2, 0)
    for name, (hands, parts) in sums.items():
        user = house.user(name)
        # each of these hands brought or cost ten big blinds or more
        whole = json.dumps([hands, 0, hands, parts, hands * 10_000**2 + parts**2])
        house.notes.put(OLD.format(user.id, "before" if name == "sure" else "2014-04-14"), whole)
        house.notes.put("board/" + user.id, "listed")
    told = board(Results(house.lobby))
    players, fewer = names(told["all"])
    assert players == ["sure", *[f"even {number:03}" for number in range(MOST_ROWS - 1)]]
    assert fewer[:2] == ["new", "newer 001"]
    assert len(fewer) == MOST_ROWS
    assert told["all"]["of"] == len(sums)
    lows = [one["bb_per_100"] - one["margin"] for one in told["all"]["players"]]
    assert lows == sorted(lows, reverse=True)
    assert (
        told["month"]["of"] == len(sums) - 1
    )  # as of the 12th: the 14th of April is in it, and no sum of before
    assert told["week"]["of"] == 0


def noted(house: House, count: int, hands: Callable[[int], int]) -> list[Any]:
    """Register users, all listed, with notes of so many hands each on two days."""
    users = [house.user(f"user {number:03}") for number in range(count)]
    for number, user in enumerate(users):
        for day in ("2014-05-10", "2014-05-12"):
            parts = (number * 7_919) % 90_000
            whole = json.dumps([hands(number), 0, hands(number), parts, hands(number) * parts**2])
            house.notes.put(OLD.format(user.id, day), whole)
        house.notes.put("board/" + user.id, "listed")
    return users


def test_turns_go_on_while_the_rows_of_a_new_day_are_made(house: House) -> None:
    users = noted(house, 300, lambda number: number % 120 + 1)
    results = Results(house.lobby)

    async def main() -> tuple[int, tuple[bytes, str], tuple[bytes, str]]:
        asked = [asyncio.create_task(results.board.told()) for _ in range(2)]
        steps = 0
        while not all(one.done() for one in asked):
            await asyncio.sleep(0)
            steps += 1
            if steps == 10:  # some of these have rows, some do not
                for user in users[::3]:
                    results.board.put(user.id, listed=False)
                for user in users[1::30]:
                    house.users.delete(user)
                for user in users[:60:3]:
                    results.board.put(user.id, listed=True)
        return steps, asked[0].result(), asked[1].result()

    steps, first, second = asyncio.run(main())
    assert 20 <= steps < 100, "of 220 rows a few are made at a time"
    assert first == second == told(Results(house.lobby))
    listed = names(json.loads(first[0])["all"])
    assert {name for each in listed for name in each} <= {
        user.name for user in users[:60:3] + users[1::3] + users[2::3]
    }


@pytest.mark.parametrize("seed", range(3))
def test_rows_that_come_and_go_make_the_board_that_is_made_at_once(house: House, seed: int) -> None:
    rng = Random(seed)
    users = noted(house, 40, lambda number: rng.choice([0, 1, 49, 50, 51, 200]))
    results = Results(house.lobby)
    for _ in range(60):
        user = rng.choice(users)
        what = rng.random()
        if what < 0.05:
            house.clock.time += DAY
        elif what < 0.1 and house.users.get(user.id) is not None:
            house.users.delete(user)
        elif what < 0.15:
            for forget in house.lobby.on_clear_up:
                forget()
        elif house.users.get(user.id) is not None:
            results.board.put(user.id, listed=rng.random() < 0.5)
        assert told(results) == told(Results(house.lobby))


@pytest.mark.parametrize(
    "text",
    [
        *("[3, 0, 3, 30]", "[3, 0, 3, 30, 299]", "[3, 0, 3, 30, 300, 1]", "[3, 0, -1, 0, 1]"),
        *(
            "[3, 0, 0]",
            "[3, 0, 3, 30, 300, []]",
            "[3, 0, 3, 30, 300, [9]]",
            "[3, 0, 3, 30, 300, [9, 1, 0, 1, 3, 8]]",
        ),
    ],
)
def test_sums_that_no_hands_have_are_set_aside(house: House, text: str) -> None:
    house.notes.put(OLD.format("ann", "2014-05-13"), text)
    house.notes.put(OLD.format("ann", "2014-05-14"), "[3, 0, 3, 30, 300]")
    assert Results(house.lobby).of_user("ann")["hands"] == 3
    assert list(house.notes.under("results/")) == ["ann/2014-05-14"]
