"""The waiting list: who waits gets the seat that frees, with the buy-in asked for, whatever crashes."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from poker_actors.actors import DeckOpened, HandState, News, Player, Room, StepRuntime, Table, TableNews
from poker_actors.actors.messages import Shut, Sit
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, PokerError, StorageFailed, TableRefusal
from poker_actors.rules import Stakes
from poker_actors.store import MemoryStorage, open_journal
from tests.actors.durable_evening import FailingStorage
from tests.actors.faulty_runtime import Fault, FaultyRuntime

CHIPS = 500
STACK = 100


def full_table(room: Room) -> tuple[Table, dict[str, Player]]:
    """Two seats, ann and bob in them, cyd and dan at the door."""
    table = room.open_table("main", seats=2, stakes=Stakes(5, 10))
    players = {name: room.player(name, "caller", chips=CHIPS) for name in ("ann", "bob", "cyd", "dan")}
    for name in ("ann", "bob"):
        table.sit(players[name])
        table.buy_in(players[name], STACK)
    return table, players


def stand_up(table: Table, player: Player) -> None:
    table.cash_out(player)
    table.leave(player)


def waiting(table: Table) -> list[tuple[str, int]]:
    return [(one.player, one.buy_in) for one in table.state().waiting]


def seated(table: Table) -> list[tuple[str, int] | None]:
    return [(seat.player, seat.stack) if seat else None for seat in table.state().seats]


def test_who_waits_is_seated_in_turn_with_the_buy_in_asked_for(room: Room) -> None:
    table, players = full_table(room)
    assert table.wait(players["cyd"], 70) == 1
    assert table.wait(players["dan"]) == 2
    assert waiting(table) == [("cyd", 70), ("dan", 0)]
    assert [table.state().place_of(name) for name in ("cyd", "dan", "ann")] == [1, 2, 0]
    stand_up(table, players["ann"])
    assert seated(table) == [("cyd", 70), ("bob", STACK)]
    assert waiting(table) == [("dan", 0)]
    stand_up(table, players["bob"])
    assert seated(table) == [("cyd", 70), ("dan", 0)]
    assert waiting(table) == []
    assert room.bank.balance("cyd") == CHIPS - 70
    assert room.audit().conserved


def test_one_of_two_who_wait_is_seated_where_one_seat_frees_and_told_what_happened() -> None:
    storage = MemoryStorage()
    runtime = StepRuntime()
    with Room(runtime, seed=1, store=open_journal(storage)) as room:
        table, players = full_table(room)
        table.wait(players["cyd"])
        table.wait(players["dan"], 70)
        heard: list[News] = []
        players["dan"].listen(heard.append)
        stand_up(table, players["ann"])
        runtime.run()
        assert seated(table) == [("cyd", 0), ("bob", STACK)]
        assert waiting(table) == [("dan", 70)]
        assert room.supervisor.restarts == 0
        said = [(one.what, one.player) for one in heard if isinstance(one, TableNews)]
        assert said == [("cashed_out", "ann"), ("left", "ann"), ("sat", "cyd")]
        written = len(storage.rows)
        assert table.cash_out(players["cyd"]) == 0
        assert len(storage.rows) == written, "nothing is booked where there is nothing"


def test_who_sits_there_already_keeps_the_seat_even_in_a_hand() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table, players = full_table(room)
        players["ann"].play_by(None)
        table.deal()
        runtime.run()
        heard: list[News] = []
        players["bob"].listen(heard.append)
        assert table.sit(players["ann"], 0) == 0
        runtime.run()
        assert heard == []
        stranger = runtime.address("stranger")
        other = room.open_table("other")
        assert other.ask(Sit("stranger", stranger, None)) == 0, (
            "without a journal whoever has an address may sit"
        )


def test_a_spectator_hears_once_what_is_said_until_it_watches_no_more() -> None:
    storage = MemoryStorage()
    runtime = StepRuntime()
    with Room(runtime, seed=1, store=open_journal(storage)) as room:
        table, players = full_table(room)
        heard: list[News] = []
        rail = room.player("rail")
        rail.listen(heard.append)
        table.watch(rail)
        table.watch(rail)
        table.sit_out(players["ann"])
        runtime.run()
        assert len(heard) == 1
        other = room.player("other")
        table.watch(other)
        written = len(storage.rows)
        room.supervisor.stop(other.address)
        runtime.run()
        assert len(storage.rows) == written, "the end of a spectator changes no seat"
        table.unwatch(rail)
        table.sit_in(players["ann"])
        runtime.run()
        assert len(heard) == 1


def test_a_seat_that_frees_at_a_table_that_is_shut_stays_free() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, players = full_table(room)
        table.wait(players["cyd"], 70)
        table.ask(Shut(void=False))
        stand_up(table, players["ann"])
        assert seated(table) == [None, ("bob", STACK)]
        assert waiting(table) == [("cyd", 70)]


def test_a_room_with_a_journal_takes_its_own_players_only() -> None:
    with Room(StepRuntime(), store=open_journal(MemoryStorage())) as room, Room(StepRuntime()) as other:
        table = room.open_table("main", seats=2)
        room.player("cyd")
        for stranger in (other.player("eve", chips=CHIPS), other.player("cyd", chips=CHIPS)):
            for come in (table.sit, table.wait):
                with pytest.raises(BadSpec, match=rf"^{stranger.name} is not a player of this room"):
                    come(stranger)
        assert waiting(table) == []


def test_a_seat_that_is_free_is_taken_at_once(room: Room) -> None:
    table, players = full_table(room)
    stand_up(table, players["bob"])
    assert table.wait(players["cyd"], 70) == 1
    assert seated(table) == [("ann", STACK), ("cyd", 70)]
    assert waiting(table) == []


def test_a_seat_frees_after_the_hand_and_who_gets_it_is_dealt_in(room: Room) -> None:
    table, players = full_table(room)
    table.wait(players["cyd"], 70)
    result = table.deal(Deck.seeded(1)).result(timeout=60)
    assert "cyd" not in result.players
    stand_up(table, players["ann"])
    assert set(table.deal(Deck.seeded(2)).result(timeout=60).players) == {"cyd", "bob"}


def test_everybody_at_the_table_and_in_line_hears_of_it(room: Room) -> None:
    table, players = full_table(room)
    heard: dict[str, list[Any]] = {name: [] for name in players}

    def listener(name: str) -> Callable[[News], None]:
        def hear(news: News) -> None:
            if isinstance(news, TableNews):
                heard[name].append((news.what, news.player, news.seat))

        return hear

    for name, player in players.items():
        player.state()  # what was told before has been handled
        player.listen(listener(name))
    table.wait(players["cyd"], 70)
    table.wait(players["dan"])
    stand_up(table, players["ann"])
    table.leave(players["dan"])
    table.state()
    for player in players.values():
        player.state()
    news = [
        ("waits", "cyd", None), ("waits", "dan", None), ("cashed_out", "ann", 0), ("left", "ann", 0),
        ("sat", "cyd", 0), ("bought_in", "cyd", 0), ("left", "dan", None),
    ]  # fmt: skip
    assert heard["cyd"] == heard["bob"] == news
    assert heard["dan"] == news[1:]


def test_who_sits_and_watches_as_well_hears_news_once(room: Room) -> None:
    table, players = full_table(room)
    heard: list[str] = []
    players["ann"].listen(lambda news: heard.append(news.what) if isinstance(news, TableNews) else None)
    table.watch(players["ann"])
    table.deal(Deck.seeded(1)).result(timeout=60)
    players["ann"].state()
    assert heard == ["hand_started", "hand_ended"]


def test_who_cannot_pay_any_more_is_passed_over_and_the_next_one_sits(room: Room) -> None:
    table, players = full_table(room)
    table.wait(players["cyd"], 400)
    table.wait(players["dan"], 60)
    room.bank.withdraw("cyd", 200)
    stand_up(table, players["ann"])
    assert seated(table)[0] == ("dan", 60)
    assert waiting(table) == []
    assert room.bank.balance("cyd") == 300


def test_waiting_is_refused_with_a_reason(room: Room) -> None:
    table, players = full_table(room)
    with pytest.raises(TableRefusal, match="ann already has seat 0") as refused:
        table.wait(players["ann"])
    assert refused.value.code == "seat_taken"
    with pytest.raises(TableRefusal, match="500 at the bank: the buy-in is 501") as refused:
        table.wait(players["cyd"], 501)
    assert refused.value.code == "insufficient_funds"
    with pytest.raises(BadSpec, match="buy-in is -1"):
        table.wait(players["cyd"], -1)
    with pytest.raises(TableRefusal, match="cyd is not at the table"):
        table.leave(players["cyd"])
    assert waiting(table) == []


def test_waiting_again_keeps_the_place_and_changes_the_buy_in(room: Room) -> None:
    table, players = full_table(room)
    table.wait(players["cyd"], 70)
    table.wait(players["dan"], 60)
    assert table.wait(players["cyd"], 80) == 1
    assert waiting(table) == [("cyd", 80), ("dan", 60)]
    table.leave(players["cyd"])
    assert waiting(table) == [("dan", 60)]


def test_nobody_sits_down_before_those_who_wait() -> None:
    storage = FailingStorage()
    runtime = StepRuntime()
    with Room(runtime, store=open_journal(storage)) as room:
        table, players = full_table(room)
        table.wait(players["cyd"], 70)
        table.cash_out(players["ann"])
        table.leave(players["ann"])
        storage.failing = True
        runtime.run()  # the seat is free and cannot be given away yet
        storage.failing = False
        assert seated(table) == [None, ("bob", STACK)]
        with pytest.raises(TableRefusal, match="cyd is first of 1 waiting for a seat") as refused:
            table.sit(players["dan"])
        assert refused.value.code == "seat_unavailable"
        runtime.advance(2)
        assert seated(table) == [("cyd", 70), ("bob", STACK)]
        room.close()


def test_a_command_that_cannot_be_written_has_not_happened() -> None:
    storage = FailingStorage()
    with Room(StepRuntime(), store=open_journal(storage)) as room:
        table, players = full_table(room)
        storage.fail_next = 1
        with pytest.raises(StorageFailed):
            table.wait(players["cyd"], 70)
        assert waiting(table) == []
        table.wait(players["cyd"], 70)
        storage.fail_next = 1
        with pytest.raises(StorageFailed):
            table.leave(players["cyd"])
        assert waiting(table) == [("cyd", 70)]


def test_who_waits_waits_on_after_a_restart_of_the_process(tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    with Room(store=store) as room:
        table, players = full_table(room)
        table.wait(players["cyd"], 70)
        table.wait(players["dan"])
    for _ in range(2):  # from the records, and from the snapshot
        with Room(store=store) as room:
            assert waiting(room.tables["main"]) == [("cyd", 70), ("dan", 0)]
    with Room(store=store) as room:
        stand_up(room.tables["main"], room.players["ann"])
        assert seated(room.tables["main"]) == [("cyd", 70), ("bob", STACK)]
    with Room(store=store) as room:
        assert seated(room.tables["main"]) == [("cyd", 70), ("bob", STACK)]
        assert waiting(room.tables["main"]) == [("dan", 0)]


def test_a_process_killed_between_the_leaving_and_the_seating_seats_who_waits_when_it_is_back() -> None:
    storage = MemoryStorage()
    room = Room(StepRuntime(), store=open_journal(storage))
    table, players = full_table(room)
    table.wait(players["cyd"], 70)
    table.cash_out(players["ann"])
    table.leave(players["ann"])
    left = MemoryStorage()
    left.rows = list(storage.rows)
    with Room(StepRuntime(), store=open_journal(left)) as again:
        again.runtime.run()  # type: ignore[attr-defined]
        assert seated(again.tables["main"]) == [("cyd", 70), ("bob", STACK)]
        assert again.audit().conserved
    room.close()


def evening(runtime: FaultyRuntime, storage: MemoryStorage | None) -> Room:
    """Two play, two wait, the first two leave after a hand; what crashes or is refused is tried again once."""
    room = Room(runtime, seed=3, store=None if storage is None else open_journal(storage))
    names = ("ann", "bob", "cyd", "dan")
    steps: list[Callable[[], object]] = [
        lambda: "main" in room.tables or room.open_table("main", seats=2, stakes=Stakes(5, 10)),
        *[lambda n=name: n in room.players or room.player(n, "caller", chips=CHIPS) for name in names],
        *[lambda n=name: room.tables["main"].sit(room.players[n]) for name in names[:2]],
        *[lambda n=name: _once(room, n, STACK) for name in names[:2]],
        *[lambda n=name: room.tables["main"].wait(room.players[n], 70) for name in names[2:]],
        lambda: room.tables["main"].deal(Deck.seeded(1)).result(timeout=1000),
        *[lambda n=name: stand_up(room.tables["main"], room.players[n]) for name in names[:2]],
    ]
    for step in steps:
        for _ in range(2):
            try:
                step()
                break
            except (PokerError, Fault):
                runtime.run()
    runtime.run()
    return room


def _once(room: Room, name: str, amount: int) -> None:
    seat = room.tables["main"].state().seats[room.tables["main"].state().seat_of(name)]
    if seat is not None and not seat.stack:
        room.tables["main"].buy_in(room.players[name], amount)


@pytest.mark.parametrize("journal", [False, True], ids=["memory", "journal"])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_in_any_handler_loses_nobody_who_waits(after: bool, journal: bool) -> None:
    runtime = FaultyRuntime()
    with evening(runtime, MemoryStorage() if journal else None):
        handled = list(runtime.handled)
    assert sum("SeatNext" in what for what in handled) >= 2
    for at, what in enumerate(handled):
        if "Deposit" in what or "Stop" in what or "Shut" in what:
            continue  # whether a player came in with chips is not under test here
        storage = MemoryStorage() if journal else None
        runtime = FaultyRuntime(at, after=after)
        with evening(runtime, storage) as room:
            runtime.at = -1
            table = room.tables["main"]
            runtime.run()
            assert room.audit().conserved, (at, what)
            names = {seat[0] for seat in seated(table) if seat} | {one[0] for one in waiting(table)}
            # a player whose actor crashed is there again as well
            assert {"cyd", "dan"} <= names, (at, what, seated(table), waiting(table))
            state = table.state()
            assert not state.waiting or None not in state.seats, (at, what)
            bought = {seat[0]: seat[1] for seat in seated(table) if seat}
            assert all(bought.get(name, 70) == 70 for name in ("cyd", "dan")), (at, what, bought)
            if storage is not None:
                again = MemoryStorage()
                again.rows = list(storage.rows)
                with Room(StepRuntime(), store=open_journal(again)) as other:
                    assert other.tables["main"].state() == state, (at, what)


def test_a_player_whose_actor_is_gone_for_good_waits_no_more() -> None:
    runtime = StepRuntime()
    with Room(runtime) as room:
        table, players = full_table(room)
        table.wait(players["cyd"])
        room.supervisor.stop(players["cyd"].address)
        with contextlib.suppress(PokerError):
            runtime.run()
        assert waiting(table) == []


def test_who_plays_and_watches_as_well_is_told_of_a_hand_as_a_player_alone(room: Room) -> None:
    table = room.open_table("main", seats=2, stakes=Stakes(5, 10), button=0)
    players = {name: room.player(name, bot, chips=CHIPS) for name, bot in (("ann", None), ("bob", "caller"))}
    ann = players["ann"]
    for player in players.values():
        table.sit(player)
        table.buy_in(player, STACK)
    told: list[News] = []
    ann.listen(told.append)
    table.watch(ann)
    live = table.deal()
    state = ann.state()
    assert state is not None
    assert (state.seat, len(state.hole)) == (0, 2)
    ann.fold()
    live.result(timeout=60)
    table.show_cards("bob")
    table.state()
    ann.state()
    assert {news.seat for news in told if isinstance(news, HandState)} == {0}
    assert len([news for news in told if isinstance(news, HandState) and news.public.over]) == 2
    assert [news.record.seat for news in told if isinstance(news, DeckOpened)] == [0]
    told.clear()
    stand_up(table, ann)
    table.sit(room.player("cyd", "caller", chips=CHIPS))
    table.buy_in("cyd", STACK)
    table.deal().result(timeout=60)
    ann.state()
    assert {news.seat for news in told if isinstance(news, HandState)} == {-1}
