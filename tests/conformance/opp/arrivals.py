"""What must hold whatever arrives at an OPP connection: for fuzzers that bring it.

An input is a stream of bytes: its first byte chooses the phase the connection is in and where the
stream is cut in two, the rest is what arrives. The connection gives messages, asks for more or
raises `RemoteProtocolError`; every message encodes, and decodes again to itself; an error stays one.
"""

from __future__ import annotations

from pathlib import Path

from poker_actors.errors import RemoteProtocolError
from poker_actors.opp.protocol import (
    FRAME_LIMIT,
    Connection,
    Message,
    Op,
    Phase,
    Side,
    Signal,
    decode_data,
    encode,
    message,
)

START = encode(message(Op.START_NEW_GAME, 10, 3, 0, 1, 7, (("a", 5, 0), ("b", 5, 0), ("c", 5, 0))))


def one_input(data: bytes) -> None:
    """Run one input; raises when something is not as it must be."""
    if not data:
        return
    choice = data[0]
    if choice & 1:
        connection = Connection(Side.CLIENT)
        connection.phase = Phase.JOINED
        if choice & 2:
            connection.receive_data(START)
            assert isinstance(connection.next_event(), Message)
    else:
        connection = Connection(Side.SERVER)
        connection.phase = Phase.PLAYING if choice & 2 else Phase.OPEN
    cut = 1 + (choice >> 2)
    error = trouble_with(connection, (data[1:cut], data[cut:], b""))
    if error is not None:
        assert 0 <= error.offset <= len(START) + len(data)
        assert trouble_with(connection, ()) is error, "an error did not stay one"


def trouble_with(connection: Connection, pieces: tuple[bytes, ...]) -> RemoteProtocolError | None:
    """Feed pieces and give the error they lead to."""
    try:
        drain(connection)
        for piece in pieces:
            connection.receive_data(piece)
            drain(connection)
    except RemoteProtocolError as error:
        return error
    return None


def drain(connection: Connection) -> None:
    """Take every message there is and see whether it comes back."""
    while isinstance(event := connection.next_event(), Message):
        data = encode(event)
        assert len(data) <= FRAME_LIMIT + 8
        assert decode_data(event.op, data, 8, len(data), 0) == event
    assert isinstance(event, Signal)


def seeds() -> list[bytes]:
    """The conformance vectors as inputs to begin with."""
    found = []
    for path in sorted((Path(__file__).parent / "vectors").glob("*.hex")):
        text = "".join(line.partition("#")[0] for line in path.read_text(encoding="utf-8").splitlines())
        data = bytes.fromhex(text)
        for choice in (0, 1, 3):
            # whole, and without GOODPASS, which a connection in that phase has behind it
            found += [bytes([choice]) + data, bytes([choice]) + data[8:]]
    return found
