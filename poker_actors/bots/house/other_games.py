"""How built-in bots play games other than hold'em: draws, bring-ins, lows, split pots."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

from poker_actors.bots.house.laying import best_lay
from poker_actors.cards import Card
from poker_actors.evaluator import (
    five_card,
    holdem_strengths,
    omaha_strengths,
    short_deck_strengths,
    worth_keeping,
)
from poker_actors.rules import Action, BringIn, Discard, Game, View

__all__ = ["best_discard", "chance_of", "is_like_holdem", "special_turn"]

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
