"""Explain the size and the winners of a pot: layers and shares, recomputed independently of the rules."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from poker_actors.debug.viewpoint import Viewpoint
from poker_actors.debug.why.chips import pot_words, put_in
from poker_actors.debug.why.reason import Link, Reason
from poker_actors.debug.why.rows import why_rows
from poker_actors.debug.why.told import placed_events
from poker_actors.errors import BadSpec
from poker_actors.rules import Hand, event

__all__ = ["why_side_pot", "why_winner"]


@attrs.frozen
class _Layer:
    """The chips that one set of seats can win: those between `low` and `high` of each seat's contribution."""

    amount: int
    seats: tuple[int, ...]
    low: int
    high: int


def why_side_pot(hand: Hand, acts: Sequence[int], number: int) -> Reason:
    """Explain pot `number` (0 is the main pot): each seat's share of it, and the seats that can win it."""
    layers = _layers(hand, acts)
    what = f"side pot {number}" if number else "main pot"
    if number >= len(layers):
        raise BadSpec(f"{what}: this hand has {len(layers)} pot{'' if len(layers) == 1 else 's'}")
    layer = layers[number]
    links = []
    total = 0
    for seat, chips in enumerate(put_in(hand, acts)):
        part = min(chips, layer.high) - min(chips, layer.low)
        if part:
            total += part
            links.append(
                Link(None, f"seat {seat} put in {chips}: {layer.low} to {layer.high} of it", part, total)
            )
    dead = sum(amount for _, amount in hand.dead) if number == 0 else 0
    if dead:
        links.append(Link(None, "dead chips belong to the main pot", dead, total + dead))
    links.append(Link(None, f"it is for {_seats(layer.seats)}"))
    return Reason(what, layer.amount, tuple(links))


def why_winner(hand: Hand, acts: Sequence[int], viewpoint: Viewpoint) -> Reason:
    """Explain who won: pots, boards, halves, strengths and odd chips, compared with what the hand paid."""
    if not hand.over:
        raise BadSpec("why winner: the hand is not over")
    if hand.game.open_face:
        return why_rows(hand)
    paid: dict[tuple[int, int], int] = {}
    steps: dict[tuple[int, int], int | None] = {}
    for step, one in _awards(hand, acts):
        key = (one.pot, one.seat)
        paid[key] = paid.get(key, 0) + one.amount
        steps[key] = step
    layers = _layers(hand, acts)
    links = _rake_links(hand, acts, layers)
    due: dict[tuple[int, int], int] = {}
    for number, (layer, rake) in enumerate(zip(layers, _rakes(hand, layers), strict=True)):
        rest = attrs.evolve(layer, amount=layer.amount - rake)
        shares, why = _shared(hand, rest, number, viewpoint)
        links += why
        due |= {(number, seat): chips for seat, chips in shares.items()}
    links += _odd_links(hand, acts)
    for key in sorted({*due, *paid}):
        chips, step = paid.get(key, 0), steps.get(key)
        which = pot_words(key[0])
        links.append(Link(step, f"seat {key[1]} is paid {chips} from {which}"))
        if chips != due.get(key, 0):
            text = f"by the rules seat {key[1]} is due {due.get(key, 0)} from {which}, not {chips}"
            links.append(Link(step, text, wrong=True))
    if hand.options is None and not any(link.wrong for link in links):
        links += _end_links(hand, acts, due)
    winners = [f"seat {seat} {won:+}" for seat, won in enumerate(hand.payoffs) if won > 0]
    return Reason("winner", ", ".join(winners) or "nobody", tuple(links))


def _end_links(hand: Hand, acts: Sequence[int], due: dict[tuple[int, int], int]) -> list[Link]:
    """Return a link for each seat whose payoff is not what it is due less what it put in."""
    paid_in = put_in(hand, acts)
    links = []
    for seat, won in enumerate(hand.payoffs):
        owed = sum(chips for (_, who), chips in due.items() if who == seat) - paid_in[seat]
        owed -= sum(chips for who, chips in hand.dead if who == seat)
        if won != owed:
            links.append(Link(None, f"by the rules seat {seat} ends at {owed:+}, not at {won:+}", wrong=True))
    return links


def _awards(hand: Hand, acts: Sequence[int]) -> list[tuple[int | None, event.Awarded]]:
    return [(step, news) for step, news in placed_events(hand, acts) if isinstance(news, event.Awarded)]


def _rake_links(hand: Hand, acts: Sequence[int], layers: Sequence[_Layer]) -> list[Link]:
    """Return a link for each pot that was raked, and one for each rake that is not what the house is due."""
    taken = {
        news.pot: (step, news.amount)
        for step, news in placed_events(hand, acts)
        if isinstance(news, event.Raked)
    }
    links = []
    for number, due in enumerate(_rakes(hand, layers)):
        step, rake = taken.get(number, (None, 0))
        if rake or due:
            links.append(Link(step, f"the house takes {rake} from {pot_words(number)}"))
        if rake != due:
            text = f"by the rules the house is due {due} from {pot_words(number)}, not {rake}"
            links.append(Link(step, text, wrong=True))
    return links


def _rakes(hand: Hand, layers: Sequence[_Layer]) -> list[int]:
    """Return what the house is due from each pot: its rate of it, rounded down, until the cap is reached."""
    rake = None if hand.options is None else hand.options.rake
    if rake is None or (rake.no_flop_no_drop and len(hand.marks) == 1):
        return [0] * len(layers)
    rakes: list[int] = []
    for layer in layers:
        # a pot of one seat was contested if all others have folded since
        due = layer.amount * rake.hundredths // 10_000 if len(layer.seats) > 1 or len(hand.live) == 1 else 0
        rakes.append(min(due, rake.cap - sum(rakes)) if rake.cap else due)
    return rakes


def _layers(hand: Hand, acts: Sequence[int]) -> list[_Layer]:
    """Cut the pot at each all-in seat's contribution; while betting is open, the rest is one layer."""
    chips = put_in(hand, acts)
    live = tuple(hand.live)
    all_in = [seat for seat in live if hand.over or hand.stacks[seat] == 0]
    levels = sorted({chips[seat] for seat in all_in if chips[seat]} | {max(chips)})
    layers: list[_Layer] = []
    low = 0
    for high in levels:
        amount = sum(min(one, high) - min(one, low) for one in chips)
        seats = tuple(seat for seat in live if chips[seat] > low or seat not in all_in)
        if layers and (not seats or seats == layers[-1].seats):
            last = layers[-1]
            layers[-1] = _Layer(last.amount + amount, last.seats, last.low, high)
        elif amount:
            layers.append(_Layer(amount, seats or live, low, high))
        low = high
    dead = sum(amount for _, amount in hand.dead)
    if dead:
        first = layers[0] if layers else _Layer(0, live, 0, 0)
        layers[:1] = [attrs.evolve(first, amount=first.amount + dead)]
    return layers


def _shared(
    hand: Hand, layer: _Layer, number: int, viewpoint: Viewpoint
) -> tuple[dict[int, int], list[Link]]:
    """Return what each seat is due from a pot, and why: board by board, half by half."""
    which = pot_words(number)
    links = [Link(None, f"{which} of {layer.amount} is for {_seats(layer.seats)}")]
    size = len(hand.starting)
    order = sorted(layer.seats, key=lambda seat: (seat - hand.button - 1) % size)
    if len(hand.live) == 1:
        last = f"seat {hand.live[0]} is the last one in: no cards are compared"
        return {hand.live[0]: layer.amount}, [*links, Link(None, last)]
    if len(order) == 1:
        return {order[0]: layer.amount}, links
    due: dict[int, int] = {}
    boards = hand.boards
    for place, part in enumerate(_parts(layer.amount, len(boards))):
        if len(boards) > 1:
            cards = " ".join(map(str, boards[place]))
            links.append(Link(None, f"{part} of it is for board {place + 1}, {cards}"))
        shares, why = _halves(hand, order, place, part, viewpoint)
        links += why
        for seat, chips in shares.items():
            due[seat] = due.get(seat, 0) + chips
    return due, links


def _halves(
    hand: Hand, order: Sequence[int], board: int, part: int, viewpoint: Viewpoint
) -> tuple[dict[int, int], list[Link]]:
    """Divide a board's part among its claims, recomputed from the cards."""
    holes = [hand.holes[seat] for seat in order]
    claims = hand.game.claims(order, holes, hand.boards[board])
    won = [(claim, best) for claim in claims if (best := claim.winners(order))]
    due: dict[int, int] = {}
    links: list[Link] = []
    if len(claims) > 1:
        nobody = [claim.name for claim in claims if claim not in [one for one, _ in won]]
        links += [Link(None, f"no hand qualifies for {name}: the other half has it all") for name in nobody]
    for (claim, best), chips in zip(won, _parts(part, len(won)), strict=True):
        if len(claims) > 1 and len(won) > 1:
            links.append(Link(None, f"{chips} of it, half, are for the {claim.name}"))
        links += _strength_links(hand, order, board, claim.name, best, viewpoint)
        first = list(hand.odd_chip_order(best, board, claim)) if chips % len(best) else best
        share, odd = divmod(chips, len(best))
        if len(best) > 1:
            links.append(Link(None, f"{_seats(best)} share it: {share} each"))
        if odd:
            rule = "the highest card by suit" if hand.game.brings_in else "first left of the button"
            links.append(Link(None, f"{odd} odd, one each to {_seats(first[:odd])}: {rule} (TDA 20)"))
        for place, seat in enumerate(first):
            due[seat] = due.get(seat, 0) + share + (place < odd)
    return {seat: chips for seat, chips in due.items() if chips}, links


def _parts(amount: int, count: int) -> list[int]:
    """Divide an amount into parts that differ by at most one, the larger ones first."""
    part, odd = divmod(amount, count)
    return [part + (place < odd) for place in range(count)]


def _strength_links(
    hand: Hand, seats: Sequence[int], board: int, share: str, best: Sequence[int], viewpoint: Viewpoint
) -> list[Link]:
    shown = dict(hand.public().shown)
    links = []
    for seat in seats:
        if viewpoint.sees(seat) or seat in shown:
            claims = hand.game.claims([seat], [hand.holes[seat]], hand.boards[board])
            words = hand.game.words_of(claims, seat, hand.holes[seat], share)
            if words:
                links.append(Link(None, f"seat {seat} has {words}{', the best' if seat in best else ''}"))
    return links


def _odd_links(hand: Hand, acts: Sequence[int]) -> list[Link]:
    """Return a link for chips that were put in but paid to nobody."""
    left = sum(put_in(hand, acts)) + sum(amount for _, amount in hand.dead)
    left -= hand.rake + sum(one.amount for _, one in _awards(hand, acts))
    return [Link(None, f"{left} of the pot is paid to nobody", wrong=True)] if left > 0 else []


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'' if len(seats) == 1 else 's'} {', '.join(map(str, seats))}"
