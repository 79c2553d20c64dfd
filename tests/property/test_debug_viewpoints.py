"""Whoever may not see a card is not shown it, in no output of the debugger."""

import json
import re

import pytest

from poker_actors.browser import drawing_script, drawing_style
from poker_actors.cards import STANDARD_DECK
from poker_actors.debug import Script, Stepper, Viewpoint, mermaid, page, sequence_svg, trace_of
from poker_actors.debug.commands import COMMANDS, Commands
from poker_actors.errors import BadSpec

CARD = re.compile(r"(?<![0-9A-Za-z])(?:[2-9TJQKA][shdc])+(?![0-9A-Za-z])")
MARKS = str.maketrans("♠♥♦♣", "shdc")


def cards_in(text: str) -> set[str]:
    found = "".join(CARD.findall(text.translate(MARKS)))
    return {found[place : place + 2] for place in range(0, len(found), 2)} & {
        str(card) for card in STANDARD_DECK
    }


def allowed(stepper: Stepper) -> set[str]:
    """Cards that the view of the seat holds, its own, the board and what was shown."""
    hand = stepper.hand
    if hand is None:
        return set()
    seat = stepper.viewpoint.seat
    cards = [*hand.board, *(card for _, shown in hand.public().shown for card in shown)]
    cards += [] if seat is None else hand.holes[seat]
    return {str(card) for card in cards}


def everything_said(stepper: Stepper) -> str:
    """All that the terminal and the session can say at one position."""
    commands = Commands(stepper)
    lines = [
        "l",
        "t",
        "actors",
        "w",
        "diff",
        "forks",
        "b",
        "why pot",
        "why winner",
        "why main pot",
        "why to_call",
    ]
    lines += [f"p {name}" for name in (*stepper.names(), *stepper.actors)]
    said = [line for asked in lines for line in commands.do(asked)]
    parts = [json.dumps(stepper.state()), stepper._repr_svg_(), repr(stepper), repr(stepper.peek()), *said]
    return "\n".join(parts)


@pytest.mark.parametrize("viewpoint", ["spectator", "seat 0", "seat 3"])
@pytest.mark.parametrize("seed", [7, 8, 9])
def test_no_output_shows_a_card_that_the_viewpoint_does_not_show(viewpoint: str, seed: int) -> None:
    with Stepper(seed=seed, viewpoint=viewpoint) as stepper:
        step: object = None
        while True:
            assert cards_in(everything_said(stepper)) <= allowed(stepper)
            for _ in range(9):
                step = stepper.step()
            if step is None:
                break


def data_of(text: str) -> str:
    """Take the scripts and style sheets out of a page: those are the same for everybody."""
    script, style = drawing_script(), drawing_style()
    assert script in text
    assert style in text
    return text.replace(script, "").replace(style, "")


@pytest.mark.parametrize("viewpoint", ["spectator", "seat 2"])
def test_no_export_shows_a_card_that_the_viewpoint_never_shows_and_none_the_seed(viewpoint: str) -> None:
    with Stepper(seed=987_654, viewpoint=viewpoint) as stepper:
        exports = [data_of(page(stepper)), mermaid(stepper), sequence_svg(stepper)]
        stepper.run()
        for export in exports:
            assert cards_in(export) <= allowed(stepper)
            assert "987654" not in export
        with pytest.raises(BadSpec, match="a trace holds every card"):
            trace_of(stepper)


def test_god_sees_every_card_so_that_the_search_would_find_one() -> None:
    with Stepper(seed=7) as stepper:
        stepper.step_action()
        hand = stepper.hand
        assert hand is not None
        holes = {str(card) for hole in hand.holes for card in hole}
        assert holes <= cards_in(everything_said(stepper))
        assert holes <= cards_in(data_of(page(stepper)))


def test_another_players_action_is_not_seen_before_it_arrives() -> None:
    with Stepper(seed=7, viewpoint="seat 0") as stepper:
        while type(getattr(stepper.peek(), "message", None)).__name__ != "Act":
            stepper.step()
        assert "Act hidden" in "\n".join(Commands(stepper).do("l"))
        stepper.step()
        assert "Act call" in "\n".join(Commands(stepper).do("l"))


def test_the_view_of_another_seat_is_refused() -> None:
    with Stepper(seed=7, viewpoint="seat 2") as stepper:
        stepper.step()
        assert stepper.view(2).seat == 2
        with pytest.raises(BadSpec, match="not seen from seat 2"):
            stepper.view(1)


def test_a_viewpoint_prints_as_it_parses() -> None:
    for text in ("god", "spectator", "seat 3"):
        assert str(Viewpoint.parse(text)) == text
    assert Script.of(seed=1).seed == 1
    assert all(command.help for command in COMMANDS.values())
