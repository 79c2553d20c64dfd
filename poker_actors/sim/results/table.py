"""A result as a table, in plain text and HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from poker_actors.sim.intervals import Estimate
from poker_actors.sim.results.figures import RunFigures, Share

HEADINGS: Final = (
    "#",
    "bot",
    "net chips",
    "bb/100 ± 95 %",
    "VPIP %",
    "PFR %",
    "WTSD %",
    "W$SD %",
    "all-ins",
    "illegal",
    "winnings",
)
_BARS: Final = "▁▂▃▄▅▆▇█"


def table_rows(result: RunFigures, bars: int = 24) -> list[tuple[str, ...]]:
    """Return a row of texts per player, in the order of `HEADINGS`; winnings are at most `bars` bars."""
    points = [chips for player in result.players for chips in player.curve]
    low, high = min(points, default=0), max(points, default=0)
    return [
        (
            str(player.seat),
            player.bot if player.faults.ejected is None else f"{player.bot} (ejected)",
            f"{player.net_chips:+,}",
            estimate_text(player.judged),
            *(map(_percent, (player.vpip, player.pfr, player.wtsd, player.wsd)) if player.bets else "----"),
            f"{player.all_ins:,}",
            f"{player.illegal_actions:,}",
            sparkline(player.curve, low, high, bars),
        )
        for player in result.players
    ]


def estimate_text(estimate: Estimate) -> str:
    """Write a mean and its margin: `+12.3 ±   4.5`."""
    margin = "-" if estimate.margin is None else f"{estimate.margin:.1f}"
    return f"{estimate.mean:+.1f} ± {margin:>5}"


def _percent(share: Share) -> str:
    return "-" if share.value is None else f"{100 * share.value:.1f}"


def table_text(result: RunFigures) -> str:
    """Return the table in plain text, numbers flush right."""
    return aligned([HEADINGS, *table_rows(result)], left=(1, len(HEADINGS) - 1))


def aligned(
    rows: Sequence[Sequence[str]], left: Sequence[int], width: int | None = None, keys: int = 2
) -> str:
    """Return rows of texts as lines of columns; those not in `left` are flush right.

    Columns that exceed `width` go below in further blocks, each of which repeats the first `keys` columns.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    parts = []
    for block in blocks(widths, width, keys):
        chosen = [block.index(place) for place in left if place in block]
        sizes = [widths[place] for place in block]
        parts.append("\n".join(_line([row[place] for place in block], sizes, chosen) for row in rows))
    return "\n\n".join(parts)


def blocks(widths: Sequence[int], width: int | None, keys: int, gap: int = 2) -> list[list[int]]:
    """Divide the columns into blocks at most `width` wide, if possible; each begins with the first `keys`."""
    first = list(range(keys))
    found, taken = [list(first)], sum(widths[:keys]) + gap * (keys - 1)
    at = taken
    for place in range(keys, len(widths)):
        if width is not None and at + gap + widths[place] > width and len(found[-1]) > keys:
            found.append(list(first))
            at = taken
        found[-1].append(place)
        at += gap + widths[place]
    return found


def table_html(result: RunFigures, headline: str = "", remarks: Sequence[str] = ()) -> str:
    """Return the table as HTML, for notebooks and reports."""
    table = html_table(headline, HEADINGS, table_rows(result))
    return f"{table}<p>{'<br>'.join(map(escape, remarks))}</p>"


def html_table(headline: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return texts as an HTML table below a headline."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<p>{escape(headline)}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _line(row: Sequence[str], widths: Sequence[int], left: Sequence[int]) -> str:
    cells = [
        cell.ljust(width) if place in left else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    ]
    return "  ".join(cells).rstrip()


def sparkline(values: Sequence[int], low: int, high: int, width: int) -> str:
    """Draw values between `low` and `high` as a line of at most `width` bars."""
    if not values or width < 1:
        return ""
    count = min(width, len(values))
    chosen = [values[(place + 1) * len(values) // count - 1] for place in range(count)]
    span = max(high - low, 1)
    return "".join(_BARS[min((value - low) * len(_BARS) // span, len(_BARS) - 1)] for value in chosen)
