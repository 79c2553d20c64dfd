"""The base of the awaitable faces, and a hand being played, to await."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any, Final, TypeVar

from poker_actors.actors.aio.bridge import Bridge
from poker_actors.actors.command import Command, GetState
from poker_actors.actors.hand.face import LiveHand
from poker_actors.actors.hand.messages import HandResult
from poker_actors.actors.runtime import Address, Word
from poker_actors.rules import PublicState

__all__ = ["AsyncFace", "AsyncHand"]

R = TypeVar("R")


class AsyncFace:
    """The base of the awaitable faces; see `Face`."""

    def __init__(self, address: Address, bridge: Bridge) -> None:
        self.address = address
        self._bridge = bridge

    async def ask(self, command: Command[R]) -> R:
        """Send a command and await its answer; see `Address.ask` for what it raises."""
        answer: R = await self._bridge.ask(self.address, command)
        return answer

    async def kept(self, promise: Word) -> Any:
        """Await a promise, then return or raise what it is kept with."""
        kept = asyncio.Event()
        promise.when_done(partial(self._bridge.post, kept.set))
        await kept.wait()
        return promise.get(0, self.address.name)


class AsyncHand(AsyncFace):
    """A hand being played; see `LiveHand`."""

    def __init__(self, live: LiveHand, bridge: Bridge) -> None:
        super().__init__(live.address, bridge)
        self.live: Final = live
        self._result: asyncio.Future[HandResult] = bridge.loop.create_future()
        live.promise.when_done(partial(bridge.post, self._settle))

    @property
    def hand_id(self) -> str:
        """The hand, unique in the room."""
        return self.live.hand_id

    @property
    def commitment(self) -> str:
        """The commitment to its deck, published before the deal, in hexadecimal; empty when the deck was given."""
        return self.live.commitment

    def _settle(self) -> None:
        if self._result.done():
            return
        try:
            self._result.set_result(self.live.result(timeout=0))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised to those who await the result
            self._result.set_exception(error)
            self._result.exception()  # marks it as seen: asyncio warns of an error that nobody awaits

    async def result(self) -> HandResult:
        """Await the end of the hand; any number of tasks may, and cancelling one does not affect the others."""
        return await asyncio.shield(self._result)

    async def state(self) -> PublicState:
        """Return what everybody can see; raises `RoomClosed` once the hand is over."""
        state = await self.ask(GetState())
        assert isinstance(state, PublicState)
        return state
