"""Chips and bets: who may act, what a call costs, and the bounds of a raise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final, Protocol

import attrs

from poker_actors.referee.facts import NOBODY, Owed, Sheet, Sitting


def clockwise(seats: Iterable[int], after: int, size: int) -> list[int]:
    """Sort seats by their place to the left of `after`, which itself comes last."""
    return sorted(seats, key=lambda seat: (seat - after - 1) % size)


def owed_posts(sitting: Sitting) -> list[Owed]:
    """Return the forced bets of a hand, in order: antes from the left of the button, blinds, straddle, the big blind's ante."""
    size = len(sitting.stacks)
    dealt = clockwise([seat for seat, stack in enumerate(sitting.stacks) if stack], sitting.button, size)
    if sitting.bomb:
        antes = [Owed(seat, "ante", sitting.bomb) for seat in dealt]
        return [*antes, *[one for one in sitting.owed or () if one.kind in ("ante", "dead blind")]]
    if sitting.owed is not None:
        return list(sitting.owed)
    small, big = sitting.small_seat, sitting.big_seat
    if big == NOBODY:
        # heads-up the button has the small blind (TDA 34-B)
        small, big = (dealt[1], dealt[0]) if len(dealt) == 2 else (dealt[0], dealt[1])
    owed = [Owed(seat, "ante", sitting.ante) for seat in dealt]
    if small is not None:
        owed.append(Owed(small, "small blind", sitting.small))
    owed.append(Owed(big, "big blind", sitting.big))
    if sitting.straddle:
        left = clockwise(dealt, big, size)[0]
        before = sitting.small if left == small else 0
        owed.append(Owed(left, "straddle", sitting.straddle - before))
    owed.append(Owed(big, "big blind ante", sitting.big_ante))
    return [one for one in owed if one.chips]


class Places(Protocol):
    """Where the button and blinds of a hand are, even on empty seats, and who is dealt in."""

    @property
    def button(self) -> int:
        """The seat of the button."""

    @property
    def small_seat(self) -> int:
        """The seat that owes the small blind."""

    @property
    def big_blind(self) -> int:
        """The seat of the big blind."""

    @property
    def dealt(self) -> Collection[int]:
        """The seats dealt in."""


def move_flaw(before: Places, now: Places, size: int) -> str | None:
    """Say how the button and blinds, after those of the last hand, break the dead-button rule (TDA 32, 34-B), if at all."""
    small, big = now.small_seat, now.big_blind
    due = clockwise(now.dealt, before.big_blind, size)[0]
    if big != due:
        return f"seat {due} has the big blind, not seat {big}"
    if len(now.dealt) == 2:
        return None if now.button == small != big else "heads-up the button has the small blind"
    if small != before.big_blind:
        return f"the small blind is due from seat {before.big_blind}, not from seat {small}"
    left = [(seat - before.small_seat) % size for seat in (big, small)]
    # the button may not be behind the blinds: the last player before the small blind has it then
    due = (
        before.small_seat
        if left[0] > left[1]
        else clockwise({*now.dealt, now.button} - {small}, small, size)[-1]
    )
    if now.button != due:
        return f"the button is due at seat {due}, not at seat {now.button}"
    between = [
        seat for seat in now.dealt if (seat - due) % size < (big - due) % size and seat not in before.dealt
    ]
    if between and len(now.dealt) - len(between) > 1:
        return f"seat {between[0]} waits until the button has passed"
    return None


@attrs.frozen(kw_only=True)
class Turn:
    """Whose turn it is, and what the seat may do."""

    seat: int
    asks: str
    """`bet`, `bring in`, `draw`, `throw` or `lay`"""
    to_call: int = 0
    least: int = 0
    """the smallest total of a bet or raise, or number of cards to throw"""
    most: int = 0
    """the largest; 0 if none is allowed"""

    def __str__(self) -> str:
        if self.asks in ("draw", "throw"):
            return f"seat {self.seat} to {self.asks} {self.least} to {self.most} cards"
        if self.asks == "lay":
            return f"seat {self.seat} to lay cards"
        raises = f"raise to {self.least}-{self.most}" if self.most else "no raise"
        pays = f"bring in {self.to_call}" if self.asks == "bring in" else f"call {self.to_call}"
        return f"seat {self.seat} to {pays} or {raises}"


class Chips:
    """The chips of a hand, by seat."""

    def __init__(self, stacks: Sequence[int]) -> None:
        self.starting = tuple(stacks)
        self.behind = list(stacks)
        self.front = [0] * len(stacks)
        """on this street"""
        self.put_in = [0] * len(stacks)
        """live chips in the pots, antes included"""
        self.dead = [0] * len(stacks)
        """chips that belong to the main pot and match no bet"""
        self.live = [seat for seat, stack in enumerate(stacks) if stack > 0]

    @property
    def pot(self) -> int:
        """All chips that were put in."""
        return sum(self.put_in) + sum(self.dead)

    @property
    def able(self) -> list[int]:
        """The live seats with chips left."""
        return [seat for seat in self.live if self.behind[seat] > 0]

    def pay(self, seat: int, chips: int) -> None:
        """Bet chips."""
        self.behind[seat] -= chips
        self.put_in[seat] += chips
        self.front[seat] += chips

    def post(self, seat: int, kind: str, chips: int) -> None:
        """Post a forced bet: a blind counts as a bet, an ante does not; a dead blind or big blind ante is dead chips."""
        if kind in ("big blind ante", "dead blind"):
            self.behind[seat] -= chips
            self.dead[seat] += chips
            return
        self.pay(seat, chips)
        if kind == "ante":
            self.front[seat] -= chips

    def uncalled(self) -> tuple[int, int]:
        """Return the seat whose bet on this street nobody matched, and by how much; 0 if there is none.

        An ante is not a bet: if others are short of it, the excess makes a side pot.
        """
        seat = max(range(len(self.front)), key=self.front.__getitem__)
        return seat, self.front[seat] - max(
            [chips for other, chips in enumerate(self.front) if other != seat]
        )


_BLINDS: Final = ("small blind", "big blind", "straddle")


class Bets:
    """The bets of one street."""

    def __init__(self, sheet: Sheet, sitting: Sitting, chips: Chips, street: int) -> None:
        self.sheet, self.sitting, self.chips = sheet, sitting, chips
        self.bet = sitting.least_bet * (
            sheet.streets[street].bet_units if sheet.limit == "fixed-limit" else 1
        )
        self.level = 0
        """what a seat must have in front to stay in"""
        self.counted = 0
        """the level of the last bet or raise that counts as a whole one"""
        self.step = self.bet
        """the largest whole bet or raise so far: the least to raise by"""
        self.bets = 0
        """bets and raises that count towards the cap"""
        self.bring_in = 0
        """owed by the seat that opens; 0 once it is paid"""
        self.completes = False
        """whether the first bet completes a bring-in"""
        self.missing = 0
        """chips that short and dead blinds leave out of the pot"""
        self.aggressor: int | None = None
        self.queue: list[int] = []
        """the seats still to act, the next first"""
        self.faced: dict[int, int] = {}
        """what each seat that acted had to match, since the last whole bet or raise"""
        self.acted: set[int] = set()

    def blinds(self, posted: Sequence[tuple[Owed, int]]) -> None:
        """Begin with blinds, given as amounts owed and paid."""
        whole = [0] * len(self.chips.front)
        for owed, paid in posted:
            if owed.kind not in (*_BLINDS, "extra blind"):
                continue
            whole[owed.seat] += owed.chips
            if owed.kind != "extra blind":
                # a short blind is a whole bet to call (as TDA 54-B)
                self.level = max(self.level, whole[owed.seat])
                self.step = max(self.step, whole[owed.seat])
                self.missing += owed.chips - paid
        self.level = self.counted = max(self.level, *self.chips.front)
        # the big blind is the first bet of a limit game, a straddle of twice as much the second
        self.bets = max(1, self.level // self.bet) if self.level else 0
        # also if posts are listed: nobody owes it, so it is not among them
        if not self.sitting.bomb and self.sitting.small_seat is None and self.sitting.big_seat != NOBODY:
            self.missing += self.sitting.small  # a dead small blind

    def last_blind(self, posted: Sequence[tuple[Owed, int]], button: int) -> int:
        """Return the seat that acts last before the flop: that of the highest blind, or the button if there are none.

        Among equal blinds a straddle counts as higher than a big blind, and a big one as higher than a small
        one (TDA 34-B heads-up); then the one further from the left of the button does. The amount paid does
        not count.
        """
        whole: dict[int, tuple[int, int]] = {}
        for owed, _ in posted:
            if owed.kind in _BLINDS:
                whole[owed.seat] = (whole.get(owed.seat, (0, 0))[0] + owed.chips, _BLINDS.index(owed.kind))
        order = clockwise(whole, button, len(self.chips.front))
        return max(order, key=lambda seat: (whole[seat], order.index(seat)), default=button)

    def brings_in(self, chips: int, *, by_choice: bool) -> None:
        """Begin with a bring-in, which must be matched but is not a bet; the first seat pays or completes it `by_choice`."""
        self.level, self.completes = chips, True
        self.bring_in = chips if by_choice else 0

    def begin(self, order: list[int]) -> None:
        """Give each seat its turn; a seat that cannot act has none."""
        self.queue = [seat for seat in order if self.chips.behind[seat] > 0]

    # -- whose turn -----------------------------------------------------------------------------

    def next_seat(self) -> int | None:
        """Return the seat to act, or None: a seat that owes nothing is skipped if nobody could answer its bet."""
        while self.queue:
            seat = self.queue[0]
            if self.owed(seat) > 0 or len(self.chips.able) > 1:
                return seat
            del self.queue[0]
        return None

    def owed(self, seat: int) -> int:
        """Return what a call costs a seat, before its stack limits it.

        A short blind or bring-in is owed in full, unless nobody left could win the rest.
        """
        chips = self.chips
        level = self.level
        if chips.able in ([], [seat]):
            level = min(level, max([front for other, front in enumerate(chips.front) if other != seat]))
        return max(0, level - chips.front[seat])

    def turn(self, seat: int) -> Turn:
        """Return what the seat may do."""
        owed, behind = self.owed(seat), self.chips.behind[seat]
        least = most = 0
        if behind > owed and self.may_raise(seat):
            most = self._most(seat)
            least = min(self.whole, most)
        asks = "bring in" if self.bring_in else "bet"
        return Turn(seat=seat, asks=asks, to_call=min(owed, behind), least=least, most=most)

    # -- raising --------------------------------------------------------------------------------

    @property
    def whole(self) -> int:
        """The total of the smallest full bet or raise (TDA 43-A)."""
        if self.sheet.limit == "fixed-limit":
            return self.counted + self.bet
        if self.sheet.any_raise:
            return self.level + self.bet
        # a bring-in is completed to the smallest bet; it is not raised by it
        return max(self.bet, self.level) if self.completes and not self.bets else self.level + self.step

    def may_raise(self, seat: int) -> bool:
        """Whether the betting is open to the seat, apart from its chips."""
        if not [other for other in self.chips.able if other != seat]:
            return False
        if self.sheet.cap and self.bets >= self.sheet.cap:
            return False
        if seat not in self.acted:
            return True
        if not self.sheet.raise_again:
            return False
        # a whole bet or raise reopens it to everybody; short ones to those who face enough (TDA 47)
        return seat not in self.faced or self._enough(self.level - self.faced[seat])

    def _enough(self, faced: int) -> bool:
        """Whether a seat that has acted faces enough to raise again: a full raise, or half a bet in limit games (47-B)."""
        return 2 * faced >= self.bet if self.sheet.limit == "fixed-limit" else faced >= self.step

    def _most(self, seat: int) -> int:
        chips = self.chips
        all_in = chips.front[seat] + chips.behind[seat]
        if self.sheet.covered:
            others = [chips.front[other] + chips.behind[other] for other in chips.live if other != seat]
            all_in = min(all_in, max(others))
        if self.sheet.limit == "fixed-limit":
            return min(self.whole, all_in)
        if self.sheet.limit == "no-limit":
            return all_in
        # the pot after calling (TDA 54); short and dead blinds count in full (54-B)
        by = chips.pot + self.missing + self.owed(seat)
        return min(max(self.level + by, self.whole), all_in)

    def rule(self, seat: int) -> str:
        """Name the rule that bounds the raises of a seat."""
        if self.sheet.cap and self.bets >= self.sheet.cap:
            return f"at most {self.sheet.cap} bets a street (TDA 48)"
        if seat in self.acted:
            return "a short all-in does not reopen the betting (TDA 47)"
        return {
            "no-limit": "a raise is at least the largest raise of the street (TDA 43-A)",
            "pot-limit": "the maximum is the pot after calling (TDA 54)",
        }.get(self.sheet.limit, "bets and raises are of fixed size, half a bet counts as one (TDA 47-B)")

    # -- acts -----------------------------------------------------------------------------------

    def fold(self, seat: int) -> None:
        """Take a fold."""
        self._done(seat)
        self.chips.live.remove(seat)

    def call(self, seat: int) -> int:
        """Take a check, a call or a bring-in; return what it costs."""
        paid = min(self.owed(seat), self.chips.behind[seat])
        self.chips.pay(seat, paid)
        self.bring_in = 0
        self._done(seat)
        return paid

    def raise_to(self, seat: int, total: int) -> int:
        """Take a bet or raise, even a short one; return what it costs."""
        paid = total - self.chips.front[seat]
        self.chips.pay(seat, paid)
        self.bring_in = 0
        self.aggressor = seat
        whole = total >= self.whole
        if whole:
            self.step = max(self.step, total - self.level)
        # half a bet counts as a whole one, and the next raise is on top of it (TDA 47-B)
        half = self.sheet.limit == "fixed-limit" and 2 * (total - self.counted) >= self.bet
        if whole or half:
            # a seat that has called a bring-in has not called a bet: it may raise any bet that counts
            if whole or (self.completes and not self.bets):
                self.faced = {}
            self.counted, self.bets = total, self.bets + 1
        self.level = total
        self._done(seat)
        size = len(self.chips.behind)
        self.queue = clockwise([other for other in self.chips.able if other != seat], seat, size)
        return paid

    def _done(self, seat: int) -> None:
        self.acted.add(seat)
        self.faced[seat] = self.level
        if seat in self.queue:
            self.queue.remove(seat)
