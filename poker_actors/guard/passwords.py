"""Digest passwords: with argon2id if the extra is installed, else with scrypt of the standard library."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, Final

from poker_actors.errors import BadJournal, MissingExtra

if TYPE_CHECKING:
    from argon2 import PasswordHasher

_SCRYPT: Final = "$scrypt$"
_ARGON2: Final = "$argon2"
_MEMORY_KIB: Final = 19 * 1024
"""OWASP's minimum for argon2id, with two passes and one lane; some 20 ms."""


class Passwords:
    """Make digests, and check passwords against them; a digest names its own algorithm.

    `scrypt_cost` is scrypt's N, a power of two. `argon2` is None to use argon2id if installed, or forces
    the choice; raises `MissingExtra` if it is forced and missing.
    """

    def __init__(self, *, argon2: bool | None = None, scrypt_cost: int = 2**14) -> None:
        self._cost = scrypt_cost
        self._argon2 = _hasher() if argon2 is not False else None
        if argon2 and self._argon2 is None:
            raise MissingExtra("server", "argon2")

    def digest(self, password: str) -> str:
        """Return a freshly salted digest. Slow, by design."""
        if self._argon2 is not None:
            return self._argon2.hash(_bytes(password))
        salt = secrets.token_bytes(16)
        made = _scrypt(password, salt, self._cost)
        return f"{_SCRYPT}{self._cost}${salt.hex()}${made.hex()}"

    def matches(self, digest: str, password: str) -> bool:
        """Return whether `password` has this digest; compare in constant time. As slow as `digest`."""
        if digest.startswith(_SCRYPT):
            cost, salt, made = digest.removeprefix(_SCRYPT).split("$")
            again = _scrypt(password, bytes.fromhex(salt), int(cost))
            return hmac.compare_digest(again, bytes.fromhex(made))
        self.check_readable(digest)
        assert self._argon2 is not None
        from argon2.exceptions import VerifyMismatchError

        try:
            return self._argon2.verify(digest, _bytes(password))
        except VerifyMismatchError:
            return False

    def check_readable(self, digest: str) -> None:
        """Raise `MissingExtra` for an argon2 digest without argon2, `BadJournal` for an unknown kind."""
        if digest.startswith(_ARGON2):
            if self._argon2 is None:
                raise MissingExtra("server", "argon2")
        elif not digest.startswith(_SCRYPT):
            raise BadJournal("a user's record has a digest of an unknown kind")


def _hasher() -> PasswordHasher | None:
    try:
        from argon2 import PasswordHasher
    except ImportError:
        return None
    return PasswordHasher(time_cost=2, memory_cost=_MEMORY_KIB, parallelism=1)


def _scrypt(password: str, salt: bytes, cost: int) -> bytes:
    # N = 2**14 with r = 8 needs 16 MiB; OpenSSL's default limit is 32 MiB, too little for a higher cost.
    return hashlib.scrypt(_bytes(password), salt=salt, n=cost, r=8, p=1, maxmem=2**26)


def _bytes(password: str) -> bytes:
    # A codec that decodes invalid UTF-8 makes surrogates, which a strict encoding would refuse.
    return password.encode("utf-8", "surrogateescape")
