"""Any limit hand, told in OPP: who listens books it right and sees what the table sees."""

import random

from hypothesis import given
from hypothesis import strategies as st

from poker_actors.cards import Deck
from poker_actors.rules import GAMES, Call, Check, Fold, Hand, RaiseTo, Stakes
from poker_actors.wire.opp.guest import heard_public
from poker_actors.wire.opp.protocol.connection import Connection
from poker_actors.wire.opp.protocol.messages import Message, Op, Side, encode, message
from poker_actors.wire.opp.server.telling import Chunk, HandTelling, Row

NAMES = ("ann", "bob", "cy", "dee", "eve")


def client() -> Connection:
    connection = Connection(Side.CLIENT)
    connection.send(Op.JOIN_GAME, "ann", "pw", 1, "x")
    heard(connection, encode(message(Op.GOODPASS)))
    return connection


def heard(connection: Connection, data: bytes) -> list[Message]:
    connection.receive_data(data)
    messages = []
    while isinstance(event := connection.next_event(), Message):
        messages.append(event)
    return messages


def act(hand: Hand, luck: random.Random) -> None:
    legal = hand.legal
    choice = luck.choice("fcccrrr")
    if choice == "f" and legal.to_call:
        hand.act(Fold())
    elif choice == "r" and legal.can_raise:
        hand.act(RaiseTo(legal.min_raise_to))
    else:
        hand.act(Call() if legal.to_call else Check())


@given(
    stacks=st.lists(st.one_of(st.integers(0, 60), st.integers(100, 600)), min_size=2, max_size=5).filter(
        lambda stacks: sum(stack > 0 for stack in stacks) >= 2
    ),
    bet=st.integers(2, 20),
    seed=st.integers(0, 2**32),
    stride=st.integers(1, 3),
)
def test_a_listener_ends_with_everybodys_true_stack(
    stacks: list[int], bet: int, seed: int, stride: int
) -> None:
    """Side pots, short blinds and uncalled bets included; changes may come several at a time."""
    luck = random.Random(seed)
    dealt = [seat for seat, stack in enumerate(stacks) if stack]
    button = luck.choice(dealt)
    stakes = Stakes(bet // 2, bet)
    hand = Hand(stacks, stakes, deck=Deck.seeded(seed), button=button, game=GAMES["limit-holdem"])
    rows = [Row(NAMES[seat], stack, 0) if stack else None for seat, stack in enumerate(stacks)]
    telling = HandTelling(hand.public(), rows, 7)
    listeners = {seat: Listener(telling, hand, seat) for seat in dealt}
    for listener in listeners.values():
        listener.hear(telling.start(listener.seat) + telling.opening)
        listener.hear(telling.hole(listener.seat, hand.holes[listener.seat]))
    while True:
        public = hand.public()
        said = telling.advance(public) + telling.next(public)
        for listener in listeners.values():
            listener.hear(said)
        if hand.over:
            break
        for _ in range(stride):
            if not hand.over:
                act(hand, luck)
    for listener in listeners.values():
        state = listener.books.hand
        assert state is not None
        assert [state.bankroll(NAMES[seat]) for seat in dealt] == [hand.stacks[seat] for seat in dealt]
        assert sum(state.won) == state.pot


class Listener:
    """A client, and whether the hand it heard is the table's own view on each of its turns."""

    def __init__(self, telling: HandTelling, hand: Hand, seat: int) -> None:
        self.seat = seat
        self._who = telling.who(seat)
        self._hand = hand
        self._connection = client()
        self.books = self._connection.books

    def hear(self, said: Chunk) -> None:
        for heard_now in heard(self._connection, said.data):
            if heard_now.op is Op.START_NEW_GAME:
                assert self.books.position == self._who
            if heard_now.op is Op.NEXT_TO_ACT and heard_now.values[0] == self._who:
                self._compare(*heard_now.values[1:])

    def _compare(self, to_call: int, min_bet: int, max_bet: int) -> None:
        assert self.books.hand is not None
        mine = heard_public(self.books.hand, self._who, to_call)
        table = self._hand.public()
        assert mine is not None
        assert mine.legal(self._who).to_call == table.legal(self.seat).to_call == to_call
        raise_to = table.legal(self.seat).min_raise_to
        assert mine.legal(self._who).min_raise_to == raise_to
        assert min_bet == max_bet == (raise_to - table.bet if raise_to else -1)
        assert mine.board == table.board
        assert mine.pot == table.pot
        assert self.books.hand.hole(self._who) == self._hand.holes[self.seat]
        assert [stack for stack in table.stacks if stack] == [stack for stack in mine.stacks if stack]
