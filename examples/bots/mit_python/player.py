"""A player of the MIT Pokerbots protocol, in one file and with the standard library only.

It connects to the port that is its last argument, and answers each line of clauses with one of its own. What it plays is
simple and the same every time: pairs and high cards raise small, the rest checks and calls what is cheap. With `--bold`
it raises on, and goes all in with a pair.
"""

import re
import socket
import sys

STACK, BIG_BLIND = 400, 2
RANKS = "23456789TJQKA"
BOLD = "--bold" in sys.argv


class Round:
    """What is known of a round: chips in front and behind, by index, and the cards."""

    def __init__(self, index: int) -> None:
        """Begin with the blinds; index 0 is the small blind, who acts first before the flop."""
        self.index = index
        self.hand: list[str] = []
        self.board: list[str] = []
        self.front = [1, BIG_BLIND]
        self.behind = [STACK - 1, STACK - BIG_BLIND]
        self.turn = 0

    def hear(self, clause: str) -> None:
        """Follow one clause: an action of whoever's turn it is, or cards."""
        kind, rest = clause[0], clause[1:]
        if kind == "H":
            self.hand = rest.split(",")
        elif kind == "B":
            self.board = rest.split(",")
            self.front = [0, 0]
            self.turn = 1
        elif kind in "CR":
            total = int(rest) if kind == "R" else max(self.front)
            self.behind[self.turn] -= total - self.front[self.turn]
            self.front[self.turn] = total
        if kind in "FCKR":
            self.turn = 1 - self.turn

    def answer(self) -> str:
        """Return the action to take."""
        me, other = self.index, 1 - self.index
        price = self.front[other] - self.front[me]
        first, second = (RANKS.index(card[0]) for card in self.hand)
        paired = first == second or any(card[0] in (self.hand[0][0], self.hand[1][0]) for card in self.board)
        strong = paired or first + second >= 2 * RANKS.index("Q")
        if strong and price < self.behind[me] and self.behind[other] and (BOLD or self.front[me] < 40):
            most = min(self.behind[me], self.behind[other] + price)
            wanted = most if BOLD and paired else price + max(price, BIG_BLIND) + len(self.board)
            return f"R{self.front[me] + min(most, wanted)}"
        if not price:
            return "K"
        return "C" if strong or price <= 12 else "F"


def play(lines: "socket.SocketIO") -> None:
    """Answer every message until the end of the match."""
    now = Round(0)
    for line in iter(lines.readline, b""):
        over = False
        for clause in line.decode().split():
            if clause == "Q":
                return
            if re.match("P[01]", clause):
                now = Round(int(clause[1]))
            elif clause[0] == "D":
                over = True  # an answer is asked for at the end of a round, too
            elif clause[0] in "HBFCKR":
                now.hear(clause)
        lines.write(f"{'K' if over else now.answer()}\n".encode())
        lines.flush()


if __name__ == "__main__":
    with socket.create_connection(("localhost", int(sys.argv[-1]))) as connection:
        play(connection.makefile("rwb"))  # type: ignore[arg-type]  # a buffered pair, which has these methods
