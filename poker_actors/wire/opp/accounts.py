"""Accounts: names and passwords, behind an interface that several servers can share."""

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
"""Up to 20 characters, the name column of the article's status table; ASCII only, for clients of 2003."""
_PASSWORD_LENGTH: Final = 128
"""Longest password that is hashed: a client must not buy server time with a longer one."""


class Admission(enum.Enum):
    """The outcome of a log-in."""

    NEW = "new"
    """an account was created"""
    KNOWN = "known"
    WRONG = "wrong"
    """the password is wrong or too long"""


class Accounts(Protocol):
    """Users and their passwords. Calls may be slow and come from any thread."""

    def admit(self, user: str, password: str) -> Admission:
        """Check a password; an unknown user gets an account with it. May raise `PokerError`: nothing is answered then."""

    def has(self, user: str) -> bool:
        """Whether a user is known; fast, called in the event loop. New ones are limited by the hour."""


def good_nick(user: str) -> bool:
    """Whether a name may be used: a letter, then up to 19 letters, digits, ``_ . -``."""
    return _NICK.fullmatch(user) is not None


@attrs.frozen
class _Kept:
    salt: bytes
    digest: bytes = attrs.field(repr=False)


class MemoryAccounts:
    """Accounts that live as long as the process. Passwords are kept as scrypt digests.

    `cost` is scrypt's N, a power of two; the default takes about 16 MiB and 50 ms per log-in.
    """

    def __init__(self, cost: int = 2**14) -> None:
        self._cost = cost
        self._kept: dict[str, _Kept] = {}
        self._lock = threading.Lock()

    def admit(self, user: str, password: str) -> Admission:
        """Check a password; an unknown user gets an account with it."""
        if len(password) > _PASSWORD_LENGTH:
            return Admission.WRONG
        kept = self._kept.get(user)
        if kept is None:
            salt = secrets.token_bytes(16)
            made = _Kept(salt, self._digest(password, salt))
            # Digests are made outside the lock, so two log-ins of one new user can meet here: the second is checked
            # against the password of the first.
            with self._lock:
                kept = self._kept.setdefault(user, made)
            if kept is made:
                return Admission.NEW
        same = hmac.compare_digest(self._digest(password, kept.salt), kept.digest)
        return Admission.KNOWN if same else Admission.WRONG

    def has(self, user: str) -> bool:
        """Whether a user is known."""
        return user in self._kept

    def _digest(self, password: str, salt: bytes) -> bytes:
        # The codec decodes invalid UTF-8 to surrogates, which a strict encoding would refuse.
        data = password.encode("utf-8", "surrogateescape")
        # N = 2**14 with r = 8 needs 16 MiB; OpenSSL's default limit is 32 MiB, too little for a higher `cost`.
        return hashlib.scrypt(data, salt=salt, n=self._cost, r=8, p=1, maxmem=2**26)

    def __repr__(self) -> str:
        return f"<MemoryAccounts: {len(self._kept)}>"
