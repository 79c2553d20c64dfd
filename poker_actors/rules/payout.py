"""The end of a hand: the showdown, its order, and the payment of the pots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import sub

from poker_actors.evaluator import suit_tie
from poker_actors.native import mypyc_attr
from poker_actors.rules.event import Awarded, HandEnded, Mucked, Raked, Shown
from poker_actors.rules.extra import Extra
from poker_actors.rules.options import HandOptions
from poker_actors.rules.settlement import Claim, Pot, award_pots, layer_pots, seats_that_show, split_pot
from poker_actors.rules.streets import FLOP, StreetRounds

PAID_FIELDS = ("dead", "options", "starting", "strengths")
"""The slots of `PaidRounds` beyond those of `StreetRounds`."""


@mypyc_attr(allow_interpreted_subclasses=True, serializable=True)
class PaidRounds(StreetRounds):
    """Streets of betting that end in a showdown."""

    __slots__ = PAID_FIELDS

    starting: tuple[int, ...]
    """Stacks by seat before anything was posted."""
    dead: tuple[tuple[int, int], ...]
    """Big-blind antes and dead blinds, as (seat, chips)."""
    options: HandOptions | None
    strengths: list[int] | None
    """After a showdown: the strength in the first share of each live seat, in the order of `live`; None before."""

    def _pay_last_seat(self) -> None:
        """Pay the pot, less rake, to the only seat that has not folded; it does not show."""
        self._dealt = None
        self.to_act = ()
        self._return_uncalled()
        seat, amount = self.live[0], self.pot
        # all seats, since a pot with one seat is not raked and this one was contested by those who folded
        (rake,) = self.rakes([Pot(amount, tuple(range(len(self.holes))))])
        self.street = len(self.game.streets)
        self._take_rake(0, rake)
        self._give(seat, amount - rake)
        if self.listener is not None:
            if amount:  # 0 if there were no blinds or antes: the only bet was returned as uncalled
                self.listener(Awarded(0, seat, amount - rake))
            self.listener(HandEnded(self.stacks, self.payoffs))

    def _show_down(self) -> None:
        """Compare the live hands and pay every pot."""
        live, extra = self.live, self.extra
        if extra is None:
            strengths = self.game.strengths([self.holes[seat] for seat in live], self.board)
            claims: Sequence[Sequence[Claim]] = ()
        else:
            claims = self._claims(extra)
            strengths = list(claims[0][0].strengths.values())
        self.strengths = strengths
        best = max(strengths)
        alone = strengths.count(best) == 1 and len(self.can_bet) == len(live)
        if self.listener is None and alone and (extra is None or extra.undivided):
            # Fast path of a simulation: no all-in, no listener, so one winner takes a single pot.
            seat, pot = live[strengths.index(best)], self.pot
            self._give(seat, pot)
            if extra is not None and pot:
                extra.awards.append(Awarded(0, seat, pot))
        elif self.listener is None and extra is None:
            self._pay_unheard(dict(zip(live, strengths, strict=True)))
        else:
            self._pay_pots(claims or [[Claim("", dict(zip(live, strengths, strict=True)))]])

    def _pay_unheard(self, strengths: Mapping[int, int]) -> None:
        """Pay the pots of a plain hand without a listener; building `Awarded` events takes three times as long."""
        stacks = list(self.stacks)
        for pot in self.pots:
            best = max([strengths[seat] for seat in pot.seats])
            for seat, amount in split_pot(
                pot.amount, [seat for seat in pot.seats if strengths[seat] == best]
            ):
                stacks[seat] += amount
        self.stacks = tuple(stacks)

    def _claims(self, extra: Extra) -> Sequence[Sequence[Claim]]:
        """Return the claims on each share, board by board, and keep them in `extra`."""
        live, game = self.live, self.game
        holes = [self.holes[seat] for seat in live]
        extra.claims = [game.claims(live, holes, board) for board in extra.boards]
        return extra.claims

    def _pay_pots(self, boards: Sequence[Sequence[Claim]]) -> None:
        listener = self.listener
        pots = self.pots
        rakes = self.rakes(pots)
        if listener is not None and not self._are_turned_up():
            shown = self.shown_seats()
            for seat in self.showdown_order():
                listener(Shown(seat, self.holes[seat]) if seat in shown else Mucked(seat))
        for number, awards in enumerate(award_pots(pots, rakes, boards, self.odd_chip_order)):
            self._take_rake(number, rakes[number])
            for award in awards:
                self._give(award.seat, award.amount)
                if self.extra is not None:
                    self.extra.awards.append(award)
                if listener is not None:
                    listener(award)
        if listener is not None:
            listener(HandEnded(self.stacks, self.payoffs))

    def _are_turned_up(self) -> bool:
        """Whether hole cards already lie face up: betting ended earlier, so nobody has acted on the last street."""
        return len(self.marks) > 1 and self.marks[-1] == len(self.log)

    def odd_chip_order(self, winners: Sequence[int], board: int, claim: Claim) -> Sequence[int]:
        """Order winners for odd chips: from the left of the button; in stud by suit (TDA 2024, rule 20)."""
        if not self.game.brings_in:
            return winners
        assert self.extra is not None
        ranking = next(share.ranking for share in self.game.shares if share.name == claim.name)
        cards = self.extra.boards[board]
        suits = {seat: suit_tie(ranking.cards(self.holes[seat], cards), low=ranking.low) for seat in winners}
        return sorted(winners, key=suits.__getitem__, reverse=True)

    def rakes(self, pots: Sequence[Pot]) -> list[int]:
        """Return the rake of each of `pots`, in chips, if they were paid now."""
        rake = None if self.options is None else self.options.rake
        if rake is None:
            return [0] * len(pots)
        return rake.of(pots, flop=len(self.marks) > 1 or len(self.board) >= FLOP)

    def _take_rake(self, pot: int, rake: int) -> None:
        if rake:
            assert self.extra is not None
            self.extra.rake += rake
            if self.listener is not None:
                self.listener(Raked(pot, rake))

    def showdown_order(self) -> tuple[int, ...]:
        """Return the live seats in the order they show (TDA 2024, rule 17)."""
        live = self.live
        start = self._showing_from()
        return live[start:] + live[:start]

    def shown_seats(self) -> tuple[int, ...]:
        """Return the seats that showed their cards, in the order they showed; none without a showdown.

        All live seats show if one is all-in (TDA 2024, rule 16).
        """
        if self.strengths is None:
            return ()
        order = self.showdown_order()
        if len(self.can_bet) < len(self.live):
            return order
        return seats_that_show(order, self.claims)

    @property
    def claims(self) -> Sequence[Sequence[Claim]]:
        """After a showdown, the claims on each share, board by board; empty before."""
        if self.strengths is None:
            return ()
        if self.extra is not None:
            return self.extra.claims
        return [[Claim("", dict(zip(self.live, self.strengths, strict=True)))]]

    @property
    def pot(self) -> int:
        """All chips put in so far, including bets in front; 0 once the pot is paid."""
        pot = sum(self.starting) - sum(self.stacks)
        return pot if self.extra is None else pot - self.extra.rake

    @property
    def pots(self) -> list[Pot]:
        """The current main and side pots, including bets in front; meaningless once they are paid."""
        if len(self.can_bet) == len(self.live):  # nobody is all-in
            return [Pot(self.pot, self.live)] if self.pot else []
        put_in = [start - stack for start, stack in zip(self.starting, self.stacks, strict=True)]
        dead = 0
        for seat, amount in self.dead:
            put_in[seat] -= amount
            dead += amount
        # Seats that got chips back are not all-in. Once the pots are paid, they are as traces of
        # earlier versions have them.
        paid = not self.pot
        all_in = [seat for seat in self.live if seat not in self.can_bet and (paid or not self.stacks[seat])]
        return layer_pots(put_in, self.live, all_in, dead)

    @property
    def payoffs(self) -> tuple[int, ...]:
        """Net result by seat, in chips; before the end, minus the chips each seat has put in."""
        return tuple(map(sub, self.stacks, self.starting))

    @property
    def rake(self) -> int:
        """Chips the house has taken from the pots."""
        return 0 if self.extra is None else self.extra.rake
