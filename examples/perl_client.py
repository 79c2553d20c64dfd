"""The 2003 Perl client, with its quirks, at our tables: whether its own books agree with the server's.

Games::Poker::OPP keeps its own state object and books messages by rules of its own. Our server recognizes it by
its program's name and describes a hand so that these rules book it right. This program does what that client
does, on our state object, plays at random, and counts the hands after which its books differ from the server's.
It is an imitation, so it tests only our side of the conversation.

python examples/perl_client.py [HANDS]
"""

import random
import socket
import struct
import sys
import time
from functools import partial
from typing import Any

from poker_actors import IllegalAction, Room
from poker_actors.actors import StepRuntime
from poker_actors.wire.opp import HoldemState, MemoryAccounts, OppServer, TableOptions, running

FOLD, CALL, RAISE, BLIND, JOIN_GAME, GOODPASS, ACTION = 0, 1, 2, 3, 20, 21, 30
QUIT_GAME, START_NEW_GAME, HOLE_CARDS, NEW_STAGE, WINNERS, NEXT_TO_ACT, PING, PONG = (
    33,
    50,
    51,
    52,
    53,
    57,
    60,
    61,
)
FORMATS = {
    FOLD: "NN", CALL: "NN", RAISE: "NN", BLIND: "NN", GOODPASS: "", 22: "", 24: "", 42: "Z", 43: "Z", 45: "Z",
    START_NEW_GAME: "NNNNN(ZNN)", HOLE_CARDS: "NZ", NEW_STAGE: "NZ", WINNERS: "N(NN)", 54: "Z",
    NEXT_TO_ACT: "NNNN", PING: "", PONG: "",
}  # fmt: skip


def unpack(form: str, data: bytes) -> list[Any]:
    """Read fields like Perl's unpack: N is an unsigned number, Z a text, a group repeats to the end."""
    fields: list[Any] = []
    head, _, group = form.rstrip(")").partition("(")
    while data and (head or group):
        for kind in head:
            if kind == "N":
                fields.append(struct.unpack(">I", data[:4])[0])
                data = data[4:]
            else:
                text, _, data = data.partition(b"\0")
                fields.append(text.decode())
        head = group
    return fields


class PerlClient:
    """Plays one seat and keeps its books like Games::Poker::OPP."""

    def __init__(self, place: tuple[str, int], user: str, seed: int) -> None:
        self.user = user
        self.luck = random.Random(seed)
        self.socket = socket.create_connection(place)
        self.stream = self.socket.makefile("rb")
        self.game: HoldemState | None = None
        self.blinded = False
        self.kept: dict[str, float] = {}
        self.hands = self.asked = self.differing = 0

    def close(self) -> None:
        """Leave, and read to the end: closing with unread data resets the connection, which may lose the QUIT_GAME."""
        self.send(QUIT_GAME)
        self.socket.shutdown(socket.SHUT_WR)
        while self.stream.read(4096):
            pass
        self.stream.close()
        self.socket.close()

    def send(self, number: int, data: bytes = b"") -> None:
        """Send a message."""
        self.socket.sendall(struct.pack(">II", number, len(data)) + data)

    def play(self, hands: int) -> None:
        """Join, and play `hands` hands."""
        self.send(JOIN_GAME, f"{self.user}\0pw\0".encode() + struct.pack(">I", 1) + b"Games::Poker::OPP\0")
        while head := self.stream.read(8):
            number, length = struct.unpack(">II", head)
            fields = unpack(
                FORMATS[number], self.stream.read(length)
            )  # the real client dies of an unknown id
            if number == PING:
                self.send(PONG)
            elif number == START_NEW_GAME:
                self.start(fields)
                if self.hands > hands:  # one more is begun, to compare the books of the last one
                    break
            elif self.game is not None:
                self.book(self.game, number, fields)

    def start(self, fields: list[Any]) -> None:
        """Begin a hand; compare its own books of the last one with the server's stacks."""
        bet, size, button, _, _, *rest = fields
        rows = [(rest[at], rest[at + 1] - (rest[at + 1] >> 31 << 32)) for at in range(0, 3 * size, 3)]
        said = dict(rows)
        self.differing += any(self.kept.get(name, chips) != chips for name, chips in said.items())
        self.game = HoldemState(rows, rows[button][0], bet)
        self.game.set_next((button + 3) % size)
        self.blinded = False
        self.hands += 1

    def book(self, game: HoldemState, number: int, fields: list[Any]) -> None:
        """Book a message for the player next to act by these books, whatever seat it names."""
        if number == BLIND and not self.blinded:
            self.blinded = True
            game.blinds()
        elif number == FOLD:
            game.fold()
        elif number == CALL:
            game.call()
        elif number == RAISE:
            game.raise_(
                fields[0]
            )  # the real client passes the seat for the amount, and dies if it is too little
        elif number == NEW_STAGE and self.blinded:
            game.next_stage()
        elif number == WINNERS:
            shares = dict(zip(fields[1::2], fields[2::2], strict=True))
            self.kept = {
                name: game.bankroll(name) + shares.get(seat, 0) for seat, name in enumerate(game.players)
            }
        elif number == NEXT_TO_ACT:
            self.turn(game, *fields)

    def turn(self, game: HoldemState, who: int, to_call: int, least: int, most: int) -> None:
        """Act on its own turn, else correct the next player."""
        if game.players[who] == self.user:
            self.asked += 1
            self.differing += game.to_call(game.next_seat) != to_call or game.next_seat != who
            moves = [CALL] + [FOLD] * (to_call > 0) + [RAISE, RAISE] * (most < 2**31)
            self.send(ACTION, struct.pack(">I", self.luck.choice(moves)))
        elif self.blinded:
            game.set_next(who)


def session(seats: int, hands: int) -> str:
    """Play with bots that also act at random; return a line with the results."""
    options = TableOptions(seats=seats, credit=True)
    with Room(StepRuntime(), seed=seats) as room:
        server = OppServer(room, accounts=MemoryAccounts(), options=options)
        with running(server):
            for number in range(seats - 1):
                server.call(partial(server.seat_bot, f"house-{number}", "random"))
            client = PerlClient(server.address, "perl", seed=seats)
            deaths = 0
            try:
                client.play(hands)
            except (IllegalAction, KeyError):
                deaths = 1
            client.close()
            while server.call(lambda: "perl" in server.tables[0].seated):
                time.sleep(0.01)  # until the hand is over, after which the bots wait for company
        conserved = room.audit().conserved
    return (
        f"{seats} seats: {client.hands - 1:,} hands, {deaths} deaths, {client.differing} times its books differ, "
        f"chips conserved: {conserved}"
    )


if __name__ == "__main__":
    for size in (2, 6, 10):
        print(session(size, int(sys.argv[1]) if len(sys.argv) > 1 else 200), flush=True)
