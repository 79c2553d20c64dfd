"""Explain a number of a hand by the events that led to it, and the winners of a pot as the referee works them out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, groupby
from typing import Final

from poker_actors.cards import Card
from poker_actors.debug.plain import GOD, Viewpoint
from poker_actors.debug.turns import Link, Reason, judged, placed_events, why_action, why_illegal, why_turn
from poker_actors.errors import BadSpec
from poker_actors.evaluator import describe, evaluate
from poker_actors.referee import Referee, Split, fouls, row_points, royalties
from poker_actors.rules import Bet, Event, Hand, RaiseTo, event

__all__ = ["pot_words", "why"]


def pot_words(number: int) -> str:
    """Name a pot."""
    return f"side pot {number}" if number else "the main pot"


def _moves(hand: Hand, acts: Sequence[int]) -> Iterator[tuple[int | None, int | None, int, str]]:
    """Yield each movement of chips: step, seat (None: the house), chips put in (negative: taken out), words."""
    for step, news in placed_events(hand, acts):
        moved = _moved(news)
        if moved is not None:
            yield step, *moved


def _moved(news: Event) -> tuple[int | None, int, str] | None:
    match news:
        case event.Posted(seat, kind, amount):
            return seat, amount, f"seat {seat} posts {kind.value} {amount}"
        case event.Acted(seat, _, paid) if paid:
            return seat, paid, f"seat {seat} {news.words()}"
        case event.UncalledReturned(seat, amount):
            return seat, -amount, f"seat {seat} gets {amount} back, uncalled"
        case event.Raked(pot, amount):
            return None, -amount, f"the house takes {amount} from {pot_words(pot)}"
        case event.Awarded(pot, seat, amount):
            return seat, -amount, f"seat {seat} is paid {amount} from {pot_words(pot)}"
        case event.Scored(seat, points, chips) if chips:
            return seat, -chips, f"seat {seat} has {points:+} points: {chips:+} chips"
        case _:
            return None


def why_pot(hand: Hand, acts: Sequence[int]) -> Reason:
    """Explain the pot by all chips put in and taken out."""
    total = 0
    links = []
    for step, _, chips, words in _moves(hand, acts):
        total += chips
        links.append(Link(step, words, chips, total))
    if total != hand.pot:
        links.append(Link(None, f"these make {total}: the hand says {hand.pot}", wrong=True))
    return Reason("pot", hand.pot, (*links, *judged(hand, acts)[1]))


def why_stack(hand: Hand, acts: Sequence[int], seat: int) -> Reason:
    """Explain a seat's stack by all chips it put in and got back."""
    total = hand.starting[seat]
    links = [Link(acts[0] if acts else None, f"seat {seat} starts with {total}", total, total)]
    for step, who, chips, words in _moves(hand, acts):
        if who == seat:
            total -= chips
            links.append(Link(step, words, -chips, total))
    if total != hand.stacks[seat]:
        links.append(Link(None, f"these make {total}: the hand says {hand.stacks[seat]}", wrong=True))
    return Reason(f"stack of seat {seat}", hand.stacks[seat], tuple(links))


def why_to_call(hand: Hand, acts: Sequence[int], seat: int | None) -> Reason:
    """Explain the amount to call: the street's bet, less what the seat has put in on the street.

    `seat` None means the seat to act.
    """
    public = hand.public()
    who = public.active if seat is None else seat
    if who is None:
        return Reason("to_call", 0, (Link(None, "the hand is over: nobody has to call"),))
    bet = mine = 0
    links: list[Link] = []
    for step, news in placed_events(hand, acts):
        match news:
            case event.StreetDealt(street, _):
                bet = mine = 0
                links = [Link(step, f"the {street} opens: bets start at 0 again", 0, 0)]
            case event.Posted(by, kind, amount) if kind.value not in ("ante", "big blind ante", "dead blind"):
                size = _blind_size(hand, kind.value, amount)
                links += [
                    Link(step, f"seat {by} posts {kind.value} {amount}", max(0, size - bet), max(bet, size))
                ]
                bet, mine = max(bet, size), mine + (amount if by == who else 0)
            case event.Acted(by, action, paid):
                level = max(bet, _level(action))
                if level > bet:
                    links.append(Link(step, f"seat {by} {news.words()}", level - bet, level))
                bet, mine = level, mine + (paid if by == who else 0)
            case _:
                pass
    value = public.to_call(who)
    links.append(Link(None, f"seat {who} has {mine} in front", -mine, bet - mine))
    stack = public.stacks[who]
    if stack < bet - mine:
        links.append(Link(None, f"and only {stack} behind", stack - (bet - mine), stack))
    made = min(bet - mine, stack)
    if made != value:
        links.append(Link(None, f"these make {made}: the hand says {value}", wrong=True))
    return Reason(f"to_call of seat {who}", value, tuple(links))


def _blind_size(hand: Hand, kind: str, amount: int) -> int:
    """Return the bet a post makes: a big blind posted short must still be called in full."""
    return max(amount, hand.stakes.big_blind) if kind == "big blind" else amount


def _level(action: object) -> int:
    if isinstance(action, Bet):
        return action.amount
    return action.total if isinstance(action, RaiseTo) else 0


_ROWS: Final = ("top", "middle", "bottom")


def why_side_pot(hand: Hand, acts: Sequence[int], number: int) -> Reason:
    """Explain pot `number` (0 is the main pot): each seat's share of it, and the seats that can win it."""
    referee, wrong = judged(hand, acts)
    pots = referee.pots()
    what = f"side pot {number}" if number else "main pot"
    if number >= len(pots):
        raise BadSpec(f"{what}: this hand has {len(pots)} pot{'' if len(pots) == 1 else 's'}")
    pot = pots[number]
    links = []
    total = 0
    for seat, chips in enumerate(referee.chips.put_in):
        part = min(chips, pot.high) - min(chips, pot.low)
        if part:
            total += part
            links.append(
                Link(None, f"seat {seat} put in {chips}: {pot.low} to {pot.high} of it", part, total)
            )
    if pot.chips != total:
        text = "dead chips belong to the main pot"
        links.append(Link(None, text, pot.chips - total, pot.chips))
    links.append(Link(None, f"it is for {_seats(pot.seats)}"))
    return Reason(what, pot.chips, (*links, *wrong))


def why_winner(hand: Hand, acts: Sequence[int], viewpoint: Viewpoint) -> Reason:
    """Explain who won: pots, boards, halves and odd chips, as the referee divides them, and what the hand paid."""
    if not hand.over:
        raise BadSpec("why winner: the hand is not over")
    referee, wrong = judged(hand, acts)
    links: list[Link] = []
    if hand.game.open_face:
        links += _deals(hand)
    elif referee.ended and referee.sheet.known:
        links += _rake_links(hand, acts)
        for _, splits in groupby(referee.splits(), lambda split: split.pot):
            links += _pot_links(hand, referee, list(splits), viewpoint)
    paid: dict[tuple[int, int], int] = {}
    steps: dict[tuple[int, int], int | None] = {}
    for step, news in placed_events(hand, acts):
        if isinstance(news, event.Awarded):
            key = (news.pot, news.seat)
            paid[key] = paid.get(key, 0) + news.amount
            steps[key] = step
    for key in sorted(paid):
        links.append(Link(steps[key], f"seat {key[1]} is paid {paid[key]} from {pot_words(key[0])}"))
    left = referee.chips.pot - hand.rake - sum(paid.values())
    if referee.ended and left > 0:
        links.append(Link(None, f"{left} of the pot is paid to nobody", wrong=True))
    winners = [f"seat {seat} {won:+}" for seat, won in enumerate(hand.payoffs) if won > 0]
    return Reason("winner", ", ".join(winners) or "nobody", (*links, *wrong))


def _rake_links(hand: Hand, acts: Sequence[int]) -> Iterator[Link]:
    for step, news in placed_events(hand, acts):
        if isinstance(news, event.Raked):
            yield Link(step, f"the house takes {news.amount} from {pot_words(news.pot)}")


def _pot_links(hand: Hand, referee: Referee, splits: Sequence[Split], viewpoint: Viewpoint) -> Iterator[Link]:
    """Explain one pot: board by board, half by half."""
    chips = sum([split.chips for split in splits])
    yield Link(None, f"{pot_words(splits[0].pot)} of {chips} is for {_seats(splits[0].seats)}")
    if splits[0].alone:
        yield Link(None, f"seat {splits[0].seats[0]} is the last one in: no cards are compared")
    if len(splits[0].seats) == 1:
        return
    boards = referee.table.all_boards()
    for number, board in enumerate(boards):
        here = [split for split in splits if split.board == number]
        if len(boards) > 1:
            cards = " ".join(map(str, board))
            part = sum([split.chips for split in here])
            yield Link(None, f"{part} of it is for board {number + 1}, {cards}")
        for share in referee.sheet.shares:
            if share not in [split.share for split in here]:
                yield Link(None, f"no hand qualifies for {share}: the other half takes it all")
        for split in here:
            if len(here) > 1:
                yield Link(None, f"{split.chips} of it, half, are for the {split.share}")
            yield from _hands(hand, split, tuple(board), viewpoint)
            yield from _odd_links(hand, split)


def _hands(hand: Hand, split: Split, board: tuple[Card, ...], viewpoint: Viewpoint) -> Iterator[Link]:
    """Name the hands that may be seen, and say which are the best."""
    shown = dict(hand.public().shown)
    size = len(hand.starting)
    for seat in sorted(split.seats, key=lambda seat: (seat - hand.button - 1) % size):
        if viewpoint.sees(seat) or seat in shown:
            claims = hand.game.claims([seat], [hand.holes[seat]], board)
            words = hand.game.words_of(claims, seat, hand.holes[seat], split.share)
            if words:
                yield Link(None, f"seat {seat} has {words}{', the best' if seat in split.winners else ''}")


def _odd_links(hand: Hand, split: Split) -> Iterator[Link]:
    if len(split.winners) > 1:
        part = split.chips // len(split.winners)
        yield Link(None, f"{_seats(sorted(split.winners))} share it: {part} each")
    if split.odd:
        rule = "the highest card by suit" if hand.game.brings_in else "first left of the button"
        first = _seats(split.winners[: split.odd])
        yield Link(None, f"{split.odd} odd, one each to {first}: {rule} (TDA 20)")


# -- open-face -----------------------------------------------------------------------------------


def _deals(hand: Hand) -> Iterator[Link]:
    """Explain each deal of an open-face hand: every seat's rows and royalties, and the points of every pair."""
    layout = hand.public().layout
    assert layout is not None
    for number, deal in enumerate(layout.scored):
        if number:
            yield Link(None, "a deal in fantasy land, from the whole pack")
        boards = {seat: deal.rows[seat] for seat in hand.live if any(deal.rows[seat])}
        for seat, rows in boards.items():
            yield from _row_links(seat, rows)
        for one, other in combinations(boards, 2):
            yield Link(None, _compared(one, boards[one], other, boards[other]))
        for seat in boards:
            said = deal.points[seat]
            yield Link(None, f"seat {seat} comes to {said:+} points, {deal.chips[seat]:+} chips")
            # fewer chips than points: explain the cap, or the sum would look wrong
            if abs(deal.chips[seat]) < abs(said) * hand.stakes.min_bet:
                yield Link(None, "no two seats pay each other more than the smaller of their stacks")


def _row_links(seat: int, rows: Sequence[tuple[Card, ...]]) -> Iterator[Link]:
    for name, row, royalty in zip(_ROWS, rows, royalties(rows), strict=True):
        earned = f": {royalty} royalties" if royalty else ""
        cards = " ".join(map(str, row))
        yield Link(None, f"seat {seat}, {name}: {cards}, {describe(evaluate(row))}{earned}")
    for place in fouls(rows):
        yield Link(None, f"seat {seat} fouls: its {_ROWS[place]} row beats its {_ROWS[place + 1]} row")


def _compared(
    one: int, mine: Sequence[tuple[Card, ...]], other: int, theirs: Sequence[tuple[Card, ...]]
) -> str:
    """Describe the points between two seats, from the first one's side."""
    who = f"seat {one} against seat {other}"
    top, middle, bottom, every, more = row_points(mine, theirs)
    won = top + middle + bottom + every + more
    if fouls(mine) and fouls(theirs):
        return f"{who}: both foul, nothing is paid"
    if fouls(mine) or fouls(theirs):
        loser = one if fouls(mine) else other
        return f"{who}: seat {loser} fouls and loses 6 and the royalties of the other, {won:+} points"
    rows = zip(_ROWS, (top, middle, bottom), strict=True)
    told = ", ".join(f"{name} {row:+}" if row else f"{name} 0" for name, row in rows)
    scoop = f", all three rows {every:+}" if every else ""
    return f"{who}: {told}{scoop}{f', royalties {more:+}' if more else ''}, {won:+} points"


def _seats(seats: Sequence[int]) -> str:
    return f"seat{'' if len(seats) == 1 else 's'} {', '.join(map(str, seats))}"


_ILLEGAL: Final = re.compile(r"(?:illegal|legal) ?(.*)")
_WHAT: Final = re.compile(
    r"(pot|to_call|stack|payoff|side pot|main pot|winner|turn|action)(?: (?:seat )?([0-9]{1,2}))?"
)


def why(hand: Hand, what: str, acts: Sequence[int] = (), viewpoint: Viewpoint = GOD) -> Reason:
    """Explain `what`, read from `hand` as the viewpoint may see it.

    `what` is `pot`, `to_call`, `to_call 2`, `stack 2`, `payoff 2`, `main pot`, `side pot 1`, `winner`,
    `turn`, `action` or `illegal ACTION`; raises `BadSpec` for anything else. `acts` are the steps of
    the deal and of every action.
    """
    asked = _ILLEGAL.fullmatch(" ".join(what.strip().lower().split()))
    if asked is not None:
        return why_illegal(hand, acts, asked[1])
    match = _WHAT.fullmatch(" ".join(what.strip().lower().split()))
    if match is None:
        raise BadSpec(
            f"why {what[:40]!r}: ask for pot, to_call [SEAT], stack SEAT, main pot, side pot N, winner, "
            "turn, action, illegal ACTION or deadline"
        )
    kind, number = match[1], None if match[2] is None else int(match[2])
    if kind in ("to_call", "stack", "payoff") and number is not None and number >= len(hand.stacks):
        raise BadSpec(f"why {what}: seats are 0 to {len(hand.stacks) - 1}")
    if kind in ("stack", "payoff"):
        if number is None:
            raise BadSpec(f"why {kind} needs a seat: {kind} 0 to {kind} {len(hand.stacks) - 1}")
        return why_stack(hand, acts, number)
    if kind == "action":
        return why_action(hand, viewpoint)
    if kind == "turn":
        return why_turn(hand, acts)
    if kind == "to_call":
        return why_to_call(hand, acts, number)
    if kind in ("side pot", "main pot"):
        return why_side_pot(hand, acts, 0 if kind == "main pot" else 1 if number is None else number)
    return why_winner(hand, acts, viewpoint) if kind == "winner" else why_pot(hand, acts)
