"""Record the steps of stud, draw and early-board games from the events of the hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, groupby

from poker_actors.cards import Card
from poker_actors.history.steps import (
    RESHUFFLED,
    ActionKind,
    ActionStep,
    BoardDealt,
    Comment,
    Dealt,
    Discarded,
    Showed,
    Step,
)
from poker_actors.rules import Bet, BringIn, Discard, Fold, Hand, RaiseTo
from poker_actors.rules import event as events

__all__ = ["streets_of"]


def streets_of(hand: Hand, order: Sequence[int]) -> Iterator[Step]:
    """Yield deals, turns, discards and shows in order; `order` holds the seats by player."""
    player = {seat: place for place, seat in enumerate(order)}
    assert hand.extra is not None
    thrown = iter([cards for _, _, cards in hand.extra.thrown])
    runs = groupby(_steps(hand, player, thrown), key=_is_of_a_draw)
    ordered = chain.from_iterable([*_by_draw(steps)] if drawn else [*steps] for drawn, steps in runs)
    for dealt, some in groupby(ordered, key=lambda step: type(step) is Dealt):
        steps = [*some]
        yield from _joined(steps) if dealt else steps


def _is_of_a_draw(step: Step) -> bool:
    return type(step) is Discarded or type(step) is Dealt or type(step) is Comment


def _by_draw(steps: Iterator[Step]) -> Iterator[Step]:
    """Put all discards of a draw before the new cards, as the standard lists them."""
    thrown: dict[int, Step] = {}
    new: list[Step] = []
    for step in steps:
        if type(step) is Discarded:
            if step.player in thrown:  # a second discard begins the next draw: all players in it are all-in
                yield from (*thrown.values(), *new)
                thrown, new = {}, []
            thrown[step.player] = step
        elif thrown:
            new.append(step)
        else:
            yield step
    yield from (*thrown.values(), *new)


def _joined(deals: Sequence[Step]) -> Iterator[Step]:
    """Join the cards dealt face down and face up to a player on one street into one deal."""
    for player, own in groupby(deals, key=lambda step: getattr(step, "player", -1)):
        yield Dealt(player, tuple([card for step in own if type(step) is Dealt for card in step.cards]))


def _steps(hand: Hand, player: dict[int, int], thrown: Iterator[tuple[Card, ...]]) -> Iterator[Step]:
    for event in hand.events():
        match event:
            case events.HoleDealt(seat, cards) | events.OpenDealt(seat, cards):
                yield Dealt(player[seat], cards)
            case events.StreetDealt(_, cards) if cards:
                yield BoardDealt(cards)
            case events.Reshuffled():
                yield Comment(RESHUFFLED)
            case events.Acted(seat, Discard()):
                yield Discarded(player[seat], next(thrown))
            case events.Acted():
                yield _turn(player[event.seat], event)
            case events.Shown(seat, cards):
                yield Showed(player[seat], cards)
            case events.Mucked(seat):
                yield Showed(player[seat], ())
            case _:
                pass


def _turn(player: int, acted: events.Acted) -> ActionStep:
    match acted.action:
        case Fold():
            return ActionStep(player, ActionKind.FOLD)
        case Bet(total) | RaiseTo(total):
            return ActionStep(player, ActionKind.RAISE, total)
        case BringIn():
            return ActionStep(player, ActionKind.BRING_IN)
        case _:
            return ActionStep(player, ActionKind.CALL)
