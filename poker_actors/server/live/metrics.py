"""Counts of what the server does, in the text format of Prometheus; no name, id or card is in them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from poker_actors.server.hspe import Lobby

__all__ = ["Metrics"]

_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Seconds: upper ends of the histogram's buckets."""

Sample = tuple[str, int | float]


class Metrics:
    """What is counted as it happens; the rest is read from the lobby when asked for."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0
        self.pictures: Counter[str] = Counter()
        """pictures pushed, by the way they went: `sse`, `websocket`"""
        self.listening: Counter[str] = Counter()
        """who listens now, by the way"""
        self.dropped: Counter[str] = Counter()
        """listeners who were too slow, by the way"""
        self.actions: Counter[str] = Counter()
        """actions taken, and refused, by code"""

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer; `route` is the pattern of its path, so that there are few of them."""
        self._requests[method, route, status] += 1
        self._buckets[bisect_left(_BOUNDS, seconds)] += 1
        self._seconds += seconds

    def text(self, *, sessions: int, users: int) -> str:
        """Give all of it."""
        games = list(self._lobby.games.values())
        playing = [len(game.roster.playing) for game in games]
        house = [len(game.roster.house) for game in games]
        return "".join(
            [
                _family("poker_requests_total", "counter", "Answers, by route and status.", self._answers()),
                self._histogram(),
                _family("poker_actions_total", "counter", "Actions by their names, and refusals by code.",
                        _labelled("result", self.actions)),
                _family("poker_pictures_total", "counter", "Pictures pushed.", _labelled("way", self.pictures)),
                _family("poker_listeners", "gauge", "Who is pushed to.", _labelled("way", self.listening)),
                _family("poker_listeners_dropped_total", "counter", "Listeners too slow to go on with.",
                        _labelled("way", self.dropped)),
                _family("poker_hands_total", "counter", "Hands that have ended.",
                        [("", sum(game.hands for game in games))]),
                _family("poker_games", "gauge", "Games there are.", [("", len(games))]),
                _family("poker_seated", "gauge", "Seats taken, by people and by the house.",
                        [('{who="house"}', sum(house)), ('{who="people"}', sum(playing) - sum(house))]),
                _family("poker_waiting", "gauge", "People who wait for a seat.",
                        [("", sum(len(game.roster.queue) for game in games))]),
                _family("poker_sessions", "gauge", "Browsers logged in.", [("", sessions)]),
                _family("poker_users", "gauge", "Users registered.", [("", users)]),
            ]
        )  # fmt: skip

    def _answers(self) -> Iterator[Sample]:
        for (method, route, status), count in sorted(self._requests.items()):
            yield f'{{method="{method}",route="{route}",status="{status}"}}', count

    def _histogram(self) -> str:
        name = "poker_request_seconds"
        samples: list[Sample] = []
        count = 0
        for bound, held in zip((*map(str, _BOUNDS), "+Inf"), self._buckets, strict=True):
            count += held
            samples.append((f'_bucket{{le="{bound}"}}', count))
        samples += [("_sum", round(self._seconds, 6)), ("_count", count)]
        return _family(name, "histogram", "How long answers took.", samples)


def _labelled(label: str, counted: Counter[str]) -> list[Sample]:
    return [(f'{{{label}="{what}"}}', count) for what, count in sorted(counted.items())]


def _family(name: str, kind: str, text: str, samples: Iterable[Sample]) -> str:
    lines = [f"# HELP {name} {text}", f"# TYPE {name} {kind}"]
    lines += [f"{name}{labels} {value}" for labels, value in samples]
    return "\n".join(lines) + "\n"
