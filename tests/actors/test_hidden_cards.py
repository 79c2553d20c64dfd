"""No text and no value that anybody is given shows a card that it may not know."""

from __future__ import annotations

import logging
import pickle
import traceback
from collections.abc import Callable, Iterator
from copy import deepcopy
from enum import Enum
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

import pytest

from poker_actors.actors import (
    Delivery,
    HandResult,
    HandState,
    LiveHand,
    News,
    Player,
    Room,
    StepRuntime,
    Table,
    TableState,
)
from poker_actors.actors.player.messages import Act
from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.errors import PokerError, RoomClosed
from poker_actors.rules import Call, Check, Fold, Game, View
from tests.actors.told import CRASH

HOLES = ["KdJs", "QhKh", "TsQs"]
BOARD = "JhKsTdJdQd"
SECRETS = {str(card) for card in parse_cards("".join(HOLES) + BOARD)}
"""No 2 to 9, no c, no Th: none of them turns up in a digest, a number or a word by chance."""


def seated(room: Room, bot: Any) -> tuple[Table, list[Player]]:
    table = room.open_table("main")
    players = [room.player(f"p{number}", bot, chips=100) for number in range(3)]
    for player in players:
        table.sit(player)
        table.buy_in(player, 100)
    return table, players


def cards_in(text: str) -> set[str]:
    """Secrets that a text shows."""
    return {secret for secret in SECRETS if secret in text}


def texts_of(thing: object) -> list[str]:
    return [repr(thing), str(thing), f"{thing}"]


def step_quietly(runtime: StepRuntime, seen: list[str]) -> None:
    """Write down how everything looks that is delivered, or waits to be."""

    def look(delivery: Delivery) -> None:
        seen.extend(texts_of(delivery) + texts_of(delivery.message))
        for waiting in runtime.pending:
            seen.extend(texts_of(waiting))

    runtime.observers.append(look)


def test_a_hand_without_a_showdown_shows_no_card_in_any_message_value_log_or_error(
    caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    seen: list[str] = []
    runtime = StepRuntime()
    caplog.set_level(logging.DEBUG)
    with Room(runtime, seed=1, store=tmp_path / "room.sqlite") as room:
        step_quietly(runtime, seen)
        table, players = seated(room, None)
        players[0].listen(_fails)
        deck = Deck.stacked(HOLES, BOARD)
        seen.extend(texts_of(deck))
        hand = table.deal(deck)
        for act in _blunders(players, hand):
            with pytest.raises(PokerError) as refused:
                act()
            seen.extend("".join(traceback.format_exception(refused.value)).splitlines())
        for thing in (room, table, hand, *players, *(player.state() for player in players)):
            seen.extend(texts_of(thing))
        for keeper in (hand.address.actor, table.address.actor, players[0].address.actor):
            for kept in vars(keeper).values():
                seen.extend(texts_of(kept))
        players[2].fold()
        players[0].fold()
        result = hand.result()
        seen.extend(texts_of(result))
        hand = table.deal(Deck.stacked(HOLES, BOARD))
        hand.address.tell(CRASH)
        seen.extend(texts_of(hand.result()))
    assert len(seen) > 1000
    assert len(caplog.records) >= 3
    log = logging.Formatter()
    seen.extend(log.format(record) for record in caplog.records)
    assert [(text, shown) for text in seen if (shown := cards_in(text))] == []


def _fails(news: News) -> None:
    raise RuntimeError("the app's fault")


def _blunders(players: list[Player], hand: LiveHand) -> list[Callable[[], object]]:
    return [
        players[0].check,
        players[2].check,
        lambda: players[2].raise_to(3),
        lambda: players[2].bet(1000),
        players[1].all_in,
        lambda: hand.result(timeout=0),
    ]


def test_cards_are_noticed_when_they_are_shown() -> None:
    state = View(public=_first_state().public, seat=0, hole=parse_cards(HOLES[0]))
    assert cards_in(repr(state)) == {"Kd", "Js"}
    assert cards_in("cards='KdJsQhKh'") == {"Kd", "Js", "Qh", "Kh"}


def _first_state() -> HandState:
    heard: list[HandState] = []
    with Room(StepRuntime(), seed=1) as room:
        table, players = seated(room, None)
        players[0].listen(lambda news: heard.append(news) if isinstance(news, HandState) else None)
        table.deal(Deck.stacked(HOLES, BOARD))
        room.runtime.run()  # type: ignore[attr-defined]  # it is a StepRuntime
    return heard[0]


# -- what can be reached ---------------------------------------------------------------------------


SLOTS = (MemberDescriptorType, GetSetDescriptorType)
"""What holds an attribute in a class of Python, and in a compiled one."""


def reachable(thing: object) -> Iterator[Card]:
    """Every card in `thing`, in what it holds, and so on; the pack of a game is known to all."""
    seen: set[int] = set()
    todo = [thing]
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(
            one, (type, Game, Enum, ModuleType, FunctionType, BuiltinFunctionType)
        ):
            continue
        seen.add(id(one))
        if isinstance(one, Card):
            yield one
        elif isinstance(one, dict):
            todo.extend([*one.keys(), *one.values()])
        elif isinstance(one, (list, tuple, set, frozenset)):
            todo.extend(one)
        elif not isinstance(one, (str, bytes, int, float, type(None))):
            members = [pair for kind in type(one).__mro__ for pair in vars(kind).items()]
            slots = [name for name, member in members if isinstance(member, SLOTS)]
            todo.extend(getattr(one, name) for name in slots if hasattr(one, name) and name != "__weakref__")
            todo.extend(getattr(one, "__dict__", {}).values())


def test_a_bot_can_reach_its_own_cards_and_the_board_and_no_other_card(room: Room) -> None:
    seen: list[tuple[int, set[Card], set[Card]]] = []

    def looks_everywhere(view: View) -> Any:
        seen.append((view.seat, set(reachable(view)), {*view.hole, *view.board}))
        return Call() if view.to_call else Check()

    table, _ = seated(room, looks_everywhere)
    assert not table.deal(Deck.stacked(HOLES, BOARD)).result(timeout=60).voided
    assert {seat for seat, _, _ in seen} == {0, 1, 2}
    assert max(len(known) for _, _, known in seen) == 7
    for _, found, known in seen:
        assert found == known


def test_the_parts_of_a_state_that_players_share_hold_no_hole_card_before_the_showdown(room: Room) -> None:
    heard: list[News] = []
    table, players = seated(room, "caller")
    players[1].listen(heard.append)
    table.deal(Deck.stacked(HOLES, BOARD)).result(timeout=60)
    room.close()
    states = [news for news in heard if isinstance(news, HandState)]
    own = set(parse_cards(HOLES[1]))
    for state in states[:-1]:
        assert set(reachable(state.public)) == set(state.board)
        assert set(state.hole) == own
        assert state.public.shown == ()
    assert states[-1].phase == "showdown"
    assert states[-1].public.shown


# -- values that go to another process -------------------------------------------------------------


def a_hand_played() -> tuple[HandState, TableState, HandResult]:
    with Room(StepRuntime(), seed=1) as room:
        table, players = seated(room, "caller")
        result = table.deal(Deck.stacked(HOLES, BOARD)).result()
        state = players[1].state()
        assert state is not None
        return state, table.state(), result


def test_a_state_goes_to_another_process_with_its_own_cards_and_nobody_elses() -> None:
    state = _first_state()
    there = pickle.loads(pickle.dumps(state))
    assert there.view() == state.view()
    assert (there.hand_id, there.seq, there.table, there.active) == (state.hand_id, 0, "main", state.active)
    assert set(reachable(there)) == set(state.hole)


def test_a_table_state_is_equal_in_another_process_and_reaches_nobody_there() -> None:
    _, state, _ = a_hand_played()
    there = pickle.loads(pickle.dumps(state))
    assert there == state
    seat = there.seats[0]
    assert seat.address.name == "player p0"
    seat.address.tell("nothing happens")
    with pytest.raises(RoomClosed, match="player p0 is in another process"):
        seat.address.ask("anybody?")


def test_a_result_keeps_its_hand_in_another_process() -> None:
    _, _, result = a_hand_played()
    there = pickle.loads(pickle.dumps(result))
    assert there.hand == result.hand
    assert (there.payoffs, there.stacks, there.positions) == (result.payoffs, result.stacks, result.positions)


def test_a_turn_that_has_been_to_another_process_is_no_right_to_act() -> None:
    with Room(StepRuntime(), seed=1) as room:
        table, players = seated(room, None)
        hand = table.deal(Deck.stacked(HOLES, BOARD))
        state = players[2].state()
        assert state is not None
        assert state.turn is not None
        copied = pickle.loads(pickle.dumps(state))
        assert hand.address.ask(Act(copied.turn, Fold())).code == "stale_action"
        assert hand.state().seq == 0
        assert deepcopy(state).change.hand_address is hand.address
