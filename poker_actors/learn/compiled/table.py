"""`LearningTable` on the compiled kernel: the same hands, observations, masks and rewards, several times faster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from poker_actors.cards import CARDS, Deck
from poker_actors.learn.compiled import kernel
from poker_actors.learn.series import Series
from poker_actors.learn.table import Setting
from poker_actors.rules import Hand, log, pots

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["CompiledTable"]

_ILLEGAL: Final = 1 << 40
_SEATS: Final = 16
"""In an answer of the kernel, the seat is what remains of this."""
_STACKS, _START, _LIVE, _CARDS = kernel.STACKS, kernel.START_AT, kernel.IN_HAND, kernel.CARDS_AT
_SIZES: Final = {"min": -1.0, "all-in": -2.0}


class CompiledTable(Series):
    """See `LearningTable`. Settings that `Setting.compiles` names only."""

    def __init__(self, setting: Setting) -> None:
        super().__init__()
        self.setting: Final = setting
        self.illegal: Final = [0] * setting.players
        self.active: int = -1
        """The seat to act; -1 when the hand is over."""
        layout, stakes, size = setting.layout, setting.stakes, setting.players
        most = size * (max(setting.stacks) // stakes.big_blind + 10 * size)
        state = self._state = np.zeros(kernel.BASE + most, np.int64)
        state[kernel.SEATS] = size
        state[kernel.SMALL], state[kernel.BIG] = stakes.small_blind, stakes.big_blind
        state[kernel.FIXED] = setting.game.bets_per_street > 0
        state[kernel.CAP] = setting.game.bets_per_street
        state[kernel.START_AT : kernel.START_AT + size] = setting.stacks
        state[kernel.AMOUNTS_AT], state[kernel.HISTORY_AT] = layout.start("live"), layout.start("history")
        self._cards = state[kernel.CARDS_AT : kernel.CARDS_AT + 2 * size + 5]
        rows = self._rows = np.zeros((size, layout.size), np.float32)
        self._row_of: list[NDArray[np.float32]] = [rows[seat] for seat in range(size)]
        values = () if setting.sizes is None else setting.sizes.values
        self._sizes = np.array(
            [_SIZES[value] if isinstance(value, str) else value for value in values], np.float64
        )
        self._continuous = setting.sizes is None
        self._masks: dict[int, NDArray[np.int8]] = {}
        self._bits = 0
        self._none = [0] * size
        self._given: Deck | None = None

    def begin(self, deck: Deck | None = None) -> None:
        """Deal the next hand, from `deck` if there is one."""
        size = self.setting.players
        self._given = None if deck is None else deck.copy()
        self._cards[:] = self.next_deck(self.setting.game.pack, deck).draw(2 * size + 5)
        self._state[kernel.BUTTON] = self.number % size
        self.illegal[:] = self._none
        self._heard(kernel.begin(self._state, self._rows, self._sizes))

    def act(self, action: Any) -> None:
        """Take the turn of the seat to act; what is not legal checks or folds, and is counted."""
        asked = 0.0
        if self._continuous and hasattr(action, "__len__"):
            asked = float(action[1]) * self.setting.stakes.big_blind
            action = action[0]
        seat = self.active
        answer = kernel.act(self._state, self._rows, self._sizes, int(action), asked)
        if answer >= _ILLEGAL or answer <= -_ILLEGAL:
            self.illegal[seat] += 1
            answer += -_ILLEGAL if answer > 0 else _ILLEGAL
        self._heard(answer)

    def _heard(self, answer: int) -> None:
        if answer >= 0:
            self._bits, self.active = divmod(answer, _SEATS)
            return
        self.active = -1
        self._bits = 0
        if answer == -2:
            self._show_down()

    def _show_down(self) -> None:
        """Pay the pot; side pots are left to the rules."""
        state, size = self._state, self.setting.players
        told = state[: kernel.BASE].tolist()
        button = told[kernel.BUTTON]
        live = [seat % size for seat in range(button + 1, button + 1 + size) if told[_LIVE + seat % size]]
        put_in = [told[_START + seat] - told[_STACKS + seat] for seat in range(size)]
        if min([put_in[seat] for seat in live]) < max(put_in):
            state[_STACKS : _STACKS + size] = self.hand.stacks
            return
        cards = [CARDS[card] for card in told[_CARDS : _CARDS + 2 * size + 5]]
        holes = [(cards[2 * seat], cards[2 * seat + 1]) for seat in live]
        strengths = self.setting.game.strengths(holes, tuple(cards[2 * size :]))
        best = max(strengths)
        winners = [seat for seat, strength in zip(live, strengths, strict=True) if strength == best]
        for seat, chips in pots.split_pot(sum(put_in), winners):
            state[_STACKS + seat] = told[_STACKS + seat] + chips

    @property
    def hand(self) -> Hand:
        """The hand by the rules, played again from its log."""
        setting, state = self.setting, self._state
        assert self.tree is not None, "a table is seeded before it deals"
        given = self._given
        hand = Hand(
            setting.stacks,
            setting.stakes,
            deck=self.tree.deck(self.number, setting.game.pack) if given is None else given.copy(),
            button=self.number % setting.players,
            game=setting.game,
        )
        for entry in state[kernel.BASE : kernel.BASE + state[kernel.LOGGED]].tolist():
            hand.act(log.action_of(entry))
        return hand

    def mask(self, seat: int) -> NDArray[np.int8]:
        """Give a 1 for each kind of action that is legal for `seat`; none when it is not its turn."""
        bits = self._bits if seat == self.active else 0
        mask = self._masks.get(bits)
        if mask is None:
            kinds = [bits >> place & 1 for place in range(self.setting.actions)]
            mask = self._masks[bits] = np.array(kinds, np.int8)
        return mask.copy()

    def observation(self, seat: int) -> NDArray[np.float32]:
        """Give what `seat` sees, as `Layout` says; an array of its own."""
        if seat != self.active:
            kernel.paint(self._state, self._rows, seat)
        return self._row_of[seat].copy()

    def rewards(self) -> list[float]:
        """Give what each seat has won or lost in the finished hand, in big blinds."""
        size, unit = self.setting.players, self.setting.unit
        stacks = self._state[kernel.STACKS : kernel.STACKS + size].tolist()
        return [(end - start) * unit for end, start in zip(stacks, self.setting.stacks, strict=True)]
