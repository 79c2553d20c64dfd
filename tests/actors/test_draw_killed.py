"""A room killed in a draw, and between a discard and the reshuffle, goes on with the same cards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from poker_actors.actors import Room, StepRuntime
from poker_actors.cards import Deck
from poker_actors.rules import GAMES, Action, Discard, Hand, Stakes, event

NAMES = ("ann", "bob", "cyd", "dan", "eve", "fay")
SEED = 11

CHILD = """
import sys, time
from tests.actors.test_draw_killed import play_on
room = play_on(sys.argv[1], int(sys.argv[2]))
print("there", flush=True)
time.sleep(3600)
"""


def next_action(hand: Hand) -> Action | None:
    """Everybody changes five cards as often as may be, so that the stub runs short; None for a check or call."""
    return Discard(hand.holes[hand.to_act[0]]) if hand.legal.discards else None


def reference() -> Hand:
    """The same hand without a room."""
    deck = Deck.seeded(SEED)
    return Hand([100] * 6, Stakes(1, 2), deck=deck, button=5, game=GAMES["2-7-triple-draw"])


def actions() -> list[Action]:
    hand = reference()
    taken = []
    while hand.to_act:
        action = next_action(hand) or hand.legal.passive
        if hand.legal.to_call:
            action = next(one for one in hand.legal if "call" in str(one))
        hand.act(action)
        taken.append(action)
    return taken


def before_the_reshuffles() -> list[int]:
    """After how many actions the next one mixes the stub."""
    hand, found, mixed = reference(), [], 0
    for number, action in enumerate(actions()):
        hand.act(action)
        now = sum(isinstance(one, event.Reshuffled) for one in hand.events())
        if now > mixed:
            found.append(number)
        mixed = now
    return found


def play_on(store: str, until: int) -> Room:
    """Open the room, or take it up again, and play the hand to so many actions."""
    runtime = StepRuntime()
    room = Room(runtime, store=store)
    if "main" not in room.tables:
        table = room.open_table("main", seats=6, stakes=Stakes(1, 2), game="2-7-triple-draw", button=5)
        for name in NAMES:
            player = room.player(name, chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        table.deal(Deck.seeded(SEED))
    runtime.run()
    for number, action in enumerate(actions()[:until]):
        for name in NAMES:
            state = room.players[name].state()
            if state is not None and state.active and state.seq == number:
                room.players[name].act(action)
                runtime.run()
                break
    return room


def killed(store: Path, until: int) -> None:
    """Have another process play so far, and kill it."""
    root = Path(__file__).parents[2]
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(store), str(until)], stdout=subprocess.PIPE, cwd=root, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "there\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()


def test_a_room_killed_in_a_draw_and_before_a_reshuffle_deals_the_same_cards(tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    first, *_ = before_the_reshuffles()
    for until in (first - 1, first):
        killed(store, until)
    room = play_on(str(store), len(actions()))
    with room:
        hand = reference()
        for action in actions():
            hand.act(action)
        assert hand.over
        for seat, name in enumerate(NAMES):
            state = room.players[name].state()
            assert state is not None
            assert state.hand == hand.holes[seat]
            assert state.public.over
        assert tuple(seat.stack for seat in room.tables["main"].state().seats if seat) == tuple(hand.stacks)
        assert room.audit().conserved
