"""`poker-actors debug --explore`: try other orders of delivery and check named promises in each."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from cyclopts import Parameter

from poker_actors.cli.output import DONE, NO, console, note, progress
from poker_actors.cli.values import JsonOption, to_be_printed
from poker_actors.errors import BadSpec, unknown

if TYPE_CHECKING:
    from poker_actors.debug import Exploration, OwnPromise, Script


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Searched:
    """Options to search for an order of delivery that breaks a promise."""

    explore: int | None = None
    """Play this many orders of delivery and look for one that breaks a promise; exit status 1 if there
    is one. Its trace goes to --trace, or to violation.jsonl."""
    every: bool = False
    """With --explore, go through all orders, up to that many, instead of drawing them."""
    promise: list[str] | None = None
    """A promise to check: your own, as FILE.py:FUNCTION, that must hold always, eventually or never;
    with --explore also one by name, all if none is named. `list` shows them."""

    @property
    def own(self) -> tuple[OwnPromise, ...]:
        """Load your own promises; raise `BadSpec` or `UnknownBot` for one that is not found."""
        from poker_actors.debug import OwnPromise

        return tuple(OwnPromise.of(text) for text in self.promise or () if ":" in text)

    @property
    def names(self) -> list[str] | None:
        """The promises by name; None if none is named."""
        return [text for text in self.promise or () if ":" not in text] or None


def search(searched: Searched, script_of: Callable[[], Script], trace: Path | None, json: JsonOption) -> int:
    """Look for an order of delivery that breaks a promise and report the search; return the exit status.

    The trace of a violation goes to `trace`, or to violation.jsonl. Raise `BadSpec` for options that do not fit.
    """
    from poker_actors.debug import explore

    if searched.names == ["list"]:
        _list_promises()
        return DONE
    orders = searched.explore
    if orders is None:
        raise BadSpec("--every and --promise NAME need --explore")
    if orders < 1:
        raise BadSpec(f"--explore {orders} is below the minimum of 1")
    names, witness = _held_to(searched.names)
    own = searched.own
    script = script_of()
    with progress("orders", orders) as advance:
        found = explore(
            script, orders, every=searched.every, promises=own, names=names, witness=witness, progress=advance
        )
    place = None
    if found.trace is not None:
        place = trace or Path("violation.jsonl")
        found.trace.write(place)
    if to_be_printed(json, _plain(found, place)):
        _tell(found, place, [text for text in searched.promise or () if ":" in text])
    return DONE if found.violation is None else NO


def _held_to(asked: list[str] | None) -> tuple[list[str], Callable[[], Any]]:
    """Return the debugger's promises among `asked`, and a factory of witnesses for those of the fault bench.

    A name may be in both lists. Raise `BadSpec` for a name in neither; None asks for all.
    """
    from poker_actors.debug.session import PROMISES
    from poker_actors.testing import PROMISES as WITNESSED
    from poker_actors.testing import Witness

    wanted = [*PROMISES, *WITNESSED] if asked is None else asked
    for name in wanted:
        if name not in PROMISES and name not in WITNESSED:
            raise BadSpec(f"--promise: {unknown('promise', name, dict.fromkeys([*PROMISES, *WITNESSED]))}")
    heard = [name for name in wanted if name in WITNESSED]
    return [name for name in wanted if name in PROMISES], partial(Witness, heard)


def _list_promises() -> None:
    from poker_actors.debug.session import PROMISES
    from poker_actors.testing import PROMISES as WITNESSED

    said = dict(PROMISES)
    for name, promise in WITNESSED.items():
        said[name] = f"{said[name]}; {promise.says}" if name in said else promise.says
    for name, text in said.items():
        console().print(f"{name:<10} {text}", soft_wrap=True)


def _plain(found: Exploration, place: Path | None) -> dict[str, Any]:
    parting = found.parting
    return {
        "orders": found.orders,
        "messages": found.steps,
        "complete": found.complete,
        "violation": None if found.violation is None else str(found.violation),
        "trace": None if place is None else str(place),
        "states": found.states,
        "ways": found.ways,
        "taken": found.taken,
        "parting": None
        if parting is None
        else {"step": parting.step, "good": parting.good, "bad": parting.bad},
    }


def _tell(found: Exploration, place: Path | None, own: list[str]) -> None:
    tried = f"{found.orders} orders of delivery, {found.steps:,} messages"
    if found.violation is None:
        done = ": those are all there are" if found.complete else ""
        console().print(f"{tried}: no violation{done}", soft_wrap=True)
    else:
        console().print(f"{tried}: {found.violation}", soft_wrap=True)
    share = (
        f", {100 * found.taken / found.ways:.0f} % of the {found.ways:,} ways onward taken"
        if found.ways
        else ""
    )
    console().print(f"{found.states:,} states seen{share}", soft_wrap=True)
    if found.parting is not None:
        for line in found.parting.lines():
            console().print(line, soft_wrap=True)
    if found.trace is not None:
        goto = len(found.trace.steps) - 1
        again = "".join(f" --promise {shlex.quote(text)}" for text in own)
        note(f"wrote {place}; open it there: poker-actors debug --trace {place} --goto {goto}{again}")
