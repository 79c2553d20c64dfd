"""`poker-actors rank`: rank bots by matches between all pairs of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from poker_actors.cli.exits import NO
from poker_actors.cli.output import columns, note, progress, say
from poker_actors.cli.simulate import Engine, Played, note_by_hand, refuse_ray
from poker_actors.cli.values import FILE, WRITTEN, JsonOption, to_be_printed
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.sim import RoundRobin, RoundRobinResult

__all__ = ["note_ejected", "rank"]

_PLAYED: Final = Played()
_ENGINE: Final = Engine()


def rank(
    *,
    played: Played = _PLAYED,
    engine: Engine = _ENGINE,
    plot: Annotated[Path | None, FILE, WRITTEN] = None,
    paper: Annotated[Path | None, FILE, WRITTEN] = None,
    json: JsonOption = None,
) -> int | None:
    """Rank bots by a match between every two of them.

    `--hands` is how many are played in all, shared out evenly; every pair plays the same decks, each
    deck once per seat unless `--carry-over` is given. Shows the crosstable, the places each bot may have by
    total bankroll, the run-off, Bradley-Terry ratings, and what becomes of a population. The exit status is 1 if a bot
    was ejected for its faults.

    Args:
        plot: Draw a picture (.png, .svg or .pdf): the crosstable.
        paper: Write ranks and pairs for a paper, as LaTeX to FILE.tex, or to FILE.csv and FILE.pairs.csv.
    """
    from poker_actors.sim import ranking

    refuse_ray("rank", engine)
    robin = _round_robin(played, engine)
    _check_files(plot, paper)
    if played.root is None:
        note(f"seed {robin.seed}")
    note_by_hand(robin.not_compiled)
    with progress("hands", robin.hands * len(robin.pairs)) as advance:
        played_out = robin.run(advance)
    found = ranking.ranked(played_out)
    if to_be_printed(json, found.to_dict()):
        say(ranking.ranking_text(found, columns()))
        say(f"played {played_out.engine}")
    if plot is not None:
        from poker_actors.sim import pictures

        pictures.save_crosstable(found, plot)
        note(f"wrote {plot}")
    if paper is not None:
        from poker_actors.sim import pictures

        pictures.ranking_tables(found).write(paper)
        note(f"wrote {paper}")
    return note_ejected(played_out)


def note_ejected(result: RoundRobinResult) -> int | None:
    """Note on stderr who was ejected in which match; return the exit status: 1 if anybody was."""
    gone = [
        f"{player.bot} was ejected in hand {player.faults.ejected} of the match {' - '.join(bots)}"
        for pairing in result.pairings
        for bots in [[one.bot for one in pairing.result.players]]
        for player in pairing.result.players
        if player.faults.ejected is not None
    ]
    for words in gone:
        note(words)
    return NO if gone else None


def _round_robin(played: Played, engine: Engine) -> RoundRobin:
    from poker_actors.sim import DEFAULT_BOTS, CarryOver, Cash, Duplicate, RoundRobin

    bots = played.bots or list(DEFAULT_BOTS)
    if len(bots) < 2:
        raise BadSpec(f"--bot: {len(bots)} given, a ranking takes 2")
    form = played.form
    chosen = Duplicate() if isinstance(form, Cash) else form
    pairs = len(bots) * (len(bots) - 1) // 2
    unit = chosen.unit(2)
    each = played.count // pairs // unit * unit
    # fewer than eight units say too little about the variance, on which the intervals rest
    if each < 8 * unit:
        name = f"sessions of {unit} hands" if isinstance(chosen, CarryOver) else "decks"
        raise BadSpec(f"--hands {played.count} is below the minimum of {8 * unit * pairs}: 8 {name} a pair")
    settings = played.settings | {"form": chosen}
    return RoundRobin(
        bots,
        each,
        engine.driver,
        engine.workers,
        engine=engine.engine,
        adjust=engine.adjust or False,
        **settings,
    )


def _check_files(plot: Path | None, paper: Path | None) -> None:
    if plot is None and paper is None:
        return
    from poker_actors.sim import pictures

    if plot is not None:
        pictures.check_pictures()
        pictures.check_picture_path(plot)
    if paper is not None:
        pictures.check_tables_path(paper)
