"""Invariants of an OPP connection for arbitrary input, for fuzzers.

The first byte of an input chooses the phase of the connection and where the stream is cut in two; the
rest is the stream. The connection must return messages, ask for more or raise `RemoteProtocolError`;
every message must encode and decode again to itself; after an error the same error must be raised.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from poker_actors.errors import RemoteProtocolError
from poker_actors.wire.opp.protocol.connection import Connection, Phase, Signal
from poker_actors.wire.opp.protocol.messages import (
    FRAME_LIMIT,
    Message,
    Op,
    Side,
    decode_data,
    encode,
    message,
)

GOODPASS = encode(message(Op.GOODPASS))
CLIENT_WORDS: list[tuple[Op, tuple[object, ...]]] = [
    (Op.ACTION, (1,)),
    (Op.CHAT, ("hello",)),
    (Op.GET_FACE, ("ann",)),
    (Op.CHANGE_FACE, (-1,)),
    (Op.GET_GRAPH, ("ann", "")),
    (Op.PONG, ()),
]
START = encode(message(Op.START_NEW_GAME, 10, 3, 0, 1, 7, (("a", 5, 0), ("b", 5, 0), ("c", 5, 0))))

_OPS = list(Op)
_HEADER = bytes(8)
"""In place of the header before a message's fields, which the decoder does not read."""


def one_input(data: bytes) -> None:
    """Run one input; raise `AssertionError` if an invariant fails."""
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
    # empty data means that the other side has closed: only as the last piece
    error = trouble_with(connection, [piece for piece in (data[1:cut], data[cut:]) if piece] + [b""])
    if error is not None:
        assert 0 <= error.offset <= len(START) + len(data)
        assert trouble_with(connection, ()) is error, "an error did not stay one"


def one_message(data: bytes) -> None:
    """Decode one message alone: the first byte chooses its kind, the rest are its fields."""
    if not data:
        return
    op = _OPS[data[0] % len(_OPS)]
    frame = _HEADER + data[1:]
    try:
        found = decode_data(op, frame, 8, len(frame), 0)
    except RemoteProtocolError as error:
        if not 8 <= error.offset <= len(frame):
            raise AssertionError(f"offset {error.offset} of {len(frame)} bytes") from error
    else:
        again = encode(found)
        assert again[8:] == data[1:] or decode_data(op, again, 8, len(again), 0) == found


def message_seeds() -> list[bytes]:
    """Return the messages of the conformance vectors as inputs for `one_message`."""
    places = {op.value: place for place, op in enumerate(_OPS)}
    frames = [frame for data in seeds() for frame in frames_of(data[1:])]
    heads = [(int.from_bytes(frame[:4], "big"), frame[8:]) for frame in frames]
    return [bytes([places[number]]) + fields for number, fields in heads if number in places]


def trouble_with(connection: Connection, pieces: Sequence[bytes]) -> RemoteProtocolError | None:
    """Feed pieces and return the error they cause, or None."""
    try:
        drain(connection)
        for piece in pieces:
            connection.receive_data(piece)
            drain(connection)
    except RemoteProtocolError as error:
        return error
    return None


def drain(connection: Connection) -> None:
    """Take every message and check that it survives encoding and decoding."""
    while isinstance(event := connection.next_event(), Message):
        data = encode(event)
        assert len(data) <= FRAME_LIMIT + 8
        assert decode_data(event.op, data, 8, len(data), 0) == event
    assert isinstance(event, Signal)


def seeds() -> list[bytes]:
    """Return the conformance vectors as seed inputs, each for the phases in which it can arrive."""
    found = []
    for path in sorted((Path(__file__).parent / "vectors").glob("*.hex")):
        text = "".join(line.partition("#")[0] for line in path.read_text(encoding="utf-8").splitlines())
        data = bytes.fromhex(text)
        if data.startswith(GOODPASS):  # a fuzzed client connection is past its log-in
            found += [bytes([choice]) + data[len(GOODPASS) :] for choice in (1, 3)]
        else:
            found += [bytes([choice]) + data for choice in (0, 2)]
    frames = [encode(message(op, *values)) for op, values in CLIENT_WORDS]
    return [*found, b"\2" + b"".join(frames)]


def mutations(inputs: int, seed: int) -> Iterator[bytes]:
    """Yield so many inputs: one to four frames of the vectors, with bytes changed, dropped or inserted."""
    luck = random.Random(seed)
    heard: dict[int, list[bytes]] = {0: [], 1: []}
    for seed_input in seeds():
        heard[seed_input[0] & 1] += frames_of(seed_input[1:])
    pieces = [bytes([each]) for each in (0, 1, 2, 3, 50, 51, 52, 53, 57, 127, 128, 255)]
    below, pick = luck.randrange, luck.choice
    for _ in range(inputs):
        choice = below(256)
        data = bytearray(b"".join(luck.choices(heard[choice & 1], k=1 + below(4))))
        for _ in range(below(4)):
            at = below(len(data))
            data[at : at + below(3)] = pick(pieces)
        yield bytes([choice]) + data


def frames_of(data: bytes) -> list[bytes]:
    """Cut a stream into frames; an incomplete one at the end counts, too."""
    frames = []
    while data:
        length = int.from_bytes(data[4:8], "big") if len(data) >= 8 else 0
        end = min(len(data), 8 + min(length, FRAME_LIMIT))
        frames.append(data[:end])
        data = data[end:]
    return frames
