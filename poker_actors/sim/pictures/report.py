"""Write a result as one self-contained HTML page: tables, pictures, and the command that reproduces it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

from poker_actors.atomic import replacing
from poker_actors.sim.exports import StartingHands
from poker_actors.sim.histories import HISTORY_HEADINGS, HistoryCounts, HistoryFigures
from poker_actors.sim.intervals import Estimate
from poker_actors.sim.judging import DEFAULT_DIFFERENCE, Separation
from poker_actors.sim.pictures.charts import (
    hand_links,
    hands_section,
    position_links,
    positions_chart,
    starting_hand_grids,
    winnings_chart,
)
from poker_actors.sim.pictures.drawings import short_names
from poker_actors.sim.results.bootstrap import bootstrap_words
from poker_actors.sim.results.comparison import Comparison
from poker_actors.sim.results.figures import COUNTED, Habits, PlayerResult, PositionResult, Share, separations
from poker_actors.sim.results.result import SimulationResult
from poker_actors.sim.results.table import HEADINGS, estimate_text, table_rows
from poker_actors.sim.results.words import method_sentence, method_words

_STREETS: Final = (
    *("street", "bot", "raises", "calls", "folds", "checks"),
    *("factor", "frequency", "c-bet", "fold to c-bet"),
)

_LONGEST_HEADING: Final = 24
"""Letters of a bot's name above a column."""
_WORDS: Final = frozenset(
    ("ahead", "ahead of", "bot", "bot before", "figure", "of", "place", "street", "verdict", "winnings")
)
"""Headings of columns of text."""


def box(inside: str, words: str) -> str:
    """Put wide content into a box that scrolls, even by keyboard, and is labelled `words`."""
    return f"<div class='scroll' tabindex='0' role='region' aria-label='{escape(words)}'>{inside}</div>"


def places(result: SimulationResult) -> str:
    """Write the places each bot may have, the best first, and its results with and without luck; say how they were found."""
    judgement = result.judgement
    if judgement is None:
        return "<p>Too few hands to tell.</p>"
    without = ["bb/100 without luck"] if result.corrected is not None else []
    heads = ["place", "bot", *without, "bb/100 as the chips fell", "net chips", "hands"]
    order = sorted(result.players, key=lambda player: (judgement.ranks[player.seat], player.seat))
    rows = []
    for player in order:
        best, worst = judgement.ranks[player.seat]
        place = str(best) if best == worst else f"{best} to {worst}"
        shown = [player.bb_per_100_adjusted] if player.bb_per_100_adjusted else []
        rows.append(
            [
                f"<td class='place'>{place}</td>",
                _row_head(player.bot),
                *(f"<td>{estimate_text(each)}</td>" for each in [*shown, player.bb_per_100]),
                f"<td>{player.net_chips:+,}</td>",
                f"<td>{player.hands:,}</td>",
            ]
        )
    how = f"All places together are right in 95 runs of 100; {escape(method_words(result))}."
    return f"<p class='soft'>{how}</p>{_table(heads, rows, 'Places')}"


def summary(result: SimulationResult) -> str:
    """Write a row for each player, as the command prints it."""
    bot = HEADINGS.index("bot")
    rows = [
        [_row_head(cell) if place == bot else _cell(cell, place) for place, cell in enumerate(row)]
        for row in table_rows(result)
    ]
    return _table(HEADINGS, rows, "Results")


def _cell(cell: str, place: int) -> str:
    kind = " class='bars'" if place == len(HEADINGS) - 1 else ""
    return f"<td{kind}>{escape(cell)}</td>"


def habits(
    columns: Sequence[Habits], names: Sequence[str], words: str, links: Sequence[Mapping[str, str]] = ()
) -> str:
    """Write tracker figures with their counts, a column per player or position; `links` are anchors by counter."""
    figures = [column.statistics for column in columns]
    known = links or [{}] * len(columns)
    rows = [
        [
            _row_head(name.replace("_", " ")),
            *(_share(each[name], link.get(COUNTED[name])) for each, link in zip(figures, known, strict=True)),
        ]
        for name in (figures[0] if figures else ())
    ]
    return _table(["figure", *names], rows, words)


def history_table(by: Sequence[str], shown: Sequence[HistoryFigures]) -> str:
    """Write a row for each group of hands of histories, as the command prints it."""
    rows = [
        [
            *(_row_head(value) for value in figures.group.values()),
            *(f"<td>{cell}</td>" for cell in figures.cells),
        ]
        for figures in shown
    ]
    return _table([*by, *HISTORY_HEADINGS], rows, "Results")


def position_table(result: SimulationResult, links: Mapping[tuple[int, str], str]) -> str:
    """Write each bot's winnings in each position, as the chips fell, with 95 % margins."""
    names = list(dict.fromkeys(place.position for player in result.players for place in player.positions))
    rows = []
    for player in result.players:
        by_name = {place.position: place for place in player.positions if place.hands}
        cells = [_place(by_name.get(name), links.get((player.seat, name)), result) for name in names]
        rows.append([_row_head(player.bot), *cells])
    return _table(["bot", *names], rows, "By position")


def _place(place: PositionResult | None, link: str | None, result: SimulationResult) -> str:
    if place is None:
        return "<td></td>"
    found = place.bb_per_100
    mean = 100 * place.net_chips / place.hands / result.big_blind
    text = f"{mean:+.0f}" if found is None or found.margin is None else f"{mean:+.0f} ± {found.margin:.0f}"
    return f"<td>{_linked(text, link)}<small>{place.hands:,} hands</small></td>"


def _linked(text: str, link: str | None) -> str:
    return text if link is None else f"<a href='#{link}'>{text}</a>"


def streets(result: SimulationResult) -> str:
    """Write each player's figures, street by street."""
    rows = [
        _street(player, number)
        for number in range(len(result.players[0].streets))
        for player in result.players
    ]
    return _table(_STREETS, rows, "By street")


def _street(player: PlayerResult, number: int) -> list[str]:
    street = player.streets[number]
    factor = "-" if street.aggression_factor is None else f"{street.aggression_factor:.2f}"
    counts = (street.raises, street.calls, street.folds, street.checks)
    shown = [f"<td>{count:,}</td>" for count in counts] + [f"<td>{factor}</td>"]
    shown += map(_share, (street.aggression, street.cbet, street.fold_to_cbet))
    return [f"<td class='words'>{street.street}</td>", _row_head(player.bot), *shown]


def matrix(result: SimulationResult, found: Iterable[Separation]) -> str:
    """Write the row's lead over the column, in bb/100; bold if significant at 95 %."""
    ahead = {}
    for pair in found:
        ahead[pair.better, pair.worse] = (pair.difference, pair.separated)
        ahead[pair.worse, pair.better] = (pair.difference.scaled(-1), pair.separated)
    most = max((abs(difference.mean) for difference, _ in ahead.values()), default=0.0) or 1.0
    rows = []
    for player in result.players:
        cells = [_ahead(ahead.get((player.seat, other.seat)), most) for other in result.players]
        rows.append([_row_head(player.bot), *cells])
    return _table(["ahead of", *_headings(result)], rows, "Who is ahead of whom")


def _headings(result: SimulationResult) -> list[str]:
    """Return the bots as column headings, shortened if six of the names would not fit on a screen."""
    bots = [player.bot for player in result.players]
    return bots if max(map(len, bots)) <= _LONGEST_HEADING else short_names(bots)


def _ahead(one: tuple[Estimate, bool] | None, most: float) -> str:
    if one is None:
        return "<td></td>"
    found, sure = one
    mean, margin = found.mean, found.margin or 0.0
    kind = f"{'ahead' if mean >= 0 else 'behind'}{' sure' if sure else ''}"
    return (
        f"<td class='{kind}' style='--v:{abs(mean) / most:.2f}'>{mean:+.0f}<small>± {margin:.0f}</small></td>"
    )


def pair_list(result: SimulationResult, found: Iterable[Separation]) -> str:
    """Write the differences pair by pair, with margins and the hands that would tell them apart."""
    rows = [
        [
            _row_head(result.players[pair.better].bot),
            f"<td class='words'>{escape(result.players[pair.worse].bot)}</td>",
            f"<td>{pair.difference.mean:.1f} ± {pair.difference.margin or 0:.1f}</td>",
            f"<td>{pair.p:.4f}</td>",
            f"<td>{'yes' if pair.separated else 'no'}</td>",
            f"<td>{'-' if pair.hands_needed is None else f'{pair.hands_needed:,}'}</td>",
        ]
        for pair in found
    ]
    heads = ["ahead", "of", "bb/100", "p, corrected", "at 95 %", "hands needed"]
    return _table(heads, rows, "Pairs with margins")


def comparison_table(comparison: Comparison) -> str:
    """Write a comparison of two results, seat by seat, below what was compared."""
    rows = [
        [
            _row_head(each.bot),
            f"<td>{estimate_text(each.here)}</td>",
            f"<td class='words'>{escape(each.before)}</td>",
            f"<td>{estimate_text(each.there)}</td>",
            f"<td>{estimate_text(each.difference)}</td>",
            f"<td>{each.p:.4f}</td>",
            f"<td class='words'>{each.verdict}</td>",
            f"<td>{'-' if each.hands_needed is None else f'{each.hands_needed:,}'}</td>",
        ]
        for each in comparison.bots
    ]
    before = ("bot", "bb/100", "bot before", "bb/100 before")
    heads = [*before, "difference", "p, corrected", "verdict", "hands needed"]
    return f"<p>{escape(comparison.headline)}</p>{_table(heads, rows, 'Compared')}"


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], words: str) -> str:
    """Make a table; each cell names its column, too, for phones, where cells are stacked."""
    head = "".join(_head(name) for name in heads)
    body = "".join(
        f"<tr role='row'>{''.join(_named(cell, name) for cell, name in zip(row, heads, strict=True))}</tr>"
        for row in rows
    )
    return box(
        f"<table role='table'><thead role='rowgroup'><tr role='row'>{head}</tr></thead>"
        f"<tbody role='rowgroup'>{body}</tbody></table>",
        words,
    )


def _named(cell: str, name: str) -> str:
    if cell.startswith("<th"):
        return cell
    return cell.replace("<td", f"<td role='cell' data-h='{escape(name)}'", 1)


def _head(name: str) -> str:
    kind = " class='words'" if name in _WORDS else ""
    return f"<th{kind} role='columnheader' scope='col'>{escape(name)}</th>"


def _row_head(name: str) -> str:
    return f"<th role='rowheader' scope='row'>{escape(name)}</th>"


def _share(share: Share | None, link: str | None = None) -> str:
    if share is None:
        return "<td></td>"
    return f"<td>{_linked(str(share), link)}<small>{share.count:,} of {share.of:,}</small></td>"


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
    sections = {
        "Results": f"{summary(result)}<p>{'<br>'.join(map(escape, result.remarks_for(difference)))}</p>",
        "Compared with before": "" if comparison is None else comparison_table(comparison),
        "Winnings": _winnings(result),
        "Who is ahead of whom": _separations(result),
        "Habits": habits(result.players, _headings(result), "Habits", links),
        "By position": _positions(result),
        "Starting hands": _starting_hands(result, hands),
        "By street": streets(result),
        "Hands behind the figures": hands_section(result, command),
        "How to play the same hands again": _again(result, command),
    }
    head = f"<p>{escape(result.headline)}</p>{places(result)}"
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
    head = f"<p>{escape(counts.headline)}</p><p class='soft'>Margins and intervals are at 95 %, assuming independent hands.</p>"
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
