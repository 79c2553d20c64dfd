"""A player's actor alone, with a hand that notes what it is told; for tests of that actor."""

from __future__ import annotations

from typing import Any

from poker_actors.actors import StepRuntime
from poker_actors.actors.player.actor import PlayerActor, PlayerMemory
from poker_actors.actors.player.messages import (
    Act,
    Change,
    HandState,
    SitOut,
    Turn,
)
from poker_actors.actors.runtime import Actor, Address, on
from poker_actors.cards import Deck
from poker_actors.errors import Refused
from poker_actors.rules import Action, Hand, Stakes


class Acted(Actor):
    """Stands for a hand: notes what it is told, and answers an action with `answer`."""

    def __init__(self, address: Address, said: list[str]) -> None:
        self.said = said
        self.answer: Refused | None = None
        super().__init__(address)

    @on(Act)
    def act(self, command: Act) -> Refused | None:
        self.said.append(f"{command.turn.hand_id} #{command.turn.seq} {command.action}")
        return self.answer

    @on(SitOut)
    def sit_out(self, command: SitOut) -> None:
        self.said.append(f"sit out {command.player}")


class Alone:
    """A player `ann` with a bot, if any, and a hand that notes what she says."""

    def __init__(self, bot: Any = None, **memory: Any) -> None:
        self.runtime = StepRuntime()
        self.said: list[str] = []
        self.heard: list[Any] = []
        self.hand = self.runtime.address("hand")
        self.acted = Acted(self.hand, self.said)
        self.runtime.start(self.acted)
        self.memory = PlayerMemory("ann", bot, **memory)
        self.address = self.runtime.address("player ann")
        self.actor = PlayerActor(self.address, self.memory)
        self.runtime.start(self.actor)

    def tell(self, message: object) -> list[str]:
        """Tell the player, and give what she then says."""
        self.said.clear()
        self.address.tell(message)
        self.runtime.run()
        return list(self.said)

    def listening(self) -> Alone:
        self.memory.listeners = (self.heard.append,)
        return self

    def state(
        self,
        *actions: Action,
        table: str = "main",
        number: int = 7,
        turn: bool | Turn = True,
        stacks: tuple[int, ...] = (100, 100),
    ) -> HandState:
        """A state of a hand heads-up, ann in seat 0 with the button; `turn` says whether she is to act."""
        hand = Hand(list(stacks), Stakes(1, 2), deck=Deck.seeded(1), button=0)
        for action in actions:
            hand.act(action)
        public, hand_id = hand.public(), f"{table}/hand-{number}"
        change = Change(hand_id, number, table, self.hand, public, ("ann", "bob"))
        right = Turn(hand_id, public.seq, 0) if turn is True else turn or None
        return HandState(change, 0, hand.holes[0], right)
