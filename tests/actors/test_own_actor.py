"""A pykka actor of the application's own sits and plays, and a dead one is acted for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pykka
import pytest

from poker_actors.actors import HandState, Room, StepRuntime, TableNews
from poker_actors.cards import Deck
from poker_actors.errors import BadSpec
from poker_actors.rules import Call, Check, RaiseTo


class Own(pykka.ThreadingActor):
    """Calls, and keeps what it hears."""

    def __init__(self, *, dies: bool = False, cheats: bool = False) -> None:
        super().__init__()
        self.heard: list[object] = []
        self.dies = dies
        self.cheats = cheats

    def on_receive(self, message: object) -> object:
        if message == "heard":
            return list(self.heard)
        self.heard.append(message)
        if isinstance(message, HandState) and message.active:
            if self.dies:
                raise RuntimeError("a bug of the application")
            if self.cheats:
                self.cheats = False
                message.act(RaiseTo(10**6))
            message.act(Call() if message.to_call else Check())
        return None


@pytest.fixture
def room() -> Iterator[Room]:
    with Room(seed=1) as room:
        yield room


def dealt(room: Room, ref: Any) -> Any:
    table = room.open_table("main", seats=2, button=0)
    for player in (room.player("own", ref, chips=100), room.player("bob", "caller", chips=100)):
        table.sit(player)
        table.buy_in(player, 100)
    return table, table.deal(Deck.seeded(1))


def test_it_is_told_what_a_player_hears_and_acts_by_it(room: Room) -> None:
    ref = Own.start()
    _, hand = dealt(room, ref)
    result = hand.result(timeout=30)
    assert result.hand is not None
    assert len(result.hand.board) == 5
    ref.stop()  # after what it has been sent
    assert sum(result.payoffs) == 0


def test_it_hears_refusals_and_table_news(room: Room) -> None:
    ref = Own.start(cheats=True)
    table, hand = dealt(room, ref)
    hand.result(timeout=30)
    table.sit_out("own")
    heard = ref.ask("heard", timeout=30)
    assert {"HandState", "Refusal", "TableNews"} <= {type(one).__name__ for one in heard}
    assert next(one.names for one in heard if isinstance(one, HandState)) == ("own", "bob")
    assert {one.what for one in heard if isinstance(one, TableNews)} >= {"hand_started"}
    ref.stop()


def test_nothing_it_hears_shows_another_seats_cards(room: Room) -> None:
    ref = Own.start()
    _, hand = dealt(room, ref)
    result = hand.result(timeout=30)
    secret = {str(card) for card in result.hand.holes[1]}
    for one in ref.ask("heard", timeout=30):
        if isinstance(one, HandState) and not one.public.over:
            assert not secret & {str(card) for card in (*one.hole, *one.board)}
    ref.stop()


def test_one_that_dies_is_acted_for_and_dealt_no_more_cards(
    room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    ref = Own.start(dies=True)
    table, hand = dealt(room, ref)
    room.bank.balance("own")
    while ref.is_alive():
        pass
    # who is dead learns nothing: the next news finds that out, and nobody waits for the seat
    table.sit_out("bob")
    assert hand.result(timeout=30).payoffs in ((-1, 1), (-2, 2))
    assert table.state().seats[0].out


def test_a_class_is_refused_with_what_to_give_instead(room: Room) -> None:
    with pytest.raises(BadSpec, match=r"pass what Own.start\(\) returns"):
        room.player("own", Own)  # type: ignore[arg-type]  # what somebody tries
    assert dict(room.players) == {}


def test_on_a_stepper_an_actor_of_ones_own_is_refused() -> None:
    ref = Own.start()
    with Room(StepRuntime(), seed=1) as room, pytest.raises(BadSpec, match="needs a room with a thread"):
        room.player("own", ref)
    ref.stop()
