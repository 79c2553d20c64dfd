"""A table's settings, who sits and waits there, the positions of its hands, and who owes missed blinds.

Robert's Rules of Poker, "Button and blind use": a player who has missed blinds posts them all or waits for the
big blind; a new player posts the amount of the big blind or waits for it, and nobody comes in between the big
blind and the button. The big blind is live. The small one is dead: it belongs to the pot and to no bet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Final, Self

import attrs

from poker_actors.actors.runtime import Address
from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.frozen import value
from poker_actors.rules import HOLDEM, Game, Positions, Stakes, event, whole_chips
from poker_actors.rules.cash import CashOptions, check_stakes, posts_with_owed
from poker_actors.rules.games import Rotation


def stakes_of(given: str | Stakes) -> Stakes:
    """Return stakes, given as `Stakes` or as text; raises `BadSpec` for anything else."""
    if isinstance(given, str):
        return Stakes.parse(given)
    if not isinstance(given, Stakes):
        raise BadSpec(f"stakes {given!r:.40} are neither Stakes nor text such as 1/2")
    return given


def game_of(given: str | Game | Rotation) -> Game | Rotation:
    """Return a game or a rotation, given as an object or by name; raises `BadSpec` for anything else."""
    if isinstance(given, str):
        return Rotation.named(given)
    if not isinstance(given, Game | Rotation):
        raise BadSpec(f"game {given!r:.40} is neither a Game nor the name of one")
    return given


def one_game_of(given: str | Game) -> Game:
    """Return a game, given as a `Game` or by name; raises `BadSpec` for anything else, a rotation included."""
    game = game_of(given)
    if isinstance(game, Rotation):
        raise BadSpec(f"a hand is of one game, and {game} is a rotation")
    return game


MOST_SECONDS: Final = 31 * 86_400
"""A month for a turn: a player who takes longer has left, and every system's clock can wait this long."""


def check_seconds(name: str, value: object, *, above: float = 0.0) -> float:
    """Return a time in seconds above `above` and at most `MOST_SECONDS`; raises `BadSpec` for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadSpec(
            f"{name} is {value!r:.40}: seconds are a number above {above:g}, at most {MOST_SECONDS}"
        )
    if not above < value <= MOST_SECONDS:
        raise BadSpec(f"{name} {value} must be above {above:g} and at most {MOST_SECONDS} seconds, a month")
    return value


@attrs.frozen
class TimeBank:
    """Each player's time bank: `seconds` at the start and at most, plus `refill` for every hand dealt in."""

    seconds: float
    refill: float = 0.0

    def __attrs_post_init__(self) -> None:
        check_seconds("a time bank's seconds", self.seconds)
        if self.refill != 0:
            check_seconds("a time bank's refill", self.refill)


@attrs.frozen
class TableConfig:
    """The settings of a table. Chips are whole numbers, times are in seconds.

    With `restack`, every stack is brought to that size after each hand, against the bank, for matches
    whose hands all start alike. `button` is the seat of the first hand's button, by default the last
    seat ready; with `button_moves` false it stays there, for games in which the house always opens.
    `turn_seconds` None sets no deadline.
    """

    name: str
    seats: int = 6
    stakes: Stakes = attrs.field(factory=Stakes, converter=stakes_of)
    game: Game | Rotation = attrs.field(default=HOLDEM, converter=game_of)
    turn_seconds: float | None = None
    restack: int = 0
    button: int | None = None
    first_hand: int = 0
    button_moves: bool = True
    late_hands: int = 2
    """a player who runs out of time in this many hands in a row is sat out"""
    options: CashOptions | None = None
    """rake, bomb pots, boards run more than once"""
    time_bank: TimeBank | None = None
    """time that players may take beyond `turn_seconds`"""
    missed_blinds: bool = False
    """whether a player owes the blinds missed while sitting out, and a new player the big blind"""
    ledger: bool = False
    """whether the bank counts what each player brings and takes: see `Bank.accounts`"""

    def __attrs_post_init__(self) -> None:
        for name in ("seats", "button", "first_hand"):
            number = getattr(self, name)
            if type(number) is not int and (name, number) != ("button", None):
                raise BadSpec(f"{name} {number!r:.40} is not a whole number")
        for name, kind in (("options", CashOptions), ("time_bank", TimeBank)):
            given = getattr(self, name)
            if given is not None and not isinstance(given, kind):
                raise BadSpec(f"{name} {given!r:.40} is not {kind.__name__}(...) or None")
        for name in ("button_moves", "missed_blinds", "ledger"):
            if type(getattr(self, name)) is not bool:
                raise BadSpec(f"{name} {getattr(self, name)!r:.40} is neither True nor False")
        if self.missed_blinds and isinstance(self.game, Game) and not self.stakes.big_blind:
            raise BadSpec(f"missed_blinds: {self.game} {self.stakes} has no blinds to miss")
        if not 2 <= self.seats <= self.game.max_seats:
            raise BadSpec(f"{self.seats} seats: a table of {self.game} has 2 to {self.game.max_seats}")
        if self.button is not None and not 0 <= self.button < self.seats:
            raise BadSpec(f"button {self.button} is not a seat: seats are 0 to {self.seats - 1}")
        whole_chips("restack", self.restack)
        if self.first_hand < 0:
            raise BadSpec(f"first_hand {self.first_hand} is below 0")
        if self.turn_seconds is not None:
            check_seconds("turn_seconds", self.turn_seconds)
        if self.time_bank is not None and self.turn_seconds is None:
            raise BadSpec("a time bank is for tables with turn_seconds: without a deadline nobody needs it")
        options = self.options
        if options is not None and not self.game.board_cards and (options.bomb_pot or options.boards > 1):
            raise BadSpec(f"{self.game} has no board: it has no bomb pots and none to run twice")
        if isinstance(self.game, Game):
            # checked before the table opens: a hand that cannot be dealt is void, and a room with its records would not open
            check_stakes(self.stakes, self.game, None if options is None else options.of_hand(0))


@value
class Seat:
    """A seated player. During a hand, `stack` is what the seat began it with."""

    player: str
    address: Address = attrs.field(repr=False, eq=False)
    stack: int = 0
    out: bool = False
    """sitting out"""
    late: int = 0
    """consecutive hands in which the player's time ran out"""


@value
class Waiting:
    """A player waiting for a seat, to buy in for `buy_in` chips; 0 to buy in later."""

    player: str
    address: Address = attrs.field(repr=False, eq=False)
    buy_in: int = 0


@value
class OwedBlinds:
    """The blinds that a player has missed and posts to be dealt in again, at a table where they are owed."""

    player: str
    small: bool = False
    """posted dead: it belongs to the pot and to no bet"""
    big: bool = False
    """posted live"""
    new: bool = False
    """a player who has not been dealt in yet owes the big blind, and can miss no others"""
    waits: bool = False
    """whether the player waits for the big blind instead of posting"""


@value
class Seating:
    """Who sits and waits, and where the button is."""

    seats: tuple[Seat | None, ...]
    positions: Positions | None = None
    """the positions of the current or last hand"""
    number: int = 0
    """the number of the next hand"""
    waiting: tuple[Waiting, ...] = ()
    """the waiting list, the next one first"""
    once: tuple[str, ...] = ()
    """players who have declined running boards more than once"""
    leaving: tuple[str, ...] = ()
    """players who cash out and leave once the current hand is booked"""
    owed: tuple[OwedBlinds, ...] = ()
    """the blinds that players have missed; empty unless the table's settings say that they are owed"""

    def seat_of(self, player: str) -> int:
        """Return a player's seat number; raises `TableRefusal` (`not_at_table`)."""
        number = self.number_of(player)
        if number is None:
            raise TableRefusal(f"{player} is not at the table", code="not_at_table")
        return number

    def number_of(self, player: str) -> int | None:
        """Return a player's seat number; None for a player without a seat."""
        for number, seat in enumerate(self.seats):
            if seat is not None and seat.player == player:
                return number
        return None

    def seat_at(self, number: int) -> Seat:
        """Return a taken seat."""
        seat = self.seats[number]
        assert seat is not None, f"seat {number} is empty"
        return seat

    def place_of(self, player: str) -> int:
        """Return a player's place in the waiting list, 1 being next; 0 for a player not on it."""
        for place, one in enumerate(self.waiting, start=1):
            if one.player == player:
                return place
        return 0

    def without(self, player: str) -> Self:
        """Return this state with a player removed from the waiting list."""
        return attrs.evolve(self, waiting=tuple(one for one in self.waiting if one.player != player))

    def seat_for(self, player: str, wanted: int | None) -> int:
        """Choose a seat for a player: the one wanted or, for None, the player's own or the first free one.

        Raises `TableRefusal`: `seat_unavailable` if there is no such seat or none is free, `seat_taken`.
        """
        seats = self.seats
        if wanted is None:
            number = self.number_of(player)
            if number is not None:
                return number
            if None not in seats:
                raise TableRefusal(f"all {len(seats)} seats are taken", code="seat_unavailable")
            return seats.index(None)
        if type(wanted) is not int or not 0 <= wanted < len(seats):
            text = f"seat {wanted!r:.20}: seats are 0 to {len(seats) - 1}"
            raise TableRefusal(text, code="seat_unavailable")
        there = seats[wanted]
        if there is not None and there.player != player:
            raise TableRefusal(f"seat {wanted} is taken by {there.player}", code="seat_taken")
        return wanted

    def restacked(self, stacks: Mapping[str, int]) -> Seating:
        """Return this state with the stacks (player -> chips) of the bank's books."""
        seats = tuple(
            [
                seat
                if seat is None or seat.stack == (stack := stacks.get(seat.player, 0))
                else Seat(seat.player, seat.address, stack, seat.out, seat.late)
                for seat in self.seats
            ]
        )
        return Seating(seats, self.positions, self.number, self.waiting, self.once, self.leaving, self.owed)

    def sat_out(self, late: Collection[int], most: int) -> Self:
        """Count the hands in a row in which each seat's time ran out; a seat with `most` of them sits out."""
        dealt = () if self.positions is None else self.positions.dealt
        if not late and not any(seat is not None and seat.late for seat in self.seats):
            return self
        after: list[Seat | None] = []
        for number, seat in enumerate(self.seats):
            if seat is None or number not in dealt:
                after.append(seat)
                continue
            count = seat.late + 1 if number in late else 0
            out = seat.out or count >= most
            after.append(Seat(seat.player, seat.address, seat.stack, out, 0 if out else count))
        return attrs.evolve(self, seats=tuple(after))

    def with_seat(self, number: int, seat: Seat | None) -> Self:
        """Return this state with one seat changed."""
        return attrs.evolve(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    def freed(self, number: int) -> Self:
        """Return this state with a seat empty; its player no longer leaves or owes anything."""
        player = self.seat_at(number).player
        leaving = tuple(name for name in self.leaving if name != player)
        owed = tuple(one for one in self.owed if one.player != player)
        return attrs.evolve(self.with_seat(number, None), leaving=leaving, owed=owed)

    def owed_by(self, player: str) -> OwedBlinds:
        """Return the blinds that a player has missed."""
        return next((one for one in self.owed if one.player == player), OwedBlinds(player))

    def owing(self, owed: OwedBlinds) -> Self:
        """Return this state with one player's debt of blinds changed."""
        others = tuple(one for one in self.owed if one.player != owed.player)
        return attrs.evolve(self, owed=(*others, owed))

    @property
    def dealt_in(self) -> dict[int, Seat]:
        """Seats dealt into the current or last hand."""
        if self.positions is None:
            return {}
        seats = self.seats
        return {number: seat for number in self.positions.dealt if (seat := seats[number]) is not None}

    @property
    def ready(self) -> tuple[int, ...]:
        """Seats that can be dealt in."""
        seats, leaving = enumerate(self.seats), self.leaving
        return tuple(
            [
                number
                for number, seat in seats
                if seat is not None and seat.stack and not seat.out and seat.player not in leaving
            ]
        )


@value
class TableState(Seating):
    """The complete state of a table, without any card."""

    hand_id: str | None = None
    """the hand being played"""
    commitment: str = ""
    """the commitment to its deck, in hexadecimal; empty for a deck passed in"""

    @property
    def in_hand(self) -> dict[int, Seat]:
        """Seats dealt into the hand being played; none between hands."""
        return {} if self.hand_id is None else self.dealt_in


# -- missed blinds ---------------------------------------------------------------------------


def has_blinds(config: TableConfig, stakes: Stakes, *, bomb: bool) -> bool:
    """Whether players owe missed blinds here, and this hand has blinds to miss."""
    return config.missed_blinds and stakes.big_blind > 0 and not bomb


def entrants(seating: Seating) -> tuple[int, ...]:
    """Return the ready seats, except those that still wait for the big blind.

    If fewer than two were left, nobody waits: no hand would bring the blind round.
    """
    ready, before = seating.ready, seating.positions
    waiting = {one.player for one in seating.owed if one.waits}
    assert before is not None, "nobody has missed a blind before the first hand"
    if len(ready) < 2:
        return ready
    size = len(seating.seats)
    big = min(ready, key=lambda seat: (seat - before.big_blind - 1) % size)
    found = tuple([seat for seat in ready if seat == big or seating.seat_at(seat).player not in waiting])
    return found if len(found) > 1 else ready


def owing_posts(seating: Seating, positions: Positions, stakes: Stakes) -> tuple[event.Posted, ...] | None:
    """Return every forced bet of a hand in which somebody posts missed blinds, else None.

    A player who has a blind in this hand posts no missed one.
    """
    owed = {
        number: (one.small, one.big)
        for one in seating.owed
        if (number := seating.number_of(one.player)) in positions.dealt
        and number not in (positions.small_blind, positions.big_blind)
    }
    stacks = [0 if seat is None else seat.stack for seat in seating.seats]
    return posts_with_owed(positions, stacks, stakes, owed) if owed else None


def owed_after(seating: Seating, positions: Positions) -> tuple[OwedBlinds, ...]:
    """Return the blinds owed once a hand with these positions is dealt; its players then owe nothing."""
    return tuple(_owed_after(seating, positions))


def _owed_after(seating: Seating, positions: Positions) -> Iterator[OwedBlinds]:
    before, size = seating.positions, len(seating.seats)
    for number, seat in enumerate(seating.seats):
        if seat is None or number in positions.dealt:
            continue
        one = seating.owed_by(seat.player)
        if before is not None and not one.new:
            small = one.small or _passes(number, before.small_seat, positions.small_seat, size)
            big = one.big or _passes(number, before.big_blind, positions.big_blind, size)
            one = attrs.evolve(one, small=small, big=big)
        if one.small or one.big:
            yield one


def _passes(seat: int, start: int, end: int, size: int) -> bool:
    """Whether a blind that moves from `start` to `end` passes a seat, or stops there."""
    return 0 < (seat - start) % size <= (end - start) % size


def newcomer(config: TableConfig, seating: Seating, player: str) -> Seating:
    """Return the state in which a new player owes the big blind, unless no hand has been dealt yet."""
    if not config.missed_blinds or seating.positions is None:
        return seating
    return seating.owing(OwedBlinds(player, big=True, new=True))


def moved(config: TableConfig, seating: Seating, player: str, old: int, seat: int) -> Seating:
    """Return the state after a change of seats; the player owes the big blind if it comes later there."""
    before, size = seating.positions, len(seating.seats)
    if not config.missed_blinds or before is None:
        return seating
    due = [(number - before.big_blind - 1) % size for number in (old, seat)]
    return seating.owing(attrs.evolve(seating.owed_by(player), big=True)) if due[1] > due[0] else seating
