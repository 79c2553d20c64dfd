"""A turn and how to take it: by the contract's orders, by poker actions, or by the name of the next game; and its clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Generic, Protocol, TypeVar

import attrs

from poker_actors.actors import HandState
from poker_actors.actors.aio import AsyncRoom
from poker_actors.cards import Card, parse_cards
from poker_actors.errors import BadInput, BadSpec, IllegalAction, StaleAction, TableRefusal
from poker_actors.rules import (
    Action,
    Bet,
    BringIn,
    Call,
    Check,
    Discard,
    Fold,
    Game,
    Lay,
    Legal,
    PublicState,
    RaiseTo,
)
from poker_actors.rules.games import Rotation
from poker_actors.server.contract import ActName, Plan, bodies
from poker_actors.server.hspe.roster import Member
from poker_actors.server.hspe.setting import Profile, Setting
from poker_actors.server.shapes import check, object_of, read

T = TypeVar("T")

Key = tuple[str, int]
"""Identifies a turn: the hand's id, and the number of actions before it."""

KEPT_SECONDS: Final = 60.0
"""Turns of this length or more are kept in the journal, as the actors keep theirs; for a shorter one a write costs too much.
A running time bank is always kept: otherwise it would be full again.
"""
_REMEMBERED: Final = 32
"""Players whose last turn is remembered: a full table, and some who have just left."""


@attrs.frozen
class Due:
    """When the turn of a key ends (seconds since 1970), and the seconds drawn from the time bank."""

    key: Key
    expiry: float
    bank: float = 0.0
    grace: float = 0.0
    """seconds added by a restart, after the end of the time bank"""

    def plain(self) -> list[str | float]:
        """Return the fields, for JSON."""
        return [*self.key, self.expiry, self.bank, *([self.grace] if self.grace else [])]

    @classmethod
    def from_plain(cls, plain: Sequence[Any]) -> Due:
        """Read these fields; the inverse of `plain`."""
        hand_id, seq, expiry, bank, *grace = plain
        return cls((str(hand_id), int(seq)), float(expiry), float(bank), *map(float, grace))

    def after_restart(self, now: float, seconds: float) -> Due:
        """Return the turn with at least a minute and a tenth of `seconds` left: nobody could act during the restart.

        While the time bank runs it is only a minute, which does not refill the bank.
        """
        if not self.bank:
            return attrs.evolve(self, expiry=max(self.expiry, now + max(KEPT_SECONDS, seconds / 10)))
        end = self.expiry - self.grace
        expiry = max(end, now + KEPT_SECONDS)
        return attrs.evolve(self, expiry=expiry, grace=expiry - end)


@attrs.frozen
class OpenTurn:
    """A player's turn, and when it ends (seconds since 1970)."""

    user: str
    state: HandState
    expiry: float
    bank: float = 0.0
    """seconds drawn from the time bank; 0 before it is used"""
    grace: float = 0.0
    """seconds at its end that are not the time bank's"""

    @property
    def key(self) -> Key:
        """The key of this turn."""
        return self.state.hand_id, self.state.seq

    @property
    def due(self) -> Due:
        """When the turn ends, in a form to store."""
        return Due(self.key, self.expiry, self.bank, self.grace)

    @property
    def seconds(self) -> float:
        """Seconds since the time bank began to run; 0 before."""
        return self.bank + self.grace

    def bank_left(self, now: float) -> float:
        """Return the seconds left of the running time bank."""
        return max(0.0, self.expiry - self.grace - now)

    def until(self, due: Due | None) -> OpenTurn:
        """Return the same turn, ending at the stored time; unchanged for None."""
        if due is None:
            return self
        return attrs.evolve(self, expiry=due.expiry, bank=due.bank, grace=due.grace)


@attrs.frozen
class InvalidBet:
    """An invalid bet, which folded its player, and why."""

    user: str
    amount: int
    reason: str


@attrs.frozen
class NamedAction:
    """A requested action, by name; `amount` is the total of a bet or raise, in chips.

    `cards` are those thrown away; none means to stand pat. `rows` are those laid in the top, the middle and the bottom row.
    """

    act: ActName
    amount: int = 0
    cards: tuple[Card, ...] = ()
    rows: tuple[tuple[Card, ...], ...] = ((), (), ())

    def plain(self) -> list[str | int]:
        """Return the fields, for JSON."""
        if self.act == "lay":
            return [self.act, self.amount, *["".join(map(str, row)) for row in self.rows]]
        return [self.act, self.amount, *map(str, self.cards)]

    @classmethod
    def from_plain(cls, plain: Sequence[Any]) -> NamedAction:
        """Return the action with these fields; the inverse of `plain`."""
        act, amount, *cards = plain
        if act == "lay":
            return cls(act, amount, rows=tuple([parse_cards(row) for row in cards]))
        return cls(act, amount, parse_cards(cards))

    def action(self, legal: Legal | None) -> Action:
        """Return the action of the rules; resolving all-in needs `legal`."""
        match self.act:
            case "fold":
                return Fold()
            case "check":
                return Check()
            case "call":
                return Call()
            case "bet":
                return Bet(self.amount)
            case "raise_to":
                return RaiseTo(self.amount)
            case "bring_in":
                return BringIn()
            case "discard":
                return Discard(self.cards)
            case "lay":
                top, middle, bottom = self.rows
                return Lay(top, middle, bottom)
            case "all_in":
                if legal is None:
                    raise StaleAction("all_in: that turn is over")
                if legal.all_in is None:
                    raise IllegalAction("all_in is not possible here")
                return legal.all_in


class TurnsTaken(Generic[T]):
    """Each player's last turn and how it was taken: a repeat gets the same answer."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[Key, T]] = {}

    def was(self, user_id: str, key: Key | None, done: T) -> bool:
        """Return whether this player has already taken this turn, and with this action; no key is no turn's."""
        return self._last.get(user_id) == (key, done)

    def check_cards(self, user_id: str, key: Key | None, done: NamedAction) -> None:
        """Raise `StaleAction` if this player laid or threw away other cards in this turn; the log has only counts."""
        taken, before = self._last.get(user_id, (("", 0), None))
        if taken != key or not isinstance(before, NamedAction) or before.act != done.act:
            return
        if before.rows != done.rows or {*before.cards} != {*done.cards}:
            raise StaleAction(
                f"{taken[0]} #{taken[1]}: other cards have been laid or thrown away in this turn"
            )

    def keep(self, user_id: str, key: Key, done: T) -> None:
        """Remember a turn."""
        self._last.pop(user_id, None)
        self._last[user_id] = (key, done)
        if len(self._last) > _REMEMBERED:
            self._last.pop(next(iter(self._last)))


class Plans:
    """Plans for the next turn of players in one hand, by user id."""

    def __init__(self) -> None:
        self._plans: dict[str, Plan] = {}

    def of(self, user_id: str) -> Plan | None:
        """Return a player's plan."""
        return self._plans.get(user_id)

    def take(self, user_id: str) -> Plan | None:
        """Return a player's plan and forget it, since it is for one turn."""
        return self._plans.pop(user_id, None)

    def keep(self, user_id: str, plan: Plan) -> None:
        """Keep a plan."""
        self._plans[user_id] = plan

    @staticmethod
    def check(state: HandState | None, public: PublicState | None) -> None:
        """Raise `TableRefusal` (`not_active`) for a player with this last `state` who has no more turns in `public`."""
        if public is None or public.over or state is None or state.seat not in public.seats_live:
            raise TableRefusal("you are not in a hand now", code="not_active")
        if public.layout is not None:
            raise TableRefusal(
                "each card is placed in view of all: no turn can be planned in advance", code="not_active"
            )

    def clear(self) -> None:
        """Forget all plans: another hand has begun."""
        self._plans.clear()


def read_move(body: str | bytes) -> tuple[NamedAction, Key | None]:
    """Read ``{"act": "raise_to", "amount": 60, "hand_id": ID, "seq": 7}``; the last two come together or not at all.

    Raises `BadSpec`.
    """
    plain = read(bodies.Action, body)
    act = plain["act"]
    amount = (plain.get("amount") or 0) if act in bodies.SIZED else 0
    cards = _cards_of(plain.get("cards") or []) if act == "discard" else ()
    rows = tuple(map(_cards_of, plain.get("rows") or [])) if act == "lay" else ((), (), ())
    return NamedAction(act, amount, cards, rows), key_of(plain)


def _cards_of(texts: list[str]) -> tuple[Card, ...]:
    """Read cards; raises `BadSpec`."""
    try:
        return parse_cards(texts)
    except BadInput as error:
        raise BadSpec(f"cards: {error}") from None


def planned(plan: Plan, state: HandState) -> Action:
    """Return the action that a plan means at a turn."""
    legal = state.legal
    if plan == "call_any" and legal.to_call:
        return Call()
    return legal.passive


def read_plan(body: bytes) -> tuple[Plan | None, str | None]:
    """Read ``{"plan": "check_fold", "hand_id": ID}``; null cancels the plan; the hand may be left out.

    Raises `BadSpec`.
    """
    plain = read(bodies.Planning, body)
    return plain["plan"], plain.get("hand_id")


def key_of(plain: bodies.Act | bodies.Action) -> Key | None:
    """Return the `hand_id` and `seq` of an act, which go together; None without them."""
    seq = plain.get("seq")
    return None if seq is None else (str(plain["hand_id"]), seq)


# -- the contract's orders --------------------------------------------------------------------


@attrs.frozen
class Order:
    """Fold, for `amount` None, or put `amount` chips in now; a bet of 0 is a check."""

    amount: int | None

    def plain(self) -> list[int | None]:
        """Return the fields, for JSON."""
        return [self.amount]


def read_order(body: bytes, profile: Profile) -> tuple[Order, Key | None]:
    """Read an Act, ``{"action": 0|1, "betAmount": chips}``, and the turn's `hand_id` and `seq` if given.

    Raises `BadSpec` for a body that is not an Act.
    """
    plain = object_of(body)
    if plain is None:
        raise BadSpec("Couldn't read request: an act must be a JSON object")
    if profile.loose_orders:
        lower = {key.lower(): value for key, value in plain.items()}
        plain = lower | {"action": lower.get("action", 0), "betAmount": lower.get("betamount", 0)}
    try:
        act = check(bodies.Act, plain)
    except BadSpec as error:
        raise BadSpec(f"Couldn't read request: {error}") from None
    if act["action"] == bodies.FOLD:
        return Order(None), key_of(act)
    if act["action"] != bodies.BET and not profile.loose_orders:
        raise BadSpec(f"action {act['action']} must be 0 (fold) or 1 (bet)")
    amount = act["betAmount"]
    if amount < 0 and not profile.negative_folds:
        raise BadSpec(f"betAmount {amount} is below 0")
    return Order(amount), key_of(act)


def action_of(order: Order, public: PublicState, seat: int) -> Action:
    """Return the action that an order means for the seat to act; raises `IllegalAction` for an invalid bet.

    The contract has four invalid bets: negative, above the wealth, below the call without being all-in, a raise below
    the minimum. A bet above the call when no raise is allowed (all others are all-in, or a short all-in has not
    reopened the betting) is none of these: it is a call, or a check where there is nothing to call.
    """
    if order.amount is None:
        return Fold()
    action = public.action_for(seat, order.amount)
    legal = public.legal(seat)
    refused = legal.refusal(action)
    if refused is None:
        return action
    if not legal.can_raise:
        return public.action_for(seat, legal.to_call)
    raise IllegalAction(refused)


# -- dealer's choice --------------------------------------------------------------------------


def not_to_name() -> TableRefusal:
    """Return the refusal of a player who may not name a game."""
    return TableRefusal("it is not your turn to name a game", code="out_of_turn")


@attrs.frozen
class OpenChoice:
    """A player's right to name the game of the next hands, until `expiry` (seconds since 1970)."""

    user: str
    seat: int
    number: int
    """number of the orbit's first hand"""
    expiry: float
    seconds: float


@attrs.define
class DealersChoice:
    """Let players name the game of each orbit in turn, and keep the named one.

    An orbit has as many hands as the table has seats. The right to name passes from seat to seat; if nobody
    names one, the games take turns too. Nothing is recorded: after a restart in the middle of an orbit, the
    player is asked again.
    """

    rotation: Rotation
    seats: int
    open: OpenChoice | None = None
    _named: tuple[int, Game] | None = None

    @classmethod
    def of(cls, setting: Setting) -> DealersChoice | None:
        """Return the choice of a new table of this setting; None if nobody chooses."""
        games = setting.rules
        return cls(games, setting.seats) if isinstance(games, Rotation) and games.choice else None

    def game_of(self, number: int) -> Game | None:
        """Return the game of hand `number`; None until it has been named."""
        named = self._named
        return named[1] if named is not None and named[0] == number // self.seats else None

    def name(self, number: int, game: Game) -> None:
        """Play `game` in the orbit of hand `number`."""
        self._named = (number // self.seats, game)
        self.open = None

    def ask(self, number: int, seated: Mapping[int, Member], now: float, seconds: float) -> bool:
        """Ask a `seated` player to name the game of hand `number` in `seconds`; return whether it is named.

        House bots and players sitting out are not asked.
        """
        if self.game_of(number) is not None:
            return True
        seats = sorted(seated)
        seat = seats[number // self.seats % len(seats)]
        member, asked = seated[seat], self.open
        if member.house is not None or member.away is not None:
            self.name(number, self.unasked(number))
            return True
        if asked is None or (asked.user, asked.number) != (member.user.id, number):
            self.open = OpenChoice(member.user.id, seat, number, now + seconds, seconds)
        return False

    def unasked(self, number: int) -> Game:
        """Return the game played in hand `number`'s orbit if nobody names one."""
        games = self.rotation.games
        return games[number // self.seats % len(games)]

    def take(self, user_id: str, name: str) -> None:
        """Play the game that a player names; raises `TableRefusal` (`out_of_turn`), `BadSpec`."""
        if self.open is None or self.open.user != user_id:
            raise not_to_name()
        self.name(self.open.number, self.find(name))

    def lapse(self, asked: OpenChoice | None) -> bool:
        """Name the game for the player `asked`, whose time is up; return whether it was still unnamed."""
        if asked is None or self.open is not asked:
            return False
        self.name(asked.number, self.unasked(asked.number))
        return True

    def find(self, name: str) -> Game:
        """Return the game of this name; raises `BadSpec`."""
        for game in self.rotation.games:
            if game.name == name:
                return game
        names = ", ".join(game.name for game in self.rotation.games)
        raise BadSpec(f"game {name[:40]!r} must be one of {names}")


# -- the clock --------------------------------------------------------------------------------


class Alarm(Protocol):
    """A call to make later."""

    def cancel(self) -> None:
        """Cancel the call."""


class Clock(Protocol):
    """The lobby's source of time."""

    def now(self) -> float:
        """The time in seconds since 1970, for clients."""

    def later(self, seconds: float, callback: Callable[[], None]) -> Alarm:
        """Call `callback` after `seconds`, once everything already under way is done."""


class LoopClock:
    """The clock of a room on a `StepRuntime` in the running event loop."""

    def __init__(self, room: AsyncRoom) -> None:
        self._bridge = room.bridge

    def now(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def later(self, seconds: float, callback: Callable[[], None]) -> Alarm:
        """Have the loop call `callback`, then let the room handle its effects."""
        return self._bridge.loop.call_later(seconds, self._call, callback)

    def _call(self, callback: Callable[[], None]) -> None:
        try:
            callback()
        finally:
            self._bridge.wake()
