"""Coverage of a search: the states seen, and the messages that could come next in them."""

from __future__ import annotations

from poker_actors.debug.session import Playback

__all__ = ["Coverage"]


class Coverage:
    """Counts the states that a search has reached, and which possible next messages were delivered there.

    Two states count as the same when the pending messages (by sender, receiver and type), the hand's
    actions and the stacks are equal.
    """

    def __init__(self) -> None:
        self._ways: dict[int, tuple[int, set[int]]] = {}

    def note(self, playback: Playback) -> None:
        """Count the playback's current state, and the message it is about to deliver."""
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
        """Number of states seen."""
        return len(self._ways)

    @property
    def ways(self) -> int:
        """Number of messages that could have come next in them."""
        # equal states may offer different numbers of choices: never count fewer ways than were taken
        return sum(max(known, len(taken)) for known, taken in self._ways.values())

    @property
    def taken(self) -> int:
        """Number of those that did."""
        return sum(len(taken) for _, taken in self._ways.values())
