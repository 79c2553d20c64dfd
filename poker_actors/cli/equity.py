"""`poker-actors equity`: print each hand's expected share of the pot."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal

import attrs
from cyclopts import Parameter

from poker_actors.cli.exits import INTERRUPTED
from poker_actors.cli.output import console, note, progress
from poker_actors.cli.values import JsonOption, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.evaluator.equity import EquityResult

__all__ = ["Deals", "equity"]

Game = Literal[
    "holdem", "omaha", "short-deck", "omaha8", "limit-omaha8", "big-o", "courchevel8", "double-board-holdem",
    "double-board-omaha", "stud", "stud8", "razz", "five-card-draw", "2-7-single-draw",
    "2-7-triple-draw", "a-5-triple-draw", "badugi", "badacey", "badeucy",
]  # fmt: skip


@Parameter(name="*")
@attrs.frozen(kw_only=True)
class Deals:
    """Options that decide what is dealt, and how often."""

    board: Annotated[str, Parameter(metavar="CARDS")] = ""
    """Up to five cards already on the board; two boards with / between them."""
    dead: Annotated[str, Parameter(metavar="CARDS")] = ""
    """Dead cards, which cannot be dealt."""
    game: Game = "holdem"
    """The game: in stud and draw games, hands are the cards that are known or kept, `random` for none."""
    draws: int | None = None
    """In draw games, draws still to come; each hand keeps what the house bots would."""
    exact: bool = False
    """Go through every board, however long it takes."""
    trials: int | None = None
    """Sample random deals instead of every board, at most so many."""
    stderr: float | None = None
    """Sample until no standard error is above this, in percent of the pot."""
    seed: int = 0
    """Seed of everything random: any whole number; the same gives the same random deals."""

    @property
    def error(self) -> float | None:
        """The wanted standard error as a fraction of the pot; raise `BadSpec` if it is out of range."""
        if self.stderr is not None and not 0 < self.stderr < 100:
            raise BadSpec(f"--stderr {self.stderr:g} is not between 0 and 100 (percent of the pot)")
        return None if self.stderr is None else self.stderr / 100


def equity(
    *hands: str,
    range: Annotated[list[str] | None, Parameter(name="--range")] = None,  # noqa: A002  the option's name
    deals: Deals | None = None,
    json: JsonOption = None,
) -> int | None:
    """Print the equities of two to ten hands or ranges: how much of the pot each may expect.

    Every board is gone through where that takes a few seconds at most; else boards are dealt at
    random. An interrupt ends random deals early with the equities so far.

    Args:
        hands: Known hands, `AsKs`, or ranges, `"QQ+, AKs, 76s-54s, 22+:0.5"`, one per player.
        range: The range of a further player; may be repeated.
    """
    from poker_actors.evaluator.equity import equity as asked

    chosen = deals or Deals()
    with _shown() as advance:
        result = asked(
            [*hands, *(range or [])],
            chosen.board,
            dead=chosen.dead,
            game=chosen.game,
            method="exact" if chosen.exact else "auto",
            trials=chosen.trials,
            stderr=chosen.error,
            seed=chosen.seed,
            draws=chosen.draws,
            progress=advance,
        )
    if to_be_printed(json, attrs.asdict(result)):
        _print(result)
    if result.interrupted:
        note(f"interrupted after {result.boards:,} deals")
        return INTERRUPTED
    return None


@contextmanager
def _shown() -> Iterator[Callable[[int, int], None]]:
    """Yield a function of the work done and the total; its first call opens the progress bar.

    The total is not known before: the calculation decides whether to go through all boards or to sample.
    """
    with ExitStack() as stack:
        bar: list[Any] = []
        before = 0

        def advance(done: int, total: int) -> None:
            nonlocal before
            if not bar:
                bar.append(stack.enter_context(progress("equity", total)))
            bar[0](done - before)
            before = done

        yield advance


def _print(result: EquityResult) -> None:
    from rich.table import Table

    out = console()
    sign = "+-" if out.options.ascii_only else "\u00b1"
    table = Table(box=None, pad_edge=False)
    for name in ("hand", "equity", "win", "tie", *([] if result.exact else [sign])):
        table.add_column(name, justify="left" if name == "hand" else "right")
    for player in result.players:
        cells = [f"{100 * part:.4f} %" for part in (player.share, player.win, player.tie)]
        error = [] if result.exact else [f"{100 * player.stderr:.4f} %"]
        table.add_row(player.hand, *cells, *error)
    out.print(table)
    how = "boards, all of them" if result.exact else f"random deals; {sign} is one standard error"
    out.print(f"{result.boards:,} {how}")
