"""The commitment to a deck, and the course of a hand: what was dealt to whom, in order. Records are checked against both.

The commitment is a Merkle tree over salted hashes, one for each card and its place. A leaf is
``BLAKE2b("poker card", salt, place, card)``, a node ``BLAKE2b("poker node", left, right)``; an odd node moves up
unchanged. It also covers the hand's name and the number of cards.

A place counts from the top of the deck. The places of the first reshuffled order follow those of the deck,
then those of the second, and so on.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from hashlib import blake2b
from itertools import pairwise
from typing import Final

from poker_actors.cards import Card
from poker_actors.frozen import value
from poker_actors.rules import Event, Game, Hand, event
from poker_actors.rules.games import Street


@value
class Places:
    """Places in the deck, from 0, of each seat's hole cards and of the board."""

    holes: dict[int, tuple[int, ...]]
    board: tuple[int, ...]
    count: int
    """the most cards that can be dealt"""


def places_of(game: Game, dealt: Sequence[int]) -> Places:
    """Return the places that `game` deals to the seats `dealt` if nobody folds."""
    holes: dict[int, tuple[int, ...]] = dict.fromkeys(sorted(dealt), ())
    board: tuple[int, ...] = ()
    at = 0
    for street in game.streets:
        if street.hole:
            for seat in holes:
                holes[seat] += tuple(range(at, at + street.hole))
                at += street.hole
        board += tuple(range(at, at + street.board))
        at += street.board
    return Places(holes, board, at)


HASH_BYTES: Final = 32
SALT_BYTES: Final = 16
"""128 bits that nobody can guess. Without a salt, 52 tries would reveal the card behind a hash."""


@value
class Opening:
    """The proof of one card: its salt, and the sibling hashes on the path to the root."""

    salt: bytes
    path: tuple[bytes, ...]


def salts_of(secret: bytes, count: int) -> list[bytes]:
    """Return the salt of each place; it reveals nothing about the secret or other salts."""
    keyed = blake2b(key=secret, digest_size=SALT_BYTES, person=b"poker salt")
    return [_hashed(keyed, b"%d" % place) for place in range(count)]


def tree_of(cards: Sequence[Card], salts: Sequence[bytes]) -> list[list[bytes]]:
    """Return the levels of the tree, from the leaves to the root; each card has the salt of its place."""
    level = [_leaf(salts[place], place, card) for place, card in enumerate(cards)]
    levels = [level]
    while len(level) > 1:
        pairs = [_node(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        level = pairs + level[len(pairs) * 2 :]
        levels.append(level)
    return levels


def openings_of(levels: Sequence[Sequence[bytes]], salts: Sequence[bytes]) -> list[Opening]:
    """Return the proof of each card, by place."""
    paths: list[tuple[bytes, ...]] = [()]
    for level in reversed(levels[:-1]):
        size = len(level)
        paths = [(level[at ^ 1], *paths[at >> 1]) if at ^ 1 < size else paths[at >> 1] for at in range(size)]
    return list(map(Opening, salts, paths))


def root_of(card: Card, place: int, count: int, opening: Opening) -> bytes | None:
    """Return the root that an opening leads to; None if its path has the wrong length."""
    found = _leaf(opening.salt, place, card)
    path = iter(opening.path)
    at = place
    while count > 1:
        if at ^ 1 < count:
            beside = next(path, None)
            if beside is None:
                return None
            found = _node(beside, found) if at & 1 else _node(found, beside)
        at >>= 1
        count = (count + 1) >> 1
    return found if next(path, None) is None else None


def commit(hand_id: str, count: int, root: bytes) -> bytes:
    """Return the commitment, published before the deal: it binds the hand's name and every card."""
    text = b"%s\n%d\n%s" % (hand_id.encode(), count, root)
    return blake2b(text, digest_size=HASH_BYTES, person=b"poker deal").digest()


def _leaf(salt: bytes, place: int, card: Card) -> bytes:
    text = b"%s%d %s" % (salt, place, str(card).encode())
    return _hashed(_LEAF, text)


def _node(left: bytes, right: bytes) -> bytes:
    return _hashed(_NODE, left + right)


_LEAF: Final = blake2b(digest_size=HASH_BYTES, person=b"poker card")
_NODE: Final = blake2b(digest_size=HASH_BYTES, person=b"poker node")


def _hashed(begun: blake2b, text: bytes) -> bytes:
    """Return the hash of a text, begun as `begun`: copying that takes two thirds of the time of creating it."""
    found = begun.copy()
    found.update(text)
    return found.digest()


@value
class Step:
    """Cards dealt together to a seat or, with `seat` None, to a board.

    `mixed` counts the reshuffles before it. After a reshuffle only `seat` may know the places: cards still held are
    passed over, so a place would reveal something about cards that others discarded.
    """

    seat: int | None
    board: int
    count: int
    mixed: int
    places: tuple[int, ...]

    def seen_by(self, seat: int | None) -> Step:
        """Return the step without the places that `seat` may not know."""
        if not self.mixed or seat == self.seat or self.seat is None:
            return self
        return Step(self.seat, self.board, self.count, self.mixed, ())


class Course:
    """The dealer's account of a finished hand; secret, since it has every card."""

    def __init__(self, hand: Hand, orders: Sequence[Sequence[Card]]) -> None:
        self.steps: list[Step] = []
        self.cards: dict[int, Card] = {}
        """place -> card, of cards dealt and of cards passed over because a seat held them"""
        self.open: set[int] = set()
        self._kept: dict[int, list[int]] = {}
        """seat -> places of its cards in reshuffled orders, where they are passed over"""
        self._orders = orders
        self._starts = [sum(map(len, orders[:number])) for number in range(len(orders))]
        self._mixed = 0
        self._down: int | None = None
        """the seat that was just dealt a card face down"""
        # before the first action: there is none where the blinds have put everybody all-in
        self._hand = hand
        self._hand = again = hand.replay([], self._listen)
        for action in hand.whole_actions():
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
        """Return the cards that `seat` has seen, by place: its own, boards, open cards, and those shown."""
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
        """Return the cards of a step that everybody has seen in the end: those shown or, in open-face, laid in its deal."""
        assert step.seat is not None
        layout = self._hand.public().layout
        if layout is None:
            return shown.get(step.seat, ())
        return set().union(*layout.scored[step.mixed].rows[step.seat])


def flaw_in_course(game: Game, dealt: Sequence[int], course: Sequence[Step]) -> str | None:
    """Return how a course differs from dealing `game` to the seats `dealt`; None if it does not."""
    if game.open_face:
        return _flaw_in_rows(game, dealt, course)
    at = mixed = 0
    taken: dict[tuple[int | None, int], tuple[int, ...]] = {}
    """(seat, order) -> the places dealt so far, which must ascend"""
    for number, step in enumerate(course):
        if step.mixed < mixed:
            return f"step {number} deals from a stub that was mixed before"
        if step.mixed and not mixed and step.count <= len(game.pack) - at:
            return f"the cards are mixed before step {number}, but {len(game.pack) - at} were left"
        mixed = step.mixed
        if not mixed and (len(step.places) != step.count or step.places != tuple(range(at, at + step.count))):
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
    return None if all(runs) else f"{len(left)} steps do not belong to {game.name}"


def _street(street: Street, live: list[int], left: list[Step]) -> list[int]:
    """Remove the steps of a street from `left`; return the seats dealt to, or `live` if none was."""
    count = street.hole + street.up
    if count and left and (left[0].seat, left[0].count) == (None, 1):
        del left[0]  # one card for all seats, when too few cards are left
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
    """Remove steps that deal once to each of some `live` seats; return those seats."""
    takers: list[int] = []
    while left and left[0].seat in live and left[0].seat not in takers and fits(left[0]):
        seat = left[0].seat
        if in_order and takers and seat < takers[-1]:
            break
        takers.append(seat)
        del left[0]
    return takers if takers else live


def _flaw_in_rows(game: Game, dealt: Sequence[int], course: Sequence[Step]) -> str | None:
    """Return how a course differs from open-face: one deal, then deals in fantasy land, each of the whole pack."""
    if [step.mixed for step in course] != sorted(step.mixed for step in course):
        return "a deal is dealt from a stub that was mixed before"
    opens = course[0].seat
    if opens is None or opens not in dealt:
        return "the first step deals to no seat that was dealt in"
    first = dealt.index(opens)
    order = [*dealt[first:], *dealt[:first]]
    for number in range(course[-1].mixed + 1):
        at = number * len(game.pack)
        steps = [step for step in course if step.mixed == number]
        for step in steps:
            if len(step.places) != step.count or step.places != tuple(range(at, at + step.count)):
                return f"a step does not deal the next {step.count} cards, from {at}"
            at += step.count
        if not _deals_rows(game, order, [(step.seat, step.count) for step in steps], fantasy=number > 0):
            return f"the steps of deal {number} do not belong to {game.name}"
    return None


def _deals_rows(
    game: Game, order: Sequence[int], steps: Sequence[tuple[int | None, int]], *, fantasy: bool
) -> bool:
    """Return whether steps are one deal to seats in this `order`; in fantasy land some seat gets all cards at once."""
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
