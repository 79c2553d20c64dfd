"""Compare the cards and chips of a history with those of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from poker_actors.cards import Card
from poker_actors.errors import Discrepancy
from poker_actors.frozen import value
from poker_actors.history.hand_history import HandHistory
from poker_actors.history.refereed import refereed
from poker_actors.history.unknown import UNKNOWN, is_known
from poker_actors.rules import Hand

MOST_RAKE: Final = 10
"""Percent of the pots that unrecorded rake may take from the recorded winnings.

No room takes more: if more is missing, the record is wrong."""


@value
class Outcome:
    """A hand played up to the end of its history."""

    hand: Hand
    awards: Sequence[int]
    """chips won from pots, by player; all 0 if the hand was played without a listener"""
    pots: Sequence[Sequence[int]]
    """awards pot by pot, the main pot first"""
    mucked: frozenset[int]


def check_cards(history: HandHistory, holes: Sequence[tuple[Card, ...]], board: tuple[Card, ...]) -> None:
    """Raise `Discrepancy` for a wrong number of cards, a card not in the pack or one dealt twice."""
    game = history.game
    if len(board) > game.board_cards:
        raise Discrepancy(f"the board has {len(board)} cards: {game.title} has {game.board_cards}")
    count = game.hole_cards
    for player, hole in enumerate(holes):
        if len(hole) != count:
            raise Discrepancy(f"p{player + 1} holds {len(hole)} cards: {game.title} deals {count}")
    cards = [card for hole in holes for card in hole] + list(board)
    named = [card for card in cards if card is not UNKNOWN]
    different = set(named)
    if len(different) < len(named):
        twice = next(card for card in named if named.count(card) > 1)
        raise Discrepancy(f"{twice} is dealt twice")
    pack = _PACKS.get(len(game.pack)) or _PACKS.setdefault(len(game.pack), frozenset(game.pack))
    if not different <= pack:
        raise Discrepancy(f"{min(different - pack)} is not in the pack of {game.title}")


_PACKS: Final[dict[int, frozenset[Card]]] = {}
"""Packs as sets, by number of cards: no two packs of one size differ, and a set per hand would be slow."""


def settle(history: HandHistory, outcome: Outcome) -> tuple[tuple[int, ...] | None, int]:
    """Compare the payoffs; return the final stacks by player, after rake, and the rake in chips.

    The stacks are None when unrecorded cards decide the hand. Raises `Discrepancy` when the recorded
    stacks, winnings or rake do not follow from the play.
    """
    hand = outcome.hand
    computed = tuple(hand.stacks)
    if hand.over and hand.strengths is not None and not _determined(outcome):
        _check_sums(history)
        return None, history.rake or 0
    rakes = [0] * history.size
    if history.winnings is not None and hand.over:
        rakes = _rakes(history, outcome)
    elif history.rake and history.finishing is not None and hand.over:
        rakes = [end - kept for end, kept in zip(computed, history.finishing, strict=True)]
        _check_rake(history, outcome, rakes)
    final_stacks = tuple([end - rake for end, rake in zip(computed, rakes, strict=True)])
    if history.finishing is not None and final_stacks != history.finishing:
        _refuse_stacks(history, final_stacks)
    return final_stacks, sum(rakes)


def _determined(outcome: Outcome) -> bool:
    """Whether the known cards of a showdown decide every pot."""
    hand = outcome.hand
    if not all(map(is_known, hand.boards)):
        return False
    hidden = [seat for seat in hand.live if not is_known(hand.holes[seat])]
    if any(seat not in outcome.mucked for seat in hidden):
        return False
    if not hidden and beaten(hand, outcome.mucked):
        return True
    # every pot needs a contender who showed: one who put in the most has a claim to all of them
    put_in = refereed(hand).chips.put_in
    showing = [put_in[seat] for seat in hand.live if seat not in outcome.mucked]
    return max(showing, default=0) >= max(put_in[seat] for seat in hand.live)


def beaten(hand: Hand, mucked: frozenset[int]) -> bool:
    """Whether no mucked hand could have won anything, so that mucking changed nothing."""
    if hand.strengths is None or not mucked:
        return True
    showing = [seat for seat in hand.live if seat not in mucked]
    hidden = [seat for seat in hand.live if seat in mucked]
    if not showing:
        return False
    # with side pots the best hand shown may have no claim to the pot a mucked one could win: compare with the worst
    bar_of = max if len(hand.can_bet) == len(hand.live) else min
    for claim in (claim for board in hand.claims for claim in board):
        strengths = claim.strengths
        bar = bar_of([strengths[seat] for seat in showing])
        nothing = (
            0 if claim.qualifier else None
        )  # the strength of a hand that does not qualify, such as no low
        if any(strengths[seat] >= bar and strengths[seat] != nothing for seat in hidden):
            return False
    return True


def _rakes(history: HandHistory, outcome: Outcome) -> list[int]:
    """Return the chips missing from each player's recorded winnings.

    Raises `Discrepancy` if rake cannot explain them.
    """
    assert history.winnings is not None
    rakes = [won - kept for won, kept in zip(outcome.awards, history.winnings, strict=True)]
    pot = sum(outcome.awards)
    rake = sum(rakes)
    recorded = history.rake
    limit = recorded if recorded is not None else pot * MOST_RAKE // 100
    if rake != recorded and not (recorded is None and 0 <= rake <= limit):
        text = f"winnings sum to {sum(history.winnings)}, the pots to {pot}"
        raise Discrepancy(f"{text}: {rake} chips are missing, but the rake is {_rake_text(recorded, limit)}")
    # rooms divide rake and odd chips by rules of their own: allow a chip per winner once there are several
    shares = sum(1 for won in outcome.awards if won)
    slack = 0 if shares < 2 else shares
    for fair in _ways(outcome, rake):
        if all(abs(missing - part) <= slack for missing, part in zip(rakes, fair, strict=True)):
            break
    else:
        even = _fair(outcome.awards, rake)
        player = next(p for p, missing in enumerate(rakes) if abs(missing - even[p]) > slack)
        won, missing = outcome.awards[player], rakes[player]
        text = f"p{player + 1} collects {won - missing} as recorded and {won - even[player]} by the rules"
        raise Discrepancy(f"{text}, with a rake of {rake} from {pot}")
    for player, (won, missing) in enumerate(zip(outcome.awards, rakes, strict=True)):
        if missing and not won:
            raise Discrepancy(f"p{player + 1} collects {-missing} as recorded and 0 by the rules")
    return rakes


def _ways(outcome: Outcome, rake: int) -> Iterator[list[int]]:
    """Yield each way in which rooms take a rake: evenly, from the main pot alone, or pot by pot up to a cap."""
    yield _fair(outcome.awards, rake)
    pots = outcome.pots
    for first in range(rake, -1, -1) if pots else ():
        # the share of the main pot fixes the rate; each further pot pays it until the cap is reached
        main = sum(pots[0])
        if first * 100 > main * MOST_RAKE and first < rake:
            continue
        parts, left = [_fair(pots[0], first)], rake - first
        for pot in pots[1:]:
            taken = min(left, -(-sum(pot) * first // main))
            parts.append(_fair(pot, taken))
            left -= taken
        if not left:
            yield [sum(part) for part in zip(*parts, strict=True)]


def _fair(awards: Sequence[int], rake: int) -> list[int]:
    """Divide a rake by what each player won."""
    pot = sum(awards)
    return [won * rake // pot if pot else 0 for won in awards]


def _rake_text(recorded: int | None, limit: int) -> str:
    return f"{recorded}" if recorded is not None else f"at most {limit}, {MOST_RAKE} percent"


def _check_rake(history: HandHistory, outcome: Outcome, rakes: list[int]) -> None:
    """Check stacks after a recorded rake: it equals the missing chips, and only winners pay it."""
    if sum(rakes) != history.rake or any(
        missing < 0 or (missing and not outcome.awards[player]) for player, missing in enumerate(rakes)
    ):
        _refuse_stacks(history, tuple(outcome.hand.stacks))


def _check_sums(history: HandHistory) -> None:
    """Check that recorded stacks hold no more chips than were dealt in: all that can be checked without cards."""
    if history.finishing is not None and sum(history.finishing) > sum(history.stacks):
        text = f"finishing stacks sum to {sum(history.finishing)}, starting stacks to {sum(history.stacks)}"
        raise Discrepancy(f"{text}: a table cannot create chips")


def _refuse_stacks(history: HandHistory, computed: tuple[int, ...]) -> None:
    finishing = history.finishing
    assert finishing is not None
    player = next(p for p in range(history.size) if finishing[p] != computed[p])
    text = f"p{player + 1} ends with {finishing[player]} as recorded and {computed[player]} by the rules"
    gap = sum(history.stacks) - sum(finishing)
    if gap > 0 and not history.rake and history.winnings is None:
        text += f" ({gap} chips are missing and no rake is recorded)"
    raise Discrepancy(text)
