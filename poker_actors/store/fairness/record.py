"""The fairness record of a hand, the cards one player has seen with their proofs; and the dealer's side, which makes it."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

import attrs

from poker_actors.cards import Card, Deck, parse_cards
from poker_actors.errors import BadInput, BadSpec
from poker_actors.frozen import value
from poker_actors.rules import Game, Hand, game_named
from poker_actors.store.fairness.course import (
    HASH_BYTES,
    SALT_BYTES,
    Course,
    Opening,
    Step,
    commit,
    flaw_in_course,
    openings_of,
    places_of,
    root_of,
    salts_of,
    tree_of,
)

FORMAT: Final = 1
WITH_COURSE: Final = 2
"""The format for games in which places depend on the actions."""
_LONGEST_PATH: Final = 10
"""Levels of a tree over the most cards that are committed to, nine packs."""


@value
class FairnessRecord:
    """What a seat, or with None a spectator, can check of a hand. Mucked and undealt cards are absent.

    Compare `commitment` with the one published before the deal. Seats count from 0; `proofs` are by place in
    the deck.
    """

    hand_id: str
    game: str
    commitment: bytes
    dealt: tuple[int, ...]
    """the seats dealt in, ascending"""
    seat: int | None
    hole: tuple[Card, ...]
    board: tuple[Card, ...]
    shown: Mapping[int, tuple[Card, ...]]
    """seat -> hole cards turned up at the showdown"""
    proofs: Mapping[int, Opening]
    runs: tuple[tuple[Card, ...], ...] = ()
    """further boards, if the rest of the board was run more than once"""
    spare: int = 0
    """cards committed to for further boards, whether they were run or not"""
    count: int = 0
    """with a course: the number of committed cards, in all orders of the pack"""
    course: tuple[Step, ...] = ()
    """what was dealt to whom, in order, in games where that depends on the actions"""
    cards: Mapping[int, Card] = attrs.field(factory=dict)
    """with a course: the cards this seat has seen, by place"""

    def flaw(self) -> str | None:
        """Return what does not verify; None if every card is proven to be at its committed place."""
        if self.course:
            return flaw_in_course(game_named(self.game), self.dealt, self.course) or self._flaw_in_cards()
        count = places_of(game_named(self.game), self.dealt).count + self.spare
        pack = game_named(self.game).pack
        seen: dict[Card, int] = {}
        for place, card in self._claims():
            if place in seen.values() and seen.get(card) != place:
                return f"two cards are claimed for place {place} of the deck"
            if seen.setdefault(card, place) != place or card not in pack:
                return f"{card} is dealt twice, or is not in the pack of {self.game}"
            opening = self.proofs.get(place)
            if opening is None:
                return f"there is no proof of {card}, at place {place} of the deck"
            root = root_of(card, place, count, opening)
            if root is None or commit(self.hand_id, count, root) != self.commitment:
                return f"{card} at place {place} of the deck is not what was committed to"
        if set(self.proofs) - set(seen.values()):
            return (
                f"there are proofs of {len(set(self.proofs) - set(seen.values()))} cards that nobody has seen"
            )
        return None

    def _flaw_in_cards(self) -> str | None:
        pack = game_named(self.game).pack
        if set(self.proofs) != set(self.cards):
            return "there are not as many proofs as cards seen"
        for place, card in self.cards.items():
            root = root_of(card, place, self.count, self.proofs[place])
            if root is None or commit(self.hand_id, self.count, root) != self.commitment:
                return f"{card} at place {place} of the deck is not what was committed to"
            if card not in pack:
                return f"{card} is not in the pack of {self.game}"
        if len({(place // len(pack), card) for place, card in self.cards.items()}) < len(self.cards):
            return "a card occurs twice in one order of the pack"
        return self._flaw_in_places() or self._flaw_in_claims()

    def _flaw_in_places(self) -> str | None:
        """Check that places opened were dealt, or passed over because this seat held the card."""
        own = [step for step in self.course if step.seat is None or step.seat == self.seat]
        unproven = {place for step in own for place in step.places} - set(self.cards)
        if unproven:
            return f"there is no proof of the card at place {min(unproven)} of the deck"
        held = {self.cards[place] for step in own for place in step.places}
        held.update(*self.shown.values())
        size = len(game_named(self.game).pack)
        for place in set(self.cards) - {place for step in self.course for place in step.places}:
            if place < size or self.cards[place] not in held:
                return f"nobody was dealt {self.cards[place]} from place {place} of the deck"
        return None

    def _flaw_in_claims(self) -> str | None:
        """Check that cards named are those at places dealt to the seats said to have them."""
        boards = [step for step in self.course if step.seat is None]
        on_boards = {self.cards[place] for step in boards for place in step.places}
        for number, board in enumerate([self.board, *self.runs]):
            dealt = [self.cards[place] for step in boards if step.board == number for place in step.places]
            # cards from before the board was run again are on the first board, too
            if dealt != list(board)[len(board) - len(dealt) :] or not set(board) <= on_boards:
                return f"the cards of board {number} are not those dealt to it"
        hands = {**self.shown, **({} if self.seat is None else {self.seat: self.hole})}
        for seat, hand in hands.items():
            steps = [step for step in self.course if step.seat == seat]
            dealt = [self.cards[place] for step in steps for place in step.places if place in self.cards]
            hidden = any(step.count > len(step.places) for step in steps)
            if not hidden and not set(hand) <= set(dealt):
                return f"seat {seat} shows cards that were not dealt to it"
            if not set(hand) <= set(self.cards.values()):
                return f"there is no proof of a card of seat {seat}"
        return None

    def _claims(self) -> Iterator[tuple[int, Card]]:
        """Every card in the record, with the place in the deck it must come from."""
        places = places_of(game_named(self.game), self.dealt)
        if self.seat is not None:
            yield from zip(places.holes[self.seat], self.hole, strict=False)
        yield from zip(places.board, self.board, strict=False)
        for seat, cards in self.shown.items():
            yield from zip(places.holes[seat], cards, strict=False)
        at = places.count
        for run in self.runs:
            # cards from before the runs are on every board, and come from the same places
            before = common_cards(self.board, run)
            yield from zip(places.board[:before], run, strict=False)
            for card in run[before:]:
                yield at, card
                at += 1

    def to_dict(self) -> dict[str, Any]:
        """Return the record as a JSON value."""
        further: dict[str, Any] = {}
        if self.spare or self.course:
            further = {"runs": [_texts(run) for run in self.runs], "spare": self.spare}
        if self.course:
            further["count"] = self.count
            further["course"] = [_step_as_row(step) for step in self.course]
            further["cards"] = {str(place): str(card) for place, card in self.cards.items()}
        return {
            "format": WITH_COURSE if self.course else FORMAT,
            "hand_id": self.hand_id,
            "game": self.game,
            "commitment": self.commitment.hex(),
            "dealt": list(self.dealt),
            "seat": self.seat,
            "hole": _texts(self.hole),
            "board": _texts(self.board),
            "shown": {str(seat): _texts(cards) for seat, cards in self.shown.items()},
            "proofs": {
                str(place): {"salt": opening.salt.hex(), "path": [step.hex() for step in opening.path]}
                for place, opening in self.proofs.items()
            },
            **further,
        }

    @classmethod
    def from_dict(cls, plain: object) -> FairnessRecord:
        """Read a record made by `to_dict`; raises `BadInput` for anything else."""
        if not isinstance(plain, dict) or plain.get("format") not in (FORMAT, WITH_COURSE):
            raise BadSpec(f"this is not a fairness record of format {FORMAT} or {WITH_COURSE}")
        try:
            record = _read(plain)
        except BadInput:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise BadSpec(f"the fairness record cannot be read: {type(error).__name__}: {error}") from None
        _check_shape(record)
        return record


def _texts(cards: tuple[Card, ...]) -> list[str]:
    return [str(card) for card in cards]


def _read(plain: dict[str, Any]) -> FairnessRecord:
    hand_id, game, dealt, seat = plain["hand_id"], plain["game"], plain["dealt"], plain["seat"]
    if not all(isinstance(text, str) for text in (hand_id, game)):
        raise TypeError("the hand and the game must be strings")
    if not all(type(number) is int for number in (*dealt, 0 if seat is None else seat)):
        raise TypeError("seats must be whole numbers")
    return FairnessRecord(
        hand_id=hand_id,
        game=game,
        commitment=bytes.fromhex(plain["commitment"]),
        dealt=tuple(dealt),
        seat=seat,
        hole=_cards(plain["hole"]),
        board=_cards(plain["board"]),
        shown={int(seat): _cards(cards) for seat, cards in plain["shown"].items()},
        proofs={
            int(place): Opening(
                bytes.fromhex(proof["salt"]), tuple(bytes.fromhex(step) for step in proof["path"])
            )
            for place, proof in plain["proofs"].items()
        },
        runs=tuple(_cards(run) for run in plain.get("runs", [])),
        spare=_count(plain.get("spare", 0)),
        **(_course(plain) if plain["format"] == WITH_COURSE else {}),
    )


def _course(plain: dict[str, Any]) -> dict[str, Any]:
    steps = tuple([_step_of(row) for row in plain["course"]])
    if not steps:
        raise BadSpec("the course of the hand has no steps")
    return {
        "count": _count(plain["count"]),
        "course": steps,
        "cards": {int(place): _cards([text])[0] for place, text in plain["cards"].items()},
    }


def _step_as_row(step: Step) -> list[Any]:
    return [step.seat, step.board, step.count, step.mixed, list(step.places)]


def _step_of(row: Any) -> Step:
    seat, board, count, mixed, places = row
    numbers = (board, count, mixed, *places, 0 if seat is None else seat)
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise TypeError("a step of the course must have whole numbers only")
    hidden = mixed and not places
    if not hidden and len(places) != count:
        raise BadSpec(f"a step of the course deals {count} cards to {len(places)} places")
    return Step(seat, board, count, mixed, tuple(places))


def _count(number: Any) -> int:
    if type(number) is not int or number < 0:
        raise TypeError("counts of cards must be whole numbers, 0 or more")
    return number


def common_cards(board: tuple[Card, ...], run: tuple[Card, ...]) -> int:
    """Return how many board cards the first run and another have in common: those dealt before the runs."""
    same = [one == other for one, other in zip(board, run, strict=False)]
    return same.index(False) if False in same else len(same)


def _cards(texts: Any) -> tuple[Card, ...]:
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise TypeError("cards must be a list of strings")
    return parse_cards(texts)


def _check_shape(record: FairnessRecord) -> None:
    """Refuse wrong seats, sizes and kinds, with which a check could pass without proving anything."""
    game = game_named(record.game)
    seats = record.dealt
    if len(record.commitment) != HASH_BYTES:
        raise BadSpec(f"the commitment has {len(record.commitment)} bytes: it must have {HASH_BYTES}")
    if not all(0 <= seat < game.max_seats for seat in seats):
        raise BadSpec(f"seats dealt in must be 0 to {game.max_seats - 1}")
    if len(seats) < 2 or list(seats) != sorted(set(seats)):
        raise BadSpec(f"{len(seats)} seats are dealt in: there must be at least 2, in order")
    if record.seat is None and record.hole:
        raise BadSpec("a spectator has no hole cards")
    for seat in (*(() if record.seat is None else (record.seat,)), *record.shown):
        if seat not in seats:
            raise BadSpec(f"seat {seat} was not dealt in")
    if not record.course:
        _check_counts(record, game)
    _check_proofs(record)


def _check_counts(record: FairnessRecord, game: Game) -> None:
    first = next(street.hole for street in game.streets if street.hole)
    if record.seat is not None and not first <= len(record.hole) <= game.hole_cards:
        raise BadSpec(f"{len(record.hole)} hole cards, but {record.game} deals {first} to {game.hole_cards}")
    if len(record.board) > game.board_cards:
        raise BadSpec(f"{len(record.board)} cards on the board, but {record.game} has {game.board_cards}")
    if any(len(run) != game.board_cards for run in record.runs):
        raise BadSpec(f"a further board must have {game.board_cards} cards")
    if record.spare > len(game.pack):
        raise BadSpec(f"{record.spare} spare cards, but the pack has {len(game.pack)}")
    for seat, cards in record.shown.items():
        if len(cards) != game.hole_cards:
            raise BadSpec(f"seat {seat} shows {len(cards)} cards, but a hand has {game.hole_cards}")


def _check_proofs(record: FairnessRecord) -> None:
    for place, opening in record.proofs.items():
        if len(opening.salt) != SALT_BYTES or len(opening.path) > _LONGEST_PATH:
            raise BadSpec(f"the proof at place {place} has a salt or a path of the wrong length")
        if any(len(step) != HASH_BYTES for step in opening.path):
            raise BadSpec(f"the proof at place {place} has a hash that is not {HASH_BYTES} bytes")


SECRET_BYTES: Final = 32
MOST_RESHUFFLES: Final = 8
"""Reshuffles committed to: six seats that discard everything in each of three draws need seven. In open-face,
more deals in fantasy land than this are rarer than any other reason for a hand without a record."""


class SealedDeal:
    """The cards of a hand and the secret of their salts. Drop it once the hand's records are made.

    `mixed` are the orders of the pack for reshuffles, to which it commits as well; see `reshuffles`. `repr` shows
    the commitment and nothing else.
    """

    __slots__ = ("_cards", "_levels", "_mixed", "_salts", "commitment", "hand_id", "secret")

    def __init__(
        self,
        hand_id: str,
        cards: Sequence[Card],
        secret: bytes | None = None,
        mixed: Sequence[Sequence[Card]] = (),
    ) -> None:
        self.hand_id = hand_id
        self.secret: bytes = secrets.token_bytes(SECRET_BYTES) if secret is None else secret
        self._cards = tuple(cards)
        self._mixed = mixed
        every = [*cards, *chain.from_iterable(mixed)]
        self._salts = salts_of(self.secret, len(every))
        self._levels = tree_of(every, self._salts)
        self.commitment: bytes = commit(hand_id, len(every), self._levels[-1][0])
        """to be published before the deal"""

    @property
    def _count(self) -> int:
        return len(self._levels[0])

    def records(self, hand: Hand) -> dict[int | None, FairnessRecord]:
        """Return the records of a finished hand for each seat dealt in and, under None, for spectators.

        A record opens the seat's own cards, boards, open cards and cards shown at the showdown. Empty if the cards
        were reshuffled more often than was committed to.
        """
        extra = hand.extra
        if extra is None or (
            hand.game.plain and extra.options is not None and extra.options.bomb_boards == 1
        ):
            return self._plain_records(hand)
        if extra.stub.reshuffles > len(self._mixed):
            return {}
        course = Course(hand, [self._cards, *self._mixed])
        shown = dict(hand.public().shown)
        dealt = tuple(sorted({step.seat for step in course.steps if step.seat is not None}))
        # in open-face nobody holds cards at a reshuffle, so no place is passed over and places reveal nothing
        whole = hand.game.open_face
        everybody: tuple[int | None, ...] = (None, *dealt)
        openings = openings_of(self._levels, self._salts)
        records: dict[int | None, FairnessRecord] = {}
        for seat in everybody:
            known = course.known(seat, shown)
            records[seat] = FairnessRecord(
                hand_id=self.hand_id,
                game=hand.game.name,
                commitment=self.commitment,
                dealt=dealt,
                seat=seat,
                hole=() if seat is None else hand.holes[seat],
                board=hand.board,
                shown=shown,
                proofs={place: openings[place] for place in known},
                runs=hand.public().boards[1:],
                count=self._count,
                course=tuple([step if whole else step.seen_by(seat) for step in course.steps]),
                cards=known,
            )
        return records

    def _plain_records(self, hand: Hand) -> dict[int | None, FairnessRecord]:
        shown = dict(hand.public().shown)
        dealt = tuple(seat for seat, hole in enumerate(hand.holes) if hole)
        places = places_of(hand.game, dealt)
        common = [*places.board[: len(hand.board)]]
        for one in shown:
            common += places.holes[one]
        runs = hand.public().boards[1:]
        spare = len(self._cards) - places.count
        common += range(places.count, places.count + sum(self._run_cards(hand, run) for run in runs))
        openings = openings_of(self._levels, self._salts)
        proofs = {place: openings[place] for place in common}
        records: dict[int | None, FairnessRecord] = {}
        everybody: tuple[int | None, ...] = (None, *dealt)
        for seat in everybody:
            hole = () if seat is None else hand.holes[seat]
            own = () if seat is None or seat in shown else places.holes[seat][: len(hole)]
            records[seat] = FairnessRecord(
                hand_id=self.hand_id,
                game=hand.game.name,
                commitment=self.commitment,
                dealt=dealt,
                seat=seat,
                hole=hole,
                board=hand.board,
                shown=shown,
                proofs={place: openings[place] for place in own} | proofs,
                runs=runs,
                spare=spare,
            )
        return records

    @staticmethod
    def _run_cards(hand: Hand, run: tuple[Card, ...]) -> int:
        return len(run) - common_cards(hand.board, run)

    def __repr__(self) -> str:
        return f"<SealedDeal: {self.hand_id}, {self.commitment.hex()}>"


def reshuffles(game: Game, seats: int, key: bytes) -> list[tuple[Card, ...]]:
    """Return the orders of the pack of `game` for reshuffles among `seats` seats, from a deck's `reshuffle_key`.

    There are as many as are needed if at least half of each new stub is dealt before the next reshuffle. Open-face,
    which needs one for each deal in fantasy land, gets `MOST_RESHUFFLES`.
    """
    stub = len(game.pack) - seats * game.hole_cards - game.board_cards * game.boards
    beyond = seats * sum([street.draw for street in game.streets]) - stub
    most = min(-(-beyond // max(stub // 2, 1)), MOST_RESHUFFLES) if game.draws and beyond > 0 else 0
    most = MOST_RESHUFFLES if game.open_face else most
    size = len(game.pack)
    return [Deck.reshuffled(game.pack, key, number).draw(size) for number in range(1, most + 1)]
