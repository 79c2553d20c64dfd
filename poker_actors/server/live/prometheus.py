"""Turn the server's counts into metric families of prometheus-client, which formats them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.registry import Collector, CollectorRegistry

if TYPE_CHECKING:
    from prometheus_client.core import Metric

    from poker_actors.server.live.counts import Counts

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4


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
