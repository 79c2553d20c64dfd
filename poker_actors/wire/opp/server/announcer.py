"""Sends a table's hands to its visitors: public changes to all, hole cards to their owner."""

from __future__ import annotations

from collections.abc import Callable

from poker_actors.actors import HandState
from poker_actors.wire.opp.server.seat import Seated
from poker_actors.wire.opp.server.telling import HandTelling, Row
from poker_actors.wire.opp.server.visitor import Visitor

__all__ = ["Announcer"]


class Announcer:
    """Sends the public changes of a table's hands, as the table's watcher hears them.

    A hand tells its players before its watchers, and a stepper delivers in that order: every player that a change
    concerns has its private part by then. `seated`, `visitors` and `faces` are shared with the table; `asked` is called
    with the seat whose turn it is.
    """

    def __init__(
        self,
        seated: dict[str, Seated],
        visitors: dict[Visitor, None],
        faces: dict[str, int],
        asked: Callable[[Seated, HandState], None],
    ) -> None:
        self._seated = seated
        self._visitors = visitors
        self._faces = faces
        self._asked = asked
        self._telling: HandTelling | None = None
        self._hand_id = ""
        """of the hand being sent"""
        self._seq = -1
        """of the last change sent"""

    def hear(self, state: HandState) -> None:
        """Send a change to everybody, and report the turn it opens."""
        public = state.public
        if state.hand_id != self._hand_id:
            self._begin(state)
        elif state.seq <= self._seq:
            return  # a recovered table passes on a change that may come again
        self._seq = state.seq
        telling = self._telling
        assert telling is not None
        said = telling.advance(public) + telling.next(public)
        for visitor in list(self._visitors):
            if visitor.following is telling:
                visitor.say(said)
        asked = self._to_act(state)
        if asked is not None:
            self._asked(asked, state)

    def _to_act(self, state: HandState) -> Seated | None:
        """Return the seat to act; None when there is none, or it is not this server's."""
        active = state.public.active
        return None if active is None else self._seated.get(state.change.names[active] or "")

    def _begin(self, state: HandState) -> None:
        """Send the start of a hand to everybody, with each player's own cards."""
        self._hand_id = state.hand_id
        rows: list[Row | None] = []
        for name, stack in zip(state.change.names, state.public.setup.stacks, strict=True):
            if name is None:
                rows.append(None)
                continue
            there = self._seated.get(name)
            bankroll = stack + (there.offset if there is not None else 0)
            rows.append(Row(name, bankroll, self._faces.get(name, 0)))
        self._telling = HandTelling(state.public, rows, state.change.number)
        for visitor in list(self._visitors):
            self._start_for(visitor)

    def _start_for(self, visitor: Visitor) -> bool:
        """Send one visitor the start of the hand; returns whether it can follow the rest."""
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
        """Send the hand so far to a player who has come back, and its open turn if there is one."""
        visitor, telling = seated.visitor, self._telling
        if visitor is None or telling is None or telling.who(seated.seat) < 0:
            return
        if self._start_for(visitor):
            visitor.say(telling.said)
            state = seated.latest
            if state is not None and state.turn is not None and seated.turn_of is not None:
                visitor.say(telling.next(state.public))
