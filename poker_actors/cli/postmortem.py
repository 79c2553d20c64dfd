"""After a failure, leave a trace in the current directory and print the command that opens it."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import attrs

from poker_actors.cli.output import note
from poker_actors.cli.simulation_files import command_line
from poker_actors.errors import PokerError

if TYPE_CHECKING:
    from poker_actors.actors import Room
    from poker_actors.actors.runtime import Address
    from poker_actors.debug import Program, Script
    from poker_actors.sim import Match, PlayerResult

_ASKED_HANDS: Final = 20
"""Hands played again to find a bot that does not repeat its answers; one that tosses coins shows in most of them."""

MOST_HANDS: Final = 1000
"""The most hands of one session of the debugger."""


def leave_hand(match: Match, error: BaseException) -> None:
    """Write the trace of the hand that failed in a simulation."""
    from poker_actors.sim import failed_hand

    number = failed_hand(error)
    if number is None:
        return
    script = _script(match, number)
    if script is None:
        note(f"hand {number} failed; see it alone: {command_line(match)} --hand {number}")
        return
    _leave(script, Path(f"failed-hand-{number}.jsonl"), f"hand {number} failed", error)


def say_faults(match: Match, players: Sequence[PlayerResult]) -> None:
    """Note, for each bot with faults, the command that opens the debugger at its first one."""
    for player in players:
        number = player.faults.first_hand
        if number is not None:
            command = _opening(match, number, player.seat)
            note(f"{player.bot} (seat {player.seat}) went wrong in hand {number}; open it there: {command}")


def say_impure(match: Match) -> None:
    """Name the bots that answer the same view differently when asked again, and leave a trace that shows it."""
    from poker_actors.actors.runtime import quiet_logs
    from poker_actors.debug import Trace, ask_again

    hands = min(match.hands, _ASKED_HANDS) if match.played(0)[0] is match.game else 1
    script = _script(match, 0, hands)
    if script is None:
        return
    with quiet_logs():
        trace = Trace.of(script)
        found = ask_again(trace)
    if not found.others:
        return
    path = Path("impure.jsonl")
    try:
        trace.write(path)
    except OSError as trouble:
        note(f"no trace of it could be left: {trouble}")
        return
    for name in dict.fromkeys(one.name for one in found.others):
        count = sum(one.name == name for one in found.others)
        note(
            f"{name} answers the same view differently when asked again, {count} times in {hands} hands; "
            f"see it: poker-actors debug --trace {path} --verify"
        )


def _script(match: Match, number: int, hands: int = 1) -> Script | None:
    """Return the script of some hands of a match; None if the debugger's table cannot play them."""
    from poker_actors.debug import Script
    from poker_actors.rules.cash import CashOptions

    options = match.options or CashOptions()
    if match.rounds or match.form.name != "cash" or options != CashOptions(options.rake):
        return None
    game, stakes = match.played(number)
    return Script.of(
        match.bots,
        seed=match.seed,
        hand=number,
        hands=hands,
        stacks=match.stacks,
        stakes=stakes,
        game=game,
        rake=options.rake,
    )


def _opening(match: Match, number: int, bot: int) -> str:
    """Return the command that opens a hand of a match at the turn of a bot's first fault."""
    from poker_actors.bots import OutsideBot

    words = command_line(match)
    script = _script(match, number)
    if script is None or match.played(number)[0] is not match.game:
        return f"{words} --hand {number}"
    options = words.removeprefix("poker-actors simulate ").replace(f" --hands {match.hands} ", " ", 1)
    command = f"poker-actors debug {options} --hand {number}"
    factories = [spec.source.factory for spec in match.bots]
    if any(inspect.isclass(one) and issubclass(one, OutsideBot) for one in factories):
        return command  # do not start the program again only to count messages
    at = _fault_at(script, bot)
    if at is None and number < MOST_HANDS:
        # a bot with memory may fail only after the earlier hands
        at = _fault_at(attrs.evolve(script, first=0, hands=number + 1), bot)
        command = f"poker-actors debug {options} --hands {number + 1}"
    return command if at is None else f"{command} --goto {at}"


def _fault_at(script: Script, seat: int) -> int | None:
    """Return the position right after the first fault of a seat's bot, or None without one."""
    from poker_actors.actors.runtime import quiet_logs
    from poker_actors.debug import Stepper

    with quiet_logs(), Stepper(script) as stepper:
        while (step := stepper.step()) is not None:
            if any("fault" in one.kinds and one.seat == seat for one in step.incidents):
                return stepper.position
    return None


def program_of(run: int, game: str | None = None, bots: Sequence[str] = ()) -> Program:
    """Return a run of the fault bench as a program for the debugger."""
    from poker_actors.debug import Program

    of: dict[str, str | list[str]] = {} if game is None else {"game": game}
    if bots:
        of["bots"] = [*bots]
    return Program.at("poker_actors.testing.chaos:watched_run", run=run, **of)


def leave_run(run: int, violation: str, game: str | None = None, bots: Sequence[str] = ()) -> None:
    """Write the trace of a run of the fault bench, up to the message that broke a promise."""
    program = program_of(run, game, bots)
    _leave(program, Path(f"broken-run-{run}.jsonl"), "a promise was broken", violation)


def watched(room: Room) -> Room:
    """Write a trace of every hand whose actor crashes in a live room, up to the crash; return the room.

    The trace holds every card; the hand is void, so they no longer matter.
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
