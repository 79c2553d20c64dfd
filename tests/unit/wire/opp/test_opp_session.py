"""A hundred hands over loopback: three of our clients and one that misbehaves on purpose."""

import socket
import threading
from contextlib import suppress

from poker_actors.actors import Room, StepRuntime
from poker_actors.errors import PokerError
from poker_actors.wire.opp import (
    Guest,
    MemoryAccounts,
    Op,
    OppClient,
    OppServer,
    TableOptions,
    encode,
    message,
    running,
)

HANDS = 100
BUY_IN = 30_000


def play(port: int, name: str, bot: str, results: dict[str, Guest]) -> None:
    with Room(StepRuntime(), seed=1) as room, OppClient("127.0.0.1", port, name, "pw") as client:
        assert client.joingame()
        guest = results[name] = Guest(room.player(name, bot), client)
        guest.play()


def misbehave(port: int, stop: threading.Event) -> None:
    """Join, act out of turn and beyond what there is, break off, send rubbish, again and again."""
    junk = [
        encode(message(Op.ACTION, 2)) * 50,
        encode(message(Op.ACTION, 77)),
        encode(message(Op.ACTION, -1)) + b"\0\0\0",
        b"\xff" * 64,
        encode(message(Op.CHAT, "\x1b[2J")) * 20,
        encode(message(Op.JOIN_GAME, "bad", "pw", 1)),
        encode(message(Op.CHANGE_FACE, -(2**31))),
        encode(message(Op.QUIT_GAME)) + encode(message(Op.ACTION, 1)),
    ]
    turn = 0
    while not stop.is_set():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 10) as wire:
            wire.sendall(encode(message(Op.JOIN_GAME, "bad", "pw", 1, "bad")))
            wire.recv(64)
            wire.sendall(junk[turn % len(junk)])
            wire.recv(4096)
        turn += 1


def test_a_hundred_hands_with_three_clients_of_ours_and_a_bad_one_keep_every_chip() -> None:
    results: dict[str, Guest] = {}
    options = TableOptions(buy_in=BUY_IN, turn_seconds=30.0, patience=0.0, grace=0.0)
    with Room(StepRuntime(), seed=1) as room:
        server = OppServer(room, accounts=MemoryAccounts(2), options=options, welcome=BUY_IN)
        stop = threading.Event()
        with running(server):
            port = server.address[1]
            bots = (("ann", "tight"), ("bob", "pot-odds"), ("cy", "random"))
            threads = [threading.Thread(target=play, args=(port, *bot, results)) for bot in bots]
            threads.append(threading.Thread(target=misbehave, args=(port, stop)))
            for thread in threads:
                thread.start()
            while server.call(lambda: server.tables[0].hands) < HANDS:
                with suppress(PokerError):
                    assert server.call(room.audit).conserved
                stop.wait(0.005)  # for those who play
            stop.set()
            threads[-1].join(30)
            audit = server.call(room.audit)
            assert audit.conserved
            assert audit.minted == 4 * BUY_IN
        for thread in threads:
            thread.join(30)
        assert not room.supervisor.failed
        assert room.supervisor.restarts == 0
    for guest in results.values():
        assert guest.hands > HANDS / 2
        assert guest.misunderstood == 0
        assert guest.player.faults.total == 0
