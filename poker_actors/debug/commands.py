"""The debugger's commands: one line in, lines out. A command that pdb also has gets pdb's letter."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import attrs

from poker_actors.debug.asking import Asking, next_words, step_words, title
from poker_actors.debug.draw import draw_text
from poker_actors.debug.plain import Viewpoint
from poker_actors.debug.session import HARMS, Breakpoint, Step, Stepper, place_of
from poker_actors.debug.state import delivery_words
from poker_actors.errors import BadSpec, PokerError


class Quit(Exception):
    """Raised to end the session."""


@attrs.frozen
class Command:
    """One command: the name of its method (without `_do_`), and its arguments and description for the help."""

    method: str
    arguments: str
    help: str


COMMANDS: Final[dict[tuple[str, ...], Command]] = {
    ("n", "next"): Command("next", "[N]", "deliver the next message, or N of them"),
    ("s", "step"): Command("step", "", "deliver the next message and show what it changed in the room"),
    ("a", "action"): Command("action", "", "go on until a player has acted"),
    ("st", "street"): Command("street", "", "go on to the next street"),
    ("hand",): Command("hand", "", "go on until the hand is over and booked"),
    ("c", "cont"): Command("cont", "", "continue to a breakpoint or the end"),
    ("back",): Command("back", "[N]", "go back a message, or N of them"),
    ("goto",): Command("goto", "N", "go to the state after N messages"),
    ("rc", "reverse-continue"): Command("reverse", "", "go back to the last breakpoint, or the beginning"),
    ("b", "break"): Command("break_on", "[edge | level] [CONDITION] [if EXPRESSION]", "stop at: actor NAME, message TYPE, street NAME, seat N, pot N, fault, refused, crash, late, void, promise, or pot > 50"),
    ("cl", "clear"): Command("clear", "[N]", "remove a breakpoint, or all"),
    ("l", "list"): Command("list", "", "list the last messages and those on their way"),
    ("t", "table"): Command("table", "", "draw the table"),
    ("p", "print"): Command("print", "EXPRESSION", "show a value: pot, to_call, stacks[2], message, pending[0], or what an actor keeps"),
    ("find",): Command("find", "[back] TEXT | TYPE | ACTOR", "go on to the next message with a text in it, of a type, or of an actor"),
    ("display", "watch"): Command("watch", "[EXPRESSION]", "show a value after every stop"),
    ("last",): Command("last", "WHAT", "show when a value or an actor last changed"),
    ("timers",): Command("timers", "", "list pending timers of the virtual clock"),
    ("faults",): Command("faults", "", "list what went wrong so far"),
    ("fault",): Command("fault", "[N] [locals] [state]", "show what went wrong, with its traceback"),
    ("into", "i"): Command("into", "[debugpy | FILE.py:FUNCTION]", "ask a bot again under pdb, with the view and the luck it had"),
    ("actors",): Command("actors", "", "list the actors and how many messages wait for each"),
    ("diff",): Command("diff", "[FROM [TO]]", "show the differences between two states"),
    ("w", "bt", "where"): Command("where", "", "show the chain of messages that caused the next one"),
    ("u", "up"): Command("up", "", "go to the message that caused this one"),
    ("d", "down"): Command("down", "", "go to the message that this one caused"),
    ("why",): Command("why", "WHAT", "explain pot, to_call, stack N, side pot N, winner, turn, deadline or illegal ACTION"),
    ("fork",): Command("fork", "ACTION | cards CARDS | deck SEED | message N | drop N | duplicate N | delay N", "continue differently from here, in a new branch"),
    ("forks",): Command("forks", "", "list the branches"),
    ("branch",): Command("branch", "N", "switch to a branch"),
    ("view",): Command("view", "god | spectator | seat N", "look from another viewpoint"),
    ("more",): Command("more", "", "fetch a live table's newer messages, and go to their end"),
    ("q", "quit"): Command("quit", "", "leave"),
    ("h", "help"): Command("help", "[COMMAND]", "list the commands, or explain one"),
}  # fmt: skip
"""The commands by their words, abbreviations included."""

_METHODS: Final = {word: command.method for words, command in COMMANDS.items() for word in words}
_SEARCHED: Final = 200_000
"""Messages that `find` plays ahead to search: more than 1,000 hands have."""
_NEAR: Final = 4
"""How many delivered messages `list` shows."""


class Commands(Asking):
    """Carries out commands on a stepper and its forks; `stepper` is the current branch."""

    def __init__(self, stepper: Stepper) -> None:
        self.branches: list[Stepper] = [stepper]
        self.origins: list[str] = ["the session as it was"]
        self.current = 0
        self.frame = 0
        """Position of `up` and `down` in the chain of causes; 0 is the subject itself."""
        self.subject: int | None = None
        """The step at which a breakpoint stopped, which `where`, `up` and `down` start from; None: the next message."""
        self.last = "n"

    @property
    def stepper(self) -> Stepper:
        """The current branch."""
        return self.branches[self.current]

    def do(self, line: str) -> list[str]:
        """Carry out one line and return its output; an empty line repeats the last one.

        Errors are returned as lines that begin with `***`. Raise `Quit` at the end of the session.
        """
        line = line.strip() or self.last
        word, _, rest = line.partition(" ")
        method = _METHODS.get(word)
        if method is None:
            return [f"*** there is no command {word[:40]!r}: h lists the commands"]
        self.last = line
        try:
            doing: Callable[[str], Iterator[str]] = getattr(self, f"_do_{method}")
            # Read to the end here: the commands are generators, and do nothing, nor fail, before
            return list(doing(rest.strip()))
        except PokerError as error:
            return [f"*** {error}"]
        except Quit:
            raise  # the next clause would take the end of the session for a failure
        except Exception as error:  # noqa: BLE001  the debugged code may raise anything; the debugger must survive it
            place = place_of(error.__traceback__)
            return [f"*** {line}: the debugged code fails on this: {type(error).__name__}: {error} ({place})"]

    def close(self) -> None:
        """Close every branch."""
        for branch in self.branches:
            branch.close()

    # -- going on ---------------------------------------------------------------------------

    def _do_next(self, rest: str) -> Iterator[str]:
        for _ in range(_count(rest)):
            step = self.stepper.step()
            if step is None:
                break
            yield from step_words(step, self.stepper.viewpoint)
        yield from self._stop()

    def _do_step(self, rest: str) -> Iterator[str]:
        step = self.stepper.step()
        if step is not None:
            yield from step_words(step, self.stepper.viewpoint)
            yield from self._changes(step.number, step.number + 1)
        yield from self._stop()

    def _do_action(self, rest: str) -> Iterator[str]:
        yield from self._gone(self.stepper.step_action())

    def _do_street(self, rest: str) -> Iterator[str]:
        street = self.stepper.step_street()
        yield f"now: {street or 'no hand'}"
        yield from self._gone(self._latest())

    def _do_hand(self, rest: str) -> Iterator[str]:
        self.stepper.step_hand()
        yield from self._gone(self._latest())

    def _do_cont(self, rest: str) -> Iterator[str]:
        hit = self.stepper.run()
        if hit is not None:
            yield f"breakpoint {hit}"
        yield from self._gone(self._latest(), hit)

    def _do_back(self, rest: str) -> Iterator[str]:
        self.stepper.back(_count(rest))
        yield from self._stop()

    def _do_reverse(self, rest: str) -> Iterator[str]:
        hit = self.stepper.reverse()
        yield f"breakpoint {hit}" if hit is not None else "the beginning"
        yield from self._gone(self._latest(), hit)

    def _do_goto(self, rest: str) -> Iterator[str]:
        if not rest.isdecimal():
            raise BadSpec(f"goto {rest[:40]!r} is not a step: steps count from 0")
        self.stepper.goto(int(rest))
        yield from self._gone(self._latest())

    def _latest(self) -> Step | None:
        at = self.stepper.position
        return self.stepper.steps[at - 1] if at else None

    def _gone(self, step: Step | None, hit: Breakpoint | None = None) -> Iterator[str]:
        if step is not None:
            yield from step_words(step, self.stepper.viewpoint)
            yield from (f"      {line}" for line in draw_text(self.stepper.picture()))
        said = step is not None and any(one.kind == "promise" for one in step.incidents)
        asked = hit is not None and "promise" in hit.text and not said
        broken = self.stepper.broken_promise() if asked else None
        if broken is not None:
            yield f"{'!!':>5} promise: {broken if self.stepper.viewpoint.god else 'broken'}"
        yield from self._stop()
        if hit is not None and step is not None:  # after `_stop`, which clears the subject
            self.subject = step.number

    def _stop(self) -> Iterator[str]:
        """Forget the frame and subject, and yield what is shown at every stop: watches and the next message."""
        self.frame, self.subject = 0, None
        names = self.stepper.names()
        for expression in self.stepper.watches:
            try:
                yield f"      {expression} = {self.stepper.evaluate(expression)}"
            except BadSpec:
                yield f"      {expression} has no value here"
        yield from next_words(self.stepper, names)

    # -- breakpoints and values -------------------------------------------------------------

    def _do_break_on(self, rest: str) -> Iterator[str]:
        if rest:
            yield f"breakpoint {self.stepper.break_on(rest)}"
            return
        yield from [f"breakpoint {one}" for one in self.stepper.breakpoints] or ["no breakpoints"]

    def _do_clear(self, rest: str) -> Iterator[str]:
        if rest and not rest.isdecimal():
            raise BadSpec(f"clear {rest[:40]!r}: give the number of a breakpoint")
        self.stepper.clear(int(rest) if rest else None)
        yield f"{len(self.stepper.breakpoints)} breakpoints are left"

    def _do_print(self, rest: str) -> Iterator[str]:
        if not rest:
            raise BadSpec(f"p needs an expression of {', '.join(sorted(self.stepper.names()))}, or an actor")
        stepper = self.stepper
        an_actor = rest in stepper.actors or any(rest == one.who for one in stepper.incidents)
        value = stepper.inspect(rest) if an_actor else stepper.evaluate(rest)
        if isinstance(value, dict):
            yield from json.dumps(value, indent=2, ensure_ascii=False).splitlines()
        else:
            yield f"{rest} = {value}"

    def _do_find(self, rest: str) -> Iterator[str]:
        first, _, others = rest.partition(" ")
        back, text = (True, others.strip()) if first == "back" and others.strip() else (False, rest)
        if not text:
            raise BadSpec("find needs a text, a type of message or an actor")
        stepper, here = self.stepper, self.stepper.position
        if len(stepper.steps) < here + _SEARCHED and not stepper.over:
            stepper.goto(here + _SEARCHED)  # only what was delivered once can be searched
            stepper.goto(here)
        found = stepper.find(text)
        if not found:
            yield f"{text[:60]!r} is not in any of {len(stepper.steps)} messages"
            return
        # past the last one it begins again at the first, as an editor's search does
        number = (bisect_left(found, here) - 1 if back else bisect_right(found, here)) % len(found)
        stepper.goto(found[number])
        yield f"{number + 1} of {len(found)} messages with {text[:60]!r}"
        yield from self._gone(self._latest())

    def _do_watch(self, rest: str) -> Iterator[str]:
        if rest:
            try:
                yield f"{rest} = {self.stepper.watch(rest)}"
            except BadSpec as error:
                if "no value here" not in str(error):
                    raise
                # No value yet, as before the first deal, but well formed: it is watched all the same
                if rest not in self.stepper.watches:
                    self.stepper.watches.append(rest)
                yield f"{rest} has no value here"
            return
        yield from list(self.stepper.watches) or ["nothing is watched"]

    def _do_actors(self, rest: str) -> Iterator[str]:
        pending = [one.receiver for one in self.stepper.pending]
        for name in self.stepper.actors:
            count = pending.count(name)
            yield f"  {name}{f', {count} waiting' if count else ''}"

    def _do_table(self, rest: str) -> Iterator[str]:
        yield from draw_text(self.stepper.picture())

    def _do_list(self, rest: str) -> Iterator[str]:
        stepper = self.stepper
        for step in stepper.steps[max(0, stepper.position - _NEAR) : stepper.position]:
            yield from step_words(step, stepper.viewpoint)
        following = stepper.peek()
        for place, one in enumerate(stepper.pending):
            mark = "->" if one is following else "  "
            yield f"{mark} ({place:2}) {delivery_words(one, stepper.viewpoint, arrived=False)}"
        if following is None:
            yield "      nothing is on its way"

    def _do_diff(self, rest: str) -> Iterator[str]:
        words = rest.split()
        if not all(word.isdecimal() for word in words) or len(words) > 2:
            raise BadSpec(f"diff {rest[:40]!r}: give one or two steps, counted from 0")
        here = self.stepper.position
        before = int(words[0]) if words else max(0, here - 1)
        yield from self._changes(before, int(words[1]) if len(words) > 1 else here)

    def _changes(self, before: int, after: int) -> Iterator[str]:
        found = self.stepper.diff(before, after)
        yield from (f"      {one}" for one in found)
        if not found:
            yield "      nothing is different"

    # -- why --------------------------------------------------------------------------------

    def _chain(self) -> list[Step]:
        """Return the steps that led to the subject, its direct cause first."""
        steps = self.stepper.steps
        cause = self.stepper.cause if self.subject is None else steps[self.subject].cause
        chain: list[Step] = []
        while cause is not None:
            chain.append(steps[cause])
            cause = steps[cause].cause
        return chain

    def _do_where(self, rest: str) -> Iterator[str]:
        chain = self._chain()
        for place in range(len(chain), 0, -1):
            mark = ">" if place == self.frame else " "
            yield f"{mark}{next(iter(step_words(chain[place - 1], self.stepper.viewpoint)))}"
        mark = ">" if not self.frame else " "
        yield from (f"{mark}{line}" for line in self._subject_words())

    def _subject_words(self) -> Iterator[str]:
        if self.subject is None:
            yield from next_words(self.stepper, {})
        else:
            yield from step_words(self.stepper.steps[self.subject], self.stepper.viewpoint)

    def _do_up(self, rest: str) -> Iterator[str]:
        yield from self._look(self.frame + 1)

    def _do_down(self, rest: str) -> Iterator[str]:
        yield from self._look(self.frame - 1)

    def _look(self, frame: int) -> Iterator[str]:
        chain = self._chain()
        if not 0 <= frame <= len(chain):
            raise BadSpec(
                "this is the newest message"
                if frame < 0
                else "this is the oldest message: it came from outside"
            )
        self.frame = frame
        if not frame:
            yield from self._subject_words()
        else:
            yield from step_words(chain[frame - 1], self.stepper.viewpoint)

    def _do_why(self, rest: str) -> Iterator[str]:
        yield from str(self.stepper.why(rest or "pot")).splitlines()

    # -- branches ---------------------------------------------------------------------------

    def _do_fork(self, rest: str) -> Iterator[str]:
        kind, _, value = rest.partition(" ")
        changes: dict[str, Any]
        if kind in ("deck", "message", *HARMS) and value.strip().isdecimal():
            changes = {"place" if kind == "message" else kind: int(value)}
        elif kind == "cards" and value.strip():
            changes = {"cards": value}
        elif kind in ("deck", "message", "cards", *HARMS, ""):
            raise BadSpec(
                "fork needs an action such as fold, cards CARDS, deck SEED, or message, drop, duplicate or delay N"
            )
        else:
            changes = {"action": rest}
        position = self.stepper.position
        other = self.stepper.fork(**changes)
        other.watches = list(self.stepper.watches)
        other.breakpoints = list(self.stepper.breakpoints)
        self._opened(other, f"from branch {self.current} after step {position}: {rest}")
        yield f"branch {self.current}, {self.origins[-1]}"
        yield from self._stop()

    def _do_forks(self, rest: str) -> Iterator[str]:
        for number, branch in enumerate(self.branches):
            mark = ">" if number == self.current else " "
            yield f"{mark} {number}: {self.origins[number]}; now after step {branch.position}"

    def _do_branch(self, rest: str) -> Iterator[str]:
        if not rest.isdecimal() or int(rest) >= len(self.branches):
            raise BadSpec(f"branch {rest[:40]!r}: choose from 0 to {len(self.branches) - 1}")
        self.current = int(rest)
        yield from self._stop()

    def _do_view(self, rest: str) -> Iterator[str]:
        if rest:
            viewpoint = Viewpoint.parse(rest)
            if viewpoint.seat is not None and viewpoint.seat >= self.stepper.seats:
                raise BadSpec(f"view {rest}: seats are 0 to {self.stepper.seats - 1}")
            for branch in self.branches:
                branch.viewpoint = viewpoint
        yield f"seen as {self.stepper.viewpoint}"

    def _do_more(self, rest: str) -> Iterator[str]:
        before = self.stepper
        other = before.more()
        if other is not before:
            other.viewpoint, other.breakpoints, other.watches = (
                before.viewpoint,
                before.breakpoints,
                before.watches,
            )
            self._opened(other, "later messages of the live table; those in between are no longer kept")
            yield f"branch {self.current}, {self.origins[-1]}"
        yield from self._gone(self._latest())

    def _opened(self, other: Stepper, origin: str) -> None:
        """Switch to a new branch."""
        self.branches.append(other)
        self.origins.append(origin)
        self.current = len(self.branches) - 1

    # -- the rest ---------------------------------------------------------------------------

    def _do_quit(self, rest: str) -> Iterator[str]:
        raise Quit

    def _do_help(self, rest: str) -> Iterator[str]:
        for words, command in COMMANDS.items():
            if not rest or rest in words:
                name = f"{', '.join(words)} {command.arguments}".strip()
                yield f"  {name}" if len(name) > 22 else f"  {name:<22} {command.help}"
                if len(name) > 22:
                    yield f"  {'':<22} {command.help}"
        yield "  an empty line repeats the last command"


def _count(text: str) -> int:
    if not text:
        return 1
    if not text.isdecimal():
        raise BadSpec(f"{text[:40]!r} is not a number of messages")
    return int(text)


PROMPT: Final = "(debug) "


def converse(stepper: Stepper, lines: Iterable[str], write: Callable[[str], None]) -> None:
    """Carry out `lines` until they end or one of them quits; then close all branches."""
    commands = Commands(stepper)
    try:
        write(f"{title(stepper)}; h lists the commands")
        for line in draw_text(stepper.picture()):
            write(f"      {line}")
        for line in next_words(stepper, stepper.names()):
            write(line)
        for asked in lines:
            for line in commands.do(asked):
                write(line)
    except Quit:
        pass
    finally:
        commands.close()
