"""Tell an absent user, by a POST to the user's own address, that it is their turn at a slow table."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import SplitResult, urlsplit

import attrs

from poker_actors.errors import BadJournal, BadSpec, StorageFailed, TableRefusal
from poker_actors.jsontext import parse_json
from poker_actors.server.contract import tables
from poker_actors.server.hspe import SLOW_SECONDS, Game, Key, Lobby
from poker_actors.server.users import User

_log: Final = logging.getLogger("poker_actors.server")

_ADDRESS: Final = "hook/"
_TOLD: Final = "told/"
_LENGTH: Final = 500
"""The longest address, in characters."""
_SECONDS: Final = 10.0
"""For one try, from looking up the name to the first line of the answer."""
_LINE: Final = 4_096
"""The most bytes read of an answer, whose first line is all that counts."""
_COMING_BACK: Final = 30.0
"""Seconds after a start in which nobody is called: users who were connected come back."""
_AT_ONCE: Final = 8
_QUEUED: Final = 1_000
"""The most turns being told at a time, waits between tries included; the rest are looked at again a minute later."""
_LOOKING_UP: Final = 4
"""Names looked up at a time, in threads of their own: a slow name server must not hold up the log-ins."""
_TAKEN: Final = re.compile(rb"HTTP/1\.[01] 2\d\d[ \r\n]")
_UNICAST: Final = ip_network("2000::/3")
"""The IPv6 addresses assigned to the internet; others may stand for any IPv4 address."""
_TRANSLATED: Final = (ip_network("2002::/16"), ip_network("2001::/32"))
"""Addresses among those that stand for an IPv4 address."""


@attrs.frozen
class HookPlan:
    """Which webhooks a server calls: at public addresses, or `anywhere`, with links that begin with `link`."""

    link: str
    anywhere: bool = False
    seconds: float = SLOW_SECONDS
    """the least time for a turn that makes a table slow"""
    waits: tuple[float, ...] = (0.0, 10.0, 60.0, 600.0, 3600.0)
    """seconds to wait before each try"""


def is_public(address: str) -> bool:
    """Return whether an IP address is on the open internet, not on this machine or its network."""
    one = ip_address(address)
    if isinstance(one, IPv6Address) and (one not in _UNICAST or any(one in net for net in _TRANSLATED)):
        return False
    return one.is_global and not one.is_multicast


def read_address(url: str, *, anywhere: bool) -> SplitResult:
    """Return the parts of a webhook's address; raises `BadSpec` without quoting it, because addresses hold secrets."""
    if not re.fullmatch(r"[!-~]+", url) or len(url) > _LENGTH:
        raise BadSpec(f"webhook must be 1 to {_LENGTH} ASCII characters without blanks")
    wrong = BadSpec(
        "webhook must be an address http://HOST/... or https://HOST/..., without a name and password"
    )
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        raise wrong from None
    if not good or parts.username is not None:  # there is no password without a name, which may be empty
        raise wrong
    public = anywhere
    try:
        public = public or is_public(parts.hostname or "")
    except ValueError:
        public = True  # a name is judged when it is looked up
    if not public:
        raise BadSpec("webhook: only addresses on the open internet are allowed here")
    return parts


async def post(url: str, body: bytes, names: ThreadPoolExecutor, *, anywhere: bool) -> bool:
    """POST a body; return whether it was accepted, with a status of 200 to 299.

    The name is looked up once, and the checked address is the one called. Redirects are not followed.
    """
    parts = read_address(url, anywhere=True)  # what is public is seen below, of an address as of a name
    secure, host = parts.scheme == "https", parts.hostname or ""
    port = parts.port or (443 if secure else 80)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    head = (
        f"POST {path} HTTP/1.1\r\nhost: {parts.netloc}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\nuser-agent: poker-actors\r\nconnection: close\r\n\r\n"
    )
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(_SECONDS):
            found = await loop.run_in_executor(names, _look_up, host, port)
            if not found or not (anywhere or all(map(is_public, found))):
                return False
            # not on the loop: reading the authorities takes tens of milliseconds
            trust = await loop.run_in_executor(names, ssl.create_default_context) if secure else None
            reader, writer = await asyncio.open_connection(
                found[0],
                port,
                limit=_LINE,
                ssl=trust,
                server_hostname=host if secure else None,
            )
            try:
                writer.write(head.encode("ascii") + body)
                return _TAKEN.match(await reader.readline()) is not None
            finally:
                writer.transport.abort()
    except (OSError, TimeoutError, ValueError):  # ValueError: a first line without end
        return False


def _look_up(host: str, port: int) -> list[str]:
    return [str(one[4][0]) for one in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


class Hooks:
    """The users' webhooks. About once a minute it looks for slow tables that wait for a user who is not `connected`.

    A turn counts as told, in the journal, once its message was accepted or all tries have failed: a server that ends
    before that tries again after its next start, so a message may come twice but is not lost.
    """

    def __init__(self, lobby: Lobby, plan: HookPlan | None, connected: Callable[[str], bool]) -> None:
        self._lobby = lobby
        self.plan: Final = plan
        self._connected = connected
        self._began = lobby.now()
        self._urls: dict[str, str] = lobby.notes.under(_ADDRESS)
        self._told: dict[str, Key] = lobby.notes.read(_TOLD, _told_of)
        self._forget_closed()
        self._telling: dict[str, tuple[Game, Key, asyncio.Task[None]]] = {}
        """by user id: a slow receiver holds up nobody but itself"""
        self._at_once = asyncio.Semaphore(_AT_ONCE)
        self._names = ThreadPoolExecutor(_LOOKING_UP, thread_name_prefix="webhook")
        lobby.on_clear_up.extend([self._forget_gone, self.look])
        lobby.on_delete.append(lambda user: self.set(user, None))
        lobby.on_dropped.append(self._forget)

    # -- the users' addresses ------------------------------------------------------------------

    def of(self, user: User) -> tables.Hook:
        """Return a user's webhook."""
        return {"offered": self.plan is not None, "webhook": self._urls.get(user.id)}

    def set(self, user: User, url: str | None) -> None:
        """Keep a user's webhook durably, or remove it for None; raises `BadSpec`, and `TableRefusal` (`no_hooks`)."""
        if url is not None:
            if self.plan is None:
                raise TableRefusal(
                    "this server does not call webhooks: its operator can turn them on", code="no_hooks"
                )
            read_address(url, anywhere=self.plan.anywhere)
        if url != self._urls.get(user.id):
            self._lobby.notes.put(f"{_ADDRESS}{user.id}", url)
        if url is None:
            self._urls.pop(user.id, None)
        else:
            self._urls[user.id] = url

    # -- turns ---------------------------------------------------------------------------------

    def look(self) -> None:
        """Start the calls for turns not yet told."""
        if self.plan is None or self._lobby.now() - self._began < _COMING_BACK:
            return
        for game, key, told in self._telling.values():
            if game.turn is None or game.turn.key != key:
                told.cancel()  # it may be an hour before its next try: the user's next turn need not wait for that
        for game in self._lobby.games.values():
            turn = game.turn
            if turn is None or game.turn_seconds < self.plan.seconds or self._told.get(game.id) == turn.key:
                continue
            url = self._urls.get(turn.user)
            if url is None or turn.user in self._telling or self._connected(turn.user):
                continue
            if len(self._telling) >= _QUEUED:
                _log.warning("%d webhooks are being called: the others wait", _QUEUED)
                return
            told = asyncio.get_running_loop().create_task(self._tell(game, turn.key, turn.user, turn.expiry))
            self._telling[turn.user] = (game, turn.key, told)
            # not at the task's own end: one that is cancelled before its first step has none
            told.add_done_callback(partial(self._over, turn.user))

    async def _tell(self, game: Game, key: Key, user_id: str, expiry: float) -> None:
        plan, body = self.plan, json.dumps(self._call(game, key, expiry)).encode()
        assert plan is not None
        for wait in plan.waits:
            await asyncio.sleep(wait)
            url = self._urls.get(user_id)
            if game.turn is None or game.turn.key != key or url is None:
                return
            async with self._at_once:
                if await post(url, body, self._names, anywhere=plan.anywhere):
                    break
        else:
            _log.warning(
                "the webhook of user %s has not accepted a call in %d tries", user_id, len(plan.waits)
            )
        if game.id in self._lobby.games:  # else nothing would forget it
            self._told[game.id] = key
            with suppress(StorageFailed):  # then it is told again after a restart
                self._lobby.notes.put(f"{_TOLD}{game.id}", json.dumps(key))

    def _call(self, game: Game, key: Key, expiry: float) -> tables.TurnCall:
        """Return what a call says of a turn: only what a spectator of the table knows, and no cards."""
        assert self.plan is not None
        link = f"{self.plan.link.rstrip('/')}/#/table/{game.id}"
        return {
            "game": game.id,
            "name": game.setting.name,
            "link": link,
            "hand_id": key[0],
            "deadline": expiry,
        }

    def _over(self, user_id: str, _: asyncio.Task[None]) -> None:
        del self._telling[user_id]

    async def told(self) -> None:
        """Wait for the calls under way."""
        while self._telling:
            await asyncio.gather(*(told for _, _, told in self._telling.values()), return_exceptions=True)

    def _forget_gone(self) -> None:
        """Forget the addresses of users whom the housekeeping or the operator deleted; raises `StorageFailed`."""
        gone = [one for one in self._urls if self._lobby.users.get(one) is None]
        self._lobby.notes.forget([f"{_ADDRESS}{one}" for one in gone])
        for one in gone:
            del self._urls[one]

    def _forget_closed(self) -> None:
        """Forget notices about tables that a killed process left behind when they closed."""
        closed = self._told.keys() - self._lobby.games.keys()
        with suppress(StorageFailed):  # the next start tries again
            self._lobby.notes.forget([f"{_TOLD}{one}" for one in closed])
        for one in closed:
            del self._told[one]

    def _forget(self, game: Game) -> None:
        self._told.pop(game.id, None)
        self._lobby.notes.forget([f"{_TOLD}{game.id}"])

    def close(self) -> None:
        """End the calls under way; the next start repeats them."""
        for _, _, told in self._telling.values():
            told.cancel()
        self._names.shutdown(wait=False, cancel_futures=True)

    def __repr__(self) -> str:
        return f"<Hooks: {len(self._urls)} addresses, {len(self._telling)} called>"


def _told_of(game_id: str, text: str) -> Key:
    try:
        hand_id, seq = parse_json(text)
        return str(hand_id), int(seq)
    except (ValueError, TypeError):
        raise BadJournal(
            f"the record of the turns announced in game {game_id[:40]!r} cannot be read"
        ) from None
