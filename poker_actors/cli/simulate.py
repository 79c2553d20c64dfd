"""`poker-actors simulate`: many hands between bots, and what they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from poker_actors.cli.json_target import JsonOption
from poker_actors.cli.output import console, note, progress
from poker_actors.errors import BadSpec

if TYPE_CHECKING:
    from poker_actors.sim import Match, Simulation, SimulationResult

__all__ = ["simulate"]

Signed = Annotated[str, Parameter(allow_leading_hyphen=True)]


def simulate(  # noqa: PLR0913  every option of the command is one
    *,
    bot: list[str] | None = None,
    hands: int = 10_000,
    seed: int | None = None,
    stacks: Signed = "100bb",
    blinds: Signed = "1/2",
    ante: int = 0,
    game: str = "holdem",
    driver: str = "direct",
    hand: int | None = None,
    json: JsonOption = None,
) -> None:
    """Play many hands between bots and show who wins, how, and how sure that is.

    The same seed plays the same hands with every driver, and each hand can be looked at alone.

    Args:
        bot: A bot, once per seat: NAME, NAME:key=value,key=value, FILE.py:FUNCTION or MODULE:FUNCTION.
            Six different ones if none is given.
        hands: How many hands to play.
        seed: Any whole number; drawn, and shown, if not given.
        stacks: Chips each hand starts with: 200, 100bb, or one per seat, 200,150,90.
        blinds: SMALL/BIG, in chips.
        ante: Chips each seat puts in before the cards.
        game: holdem, limit-holdem, omaha or short-deck.
        driver: direct (fastest), stepper or threads (through the actors).
        hand: Show this one hand, street by street, with all cards, instead of playing them all.
        json: Write the result as JSON.
    """
    from poker_actors.rules import Stakes
    from poker_actors.sim import DEFAULT_BOTS, Match, Simulation

    if hands < 1:
        raise BadSpec(f"--hands {hands} is below the minimum of 1")
    if hand is not None and hand < 0:
        raise BadSpec(f"--hand {hand} is below the minimum of 0")
    stakes = Stakes.parse(blinds, ante=ante)
    match = Match.of(bot or DEFAULT_BOTS, hands=hands, seed=seed, stacks=stacks, stakes=stakes, game=game)
    simulation = Simulation(match, driver)
    if seed is None:
        note(f"seed {match.seed}")
    if hand is not None:
        _show_hand(match, driver, hand, json)
    else:
        _play(simulation, json)


def _play(simulation: Simulation, json: JsonOption) -> None:
    try:
        with progress("hands", simulation.match.hands) as advance:
            simulation.run(advance)
    except KeyboardInterrupt:
        if simulation.result().hands:
            _show(simulation.result(), json)
        raise
    _show(simulation.result(), json)


def _show(result: SimulationResult, json: JsonOption) -> None:
    if json is not None:
        json.write(result.to_dict())
    if json is None or not json.is_stdout:
        _print_table(result)


def _print_table(result: SimulationResult) -> None:
    from rich.table import Table
    from rich.text import Text

    from poker_actors.sim import HEADINGS, table_rows

    out = console()
    taken, gap = _width_without_bars(result, out.width)
    room = min(24, out.width - taken - gap)
    rows = table_rows(result, room if room >= len(HEADINGS[-1]) else 0)
    table = Table(box=None, pad_edge=False, padding=(0, gap, 0, 0), header_style="bold")
    headings = HEADINGS if rows[0][-1] else HEADINGS[:-1]
    for heading in headings:
        left = heading in ("bot", "winnings")
        table.add_column(heading, justify="left" if left else "right", no_wrap=heading != "bot")
    for row, player in zip(rows, result.players, strict=True):
        style = "green" if player.net_chips > 0 else "red" if player.net_chips < 0 else ""
        cells = row[: len(headings)]
        table.add_row(
            *(Text(cell, style=style if place in (2, 3) else "") for place, cell in enumerate(cells))
        )
    out.print(result.headline)
    out.print(table)
    out.print(
        f"{result.hands_per_second:,.0f} hands/s, {result.driver} driver; "
        f"chips in {result.chips_in:,}, out {result.chips_out:,}"
    )
    for player in result.players:
        if player.faults.first:
            out.print(
                f"seat {player.seat} {player.bot}: {player.illegal_actions} faults, the first: {player.faults.first}"
            )


def _width_without_bars(result: SimulationResult, width: int) -> tuple[int, int]:
    """How many columns the figures take, and the gap between them: 2, or 1 where that is too wide."""
    from poker_actors.sim import HEADINGS, table_rows

    rows = [HEADINGS[:-1], *(row[:-1] for row in table_rows(result, 0))]
    figures = sum(max(map(len, column)) for column in zip(*rows, strict=True))
    gaps = len(HEADINGS) - 2
    gap = 2 if figures + 2 * gaps <= width else 1
    return figures + gap * gaps, gap


def _show_hand(match: Match, driver: str, number: int, json: JsonOption) -> None:
    from poker_actors.sim import hand_dict, play_hand, tell_hand

    played = play_hand(match, number, driver)
    if json is not None:
        json.write(hand_dict(number, played))
    if json is None or not json.is_stdout:
        out = console()
        out.print(f"hand {number} of seed {match.seed}")
        for line in tell_hand(played, [str(spec) for spec in match.bots]):
            out.print(line)
