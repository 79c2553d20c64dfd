"""Answers to requests with an `Idempotency-Key`: a repeated request gets the first answer."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from typing import Final, Generic, TypeVar

import attrs

from poker_actors.errors import BadSpec, TableRefusal

T = TypeVar("T")

_KEY_LENGTH: Final = 128
"""The longest Idempotency-Key; a UUID has 36 characters."""
_EACH: Final = 64
"""Keys remembered for one user: more than a client can have in flight."""


@attrs.frozen
class _Kept(Generic[T]):
    request: bytes
    answer: T


class AnswersKept(Generic[T]):
    """Each user's last answers by key, for the `users` most recent users; lost on a restart."""

    def __init__(self, *, users: int = 10_000) -> None:
        self._most = users
        self._kept: OrderedDict[str, OrderedDict[str, _Kept[T]]] = OrderedDict()

    def find(self, user_id: str, key: str, request: bytes) -> T | None:
        """Return the earlier answer, or None for a new key.

        Raises `BadSpec` for an invalid key, `TableRefusal` (`key_reused`) if the key was for another request.
        """
        if not 0 < len(key) <= _KEY_LENGTH or not (key.isascii() and key.isprintable()):
            raise BadSpec(f"an Idempotency-Key is 1 to {_KEY_LENGTH} printable characters of ASCII")
        own = self._kept.get(user_id)
        kept = None if own is None else own.get(key)
        if kept is None:
            return None
        if kept.request != _digest(request):
            raise TableRefusal("this Idempotency-Key was for another request", code="key_reused")
        return kept.answer

    def keep(self, user_id: str, key: str, request: bytes, answer: T) -> None:
        """Remember an answer."""
        own = self._kept.setdefault(user_id, OrderedDict())
        self._kept.move_to_end(user_id)
        own[key] = _Kept(_digest(request), answer)
        if len(own) > _EACH:
            own.popitem(last=False)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)

    def __repr__(self) -> str:
        return f"<AnswersKept: of {len(self._kept)} users>"


def _digest(request: bytes) -> bytes:
    return hashlib.sha256(request).digest()
