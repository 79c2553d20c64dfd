"""The codec for anything that can be said, and for anything that can arrive."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from poker_actors.errors import RemoteProtocolError
from poker_actors.wire.opp import MESSAGES, Connection, Message, Op, Side, Signal, encode, message
from poker_actors.wire.opp.protocol.connection import Phase
from poker_actors.wire.opp.protocol.messages import HEADER, Field, Layout, decode_data

INTS = st.integers(-(2**31), 2**31 - 1)
TEXTS = st.binary(max_size=40).map(lambda data: data.replace(b"\0", b"").decode("utf-8", "surrogateescape"))
FRAMES = st.tuples(st.sampled_from([*map(int, Op), 4, 99, -1]), st.binary(max_size=60)).map(
    lambda frame: HEADER.pack(frame[0], len(frame[1])) + frame[1]
)
NOISE = st.lists(st.one_of(FRAMES, st.binary(max_size=12)), max_size=6).map(b"".join)


def values_of(layout: Layout) -> st.SearchStrategy[tuple[Any, ...]]:
    repeat = layout.repeat
    if repeat is None:
        return st.tuples(*map(value_of, layout.fields))
    rows = st.lists(st.tuples(*map(value_of, repeat.fields)), max_size=10).map(tuple)
    counted = [field.name for field in layout.fields].index(repeat.count)
    head = st.tuples(*map(value_of, layout.fields))
    return st.tuples(head, rows).map(
        lambda both: (*both[0][:counted], len(both[1]), *both[0][counted + 1 :], both[1])
    )


def value_of(field: Field) -> st.SearchStrategy[Any]:
    return INTS if field.kind is int else TEXTS


MESSAGES_MADE = st.sampled_from(list(MESSAGES)).flatmap(
    lambda op: values_of(MESSAGES[op]).map(lambda values: Message(op, values))
)


@given(MESSAGES_MADE)
def test_what_is_encoded_decodes_to_itself(sent: Message) -> None:
    data = encode(sent)
    assert decode_data(sent.op, data, 8, len(data), 0) == sent
    assert HEADER.unpack_from(data) == (sent.op, len(data) - 8)


@given(MESSAGES_MADE, st.data())
def test_a_message_cut_short_or_made_longer_is_refused_or_is_another_one(
    sent: Message, data: st.DataObject
) -> None:
    """Only an optional field may be missing; a byte too many never passes."""
    whole = encode(sent)
    length = data.draw(st.integers(8, len(whole)))
    shorter = decoded_or_not(sent.op, whole[:length])
    if isinstance(shorter, RemoteProtocolError):
        assert 8 <= shorter.offset <= length
    else:
        assert decoded_or_not(sent.op, encode(shorter)) == shorter
        assert shorter == sent or MESSAGES[sent.op].fields[-1].default is not None
    assert isinstance(decoded_or_not(sent.op, whole + b"\1"), RemoteProtocolError)


def decoded_or_not(op: Op, frame: bytes) -> Message | RemoteProtocolError:
    try:
        return decode_data(op, frame, 8, len(frame), 0)
    except RemoteProtocolError as error:
        return error


@given(NOISE, st.sampled_from(Side), st.sampled_from(Phase), st.integers(1, 9))
def test_whatever_arrives_is_messages_a_wait_or_one_error_however_it_is_cut(
    data: bytes, side: Side, phase: Phase, size: int
) -> None:
    role = Side.CLIENT if side is Side.BOTH else side
    pieces = [data[at : at + size] for at in range(0, len(data), size)]
    assert outcome(role, phase, [data] if data else []) == outcome(role, phase, pieces)


def outcome(role: Side, phase: Phase, pieces: list[bytes]) -> tuple[list[Message], str]:
    connection = Connection(role)
    connection.phase = phase
    messages: list[Message] = []
    try:
        for piece in [*pieces, b""]:
            connection.receive_data(piece)
            while isinstance(event := connection.next_event(), Message):
                messages.append(event)
    except RemoteProtocolError as error:
        return messages, str(error)
    return messages, "closed"


@given(st.lists(MESSAGES_MADE, max_size=8), st.randoms(use_true_random=False))
def test_client_and_server_back_to_back_hear_what_the_other_says(sent: list[Message], luck: Any) -> None:
    client, server = Connection(Side.CLIENT), Connection(Side.SERVER)
    pass_over(client.send(Op.JOIN_GAME, "ann", "pw", 1, "x"), server, luck)
    pass_over(server.send(Op.GOODPASS), client, luck)
    for each in sent:
        if each.op in (
            Op.JOIN_GAME,
            Op.GOODPASS,
            Op.BADPASS,
            Op.ILLNICK,
            Op.BADNICK,
            Op.QUIT_GAME,
            Op.GOODBYE,
        ):
            continue
        if each.op is Op.START_NEW_GAME:
            each = message(Op.START_NEW_GAME, 10, 2, 0, 1, 7, (("ann", -5, 0), ("bob", 5, 0)))
        elif client.phase is Phase.PLAYING and MESSAGES[each.op].repeat is None and "who" in each.to_dict():
            continue  # the order of a hand is proved elsewhere
        elif client.phase is Phase.PLAYING and each.op in (Op.NEW_STAGE, Op.WINNERS):
            continue
        speaker, listener = (client, server) if MESSAGES[each.op].side is Side.CLIENT else (server, client)
        heard = pass_over(speaker.send(each.op, *each.values), listener, luck)
        assert heard == [each]
        assert client.phase is server.phase


def pass_over(data: bytes, listener: Connection, luck: Any) -> list[Message]:
    heard = []
    at = 0
    while at < len(data):
        size = luck.randint(1, 20)
        listener.receive_data(data[at : at + size])
        at += size
        while isinstance(event := listener.next_event(), Message):
            heard.append(event)
        assert event is Signal.NEED_DATA
    return heard
