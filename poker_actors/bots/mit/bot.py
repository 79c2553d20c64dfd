"""An entrant of MIT Pokerbots as a bot: its folder is built and started, and it is asked over a socket."""

from __future__ import annotations

import fcntl
import os
import re
import select
import shutil
import socket
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import IO, Annotated, Final

import attrs

from poker_actors.bots.cage import Cage
from poker_actors.bots.deciding import OutsideBot
from poker_actors.bots.faults import BotFault, FaultLimits, fallback
from poker_actors.bots.mit.clauses import CHANCES, ROUNDS, YEARS, Clauses, Round, Year, read_answer
from poker_actors.bots.program import Program, Started, bare_environment, run
from poker_actors.bots.registry import Within
from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json
from poker_actors.rules import Action, Fold, Hand, Stakes, View

_BUILD_SECONDS: Final = 10.0
"""The limit of the engines."""
_CONNECT_SECONDS: Final = 10.0
_LOG_KEPT: Final = 512 << 10
"""The most bytes kept of what a bot prints, in its build and run together; the rest is read and dropped."""
_LONGEST: Final = 4096
"""Bytes of an answer, which takes ten."""
_READ: Final = 65536
_ADDRESSES: Final = 1 << 40
"""Bytes of address space: practically no limit, since Java reserves more than it uses; a cage limits the memory in
use."""
_MATCH_SECONDS: Final = 3600
"""Seconds of processor time of each process: sixty times the longest clock."""
_MANY: Final = 1 << 60
"""No limit of faults: with its engines, illegal and misformatted answers cost only the action."""


class MitBot(OutsideBot):
    """An entrant of MIT Pokerbots, from its folder; see docs/bots.md.

    `year` is that of its engine, by default the year of its skeleton; `clock` is its time for the match in seconds, by
    default the year's. With `cage`, `memory` (megabytes), `processes` and `tmp` are as for a program. `log` is a file
    for what it printed. Its build may take `build_seconds`, and is skipped with `built`; with `holdem`, it plays
    hold'em against bots of its own year, too. Raises `BadSpec` for an unknown year, and for a folder that is not an
    entrant's.
    """

    tells_ends = True

    def __init__(  # noqa: PLR0913  each is a setting that users name
        self,
        *,
        folder: str,
        year: str = "",
        clock: Annotated[float, Within(0, 1e7)] = 0.0,
        log: str = "",
        cage: bool = False,
        memory: Annotated[int, Within(16, 1 << 24)] = 2048,
        processes: Annotated[int, Within(1, 10_000)] = 64,
        tmp: Annotated[int, Within(1, 1 << 20)] = 64,
        built: bool = False,
        build_seconds: Annotated[float, Within(0.01, 3600)] = _BUILD_SECONDS,
        holdem: bool = False,
    ) -> None:
        self._folder = Path(folder).absolute()
        self._build, self._run = _commands_of(self._folder, built=built, cage=cage)
        self._year = _year(self._folder, year)[1]
        self._clock = clock or self._year.clock
        # a clock at zero, a closed connection: it is asked no more, and checks or folds to the end
        self.limits = FaultLimits(faults=_MANY, stops=1, seconds=self._clock)
        super().__init__()
        self._log = log
        self._build_seconds = build_seconds
        self._cage = (
            Cage(folder=self._folder, memory=memory << 20, processes=processes, tmp=tmp << 20)
            if cage
            else None
        )
        self._started: Started | None = None
        self._socket: socket.socket | None = None
        self._round: Round | None = None
        self._number: int | None = None
        self.printed: bytes = b""
        """what it has printed so far, at most 512 kB"""

    # -- start and end ----------------------------------------------------------------------------

    def _program(self, words: tuple[str, ...], *, writable: bool = False) -> Program:
        cage = None if self._cage is None else attrs.evolve(self._cage, writable=writable)
        return Program(
            words=words,
            memory=_ADDRESSES,
            cpu_seconds=_MATCH_SECONDS,
            environment=bare_environment(),
            folder=self._folder,
            cage=cage,
        )

    def open(self) -> None:
        """Build the bot, start it and wait until it connects; raises `BadSpec` if it does not."""
        self.printed = b""
        if self._build:
            self._built()
        started = self._started = Started(self._program(self._run), listen=True, joined=True)
        listener = started.listener
        assert listener is not None, "it was asked to listen"
        with listener:
            end = monotonic() + _CONNECT_SECONDS
            while (left := end - monotonic()) > 0:
                ready = select.select([listener.fileno(), *_pipe(started)], (), (), left)[0]
                if listener.fileno() in ready:
                    self._socket = listener.accept()[0]
                    self._rest()
                    return
                self._take_printed(started)
                if started.process.poll() is not None:
                    break
        words = self.printed.decode("utf-8", "replace").strip().rpartition("\n")[2]
        self.close()
        raise BadSpec(f"bot mit:{self._folder} does not connect{f': {words}' if words else ''}")

    def _built(self) -> None:
        with (self._folder / "commands.json").open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # another worker may be building in the same folder
            ran = run(
                self._program(self._build, writable=True), seconds=self._build_seconds, output=_LOG_KEPT
            )
        self.printed += ran.output
        if ran.status is None:
            raise BadSpec(f"bot mit:{self._folder}: its build takes more than {self._build_seconds:g} s")

    def close(self) -> None:
        """Tell the bot that the match is over, wait for its end, and write its log."""
        started, self._started = self._started, None
        if started is None:
            return
        if started.watch is not None:
            started.watch.go_on()
        if self._socket is not None:
            with suppress(OSError):
                self._socket.sendall(b"Q\n")
            self._socket.close()
            self._socket = None
            end = monotonic() + _CONNECT_SECONDS
            while (left := end - monotonic()) > 0 and _pipe(started):
                select.select(_pipe(started), (), (), left)
                if not self._take_printed(started):
                    break
        started.end()
        if self._log:
            Path(self._log).write_bytes(self.printed)

    # -- what it prints ---------------------------------------------------------------------------

    def _take_printed(self, started: Started) -> bool:
        """Read some of what it has printed, without waiting; return whether there may be more.

        Reading all of it would let a bot that prints without end hold up the caller beyond its clock.
        """
        for pipe in _pipe(started):
            if select.select([pipe], (), (), 0)[0]:
                read = os.read(pipe, _READ)
                if not read:
                    return False
                self.printed += read[: _LOG_KEPT - len(self.printed)]
        return True

    # -- a round ----------------------------------------------------------------------------------

    @classmethod
    def stack_of(cls, values: Mapping[str, object]) -> int | None:
        """Return the chips that its skeleton begins a round with, else those of its year."""
        folder = Path(str(values["folder"]))
        return constants_of(folder).get("STARTING_STACK", _year(folder, str(values.get("year", "")))[1].stack)

    @classmethod
    def rounds_of(cls, values: Mapping[str, object]) -> str:
        """Return the bot's year if that has its own kind of rounds; empty otherwise, or if it plays `holdem`."""
        folder, given = Path(str(values["folder"])), str(values.get("year", ""))
        year, known = _year(folder, given)
        told = given or year != OTHERS_YEAR or constants_of(folder)
        return year if known.rounds or (year in CHANCES and told and not values.get("holdem")) else ""

    @classmethod
    def check_seat(
        cls, values: Mapping[str, object], game: str, stakes: Stakes, stacks: Sequence[int]
    ) -> None:
        """Raise `BadSpec` unless two play the game of its year, with its skeleton's blinds and stacks, without antes.

        The bot has these built in and hears of no others. A bot without a skeleton takes those of the match.
        """
        folder = Path(str(values["folder"]))
        known = constants_of(folder)
        wanted = Stakes(
            known.get("SMALL_BLIND", stakes.small_blind), known.get("BIG_BLIND", stakes.big_blind)
        )
        stack = known.get("STARTING_STACK", stacks[0])
        year, rules = _year(folder, str(values.get("year", "")))
        if rules.rounds and game != f"mit-{year}":
            raise BadSpec(f"bot mit:{folder} plays only mit: bots of its year, {year}: {rules.rounds}")
        wanted_game = f"mit-{year}" if cls.rounds_of(values) and game == f"mit-{year}" else "holdem"
        if game != wanted_game or tuple(stacks) != (stack, stack) or stakes != wanted:
            raise BadSpec(
                f"bot mit:{folder} plays {wanted_game} {wanted} between two, with {stack} chips each: this is {game} {stakes} "
                f"with {','.join(map(str, stacks))}"
            )

    def __call__(self, view: View) -> Action:
        """Ask the bot for an action; raises `BotFault`."""
        if self.account.ejected is not None:  # at the end of a round, when nobody asked for an action
            return fallback(view)
        if self._year.rounds:
            raise BotFault("died", f"it does not play hold'em: {self._year.rounds}")
        heard = self._heard(view, view.hand_number)
        heard.hear(view.actions, view.board, view.street)
        return read_answer(self.asked(heard), self._year, to_call=view.to_call, opening=view.legal.opening)

    def hand_ended(self, number: int, hand: Hand, seat: int) -> None:
        """Tell the bot how a round ended, and take its answer, which counts like any other.

        As in its engine, both players show at a showdown, and two players all in are asked to check on every street
        left.
        """
        if self.account.ejected is not None:
            return
        view = hand.view(seat)
        heard = self._heard(view, number)
        taken = view.actions
        heard.hear(taken, view.board, taken[-1].street)
        folded = taken[-1].action == Fold()
        try:
            for street in () if folded else heard.run_out(view.board):
                heard.checks(street, view.board, before=True)
                self._acknowledged(heard)
                heard.checks(street, view.board, before=False)
            heard.end(() if folded else hand.holes[1 - seat], hand.payoffs[seat])
            self._acknowledged(heard)
        except BotFault as fault:
            self.account.at(number).has_raised(view, fault)
        self._round = None

    def _acknowledged(self, heard: Round) -> None:
        """Ask where only a check is allowed; any other answer is a fault and counts as a check."""
        answer = self.asked(heard)
        if answer != "K":
            read_answer(answer, self._year)
            raise BotFault("illegal", f"attempted illegal {answer[:40]!r} where only a check is legal")

    def _heard(self, view: View, number: int | None) -> Round:
        if self._round is None:
            self._number = number
            self._round = Round(self._year, (view.seat - view.button) % 2, view.hole)
        elif self._number != number:
            raise BotFault(
                "died", "it was not told how its last round ended: bots of mit: play only in matches"
            )
        return self._round

    def asked(self, told: Clauses) -> str:
        """Send the next message and return the answer, by its clock; raises `BotFault`."""
        self.account.check_budget()
        used, before = self.account.used, self.account.before
        spent = used.seconds + (0.0 if before is None else before.used.seconds)
        start = monotonic()
        try:
            return self._exchanged(told.message(self._clock - spent), start + self._clock - spent)
        finally:
            used.calls += 1
            used.seconds += monotonic() - start
            self._rest()

    def _exchanged(self, message: str, deadline: float) -> str:
        connection, started = self._socket, self._started
        assert connection is not None, "it was opened"
        assert started is not None, "with its process"
        if started.watch is not None:
            started.watch.go_on()
        answer = b""
        try:
            connection.settimeout(max(0.001, deadline - monotonic()))
            connection.sendall(message.encode("ascii"))
            while not answer.endswith(b"\n"):
                left = deadline - monotonic()
                if left <= 0:
                    raise BotFault("late", "ran out of time")
                ready = select.select([connection.fileno(), *_pipe(started)], (), (), left)[0]
                if connection.fileno() in ready:
                    read = connection.recv(_LONGEST)
                    if not read:
                        raise BotFault("died", "disconnected")
                    answer += read
                elif not self._take_printed(started):
                    _printed(started).close()  # it prints nothing more, and may still play
                if len(answer) > _LONGEST:
                    raise BotFault("flooded", f"wrote more than {_LONGEST} bytes without an end of line")
        except TimeoutError:
            raise BotFault("late", "ran out of time") from None
        except OSError as error:
            raise BotFault("died", "disconnected") from error
        return answer.decode("utf-8", "replace").partition("\n")[0].strip()

    def _rest(self) -> None:
        if self._started is not None and self._started.watch is not None:
            self._started.watch.stop()


def _printed(started: Started) -> IO[bytes]:
    stdout = started.process.stdout
    assert stdout is not None, "what it prints was asked for"
    return stdout


def _pipe(started: Started) -> list[int]:
    """Return the file of what it prints, nothing once it is closed."""
    return [] if _printed(started).closed else [_printed(started).fileno()]


def _year(folder: Path, given: str) -> tuple[str, Year]:
    """Return the year `given`, or else the skeleton's, with its definition; raises `BadSpec` for an unknown year."""
    year = given or year_of(folder)
    known = YEARS.get(year) or ROUNDS.get(year)
    if known is None:
        there = ", ".join(sorted([*YEARS, *ROUNDS]))
        raise BadSpec(
            f"bot mit:{str(folder)[:60]}: its year, {year[:10]}, is not played here (choose from {there})"
        )
    return year, known


def _commands_of(folder: Path, *, built: bool, cage: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the commands to build (none if `built`) and to run the entrant; raises `BadSpec`, naming the folder."""
    try:
        commands = read_commands(folder)
        if commands.protocol != "mit":
            raise BadSpec(f"its protocol is {commands.protocol}: write it as cmd:COMMAND")
        build = () if built else found_program(folder, commands.build, our_python=cage)
        return build, found_program(folder, commands.run, our_python=cage)
    except BadSpec as error:
        raise BadSpec(f"bot mit:{folder}: {error}") from error


COMMANDS: Final = "commands.json"
"""The file that says how to build and run an entrant."""
PROTOCOLS: Final = ("mit", "lines")
"""Protocols: clauses over a socket (the default), or lines of JSON."""
_PYTHONS: Final = re.compile(r"python(3(\.\d+)?)?")
_SOURCES: Final = (".py", ".java", ".h", ".hpp", ".cpp")
_MARKS: Final = {
    "2021": re.compile(rb"(?i)assign"),
    "2022": re.compile(rb"'U'"),
    "2024": re.compile(rb"BidAction|\bBID"),
    "2025": re.compile(rb"(?i)bount"),
    "2026": re.compile(rb"(?i)discard"),
}
"""Words in a year's skeletons of every language, and in no other year's."""
OTHERS_YEAR: Final = "2023"
"""The year of bots without a skeleton, or with one that has no such words."""
_CONSTANT: Final = re.compile(rb"(STARTING_STACK|BIG_BLIND|SMALL_BLIND)\s*=\s*([0-9]{1,9})\b")
_LONGEST_FILE: Final = 65536
"""The most bytes read of a file: commands.json holds two short lists of words."""


@attrs.frozen
class Commands:
    """The contents of commands.json: the words that build an entrant, if any, those that run it, and its protocol."""

    build: tuple[str, ...]
    run: tuple[str, ...]
    protocol: str = PROTOCOLS[0]


def read_commands(folder: Path) -> Commands:
    """Read commands.json of `folder`; raises `BadSpec` unless it holds both commands and a known protocol.

    A link is refused: an entrant's build could link to a file of this machine and read it in the error.
    """
    try:
        with os.fdopen(os.open(folder / COMMANDS, os.O_RDONLY | os.O_NOFOLLOW), "rb") as file:
            value = parse_json(file.read(_LONGEST_FILE))
    except OSError as error:
        raise BadSpec(f"{COMMANDS} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise BadSpec(f"{COMMANDS} is not JSON of at most {_LONGEST_FILE:,} bytes") from error
    given = value if isinstance(value, dict) else {}
    for name in ("build", "run"):
        words = given.get(name)
        if not isinstance(words, list) or not all(
            isinstance(word, str) and "\0" not in word for word in words
        ):
            raise BadSpec(f"{COMMANDS} has no list of words for {name!r}")
    if not given["run"]:
        raise BadSpec(f"{COMMANDS} has an empty command to run")
    protocol = given.get("protocol", PROTOCOLS[0])
    if protocol not in PROTOCOLS:
        raise BadSpec(f"{COMMANDS}: protocol {protocol!r:.40} must be one of {', '.join(PROTOCOLS)}")
    return Commands(tuple(given["build"]), tuple(given["run"]), protocol)


def found_program(folder: Path, words: Sequence[str], *, our_python: bool) -> tuple[str, ...]:
    """Return a command with its program's whole path, in its `folder` (perhaps still to be built) or on the PATH.

    With `our_python`, `python` and `python3` are the one that runs us: a cage does not show one in a home, such as
    pyenv's. Raises `BadSpec` for a program that is not found.
    """
    if not words:
        return ()
    if our_python and _PYTHONS.fullmatch(words[0]):
        return (sys.executable, *words[1:])
    if "/" in words[0]:
        return (str(folder / words[0]), *words[1:])
    program = shutil.which(words[0])
    if program is None:
        raise BadSpec(f"{words[0][:60]} is not on the PATH")
    return (program, *words[1:])


def year_of(folder: Path) -> str:
    """Return the year of the skeleton in `folder`, known by words that only that year's files have.

    A bot without any of them speaks the protocol that all years share, that of 2023.
    """
    for text in _skeleton(folder):
        for year, mark in _MARKS.items():
            if mark.search(text):
                return year
    return OTHERS_YEAR


def constants_of(folder: Path) -> dict[str, int]:
    """Return those of `STARTING_STACK`, `BIG_BLIND` and `SMALL_BLIND` that the skeleton in `folder` has."""
    return {
        name.decode(): int(number) for text in _skeleton(folder) for name, number in _CONSTANT.findall(text)
    }


def _skeleton(folder: Path) -> Iterator[bytes]:
    """Yield the text of each source of the skeleton in `folder`."""
    for path in sorted(folder.glob("**/skeleton/**/*")):
        if path.suffix in _SOURCES and path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                yield file.read(_LONGEST_FILE)
