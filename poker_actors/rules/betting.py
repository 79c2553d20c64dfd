"""The betting of a hand: whose turn it is, what it costs, and when a raise reopens the betting.

Folds, checks and calls are the hot path of every simulation, so they work on plain integers and lists
and build events only when there is a listener.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, SupportsIndex, assert_never

from poker_actors.errors import IllegalAction
from poker_actors.native import mypyc_attr
from poker_actors.rules.action import (
    CALL,
    CHECK,
    FOLD,
    Action,
    Bet,
    BringIn,
    Call,
    Check,
    Discard,
    Fold,
    Lay,
    RaiseTo,
    copied,
    unfit,
)
from poker_actors.rules.event import Acted, Listener
from poker_actors.rules.game import Betting, Game
from poker_actors.rules.legal import Legal
from poker_actors.rules.log import AMOUNT_BITS, BET, CALLED, CHECKED, FOLDED, RAISED
from poker_actors.rules.stakes import Stakes

if TYPE_CHECKING:
    from poker_actors.rules.public import PublicState

_TOTAL: Final = "total"
_REST: Final = slice(1, None)
"""All but the first; bound once, as `[1:]` makes a new slice each time."""
NOT_YET: Final = -1
"""Value in `acted` for a seat that has not acted on this street."""

_FIXED_LIMIT: Final = Betting.FIXED_LIMIT
_NO_LIMIT: Final = Betting.NO_LIMIT
"""Bound once: a lookup through the enum takes four times as long."""

BETTING_FIELDS: Final = (
    "_public",
    "acted",
    "aggressor",
    "bet",
    "bets",
    "can_bet",
    "decision",
    "game",
    "listener",
    "live",
    "log",
    "min_raise",
    "min_raise_to",
    "raises",
    "stacks",
    "stakes",
    "street",
    "to_act",
)
"""The slots of a `BettingRound`, also the fields its copies carry over."""


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class BettingRound:
    """Chips and turns, street by street; `Hand` adds the cards.

    `bets`, `stacks`, `live` and `to_act` are tuples: a `PublicState` shares them, and nobody who has one may change the
    hand or an earlier state. `acted`, `can_bet` and `log` change in place and are never handed out.
    """

    __slots__ = BETTING_FIELDS

    _public: PublicState | None
    """What everybody can see, once somebody has looked; None again with each entry of the log."""
    game: Game
    stakes: Stakes
    listener: Listener | None
    stacks: tuple[int, ...]
    """Chips behind, by seat."""
    bets: tuple[int, ...]
    """Chips in front on this street, by seat."""
    acted: list[int]
    """The bet each seat faced or made when it last acted on this street, else `NOT_YET`; see `_may_raise`."""
    live: tuple[int, ...]
    """Seats still in the hand, from the left of the button."""
    can_bet: list[int]
    """Live seats with chips behind, from the left of the button."""
    to_act: tuple[int, ...]
    """Seats still to act on this street, next to act first; empty when the hand is over."""
    bet: int
    """Chips a seat must have in front on this street to stay in."""
    min_raise: int
    """The increment of a full raise, in chips."""
    min_raise_to: int
    """The smallest total of a full raise, in chips."""
    decision: int
    """The kind of decision of the seat to act; 0 is betting. For any other kind `bet` always differs from the
    seat's chips in front, so `check_or_call` need only test `decision` when chips are owed: a check, the most
    common action, costs nothing extra in games without draws."""
    street: int
    """The number of the street, from 0; the number of streets once the hand is over."""
    raises: int
    """Full bets and raises on this street; the big blind counts as one."""
    aggressor: int
    """The last seat to bet or raise on this street; -1 if none has."""
    log: list[int]
    """The actions of the hand, packed into one integer each; see `rules.log`."""

    def act(self, action: Action) -> None:
        """Take `action` for the seat to act.

        Raise `IllegalAction`, which names the value and the limit, and leave the hand unchanged if it is not legal.
        """
        to_act = self.to_act
        if not to_act:
            raise self._over()
        kind = type(action)
        if kind is Fold:
            self.fold()
            return
        seat = to_act[0]
        owed = self.bet - self.bets[seat]
        if (kind is Call and owed > 0) or (kind is Check and not owed):
            self._match(to_act, seat, owed)
            return
        if kind is RaiseTo:
            # read once, as a bot may write to it; as an object: compiled code would fail with a bare `TypeError`
            total: object = getattr(action, _TOTAL, None)
            if type(total) is int and self._surely_may(total, seat):
                self._raise_to(total)
                return
        taken = copied(action)
        if taken is None:  # not read again: what could not be copied may be whole by now
            raise IllegalAction(unfit(action))
        refusal = self.legal.refusal(taken)
        if refusal is not None:
            raise IllegalAction(refusal)
        match taken:
            case RaiseTo(total) | Bet(total):
                self._raise_to(total)
            case Fold():
                self.fold()
            case Check() | Call():
                self.check_or_call()
            case BringIn() | Discard() | Lay():
                self._decide(taken)
            case _:
                assert_never(taken)

    def _surely_may(self, total: int, seat: int) -> bool:
        """Whether a full raise to `total` is legal at a glance; `legal` decides the rest."""
        game = self.game
        if self.decision or game.capped or game.betting is not _NO_LIMIT:
            return False
        if len(self.can_bet) < 2 or not self._may_raise():
            return False
        return self.min_raise_to <= total <= self.bets[seat] + self.stacks[seat]

    def fold(self) -> None:
        """Fold the hand of the seat to act; raise `IllegalAction` if the hand is over or the seat may not fold."""
        to_act = self.to_act
        if not to_act:
            raise self._over()
        if self.decision:
            raise IllegalAction(str(self.legal.refusal(FOLD)))
        seat = to_act[0]
        self.to_act = to_act[_REST]
        self.log.append(FOLDED | seat)
        self._public = None
        self.live = tuple([other for other in self.live if other != seat])
        self.can_bet.remove(seat)
        if self.listener is not None:
            self.listener(Acted(seat, FOLD, 0, False))
        if len(self.live) == 1:
            self._pay_last_seat()
            return
        if len(self.can_bet) < 2:
            self._spare_lone_bettor()
        if not self.to_act:
            self._close_street()

    def check_or_call(self) -> int:
        """Check or call for the seat to act, all-in if short; return the chips paid, 0 for a check.

        In a draw, stand pat; where cards must be thrown away, throw the last ones. Raise `IllegalAction` if the
        hand is over.
        """
        to_act = self.to_act
        if not to_act:
            raise self._over()
        seat = to_act[0]
        return self._match(to_act, seat, self.bet - self.bets[seat])

    def _match(self, to_act: tuple[int, ...], seat: int, owed: int) -> int:
        """Check or call for `seat`, the first `to_act`, which owes chips or none; return the chips paid."""
        bet = self.bet
        if owed:
            if self.decision:
                return self._pass()
            self.to_act = to_act[_REST]
            owed = self._pay(seat, owed)
            self.log.append(owed << AMOUNT_BITS | CALLED | seat)
            self._public = None
            if len(self.can_bet) < 2:
                self._spare_lone_bettor()
        else:
            self.to_act = to_act[_REST]
            self.log.append(CHECKED | seat)
            self._public = None
        self.acted[seat] = bet
        if self.listener is not None:
            self.listener(Acted(seat, CALL if owed else CHECK, owed, self.stacks[seat] == 0))
        if not self.to_act:
            self._close_street()
        return owed

    def raise_to(self, total: SupportsIndex) -> None:
        """Bet or raise to `total` chips in front; raise `IllegalAction`, which names the bounds, if it is not legal."""
        # `SupportsIndex`, not `int`: compiled code would refuse a wrong type with a `TypeError` at the call;
        # this way `legal.refusal` names the value, compiled or not.
        self.act(RaiseTo(total))  # type: ignore[arg-type]  # checked by `legal.refusal`

    @property
    def legal(self) -> Legal:
        """The legal actions of the seat to act; falsy when the hand is over."""
        raise NotImplementedError

    def _pay(self, seat: int, chips: int) -> int:
        """Move up to `chips` from the stack to the front; return the number moved."""
        stack = self.stacks[seat] - chips
        if stack <= 0:
            chips += stack
            stack = 0
            self.can_bet.remove(seat)
        # by way of a list: half the time of joining two slices
        stacks = [*self.stacks]
        stacks[seat] = stack
        self.stacks = tuple(stacks)
        bets = [*self.bets]
        bets[seat] += chips
        self.bets = tuple(bets)
        return chips

    def _raise_to(self, total: int) -> None:
        """Bet or raise to a `total` known to be legal, or complete a bring-in."""
        self.decision = 0
        seat = self.to_act[0]
        opening = self.bet == 0
        can_bet = self.can_bet
        turn = can_bet.index(seat)
        self.to_act = (*can_bet[turn + 1 :], *can_bet[:turn])
        paid = self._pay(seat, total - self.bets[seat])
        self.log.append(total << AMOUNT_BITS | (BET if opening else RAISED) | seat)
        self._public = None
        self._count_raise(total)
        self.bet = total
        self.acted[seat] = total
        self.aggressor = seat
        if self.listener is not None:
            action: Action = Bet(total) if opening else RaiseTo(total)
            self.listener(Acted(seat, action, paid, self.stacks[seat] == 0))

    def _count_raise(self, total: int) -> None:
        """Set the size of the next raise; a short all-in leaves the increment unchanged."""
        if self.game.betting is _FIXED_LIMIT:
            # An all-in of half a bet or more counts as a full bet; after less, the next raise completes the bet.
            if 2 * (total - (self.min_raise_to - self.min_raise)) >= self.min_raise:
                if self.game.brings_in and self.street == 0 and not self.raises:
                    # A completed bring-in is the first bet: seats that called the bring-in may still raise. On other
                    # streets a seat that has acted must face half a bet, counting short all-in bets it called (47-B).
                    self.acted = [NOT_YET] * len(self.acted)
                self.raises += 1
                self.min_raise_to = total + self.min_raise
            return
        increment = total - self.bet
        if increment >= self.min_raise:
            self.raises += 1
            self.min_raise = self.stakes.min_bet if self.game.free_raise else increment
        self.min_raise_to = total + self.min_raise

    def _may_raise(self) -> bool:
        """Whether the seat to act may raise, if another can still bet (TDA 2024, rule 47: reopening the betting)."""
        game = self.game
        cap = game.bets_per_street
        if cap and self.raises >= cap:
            return False
        acted = self.acted[self.to_act[0]]
        if acted == NOT_YET:
            return True
        if not game.raise_again:
            return False
        since = self.bet - acted
        if game.betting is _FIXED_LIMIT:
            return 2 * since >= self.min_raise
        return since >= self.min_raise

    def _spare_lone_bettor(self) -> None:
        """End the turn of the only seat with chips left if it owes nothing; else cap its call.

        Nobody can answer a raise, so it need not call more than any other seat has put in front. A blind
        posted out of turn counts even if that seat has folded, because a fold takes no bet back.
        """
        if not self.to_act:
            return
        seat = self.to_act[0]
        most = max(self.bets)
        if self.bets[seat] == most:
            self.to_act = ()
        else:
            self.bet = most

    def _decide(self, action: BringIn | Discard | Lay) -> None:
        """Take a legal `action` that is not a bet: a bring-in, discard or lay."""
        raise NotImplementedError

    def _pass(self) -> int:
        """Take the cheapest action that is not a bet; return the chips paid."""
        raise NotImplementedError

    def _close_street(self) -> None:
        """Go on once nobody is left to act on this street."""

    def _pay_last_seat(self) -> None:
        """Pay the pot to the only seat that has not folded."""

    @staticmethod
    def _over() -> IllegalAction:
        return IllegalAction("the hand is over: nobody is to act", code="not_active")
