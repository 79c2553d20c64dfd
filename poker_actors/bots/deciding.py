"""Asking a bot: its action, or the fallback after a fault."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Final

from poker_actors.bots.faults import FaultLimits, Faults, fallback
from poker_actors.rules import Action, Bet, BringIn, Call, Check, Discard, Fold, Lay, RaiseTo, View

__all__ = ["Bot", "OutsideBot", "decide", "legal_or_fallback", "running"]

Bot = Callable[[View], Action]
"""A bot: maps what one seat may know to an action."""

ACTIONS: Final = frozenset((Fold, Check, Call, Bet, RaiseTo, BringIn, Discard, Lay))


class OutsideBot:
    """A bot that has something to start, to stop and to count: a program, or something awaited.

    `limits` are what it may do wrong and use up in a match; `account` counts both.
    Calling it decides, or raises `BotFault`.
    """

    limits: FaultLimits = FaultLimits()

    def __init__(self) -> None:
        self.account: Faults = Faults(limits=self.limits)

    def charge(self, account: Faults) -> None:
        """Count in `account` from now on."""
        account.limits = self.limits
        self.account = account

    def open(self) -> None:
        """Start, and wait until it is ready; raises `BadSpec` when it cannot be."""

    def close(self) -> None:
        """Stop for good; a second time changes nothing."""

    def __call__(self, view: View) -> Action:
        """Decide."""
        raise NotImplementedError


@contextmanager
def running(bots: Sequence[Bot], faults: Sequence[Faults]) -> Iterator[None]:
    """Have those of `bots` that are outside ready, counting in `faults`; at the end they are stopped.

    Raises `BadSpec` when one cannot start.
    """
    with ExitStack() as stack:
        for bot, account in zip(bots, faults, strict=True):
            if isinstance(bot, OutsideBot):
                bot.charge(account)
                stack.callback(bot.close)
                bot.open()
        yield


def decide(bot: Bot, view: View, faults: Faults, hand: int = 0) -> Action:
    """Ask `bot` and give a legal action, counting in `faults` what went wrong; `hand` is its number.

    A bot that is ejected is not asked. Only what stops a program (KeyboardInterrupt) passes through.
    """
    if faults.ejected is not None:
        return fallback(view)
    try:
        action = bot(view)
    except (Exception, SystemExit) as error:  # noqa: BLE001  a bot is somebody else's code: its fault is counted
        return faults.at(hand).has_raised(view, error)
    kind = type(action)
    if kind is Call or kind is Check:
        public = view.public
        if public.dealt.beside is None and (public.bet > public.chips_in_front[view.seat]) is (kind is Call):
            return action  # nothing more to look at, and most answers
    plain = kind is Fold and view.public.dealt.beside is None
    return action if plain else legal_or_fallback(action, view, faults.at(hand))


def legal_or_fallback(answer: object, view: View, faults: Faults) -> Action:
    """Give a bot's answer back if it is a legal action, else count it and check or fold."""
    kind = type(answer)
    if kind not in ACTIONS:
        return faults.was_nonsense(view, answer)
    amount = getattr(answer, "amount", getattr(answer, "total", 0))
    if type(amount) is not int:
        return faults.was_nonsense(view, answer)
    refusal = view.legal.refusal(answer)
    if refusal is not None:
        return faults.was_illegal(view, refusal)
    action: Action = answer  # type: ignore[assignment]  # its type is one of ACTIONS
    return action
