"""Teach a bot to beat one that calls everything: a table of averages, learned by trying.

Needs the extra `rl`. Run it with `python examples/train_a_bot.py [HANDS]`; 12,000 hands take some seconds.
"""

from __future__ import annotations

import sys

import numpy as np

from poker_actors.learn import Layout, seat_env

ACTIONS = ("fold", "check/call", "half pot", "pot", "all-in")
SITUATIONS = 4 * 6
"""A street, and how good one's cards look on it."""


def situation(layout: Layout, observation: np.ndarray) -> int:
    """Which row of the table an observation belongs to: 6 for each street."""
    parts = layout.split(observation)
    own = sorted((int(card) // 4 for card in np.flatnonzero(parts["hole"])), reverse=True)
    board = sorted((int(card) // 4 for card in np.flatnonzero(parts["board"])), reverse=True)
    street = int(np.argmax(parts["street"]))
    return 6 * street + (quality_on(own, board) if board else quality_before(own))


def quality_before(own: list[int]) -> int:
    """From 0, two small cards, to 5, a big pair; an ace is 12."""
    if own[0] == own[1]:
        return 5 if own[0] >= 8 else 4
    return (own[0] >= 12) + (own[0] >= 10) + (own[1] >= 8)


def quality_on(own: list[int], board: list[int]) -> int:
    """From 0, nothing, to 5, two pairs and better."""
    hits = [rank for rank in own if rank in board]
    pocket = own[0] == own[1]
    if len(set(hits)) > 1 or any(board.count(rank) > 1 for rank in hits) or (pocket and hits):
        return 5
    if pocket:
        return 4 if own[0] > board[0] else 2
    if hits:
        return 4 if hits[0] == board[0] else 3 if hits[0] == board[1] else 2
    return int(own[0] >= 11)


class Learner:
    """For each situation and action, what hands have brought on average, in big blinds."""

    def __init__(self, seed: int) -> None:
        self.average = np.zeros((SITUATIONS, len(ACTIONS)))
        self.times = np.zeros((SITUATIONS, len(ACTIONS)))
        self.luck = np.random.default_rng(seed)

    def choose(self, row: int, mask: np.ndarray, curious: float) -> int:
        """The best legal action so far; one at random `curious` of the time."""
        legal = np.flatnonzero(mask)
        if self.luck.random() < curious:
            return int(self.luck.choice(legal))
        return int(legal[np.argmax(self.average[row, legal])])

    def learn(self, taken: list[tuple[int, int]], reward: float) -> None:
        """Let a hand's result count for everything that was done in it."""
        for row, action in taken:
            self.times[row, action] += 1
            self.average[row, action] += (reward - self.average[row, action]) / self.times[row, action]


def play(learner: Learner, hands: int, seed: int, *, curious: float, learning: bool = False) -> np.ndarray:
    """Play `hands` against the caller and give each one's result in big blinds."""
    env = seat_env(["caller"], stacks=100, raise_sizes=(0.5, 1.0, "all-in"), history=0)
    results = np.zeros(hands)
    for hand in range(hands):
        observation, info = env.reset(seed=seed if hand == 0 else None)
        taken, over = [], False
        while not over:
            row = situation(env.layout, observation)
            action = learner.choose(row, info["action_mask"], curious)
            taken.append((row, action))
            observation, results[hand], over, _, info = env.step(action)
        if learning:
            learner.learn(taken, info["reward_big_blinds"])
    return results


def told(results: np.ndarray) -> str:
    """Mean and 95 % interval, in big blinds a hand."""
    margin = 1.96 * results.std(ddof=1) / np.sqrt(len(results))
    return f"{results.mean():+.2f} big blinds a hand, give or take {margin:.2f}"


def main(hands: int = 12_000) -> None:
    """Measure, teach, measure again on the same hands, and show what was learned."""
    learner = Learner(seed=1)
    test = max(hands // 4, 100)
    print(f"before, at random:  {told(play(learner, test, seed=2, curious=1.0))}")
    play(learner, hands, seed=3, curious=0.3, learning=True)
    print(f"after {hands:,} hands: {told(play(learner, test, seed=2, curious=0.0))}")
    for name, row in (("two small cards", 0), ("a big pair", 5), ("top pair on the river", 22)):
        tried = np.where(learner.times[row] > 0, learner.average[row], -np.inf)
        print(f"{name}: {ACTIONS[int(np.argmax(tried))]}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
