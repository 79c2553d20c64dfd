"""The room as an app uses it: names, settings, closing, players without a bot, bad bots, watchers."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest

from poker_actors.actors import HandState, News, Player, Refusal, Room, StepRuntime, Table, TableNews
from poker_actors.actors.player.messages import Act, Turn
from poker_actors.cards import SHORT_DECK, Deck
from poker_actors.errors import BadSpec, IllegalAction, PokerError, RoomClosed, UnknownBot
from poker_actors.rules import Call, Check, Fold, RaiseTo, View
from tests.actors.told import CRASH


def seated(room: Room, *bots: Any, **settings: Any) -> tuple[Table, list[Player]]:
    table = room.open_table("main", **settings)
    players = [room.player(f"p{number}", bot, chips=100) for number, bot in enumerate(bots)]
    for player in players:
        table.sit(player)
        table.buy_in(player, 100)
    return table, players


def settle(room: Room) -> None:
    """On the stepper, deliver what is on its way; threads do so by themselves."""
    if isinstance(room.runtime, StepRuntime):
        room.runtime.run()


# -- names and settings ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["", " ", " ann", "ann ", "a/b", "a\nb", "\x1b[2J", "x" * 65, 5, None, b"ann"]
)
def test_a_name_that_cannot_be_shown_or_kept_is_refused(room: Room, name: Any) -> None:
    with pytest.raises(BadSpec, match="a name"):
        room.player(name)
    with pytest.raises(BadSpec, match="a name"):
        room.open_table(name)


@pytest.mark.parametrize("name", ["ann", "Zoë", "李", "x" * 64, "p 1", "bank"])
def test_a_name_that_prints_is_kept_as_it_is(room: Room, name: str) -> None:
    assert room.player(name).name == room.open_table(name).name == name


def test_a_name_is_given_once(room: Room) -> None:
    room.player("ann")
    room.open_table("main")
    with pytest.raises(BadSpec, match="there is already a player called 'ann'"):
        room.player("ann")
    with pytest.raises(BadSpec, match="there is already a table called 'main'"):
        room.open_table("main")


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"seats": 1}, "1 seats"),
        ({"seats": 11}, "11 seats"),
        ({"seats": 2.5}, "seats 2.5 is not a whole number"),
        ({"button": 6}, "button 6 is not a seat: seats are 0 to 5"),
        ({"button": True}, "button True is not a whole number"),
        ({"first_hand": -1}, "first_hand -1 is below 0"),
        ({"restack": -1}, "restack is -1"),
        ({"turn_seconds": 0}, "turn_seconds 0"),
    ],
)
def test_a_table_that_cannot_be_is_refused_and_its_name_stays_free(
    room: Room, settings: dict[str, Any], error: str
) -> None:
    with pytest.raises(BadSpec, match=error):
        room.open_table("main", **settings)
    assert room.open_table("main").name == "main"


@pytest.mark.parametrize(
    ("bot", "chips", "kind"), [(None, -5, BadSpec), (None, 1.5, BadSpec), ("nobody", 0, UnknownBot)]
)
def test_a_player_that_cannot_come_in_is_not_there_afterwards(
    room: Room, bot: Any, chips: Any, kind: type[PokerError]
) -> None:
    with pytest.raises(kind):
        room.player("ann", bot, chips=chips)
    room.player("ann", chips=5)
    assert room.bank.balance("ann") == 5


def test_a_deck_too_small_for_the_hand_is_refused_before_anything_is_put_aside(room: Room) -> None:
    table, _ = seated(room, "caller", "caller")
    deck = Deck.seeded(1)
    deck.draw(48)
    with pytest.raises(BadSpec, match="4 cards are left in the deck: this hand needs 9"):
        table.deal(deck)
    assert room.audit().hands == 0
    assert not table.deal(Deck.seeded(1)).result(timeout=60).voided


def test_a_deck_of_another_pack_voids_the_hand_and_costs_nobody_a_chip(room: Room) -> None:
    table, _ = seated(room, "caller", "caller")
    twice = Deck([*SHORT_DECK, *SHORT_DECK], entropy=-1)
    twice._left[:4] = [SHORT_DECK[0]] * 4
    result = table.deal(twice).result(timeout=60)
    assert result.voided
    assert result.stacks[:2] == (100, 100)
    assert table.state().hand_id is None


# -- closing ---------------------------------------------------------------------------------------


def test_closing_twice_is_closing_once(room: Room) -> None:
    seated(room, "caller", None)
    room.close()
    room.close()
    assert room.supervisor.alive == ()


def test_after_closing_every_command_says_that_the_room_is_closed(room: Room) -> None:
    table, (ann, _) = seated(room, None, None)
    room.close()
    commands: list[Callable[[], object]] = [
        lambda: room.open_table("other"),
        lambda: room.player("cyd"),
        room.audit,
        lambda: room.bank.deposit("p0", 1),
        lambda: table.sit(ann),
        table.deal,
        table.state,
        ann.check,
        ann.state,
    ]
    for command in commands:
        with pytest.raises(RoomClosed):
            command()


def test_closing_in_the_middle_of_a_hand_voids_it_and_answers_who_waits(room: Room) -> None:
    table, _ = seated(room, None, None)
    hand = table.deal(Deck.seeded(1))
    room.close()
    result = hand.result(timeout=60)
    assert result.voided
    assert result.stacks[:2] == (100, 100)
    with pytest.raises(RoomClosed):
        hand.state()


def test_a_room_closed_without_time_to_finish_plays_no_hand_of_bots_to_its_end() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, _ = seated(room, "caller", "caller")
        hand = table.deal(Deck.seeded(1))
        room.close()
        assert hand.result(timeout=0).voided


def test_a_listener_may_close_the_room_it_is_called_in(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    table, (ann, _) = seated(room, None, None, button=0)
    closed = threading.Event()

    def close(news: News) -> None:
        if isinstance(news, HandState) and not closed.is_set():
            closed.set()
            room.close()

    ann.listen(close)
    hand = table.deal(Deck.seeded(1))
    settle(room)
    assert closed.wait(60)
    assert hand.result(timeout=60).voided
    for thread in threading.enumerate():
        if thread.name == "player p0":
            thread.join(60)
    assert room.supervisor.alive == ()
    assert "did not stop in time" not in caplog.text
    with pytest.raises(RoomClosed):
        ann.state()


def test_a_bot_still_thinking_when_the_room_has_closed_ends_when_it_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("poker_actors.actors.room._CLOSE_SECONDS", 0.02)
    monkeypatch.setattr("poker_actors.actors.runtime.threads.JOIN_SECONDS", 0.02)
    thinking, done = threading.Event(), threading.Event()

    def slow(view: View) -> Any:
        thinking.set()
        done.wait(60)
        return Call()

    with Room(seed=1) as room:
        table, _ = seated(room, slow, "caller", button=0)
        table.deal(Deck.seeded(1))
        assert thinking.wait(60)
    (left,) = [thread for thread in threading.enumerate() if thread.name == "player p0"]
    done.set()
    left.join(60)
    assert not left.is_alive()


# -- a player without a bot ------------------------------------------------------------------------


def test_a_player_without_a_bot_waits_and_acts_from_outside(room: Room) -> None:
    table, (ann, bob) = seated(room, None, "caller")
    hand = table.deal(Deck.seeded(1))
    settle(room)
    while (state := ann.state()) is not None and not hand.promise.answered:
        if state.active:
            ann.act(Call() if state.to_call else Check())
        settle(room)
    assert sum(hand.result(timeout=60).payoffs) == 0
    assert (ann.faults.total, bob.faults.total) == (0, 0)


@pytest.mark.parametrize(
    ("act", "code", "text"),
    [
        (lambda ann: ann.raise_to(3), "illegal_action", "raise_to 3 is below the minimum of 4"),
        (lambda ann: ann.raise_to(101), "illegal_action", "raise_to 101 is above the maximum of 100"),
        (lambda ann: ann.raise_to(10.0), "illegal_action", "chips must be whole numbers"),
        (lambda ann: ann.check(), "illegal_action", "check: there are 1 to call"),
        (lambda ann: ann.bet(0), "not_enough", "there are 1 to call"),
        (lambda ann: ann.bet(-1), "illegal_action", "chips must be whole numbers"),
        (lambda ann: ann.bet(True), "illegal_action", "chips must be whole numbers"),
        (lambda ann: ann.act("fold"), "illegal_action", "'fold' is not an action"),
        (lambda ann: ann.act(None), "illegal_action", "None is not an action"),
    ],
)
def test_an_action_that_is_not_legal_is_refused_and_the_turn_stays(
    room: Room, act: Callable[[Any], None], code: str, text: str
) -> None:
    table, players = seated(room, None, None, button=0)
    ann = players[0]
    hand = table.deal(Deck.seeded(1))
    before = hand.state()
    with pytest.raises(IllegalAction, match=text) as refused:
        act(ann)
    assert refused.value.code == code
    assert hand.state() == before
    ann.fold()
    assert hand.result(timeout=60).payoffs[:2] == (-1, 1)


def test_going_all_in_is_a_raise_or_a_call_whichever_takes_the_stack(room: Room) -> None:
    table, (ann, bob) = seated(room, None, None, button=0)
    hand = table.deal(Deck.seeded(1))
    ann.all_in()
    bob.all_in()
    result = hand.result(timeout=60)
    assert result.hand is not None
    assert [str(taken.action) for taken in result.hand.public().actions] == ["raise_to 100", "call"]
    with pytest.raises(IllegalAction, match="p0 is not to act"):
        ann.all_in()


def test_a_turn_in_a_hand_that_was_voided_is_given_up(room: Room) -> None:
    table, players = seated(room, None, None, button=0)
    ann = players[0]
    hand = table.deal(Deck.seeded(1))
    hand.address.tell(CRASH)
    assert hand.result(timeout=60).voided
    settle(room)
    state = ann.state()
    assert state is not None
    assert not state.active
    with pytest.raises(IllegalAction) as refused:
        ann.fold()
    assert refused.value.code == "not_active"


# -- bad bots --------------------------------------------------------------------------------------


class Liar:
    """Claims another seat's turn by handing back an action made to look legal."""

    total = 10
    amount = 10


def raises(view: View) -> Any:
    raise ValueError("no idea")


def exits(view: View) -> Any:
    sys.exit(3)


def recurses(view: View) -> Any:
    return recurses(view)


def raises_too_little(view: View) -> Any:
    return RaiseTo(view.min_raise_to - 1)


def lies_about_its_seat(view: View) -> Any:
    other = View(view.public, 1 - view.seat, view.hole)
    return RaiseTo(other.max_raise_to) if other.legal else RaiseTo(10_000)


@pytest.mark.parametrize(
    ("bot", "kind"),
    [
        (raises, "raised"),
        (exits, "raised"),
        (recurses, "raised"),
        (lambda view: None, "nonsense"),
        (lambda view: "fold", "nonsense"),
        (lambda view: Fold, "nonsense"),
        (lambda view: Liar(), "nonsense"),
        (lambda view: RaiseTo(1.5), "nonsense"),  # type: ignore[arg-type]  # bad on purpose
        (raises_too_little, "illegal"),
        (lies_about_its_seat, "illegal"),
        (lambda view: Check() if view.to_call else Call(), "illegal"),
    ],
)
def test_a_bad_bot_checks_or_folds_is_counted_and_stops_nobody(room: Room, bot: Any, kind: str) -> None:
    table, (bad, good) = seated(room, bot, "caller", button=0)
    result = table.deal(Deck.seeded(1)).result(timeout=60)
    assert result.payoffs[:2] == (-1, 1)
    assert (getattr(bad.faults, kind), bad.faults.total, good.faults.total) == (1, 1, 0)
    assert bad.faults.first
    assert room.supervisor.restarts == 0
    assert not table.deal(Deck.seeded(2)).result(timeout=60).voided


def test_a_bot_that_changes_what_it_is_shown_harms_nobody_else() -> None:
    def vandal(view: View) -> Any:
        view.public.actions[:0]
        with pytest.raises(AttributeError):
            view.stacks.append(1)  # type: ignore[attr-defined]
        return Check() if view.legal.can_check else Call()

    with Room(StepRuntime(), seed=1) as room:
        table, (bad, _) = seated(room, vandal, "caller")
        assert sum(table.deal(Deck.seeded(1)).result().payoffs) == 0
        assert bad.faults.total == 0


# -- listeners and watchers ------------------------------------------------------------------------


def test_a_listener_that_raises_is_logged_and_neither_player_nor_hand_stops(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    table, (ann, _) = seated(room, "caller", "caller")
    heard: list[News] = []

    def broken(news: News) -> None:
        raise RuntimeError("the app's fault")

    ann.listen(broken)
    ann.listen(heard.append)
    with caplog.at_level(logging.ERROR, "poker_actors.player"):
        table.deal(Deck.seeded(1)).result(timeout=60)
        ann.unlisten(broken)
        room.close()
    assert any(isinstance(news, HandState) for news in heard)
    assert {record.getMessage() for record in caplog.records} >= {"a listener of p0 raised at HandState"}
    assert room.supervisor.restarts == 0


def test_a_watcher_hears_every_change_and_no_hole_card(room: Room) -> None:
    table, players = seated(room, "caller", "caller")
    heard: list[News] = []
    own: list[News] = []
    eve = room.player("eve")
    eve.listen(heard.append)
    players[0].listen(own.append)
    table.watch(eve)
    table.watch(eve)
    result = table.deal(Deck.seeded(1)).result(timeout=60)
    table.unwatch(eve)
    table.deal(Deck.seeded(2)).result(timeout=60)
    room.close()  # a hand's result can come before a watcher has been given all of the hand's news
    assert {news.table for news in heard if not isinstance(news, Refusal)} == {"main"}
    states = [news for news in heard if isinstance(news, HandState)]
    told = [news for news in own if isinstance(news, HandState) and news.hand_id == result.hand_id]
    assert [state.public for state in states] == [state.public for state in told]
    assert all((state.seat, state.hole, state.turn) == (-1, (), None) for state in states)
    assert all((state.to_call, bool(state.legal), state.active) == (0, False, False) for state in states)
    assert [news.what for news in heard if isinstance(news, TableNews)] == ["hand_started", "hand_ended"]


# -- turns -----------------------------------------------------------------------------------------


def test_an_action_for_a_turn_that_is_over_is_refused_as_stale_and_changes_nothing(room: Room) -> None:
    table, (ann, bob) = seated(room, None, None, button=0)
    heard: list[News] = []
    ann.listen(heard.append)
    hand = table.deal(Deck.seeded(1))
    state = ann.state()
    assert state is not None
    assert state.turn is not None
    ann.call()
    before = hand.state()
    refused = hand.address.ask(Act(state.turn, Fold()))
    assert refused.code == "stale_action"
    assert hand.state() == before
    settle(room)
    bob.check()
    ann.state()  # answered after what was told before
    refusals = [news for news in heard if isinstance(news, Refusal)]
    assert [(news.code, news.seq) for news in refusals] == [("stale_action", 0)]


@pytest.mark.parametrize("seat", [0, 1, -1, 99])
def test_a_turn_that_was_made_up_is_worth_nothing(room: Room, seat: int) -> None:
    table, (ann, _) = seated(room, None, None, button=0)
    hand = table.deal(Deck.seeded(1))
    for hand_id in (hand.hand_id, "main/hand-999999999"):
        if hand_id == hand.hand_id and seat not in (0, 1):
            continue
        refused = hand.address.ask(Act(Turn(hand_id, 0, seat), Fold()))
        assert refused.code == "stale_action"
    assert hand.state().seq == 0
    ann.fold()
    assert not hand.result(timeout=60).voided


def _states_into(states: list[HandState]) -> Callable[[News], None]:
    return lambda news: states.append(news) if isinstance(news, HandState) else None


def test_nobody_is_told_the_turn_of_somebody_else(room: Room) -> None:
    table, players = seated(room, "caller", "caller", "caller")
    heard: dict[int, list[HandState]] = {0: [], 1: [], 2: []}
    for seat, player in enumerate(players):
        player.listen(_states_into(heard[seat]))
    table.play(3)
    room.close()
    for seat, states in heard.items():
        assert states
        assert all(state.seat == seat for state in states)
        assert all(state.turn is None or state.turn.seat == seat == state.public.active for state in states)


def test_a_bot_that_is_too_late_is_acted_for_and_its_lateness_counted() -> None:
    over = threading.Event()

    def slow(view: View) -> Any:
        over.wait(60)
        return Call()

    with Room(seed=1) as room:
        table, (ann, _) = seated(room, slow, "caller", button=0, turn_seconds=0.02)
        assert table.deal(Deck.seeded(1)).result(timeout=60).payoffs[:2] == (-1, 1)
        over.set()
        ann.state()
        assert (ann.faults.late, ann.faults.total, ann.faults.first) == (1, 1, "no answer in time")
