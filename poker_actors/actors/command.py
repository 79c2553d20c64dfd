"""A message that waits for an answer."""

from __future__ import annotations

from typing import Generic, TypeVar

__all__ = ["Command"]

R = TypeVar("R")


class Command(Generic[R]):
    """A message that is answered with an `R`, or refused."""

    __slots__ = ()
