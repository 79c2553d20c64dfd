"""Teach a bot to beat one that calls everything, with a table of averages learned by trial.

Needs the extra `rl`. Run it with `python examples/train_a_bot.py [HANDS]`; 12,000 hands take some seconds.
"""

from __future__ import annotations

import sys

import numpy as np

from poker_actors.learn import Layout, seat_env

ACTIONS = ("fold", "check/call", "half pot", "pot", "all-in")
SITUATIONS = 4 * 6
"""Four streets, each with six qualities of the cards."""


def situation(layout: Layout, observation: np.ndarray) -> int:
    """Return the row of the table for an observation: 6 per street."""
    parts = layout.split(observation)
    own = sorted((int(card) // 4 for card in np.flatnonzero(parts["hole"])), reverse=True)
    board = sorted((int(card) // 4 for card in np.flatnonzero(parts["board"])), reverse=True)
    street = int(np.argmax(parts["street"]))
    return 6 * street + (quality_on(own, board) if board else quality_before(own))


def quality_before(own: list[int]) -> int:
    """Rate hole cards from 0, two small cards, to 5, a big pair; rank 12 is an ace."""
    if own[0] == own[1]:
        return 5 if own[0] >= 8 else 4
    return (own[0] >= 12) + (own[0] >= 10) + (own[1] >= 8)


def quality_on(own: list[int], board: list[int]) -> int:
    """Rate hole cards on a board from 0, nothing, to 5, two pairs and better."""
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
    """Learns, for each situation and action, the mean result of a hand in big blinds."""

    def __init__(self, seed: int) -> None:
        self.average = np.zeros((SITUATIONS, len(ACTIONS)))
        self.times = np.zeros((SITUATIONS, len(ACTIONS)))
        self.luck = np.random.default_rng(seed)

    def choose(self, row: int, mask: np.ndarray, curious: float) -> int:
        """Return the best legal action so far, or with probability `curious` a random one."""
        legal = np.flatnonzero(mask)
        if self.luck.random() < curious:
            return int(self.luck.choice(legal))
        return int(legal[np.argmax(self.average[row, legal])])

    def learn(self, taken: list[tuple[int, int]], reward: float) -> None:
        """Add a hand's result to the means of all actions taken in it."""
        for row, action in taken:
            self.times[row, action] += 1
            self.average[row, action] += (reward - self.average[row, action]) / self.times[row, action]


def play(learner: Learner, hands: int, seed: int, *, curious: float, learning: bool = False) -> np.ndarray:
    """Play `hands` hands against the caller; return their results in big blinds."""
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
    """Write the mean and its 95 % margin, in big blinds a hand."""
    margin = 1.96 * results.std(ddof=1) / np.sqrt(len(results))
    return f"{results.mean():+.2f} big blinds a hand, give or take {margin:.2f}"


def main(hands: int = 12_000) -> None:
    """Measure, teach, measure again on the same hands, and print what was learned."""
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
