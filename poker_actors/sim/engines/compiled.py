"""The compiled engine: play and count matches between built-in bots, thousands of hands at a time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, Final

from poker_actors.bots import Bot, BotSpec, Faults, HandStream, OutsideBot, PeekingBot, decide, hears
from poker_actors.cards import Card
from poker_actors.errors import from_extra
from poker_actors.rules import GAMES, Action, Hand, PublicState, View
from poker_actors.rules.log import action_of
from poker_actors.sim.engines.job import Job
from poker_actors.sim.exports import hand_row
from poker_actors.sim.luck import MANY, Luck, scores, ways
from poker_actors.sim.match import CarryOver, Cash, Duplicate, Match
from poker_actors.sim.statistics import Sums

if TYPE_CHECKING:
    from poker_actors.learn.compiled import CompiledMatch, LuckTables, PlayedHands

_GAMES: Final = tuple([GAMES[name] for name in ("holdem", "limit-holdem", "pot-limit-holdem")])
_FORMS: Final = (Cash, Duplicate, CarryOver)
_DEEPEST: Final = 1_000
"""Smallest bets per stack: a hand between deeper stacks may have more actions than the arrays hold."""
_MOST_CHIPS: Final = 70_000_000
"""Chips at a table whose luck compiled code finds in 64 bits."""
EVERY: Final = 64
"""One hand in 64 is timed: reading the clock twice costs as much as a fast bot's decision."""
_SOON: Final = 250_000_000
"""Nanoseconds of a batch with bots in Python: progress is shown four times a second."""
_KEPT_AT_ONCE: Final = 256
"""The same where whole logs are kept, which take 128 KB a hand at the deepest tables."""
_AT_ONCE: Final = 4_096
"""Hands per call: enough to make Python's overhead small, few enough to show progress."""


def why_not_compiled(match: Match, *, adjust: bool = False) -> str:
    """Say in a few words why compiled code cannot play a match, or find its luck with `adjust`; empty if it can."""
    asked = asked_bots(match)
    if len(asked) == len(match.bots):
        return "no bot has an array form"
    for bot in asked:
        if why := _why_not_asked(match.bots[bot]):
            return f"bot {match.bots[bot]} {why}"
    if match.game not in _GAMES:
        return f"the game is {match.game.name}"
    if match.options is not None:
        return "the table has options"
    if not isinstance(match.form, _FORMS):
        return f"the form is {match.form.name}"
    if max(match.stacks) > _DEEPEST * match.stakes.min_bet:
        return f"stacks are above {_DEEPEST} bets"
    if adjust and sum(match.stacks) > _MOST_CHIPS:
        return f"results are without luck, and chips above {_MOST_CHIPS:,}"
    return ""


def asked_bots(match: Match) -> tuple[int, ...]:
    """Return the numbers of the bots without an array form, which a compiled table calls in Python."""
    from poker_actors.learn import policy_of

    return tuple([bot for bot, spec in enumerate(match.bots) if policy_of(spec) is None])


def _why_not_asked(spec: BotSpec) -> str:
    """Say what a bot needs that a compiled table cannot give it; empty for a plain function of a view."""
    factory = spec.source.factory
    if isinstance(factory, type) and issubclass(factory, OutsideBot):
        return "is a program"
    if getattr(factory, "forgets_after", 1) != 1:
        return "remembers hands"
    bot = spec.make()
    made: object = bot
    if isinstance(made, OutsideBot):
        return "is awaited"
    if isinstance(made, PeekingBot):
        return "peeks"
    return "hears of hands" if hears(bot) else ""


class Asking:
    """Calls the bots without an array form, counts their faults, and times one hand in `EVERY`."""

    def __init__(self, match: Match, bots: Sequence[Bot], faults: Sequence[Faults]) -> None:
        self.decisions: Final = [0] * len(bots)
        self.nanoseconds: Final = [0] * len(bots)
        self._bots = bots
        self._faults = faults
        self._streams = [HandStream(match.tree, number) for number in range(len(bots))]

    def __call__(
        self, number: int, bot: int, public: PublicState, seat: int, hole: tuple[Card, ...]
    ) -> Action:
        """Return the bot's action, or the one taken in its place."""
        stream = self._streams[bot]
        stream.hand = number
        view = View(public, seat, hole, stream)
        if number % EVERY:
            return decide(self._bots[bot], view, self._faults[bot], number)
        start = perf_counter_ns()
        action = decide(self._bots[bot], view, self._faults[bot], number)
        self.nanoseconds[bot] += perf_counter_ns() - start
        self.decisions[bot] += 1
        return action


def play_compiled(job: Job, hands: range, asking: Asking | None) -> Iterator[Sums]:
    """Play `hands`, whole units, in compiled code; yield sums of a few thousand hands each.

    `asking` asks the bots without an array form. Raises `MissingExtra` without numba.
    """
    match = job.match
    playing = _compiled(job, asking)
    from poker_actors.sim.statistics.columns import ColumnTally, count_starting_hands_of

    tally = ColumnTally(
        len(match.bots), job.block_hands, match.unit, keep_units=job.keep_units, examples=job.examples
    )
    most = max((_KEPT_AT_ONCE if job.keep else _AT_ONCE) // match.unit, 1)
    units, start = most if asking is None else 1, hands.start
    while start < hands.stop:
        begun = perf_counter_ns()
        stop = min(start + units * match.unit, hands.stop)
        played = playing.play(range(start, stop))
        tally.count_batch(played)
        if job.starting_hands:
            count_starting_hands_of(tally.sums, played)
        sums = tally.take()
        if job.keep:
            sums.rows = list(_rows(match, played))
        yield sums
        start = stop
        # a bot of unknown speed: as many hands at once as show progress and lose little when interrupted
        if asking is not None:
            units = min(2 * units, most) if perf_counter_ns() - begun < _SOON else max(units // 2, 1)


def _rows(match: Match, played: PlayedHands) -> Iterator[dict[str, Any]]:
    """Yield the rows of hands; the rules deal each hand and replay its log."""
    names = [str(spec) for spec in match.bots]
    size = len(names)
    assert played.logs is not None, "asked for with `keep`"
    for place, entries in enumerate(played.logs):
        number, moved = played.first + place, int(played.moved[place])
        game, stakes = match.played(number)
        hand = Hand(
            tuple(played.starting[place].tolist()),
            stakes,
            deck=match.deck(number),
            button=int(played.buttons[place]),
            game=game,
        )
        for entry in entries[: played.actions[place]].tolist():
            hand.act(action_of(entry))
        luck = None
        if played.luck is not None:
            found = played.luck[place].tolist()
            luck = Luck(tuple([one for one, *_ in found]), tuple([tuple(terms) for _, *terms in found]))
        yield hand_row(number, hand, [(seat + moved) % size for seat in range(size)], names, luck)


_MAKING: Final = f"from {__name__} import make_code; make_code()"


@contextmanager
def code_in_the_making(code: str = _MAKING) -> Iterator[Callable[[], bool]]:
    """Have another process compile what matches need, if not compiled yet; yield a test of whether it has ended.

    The process is stopped at the end; what it has compiled stays for the next run.
    """
    from poker_actors.evaluator.fast.compiling import announce
    from poker_actors.learn.compiled import CompiledMatch

    made = CompiledMatch.compiled_before()
    if made is None or made.exists():
        yield lambda: True
        return
    announce(" beside the first hands")
    paths = os.pathsep.join([path or os.curdir for path in sys.path])
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": paths},
        start_new_session=True,  # Ctrl-C at a terminal is ours: it would print a traceback of its own
    )
    try:
        yield lambda: process.poll() is not None
    finally:
        process.kill()
        process.wait()


def make_code() -> None:
    """Compile all that matches need by playing two hands, and record that it is done."""
    from poker_actors.learn.compiled import CompiledMatch

    match = Match.of(["expert", "tight"], hands=2, seed=0)
    for _ in play_compiled(Job(match, adjust=True, compiled=True), range(2), None):
        made = CompiledMatch.compiled_before()
        assert made is not None, "else nobody asks"
        with suppress(OSError):
            made.touch()


def _compiled(job: Job, asking: Asking | None) -> CompiledMatch:
    match = job.match
    with from_extra("fast", "numba", "llvmlite", "numpy"):
        from poker_actors.learn import Policy, policy_of
        from poker_actors.learn.compiled import CompiledMatch
    game, stakes = match.played(0)  # the same for all hands: a rotation is none of _GAMES
    policies = [policy_of(spec) or Policy.asked() for spec in match.bots]
    return CompiledMatch(
        game,
        stakes,
        match.stacks,
        policies,
        match.tree.key,
        duplicate=isinstance(match.form, Duplicate),
        session=match.form.session if isinstance(match.form, CarryOver) else 0,
        luck=_luck_tables(match) if job.adjust else None,
        ask=asking,
        keep=job.keep,
    )


def _luck_tables(match: Match) -> LuckTables:
    from poker_actors.learn.compiled import LuckTables

    game, _ = match.played(0)
    stub = len(game.pack) - game.hole_cards * len(match.bots)
    found = ways(stub, game.board_cards, MANY, in_order=False)
    return LuckTables(scores(game.pack), found.array)
