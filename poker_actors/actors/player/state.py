"""What a player knows, and must not forget when its actor crashes."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from poker_actors.actors.player.hand_states import Reader
from poker_actors.actors.player.messages import DeckOpened, HandState, Refusal, TableNews, Turn
from poker_actors.bots import Bot, Faults, HandStream
from poker_actors.store.fairness import FairnessRecord

__all__ = ["News", "PlayerMemory"]

News = HandState | Refusal | TableNews | DeckOpened
"""What a player hears."""


@attrs.define
class PlayerMemory:
    """What a player must not forget when its actor crashes."""

    name: str
    bot: Bot | None = None
    stream: HandStream | None = None
    faults: Faults = attrs.field(factory=Faults)
    heard: dict[str, HandState] = attrs.field(factory=dict)
    """table -> the last state it was called for there; see `latest`"""
    reading: Reader | None = None
    """its place in the audience at its one table"""
    records: dict[str, FairnessRecord] = attrs.field(factory=dict)
    """table -> how to check the cards seen in the last hand there"""
    listeners: tuple[Callable[[News], None], ...] = ()
    lent: bool = False
    """its bot and its faults are those of a match, which keeps it seated and stops it"""
    acted: Turn | None = None
    """the last turn for which an action is on its way"""
    late_at: tuple[str, int] | None = None
    """hand and turn at which its bot said itself that it was late"""
    out_of: str = ""
    """the hand in which it was last sat out for its faults"""
    on_fault: Callable[..., None] | None = None
    """called at each fault of its bot, with the table, the name and what `Faults.told` is given"""

    @property
    def latest(self) -> dict[str, HandState]:
        """Table -> the last state heard there."""
        if self.reading is not None:
            newest = self.reading.audience.newest
            if newest is not None:
                self.heard[newest.header.table] = newest[self.reading.place]
        return self.heard

    def read(self, reader: Reader) -> None:
        """Be called from now on in this hand when it is to act, and look when it needs to."""
        self.reading = reader
        reader.audience.called.remove(reader.place)

    def stop_reading(self) -> dict[str, HandState]:
        """Be called again at every change; returns `latest`, which may be changed now."""
        latest = self.latest
        if self.reading is not None:
            audience = self.reading.audience
            audience.called = sorted([*audience.called, self.reading.place])
            self.reading = None
        return latest
