"""A task of an arena, done in a process of its own: the build and check of an entrant, or a match."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import attrs

from poker_actors.arena.entrants import MOST_PATIENCE, Entrant, built, patience, player_of
from poker_actors.arena.series import POINTS, beaten_in, plain_faults, plain_positions, sit_and_gos
from poker_actors.arena.settings import ArenaSettings
from poker_actors.arena.state import Admission, Score
from poker_actors.bots import Bot, BotSpec, Faults, OutsideBot
from poker_actors.errors import BadHistory, BadSpec
from poker_actors.history import FORMATS, record
from poker_actors.rules import Hand, View
from poker_actors.sim import Simulation, SimulationResult
from poker_actors.sim.engines import Job, new_bots, play_hands
from poker_actors.sim.results import result_of

R = TypeVar("R")

MACHINE: Final = "machine_failed"
"""The code of an entrant that is refused in this run only."""
_OF_MACHINE: Final = (
    errno.EAGAIN,
    errno.EDQUOT,
    errno.EIO,
    errno.EMFILE,
    errno.ENFILE,
    errno.ENOMEM,
    errno.ENOSPC,
    errno.EROFS,
)
_TRIES: Final = 3
"""How often a match or check is tried when a player does not start, before it is void or the entrant refused."""
_MOST_ERRORS: Final = 500
"""The most lines of a match's error file."""
_LARGEST: Final = 30
"""Number of hands that a match's score names."""
_CHECK_SEED: Final = 20
_COMPANY: Final = "random"
"""The opponent of an entrant's check: it raises by every size and goes all-in early."""


def _started(play: Callable[[float], R]) -> R:
    """Return what `play` played; try again when a player does not start.

    `play` is given the factor by which a start may exceed its limit: more than 1 on a busy machine.
    """
    times = 1.0
    for _ in range(_TRIES - 1):
        with suppress(BadSpec):
            return play(times)
        times = patience()
    return play(times)


def _patient(player: BotSpec, times: float) -> BotSpec:
    seconds = player.values.get("start_seconds")
    if not isinstance(seconds, float | int):
        return player  # a house bot or one of MIT Pokerbots
    return attrs.evolve(player, values=player.values | {"start_seconds": seconds * times})


def _machine_fault(error: BaseException) -> OSError | None:
    """Return the cause of an error if it lies with the machine, not a player: no disk space, no more processes."""
    seen: BaseException | None = error
    while seen is not None:
        # shutil: an entrant's files could be read but not copied
        if isinstance(seen, shutil.Error) or (isinstance(seen, OSError) and seen.errno in _OF_MACHINE):
            return seen
        seen = seen.__cause__ or seen.__context__
    return None


def _in_words(error: BadSpec, names: Sequence[str], players: Sequence[BotSpec]) -> str:
    """Return an error that everybody may read: with the players' names in place of their commands and folders."""
    text = str(error)
    for name, player in zip(names, players, strict=False):
        folder, command, spec = (str(player.values.get(key, "")) for key in ("folder", "command", "spec"))
        for shown in (command or spec, (command or spec).replace(f"{folder}/", "")):
            if shown:
                text = text.replace(f"bot cmd:{shown[:60]}", name)
        if folder:
            text = text.replace(f"bot mit:{folder}", name)
    return " ".join(text.split())


# -- admission -------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Admit:
    """Build an entrant and check it: `folder` has its files, `place` is for the built ones."""

    entrant: Entrant
    folder: Path
    place: Path
    settings: ArenaSettings

    def __call__(self) -> tuple[Admission, bytes]:
        """Return the outcome, and what the build printed."""
        output, players = b"", list[BotSpec]()
        try:
            output = built(self.entrant, self.folder, self.place, self.settings)
            players.append(player_of(self.entrant, self.place, self.settings))
            return self._checked(players[0]), output
        except (BadSpec, OSError) as error:
            return _refusal(error, players), output

    def _checked(self, player: BotSpec) -> Admission:
        """Play the entrant against a house bot, and once more on the same decks if that went well."""

        def play(times: float) -> tuple[Faults, str, str]:
            return self._try(_patient(player, times))

        faults, digest, where = _started(play)
        for _ in range(_TRIES - 1):
            late = faults.ejected is not None and faults.by_kind.keys() == {"late"}
            if not late or patience() < MOST_PATIENCE:
                break
            faults, digest, where = _started(play)
        if faults.ejected is not None:
            return Admission(refused=f"its check {where}: {_words(faults)}", refused_code="check_failed")
        remark = f"{_words(faults)}, {where}" if faults.total else ""
        if not faults.total and digest != _started(play)[1]:
            remark = f"plays differently when the same hands are dealt again ({where})"
        used = faults.used
        return Admission(remark=remark, seconds=used.seconds / used.calls if used.calls else None)

    def _try(self, player: BotSpec) -> tuple[Faults, str, str]:
        """Play the entrant once; return its faults, the digest of the hands, and where that was."""
        settings = self.settings
        players = [player, *map(BotSpec.parse, [_COMPANY] * (settings.most_seats - 1))]
        if settings.is_tournament:
            faults = [Faults() for _ in players]
            score = sit_and_gos(players, settings, _CHECK_SEED, 1, faults, lambda *hand: None)
            return faults[0], score.digest, f"in a sit-and-go of {settings.rules.name} with {_COMPANY}"
        match = settings.match(players, hands=settings.check_hands, seed=_CHECK_SEED)
        first = _result(Job(match))
        where = f"in {match.hands} hands of {match.game} {match.stakes} with {_COMPANY}"
        return first.players[0].faults, first.digest, where


def _refusal(error: BadSpec | OSError, players: Sequence[BotSpec]) -> Admission:
    """Return why an entrant does not play, without paths on this machine, as everybody reads it."""
    fault = _machine_fault(error)
    if fault is not None:
        what = fault.strerror or "its files cannot be copied"
        text = f"the machine failed ({what}), and the next run tries it again"
        return Admission(refused=text, refused_code=MACHINE)
    if isinstance(error, BadSpec):
        return Admission(refused=_in_words(error, ["it"], players), refused_code=error.code)
    name = Path(os.fsdecode(error.filename)).name if isinstance(error.filename, str | bytes) else ""
    text = ": ".join(filter(None, [error.strerror or "its files cannot be read", name]))
    return Admission(refused=text, refused_code="build_failed")


def _words(faults: Faults) -> str:
    """Say what went wrong, without times, which differ from run to run."""
    kinds = ", ".join(f"{kind} {count}" for kind, count in faults.by_kind.items())
    return f"{faults.total} fault{'s' if faults.total > 1 else ''} ({kinds}), the first: {faults.first}"


def _result(job: Job) -> SimulationResult:
    tally, faults = job.new_tally(), job.new_faults()
    for number, hand, who in play_hands(job, range(job.match.hands), faults):
        tally.count(number, hand, who)
    sums = tally.take()
    sums.faults = faults
    return result_of(job, sums, 0.0)


# -- a match ---------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Played:
    """A match that was played: its key, its score and its files."""

    key: str
    score: Score
    texts: dict[str, str]
    """the files to write, by name"""


@attrs.frozen(kw_only=True)
class Playing:
    """Play a match whole, in order, in this process: a bot that learns has met its opponent in every hand before."""

    key: str
    names: tuple[str, ...]
    players: tuple[BotSpec, ...]
    seed: int
    hands: int
    settings: ArenaSettings

    def __call__(self) -> Played:
        """Play the match and return it. It is void if one of the players does not start.

        Raises `OSError` if that is the machine's fault, such as files that somebody removed.
        """
        try:
            return _started(self._tried)
        except BadSpec as error:  # the match was possible when the settings were read
            fault = _machine_fault(error)
            if fault is not None:
                raise fault from error
            for player in self.players:
                if "folder" in player.values:
                    Path(str(player.values["folder"])).stat()
            problem = _in_words(error, self.names, self.players)
        text = f"{self._title}\nvoid: {problem}\n"
        return Played(key=self.key, score=Score(void=problem), texts={"log.txt": text})

    def _tried(self, times: float) -> Played:
        match = attrs.evolve(self, players=tuple([_patient(player, times) for player in self.players]))
        return match._compiled() or match._by_hand()

    @property
    def _title(self) -> str:
        return f"{' - '.join(self.names)}: {self.settings.length(len(self.players))} of {self.settings.game}"

    def _job(self) -> Job:
        match = self.settings.match(list(self.players), hands=self.hands, seed=self.seed)
        block = max(1, match.hands // POINTS)
        return Job(match, adjust=self.settings.corrects, block=block, keep_units=len(self.players) > 2)

    def _compiled(self) -> Played | None:
        """Play two bots by compiled code and return the result; None if it cannot, or if the hands are asked for."""
        outside = [
            isinstance(kind, type) and issubclass(kind, OutsideBot) for kind in map(_factory, self.players)
        ]
        if any(outside) or self.settings.histories or self.settings.corrects or len(self.players) > 2:
            return None
        score = score_of(result := Simulation(self._job().match).run(), ())
        paper = _Paper(self.names, histories=False)
        accounts = [player.faults for player in result.players]
        return Played(key=self.key, score=score, texts=paper.texts(self._title, score, accounts))

    def _by_hand(self) -> Played:
        paper = _Paper(self.names, histories=self.settings.histories)
        play = self._tournaments if self.settings.is_tournament else self._hands
        score, faults = play(paper)
        score = attrs.evolve(score, largest=paper.largest)
        return Played(key=self.key, score=score, texts=paper.texts(self._title, score, faults))

    def _hands(self, paper: _Paper) -> tuple[Score, Sequence[Faults]]:
        job = self._job()
        faults = job.new_faults()
        bots = new_bots(job.match, faults)
        outside = list(bots)
        paper.listen(faults)
        tally = job.new_tally()
        for number, hand, who in play_hands(job, range(job.match.hands), faults, bots):
            tally.count(number, hand, who)
            paper.write(number, hand, who)
            if number + 1 == job.match.hands:  # before they are stopped
                paper.said = [_said(bot) for bot in outside]
        sums = tally.take()
        paper.leave(faults)
        sums.faults = faults
        rows = sums.unit_rows
        return score_of(result_of(job, sums, 0.0), rows), faults

    def _tournaments(self, paper: _Paper) -> tuple[Score, Sequence[Faults]]:
        faults = [Faults() for _ in self.players]
        paper.listen(faults)

        def told(number: int, hand: Hand, who: Sequence[int], bots: Sequence[Bot]) -> None:
            paper.write(number, hand, who)
            paper.said = [_said(bot) for bot in bots]

        tournaments = self.settings.tournaments
        score = sit_and_gos(self.players, self.settings, self.seed, tournaments, faults, told)
        paper.leave(faults)
        return score, faults


@attrs.define
class _Paper:
    """The record of a match being played: its hands, its faults, and the output of programs."""

    names: tuple[str, ...]
    histories: bool = attrs.field(kw_only=True)
    said: list[str] = attrs.field(factory=list)
    _hands: list[str] = attrs.field(factory=list)
    _moved: list[tuple[int, ...]] = attrs.field(factory=list)
    _errors: list[list[str]] = attrs.field(factory=list)

    def listen(self, faults: Sequence[Faults]) -> None:
        """Write down every fault from now on."""
        self._errors = [[] for _ in faults]
        for account, lines in zip(faults, self._errors, strict=True):
            account.told = partial(_note, account, lines)

    def leave(self, faults: Sequence[Faults]) -> None:
        """Detach this log from the faults, which are sent to other processes; the log is not."""
        for account in faults:
            account.told = None

    def write(self, number: int, hand: Hand, who: Sequence[int]) -> None:
        """Write down a hand; `who` played it, by seat."""
        payoffs = dict(zip(who, hand.payoffs, strict=True))
        won = tuple(payoffs[player] for player in range(len(self.names)))
        self._moved.append((number, *(won[:1] if len(won) == 2 else won)))
        if self.histories:
            self._hands.append(_phh(number, hand, [self.names[player] for player in who]))

    @property
    def largest(self) -> tuple[tuple[int, ...], ...]:
        """The hands that moved most chips, as in a score."""
        found = sorted(self._moved, key=lambda each: (-max(map(abs, each[1:])), each[0]))
        return tuple(found[:_LARGEST])

    def texts(self, title: str, score: Score, faults: Sequence[Faults]) -> dict[str, str]:
        """Return the files of a match by name."""
        lines = [title, f"digest {score.digest}"]
        said = self.said or [""] * len(self.names)
        for place, (name, account, words) in enumerate(zip(self.names, faults, said, strict=True)):
            net = f"{score.net[place]:+,} {'% of buy-ins' if score.tournaments else 'chips'}"
            each = "% of a buy-in each" if score.tournaments else "bb/100"
            lines.append(f"{name}: {net}, {score.means[place]:+.1f} {each}")
            if account.words:
                lines.append(f"  {account.words}")
            lines += [f"  | {line}" for line in words.splitlines()]
        texts = {"log.txt": "\n".join(lines) + "\n"}
        if self.histories:
            texts["hands.phhs"] = "".join(self._hands)
        for place, errors in enumerate(self._errors, start=1):
            if errors:
                texts[f"errors-{place}.txt"] = "".join(f"{line}\n" for line in errors)
        return texts


def _factory(spec: BotSpec) -> object:
    return spec.source.factory


def _note(
    account: Faults,
    lines: list[str],
    kind: str,
    text: str,
    place: str,
    view: View,
    error: BaseException | None,
) -> None:
    if len(lines) < _MOST_ERRORS:
        lines.append(
            f"hand {account.hand}: {kind}: {' '.join(text.split())}{f' at {place}' if place else ''}"
        )


def _phh(number: int, hand: Any, names: list[str]) -> str:
    try:
        return f"[{number + 1}]\n{FORMATS['phh'].text(record(hand, players=names, hand_id=str(number)), number)}\n"
    except BadHistory:
        return ""  # a game that no history has words for


def _said(bot: object) -> str:
    """Return what a program printed on stderr, or all that it printed if its protocol leaves stdout free."""
    words = getattr(bot, "stderr", None) or getattr(bot, "printed", b"")
    return words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)


def score_of(result: SimulationResult, units: Sequence[Sequence[int]]) -> Score:
    """Return what an arena keeps of a result; with more than two players, `units` are each one's winnings by deck."""
    best, raw = result.best, result.raw
    assert best is not None
    assert raw is not None
    scale = 100 / result.big_blind
    return Score(
        hands=result.hands,
        digest=result.digest,
        units=best.units,
        freedom=best.freedom,
        means=best.means,
        covariance=best.covariance,
        raw_means=raw.means,
        net=tuple(player.net_chips for player in result.players),
        won=tuple(sum(player.won or ()) for player in result.players),
        beaten=beaten_in(units),
        curve=tuple(
            _curve(player.corrected_curve or player.curve, result.blocks, scale) for player in result.players
        ),
        positions=tuple(plain_positions(player.positions) for player in result.players),
        faults=tuple(plain_faults(player.faults) for player in result.players),
        seconds=tuple(player.faults.used.seconds for player in result.players),
    )


def _curve(chips: Sequence[float], blocks: Sequence[int], scale: float) -> tuple[float, ...]:
    played, found = 0, []
    for total, hands in zip(chips, blocks, strict=True):
        played += hands
        found.append(scale * total / played)
    return tuple(found)
