"""The end-to-end hand of the Elixir series, and the faults of its code that ours does not have."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from poker_actors.actors import HandState, News, Player, Room, StepRuntime, Table
from poker_actors.actors.runtime import quiet_logs
from poker_actors.cards import Deck, parse_cards
from poker_actors.errors import IllegalAction, TableRefusal
from poker_actors.rules import Stakes
from tests.actors.told import CRASH

HOLES = ["JcTc", "JsTs", "AsJd"]
BOARD = "Ad9h8sJhQd"
ACTIONS = [
    ("three", 10), ("one", 5), ("two", 0),
    ("one", 0), ("two", 25), ("three", 50), ("one", 50), ("two", 25),
    ("one", 0), ("two", 0), ("three", 50), ("one", None), ("two", 50),
    ("two", 0), ("three", 50), ("two", 100), ("three", 50),
]  # fmt: skip
"""Who, and the chips put in now; None folds."""


def seat_three(room: Room, stakes: Stakes | None = None) -> tuple[Table, list[Player]]:
    table = room.open_table("main", stakes=stakes or Stakes(5, 10))
    players = [room.player(name, chips=1000) for name in ("one", "two", "three")]
    for seat, (player, amount) in enumerate(zip(players, (1000, 1000, 800), strict=True), start=1):
        table.sit(player, seat)
        table.buy_in(player, amount)
    return table, players


def play_out(players: list[Player]) -> None:
    by_name = {player.name: player for player in players}
    for name, amount in ACTIONS:
        if amount is None:
            by_name[name].fold()
        else:
            by_name[name].bet(amount)


def crash(address_of: Table | Player) -> None:
    """Crash an actor."""
    address_of.address.tell(CRASH)


def test_the_end_to_end_hand_leaves_the_banks_of_the_series(room: Room) -> None:
    table, players = seat_three(room)
    crash(table)
    hand = table.deal(Deck.stacked(HOLES, BOARD))
    play_out(players)
    result = hand.result(timeout=60)
    assert result.positions.button == 3
    assert result.payoffs == (0, -60, 270, -210, 0, 0)
    for player in players:
        table.cash_out(player)
        table.leave(player)
    assert [room.bank.balance(name) for name in ("one", "two", "three")] == [940, 1270, 790]
    assert room.audit().conserved
    assert room.supervisor.restarts == 1


def test_each_player_hears_its_own_cards_and_nobody_elses(room: Room) -> None:
    heard: dict[str, list[HandState]] = {"one": [], "two": [], "three": []}
    table, players = seat_three(room)
    for player in players:
        player.listen(_collector(heard[player.name]))
    hand = table.deal(Deck.stacked(HOLES, BOARD))
    play_out(players)
    hand.result(timeout=60)
    room.close()
    for name, cards in zip(("one", "two", "three"), HOLES, strict=True):
        states = heard[name]
        assert len(states) == len(ACTIONS) + 1
        assert {state.hand for state in states} == {parse_cards(cards)}
        assert [state.seq for state in states] == list(range(len(ACTIONS) + 1))
    assert [state.pot for state in heard["one"]][:4] == [15, 25, 30, 30]
    assert [state.active for state in heard["three"]][:3] == [True, False, False]
    assert [state.phase for state in heard["one"]][:5] == ["preflop", "preflop", "preflop", "flop", "flop"]


def _collector(into: list[HandState]) -> Callable[[News], None]:
    return lambda news: into.append(news) if isinstance(news, HandState) else None


def test_the_best_hand_wins_not_the_worst(room: Room) -> None:
    table, players = seat_three(room)
    hand = table.deal(Deck.stacked(["2c7d", "3c8d", "AsAh"], "AdKhQs5c4d"))
    players[2].call()
    players[0].call()
    players[1].check()
    for _ in range(3):
        players[0].check()
        players[1].check()
        players[2].check()
    assert hand.result(timeout=60).payoffs == (0, -10, -10, 20, 0, 0)


def test_ties_share_the_pot_and_no_chip_is_lost(room: Room) -> None:
    table, players = seat_three(room)
    hand = table.deal(Deck.stacked(["2c3d", "2d3c", "2h3h"], "AsKsQsJsTs"))
    players[2].call()
    players[0].call()
    players[1].check()
    for _ in range(3):
        for player in players:
            player.check()
    assert hand.result(timeout=60).payoffs == (0,) * 6
    assert room.audit().conserved


def test_a_blind_that_a_stack_cannot_cover_is_posted_all_in_and_the_table_goes_on(room: Room) -> None:
    table = room.open_table("short", stakes=Stakes(5, 10))
    players = [
        room.player(name, "caller", chips=chips) for name, chips in (("ann", 3), ("bob", 500), ("cyd", 500))
    ]
    for player in players:
        table.sit(player)
        table.buy_in(player, room.bank.balance(player.name))
    results = table.play(1)
    assert sum(results[0].payoffs) == 0
    assert len(table.play(1)) == 1
    assert room.audit().conserved


def test_cash_out_buy_in_and_leave_during_a_hand_are_refused_and_the_hand_goes_on(room: Room) -> None:
    table, players = seat_three(room)
    hand = table.deal(Deck.stacked(HOLES, BOARD))
    commands: list[Callable[[], object]] = [
        lambda: table.cash_out(players[0]),
        lambda: table.buy_in(players[0], 10),
        lambda: table.leave(players[0]),
        table.deal,
    ]
    for command in commands:
        with pytest.raises(TableRefusal) as refusal:
            command()
        assert refusal.value.code == "hand_in_progress"
    play_out(players)
    assert hand.result(timeout=60).payoffs == (0, -60, 270, -210, 0, 0)


def test_the_button_moves_and_the_blinds_with_it(room: Room) -> None:
    table = room.open_table("main")
    for name in ("ann", "bob", "cyd"):
        player = room.player(name, "caller", chips=500)
        table.sit(player)
        table.buy_in(player, 500)
    assert [result.positions.button for result in table.play(4)] == [2, 0, 1, 2]


def test_dealing_to_one_player_is_refused_and_does_not_block_the_table(room: Room) -> None:
    table = room.open_table("main")
    player = room.player("ann", chips=100)
    table.sit(player, 0)
    table.buy_in(player, 100)
    for _ in range(2):
        with pytest.raises(TableRefusal) as refusal:
            table.deal()
        assert refusal.value.code == "not_enough_players"


def test_the_last_player_left_wins_at_once_without_checking(room: Room) -> None:
    table, players = seat_three(room)
    hand = table.deal(Deck.stacked(HOLES, BOARD))
    players[2].fold()
    players[0].fold()
    assert hand.result(timeout=60).payoffs == (0, -5, 5, 0, 0, 0)


def test_after_the_showdown_nobody_acts_any_more(room: Room) -> None:
    table, players = seat_three(room)
    hand = table.deal(Deck.stacked(HOLES, BOARD))
    play_out(players)
    hand.result(timeout=60)
    for player in players:
        with pytest.raises(IllegalAction) as refusal:
            player.check()
        assert refusal.value.code == "not_active"


def test_sitting_again_moves_the_player_with_the_stack(room: Room) -> None:
    table, players = seat_three(room)
    assert table.sit(players[0], 5) == 5
    seat = table.state().seats[5]
    assert seat is not None
    assert (seat.player, seat.stack) == ("one", 1000)
    assert table.state().seats[1] is None


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (lambda table, stranger, one: table.sit(stranger, 1), "seat_taken"),
        (lambda table, stranger, one: table.sit(stranger, 6), "seat_unavailable"),
        (lambda table, stranger, one: table.sit(stranger, -1), "seat_unavailable"),
        (lambda table, stranger, one: table.buy_in(stranger, 10), "not_at_table"),
        (lambda table, stranger, one: table.cash_out(stranger), "not_at_table"),
        (lambda table, stranger, one: table.leave(stranger), "not_at_table"),
        (lambda table, stranger, one: table.buy_in(one, 10), "insufficient_funds"),
        (lambda table, stranger, one: table.buy_in(one, -10), "bad_spec"),
        (lambda table, stranger, one: table.leave(one), "player_has_balance"),
    ],
)
def test_table_commands_are_refused_with_the_codes_of_the_series(
    room: Room, command: Callable[[Table, Player, Player], object], code: str
) -> None:
    table, players = seat_three(room)
    stranger = room.player("stranger")
    before = table.state()
    with pytest.raises(Exception) as refusal:  # noqa: PT011 - the code says which
        command(table, stranger, players[0])
    assert getattr(refusal.value, "code", None) == code
    assert table.state() == before


def test_an_action_out_of_turn_or_too_small_is_refused_and_changes_nothing(room: Room) -> None:
    table, players = seat_three(room)
    hand = table.deal(Deck.stacked(HOLES, BOARD))
    before = hand.state()
    with pytest.raises(IllegalAction) as refusal:
        players[0].bet(5)
    assert refusal.value.code == "not_active"
    with pytest.raises(IllegalAction) as refusal:
        players[2].bet(3)
    assert refusal.value.code == "not_enough"
    with pytest.raises(IllegalAction) as refusal:
        players[2].bet(801)
    assert refusal.value.code == "insufficient_funds"
    with pytest.raises(IllegalAction, match="raise_to 15 is below the minimum of 20"):
        players[2].raise_to(15)
    assert hand.state() == before


def test_a_silent_player_is_acted_for_when_its_time_is_up() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table = room.open_table("main", turn_seconds=15)
        for name in ("ann", "bob"):
            player = room.player(name, chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        hand = table.deal()
        runtime.advance(14.9)
        assert hand.state().seq == 0
        result = hand.result()
        assert result.payoffs[:2] == (1, -1)


def test_a_silent_player_does_not_stop_the_threads() -> None:
    with Room(seed=1) as room:
        table = room.open_table("main", turn_seconds=0.02)
        for name, bot in (("ann", None), ("bob", "caller")):
            player = room.player(name, bot, chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        result = table.deal().result(timeout=60)
        assert sum(result.payoffs) == 0


def play_out_with_kills(room: Room) -> None:
    """Play the end-to-end hand with the table killed before every action, and before everything after it."""
    table, players = seat_three(room)
    by_name = {player.name: player for player in players}
    ends: list[tuple[int, ...]] = []
    for player in players:
        player.listen(
            lambda news: (
                ends.append(news.public.stacks)
                if isinstance(news, HandState) and news.public.active is None
                else None
            )
        )
    crash(table)
    hand = table.deal(Deck.stacked(HOLES, BOARD))
    for name, amount in ACTIONS:
        crash(table)
        if amount is None:
            by_name[name].fold()
        else:
            by_name[name].bet(amount)
    crash(table)
    result = hand.result(timeout=60)
    assert (result.voided, result.payoffs) == (False, (0, -60, 270, -210, 0, 0))
    for player in players:
        crash(table)
        table.cash_out(player)
        table.leave(player)
        player.state()  # it has heard all that was told before
    assert [room.bank.balance(name) for name in ("one", "two", "three")] == [940, 1270, 790]
    assert set(ends) == {(0, 940, 1270, 590, 0, 0)}
    assert room.audit().conserved
    assert room.health().failed == ()


def test_a_table_killed_before_every_action_pays_the_banks_of_the_series(room: Room) -> None:
    room.supervisor.most_restarts = 1000
    play_out_with_kills(room)


SCENARIOS: list[Callable[[Room], None]] = [
    play_out_with_kills,
    test_the_end_to_end_hand_leaves_the_banks_of_the_series,
    test_each_player_hears_its_own_cards_and_nobody_elses,
    test_the_best_hand_wins_not_the_worst,
    test_ties_share_the_pot_and_no_chip_is_lost,
    test_a_blind_that_a_stack_cannot_cover_is_posted_all_in_and_the_table_goes_on,
    test_cash_out_buy_in_and_leave_during_a_hand_are_refused_and_the_hand_goes_on,
    test_dealing_to_one_player_is_refused_and_does_not_block_the_table,
    test_the_last_player_left_wins_at_once_without_checking,
    test_after_the_showdown_nobody_acts_any_more,
    test_sitting_again_moves_the_player_with_the_stack,
]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
@pytest.mark.parametrize("rounds", [3, pytest.param(100, marks=pytest.mark.heavy)])
def test_the_series_on_threads_again_and_again(scenario: Callable[[Room], None], rounds: int) -> None:
    with quiet_logs():
        for _ in range(rounds):
            with Room(seed=1) as room:
                room.supervisor.most_restarts = 1000
                scenario(room)
