"""The witness checks that whatever anybody was told stays true."""

from poker_actors.testing.witness.promise import (
    BrokenPromise,
    Handler,
    Heard,
    HeardLoop,
    HeardStepper,
    HeardThreads,
    Hears,
    Promise,
    Verdict,
)
from poker_actors.testing.witness.witness import PROMISES, Witness

__all__ = [
    "PROMISES",
    "BrokenPromise",
    "Handler",
    "Heard",
    "HeardLoop",
    "HeardStepper",
    "HeardThreads",
    "Hears",
    "Promise",
    "Verdict",
    "Witness",
]
