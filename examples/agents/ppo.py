"""Teach a network to beat `tight` heads-up: PPO in numpy, on hundreds of tables that step at once.

Needs the extras `rl` and `fast`. Run it with `python examples/agents/ppo.py [ROUNDS]`; 60 rounds take half a minute.

Schulman and others, Proximal policy optimization algorithms (2017).
"""

from __future__ import annotations

import logging
import os
import sys

# matrices this small are slower on many threads; numpy reads it when it is imported
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from poker_actors.learn import Layout, seat_vector_env

TABLES, STEPS = 512, 32
"""Of a round: so many tables, so many turns at each."""
EPOCHS, BATCH = 3, 2_048
RATE, CLIPPED, CURIOUS = 1e-3, 0.2, 0.01
"""Of learning; how far a policy may move in a round; what is added for staying undecided."""
LAMBDA = 0.95
"""How far a result is trusted further than the network's own guess of it."""
WIDTH = 64
RAISES = (1.0, "all-in")
CHIPS = ("stacks", "bets", "pot", "to_call", "raise")


class Network:
    """Two layers that both heads share: the chance of each action, and what a turn is worth."""

    def __init__(self, inputs: int, actions: int, luck: np.random.Generator) -> None:
        sizes = ((inputs, WIDTH), (WIDTH, WIDTH), (WIDTH, actions + 1))
        spread = [1 / np.sqrt(rows) for rows, _ in sizes]
        spread[-1] *= 0.01  # at first everything is as likely
        self.weights = [
            luck.normal(0, one, size).astype(np.float32) for one, size in zip(spread, sizes, strict=True)
        ]
        self.biases = [np.zeros(columns, np.float32) for _, columns in sizes]
        self.moments = [(np.zeros_like(part), np.zeros_like(part)) for part in self.parts]
        self.updates = 0

    @property
    def parts(self) -> list[np.ndarray]:
        """All that is learnt."""
        return [*self.weights, *self.biases]

    def look(self, seen: np.ndarray, legal: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
        """Give the chance of each action, what each turn is worth, and the layers on the way."""
        layers = [seen]
        for weight, bias in zip(self.weights[:2], self.biases[:2], strict=True):
            layers.append(np.tanh(layers[-1] @ weight + bias))
        out = layers[-1] @ self.weights[2] + self.biases[2]
        scores = np.where(legal, out[:, :-1], -1e9)
        shares = np.exp(scores - scores.max(axis=1, keepdims=True))
        return shares / shares.sum(axis=1, keepdims=True), out[:, -1], layers

    def learn(self, layers: list[np.ndarray], slope: np.ndarray) -> None:
        """Go down the slope of the loss by the outputs: back through the layers, then Adam."""
        weights: list[np.ndarray] = []
        biases: list[np.ndarray] = []
        for at in (2, 1, 0):
            weights.insert(0, layers[at].T @ slope)
            biases.insert(0, slope.sum(axis=0))
            slope = (slope @ self.weights[at].T) * (1 - layers[at] ** 2)
        self.updates += 1
        for part, change, (mean, square) in zip(self.parts, weights + biases, self.moments, strict=True):
            mean += 0.1 * (change - mean)
            square += 0.001 * (change**2 - square)
            mean_now, square_now = mean / (1 - 0.9**self.updates), square / (1 - 0.999**self.updates)
            part -= RATE * mean_now / (np.sqrt(square_now) + 1e-5)


def seen_by(layout: Layout, observation: np.ndarray) -> np.ndarray:
    """Make rows for the network: cards as they are, with their ranks and suits counted, and chips by their logarithm."""
    parts = {
        name: observation[:, layout.start(name) :][:, : np.prod(shape)]
        for name, shape in layout.parts.items()
    }
    cards = [parts["hole"], parts["board"]]
    ranks = [one.reshape(-1, 13, 4).sum(axis=2) for one in cards]
    suits = [one.reshape(-1, 13, 4).sum(axis=1) for one in cards]
    chips = [np.log1p(parts[f"{name}_big_blinds"]) for name in CHIPS]
    both = [(ranks[0] * (1 + ranks[1])), (suits[0] * suits[1])]
    return np.concatenate([*cards, *ranks, *both, parts["street"], parts["position"], *chips], axis=1)


def advantages(rewards: np.ndarray, over: np.ndarray, worth: np.ndarray) -> np.ndarray:
    """Give how much better each turn went than was thought; `worth` has one row more, of the turns to come."""
    better = np.zeros_like(rewards)
    later = np.zeros(rewards.shape[1], np.float32)
    for step in reversed(range(len(rewards))):
        goes_on = ~over[step]
        surprise = rewards[step] + goes_on * worth[step + 1] - worth[step]
        later = surprise + LAMBDA * goes_on * later
        better[step] = later
    return better


class Tables:
    """Tables against one opponent, and what is to be seen at them now."""

    def __init__(self, opponent: str, seed: int) -> None:
        self.luck = np.random.default_rng(seed)
        self.tables = seat_vector_env(TABLES, [opponent], raise_sizes=RAISES, history=0)
        self._see(*self.tables.reset(seed=seed))

    def _see(self, observation: np.ndarray, infos: dict[str, np.ndarray]) -> None:
        self.seen, self.legal = seen_by(self.tables.layout, observation), infos["action_mask"]

    def turn(self, network: Network) -> tuple[np.ndarray, ...]:
        """Take a turn at every table, by chance; give what was seen, done, likely and worth, and what came of it."""
        shares, worth, _ = network.look(self.seen, self.legal)
        drawn = self.luck.random((TABLES, 1))
        actions = np.minimum((shares.cumsum(axis=1) < drawn).sum(axis=1), shares.shape[1] - 1)
        taken = self.seen, self.legal, actions, np.take_along_axis(shares, actions[:, None], 1)[:, 0], worth
        observation, rewards, over, _, infos = self.tables.step(actions)
        self._see(observation, infos)
        return (*taken, rewards.astype(np.float32), over)


class Learner:
    """A network, the tables it learns at, and its luck."""

    def __init__(self, opponent: str, seed: int) -> None:
        self.luck = np.random.default_rng(seed)
        self.tables = Tables(opponent, seed)
        self.network = Network(self.tables.seen.shape[1], self.tables.legal.shape[1], self.luck)

    def round(self) -> float:
        """Play a round and learn from it; give what a hand of it brought in big blinds."""
        turns = [self.tables.turn(self.network) for _ in range(STEPS)]
        seen, legal, actions, likely, worth, rewards, over = (
            np.stack(part) for part in zip(*turns, strict=True)
        )
        _, last, _ = self.network.look(self.tables.seen, self.tables.legal)
        scaled = rewards / 10  # stacks of 100 big blinds: most results are within 1
        better = advantages(scaled, over, np.concatenate([worth, last[None]]))
        flat = [
            part.reshape(-1, *part.shape[2:])
            for part in (seen, legal, actions, likely, better, better + worth)
        ]
        for _ in range(EPOCHS):
            for rows in np.split(self.luck.permutation(len(flat[0])), len(flat[0]) // BATCH):
                self._update(*(part[rows] for part in flat))
        return float(rewards.sum() / max(over.sum(), 1))

    def _update(
        self,
        seen: np.ndarray,
        legal: np.ndarray,
        actions: np.ndarray,
        likely: np.ndarray,
        better: np.ndarray,
        came: np.ndarray,
    ) -> None:
        shares, worth, layers = self.network.look(seen, legal)
        done = np.eye(shares.shape[1], dtype=np.float32)[actions]
        ratio = (shares * done).sum(axis=1) / likely
        better = (better - better.mean()) / (better.std() + 1e-6)
        # a policy that has moved far enough in the direction of `better` is not pushed further
        moves = np.where(better > 0, ratio < 1 + CLIPPED, ratio > 1 - CLIPPED)
        by_score = (moves * ratio * better)[:, None] * (shares - done)
        logs = np.log(shares + 1e-9)
        entropy = -(shares * logs).sum(axis=1, keepdims=True)
        by_score += CURIOUS * shares * (logs + entropy)
        by_worth = 0.5 * (worth - came)
        slope = np.concatenate([by_score, by_worth[:, None]], axis=1) / len(seen)
        self.network.learn(layers, slope.astype(np.float32))


def measure(network: Network, opponent: str, hands: int, seed: int) -> tuple[float, float]:
    """Play hands that were not learnt from; give big blinds a hundred hands and the 95 % margin."""
    tables = Tables(opponent, seed)
    results: list[np.ndarray] = []
    while sum(map(len, results)) < hands:
        *_, rewards, over = tables.turn(network)
        results.append(rewards[over])
    won = np.concatenate(results)
    return 100 * float(won.mean()), 196 * float(won.std(ddof=1)) / np.sqrt(len(won))


def main(rounds: int = 60) -> None:
    """Learn, and say every tenth of the way how it goes; then measure on other hands."""
    logging.getLogger("poker_actors").setLevel(logging.ERROR)  # the first run compiles, and says so
    learner = Learner("tight", seed=1)
    won: list[float] = []
    for number in range(1, rounds + 1):
        won.append(learner.round())
        if number % max(rounds // 10, 1) == 0:
            print(f"round {number}: {100 * np.mean(won[-max(rounds // 10, 1) :]):+.0f} bb/100", flush=True)
    mean, margin = measure(learner.network, "tight", 100_000, seed=1_000_000)
    print(f"against tight, on hands of its own: {mean:+.1f} bb/100, give or take {margin:.1f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
