"""Tables with options: rake, boards run twice, bomb pots, straddles and time banks."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from poker_actors.actors import News, Player, Room, StepRuntime, Table, TableNews, TimeBank
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.rules import GAMES, Check, Stakes, View
from poker_actors.rules.cash import CashHand, CashOptions, HandOptions, Rake
from poker_actors.store import MemoryStorage, open_journal
from tests.actors.durable_evening import cut

CHIPS = 1000
ALL = CashOptions(Rake(500, 9), bomb_pot=30, bomb_every=3, boards=2)
"""Every option at once; every third hand is a bomb pot."""


def shover(view: View) -> Any:
    return view.legal.all_in or Check()


def table_of(
    room: Room, bots: list[Any], options: CashOptions | None, **settings: Any
) -> tuple[Table, list[Player]]:
    stakes = settings.pop("stakes", Stakes(5, 10))
    table = room.open_table("main", seats=6, stakes=stakes, options=options, **settings)
    players = []
    for name, bot in zip(("ann", "bob", "cyd"), bots, strict=False):
        player = room.player(name, bot, chips=CHIPS)
        table.sit(player)
        table.buy_in(player, 200)
        players.append(player)
    return table, players


def test_the_rake_is_booked_and_told(room: Room) -> None:
    table, (ann, *_) = table_of(room, ["caller"] * 3, CashOptions(Rake(500)))
    result = table.deal(Deck.stacked(["AsAh", "KsKh", "7c2d"], "Kd9c5h3sJd")).result(timeout=60)
    assert isinstance(result.hand, CashHand)
    assert result.hand.rake == 1
    assert sum(result.payoffs) == -1
    audit = room.audit()
    assert (audit.rake, audit.tables, audit.conserved) == (1, 599, True)
    state = ann.state()
    assert state is not None
    assert (state.rake, state.pot, state.boards) == (1, 0, (result.hand.board,))


def test_a_table_that_resets_stacks_pays_the_rake_from_the_bank(room: Room) -> None:
    table, _ = table_of(room, ["caller"] * 3, CashOptions(Rake(500)), restack=200)
    for _ in range(3):
        table.deal(Deck.stacked(["AsAh", "KsKh", "7c2d"], "Kd9c5h3sJd")).result(timeout=60)
    audit = room.audit()
    assert (audit.rake, audit.tables, audit.conserved) == (3, 600, True)


def test_a_void_hand_is_not_raked() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, _ = table_of(room, [None] * 3, CashOptions(Rake(500)))
        live = table.deal(Deck.seeded(1))
        room.supervisor.stop(live.address)
        assert live.result().voided
        assert (room.audit().rake, room.audit().tables) == (0, 600)


def test_boards_are_run_twice_unless_somebody_has_declined(room: Room) -> None:
    table, players = table_of(room, [shover] * 2, CashOptions(boards=2))
    deck = Deck.stacked(["2d2h", "AsAh"], "9c8h4sKdJh" + "9d8d4h2c3s")
    result = table.deal(deck).result(timeout=60)
    assert isinstance(result.hand, CashHand)
    assert len(result.hand.boards) == 2
    assert result.payoffs[:2] == (0, 0)
    state = players[0].state()
    assert state is not None
    assert state.boards == result.hand.boards
    table.run_it_once(players[1])
    assert table.state().once == ("bob",)
    once = table.deal(Deck.stacked(["2d2h", "AsAh"], "9c8h4sKdJh")).result(timeout=60).hand
    assert isinstance(once, CashHand)
    assert len(once.boards) == 1
    table.run_it_once(players[1], once=False)
    assert table.state().once == ()
    with pytest.raises(TableRefusal):
        table.run_it_once(room.player("eve"))


def test_a_bomb_pot_comes_when_it_is_due_and_when_it_is_asked_for(room: Room) -> None:
    table, _ = table_of(room, ["caller"] * 3, CashOptions(bomb_pot=20, bomb_every=3))
    hands = [table.deal(Deck.seeded(number)).result(timeout=60).hand for number in range(6)]
    assert [hand is not None and hand.options is not None for hand in hands] == [False, False, True] * 2
    asked = table.deal(Deck.seeded(9), bomb_pot=True).result(timeout=60).hand
    assert isinstance(asked, CashHand)
    assert asked.options == HandOptions(bomb_pot=20)
    assert [one.seat for one in asked.posts or ()] != []
    assert room.audit().conserved


def test_a_bomb_pot_where_there_are_none_is_refused(room: Room) -> None:
    table, _ = table_of(room, ["caller"] * 3, None)
    with pytest.raises(BadSpec, match="an ante, but none is set"):
        table.deal(bomb_pot=True)
    assert table.state().hand_id is None
    with pytest.raises(BadSpec, match="five-card has no board"):
        room.open_table("five", seats=2, game=GAMES["five-card"], options=CashOptions(boards=2))


def test_a_straddle_is_a_setting_of_the_table_like_any_stakes(room: Room) -> None:
    table, _ = table_of(room, ["caller"] * 3, None, stakes=Stakes(5, 10, straddle=20))
    result = table.deal(Deck.stacked(["AsAh", "KsKh", "7c2d"], "Kd9c5h3sJd")).result(timeout=60)
    assert sorted(result.payoffs[:3]) == [-20, -20, 40]


def test_a_plain_table_deals_plain_hands(room: Room) -> None:
    table, _ = table_of(room, ["caller"] * 3, CashOptions())
    hand = table.deal(Deck.seeded(1)).result(timeout=60).hand
    assert type(hand).__name__ == "Hand"


# -- durable ------------------------------------------------------------------------------------


def evening(room: Room) -> Table:
    table, _ = table_of(room, ["caller", "maniac", "random"], ALL, stakes=Stakes(5, 10, straddle=20))
    table.run_it_once(room.players["cyd"])
    for number in range(4):
        if len(table.state().ready) > 1:
            table.deal(Deck.seeded(number)).result(timeout=60)
    return table


def recorded() -> MemoryStorage:
    storage = MemoryStorage()
    with Room(StepRuntime(), seed=7, store=open_journal(storage)) as room:
        evening(room)
        assert room.audit().rake > 0
        rows = list(storage.rows)
    storage.rows = rows
    storage.snapshot = None
    return storage


def test_a_table_with_every_option_killed_after_any_record_comes_back_as_it_was() -> None:
    storage = recorded()
    whole = len(storage.rows)
    for records in range(whole + 1):
        with Room(StepRuntime(), store=open_journal(cut(storage, records))) as room:
            for table in room.tables.values():
                assert table.config.options == ALL
                live = table.live()
                if live is not None:
                    live.result()
            audit = room.audit()
            assert audit.conserved, records
            assert audit.hands == 0, records


def test_options_what_players_said_and_time_banks_survive_the_process(tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    bank = TimeBank(30, 2)
    with Room(store=store) as room:
        table, players = table_of(room, [None] * 3, ALL, turn_seconds=20.0, time_bank=bank)
        table.run_it_once(players[0])
        table.deal(bomb_pot=True)
    for _ in range(2):
        with Room(store=store) as room:
            table = room.tables["main"]
            assert (table.config.options, table.config.time_bank) == (ALL, bank)
            assert table.state().once == ("ann",)
            live = table.live()
            assert live is not None
            assert live.state().phase == "flop"


def test_the_cards_of_every_board_are_proven(room: Room) -> None:
    table, players = table_of(room, [shover] * 2, CashOptions(boards=3))
    live = table.deal()
    result = live.result(timeout=60)
    assert isinstance(result.hand, CashHand)
    assert len(result.hand.boards) == 3
    table.state()
    players[0].state()
    record = players[0].record("main")
    assert record is not None
    assert record.flaw() is None
    assert record.commitment.hex() == live.commitment
    assert record.runs == result.hand.boards[1:]
    assert type(record).from_dict(record.to_dict()) == record


# -- time banks ---------------------------------------------------------------------------------


class Listening:
    """What a player hears about time banks."""

    def __init__(self, player: Player) -> None:
        self.heard: list[tuple[int | None, float]] = []
        self.hears = threading.Event()
        player.listen(self.hear)

    def hear(self, news: News) -> None:
        if isinstance(news, TableNews) and news.what == "time_bank":
            self.heard.append((news.seat, news.seconds))
            self.hears.set()


def timed(
    room: Room, bank: TimeBank, seconds: float, button: int | None = None
) -> tuple[Table, list[Player]]:
    return table_of(room, [None, "caller"], None, turn_seconds=seconds, time_bank=bank, button=button)


def test_a_bank_is_drawn_on_after_the_deadline_and_keeps_what_is_not_used() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table, (ann, bob) = timed(room, TimeBank(30, 2), 10.0)
        told = Listening(bob)
        table.deal(Deck.seeded(1))
        runtime.run()
        state = ann.state()
        assert state is not None
        assert state.active
        runtime.advance(9)
        assert told.heard == []
        runtime.advance(13)  # 12 seconds out of the bank
        assert told.heard == [(0, 30.0)]
        ann.check()
        runtime.run()
        runtime.advance(10 + 18 - 0.5)
        assert told.heard == [(0, 30.0), (0, 18.0)]
        ann.check()
        runtime.run()
        runtime.advance(10 + 0.4)
        assert told.heard[-1] == (0, 0.5)
        runtime.advance(0.2)  # the bank is empty: checked
        state = ann.state()
        assert state is not None
        assert state.phase == "river"
        live = table.live()
        assert live is not None
        live.result()
        assert (table.time_bank(ann), table.time_bank(bob)) == (2.0, 30.0)
        assert table.state().seats[0] is not None
        assert table.state().seats[0].late == 1  # type: ignore[union-attr]


def test_a_bank_that_was_drawn_on_is_as_full_after_a_restart_as_it_was_before() -> None:
    storage = MemoryStorage()
    runtime = StepRuntime()
    with Room(runtime, seed=1, store=open_journal(storage)) as room:
        table, (ann, bob) = timed(room, TimeBank(30, 2), 10.0)
        live = table.deal(Deck.seeded(1))
        runtime.run()
        runtime.advance(22)  # 12 seconds out of the bank
        ann.fold()
        live.result()
        assert (table.time_bank(ann), table.time_bank(bob)) == (20.0, 30.0)
    again = MemoryStorage()
    again.rows, again.snapshot = list(storage.rows), storage.snapshot
    with Room(StepRuntime(), store=open_journal(again)) as room:
        table = room.tables["main"]
        assert (table.time_bank("ann"), table.time_bank("bob")) == (20.0, 30.0)
        for name in ("ann", "bob"):
            table.cash_out(name)
            table.leave(name)
        room.close_table("main")
        assert room.books.notes() == {}


def test_a_bank_that_is_empty_gives_no_time() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table, (ann, bob) = timed(room, TimeBank(5), 10.0)
        told = Listening(bob)
        table.deal(Deck.seeded(1)).result()
        assert told.heard == [(0, 5.0)]
        assert runtime.now() == pytest.approx(15.0 + 10.0 * 3, abs=15)
        assert table.time_bank(ann) == 0.0


def test_a_bank_outlives_a_crash_of_the_table() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room:
        table, (ann, _) = timed(room, TimeBank(5), 10.0)
        table.deal(Deck.seeded(1)).result()
        actor = table.address.actor
        assert actor is not None
        table.address.on_down(table.address, RuntimeError("a bug"))  # type: ignore[misc]
        runtime.run()
        assert table.time_bank(ann) == 0.0


def test_a_bank_is_drawn_on_by_the_real_clock_too() -> None:
    with Room(seed=1) as room:
        table, (ann, bob) = timed(
            room, TimeBank(60), 0.02, button=0
        )  # bob never acts: he could be too late, too
        told = Listening(bob)
        live = table.deal(Deck.seeded(1))
        assert told.hears.wait(60)
        ann.fold()
        live.result(timeout=60)
        assert told.heard == [(0, 60)]
        assert 0 < table.time_bank(ann) < 60


def test_a_table_without_banks_has_none_and_one_without_deadlines_needs_none(room: Room) -> None:
    table, (ann, _) = table_of(room, ["caller"] * 2, None)
    assert table.time_bank(ann) == 0.0
    with pytest.raises(BadSpec, match="without a deadline"):
        room.open_table("other", time_bank=TimeBank(5))
    for seconds, refill in ((0, 0), (-1, 0), (5, -1), (float("nan"), 0), (float("inf"), 0)):
        with pytest.raises(BadSpec):
            TimeBank(seconds, refill)
