"""Pots and who is paid: layers, rake, boards, halves, winners and odd chips."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import attrs

from poker_actors.cards import Card
from poker_actors.referee.betting import Chips, clockwise
from poker_actors.referee.facts import Sheet, Sitting
from poker_actors.referee.hands import Value, best, top_card

Flaw = tuple[str, str, str, str]
"""A flaw: code, claim, correct result, and the rule."""


@attrs.frozen
class Layer:
    """A main or side pot: its chips, the live seats that can win it, and the part of each seat's chips it holds."""

    chips: int
    seats: tuple[int, ...]
    low: int
    high: int


@attrs.frozen(kw_only=True)
class Split:
    """The chips of one share of one board of a pot, and who wins them."""

    pot: int
    board: int
    share: str
    chips: int
    seats: tuple[int, ...]
    """the seats that could win it"""
    winners: tuple[int, ...]
    """winners, in the order in which they get odd chips"""
    alone: bool = False
    """whether no cards were compared"""

    @property
    def odd(self) -> int:
        """Odd chips, left over after equal parts."""
        return self.chips % len(self.winners)

    def paid(self) -> dict[int, int]:
        """Return the chips of each winner: odd ones go one each, in order (TDA 20)."""
        part = self.chips // len(self.winners)
        return {seat: part + (place < self.odd) for place, seat in enumerate(self.winners)}


def layers(chips: Chips) -> list[Layer]:
    """Cut the pots where a live seat is all-in (TDA 21); while there are bets to come, the rest is one pot."""
    found: list[Layer] = []
    low = 0
    for high in sorted({*chips.put_in}):
        amount = sum([min(one, high) - min(one, low) for one in chips.put_in])
        seats = tuple([seat for seat in chips.live if chips.put_in[seat] >= high or chips.behind[seat]])
        # neither folded chips nor a level at which nobody is all-in begin a pot
        if found and seats in ((), found[-1].seats):
            found[-1] = attrs.evolve(found[-1], chips=found[-1].chips + amount, high=high)
        else:
            found.append(Layer(amount, seats, low, high))
        low = high
    # dead chips belong to the main pot
    found[0] = attrs.evolve(found[0], chips=found[0].chips + sum(chips.dead))
    return [layer for layer in found if layer.chips]


def rakes(sitting: Sitting, pots: Sequence[Layer], *, alone: bool, flop: bool) -> list[int]:
    """Return the rake of each pot: rounded down, the main pot first, up to the cap.

    A pot for only one seat is not raked, unless all others have folded (`alone`).
    """
    if sitting.rake is None:
        return [0] * len(pots)
    hundredths, most, no_drop = sitting.rake
    taken: list[int] = []
    for pot in pots:
        contested = len(pot.seats) > 1 or alone
        chips = pot.chips * hundredths // 10_000 if contested and (flop or not no_drop) else 0
        taken.append(min(chips, most - sum(taken)) if most else chips)
    return taken


def _parts(chips: int, count: int) -> list[int]:
    """Divide chips into parts as equal as can be, odd ones to the first."""
    return [chips // count + (place < chips % count) for place in range(count)]


def splits(
    sheet: Sheet,
    sitting: Sitting,
    pots: Sequence[Layer],
    holes: Sequence[Sequence[Card]],
    boards: Sequence[Sequence[Card]],
) -> list[Split]:
    """Divide raked pots: each pot by boards, each board by halves, each half among its winners (TDA 20, 21)."""
    found: list[Split] = []
    for number, pot in enumerate(pots):
        for place, part in enumerate(_parts(pot.chips, len(boards))):
            won = [
                (name, order, winners)
                for name, order in zip(sheet.shares, sheet.orders, strict=True)
                if (winners := _winners(order, pot.seats, holes, boards[place]))
            ]
            for (name, order, winners), chips in zip(won, _parts(part, len(won)), strict=True):
                first = _first_for_odd(sheet, sitting, order, winners, holes, boards[place])
                found.append(
                    Split(
                        pot=number,
                        board=place,
                        share=name,
                        chips=chips,
                        seats=pot.seats,
                        winners=tuple(first),
                    )
                )
    return found


def _winners(
    order: str, seats: Sequence[int], holes: Sequence[Sequence[Card]], board: Sequence[Card]
) -> list[int]:
    """Return the seats with the best hand; none if none qualifies."""
    values = {seat: best(order, holes[seat], board) for seat in seats}
    most = max([value for value in values.values() if value is not None], default=None)
    return [] if most is None else [seat for seat in seats if values[seat] == most]


def showing(
    sheet: Sheet, order: Sequence[int], holes: Sequence[Sequence[Card]], boards: Sequence[Sequence[Card]]
) -> list[int]:
    """Return the seats of `order` that show: the others are beaten in every share by a hand shown before (TDA 17)."""
    best_shown: dict[tuple[int, str], Value] = {}
    found = []
    for seat in order:
        hands = {
            (place, share): best(rank, holes[seat], board)
            for place, board in enumerate(boards)
            for share, rank in zip(sheet.shares, sheet.orders, strict=True)
        }
        good = {
            where: value
            for where, value in hands.items()
            if value is not None and (where not in best_shown or value >= best_shown[where])
        }
        if good:
            found.append(seat)
            best_shown |= good
    return found


def _first_for_odd(
    sheet: Sheet,
    sitting: Sitting,
    order: str,
    winners: Sequence[int],
    holes: Sequence[Sequence[Card]],
    board: Sequence[Card],
) -> list[int]:
    """Order winners for odd chips: left of the button first; in stud the highest card by suit first (TDA 20)."""
    if sheet.streets[0].first in ("low card", "high card"):
        return sorted(winners, key=lambda seat: top_card(order, holes[seat], board), reverse=True)
    return clockwise(winners, sitting.button, len(sitting.stacks))


def due(found: Sequence[Split]) -> dict[tuple[int, int, str, int], int]:
    """Return what each seat is due, by pot, board, share and seat."""
    return {
        (split.pot, split.board, split.share, seat): chips
        for split in found
        for seat, chips in split.paid().items()
        if chips
    }


def _pot_words(number: int) -> str:
    return f"side pot {number}" if number else "the main pot"


def rake_flaws(taken: Mapping[int, int], owed: Sequence[int]) -> Iterator[Flaw]:
    """Yield each pot whose rake is wrong."""
    for pot in sorted({*taken, *range(len(owed))}):
        said, right = taken.get(pot, 0), owed[pot] if pot < len(owed) else 0
        if said != right:
            where = _pot_words(pot)
            yield (
                "rake",
                f"the house takes {said} from {where}",
                f"the house is due {right} from {where}, not {said}",
                "the share of a pot, rounded down",
            )


def payout_flaws(
    paid: Mapping[tuple[int, int, str, int], int], right: Mapping[tuple[int, int, str, int], int]
) -> Iterator[Flaw]:
    """Yield each payment that differs from a seat's due, by pot, board and share."""
    for key in sorted({*paid, *right}):
        pot, board, share, seat = key
        if paid.get(key, 0) != right.get(key, 0):
            where = _pot_words(pot)
            where += f", board {board + 1}" if board else ""
            where += f", {share}" if share else ""
            yield (
                "payout",
                f"seat {seat} is paid {paid.get(key, 0)} from {where}",
                f"seat {seat} is due {right.get(key, 0)} from {where}, not {paid.get(key, 0)}",
                "pots, boards, halves and odd chips (TDA 20, 21)",
            )


def showdown_flaws(
    told: Sequence[tuple[int, bool]], order: Sequence[int], shown: Sequence[int] | None, *, in_turn: bool
) -> Iterator[Flaw]:
    """Yield flaws in who showed and who mucked; `told` is in order, and without `shown` only its seats are checked."""
    right = [(seat, shown is None or seat in shown) for seat in order]
    said = [(seat, shows or shown is None) for seat, shows in told]
    if said != right if in_turn else sorted(said) != sorted(right):
        yield (
            "show",
            _shown_words(told),
            _shown_words(right),
            "all show if one is all-in, else each hand that no earlier one beats (TDA 16, 17)",
        )


def _shown_words(told: Sequence[tuple[int, bool]]) -> str:
    return (
        ", ".join([f"seat {seat} {'shows' if shows else 'mucks'}" for seat, shows in told]) or "nobody shows"
    )
