"""A hand's stages: what each event makes of them, and that seats have one truth while they change."""

from __future__ import annotations

from contextlib import suppress
from functools import partial

import attrs
import pytest

from poker_actors.actors import DeckOpened, News, Room, StepRuntime, TableNews, TimeBank
from poker_actors.actors.bank import BankActor, Settle
from poker_actors.actors.hand import Deadline, DealtHand, HandEndedNews, HandStopped
from poker_actors.actors.runtime import (
    ActorDown,
    Address,
    Reply,
    ThreadAddress,
    ThreadRuntime,
    on,
    quiet_logs,
)
from poker_actors.actors.table import TableActor
from poker_actors.actors.table.messages import Shut
from poker_actors.actors.table.seats import OwedBlinds, Seat, Seating
from poker_actors.actors.table.stages import (
    Closing,
    Effect,
    Ended,
    Event,
    HandDown,
    Idle,
    Playing,
    Promised,
    Stage,
    TookUp,
    Unwritten,
    Written,
    advance,
)
from poker_actors.cards import Deck
from poker_actors.errors import RoomClosed, TableRefusal
from poker_actors.rules import Hand, Positions, Stakes
from poker_actors.store import Fact, Journal, open_journal
from poker_actors.store.fairness import SealedDeal
from poker_actors.store.journal.record import MemoryStorage
from tests.actors.faulty_runtime import Fault, FaultyRuntime
from tests.actors.told import CRASH, heard, seated

RUNTIME = StepRuntime()
HAND = Hand([50, 50], Stakes(1, 2), deck=Deck.seeded(1))
ENDED = HandEndedNews("green/hand-000000004", HAND)


def promised() -> Promised:
    live = DealtHand(ENDED.hand_id, RUNTIME.address(ENDED.hand_id), RUNTIME.word())
    return Promised(live, None, HAND)


def playing() -> Playing:
    one = promised()
    return Playing(one.live, None, HAND)


def down(address: Address, said: object, closing: Closing = Closing.OPEN) -> HandDown:
    return HandDown(ActorDown(address, None, said), RUNTIME.address(address.name), closing)


# -- one function --------------------------------------------------------------------------------


@pytest.mark.parametrize(("reason", "said"), [("TypeError", "TypeError"), (None, "stopped")])
def test_a_void_hand_knows_why_its_own_actor_ended(reason: str | None, said: str) -> None:
    one = playing()
    died = HandDown(ActorDown(one.live.address, reason, None), one.live.address, Closing.OPEN)
    stage, effects = advance(one, died)
    assert isinstance(stage, Ended)
    assert (stage.reason, effects) == (said, (Effect.VOID,))


def test_a_hand_goes_through_its_stages_and_each_says_what_follows() -> None:
    stage: Stage = Idle()
    for event, kind, effects in (
        (promised(), Promised, ()),
        (Written(), Playing, (Effect.SAY_DEALT, Effect.START)),
        (ENDED, Ended, (Effect.SETTLE,)),
        (Unwritten(), Idle, ()),
    ):
        stage, follows = advance(stage, event)
        assert (type(stage), follows) == (kind, effects)


@pytest.mark.parametrize(
    "event",
    [
        attrs.evolve(ENDED, hand_id="green/hand-000000003"),
        down(RUNTIME.address(ENDED.hand_id), HandStopped(HAND)),
        down(RUNTIME.address(ENDED.hand_id), ENDED),
        Written(),
        Unwritten(),
        promised(),
    ],
    ids=["an earlier hand's end", "a stopped predecessor", "an ended predecessor", "written", "not", "dealt"],
)
def test_an_event_that_does_not_concern_the_hand_being_played_changes_nothing(event: Event) -> None:
    stage = playing()
    assert advance(stage, event) == (stage, ())


@pytest.mark.parametrize("stage", [Idle(), Ended(promised().live, None, ENDED)], ids=["idle", "ended"])
def test_a_result_that_comes_again_is_not_booked_again(stage: Stage) -> None:
    assert advance(stage, ENDED) == (stage, ())
    assert advance(stage, down(promised().live.address, ENDED)) == (stage, ())


@pytest.mark.parametrize(
    ("said", "closing", "kind", "effect"),
    [
        (ENDED, Closing.KEEP, Ended, Effect.SETTLE),
        (HandStopped(HAND), Closing.OPEN, Playing, Effect.START),
        (HandStopped(HAND), Closing.FINISH, Playing, Effect.START),
        (HandStopped(HAND), Closing.VOID, Ended, Effect.VOID),
        (HandStopped(HAND), Closing.KEEP, Playing, Effect.KEEP),
        (None, Closing.OPEN, Ended, Effect.VOID),
    ],
)
def test_what_becomes_of_a_hand_whose_actor_is_gone(
    said: object, closing: Closing, kind: type, effect: Effect
) -> None:
    stage = playing()
    after, follows = advance(stage, down(stage.live.address, said, closing))
    assert (type(after), follows) == (kind, (effect,))
    if effect is Effect.START:
        assert isinstance(after, Playing)
        assert after.live.address is not stage.live.address
        assert after.live.result is stage.live.result


def test_a_table_that_takes_up_goes_on_where_the_stage_says() -> None:
    assert advance(Idle(), TookUp())[1] == ()
    assert advance(promised(), TookUp())[1] == (Effect.START,)
    after, follows = advance(attrs.evolve(promised(), dealt=None), TookUp())
    assert (type(after), follows) == (Ended, (Effect.VOID,))
    assert advance(playing(), TookUp())[1] == (Effect.WATCH,)
    assert advance(Ended(promised().live, None, ENDED), TookUp())[1] == (Effect.SETTLE,)


# -- guards --------------------------------------------------------------------------------------


def test_news_of_an_earlier_hands_end_leaves_the_hand_being_played_alone(room: Room) -> None:
    table, _ = seated(room, ["caller", "caller"])
    first = table.deal(Deck.seeded(1)).result(timeout=30)
    players = [room.players["p0"], room.players["p1"]]
    for player in players:
        player.play_by(None)
    live = table.deal(Deck.seeded(2))
    heard(players[0], table)
    assert first.hand is not None
    table.address.tell(HandEndedNews(first.hand_id, first.hand))
    assert table.state().hand_id == live.hand_id
    for player in players:
        player.play_by("caller")
    assert not live.result(timeout=30).voided
    assert room.audit().conserved


def test_a_deadline_of_an_earlier_turn_of_the_same_seat_is_ignored() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, players = seated(room, [None, None], turn_seconds=30)
        live = table.deal(Deck.seeded(1))
        actor = live.address.actor
        first = actor.turn  # type: ignore[union-attr]  # a HandActor
        players[first.seat].call()
        players[1 - first.seat].check()
        while heard(players[actor.turn.seat], table).seat != first.seat:  # type: ignore[union-attr]  # as above
            players[actor.turn.seat].check()  # type: ignore[union-attr]  # as above
        seq = live.state().seq
        live.address.tell(Deadline(first))
        room.runtime.run()  # type: ignore[attr-defined]  # a stepper
        assert live.state().seq == seq
        assert table.state().seats[first.seat].late == 0


def test_an_ask_that_arrives_while_the_address_closes_is_answered_at_once() -> None:
    class Closes(ThreadAddress):
        """Closes between the look at `closed` and the put."""

        def put(self, message: object, reply: Reply | None = None) -> None:
            self.close()
            super().put(message, reply)

    runtime = ThreadRuntime()
    runtime.address_kind = Closes
    with pytest.raises(RoomClosed, match="echo is gone"):
        runtime.address("echo").ask("anybody there", timeout=0.5)
    runtime.close()


# -- seats have one truth ------------------------------------------------------------------------


def test_what_a_table_with_a_journal_remembers_is_what_the_journal_says_at_every_message() -> None:
    runtime = StepRuntime()
    looks = 0
    with Room(runtime, store=open_journal(MemoryStorage()), seed=1) as room, quiet_logs():
        table, players = seated(room, ["caller"] * 3, seats=3, turn_seconds=10)
        actor = table.address.actor
        assert isinstance(actor, TableActor)
        memory, desk = actor.memory, actor.desk

        def look(_: object) -> None:
            nonlocal looks
            if not runtime.is_running(table.address):
                looks += 1
                assert (memory.seating, memory.banks) == desk.journaled()

        runtime.observers.append(look)
        waiters = [room.player(f"w{number}", "caller", chips=1000) for number in range(3)]
        for waiter in waiters:
            table.wait(waiter, 100)
        table.play(2)
        room.supervisor.stop(players[0].address)
        room.supervisor.stop(waiters[2].address)
        table.play()
        table.run_it_once("p1")
        players[1].play_by(None)
        table.deal().result(timeout=100)
        table.sit_out("p1")
        table.cash_out("p0")
        table.leave("p0")
        table.address.tell(CRASH)
        table.play(2)
    assert looks > 100


def test_what_is_written_is_so_though_the_table_crashes_before_it_remembers_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    journal = open_journal(MemoryStorage())
    with Room(StepRuntime(), store=journal, seed=1) as room, quiet_logs():
        table, _ = seated(room, ["caller", "caller"])
        append = journal.append

        def crash(*facts: Fact) -> None:
            append(*facts)
            monkeypatch.setattr(journal, "append", append)
            raise ZeroDivisionError

        monkeypatch.setattr(journal, "append", crash)
        with pytest.raises(ZeroDivisionError):
            table.sit_out("p1")
        assert [seat.out for seat in table.state().seats if seat] == [False, True]


@pytest.mark.parametrize("stored", [False, True], ids=["in memory", "with a journal"])
def test_a_time_out_counts_once_whatever_crashes_while_its_hand_is_booked(stored: bool) -> None:
    def evening(runtime: FaultyRuntime) -> Seating:
        store = open_journal(MemoryStorage()) if stored else None
        with Room(runtime, store=store, seed=1) as room, quiet_logs():
            table, _ = seated(room, [None, "caller"], turn_seconds=10)
            table.deal(Deck.seeded(1)).result(timeout=1000)
            runtime.at = -1
            return table.state()

    runtime = FaultyRuntime()
    expected = evening(runtime)
    assert [(seat.late, seat.out) for seat in expected.seats if seat] == [(1, False), (0, False)]
    settle = runtime.handled.index("bank Settle")
    for after in (False, True):
        assert evening(FaultyRuntime(settle, after=after)) == expected


class WritingJournal(Journal):
    """Remembers which kinds of facts were written together."""

    def __init__(self) -> None:
        self.written: list[set[str]] = []
        super().__init__(MemoryStorage())

    def append(self, *facts: Fact) -> None:
        self.written.append({type(fact).__name__ for fact in facts})
        super().append(*facts)


def test_a_hand_in_which_nobody_is_late_writes_neither_seats_nor_time_banks() -> None:
    journal = WritingJournal()
    with Room(StepRuntime(), store=journal, seed=1) as room:
        table, _ = seated(room, ["caller", "caller"], turn_seconds=10, time_bank=TimeBank(60, 5))
        table.play(1)  # the first hand dealt to a player has the full bank written
        before = len(journal.written)
        table.play(1)
        kinds = set().union(*journal.written[before:])
    assert {"HandDealt", "ActionTaken", "HandOver", "Booked"} == kinds


def test_a_hand_in_which_a_bank_is_drawn_on_writes_what_is_left_of_all() -> None:
    journal = WritingJournal()
    runtime = StepRuntime()
    with Room(runtime, store=journal, seed=1) as room:
        table, players = seated(room, [None, "caller"], turn_seconds=10, time_bank=TimeBank(60, 5), button=0)
        live = table.deal()
        runtime.advance(30)  # of the 10 s for the turn, and 20 of the bank's
        players[0].play_by("folder")
        live.result()
        assert [table.time_bank(player) for player in players] == [45, 60]
    assert {"HandOver", "Noted", "Booked"} in journal.written


def test_a_second_hand_is_refused_by_name_and_a_table_without_one_can_be_shut() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, _ = seated(room, [None, "caller"])
        live = table.deal()
        with pytest.raises(TableRefusal) as refused:
            table.deal()
        assert refused.value.code == "hand_in_progress"
        table.ask(Shut(void=True))
        assert live.result().voided
        table.ask(Shut(void=True))
        assert room.supervisor.restarts == 0


def test_a_table_that_has_crashed_knows_the_chips_of_who_sits_plays_and_waits() -> None:
    with Room(StepRuntime(), seed=1) as room, quiet_logs():
        table, players = seated(room, [None, "caller", "caller"], seats=3)
        table.sit_out(players[2])
        table.wait(room.player("cyd", chips=50), 50)
        table.deal()
        before = table.state()
        table.address.tell(CRASH)
        assert table.state() == before
        assert room.supervisor.restarts == 1


def heard_decks(room: Room, names: list[str]) -> dict[str, list[int | None]]:
    """The seats of the records that each hears, filled as they come."""
    heard: dict[str, list[int | None]] = {name: [] for name in names}

    def listen(name: str, news: News) -> None:
        if isinstance(news, DeckOpened):
            heard[name].append(news.record.seat)

    for name in names:
        room.players[name].listen(partial(listen, name))
    return heard


def test_each_who_was_dealt_in_or_watches_opens_the_deck_once_and_sees_no_other_cards() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, players = seated(room, ["caller", "caller", "caller"], seats=4)
        table.sit_out(players[1])
        names = ["p0", "p1", "p2", room.player("eve").name]
        for name in ("eve", "p2"):
            table.watch(room.players[name])
        heard = heard_decks(room, names)
        table.play(1)
        room.runtime.run()  # type: ignore[attr-defined]  # it is a StepRuntime
        assert heard == {"p0": [0], "p1": [], "p2": [2], "eve": [None]}
        table.deal(Deck.seeded(1)).result()
        room.runtime.run()  # type: ignore[attr-defined]
        assert heard["eve"] == [None], "who passes a deck in knows its cards"
        assert room.supervisor.restarts == 0


def test_a_deck_of_which_nothing_can_be_proved_is_opened_for_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cards were mixed more often than was committed to."""
    monkeypatch.setattr(SealedDeal, "records", lambda sealed, hand: {})
    with Room(StepRuntime(), seed=1) as room:
        table, _ = seated(room, ["caller", "caller"])
        table.watch(room.player("eve"))
        heard = heard_decks(room, ["p0", "eve"])
        table.play(2)
        assert (heard, room.supervisor.restarts) == ({"p0": [], "eve": []}, 0)


def test_a_player_who_is_gone_before_the_deal_is_acted_for_at_given_positions() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room, quiet_logs():
        table, players = seated(room, [None, None, "caller"], seats=3)
        room.supervisor.stop(players[0].address)
        runtime.run()
        assert [seat.out for seat in table.state().seats if seat] == [True, False, False]
        players[1].play_by("caller")
        assert not table.deal(positions=Positions(0, 1, 2, (0, 1, 2))).result().voided


def test_a_hand_sends_no_facts_where_there_is_no_journal_and_frees_no_seats_where_nobody_leaves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settled: list[Settle] = []
    settle = BankActor.settle

    def spy(bank: BankActor, command: Settle) -> dict[str, int]:
        settled.append(command)
        return settle(bank, command)

    monkeypatch.setattr(BankActor, "settle", on(Settle)(spy))
    runtime = FaultyRuntime()
    with Room(runtime, seed=1) as room:
        table, _ = seated(room, ["caller", "caller"])
        table.play(2)
    assert [command.facts for command in settled] == [(), ()]
    assert not [one for one in runtime.handled if one.endswith("SeatNext")]


def test_a_deal_that_crashes_before_the_books_leaves_its_number_to_the_next() -> None:
    def evening(runtime: FaultyRuntime) -> list[str]:
        heard: list[str] = []
        with Room(runtime, seed=1) as room, quiet_logs():
            table, players = seated(room, ["caller", "caller"])
            players[0].listen(lambda news: heard.append(news.what) if isinstance(news, TableNews) else None)
            table.play(1)
            with suppress(Fault):
                table.play(1)
            hand_id = table.play(1)[0].hand_id
            assert hand_id == f"main/hand-{table.state().number - 1:09}"
            runtime.run()
        return heard

    runtime = FaultyRuntime()
    assert evening(runtime).count("hand_ended") == 3
    escrow = [number for number, one in enumerate(runtime.handled) if one == "bank Escrow"][1]
    heard = evening(FaultyRuntime(escrow))
    assert (heard.count("hand_ended"), heard.count("hand_voided")) == (2, 0)


def test_a_table_that_begins_without_a_bank_says_so_and_answers() -> None:
    with Room(StepRuntime(), seed=1) as room, quiet_logs():
        table, _ = seated(room, ["caller", "caller"])
        room.supervisor.stop(room.bank.address)
        table.address.tell(CRASH)
        assert table.state().number == 0
        assert room.supervisor.restarts == 1


# -- what a seat keeps ---------------------------------------------------------------------------------


def _seating() -> Seating:
    seats = [Seat(name, RUNTIME.address(name), 50, late=1) for name in ("ann", "bob", "cyd")]
    owed = (OwedBlinds("ann", small=True), OwedBlinds("bob", big=True))
    return Seating(tuple(seats), Positions(0, 0, 1, (0, 1)), 1, owed=owed)


def test_time_outs_in_a_row_are_counted_over_hands_that_were_dealt_to_the_seat() -> None:
    after = _seating().sat_out({0}, 2)
    assert [(seat.out, seat.late) for seat in after.seats if seat is not None] == [
        (True, 0),
        (False, 0),
        (False, 1),
    ]


def test_what_one_player_owes_is_no_others_and_goes_with_the_seat() -> None:
    seating = _seating()
    assert seating.owed_by("bob") == OwedBlinds("bob", big=True)
    assert seating.freed(0).owed == (OwedBlinds("bob", big=True),)


def test_before_the_first_hand_nobody_is_dealt_in() -> None:
    assert Seating((None, None)).dealt_in == {}


def test_a_table_that_is_shut_deals_no_more() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, _ = seated(room, ["caller", "caller"])
        assert table.ask(Shut(void=False)) is None
        with pytest.raises(RoomClosed, match="is closed and deals no more hands"):
            table.deal()
