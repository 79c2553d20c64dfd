"""The files that `simulate` writes beside its table: hands, pictures, the report."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import attrs
from cyclopts import Parameter

from poker_actors.atomic import check_directory
from poker_actors.cli.output import note
from poker_actors.cli.values import FILE, WRITTEN
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.rules.cash import CashOptions
    from poker_actors.sim import Match, SimulationResult, exports
    from poker_actors.sim.results import Comparison

__all__ = ["Files", "command_line"]


def _must_have_a_directory(files: Files, attribute: attrs.Attribute[str | None], text: str | None) -> None:
    if text is None:
        return
    path = Path(text)
    if not text or text.startswith("--") or path.is_dir():
        raise BadSpec(f"--{attribute.name} {text!r} is not a name of a file")
    check_directory(path)


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Files:
    """Options that write files."""

    jsonl: Annotated[str | None, FILE, WRITTEN] = attrs.field(default=None, validator=_must_have_a_directory)
    """Write every hand to this file, as a line of JSON."""
    phh: Annotated[str | None, FILE, WRITTEN] = None
    """Write every hand as a hand history, to a .phhs file, or to a directory, one .phh file each."""
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
            if self.phh is not None:
                sinks.append(stack.enter_context(exports.Histories(self.phh, match)))
            if self.parquet is not None:
                sinks.append(stack.enter_context(exports.Parquet(self.parquet)))
            if self.plot is not None or self.report is not None:
                sinks.append(starting_hands)
            yield sinks, starting_hands
        for path in (self.jsonl, self.phh, self.parquet):
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
