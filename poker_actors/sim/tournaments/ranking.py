"""The order of eliminations, and the prize of each place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from poker_actors.sim.tournaments.field import Contestant
from poker_actors.sim.tournaments.payouts import shared

__all__ = ["Ranking"]


class Ranking:
    """The order in which players are eliminated.

    Players eliminated at the same time, in one hand or one hand-for-hand round, are ranked by their stacks
    at the start of that hand; those with equal stacks share place and prize.
    """

    def __init__(self) -> None:
        self._round: list[tuple[int, str]] = []
        self._groups: list[list[str]] = []
        self._settled = 0

    def out(self, player: str, stack: int) -> None:
        """Add a player eliminated in a hand begun with `stack`; the next `rank` ranks it."""
        self._round.append((stack, player))

    def rank(self) -> Iterator[list[str]]:
        """Rank all players eliminated since the last call; yield those who share a place, the worst place first."""
        out, self._round = sorted(self._round), []
        for _, tied in groupby(out, key=itemgetter(0)):
            group = [name for _, name in tied]
            self._groups.append(group)
            yield group

    def won(self, player: str) -> None:
        """Add the winner."""
        self._groups.append([player])

    def settle(
        self, players: Mapping[str, Contestant], prizes: Sequence[int], pay: Callable[[Contestant], None]
    ) -> None:
        """Place and pay all players ranked since the last call; call it only when nobody can enter any more.

        A further entry would shift all places. Odd units of a shared prize go to those who entered first.
        """
        done = sum(len(group) for group in self._groups[: self._settled])
        for group in self._groups[self._settled :]:
            done += len(group)
            best = len(players) - done + 1
            amounts = [prizes[place - 1] for place in range(best, best + len(group)) if place <= len(prizes)]
            tied = sorted((players[name] for name in group), key=lambda player: player.number)
            for player, prize in zip(tied, shared(amounts, len(group)), strict=True):
                player.place, player.tied, player.prize, player.settled = best, len(group) > 1, prize, True
                pay(player)
        self._settled = len(self._groups)
