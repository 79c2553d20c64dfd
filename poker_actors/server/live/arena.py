"""An arena beside the room: its runs and the checks of uploads as processes, its pages and logs as files.

No code of an entrant runs in the server's process. A process that dies loses its current work and is started again.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal, Protocol

import attrs

from poker_actors.arena import Arena
from poker_actors.errors import BadSpec, PokerError, TableRefusal
from poker_actors.guard import Quota
from poker_actors.jsontext import parse_json
from poker_actors.server.contract import answers
from poker_actors.server.live.seated import SeatedEntrants, Seating
from poker_actors.server.users import is_of_house, look_alikes

_log: Final = logging.getLogger("poker_actors.server")

_MOST_ENTRANTS: Final = 200
"""As many as an arena takes."""
_UNPACKING_SECONDS: Final = 60.0
"""Seconds for a process to start and read an archive, which takes one second, or ten on a loaded machine."""
_PLAYING_SECONDS: Final = 120.0
"""Seconds for the rest of a check, besides its build and its decisions."""
_AGAIN_SECONDS: Final = (1.0, 5.0, 30.0, 60.0)
"""Seconds until a failed run is started again; the last number also serves for all later failures."""
_LINE: Final = 1 << 20
"""The longest line of a process of ours."""
_PAGES: Final = re.compile(r"(index|entrant-[\w-]+|match-[0-9a-f]+|hands-[0-9a-f]+)\.(html|phhs)|arena\.css")

_NOTHING: Final = "its files are not here; perhaps the server stopped during its check: hand it in again"

Stage = Literal["checking", "taken", "refused", "failed"]


class HandingIn(Seating, Protocol):
    """The limits of uploads, and of entrants at tables."""

    @property
    def upload_bytes(self) -> int:
        """The most bytes of one upload."""

    @property
    def uploads(self) -> int:
        """How many uploads may be checked at a time."""

    @property
    def uploads_per_hour(self) -> int:
        """How many uploads one user may make in an hour."""

    @property
    def entrants_per_user(self) -> int:
        """How many entrants one user may have at a time."""


@attrs.define(eq=False)
class Upload:
    """The state of an entrant's last upload since the server started."""

    name: str
    stage: Stage = "checking"
    version: str = ""
    code: str = ""
    """code of the refusal"""
    text: str = ""
    """why it was refused, or what its author should know"""
    seconds: float | None = None
    """seconds for a decision, on average over the check"""
    output: str = ""
    """the last part of its build's output"""
    over: asyncio.Event = attrs.field(factory=asyncio.Event)

    def plain(self) -> answers.Checked:
        """Return the state as its author sees it."""
        return {
            "stage": self.stage,
            "version": self.version,
            "code": self.code,
            "text": self.text,
            "seconds": self.seconds,
            "output": self.output,
        }


class LiveArena:
    """The arena of `folder`, played by `workers` processes while the server serves.

    Raises `BadSpec` for an invalid folder or arena.toml, and `MissingFeature` if this machine cannot make its cages.
    `await start()` and `await close()`.
    """

    def __init__(self, folder: Path, workers: int, limits: HandingIn) -> None:
        self.arena: Final = Arena(folder, workers, served=True)
        self.arena.check_cages()  # now, and not when the first entrant waits for one
        self.limits: Final = limits
        self.quota: Final = Quota("uploads of one user", limits.uploads_per_hour)
        self.seats: Final = SeatedEntrants(self.arena, lambda: self.board, limits)
        self.done, self.steps = 0, 0
        self.running = False
        self.problem = ""
        """why the last run has failed; empty if it has not"""
        self._uploads: dict[str, Upload] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._wanted = asyncio.Event()
        self._leaving: set[str] = set()
        """withdrawn since the last run began: a board may still come out that has them"""
        self._board: tuple[str, dict[str, Any]] | None = None
        """its tag, and what it says"""

    # -- start and end -----------------------------------------------------------------------

    async def start(self) -> None:
        """Clean up after a crash, and begin to play."""
        await asyncio.to_thread(self._clear_up)
        self._wanted.set()
        self._begin(self._play())

    def _clear_up(self) -> None:
        self.arena.kept.mkdir(mode=0o700, exist_ok=True)
        shutil.rmtree(self._staging, ignore_errors=True)
        if self._replaced.is_dir():
            for old in self._replaced.iterdir():
                if not (self.arena.folder / old.name).exists():
                    old.rename(self.arena.folder / old.name)  # it ended between the two moves of `_put`
        shutil.rmtree(self._replaced, ignore_errors=True)

    @property
    def _staging(self) -> Path:
        return self.arena.kept / "uploads"

    @property
    def _replaced(self) -> Path:
        return self.arena.kept / "replaced"

    async def close(self) -> None:
        """End all processes; work under way is redone after the next start."""
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self.seats.close)

    def _begin(self, work: Any) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _process(self, *words: str, log: Path) -> asyncio.subprocess.Process:
        with log.open("wb") as errors:  # to a file: what nobody reads would fill a pipe
            return await asyncio.create_subprocess_exec(
                *self.arena.work(*words),
                stdin=asyncio.subprocess.PIPE,  # held open: the process ends with it
                stdout=asyncio.subprocess.PIPE,
                stderr=errors,
                limit=_LINE,
            )

    async def _ended(self, process: asyncio.subprocess.Process) -> None:
        """End a process, if it has not ended."""
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        assert process.stdin is not None
        process.stdin.close()
        with suppress(OSError):
            await process.stdin.wait_closed()

    # -- runs --------------------------------------------------------------------------------

    async def _play(self) -> None:
        """Run the arena whenever something has changed, and retry after a failure."""
        failures = 0
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            leaving, self.running = set(self._leaving), True
            try:
                self.problem = await self._run()
            except OSError as error:
                self.problem = f"it cannot be started: {error.strerror}"
            except ValueError as error:
                self.problem = f"its process sent an invalid report: {error}"
            finally:
                self.running = False
            if not self.problem:
                failures = 0
                self._leaving -= leaving
                continue
            _log.warning("the arena is started again: %s", self.problem)
            self._wanted.set()
            await asyncio.sleep(_AGAIN_SECONDS[min(failures, len(_AGAIN_SECONDS) - 1)])
            failures += 1

    async def _run(self) -> str:
        """Have a process play the missing matches; return what went wrong, or an empty text."""
        log = self.arena.kept / "run.log"
        process = await self._process("run", str(self.arena.folder), str(self.arena.workers), log=log)
        said: dict[str, Any] = {}
        self.done = self.steps = 0
        try:
            assert process.stdout is not None
            while line := await process.stdout.readline():
                said = parse_json(line)
                self.done, self.steps = said.get("done", self.done), said.get("of", self.steps)
            status = await process.wait()
        finally:
            await self._ended(process)
        if status == 0:
            return ""
        return str(said.get("text") or f"its process ended with status {status}: see {log}")

    # -- uploads -----------------------------------------------------------------------------

    def upload_of(self, name: str) -> Upload | None:
        """Return the last upload of an entrant since the server was started."""
        upload = self._uploads.get(name)
        if upload is None and not (self.arena.folder / name).is_dir():
            upload = Upload(name, "failed", text=_NOTHING)
            upload.over.set()
        return upload

    def check_name(self, name: str, *, owned: bool, others: list[str]) -> None:
        """Raise `BadSpec` or `TableRefusal` (`name_taken`, `too_many`) unless an entrant can have this name.

        `owned` says that it is the user's already; `others` are all names in use.
        """
        if not Arena.is_name(name) or name == "__pycache__":
            text = f"{name[:60]!r} is not an entrant's name: it must be 1 to 40 letters, digits, blanks and . _ + -"
            raise BadSpec(text, code="upload_name")
        if owned:
            return
        if is_of_house(name):
            raise TableRefusal(f"{name} is a house bot's name, or looks like one", code="name_taken")
        # files, too: an upload takes the place of what has its name, and arena.toml or a game's file is the operator's
        there = {path.name for path in self.arena.folder.iterdir()}
        # withdrawn, but still on the board: logs of its matches are for its authors only
        board = self.board
        shown = {row["name"] for rows in ("standings", "refused") for row in board.get(rows, ())}
        taken = {*there, *others, *self.arena.settings.house, *shown, *self._leaving}
        if any(not look_alikes(name).isdisjoint(look_alikes(one)) for one in taken):
            raise TableRefusal(f"an entrant is already called {name}, or looks like it", code="name_taken")
        if len(taken - shown - self._leaving) >= _MOST_ENTRANTS:
            raise TableRefusal(f"there are {_MOST_ENTRANTS} entrants, the most allowed", code="too_many")

    @property
    def _checking(self) -> set[str]:
        return {one.name for one in self._uploads.values() if one.stage == "checking"}

    def check_idle(self, names: Iterable[str]) -> None:
        """Raise `TableRefusal` (`upload_running`) while an upload of one of these is being checked."""
        for name in self._checking.intersection(names):
            raise TableRefusal(
                f"an upload of {name} is being checked: wait for it to end", code="upload_running"
            )

    def check_room(self, names: Iterable[str]) -> None:
        """Raise `TableRefusal` (`too_many`, `upload_running`) unless an upload can be checked now.

        `names` are all of its user's entrants: one upload at a time, so that nobody takes all places.
        """
        self.check_idle(names)
        checking = self._checking
        if len(checking) >= self.limits.uploads:
            text = f"{len(checking)} uploads are being checked, the most at a time: try again"
            raise TableRefusal(text, code="too_many")

    async def hand_in(self, name: str, body: bytes) -> Upload:
        """Unpack an upload and begin its check.

        Raises `BadSpec` with a code that begins with `upload_` if it cannot be unpacked.
        """
        self.check_room([name])
        before = self._uploads.get(name)
        upload = self._uploads[name] = Upload(name)
        place = self._staging / secrets.token_hex(8)
        process = None
        try:
            await asyncio.to_thread(_store, place / "upload", body)
            process = await self._process(
                "check", str(self.arena.folder), name, str(place / "upload"), log=place / "log"
            )
            said = await self._heard(process, _UNPACKING_SECONDS)
            if "version" not in said:
                raise BadSpec(
                    str(said.get("text", "the upload cannot be read")),
                    code=str(said.get("code", "upload_unreadable")),
                )
        except BaseException as error:
            upload.stage, upload.text = "refused", str(error)
            upload.code = error.code if isinstance(error, PokerError) else ""
            upload.over.set()
            if before is None and not (self.arena.folder / name).is_dir():
                del self._uploads[name]  # its sender was told, and has no entrant to ask for
            if process is not None:
                await self._ended(process)
            await asyncio.to_thread(shutil.rmtree, place, True)
            raise
        upload.version = said["version"]
        self._begin(self._checked(upload, process, place))
        return upload

    async def _heard(self, process: asyncio.subprocess.Process, seconds: float) -> dict[str, Any]:
        """Return the next message of a process; raises `BadSpec` if it ends or takes too long."""
        assert process.stdout is not None
        try:
            line = await asyncio.wait_for(process.stdout.readline(), seconds)
        except TimeoutError:
            raise BadSpec(f"the upload takes more than {seconds:g} s", code="upload_too_slow") from None
        if not line:
            raise BadSpec("the process that read the upload has ended", code="upload_unreadable")
        said: dict[str, Any] = parse_json(line)
        return said

    async def _checked(self, upload: Upload, process: asyncio.subprocess.Process, place: Path) -> None:
        """Wait for the end of a check; an entrant that passes replaces its last version."""
        limits = self.arena.settings.limits
        seconds = limits.build_seconds + 2 * limits.match_seconds + _PLAYING_SECONDS
        try:
            said = await self._heard(process, seconds)
            if "code" in said:  # no fault of the entrant's
                upload.stage, upload.code, upload.text = "failed", said["code"], said["text"]
                return
            upload.seconds, upload.output = said["seconds"], said["output"]
            upload.code, upload.text = said["refused_code"], said["refused"] or said["remark"]
            if said["refused"]:
                upload.stage = "refused"
                return
            await asyncio.to_thread(self._put, upload.name, place / "files")
            upload.stage = "taken"  # not before: a request in the meantime would read that it was refused
            self._wanted.set()
        except (ValueError, PokerError, OSError) as error:
            upload.stage, upload.text = "failed", str(error)
        finally:
            await self._ended(process)
            await asyncio.to_thread(shutil.rmtree, place, True)
            upload.over.set()

    def _put(self, name: str, files: Path) -> None:
        """Replace an entrant's files; after a crash half-way, the next start restores the old ones."""
        target, old = self.arena.folder / name, self._replaced / name
        self._replaced.mkdir(mode=0o700, exist_ok=True)
        shutil.rmtree(old, ignore_errors=True)
        if target.exists():
            target.rename(old)
        files.rename(target)
        shutil.rmtree(old, ignore_errors=True)

    def withdraw(self, name: str) -> None:
        """Remove an entrant; its matches leave the board with the next run. Raises `TableRefusal` (`upload_running`)."""
        self.check_idle([name])
        assert Arena.is_name(name)
        self._uploads.pop(name, None)
        self._leaving.add(name)
        gone = self._staging / secrets.token_hex(8)
        gone.mkdir(mode=0o700, parents=True)
        for number, place in enumerate((self.arena.folder, self.arena.kept / "entrants")):
            with suppress(FileNotFoundError):
                (place / name).rename(gone / str(number))
        self._begin(asyncio.to_thread(shutil.rmtree, gone, True))
        self._wanted.set()

    # -- what is there to see ----------------------------------------------------------------

    @property
    def board(self) -> dict[str, Any]:
        """The board as of the last run; empty before there is one."""
        tag = self.board_tag
        if self._board is None or self._board[0] != tag:
            try:
                self._board = tag, parse_json(self.board_text())
            except ValueError:
                return {}
        return self._board[1]

    @property
    def board_tag(self) -> str:
        """The board's ETag, which changes with every board that a run writes; known without reading it."""
        with suppress(OSError):
            found = self._board_file.stat()
            return f'"b{found.st_mtime_ns:x}-{found.st_size:x}"'
        return '"none"'

    def board_text(self) -> bytes:
        """Return the board as JSON; an empty object before there is one."""
        with suppress(OSError):
            return self._board_file.read_bytes()
        return b"{}"

    @property
    def _board_file(self) -> Path:
        return self.arena.site / "board.json"

    def state(self) -> answers.Arena:
        """Return the public state: the game, the progress of the run, the entrants and their places."""
        board, settings = self.board, self.arena.settings
        rows: list[answers.ArenaRow] = [
            {
                "name": row["name"],
                "places": [row["best_place"], row["worst_place"]],
                **self.result_of(row),
                "house": row["name"] in settings.house,
            }
            for row in board.get("standings", ())
        ]
        return {
            "title": board.get("title", ""),
            "game": "" if ":" in settings.game else settings.game,
            "running": self.running,
            "done": self.done,
            "of": self.steps,
            "problem": "it is started again" if self.problem else "",
            "entrants": rows,
            "upload": {
                "bytes": self.limits.upload_bytes,
                "megabytes": settings.limits.files,
                "entrants": self.limits.entrants_per_user,
            },
        }

    @staticmethod
    def result_of(row: dict[str, Any]) -> answers.Rating:
        """Return the rating in a row of the board, in the unit of the format: for sit-and-gos, percent of a buy-in."""
        rating: answers.Rating = {}
        if "bb_per_100" in row:
            rating["bb_per_100"] = row["bb_per_100"]
        if "percent_of_buy_in" in row:
            rating["percent_of_buy_in"] = row["percent_of_buy_in"]
        return rating

    def page(self, name: str) -> Path | None:
        """Return the file of a page, or None if there is none of that name."""
        if _PAGES.fullmatch(name) is None:
            return None
        path = self.arena.site / name
        return path if path.is_file() else None

    def matches_of(self, name: str) -> list[dict[str, Any]]:
        """Return an entrant's matches on the board, with the names of its opponents."""
        return [match for match in self.board.get("matches", ()) if name in match["players"]]

    def log_of(self, name: str, key: str) -> str:
        """Return one entrant's part of a match's log and error files; raises `TableRefusal` (`no_match`)."""
        match = next((one for one in self.matches_of(name) if one["key"] == key), None)
        if match is None:
            raise TableRefusal(f"{name} has no match {key[:40]!r} on the board", code="no_match")
        folder = self.arena.files_of(match["key"])
        names = [name, f"{name} (copy)"] if match["players"].count(name) > 1 else [name]
        with suppress(OSError):
            text = own_part((folder / "log.txt").read_text(encoding="utf-8", errors="replace"), names)
            for place, player in enumerate(match["players"], start=1):
                path = folder / f"errors-{place}.txt"
                if player == name and path.exists():
                    text += f"\nerrors\n{path.read_text(encoding='utf-8', errors='replace')}"
            return text
        raise TableRefusal(f"the files of match {key[:40]!r} are gone", code="no_match")

    def build_of(self, name: str) -> str:
        """Return the output of an entrant's last build; empty if there is none."""
        path = self.arena.kept / "entrants" / name / "build.txt"
        with suppress(OSError):
            return path.read_text(encoding="utf-8", errors="replace")
        return ""


def own_part(log: str, names: list[str]) -> str:
    """Return a match's log without other entrants' parts: its first two lines, and the lines below `names`."""
    lines = log.split("\n")  # not `splitlines`: what a program writes may have other ends of lines
    kept, own, seen = lines[:2], False, set[str]()
    for line in lines[2:]:
        if not line.startswith("  "):
            name = line.partition(": ")[0]
            own = name in names and name not in seen  # an entrant could write a second part in another's name
            seen.add(name)
        if own:
            kept.append(line)
    return "\n".join(kept) + "\n"


def _store(path: Path, body: bytes) -> None:
    path.parent.mkdir(mode=0o700, parents=True)
    path.write_bytes(body)  # in a folder that nobody else can enter
