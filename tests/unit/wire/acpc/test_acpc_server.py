"""A dealer on real sockets: bots play, strangers fail, and nobody waits for long."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from poker_actors.errors import BadSpec, RemoteProtocolError
from poker_actors.guard import DoorLimits, Guard
from poker_actors.history import histories, replay
from poker_actors.wire.acpc import (
    DEFINITIONS,
    AcpcClient,
    Dealer,
    DealerServer,
    GameDefinition,
    Guest,
    MatchFiles,
    MatchLimits,
    MatchPlan,
    MatchState,
    Outcome,
)
from poker_actors.wire.acpc.tcp import MOST_UNSENT

Seat = Callable[[str, int], object]


def play(
    plan: MatchPlan, *seats: Seat, listener: MatchFiles | None = None, timed: int | None = None
) -> Outcome:
    """Deal `plan` while each of `seats`, given the host and port of its seat, runs in a thread.

    The dealer's clock runs only while it waits for the seat `timed`: on a busy machine others would be late, too.
    """
    errors: list[Exception] = []

    def run(seat: Seat, host: str, port: int) -> None:
        try:
            seat(host, port)
        except Exception as error:  # noqa: BLE001  told to the test
            errors.append(error)

    dealer, spent, last = Dealer(plan, listener), 0.0, time.monotonic()

    def clock() -> float:
        nonlocal spent, last
        before, last = last, time.monotonic()
        spent += last - before if dealer.waiting == timed else 0.0
        return spent

    with DealerServer(dealer, clock=time.monotonic if timed is None else clock) as server:
        threads = [
            threading.Thread(target=run, args=(seat, *place))
            for seat, place in zip(seats, server.addresses, strict=False)
        ]
        for thread in threads:
            thread.start()
        outcome = server.play()
    for thread in threads:
        thread.join(600)
        assert not thread.is_alive()
    if errors:
        raise errors[0]
    return outcome


def guest(bot: str, definition: GameDefinition, seed: int = 1) -> tuple[Guest, Seat]:
    playing = Guest(bot, definition, seed)

    def seat(host: str, port: int) -> None:
        with AcpcClient(host, port) as client:
            client.play(playing)

    return playing, seat


def raw(*pieces: bytes, then: Callable[[socket.socket], object] | None = None) -> Seat:
    """A client that says its version and then `pieces`, whatever it hears, until the dealer closes."""

    def seat(host: str, port: int) -> None:
        with suppress(ConnectionError), socket.create_connection((host, port), 10) as opened:
            opened.sendall(b"VERSION:2.0.0\r\n")
            for piece in pieces:
                opened.recv(4096)
                opened.sendall(piece)
            if then is not None:
                then(opened)
                return
            while opened.recv(4096):
                pass

    return seat


@pytest.mark.parametrize("name", DEFINITIONS)
def test_bots_of_ours_play_a_match_and_its_log_replays(name: str, tmp_path: Path) -> None:
    definition = DEFINITIONS[name]
    bots = ["loose", "maniac", "random"][: definition.players]
    guests, seats = zip(*[guest(bot, definition, seed) for seed, bot in enumerate(bots)], strict=True)
    plan = MatchPlan(definition, 60, 3)
    with MatchFiles(plan, log=tmp_path / "match.log", messages=tmp_path / "all.txt") as files:
        outcome = play(plan, *seats, listener=files)
    assert (outcome.hands, outcome.broken) == (60, "")
    assert [one.value for one in guests] == [seat.value for seat in outcome.seats]
    assert sum(seat.value for seat in outcome.seats) == 0
    assert [(one.hands, one.faults.total, one.playing) for one in guests] == [(60, 0, False)] * len(bots)
    assert [seat.invalid + seat.moved + seat.ignored for seat in outcome.seats] == [0] * len(bots)
    hands = [replay(history) for history in histories(tmp_path / "match.log")]
    assert len(hands) == 60
    hidden_from_others((tmp_path / "all.txt").read_text(), definition)


def hidden_from_others(messages: str, definition: GameDefinition) -> None:
    """Of what was sent: a state holds the cards of others only after a showdown, of those who did not fold."""
    for line in messages.splitlines():
        way, _, _, _, text = line.split(" ", 4)
        if way == "TO":
            state = MatchState.parse(text)
            hand = state.hand(definition)
            shown = hand.live if hand.over and len(hand.live) > 1 else []
            seen = [seat for seat, hole in enumerate(state.holes) if hole]
            assert seen == sorted({*shown, state.position})


def test_the_same_seeds_make_the_same_match() -> None:
    definition = DEFINITIONS["holdem.nolimit.2p"]

    def digest() -> str:
        seats = [guest(bot, definition, 7)[1] for bot in ("random", "tight")]
        return play(MatchPlan(definition, 40, 3), *seats).digest

    assert digest() == digest()


HEADS_UP = DEFINITIONS["holdem.nolimit.2p"]


@pytest.mark.parametrize(
    ("stranger", "said"),
    [
        (raw(b"", then=socket.socket.close), "it has closed the connection"),
        (raw(b"\xff\xfe\xfd\r\n"), "is not ASCII"),
        (raw(b"x" * 100_000), "a line of"),
        (raw(b"#\r\n" * 2_000), "1001 lines that answer nothing"),
        (raw(), "no answer in"),
        (raw(b"GET / HTTP/1.0\r\n\r\n"), "no answer in"),
    ],
    ids=["gone", "binary", "endless", "flood", "silent", "http"],
)
def test_a_stranger_ends_the_match_as_in_the_competition(stranger: Seat, said: str) -> None:
    _, caller = guest("caller", HEADS_UP)
    outcome = play(MatchPlan(HEADS_UP, 10, 1, limits=MatchLimits(response=1.0)), caller, stranger, timed=1)
    assert outcome.broken.startswith("seat 1 (p2)")
    assert said in outcome.broken
    assert outcome.hands < 10


@pytest.mark.parametrize(
    "stranger",
    [raw(b"", then=socket.socket.close), raw(b"\xff\r\n"), raw(), raw(b"#\r\n" * 2_000)],
    ids=["gone", "binary", "silent", "flood"],
)
def test_or_with_strikes_it_loses_its_own_chips_only(stranger: Seat) -> None:
    playing, caller = guest("caller", HEADS_UP)
    limits = MatchLimits(response=1.0, strikes=1)
    outcome = play(MatchPlan(HEADS_UP, 10, 1, limits=limits), caller, stranger, timed=1)
    assert (outcome.hands, outcome.broken) == (10, "")
    assert outcome.seats[1].gone
    assert outcome.seats[0].value == -outcome.seats[1].value == playing.value
    assert playing.hands == 10
    assert outcome.seats[0].ignored == 0, "it says nothing out of its turn"


def full(door: DealerServer, seat: int) -> socket.socket:
    """Connect to a seat, and send so much that its client, which reads nothing, takes no more."""
    opened = socket.create_connection(door.addresses[seat], 10)
    opened.sendall(b"VERSION:2.0.0\r\n")
    while seat not in door._links:
        door._wait()
    link = door._links[seat]
    with suppress(BlockingIOError):
        while link.socket.send(b"x" * 65_536):
            pass
    return opened


def test_nobody_waits_for_a_player_that_reads_nothing_but_until_its_own_deadline() -> None:
    now = 0.0
    dealer = Dealer(MatchPlan(HEADS_UP, 1, 1, limits=MatchLimits(response=5, strikes=1)))
    with DealerServer(dealer, clock=lambda: now) as door, full(door, 0), full(door, 1):
        dealer.start(now)
        for seat in (0, 1):
            dealer.receive(seat, b"VERSION:2.0.0\r\n", now)
        assert not door._send()  # in no time, though nothing of it is taken
        assert (dealer.waiting, dealer.deadline) == (1, 5)
        now = 5.0
        door._wait()
        assert [record.first for record in dealer.seats] == ["", "no answer in 5.0 seconds"]


def test_without_a_host_the_doors_open_at_every_address(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    create = socket.create_server

    def at_loopback(address: tuple[str, int], **options: Any) -> socket.socket:
        asked.append(address[0])
        return create(("127.0.0.1", 0), **options)

    monkeypatch.setattr(socket, "create_server", at_loopback)
    with DealerServer(Dealer(MatchPlan(HEADS_UP, 1, 1)), ""):
        assert asked == ["", ""]


def test_a_host_that_cannot_be_one_is_named() -> None:
    host = "a" * 64  # a label has at most 63, so nobody is asked
    with pytest.raises(socket.gaierror) as caught:
        DealerServer(Dealer(MatchPlan(HEADS_UP, 1, 1)), host)
    assert caught.value.filename == host


@pytest.mark.parametrize(("start", "seconds"), [(None, None), (5.0, 4.0)])
def test_the_door_waits_until_the_deadline_and_not_in_between(
    start: float | None, seconds: float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[int | None, float | None]] = []
    now = 1.0
    dealer = Dealer(MatchPlan(HEADS_UP, 1, 1, limits=MatchLimits(start=start)))
    with DealerServer(dealer, clock=lambda: now) as door, socket.create_connection(door.addresses[0], 10):
        dealer.start(0.0)
        while 0 not in door._links:
            door._wait()

        def ready(reading: int | None, left: float | None) -> list[int]:
            asked.append((reading, left))
            return []

        monkeypatch.setattr(door, "_ready", ready)
        door._wait()
    assert asked == [(0, seconds)]


def test_a_player_that_leaves_too_much_unread_is_given_up() -> None:
    dealer = Dealer(MatchPlan(HEADS_UP, 1, 1, limits=MatchLimits(strikes=1)))
    with DealerServer(dealer) as door, full(door, 0) as opened:
        dealer.start(0.0)
        link = door._links[0]
        assert not door._send()
        for _ in range(64):  # what the system keeps for it may grow
            link.unsent += b"x" * MOST_UNSENT
            if door._send():
                break
        assert (dealer.seats[0].gone, dealer.seats[0].first) == (True, "it no longer takes messages")
        assert not dealer.seats[1].gone
        with suppress(ConnectionError):
            while opened.recv(65_536):
                pass


def test_who_does_not_come_is_not_waited_for() -> None:
    outcome = play(MatchPlan(HEADS_UP, 10, 1, limits=MatchLimits(start=0.1)))
    assert outcome.broken == "seat 0 (p1): nobody has connected in 0.1 seconds"


def test_who_connects_and_says_nothing_is_not_waited_for() -> None:
    now = 0.0
    dealer = Dealer(MatchPlan(HEADS_UP, 10, 1, limits=MatchLimits(start=5)))
    with DealerServer(dealer, clock=lambda: now) as door, socket.create_connection(door.addresses[0], 10):
        dealer.start(now)
        while 0 not in door._links:
            door._wait()
        now = 5.0
        door._wait()
    assert dealer.broken == "seat 0 (p1): no answer in 5.0 seconds"


def test_a_shared_guard_counts_a_dealers_seats_and_refuses_a_crowd() -> None:
    guard = Guard(DoorLimits(connections_per_address=2))
    assert guard.crowd.enter("127.0.0.1") is None
    with DealerServer(Dealer(MatchPlan(HEADS_UP, 1, 1)), guard=guard) as door:
        with (
            socket.create_connection(door.addresses[0], 10),
            socket.create_connection(door.addresses[1], 10) as refused,
        ):
            door.dealer.start(0.0)
            while 0 not in door._links or refused not in select.select([refused], [], [], 0)[0]:
                door._wait()
            assert refused.recv(1) == b""
            assert (len(guard.crowd), list(door._links)) == (2, [0])
        guard.crowd.leave("127.0.0.1")
        with socket.create_connection(door.addresses[1], 10):
            while 1 not in door._links:
                door._wait()
    assert len(guard.crowd) == 0
    guard.close()


def test_lines_that_answer_nothing_wait_beyond_a_seconds_and_then_count_against_their_sender() -> None:
    now = 0.0
    guard = Guard(DoorLimits(messages_per_second=10))
    dealer = Dealer(MatchPlan(HEADS_UP, 1, 1, limits=MatchLimits(response=5)))
    with (
        DealerServer(dealer, clock=lambda: now, guard=guard) as door,
        socket.create_connection(door.addresses[0], 10) as other,
        socket.create_connection(door.addresses[1], 10) as flooding,
    ):
        dealer.start(now)
        for opened in (other, flooding):
            opened.sendall(b"VERSION:2.0.0\r\n")
        while dealer.waiting != 1 or dealer.deadline != 5:
            door._wait()
        flooding.sendall(b"#\r\n" * 40)
        while dealer.seats[1].ignored < 40:
            door._wait()
        link = door._links[1]
        assert link.resume == 3.0  # ten at once, ten a second
        flooding.sendall(f"MATCHSTATE:1:0::|{''.join(map(str, dealer.hand.holes[1]))}:c\r\n".encode())
        now = 2.99
        door._wait()
        assert dealer.waiting == 1, "its answer has come, and is not read yet"
        now = 3.0
        door._wait()
        assert dealer.waiting == 0
    guard.close()


def test_who_takes_bytes_out_of_its_turn_is_not_read() -> None:
    dealer = Dealer(MatchPlan(HEADS_UP, 1, 1))
    with (
        DealerServer(dealer, clock=lambda: 0.0) as door,
        socket.create_connection(door.addresses[0], 10) as other,
        socket.create_connection(door.addresses[1], 10) as acting,
    ):
        dealer.start(0.0)
        for opened in (other, acting):
            opened.sendall(b"VERSION:2.0.0\r\n")
        while dealer.deadline is None:
            door._wait()
        link = door._links[0]
        link.unsent += b"#"
        other.sendall(b"#\r\n")
        assert select.select([link.socket], [], [], 10)[0]
        acting.sendall(b"#\r\n")
        while not dealer.seats[1].ignored:
            door._wait()
        assert select.select([link.socket], [], [], 0)[0], "what it says waits for its turn"


def test_a_taken_port_is_an_error_of_the_system_and_the_others_are_given_back() -> None:
    dealer = Dealer(MatchPlan(HEADS_UP, 1, 1))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match="in use"):
            DealerServer(dealer, ports=(0, port))
    with pytest.raises(BadSpec, match="1 ports for 2 seats"):
        DealerServer(dealer, ports=(0,))


@pytest.fixture
def dealer_that_says() -> Iterator[Callable[[bytes], tuple[str, int]]]:
    """Listen, and to the first client say these bytes and close."""
    open_sockets: list[socket.socket] = []
    threads: list[threading.Thread] = []

    def listen(data: bytes) -> tuple[str, int]:
        listening = socket.create_server(("127.0.0.1", 0))
        open_sockets.append(listening)

        def serve() -> None:
            opened, _ = listening.accept()
            with opened:
                opened.recv(100)
                opened.sendall(data)
                with suppress(ConnectionError):
                    opened.recv(1_000)

        threads.append(threading.Thread(target=serve))
        threads[-1].start()
        host, port = listening.getsockname()
        return host, port

    yield listen
    for thread in threads:
        thread.join(600)
    for opened in open_sockets:
        opened.close()


def test_a_client_passes_over_comments_and_notices_an_end_in_the_middle(
    dealer_that_says: Callable[[bytes], tuple[str, int]],
) -> None:
    place = dealer_that_says(b"# hello\r\n;\r\n\r\nMATCHSTATE:1:0::|JdTc\r\n")
    playing = Guest("caller", HEADS_UP, 1)
    with AcpcClient(*place) as client:
        client.play(playing)
    assert playing.playing
    assert playing.hands == 0


@pytest.mark.parametrize(
    ("data", "error", "said"),
    [
        (b"# 1\r\nhello\r\n", RemoteProtocolError, "byte 5: 'hello' is not MATCHSTATE"),
        (b"\xff\r\n", RemoteProtocolError, "byte 0: 0xff is not ASCII"),
        (b"MATCHSTATE:1:0:r7:|JdTc\r\n", BadSpec, "hand 0 does not fit holdem.nolimit.2p.reverse_blinds"),
        (b"MATCHSTATE:1:0::|JdTc|\r\n", BadSpec, "3 players"),
    ],
)
def test_a_dealer_that_talks_nonsense_is_refused(
    data: bytes, error: type[Exception], said: str, dealer_that_says: Callable[[bytes], tuple[str, int]]
) -> None:
    with AcpcClient(*dealer_that_says(data)) as client, pytest.raises(error, match=said):
        client.play(Guest("caller", HEADS_UP, 1))


def test_a_bot_that_fails_is_counted_and_a_fold_for_nothing_is_a_check() -> None:
    def broken(view: object) -> object:
        raise ValueError("no idea")

    playing = Guest(broken, HEADS_UP, 1)  # type: ignore[arg-type]  # wrong on purpose
    assert playing.answer(MatchState.parse("MATCHSTATE:1:0::|JdTc")) == "f"
    assert playing.answer(MatchState.parse("MATCHSTATE:0:1:c:JdTc|")) == "c"
    assert playing.answer(MatchState.parse("MATCHSTATE:0:1::JdTc|")) is None
    assert (playing.faults.raised, playing.faults.first) == (2, "raised ValueError: no idea")
    folding = Guest("folder", HEADS_UP, 1)
    assert folding.answer(MatchState.parse("MATCHSTATE:0:1:c:JdTc|")) == "c"
