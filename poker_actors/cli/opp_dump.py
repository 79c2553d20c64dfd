"""`poker-actors opp-dump`: an OPP session in words, from a capture or through a proxy."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from poker_actors.cli.endpoint import endpoint
from poker_actors.cli.json_target import JsonOption
from poker_actors.cli.output import note
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.wire.opp import Finding, Side

__all__ = ["opp_dump"]

Show = Callable[[str, "Finding"], None]


def opp_dump(
    source: str,
    *,
    listen: str = "127.0.0.1:0",
    save: str | None = None,
    passwords: bool = False,
    json: JsonOption = None,
) -> None:
    """Show an OPP session message by message: a captured one, or one that passes through.

    Args:
        source: A capture (one side's raw bytes, or lines of hex after > for the client and < for the
            server), or HOST:PORT of a server to stand in front of.
        listen: HOST:PORT where clients of the proxy connect; a free port unless given.
        save: Keep what passes through as a capture.
        passwords: Show passwords, which are *** otherwise.
        json: Write one JSON value a message.
    """
    target = None if Path(source).exists() or ":" not in source else endpoint(source, "SOURCE")
    if target is None and save is not None:
        raise BadSpec("--save is for a proxied session: a capture is a file already")
    with ExitStack() as stack:
        write_line = None if json is None else stack.enter_context(json.lines())

        def show(head: str, finding: Finding) -> None:
            if write_line is not None:
                where = {"sender": finding.sender.value, "offset": finding.offset}
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

    for finding in read_capture(path.read_bytes()):
        show("", finding)


async def _stand_between(
    target: tuple[str, int], listen: tuple[str, int], show: Show, saved: TextIO | None
) -> None:
    from poker_actors.wire.opp import Analyser, Proxy, Side

    began = time.monotonic()
    analysers: dict[tuple[int, Side], Analyser] = {}

    def heard(number: int, sender: Side, data: bytes) -> None:
        head = f"{time.monotonic() - began:9.3f} {number:>3} "
        analyser = analysers.setdefault((number, sender), Analyser(sender))
        for finding in analyser.feed(data) if data else analyser.finish():
            show(head, finding)
        if saved is not None and data:
            # a capture has one session: the first
            mark = ">" if sender is Side.CLIENT else "<"
            if number == 1:
                saved.write(f"{mark} {data.hex()}\n")
                saved.flush()

    proxy = Proxy(*target, heard)
    await proxy.start(*listen)
    note(f"clients may connect to {proxy.address[0]}:{proxy.address[1]}")
    try:
        await asyncio.Event().wait()
    finally:
        await proxy.close()
