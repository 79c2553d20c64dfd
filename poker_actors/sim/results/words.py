"""Write the remarks on a run, shown beside its table, a line each."""

from __future__ import annotations

from typing import Final

from poker_actors.sim.judging.estimates import DEFAULT_DIFFERENCE, Estimates, PlannedPair
from poker_actors.sim.results.bootstrap import bootstrap_words
from poker_actors.sim.results.figures import PlayerResult, RunFigures
from poker_actors.sim.results.table import estimate_text
from poker_actors.version import __version__

_SAID: Final = 2
"""Pairs named in a remark; the report and the JSON have all."""
_HEAVY: Final = 10
"""Units needed per point of excess kurtosis for normal theory to hold."""
_LARGE: Final = 0.05
"""The share of one unit in the sum of squares above which it is remarked on."""
_TESTS: Final = {"betting": "a betting test", "mixture": "the normal mixture"}
_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}


def headline(result: RunFigures) -> str:
    """Say what was played."""
    asked = f" of {result.hands_asked:,}" if result.hands < result.hands_asked else ""
    return (
        f"{result.hands:,}{asked} hands of {result.game} {result.stakes}, "
        f"seed {result.seed}, digest {result.digest}"
    )


def rank_words(result: RunFigures) -> str:
    """Say which places each bot may have, at 95 % for all together."""
    judgement = result.judgement
    if judgement is None:
        return "ranks: unknown, as the variance of the results is missing"
    order = sorted(range(len(judgement.ranks)), key=lambda bot: (judgement.ranks[bot], bot))
    said = [_ranked(result.players[bot], judgement.ranks[bot]) for bot in order]
    return f"ranks of {len(order)}, at 95 % all at once: {', '.join(said)}"


def _ranked(player: PlayerResult, places: tuple[int, int]) -> str:
    ejected = player.faults.ejected
    rank = f"{player.bot} {_places(places)}"
    return rank if ejected is None else f"{rank}, but ejected in hand {ejected}"


def _places(places: tuple[int, int]) -> str:
    best, worst = places
    return _ordinal(best) if best == worst else f"{_ordinal(best)}-{_ordinal(worst)}"


def _ordinal(place: int) -> str:
    return f"{place}{'th' if 10 < place % 100 < 14 else _ENDINGS.get(place % 10, 'th')}"


def method_words(result: RunFigures) -> str:
    """Say by which method, and over how many units, the verdicts were reached."""
    best, judgement = result.best, result.judgement
    if best is None or judgement is None:
        return ""
    units = f"{best.units:,} {best.unit}s" + (f" of {best.unit_hands}" if best.unit_hands > 1 else "")
    pairs = len(judgement.pairs)
    if result.decision is not None:
        test = _TESTS[result.decision.test]
        return f"results {best.words}, over {units}, by {test}, which holds however long one plays"
    many = f", {judgement.method} over {pairs} pairs" if pairs > 1 else ""
    return f"results {best.words}, over {units}{many}"


def method_sentence(result: RunFigures) -> str:
    """Return a sentence for a caption: what was played, by which software, and how it was judged."""
    how = method_words(result) or "too few hands to judge"
    intervals = (
        "intervals of 95 %, valid for all bots at once" if result.judgement is not None else "no intervals"
    )
    return f"{headline(result)}, played by poker_actors {__version__} (CITATION.cff); {how}; {intervals}."


def decision_words(result: RunFigures) -> str:
    """Say why a run that stops when decided has stopped; "" for any other."""
    decision, judgement = result.decision, result.judgement
    if decision is None:
        return ""
    equal = [pair for pair in judgement.pairs if pair.equal and pair.decided] if judgement else []
    said = [f"{result.players[pair.better].bot} and {result.players[pair.worse].bot}" for pair in equal]
    within = f"; within {decision.within:g} bb/100 of each other: {', '.join(said)}" if said else ""
    if decision.decided:
        return f"decided after {result.hands:,} hands{within}"
    # an interrupted run has played fewer than it might
    most = ", the most allowed" if result.hands == result.hands_asked else " so far"
    return f"not decided after {result.hands:,} hands{most}{within}"


def undecided_words(result: RunFigures) -> str:
    """Say which players are not told apart at 95 %, and how many hands it would take; "" if all are."""
    judgement = result.judgement
    open_pairs = [pair for pair in judgement.pairs if not pair.decided] if judgement else []
    open_pairs.sort(key=lambda pair: (pair.hands_needed is None, pair.hands_needed))
    said = [
        f"{result.players[pair.better].bot} and {result.players[pair.worse].bot}"
        + (f" ({pair.hands_needed:,} hands would, 4 times in 5)" if pair.hands_needed else "")
        for pair in open_pairs[:_SAID]
    ]
    more = len(open_pairs) - len(said)
    if not said:
        return ""
    others = f" and {more} more pair{'s' if more > 1 else ''}" if more else ""
    return f"not told apart at 95 %: {', '.join(said)}{others}"


def plan_words(result: RunFigures, difference: float = DEFAULT_DIFFERENCE) -> str:
    """Say which differences the run could detect, and how many hands detect `difference` bb/100."""
    planned = result.plan(difference)
    if planned is None:
        return ""
    hardest, easiest = planned.hardest, planned.easiest
    if len(planned.pairs) == 1:
        seen, hands = f"{hardest.resolution:.1f}", f"{hardest.hands:,} hands"
    else:
        seen = f"{easiest.resolution:.1f} ({_named(result, easiest)}) to {hardest.resolution:.1f} ({_named(result, hardest)})"
        hands = f"{easiest.hands:,} to {hardest.hands:,} hands"
    return f"smallest difference seen with 80 % power: {seen} bb/100; {difference:g} bb/100 takes {hands}"


def _named(result: RunFigures, pair: PlannedPair) -> str:
    return f"{result.players[pair.one].bot} and {result.players[pair.other].bot}"


def _warnings(result: RunFigures, raw: Estimates) -> list[str]:
    """Return reasons to doubt the intervals: tails too heavy for few units, one unit with too much weight."""
    heavy = [
        f"{player.bot} ({kurtosis:,.0f})"
        for player, kurtosis in zip(result.players, raw.kurtosis, strict=True)
        if raw.units < _HEAVY * kurtosis
    ]
    large = [
        f"{player.bot} ({100 * share:.0f} %)"
        for player, share in zip(result.players, raw.largest, strict=True)
        if share > _LARGE and raw.units >= 100
    ]
    lines = []
    if heavy:
        lines.append(
            f"few {raw.unit}s for such heavy tails (excess kurtosis): {', '.join(heavy)}; intervals are rough"
        )
    if large:
        lines.append(f"one {raw.unit} makes more than a twentieth of all squares: {', '.join(large)}")
    return lines


def remarks(result: RunFigures, difference: float = DEFAULT_DIFFERENCE) -> list[str]:
    """Return all remarks, a line each."""
    lines = [
        method_words(result),
        _raw_words(result),
        _speed(result),
        decision_words(result),
        bootstrap_words(result, doubts_only=True) if result.decision is None else "",
        undecided_words(result),
        plan_words(result, difference),
        *(_warnings(result, result.raw) if result.raw is not None and result.raw.kurtosis else ()),
        _thinking(result),
    ]
    lines += [
        f"seat {player.seat} {player.bot}: {player.faults.words}"
        for player in result.players
        if player.faults.words
    ]
    return [line for line in lines if line]


def _raw_words(result: RunFigures) -> str:
    """Return the results as the chips fell, if the table shows them without luck."""
    if all(player.bb_per_100_adjusted is None for player in result.players):
        return ""
    shown = [f"{player.bot} {estimate_text(player.bb_per_100)}" for player in result.players]
    return f"bb/100 as the chips fell: {', '.join(shown)}"


def _speed(result: RunFigures) -> str:
    rake = f", rake {result.rake:,}" if result.rake else ""
    played = f", {result.engine}" if result.engine else ""
    return (
        f"{result.hands_per_second:,.0f} hands/s, {result.driver} driver{played}; "
        f"chips in {result.chips_in:,}, out {result.chips_out:,}{rake}"
    )


def _thinking(result: RunFigures) -> str:
    thinking = [
        f"{player.bot} {player.seconds_per_decision * 1e6:,.1f}"
        for player in result.players
        if player.seconds_per_decision is not None
    ]
    return f"microseconds per decision: {', '.join(thinking)}" if thinking else ""
