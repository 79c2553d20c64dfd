"""A person at an OPP table, with the prompts and the table of the 2003 article."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from poker_actors.wire.opp.client.client import OppClient
from poker_actors.wire.opp.protocol import ActionCode, Message, Op

__all__ = ["TerminalSeat", "printable"]

_SILENT: Final = frozenset({Op.FOLD, Op.CALL, Op.RAISE, Op.BLIND, Op.NEXT_TO_ACT, Op.SET_FACE, Op.GET_GRAPH})
"""Not shown: the server also says these in words, or they change nothing visible."""
_MOVES: Final = {
    "f": ActionCode.FOLD,
    "c": ActionCode.CALL,
    "k": ActionCode.CALL,
    "b": ActionCode.RAISE,
    "r": ActionCode.RAISE,
}


def printable(text: str) -> str:
    """Return a text from the network with control characters escaped, so that it cannot steer a terminal."""
    return "".join(mark if mark.isprintable() else mark.encode("unicode_escape").decode() for mark in text)


class TerminalSeat:
    """Asks for each decision by `read(prompt)`, which returns a line or None at the end, and shows lines by `write`."""

    def __init__(self, read: Callable[[str], str | None], write: Callable[[str], None]) -> None:
        self._read = read
        self._write = write

    def play(self, client: OppClient) -> None:
        """Play on a client that has joined, until the person or the server leaves."""
        client.playgame(self.decide, self.status)

    def decide(self, client: OppClient, to_call: int, min_bet: int, max_bet: int) -> ActionCode | None:
        """Show the table and ask; `q` or the end of input leaves the table."""
        self._show(client)
        price = f"call {to_call}" if to_call > 0 else "check"
        more = f", bet or raise {min_bet} more" if max_bet > 0 else ", no more raises"
        self._write(f"[F]old, [C]all/check [B]et/[R]aise   ({price}{more}; [q]uit, 'text to chat)")
        while True:
            line = self._read("Your turn: ")
            word = None if line is None else line.strip()
            if word is None or word.lower() in ("q", "quit"):
                client.quit()
                return None
            if word.startswith("'"):
                client.chat(word[1:].strip())
                continue
            move = _MOVES.get(word[:1].lower())
            if move is not None:
                return move
            self._write(f"{printable(word)[:20]!r} is none of f, c, b, r")

    def status(self, client: OppClient, message: Message) -> None:
        """Show a message: talk as text, any other change as the table."""
        op = message.op
        if op in (Op.CHATTER, Op.INFORMATION):
            self._write(printable(message.values[0]))
        elif op is Op.START_NEW_GAME:
            watching = "" if client.books.position >= 0 else " (you watch)"
            self._write(f"\n--- hand {client.books.game_id}{watching} ---")
        elif op is Op.HOLE_CARDS and message.values[0] != client.books.position:
            state = client.state
            assert state is not None, "a shown hand comes after its game has begun"
            self._write(f"{printable(state.players[message.values[0]])} shows {message.values[1]}")
        elif op not in _SILENT:
            self._write("\n---")
            self._show(client)
            self._write("---")

    def _show(self, client: OppClient) -> None:
        state = client.state
        if state is None:
            return
        self._write(printable_table(state.status()).rstrip("\n"))
        if client.books.position >= 0:
            hole = state.hole(state.players[client.books.position])
            self._write("Hole cards: " + " ".join(map(str, hole)))
        self._write("Board cards: " + " ".join(map(str, state.board)))


def printable_table(text: str) -> str:
    """Return a table with control characters escaped, except its line ends."""
    return "\n".join(map(printable, text.split("\n")))
