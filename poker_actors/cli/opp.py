"""`poker-actors opp`: play on a server of the Online Poker Protocol, or read its sessions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TextIO

from cyclopts import Parameter

from poker_actors.atomic import read_whole
from poker_actors.cli.output import NO, console, many, note
from poker_actors.cli.reading import endpoint, read_password
from poker_actors.cli.values import (
    ADDRESS,
    BOT,
    FILE,
    PLACE,
    WRITTEN,
    BotSeed,
    Force,
    JsonOption,
    PasswordFile,
    User,
    to_be_printed,
)
from poker_actors.errors import BadHistory, BadSpec, printable

if TYPE_CHECKING:
    from poker_actors.wire.opp import Finding, Guest, OppClient, Side


def opp_client(
    server: str,
    *,
    user: User,
    password_file: PasswordFile = None,
    bot: Annotated[str | None, BOT] = None,
    hands: int | None = None,
    bot_seed: BotSeed = None,
    reconnect: float = 30.0,
    json: JsonOption = None,
) -> int | None:
    """Play limit hold'em on an OPP server: yourself at the terminal, or one of our bots.

    A user the server does not know gets an account. Messages beyond the protocol are ignored. The exit status
    is 1 for a wrong password, 3 for a server that does not answer.

    Args:
        server: HOST:PORT.
        bot: A bot, to play instead of you: NAME, NAME:key=value, FILE.py:FUNCTION or MODULE:FUNCTION.
        hands: How many hands to play, with a --bot; until the server closes if not given.
        reconnect: Seconds to retry a lost connection and take the seat again; 0 for never.
    """
    from poker_actors.bots import BotSpec
    from poker_actors.wire.opp import OppClient

    host, port = endpoint(server, "SERVER")
    if bot is None and (hands is not None or bot_seed is not None or json is not None):
        raise BadSpec("--hands, --bot-seed and --json need --bot")
    if hands is not None and hands < 1:
        raise BadSpec(f"--hands {hands} is below the minimum of 1")
    if bot is not None:
        BotSpec.parse(bot)
    if not 0 <= reconnect <= 86_400:
        raise BadSpec(f"--reconnect {reconnect} must be 0 to 86400 seconds")
    with OppClient(host, port, user, read_password(password_file), reconnect=reconnect) as client:
        if not client.joingame():
            note(f"wrong password for {user}")
            return NO
        if bot is None:
            _play_oneself(client)
        else:
            _play_bot(client, bot, hands, bot_seed, json)
    return None


def _play_oneself(client: OppClient) -> None:
    from poker_actors.wire.opp import TerminalSeat

    TerminalSeat(_read_line, _write_line).play(client)
    _write_line("the session is over")


def _read_line(prompt: str) -> str | None:
    """Prompt for a line; return None at the end of input."""
    try:
        return input(prompt)
    except EOFError:
        return None


def _write_line(text: str) -> None:
    print(text, flush=True)


def _play_bot(client: OppClient, bot: str, hands: int | None, seed: int | None, json: JsonOption) -> None:
    from poker_actors.actors import Room, StepRuntime
    from poker_actors.wire.opp import Guest

    with Room(StepRuntime(), seed=seed) as room:
        if seed is None:
            note(f"seed {room.seed}")
        guest = Guest(room.player(client.user, bot), client)
        try:
            guest.play(hands)
        finally:
            _report(guest, json)


def _report(guest: Guest, json: JsonOption) -> None:
    state = guest.client.state
    name = guest.player.name
    there = state is not None and name in state.players
    result = {
        "user": name,
        "hands": guest.hands,
        "bankroll": state.bankroll(name) if state is not None and there else None,
        "bankrolls": {} if state is None else {player: state.bankroll(player) for player in state.players},
        "misunderstood": guest.misunderstood,
        "passed_over": guest.client.oddities,
        "reconnected": guest.client.returns,
        "faults": guest.player.faults.total,
    }
    if to_be_printed(json, result):
        out = console()
        if state is not None:
            out.print(printable(state.status()), end="")
        out.print(
            f"{name}: {many(guest.hands, 'hand')}, bankroll {result['bankroll']}, "
            f"{many(guest.player.faults.total, 'fault')} of the bot, {many(guest.misunderstood, 'turn')} misunderstood"
        )
        for reason, count in guest.client.oddities.items():
            out.print(f"passed over {many(count, 'time')}: {printable(reason)}")


Show = Callable[[str, "Finding"], None]
_REASONS_SHOWN = 5
"""The most reasons for damaged hands that are listed: a broken capture can have one per message."""


def opp_dump(
    source: Annotated[str, PLACE],
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
    """Show OPP sessions message by message, captured or live, or turn a capture into hand histories.

    Args:
        source: A capture (packets of tcpdump -w or Wireshark, lines of hex after > for the client and < for the
            server, or one side's raw bytes), or HOST:PORT of a server to proxy.
        listen: Where the proxy's clients connect; a free port if not given.
        save: Save all traffic, of every connection, as a capture.
        histories: Write the hands of a capture to this file instead of showing it: its name ends in .phhs,
            .jsonl or another format of `poker-actors convert`.
        passwords: Show passwords, which are *** otherwise.
    """
    target = None if Path(source).exists() or ":" not in source else endpoint(source, "SOURCE")
    if target is None and save is not None:
        raise BadSpec("--save is for a proxied session; a capture is a file already")
    if histories is not None:
        if target is not None:
            raise BadSpec("--histories needs a capture: record one with --save, then convert it")
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

    findings = list(read_capture(read_whole(path)))
    several = any(finding.session > 1 for finding in findings)
    for finding in findings:
        show(f"{finding.session:>3} " if several else "", finding)


def _convert(path: Path, to: Path, *, force: bool) -> None:
    """Write the hands of a capture and report those left out.

    Raise `BadSpec` for a capture without a whole hand, or a target that is the capture or already exists.
    """
    from poker_actors.history import Writer
    from poker_actors.wire.opp.captures import CapturedHands, read_capture

    hands = CapturedHands()
    for finding in read_capture(read_whole(path)):
        hands.hear(finding)
    if to.exists() and path.samefile(to):
        raise BadSpec(f"--to {to} is the capture itself")
    try:
        writer = Writer(to, replace=force)
    except FileExistsError:
        raise BadSpec(f"{to} already exists: --force overwrites it") from None
    with writer:
        for history in hands.histories():
            try:
                text = writer.format.text(history, writer.count)
            except BadHistory as error:
                hands.leave_out(f"{writer.format.name}: {error}")
            else:
                writer.write_text(text)
        left_out = (
            f"{hands.unfinished} unfinished, {hands.damaged} damaged, "
            f"{hands.retold} as told to Games::Poker::OPP left out"
        )
        if not writer.count:
            raise BadSpec(f"{path} has no complete hand ({left_out})")
    for reason, times in hands.refused.most_common(_REASONS_SHOWN):
        note(f"{times} x {reason}")
    note(f"wrote {to}, {many(writer.count, 'hand')} as {writer.format.name} ({left_out})")


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
