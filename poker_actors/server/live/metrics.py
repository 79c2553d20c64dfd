"""Count what the server does, for Prometheus; never a name, id or card."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

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
        """Count an action, except at a table with a delay for spectators, because anybody may read the counts."""
        if not game.setting.watch_delay:
            self.actions[act] += 1

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer; `route` is the path's pattern, since each real path would make a time series."""
        self._requests[method, route, status] += 1
        self._buckets[bisect_left(_BOUNDS, seconds)] += 1
        self._seconds += seconds

    def text(self, *, sessions: int, users: int) -> str:
        """Return all counts in the text format of Prometheus."""
        registry = CollectorRegistry(auto_describe=False)
        registry.register(_Collector([*self._events(), *self._states(sessions, users)]))
        return generate_latest(registry).decode()

    def _events(self) -> Iterator[Metric]:
        answers = CounterMetricFamily(
            "poker_requests", "Answers, by route and status.", labels=("method", "route", "status")
        )
        for (method, route, status), count in sorted(self._requests.items()):
            answers.add_metric((method, route, str(status)), count)
        yield answers
        seconds = HistogramMetricFamily("poker_request_seconds", "How long answers took.")
        seconds.add_metric((), self._cumulated(), round(self._seconds, 6))
        yield seconds
        yield _counted(
            "poker_actions", "Actions by their names, and refusals by code.", "result", self.actions
        )
        yield _counted("poker_pictures", "Pictures pushed.", "way", self.pictures)
        yield _held("poker_listeners", "Listeners to streams and sockets.", "way", self.listening)
        yield _counted(
            "poker_listeners_dropped", "Listeners dropped for being too slow.", "way", self.dropped
        )

    def _states(self, sessions: int, users: int) -> Iterator[Metric]:
        games = [self._views.listing(game) for game in self._lobby.games.values()]
        house = sum(game["house"] for game in games)
        seated = Counter(house=house, people=sum(len(game["players"]) for game in games) - house)
        hands = self._hands_before + sum(game["hands"] for game in games)
        yield CounterMetricFamily("poker_hands", "Hands that have ended.", value=hands)
        yield GaugeMetricFamily("poker_games", "Games there are.", value=len(games))
        yield _held("poker_seated", "Seats taken, by people and by the house.", "who", seated)
        for name, text, value in (
            ("poker_waiting", "People who wait for a seat.", sum(game["waiting"] for game in games)),
            ("poker_sessions", "Browsers logged in.", sessions),
            ("poker_users", "Users registered.", users),
            (
                "poker_set_aside",
                "Tables and records that could not be restored.",
                len(self._lobby.notes.asides),
            ),
        ):
            yield GaugeMetricFamily(name, text, value=value)

    def _cumulated(self) -> list[tuple[str, float]]:
        found, count = [], 0
        for bound, held in zip((*map(str, _BOUNDS), "+Inf"), self._buckets, strict=True):
            count += held
            found.append((bound, float(count)))
        return found


class _Collector(Collector):
    """What a registry of prometheus-client asks for its families."""

    def __init__(self, families: list[Metric]) -> None:
        self._families = families

    def collect(self) -> list[Metric]:
        """Return every family."""
        return self._families


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
