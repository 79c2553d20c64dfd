"""Accounts: names and passwords, behind an interface that other servers can share."""

from __future__ import annotations

import enum
import hashlib
import hmac
import re
import secrets
import threading
from typing import Final, Protocol

import attrs

__all__ = ["Accounts", "Admission", "MemoryAccounts", "good_nick"]

_NICK: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,19}")
"""Up to 20 characters, as wide as the article's status table; ASCII, since clients of 2003 are."""
_PASSWORD_LENGTH: Final = 128
"""Of which scrypt makes a digest: a longer one would only cost time."""


class Admission(enum.Enum):
    """The outcome of a log-in."""

    NEW = "new"
    """an account was made"""
    KNOWN = "known"
    WRONG = "wrong"
    """the password is not that of the account, or too long"""


class Accounts(Protocol):
    """Users and their passwords. Calls may take long and come from any thread."""

    def admit(self, user: str, password: str) -> Admission:
        """Check a password; a user not known before gets an account with it."""


def good_nick(user: str) -> bool:
    """Whether a name may be used: a letter, then up to 19 letters, digits, ``_ . -``."""
    return _NICK.fullmatch(user) is not None


@attrs.frozen
class _Kept:
    salt: bytes
    digest: bytes = attrs.field(repr=False)


class MemoryAccounts:
    """Accounts for as long as the process lives. Passwords are kept as scrypt digests.

    `cost` is scrypt's N, a power of two; the default takes some 16 MiB and 50 ms a log-in.
    """

    def __init__(self, cost: int = 2**14) -> None:
        self._cost = cost
        self._kept: dict[str, _Kept] = {}
        self._lock = threading.Lock()

    def admit(self, user: str, password: str) -> Admission:
        """Check a password; a user not known before gets an account with it."""
        if len(password) > _PASSWORD_LENGTH:
            return Admission.WRONG
        kept = self._kept.get(user)
        if kept is None:
            salt = secrets.token_bytes(16)
            made = _Kept(salt, self._digest(password, salt))
            with self._lock:
                kept = self._kept.setdefault(user, made)
            if kept is made:
                return Admission.NEW
        same = hmac.compare_digest(self._digest(password, kept.salt), kept.digest)
        return Admission.KNOWN if same else Admission.WRONG

    def _digest(self, password: str, salt: bytes) -> bytes:
        data = password.encode("utf-8", "surrogateescape")
        return hashlib.scrypt(data, salt=salt, n=self._cost, r=8, p=1, maxmem=2**26)

    def __repr__(self) -> str:
        return f"<MemoryAccounts: {len(self._kept)}>"
