"""`poker-actors debug`: step through a hand, message by message."""

from __future__ import annotations

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import attrs
from cyclopts import Parameter

from poker_actors.atomic import replacing
from poker_actors.cli.exploring import Searched, search
from poker_actors.cli.output import DONE, NO, console, draws, note, on_terminal
from poker_actors.cli.values import (
    ADDRESS,
    BOT,
    FILE,
    GAME,
    WRITTEN,
    Blinds,
    JsonOption,
    Plain,
    Seed,
    SeedFile,
    Stacks,
    to_be_printed,
    typed_seed,
)
from poker_actors.errors import BadHistory, BadSpec, Discrepancy

if TYPE_CHECKING:
    from poker_actors.debug import Program, Script, Stepper, Trace, Viewpoint

__all__ = ["Attached", "Opened", "Searched", "Written", "debug"]


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Opened:
    """Options that choose the hand to open."""

    seed: Seed = None
    seed_file: SeedFile = None
    hand: int | None = None
    """One hand, by its number from 0: the hand of the match or file to open."""
    hands: int = 1
    """How many hands to play: one after the other."""
    bot: Annotated[list[str] | None, BOT] = None
    """A bot, once per seat, as in `simulate`. Six different ones if none is given."""
    stacks: Stacks = None
    blinds: Blinds = None
    ante: int | None = None
    """The ante of each seat, in chips; the game's own if not given."""
    straddle: bool = False
    """Let the seat left of the big blind post twice the big blind and act last before the flop."""
    rake: Annotated[str | None, Parameter(metavar="PERCENT%/CAP")] = None
    """The rake, such as 5%/3: 5 % of each pot, at most 3 chips; no flop, no drop."""
    game: Annotated[str, GAME] = "holdem"
    """The game: a name that `poker-actors games` lists, or FILE.py:NAME for your own; of horse, 8-game or
    A+B, the game of that hand."""
    order: int | None = None
    """Deliver messages in an order drawn from this number, instead of the order sent."""
    turn_seconds: float | None = None
    """Seconds for a decision: on the virtual clock; if not given, nobody is timed."""
    scene: str | None = None
    """Your own scene: FILE.py:FUNCTION or MODULE:FUNCTION."""
    program: str | None = None
    """Debug a room that your own code opens: FILE.py:FUNCTION or MODULE:FUNCTION, a function of `watch`."""
    history: Annotated[Path | None, Parameter(name=["--history", "--phh"], metavar="FILE")] = None
    """A file of hand histories: open a hand recorded there, in any format that `replay` reads."""

    def script(self) -> Script:
        """Return the script that the options describe; note a drawn seed on stderr. Raises `BadInput`."""
        from poker_actors.debug import Script

        if self.history is not None:
            return _recorded(self.history, self.hand or 0)
        from poker_actors.bots import drawn_seed
        from poker_actors.cli.simulate import staked
        from poker_actors.rules.cash import Rake

        given = typed_seed(self.seed, self.seed_file)
        seed = drawn_seed() if given is None else given
        script = Script.of(
            self.bot,
            seed=seed,
            hand=self.hand or 0,
            hands=self.hands,
            stacks=self.stacks,
            stakes=staked(self.game, self.blinds, self.ante, straddle=self.straddle),
            rake=None if self.rake is None else Rake.parse(self.rake),
            game=self.game,
            order=self.order,
            scene=self.scene,
            turn_seconds=self.turn_seconds,
        )
        script.staged()  # one that is none is refused before the seed is said: an error is one line
        if given is None:
            note(f"seed {seed}")
        return script


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Attached:
    """Options that open a table of a running server."""

    attach: Annotated[str | None, ADDRESS] = None
    """A server's operator port: open a table's recent messages. The table plays on; `more` fetches newer ones.

    The operator's secret is beside --data, or in POKER_ACTORS_OPERATOR_SECRET.
    """
    table: str | None = None
    """With --attach, the table's name; not needed if there is only one."""
    data: Annotated[str | None, FILE] = None
    """Where everything is kept: with --attach, the server's SQLite file; the operator's secret is beside it."""


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Written:
    """Options that write the whole hand to files."""

    trace: Annotated[Path | None, FILE, WRITTEN] = None
    """Write every message to a trace; or, without --seed, --hand, --bot and --history, open this trace."""
    export: Annotated[Path | None, FILE, WRITTEN] = None
    """Write a page with the hand to scrub through, for any browser, without a network."""
    mermaid: Annotated[Path | None, FILE, WRITTEN] = None
    """Write the sequence diagram of the hand as Mermaid text."""
    svg: Annotated[Path | None, FILE, WRITTEN] = None
    """Write the sequence diagram of the hand as a picture."""


_OPENED: Final = Opened()
_ATTACHED: Final = Attached()
_WRITTEN: Final = Written()
_SEARCHED: Final = Searched()


def debug(  # noqa: PLR0913  every option of the command is one
    *,
    opened: Opened = _OPENED,
    written: Written = _WRITTEN,
    searched: Searched = _SEARCHED,
    attach: Attached = _ATTACHED,
    goto: int = 0,
    view: str = "god",
    verify: bool = False,
    plain: Plain = False,
    web: bool = False,
    json: JsonOption = None,
) -> int | None:
    """Step through a hand message by message, forward and back, and ask why.

    Commands come from the terminal or a pipe; `h` lists them. On a terminal with the extra `tui`
    it is a full screen.

    Args:
        goto: Open the hand after this many messages.
        view: god (all cards), spectator, or a seat, such as 2: hide what cannot be seen from there.
        verify: Replay --trace and compare it message by message, and ask its bots again; exit status 1 if anything
            differs.
        web: Open a page in the browser instead, with a line for commands; its address works on this machine only.
    """
    from poker_actors.debug import Stepper, Viewpoint

    viewpoint = Viewpoint.parse(view)
    if goto < 0:
        raise BadSpec(f"--goto {goto} is below the minimum of 0")
    if verify:
        return _verify(written, json)
    if searched.explore is not None or searched.every or searched.names:
        if opened.program is not None:
            raise BadSpec("--explore needs a hand to play in other orders: a --program plays by itself")
        return search(searched, opened.script, written.trace, json)
    if json is not None:
        raise BadSpec("--json needs --verify or --explore; --trace writes every message for programs")
    own = searched.own
    if attach.attach is not None:
        if own:
            raise BadSpec("--promise needs a hand, a --trace or a --program, not --attach")
        return _attach(attach, written, viewpoint, plain=plain, web=web)
    with Stepper(_script(opened, written), viewpoint=viewpoint, promises=own) as stepper:
        if not _write(stepper, written, trace=not _reads_trace(opened)):
            stepper.goto(goto)
            _converse(stepper, plain=plain, web=web)
    return DONE


def _attach(
    attach: Attached, written: Written, viewpoint: Viewpoint, *, plain: bool, web: bool
) -> int | None:
    """Open a live table at its newest message; raise at the end if its server was lost meanwhile."""
    from poker_actors.cli.account import Attachment

    assert attach.attach is not None
    attachment = Attachment(attach.attach, attach.table, attach.data)
    with attachment.open() as stepper:
        stepper.viewpoint = viewpoint
        if not _write(stepper, written, trace=True):
            _converse(stepper, plain=plain, web=web)
    if attachment.lost is not None:
        raise attachment.lost
    return DONE


def _script(opened: Opened, written: Written) -> Script | Program:
    from poker_actors.debug import Program, script_of

    if opened.program is not None:
        return Program.at(opened.program)
    if written.trace is None or not _reads_trace(opened):
        return opened.script()
    return script_of(_read(written.trace))


def _reads_trace(opened: Opened) -> bool:
    """Return whether no option says which hand to play, so that --trace names the file to open."""
    which = (
        opened.seed,
        opened.seed_file,
        opened.hand,
        opened.bot,
        opened.history,
        opened.scene,
        opened.program,
    )
    return not any(given is not None for given in which)


def _read(path: Path) -> Trace:
    from poker_actors.debug import Trace

    trace = Trace.read(path)
    if trace.error is not None:
        note(f"this trace ends after {len(trace.steps)} messages: {trace.error}")
    return trace


def _recorded(path: Path, number: int) -> Script:
    from poker_actors.debug import Script
    from poker_actors.history import entries

    if number < 0:
        raise BadSpec(f"--hand {number} is below the minimum of 0")
    count = 0
    for entry in entries(path):
        if entry.index == number:
            if entry.history is None:
                assert entry.error is not None
                raise entry.error
            return Script.of_history(entry.history)
        count = entry.index + 1
    raise BadHistory(f"{path} has no hand {number}: it has {count}, counted from 0")


def _verify(written: Written, json: JsonOption) -> int:
    from poker_actors.debug import ask_again, verify

    if written.trace is None:
        raise BadSpec("--verify needs --trace FILE")
    trace = _read(written.trace)
    difference = again = None
    try:
        verify(trace)
        again = ask_again(trace)
    except Discrepancy as error:
        difference = str(error)
    count = len(trace.steps)
    found = {
        "same": difference is None,
        "messages": count,
        "made_by": trace.made_by,
        "difference": difference,
        "asked_again": None if again is None else again.to_dict(),
    }
    if to_be_printed(json, found):
        same = f"the same: {count} messages, made by {trace.made_by}"
        console().print(same if difference is None else f"differs: {difference}", soft_wrap=True)
        for line in () if again is None else again.lines():
            console().print(line, soft_wrap=True)
    return DONE if again is not None and not again.others else NO


def _write(stepper: Stepper, written: Written, *, trace: bool) -> bool:
    """Write the requested files, and the trace too if `trace` is true; return whether there were any."""
    from poker_actors.debug import mermaid, page, sequence_svg, trace_of

    jobs = [(written.export, page), (written.mermaid, mermaid), (written.svg, sequence_svg)]
    if written.trace is not None and trace:
        made = trace_of(stepper)
        made.write(written.trace)
        note(f"wrote {written.trace}, {len(made.steps)} messages")
    elif not any(place for place, _ in jobs):
        return False
    for place, draw in jobs:
        if place is not None:
            with replacing(place) as stream:
                stream.write(draw(stepper))
            note(f"wrote {place}")
    return True


def _converse(stepper: Stepper, *, plain: bool, web: bool) -> None:
    if web:
        from poker_actors.debug.web import PageServer

        server = PageServer(stepper)
        note(f"open {server.url} in a browser; `q` there, or Ctrl-C here, ends it")
        server.serve()
        return
    from poker_actors.debug import converse, run_full_screen
    from poker_actors.errors import MissingExtra

    full = not plain and sys.stdin.isatty() and on_terminal("stdout")
    if full and not draws():
        note(
            f"the terminal's encoding, {sys.stdout.encoding}, has no lines and cards to draw with; lines instead"
        )
    elif full:
        try:
            run_full_screen(stepper)
            return
        except MissingExtra as error:
            note(f"{error}; lines instead")
    converse(stepper, _lines(), _say)


def folded(text: str, width: int) -> list[str]:
    """Wrap a line between words; indent continuation lines to the start of the first line's text."""
    mark = re.match(r"[ >]*(?:[0-9]+|\.\.|!!|next:|\*\*\*)? *", text)
    indent = min(len(mark[0]) if mark else 0, width // 3) or 2
    found = textwrap.wrap(
        text, width, subsequent_indent=" " * indent, break_on_hyphens=False, drop_whitespace=True,
        replace_whitespace=False, expand_tabs=False,
    )  # fmt: skip
    return found or [text]


def _say(text: str) -> None:
    """Write a line, wrapped between words if the terminal is narrower."""
    wide = on_terminal("stdout") or "COLUMNS" in os.environ
    width = shutil.get_terminal_size().columns if wide else 0
    for line in folded(text, width) if 0 < width < len(text) else [text]:
        print(line, flush=True)


def _lines() -> Iterator[str]:
    """Prompt for lines; echo each line of a pipe after the prompt, as if it were typed."""
    typed = sys.stdin.isatty()
    while True:
        try:
            line = input("(debug) ")
        except EOFError:
            print()
            return
        if not typed:
            print(line)
        yield line
