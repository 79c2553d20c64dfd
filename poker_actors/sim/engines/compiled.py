"""The compiled engine: play and count matches between built-in bots, thousands of hands at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from poker_actors.errors import MissingExtra
from poker_actors.rules import GAMES
from poker_actors.sim.forms import CarryOver, Cash, Duplicate
from poker_actors.sim.luck import MANY, scores, ways
from poker_actors.sim.match import Match
from poker_actors.sim.statistics import Sums

if TYPE_CHECKING:
    from poker_actors.learn.compiled import CompiledMatch, LuckTables

__all__ = ["play_compiled", "why_not_compiled"]

_GAMES: Final = tuple([GAMES[name] for name in ("holdem", "limit-holdem", "pot-limit-holdem")])
_FORMS: Final = (Cash, Duplicate, CarryOver)
_DEEPEST: Final = 1_000
"""Smallest bets per stack: a hand between deeper stacks may have more actions than the arrays hold."""
_MOST_CHIPS: Final = 70_000_000
"""Chips at a table whose luck compiled code finds in 64 bits."""
_AT_ONCE: Final = 4_096
"""Hands per call: enough to make Python's overhead small, few enough to show progress."""


def why_not_compiled(match: Match, *, adjust: bool = False) -> str:
    """Say in a few words why compiled code cannot play a match, or find its luck with `adjust`; empty if it can."""
    from poker_actors.learn import policy_of

    for spec in match.bots:
        if policy_of(spec) is None:
            return f"bot {spec} has no array form"
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


def play_compiled(
    match: Match, hands: range, block: int, *, keep_units: bool, adjust: bool = False, examples: bool = False
) -> Iterator[Sums]:
    """Play `hands`, whole units, in compiled code; yield sums of some thousand hands each.

    `block` hands make a point of the curve. `adjust` also counts hands without the luck of the cards, `examples`
    collects hands behind the figures. Raises `MissingExtra` without numba.
    """
    playing = _compiled(match, adjust=adjust)
    from poker_actors.sim.statistics.columns import ColumnTally

    tally = ColumnTally(len(match.bots), block, match.unit, keep_units=keep_units, examples=examples)
    step = max(_AT_ONCE // match.unit, 1) * match.unit
    for start in range(hands.start, hands.stop, step):
        yield tally.count(playing.play(range(start, min(start + step, hands.stop))))


def _compiled(match: Match, *, adjust: bool) -> CompiledMatch:
    try:
        from poker_actors.learn import policy_of
        from poker_actors.learn.compiled import CompiledMatch
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in ("numba", "llvmlite", "numpy"):
            raise  # no missing extra, but a fault of the package or of a bot
        raise MissingExtra("fast", "numba") from None
    game, stakes = match.played(0)  # the same for all hands: a rotation is none of _GAMES
    policies: list[Any] = [policy_of(spec) for spec in match.bots]
    return CompiledMatch(
        game,
        stakes,
        match.stacks,
        policies,
        match.tree.key,
        duplicate=isinstance(match.form, Duplicate),
        session=match.form.session if isinstance(match.form, CarryOver) else 0,
        luck=_luck_tables(match) if adjust else None,
    )


def _luck_tables(match: Match) -> LuckTables:
    from poker_actors.learn.compiled import LuckTables

    game, _ = match.played(0)
    stub = len(game.pack) - game.hole_cards * len(match.bots)
    found = ways(stub, game.board_cards, MANY, in_order=False)
    return LuckTables(scores(game.pack), found.array)
