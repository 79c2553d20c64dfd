"""HTTP basic authentication: the header read strictly, and passwords checked away from the event loop."""

from __future__ import annotations

import asyncio
import base64
import binascii
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import attrs

from poker_actors.errors import RoomBusy, TableRefusal
from poker_actors.server.users import User, Users

__all__ = ["Credentials", "Door", "read_credentials"]

_AT_ONCE: Final = 2
"""Digests computed at a time: each takes tens of milliseconds and megabytes, by design."""
_WAITING: Final = 64
"""Log-ins that may wait for one; more are turned away, so that a flood of guesses is no queue for others."""
_BEGINNING: Final = "You must provide properly-formatted credentials."


@attrs.frozen
class Credentials:
    """A name and a password, as a client sent them."""

    name: str
    password: str = attrs.field(repr=False)


def read_credentials(header: str | None) -> Credentials:
    """Read an Authorization header; raises `TableRefusal` (`no_credentials`) saying what is wrong with it."""
    scheme, _, encoded = (header or "").strip().partition(" ")
    encoded = encoded.strip()
    if not scheme or not encoded or " " in encoded:
        raise _malformed("An Authorization header has a scheme and a text.")
    if scheme.lower() != "basic":
        raise _malformed("The scheme is Basic.")
    try:
        text = base64.b64decode(encoded, validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        raise _malformed("The text is base64 of UTF-8.") from None
    name, colon, password = text.partition(":")
    if not colon:
        raise _malformed("The text is NAME:PASSWORD.")
    return Credentials(name, password)


def _malformed(what: str) -> TableRefusal:
    return TableRefusal(f"{_BEGINNING} {what}", code="no_credentials")


class Door:
    """Who comes in: credentials against the register. A password proven before costs no digest."""

    def __init__(self, users: Users) -> None:
        self.users: Final = users
        self._executor = ThreadPoolExecutor(_AT_ONCE, "log-in")
        self._waiting = 0

    async def enter(self, header: str | None) -> User:
        """Give who these credentials are of; raises `TableRefusal`: `no_credentials`, `bad_credentials`."""
        given = read_credentials(header)
        user = self.users.recall(given.name, given.password)
        if user is None:
            user = await self._check(given)
        if user is None:
            raise TableRefusal("Invalid credentials.", code="bad_credentials")
        return user

    async def register(self, header: str | None, *, known_welcome: bool) -> User:
        """Register somebody by first credentials; known ones are refused (`name_taken`) unless `known_welcome`."""
        given = read_credentials(header)
        if self.users.has(given.name):
            user = await self._check(given) if known_welcome else None
            if user is not None:
                return user
            raise TableRefusal("Username already exists; choose another username.", code="name_taken")
        async with _Waiting(self):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._executor, self.users.add, given.name, given.password)

    async def _check(self, given: Credentials) -> User | None:
        async with _Waiting(self):
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._executor, self.users.check, given.name, given.password)

    def wait(self) -> None:
        """Count one more who waits for a digest."""
        if self._waiting >= _WAITING:
            raise RoomBusy(f"{_WAITING} log-ins wait already: try again")
        self._waiting += 1

    def done(self) -> None:
        """Count one less."""
        self._waiting -= 1

    def close(self) -> None:
        """Let go of the threads."""
        self._executor.shutdown(wait=True, cancel_futures=True)


class _Waiting:
    """A place in the line for a digest."""

    def __init__(self, door: Door) -> None:
        self._door = door

    async def __aenter__(self) -> None:
        self._door.wait()

    async def __aexit__(self, *_: object) -> None:
        self._door.done()
