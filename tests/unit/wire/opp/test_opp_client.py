"""The article's client against a server made by hand, byte for byte."""

import asyncio
import gc
import re
import socket
import struct
import threading
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import pytest

from poker_actors.actors import Room, StepRuntime, ThreadRuntime
from poker_actors.bots import HandEnd, HandStart
from poker_actors.cards import parse_cards
from poker_actors.errors import BadSpec, Refused, RemoteProtocolError, RoomClosed
from poker_actors.rules import Action, Call, Check, View
from poker_actors.wire.framing import at_once
from poker_actors.wire.opp import (
    ActionCode,
    Connection,
    Guest,
    Message,
    Op,
    OppClient,
    Side,
    TerminalSeat,
    encode,
    message,
)
from poker_actors.wire.opp.aio import OppClient as AsyncOppClient
from poker_actors.wire.opp.client import ClientSeat

T = TypeVar("T")
ROWS = (("ann", 500, 0), ("bob", 500, 0), ("cy", 500, 0))
START = (Op.START_NEW_GAME, 10, 3, 0, 0, 7, ROWS)
BLINDS = [(Op.BLIND, 1, 5), (Op.BLIND, 2, 10), (Op.HOLE_CARDS, 0, "Ah Ad")]
Said = tuple[Any, ...]


class Script:
    """A server for one client: says what it is told to and keeps what it hears."""

    def __init__(self, talk: Callable[["Script"], None]) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self._talk = talk
        self.connection = Connection(Side.SERVER)
        self.heard: list[Message] = []
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        with self._listener:
            self.socket, _ = self._listener.accept()
        with self.socket:
            self._talk(self)

    def say(self, *messages: Said) -> None:
        self.socket.sendall(b"".join(encode(message(*each)) for each in messages))
        for each in messages:
            self.connection.pass_on((each[0],), b"")

    def hear(self) -> Message | None:
        while True:
            event = self.connection.next_event()
            if isinstance(event, Message):
                self.heard.append(event)
                return event
            data = self.socket.recv(4096)
            if not data:
                return None
            self.connection.receive_data(data)

    def join(self) -> None:
        """A thread's end."""
        self._thread.join(30)


@contextmanager
def server(talk: Callable[[Script], None], **options: Any) -> Iterator[tuple[Script, OppClient]]:
    script = Script(talk)
    try:
        with OppClient("127.0.0.1", script.port, "ann", "pw", **options) as client:
            yield script, client
            client.close()
    finally:
        script.join()


def in_and(*said: Said, then: Callable[[Script], None] | None = None) -> Callable[[Script], None]:
    def talk(script: Script) -> None:
        script.hear()
        script.say((Op.GOODPASS,), *said)
        if then is not None:
            then(script)
        script.socket.shutdown(socket.SHUT_WR)
        while script.hear() is not None:
            pass

    return talk


def test_joining_says_who_one_is_and_tells_a_good_password_from_a_bad_one() -> None:
    with server(in_and()) as (script, client):
        assert client.joingame() is True
    assert script.heard == [Message(Op.JOIN_GAME, ("ann", "pw", 1, "poker_actors"))]

    def wrong(script: Script) -> None:
        script.hear()
        script.say((Op.BADPASS,))

    with server(wrong) as (_, client):
        assert client.joingame() is False


@pytest.mark.parametrize("verdict", [Op.BADNICK, Op.ILLNICK])
def test_a_name_the_server_does_not_like_is_refused(verdict: Op) -> None:
    def talk(script: Script) -> None:
        script.hear()
        script.say((verdict,))

    with server(talk) as (_, client), pytest.raises(Refused, match="does not accept the name") as caught:
        client.joingame()
    assert caught.value.code == "bad_nick"


def test_a_server_that_hangs_up_is_closed() -> None:
    with server(lambda script: None) as (_, client), pytest.raises((RoomClosed, ConnectionError)):
        client.joingame()


def test_pings_are_answered_unasked_and_not_shown() -> None:
    with server(in_and((Op.PING,), (Op.PING,))) as (script, client):
        client.joingame()
        shown: list[Op] = []
        client.playgame(lambda *_: None, lambda _, told: shown.append(told.op))
    assert [each.op for each in script.heard[1:]] == [Op.PONG, Op.PONG]
    assert shown == []


def test_before_the_first_game_talk_is_delivered_and_the_rest_ignored() -> None:
    said = [(Op.CALL, 4, 10), (Op.CHATTER, "hi"), (Op.NEXT_TO_ACT, 0, 5, 10, 10), (Op.INFORMATION, "x")]
    with server(in_and(*said)) as (_, client):
        client.joingame()
        shown: list[Message] = []
        client.playgame(lambda *_: pytest.fail("asked"), lambda _, told: shown.append(told))
        assert client.state is None
    assert [each.op for each in shown] == [Op.CHATTER, Op.INFORMATION]


def test_the_callback_is_asked_on_the_own_turn_only_and_its_move_is_sent() -> None:
    said = [
        START,
        *BLINDS,
        (Op.NEXT_TO_ACT, 0, 10, 10, 10),
        (Op.RAISE, 0, 20),
        (Op.NEXT_TO_ACT, 1, 15, 10, 10),
    ]
    questions = []

    def callback(client: OppClient, *question: int) -> ActionCode:
        questions.append(question)
        return ActionCode.RAISE

    with server(in_and(*said)) as (script, client):
        client.joingame()
        client.playgame(callback)
    assert questions == [(10, 10, 10)]
    assert script.heard[1:] == [Message(Op.ACTION, (2,))]


def test_amounts_are_booked_as_the_server_says_them() -> None:
    """The Perl client books each raise as one small bet and both blinds at the first."""
    said = [
        START, *BLINDS, (Op.RAISE, 0, 20), (Op.RAISE, 1, 25), (Op.FOLD, 2), (Op.CALL, 0, 10),
        (Op.NEW_STAGE, 1, "2c 3c 4c"), (Op.RAISE, 1, 10), (Op.FOLD, 0), (Op.WINNERS, 1, ((1, 80),)),
    ]  # fmt: skip
    with server(in_and(*said)) as (_, client):
        client.joingame()
        client.playgame(lambda *_: None)
        state = client.state
        assert state is not None
        assert state.pot == 80
        assert [state.bankroll(name) for name in ("ann", "bob", "cy")] == [470, 540, 490]
        assert state.stage == "showdown"
        assert [str(card) for card in state.hole("ann")] == ["Ah", "Ad"]


def test_goodbye_ends_the_game() -> None:
    def talk(script: Script) -> None:
        script.hear()
        script.say((Op.GOODPASS,), (Op.GOODBYE,))
        script.hear()

    with server(talk) as (_, client):
        client.joingame()
        client.playgame(lambda *_: None)


def test_a_server_that_breaks_the_protocol_is_named_with_the_byte_by_a_strict_client() -> None:
    def talk(script: Script) -> None:
        script.hear()
        script.say((Op.GOODPASS,))
        script.socket.sendall(b"\0\0\0\x37\0\0\0\0")

    with server(talk, strict=True) as (_, client):
        client.joingame()
        with pytest.raises(RemoteProtocolError, match="byte 8: no message has the id 55"):
            client.playgame(lambda *_: None)


def test_a_move_that_is_none_is_refused_before_it_is_sent() -> None:
    with server(in_and(START)) as (script, client):
        client.joingame()
        with pytest.raises(BadSpec, match="3 is not a move"):
            client.act(3)
    assert [each.op for each in script.heard] == [Op.JOIN_GAME]


@pytest.mark.parametrize("runtime", [StepRuntime, ThreadRuntime])
def test_a_player_of_ours_is_asked_as_at_a_table_of_ours(
    runtime: type[StepRuntime] | type[ThreadRuntime],
) -> None:
    seen = []

    def bot(view: Any) -> Any:
        seen.append((str(view), view.to_call, view.legal.min_raise_to))
        return next(action for action in view.legal if str(action).startswith("raise_to"))

    def wait_for_action(script: Script) -> None:
        script.hear()

    said = [START, *BLINDS, (Op.NEXT_TO_ACT, 0, 10, 10, 10)]
    with server(in_and(*said, then=wait_for_action)) as (script, client), Room(runtime(), seed=1) as room:
        client.joingame()
        Guest(room.player("ann", bot), client).play()
    assert seen == [("<View: seat 0 Ah Ad on -, preflop, pot 15, fold, call 10, raise_to 20>", 10, 20)]
    assert script.heard[1:] == [Message(Op.ACTION, (2,))]


def test_a_server_that_asks_for_blinds_is_paid_them_and_one_not_understood_is_checked_or_folded_to() -> None:
    def bot(view: Any) -> Any:
        pytest.fail("asked")

    said = [START, (Op.NEXT_TO_ACT, 0, 5, -1, -1), *BLINDS, (Op.NEXT_TO_ACT, 0, 99, 10, 10)]
    with server(in_and(*said)) as (script, client), Room(StepRuntime(), seed=1) as room:
        client.joingame()
        guest = Guest(room.player("ann", bot), client)
        guest.play()
    assert script.heard[1:] == [Message(Op.ACTION, (1,)), Message(Op.ACTION, (0,))]
    assert guest.misunderstood == 1


def test_a_person_sees_the_articles_prompt_and_table_and_answers_in_letters() -> None:
    lines: Iterator[str | None] = iter(["x", "'hello", "R", None])
    shown: list[str] = []
    said = [
        (Op.CHATTER, "\x1b[2Jboo"), START, *BLINDS, (Op.NEXT_TO_ACT, 0, 10, 10, 10), (Op.RAISE, 0, 20),
        (Op.HOLE_CARDS, 1, "2c 2d"),
        (Op.NEXT_TO_ACT, 0, 0, -1, -1),
    ]  # fmt: skip
    with server(in_and(*said)) as (script, client):
        client.joingame()
        TerminalSeat(lambda prompt: next(lines), shown.append).play(client)
    assert shown[0] == "\\x1b[2Jboo"
    text = "\n".join(shown)
    assert "[F]old, [C]all/check [B]et/[R]aise   (call 10, bet or raise 10 more" in text
    assert "*                  ann $  500 $    0" in text
    assert "Hole cards: Ah Ad" in text
    assert "bob shows 2c 2d" in text
    assert "'x' must be f, c, b or r" in text
    assert [(each.op, *each.values) for each in script.heard[1:]] == [
        (Op.CHAT, "hello"),
        (Op.ACTION, 2),
        (Op.QUIT_GAME,),
    ]


# -- what a bot hears ------------------------------------------------------------------------------


class Ears:
    """Calls, and notes what it hears."""

    def __init__(self) -> None:
        self.told: list[HandStart] = []

    def __call__(self, view: View) -> Action:
        return Call() if view.to_call else Check()

    def hand_started(self, start: HandStart) -> None:
        self.told.append(start)

    def hand_over(self, end: HandEnd) -> None:
        self.told.append(end)


def street(number: int, board: str) -> list[Said]:
    return [(Op.NEW_STAGE, number, board), (Op.CALL, 1, 0), (Op.CALL, 2, 0), (Op.CALL, 0, 0)]


SHOWDOWN: list[Said] = [
    START, *BLINDS, (Op.NEXT_TO_ACT, 0, 10, 10, 10), (Op.CALL, 0, 10), (Op.CALL, 1, 5), (Op.CALL, 2, 0),
    *street(1, "2c 7d 9h"), *street(2, "2c 7d 9h Js"), *street(3, "2c 7d 9h Js Kd"),
    (Op.HOLE_CARDS, 0, "Ah Ad"), (Op.HOLE_CARDS, 2, "3h 4h"), (Op.WINNERS, 1, ((0, 30),)),
]  # fmt: skip
WALK: list[Said] = [
    (Op.START_NEW_GAME, 10, 3, 1, 0, 8, ROWS), (Op.BLIND, 2, 5), (Op.BLIND, 0, 10), (Op.HOLE_CARDS, 0, "5c 6c"),
    (Op.NEXT_TO_ACT, 1, 10, 10, 10), (Op.FOLD, 1), (Op.NEXT_TO_ACT, 2, 5, 10, 10), (Op.FOLD, 2),
    (Op.WINNERS, 1, ((0, 15),)),
]  # fmt: skip


def told_of(*said: Said) -> list[HandStart]:
    bot = Ears()
    with server(in_and(*said)) as (_, client), Room(StepRuntime(), seed=1) as room:
        client.joingame()
        Guest(room.player("ann", bot), client).play()
    return bot.told


def test_a_bot_hears_hands_begin_and_end_also_those_without_a_turn_of_its_own() -> None:
    told = told_of(*SHOWDOWN, *WALK)
    assert [type(one) for one in told] == [HandStart, HandEnd] * 2
    (start, end, second, walk) = told
    assert (start.names, start.seat, start.button, start.number) == (("ann", "bob", "cy"), 0, 0, 0)
    assert start.hole == end.hole == tuple(parse_cards("AhAd"))
    assert isinstance(end, HandEnd)
    assert end.payoffs == (20, -10, -10)
    assert end.board == tuple(parse_cards("2c7d9hJsKd"))
    assert end.shown == {
        0: tuple(parse_cards("AhAd")),
        2: tuple(parse_cards("3h4h")),
    }  # bob mucked: no stand-in is shown
    assert len(end.public.actions) == 12
    assert (second.number, second.button, second.public.seq) == (1, 1, 0)
    assert isinstance(walk, HandEnd)
    assert walk.payoffs == (10 - 5, 0, -5)
    assert walk.shown == {}


def test_an_end_that_the_rules_do_not_agree_to_is_not_told() -> None:
    wrong = [*SHOWDOWN[:-1], (Op.WINNERS, 1, ((0, 3_000),))]
    assert [type(one) for one in told_of(*wrong, *WALK)] == [HandStart, HandStart, HandEnd]
    early = [*SHOWDOWN[:8], (Op.WINNERS, 1, ((0, 30),))]
    assert [type(one) for one in told_of(*early)] == [HandStart]


def test_a_hand_sounds_the_same_whatever_the_others_hold() -> None:
    """Two worlds: cards that were not shown are stand-ins, which are in nothing that is told."""
    told = told_of(*SHOWDOWN)
    cards = set(
        re.findall(
            r"[2-9TJQKA][cdhs]\b", repr(told) + " ".join(View(one.public, 0, one.hole).text() for one in told)
        )
    )
    assert cards <= {"Ah", "Ad", "3h", "4h", "2c", "7d", "9h", "Js", "Kd"}


def test_a_coroutine_that_waits_for_a_loop_is_no_callback_of_a_blocking_client() -> None:
    async def status(client: OppClient, message: Message) -> None:
        await asyncio.sleep(0)

    with server(in_and((Op.CHATTER, "bob: hello"))) as (_, client):
        assert client.joingame()
        with pytest.raises(BadSpec, match=r"see poker_actors\.wire\.opp\.aio"):
            client.playgame(lambda *_: None, status)


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
def test_a_decision_whose_turn_is_over_before_it_begins_is_dropped_without_a_word() -> None:
    begun = []

    async def think(client: AsyncOppClient, *_: int) -> ActionCode:
        begun.append(client.books.game_id)
        return ActionCode.CALL

    async def run() -> None:
        async with AsyncOppClient("127.0.0.1", script.port, "ann", "pw") as client:
            assert await client.joingame()
            await client.playgame(think)
        gc.collect()

    script = Script(in_and(START, *BLINDS, *[(Op.NEXT_TO_ACT, 0, 10, 10, 10)] * 3))
    asyncio.run(run())
    script.join()
    assert len(begun) <= 1


class Unplugged(ClientSeat[str]):
    """A seat without a socket: it reads what it is given, and keeps what it would send and how long it would wait."""

    def __init__(self, *connections: Sequence[bytes | OSError], **options: Any) -> None:
        super().__init__("nowhere", 1, "ann", "pw", **options)
        self.connections = [list(each) for each in connections]
        self.sent: list[bytes] = []
        self.waited: list[float] = []
        self._link = "connected"

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return at_once(work)

    def _aside(self, work: Coroutine[Any, Any, None]) -> None:
        at_once(work)

    async def _open(self) -> str:
        self.waited.append(0)
        return "connected again"

    async def _read(self, link: str, seconds: float) -> bytes:
        read = self.connections[0].pop(0) if self.connections and self.connections[0] else b""
        if isinstance(read, OSError):
            raise read
        return read

    async def _sleep(self, seconds: float) -> None:
        self.waited.append(seconds)

    def _write(self, link: str, data: bytes) -> None:
        self.sent.append(data)

    def _end_writing(self, link: str) -> None:
        self.sent.append(b"")

    def _drop(self, link: str) -> None:
        if self.connections:
            self.connections.pop(0)


def said(*each: Said) -> list[bytes]:
    return [encode(message(*one)) for one in each]


IN = said((Op.GOODPASS,))
JOINS = encode(message(Op.JOIN_GAME, "ann", "pw", 1, "poker_actors"))


def played(seat: Unplugged, status: Callable[..., Any] | None = None) -> Unplugged:
    """Log in and play to the end."""
    assert seat.joingame()
    seat.playgame(lambda *_: ActionCode.CALL, status)
    return seat


def test_a_seat_needs_no_socket_and_comes_back_after_ever_longer_waits() -> None:
    turn = said((Op.GOODPASS,), START, *BLINDS, (Op.NEXT_TO_ACT, 0, 10, 10, 10))
    seat = Unplugged(turn, [], [], said((Op.GOODPASS,), (Op.GOODBYE,)), reconnect=1.0)
    assert seat.joingame()
    seat.playgame(lambda *_: ActionCode.RAISE)
    assert seat.waited == [0.1, 0, 0.2, 0, 0.4, 0]
    assert seat.returns == 1
    assert seat.sent == [JOINS, encode(message(Op.ACTION, 2)), JOINS, JOINS, JOINS]


def test_a_server_silent_at_the_log_in_is_asked_nothing_and_does_not_answer() -> None:
    seat = Unplugged([TimeoutError()])
    with pytest.raises(TimeoutError, match="does not answer"):
        seat.joingame()
    assert seat.sent == [JOINS]


def test_who_quits_or_is_closed_does_not_come_back() -> None:
    def quits(seat: Unplugged, message: Message) -> None:
        seat.quit()

    seat = played(Unplugged([*IN, *said((Op.CHATTER, "bob: hi"))], IN, reconnect=1.0), quits)
    assert seat.sent == [JOINS, encode(message(Op.QUIT_GAME))]
    assert seat.waited == []

    class Closed(Unplugged):
        async def _sleep(self, seconds: float) -> None:
            await super()._sleep(seconds)
            await self._close()

    seat = played(Closed(IN, IN, reconnect=1.0))
    assert seat.waited == [0.1]
    assert seat.sent == [JOINS], "who has not quit has nothing to wait for when it hangs up"


def test_a_read_that_fails_is_an_end_where_the_seat_was_closed_and_an_error_elsewhere() -> None:
    failed = OSError(9, "Bad file descriptor")
    with pytest.raises(OSError, match="Bad file descriptor"):
        played(Unplugged([*IN, failed]))

    def closes(seat: Unplugged, message: Message) -> None:
        seat._over.set()

    played(Unplugged([*IN, *said((Op.CHATTER, "bob: hi")), failed]), closes)


def test_only_nonsense_ends_a_strict_client_which_comes_back_from_silence() -> None:
    nonsense = b"\0\0\0\x63\xff\xff\xff\xff"
    seat = Unplugged([*IN, nonsense], IN, strict=True, reconnect=1.0)
    with pytest.raises(RemoteProtocolError, match="no message has the id 99"):
        played(seat)
    assert seat.waited == []
    again = [*IN, *said((Op.GOODBYE,))]
    assert played(Unplugged([*IN, nonsense], again, reconnect=1.0)).returns == 1
    silent: list[bytes | OSError] = [*IN, TimeoutError(), TimeoutError()]
    assert played(Unplugged(silent, again, strict=True, reconnect=1.0)).returns == 1


def test_without_a_connection_there_is_nothing_to_say_and_nothing_to_close() -> None:
    client = OppClient("127.0.0.1", 1, "ann", "pw")
    with pytest.raises(RoomClosed, match=r"no connection to 127\.0\.0\.1:1"):
        client.joingame()
    client.close()

    async def awaited() -> None:
        client = AsyncOppClient("127.0.0.1", 1, "ann", "pw")
        with pytest.raises(RoomClosed, match=r"no connection to 127\.0\.0\.1:1"):
            await client.joingame()
        await client.close()
        client._has_quit = True  # as after a quit and a close
        await client.close()

    asyncio.run(awaited())


def test_a_callback_may_close_the_client() -> None:
    with server(in_and((Op.CHATTER, "bob: hi"))) as (_, client):
        assert client.joingame()
        client.playgame(lambda *_: None, lambda client, message: client.close())

    async def play(port: int) -> None:
        client = AsyncOppClient("127.0.0.1", port, "ann", "pw")
        await client.connect()
        assert await client.joingame()
        await client.playgame(lambda *_: None, lambda client, message: client.close())

    script = Script(in_and((Op.CHATTER, "bob: hi")))
    asyncio.run(play(script.port))
    script.join()


def test_what_is_said_to_a_server_that_has_gone_is_no_line_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def play(port: int) -> None:
        async with AsyncOppClient("127.0.0.1", port, "ann", "pw") as client:
            assert await client.joingame()
            await client.playgame(lambda *_: None)
            for _ in range(20):
                client.chat("is anybody there?")
                await asyncio.sleep(0)

    script = Script(in_and_gone)
    asyncio.run(play(script.port))
    script.join()
    assert caplog.messages == []


def in_and_gone(script: Script) -> None:
    script.hear()
    script.say((Op.GOODPASS,), (Op.CHATTER, "bob: bye"))
    # closed at once and unread bytes refused: the client's next writes fail
    script.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
