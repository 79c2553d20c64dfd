"""What players at a table are told of themselves stays true: seats, stacks, sitting out."""

from __future__ import annotations

from typing import Any

import attrs

from poker_actors.actors import HandResult, HandState, TableState
from poker_actors.actors.messages import (
    BuyIn,
    CashOut,
    Deal,
    Forfeit,
    GetState,
    Leave,
    Send,
    Sit,
    SitIn,
    SitOut,
    TopUp,
    Wait,
)
from poker_actors.testing.witness.promise import Answer, Heard, Hears, Promise

__all__ = ["SeatsAreKept", "SittersOutGetNoCards", "StacksAreKept"]

_ABOUT_A_PLAYER = (Sit, Leave, BuyIn, CashOut, SitOut, SitIn, Send, Forfeit, TopUp, Wait)
"""Commands after which nobody knows how one player stands, if nobody got their answer."""


@attrs.define
class _Sitter:
    """How one player stands at a table, as far as anybody was told; None for what nobody knows."""

    seat: int | None = None
    stack: int | None = None
    out: bool | None = None
    number: int = 0
    """of what was heard last about it"""


class _OfSitters(Promise):
    """What is told of those who sit at a table, in the order in which the table does things."""

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._sitters: dict[str, dict[str, _Sitter]] = {}
        """table -> player -> how the player stands"""
        self._at_the_deal: dict[str, dict[str, _Sitter]] = {}
        """hand, or a table that is dealing -> how everybody stood when it was dealt"""

    def hears(self) -> Hears:
        """Say what it listens to."""
        return Hears(
            {HandResult: self.result},
            asked={Deal: self.deals},
            answered={GetState: self._picture, Deal: self.dealt, **self.answers()},
            lost=dict.fromkeys(_ABOUT_A_PLAYER, self.unknown),
        )

    def answers(self) -> dict[type, Any]:
        """What changes how a player stands."""
        raise NotImplementedError

    def sitter(self, table: str, player: str) -> _Sitter:
        """Return how a player stands."""
        return self._sitters.setdefault(table, {}).setdefault(player, _Sitter())

    def unknown(self, heard: Heard[Any]) -> None:
        """Forget a player: of a command without an answer nobody knows whether it happened."""
        self._sitters.get(heard.table, {}).pop(heard.what.player, None)

    def gone(self, heard: Heard[Answer[Any, Any]]) -> None:
        """Forget a player who has left."""
        self._sitters.get(heard.table, {}).pop(heard.what.command.player, None)

    def deals(self, heard: Heard[Deal]) -> None:
        """Keep how everybody stands."""
        stand = self._sitters.get(heard.table, {})
        self._at_the_deal[heard.table] = {player: attrs.evolve(one) for player, one in stand.items()}

    def dealt(self, heard: Heard[Answer[Deal, Any]]) -> None:
        """Hear which hand it is that was dealt."""
        self._at_the_deal[heard.what.value.hand_id] = self._at_the_deal.pop(heard.table, {})

    def forget(self, hand_id: str) -> None:
        """Forget a hand."""
        super().forget(hand_id)
        self._at_the_deal.pop(hand_id, None)

    def _picture(self, heard: Heard[Answer[GetState, Any]]) -> None:
        if isinstance(heard.what.value, TableState):
            self.picture(heard, heard.what.value)

    def picture(self, heard: Heard[Any], state: TableState) -> None:
        """Compare a table's state with what was told, and remember it."""
        raise NotImplementedError

    def result(self, heard: Heard[HandResult]) -> None:
        """Compare a hand with how everybody stood when it was dealt."""
        stood = self._at_the_deal.get(heard.what.hand_id)
        if stood is not None:
            self.ended(heard, stood)

    def ended(self, heard: Heard[HandResult], stood: dict[str, _Sitter]) -> None:
        """Compare a hand with how everybody stood when it was dealt."""


class SeatsAreKept(_OfSitters):
    """Seats."""

    name = "seat"
    says = "A player who was told of a seat keeps that one until leaving it."

    def answers(self) -> dict[type, Any]:
        """Say what changes how a player stands."""
        return {Sit: self.sat, Leave: self.gone, Send: self.gone}

    def sat(self, heard: Heard[Answer[Sit, int]]) -> None:
        """Remember the seat given."""
        one = self.sitter(heard.table, heard.what.command.player)
        one.seat, one.number = heard.what.value, heard.number

    def picture(self, heard: Heard[Any], state: TableState) -> None:
        """Compare the seats."""
        players = [None if seat is None else seat.player for seat in state.seats]
        there = [player for player in players if player is not None]
        self.holds(
            len(set(there)) == len(there), heard, lambda: f"somebody sits twice at {heard.table}: {there}"
        )
        for player, one in self._sitters.get(heard.table, {}).items():
            if one.seat is not None:
                self.holds(
                    players[one.seat] == player,
                    heard,
                    lambda: (
                        f"{player} has seat {one.seat} at {heard.table} (heard {one.number}), "  # noqa: B023
                        f"and now {players[one.seat] or 'nobody'} sits there"  # type: ignore[index]  # noqa: B023
                    ),
                )
        for number, sits in enumerate(players):
            if sits is not None:
                one = self.sitter(heard.table, sits)
                one.seat, one.number = number, heard.number

    def ended(self, heard: Heard[HandResult], stood: dict[str, _Sitter]) -> None:
        """Compare the seats in which cards were dealt."""
        for number in heard.what.positions.dealt:
            player = heard.what.players[number]
            one = stood.get(player) if player is not None else None
            if one is not None and one.seat is not None:
                what = f"{player} has seat {one.seat} (heard {one.number}), and played {heard.what.hand_id} in {number}"
                self.holds(one.seat == number, heard, lambda: what)  # noqa: B023  called at once


class SittersOutGetNoCards(_OfSitters):
    """Sitting out."""

    name = "sitting out"
    says = "A player who sits out is dealt no cards before sitting in again."

    def answers(self) -> dict[type, Any]:
        """Say what changes how a player stands."""
        return {SitOut: self.sat_out, SitIn: self.sat_out, Leave: self.gone, Send: self.gone}

    def sat_out(self, heard: Heard[Answer[SitOut | SitIn, None]]) -> None:
        """Remember it."""
        one = self.sitter(heard.table, heard.what.command.player)
        one.out, one.number = isinstance(heard.what.command, SitOut), heard.number

    def picture(self, heard: Heard[Any], state: TableState) -> None:
        """Compare who sits out: a table may sit a player out, and never in."""
        for seat in state.seats:
            if seat is None:
                continue
            one = self.sitter(heard.table, seat.player)
            if one.out:
                what = f"{seat.player} sits out at {heard.table} (heard {one.number}), and now does not"
                self.holds(seat.out, heard, lambda: what)  # noqa: B023  called at once
            one.out, one.number = seat.out, heard.number

    def ended(self, heard: Heard[HandResult], stood: dict[str, _Sitter]) -> None:
        """Compare with who got cards."""
        for number in heard.what.positions.dealt:
            player = heard.what.players[number]
            one = stood.get(player) if player is not None else None
            if one is not None and one.out is not None:
                what = f"{player} sits out (heard {one.number}), and was dealt in in {heard.what.hand_id}"
                self.holds(not one.out, heard, lambda: what)  # noqa: B023  called at once


class StacksAreKept(_OfSitters):
    """Stacks."""

    name = "stack"
    says = "A stack told by a showdown, result or answer stands until chips are moved."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._playing: set[str] = set()
        """tables at which a hand may be under way"""
        self._shown: dict[str, dict[str, int]] = {}
        """table -> player -> the stack shown at the end of the hand under way"""

    def hears(self) -> Hears:
        """Say what it listens to."""
        return attrs.evolve(super().hears(), told={HandResult: self.result, HandState: self.state})

    def deals(self, heard: Heard[Deal]) -> None:
        """Keep how everybody stands, and that stacks will change."""
        super().deals(heard)
        self._playing.add(heard.table)
        self._shown[heard.table] = {}

    def state(self, heard: Heard[HandState]) -> None:
        """Remember the stack that a player was shown at the end."""
        state = heard.what
        if state.public.over and state.seat >= 0:
            player = heard.who.removeprefix("player ")
            self._shown.setdefault(state.table, {})[player] = state.public.stacks[state.seat]

    def died(self) -> None:
        """Forget the stacks of hands whose result nobody was told."""
        for table in [*self._playing]:
            self._untold(table)

    def _untold(self, table: str) -> None:
        """Forget the stacks of a hand whose result nobody was told, but for what players were shown."""
        self._playing.discard(table)
        for player, one in self._sitters.get(table, {}).items():
            one.stack = self._shown.get(table, {}).get(player)

    def answers(self) -> dict[type, Any]:
        """Say what changes how a player stands."""
        return {
            BuyIn: self.counted,
            TopUp: self.counted,
            CashOut: self.emptied,
            Forfeit: self.emptied,
            Sit: self.sat,
            Leave: self.gone,
            Send: self.gone,
        }

    def counted(self, heard: Heard[Answer[Any, int]]) -> None:
        """Remember the stack answered."""
        self._has(heard, heard.what.command.player, heard.what.value)

    def emptied(self, heard: Heard[Answer[Any, int]]) -> None:
        """Compare the chips taken away with the stack told."""
        one = self.sitter(heard.table, heard.what.command.player)
        if one.stack is not None:
            what = f"{heard.what.command.player} had {one.stack} (heard {one.number}) and took {heard.what.value}"
            self.holds(one.stack == heard.what.value, heard, lambda: what)
        self._has(heard, heard.what.command.player, 0)

    def sat(self, heard: Heard[Answer[Sit, int]]) -> None:
        """Let a stack that was sent from another table be what it is."""
        if heard.what.command.with_stack:
            self.sitter(heard.table, heard.what.command.player).stack = None

    def _has(self, heard: Heard[Any], player: str, stack: int) -> None:
        one = self.sitter(heard.table, player)
        one.stack, one.number = stack, heard.number

    def picture(self, heard: Heard[Any], state: TableState) -> None:
        """Compare every stack. A hand that went on after the process died has ended without a word to us."""
        if state.hand_id is not None:
            self._playing.add(heard.table)
        elif heard.table in self._playing:
            self._untold(heard.table)
        for seat in state.seats:
            if seat is None:
                continue
            one = self.sitter(heard.table, seat.player)
            if one.stack is not None:
                what = f"{seat.player} has {one.stack} at {heard.table} (heard {one.number}), and now {seat.stack}"
                self.holds(seat.stack == one.stack, heard, lambda: what)  # noqa: B023  called at once
            one.stack, one.number = seat.stack, heard.number

    def ended(self, heard: Heard[HandResult], stood: dict[str, _Sitter]) -> None:
        """Compare what the hand was played with, and remember what it ended with."""
        result, table = heard.what, heard.what.hand_id.rpartition("/")[0]
        self._playing.discard(table)
        for number in result.positions.dealt:
            player = result.players[number]
            if player is None:
                continue
            one = stood.get(player)
            began = result.stacks[number] if result.hand is None else result.hand.starting[number]
            if one is not None and one.stack is not None:
                what = (
                    f"{player} had {one.stack} (heard {one.number}), and played {result.hand_id} with {began}"
                )
                self.holds(one.stack == began, heard, lambda: what)  # noqa: B023  called at once
            now = self.sitter(table, player)
            now.stack, now.number = result.stacks[number], heard.number
