"""The table of messages, the codec's refusals and one side's own mistakes."""

from pathlib import Path

import pytest

from poker_actors.errors import BadSpec, Refused, RemoteProtocolError
from poker_actors.wire.opp import MESSAGES, Connection, Message, Op, Side, Signal, byte_table, encode, message
from poker_actors.wire.opp.protocol.hand import Bookkeeper

IDS = {
    "FOLD": 0, "CALL": 1, "RAISE": 2, "BLIND": 3, "GOODBYE": 11, "JOIN_GAME": 20, "GOODPASS": 21,
    "BADPASS": 22, "ILLNICK": 23, "BADNICK": 24, "ACTION": 30, "CHAT": 32, "QUIT_GAME": 33,
    "GET_GRAPH": 42, "INFORMATION": 43, "SET_FACE": 45, "GET_FACE": 46, "CHANGE_FACE": 47,
    "START_NEW_GAME": 50, "HOLE_CARDS": 51, "NEW_STAGE": 52, "WINNERS": 53, "CHATTER": 54,
    "NEXT_TO_ACT": 57, "PING": 60, "PONG": 61,
}  # fmt: skip


def test_the_ids_are_those_of_the_document_and_the_clients() -> None:
    assert {op.name: int(op) for op in Op} == IDS
    assert set(MESSAGES) == set(Op)


def test_the_byte_table_of_the_docs_is_the_one_of_the_code() -> None:
    page = (Path(__file__).parents[4] / "docs" / "protocols.md").read_text(encoding="utf-8")
    assert byte_table() in page, "put the output of poker_actors.wire.opp.byte_table() into docs/protocols.md"


@pytest.mark.parametrize(
    ("op", "values"),
    [
        (Op.CALL, (2**31, 0)),
        (Op.CALL, (1.5, 0)),
        (Op.CALL, ("ann", 0)),
        (Op.CHAT, ("a\0b",)),
        (Op.CHAT, (5,)),
        (Op.CHAT, ()),
        (Op.CHAT, ("a", "b")),
        (Op.CHAT, ("x" * 65536,)),
        (Op.WINNERS, (2, ((0, 5),))),
        (Op.WINNERS, (1, ((0, 5, 6),))),
        (Op.START_NEW_GAME, (10, 1, 0, 0, 1, ())),
    ],
)
def test_what_a_message_cannot_say_is_refused(op: Op, values: tuple[object, ...]) -> None:
    with pytest.raises(BadSpec):
        message(op, *values)


def test_optional_fields_are_filled_in() -> None:
    assert message(Op.FOLD, 3) == Message(Op.FOLD, (3, 0))
    assert message(Op.JOIN_GAME, "ann", "pw", 1) == Message(Op.JOIN_GAME, ("ann", "pw", 1, ""))


def test_fields_are_read_by_name_and_shown() -> None:
    start = message(Op.START_NEW_GAME, 10, 2, 0, -1, 7, (("ann", -5, 0), ("bob", 5, 0)))
    assert start["position"] == -1
    assert start["players"][0] == ("ann", -5, 0)
    with pytest.raises(KeyError, match="START_NEW_GAME has no field who"):
        start["who"]
    assert str(message(Op.HOLE_CARDS, 1, "Ah 5c")) == "HOLE_CARDS 1 'Ah 5c'"


def test_minus_one_is_four_bytes_of_ones_both_ways() -> None:
    data = encode(message(Op.NEXT_TO_ACT, 0, 5, -1, -1))
    assert data[-8:] == b"\xff" * 8


@pytest.mark.parametrize(
    ("role", "op", "values"),
    [
        (Side.CLIENT, Op.ACTION, (1,)),
        (Side.CLIENT, Op.GOODPASS, ()),
        (Side.SERVER, Op.GOODPASS, ()),
        (Side.SERVER, Op.JOIN_GAME, ("a", "b", 1, "")),
    ],
)
def test_saying_something_out_of_order_is_refused_and_changes_nothing(
    role: Side, op: Op, values: tuple[object, ...]
) -> None:
    connection = Connection(role)
    phase = connection.phase
    with pytest.raises(Refused, match="cannot send") as caught:
        connection.send(op, *values)
    assert caught.value.code == "out_of_order"
    assert connection.phase is phase


def test_many_messages_passed_on_are_allowed_all_or_none() -> None:
    server = Connection(Side.SERVER)
    server.receive_data(encode(message(Op.JOIN_GAME, "ann", "pw", 1)))
    server.next_event()
    with pytest.raises(Refused):
        server.pass_on((Op.GOODPASS, Op.GOODPASS), b"..")
    assert server.pass_on((Op.GOODPASS, Op.START_NEW_GAME), b"..") == b".."


def test_who_has_quit_still_hears_what_was_under_way() -> None:
    client = Connection(Side.CLIENT)
    client.send(Op.JOIN_GAME, "ann", "pw", 1)
    client.receive_data(encode(message(Op.GOODPASS)))
    client.next_event()
    client.send(Op.QUIT_GAME)
    client.receive_data(encode(message(Op.CHATTER, "bye")))
    assert client.next_event() == Message(Op.CHATTER, ("bye",))
    with pytest.raises(Refused):
        client.send(Op.CHAT, "one more thing")
    client.receive_data(b"")
    assert client.next_event() is Signal.CLOSED


def test_the_buffer_does_not_grow_with_what_has_been_read() -> None:
    server = Connection(Side.SERVER)
    server.receive_data(encode(message(Op.JOIN_GAME, "ann", "pw", 1)))
    server.next_event()
    server.send(Op.GOODPASS)
    frames = encode(message(Op.CHAT, "x" * 1000)) * 100
    for _ in range(50):
        server.receive_data(frames)
        while isinstance(server.next_event(), Message):
            pass
        assert len(server._buffer) <= 2 * len(frames) + 65536


# -- the bookkeeper of heard hands ------------------------------------------------------------------


def test_a_hand_announced_again_before_its_end_counts_once() -> None:
    books = Bookkeeper()
    rows = (("ann", 500, 0), ("bob", 500, 0))
    start = message(Op.START_NEW_GAME, 10, 2, 0, 1, 7, rows)
    assert books.hear(start) is None
    assert books.hear(start) is None, "a server announces the hand again to who comes back"
    assert books.hands == 1
    assert books.hear(message(Op.WINNERS, 1, ((0, 0),))) is None
    assert books.hear(start) is None, "another hand, though the server gives all the same number"
    assert books.hands == 2


def test_nothing_of_a_refused_message_is_booked() -> None:
    books = Bookkeeper()
    books.hear(message(Op.START_NEW_GAME, 10, 2, 0, 1, 7, (("ann", 500, 0), ("bob", 500, 0))))
    assert books.hand is not None
    for refused in (
        message(Op.CALL, 99, 10),
        message(Op.FOLD, -1, 0),
        message(Op.RAISE, 1, -5),
        message(Op.HOLE_CARDS, 0, "Xx 9?"),
        message(Op.HOLE_CARDS, 0, "Ah 5c" + " " * 15 + "zz"),
        message(Op.NEW_STAGE, 1, "Ah 5c 6c" + " " * 12 + "7"),
        message(Op.NEW_STAGE, 1, "Ah"),
        message(Op.NEW_STAGE, 9, ""),
        message(Op.WINNERS, 2, ((0, 10), (2, 10))),
        message(Op.WINNERS, 1, ((0, -10),)),
        message(Op.START_NEW_GAME, 0, 2, 0, 1, 8, (("ann", 500, 0), ("bob", 500, 0))),
    ):
        assert books.hear(refused) is not None
    hand = books.hand
    assert (hand.game_id, hand.paid, hand.won, hand.gone, hand.steps) == (
        7,
        [0, 0],
        [0, 0],
        [False, False],
        [],
    )
    assert (hand.street, hand.board, hand.shown) == (0, (), {})


def test_after_an_error_every_call_raises_it_again_whatever_follows() -> None:
    client = Connection(Side.CLIENT)
    client.send(Op.JOIN_GAME, "ann", "pw", 1)
    client.receive_data(b"\0\0\0\x63\0\0\0\0" + encode(message(Op.GOODPASS)))
    with pytest.raises(RemoteProtocolError) as first:
        client.next_event()
    with pytest.raises(RemoteProtocolError) as again:
        client.next_event()
    assert again.value is first.value


def test_once_joined_the_words_of_the_log_in_are_out_of_order() -> None:
    client = Connection(Side.CLIENT)
    client.send(Op.JOIN_GAME, "ann", "pw", 1)
    client.receive_data(encode(message(Op.GOODPASS)))
    client.next_event()
    client.receive_data(encode(message(Op.BADPASS)))
    with pytest.raises(RemoteProtocolError, match="BADPASS is out of order: the session is joined"):
        client.next_event()


def test_cards_told_before_the_first_step_are_dealt_if_they_are_ones_own_and_shown_else() -> None:
    rows = (("ann", 500, 0), ("bob", 500, 0))
    books = Bookkeeper()
    for said in (
        (Op.START_NEW_GAME, 10, 2, 0, 0, 7, rows), (Op.HOLE_CARDS, 1, "2c 2d"), (Op.HOLE_CARDS, 0, "Ah Ad"),
        (Op.CALL, 0, 5), (Op.HOLE_CARDS, 0, "Ah Ad"),
    ):  # fmt: skip
        assert books.hear(message(*said)) is None
    hand = books.hand
    assert hand is not None
    assert {seat: len(cards) for seat, cards in hand.dealt.items()} == {0: 2}
    assert list(hand.shown) == [1, 0]
    assert [len(hand.hole(seat)) for seat in (0, 1)] == [2, 2]


def test_another_hand_counts_though_the_last_one_has_no_end() -> None:
    rows = (("ann", 500, 0), ("bob", 500, 0))
    books = Bookkeeper()
    for number in (7, 7, 8):
        assert books.hear(message(Op.START_NEW_GAME, 10, 2, 0, 0, number, rows)) is None
    assert books.hands == 2


@pytest.mark.parametrize("password", ["sec\0ret", "sec\udcffr\ud800et"])
def test_a_password_that_cannot_be_sent_is_in_no_message(password: str) -> None:
    with pytest.raises(BadSpec, match="JOIN_GAME") as caught:
        message(Op.JOIN_GAME, "ann", password, 1, "x")
    assert "sec" not in str(caught.value)
