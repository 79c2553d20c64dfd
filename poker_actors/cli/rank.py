"""`poker-actors rank` and `lbr`: rank bots by matches of all pairs; measure what one loses to a player who knows it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

from poker_actors.cli.output import NO, columns, note, progress, say
from poker_actors.cli.simulate import Engine, Played, note_by_hand, refuse_ray
from poker_actors.cli.values import (
    CHIPS,
    FILE,
    GAME,
    WRITTEN,
    Blinds,
    Hands,
    JsonOption,
    JsonTarget,
    SetSeed,
    to_be_printed,
)
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from collections.abc import Sequence

    from poker_actors.rules import Game
    from poker_actors.sim import RoundRobin, RoundRobinResult
    from poker_actors.sim.exploiting import LocalBestResponse

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
    """Rank bots by matches between all pairs of them.

    `--hands` are split evenly among the pairs; every pair plays the same decks, each deck once per seat unless
    `--carry-over` is given. Shows the crosstable, the places each bot may have by total bankroll, the run-off,
    Bradley-Terry ratings, and the evolution of a population. The exit status is 1 if a bot was ejected for its faults.

    Args:
        plot: Draw a picture (.png, .svg or .pdf): the crosstable.
        paper: Write ranks and pairs for a paper, as LaTeX to FILE.tex, or to FILE.csv and FILE.pairs.csv.
    """
    from poker_actors.sim import ranking

    refuse_ray("rank", engine)
    robin = _round_robin(played, engine)
    _check_files(plot, paper)
    played_out = play_round_robin(robin, played)
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


def play_round_robin(robin: RoundRobin, played: Played) -> RoundRobinResult:
    """Play all matches with a progress bar; note on stderr a drawn seed, and which matches go hand by hand."""
    if played.root is None:
        note(f"seed {robin.seed}")
    note_by_hand(robin.not_compiled)
    with progress("hands", robin.hands * len(robin.pairs)) as advance:
        return robin.run(advance)


def note_ejected(result: RoundRobinResult) -> int | None:
    """Note ejected bots and their matches on stderr; return the exit status: 1 if there are any."""
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
        raise BadSpec(f"--bot: {len(bots)} given, but a ranking needs at least 2")
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


def lbr(
    bot: str,
    /,
    *,
    hands: Hands = 2_000,
    seed: SetSeed = 0,
    stacks: Annotated[str, CHIPS] = "100bb",
    blinds: Blinds = None,
    game: Annotated[str, GAME] = "holdem",
    menu: str = "pot",
    json: JsonOption = None,
) -> None:
    """Measure how much a bot that states its odds loses, at least, heads-up to a local best response.

    The opponent knows the bot's odds, keeps the range of hands it can have, and takes the best action at each turn by
    its estimate. A best response wins at least as much. 1000 mbb are one big blind; a bot that always folds loses 750 a
    hand. In Kuhn and Leduc poker the answer is exact: what a best response wins.

    Args:
        bot: NAME, NAME:key=value, FILE.py:FUNCTION or MODULE:FUNCTION; see docs/simulation.md for your own bots.
        stacks: Chips at the start: 200 or 100bb, the same for both.
        game: The game: one of two hole cards and five on the board, or kuhn or leduc.
        menu: The raises that the opponent considers besides all-in: pot; pots (half a pot, one and two); pot-later or pots-later (none before the flop); call (none at all); or worst, which tries all five and reports the costliest.
    """
    from poker_actors.rules import Stakes, game_named
    from poker_actors.sim.exploiting import MENUS, local_best_response

    rules = game_named(game)
    if rules.hole_cards == 1:
        _say_exactly(bot, rules, json)
        return
    stakes = rules.stakes if blinds is None else Stakes.parse(blinds)
    menus = list(MENUS) if menu == "worst" else [menu]
    play = partial(local_best_response, bot, hands=hands, seed=seed, stacks=stacks, stakes=stakes, game=rules)
    with progress("hands", hands * len(menus)) as advance:
        answers = [play(menu=each, progress=advance) for each in menus]
    if to_be_printed(json, _told(answers)):
        _say(answers)


def _worst(answers: Sequence[LocalBestResponse]) -> LocalBestResponse:
    return max(answers, key=lambda found: found.mbb_per_hand.mean)


def _told(answers: Sequence[LocalBestResponse]) -> dict[str, Any]:
    """Return the figures of the menu that costs the bot most, with those of every menu if there are several."""
    told = _worst(answers).to_dict()
    return told if len(answers) == 1 else {**told, "menus": [found.to_dict() for found in answers]}


def _say(answers: Sequence[LocalBestResponse]) -> None:
    worst = _worst(answers)
    won = worst.mbb_per_hand
    print(
        f"{worst.bot} loses at least {won.mean:,.0f} ± {won.margin or 0:,.0f} mbb a hand to local best response "
        f"({worst.hands:,} hands, seed {worst.seed})"
    )
    if len(answers) > 1:
        for found in answers:
            won = found.mbb_per_hand
            print(f"  menu {found.menu}: {won.mean:,.0f} ± {won.margin or 0:,.0f}")


def _say_exactly(bot: str, game: Game, json: JsonTarget | None) -> None:
    from poker_actors.sim.exploiting import exploitability

    lost = exploitability(bot, game)
    if to_be_printed(json, {"bot": bot, "game": game.name, "chips_per_hand": lost}):
        print(
            f"{bot} loses {lost:.6f} chips a hand to a best response ({game}, exact, both seats taken alike)"
        )
