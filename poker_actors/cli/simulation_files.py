"""The output of `simulate` and `rank`: tables, and files of hands, pictures and the report."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import attrs
from cyclopts import Parameter

from poker_actors.atomic import check_directory
from poker_actors.cli.output import console, many, note
from poker_actors.cli.values import FILE, WRITTEN
from poker_actors.errors import BadSpec, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from poker_actors.rules.cash import CashOptions
    from poker_actors.sim import Match, SimulationResult, exports
    from poker_actors.sim.results import Comparison
    from poker_actors.sim.tournaments import TournamentResult


def _must_have_a_directory(files: Files, attribute: attrs.Attribute[str | None], text: str | None) -> None:
    if text is None:
        return
    path = Path(text)
    if not text or text.startswith("--") or path.is_dir():
        raise BadSpec(f"--{attribute.name} {text!r} is not a file name")
    check_directory(path)


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Files:
    """Options that write files."""

    jsonl: Annotated[str | None, FILE, WRITTEN] = attrs.field(default=None, validator=_must_have_a_directory)
    """Write every hand to this file, as a line of JSON."""
    history: Annotated[str | None, FILE, WRITTEN] = None
    """A file of hand histories: write every hand to it, in the format of its name, such as .phhs, .txt (PokerStars) or
    .jsonl; or to a folder, one .phh file each."""
    phh: Annotated[str | None, FILE, WRITTEN] = None
    """Older name of --history, for PHH only, whatever the file's name."""
    parquet: Annotated[str | None, FILE, WRITTEN] = attrs.field(
        default=None, validator=_must_have_a_directory
    )
    """Write Parquet to this file: every hand, a row per seat, and NAME.actions.parquet, a row per action."""
    plot: Annotated[str | None, FILE, WRITTEN] = attrs.field(default=None, validator=_must_have_a_directory)
    """Draw a picture (.png, .svg or .pdf): winnings, positions, differences and starting hands."""
    paper: Annotated[str | None, FILE, WRITTEN] = attrs.field(default=None, validator=_must_have_a_directory)
    """Write ranks and pairs for a paper, as LaTeX to FILE.tex, or to FILE.csv and FILE.pairs.csv."""
    report: Annotated[str | None, FILE, WRITTEN] = attrs.field(default=None, validator=_must_have_a_directory)
    """Write one HTML page with tables, pictures and how to play the same hands again."""

    @contextmanager
    def opened(
        self, match: Match
    ) -> Iterator[tuple[list[exports.Sink | exports.StartingHands], exports.StartingHands]]:
        """Open the files that take hands during play; raises `MissingExtra` before any hand is played."""
        from poker_actors.sim import exports

        self._check_pictures()
        starting_hands = exports.StartingHands(len(match.bots))
        with ExitStack() as stack:
            sinks: list[exports.Sink | exports.StartingHands] = []
            if self.jsonl is not None:
                sinks.append(stack.enter_context(exports.JsonLines(self.jsonl)))
            for path, format_name in ((self.history, None), (self.phh, "phh")):
                if path is not None:
                    sinks.append(stack.enter_context(exports.Histories(path, match, format_name)))
            if self.parquet is not None:
                sinks.append(stack.enter_context(exports.Parquet(self.parquet)))
            if self.plot is not None or self.report is not None:
                sinks.append(starting_hands)
            yield sinks, starting_hands
        for path in (self.jsonl, self.history, self.phh, self.parquet):
            if path is not None:
                note(f"wrote {path}")

    def _check_pictures(self) -> None:
        if self.paper is not None:
            from poker_actors.sim import pictures

            pictures.check_tables_path(Path(self.paper))
        if self.plot is not None or self.report is not None:
            from poker_actors.sim import pictures

            pictures.check_pictures()
            if self.plot is not None:
                pictures.check_picture_path(Path(self.plot))

    def draw(
        self,
        result: SimulationResult,
        starting_hands: exports.StartingHands,
        command: str,
        comparison: Comparison | None = None,
        *,
        difference: float,
    ) -> None:
        """Draw the pictures and the page of a finished run."""
        if self.plot is not None:
            from poker_actors.sim import pictures

            pictures.save_overview(result, starting_hands, Path(self.plot))
            note(f"wrote {self.plot}")
        if self.paper is not None:
            from poker_actors.sim import pictures

            pictures.result_tables(result).write(Path(self.paper))
            note(f"wrote {self.paper}")
        if self.report is not None:
            from poker_actors.sim import pictures

            path = Path(self.report)
            pictures.save_report(result, starting_hands, path, command, comparison, difference=difference)
            note(f"wrote {self.report}")


def command_line(match: Match, hands: int | None = None, *, adjust: str | None = None) -> str:
    """Return the command that plays the first `hands` hands of `match` again, all of them if None."""
    words = ["poker-actors", "simulate"]
    for spec in match.bots:
        words += ["--bot", str(spec)]
    words += ["--hands", str(match.hands if hands is None else hands), "--seed", str(match.seed)]
    words += ["--stacks", ",".join(map(str, match.stacks))]
    words += [] if match.rounds else ["--game", match.game.name]
    if match.stakes.big_blind:
        words += ["--blinds", f"{match.stakes.small_blind}/{match.stakes.big_blind}"]
    if match.stakes.ante != match.game.stakes.ante:
        words += ["--ante", str(match.stakes.ante)]
    if match.stakes.straddle:
        words += ["--straddle"]
    words += _options(match.options)
    if match.form.name != "cash":
        words += [f"--{match.form.name}"]
    if match.form.name == "carry-over":
        words += ["--session", str(match.unit)]
    if adjust:
        words += ["--adjust"] if adjust == "luck" else ["--adjust", adjust]
    return shlex.join(words)


def _options(options: CashOptions | None) -> list[str]:
    """Return the command-line options of a cash table."""
    words: list[str] = []
    if options is None:
        return words
    if options.rake is not None:
        words += ["--rake", str(options.rake)]
    if options.boards > 1:
        words += ["--run-it-twice"]
    if options.bomb_every:
        words += ["--bomb-pot", f"{options.bomb_every}/{options.bomb_pot}"]
        words += ["--bomb-boards", str(options.bomb_boards)] if options.bomb_boards > 1 else []
    return words


def print_result(result: SimulationResult, difference: float = 5.0) -> None:
    """Print a result as a table, with remarks below."""
    from rich.text import Text

    from poker_actors.sim import HEADINGS, table_rows

    out = console()
    taken, gap = _width_without_bars(result, out.width)
    room = min(24, out.width - taken - gap)
    rows = table_rows(result, room if room >= len(HEADINGS[-1]) else 0)
    headings = HEADINGS if rows[0][-1] else HEADINGS[:-1]
    body = [
        [
            Text(cell, style=_colour(player.net_chips) if place in (2, 3) else "")
            for place, cell in enumerate(row[: len(headings)])
        ]
        for row, player in zip(rows, result.players, strict=True)
    ]
    out.print(result.headline)
    out.print(result.ranking)
    print_table(headings, body, left=("bot", "winnings"), gap=gap)
    for line in result.remarks_for(difference):
        out.print(line)


def _colour(chips: int) -> str:
    return "green" if chips > 0 else "red" if chips < 0 else ""


def print_table(
    headings: Sequence[str],
    rows: Sequence[Sequence[str | Text]],
    left: tuple[str, ...],
    *,
    keys: int = 2,
    gap: int = 2,
) -> None:
    """Print a table without lines, its texts escaped; columns that are not `left` are flush right.

    On a narrow terminal, further columns go below in blocks, each after the first `keys`: no figure is cut.
    """
    from rich.table import Table

    from poker_actors.sim.results import blocks

    out = console()
    rows = [[printable(cell, "") if isinstance(cell, str) else cell for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for number, block in enumerate(blocks(widths, out.width, keys, gap)):
        table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
        for place in block:
            heading = headings[place]
            # only a long name of a bot is wrapped
            table.add_column(
                heading, justify="left" if heading in left else "right", no_wrap=heading != "bot"
            )
        for row in rows:
            table.add_row(*(row[place] for place in block))
        if number:
            out.print()
        out.print(table)


def _width_without_bars(result: SimulationResult, width: int) -> tuple[int, int]:
    """How many columns the figures take, and the gap between them: 2, or 1 where that is too wide."""
    from poker_actors.sim import HEADINGS, table_rows

    rows = [HEADINGS[:-1], *(row[:-1] for row in table_rows(result, 0))]
    figures = sum(max(map(len, column)) for column in zip(*rows, strict=True))
    gaps = len(HEADINGS) - 2
    gap = 2 if figures + 2 * gaps <= width else 1
    return figures + gap * gaps, gap


_ROWS: Final = 20
"""The least number of standings shown, if there are as many; every paid player is shown."""
_BROKEN: Final = 12
"""The most broken tables that are listed."""


def print_tournament(result: TournamentResult) -> None:
    """Print standings, levels, and totals of the tables."""
    out = console()
    structure = result.structure
    out.print(
        f"{structure.name} of {len(result.standings)} players at tables of {structure.seats}, "
        f"{structure.stack:,} chips, seed {result.seed}: {result.winner} wins"
    )
    _print_standings(result)
    hidden = len(result.standings) - max(_ROWS, len(result.payouts))
    if hidden > 0:
        out.print(f"and {hidden} more")
    out.print()
    _print_levels(result)
    out.print()
    for line in _remarks(result):
        out.print(line)


def _print_standings(result: TournamentResult) -> None:
    rebuys = any(placed.rebuys or placed.add_on for placed in result.standings)
    headings = (
        "place",
        "player",
        "bot",
        "prize",
        "paid",
        *(("rebuys",) if rebuys else ()),
        "hands",
        "moves",
        "out in",
    )
    rows = [
        (
            f"{placed.place}{'=' if placed.tied else ''}",
            placed.name,
            placed.bot,
            f"{placed.prize:,}" if placed.prize else "",
            f"{placed.paid:,}",
            *((str(placed.rebuys),) if rebuys else ()),
            f"{placed.hands:,}",
            str(placed.moves),
            "" if placed.place == 1 else f"level {placed.level}",
        )
        for placed in result.standings[: max(_ROWS, len(result.payouts))]
    ]
    print_table(headings, rows, left=("player", "bot"))


def _print_levels(result: TournamentResult) -> None:
    rows = []
    for level, stacks in enumerate(result.curve):
        leader = max(stacks, key=stacks.__getitem__)
        average = sum(stacks.values()) // len(stacks)
        stakes = str(result.structure.stakes(level))
        rows.append((str(level + 1), stakes, str(len(stacks)), f"{average:,}", leader, f"{stacks[leader]:,}"))
    print_table(("level", "blinds", "players", "average", "leader", "chips"), rows, left=("blinds", "leader"))


def _remarks(result: TournamentResult) -> list[str]:
    structure = result.structure
    clock = f"{result.time / 3600:.1f} h" if structure.by == "minutes" else f"{result.time} ticks"
    lines = [
        f"{many(result.hands, 'hand')} in {clock} of its clock, {many(result.tables, 'table')}, {many(result.moves, 'move')}"
    ]
    if result.broken:
        numbers = [str(table) for table in result.broken]
        if len(numbers) > _BROKEN:
            numbers[_BROKEN // 2 : -_BROKEN // 2] = [f"({len(numbers) - _BROKEN} more)"]
        lines.append(f"tables broken: {', '.join(numbers)}")
    if result.final_table is not None:
        lines.append(f"final table: {result.final_table}")
    if result.rounds:
        lines.append(f"hand for hand: {result.rounds} round{'s' if result.rounds > 1 else ''}")
    lines.append(f"chips in {result.chips_in:,}, out {result.chips_out:,}")
    fees = f", fees {result.fees:,}" if result.fees else ""
    lines.append(f"prizes in {result.prize_in:,}, out {result.prize_out:,}{fees}")
    faults = [f"{placed.name} {placed.faults}" for placed in result.standings if placed.faults]
    if faults:
        lines.append(f"faults: {', '.join(faults[:10])}")
    lines.append(f"digest {result.digest}")
    return lines
