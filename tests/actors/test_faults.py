"""Raise inside every handler of every actor, once each, before it works and after: no chip is lost."""

from __future__ import annotations

from typing import Any

import pytest

from poker_actors.actors import Room
from poker_actors.cards import Deck
from poker_actors.errors import PokerError
from poker_actors.rules import Stakes
from tests.actors.faulty_runtime import Fault, FaultyRuntime

CHIPS = 500


def play_an_evening(runtime: FaultyRuntime) -> Room:
    """Sit, buy in, play two hands, cash out, leave; whatever is refused or crashes is passed over."""
    room = Room(runtime, seed=3)
    steps: list[Any] = []
    table = room.open_table("main", stakes=Stakes(5, 10), turn_seconds=30)
    players = [
        room.player(name, bot) for name, bot in (("ann", "caller"), ("bob", "random"), ("cyd", "tight"))
    ]
    for player in players:
        steps.append(lambda player=player: room.bank.deposit(player.name, CHIPS))
        steps.append(lambda player=player: table.sit(player))
        steps.append(lambda player=player: table.buy_in(player, CHIPS))
    steps += [lambda seed=seed: table.deal(Deck.seeded(seed)).result(timeout=1000) for seed in (1, 2)]
    for player in players:
        steps.append(lambda player=player: table.cash_out(player))
        steps.append(lambda player=player: table.leave(player))
    for step in steps:
        try:
            step()
        except (PokerError, Fault):
            runtime.run()
    runtime.advance(1000)
    return room


def handlings() -> list[str]:
    runtime = FaultyRuntime()
    with play_an_evening(runtime):
        return list(runtime.handled)


HANDLED = handlings()


def test_the_evening_visits_every_actor() -> None:
    assert {name.split()[0] for name in HANDLED} == {
        "bank",
        "table",
        "player",
        "main/hand-000000000",
        "main/hand-000000001",
    }
    assert len(HANDLED) > 100


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_in_any_handler_loses_no_chip_and_blocks_no_table(after: bool) -> None:
    for at, what in enumerate(HANDLED):
        runtime = FaultyRuntime(at, after=after)
        with play_an_evening(runtime) as room:
            runtime.at = -1
            audit = room.audit()
            assert audit.conserved, (at, what, audit)
            assert audit.hands == 0, (at, what, audit)
            minted = {3 * CHIPS, 2 * CHIPS} if "Deposit" in what else {3 * CHIPS}
            assert audit.minted in minted, (at, what, audit)
            state = room._tables["main"].state()
            assert state.hand_id is None, (at, what)
            # a table that the bank crashed on crashes with it: what it had computed is in doubt
            restarts = {0} if "hand-" in what else {1, 2} if "bank" in what else {1}
            assert "Stop" in what or room.supervisor.restarts in restarts, (at, what)
