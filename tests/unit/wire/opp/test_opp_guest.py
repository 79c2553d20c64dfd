"""What our rules make of a heard hand, and what a guest tells its player of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from poker_actors.actors import Room, StepRuntime
from poker_actors.rules import Call, Check, View
from poker_actors.wire.opp import Guest, HoldemState, Message, Op, TerminalSeat, message
from poker_actors.wire.opp.guest import _opening, heard_end, heard_public
from poker_actors.wire.opp.protocol.hand import Bookkeeper
from tests.unit.wire.opp.test_opp_client import (
    BLINDS,
    ROWS,
    SHOWDOWN,
    START,
    WALK,
    Said,
    in_and,
    server,
    told_of,
)

WATCHED = (Op.START_NEW_GAME, 10, 3, 0, -1, 9, ROWS)


def heard(*said: Said) -> HoldemState:
    books = Bookkeeper()
    for one in said:
        assert books.hear(message(*one)) is None
    assert books.hand is not None
    return books.hand


def opened(
    *blinds: tuple[int, int], bankrolls: tuple[int, ...] = (500, 500, 500)
) -> tuple[int | None, int, int]:
    """Return small blind, big blind and the small blind's stake that these payments mean."""
    rows = tuple((name, chips, 0) for (name, _, _), chips in zip(ROWS, bankrolls, strict=True))
    positions, stakes = _opening(
        heard((Op.START_NEW_GAME, 10, 3, 0, 0, 7, rows), *((Op.BLIND, *blind) for blind in blinds))
    )
    return positions.small_blind, positions.big_blind, stakes.small_blind


@pytest.mark.parametrize(
    ("blinds", "bankrolls", "said"),
    [
        (((1, 5), (2, 10)), (500, 500, 500), (1, 2, 5)),
        (((1, 10), (2, 5)), (500, 500, 500), (2, 1, 5)),
        (((1, 5), (2, 3)), (500, 500, 3), (1, 2, 5)),
        (((1, 3), (2, 10)), (500, 500, 500), (1, 2, 3)),
        (((1, 3), (2, 10)), (500, 3, 500), (1, 2, 5)),
        (((2, 10),), (500, 500, 500), (None, 2, 5)),
    ],
    ids=["as usual", "big one first", "big one short", "odd", "small one short", "dead small one"],
)
def test_blinds_say_who_posts_what(
    blinds: tuple[tuple[int, int], ...], bankrolls: tuple[int, ...], said: tuple[int | None, int, int]
) -> None:
    assert opened(*blinds, bankrolls=bankrolls) == said


def test_a_state_is_that_of_who_is_to_act_and_of_the_board_that_was_told() -> None:
    hand = heard(START, *BLINDS)
    public = heard_public(hand, 0, 10)
    assert public is not None
    assert (public.active, public.to_call(0)) == (0, 10)
    assert heard_public(hand, 1) is None
    assert heard_public(hand, 0, 99) is None
    assert heard_public(heard(START, *BLINDS, (Op.NEW_STAGE, 1, "2c 7d 9h")), 0) is None


def test_steps_are_played_until_one_is_out_of_turn() -> None:
    public = heard_public(heard(START, *BLINDS, (Op.CALL, 1, 5)), 0)
    assert public is not None
    assert public.seq == 0
    over = heard(START, *BLINDS, (Op.FOLD, 0), (Op.FOLD, 1), (Op.CALL, 2, 0), (Op.WINNERS, 1, ((2, 15),)))
    assert heard_end(over) is not None


def test_an_end_has_no_chips_that_were_not_there() -> None:
    assert heard_end(heard(START, *BLINDS, (Op.CALL, 0, 10), (Op.WINNERS, 1, ((0, 25),)))) is None
    walked = (*BLINDS, (Op.FOLD, 0), (Op.FOLD, 1))
    assert heard_end(heard(START, *walked, (Op.WINNERS, 1, ((2, 15),)))) is not None
    assert heard_end(heard(START, *walked, (Op.WINNERS, 1, ((2, 16),)))) is None
    flop = ((Op.CALL, 2, 0), (Op.NEW_STAGE, 1, "2c 7d 9h"), (Op.FOLD, 1), (Op.WINNERS, 1, ((2, 15),)))
    end = heard_end(heard(START, *BLINDS, (Op.FOLD, 0), (Op.CALL, 1, 600), *flop))
    assert end is not None
    assert end.chips_behind == (10_000, 9_395, 10_005), "on credit, as nobody had 605 chips to pay"


def test_a_hand_that_is_watched_or_has_no_blinds_yet_is_not_told() -> None:
    others = [(Op.BLIND, 1, 5), (Op.BLIND, 2, 10), (Op.NEXT_TO_ACT, 0, 10, 10, 10), (Op.FOLD, 0)]
    assert told_of(WATCHED, *others, (Op.FOLD, 1), (Op.WINNERS, 1, ((2, 15),))) == []
    assert told_of(START, (Op.HOLE_CARDS, 0, "Ah Ad"), (Op.NEXT_TO_ACT, 1, 5, 10, 10)) == []


def guest_of(*said: Said, hands: int | None = None) -> tuple[Guest, list[Message]]:
    def bot(view: View) -> Call | Check:
        return Call() if view.to_call else Check()

    with server(in_and(*said)) as (script, client), Room(StepRuntime(), seed=1) as room:
        assert client.joingame()
        guest = Guest(room.player("ann", bot), client)
        guest.play(hands)
    return guest, script.heard[1:]


def test_a_guest_leaves_at_the_end_of_its_last_hand() -> None:
    guest, sent = guest_of(*WALK, *SHOWDOWN, hands=2)
    assert guest.hands == 2
    assert sent == [Message(Op.ACTION, (1,)), Message(Op.QUIT_GAME)]


def test_hands_announced_again_or_watched_are_not_counted() -> None:
    guest, _ = guest_of(START, START, WATCHED)
    assert guest.hands == 1


@pytest.mark.parametrize("known", [BLINDS[:2], [(Op.HOLE_CARDS, 0, "Ah Ad")]], ids=["no cards", "no blinds"])
def test_who_is_asked_before_it_knows_its_cards_or_the_blinds_calls(known: list[Said]) -> None:
    guest, sent = guest_of(START, *known, (Op.NEXT_TO_ACT, 0, 5, -1, -1))
    assert (sent, guest.misunderstood) == ([Message(Op.ACTION, (1,))], 0)


def shown_to_a_person(*said: Said, typed: tuple[str | None, ...] = ()) -> tuple[str, list[Any]]:
    lines: Iterator[str | None] = iter(typed)
    shown: list[str] = []
    with server(in_and(*said)) as (script, client):
        assert client.joingame()
        TerminalSeat(lambda prompt: next(lines), shown.append).play(client)
    return "\n".join(shown), [each.op for each in script.heard[1:]]


def test_a_person_sees_a_table_at_each_change_that_is_not_said_in_words() -> None:
    text, sent = shown_to_a_person(
        START, *BLINDS, (Op.NEW_STAGE, 1, "2c 7d 9h"), (Op.NEXT_TO_ACT, 0, 10, 10, 10), typed=("Quit",)
    )
    assert sent == [Op.QUIT_GAME]
    assert "shows" not in text
    assert text.count("Hole cards: Ah Ad") == 3, "own cards, the flop, the turn"
    assert text.count("\n---\n") == 4, "before and after each table but that of the turn"
    watched, _ = shown_to_a_person(WATCHED, *BLINDS[:2], (Op.NEW_STAGE, 1, "2c 7d 9h"))
    assert "(you watch)" in watched
    assert "Hole cards" not in watched
