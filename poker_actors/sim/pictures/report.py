"""A result as one self-contained HTML page: tables, pictures, and how to reproduce it."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from pathlib import Path

from poker_actors.sim.exports import StartingHands
from poker_actors.sim.pictures.charts import positions_chart, winnings_chart
from poker_actors.sim.pictures.grids import starting_hand_grids
from poker_actors.sim.pictures.tables import box, habits, matrix, pair_list, streets, summary
from poker_actors.sim.results import PlayerResult, SimulationResult, bootstrap_words, separations

__all__ = ["save_report"]


def save_report(result: SimulationResult, hands: StartingHands, path: Path, command: str) -> None:
    """Write the page to `path`; `command` is what plays the same hands again."""
    sections = {
        "Winnings": _winnings(result),
        "Who is ahead of whom": _separations(result),
        "Habits": habits(result.players, [player.bot for player in result.players], "Habits"),
        "By position": _positions(result),
        "Starting hands": _starting_hands(result, hands),
        "By street": streets(result),
        "How to play the same hands again": _again(result, command),
    }
    places = {name: name.lower().replace(" ", "-") for name, inside in sections.items() if inside}
    links = "".join(f"<li><a href='#{place}'>{name}</a></li>" for name, place in places.items())
    body = "".join(
        f"<section><h2 id='{places[name]}'>{name}</h2>{sections[name]}</section>" for name in places
    )
    style = files("poker_actors.sim.pictures").joinpath("report.css").read_text(encoding="utf-8")
    page = (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(result.headline)}</title><style>{style}</style></head><body><main>"
        f"<h1>{result.hands:,} hands of {escape(result.game)} {escape(result.stakes)}</h1>"
        f"<p>{escape(result.headline)}</p>{summary(result)}<p>{'<br>'.join(map(escape, result.remarks))}</p>"
        f"<nav aria-label='On this page'><ul>{links}</ul></nav>{body}</main></body></html>\n"
    )
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(page, encoding="utf-8")
    beside.replace(path)


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
    return chart + "".join(_habits_by_position(player, result) for player in result.players)


def _habits_by_position(player: PlayerResult, result: SimulationResult) -> str:
    places = [place for place in player.positions if place.hands]
    names = [
        f"{place.position}, {100 * place.net_chips / place.hands / result.big_blind:+.0f} bb/100"
        for place in places
    ]
    table = habits(places, names, f"Habits of {player.bot} by position")
    return f"<details><summary>Habits of {escape(player.bot)} by position</summary>{table}</details>"


def _starting_hands(result: SimulationResult, hands: StartingHands) -> str:
    """The grids of each player; those of the winner are open."""
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
    )
