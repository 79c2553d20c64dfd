"""The hands the kit plays: one game of two seats, the client's and a scripted opponent's."""

from __future__ import annotations

from typing import Any, Final

import attrs

from poker_actors.cards import Card, Deck
from poker_actors.rules import Action, Call, Check, Fold, Hand, RaiseTo, Stakes

GAME_ID: Final = "fbbbbb44-bc4f-c3f6-6519-d81bd1a66d8a"
CLIENT: Final = "2fd318e4-0947-64b9-8b63-14f5a5824b8b"
OPPONENT: Final = "0dd7d693-06f9-b5ba-694d-f8779579fa8a"
_STAKES: Final = Stakes(10, 20)
_WEALTH: Final = 10_000
_ME, _OTHER = 0, 1
_SEED: Final = 23


@attrs.frozen
class Scene:
    """One hand: the button, the opponent's actions in turn, and how long it lets the client wait."""

    about: str
    button: int
    plan: tuple[str, ...]
    """the opponent's actions: `call` (or check), `raise`, `all-in`; after the last, it calls"""
    waits: int = 0
    """number of polls by the client each time the opponent thinks"""


SCENES: Final = (
    Scene("the small blind acts first", _ME, ()),
    Scene("the big blind may check, and acts first after the flop", _OTHER, ("call",)),
    Scene(
        "the opponent thinks: whoever acts meanwhile acts out of turn", _OTHER, ("call", "call", "call"), 5
    ),
    Scene("the opponent raises on every street", _OTHER, ("raise", "raise", "raise", "raise")),
    Scene("the opponent raises a raise", _ME, ("raise", "raise")),
    Scene("the opponent bets all it has: a call may be everything that is left", _OTHER, ("all-in",)),
)


class ScriptedGame:
    """The game as the contract shows it, and the rules of the hand behind it."""

    def __init__(self, scenes: tuple[Scene, ...] = SCENES) -> None:
        self._scenes = scenes
        self.number = -1
        """of the scene being played"""
        self.seated = False
        self.over = False
        """whether the script is at its end, or the client has no chips or has left"""
        self._stacks = [_WEALTH, _WEALTH]
        self._hand: Hand | None = None
        self._waiting = 0
        self._plan: list[str] = []
        self._shown_end = False

    @property
    def scene(self) -> Scene | None:
        """The scene in progress; None before the first and after the last."""
        return self._scenes[self.number] if 0 <= self.number < len(self._scenes) else None

    @property
    def hand(self) -> Hand | None:
        """The hand, while it is being played."""
        return self._hand if self._hand is not None and not self._hand.over else None

    @property
    def turn(self) -> bool:
        """Whether it is the client's turn."""
        return self.hand is not None and self.hand.to_act[0] == _ME

    def end(self) -> None:
        """Let the client leave."""
        self.over, self.seated = True, False

    def move_on(self) -> None:
        """Advance on a poll by the client: let the opponent act, or begin the next hand."""
        if not self.seated or self.over:
            return
        if self._hand is None or (self._hand.over and self._shown_end):
            self._begin()
        elif self._hand.over:
            self._shown_end = True
        elif not self.turn:
            self._waiting -= 1
            if self._waiting < 0:
                self._let_opponent_act()

    def put(self, amount: int | None) -> None:
        """Put chips in for the client, a valid number; None folds."""
        hand = self.hand
        assert hand is not None
        if amount is None:
            action: Action = Fold()
        elif amount <= hand.legal.to_call or not hand.legal.can_raise:
            # a bet above an all-in that nobody can raise is valid, and is a call
            action = Call() if hand.legal.to_call else Check()
        else:
            action = RaiseTo(hand.bets[_ME] + amount)
        hand.act(action)
        self._wait()

    def _stacks_now(self) -> list[int]:
        return self._stacks if self._hand is None else list(self._hand.stacks)

    def _begin(self) -> None:
        if self._hand is not None:
            self._stacks = list(self._hand.stacks)
        self.number += 1
        scene = self.scene
        if scene is None or min(self._stacks) < _STAKES.big_blind:
            self.end()
            return
        deck = Deck.seeded(_SEED + self.number)
        self._hand = Hand(self._stacks, _STAKES, deck=deck, button=scene.button)
        self._plan = list(scene.plan)
        self._shown_end = False
        self._wait()

    def _wait(self) -> None:
        scene = self.scene
        self._waiting = scene.waits if scene is not None else 0

    def _let_opponent_act(self) -> None:
        hand = self.hand
        assert hand is not None
        legal = hand.legal
        wish = self._plan.pop(0) if self._plan else "call"
        if wish != "call" and legal.can_raise:
            hand.act(RaiseTo(legal.max_raise_to if wish == "all-in" else legal.min_raise_to))
        else:
            hand.act(Call() if legal.to_call else Check())
        self._wait()

    # -- as the contract shows it ------------------------------------------------------------

    def shown(self, *, hole: bool, expiry: str) -> dict[str, Any]:
        """Return the Game of the contract, with the client's cards only if it may see them."""
        hand = self._hand
        board = () if hand is None else hand.board
        cards = {"flop": _texts(board[:3]), "turn": _texts(board[3:4]), "river": _texts(board[4:5])}
        mine = _texts(hand.holes[_ME]) if hand is not None and hole and self.seated else None
        return {
            "gameID": GAME_ID,
            "table": [self._player(seat) for seat in (_ME, _OTHER) if seat or self.seated],
            "turn": self._turn(expiry),
            "cards": {"hole": mine, **cards},
            "pots": self._pots(),
        }

    def _player(self, seat: int) -> dict[str, Any]:
        hand = self._hand
        state = "active"
        if hand is not None:
            state = "folded" if seat not in hand.live else "active" if seat in hand.to_act else "called"
        small = hand is not None and hand.button == seat
        return {
            "playerID": (CLIENT, OPPONENT)[seat],
            "handle": ("", "script")[seat],
            "state": state,
            "wealth": self._stacks_now()[seat],
            "bet_so_far": 0 if hand is None else hand.bets[seat],
            "small_blind": small,
        }

    def _turn(self, expiry: str) -> dict[str, Any]:
        hand = self.hand
        if hand is None:
            return {"playerID": "", "bet_so_far": 0, "bet_to_player": 0, "minimum_raise": 0, "expiry": expiry}
        seat = hand.to_act[0]
        return {
            "playerID": (CLIENT, OPPONENT)[seat],
            "bet_so_far": hand.bets[seat],
            "bet_to_player": max(hand.bets),
            "minimum_raise": least_raise(hand),
            "expiry": expiry,
        }

    def _pots(self) -> list[dict[str, Any]] | None:
        if self.hand is None:
            return None
        size = 2 * _WEALTH - sum(self._stacks_now())
        return [{"size": size, "players": [CLIENT, OPPONENT]}]


def least_raise(hand: Hand) -> int:
    """Return the least amount by which the bet may be raised, by the contract."""
    legal = hand.legal
    return legal.min_raise_to - max(hand.bets) if legal.can_raise else _STAKES.big_blind


def _texts(cards: tuple[Card, ...] | list[Card]) -> list[str] | None:
    return sorted(str(card).upper() for card in cards) or None
