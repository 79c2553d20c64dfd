"""What a player remembers across crashes of its actor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs

from poker_actors.actors.player.hand_states import Reader
from poker_actors.actors.player.messages import DeckOpened, HandState, Refusal, TableNews, Turn
from poker_actors.bots import Bot, Ear, Faults, HandStream
from poker_actors.store.fairness import FairnessRecord

__all__ = ["News", "PlayerMemory"]

News = HandState | Refusal | TableNews | DeckOpened
"""What a player hears."""


@attrs.define
class PlayerMemory:
    """What a player remembers across crashes of its actor."""

    name: str
    bot: Bot | None = None
    stream: HandStream | None = None
    faults: Faults = attrs.field(factory=Faults)
    heard: dict[str, HandState] = attrs.field(factory=dict)
    """table -> the last state it was called with there; see `latest`"""
    reading: Reader | None = None
    """its place in the audience of its only table; None while it is called at every change"""
    ear: Ear = attrs.field(factory=Ear)
    """which hands its bot, if it hears, was told the start of"""
    records: dict[str, FairnessRecord] = attrs.field(factory=dict)
    """table -> the fairness record of the last hand there"""
    listeners: tuple[Callable[..., object], ...] = ()
    lent: bool = False
    """its bot and faults belong to a match, which keeps it seated and stops the bot itself"""
    acted: Turn | None = None
    """the last turn for which an action was sent"""
    late_at: tuple[str, int] | None = None
    """hand and seq of the last turn counted as missed"""
    out_of: str = ""
    """the hand in which it was last sat out as ejected"""
    own: dict[str, Any] = attrs.field(factory=dict)
    """what a player actor of one's own keeps across crashes; it is not in the journal"""
    on_fault: Callable[..., None] | None = None
    """called at each fault of its bot, with the table, the player's name and the arguments of `Faults.told`"""

    @property
    def latest(self) -> dict[str, HandState]:
        """Table -> the latest state heard there."""
        if self.reading is not None:
            newest = self.reading.audience.newest
            if newest is not None:
                self.heard[newest.header.table] = newest[self.reading.place]
        return self.heard

    def read(self, reader: Reader) -> None:
        """Stop being called at every change: from now on only to act, reading the newest state when needed."""
        self.reading = reader
        reader.audience.called.remove(reader.place)

    def stop_reading(self) -> dict[str, HandState]:
        """Be called at every change again; return `latest`, which may then be changed."""
        latest = self.latest
        if self.reading is not None:
            audience = self.reading.audience
            audience.called = sorted([*audience.called, self.reading.place])
            self.reading = None
        return latest
