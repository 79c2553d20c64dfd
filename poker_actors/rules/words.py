"""A moment of a hand in one sentence, for people, chat rooms and language models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from poker_actors.cards import Card
from poker_actors.rules.event import told
from poker_actors.rules.public import BRINGS_IN, DRAWS, LAYS, THROWS, PublicState

YOU: Final = "you"
"""The name of the seat that the text addresses."""


def state_text(public: PublicState, names: Sequence[str | None] = (), *, turn: bool = True) -> str:
    """Return what everybody sees: `Flop 7c 3s Ac, pot 40; ann to call 20 of 180`.

    `names` are by seat; a seat without one is `seat 0`. Open cards and rows come with the board; a finished hand has
    its shown cards and winners. Without `turn` it leaves out who is to act: `Flop 7c 3s Ac, pot 40`.
    """
    table = f"{_street(public)}, pot {public.pot}" if public.pot else _street(public)
    parts = [table, *_faces(public, names)]
    if public.over:
        parts += ["the others folded"] if len(public.live) == 1 else []
        # without cards: who had no chips left for fantasy land
        parts += [f"{_does(seat, names, 'shows')} {_cards(cards)}" for seat, cards in public.shown if cards]
        parts += [f"{_does(seat, names, 'wins')} {chips}" for seat, chips in public.won.items()]
    elif turn:
        parts.append(f"{_name(public.seats_to_act[0], names)} {_to_do(public)}")
    return "; ".join(parts)


def _name(seat: int, names: Sequence[str | None]) -> str:
    return (names[seat] if seat < len(names) else None) or f"seat {seat}"


def _does(seat: int, names: Sequence[str | None], verb: str) -> str:
    """Return the name and the verb that goes with it: `you have`, `ann has`."""
    return told(_name(seat, names), verb)


def _cards(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards))


def _street(public: PublicState) -> str:
    boards = " / ".join([_cards(board) for board in public.boards if board])
    name = public.phase
    if len(public.live) == 1:
        name = public.actions[-1].street  # the others have folded: nobody came to a showdown
    name = name[:1].upper() + name[1:]
    return f"{name} {boards}" if boards else name


def _faces(public: PublicState, names: Sequence[str | None]) -> list[str]:
    """Say what lies face up before each seat."""
    if public.layout is not None:
        laid = [(seat, rows) for seat, rows in enumerate(public.layout.rows) if any(rows)]
        return [
            f"{_does(seat, names, 'has')} {' / '.join([_cards(row) or '-' for row in rows])}"
            for seat, rows in laid
        ]
    return [
        f"{_does(seat, names, 'has')} {_cards(public.open[seat])} up"
        for seat in public.live
        if public.open[seat]
    ]


def _to_do(public: PublicState) -> str:
    """Say what the seat to act has to decide."""
    seat = public.seats_to_act[0]
    dealt, stack = public.dealt, public.chips_behind[seat]
    decision = 0 if dealt.beside is None else dealt.beside.decision
    if decision == LAYS:
        return "to lay cards"
    if decision in (DRAWS, THROWS):
        street = dealt.setup.game.streets[dealt.street]
        count = street.throw or street.draw
        limit = "" if decision == THROWS else "up to "
        return f"to {'throw away' if decision == THROWS else 'exchange'} {limit}{count} card{'' if count == 1 else 's'}"
    owed = public.to_call(seat)
    if decision == BRINGS_IN:
        return f"to bring in {owed} of {stack}"
    return f"to call {owed} of {stack}" if owed else f"to check or bet, with {stack}"
