"""Draw the pictures of a result, with one way to tell bots apart in all of them, on given axes or into files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import sqrt
from pathlib import Path, PurePath
from textwrap import fill
from typing import TYPE_CHECKING, Any, Final

from poker_actors.atomic import check_directory
from poker_actors.cards import RANKS
from poker_actors.errors import BadSpec, from_extra
from poker_actors.sim.exports import StartingHand, StartingHands
from poker_actors.sim.judging import LEVEL, mixture_width
from poker_actors.sim.ranking.rank import Ranking
from poker_actors.sim.results.figures import PositionResult, position_names, separations
from poker_actors.sim.results.result import SimulationResult
from poker_actors.sim.results.words import method_sentence

if TYPE_CHECKING:
    from poker_actors.sim.tournaments.result import TournamentResult

COLOURS: Final = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#6a3d9a", "#7f7f7f", "#a6761d", "#1b1b1b",
)  # fmt: skip
"""Ten colours that colour-blind people can tell apart, too: Okabe and Ito's, and three more."""

STROKES: Final[tuple[Any, ...]] = (
    "-", (0, (5, 2)), (0, (1, 1.5)), (0, (7, 2, 1, 2)), (0, (3, 1, 1, 1, 1, 1)),
    (0, (10, 3)), (0, (2, 3)), (0, (8, 2, 3, 2)), (0, (5, 1, 1, 1)), (0, (1, 4)),
)  # fmt: skip
"""Ten kinds of lines, in points on and off, for readers without colour."""

MARKERS: Final = "osD^vPX*<>"
"""Ten kinds of points, for the same reason."""

LONGEST_NAME: Final = 14
"""Letters of a name in a picture; tables show the whole name."""

AROUND_ZERO: Final = "PuOr"
"""Purple above 0 and orange below: colour-blind people cannot tell red from green."""


def check_pictures() -> None:
    """Raise `MissingExtra` unless pictures can be drawn."""
    figure(1, 1)


def figure(width: float, height: float) -> Any:
    """Make a figure of `width` by `height` inches outside pyplot's global state; raise `MissingExtra`."""
    with from_extra("plot", "matplotlib"):
        from matplotlib.figure import Figure
    return Figure(figsize=(width, height), layout="constrained")


def short_names(bots: Sequence[str]) -> list[str]:
    """Return a name of at most 14 letters for each bot, all different; FILE.py:FUNCTION gives FUNCTION if possible.

    >>> short_names(["bots/mine.py:mine", "tight", "tight"])
    ['mine', 'tight 1', 'tight 2']
    """
    names = [_last_part(bot) for bot in bots]
    # names that only differ at their ends are told apart by those
    cut = max((_front, _back), key=lambda cut: len({cut(name, LONGEST_NAME) for name in names}))
    common = Counter(cut(name, LONGEST_NAME) for name in names)
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        shown = cut(name, LONGEST_NAME)
        seen[shown] += 1
        number = f" {seen[shown]}" if common[shown] > 1 else ""
        found.append(cut(name, LONGEST_NAME - len(number)) + number)
    return found


def _last_part(bot: str) -> str:
    """Return the most telling part of a bot's name: without folders, and only the function of FILE.py:FUNCTION."""
    front, colon, last = bot.rpartition(":")
    if colon and front.endswith(".py"):
        return last
    return bot if colon else PurePath(bot).name or bot


def _front(name: str, most: int) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _back(name: str, most: int) -> str:
    return name if len(name) <= most else f"…{name[1 - most :]}"


_HIGH_FIRST: Final = RANKS[::-1]

_LETTERS: Final = 7
"""Points of the letters that name a line."""

SHARES: Final = ("played", "raised", "won")
"""The values a heat map can show for each starting hand: shares of the hands dealt, or bb won per hand."""


def draw_winnings(axes: Any, result: SimulationResult, ink: str = "black") -> None:
    """Draw the curves of winnings in big blinds, named at their ends, each with its 95 % band; the axis in `ink`."""
    ends = []
    for player in result.players:
        curve = player.corrected_curve or player.curve
        points = len(curve)
        hands = [min((place + 1) * result.hands / points, result.hands) for place in range(points)]
        chips = [value / result.big_blind for value in curve]
        colour = COLOURS[player.seat % len(COLOURS)]
        axes.plot(hands, chips, color=colour, linestyle=STROKES[player.seat % len(STROKES)], linewidth=1.4)
        ends.append(chips[-1] if chips else 0.0)
        error = _error(result, player.seat)
        if error is not None:
            width = [error * _width(count, result) for count in hands]
            low = [value - half for value, half in zip(chips, width, strict=True)]
            high = [value + half for value, half in zip(chips, width, strict=True)]
            axes.fill_between(hands, low, high, color=colour, alpha=0.12, linewidth=0)
    axes.axhline(0, color=ink, linewidth=0.6)
    axes.set(title="Winnings, with bands that hold at all times at 95 %", xlabel="hands", ylabel="big blinds")
    _name_lines(axes, short_names([player.bot for player in result.players]), ends, ink)


def _name_lines(axes: Any, names: Sequence[str], ends: Sequence[float], ink: str) -> None:
    """Write each curve's name at its end, in its colour; names that would overlap are moved a line apart."""
    low, high = axes.get_ylim()
    inches = axes.get_position().height * axes.figure.get_size_inches()[1]
    step = (high - low) * _LETTERS * 1.3 / (72 * inches)
    order = sorted(range(len(ends)), key=lambda seat: ends[seat])
    places: list[float] = []
    for seat in order:
        places.append(max(ends[seat], places[-1] + step) if places else ends[seat])
    # what was pushed above the axes moves down again, all together
    over = max(places[-1] - (high - step / 2), 0) if places else 0
    last = axes.dataLim.x1
    for seat, place in zip(order, places, strict=True):
        axes.annotate(
            names[seat], (last, ends[seat]), xytext=(1.03, place - over), textcoords=("axes fraction", "data"),
            va="center", fontsize=_LETTERS, color=ink, annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": COLOURS[seat % len(COLOURS)], "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip


def _error(result: SimulationResult, bot: int) -> float | None:
    """Return the standard error of a bot's total winnings, in big blinds."""
    variance = None if result.best is None else result.best.variance(bot)
    return None if variance is None else sqrt(variance) / 100 * result.hands


def _width(hands: float, result: SimulationResult) -> float:
    """Return half the band's width after some hands, in standard errors: it is valid at all times simultaneously."""
    unit = result.best.unit_hands if result.best is not None else 1
    # the error of a sum grows with the root of the hands
    return mixture_width(hands / unit) * sqrt(hands / result.hands)


def draw_positions(axes: Any, result: SimulationResult, ink: str = "black") -> None:
    """Draw each player's winnings in each position, in bb/100, as points with 95 % intervals; the axis in `ink`."""
    names = _positions(result)
    width = 0.8 / len(result.players)
    for player, label in zip(result.players, short_names([one.bot for one in result.players]), strict=True):
        by_name = {place.position: place for place in player.positions}
        heights = [_bb_per_100(by_name.get(name), result) for name in names]
        left = [place + (player.seat + 0.5) * width - 0.4 for place in range(len(names))]
        colour, marker = COLOURS[player.seat % len(COLOURS)], MARKERS[player.seat % len(MARKERS)]
        margins = [_margin(by_name.get(name)) for name in names]
        axes.errorbar(
            left, heights, margins, fmt=marker, color=colour, markersize=4, elinewidth=1, capsize=2, label=label
        )  # fmt: skip
    axes.axhline(0, color=ink, linewidth=0.6)
    axes.set_xticks(range(len(names)), names)
    axes.set(title="By position, as the chips fell, with 95 % intervals", ylabel="bb/100")


def _positions(result: SimulationResult) -> list[str]:
    """Return the positions that occurred: in a short run not every player has sat in all of them."""
    usual = position_names(len(result.players))
    sat_in = dict.fromkeys(place.position for player in result.players for place in player.positions)
    return [name for name in dict.fromkeys([*usual, *sat_in]) if name in sat_in]


def _margin(place: PositionResult | None) -> float:
    return 0.0 if place is None or place.bb_per_100 is None else place.bb_per_100.margin or 0.0


def _bb_per_100(place: PositionResult | None, result: SimulationResult) -> float:
    if place is None or not place.hands:
        return 0.0
    return 100 * place.net_chips / place.hands / result.big_blind


def draw_pairs(axes: Any, result: SimulationResult) -> None:
    """Draw the row's lead over the column, in bb/100; bold if significant at 95 %."""
    size = len(result.players)
    ahead = [[0.0] * size for _ in range(size)]
    texts = [[""] * size for _ in range(size)]
    bold = set()
    for pair in separations(result):
        ahead[pair.better][pair.worse] = pair.difference.mean
        ahead[pair.worse][pair.better] = -pair.difference.mean
        margin = "" if pair.difference.margin is None else f"\n± {pair.difference.margin:.0f}"
        texts[pair.better][pair.worse] = f"{pair.difference.mean:+.0f}{margin}"
        texts[pair.worse][pair.better] = f"{-pair.difference.mean:+.0f}{margin}"
        if pair.separated:
            bold |= {(pair.better, pair.worse), (pair.worse, pair.better)}
    _draw_matrix(axes, ahead, texts, bold, [player.bot for player in result.players])
    axes.set_title("Ahead of the column by bb/100 (bold: at 95 %)")


def draw_crosstable(axes: Any, ranking: Ranking) -> None:
    """Draw the row's winnings from the column, in bb/100 with margins; bold if significant at 95 %."""
    order = ranking.order
    cells = [[ranking.cells[row][column] for column in order] for row in order]
    values = [[cell.estimate.mean if cell else 0.0 for cell in row] for row in cells]
    texts = [
        [f"{cell.estimate.mean:+.0f}\n± {cell.estimate.margin or 0:.0f}" if cell else "" for cell in row]
        for row in cells
    ]
    bold = {
        (row, column)
        for row, line in enumerate(cells)
        for column, cell in enumerate(line)
        if cell is not None and cell.p <= LEVEL
    }
    _draw_matrix(axes, values, texts, bold, [ranking.names[bot] for bot in order])
    axes.set_title("What the row wins from the column, bb/100 (bold: at 95 %, all pairs together)")


def _draw_matrix(
    axes: Any,
    values: Sequence[Sequence[float]],
    texts: Sequence[Sequence[str]],
    bold: Collection[tuple[int, int]],
    names: Sequence[str],
) -> None:
    """Draw numbers around 0 as a matrix, purple above 0 and orange below."""
    size = len(names)
    most = max(max(map(abs, row)) for row in values) or 1.0
    image = axes.imshow(values, cmap=AROUND_ZERO, vmin=-most, vmax=most)
    for row in range(size):
        for column in range(size):
            weight = "bold" if (row, column) in bold else "normal"
            red, green, blue, _ = image.cmap(image.norm(values[row][column]))
            # by what the eye makes of the ground, in grey as in colour
            colour = "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else "black"
            axes.text(
                column, row, texts[row][column], ha="center", va="center", weight=weight, color=colour, fontsize=_fine(size)
            )  # fmt: skip
    axes.set_xticks(range(size), short_names(names), rotation=30, ha="right")
    axes.set_yticks(range(size), short_names(names))


def _fine(size: int) -> float:
    """Return the size of the letters, in points, that fit into a cell of a matrix half a page wide."""
    return 6.5 if size <= 4 else max(40 / size, 3.5)


def draw_heat_map(axes: Any, hands: Mapping[str, StartingHand], show: str, big_blind: int) -> None:
    """Draw the 169 starting hands, suited ones above the diagonal; `show` is one of `SHARES`."""
    values = [
        [_value(hands.get(hand_name(row, column)), show, big_blind) for column in range(13)]
        for row in range(13)
    ]
    if show == "won":
        most = max((abs(value) for line in values for value in line if value == value), default=1.0) or 1.0  # noqa: PLR0124  leaves out nan, which does not equal itself
        axes.imshow(values, cmap=AROUND_ZERO, vmin=-most, vmax=most)
    else:
        axes.imshow(values, cmap="Blues", vmin=0, vmax=1)
    for row in range(13):
        for column in range(13):
            dark = show != "won" and values[row][column] > 0.6
            colour = "white" if dark else "black"
            axes.text(column, row, hand_name(row, column), ha="center", va="center", fontsize=6, color=colour)
    axes.set_xticks([])
    axes.set_yticks([])
    axes.set_title({"played": "played", "raised": "raised", "won": "won, bb a hand"}[show], fontsize="medium")


def hand_name(row: int, column: int) -> str:
    """Name the hand of a cell: `AKs` above the diagonal, `AKo` below it; row and column 0 are aces."""
    if row == column:
        return _HIGH_FIRST[row] * 2
    high, low = sorted((row, column))
    return _HIGH_FIRST[high] + _HIGH_FIRST[low] + ("s" if row < column else "o")


def share(hand: StartingHand, show: str, big_blind: int) -> float:
    """Return the share named `show` (see `SHARES`) of a starting hand that was dealt."""
    if show == "won":
        return hand.net_chips / hand.dealt / big_blind
    count: int = getattr(hand, show)
    return count / hand.dealt


def _value(hand: StartingHand | None, show: str, big_blind: int) -> float:
    return share(hand, show, big_blind) if hand is not None else float("nan")


_FORMATS: Final = (".png", ".svg", ".pdf")
_PAGE: Final = 7.0
"""The width of two columns of a paper, in inches; each chart is as wide as one."""


def check_picture_path(path: Path) -> None:
    """Raise `BadSpec` unless a picture can be written to `path`."""
    if path.suffix.lower() not in _FORMATS:
        raise BadSpec(f"picture {path}: it can be {', '.join(_FORMATS)}")
    check_directory(path)


def save_overview(result: SimulationResult, hands: StartingHands, path: str | Path) -> None:
    """Write winnings, positions, differences and the winner's starting hands as one picture, two columns of a paper wide."""
    check_picture_path(Path(path))
    drawn = figure(_PAGE, 7.6)
    with _small():
        (winnings, positions), (pairs, cards) = drawn.subplots(2, 2)
        draw_winnings(winnings, result)
        draw_positions(positions, result)
        positions.legend(fontsize=6, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.12), frameon=False)
        draw_pairs(pairs, result)
        best = max(result.players, key=lambda player: player.net_chips)
        draw_heat_map(cards, hands.of[best.seat], "played", result.big_blind)
        cards.set_title(
            f"Starting hands played by {short_names([one.bot for one in result.players])[best.seat]}"
        )
        for axes in (winnings, positions, pairs, cards):
            axes.set_title(_lines(axes.get_title(), 44), fontsize=8)
        drawn.supxlabel(_lines(method_sentence(result), 130), fontsize=6.5, ha="left", x=0.01)
        drawn.savefig(path, dpi=300)


def save_crosstable(ranking: Ranking, path: Path) -> None:
    """Write the crosstable of winnings as a picture, two columns of a paper wide for up to a dozen bots."""
    check_picture_path(path)
    size = len(ranking.names)
    width = max(_PAGE, 0.5 * size + 1.5)
    drawn = figure(width, max(3.5, 0.42 * size + 1.6))
    with _small():
        axes = drawn.subplots()
        draw_crosstable(axes, ranking)
        axes.set_title(_lines(axes.get_title(), 100), fontsize=8)
        drawn.savefig(path, dpi=300)


@contextmanager
def _small() -> Iterator[None]:
    """Draw in the type size of figures in papers: 7 points."""
    from matplotlib import rc_context

    with rc_context({"font.size": 7, "axes.linewidth": 0.6, "svg.fonttype": "none", "pdf.fonttype": 42}):
        yield


def _lines(text: str, most: int) -> str:
    """Break a text into lines of at most `most` letters, but never between a number and its %."""
    return fill(text.replace(" %", "\u00a0%"), most)


_SHOWN: Final = 9
"""Players whose stacks are drawn: more curves cannot be told apart."""


def save_tournament(result: TournamentResult, path: Path) -> None:
    """Write the stacks of the best players and the size of the field as one picture."""
    check_picture_path(path)
    drawn = figure(9, 7)
    stacks, field = drawn.subplots(2, 1, sharex=False, height_ratios=(2, 1))
    _draw_stacks(stacks, result)
    _draw_field(field, result)
    drawn.suptitle(
        f"{result.structure.name}, {len(result.standings)} players, seed {result.seed}: {result.winner or 'unfinished'}"
    )
    drawn.savefig(path)


def _draw_stacks(axes: Any, result: TournamentResult) -> None:
    for placed in result.standings[:_SHOWN]:
        there = [
            (level + 1, row[placed.name]) for level, row in enumerate(result.curve) if placed.name in row
        ]
        axes.plot(
            *zip(*there, strict=True), label=f"{placed.place}. {placed.name} {placed.bot}", linewidth=1.6
        )
    axes.set(title="Stacks as each level began", xlabel="level", ylabel="chips")
    axes.legend(fontsize="small", loc="upper left")


def _draw_field(axes: Any, result: TournamentResult) -> None:
    left, times, counts = 0, [0], [0]
    for moment in result.moments:
        change = {"entered": 1, "out": -1}.get(moment.what, 0)
        if change:
            left += change
            times.append(moment.time)
            counts.append(left)
    unit = 60 if result.structure.by == "minutes" else 1
    axes.step([time / unit for time in times], counts, where="post", color="#0072b2")
    axes.set(xlabel="minutes" if unit == 60 else "hands", ylabel="players", ylim=(0, None))
