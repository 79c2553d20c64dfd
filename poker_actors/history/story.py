"""A history as events, for formats that record posts, costs and collected pots."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time

import attrs

from poker_actors.errors import BadHistory
from poker_actors.history.hand_history import ActionStep, BoardDealt, HandHistory, Showed
from poker_actors.history.replay import Replay, replay
from poker_actors.rules import event as events


@attrs.frozen
class Story:
    """The events of a hand by the rules; amounts are chips, players as in the history."""

    replay: Replay
    posts: tuple[events.Posted, ...]
    acted: tuple[events.Acted, ...]
    """one for each turn"""
    uncalled: events.UncalledReturned | None
    awards: tuple[events.Awarded, ...]
    """awards before rake; empty if unknown cards decide the hand"""

    @property
    def history(self) -> HandHistory:
        """The history of these events."""
        return self.replay.history

    @property
    def seats(self) -> tuple[int, ...]:
        """A seat number for each player, from 0: as recorded, else in the order of players."""
        seats = self.history.seats
        if len(set(seats)) == self.history.size and min(seats) >= 0:
            return seats
        return tuple(range(self.history.size))

    @property
    def table_size(self) -> int:
        """The number of seats at the table."""
        count = self.history.fields.get("seat_count")
        return max(count if type(count) is int else 0, max(self.seats) + 1)

    @property
    def moment(self) -> datetime | None:
        """The time at which the hand began, if recorded in UTC."""
        fields = self.history.fields
        day, clock = [fields.get(key) for key in ("year", "month", "day")], fields.get("time")
        if fields.get("time_zone") != "UTC" or not isinstance(clock, time):
            return None
        year, month, date = (part if type(part) is int else 0 for part in day)
        try:
            return datetime(year, month, date, clock.hour, clock.minute, clock.second, tzinfo=UTC)
        except ValueError:
            return None

    @property
    def pot(self) -> int:
        """Chips in all pots, without an uncalled bet."""
        paid = sum(post.amount for post in self.posts) + sum(acted.paid for acted in self.acted)
        return paid - (self.uncalled.amount if self.uncalled else 0)

    def wins(self, board: int | None = None) -> list[tuple[int, int, int]]:
        """Return pot, player and chips collected after rake, in the order of payment, for one board or all.

        The rake is known by player, not by pot: it is taken from a player's first pots.
        """
        final = self.replay.final_stacks
        if final is None:
            unsplit = self.history.winnings or () if not board else ()
            return [(0, player, won) for player, won in enumerate(unsplit) if won]
        stacks = self.replay.hand.stacks
        raked = [stack - end for stack, end in zip(stacks, final, strict=True)]
        wins = []
        for award in self.awards:
            rake = min(raked[award.seat], award.amount)
            raked[award.seat] -= rake
            if board in (None, award.board):
                wins.append((award.pot, award.seat, award.amount - rake))
        return wins

    def streets(self) -> Iterator[tuple[tuple[BoardDealt, ...], list[tuple[ActionStep, events.Acted]]]]:
        """Yield street by street the board dealt so far and the turns taken."""
        boards: tuple[BoardDealt, ...] = ()
        turns: list[tuple[ActionStep, events.Acted]] = []
        acted = iter(self.acted)
        for step in self.history.steps:
            if type(step) is BoardDealt:
                yield boards, turns
                boards, turns = (*boards, step), []
            elif type(step) is ActionStep:
                turns.append((step, next(acted)))
        yield boards, turns

    @property
    def shows(self) -> list[Showed]:
        """Shown and mucked hands, in order."""
        return [step for step in self.history.steps if type(step) is Showed]


def story_of(history: HandHistory) -> Story:
    """Replay a history and collect its events; raise `Discrepancy` if the rules disagree."""
    heard: list[events.Event] = []
    found = replay(history, listener=heard.append)
    decided = found.final_stacks is not None
    return Story(
        found,
        tuple(event for event in heard if isinstance(event, events.Posted)),
        tuple(event for event in heard if isinstance(event, events.Acted)),
        next((event for event in heard if isinstance(event, events.UncalledReturned)), None),
        tuple(event for event in heard if isinstance(event, events.Awarded)) if decided else (),
    )


def common_ante(history: HandHistory) -> int:
    """Return the ante that everybody owes, or the largest ante if not everybody owes one."""
    antes = history.antes
    return min(antes, default=0) if history.trimmed_antes else max(antes, default=0)


def check_story(history: HandHistory, name: str) -> None:
    """Raise `BadHistory` for hands that formats of events cannot express; `name` is the format."""
    antes = history.antes
    if antes and not history.trimmed_antes and len(set(antes)) == 1 and min(history.stacks) < antes[0]:
        text = "a stack that is short of an ante and still can win all antes in full"
        raise BadHistory(f"{name} cannot carry {text}")
    # read as small and big blind, whose size the stakes say, if the stack was short; beside a dead small blind the big
    # one alone, and only if some of it was posted
    big = next((player for player, blind in enumerate(history.blinds) if blind > 0), 0)
    for player, blind in enumerate(history.blinds):
        left = history.stacks[player] - (antes[player] if antes else 0)
        usual = (player == big and left > 0) if history.dead_small else (player < 2 and blind > 0)
        if abs(blind) > max(left, 0) and not usual:
            raise BadHistory(f"{name} cannot carry a straddle or newcomer's blind above the stack")
