"""Compute results without luck again from the lines of `--adjust --jsonl`, by code that imports nothing of ours.

A line has, by seat, the worth of the hand at the end of the betting and seven terms of luck, in thousandths of a chip.
Each fifth of the hands is corrected by least squares over the other four, and the sum taken off all bots is given back
in proportion to each bot's regression on it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Line = dict[str, Any]
FOLDS, TERMS = 5, 7


def without_luck(lines: list[Line], bots: int) -> Any:
    """Return an array of hands by bots: winnings without luck, in chips."""
    table = np.zeros((len(lines), bots, 1 + TERMS))
    for row, line in enumerate(lines):
        for seat, bot in enumerate(line["bot_numbers"]):
            table[row, bot] = [line["worth"][seat], *line["luck"][seat]]
    folds = np.arange(len(lines)) % FOLDS
    found = np.empty((len(lines), bots))
    for fold in range(FOLDS):
        others = table[folds != fold]
        about = others - others.mean(axis=0)
        rates = [fitted(about[:, bot, 1:], about[:, bot, 0]) for bot in range(bots)]
        corrected = np.stack(
            [about[:, bot, 0] - about[:, bot, 1:] @ rates[bot] for bot in range(bots)], axis=1
        )
        # winnings add up to zero in every hand, and so must winnings without luck
        off = corrected.sum(axis=1) - about[:, :, 0].sum(axis=1)
        shares = corrected.T @ off / (corrected.sum(axis=1) @ off)
        own = table[folds == fold]
        plain = np.stack([own[:, bot, 0] - own[:, bot, 1:] @ rates[bot] for bot in range(bots)], axis=1)
        gone = plain.sum(axis=1) - own[:, :, 0].sum(axis=1)
        found[folds == fold] = plain - gone[:, None] * shares
    return found / 1000


def fitted(terms: Any, worth: Any) -> Any:
    """Return the least-squares rates; terms of very different sizes are scaled to one for the solver."""
    sizes = np.sqrt((terms**2).mean(axis=0))
    sizes[sizes == 0] = 1
    return np.linalg.lstsq(terms / sizes, worth, rcond=None)[0] / sizes


def moments(rows: Any) -> tuple[Any, Any, int]:
    """Return the means by bot in bb/100 (blinds of 1/2), their covariance, and its degrees of freedom."""
    units = len(rows)
    freedom = units - 1 - TERMS
    about = 50 * (rows - rows.mean(axis=0))
    return 50 * rows.mean(axis=0), about.T @ about / units / freedom, freedom


def simultaneous(
    means: Any, covariance: Any, freedom: int, pairs: list[tuple[int, int]]
) -> tuple[list[float], float]:
    """Return the p-value of each pair by step-down max-T, and the 95 % quantile of the largest difference in errors."""
    rng = np.random.default_rng(1)
    noise = rng.multivariate_normal(np.zeros(len(means)), covariance, 100_000, method="eigh")
    noise *= np.sqrt(freedom / rng.chisquare(freedom, len(noise)))[:, None]
    errors = [np.sqrt(covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]) for a, b in pairs]
    seen = [abs(means[a] - means[b]) / error for (a, b), error in zip(pairs, errors, strict=True)]
    drawn = np.stack([abs(noise[:, a] - noise[:, b]) / e for (a, b), e in zip(pairs, errors, strict=True)])
    order = sorted(range(len(pairs)), key=lambda pair: -seen[pair])
    found, highest = [0.0] * len(pairs), 0.0
    for place, pair in enumerate(order):
        highest = max(highest, float((drawn[order[place:]].max(axis=0) >= seen[pair]).mean()))
        found[pair] = highest
    return found, float(np.quantile(drawn.max(axis=0), 0.95))
