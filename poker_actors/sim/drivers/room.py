"""The drivers that play through the real actors: bank, table, hand and players."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from poker_actors.actors import Player, Room, StepRuntime, Table, ThreadRuntime
from poker_actors.bots import Bot, Faults
from poker_actors.errors import RoomError
from poker_actors.rules import Hand
from poker_actors.sim.match import Match

__all__ = ["play_stepper", "play_threads"]

Runtime = StepRuntime | ThreadRuntime


def play_stepper(
    match: Match, hands: range, bots: Sequence[Bot], faults: Sequence[Faults]
) -> Iterator[tuple[int, Hand]]:
    """Play `hands` in a room on the stepping runtime, message by message on the caller's thread."""
    return _play(StepRuntime(), match, hands, bots, faults)


def play_threads(
    match: Match, hands: range, bots: Sequence[Bot], faults: Sequence[Faults]
) -> Iterator[tuple[int, Hand]]:
    """Play `hands` in a room of actors with a thread each, as an embedded table runs."""
    return _play(ThreadRuntime(), match, hands, bots, faults)


def _play(
    runtime: Runtime, match: Match, hands: range, bots: Sequence[Bot], faults: Sequence[Faults]
) -> Iterator[tuple[int, Hand]]:
    if not hands:
        return
    with Room(runtime, seed=match.seed) as room:
        chips = max(match.stacks) * (len(hands) + 1)
        players = [room.player(str(number), bot, chips=chips) for number, bot in enumerate(bots)]
        table = _open_table(room, match, players, hands)
        try:
            for number in hands:
                if number == hands.start or not table.config.restack:
                    _bring_stacks(table, players, match.setting(number).stacks)
                result = table.deal(match.deck(number)).result()
                if result.hand is None:
                    raise RoomError(f"hand {number} is void: an actor crashed")
                yield number, result.hand
        finally:
            for player, counted in zip(players, faults, strict=True):
                counted.add(player.faults)


def _open_table(room: Room, match: Match, players: Sequence[Player], hands: range) -> Table:
    start = match.setting(hands.start)
    table = room.open_table(
        seats=len(players),
        stakes=match.stakes,
        game=match.game,
        button=start.button,
        first_hand=hands.start,
        # the table itself brings equal stacks back to what they were: no message needed for that
        restack=start.stacks[0] if len(set(start.stacks)) == 1 else 0,
    )
    for seat, player in enumerate(players):
        table.sit(player, seat)
    return table


def _bring_stacks(table: Table, players: Sequence[Player], stacks: Sequence[int]) -> None:
    """Bring every stack to what the next hand starts with."""
    for player, seat, wanted in zip(players, table.state().seats, stacks, strict=True):
        held = 0 if seat is None else seat.stack
        if held > wanted:
            held = 0
            table.cash_out(player)
        if held < wanted:
            table.buy_in(player, wanted - held)
