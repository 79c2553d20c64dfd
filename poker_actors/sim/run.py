"""Play a match, with the result so far available at any moment and on disk for a resumption."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Literal, TypeAlias

import attrs

from poker_actors.atomic import HeldFile, read_whole, replacing
from poker_actors.bots import BotSpec
from poker_actors.errors import BadSpec
from poker_actors.jsontext import parse_json
from poker_actors.rules import Game, Stakes
from poker_actors.rules.cash import CashOptions
from poker_actors.sim.drivers import driver_named
from poker_actors.sim.engines.block import play_block
from poker_actors.sim.engines.cluster import play_on_ray
from poker_actors.sim.engines.compiled import code_in_the_making, why_not_compiled
from poker_actors.sim.engines.executor import (
    Meanwhile,
    Play,
    check_spread,
    check_travel,
    check_workers,
    play_on_executor,
    process_pool,
)
from poker_actors.sim.engines.job import Job
from poker_actors.sim.exports import Parquet, Sink, StartingHands
from poker_actors.sim.judging.sequential import Sequential
from poker_actors.sim.match import DEFAULT_BOTS, Form, Match
from poker_actors.sim.results.result import SimulationResult, result_of
from poker_actors.sim.statistics import Sums, plain_luck
from poker_actors.version import __version__

FORMAT: Final = 2
_NAME: Final = "poker-actors run"


class RunFile(HeldFile):
    """Keeps the state of a run in `path`. A context manager, which locks the file for this process.

    Raises `BadSpec` if another process holds it. Reading raises `BadSpec` for another version, other bots, another seed
    or other settings, and for a damaged file, saying which it is.
    """

    def __init__(self, path: Path, match: Match, **settings: Any) -> None:
        super().__init__(path)
        self._identity: Final = _identity(match) | settings

    def read(self) -> dict[str, Any] | None:
        """Return the state written last; None if there is no file."""
        value = _read(self.path)
        if value is None:
            return None
        self._check_identity(value["identity"])
        state: dict[str, Any] = value["state"]
        return state

    def _check_identity(self, known: dict[str, Any]) -> None:
        for name, mine in self._identity.items():
            theirs = known.get(name)
            if theirs == mine:
                continue
            if name == "code":
                raise BadSpec(f"{self.path} holds a run of the same bots with different code")
            raise BadSpec(f"{self.path} holds a run with {name} {_said(theirs)}, not {_said(mine)}")

    def write(self, state: dict[str, Any]) -> None:
        """Write the state; after a crash at any moment the file holds this state or the previous one."""
        value = {
            "what": _NAME,
            "format": FORMAT,
            "version": __version__,
            "identity": self._identity,
            "state": state,
        }
        value["checksum"] = _checksum(value)
        with replacing(self.path) as stream:
            json.dump(value, stream)


def seed_of_run(path: Path) -> int:
    """Return the seed of the run in a file; raise `BadSpec` for a file without a run."""
    value = _read(path)
    if value is None:
        raise BadSpec(f"there is no {path}")
    seed: int = value["identity"]["seed"]
    return seed


def _read(path: Path) -> dict[str, Any] | None:
    try:
        text = read_whole(path).decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise BadSpec(f"{path} cannot be read: {error}") from error
    try:
        value: dict[str, Any] = parse_json(text)
        name, form, version = value["what"], value["format"], value["version"]
    except (ValueError, KeyError, TypeError):
        raise BadSpec(f"{path} holds no run, or is damaged") from None
    if name != _NAME:
        raise BadSpec(f"{path} holds no run, or is damaged")
    if form != FORMAT or version != __version__:
        written, ours = f"{version!s:.20}, format {form!s:.20}", f"{__version__}, format {FORMAT}"
        raise BadSpec(f"{path} was written by version {written}; this is {ours}")
    if value.get("checksum") != _checksum(value):
        raise BadSpec(f"{path} is damaged: its checksum does not match")
    return value


def _identity(match: Match) -> dict[str, Any]:
    options = None if match.options is None else str(match.options)
    return {
        "bots": [str(spec) for spec in match.bots],
        "seed": match.seed,
        "game": match.game.name,
        "stakes": str(match.stakes),
        "stacks": list(match.stacks),
        "form": str(match.form),
        "options": options,
        "code": [_code(spec) for spec in match.bots],
    }


def _code(spec: object) -> str:
    """Return a hash of a bot's definition, including its code if the bot is from a file."""
    # a fixed protocol: another default of another Python would change the bytes, and so the hash
    try:
        return sha256(pickle.dumps(spec, protocol=4)).hexdigest()
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise BadSpec(
            f"a run with bot {spec} cannot be kept ({error}): write it as a function of a module, "
            "or name it FILE.py:FUNCTION"
        ) from error


def _checksum(value: dict[str, Any]) -> str:
    held = {name: part for name, part in value.items() if name != "checksum"}
    return sha256(json.dumps(held, sort_keys=True).encode()).hexdigest()


def _said(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


_MERGE_AT: Final = 64
"""Pieces collected before they are added up: adding each to the total would copy the total each time."""

ENGINES: Final = ("auto", "processes", "ray", "batch")
WORTH: Final = 8_192
"""Hands from which compiled code is faster: as many are played in Python while it loads."""

Progress = Callable[[int], None]
Adjust: TypeAlias = bool | Literal["luck", "aivat"]
"""Whether and how results are also computed without luck: `luck`, that of the cards; `aivat`, also that of the choices of
bots that state their odds, heads-up"""


class Simulation:
    """A match being played; `result` works at any time, even after an interruption.

    `workers` above 1 plays on that many processes; `executor`, any executor of
    `concurrent.futures`, is used instead if given, and is not shut down. `engine="ray"` plays on the
    Ray cluster at `address`, or on one started here; `engine="batch"` plays the same hands between
    built-in bots in compiled code, here or on the Ray cluster at `address` (`"local"` starts one);
    if it cannot, `not_compiled` says why. Every hand goes to each of `sinks`, in order; `StartingHands` only counts. `adjust` also
    computes results without the luck of the cards, `adjust="aivat"` by `MatchAivat`. `engine="auto"` is `batch` where that gives the same digest and figures
    sooner, and `processes` otherwise; `SimulationResult.engine` says which played, and why. `examples` collects numbers of hands behind the
    figures, for a report. `together` are the hands of all matches that are played one after the other, for which code is loaded once. Raises `BadSpec` for an unknown driver or engine, for settings out of
    range, and for bots that cannot be sent to another process.
    """

    _hides_compiling = False
    _meanwhile: Meanwhile | None = None

    def __init__(  # noqa: PLR0913  one argument for each thing that can be chosen, all but two by name
        self,
        match: Match,
        driver: str = "direct",
        *,
        workers: int = 1,
        executor: Executor | None = None,
        engine: str = "auto",
        address: str | None = None,
        sinks: Sequence[Sink | StartingHands] = (),
        adjust: Adjust = False,
        examples: bool = False,
        together: int = 0,
    ) -> None:
        driver_named(driver)
        _check_rounds(match, driver, adjust, sinks)
        if engine not in ENGINES:
            raise BadSpec(f"engine {engine[:40]!r} must be one of {', '.join(ENGINES)}")
        if address is not None and engine in ("auto", "processes"):
            raise BadSpec(f"an address is for the engines ray and batch, not for {engine}")
        check_workers(workers)
        self._on_ray = engine == "ray" or address is not None
        _check_bots(match, workers, executor, on_ray=self._on_ray)
        self.job = _job(Job(match, driver, adjust=bool(adjust), examples=examples), sinks)
        self.adjusted_by: str = ""
        """by which bots' odds luck is taken out, in words; empty without AIVAT"""
        self.adjusted: bool | str = self._adjusting(adjust)
        """whether results are computed without luck, or `aivat`"""
        self.not_compiled: str = ""
        """why the engine batch plays hand by hand, in a few words; empty if it does not, or is not asked for"""
        if engine in ("auto", "batch"):
            self._compile(engine, together or match.hands, executor)
        self._sinks = sinks
        self._workers = workers
        self._executor = executor
        self._address = address
        # Only appended to or replaced as a whole: an interruption at any point leaves complete sums.
        self._parts: list[Sums] = []
        self._seconds = 0.0

    def _adjusting(self, adjust: Adjust) -> bool | str:
        if adjust not in (False, True, "luck", "aivat"):
            raise BadSpec(f"adjust {adjust!r:.40} must be luck or aivat")
        if adjust != "aivat":
            return bool(adjust)
        from poker_actors.sim.exploiting.aivat import MatchAivat

        luck = MatchAivat(self.match)
        self.adjusted_by = luck.words
        self.job = attrs.evolve(self.job, luck=luck)
        return adjust

    def _compile(self, engine: str, hands: int, executor: Executor | None) -> None:
        """Choose compiled code if it can play the match and, with `auto`, if it is faster; otherwise note why not."""
        asked = engine == "batch"
        why = _why_by_hand(self.job) or ("" if asked else why_not_worth(hands, executor))
        why = why or why_not_compiled(self.match, adjust=self.job.adjust)
        self.not_compiled = why if asked else ""
        self._hides_compiling = not asked and not why  # forced, it is wanted at once, whatever the wait
        self.job = attrs.evolve(self.job, compiled=not why, in_python=why)

    @property
    def match(self) -> Match:
        """The match being played."""
        return self.job.match

    def run(self, progress: Progress | None = None) -> SimulationResult:
        """Play every hand; `progress` is called with the hands played since its last call."""
        start = perf_counter()
        try:
            with self._engine_open() as play:
                for sums in play(self.job, range(self.match.hands)):
                    self._take(sums)
                    if progress is not None:
                        progress(sums.hands)
        finally:
            self._seconds = perf_counter() - start
        return self.result()

    @property
    def foreign_luck(self) -> bool:
        """Whether a bot drew from the module `random`, which no seed controls, while whole blocks were played."""
        return self._merged().foreign_luck

    def result(self) -> SimulationResult:
        """Return the result of the hands played so far."""
        return self._result()

    def _result(self, decision: Sequential | None = None) -> SimulationResult:
        meanwhile = 0 if self._meanwhile is None else self._meanwhile.hands
        job = attrs.evolve(self.job, meanwhile=meanwhile)
        return result_of(job, self._merged(), self._seconds, decision)

    def _take(self, sums: Sums) -> None:
        """Write the hands of the next sums to the sinks and keep the sums."""
        rows, sums.rows = sums.rows, []
        counts, sums.starting_hands = sums.starting_hands, {}
        for sink in self._sinks:
            if isinstance(sink, StartingHands):
                sink.add(counts)
            else:
                sink.write(rows)
        self._parts.append(sums)
        if len(self._parts) >= _MERGE_AT:
            self._parts = [self._merged()]

    @contextmanager
    def _engine_open(self) -> Iterator[Play]:
        """Open the engine; yield a function that plays a range of hands."""
        workers = self._workers
        if self._executor is not None:
            yield partial(play_on_executor, executor=self._executor, workers=workers)
        elif self._on_ray:
            yield partial(play_on_ray, workers=workers, address=self._address)
        else:
            with ExitStack() as stack:
                play: Play = play_block
                if workers > 1:
                    pool = stack.enter_context(process_pool(workers))
                    play = partial(play_on_executor, executor=pool, workers=workers)
                if self._hides_compiling:
                    ready = stack.enter_context(code_in_the_making())
                    play = self._meanwhile = Meanwhile(ready, play)
                yield play

    def _merged(self) -> Sums:
        total = Sums(len(self.match.bots))
        for part in self._parts:
            total.add(part)
        return total


def _job(job: Job, sinks: Sequence[Sink | StartingHands]) -> Job:
    """Return the job with what the sinks need: every hand, or only counts of starting hands."""
    counting = [isinstance(sink, StartingHands) for sink in sinks]
    return attrs.evolve(job, keep=not all(counting), starting_hands=any(counting))


def _check_rounds(match: Match, driver: str, adjust: Adjust, sinks: Sequence[Sink | StartingHands]) -> None:
    """Raise `BadSpec` for settings that rounds of MIT Pokerbots cannot have, if the match plays them."""
    if not match.rounds:
        return
    of = f"rounds of MIT Pokerbots {match.rounds}"
    if driver != "direct":
        raise BadSpec(f"driver {driver}: {of} are played directly, not through the actors")
    if adjust:
        raise BadSpec(f"adjust: the luck of the cards is unknown for {of}")
    if any(isinstance(sink, Parquet) for sink in sinks):
        raise BadSpec(f"Parquet has no columns for {of}: write lines of JSON")


def _check_bots(match: Match, workers: int, executor: Executor | None, *, on_ray: bool) -> None:
    """Raise `BadSpec` for bots that cannot play in other processes, if other processes are used."""
    if workers > 1 and executor is None and not on_ray:
        check_travel(match)
    if workers > 1 or executor is not None or on_ray:
        check_spread(match)


def _why_by_hand(job: Job) -> str:
    """Say in a few words what this job needs that compiled code cannot do; empty if nothing."""
    if job.driver != "direct":
        return f"the driver is {job.driver}"
    return "luck is taken out by the odds of bots" if job.adjust and job.luck is not plain_luck else ""


def why_not_worth(hands: int, executor: Executor | None = None) -> str:
    """Say in a few words why compiled code would not be faster here; empty if it would."""
    if executor is not None:
        return "an executor was given"
    if hands < WORTH:
        return f"fewer than {WORTH:,} hands"
    return "" if find_spec("numba") else "the extra fast is not installed"


def simulate(  # noqa: PLR0913  one argument for each thing that can be chosen, all but the first by name
    bots: Sequence[str | BotSpec | Callable[..., Any]] = DEFAULT_BOTS,
    *,
    hands: int = 10_000,
    seed: int | None = None,
    stacks: str | int | Sequence[int] | None = None,
    stakes: str | Stakes | None = None,
    game: str | Game = "holdem",
    form: Form | None = None,
    options: CashOptions | None = None,
    driver: str = "direct",
    workers: int = 1,
    executor: Executor | None = None,
    engine: str = "auto",
    address: str | None = None,
    adjust: Adjust = False,
    progress: Progress | None = None,
) -> SimulationResult:
    """Play `hands` hands between `bots`, one per seat, and return their statistics.

    A bot is a name (`tight:vpip=0.2`), a place (`file.py:function`) or a function of a view.
    Stacks are chips (`200`, `[200, 150]`) or big blinds (`100bb`); stacks and stakes default to the
    game's own, in most games 100bb and 1/2. `seed` is any integer, drawn if None. The same seed gives
    the same `digest` with every `driver` (`direct` is the fastest, `stepper` and `threads` play
    through the actors), any number of `workers`, any `executor` and every `engine` (`auto`, the fastest that
    gives the same; `processes`; `batch`, which plays built-in bots in compiled code; `ray`, at `address`).
    `form` is `Cash()` (stacks reset each hand), `CarryOver()` or `Duplicate()`; `options` are
    rake, bomb pots and boards run several times. `adjust` also computes the results without the
    luck of the cards, and judges by them; `adjust="aivat"` also without that of a bot that states its odds,
    heads-up. `progress` is called with the hands played since its last call.

    Raises `BadSpec` and `UnknownBot`, naming the value and the limit.
    """
    match = Match.of(
        bots, hands=hands, seed=seed, stacks=stacks, stakes=stakes, game=game, form=form, options=options
    )
    simulation = Simulation(
        match, driver, workers=workers, executor=executor, engine=engine, address=address, adjust=adjust
    )
    return simulation.run(progress)
