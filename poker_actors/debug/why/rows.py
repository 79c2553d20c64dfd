"""Explain the result of an open-face hand: each deal by row and by pair of seats, recomputed from the cards."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from poker_actors.debug.why.reason import Link, Reason
from poker_actors.evaluator import describe
from poker_actors.evaluator.openface import OpenFaceBoard, points
from poker_actors.rules import Hand

__all__ = ["why_rows"]

_ROWS = ("top", "middle", "bottom")


def why_rows(hand: Hand) -> Reason:
    """Explain the result: each seat's rows and royalties, and the points between each pair of seats."""
    layout = hand.public().layout
    assert layout is not None
    links: list[Link] = []
    for number in range(len(layout.scored)):
        if number:
            links.append(Link(None, "a deal in fantasy land, from the whole pack"))
        links += _deal_links(hand, number)
    total = [sum(deal.chips[seat] for deal in layout.scored) for seat in range(len(hand.starting))]
    for seat in hand.live:
        if total[seat] != hand.payoffs[seat]:
            text = f"by the rules seat {seat} ends at {total[seat]:+}, not at {hand.payoffs[seat]:+}"
            links.append(Link(None, text, wrong=True))
    winners = [f"seat {seat} {won:+}" for seat, won in enumerate(hand.payoffs) if won > 0]
    return Reason("winner", ", ".join(winners) or "nobody", tuple(links))


def _deal_links(hand: Hand, number: int) -> Iterator[Link]:
    layout = hand.public().layout
    assert layout is not None
    deal = layout.scored[number]
    boards = {seat: OpenFaceBoard.of(*deal.rows[seat]) for seat in hand.live if any(deal.rows[seat])}
    for seat, board in boards.items():
        yield from _board_links(seat, board)
    due = dict.fromkeys(boards, 0)
    for one, other in combinations(boards, 2):
        won = points(boards[one], boards[other])
        due[one] += won
        due[other] -= won
        yield Link(None, _compared(one, boards[one], other, boards[other], won))
    for seat, won in due.items():
        said = deal.points[seat]
        chips = f"{deal.chips[seat]:+} chips"
        yield Link(None, f"seat {seat} comes to {said:+} points, {chips}")
        # fewer chips than points: explain the cap, or the sum would look wrong
        if abs(deal.chips[seat]) < abs(said) * hand.stakes.min_bet:
            yield Link(None, "no two seats pay each other more than the smaller of their stacks")
        if won != said:
            yield Link(None, f"by the rules seat {seat} has {won:+} points, not {said:+}", wrong=True)
    if sum(deal.chips):
        yield Link(None, f"the chips of this deal add up to {sum(deal.chips):+}, not to 0", wrong=True)


def _board_links(seat: int, board: OpenFaceBoard) -> Iterator[Link]:
    rows = (board.top, board.middle, board.bottom)
    for name, row, royalty in zip(_ROWS, rows, board.royalties, strict=True):
        earned = f": {royalty} royalties" if royalty else ""
        cards = " ".join(map(str, row.cards))
        yield Link(None, f"seat {seat}, {name}: {cards}, {describe(row.strength)}{earned}")
    for above, below, name, under in zip(rows, rows[1:], _ROWS, _ROWS[1:], strict=False):
        if above.strength > below.strength:
            yield Link(None, f"seat {seat} fouls: its {name} row beats its {under} row")


def _compared(one: int, mine: OpenFaceBoard, other: int, theirs: OpenFaceBoard, won: int) -> str:
    """Describe the points between two seats, from the first one's side."""
    who = f"seat {one} against seat {other}"
    if mine.fouled and theirs.fouled:
        return f"{who}: both foul, nothing is paid"
    if mine.fouled or theirs.fouled:
        loser = one if mine.fouled else other
        return f"{who}: seat {loser} fouls and loses 6 and the royalties of the other, {won:+} points"
    pairs = zip((mine.top, mine.middle, mine.bottom), (theirs.top, theirs.middle, theirs.bottom), strict=True)
    rows = [(a.strength > b.strength) - (a.strength < b.strength) for a, b in pairs]
    told = ", ".join(f"{name} {row:+}" if row else f"{name} 0" for name, row in zip(_ROWS, rows, strict=True))
    scoop = f", all three rows {sum(rows):+}" if abs(sum(rows)) == len(rows) else ""
    royalties = _sum(mine) - _sum(theirs)
    return f"{who}: {told}{scoop}{f', royalties {royalties:+}' if royalties else ''}, {won:+} points"


def _sum(board: OpenFaceBoard) -> int:
    return sum(board.royalties)
