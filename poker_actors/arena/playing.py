"""One piece of an arena's work, done in a process of its own: the build and check of an entrant, or a match."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Sequence
from functools import partial
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import Any, Final

import attrs

from poker_actors.arena.entrants import Entrant, built, player_of
from poker_actors.arena.settings import ArenaSettings
from poker_actors.arena.state import Admission, Score
from poker_actors.bots import BotSpec, Faults, OutsideBot
from poker_actors.errors import BadHistory, BadSpec
from poker_actors.history import record
from poker_actors.history.phh import phh_text
from poker_actors.rules import View
from poker_actors.sim import Simulation, SimulationResult
from poker_actors.sim.engines import Job, new_bots, play_hands
from poker_actors.sim.results import result_of

__all__ = ["Admit", "Played", "Playing", "begin_worker"]

POINTS: Final = 20
"""Points of the curve of a match."""
_TRIES: Final = 3
"""Starts of a match, one of whose entrants does not start, before it is void."""
_MOST_ERRORS: Final = 500
"""Lines of a match's error file."""
_LARGEST: Final = 30
"""Hands of a match that are named in its score."""
_CHECK_SEED: Final = 20
_COMPANY: Final = "random"
"""Who an entrant meets in its check: it raises by every size and goes all-in early."""


def begin_worker() -> None:
    """Leave Ctrl-C to the parent, and end with it: a worker whose parent was killed would wait for work for ever."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    if parent is None:
        return

    def end_with_parent() -> None:
        connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end_with_parent, name="end with the parent", daemon=True).start()


# -- admission -------------------------------------------------------------------------------------


@attrs.frozen(kw_only=True)
class Admit:
    """Build an entrant and check it: `folder` has its files, `place` is for the built ones."""

    entrant: Entrant
    folder: Path
    place: Path
    settings: ArenaSettings

    def __call__(self) -> tuple[Admission, bytes]:
        """Return what it came to, and what the build printed."""
        output = b""
        try:
            output = built(self.entrant, self.folder, self.place, self.settings)
            return self._checked(player_of(self.entrant, self.place, self.settings)), output
        except (BadSpec, OSError) as error:
            return Admission(refused=" ".join(str(error).split())), output

    def _checked(self, player: BotSpec) -> Admission:
        """Play it against a bot of the house, and once more on the same decks if that went well."""
        settings = self.settings
        match = settings.match([player, _COMPANY], hands=settings.check_hands, seed=_CHECK_SEED)
        first = _result(Job(match))
        faults = first.players[0].faults
        where = f"in {match.hands} hands of {match.game} {match.stakes} with {_COMPANY}"
        if faults.ejected is not None:
            return Admission(refused=f"its check: {_words(faults)} {where}")
        remark = f"{_words(faults)} {where}" if faults.total else ""
        if not faults.total and first.digest != _result(Job(match)).digest:
            remark = f"not the same play when the same hands are dealt again ({where})"
        used = faults.used
        return Admission(remark=remark, seconds=used.seconds / used.calls if used.calls else None)


def _words(faults: Faults) -> str:
    """Say what went wrong, without times, which differ from run to run."""
    kinds = ", ".join(f"{kind} {count}" for kind, count in faults.by_kind.items())
    return f"{faults.total} faults, the first: {faults.first}; {kinds}"


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
    """A match that was played: the key it is kept by, its score and its files."""

    key: str
    score: Score
    texts: dict[str, str]
    """what is written of it, by the name of the file"""


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
        """Return the match as it went. It is void if one of the players does not start."""
        problem = ""
        for _ in range(_TRIES):
            try:
                return self._compiled() or self._by_hand()
            except (
                BadSpec
            ) as error:  # the match was possible when the settings were read: somebody does not start
                problem = " ".join(str(error).split())
        text = f"{self._title}\nvoid: {problem}\n"
        return Played(key=self.key, score=Score(void=problem), texts={"log.txt": text})

    @property
    def _title(self) -> str:
        return f"{' - '.join(self.names)}: {self.hands:,} hands of {self.settings.game}"

    def _job(self) -> Job:
        match = self.settings.match(list(self.players), hands=self.hands, seed=self.seed)
        return Job(match, adjust=self.settings.adjust, block=max(1, self.hands // POINTS))

    def _compiled(self) -> Played | None:
        """Have compiled code play, where it can and nobody asks for the hands; None elsewhere."""
        outside = [
            isinstance(kind, type) and issubclass(kind, OutsideBot) for kind in map(_factory, self.players)
        ]
        if any(outside) or self.settings.histories or self.settings.adjust:
            return None
        result = Simulation(self._job().match).run()
        return Played(key=self.key, score=score_of(result), texts={"log.txt": self._log(result, ["", ""])})

    def _by_hand(self) -> Played:
        job = self._job()
        faults = job.new_faults()
        errors: list[list[str]] = [[] for _ in faults]
        for account, lines in zip(faults, errors, strict=True):
            account.told = partial(_note, account, lines)
        bots = new_bots(job.match, faults)
        outside = list(bots)
        tally, hands, said = job.new_tally(), [], [""] * len(bots)
        moved: list[tuple[int, int]] = []
        for number, hand, who in play_hands(job, range(self.hands), faults, bots):
            tally.count(number, hand, who)
            moved.append((number, hand.payoffs[who.index(0)]))
            if self.settings.histories:
                hands.append(_phh(number, hand, [self.names[bot] for bot in who]))
            if number + 1 == self.hands:  # before they are stopped
                said = [_said(bot) for bot in outside]
        sums = tally.take()
        for account in faults:
            account.told = None  # it stays here
        sums.faults = faults
        result = result_of(job, sums, 0.0)
        texts = {"log.txt": self._log(result, said)}
        if self.settings.histories:
            texts["hands.phhs"] = "".join(hands)
        for place, lines in enumerate(errors):
            if lines:
                texts[f"errors-{place + 1}.txt"] = "".join(f"{line}\n" for line in lines)
        largest = sorted(moved, key=lambda each: (-abs(each[1]), each[0]))[:_LARGEST]
        return Played(key=self.key, score=attrs.evolve(score_of(result), largest=tuple(largest)), texts=texts)

    def _log(self, result: SimulationResult, said: Sequence[str]) -> str:
        lines = [self._title, f"digest {result.digest}"]
        for name, player, words in zip(self.names, result.players, said, strict=True):
            lines.append(f"{name}: {player.net_chips:+,} chips, {player.judged.mean:+.1f} bb/100")
            if player.faults.words:
                lines.append(f"  {player.faults.words}")
            lines += [f"  | {line}" for line in words.splitlines()]
        return "\n".join(lines) + "\n"


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
        return f"[{number + 1}]\n{phh_text(record(hand, players=names, hand_id=str(number)))}\n"
    except BadHistory:
        return ""  # a game that no history has words for


def _said(bot: object) -> str:
    """Return what a program printed on stderr, or all that it printed if its protocol leaves stdout free."""
    words = getattr(bot, "stderr", None) or getattr(bot, "printed", b"")
    return words.decode("utf-8", "replace") if isinstance(words, bytes) else str(words)


def score_of(result: SimulationResult) -> Score:
    """Return what an arena keeps of a result."""
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
        curve=tuple(
            _curve(player.corrected_curve or player.curve, result.blocks, scale) for player in result.players
        ),
        positions=tuple(
            {
                place.position: [place.hands, place.net_chips, {k: v for k, v in place.counts.items() if v}]
                for place in player.positions
            }
            for player in result.players
        ),
        faults=tuple(_plain(player.faults) for player in result.players),
        seconds=tuple(player.faults.used.seconds for player in result.players),
    )


def _curve(chips: Sequence[float], blocks: Sequence[int], scale: float) -> tuple[float, ...]:
    played, found = 0, []
    for total, hands in zip(chips, blocks, strict=True):
        played += hands
        found.append(scale * total / played)
    return tuple(found)


def _plain(faults: Faults) -> dict[str, Any]:
    """Return the faults without times and places, which differ from machine to machine."""
    kept: dict[str, Any] = dict(faults.by_kind)
    if faults.first:
        kept |= {"first": faults.first, "first_hand": faults.first_hand}
    if faults.ejected is not None:
        kept["ejected"] = faults.ejected
    return kept
