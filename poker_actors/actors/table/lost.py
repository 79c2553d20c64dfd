"""Wind up a table that stays down: book or void its hand, then return everybody's chips."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final

from poker_actors.actors.bank.messages import CloseTable
from poker_actors.actors.hand.messages import HandEndedNews
from poker_actors.actors.runtime import Actor, ActorDown, Address, Handlers
from poker_actors.actors.table.desk import Desk
from poker_actors.actors.table.hands import TableHands
from poker_actors.errors import RoomClosed

__all__ = ["LostTable"]

_log: Final = logging.getLogger("poker_actors.table")


class LostTable(Actor):
    """Stands in for a lost table until its hand has stopped; then calls `done` and stops.

    What players were told stays true: a hand that has ended is booked, not voided.
    """

    def __init__(self, address: Address, desk: Desk, done: Callable[[], None]) -> None:
        self.desk = desk
        self.hands = TableHands(desk)
        self.done = done
        super().__init__(address)

    def handles(self) -> Handlers:
        """Return the handlers of both ways a hand can end."""
        return {HandEndedNews: self.hand_ended, ActorDown: self.hand_down}

    def begin(self) -> None:
        """Stop the hand being played, if any, and wait for its last words."""
        memory = self.desk.memory
        memory.shut, memory.void, memory.kept = True, True, False
        self._try(self.hands.say_booked)
        if memory.live is None:
            self._wind_up()
        else:
            self.desk.supervisor.watch(memory.live.address, self.address)
            self.desk.supervisor.stop(memory.live.address)

    def hand_ended(self, news: HandEndedNews) -> None:
        """Book the result."""
        self._try(lambda: self.hands.hand_ended(news))
        self._wind_up()

    def hand_down(self, news: ActorDown) -> None:
        """Book the result the hand left, or void it."""
        self._try(lambda: self.hands.hand_down(news))
        self._wind_up()

    def _try(self, step: Callable[[], None]) -> None:
        try:
            step()
        except Exception:  # noqa: BLE001  the table's fault may crash this too, but the chips must go back
            _log.exception("%s cannot book its hand", self.desk.address.name)

    def _wind_up(self) -> None:
        desk, memory = self.desk, self.desk.memory
        if memory.live is not None:
            text = f"{desk.address.name} is lost, and {memory.live.hand_id} with it"
            memory.live.result.set_exception((RoomClosed, RoomClosed(text), None))
            memory.live = None
        facts = () if desk.journal is None else self.hands.open_hand_is_void()
        desk.bank.tell(CloseTable(desk.config.name, facts))
        self.done()
        self.stop_soon()
