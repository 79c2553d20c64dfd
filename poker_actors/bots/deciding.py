"""Ask a bot for its action, or fall back after a fault."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import ClassVar, Final

import attrs

from poker_actors.bots.faults import FaultLimits, Faults, fallback
from poker_actors.rules import (
    Action,
    Bet,
    BringIn,
    Call,
    Check,
    Discard,
    Fold,
    Hand,
    Lay,
    RaiseTo,
    Stakes,
    View,
)
from poker_actors.rules import action as actions

Bot = Callable[[View], Action]
"""A bot maps a seat's view to an action."""


@attrs.frozen
class AllIn:
    """A bot's answer that puts its whole stack in: it stands for `view.legal.all_in`, and is illegal if that is None.

    It is not an action of the rules, so it never appears in a hand, log or message.
    """

    def __str__(self) -> str:
        return "all_in"


ACTIONS: Final = frozenset((Fold, Check, Call, Bet, RaiseTo, BringIn, Discard, Lay))


def is_quick(code: object) -> bool:
    """Whether a bot or listener declares, by an attribute ``quick``, that it never blocks and takes microseconds.

    A room on one thread calls a quick one there, and any other on a worker. None counts as quick.
    """
    if code is None or getattr(code, "quick", False) is True:
        return True
    return getattr(getattr(code, "func", None), "quick", False) is True  # of a `functools.partial`


class OutsideBot:
    """A bot with resources to start, stop and count: a program, or a coroutine function.

    `limits` bound its faults and its use of resources in a match; `account` counts both. Calling it decides, or raises
    `BotFault`.
    """

    limits: FaultLimits = FaultLimits()
    stack: ClassVar[int | None] = None
    """the stack, in chips, that it was written for, if it plays with no other"""
    tells_ends: ClassVar[bool] = False
    """whether its protocol reports the end of a hand, mucked cards included: then a match calls `hand_ended`"""
    hears: bool = False
    """whether it is told by `hand_started` and `hand_over`; a program may only say so in its hello"""

    def __init__(self) -> None:
        self.account: Faults = Faults(limits=self.limits)

    @classmethod
    def stack_of(cls, values: Mapping[str, object]) -> int | None:
        """Return the `stack` of a bot with these parameters."""
        return cls.stack

    @classmethod
    def rounds_of(cls, values: Mapping[str, object]) -> str:
        """Return the year of MIT Pokerbots whose rounds a bot with these parameters plays; empty for hands of the rules."""
        return ""

    @classmethod
    def check_seat(
        cls, values: Mapping[str, object], game: str, stakes: Stakes, stacks: Sequence[int]
    ) -> None:
        """Raise `BadSpec` for a match that a bot with these parameters cannot play; see `check_match`."""
        cls.check_match(game, stakes, stacks)

    @classmethod
    def check_match(cls, game: str, stakes: Stakes, stacks: Sequence[int]) -> None:
        """Raise `BadSpec` for a match that it cannot play: the game by name, stacks in chips by seat."""

    @classmethod
    def check_spread(cls, values: Mapping[str, object]) -> None:
        """Raise `BadSpec` if a bot with these parameters cannot play the blocks of a match in several processes."""

    def hand_ended(self, number: int, hand: Hand, seat: int) -> None:
        """Hear of the end of a hand, by its number in the match, played at `seat`."""

    def charge(self, account: Faults) -> None:
        """Count faults and use in `account` from now on, with this bot's limits."""
        account.limits = self.limits
        self.account = account

    def open(self) -> None:
        """Start and wait until ready; raises `BadSpec` on failure."""

    def close(self) -> None:
        """Stop for good; calling it again does nothing."""

    def __call__(self, view: View) -> Action:
        """Return the action for a view; raises `BotFault`."""
        raise NotImplementedError


@contextmanager
def running(bots: Sequence[Bot], faults: Sequence[Faults]) -> Iterator[None]:
    """Start the `OutsideBot`s among `bots`, counting in `faults`, and stop them at the end.

    Raises `BadSpec` when one cannot start.
    """
    with ExitStack() as stack:
        for bot, account in zip(bots, faults, strict=True):
            if isinstance(bot, OutsideBot):
                bot.charge(account)
                stack.callback(bot.close)  # before `open`: a bot that fails halfway must be stopped too
                bot.open()
        yield


def decide(bot: Bot, view: View, faults: Faults, hand: int = 0) -> Action:
    """Ask `bot` and return a legal action, counting its faults in `faults`; `hand` is the hand's number.

    The action is ours, never the bot's own object: it could write to that afterwards.
    An ejected bot is not asked. A real Ctrl-C passes through; every other exception is a fault.
    """
    if faults.ejected is not None:
        return fallback(view)
    public, seat, hole = view.public, view.seat, view.hole  # taken first: a bot can write to its view
    try:
        action = bot(view)
    except BaseException as error:
        if is_ctrl_c(error):
            raise
        # everything else, as a bot must not end the match
        return faults.at(hand).has_raised(View(public, seat, hole), error)
    kind = type(action)
    calls = kind is Call
    if (calls or kind is Check or kind is Fold) and public.dealt.beside is None:
        # most answers end here: a legal check, call or fold needs no list of legal actions
        if kind is Fold:
            return actions.FOLD
        if (public.bet > public.chips_in_front[seat]) is calls:
            return actions.CALL if calls else actions.CHECK
    return legal_or_fallback(action, View(public, seat, hole), faults.at(hand))


def is_ctrl_c(error: BaseException) -> bool:
    """Whether an error is a real Ctrl-C: only the main thread gets signals, so elsewhere somebody's code has raised it."""
    return isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


def legal_or_fallback(answer: object, view: View, faults: Faults) -> Action:
    """Return a copy of a bot's answer if it is a legal action, else count the fault and check or fold."""
    kind = type(answer)
    if kind is AllIn:
        most = view.legal.all_in
        return faults.was_illegal(view, "all_in is not possible here") if most is None else most
    if not any(kind is each for each in ACTIONS):  # not `in`: a class may say that it is equal to another
        return faults.was_nonsense(view, answer)
    amount = getattr(answer, "amount", getattr(answer, "total", 0))
    if type(amount) is not int:
        return faults.was_nonsense(view, answer)
    taken = actions.copied(answer)
    # use what was read at first: the answer may have changed by now
    refusal = actions.unfit(answer) if taken is None else view.legal.refusal(taken)
    if refusal is not None or taken is None:
        return faults.was_illegal(view, str(refusal))
    return taken
