"""Count what the server does, for Prometheus; never a name, id or card."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

import attrs
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector, CollectorRegistry

from poker_actors.server.hspe import Game, Lobby
from poker_actors.server.live.views import Views

if TYPE_CHECKING:
    from prometheus_client.core import Metric

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
_BOUNDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Upper bounds of the histogram's buckets, in seconds."""


class Metrics:
    """Count events as they happen; read the rest from the lobby on request."""

    def __init__(self, lobby: Lobby, views: Views) -> None:
        self._lobby = lobby
        self._views = views
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets = [0] * (len(_BOUNDS) + 1)
        self._seconds = 0.0
        self._hands_before = 0
        """hands of closed games"""
        lobby.on_dropped.append(self._dropped_game)
        self.pictures: Counter[str] = Counter()
        """pictures pushed, by transport: `sse`, `websocket`"""
        self.listening: Counter[str] = Counter()
        """current listeners, by transport"""
        self.dropped: Counter[str] = Counter()
        """listeners dropped for being too slow, by transport"""
        self.actions: Counter[str] = Counter()
        """actions taken, and refused, by code"""

    def _dropped_game(self, game: Game) -> None:
        """Keep the hands of a closed game in the count: a Prometheus counter that falls reads as a restart."""
        self._hands_before += game.hands

    def acted(self, game: Game, act: str) -> None:
        """Count an action, except at a table with a delay for watchers, as anybody may read the counts."""
        if not game.setting.watch_delay:
            self.actions[act] += 1

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer; `route` is the path's pattern, since each real path would make a time series."""
        self._requests[method, route, status] += 1
        self._buckets[bisect_left(_BOUNDS, seconds)] += 1
        self._seconds += seconds

    def text(self, *, sessions: int, users: int) -> str:
        """Return all counts in the text format of Prometheus."""
        return exposition(self._counts(sessions, users))

    def _counts(self, sessions: int, users: int) -> Counts:
        games = [self._views.listing(game) for game in self._lobby.games.values()]
        playing = sum(len(game["players"]) for game in games)
        house = sum(game["house"] for game in games)
        return Counts(
            self._requests,
            self._cumulated(),
            self._seconds,
            self.actions,
            self.pictures,
            self.listening,
            self.dropped,
            self._hands_before + sum(game["hands"] for game in games),
            len(games),
            Counter(house=house, people=playing - house),
            sum(game["waiting"] for game in games),
            sessions,
            users,
            len(self._lobby.notes.asides),
        )

    def _cumulated(self) -> list[tuple[str, float]]:
        found, count = [], 0
        for bound, held in zip((*map(str, _BOUNDS), "+Inf"), self._buckets, strict=True):
            count += held
            found.append((bound, float(count)))
        return found


@attrs.frozen
class Counts:
    """All counts at one moment. `buckets` pairs upper bounds, in seconds, with cumulative counts of answers."""

    requests: Counter[tuple[str, str, int]]
    buckets: list[tuple[str, float]]
    seconds: float
    actions: Counter[str]
    pictures: Counter[str]
    listening: Counter[str]
    dropped: Counter[str]
    hands: int
    games: int
    seated: Counter[str]
    waiting: int
    sessions: int
    users: int
    set_aside: int


class _Collector(Collector):
    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def collect(self) -> Iterable[Metric]:
        """Return every family."""
        counts = self._counts
        answers = CounterMetricFamily(
            "poker_requests", "Answers, by route and status.", labels=("method", "route", "status")
        )
        for (method, route, status), count in sorted(counts.requests.items()):
            answers.add_metric((method, route, str(status)), count)
        yield answers
        seconds = HistogramMetricFamily("poker_request_seconds", "How long answers took.")
        seconds.add_metric((), counts.buckets, round(counts.seconds, 6))
        yield seconds
        yield _counted(
            "poker_actions", "Actions by their names, and refusals by code.", "result", counts.actions
        )
        yield _counted("poker_pictures", "Pictures pushed.", "way", counts.pictures)
        yield _held("poker_listeners", "Listeners to streams and sockets.", "way", counts.listening)
        yield _counted(
            "poker_listeners_dropped", "Listeners dropped for being too slow.", "way", counts.dropped
        )
        yield CounterMetricFamily("poker_hands", "Hands that have ended.", value=counts.hands)
        yield GaugeMetricFamily("poker_games", "Games there are.", value=counts.games)
        yield _held("poker_seated", "Seats taken, by people and by the house.", "who", counts.seated)
        yield GaugeMetricFamily("poker_waiting", "People who wait for a seat.", value=counts.waiting)
        yield GaugeMetricFamily("poker_sessions", "Browsers logged in.", value=counts.sessions)
        yield GaugeMetricFamily("poker_users", "Users registered.", value=counts.users)
        yield GaugeMetricFamily(
            "poker_set_aside", "Tables and records that could not be restored.", value=counts.set_aside
        )


def _counted(name: str, text: str, label: str, counted: Counter[str]) -> CounterMetricFamily:
    family = CounterMetricFamily(name, text, labels=(label,))
    for what, count in sorted(counted.items()):
        family.add_metric((what,), count)
    return family


def _held(name: str, text: str, label: str, counted: Counter[str]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=(label,))
    for what, count in sorted(counted.items()):
        family.add_metric((what,), count)
    return family


def exposition(counts: Counts) -> str:
    """Return all counts in the text format of Prometheus."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(counts))
    return generate_latest(registry).decode()
