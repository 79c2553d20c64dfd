"""Commands that only look: faults, the last change of a value, timers, and asking a bot again under a debugger."""

from __future__ import annotations

import importlib
import json
import os
import pdb
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, Final

from poker_actors.bots import Bot, function_at
from poker_actors.debug.plain import Viewpoint
from poker_actors.debug.session import Incident, Step, Stepper
from poker_actors.debug.state import delivery_words
from poker_actors.debug.turns import UNTIMED
from poker_actors.errors import BadSpec
from poker_actors.rules import View


def title(stepper: Stepper) -> str:
    """Return a one-line title of the session. Only the god viewpoint gets the seed: it gives away every card."""
    god = stepper.viewpoint.god
    return f"{stepper.script.words(seed=god)}{'' if god else f', seen as {stepper.viewpoint}'}"


def step_words(step: Step, viewpoint: Viewpoint) -> Iterator[str]:
    """Yield a line for each delivery of a step (`..`: asked by the handler of another) and each incident (`!!`)."""
    for one in step.handled:
        place = f"{step.number + 1:5} " if not one.depth else f"{'..':>5} "
        outcome = f"  ({one.outcome})" if one.outcome else ""
        yield f"{place} {delivery_words(one.delivery, viewpoint)}{outcome}"
    for incident in step.incidents:
        yield f"{'!!':>5} {incident.shown(viewpoint)}"


def next_words(stepper: Stepper, names: dict[str, Any]) -> Iterator[str]:
    """Yield the next message and how many are on their way; at the end, what each player won or lost."""
    following = stepper.peek()
    if following is None:
        won = [
            f"{name} {chips:+}"
            for name, chips in zip(stepper.players, names.get("payoffs", ()), strict=False)
            if chips
        ]
        if not stepper.at_rest:
            yield f"      now, after {stepper.position} messages; `more` fetches newer ones"
            return
        if stepper.ended_by is not None:
            yield f"      ended early, after {stepper.position} messages: {stepper.ended_by}"
            return
        if stepper.stuck is not None:
            yield f"      stuck after {stepper.position} messages: {stepper.stuck} has not ended, and nothing is on its way"
            return
        void = ": the hand is void" if stepper.voided else ""
        yield f"      the end, after {stepper.position} messages{void}{': ' if won else ''}{', '.join(won)}"
        return
    count = len(stepper.pending)
    waiting = f"  [{count} on their way]" if count > 1 else ""
    yield f"      next: {delivery_words(following, stepper.viewpoint, arrived=False)}{waiting}"


_MOST_LISTED: Final = 20
_DEBUGPY_PORT: Final = 5678
_listening: Final[list[tuple[str, int]]] = []
"""Where debugpy listens: one address at most, as `debugpy.listen` may be called only once in a process."""


class Asking:
    """The commands that only look; `stepper` is the current branch."""

    @property
    def stepper(self) -> Stepper:
        """The current branch."""
        raise NotImplementedError

    # -- what went wrong --------------------------------------------------------------------

    def _do_faults(self, rest: str) -> Iterator[str]:
        found = self._incidents()
        for number, (step, incident) in enumerate(found, 1):
            if number > len(found) - _MOST_LISTED:
                yield f"{number:4}  step {step.number + 1:5}  {incident.shown(self.stepper.viewpoint)}"
        if not found:
            yield "nothing has gone wrong up to here"

    def _do_fault(self, rest: str) -> Iterator[str]:
        words = rest.split()
        numbers = [word for word in words if word.isdecimal()]
        wanted = [word for word in words if not word.isdecimal()]
        if len(numbers) > 1 or not set(wanted) <= {"locals", "state"}:
            raise BadSpec(f"fault {rest[:40]!r}: give a number of `faults`, locals, state, or nothing")
        found = self._incidents()
        if not found:
            yield "nothing has gone wrong up to here"
            return
        number = int(numbers[0]) if numbers else len(found)
        if not 1 <= number <= len(found):
            raise BadSpec(f"there is no fault {number}: there are {len(found)}, counted from 1")
        step, incident = found[number - 1]
        viewpoint = self.stepper.viewpoint
        yield f"step {step.number + 1}: {incident.shown(viewpoint)}"
        for line in incident.traceback(viewpoint, local="locals" in wanted):
            yield f"  {line}"
        if "state" in wanted:
            # Only for a viewpoint that may see it: the state has the hole cards of others
            state = incident.state if incident.seen(viewpoint) else {}
            yield from json.dumps(state, indent=2, ensure_ascii=False).splitlines()

    def _incidents(self) -> list[tuple[Step, Incident]]:
        stepper = self.stepper
        return [(step, one) for step in stepper.steps[: stepper.position] for one in step.incidents]

    # -- backwards --------------------------------------------------------------------------

    def _do_last(self, rest: str) -> Iterator[str]:
        if not rest:
            raise BadSpec("last needs an expression such as pot or stacks[2], or an actor")
        found = self.stepper.last_change(rest)
        if found is None:
            yield f"{rest} has not changed so far"
            return
        if isinstance(found.after, dict):  # an actor: its whole state would fill the screen
            yield f"{rest} changed last in step {found.step.number + 1}"
        else:
            yield f"{rest} changed last in step {found.step.number + 1}: {found.before} -> {found.after}"
        yield from step_words(found.step, self.stepper.viewpoint)

    # -- time -------------------------------------------------------------------------------

    def _do_timers(self, rest: str) -> Iterator[str]:
        stepper = self.stepper
        yield f"the clock is at {stepper.clock:g} s"
        for one in stepper.timers:
            turn = getattr(one.message, "turn", None)
            whose = "" if turn is None else f" of seat {turn.seat}"
            since = "before the first step" if one.step is None else f"in step {one.step + 1}"
            what = f"{type(one.message).__name__}{whose}"
            yield f"{one.due:8g} s  {what} for {one.receiver}, set at {one.since:g} s {since}"
        if not stepper.timers:
            yield UNTIMED

    # -- into a bot -------------------------------------------------------------------------

    def _do_into(self, rest: str) -> Iterator[str]:
        if not self.stepper.viewpoint.god:
            raise BadSpec(f"into shows what a bot sees: it is not for {self.stepper.viewpoint}")
        found = self.stepper.into(_debugger(rest))
        recorded, now = found.recorded, found.now
        yield f"step {recorded.step + 1}: {found.name} {_said(recorded)}"
        if isinstance(now.error, _Left):
            yield "and was cut short before it answered"
        elif found.same:
            yield "and answers the same now"
        else:
            yield f"*** and now {_said(now)}: it depends on more than its view and its luck"


def _said(question: Any) -> str:
    words = question.words if question.error is not None else f"answered {question.answer}"
    return f"{words} ({question.text})" if question.kind == "illegal" else words


class _Left(Exception):
    """The user has quit the debugger before the bot answered."""


def _debugger(which: str) -> Callable[[Bot, View], Any]:
    """Return a function of bot and view that asks the bot under a debugger.

    `which` is empty for pdb, `debugpy`, or `FILE.py:FUNCTION` for a function of the user's own.
    Raise `BadSpec` if debugpy is missing, or there is no such function.
    """
    if not which:
        return _under_pdb
    if which == "debugpy":
        try:
            return partial(_under_debugpy, importlib.import_module("debugpy"))
        except ImportError:
            raise BadSpec("into debugpy: debugpy is not installed (pip install debugpy)") from None
    return function_at("debugger", which)


class _Pdb(pdb.Pdb):
    """Pdb that remembers whether the user has quit it."""

    left = False

    def set_quit(self) -> None:
        """Quit the debugger, and note it."""
        self.left = True
        super().set_quit()


def _under_pdb(bot: Bot, view: View) -> Any:
    # nosigint: `continue` would otherwise leave pdb's handler for Ctrl-C behind when the bot has answered
    debugger = _Pdb(nosigint=True)
    answer = debugger.runcall(bot, view)
    if debugger.left:
        raise _Left
    return answer


def _under_debugpy(debugpy: Any, bot: Bot, view: View) -> Any:
    """Wait for an editor to attach, then stop at the bot's call."""
    if not _listening:
        _listening.append(debugpy.listen(("127.0.0.1", int(os.environ.get("DEBUGPY_PORT", _DEBUGPY_PORT)))))
    host, port = _listening[0]
    sys.stderr.write(f"attach to {host}:{port}\n")
    sys.stderr.flush()
    debugpy.wait_for_client()
    debugpy.breakpoint()
    return bot(view)
