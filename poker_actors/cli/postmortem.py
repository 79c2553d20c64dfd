"""After a failure: a trace is left in the current directory, and the command that opens it there is said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from poker_actors.cli.output import note
from poker_actors.cli.simulation_files import command_line
from poker_actors.errors import PokerError

if TYPE_CHECKING:
    from poker_actors.actors import Room
    from poker_actors.actors.runtime import Address
    from poker_actors.debug import Program, Script
    from poker_actors.sim import Match

__all__ = ["leave_evening", "leave_hand", "watched"]


def leave_hand(match: Match, error: BaseException) -> None:
    """Leave the trace of the hand of a simulation that has failed."""
    from poker_actors.debug import Script
    from poker_actors.sim import failed_hand

    number = failed_hand(error)
    if number is None:
        return
    if match.form.name != "cash" or match.options is not None:
        note(f"hand {number} failed; see it alone: {command_line(match)} --hand {number}")
        return
    script = Script.of(
        match.bots, seed=match.seed, hand=number, stacks=match.stacks, stakes=match.stakes, game=match.game
    )
    _leave(script, Path(f"failed-hand-{number}.jsonl"), f"hand {number} failed", error)


def leave_evening(evening: int, violation: str) -> None:
    """Leave the trace of an evening of the fault bench, up to the message that broke a promise."""
    from poker_actors.debug import Program

    program = Program.at("poker_actors.testing.chaos:watched_evening", evening=evening)
    _leave(program, Path(f"broken-evening-{evening}.jsonl"), "a promise was broken", violation)


def watched(room: Room) -> Room:
    """Leave the trace of every hand of a live room whose actor crashes, as far as it has come; gives the room.

    It holds every card of that hand, which is void.
    """
    room.supervisor.on_crash = _hand_crashed
    return room


def _hand_crashed(address: Address, error: BaseException) -> None:
    from poker_actors.actors import hand
    from poker_actors.debug import Script

    actor = address.actor
    if not isinstance(actor, hand.HandActor) or not hasattr(actor, "hand"):
        return
    what = f"{address.name} failed"
    path = Path(f"failed-{address.name.replace('/', '-')}.jsonl")
    try:
        script = Script.of_hand(actor.hand)
    except PokerError as trouble:
        note(f"{what}, and no trace of it could be left: {trouble}")
        return
    _leave(script, path, what, error)


def _leave(script: Script | Program, path: Path, what: str, error: BaseException | str) -> None:
    from poker_actors.debug import leave_trace

    try:
        command = leave_trace(script, path, None, error)
    except (PokerError, OSError) as trouble:
        note(f"{what}, and no trace of it could be left: {trouble}")
        return
    note(f"{what}; open it at that message: {command}")
