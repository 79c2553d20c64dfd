"""An entrant's most expensive decisions, judged by what the bot `expert` would have done."""

from __future__ import annotations

import re
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import attrs

from poker_actors.arena.arena import Arena
from poker_actors.arena.board import Board, Pair
from poker_actors.bots.odds import OddsBot, odds_of
from poker_actors.errors import PokerError
from poker_actors.history import ActionStep, HandHistory, parse, replay
from poker_actors.rules import Action, Bet, Fold, Hand, RaiseTo

_MATCHES: Final = 8
"""Matches searched: those in which the entrant lost most."""
_HANDS: Final = 3
"""Hands searched in each match: the largest that were lost, among those that the site shows."""
_RARELY: Final = 0.05
"""An action that `expert` takes less often than this counts as a mistake."""
_SHOWN: Final = 5
_SECTION: Final = re.compile(r"^\[(\d+)\]\n(.*?)(?=^\[\d+\]\n|\Z)", re.MULTILINE | re.DOTALL)


@attrs.frozen(kw_only=True)
class Mistake:
    """A decision that `expert` hardly ever takes: the match, the hand's number on its page, from 1, and the stake."""

    key: str
    number: int
    title: str
    words: str
    pot: int


def mistakes_of(arena: Arena, board: Board, player: int, shown: int) -> list[Mistake]:
    """Return an entrant's worst decisions, the most expensive first; none in games that `expert` does not play.

    Only the `shown` largest hands of its worst matches are searched.
    """
    if board.game != "holdem" or not find_spec("numpy"):
        return []
    expert = odds_of("expert")
    found: list[Mistake] = []
    for pair, at in _worst_matches(board, player):
        found += _in_match(arena, board, pair, at, shown, expert)
    return sorted(found, key=lambda each: (-each.pot, each.key, each.number))[:_SHOWN]


def _worst_matches(board: Board, player: int) -> list[tuple[Pair, int]]:
    own = [
        (pair, pair.fixture.players.index(player)) for pair in board.matches if player in pair.fixture.players
    ]
    return sorted(own, key=lambda each: (each[0].score.means[each[1]], each[0].key))[:_MATCHES]


def _in_match(arena: Arena, board: Board, pair: Pair, at: int, shown: int, expert: OddsBot) -> list[Mistake]:
    path = arena.files_of(pair.key) / "hands.phhs"
    if not path.exists():
        return []
    largest = list(pair.score.moved.items())[:shown]
    places = {number: place for place, (number, _) in enumerate(largest, start=1)}
    lost = [number for number, won in largest if won[at] < 0][:_HANDS]
    names = [board.competitors[player].name for player in pair.fixture.players]
    name = names.pop(at)
    found = []
    for number, text in hands_of(path, lost).items():
        (history,) = parse(text)
        mistake = _in_hand(history, name, expert)
        if mistake is not None:
            words, pot = mistake
            found.append(
                Mistake(
                    key=pair.key,
                    number=places[number],
                    title=f"hand {number} against {', '.join(names)}",
                    words=words,
                    pot=pot,
                )
            )
    return found


def hands_of(path: Path, numbers: Iterable[int]) -> dict[int, str]:
    """Return the texts of the hands with these `numbers`, from 0, in that order."""
    found = {int(match[1]) - 1: match[2] for match in _SECTION.finditer(path.read_text(encoding="utf-8"))}
    return {number: found[number] for number in numbers if number in found}


def _in_hand(history: HandHistory, name: str, expert: OddsBot) -> tuple[str, int] | None:
    """Return a player's most expensive decision that `expert` hardly ever takes, in words, and the pot at stake."""
    worst: tuple[str, int] | None = None
    for place, step in enumerate(history.steps):
        if not isinstance(step, ActionStep) or history.name(step.player) != name:
            continue
        view = _until(history, place).view(step.player)
        taken = _until(history, place + 1).public().actions[-1].action
        try:
            odds = expert.probabilities(view)
        except PokerError:
            continue
        chance = sum(share for action, share in odds.items() if _kind(action) == _kind(taken))
        stake = view.pot + view.to_call
        if chance < _RARELY and (worst is None or stake > worst[1]):
            best = max(odds, key=lambda action: odds[action])
            words = f"{view.text([history.name(seat) for seat in range(history.size)])}. Did {taken}; expert would {best} ({odds[best]:.0%})"
            worst = (words, stake)
    return worst


def _until(history: HandHistory, steps: int) -> Hand:
    """Return the hand after its first `steps` steps."""
    return replay(attrs.evolve(history, steps=history.steps[:steps], finishing=None)).hand


def _kind(action: Action) -> str:
    """Return the kind of an action: a fold, a check or call, or a raise of any size, as sizes differ from bot to bot."""
    return "fold" if isinstance(action, Fold) else "raise" if isinstance(action, (Bet, RaiseTo)) else "stay"
