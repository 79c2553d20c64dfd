"""What the 2003 Perl client is told: it lives, and its own books are the server's."""

import random
import sys
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cards import Deck
from poker_actors.rules import GAMES, Call, Check, Fold, Hand, RaiseTo, Stakes
from poker_actors.wire.opp import Op
from poker_actors.wire.opp.server.perl import PerlProfile
from poker_actors.wire.opp.server.telling import Chunk, HandTelling, Row

EXAMPLES = Path(__file__).parents[3] / "examples"
NAMES = tuple("abcdefghij")
SKIPPED = {Op.INFORMATION, Op.HOLE_CARDS}


@pytest.fixture
def perl_client(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The program of the examples: what it books is written down there, apart from the profile."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    module = __import__("perl_client")
    yield module
    sys.modules.pop("perl_client")


def books(module: Any, user: str) -> Any:
    """A client without a socket."""
    made = module.PerlClient.__new__(module.PerlClient)
    made.user, made.luck, made.game, made.kept = user, random.Random(0), None, {}
    made.hands = made.asked = made.differing = 0
    made.send = lambda *_: None
    return made


class Table:
    """Hands played at random, told to a Perl client in every seat."""

    def __init__(self, module: Any, luck: random.Random, size: int, bet: int, stacks: list[int]) -> None:
        self.luck = luck
        self.bet = bet
        self.stacks = stacks
        self.clients = {seat: books(module, NAMES[seat]) for seat in range(size)}
        self.profiles = {seat: PerlProfile(NAMES[seat]) for seat in range(size)}
        self.button = 0

    def play(self) -> None:
        """Play one hand with whoever has chips, and compare the books after it."""
        dealt = [seat for seat, stack in enumerate(self.stacks) if stack]
        self.button = dealt[(dealt.index(self.button) + 1) % len(dealt)] if self.button in dealt else dealt[0]
        hand = Hand(
            self.stacks, Stakes(self.bet // 2, self.bet), deck=Deck.seeded(self.luck.randrange(2**32)),
            button=self.button, game=GAMES["limit-holdem"],
        )  # fmt: skip
        rows = [Row(NAMES[seat], chips, 0) if chips else None for seat, chips in enumerate(self.stacks)]
        telling = HandTelling(hand.public(), rows, 1)
        for seat in dealt:
            self.say(seat, telling.start(seat) + telling.opening)
        while True:
            said = telling.advance(hand.public()) + telling.next(hand.public())
            for seat in dealt:
                self.say(seat, said)
            if hand.over:
                break
            self.act(hand)
        self.stacks = list(hand.stacks)

    def act(self, hand: Hand) -> None:
        legal = hand.legal
        choice = self.luck.choice("fcccrrr")
        if choice == "f" and legal.to_call:
            hand.act(Fold())
        elif choice == "r" and legal.can_raise:
            hand.act(RaiseTo(legal.min_raise_to))
        else:
            hand.act(Call() if legal.to_call else Check())

    def say(self, seat: int, said: Chunk) -> None:
        client = self.clients[seat]
        for message in self.profiles[seat].put(said).messages:
            fields = [each for value in message.values for each in flat(value)]
            if message.op is Op.START_NEW_GAME:
                client.start([each % 2**32 if isinstance(each, int) else each for each in fields])
            elif message.op not in SKIPPED:
                client.book(client.game, int(message.op), fields)

    @property
    def differing(self) -> int:
        return sum(client.differing for client in self.clients.values())


def flat(value: Any) -> list[Any]:
    return [each for row in value for each in row] if isinstance(value, tuple) else [value]


def play(module: Any, hands: int) -> None:
    luck = random.Random(hands)
    for size in range(2, 11):
        table = Table(module, luck, size, 10, [])
        for _ in range(hands // 9 + 1):
            table.stacks = [240 + luck.randrange(500) for _ in range(size)]
            for client in table.clients.values():
                client.kept = {}
            table.play()
            for client in table.clients.values():
                said = dict(zip(NAMES, table.stacks, strict=False))
                assert client.kept == {name: said[name] for name in client.kept}
        assert table.differing == 0


def test_with_credit_every_chip_is_kept_as_the_server_keeps_it(perl_client: Any) -> None:
    play(perl_client, 400)


@pytest.mark.heavy
def test_ten_thousand_hands_are_lived_through(perl_client: Any) -> None:
    play(perl_client, 10_000)


@pytest.mark.parametrize("bet", [2, 5, 10, 15])
def test_without_credit_it_lives_and_its_books_are_right_but_after_short_calls(
    perl_client: Any, bet: int
) -> None:
    luck = random.Random(bet)
    for size in range(2, 11):
        table = Table(perl_client, luck, size, bet, [luck.randrange(1, 30 * bet) for _ in range(size)])
        while sum(stack > 0 for stack in table.stacks) > 1:
            table.play()  # to the last chip: nobody dies
