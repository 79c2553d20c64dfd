"""`poker-actors opp dump`: print an OPP session in words, from a capture or through a proxy."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from cyclopts import Parameter

from poker_actors.cli.output import note
from poker_actors.cli.reading import endpoint
from poker_actors.cli.values import ADDRESS, FILE, WRITTEN, Force, JsonOption
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.wire.opp import Finding, Side

__all__ = ["opp_dump"]

Show = Callable[[str, "Finding"], None]
_REASONS_SHOWN = 5
"""Most reasons for damaged hands that are listed: a broken capture can have one a message."""


def opp_dump(
    source: str,
    *,
    listen: Annotated[str, ADDRESS] = "127.0.0.1:0",
    save: Annotated[str | None, FILE, WRITTEN] = None,
    histories: Annotated[
        Path | None, Parameter(name=["--histories", "--to"], metavar="FILE"), WRITTEN
    ] = None,
    force: Force = False,
    passwords: bool = False,
    json: JsonOption = None,
) -> None:
    """Show OPP sessions message by message, captured or passing through, or make hand histories of a capture.

    Args:
        source: A capture (packets of tcpdump -w or Wireshark, lines of hex after > for the client and < for the
            server, or one side's raw bytes), or HOST:PORT of a server to stand in front of.
        listen: Where clients of the proxy connect; a free port unless given.
        save: Save all traffic, of every connection, as a capture.
        histories: Write the hands of a capture to this file instead of showing it: its name ends in .phhs,
            .jsonl or another format of `poker-actors convert`.
        passwords: Show passwords, which are *** otherwise.
    """
    target = None if Path(source).exists() or ":" not in source else endpoint(source, "SOURCE")
    if target is None and save is not None:
        raise BadSpec("--save is for a proxied session: a capture is a file already")
    if histories is not None:
        if target is not None:
            raise BadSpec("--histories is of a capture: keep what passes through by --save, and convert that")
        _convert(Path(source), histories, force=force)
        return
    with ExitStack() as stack:
        write_line = None if json is None else stack.enter_context(json.lines())

        def show(head: str, finding: Finding) -> None:
            if write_line is not None:
                where = {"session": finding.session, "sender": finding.sender.value, "offset": finding.offset}
                write_line({**where, **finding.to_dict(passwords=passwords)})
            if json is None or not json.is_stdout:
                print(head + finding.text(passwords=passwords), flush=True)

        if target is None:
            _show_capture(Path(source), show)
        else:
            saved = None if save is None else stack.enter_context(Path(save).open("w", encoding="ascii"))
            asyncio.run(_stand_between(target, endpoint(listen, "--listen"), show, saved))


def _show_capture(path: Path, show: Show) -> None:
    from poker_actors.wire.opp import read_capture

    findings = list(read_capture(path.read_bytes()))
    several = any(finding.session > 1 for finding in findings)
    for finding in findings:
        show(f"{finding.session:>3} " if several else "", finding)


def _convert(path: Path, to: Path, *, force: bool) -> None:
    """Write the hands of a capture and report those left out.

    Raise `BadSpec` for a capture without a whole hand, or a target that is the capture or exists already.
    """
    from poker_actors.history import Writer
    from poker_actors.wire.opp.captures import CapturedHands, read_capture

    hands = CapturedHands()
    for finding in read_capture(path.read_bytes()):
        hands.hear(finding)
    if to.exists() and path.resolve() == to.resolve():
        raise BadSpec(f"--to {to} is the capture itself")
    try:
        writer = Writer(to, replace=force)
    except FileExistsError:
        raise BadSpec(f"{to} exists already: --force overwrites it") from None
    with writer:
        for history in hands.histories():
            writer.write(history)
        left_out = (
            f"{hands.unfinished} unfinished, {hands.damaged} damaged, "
            f"{hands.retold} as told to Games::Poker::OPP left out"
        )
        if not writer.count:
            raise BadSpec(f"{path} has no whole hand ({left_out})")
    for reason, times in hands.refused.most_common(_REASONS_SHOWN):
        note(f"{times} x {reason}")
    note(f"wrote {to}, {writer.count} hands as {writer.format.name} ({left_out})")


async def _stand_between(
    target: tuple[str, int], listen: tuple[str, int], show: Show, saved: TextIO | None
) -> None:
    from poker_actors.wire.opp.captures import Analyser, Proxy, capture_line

    began = time.monotonic()
    analysers: dict[tuple[int, Side], Analyser] = {}

    def heard(number: int, sender: Side, data: bytes) -> None:
        head = f"{time.monotonic() - began:9.3f} {number:>3} "
        analyser = analysers.setdefault((number, sender), Analyser(sender, number))
        for finding in analyser.feed(data) if data else analyser.finish():
            show(head, finding)
        if saved is not None and data:
            saved.write(capture_line(number, sender, data))
            saved.flush()  # the capture must be complete even if the proxy is killed

    proxy = Proxy(*target, heard)
    await proxy.start(*listen)
    note(f"clients may connect to {proxy.address[0]}:{proxy.address[1]}")
    try:
        await asyncio.Event().wait()  # never set: serve until interrupted
    finally:
        await proxy.close()
