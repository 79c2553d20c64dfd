"""A table's button, waiting list and hands stay as told, over hands and crashes."""

from __future__ import annotations

from typing import Any

from poker_actors.actors import HandResult, TableNews, TableState
from poker_actors.actors.messages import (
    ActorDown,
    Deal,
    GetLive,
    GetState,
    Leave,
    LeaveAfterHand,
    SeatNext,
    Sit,
    Wait,
)
from poker_actors.referee import move_flaw
from poker_actors.rules import Positions
from poker_actors.testing.witness.promise import Answer, Heard, Hears, Promise


class ButtonMovesOn(Promise):
    """Button and blinds move by the rules."""

    name = "button"
    says = "The button and blinds of a hand follow from those told for the hand before."

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({HandResult: self.result}, asked={Deal: self.asked}, answered={GetState: self.picture})

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._told: dict[tuple[str, int], Heard[Positions]] = {}
        self._chosen: set[tuple[str, int]] = set()
        """hands whose positions the caller chose, as in a tournament"""
        self._next: dict[str, int] = {}

    def asked(self, heard: Heard[Deal]) -> None:
        """Note that the caller chooses the positions of the next hand."""
        if heard.what.positions is not None:
            self._chosen.add((heard.table, self._next.get(heard.table, 0)))

    def picture(self, heard: Heard[Answer[GetState, Any]]) -> None:
        """Check the button in a table's state: that of the current or last hand."""
        state = heard.what.value
        if not isinstance(state, TableState):
            return
        self._next[heard.table] = state.number
        if state.positions is None:
            self.holds(
                (heard.table, state.number - 1) not in self._told,
                heard,
                lambda: f"{heard.who} has no button, after hand {state.number - 1} had one",
            )
        else:
            self._told_now(heard, heard.table, state.number - 1, state.positions, len(state.seats))

    def result(self, heard: Heard[HandResult]) -> None:
        """Check the button of a result."""
        result = heard.what
        table = result.hand_id.rpartition("/")[0]
        self._told_now(heard, table, result.number, result.positions, len(result.players))

    def _told_now(self, heard: Heard[Any], table: str, number: int, now: Positions, size: int) -> None:
        known = self._told.get((table, number))
        if known is not None:
            self.holds(
                known.what == now, heard, lambda: f"hand {number} at {table} had {known.what}, now {now}"
            )
            return
        self._told[table, number] = Heard(heard.number, heard.who, now)
        before = self._told.get((table, number - 1))
        self._told.pop((table, number - 4), None)
        if before is not None and (table, number) not in self._chosen:
            flaw = move_flaw(before.what, now, size)
            self.holds(
                flaw is None,
                heard,
                lambda: (
                    f"{before.who} was told (heard {before.number}) {before.what} for hand {number - 1} at "
                    f"{table}; hand {number} has {now}: by the rules {flaw}"
                ),
            )


class LineIsKept(Promise):
    """The waiting list keeps its order."""

    name = "line"
    says = "The waiting line keeps its order; a player leaves it only for a seat or for good."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._lines: dict[str, list[str]] = {}
        self._missing: dict[tuple[str, str], Heard[Any]] = {}
        """table and player -> the message that showed the player missing"""
        self._passed_over: set[tuple[str, str]] = set()
        self._seated: dict[str, set[str]] = {}
        self._crashed: set[str] = set()
        """tables that crashed while they seated waiting players: nobody may have been told who was passed over"""
        self._place: tuple[str, str, int] | None = None
        """table, player and place in line answered, until the table's state is heard"""

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears(
            {TableNews: self.news},
            asked={ActorDown: self.down},
            answered={
                Wait: self.waits,
                Sit: self.sat,
                Leave: self.left,
                LeaveAfterHand: self.left,
                GetState: self.picture,
            },
            lost={**dict.fromkeys((Wait, Leave, LeaveAfterHand), self.unknown), SeatNext: self.crashed},
        )

    def died(self) -> None:
        """Forget missing players: the news that they were passed over may have been lost."""
        self._missing.clear()
        self._place = None

    def news(self, heard: Heard[TableNews]) -> None:
        """Remember a player who was passed over."""
        if heard.what.what == "passed_over" and heard.what.player is not None:
            self._passed_over.add((heard.what.table, heard.what.player))

    def waits(self, heard: Heard[Answer[Wait, int]]) -> None:
        """Add a player to the line."""
        line = self._lines.setdefault(heard.table, [])
        player = heard.what.command.player
        self._passed_over.discard((heard.table, player))
        if player not in line:
            line.append(player)
        self._place = heard.table, player, heard.what.value

    def sat(self, heard: Heard[Answer[Sit, int]]) -> None:
        """Check that nobody new sits down ahead of the line."""
        player, line = heard.what.command.player, self._lines.get(heard.table, [])
        if heard.table in self._crashed:
            return  # whoever was the first in line may have been passed over before the crash
        what = f"{player} sat down at {heard.table}, ahead of {line}"
        self.holds(not line or player in self._seated.get(heard.table, ()), heard, lambda: what)

    def left(self, heard: Heard[Answer[Leave | LeaveAfterHand, bool | None]]) -> None:
        """Remove from the line a player who has left."""
        if heard.what.value is not False:  # otherwise the player leaves after the hand, or not at all
            self._leaves(heard.table, heard.what.command.player)

    def down(self, heard: Heard[ActorDown]) -> None:
        """Remove from the line a player whose actor is gone for good."""
        self._leaves(heard.table, heard.what.name.removeprefix("player "))

    def unknown(self, heard: Heard[Any]) -> None:
        """Remove from the line a player who may or may not be in it."""
        self._leaves(heard.table, heard.what.player)

    def crashed(self, heard: Heard[SeatNext]) -> None:
        """Note that news of players passed over may be lost."""
        self._crashed.add(heard.table)

    def _leaves(self, table: str, player: str) -> None:
        line = self._lines.get(table, [])
        if player in line:
            line.remove(player)

    def picture(self, heard: Heard[Answer[GetState, Any]]) -> None:
        """Check the order of the line, and note who is missing from it."""
        state = heard.what.value
        if not isinstance(state, TableState):
            return
        now = [one.player for one in state.waiting]
        seated = {seat.player for seat in state.seats if seat is not None}
        before = self._lines.get(heard.table, [])
        both = [player for player in before if player in now]
        self.holds(
            both == [player for player in now if player in before] and not seated & {*now},
            heard,
            lambda: f"{before} wait at {heard.table}, and now {now}, with {sorted(seated)} seated",
        )
        if self._place is not None and self._place[:2] == (heard.table, self._place[1]):
            _, player, place = self._place
            what = f"{player} was told place {place} in line at {heard.table}, where {now} wait"
            self.holds(now[place - 1 : place] == [player], heard, lambda: what)
            self._place = None
        for player in before:
            if player not in now and player not in seated and heard.table not in self._crashed:
                self._missing[heard.table, player] = heard
        self._lines[heard.table], self._seated[heard.table] = now, seated
        self._crashed.discard(heard.table)

    def rest(self, number: int) -> None:
        """Check that every missing player was told of being passed over."""
        for (table, player), heard in self._missing.items():
            self.holds(
                (table, player) in self._passed_over,
                heard,
                lambda: f"{player} waited at {table}, and is gone without news",  # noqa: B023  called at once
            )
        self._missing.clear()


class DealtHandEnds(Promise):
    """Every hand ends."""

    name = "ended"
    says = "Every hand that was dealt ends: with a result, or void."

    def __init__(self, broken: Any) -> None:
        super().__init__(broken)
        self._open: dict[str, Heard[Any]] = {}

    def hears(self) -> Hears:
        """Return what the promise listens to."""
        return Hears({HandResult: self.result}, answered={Deal: self.dealt, GetLive: self.dealt})

    def dealt(self, heard: Heard[Answer[Any, Any]]) -> None:
        """Remember a hand being played."""
        if heard.what.value is not None:
            self._open[heard.what.value.hand_id] = heard

    def died(self) -> None:
        """Forget open hands: a resumed one is asked for again."""
        self._open.clear()

    def result(self, heard: Heard[HandResult]) -> None:
        """Note that a hand has ended."""
        if self._open.pop(heard.what.hand_id, None) is not None:
            self.checked += 1

    def rest(self, number: int) -> None:
        """Report hands that have not ended."""
        for hand_id, heard in self._open.items():
            self.breaks(number, f"{hand_id} was dealt (heard {heard.number}) and has not ended")
        self._open.clear()
