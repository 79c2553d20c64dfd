"""Tells a table's visitors its hands: the public part to all, each player's cards to that one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from poker_actors.actors import HandState, Table
from poker_actors.wire.opp.server.seat import Seated
from poker_actors.wire.opp.server.telling import HandTelling, Row
from poker_actors.wire.opp.server.visitor import Visitor

__all__ = ["Announcer"]

_BEHIND: Final = 8
"""Changes that may wait for a player's own part before they are told without it."""


class Announcer:
    """Puts the public changes of a table's hands in order and tells them.

    A change is told once every player it needs has heard its own part: on threads the watcher's
    news may be faster than a player's. `seated`, `visitors` and `faces` are the table's own; `asked`
    is called with whose turn it is.
    """

    def __init__(
        self,
        table: Table,
        seated: dict[str, Seated],
        visitors: dict[Visitor, None],
        faces: dict[str, int],
        asked: Callable[[Seated, HandState], None],
    ) -> None:
        self._table = table
        self._seated = seated
        self._visitors = visitors
        self._faces = faces
        self._asked = asked
        self._telling: HandTelling | None = None
        self._pending: deque[HandState] = deque()
        self._hand_id = ""
        """of the hand being told"""
        self._seq = -1
        """of the change told last"""

    def hear(self, state: HandState) -> None:
        """Take in a change as everybody can see it."""
        self._pending.append(state)
        self.go_on()

    def finish(self) -> None:
        """Tell what is left of a hand that is over."""
        while self._pending:
            self._tell(self._pending.popleft())

    def _in_seat(self, number: int) -> Seated | None:
        return next((seated for seated in self._seated.values() if seated.seat == number), None)

    def go_on(self) -> None:
        """Tell changes in order, each once the players it needs have heard their part."""
        pending = self._pending
        while pending and (self._complete(pending[0]) or len(pending) > _BEHIND):
            self._tell(pending.popleft())

    def _complete(self, state: HandState) -> bool:
        active, stacks = state.public.active, state.public.setup.stacks
        for seated in self._seated.values():
            if not stacks[seated.seat]:
                continue
            latest = seated.latest
            if latest is None or latest.hand_id != state.hand_id:
                return False
            if seated.seat == active and latest.seq < state.seq:
                return False
        return True

    def _tell(self, state: HandState) -> None:
        """Tell everybody one change, and whoever is asked that it is."""
        public = state.public
        if state.hand_id != self._hand_id:
            self._begin(state)
        elif state.seq <= self._seq:
            return  # heard from somebody else already, by a server that came back
        self._seq = state.seq
        telling = self._telling
        assert telling is not None
        said = telling.advance(public) + telling.next(public)
        for visitor in list(self._visitors):
            if visitor.following is telling:
                visitor.say(said)
        active = public.active
        if active is not None and (asked := self._in_seat(active)) is not None:
            self._asked(asked, state)

    def _begin(self, state: HandState) -> None:
        """Tell everybody that a hand begins, and each player its cards."""
        self._hand_id = state.hand_id
        setup = state.public.setup
        seats = self._table.state().seats
        rows: list[Row | None] = []
        for number, (stack, seat) in enumerate(zip(setup.stacks, seats, strict=True)):
            if not stack or seat is None:
                rows.append(None)
                continue
            there = self._in_seat(number)
            bankroll = stack + (there.offset if there is not None else 0)
            rows.append(Row(seat.player, bankroll, self._faces.get(seat.player, 0)))
        self._telling = HandTelling(state.public, rows, state.change.number)
        for visitor in list(self._visitors):
            self._start_for(visitor)

    def _start_for(self, visitor: Visitor) -> bool:
        """Tell one visitor how the hand began; gives whether it may hear the rest."""
        telling = self._telling
        assert telling is not None
        seated = self._seated.get(visitor.user)
        mine = -1
        if seated is not None and seated.visitor is visitor:
            mine = seated.seat
        dealt_in = telling.who(mine) >= 0
        if not dealt_in and not visitor.reads_minus_one:
            visitor.following = None
            return False
        said = telling.start(mine) + telling.opening
        latest = None if seated is None else seated.latest
        if dealt_in and latest is not None and latest.hand_id == self._hand_id and latest.hole:
            said += telling.hole(mine, latest.hole)
        visitor.following = telling
        visitor.say(said)
        return True

    def catch_up(self, seated: Seated) -> None:
        """Tell somebody who has come back the hand so far, and whether it is asked."""
        visitor, telling = seated.visitor, self._telling
        if visitor is None or telling is None or telling.who(seated.seat) < 0:
            return
        if self._start_for(visitor):
            visitor.say(telling.said)
            state = seated.latest
            if state is not None and state.turn is not None and seated.turn_of is not None:
                visitor.say(telling.next(state.public))
