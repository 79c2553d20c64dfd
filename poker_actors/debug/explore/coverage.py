"""How much of what can happen has been seen: states, and the ways on from them."""

from __future__ import annotations

from poker_actors.debug.session import Playback

__all__ = ["Coverage"]


class Coverage:
    """Counts the states that a search has come to, and which messages could have come next there and did.

    Two states are one where the same messages are on their way, the hand has gone the same way, and the
    table has the same stacks.
    """

    def __init__(self) -> None:
        self._ways: dict[int, tuple[int, set[int]]] = {}

    def note(self, playback: Playback) -> None:
        """Note where a playback stands, and what it is about to deliver."""
        ways, hand = playback.on_the_way, playback.last_hand
        if not ways:
            return
        names = [(one.sender, one.receiver, type(one.message).__name__) for one in ways]
        log = () if hand is None else tuple(hand.log)
        key = hash((tuple(sorted(map(str, names))), log, playback.stacks_now))
        choices = playback.runtime.choices
        self._ways.setdefault(key, (len(choices), set()))[1].add(hash(names[playback.runtime.place]))

    @property
    def states(self) -> int:
        """States seen."""
        return len(self._ways)

    @property
    def ways(self) -> int:
        """Ways on from them there are."""
        return sum(max(known, len(taken)) for known, taken in self._ways.values())

    @property
    def taken(self) -> int:
        """Ways that have been taken."""
        return sum(len(taken) for _, taken in self._ways.values())
