"""Seats, stacks and sitting out stay as players were told."""

from __future__ import annotations

from typing import Any

import attrs

from poker_actors.actors import HandResult, HandState, TableState
from poker_actors.actors.messages import (
    ActorDown,
    BuyIn,
    CashOut,
    Deal,
    Forfeit,
    GetState,
    Leave,
    LeaveAfterHand,
    Send,
    Shut,
    Sit,
    SitIn,
    SitOut,
    TopUp,
    Wait,
)
from poker_actors.testing.witness.promise import Answer, Heard, Hears, Promise

_ABOUT_A_PLAYER = (Sit, Leave, LeaveAfterHand, BuyIn, CashOut, SitOut, SitIn, Send, Forfeit, TopUp, Wait)
"""Commands that leave a player's state unknown if their answer is lost."""


@attrs.define
class _Sitter:
    """What was told of a player at a table; None where nothing is known."""

    seat: int | None = None
    stack: int | None = None
    out: bool | None = None
    number: int = 0
    """of the last message heard about it"""


class _OfSitters(Promise):
    """Base of promises about players at a table; messages come in the order in which the table handled them."""

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._sitters: dict[str, dict[str, _Sitter]] = {}
        """table -> player -> what was told"""
        self._at_the_deal: dict[str, dict[str, _Sitter]] = {}
        """hand, or table while it deals -> player -> what had been told before the deal"""

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears(
            {HandResult: self.result},
            asked={Deal: self.deals},
            answered={GetState: self._picture, Deal: self.dealt, **self.answers()},
            lost=dict.fromkeys(_ABOUT_A_PLAYER, self.unknown),
        )

    def answers(self) -> dict[type, Any]:
        """Return callbacks for the answers to commands that change a player's state."""
        raise NotImplementedError

    def sitter(self, table: str, player: str) -> _Sitter:
        """Return what was told of a player."""
        return self._sitters.setdefault(table, {}).setdefault(player, _Sitter())

    def unknown(self, heard: Heard[Any]) -> None:
        """Forget a player whose command was not answered: it may or may not have been carried out."""
        self._sitters.get(heard.table, {}).pop(heard.what.player, None)

    def gone(self, heard: Heard[Answer[Any, Any]]) -> None:
        """Forget a player who has left."""
        self._sitters.get(heard.table, {}).pop(heard.what.command.player, None)

    def only(self, table: str, players: set[str]) -> None:
        """Forget everybody else at a table: a player who left after a hand may come back otherwise."""
        self._sitters[table] = {
            player: one for player, one in self._sitters.get(table, {}).items() if player in players
        }

    def deals(self, heard: Heard[Deal]) -> None:
        """Keep what was told before the deal."""
        stand = self._sitters.get(heard.table, {})
        self._at_the_deal[heard.table] = {player: attrs.evolve(one) for player, one in stand.items()}

    def dealt(self, heard: Heard[Answer[Deal, Any]]) -> None:
        """Note which hand was dealt."""
        self._at_the_deal[heard.what.value.hand_id] = self._at_the_deal.pop(heard.table, {})

    def forget(self, hand_id: str) -> None:
        """Forget a hand."""
        super().forget(hand_id)
        self._at_the_deal.pop(hand_id, None)

    def _picture(self, heard: Heard[Answer[GetState, Any]]) -> None:
        if isinstance(heard.what.value, TableState):
            self.picture(heard, heard.what.value)

    def picture(self, heard: Heard[Any], state: TableState) -> None:
        """Compare a table's state with what was told, and note it."""
        raise NotImplementedError

    def result(self, heard: Heard[HandResult]) -> None:
        """Compare a finished hand with what was told before its deal."""
        stood = self._at_the_deal.get(heard.what.hand_id)
        if stood is not None:
            self.ended(heard, stood)

    def ended(self, heard: Heard[HandResult], stood: dict[str, _Sitter]) -> None:
        """Compare a finished hand with `stood`, what was told before its deal."""


class SeatsAreKept(_OfSitters):
    """Players keep the seats they were told of."""

    name = "seat"
    says = "A player who was told of a seat keeps that one until leaving it."

    def answers(self) -> dict[type, Any]:
        """See `_OfSitters.answers`."""
        return {Sit: self.sat, Leave: self.gone, LeaveAfterHand: self.gone, Send: self.gone}

    def sat(self, heard: Heard[Answer[Sit, int]]) -> None:
        """Note the seat given."""
        one = self.sitter(heard.table, heard.what.command.player)
        one.seat, one.number = heard.what.value, heard.number

    def picture(self, heard: Heard[Any], state: TableState) -> None:
        """Compare the seats of a table's state."""
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
            if sits in state.leaving:
                self._sitters[heard.table].pop(
                    sits, None
                )  # the seat is kept until the hand is booked, and not longer
            elif sits is not None:
                one = self.sitter(heard.table, sits)
                one.seat, one.number = number, heard.number

    def ended(self, heard: Heard[HandResult], stood: dict[str, _Sitter]) -> None:
        """Check that players were dealt in at their seats."""
        for number in heard.what.positions.dealt:
            player = heard.what.players[number]
            one = stood.get(player) if player is not None else None
            if one is not None and one.seat is not None:
                what = f"{player} has seat {one.seat} (heard {one.number}), and played {heard.what.hand_id} in {number}"
                self.holds(one.seat == number, heard, lambda: what)  # noqa: B023  called at once


class SittersOutGetNoCards(_OfSitters):
    """A player who sits out is not dealt in."""

    name = "sitting out"
    says = "A player who sits out is dealt no cards before sitting in again."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._shut: set[str] = set()
        """tables of a room that is closing: as its players end, their seats sit out, and nobody is told"""
        self.journaled = False
        """whether the room has a journal"""
        self._gone: list[_Sitter] = []
        """who sits out because its actor is gone"""

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        hears = super().hears()
        answered = {**hears.answered, ActorDown: self.down}
        return attrs.evolve(hears, asked={**hears.asked, Shut: self.shuts}, answered=answered)

    def down(self, heard: Heard[Answer[ActorDown, None]]) -> None:
        """Note that a player whose actor is gone sits out, if seated at all.

        A journal that cannot be written delays that, so with a journal only the table's word counts.
        """
        if self.journaled:
            return
        player = heard.what.command.name.removeprefix("player ")
        if player in self._sitters.get(heard.table, {}):
            one = self.sitter(heard.table, player)
            one.out, one.number = True, heard.number
            self._gone.append(one)

    def shuts(self, heard: Heard[Shut]) -> None:
        """Note that the room is closing."""
        self._shut.add(heard.table)

    def died(self) -> None:
        """Note that another process begins: everybody is back in the room."""
        self._shut.clear()
        for one in self._gone:
            one.out = None
        self._gone.clear()

    def answers(self) -> dict[type, Any]:
        """See `_OfSitters.answers`."""
        return {
            SitOut: self.sat_out,
            SitIn: self.sat_out,
            Leave: self.gone,
            LeaveAfterHand: self.leaves,
            Send: self.gone,
        }

    def sat_out(self, heard: Heard[Answer[SitOut | SitIn, None]]) -> None:
        """Note that a player sits out or in."""
        one = self.sitter(heard.table, heard.what.command.player)
        one.out, one.number = isinstance(heard.what.command, SitOut), heard.number

    def leaves(self, heard: Heard[Answer[LeaveAfterHand, bool]]) -> None:
        """Note a player who leaves after the hand, and so is not dealt in; forget one who has left or stays."""
        self.gone(heard)
        if heard.what.command.leave and not heard.what.value:
            one = self.sitter(heard.table, heard.what.command.player)
            one.out, one.number = True, heard.number

    def picture(self, heard: Heard[Any], state: TableState) -> None:
        """Compare who sits out: a table may sit a player out by itself, but never in."""
        if heard.table in self._shut:
            return
        for seat in state.seats:
            if seat is None:
                continue
            one = self.sitter(heard.table, seat.player)
            if one.out:
                what = f"{seat.player} sits out at {heard.table} (heard {one.number}), and now does not"
                self.holds(seat.out or seat.player in state.leaving, heard, lambda: what)  # noqa: B023  called at once
            one.out, one.number = seat.out or seat.player in state.leaving, heard.number
        self.only(heard.table, {seat.player for seat in state.seats if seat is not None})

    def ended(self, heard: Heard[HandResult], stood: dict[str, _Sitter]) -> None:
        """Check that nobody who sat out was dealt in."""
        for number in heard.what.positions.dealt:
            player = heard.what.players[number]
            one = stood.get(player) if player is not None else None
            if one is not None and one.out is not None:
                what = f"{player} sits out (heard {one.number}), and was dealt in in {heard.what.hand_id}"
                self.holds(not one.out, heard, lambda: what)  # noqa: B023  called at once


class StacksAreKept(_OfSitters):
    """A stack stays as told until chips are moved."""

    name = "stack"
    says = "A stack told by a showdown, result or answer stands until chips are moved."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._playing: dict[str, str] = {}
        """table where a hand may be in progress -> the hand; empty until it is known"""
        self._shown: dict[str, dict[str, int]] = {}
        """hand -> player -> stack shown at its end, perhaps again in the next hand: with cards shown by choice"""

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return attrs.evolve(super().hears(), told={HandResult: self.result, HandState: self.state})

    def deals(self, heard: Heard[Deal]) -> None:
        """Keep what was told before the deal, and expect stacks to change."""
        super().deals(heard)
        self._playing[heard.table] = ""

    def forget(self, hand_id: str) -> None:
        """Forget a hand."""
        super().forget(hand_id)
        self._shown.pop(hand_id, None)

    def state(self, heard: Heard[HandState]) -> None:
        """Note the stack shown to a player at the end of a hand."""
        state = heard.what
        if state.public.over and state.seat >= 0:
            player = heard.who.removeprefix("player ")
            self._shown.setdefault(state.hand_id, {})[player] = state.public.stacks[state.seat]

    def died(self) -> None:
        """Forget the stacks of hands whose result was not told, until they have ended in another process."""
        for table in self._playing:
            for one in self._sitters.get(table, {}).values():
                one.stack = None

    def _untold(self, table: str) -> None:
        """Forget the stacks of a hand whose result was not told, except those shown to players."""
        shown = self._shown.get(self._playing.pop(table), {})
        for player, one in self._sitters.get(table, {}).items():
            one.stack = shown.get(player)

    def answers(self) -> dict[type, Any]:
        """See `_OfSitters.answers`."""
        return {
            BuyIn: self.counted,
            TopUp: self.counted,
            CashOut: self.emptied,
            Forfeit: self.emptied,
            Sit: self.sat,
            Leave: self.gone,
            LeaveAfterHand: self.gone,
            Send: self.gone,
        }

    def counted(self, heard: Heard[Answer[Any, int]]) -> None:
        """Note the stack in the answer."""
        self._has(heard, heard.what.command.player, heard.what.value)

    def emptied(self, heard: Heard[Answer[Any, int]]) -> None:
        """Compare the chips taken from the table with the last stack heard of."""
        if not heard.table:
            return  # at the bank: it concerns an account, or was already heard at the table
        one = self.sitter(heard.table, heard.what.command.player)
        if one.stack is not None:
            what = f"{heard.what.command.player} had {one.stack} (heard {one.number}) and took {heard.what.value}"
            self.holds(one.stack == heard.what.value, heard, lambda: what)
        self._has(heard, heard.what.command.player, 0)

    def sat(self, heard: Heard[Answer[Sit, int]]) -> None:
        """Forget the stack: this one comes from another table."""
        if heard.what.command.with_stack:
            self.sitter(heard.table, heard.what.command.player).stack = None

    def _has(self, heard: Heard[Any], player: str, stack: int) -> None:
        one = self.sitter(heard.table, player)
        one.stack, one.number = stack, heard.number

    def picture(self, heard: Heard[Any], state: TableState) -> None:
        """Compare every stack. Forget those of a hand that ended unheard, perhaps resumed by a new process."""
        if state.hand_id is not None:
            self._playing[heard.table] = state.hand_id
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
        self.only(
            heard.table, {seat.player for seat in state.seats if seat and seat.player not in state.leaving}
        )

    def ended(self, heard: Heard[HandResult], stood: dict[str, _Sitter]) -> None:
        """Compare the stacks a hand began with, and note those it ended with."""
        result, table = heard.what, heard.what.hand_id.rpartition("/")[0]
        self._playing.pop(table, None)
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
