"""Run an arena: admit the entrants, play the rest of the schedule, keep everything, make the board."""

from __future__ import annotations

import logging
import shutil
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

import attrs

from poker_actors.arena.board import Board, Competitor, Pair, board_of
from poker_actors.arena.entrants import NAME, Entrant, check_cage, found_in, player_of
from poker_actors.arena.playing import MACHINE, Admit, Played, Playing
from poker_actors.arena.schedule import Fixture, most_matches, names_at, schedule
from poker_actors.arena.settings import ArenaSettings
from poker_actors.arena.state import Admission, Score, State
from poker_actors.arena.workers import Lost, Pool, Workers, leave_if_imported, on_ray
from poker_actors.atomic import replacing
from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec

_log = logging.getLogger(__name__)

KEPT: Final = ".arena"
"""The folder inside the arena's in which it keeps everything."""
_STATE: Final = "arena.db"
_MOST_ENTRANTS: Final = 200
"""The most entrants: 200 make 19,900 pairs, and a larger field is a mistake."""

Progress = Callable[[int], None]
"""Called with the number of checks and matches finished since the last call, or found finished."""

Task = Admit | Playing


def _absolute(place: Path) -> Path:
    return place.absolute()


@attrs.define
class Arena:
    """The arena of `folder`. `run` continues where the last run ended, however it ended.

    `workers` processes play, a match each, or all processors of the Ray cluster at `address` (`"local"` starts one of
    this many workers here). Raises `BadSpec` for an invalid folder, `arena.toml` or number of workers, if another
    arena is using the folder, and `MissingFeature` where this machine cannot make the cages asked for. Strangers
    upload into a folder that is `served`: the operator's code must lie elsewhere.
    """

    folder: Path = attrs.field(converter=_absolute)
    workers: int = 1
    address: str | None = None
    served: bool = attrs.field(default=False, kw_only=True)
    settings: ArenaSettings = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.settings = ArenaSettings.read(self.folder, served=self.served)
        if not 1 <= self.workers <= 512:
            raise BadSpec(f"workers is {self.workers}: it must be 1 to 512")

    @property
    def kept(self) -> Path:
        """The folder in which everything is kept."""
        return self.folder / KEPT

    @property
    def steps(self) -> int:
        """The most checks and matches there can be."""
        entrants = found_in(self.folder, self.settings)
        return len(entrants) + most_matches(len(entrants), self.settings)

    @property
    def _pool(self) -> AbstractContextManager[Pool]:
        if self.address is not None:
            return on_ray(self.workers, self.address, self.folder)
        return Workers(self.workers)

    def run(
        self,
        progress: Progress | None = None,
        *,
        recheck: bool = False,
        publish: Callable[[Board], None] | None = None,
    ) -> Board:
        """Admit, play and judge; return the board. `recheck` tries refused entrants and void matches again.

        `publish` gets the board first; then the matches of versions that have been replaced are removed. Raises
        `RoomError` if the processes do not start, as in a script without `if __name__ == "__main__":`.
        """
        leave_if_imported()
        told = progress or (lambda count: None)
        entrants = found_in(self.folder, self.settings)
        if len(entrants) > _MOST_ENTRANTS:
            raise BadSpec(f"{len(entrants)} entrants are too many: at most {_MOST_ENTRANTS}")
        if not all(entrant.house for entrant in entrants):
            self.check_cages()
        with State(self.kept / _STATE) as state:
            if recheck:
                state.forget_failures()
            with self._pool as pool:
                admissions = self._admitted(state, pool, entrants, told)
                playing = [entrant for entrant in entrants if not admissions[entrant.name].refused]
                scores = self._played(state, pool, playing, told)
            board = self._board(entrants, admissions, playing, scores)
            state.stand(board.digest, board.summary())
            board = attrs.evolve(board, before=tuple(state.standings()))
            if publish is not None:
                publish(board)
            self._forget_replaced(state, playing)
            return board

    def _forget_replaced(self, state: State, playing: Sequence[Entrant]) -> None:
        """Remove the matches of replaced versions: an author who uploads every hour would fill the disk.

        Matches of absent or refused entrants, and those under other settings, are kept: they may come back.
        """
        gone = state.replaced({entrant.name: entrant.digest for entrant in playing})
        # scores first, and whose they were last: an end in between leaves no score without files, and the next run goes on
        state.forget(gone, files=False)
        for key in gone:
            shutil.rmtree(self.files_of(key), ignore_errors=True)
            with suppress(OSError):  # not empty
                self.files_of(key).parent.rmdir()
        state.forget([key for key in gone if not self.files_of(key).exists()], files=True)

    def check_cages(self) -> None:
        """Raise `MissingFeature`, naming what is missing, unless this machine can make the cages asked for."""
        if self.settings.cage:
            check_cage()

    # -- beside a server --------------------------------------------------------------------------

    @property
    def site(self) -> Path:
        """The folder that a server serves: the pages, and the board as `board.json`."""
        return self.kept / "site"

    @staticmethod
    def work(*words: str) -> list[str]:
        """Return the command line of a process that runs an arena or checks an upload; see `serving`."""
        # -P: else Python would import from the folder in which the server was started, before all others, and if that
        # is the arena's, an upload called `attrs` would run outside any cage
        return [sys.executable, "-P", "-m", f"{__package__}.serving", *words]

    @staticmethod
    def is_name(name: str) -> bool:
        """Whether an entrant may have this name."""
        return NAME.fullmatch(name) is not None

    def player(self, name: str, version: str) -> BotSpec:
        """Return the bot of a built version; raises `BadSpec` if there is none."""
        entrant = Entrant(name=name, digest=version)
        place = self.place_of(entrant)
        if not self.is_name(name) or not version.isalnum() or not place.is_dir():
            raise BadSpec(f"entrant {name[:40]} has no version {version[:40]}")
        return player_of(entrant, place, self.settings)

    # -- admission --------------------------------------------------------------------------------

    def place_of(self, entrant: Entrant) -> Path:
        """The folder of an entrant's built files; each version, and each setting of the cage, has its own."""
        return self.kept / "built" / f"{entrant.digest}{'' if self.settings.cage else '-free'}" / entrant.name

    def _is_built(self, entrant: Entrant) -> bool:
        with suppress(BadSpec, OSError):
            player_of(entrant, self.place_of(entrant), self.settings)
            return True
        return False

    def _admitted(
        self, state: State, pool: Pool, entrants: Sequence[Entrant], told: Progress
    ) -> dict[str, Admission]:
        known: dict[str, Admission] = {}
        tasks: dict[Task, Entrant] = {}
        for entrant in entrants:
            before = (
                None if entrant.problem else state.admission(self.settings.key, entrant.name, entrant.digest)
            )
            if entrant.problem:
                known[entrant.name] = Admission(refused=entrant.problem, refused_code=BadSpec.default_code)
            elif entrant.house:
                known[entrant.name] = Admission()
            elif before is not None and (before.refused or self._is_built(entrant)):
                known[entrant.name] = before
            else:
                place = self.place_of(entrant)
                folder = self.folder / entrant.name
                tasks[Admit(entrant=entrant, folder=folder, place=place, settings=self.settings)] = entrant
        told(len(known))
        for task, found in pool.run(list(tasks)):
            entrant = tasks[task]
            if isinstance(found, Lost):
                # the owner reads what the build printed, not where we failed
                _log.error("%s: %s", entrant.name, found.log)
                text = f"its build or check did not finish: {found.why}"
                code = MACHINE if found.passing else "build_failed"
                found = Admission(refused=text, refused_code=code), text.encode()
            admission, output = found
            self._write(Path("entrants") / entrant.name, {"build.txt": output.decode("utf-8", "replace")})
            if admission.refused_code != MACHINE:
                state.admit(self.settings.key, entrant.name, entrant.digest, admission)
            known[entrant.name] = admission
            told(1)
        return known

    # -- matches ----------------------------------------------------------------------------------

    def _played(
        self, state: State, pool: Pool, playing: Sequence[Entrant], told: Progress
    ) -> dict[Fixture, Score]:
        """Play the rounds of the schedule, except matches whose scores are known."""
        known = state.scores()
        # once: if a file is removed later, only the matches that need it are lost
        players = {each.name: player_of(each, self.place_of(each), self.settings) for each in playing}
        scores: dict[Fixture, Score] = {}
        for fixtures in schedule(len(playing), self.settings, scores):
            keys = {self._key(playing, fixture): fixture for fixture in fixtures}
            missing = [key for key in keys if key not in known]
            scores |= {fixture: known[key] for key, fixture in keys.items() if key in known}
            told(len(keys) - len(missing))
            state.note(
                {
                    key: [(playing[each].name, playing[each].digest) for each in fixture.players]
                    for key, fixture in keys.items()
                }
            )
            tasks = [self._task(state, playing, players, keys[key], key) for key in missing]
            for task, found in pool.run(tasks):
                assert isinstance(task, Playing)
                played = _void(task, found) if isinstance(found, Lost) else found
                # whatever an interrupted run left of it
                shutil.rmtree(self.files_of(task.key), ignore_errors=True)
                self._write(self.files_of(task.key).relative_to(self.kept), played.texts)
                # the score last: a match that has one has its files
                if not (isinstance(found, Lost) and found.passing):
                    state.keep(task.key, played.score)
                scores[keys[task.key]] = played.score
                told(1)
        return scores

    def _key(self, playing: Sequence[Entrant], fixture: Fixture) -> str:
        """The key of a score: the settings, all versions, and which match of these players it is."""
        versions = "\n".join(playing[player].version for player in fixture.players)
        text = f"{self.settings.key}\n{versions}\n{fixture.number}"
        return blake2b(text.encode(), digest_size=12, person=b"arena match").hexdigest()

    def files_of(self, key: str) -> Path:
        """The folder of a match's files."""
        return self.kept / "matches" / key[:2] / key

    def _task(
        self,
        state: State,
        playing: Sequence[Entrant],
        players: dict[str, BotSpec],
        fixture: Fixture,
        key: str,
    ) -> Playing:
        there = [playing[player] for player in fixture.players]
        return Playing(
            key=key,
            names=names_at(fixture, [entrant.name for entrant in there]),
            players=tuple(players[entrant.name] for entrant in there),
            seed=state.seed(key, self.settings.seed),
            hands=self.settings.hands,
            settings=self.settings,
        )

    def _write(self, place: Path, texts: dict[str, str]) -> None:
        folder = self.kept / place
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, text in texts.items():
            with replacing(folder / name) as stream:
                stream.write(text)

    # -- the board --------------------------------------------------------------------------------

    def _board(
        self,
        entrants: Sequence[Entrant],
        admissions: dict[str, Admission],
        playing: Sequence[Entrant],
        scores: dict[Fixture, Score],
    ) -> Board:
        competitors = [
            Competitor(
                name=entrant.name,
                version=entrant.digest,
                house=entrant.house,
                admission=admissions[entrant.name],
            )
            for entrant in [*playing, *(each for each in entrants if each not in playing)]
        ]
        pairs = [
            Pair(fixture=fixture, key=self._key(playing, fixture), score=score)
            for fixture, score in sorted(scores.items())
        ]
        return board_of(self.settings, competitors, pairs)


def _void(task: Playing, lost: Lost) -> Played:
    log = f"{' - '.join(task.names)}\nvoid: {lost.log}\n"
    return Played(key=task.key, score=Score(void=lost.why), texts={"log.txt": log})
