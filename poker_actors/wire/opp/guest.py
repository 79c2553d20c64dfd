"""Play over a client: a Room's player actor as a guest of the server, or a person at a terminal, as in the article."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from poker_actors.actors import Player
from poker_actors.cards import STANDARD_DECK, Deck
from poker_actors.errors import PokerError, RoomClosed, printable
from poker_actors.rules import GAMES, Action, Call, Check, Fold, Hand, Positions, PublicState, RaiseTo, Stakes
from poker_actors.wire.guest import PlayerGuest
from poker_actors.wire.opp.client import OppClient
from poker_actors.wire.opp.protocol.hand import SHOWDOWN, HoldemState
from poker_actors.wire.opp.protocol.messages import ActionCode, Message, Op

GAME: Final = GAMES["limit-holdem"]
CREDIT_BETS: Final = 1_000
"""Small bets in the stack that stands for unlimited credit; a hand costs at most 24."""

_SILENT: Final = frozenset({Op.FOLD, Op.CALL, Op.RAISE, Op.BLIND, Op.NEXT_TO_ACT, Op.SET_FACE, Op.GET_GRAPH})
"""Not shown: the server also says these in words, or they change nothing visible."""
_MOVES: Final = {
    "f": ActionCode.FOLD,
    "c": ActionCode.CALL,
    "k": ActionCode.CALL,
    "b": ActionCode.RAISE,
    "r": ActionCode.RAISE,
}
_SENT: Final = {Fold: ActionCode.FOLD, Check: ActionCode.CALL, Call: ActionCode.CALL}


class Guest(PlayerGuest):
    """Plays for `player` over `client`, which has joined.

    On each turn the player actor gets the `HandState` that one of our own hands would send; its action
    goes to the server. On a `StepRuntime` the guest steps the room until the player has decided.
    """

    def __init__(self, player: Player, client: OppClient) -> None:
        super().__init__(player)
        self.client: Final = client
        self.misunderstood = 0
        """turns on which our rules and the server disagreed, and the seat checked or folded"""
        self._counted = client.books.hands

    def play(self, hands: int | None = None) -> None:
        """Play until the server closes, or quit at the end of the last of `hands` hands dealt in."""

        def status(client: OppClient, message: Message) -> None:
            self.hear(message)
            if message.op is Op.WINNERS and hands is not None and self.hands >= hands:
                client.quit()

        self.client.playgame(self.decide, status)

    def hear(self, message: Message) -> None:
        """Follow one message of the session, which the client has already recorded."""
        if message.op in (Op.NEXT_TO_ACT, Op.WINNERS):
            self._tell_of_others()
        if message.op is not Op.START_NEW_GAME:
            return
        books = self.client.books
        new, self._counted = books.hands > self._counted, books.hands
        # A hand that is announced again after a reconnection keeps its number: it is the same hand.
        number = self.hands if new or not self.hands else self.hands - 1
        self.begin(f"{self.client.host}:{self.client.port}", number, books.game_id)
        self.hands += new and books.position >= 0

    def _tell_of_others(self) -> None:
        """Tell a player whose bot listens that a hand has begun with another player's turn, or how it ended."""
        hand = self.client.books.hand
        assert hand is not None, "its messages are refused before it has begun"
        if not self.player.hears or len(hand.own) != 2:
            return
        if hand.street == SHOWDOWN:
            public = heard_end(hand)
        elif hand.next_seat != hand.position and hand.posted:
            public = heard_public(hand, hand.next_seat)
        else:
            return  # its own turn: `decide` asks
        if public is not None:
            self.tell(public, hand.position, hand.own, hand.players)

    def decide(self, client: OppClient, to_call: int, min_bet: int, max_bet: int) -> ActionCode | None:
        """Ask the player, whose action is sent by `acted`; return a move only if the player cannot be asked."""
        hand = client.books.hand
        assert hand is not None, "a turn is one of a hand"
        if not hand.posted or len(hand.own) != 2:
            return ActionCode.CALL  # some servers ask for the blind: paying it is no decision
        public = heard_public(hand, hand.position, to_call)
        if public is None:
            self.misunderstood += 1
            return ActionCode.FOLD if to_call > 0 else ActionCode.CALL
        self.ask(public, hand.position, hand.own, hand.players)
        return None

    def acted(self, action: Action) -> None:
        """Send the move to the server; a bet or raise of any size is a RAISE."""
        move = _SENT.get(type(action), ActionCode.RAISE)
        # If the server has gone meanwhile, the reading side notices; if the client was closed, nothing is left to send.
        with suppress(ConnectionError, RoomClosed):
            self.client.act(move)


def heard_public(hand: HoldemState, who: int, to_call: int | None = None) -> PublicState | None:
    """Replay the server's hand by our rules; None unless they agree that `who` is to act, with `to_call` if given.

    The rules are ours, but the facts are the server's. Other players' cards are stand-ins that are never
    shown. A server on credit is recognised when players bet more than their bankrolls.
    """
    for _, public in _played(hand):
        if public.active == who and to_call in (None, public.to_call(who)):
            return public
    return None


def heard_end(hand: HoldemState) -> PublicState | None:
    """Return the state of a finished hand; None unless our rules agree that it is finished.

    Shows and payments are the server's, whatever our rules make of the stand-ins for unknown cards.
    """
    for stacks, public in _played(hand):
        final = [
            stack - int(paid) + int(won) for stack, paid, won in zip(stacks, hand.paid, hand.won, strict=True)
        ]
        if public.over and min(final) >= 0 and sum(final) <= sum(stacks):
            dealt = public.dealt._replace(shown=tuple(hand.shown.items()))
            return public._replace(dealt=dealt, chips_behind=tuple(final))
    return None


def possible_stacks(hand: HoldemState) -> tuple[list[int], list[int]]:
    """Return the stacks to try for a hand: the bankrolls, then a stand-in for credit."""
    credit = [hand.bet_size * CREDIT_BETS] * len(hand.players)
    return [int(chips) for chips in hand.bankrolls], credit


def _played(hand: HoldemState) -> Iterator[tuple[Sequence[int], PublicState]]:
    """Yield each set of stacks that may have played a hand, with the hand by our rules, if the board agrees."""
    for stacks in possible_stacks(hand):
        with suppress(PokerError):  # these stacks cannot have played this hand: try the others
            public = _play(hand, stacks)
            if public.board == hand.board:
                yield stacks, public


def _play(heard: HoldemState, stacks: Sequence[int]) -> PublicState:
    positions, stakes = _opening(heard)
    rest = iter([card for card in STANDARD_DECK if card not in {*heard.own, *heard.board}])
    holes = [heard.own if seat == heard.position else (next(rest), next(rest)) for seat in positions.dealt]
    hand = Hand(
        stacks,
        stakes,
        deck=Deck.stacked(holes, heard.board),
        button=heard.button_seat,
        game=GAME,
        positions=positions,
    )
    for step in heard.steps:
        if step.op is Op.NEW_STAGE:
            continue
        if not hand.to_act or hand.to_act[0] != step.seat:
            break
        if step.op is Op.FOLD:
            hand.act(Fold())
        elif step.op is Op.RAISE:
            hand.act(RaiseTo(hand.bets[step.seat] + step.amount))
        else:
            hand.act(Call() if hand.legal.to_call else Check())
    return hand.public()


def _opening(heard: HoldemState) -> tuple[Positions, Stakes]:
    """Return positions and stakes; the big blind is the later one, or a larger one unless stacks were short."""
    size = len(heard.players)
    big, most = heard.posted[-1]
    for who, amount in heard.posted:
        if amount > most and most < heard.bankrolls[big]:
            big, most = who, amount
    # A dead small blind belongs to a seat that is not there.
    small, paid = next((blind for blind in heard.posted if blind[0] != big), (size, 0))
    if small == size or paid >= heard.bankrolls[small]:
        paid = heard.bet_size // 2  # nobody paid, or paid only their last chips: take the usual half
    positions = Positions(heard.button_seat, small, big, tuple(range(size)))
    return positions, Stakes(paid, heard.bet_size)


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
            self._write(f"{word[:20]!r} must be f, c, b or r")

    def status(self, client: OppClient, message: Message) -> None:
        """Show a message: talk as text, any other change as the table."""
        op = message.op
        if op in (Op.CHATTER, Op.INFORMATION):
            self._write(printable(message.values[0], ""))
        elif op is Op.START_NEW_GAME:
            watching = "" if client.books.position >= 0 else " (you watch)"
            self._write(f"\n--- hand {client.books.game_id}{watching} ---")
        elif op is Op.HOLE_CARDS and message.values[0] != client.books.position:
            state = client.state
            assert state is not None, "a shown hand comes after its game has begun"
            self._write(printable(f"{state.players[message.values[0]]} shows {message.values[1]}", ""))
        elif op not in _SILENT:
            self._write("\n---")
            self._show(client)
            self._write("---")

    def _show(self, client: OppClient) -> None:
        state = client.state
        assert state is not None, "only talk is shown before the first hand"
        self._write(printable(state.status()).rstrip("\n"))
        if state.position >= 0:
            self._write("Hole cards: " + " ".join(map(str, state.own)))
        self._write("Board cards: " + " ".join(map(str, state.board)))
