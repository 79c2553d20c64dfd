"""Hands that were seen by many, the examples of pokerkit's README, chip for chip: every one ends with the stacks given there."""

from __future__ import annotations

import attrs
import pytest

from poker_actors.cards import Deck, parse_cards
from poker_actors.rules import Discard, Hand, Stakes, game_named
from poker_actors.rules.event import Post, Posted
from poker_actors.rules.options import HandOptions


@attrs.frozen
class Known:
    """Seats from the left of the button; an action is `f`, `c`, `r` (the least raise), a total, or cards thrown away."""

    game: str
    stakes: Stakes
    stacks: tuple[int, ...]
    holes: tuple[str, ...]
    later: str
    """The board and boards run again, or the cards drawn, in the order dealt."""
    actions: str
    end: tuple[int, ...]
    posts: tuple[Posted, ...] | None = None
    boards: int = 1


HELLMUTH_WIGGINS = Known(
    "holdem",
    Stakes(200, 400),
    (90_000, 116_400, 86_900, 90_000, 50_000, 90_000),
    ("JsTh", "Ah9d", "KsKc", "5c2h", "6h5h", "6s3s"),
    "9hTs9s JhAd Kh3c 7s8s QcKd",
    "f 2800 f c 12600 c c c  c 17000 36000 f f 103800 c",
    (77_400, 79_400, 149_700, 90_000, 37_400, 89_400),
    posts=(
        *(Posted(5, Post.BIG_BLIND_ANTE, 600), Posted(0, Post.SMALL_BLIND, 200)),
        *(Posted(1, Post.BIG_BLIND, 400), Posted(2, Post.STRADDLE, 800)),
    ),
    boards=4,
)
DWAN_IVEY = Known(
    "holdem",
    Stakes(1000, 2000, ante=500),
    (1_125_600, 2_000_000, 553_500),
    ("Ac2d", "9s9d", "7h6h"),
    "Jc3d5c 4h Jh",
    "7000 23000 f c  35000 c  90000 232600 1067100 c",
    (572_100, 1_997_500, 1_109_500),
)
XUAN_PHUA = Known(
    "short-deck",
    Stakes(0, 3000, ante=3000),
    (495_000, 232_000, 362_000, 403_000, 301_000, 204_000),
    ("Th8h", "QsJd", "QhQd", "8d7c", "KhKs", "8c7h"),
    "9h6cKc Jh Ts",
    "c c 35000 f 298000 f f f c",
    (489_000, 226_000, 684_000, 400_000, 0, 198_000),
    posts=(*(Posted(seat, Post.ANTE, 3000) for seat in range(6)), Posted(5, Post.BIG_BLIND, 3000)),
)
ANTONIUS_BLOM = Known(  # in quarters of a dollar
    "omaha",
    Stakes(2000, 4000),
    (5_037_801, 2_713_894),
    ("Ah3sKsKh", "6d9s7d8h"),
    "4s5c2h 5h 9c",
    "12000 36000 108000 324000 c  364000 1740000 3116000 c",
    (7_751_695, 0),
)
YOCKEY_ARIEH = Known(
    "2-7-triple-draw",
    Stakes(75_000, 150_000),
    (1_180_000, 4_340_000, 5_910_000, 10_765_000),
    ("7h6c4c3d2c", "KdKh9d9h8d", "JdJhTdTh8h", "AsQs6s5c3c"),
    "2hQh 4d 7c",
    "f r r f c  - AsQs r c  - Qh r c  - 6s 280000 c",
    (0, 4_190_000, 5_910_000, 12_095_000),
)
WIKIPEDIA = Known(
    "badugi",
    Stakes(1, 2),
    (100, 100, 100, 100),
    ("KsKhQsQh", "3s5dJsJh", "TsThTdTc", "2s4cQdQc"),
    "AhAd 7c9c 6d 2h 9h 8h",
    "f c c c  KsKh JsJh Qd c r c c  Qs - Qc c r r f c  9c - c r c",
    (96, 120, 100, 84),
)
HANDS = {
    "hellmuth-wiggins": HELLMUTH_WIGGINS,
    "dwan-ivey": DWAN_IVEY,
    "xuan-phua": XUAN_PHUA,
    "antonius-blom": ANTONIUS_BLOM,
    "yockey-arieh": YOCKEY_ARIEH,
    "wikipedia-badugi": WIKIPEDIA,
}


def played(known: Known) -> Hand:
    game = game_named(known.game)
    deck = Deck.stacked(known.holes, known.later.replace(" ", ""), game.pack)
    seats = len(known.stacks)
    options = HandOptions(boards=known.boards) if known.boards > 1 else None
    hand = Hand(
        known.stacks, known.stakes, deck=deck, game=game, button=seats - 1, posts=known.posts, options=options
    )
    for action in known.actions.split():
        if action == "f":
            hand.fold()
        elif action in ("c", "-"):
            hand.check_or_call()
        elif action == "r" or action.isdigit():
            hand.raise_to(hand.min_raise_to if action == "r" else int(action))
        else:
            hand.act(Discard(tuple(parse_cards(action))))
    return hand


@pytest.mark.parametrize("known", HANDS.values(), ids=HANDS)
def test_a_known_hand_ends_with_the_chips_it_ended_with(known: Known) -> None:
    hand = played(known)
    assert hand.over
    assert tuple(hand.stacks) == known.end
