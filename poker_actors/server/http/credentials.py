"""HTTP basic authentication: parse the header strictly, and check passwords off the event loop."""

from __future__ import annotations

import asyncio
import base64
import binascii
from typing import Final

import attrs

from poker_actors.errors import PokerError, TableRefusal
from poker_actors.guard import Attempt, Guard, address_key
from poker_actors.server.users import User, Users

_BEGINNING: Final = "You must provide properly-formatted credentials."


@attrs.frozen
class Credentials:
    """A name and password as sent by a client."""

    name: str
    password: str = attrs.field(repr=False)


def read_credentials(header: str | None) -> Credentials:
    """Parse an Authorization header; raises `TableRefusal` (`no_credentials`), naming the mistake."""
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
    """Check credentials against the register.

    A password proven before costs no digest. `address` is the sender's. Wrong passwords make the address and
    the name wait (`TooOften`); during the wait no password is checked in any way. From an address where the
    name has proven its password, only wrong passwords sent from there count.
    """

    def __init__(self, users: Users, guard: Guard) -> None:
        self.users: Final = users
        self.guard: Final = guard
        self._checks: dict[tuple[Credentials, str], asyncio.Task[User | None]] = {}
        self._registering: dict[str, asyncio.Future[None]] = {}
        """names whose first digest is being made"""

    def known(self, header: str, address: str = "") -> User | None:
        """Return the user of these credentials if that needs neither a digest nor a wait, else None."""
        try:
            given, place = read_credentials(header), address_key(address)
            self.guard.waits.check(given.name, place)
        except PokerError:
            return None
        user = None if (given, place) in self._checks else self.users.recall(given.name, given.password)
        if user is not None:
            self.guard.waits.proven(given.name, place)
        return user

    async def enter(self, header: str | None, address: str = "") -> User:
        """Return the user of these credentials; raises `TableRefusal`: `no_credentials`, `bad_credentials`."""
        return await self.prove(read_credentials(header), address)

    async def prove(self, given: Credentials, address: str = "") -> User:
        """Return the user of these credentials; raises `TableRefusal`: `bad_credentials`, `too_often`."""
        place = address_key(address)
        user = None
        if (given, place) not in self._checks:  # else this very guess is being checked: join it
            # before `recall`, which would reveal the right password during a wait
            self.guard.waits.check(given.name, place)
            user = self.users.recall(given.name, given.password)
        if user is not None:
            self.guard.waits.proven(given.name, place)
        else:
            user = await self._check(given, place)
            if user is not None and self.users.get(user.id) is not user:
                user = None  # the password was changed meanwhile and its log-ins ended: begin none by the old one
        if user is None:
            raise TableRefusal("Invalid credentials.", code="bad_credentials")
        return user

    def forget(self, name: str) -> None:
        """Forget where a name has proven its password, after the password has changed."""
        self.guard.waits.forget(name)

    async def register(self, header: str | None, address: str = "", *, known_welcome: bool) -> User:
        """Register a user by these credentials; refuse (`name_taken`) known ones unless `known_welcome`."""
        given, place = read_credentials(header), address_key(address)
        while (first := self._registering.get(given.name)) is not None:
            # a client that sends a new name several times at once is answered as if one by one
            await asyncio.shield(first)
        if self.users.has(given.name):
            user = await self._check(given, place) if known_welcome else None
            if user is not None:
                return user
            raise TableRefusal("Username already exists; choose another username.", code="name_taken")
        self.users.check_name(given.name, given.password)
        self.guard.registrations.take(place)
        done = self._registering[given.name] = asyncio.get_running_loop().create_future()
        try:
            return await self._enter_first(given, place)
        finally:
            del self._registering[given.name]
            done.set_result(None)

    async def _enter_first(self, given: Credentials, place: str) -> User:
        digest = await self.guard.digests.submit(self.users.first_digest, given.name, given.password)
        # written in the loop: no other record can come between a command and its answer and fail alone
        user = self.users.enter(given.name, given.password, digest)
        self.guard.waits.proven(given.name, place)
        return user

    async def _check(self, given: Credentials, place: str) -> User | None:
        """Check a password, once for simultaneous requests with the same credentials and address."""
        running = self._checks.get((given, place))
        if running is None:
            attempt = self.guard.waits.attempt(given.name, place)
            running = asyncio.ensure_future(self._judge(attempt, given))
            self._checks[given, place] = running
            running.add_done_callback(lambda _: self._checks.pop((given, place)))
        # shielded: a client could hang up to have its wrong guess not counted
        return await asyncio.shield(running)

    async def _judge(self, attempt: Attempt, given: Credentials) -> User | None:
        right: bool | None = None
        try:
            user = await self.guard.digests.submit(self.users.check, given.name, given.password)
            right = user is not None
            return user
        finally:
            attempt.end(right=right)
