"""Players written for PyPokerEngine as bots: turns what a bot hears into its callbacks.

Source of the formats: AI_CALLBACK_FORMAT.md and the message builder of PyPokerEngine 1.0.1. Nothing of that package is
imported: a player is any class with its methods.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from poker_actors.bots.deciding import OutsideBot
from poker_actors.bots.faults import BotFault
from poker_actors.bots.hearing import HandEnd, HandStart
from poker_actors.cards import Card
from poker_actors.errors import BadSpec
from poker_actors.evaluator import category, evaluate
from poker_actors.rules import (
    Action,
    Bet,
    Call,
    Check,
    Fold,
    PublicState,
    RaiseTo,
    Stakes,
    Taken,
    View,
    layer_pots,
)

_STREETS: Final = ("preflop", "flop", "turn", "river")
_BOARDS: Final = {"flop": 3, "turn": 4, "river": 5}
_STRENGTHS: Final = (
    "HIGHCARD",
    "ONEPAIR",
    "TWOPAIR",
    "THREECARD",
    "STRAIGHT",
    "FLASH",
    "FULLHOUSE",
    "FOURCARD",
    "STRAIGHTFLASH",
)
"""Its words for the categories of hands, weakest first; FLASH is a flush. A royal flush is a straight flush."""


class PyPokerEngineBot(OutsideBot):
    """A bot that asks a player of PyPokerEngine; a subclass names it as `player`, a class called without arguments.

    It plays no-limit hold'em, as that engine does. Answers are not repaired: a wrong amount, for which the engine would
    fold, is an illegal action. At a showdown the player hears the hands that were shown.
    """

    player: ClassVar[type[Any]]
    hears = True

    def __init__(self) -> None:
        super().__init__()
        self._player: Any = self.player()
        self._round: _Round | None = None
        self._begun = False

    @classmethod
    def check_match(cls, game: str, stakes: Stakes, stacks: Sequence[int]) -> None:
        """Raise `BadSpec` for any game but no-limit hold'em."""
        if game != "holdem":
            raise BadSpec(f"players of PyPokerEngine play holdem only, not {game}")

    def hand_started(self, start: HandStart) -> None:
        """Tell the player that a round starts and, the first time, that the game does."""
        now = self._round = _Round(start)
        if not self._begun:
            self._begun = True
            set_uuid = getattr(self._player, "set_uuid", None)
            if set_uuid is not None:
                set_uuid(now.uuids[start.seat])
            self._player.receive_game_start_message(now.game_info())
        self._player.receive_round_start_message(now.count, _cards(start.hole), now.seats())
        self._player.receive_street_start_message("preflop", now.state())

    def __call__(self, view: View) -> Action:
        """Ask the player; raises `BotFault` for what is not an answer, and whatever the player raises."""
        now = self._round
        if now is None:
            raise BotFault(
                "died", "it was not told that a hand began: it plays only where bots hear of hands"
            )
        self._catch_up(now, view.public)
        now.turn = view.seat
        answer = self._player.declare_action(now.valid_actions(view), _cards(view.hole), now.state())
        try:
            name, amount = answer
        except (TypeError, ValueError):
            raise BotFault(
                "nonsense", f"declared {answer!r:.60}, which is not an action and amount"
            ) from None
        return _declared(name, amount, now, view)

    def hand_over(self, end: HandEnd) -> None:
        """Tell the player the rest of the round, and its result."""
        now, self._round = self._round, None
        if now is None:
            return
        self._catch_up(now, end.public)
        for street in now.streets_left(end.board) if end.shown else ():
            now.open(street, end.board)
            self._player.receive_street_start_message(street, now.state())
        now.end(end)
        won = [seat for seat in now.playing() if end.payoffs[seat] > 0] or now.playing()
        winners = [each for seat, each in enumerate(now.seats()) if seat in won]
        info = [
            {"uuid": now.uuids[seat], "hand": _hand_info(hole, end.board)}
            for seat, hole in sorted(end.shown.items())
        ]
        self._player.receive_round_result_message(winners, info, now.state())

    def _catch_up(self, now: _Round, public: PublicState) -> None:
        """Tell the player of every action since it was last told, and of the streets between them."""
        for taken in public.actions[now.heard :]:
            self._open(now, taken.street, public.board)
            action = now.take(taken)
            self._player.receive_game_update_message(action, now.state())
        if public.phase in _BOARDS and not now.settled():
            self._open(now, public.phase, public.board)

    def _open(self, now: _Round, street: str, board: Sequence[Card]) -> None:
        if street != now.street:
            now.open(street, board)
            self._player.receive_street_start_message(street, now.state())


class _Round:
    """A round as the engine would keep it: what everybody has behind and in front, and every action."""

    def __init__(self, start: HandStart) -> None:
        setup = start.public.setup
        self.count = start.number + 1
        self.heard = 0
        self.street = "preflop"
        self.turn: int = start.public.active or 0
        self.names = [str(seat if name is None else name) for seat, name in enumerate(start.names)]
        self.uuids = [f"uuid-{name}" for name in self.names]
        self._setup = setup
        self._put_in = list(setup.forced)
        self._behind = [stack - forced for stack, forced in zip(setup.stacks, setup.forced, strict=True)]
        self._front = list(setup.front)
        self._folded: set[int] = set()
        self._board: tuple[Card, ...] = ()
        self._histories: dict[str, list[dict[str, Any]]] = {"preflop": self._blinds()}

    def _blinds(self) -> list[dict[str, Any]]:
        setup, rows = self._setup, []
        small = setup.stakes.small_blind
        for seat, front in enumerate(setup.front):
            if setup.forced[seat] > front:
                rows.append(
                    {"action": "ANTE", "amount": setup.forced[seat] - front, "uuid": self.uuids[seat]}
                )
        for blind, word in ((setup.small_blind, "SMALLBLIND"), (setup.big_blind, "BIGBLIND")):
            if blind is not None:
                amount = setup.front[blind]
                rows.append(
                    {"action": word, "amount": amount, "add_amount": small, "uuid": self.uuids[blind]}
                )
        return rows

    def game_info(self) -> dict[str, Any]:
        """Return what the engine says of the game; here it has no end, and its blinds do not rise."""
        stakes = self._setup.stakes
        rule = {
            "initial_stack": max(self._setup.stacks),
            "max_round": 0,
            "small_blind_amount": stakes.small_blind,
            "ante": stakes.ante,
            "blind_structure": {},
        }
        return {"player_num": len(self.names), "rule": rule, "seats": self.seats()}

    def seats(self) -> list[dict[str, Any]]:
        """Return the players, with chips behind."""
        return [
            {
                "name": self.names[seat],
                "uuid": self.uuids[seat],
                "stack": self._behind[seat],
                "state": self._state(seat),
            }
            for seat in range(len(self.names))
        ]

    def _state(self, seat: int) -> str:
        if seat in self._folded or not self._setup.stacks[seat]:
            return "folded"
        return "participating" if self._behind[seat] else "allin"

    def playing(self) -> list[int]:
        """Return the seats that have not folded."""
        return [seat for seat in range(len(self.names)) if self._state(seat) != "folded"]

    def settled(self) -> bool:
        """Whether nobody is left to act: at most one player who has not folded has chips behind."""
        return sum([1 for seat in self.playing() if self._behind[seat]]) <= 1

    def state(self) -> dict[str, Any]:
        """Return the round's state, as every callback gets it."""
        live = self.playing()
        main, *side = layer_pots(self._put_in, live, [seat for seat in live if not self._behind[seat]])
        return {
            "street": self.street,
            "pot": {
                "main": {"amount": main.amount},
                "side": [
                    {"amount": pot.amount, "eligibles": [self.uuids[seat] for seat in pot.seats]}
                    for pot in side
                ],
            },
            "community_card": _cards(self._board),
            "dealer_btn": self._setup.button,
            "next_player": self.turn,
            "small_blind_pos": self._setup.small_blind,
            "big_blind_pos": self._setup.big_blind,
            "round_count": self.count,
            "small_blind_amount": self._setup.stakes.small_blind,
            "seats": self.seats(),
            "action_histories": {
                street: [dict(row) for row in rows] for street, rows in self._histories.items()
            },
        }

    def open(self, street: str, board: Sequence[Card]) -> None:
        """Begin a street."""
        self.street = street
        self._board = tuple(board[: _BOARDS[street]])
        self._front = [0] * len(self.names)
        self._histories[street] = []
        acting = [seat for seat in self.playing() if self._behind[seat]] or self.playing()
        after = self._setup.button + 1
        self.turn = min(acting, key=lambda seat: (seat - after) % len(self.names))

    def streets_left(self, board: Sequence[Card]) -> list[str]:
        """Return the streets that were dealt with nobody left to act."""
        return [each for each in _STREETS[_STREETS.index(self.street) + 1 :] if len(board) >= _BOARDS[each]]

    def agreed(self) -> int:
        """Return the total in front after a call, in chips of this street."""
        return max(self._front)

    def valid_actions(self, view: View) -> list[dict[str, Any]]:
        """Return the three actions with their amounts; -1 where no raise is allowed."""
        bounds = {"min": view.min_raise_to, "max": view.max_raise_to}
        raises = bounds if view.legal.can_raise else {"min": -1, "max": -1}
        return [
            {"action": "fold", "amount": 0},
            {"action": "call", "amount": self.agreed()},
            {"action": "raise", "amount": raises},
        ]

    def take(self, taken: Taken) -> dict[str, Any]:
        """Follow an action, and return it as the engine tells it."""
        seat, uuid = taken.seat, self.uuids[taken.seat]
        self.heard += 1
        self.turn = seat
        total = self._front[seat]
        row: dict[str, Any]
        match taken.action:
            case Fold():
                self._folded.add(seat)
                name, row = "fold", {"action": "FOLD"}
            case Bet(total) | RaiseTo(total):
                name, row = "raise", {"action": "RAISE", "amount": total, "add_amount": total - self.agreed()}
            case _:
                total = min(self.agreed(), self._front[seat] + self._behind[seat])
                name, row = "call", {"action": "CALL", "amount": total}
        paid = total - self._front[seat]
        if name != "fold":
            row["paid"] = paid
        self._front[seat] = total
        self._behind[seat] -= paid
        self._put_in[seat] += paid
        self._histories[self.street].append({**row, "uuid": uuid})
        return {"player_uuid": uuid, "action": name, "amount": 0 if name == "fold" else total}

    def end(self, end: HandEnd) -> None:
        """Pay out; the street becomes the showdown, even if nobody had to show, as in the engine."""
        self.street = "showdown"
        self._behind = list(end.final_stacks)


def _declared(name: object, amount: object, now: _Round, view: View) -> Action:
    """Return the action of a player's answer; raises `BotFault` where the engine would fold for it."""
    if name == "fold":
        return Fold()
    if name == "call":
        if amount != now.agreed() and not (
            isinstance(amount, int) and amount >= view.stack + view.bets[view.seat]
        ):
            raise BotFault("illegal", f"call {amount!r:.20}: a call must be {now.agreed()}")
        return Call() if view.to_call else Check()
    if name == "raise" and type(amount) is int:
        return Bet(amount) if view.legal.opening else RaiseTo(amount)
    raise BotFault(
        "nonsense",
        f"declared {name!r:.20} {amount!r:.20}: it must be fold, call or raise, with a whole number",
    )


def _cards(cards: Iterable[Card]) -> list[str]:
    """Return cards as it writes them, such as SA for the ace of spades."""
    return [f"{str(card)[1].upper()}{str(card)[0]}" for card in cards]


def _hand_info(hole: Sequence[Card], board: Sequence[Card]) -> dict[str, dict[str, Any]]:
    """Return a shown hand as it is told: its kind, and the ranks that name it, 2 to 14, 0 for none."""
    cards = (*hole, *board)
    kind = category(evaluate(cards))
    low, high = sorted([_rank(card) for card in hole])
    counts = Counter(map(_rank, cards))
    most = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    named = {
        0: (high, low),
        2: (most[0], most[1]),
        4: (_straight(counts), 0),
        5: (_flush(cards), 0),
        6: (most[0], max((rank for rank in counts if counts[rank] > 1 and rank != most[0]), default=0)),
        8: (_straight(Counter(map(_rank, _suited(cards)))), 0),
    }.get(int(kind), (most[0], 0))
    hand = {"strength": _STRENGTHS[int(kind)], "high": named[0], "low": named[1]}
    return {"hand": hand, "hole": {"high": high, "low": low}}


def _rank(card: Card) -> int:
    return "23456789TJQKA".index(str(card)[0]) + 2


def _suited(cards: Sequence[Card]) -> list[Card]:
    """Return the cards of the most frequent suit."""
    suit, _ = Counter([str(card)[1] for card in cards]).most_common(1)[0]
    return [card for card in cards if str(card)[1] == suit]


def _flush(cards: Sequence[Card]) -> int:
    return max(map(_rank, _suited(cards)))


def _straight(ranks: Iterable[int]) -> int:
    """Return the lowest rank of the highest straight, by which that engine names it; 1 for a wheel, unknown to it."""
    there = {*ranks, *({1} if 14 in ranks else ())}
    return max((low for low in range(1, 11) if there.issuperset(range(low, low + 5))), default=0)
