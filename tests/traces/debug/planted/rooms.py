"""Rooms with one bug each, in rules or actors, for the sessions beside this file."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from poker_actors.actors import Room, StepRuntime
from poker_actors.cards import Deck
from poker_actors.debug.session import Watch
from poker_actors.rules import Hand

STACKS = (60, 25, 100)


@contextmanager
def _patched(owner: Any, name: str, make: Callable[[Any], Any]) -> Iterator[None]:
    right = getattr(owner, name)
    setattr(owner, name, make(right))
    try:
        yield
    finally:
        setattr(owner, name, right)


def _play(
    watch: Watch, bots: tuple[str | None, ...], turn_seconds: float | None = None, seed: int = 5
) -> None:
    runtime = StepRuntime()
    watch(runtime)
    with Room(runtime, seed=seed) as room:
        table = room.open_table("green", seats=len(bots), turn_seconds=turn_seconds)
        for number, bot in enumerate(bots):
            player = room.player(f"p{number}", bot, chips=200)
            table.sit(player)
            table.buy_in(player, STACKS[number])
        table.deal(Deck.seeded(seed)).result()


def sleeps(watch: Watch) -> None:
    """A player without a bot, at a table with a clock."""
    _play(watch, ("caller", None, "caller"), 20)


def crashes(watch: Watch) -> None:
    """The rules fail in the middle of an action."""

    def make(right: Callable[[Hand, Any], None]) -> Callable[[Hand, Any], None]:
        def act(hand: Hand, action: Any) -> None:
            if len(hand.log) == 4:
                hand.to_act = hand.to_act[1:]
                raise ZeroDivisionError("no chips to share")
            right(hand, action)

        return act

    with _patched(Hand, "act", make):
        _play(watch, ("caller", "caller", "caller"))


def pays_wrong(watch: Watch) -> None:
    """The winner's chips go to the next seat."""

    def make(right: Callable[..., None]) -> Callable[..., None]:
        def show_down(hand: Hand, *rest: Any) -> None:
            before = list(hand.stacks)
            right(hand, *rest)
            won = [after - stack for after, stack in zip(hand.stacks, before, strict=True)]
            best = won.index(max(won))
            moved = {best: -won[best], (best + 1) % len(won): won[best]}
            hand.stacks = tuple([chips + moved.get(seat, 0) for seat, chips in enumerate(hand.stacks)])

        return show_down

    with _patched(Hand, "_show_down", make):
        _play(watch, ("caller", "caller", "caller"))


def loses_chips(watch: Watch) -> None:
    """One chip of every award is lost."""

    def make(right: Callable[..., None]) -> Callable[..., None]:
        def show_down(hand: Hand, *rest: Any) -> None:
            right(hand, *rest)
            best = hand.stacks.index(max(hand.stacks))
            hand.stacks = tuple([chips - (seat == best) for seat, chips in enumerate(hand.stacks)])

        return show_down

    with _patched(Hand, "_show_down", make):
        _play(watch, ("caller", "caller", "caller"))


def deaf(watch: Watch) -> None:
    """A player's actor that crashes at its second turn and is restarted."""
    from poker_actors.actors.player import PlayerActor

    heard: list[object] = []

    def make(right: Callable[[Any, Any], None]) -> Callable[[Any, Any], None]:
        def hand_state(actor: Any, state: Any) -> None:
            if actor.memory.name == "p1" and state.turn is not None:
                heard.append(state)
                if len(heard) == 2:
                    raise LookupError("no such table in my notes")
            right(actor, state)

        return hand_state

    with _patched(PlayerActor, "hand_state", make):
        _play(watch, ("caller", "caller", "caller"))


def twice(watch: Watch) -> None:
    """A player whose actor answers every turn twice."""
    from poker_actors.actors.player import PlayerActor

    def make(right: Callable[..., None]) -> Callable[..., None]:
        def act(actor: Any, *turn: Any) -> None:
            right(actor, *turn)
            right(actor, *turn)

        return act

    with _patched(PlayerActor, "_act", make):
        _play(watch, ("caller", "random", "caller"))
