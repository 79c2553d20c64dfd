"""What was dealt to whom, in order: the public course of a hand, which a record of any game is checked against.

A place counts from the top of the deck; the places of the order in which the pack is mixed the first time
follow those of the deck, then those of the second.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

from poker_actors.cards import Card
from poker_actors.frozen import value
from poker_actors.rules import Event, Game, Hand, event
from poker_actors.rules.games import Street

__all__ = ["Course", "Step", "flaw_in_course"]


@value
class Step:
    """Cards dealt together to a seat, or with `seat` None to a board.

    From a stub that was mixed again (`mixed` says how often), places are told to `seat` alone: where cards
    are passed over, a place tells something about cards that somebody has thrown away.
    """

    seat: int | None
    board: int
    count: int
    mixed: int
    places: tuple[int, ...]

    def seen_by(self, seat: int | None) -> Step:
        """Return what `seat` may know of it."""
        if not self.mixed or seat == self.seat or self.seat is None:
            return self
        return Step(self.seat, self.board, self.count, self.mixed, ())


class Course:
    """The dealer's account of a hand that is over; secret, since it knows every card."""

    def __init__(self, hand: Hand, orders: Sequence[Sequence[Card]]) -> None:
        self.steps: list[Step] = []
        self.cards: dict[int, Card] = {}
        """by place, those dealt and those that were passed over because somebody held them"""
        self.open: set[int] = set()
        self._kept: dict[int, list[int]] = {}
        """by seat, the places of its own cards in an order they were not mixed into"""
        self._orders = orders
        self._starts = [sum(map(len, orders[:number])) for number in range(len(orders))]
        self._mixed = 0
        self._down: int | None = None
        """whom the card before went to, face down"""
        again = hand.replay([], self._listen)
        for action in hand.whole_actions():
            self._hand = again
            again.act(action)

    def _listen(self, news: Event) -> None:
        down = self._down
        self._down = None
        match news:
            case event.HoleDealt(seat, cards):
                self._add(seat, 0, cards)
                self._down = seat
            case event.OpenDealt(seat, cards):
                before = self.steps.pop().places if down == seat else ()
                self._add(seat, 0, cards, before)
                self.open.update(self.steps[-1].places[-len(cards) :])
            case event.StreetDealt(_, cards) if cards:
                self._add(None, 0, cards)
            case event.RunDealt(board, _, cards):
                self._add(None, board, cards)
            case event.Reshuffled():
                self._mix()
            case _:
                pass

    def _add(self, seat: int | None, board: int, cards: Sequence[Card], before: tuple[int, ...] = ()) -> None:
        places = tuple([self._place(card) for card in cards])
        self.cards.update(zip(places, cards, strict=True))
        places = before + places
        self.steps.append(Step(seat, board, len(places), self._mixed, places))

    def _place(self, card: Card) -> int:
        return self._starts[self._mixed] + self._orders[self._mixed].index(card)

    def _mix(self) -> None:
        self._mixed += 1
        for seat in self._hand.live:
            places = [self._place(card) for card in self._hand.holes[seat]]
            self._kept.setdefault(seat, []).extend(places)
            self.cards.update(zip(places, self._hand.holes[seat], strict=True))

    def known(self, seat: int | None, shown: dict[int, tuple[Card, ...]]) -> dict[int, Card]:
        """Return the cards that `seat` has seen, by place: its own, boards, open cards, and what was shown."""
        places = set(self.open)
        for step in self.steps:
            if step.seat is None or step.seat == seat:
                places.update(step.places)
            else:
                seen = self._seen(step, shown)
                places.update([place for place in step.places if self.cards[place] in seen])
        if seat is not None:
            places.update(self._kept.get(seat, ()))
        return {place: self.cards[place] for place in sorted(places)}

    def _seen(self, step: Step, shown: dict[int, tuple[Card, ...]]) -> Collection[Card]:
        """The cards of a step that everybody has seen in the end: those shown, in open-face those laid in its deal."""
        assert step.seat is not None
        layout = self._hand.public().layout
        if layout is None:
            return shown.get(step.seat, ())
        return set().union(*layout.scored[step.mixed].rows[step.seat])


def flaw_in_course(game: Game, dealt: Sequence[int], course: Sequence[Step]) -> str | None:
    """Say where a course is not what the dealer of `game` does for the seats `dealt`; None when it is."""
    if game.open_face:
        return _flaw_in_rows(game, dealt, course)
    at = mixed = 0
    taken: dict[tuple[int | None, int], tuple[int, ...]] = {}
    """what a seat was dealt of an order of the pack so far: always further down"""
    for number, step in enumerate(course):
        if step.mixed < mixed:
            return f"step {number} deals from a stub that was mixed before"
        if step.mixed and not mixed and step.count <= len(game.pack) - at:
            return f"the cards are mixed before step {number}, and {len(game.pack) - at} were left"
        mixed = step.mixed
        if not mixed and step.places != tuple(range(at, at + step.count)):
            return f"step {number} does not deal the next {step.count} cards of the deck, from {at}"
        before = taken.get((step.seat, mixed), ())
        if any(one >= other for one, other in pairwise(before + step.places)):
            return f"step {number} deals places out of order"
        taken[step.seat, mixed] = before + step.places
        at += step.count
    left = list(course)
    live = list(dealt)
    for street in game.streets:
        live = _street(street, live, left)
    runs = [step.seat is None and step.board > 0 for step in left]
    return None if all(runs) else f"{len(left)} steps are none that {game.name} has"


def _street(street: Street, live: list[int], left: list[Step]) -> list[int]:
    """Take the steps of a street from what is `left`; returns the seats that were dealt to, or `live`."""
    count = street.hole + street.up
    if count and left and (left[0].seat, left[0].count) == (None, 1):
        del left[0]  # one card for all, where there are too few
    elif count:
        live = _takers(left, live, lambda step: step.count == count, in_order=True)
    if street.draw:
        _takers(left, live, lambda step: step.count <= street.draw, in_order=False)
    board = 0
    while (
        street.board and left and (left[0].seat, left[0].board, left[0].count) == (None, board, street.board)
    ):
        del left[0]
        board += 1
    return live


def _takers(left: list[Step], live: list[int], fits: Callable[[Step], bool], *, in_order: bool) -> list[int]:
    """Take steps that deal once to each of some `live` seats; returns those seats."""
    takers: list[int] = []
    while left and left[0].seat in live and left[0].seat not in takers and fits(left[0]):
        seat = left[0].seat
        if in_order and takers and seat < takers[-1]:
            break
        takers.append(seat)
        del left[0]
    return takers if takers else live


def _flaw_in_rows(game: Game, dealt: Sequence[int], course: Sequence[Step]) -> str | None:
    """Say where a course is not one of open-face: a deal, and deals in fantasy land, each of the whole pack."""
    if [step.mixed for step in course] != sorted(step.mixed for step in course):
        return "a deal is dealt from a stub that was mixed before"
    opens = course[0].seat
    if opens is None or opens not in dealt:
        return "the first step deals to nobody who was dealt in"
    first = dealt.index(opens)
    order = [*dealt[first:], *dealt[:first]]
    for number in range(course[-1].mixed + 1):
        at = number * len(game.pack)
        steps = [step for step in course if step.mixed == number]
        for step in steps:
            if step.places != tuple(range(at, at + step.count)):
                return f"a step does not deal the next {step.count} cards, from {at}"
            at += step.count
        if not _deals_rows(game, order, [(step.seat, step.count) for step in steps], fantasy=number > 0):
            return f"the steps of deal {number} are none that {game.name} has"
    return None


def _deals_rows(
    game: Game, order: Sequence[int], steps: Sequence[tuple[int | None, int]], *, fantasy: bool
) -> bool:
    """Whether steps are one deal, `order` being that of the seats; in fantasy land somebody gets all at once."""
    streets = game.streets
    whole = game.hole_cards + streets[1].throw
    there = {seat for seat, _ in steps}
    seats = [seat for seat in order if seat in there]
    waiting = [seat for seat, count in steps[: len(seats)] if count != whole]
    expected: list[tuple[int | None, int]] = [
        (seat, streets[0].hole if seat in waiting else whole) for seat in seats
    ]
    expected += [(seat, street.hole) for street in streets[1:-1] for seat in waiting]
    who_plays = len(waiting) < len(seats) if fantasy else seats == waiting == list(order)
    return list(steps) == expected and who_plays
