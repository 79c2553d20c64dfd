"""Write or compare hands played at random by the competition's own rules, which OpenSpiel includes.

`python tests/conformance/acpc/hands_of_others.py write 15` writes the vectors that the tests read, 15 hands per
game; `... compare 500` compares new hands without writing. Needs the extra `bench`.
"""

from __future__ import annotations

import json
import random
import re
import sys
from pathlib import Path
from typing import Any, Final

from poker_actors.cards import Deck, parse_cards
from poker_actors.wire.acpc import DEFINITIONS, GameDefinition, betting_text, hand_values
from poker_actors.wire.acpc.protocol import play_betting, state_text

VECTORS: Final = Path(__file__).with_name("hands_of_others.json")
SMALL_STACKS: Final = {"holdem.nolimit.2p": 1_000, "holdem.nolimit.3p": 2_000}
"""Stacks of every second hand, so that many end all-in."""
DECK_OF_LIMIT: Final = 100_000


def played_by_others(definition: GameDefinition, seed: int, stack: int = 0) -> dict[str, Any]:
    """Return one hand: its final state, the legal actions before each action, and the results."""
    import pyspiel

    state = pyspiel.load_game("universal_poker", parameters(definition, stack)).new_initial_state()
    luck = random.Random(seed)
    turns = []
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(luck.choice([action for action, _ in state.chance_outcomes()]))
            continue
        legal = state.legal_actions()
        raises = [action for action in legal if action > 1]
        turns.append([betting_of(state), 0 in legal, min(raises, default=0), max(raises, default=0)])
        kind = luck.random()
        action = 0 if 0 in legal and kind < 0.1 else 1
        if raises and kind > 0.55:
            action = luck.choice(raises[: 1 + len(raises) // luck.choice([1, 1, 20, 100])])
        state.apply_action(action)
    text = re.search(r"STATE:\S+", str(state))
    assert text is not None
    spent = [int(chips) for chips in re.findall(r"P[0-9]: ([0-9]+) ", str(state).split("Spent:")[1])]
    return {"state": text[0], "turns": turns, "spent": spent, "values": list(state.returns())}


def betting_of(state: Any) -> str:
    found = re.search(r"STATE:0:([^:]*):", str(state))
    assert found is not None
    return found[1]


def parameters(definition: GameDefinition, stack: int) -> dict[str, Any]:
    size, big = definition.players, max(definition.blinds)
    row = " ".join
    found: dict[str, Any] = {
        "numPlayers": size,
        "numRounds": 4,
        "numSuits": 4,
        "numRanks": 13,
        "numHoleCards": 2,
        "numBoardCards": "0 3 1 1",
        "blind": row(map(str, definition.blinds)),
        "firstPlayer": f"{2 if size == 2 else 3} 1 1 1",
        "stack": row([str(stack or min(definition.stacks[0], DECK_OF_LIMIT))] * size),
    }
    if definition.no_limit:
        return found | {"betting": "nolimit", "bettingAbstraction": "fullgame"}
    sizes = row(map(str, (big, big, 2 * big, 2 * big)))
    limit = {"betting": "limit", "bettingAbstraction": "fcpa", "raiseSize": sizes, "maxRaises": "3 4 4 4"}
    return found | limit


def compare(definition: GameDefinition, vector: dict[str, Any]) -> None:
    """Play a vector's hand by our rules; raise `AssertionError` where they differ."""
    _, number, betting, cards = vector["state"].split(":")
    holes, *board = cards.split("/")
    stack = vector["stack"]
    if stack:
        definition = GameDefinition(
            definition.name, definition.no_limit, (stack,) * definition.players, definition.blinds
        )
    # a hand that ends early shows no complete board: any cards will do for the rest
    shown = parse_cards("".join(board))
    deck = Deck.stacked(holes.split("|"), shown)
    for before, may_fold, least, most in vector["turns"]:
        hand = definition.hand(deck.copy())
        play_betting(hand, before)
        assert betting_text(hand) == before
        legal = hand.legal
        assert bool(legal.to_call) == may_fold, before
        start = hand.starting[0] - hand.stacks[hand.to_act[0]] - hand.bets[hand.to_act[0]]
        if definition.no_limit:
            found = (legal.min_raise_to + start, legal.max_raise_to + start) if legal.can_raise else (0, 0)
            assert found == (least, most), before
        else:
            assert legal.can_raise == bool(least), before
    hand = definition.hand(deck.copy())
    play_betting(hand, betting)
    assert hand.over
    assert state_text(hand, int(number)) == vector["state"]
    assert list(hand.public().log.put_in) == vector["spent"]
    # their values are floats, in which a third of a chip is not exact
    assert all(
        abs(float(mine) - theirs) < 1e-6
        for mine, theirs in zip(hand_values(hand), vector["values"], strict=True)
    )


def main(order: str, hands: int) -> None:
    vectors: dict[str, list[dict[str, Any]]] = {}
    for name, definition in DEFINITIONS.items():
        rows = vectors[name] = []
        for seed in range(hands):
            stack = SMALL_STACKS.get(name, 0) if seed % 2 else 0
            rows.append(played_by_others(definition, seed, stack) | {"stack": stack})
            compare(definition, rows[-1])
        print(f"{name}: {len(rows)} hands, {sum(len(row['turns']) for row in rows)} turns agree")
    if order == "write":
        comma = ",\n"
        games = [f'"{name}": [\n{comma.join(map(json.dumps, rows))}\n]' for name, rows in vectors.items()]
        VECTORS.write_text(f"{{\n{comma.join(games)}\n}}\n", encoding="ascii")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
