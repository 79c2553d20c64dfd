"""What the 2003 Perl client is told: it lives, and its own books are the server's."""

import random
import sys
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cards import Deck
from poker_actors.rules import GAMES, Call, Check, Fold, Hand, Positions, RaiseTo, Stakes
from poker_actors.wire.opp import Op
from poker_actors.wire.opp.server.telling import Chunk, HandTelling, PerlProfile, Row, chunk

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

    def play(self, acts: str = "", positions: Positions | None = None) -> None:
        """Play one hand with whoever has chips: by `acts`, f, c and r, and then at random."""
        self.acts = list(acts)
        dealt = [seat for seat, stack in enumerate(self.stacks) if stack]
        self.button = dealt[(dealt.index(self.button) + 1) % len(dealt)] if self.button in dealt else dealt[0]
        hand = Hand(
            self.stacks, Stakes(self.bet // 2, self.bet), deck=Deck.seeded(self.luck.randrange(2**32)),
            button=self.button, game=GAMES["limit-holdem"], positions=positions,
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
        choice = self.acts.pop(0) if self.acts else self.luck.choice("fcccrrr")
        if choice == "f" and legal.to_call:
            hand.act(Fold())
        elif choice == "r" and legal.can_raise:
            hand.act(RaiseTo(legal.min_raise_to))
        else:
            hand.act(Call() if legal.to_call else Check())

    def say(self, seat: int, said: Chunk) -> None:
        client = self.clients.get(seat)
        if client is None:
            return
        for message in self.profiles[seat].put(said).messages:
            fields = [each for value in message.values for each in flat(value)]
            if message.op is Op.START_NEW_GAME:
                client.start([each % 2**32 if isinstance(each, int) else each for each in fields])
            elif message.op not in SKIPPED:
                client.book(client.game, int(message.op), fields)

    @property
    def books_are_right(self) -> bool:
        """Whether every client keeps, after a hand, what the table does."""
        said = dict(zip(NAMES, self.stacks, strict=False))
        return all(
            client.kept == {name: said[name] for name in client.kept} for client in self.clients.values()
        )

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
            assert table.books_are_right
        assert table.differing == 0


def test_with_credit_every_chip_is_kept_as_the_server_keeps_it(perl_client: Any) -> None:
    play(perl_client, 180)


def test_what_comes_before_its_first_hand_or_is_not_booked_is_told_as_it_is() -> None:
    profile = PerlProfile("a")
    early = chunk(Op.INFORMATION, "hello") + chunk(Op.FOLD, 0, 0) + chunk(Op.BLIND, 0, 5)
    assert profile.put(early) == early
    profile.put(chunk(Op.START_NEW_GAME, 10, 2, 0, 0, 1, (("a", 100, 0), ("b", 100, 0))))
    later = chunk(Op.CHATTER, "hello") + chunk(Op.HOLE_CARDS, 0, "Ah 5c") + chunk(Op.PING)
    assert profile.put(later) == later


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


def test_a_call_with_somebodys_last_chips_is_booked_in_full_until_the_next_hand(perl_client: Any) -> None:
    table = Table(perl_client, random.Random(1), 2, 10, [500, 15])
    table.button = 1
    table.play("rc")  # the second has 5 left for a call of 10
    assert not table.books_are_right
    table.stacks = [500, 500]
    table.play("cc")
    assert table.books_are_right


def test_a_small_blind_that_nobody_posts_is_booked_until_the_next_hand(perl_client: Any) -> None:
    table = Table(perl_client, random.Random(1), 3, 10, [500, 500, 500])
    dead = Positions(button=2, small_seat=3, big_blind=0, dealt=(0, 1, 2))
    table.stacks.append(0)
    table.button = 1
    table.play("ff", dead)
    assert not table.books_are_right
    table.stacks = [500, 500, 500, 0]
    table.play("ff")
    assert table.books_are_right


def test_the_small_blind_of_an_odd_bet_is_booked_half_a_chip_higher(perl_client: Any) -> None:
    table = Table(perl_client, random.Random(1), 2, 15, [500, 500])
    table.play("f")
    small, big = table.stacks
    assert {small, big} == {507, 493}
    assert all(set(client.kept.values()) == {507, 492.5} for client in table.clients.values())


@pytest.mark.heavy
@pytest.mark.parametrize(("seats", "even", "odd"), [(2, 4, 517), (6, 40, 483), (10, 73, 323)])
def test_how_often_its_books_differ_without_credit(perl_client: Any, seats: int, even: int, odd: int) -> None:
    """Hands in 1,000 at random, where who is out of chips brings 100 small bets, at even and at odd bets."""
    for bet, expected in ((10, even), (15, odd)):
        table = Table(perl_client, random.Random(seats), seats, bet, [0] * seats)
        table.clients = {0: table.clients[0]}
        differing = 0
        for _ in range(1_000):
            table.stacks = [chips or 100 * bet for chips in table.stacks]
            table.play()
            differing += not table.books_are_right
        assert differing == expected
