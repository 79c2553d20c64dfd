"""How built-in bots play games other than hold'em: draws, bring-ins, lows, split pots, and the rows of open-face."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from poker_actors.cards import Card
from poker_actors.evaluator import (
    category,
    evaluate,
    five_card,
    holdem_strengths,
    omaha_strengths,
    short_deck_strengths,
    worth_keeping,
)
from poker_actors.evaluator.openface import bottom_royalty, middle_royalty, top_royalty
from poker_actors.rules import Action, BringIn, Discard, Game, Lay, Legal, View

_LIKE_HOLDEM: Final = (
    holdem_strengths,
    omaha_strengths,
    short_deck_strengths,
    five_card.classes_by_counts,
    five_card.classes_as_printed,
    five_card.strengths_with_kickers,
)
_SAMPLES: Final = 12


def is_like_holdem(view: View) -> bool:
    """Whether the quick estimates for hold'em and Omaha apply to the game."""
    # on the hot path of every turn: `view.game` would go through three more properties
    game = view.public.dealt.setup.game
    return game.plain and game.hole_cards > 1 and game.strengths in _LIKE_HOLDEM


def special_turn(view: View) -> Action | None:
    """Take a turn that is not a bet: pay the bring-in, discard or lay cards; None at a betting turn."""
    beside = view.public.dealt.beside
    if beside is None or not beside.decision:
        return None
    if beside.layout is not None:
        return best_lay(view)
    return Discard(best_discard(view)) if view.legal.discards else BringIn()


def best_discard(view: View) -> tuple[Card, ...]:
    """Return the least valuable cards, as many as the turn requires and at most as many as it allows."""
    legal, hole = view.legal, view.hole
    if legal.must_discard:
        kept = _best_to_hold(view, len(hole) - legal.must_discard)
    else:
        kept = worth_keeping(view.game.shares[0].ranking, hole)
    return tuple([card for card in hole if card not in kept][: legal.discards])


def _best_to_hold(view: View, count: int) -> tuple[Card, ...]:
    """Return the `count` cards that make the best hand now, or before the flop the highest and closest."""
    sets = list(combinations(view.hole, count))
    if len(view.board) >= 3:
        strengths = view.game.strengths(sets, view.board)
        return sets[max(range(len(sets)), key=strengths.__getitem__)]
    return max(sets, key=_worth_together)


def _worth_together(cards: Sequence[Card]) -> int:
    ranks = sorted([card.rank for card in cards])
    pairs = 20 * (len(ranks) - len(set(ranks)))
    suited = 3 if len({card.suit for card in cards}) == 1 else 0
    return pairs + suited + sum(ranks) - (ranks[-1] - ranks[0]) // 2


def chance_of(view: View, samples: int = _SAMPLES) -> float:
    """Estimate from random endings the share of the pot, 0 to 1, that the hand wins against one opponent.

    In stud the opponent is the one with the most open cards.
    """
    game, hole, rng = view.game, view.hole, view.rng
    others = [cards for seat, cards in enumerate(view.open) if seat != view.seat and seat in view.live]
    theirs = max(others, key=len, default=())
    seen = {*hole, *(card for board in view.public.boards for card in board)}
    seen |= {card for cards in others for card in cards}
    pack = [card for card in game.pack if card not in seen]
    mine = hole[: game.hole_cards]
    more = (game.hole_cards - len(mine), game.hole_cards - len(theirs))
    boards = view.public.boards
    total = 0.0
    for _ in range(samples):
        cards = rng.sample(pack, sum(more) + sum([max(game.board_cards - len(board), 0) for board in boards]))
        hands = ((*mine, *cards[: more[0]]), (*theirs, *cards[more[0] : sum(more)]))
        at = sum(more)
        for board in boards:
            to_come = max(game.board_cards - len(board), 0)
            total += _won(game, hands, board + tuple(cards[at : at + to_come])) / len(boards)
            at += to_come
    return total / samples


def _won(game: Game, hands: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> float:
    """Return the share of a board's pot, 0 to 1, that the first of two hands wins."""
    winners = [claim.winners((0, 1)) for claim in game.claims((0, 1), hands, board)]
    won = [1 / len(seats) if 0 in seats else 0.0 for seats in winners if seats]
    return sum(won) / len(won)


Rows: TypeAlias = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]

_SIZES: Final = (3, 5, 5)
_FLUSH: Final = (0.0, 0.0, 1.0, 2.5, 5.0, 9.0)
"""Worth in points, by number, of cards of one suit alone in a row of five; `_STRAIGHT` for cards within a straight."""
_STRAIGHT: Final = (0.0, 0.0, 0.5, 1.0, 2.5, 8.0)
_BOTTOMS: Final = 40
"""Number of the strongest bottom rows tried in fantasy land."""
_FANTASY: Final = 8.0
"""Estimated points that a hand in fantasy land wins."""
_REACHED: Final = 7
_STAYED: Final = 10
"""Royalty of the lowest top that reaches fantasy land, queens, and of the lowest that stays there, trips."""
_TRIED: Final = 5
"""Number of ways to lay a turn's cards that are played to the end; the quick estimate picks them."""
_ENDINGS: Final = 12
"""Random endings per way; all ways get the same ones, so that luck does not decide between them."""
_TURNS: Final = 5
"""Number of ways tried to lay an ending: rotations of its cards only, as there are thousands of ways."""
_MIDDLES: Final = 6
"""Middle rows tried with each bottom row: the strongest that do not foul."""
_FOUL: Final = 40.0
"""Estimated cost of a foul in points: more than almost any board wins, so that it is hardly ever risked."""


def random_lay(legal: Legal, view: View) -> Lay:
    """Lay the cards into free places at random, all ways equally likely."""
    free = [row for row, room in enumerate(legal.room) for _ in range(room)]
    cards = view.rng.sample(view.hole, legal.lays)
    rows: tuple[list[Card], ...] = ([], [], [])
    for card, row in zip(cards, view.rng.sample(free, len(cards)), strict=True):
        rows[row].append(card)
    return Lay(tuple(rows[0]), tuple(rows[1]), tuple(rows[2]))


def best_lay(view: View) -> Lay:
    """Return the best way to lay the cards, judged by made hands, draws and the danger of a foul."""
    layout = view.public.layout
    assert layout is not None
    if len(view.hole) > 5:
        return _best_of_all(view.hole)
    before = layout.rows[view.seat]
    ways = [_after(before, way) for way in view.legal if isinstance(way, Lay)]
    after = sorted(ways, key=_worth, reverse=True)[:_TRIED]
    seen = {*view.hole, *(card for rows in layout.rows for row in rows for card in row)}
    pack = [card for card in view.game.pack if card not in seen]
    if len(view.hole) < 5:
        endings = [view.rng.sample(pack, 13 - sum(map(len, after[0]))) for _ in range(_ENDINGS)]
        after.sort(key=lambda rows: sum([_ended(rows, cards) for cards in endings]), reverse=True)
    chosen = after[0]
    top, middle, bottom = [rows[len(old) :] for rows, old in zip(chosen, before, strict=True)]
    return Lay(top, middle, bottom)


def _ended(rows: Rows, cards: Sequence[Card]) -> float:
    """Return the worth of the rows completed with `cards`, laid in the best of a few ways."""
    ways = []
    for turn in range(_TURNS):
        turned = (*cards[turn:], *cards[:turn])
        first, second = 3 - len(rows[0]), 8 - len(rows[0]) - len(rows[1])
        ways.append((rows[0] + turned[:first], rows[1] + turned[first:second], rows[2] + turned[second:]))
    return max([_finished(way, _REACHED) for way in ways])


def _after(rows: Rows, way: Lay) -> Rows:
    return (rows[0] + way.top, rows[1] + way.middle, rows[2] + way.bottom)


def _worth(rows: Rows) -> float:
    strengths = [evaluate(row) if row else 0 for row in rows]
    room = [size - len(row) for size, row in zip(_SIZES, rows, strict=True)]
    if not any(room):
        return _finished(rows, _REACHED)
    # royalties of the middle row are double, but a good middle may foul: so it counts only a little more
    worth = _top_worth(rows[0]) + 1.2 * _row_worth(rows[1]) + _row_worth(rows[2])
    for upper, lower in ((0, 1), (1, 2)):
        if strengths[upper] > strengths[lower]:
            # the lower row must still improve: the more room it has, the smaller the danger
            worth -= _FOUL / (1 + room[lower] * room[lower])
    return worth


def _top_worth(row: Sequence[Card]) -> float:
    ranks = [card.rank for card in row]
    worth = -0.15 * sum(ranks)
    for rank in set(ranks):
        held = ranks.count(rank)
        worth += (0.0, 0.0, max(rank - 3.0, 0.5), 10.0 + rank)[held]
    return worth


def _row_worth(row: Sequence[Card]) -> float:
    ranks = [card.rank for card in row]
    groups = [(ranks.count(rank), rank) for rank in set(ranks)]
    worth = sum([(0.1 * rank, 3.0 + 0.2 * rank, 8.0 + 0.1 * rank, 15.0)[held - 1] for held, rank in groups])
    paired = sum([held > 1 for held, _ in groups])
    if paired > 1:
        worth += 1.5
    if not paired:
        suited = len({card.suit for card in row}) == 1
        close = bool(ranks) and max(ranks) - min(ranks) <= 4
        worth += _FLUSH[len(row)] * suited + _STRAIGHT[len(row)] * close
    return worth


def _best_of_all(hole: Sequence[Card]) -> Lay:
    """Lay all cards at once: the strongest bottom rows, the strongest middle rows for each, and the best legal top."""
    bottoms = sorted(combinations(hole, 5), key=evaluate, reverse=True)[:_BOTTOMS]
    ways = [way for bottom in bottoms for way in _above(hole, bottom)]
    return max(ways, key=lambda way: _finished(way.rows, _STAYED))


def _above(hole: Sequence[Card], bottom: tuple[Card, ...]) -> Iterator[Lay]:
    left = [card for card in hole if card not in bottom]
    least = evaluate(bottom)
    middles = sorted(combinations(left, 5), key=evaluate, reverse=True)
    for middle in [middle for middle in middles if evaluate(middle) <= least][:_MIDDLES]:
        rest = [card for card in left if card not in middle]
        tops = [top for top in combinations(rest, 3) if evaluate(top) <= evaluate(middle)]
        if tops:
            yield Lay(max(tops, key=evaluate), middle, bottom)
    yield Lay(tuple(left[:3]), tuple(left[3:8]), bottom)  # a fouled board, should no other be legal


def _finished(rows: Sequence[tuple[Card, ...]], fantasy: int) -> float:
    """Return the worth of a finished board: royalties, strong rows, and fantasy land from royalty `fantasy` on top."""
    top, middle, bottom = [evaluate(row) for row in rows]
    if top > middle or middle > bottom:
        return -_FOUL
    worth = top_royalty(top) + middle_royalty(middle) + bottom_royalty(bottom)
    return worth + _FANTASY * (top_royalty(top) >= fantasy) + (category(middle) + category(bottom)) / 2
