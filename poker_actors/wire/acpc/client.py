"""The client: a seat at another dealer, and the bot that plays there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from fractions import Fraction
from typing import Final

from poker_actors.actors import Room, StepRuntime
from poker_actors.bots import BotSpec, Faults, running
from poker_actors.closing import Closing
from poker_actors.errors import BadInput, RemoteProtocolError
from poker_actors.history.acpc import action_text, put_in_before
from poker_actors.rules import Fold
from poker_actors.wire.acpc.match import GameDefinition
from poker_actors.wire.acpc.protocol import (
    END,
    VERSION,
    Lines,
    MatchState,
    hand_values,
)
from poker_actors.wire.framing import CHUNK, connected, silent
from poker_actors.wire.guest import PlayerGuest


class ClientSession:
    """The client's side of the protocol, without a socket."""

    def __init__(self) -> None:
        self._lines = Lines()
        self.ended: bool = False
        """whether the dealer has closed and all its states were returned"""

    @staticmethod
    def greeting() -> bytes:
        """Return a client's first line."""
        return f"{VERSION}{END}".encode()

    @staticmethod
    def answer(state: MatchState, action: str) -> bytes:
        """Return the bytes that answer `state` with `action`."""
        return f"{state}:{action}{END}".encode()

    def receive_data(self, data: bytes) -> None:
        """Buffer bytes from the dealer; ``b""`` means that it has closed."""
        self._lines.receive_data(data)

    def next_state(self) -> MatchState | None:
        """Return the next match state; None when there is none yet, or no more (`ended`).

        Raises `RemoteProtocolError` for a line that is neither a match state nor a comment.
        """
        while (line := self._lines.next_line()) is not None:
            if not line or line.startswith(("#", ";")):  # a comment
                continue
            try:
                return MatchState.parse(line)
            except BadInput as error:
                raise RemoteProtocolError(str(error), offset=self._lines.began) from None
        self.ended = self._lines.ended
        return None


class AcpcClient(Closing):
    """A seat at a dealer, connected within `timeout` seconds. A context manager; network errors are `OSError`.

    `TimeoutError` is raised when the dealer sends nothing for `silence` seconds. Every action is sent
    to all players, and the competition's dealer allows 600 seconds for one.
    """

    def __init__(self, host: str, port: int, *, timeout: float = 10.0, silence: float = 1_800.0) -> None:
        self._session = ClientSession()
        self._place = host, port
        self._socket = connected(host, port, timeout)
        self._socket.settimeout(silence)
        self._socket.sendall(self._session.greeting())

    def states(self) -> Iterator[MatchState]:
        """Yield every match state until the dealer closes."""
        session = self._session
        while not session.ended:
            state = session.next_state()
            if state is not None:
                yield state
                continue
            try:
                data = self._socket.recv(CHUNK)
            except ConnectionError:
                data = b""  # a broken connection counts as closed: the protocol has no other end
            except TimeoutError:
                raise silent(*self._place) from None
            session.receive_data(data)

    def act(self, state: MatchState, action: str) -> None:
        """Answer `state` with `c`, `f`, `r` or `r` and a total."""
        with suppress(ConnectionError):  # `states` notices the end
            self._socket.sendall(self._session.answer(state, action))

    def play(self, guest: Guest) -> None:
        """Let `guest` play until the dealer closes."""
        with guest.ready():
            for state in self.states():
                action = guest.answer(state)
                if action is not None:
                    self.act(state, action)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()


class Guest(PlayerGuest):
    """Answers for one player of a match of `definition`; all its random choices come from `seed`.

    A bot that fails checks if it can, else folds, as everywhere. A fold with nothing to call
    becomes a check: the protocol does not allow it.
    """

    def __init__(self, bot: str | BotSpec, definition: GameDefinition, seed: int) -> None:
        self.spec: Final = BotSpec.of(bot)
        self.definition: Final = definition
        self.faults: Final = Faults()
        self.value: Fraction = Fraction(0)
        """chips won or lost in the finished hands"""
        self.playing: bool = False
        """whether a hand is in progress"""
        self._bot = self.spec.make()
        super().__init__(Room(StepRuntime(), seed=seed).player("guest", self._bot))
        self.player.counted_in(self.faults)

    def ready(self) -> AbstractContextManager[None]:
        """Run the bot while the block lasts, if it is a program; raises `BadSpec` if it cannot start."""
        return running([self._bot], [self.faults])

    def answer(self, state: MatchState) -> str | None:
        """Return the action in `state` in the protocol's notation; None when it is not this player's turn.

        Raises `BadSpec` for a state that does not fit the game.
        """
        hand = state.hand(self.definition)
        self.playing = not hand.over
        if hand.over:
            self.hands += 1
            self.value += hand_values(hand)[state.position]
        self.begin(self.definition.name, state.number)
        # the protocol has no names: who sits to the left stays there, whether seats move on or not
        names = tuple([str((seat - state.position) % len(hand.holes)) for seat in range(len(hand.holes))])
        seen = hand.public(), state.position, hand.holes[state.position], names
        if hand.over or hand.to_act[0] != state.position:
            self.tell(*seen)
            return None
        action = self.answer_of(*seen)
        assert action is not None, "a player whose bot fails checks or folds"
        if type(action) is Fold and not hand.legal.to_call:
            return "c"
        return action_text(hand, action, put_in_before(hand))
