"""HSPE's pots (one or more per betting round), main and side pots, last actions, and winners."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from poker_actors.actors import HandState
from poker_actors.evaluator import made_hand
from poker_actors.rules import Call, Fold, Pot, PublicState
from poker_actors.rules.log import Logged

_ALL_IN = " all-in"


def round_pots(public: PublicState) -> list[Pot]:
    """Return the pots of a hand, the earliest first; `Pot.seats` are the seats that have bet into it.

    A round without bets has an empty pot of those still in the hand. Their sum is `public.pot`; a finished
    hand has none.
    """
    if public.over:
        return []
    setup = public.setup
    size = len(setup.stacks)
    live = [seat for seat in range(size) if setup.stacks[seat]]
    behind = list(setup.stacks)
    pots: list[Pot] = []
    log = public.log
    front = list(log.front)
    for taken in log.streets():
        sharing = list(live)
        for one in taken:
            front[one.seat] = one.in_front
            if isinstance(one.action, Fold):
                live.remove(one.seat)
        behind = [chips - bet for chips, bet in zip(behind, front, strict=True)]
        all_in = [seat for seat in live if not behind[seat] and front[seat]]
        pots += _layers(front, all_in) or [Pot(0, tuple(sharing))]
        front = [0] * size
    return pots


def side_pots(public: PublicState) -> list[Pot]:
    """Return main and side pots as a dealer stacks them; `Pot.seats` are the seats that can win each."""
    if public.over:
        return []
    live = public.seats_live
    all_in = [seat for seat in live if not public.chips_behind[seat]]
    pots: list[Pot] = []
    for pot in _layers(public.log.put_in, all_in):
        seats = tuple(seat for seat in pot.seats if seat in live)
        if pots and seats in (pots[-1].seats, ()):
            pots[-1] = Pot(pots[-1].amount + pot.amount, pots[-1].seats)
        else:
            pots.append(Pot(pot.amount, seats))
    return pots


def last_words(public: PublicState) -> dict[int, str]:
    """Return each seat's last action on this street, such as `call 20`; a fold or all-in stays on later streets."""
    said: dict[int, str] = {}
    begun = 0
    for taken in public.log.streets():
        if begun < public.seq or not public.over:  # the streets of a run-out have no actions
            said = {seat: word for seat, word in said.items() if word == "fold" or word.endswith(_ALL_IN)}
        for one in taken:
            word = _said(one)
            everything = word != "fold" and one.put_in == public.setup.stacks[one.seat]
            said[one.seat] = word + _ALL_IN if everything else word
        begun += len(taken)
    return said


def won_by_showing(public: PublicState, dealt: Mapping[str, HandState]) -> list[tuple[str, list[str]]]:
    """Return the seats that showed a hold'em hand and won more than they put in, as HSPE has it."""
    shown = dict(public.shown)
    won = []
    for user_id, state in dealt.items():
        hole = shown.get(state.seat)
        if hole is not None and public.chips_behind[state.seat] > public.setup.stacks[state.seat]:
            won.append((user_id, [str(card) for card in made_hand([*hole, *public.board]).cards]))
    return won


def _said(one: Logged) -> str:
    """Return an action in words."""
    if isinstance(one.action, Call):
        return f"call {one.paid}"
    return str(one.action)


def _layers(front: Sequence[int], all_in: Sequence[int]) -> list[Pot]:
    """Divide a round's chips into pots, with a new pot above each all-in seat."""
    pots = []
    below = 0
    for level in sorted({*(front[seat] for seat in all_in), max(front)}):
        seats = tuple(seat for seat, chips in enumerate(front) if chips > below)
        amount = sum(min(front[seat], level) - below for seat in seats)
        if amount:
            pots.append(Pot(amount, seats))
        below = level
    return pots
