"""Judge many random hands of every game by the referee, in slices that can be given to different nights.

Run `python -m tests.oracles.referee_hands [--first 0] [--hands 20000] [GAME ...]`: a line is printed for each game,
with the first hand of every kind of verdict, and the exit status is 1 if there is one. `deal(GAME, NUMBER)` plays it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import islice
from random import Random
from time import process_time
from typing import Final

from poker_actors.cards import Deck
from poker_actors.history.refereed import verdicts
from poker_actors.referee import Verdict
from poker_actors.rules import (
    GAMES,
    Action,
    BringIn,
    Call,
    Check,
    Discard,
    Fold,
    Game,
    Hand,
    Positions,
    RaiseTo,
)
from poker_actors.rules.event import Post, Posted
from poker_actors.rules.games import Betting
from poker_actors.rules.options import HandOptions, Rake
from poker_actors.rules.stakes import Stakes

RAKES: Final = (None, Rake(500, 3), Rake(1000, 0, no_flop_no_drop=False), Rake(333, 2))


def chosen(hand: Hand, rng: Random) -> Action:
    """Choose an action: raises are frequent, the more so when they are short all-ins."""
    legal = hand.legal
    if legal.lays:
        return rng.choice(list(islice(iter(legal), 20)))
    if legal.discards:
        count = legal.must_discard or min(rng.choice((0, 0, 1, 2, 3, legal.discards)), legal.discards)
        return Discard(tuple(rng.sample(hand.holes[hand.to_act[0]], count)))
    drawn = rng.random()
    if legal.can_raise and drawn < (0.5 if legal.max_raise_to == legal.all_in_total else 0.3):
        low, high = legal.min_raise_to, legal.max_raise_to
        return RaiseTo(rng.choice((low, low, high, rng.randint(low, high))))
    if legal.bring_in:
        return BringIn()
    if legal.to_call:
        return Call() if drawn < 0.85 else Fold()
    return Check() if drawn < 0.99 else Fold()


def _stakes(game: Game, rng: Random) -> Stakes:
    """Draw stakes in the form of the game's own, odd ones included."""
    own = game.stakes
    if rng.random() < 0.6:
        return own
    if own.bring_in:
        return Stakes(
            0,
            0,
            ante=rng.choice((0, 1, 3)),
            bring_in=rng.choice((1, 3, 4, 6, 8)),
            min_bet=rng.choice((9, 10, 20)),
        )
    if not own.big_blind:
        return own
    big = rng.choice((5, 10))
    straddle = rng.choice((0, 0, 2 * big, 25 if game.betting is not Betting.FIXED_LIMIT else 2 * big))
    return Stakes(
        rng.choice((1, 2, 3, 5)),
        big,
        ante=rng.choice((0, 0, 1, 3)),
        big_blind_ante=rng.choice((0, 0, big)),
        straddle=straddle,
    )


def _options(game: Game, rng: Random) -> HandOptions | None:
    if game.open_face or game.draws or rng.random() < 0.7:
        return None
    rake = rng.choice(RAKES)
    if len(game.streets) > 1 and 3 in [street.board for street in game.streets[:2]] and rng.random() < 0.3:
        boards = 1 if game.most_cards + game.board_cards > len(game.pack) else 2
        return HandOptions(rake, bomb_pot=rng.choice((5, 7)), bomb_boards=rng.randint(1, boards))
    boards = rng.choice((1, 2, 3)) if game.board_cards else 1
    return HandOptions(rake, boards=boards, declined=(0,) if rng.random() < 0.1 else ())


def _newcomers(dealt: list[int], stakes: Stakes, rng: Random) -> list[Posted] | None:
    """Draw listed posts: blinds, a newcomer's blind, a blind that was missed, antes of some seats, dead chips first."""
    if len(dealt) < 4 or not stakes.big_blind or stakes.straddle or rng.random() < 0.8:
        return None
    posts = [
        Posted(dealt[0], Post.SMALL_BLIND, stakes.small_blind),
        Posted(dealt[1], Post.BIG_BLIND, stakes.big_blind),
        Posted(dealt[3], Post.EXTRA_BLIND, stakes.big_blind),
    ]
    if rng.random() < 0.6:
        posts.append(Posted(dealt[3], Post.DEAD_BLIND, stakes.small_blind))
    if rng.random() < 0.5:
        antes = [Posted(seat, Post.ANTE, rng.randint(1, 4)) for seat in rng.sample(dealt, rng.randint(1, 4))]
        first = Posted(
            rng.choice(dealt), rng.choice((Post.BIG_BLIND_ANTE, Post.DEAD_BLIND)), rng.randint(1, 9)
        )
        posts = [*rng.choice(([], [first])), *antes, *posts]
    return posts


def _dead_small(dealt: list[int], button: int, size: int, stakes: Stakes, rng: Random) -> Positions | None:
    """Draw a dead small blind: the seat that owes it is empty."""
    empty = [seat for seat in range(size) if seat not in dealt]
    if len(dealt) < 3 or not empty or not stakes.big_blind or rng.random() < 0.5:
        return None
    return Positions(button, empty[0], dealt[0], tuple(sorted(dealt)))


def deal(name: str, number: int) -> Hand:
    """Play hand `number` of a game, the same every time."""
    game, rng = GAMES[name], Random(f"{name} {number}")
    count = rng.randint(2, game.max_seats)
    stakes = _stakes(game, rng)
    unit = stakes.min_bet
    sizes = [(rng.randint(1, 3 * unit + 2), rng.randint(unit, 20 * unit), 100 * unit) for _ in range(count)]
    stacks = [rng.choice(three) for three in sizes]
    if rng.random() < 0.3 and count < min(game.max_seats, 9):
        stacks.insert(rng.randrange(count + 1), 0)
    size = len(stacks)
    button = rng.choice([seat for seat, stack in enumerate(stacks) if stack])
    dealt = sorted([s for s in range(size) if stacks[s]], key=lambda seat: (seat - button - 1) % size)
    posts = _newcomers(dealt, stakes, rng)
    hand = Hand(
        stacks,
        stakes,
        deck=Deck(rng.sample(game.pack, len(game.pack)), entropy=number),
        button=button,
        game=game,
        positions=None if posts else _dead_small(dealt, button, size, stakes, rng),
        posts=posts,
        options=_options(game, rng),
    )
    while hand.to_act:
        hand.act(chosen(hand, rng))
    return hand


def flaws(name: str, numbers: range) -> Iterator[tuple[int, Verdict]]:
    """Yield each hand that is judged wrong, and its first verdict."""
    for number in numbers:
        found = verdicts(deal(name, number))
        if found:
            yield number, found[0]


def main() -> int:
    """Judge, and print a line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", default=list(GAMES))
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--hands", type=int, default=20_000)
    given = parser.parse_args()
    wrong = 0
    for name in given.games:
        before = process_time()
        kinds: dict[str, tuple[int, Verdict]] = {}
        for number, verdict in flaws(name, range(given.first, given.first + given.hands)):
            kinds.setdefault(verdict.code, (number, verdict))
        took = process_time() - before
        print(f"{name:<22} {given.hands:>6} hands {took:7.1f} s  {len(kinds)} kinds of verdicts", flush=True)
        for number, verdict in kinds.values():
            print(f"  {name} {number}: {verdict}", flush=True)
        wrong += len(kinds)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
