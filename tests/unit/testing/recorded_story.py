"""Record what the witness of a room hears, for tests that replay it, unchanged or falsified."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from poker_actors.actors import (
    Room,
    StepRuntime,
    ThreadRuntime,
)
from poker_actors.actors.messages import Deal, DealtHand
from poker_actors.actors.runtime import Word
from poker_actors.cards import Deck
from poker_actors.errors import AskTimeout, PokerError
from poker_actors.rules import Stakes
from poker_actors.testing import Witness

Event = tuple[Any, ...]
"""A call of a witness: the name of the method, then the arguments."""
Story = list[Event]


class Never(Word):
    """The promise of a result that never comes."""

    def _answer(self, value: Any, error: BaseException | None) -> None:
        pass

    def get(self, timeout: float | None, who: Any) -> Any:
        raise AskTimeout(str(who))

    def when_done(self, callback: Callable[[], None]) -> None:
        pass


class Recorder(Witness):
    """A witness that records what it hears."""

    def __init__(self) -> None:
        super().__init__()
        self.story: Story = []

    def told(self, who: str, news: object) -> None:
        self.story.append(("told", who, news))
        super().told(who, news)

    def asked(self, who: str, command: object) -> None:
        if isinstance(command, Deal) and command.deck is not None:
            command = attrs.evolve(command, deck=command.deck.copy())
        self.story.append(("asked", who, command))
        super().asked(who, command)

    def answered(self, who: str, command: object, value: object) -> None:
        kept = attrs.evolve(value, result=Never()) if isinstance(value, DealtHand) else value
        self.story.append(("answered", who, command, kept))
        super().answered(who, command, value)

    def refused(self, who: str, command: object, error: PokerError) -> None:
        self.story.append(("refused", who, command, error))
        super().refused(who, command, error)

    def lost(self, who: str, command: object) -> None:
        self.story.append(("lost", who, command))
        super().lost(who, command)


BOARD = "2c7dTh4s9c"


def record(runtime: Callable[[Recorder], StepRuntime | ThreadRuntime] = Recorder.stepper) -> Story:
    """Play some hands, with given and committed decks, a showdown, a time-out, a player sitting out and two waiting."""
    recorder = Recorder()
    with Room(runtime(recorder), seed=1) as room:
        table = room.open_table("main", seats=4, stakes=Stakes(1, 2), turn_seconds=5)
        recorder.knows(table)
        players = [room.player(name, "caller", chips=1000) for name in ("ann", "bob", "cat")]
        players.append(room.player("dan", None, chips=1000))
        for player in players:
            table.sit(player)
            table.buy_in(player, 100)
        for name in ("eve", "fay"):
            table.wait(room.player(name, "caller", chips=50), 20)
        room.bank.balance("ann")
        table.deal(Deck.stacked([], BOARD)).result(timeout=100)
        table.sit_out(players[3])
        table.deal().result(timeout=100)
        table.play(2)
        room.audit()
        table.state()
        story = [*recorder.story]
    recorder.rest()
    assert recorder.verdicts == []
    return story
