"""`LearningTable` compiled: the same hands, observations, masks and rewards, several times faster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poker_actors.cards import Deck
from poker_actors.learn.compiled import row
from poker_actors.learn.compiled.batch import ILLEGAL_BIT, SEAT_BITS, act_one, begin_one, see_one
from poker_actors.learn.compiled.desk import Desk, log_size
from poker_actors.learn.table import Series, Setting
from poker_actors.rules import Hand, log

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SEATS: Final = 1 << SEAT_BITS


class CompiledTable(Series):
    """A `LearningTable` in compiled code, for settings that `Setting.compiles` accepts."""

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting: Final = setting
        self.illegal: Final = [0] * setting.players
        self.active: int = -1
        """The seat to act; -1 when the hand is over."""
        size = setting.players
        # room for every action: `hand` replays the log
        desk = Desk(setting, 1, log_size(setting))
        self._desk = desk
        self._numbers = desk.numbers
        self._state: Final = desk.rows[0]
        at = 8 * row.CARDS
        self._dealt = setting.game.cards_needed(size, len(setting.game.pack))
        self._cards = self._state.view(np.uint8)[at : at + self._dealt]
        self._row = np.zeros(setting.layout.size, np.float32)
        desk.show(setting, row.SEES_LAYOUT, self._row)
        self._looking = -1
        self._continuous = setting.sizes is None
        self._bits = 0
        self._none = [0] * size
        self._given: Deck | None = None

    def seed(self, seed: int | None) -> None:
        """Start the series of hands of `seed`; with None, continue, or draw a seed before the first hand."""
        before = self.tree
        super().seed(seed)
        if self.tree is not before and self.tree is not None:
            self._desk.seed(0, self.tree.key)

    def begin(self, deck: Deck | None = None) -> None:
        """Deal the next hand, from `deck` if given."""
        assert self.tree is not None, "seed the table before it deals"
        self.number += 1
        self._given = None
        if deck is not None:
            self._given = deck.copy()
            self._cards[:] = deck.draw(self._dealt)
        self.illegal[:] = self._none
        self._heard(begin_one(self._numbers, self.number, deck is not None))

    def act(self, action: Any) -> None:
        """Take the turn of the seat to act; an illegal action checks if possible, else folds, and is counted."""
        asked = 0.0
        if self._continuous and hasattr(action, "__len__"):
            asked = float(action[1]) * self.setting.stakes.big_blind
            action = action[0]
        seat = self.active
        answer = act_one(self._numbers, int(action), asked)
        # the answer plus the bit, or -1 minus the bit when the hand is over: the sign tells which
        if answer >= ILLEGAL_BIT or answer <= -ILLEGAL_BIT:
            self.illegal[seat] += 1
            answer += -ILLEGAL_BIT if answer > 0 else ILLEGAL_BIT
        self._heard(answer)

    def _heard(self, answer: int) -> None:
        if answer >= 0:
            self._bits, self.active = divmod(answer, _SEATS)
            self._looking = self.active
            return
        self.active = self._looking = -1
        self._bits = 0

    @property
    def hand(self) -> Hand:
        """Return the hand as a `rules.Hand`, replayed from its log."""
        setting, state = self.setting, self._state
        assert self.tree is not None, "seed the table before it deals"
        given = self._given
        hand = Hand(
            setting.stacks,
            setting.stakes,
            deck=self.tree.deck(self.number, setting.game.pack) if given is None else given.copy(),
            button=self.number % setting.players,
            game=setting.game,
        )
        start = int(self._numbers[row.LOG_AT])
        for entry in state[start : start + state[row.LOGGED]].tolist():
            hand.act(log.action_of(entry))
        return hand

    def mask(self, seat: int) -> NDArray[np.int8]:
        """Return int8 of shape (actions,): 1 for each legal action of `seat`; all 0 when it is not its turn."""
        return self.shown_mask(self._bits if seat == self.active else 0, self.setting.actions)

    def observation(self, seat: int) -> NDArray[np.float32]:
        """Return the observation of `seat`, float32 as in `Layout`, in a new array."""
        if seat != self._looking:
            see_one(self._numbers, seat)
            self._looking = seat
        return self._row.copy()

    def rewards(self) -> list[float]:
        """Return each seat's result of the finished hand, in big blinds."""
        size, unit, button = self.setting.players, self.setting.unit, int(self._state[row.BUTTON])
        places = self._state[row.PLACES : row.PLACES + row.PLACE * size].tolist()
        stacks = places[row.STACK :: row.PLACE]
        return [
            (stacks[(seat - button - 1) % size] - start) * unit
            for seat, start in enumerate(self.setting.stacks)
        ]
