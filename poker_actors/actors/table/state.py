"""A table's settings, its state, and what it remembers across crashes of its actor."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import attrs

from poker_actors.actors.hand.messages import DealtHand, HandEndedNews, HandResult
from poker_actors.actors.hand.time_bank import TimeBank, check_seconds
from poker_actors.actors.player.hand_states import Audience
from poker_actors.actors.runtime import Address
from poker_actors.errors import BadSpec, TableRefusal
from poker_actors.frozen import value
from poker_actors.rules import HOLDEM, Game, Hand, Positions, Stakes, whole_chips
from poker_actors.rules.cash import CashOptions, check_stakes
from poker_actors.rules.games import Rotation
from poker_actors.store.fairness import SealedDeal

__all__ = [
    "Booked",
    "Seat",
    "TableConfig",
    "TableMemory",
    "TableState",
    "Waiting",
    "game_of",
    "one_game_of",
    "stakes_of",
]


def stakes_of(given: str | Stakes) -> Stakes:
    """Return stakes, given as such or as text; raises `BadSpec` for anything else."""
    if isinstance(given, str):
        return Stakes.parse(given)
    if not isinstance(given, Stakes):
        raise BadSpec(f"stakes {given!r:.40} are neither Stakes nor text such as 1/2")
    return given


def game_of(given: str | Game | Rotation) -> Game | Rotation:
    """Return a game or a rotation, given as such or by name; raises `BadSpec` for anything else."""
    if isinstance(given, str):
        return Rotation.named(given)
    if not isinstance(given, Game | Rotation):
        raise BadSpec(f"game {given!r:.40} is neither a Game nor the name of one")
    return given


def one_game_of(given: str | Game) -> Game:
    """Return a game, given as such or by name; raises `BadSpec` for anything else, a rotation included."""
    game = game_of(given)
    if isinstance(game, Rotation):
        raise BadSpec(f"a hand is of one game, and {game} is a rotation")
    return game


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

    def __attrs_post_init__(self) -> None:
        for name in ("seats", "button", "first_hand"):
            number = getattr(self, name)
            if type(number) is not int and (name, number) != ("button", None):
                raise BadSpec(f"{name} {number!r:.40} is not a whole number")
        for name, kind in (("options", CashOptions), ("time_bank", TimeBank)):
            given = getattr(self, name)
            if given is not None and not isinstance(given, kind):
                raise BadSpec(f"{name} {given!r:.40} is not {kind.__name__}(...) or None")
        if type(self.button_moves) is not bool:
            raise BadSpec(f"button_moves {self.button_moves!r:.40} is neither True nor False")
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
    """hands in a row in which its time ran out"""


@value
class Waiting:
    """A player waiting for a seat, to buy in for `buy_in` chips; 0 to buy in later."""

    player: str
    address: Address = attrs.field(repr=False, eq=False)
    buy_in: int = 0


@value
class TableState:
    """The complete state of a table, without any card."""

    seats: tuple[Seat | None, ...]
    positions: Positions | None = None
    """of the current or last hand"""
    number: int = 0
    """of the next hand"""
    hand_id: str | None = None
    """the hand being played"""
    commitment: str = ""
    """the commitment to its deck, in hexadecimal; empty for a deck passed in"""
    waiting: tuple[Waiting, ...] = ()
    """the waiting list, the next one first"""
    once: tuple[str, ...] = ()
    """players who have declined running boards more than once"""

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

    def without(self, player: str) -> TableState:
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

    def seated_by_books(self, stacks: Mapping[str, int]) -> TableState:
        """Return this state with players seated who wait here but have a stack in the bank's books."""
        state = self
        for one in self.waiting:
            if one.player in stacks and None in state.seats:
                seat = Seat(one.player, one.address)
                state = state.without(one.player).with_seat(state.seats.index(None), seat)
        return state

    def restacked(self, stacks: Mapping[str, int]) -> TableState:
        """Return this state with the stacks (player -> chips) of the bank's books."""
        seats = tuple(
            [
                seat
                if seat is None or seat.stack == (stack := stacks.get(seat.player, 0))
                else Seat(seat.player, seat.address, stack, seat.out, seat.late)
                for seat in self.seats
            ]
        )
        rest = (self.hand_id, self.commitment, self.waiting, self.once)
        return TableState(seats, self.positions, self.number, *rest)

    def sat_out(self, late: Collection[int], most: int) -> TableState:
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

    def with_seat(self, number: int, seat: Seat | None) -> TableState:
        """Return this state with one seat changed."""
        return attrs.evolve(self, seats=(*self.seats[:number], seat, *self.seats[number + 1 :]))

    @property
    def in_hand(self) -> dict[int, Seat]:
        """Seats dealt into the hand being played; none between hands."""
        if self.hand_id is None or self.positions is None:
            return {}
        seats = self.seats
        return {number: seat for number in self.positions.dealt if (seat := seats[number]) is not None}

    @property
    def ready(self) -> tuple[int, ...]:
        """Seats that can be dealt in."""
        seats = enumerate(self.seats)
        return tuple([number for number, seat in seats if seat is not None and seat.stack and not seat.out])


@attrs.define
class Booked:
    """A booked hand whose end is still to be announced, each item once."""

    result: HandResult
    after: TableState
    live: DealtHand | None
    sealed: SealedDeal | None
    said: int = 0
    """the number of items announced so far"""


@attrs.define
class TableMemory:
    """What a table remembers across crashes of its actor, above all the stage of its hand.

    A hand goes through these stages, and each is noted here before anything follows from it:

    - `live`: its stacks are in escrow and its result is promised; it is being played, or about to be.
      It stays so until a message says that it has ended or died; a closed address proves nothing.
    - `ended`: the table has heard how it ended, and has it booked.
    - `booked`: it is in the books; the table announces it, and answers whoever waits for the result.
    """

    state: TableState
    live: DealtHand | None = None
    ended: HandEndedNews | None = None
    booked: Booked | None = None
    watchers: tuple[Address, ...] = ()
    audience: Audience | None = None
    """of the current or last hand"""
    shut: bool = False
    """no more hands are dealt, as the room is closing"""
    void: bool = False
    """a stopped hand is not continued"""
    kept: bool = False
    """a stopped hand is left to the journal"""
    banks: dict[str, float] = attrs.field(factory=dict)
    """seconds left in time banks, by player; a bank missing here is full"""
    sealed: SealedDeal | None = None
    """the committed deck of the hand being played; None if it has none"""
    resume: Hand | None = None
    """a hand to continue, replayed to the end of its journal"""
