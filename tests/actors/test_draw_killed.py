"""A room killed in a draw, or before the pack is mixed again, goes on with the same cards; in open-face, too."""

from __future__ import annotations

import functools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.bots import SeedTree
from poker_actors.bots.house.other_games import best_lay
from poker_actors.cards import Deck
from poker_actors.rules import GAMES, Action, Discard, Hand, Lay, Stakes, event, state_text

NAMES = ("ann", "bob", "cyd", "dan", "eve", "fay")
SEEDS = {"2-7-triple-draw": (11, 6), "open-face-pineapple": (89, 2)}
"""Seed and seats of a hand in which the pack is mixed again: in open-face for a deal in fantasy land."""

CHILD = """
import sys, time
from tests.actors.test_draw_killed import play_on
room = play_on(sys.argv[1], sys.argv[2], int(sys.argv[3]))
print("there", flush=True)
time.sleep(3600)
"""


def next_action(hand: Hand) -> Action:
    """Everybody changes five cards as often as may be, so that the stub runs short; else calls, or lays well.

    Cards are laid in another order than they were dealt in.
    """
    if hand.legal.lays:
        best = best_lay(hand.view(hand.to_act[0], SeedTree(1).stream(0, hand.to_act[0])))
        return Lay(best.top[::-1], best.middle[::-1], best.bottom[::-1])
    if hand.legal.discards:
        return Discard(hand.holes[hand.to_act[0]])
    return next(one for one in hand.legal if "call" in str(one)) if hand.legal.to_call else hand.legal.passive


def reference(game: str) -> Hand:
    """The same hand without a room."""
    rules, (seed, seats) = GAMES[game], SEEDS[game]
    stakes = rules.stakes_like(Stakes(1, 2))
    return Hand([100] * seats, stakes, deck=Deck.seeded(seed), button=seats - 1, game=rules)


@functools.cache
def actions(game: str) -> list[Action]:
    hand = reference(game)
    taken = []
    while hand.to_act:
        taken.append(next_action(hand))
        hand.act(taken[-1])
    return taken


def before_the_pack_is_mixed(game: str) -> list[int]:
    """After how many actions the next one mixes the pack again."""
    hand, found, mixed = reference(game), [], 0
    for number, action in enumerate(actions(game)):
        hand.act(action)
        now = sum(isinstance(one, event.Reshuffled) for one in hand.events())
        if now > mixed:
            found.append(number)
        mixed = now
    return found


def play_on(store: str, game: str, until: int) -> Room:
    """Open the room, or take it up again, and play the hand to so many actions."""
    runtime = StepRuntime()
    room = Room(runtime, store=store)
    seed, seats = SEEDS[game]
    if "main" not in room.tables:
        stakes = GAMES[game].stakes_like(Stakes(1, 2))
        table = room.open_table("main", seats=seats, stakes=stakes, game=game, button=seats - 1)
        for name in NAMES[:seats]:
            player = room.player(name, chips=100)
            table.sit(player)
            table.buy_in(player, 100)
        table.deal(Deck.seeded(seed))
    runtime.run()
    for number, action in enumerate(actions(game)[:until]):
        for name in NAMES[:seats]:
            state = room.players[name].state()
            if state is not None and state.active and state.seq == number:
                room.players[name].act(action)
                runtime.run()
                break
    return room


def killed(store: Path | str, game: str, until: int) -> None:
    """Have another process play so far, and kill it."""
    root = Path(__file__).parents[2]
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(store), game, str(until)],
        stdout=subprocess.PIPE,
        cwd=root,
        text=True,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "there\n"
    os.kill(child.pid, signal.SIGKILL)
    child.wait()
    child.stdout.close()


@pytest.mark.parametrize("game", SEEDS)
def test_a_room_killed_in_a_draw_and_before_a_reshuffle_deals_the_same_cards(
    tmp_path: Path, game: str
) -> None:
    store = tmp_path / "room.db"
    first, *_ = before_the_pack_is_mixed(game)
    for until in (first - 1, first, min(first + 2, len(actions(game)) - 1)):
        killed(store, game, until)
    room = play_on(str(store), game, len(actions(game)))
    with room:
        hand = reference(game)
        for action in actions(game):
            hand.act(action)
        assert hand.over
        for seat in range(len(hand.stacks)):
            state = room.players[NAMES[seat]].state()
            assert state is not None
            assert state.hand == hand.holes[seat]
            assert state.public.over
            assert state.public.layout == hand.public().layout
        assert tuple(seat.stack for seat in room.tables["main"].state().seats if seat) == tuple(hand.stacks)
        assert room.audit().conserved


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_rows_are_in_the_order_they_were_laid_in_after_a_kill_and_from_a_snapshot(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    game, until = "open-face-pineapple", 7
    store = str(tmp_path / "room.db")
    if kind == "postgresql":
        store = request.getfixturevalue("postgres_server").url("room_rows")
    hand = reference(game)
    for action in actions(game)[:until]:
        hand.act(action)
    assert hand.entries() != hand.entries(order=True)
    killed(store, game, until)
    for _ in range(2):  # the second time from the snapshot that closing makes
        with play_on(store, game, until) as room:
            assert room.recovery is not None
            assert room.recovery.resumed
            for seat, cards in enumerate(hand.holes):
                state = room.players[NAMES[seat]].state()
                assert state is not None
                assert state.hand == cards
                assert state.public.layout == hand.public().layout
                assert state_text(state.public) == state_text(hand.public())
