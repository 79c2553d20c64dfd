"""Bytes and what they mean, read whole, byte by byte and with something behind them."""

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from poker_actors.errors import RemoteProtocolError
from poker_actors.wire.opp import Connection, Message, Op, Side, Signal, encode, message

VECTORS = sorted((Path(__file__).parent / "vectors").glob("*.json"))
GOOD = [path for path in VECTORS if not path.stem.startswith("bad_")]
BAD = [path for path in VECTORS if path not in GOOD]
LAST = ("BADPASS", "BADNICK", "GOODBYE", "JOIN_GAME")
"""Nothing may follow these."""
Cut = Callable[[bytes], Iterable[bytes]]
CUTS: dict[str, Cut] = {
    "whole": lambda data: [data],
    "byte by byte": lambda data: [data[at : at + 1] for at in range(len(data))],
    "in sevens": lambda data: [data[at : at + 7] for at in range(0, len(data), 7)],
}
TAIL = bytes.fromhex("0000003c 00")
"""The beginning of a PING."""


def name_of(path: Path) -> str:
    return path.stem


def vector_of(path: Path) -> dict[str, Any]:
    vector: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return vector


OPEN = [path for path in GOOD if vector_of(path)["events"][-1]["op"] not in LAST]
CANONICAL = [path for path in GOOD if vector_of(path)["canonical"]]
"""Those where no optional field is left out, which we always write."""


def bytes_of(path: Path) -> bytes:
    lines = path.with_suffix(".hex").read_text(encoding="utf-8").splitlines()
    return bytes.fromhex("".join(line.partition("#")[0] for line in lines))


def connection_for(vector: dict[str, Any]) -> Connection:
    connection = Connection(Side(vector["role"]))
    for name, *values in vector["before"]:
        connection.send(Op[name], *values)
    return connection


def read(
    connection: Connection, pieces: Iterable[bytes], messages: list[Message] | None = None
) -> list[Message]:
    messages = [] if messages is None else messages
    for piece in pieces:
        connection.receive_data(piece)
        while isinstance(event := connection.next_event(), Message):
            messages.append(event)
        assert event is Signal.NEED_DATA
    return messages


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("path", GOOD, ids=name_of)
def test_bytes_mean_what_the_vector_says(path: Path, cut: Cut) -> None:
    vector = vector_of(path)
    messages = read(connection_for(vector), cut(bytes_of(path)))
    assert [each.to_dict() for each in messages] == vector["events"]


@pytest.mark.parametrize("path", OPEN, ids=name_of)
def test_a_tail_changes_nothing_before_it(path: Path) -> None:
    vector = vector_of(path)
    connection = connection_for(vector)
    messages = read(connection, [bytes_of(path) + TAIL])
    assert [each.to_dict() for each in messages] == vector["events"]
    assert read(connection, [encode(message(Op.PING))[len(TAIL) :]]) == [Message(Op.PING)]


@pytest.mark.parametrize("path", CANONICAL, ids=name_of)
def test_messages_encode_back_to_their_bytes(path: Path) -> None:
    data = bytes_of(path)
    messages = read(connection_for(vector_of(path)), [data])
    assert b"".join(map(encode, messages)) == data


@pytest.mark.parametrize("cut", CUTS.values(), ids=CUTS)
@pytest.mark.parametrize("path", BAD, ids=name_of)
def test_wrong_bytes_are_named_by_their_place(path: Path, cut: Cut) -> None:
    vector = vector_of(path)
    connection = connection_for(vector)
    messages: list[Message] = []
    with pytest.raises(RemoteProtocolError) as caught:
        read(connection, cut(bytes_of(path)), messages)
    assert [each.to_dict() for each in messages] == vector["events"]
    assert caught.value.offset == vector["error"]["offset"]
    assert vector["error"]["contains"] in str(caught.value)
    assert str(caught.value).startswith(f"byte {caught.value.offset}: ")


@pytest.mark.parametrize("path", GOOD, ids=name_of)
def test_a_session_cut_off_inside_a_message_is_an_error_and_between_two_is_none(path: Path) -> None:
    vector = vector_of(path)
    data = bytes_of(path)
    ends = ends_of(data)
    for length in range(len(data) + 1):
        connection = connection_for(vector)
        if length:
            read(connection, [data[:length]])
        connection.receive_data(b"")
        if length in ends:
            assert connection.next_event() is Signal.CLOSED
        else:
            with pytest.raises(RemoteProtocolError, match=f"byte {length}: "):
                connection.next_event()


def ends_of(data: bytes) -> set[int]:
    ends, at = {0}, 0
    while at < len(data):
        at += 8 + int.from_bytes(data[at + 4 : at + 8], "big")
        ends.add(at)
    return ends
