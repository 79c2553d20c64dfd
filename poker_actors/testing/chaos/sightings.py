"""Counts rare situations of a run, seen from outside."""

from __future__ import annotations

from collections import Counter
from typing import Final

from poker_actors.actors import HandResult, HandState, Refusal, TableNews
from poker_actors.errors import AskTimeout
from poker_actors.testing.chaos.situations import HandFacts, situations_of

__all__ = ["Sightings"]

_OF_FAULTS: Final = {
    "table crashed while dealing": ("crash table Deal",),
    "table crashed while a hand is played": ("crash table in hand",),
    "table crashed while somebody waited": ("crash table with a line",),
    "table crashed while paying": ("crash table HandEndedNews", "crash table ActorDown"),
    "bank crashed while paying": ("crash bank Settle",),
    "bank crashed while putting stacks aside": ("crash bank Escrow",),
    "bank crashed while moving chips": ("crash bank Move",),
    "hand crashed before the flop": ("crash hand on preflop",),
    "hand crashed on the river": ("crash hand on river",),
    "player crashed on its turn": ("crash player HandState",),
    "crashed while recovering": ("crash while beginning",),
    "action lost on the way": ("drop",),
    "action doubled": ("double",),
    "action late": ("delay",),
    "player stalled": ("stall",),
    "disk full": ("disk full",),
    "process died after a write": ("died after a write",),
    "crashed in the middle of its work": ("crash in handler",),
    "deadline rang late": ("late deadline",),
}
"""Situations made by faults -> the counts in `Harm.what_happened` that show them."""


class Sightings:
    """Counts the rare situations of a run, from what players are told and from the faults injected."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.playing = False
        """whether a hand is under way"""
        self.line = False
        """whether anybody waits for a seat"""
        self._late: dict[str, set[int]] = {}
        """hand -> seats that ran out of time in it"""
        self._seats: dict[tuple[str, str], int] = {}
        """hand and player -> the seat"""
        self._street = "deal"

    def notice(self, who: str, message: object) -> None:
        """Note what a player is told."""
        if type(message) is HandState:
            self._seats[message.hand_id, who] = message.seat
            self._street = "deal" if message.public.over else message.phase
        elif type(message) is Refusal and message.code == AskTimeout.default_code:
            seat = self._seats.get((message.hand_id, who))
            if seat is not None:
                self._late.setdefault(message.hand_id, set()).add(seat)
        elif type(message) is Refusal and message.code == "stale_action":
            self.counts["stale action refused"] += 1
        elif type(message) is TableNews and message.what == "time_bank":
            self.counts["time bank drawn on"] += 1
        elif type(message) is TableNews and message.what == "left" and who == f"player {message.player}":
            self.counts["player left after the hand"] += message.seat is not None
        elif (
            type(message) is TableNews and message.what == "passed_over" and who == f"player {message.player}"
        ):
            self.counts["who waited could not pay"] += 1

    def amid(self, kind: str) -> str:
        """Name what a crash of this kind of actor would interrupt now; empty for nothing in particular."""
        if kind == "hand":
            return f"on {self._street}"
        if kind == "table" and self.playing:
            return "in hand"
        return "with a line" if kind == "table" and self.line else ""

    def ended(self, result: HandResult) -> None:
        """Count the situations of a finished hand."""
        self.playing = False
        if result.voided:
            self.counts["hand voided"] += 1
        else:
            late = frozenset(self._late.get(result.hand_id, ()))
            self.counts.update(situations_of(HandFacts.of(result, late)))
        self._late.clear()
        self._seats.clear()

    def of_faults(self, happened: Counter[str]) -> None:
        """Count the situations made by faults."""
        for situation, kinds in _OF_FAULTS.items():
            self.counts[situation] += sum(happened[kind] for kind in kinds)
