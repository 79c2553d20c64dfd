"""A result as one self-contained HTML page: tables, pictures, and how to reproduce it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Final

from poker_actors.sim.exports import StartingHands
from poker_actors.sim.pictures.overview import heat_maps_png, pairs_png, positions_png, winnings_png
from poker_actors.sim.results import Habits, PlayerResult, SimulationResult, bootstrap_words, separations

__all__ = ["save_report"]

_STYLE: Final = """
body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:75rem;padding:0 1rem;color:#1b1b1b}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;white-space:nowrap}
th,td{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ddd}
th:nth-child(2),td:nth-child(2),th:first-child,td:first-child{text-align:left}
img{max-width:100%;height:auto}pre{background:#f4f4f4;padding:.7rem;overflow-x:auto}
.scroll{overflow-x:auto}
"""


def save_report(result: SimulationResult, hands: StartingHands, path: Path, command: str) -> None:
    """Write the page to `path`; `command` is what plays the same hands again."""
    parts = [
        f"<h1>{result.hands:,} hands of {escape(result.game)} {escape(result.stakes)}</h1>",
        f"<div class='scroll'>{result._repr_html_()}</div>",
        _picture(winnings_png(result), "Winnings over the hands, with 95 % bands"),
        f"<p>{escape(bootstrap_words(result))}</p>",
        "<h2>Habits</h2>",
        _table("", result.players, [player.bot for player in result.players]),
        "<h2>By position</h2>",
        _picture(positions_png(result), "bb/100 by position"),
        *(_by_position(player, result) for player in result.players),
        "<h2>By street</h2>",
        _by_street(result),
        "<h2>Who is ahead of whom</h2>",
        _separations(result),
        _picture(pairs_png(result), "Differences between players"),
        "<h2>Starting hands</h2>",
        *(_player_hands(player, hands, result) for player in result.players),
        "<h2>How to play the same hands again</h2>",
        f"<pre>{escape(command)}</pre><p>The digest must be <code>{result.digest}</code>.</p>",
    ]
    title = escape(result.headline)
    page = (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
        f"<style>{_STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )
    beside = path.with_name(f".{path.name}.part")
    beside.write_text(page, encoding="utf-8")
    beside.replace(path)


def _picture(image: bytes, words: str) -> str:
    return f"<p><img alt='{escape(words)}' src='data:image/png;base64,{b64encode(image).decode()}'></p>"


def _table(corner: str, columns: Sequence[Habits], names: Sequence[str]) -> str:
    """The tracker's figures, a column each; numerator and denominator under the pointer."""
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    figures = [column.statistics for column in columns]
    rows = []
    for name in figures[0] if figures else ():
        shown = "".join(
            f"<td title='{each[name].count} of {each[name].of}'>{each[name]}</td>" for each in figures
        )
        rows.append(f"<tr><td>{escape(name.replace('_', ' '))}</td>{shown}</tr>")
    return f"<div class='scroll'><table><tr><th>{escape(corner)}</th>{head}</tr>{''.join(rows)}</table></div>"


def _by_position(player: PlayerResult, result: SimulationResult) -> str:
    names = [
        f"{place.position}, {100 * place.net_chips / place.hands / result.big_blind:+.0f} bb/100"
        for place in player.positions
        if place.hands
    ]
    places = [place for place in player.positions if place.hands]
    return f"<details><summary>{escape(player.bot)}</summary>{_table('', places, names)}</details>"


def _by_street(result: SimulationResult) -> str:
    rows = []
    for player in result.players:
        for street in player.streets:
            factor = "-" if street.aggression_factor is None else f"{street.aggression_factor:.2f}"
            cells = [street.raises, street.calls, street.folds, street.checks]
            shares = [street.aggression, street.cbet, street.fold_to_cbet]
            shown = "".join(f"<td>{cell:,}</td>" for cell in cells) + f"<td>{factor}</td>"
            shown += "".join(
                "<td></td>" if share is None else f"<td title='{share.count} of {share.of}'>{share}</td>"
                for share in shares
            )
            rows.append(f"<tr><td>{escape(player.bot)}</td><td>{street.street}</td>{shown}</tr>")
    heads = (
        "",
        "street",
        "raises",
        "calls",
        "folds",
        "checks",
        "factor",
        "frequency",
        "c-bet",
        "fold to c-bet",
    )
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    return f"<div class='scroll'><table><tr>{head}</tr>{''.join(rows)}</table></div>"


def _separations(result: SimulationResult) -> str:
    found = separations(result)
    if not found:
        return "<p>Too few hands to tell.</p>"
    rows = [
        f"<tr><td>{escape(result.players[pair.better].bot)}</td><td>{escape(result.players[pair.worse].bot)}</td>"
        f"<td>{pair.difference.mean:.1f} ± {pair.difference.margin or 0:.1f}</td>"
        f"<td>{'yes' if pair.separated else 'no'}</td>"
        f"<td>{'-' if pair.hands_needed is None else f'{pair.hands_needed:,}'}</td></tr>"
        for pair in found
    ]
    head = "<tr><th>ahead</th><th>of</th><th>bb/100</th><th>at 95 %</th><th>hands needed</th></tr>"
    return f"<table>{head}{''.join(rows)}</table>"


def _player_hands(player: PlayerResult, hands: StartingHands, result: SimulationResult) -> str:
    if not hands.of[player.seat]:
        return ""
    picture = _picture(
        heat_maps_png(hands.of[player.seat], result.big_blind), f"Starting hands of {player.bot}"
    )
    return f"<h3>{escape(player.bot)}</h3>{picture}"
