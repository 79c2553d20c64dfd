"""Write a result as one self-contained HTML page: tables, pictures, and the command that reproduces it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from poker_actors.atomic import replacing
from poker_actors.sim.exports import StartingHands
from poker_actors.sim.histories import HistoryCounts, HistoryFigures
from poker_actors.sim.judging import DEFAULT_DIFFERENCE
from poker_actors.sim.pictures.charts import (
    hand_links,
    hands_section,
    position_links,
    positions_chart,
    starting_hand_grids,
    winnings_chart,
)
from poker_actors.sim.pictures.tables import (
    box,
    comparison_table,
    habits,
    history_table,
    matrix,
    pair_list,
    places,
    position_table,
    streets,
    summary,
)
from poker_actors.sim.results import (
    Comparison,
    PlayerResult,
    SimulationResult,
    bootstrap_words,
    method_sentence,
    method_words,
    separations,
)

__all__ = ["save_history_report", "save_report"]


def save_report(
    result: SimulationResult,
    hands: StartingHands,
    path: Path,
    command: str,
    comparison: Comparison | None = None,
    *,
    difference: float = DEFAULT_DIFFERENCE,
) -> None:
    """Write the page to `path`.

    `command` plays the same hands again; `difference` is the one to plan for, in bb/100.
    """
    links = [hand_links(result, player.seat) for player in result.players]
    bots = [player.bot for player in result.players]
    sections = {
        "Results": f"{summary(result)}<p>{'<br>'.join(map(escape, result.remarks_for(difference)))}</p>",
        "Compared with before": "" if comparison is None else _compared(comparison),
        "Winnings": _winnings(result),
        "Who is ahead of whom": _separations(result),
        "Habits": habits(result.players, bots, "Habits", links),
        "By position": _positions(result),
        "Starting hands": _starting_hands(result, hands),
        "By street": streets(result),
        "Hands behind the figures": hands_section(result, command),
        "How to play the same hands again": _again(result, command),
    }
    head = f"<p>{escape(result.headline)}</p>{_places(result)}"
    title = f"{result.hands:,} hands of {escape(result.game)} {escape(result.stakes)}"
    with replacing(path) as stream:
        stream.write(_page(result.headline, title, head, sections))


def save_history_report(counts: HistoryCounts, shown: Sequence[HistoryFigures], path: Path) -> None:
    """Write the figures of histories as a page; `shown` are the groups to show, the most hands first."""
    names = [", ".join(figures.group.values()) for figures in shown]
    sections = {
        "Results": history_table(counts.by, shown),
        "Habits": habits(shown, names, "Habits"),
        "Left out": "".join(f"<p>{times:,} hands: {escape(why)}</p>" for why, times in counts.left_out()),
    }
    head = f"<p>{escape(counts.headline)}</p><p class='soft'>Margins and intervals are of 95 %, hands taken as independent.</p>"
    with replacing(path) as stream:
        stream.write(_page(counts.headline, "Who played how", head, sections))


def _page(title: str, heading: str, head: str, sections: Mapping[str, str]) -> str:
    """Return a page of sections with a list of them; empty ones are left out."""
    spots = {name: name.lower().replace(" ", "-") for name, inside in sections.items() if inside}
    contents = "".join(f"<li><a href='#{place}'>{name}</a></li>" for name, place in spots.items())
    body = "".join(f"<section><h2 id='{spots[name]}'>{name}</h2>{sections[name]}</section>" for name in spots)
    style = files("poker_actors.sim.pictures").joinpath("report.css").read_text(encoding="utf-8")
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><style>{style}</style></head><body><main>"
        f"<h1>{heading}</h1>{head}"
        f"<nav aria-label='On this page'><ul>{contents}</ul></nav>{body}</main></body></html>\n"
    )


def _places(result: SimulationResult) -> str:
    if result.judgement is None:
        return "<p>Too few hands to tell.</p>"
    return f"<p class='soft'>All places together are right in 95 runs of 100; {escape(method_words(result))}.</p>{places(result)}"


def _compared(comparison: Comparison) -> str:
    return f"<p>{escape(comparison.headline)}</p>{comparison_table(comparison)}"


def _winnings(result: SimulationResult) -> str:
    chart = box(winnings_chart(result), "Winnings over the hands")
    return f"{chart}<p class='soft'>{escape(bootstrap_words(result))}</p>"


def _separations(result: SimulationResult) -> str:
    found = separations(result)
    if not found:
        return "<p>Too few hands to tell.</p>"
    return (
        "<p>By how many bb/100 the row is ahead of the column; bold where that stands out at 95 %.</p>"
        f"{matrix(result, found)}"
        f"<details><summary>Pairs with margins, and how many hands would tell them apart</summary>{pair_list(result, found)}</details>"
    )


def _positions(result: SimulationResult) -> str:
    chart = box(positions_chart(result), "Winnings by position")
    table = position_table(result, position_links(result))
    return chart + table + "".join(_habits_by_position(player, result) for player in result.players)


def _habits_by_position(player: PlayerResult, result: SimulationResult) -> str:
    places = [place for place in player.positions if place.hands]
    names = [
        f"{place.position}, {100 * place.net_chips / place.hands / result.big_blind:+.0f} bb/100"
        for place in places
    ]
    table = habits(places, names, f"Habits of {player.bot} by position")
    return f"<details><summary>Habits of {escape(player.bot)} by position</summary>{table}</details>"


def _starting_hands(result: SimulationResult, hands: StartingHands) -> str:
    """Draw the grids of each player; those of the winner are open."""
    shown = [player for player in result.players if hands.of[player.seat]]
    best = max(shown, key=lambda player: player.net_chips, default=None)
    return "".join(
        f"<details{' open' if player is best else ''}><summary>{escape(player.bot)}</summary>"
        f"{starting_hand_grids(hands.of[player.seat], result.big_blind, player.bot)}</details>"
        for player in shown
    )


def _again(result: SimulationResult, command: str) -> str:
    return (
        f"<pre tabindex='0' role='region' aria-label='The command'>{escape(command)}</pre>"
        f"<p>The digest must be <code>{result.digest}</code>.</p>"
        f"<p>In a paper: {escape(method_sentence(result))}</p>"
    )
