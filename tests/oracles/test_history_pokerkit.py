"""pokerkit reads what we write, and pays every hand the same."""

from __future__ import annotations

import warnings
from random import Random

import pytest
from pokerkit import HandHistory as PokerkitHistory

from poker_actors.cards import Deck
from poker_actors.history import FORMATS, HandHistory, parse, record, replay
from poker_actors.rules import GAMES, Discard, Hand
from poker_actors.rules.event import Awarded
from tests.conformance.history.seeds import recorded


def pokerkit_stacks(text: str) -> list[int]:
    """What pokerkit's own replay of a `.phh` text ends with."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of folds that cost nothing
        state = None
        for state in PokerkitHistory.loads(text):  # noqa: B007  # its last state is wanted
            pass
    assert state is not None
    assert not state.status, "pokerkit thinks that the hand goes on"
    return list(state.stacks)


def shared_awards(history: HandHistory) -> int:
    """How many shares of split pots were paid."""
    pots: list[int] = []
    replay(history, listener=lambda event: pots.append(event.pot) if isinstance(event, Awarded) else None)
    return sum(1 for pot in pots if pots.count(pot) > 1)


@pytest.mark.parametrize("history", list(recorded(80, seed=7)), ids=lambda history: f"hand-{history.hand_id}")
def test_pokerkit_pays_our_hands_the_same(history: HandHistory) -> None:
    theirs = pokerkit_stacks(FORMATS["phh"].text(history, 0))
    ours = replay(history).final_stacks
    assert ours is not None
    assert ours == history.finishing
    # its odd chips go to other seats than ours (TDA 2024, rule 20), one for each winner of a split pot
    slack = shared_awards(history)
    assert all(abs(one - other) <= slack for one, other in zip(ours, theirs, strict=True))
    assert sum(ours) == sum(theirs)


def test_pokerkit_reads_a_file_of_many_hands() -> None:
    hands = list(recorded(12, seed=3))
    text = "".join(f"[{number}]\n{FORMATS['phh'].text(hand, 0)}\n" for number, hand in enumerate(hands, 1))
    found = list(PokerkitHistory.loads_all(text))
    assert [tuple(hand.finishing_stacks or ()) for hand in found] == [hand.finishing for hand in hands]


def test_we_read_what_pokerkit_writes() -> None:
    for history in recorded(24, seed=5):
        theirs = PokerkitHistory.loads(FORMATS["phh"].text(history, 0)).dumps()
        [back] = parse(theirs)
        assert back.steps == history.steps
        assert replay(back).final_stacks == history.finishing


SPECIAL = {
    "two straddles": """
variant = 'NT'
antes = [0, 0, 0, 0]
blinds_or_straddles = [1, 2, 4, 8]
min_bet = 2
starting_stacks = [100, 200, 300, 400]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'd dh p3 QsQd', 'd dh p4 JsJd', 'p1 cbr 20', 'p2 f', 'p3 cc', 'p4 f', 'd db 2c3c4h', 'p1 cbr 80', 'p3 cc', 'p1 sm AsAd', 'p3 sm QsQd', 'd db 5d', 'd db Qc']
""",
    "a newcomer's blind": """
variant = 'NT'
antes = [0, 0, 0, 0]
blinds_or_straddles = [1, 2, 0, -2]
min_bet = 2
starting_stacks = [100, 100, 100, 100]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'd dh p3 QsQd', 'd dh p4 JsJd', 'p3 f', 'p4 cc', 'p1 cc', 'p2 cc', 'd db 2c3c4h', 'p1 cc', 'p2 cbr 4', 'p4 f', 'p1 f']
""",
    "a button ante, the button all-in for less": """
variant = 'NT'
antes = [0, 0, 20]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 12]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'd dh p3 QsQd', 'p1 cc', 'p2 cc', 'd db 2c3c4h', 'p1 cc', 'p2 cc', 'd db 5d', 'p1 cc', 'p2 cc', 'd db Qc', 'p1 cc', 'p2 cc', 'p1 sm AsAd', 'p2 sm KsKd', 'p3 sm QsQd']
""",
    "short-deck with a button blind": """
variant = 'NS'
antes = [3, 3, 3]
blinds_or_straddles = [0, 0, 3]
min_bet = 3
starting_stacks = [300, 200, 100]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'd dh p3 QsQd', 'p1 cc', 'p2 cbr 9', 'p3 cc', 'p1 f', 'd db 7c8cJh', 'p2 cbr 88', 'p3 cc', 'p2 sm KsKd', 'p3 sm QsQd', 'd db 9d', 'd db Td']
""",
    "a hand mucked that would have won": """
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 AsAd', 'd dh p2 KsKd', 'p2 cc', 'p1 cc', 'd db 2c3c4h', 'p1 cc', 'p2 cc', 'd db 8d', 'p1 cc', 'p2 cc', 'd db Qc', 'p1 cc', 'p2 cbr 4', 'p1 cc', 'p2 sm KsKd', 'p1 sm']
""",
}


@pytest.mark.parametrize("name", SPECIAL)
def test_hands_that_no_table_of_ours_deals_are_paid_as_pokerkit_pays_them(name: str) -> None:
    [history] = parse(SPECIAL[name])
    assert list(replay(history).final_stacks or ()) == pokerkit_stacks(SPECIAL[name])


def checked(name: str, seed: int) -> HandHistory:
    """A hand of three of a game that pokerkit has too, with a raise here and there and some cards changed."""
    game = GAMES[name]
    luck = Random(seed)
    hand = Hand([5040] * 3, game.stakes, deck=Deck.seeded(seed, game.pack), game=game)
    while hand.to_act:
        legal = hand.legal
        if legal.discards:
            hand.act(Discard(tuple(luck.sample(hand.holes[hand.to_act[0]], luck.randint(0, 2)))))
        elif legal.can_raise and luck.random() < 0.2:
            hand.raise_to(legal.min_raise_to)
        else:
            hand.check_or_call()
    return record(hand)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", [game.name for game in GAMES.values() if game.code])
def test_pokerkit_pays_hands_of_the_standards_games_the_same(name: str, seed: int) -> None:
    history = checked(name, seed)
    ours, theirs = history.finishing, pokerkit_stacks(FORMATS["phh"].text(history, 0))
    assert ours is not None
    slack = shared_awards(history)
    assert all(abs(one - other) <= slack for one, other in zip(ours, theirs, strict=True))
