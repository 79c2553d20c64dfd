"""One hand's actor alone: every message it sends, to whom and in which words, when players act, are late or gone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.actors.command import RETRY_SECONDS, GetState
from poker_actors.actors.hand import (
    Deadline,
    HandActor,
    HandEndedNews,
    HandPlan,
    HandResult,
    RunningBanks,
    SeatBack,
    SeatGone,
)
from poker_actors.actors.player.messages import Act, HandState, Refusal, SitOut, TableNews, Turn
from poker_actors.actors.runtime import quiet_logs, stop_message
from poker_actors.actors.table.facts import MOST_SECONDS, TimeBank, check_seconds
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec, StaleAction, StorageFailed
from poker_actors.rules import HOLDEM, Call, Fold, RaiseTo, Stakes, first_positions
from tests.actors.told import seated

HAND = "main/hand-7"


class Journal:
    """Refuses from the write on that it is told to."""

    def __init__(self) -> None:
        self.facts: list[Any] = []
        self.fails_after: int | None = None

    def append(self, *facts: object) -> None:
        if self.fails_after is not None and len(self.facts) >= self.fails_after:
            raise StorageFailed("no space is left")
        self.facts.extend(facts)


class Started:
    """A hand of ann, bob and cid, the blinds in front of bob and cid, with all that is said written down."""

    def __init__(self, *, journal: Journal | None = None, recent: Any = None, **more: Any) -> None:
        self.runtime = StepRuntime()
        self.told: list[tuple[str, Any]] = []
        self.runtime.observers.append(lambda one: self.told.append((one.receiver, one.message)))
        self.reached = reached = [
            self.runtime.address(name) for name in ("ann", "bob", "cid", "table", "rail")
        ]
        settled = (tuple(reached[:3]), ("ann", "bob", "cid"), (100, 100, 100), Stakes(1, 2), HOLDEM)
        positions = first_positions((0, 1, 2), 3, 0)
        plan = HandPlan(HAND, 7, reached[3], "main", *settled, positions, Deck.seeded(1), 5.0, **more)
        self.address = self.runtime.address(HAND)
        watched: Any = SimpleNamespace(watchers=(reached[4], reached[0]), audience=None)
        self.actor = HandActor(self.address, plan, watched, journal, recent)  # type: ignore[arg-type]
        self.actor.address.runtime.start(self.actor)
        self.runtime.run()

    def says(self, message: object) -> list[str]:
        """Tell the hand, and give what it then says."""
        self.told.clear()
        self.address.tell(message)
        self.runtime.run()
        return self.said()

    def after(self, seconds: float) -> list[str]:
        """Let time pass, and give what the hand then says."""
        self.told.clear()
        self.runtime.advance(seconds)
        return self.said()

    def said(self) -> list[str]:
        return [f"{name}: {line}" for name, one in self.told if name != HAND and (line := in_words(one))]

    @property
    def log(self) -> list[str]:
        return [f"{one.seat} {one.action}" for one in self.actor.hand.public().actions]


def in_words(message: object) -> str:
    if isinstance(message, HandState):
        return f"#{message.seq}{' to act' if message.turn else ''}"
    if isinstance(message, Refusal):
        return f"{message.hand_id} #{message.seq} {message.code}: {message.text}"
    if isinstance(message, TableNews):
        return str({name: kept for name, kept in attrs.asdict(message).items() if kept})
    if isinstance(message, HandEndedNews):
        return f"{message.hand_id} ended, late {sorted(message.late)}, banks {message.banks}"
    return type(message).__name__


def told(seq: int, turn: str = "") -> list[str]:
    """What all hear of a change."""
    return [f"{name}: #{seq}{' to act' if name == turn else ''}" for name in ("ann", "bob", "cid", "rail")]


def late(name: str, seq: int) -> str:
    seat = ("ann", "bob", "cid").index(name)
    return f"{name}: {HAND} #{seq} ask_timeout: seat {seat} has not acted in 5.0 s"


def test_it_begins_by_telling_all_and_goes_on_by_actions() -> None:
    seen: list[Any] = []

    def noting(name: str, handlers: Any) -> Any:
        seen.append(name)
        return handlers

    recent = SimpleNamespace(noting=noting, dealt=seen.append)
    one = Started(recent=recent)
    assert one.said() == told(0, "ann")
    assert seen == [HAND, one.actor.hand]
    assert one.says(Act(one.actor.turn, Call())) == told(1, "bob")  # type: ignore[arg-type]
    assert one.says(SeatBack(1)) == []  # whoever was told is still there
    one.reached[1].actor = one.actor  # any other than then
    assert one.says(SeatBack(1)) == ["bob: #1 to act"]
    assert one.says(SeatBack(1)) == []
    assert one.says(SeatBack(0)) == []
    assert one.says(SitOut("ann")) == ["table: SitOut"]
    refused = one.says(Act(one.actor.turn, RaiseTo(3)))  # type: ignore[arg-type]
    assert refused == [f"bob: {HAND} #1 illegal_action: raise_to 3 is below the minimum of 4"]
    assert one.address.ask(GetState()).seq == 1
    assert one.says(Act(one.actor.turn, Fold())) == told(2, "cid")  # type: ignore[arg-type]
    ended = one.says(Act(one.actor.turn, Fold()))  # type: ignore[arg-type]
    assert ended == [*told(3), f"table: {HAND} ended, late [], banks ()"]
    assert one.log == ["0 call", "1 fold", "2 fold"]
    assert one.address.closed


def test_an_action_said_twice_happens_once_and_one_for_no_turn_is_refused() -> None:
    one = Started()
    turn = one.actor.turn
    assert turn is not None
    assert one.address.ask(Act(turn, Call())) is None
    assert one.address.ask(Act(turn, Call())) is None
    assert one.says(Act(turn, Fold())) == [f"ann: {HAND} #0 stale_action: {turn!r} is over"]
    for stale in (Turn(HAND, 0, 1), Turn("main/hand-6", 0, 0), Turn(HAND, 1, 1), Turn(HAND, 9, 1)):
        assert isinstance(one.address.ask(Act(stale, Call())), StaleAction), stale
    one.runtime.run()
    assert one.says(Act(Turn("main/hand-6", 0, 0), Call())) == []
    assert one.log == ["0 call"]


def test_a_deadline_checks_or_folds_and_is_told_in_words() -> None:
    one = Started()
    assert one.after(4.9) == []
    assert one.after(0.1) == [late("ann", 0), *told(1, "bob")]
    assert one.says(Act(one.actor.turn, Call())) == told(2, "cid")  # type: ignore[arg-type]
    assert one.after(5) == [late("cid", 2), *told(3, "bob")]
    assert one.log == ["0 fold", "1 call", "2 check"]
    one.says(Act(one.actor.turn, Fold()))  # type: ignore[arg-type]
    assert isinstance(one.actor.last_words, HandEndedNews)
    assert one.actor.last_words.late == {0, 2}
    assert one.runtime.timers == ()


def test_a_time_bank_is_drawn_on_after_the_deadline_and_all_hear_of_it() -> None:
    one = Started(banks=(3.0, 0.0, 8.0))
    drawn = {"table": "main", "what": "time_bank", "hand_id": HAND, "seconds": 3.0}
    assert one.after(5) == [f"{name}: {drawn}" for name in ("ann", "bob", "cid", "rail")]
    assert one.after(2.5) == []
    assert one.after(0.5) == [late("ann", 0), *told(1, "bob")]
    ended = f"table: {HAND} ended, late [0, 1], banks (0.0, 0.0, 8.0)"
    assert one.after(5) == [late("bob", 1), *told(2), ended]


def test_a_seat_that_is_gone_is_acted_for_now_and_later() -> None:
    one = Started()
    assert one.says(SeatGone(1)) == []
    assert one.says(Act(one.actor.turn, Call())) == told(2, "cid")  # type: ignore[arg-type]
    assert one.says(SeatGone(2)) == told(4, "ann")
    assert one.log == ["0 call", "1 fold", "2 check", "2 check"]
    ended = one.says(SeatGone(0))
    assert ended[-1] == f"table: {HAND} ended, late [0, 1, 2], banks ()"
    assert one.log[4:] == ["0 check", "2 check", "0 check", "2 check", "0 check"]


def test_what_cannot_be_written_has_not_happened_and_is_tried_again() -> None:
    journal = Journal()
    one = Started(journal=journal)
    journal.fails_after = 0
    refused = one.says(Act(one.actor.turn, Call()))  # type: ignore[arg-type]
    assert refused == [f"ann: {HAND} #0 storage_failed: no space is left"]
    assert one.after(5) == []
    assert one.log == []
    journal.fails_after = None
    assert one.after(RETRY_SECONDS) == [late("ann", 0), *told(1, "bob")]
    assert [(fact.hand_id, fact.seq) for fact in journal.facts] == [(HAND, 0)]


def test_a_seat_that_is_gone_is_acted_for_when_that_can_be_written() -> None:
    journal = Journal()
    one = Started(journal=journal)
    journal.fails_after = 0
    assert one.says(SeatGone(0)) == []
    journal.fails_after = None
    assert one.after(RETRY_SECONDS) == told(1, "bob")
    journal.fails_after = 2
    assert one.says(SeatGone(2)) == []
    assert one.says(Act(one.actor.turn, Call())) == told(2, "cid")  # type: ignore[arg-type]
    assert one.log == ["0 fold", "1 call"]
    journal.fails_after = None
    assert one.after(RETRY_SECONDS) == told(3, "bob")
    assert one.log == ["0 fold", "1 call", "2 check"]


@pytest.mark.parametrize("bad", [0, -1.0, float("nan"), float("inf"), "5", True, None, MOST_SECONDS + 1])
def test_seconds_are_above_nothing_and_at_most_a_month(bad: Any) -> None:
    with pytest.raises(BadSpec, match=rf"^turn .*above 0.* at most {MOST_SECONDS}"):
        check_seconds("turn", bad)
    with pytest.raises(BadSpec, match=r"^a time bank's seconds "):
        TimeBank(bad)
    if bad != 0:
        with pytest.raises(BadSpec, match=r"^a time bank's refill "):
            TimeBank(1, bad)


def test_seconds_at_the_bounds_are_taken() -> None:
    assert check_seconds("turn", MOST_SECONDS) == MOST_SECONDS
    assert check_seconds("turn", 0.001) == 0.001
    assert check_seconds("turn", 6, above=5) == 6
    with pytest.raises(BadSpec, match=r"^turn 5 must be above 5 and at most 2678400 seconds, a month$"):
        check_seconds("turn", 5, above=5)
    assert (TimeBank(30).refill, TimeBank(30, 0).refill, TimeBank(30, 5).refill) == (0, 0, 5)


def test_a_bank_that_runs_is_used_up_whole_or_closed_with_what_is_left() -> None:
    banks = RunningBanks([4.0, 2.0])
    banks.close(1.0)
    assert banks.left == [4.0, 2.0]
    assert banks.open(0, 10.0) == 4.0
    banks.close(11.5)
    assert banks.left == [2.5, 2.0]
    banks.close(12.0)
    assert banks.left == [2.5, 2.0]
    assert banks.open(0, 20.0) == 2.5
    assert banks.open(0, 22.5) == 0
    assert banks.open(0, 23.0) == 0
    assert banks.open(1, 30.0) == 2.0
    banks.close(40.0)
    assert banks.left == [0.0, 0.0]


def test_a_result_prints_what_it_paid_or_that_it_paid_nobody() -> None:
    paid = HandResult(HAND, 7, ("a", "b"), (1, -1), (101, 99), first_positions((0, 1), 2, 0), None)
    assert repr(paid) == f"<HandResult: {HAND}, payoffs (1, -1)>"
    assert repr(attrs.evolve(paid, voided=True)) == f"<HandResult: {HAND}, voided>"


def test_what_arrives_between_the_end_of_a_hand_and_its_stop_changes_nothing() -> None:
    one = Started()
    one.says(Act(one.actor.turn, Fold()))  # type: ignore[arg-type]
    for last in (Act(one.actor.turn, Fold()), SeatGone(2), SeatBack(2)):  # type: ignore[arg-type]
        one.address.tell(last)
    one.runtime.run()
    assert one.actor.crash is None
    one.actor.end_turn_in(3.0)
    assert one.runtime.next_deadline is None


def test_a_hand_to_be_continued_has_no_result_before_its_end() -> None:
    one = Started()
    again = Started(resume=one.actor.hand.copy())
    assert again.actor.last_words is None
    one.says(Act(one.actor.turn, Fold()))  # type: ignore[arg-type]
    one.says(Act(one.actor.turn, Fold()))  # type: ignore[arg-type]
    assert one.actor.hand.over
    plan = attrs.evolve(one.actor.plan, resume=one.actor.hand)
    over = HandActor(one.runtime.address("over"), plan, one.actor.watched)
    assert isinstance(over.last_words, HandEndedNews)


def test_a_deadline_of_an_earlier_turn_of_the_same_seat_acts_for_nobody() -> None:
    hand = Started()
    first = hand.actor.turn
    assert first is not None
    for action in (Call(), Call(), RaiseTo(4)):
        assert hand.actor.turn is not None
        hand.says(Act(hand.actor.turn, action))
    assert hand.actor.turn is not None
    assert hand.actor.turn.seat == first.seat
    assert (hand.says(Deadline(first)), len(hand.log)) == ([], 3)
    assert len(hand.says(Deadline(hand.actor.turn))) > 1


def test_a_seat_between_two_players_may_be_empty_and_a_turn_made_up_for_it_is_refused() -> None:
    runtime = StepRuntime()
    with Room(runtime, seed=1) as room, quiet_logs():
        table = room.open_table("main", seats=3)
        for name, seat in (("ann", 0), ("bob", 2)):
            player = room.player(name, chips=100)
            table.sit(player, seat)
            table.buy_in(player, 100)
        live = table.deal()
        refused = live.address.ask(Act(Turn(live.hand_id, 0, 1), Fold()))
        assert isinstance(refused, StaleAction)
        for name in ("ann", "bob"):
            room.players[name].play_by("caller")
        assert not live.result().voided


@pytest.mark.parametrize("by_the_room", [True, False])
def test_a_hand_that_the_room_ends_is_void_and_one_that_another_stops_goes_on(by_the_room: bool) -> None:
    with Room(StepRuntime(), seed=1) as room, quiet_logs():
        table, players = seated(room, [None, None])
        live = table.deal()
        if by_the_room:
            room.supervisor.stop(live.address)
        else:
            live.address.tell(stop_message())
        for player in players:
            player.play_by("caller")
        assert live.result().voided is by_the_room
