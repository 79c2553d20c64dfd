"""Answers and pushed pictures of a server, without a socket."""

from __future__ import annotations

import pytest

from poker_actors.errors import BadSpec
from poker_actors.wire.hspe import Client, ServerRefusal
from poker_actors.wire.hspe.calls import MOST_BYTES, Call, Pushed


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_pictures_are_put_together_from_pieces_and_other_events_passed_over() -> None:
    pushed = Pushed("ann", 60, Clock())
    text = b'event: table\ndata: {"a": 1}\nid: {"c": 3}\n\nevent: ping\ndata: {"b": 2}\n\nevent: table\ndata: x\n\n'
    assert [one for at in range(len(text)) for one in pushed.receive(text[at : at + 1])] == [{"a": 1}, {}]
    with pytest.raises(ConnectionError, match="an event is longer than 1048576 bytes"):
        list(pushed.receive(b"x" * (2**20 + 1)))


def test_a_stream_is_opened_again_until_the_server_has_been_away_too_long() -> None:
    clock = Clock()
    pushed = Pushed("ann", 60, clock)
    assert pushed.lost(ConnectionError("gone")) == 1
    assert pushed.lost(ServerRefusal("restarting", status=503)) == 1
    with pytest.raises(ServerRefusal, match="no such game"):
        pushed.lost(ServerRefusal("no such game", status=404))
    clock.now = 59
    assert list(pushed.receive(b"half of an event")) == []
    assert pushed.lost(ConnectionError("gone")) == 1
    assert len(list(pushed.receive(b"event: table\ndata: {}\n\n"))) == 1, "what was half there is forgotten"
    clock.now = 118
    assert pushed.lost(TimeoutError("silent")) == 1
    clock.now = 119
    with pytest.raises(ConnectionError, match="ann has lost its game: silent"):
        pushed.lost(TimeoutError("silent"))


def test_an_answer_is_refused_by_its_status_its_length_or_its_content() -> None:
    call: Call[list[object]] = Call("GET", "/", list)
    assert call.answered(200, b"[1]") == [1]
    for status, body, said in (
        (404, b"[1]", "404"),
        (200, b" " * (MOST_BYTES + 1), "longer than 16777216 bytes"),
        (200, b"3", "not what was asked for"),
    ):
        with pytest.raises(ServerRefusal, match=said) as caught:
            call.answered(status, body)
        assert caught.value.status == status


@pytest.mark.parametrize(
    ("url", "user"),
    [
        ("ftp://x", "ann"),
        ("http://", "ann"),
        ("http://x:99999", "ann"),
        ("http://x:0", "ann"),
        ("x", "ann"),
        ("http://x", "a:b"),
    ],
)
def test_what_is_no_url_or_no_name_is_refused(url: str, user: str) -> None:
    with pytest.raises(BadSpec):
        Client(url, user, "secret")
