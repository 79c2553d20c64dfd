"""The log: a line an event, of limited size, and no trouble for the game when it cannot be written."""

from datetime import UTC, datetime
from pathlib import Path

from poker_actors.console import EventLog


def noon() -> datetime:
    return datetime(2026, 1, 31, 12, tzinfo=UTC)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def test_events_are_appended_with_their_time(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    path.write_text("what was there\n", encoding="utf-8")
    log = EventLog(path, clock=noon)
    assert log.write("application start") == ""
    assert log.write("player entered: a\nb") == ""
    assert lines(path) == [
        "what was there",
        "2026-01-31T12:00:00+00:00 application start",
        "2026-01-31T12:00:00+00:00 player entered: a b",
    ]


def test_a_full_file_is_put_aside_and_the_oldest_goes(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    log = EventLog(path, clock=noon, largest=70, kept=2)
    for number in range(8):
        log.write(f"event {number}")
    assert [line[-7:] for line in lines(path)] == ["event 6", "event 7"]
    assert [line[-7:] for line in lines(tmp_path / "game.log.1")] == ["event 4", "event 5"]
    assert [line[-7:] for line in lines(tmp_path / "game.log.2")] == ["event 2", "event 3"]
    assert sorted(each.name for each in tmp_path.iterdir()) == ["game.log", "game.log.1", "game.log.2"]


def test_one_old_file_is_kept_even_where_none_is_wanted(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "game.log", clock=noon, largest=70, kept=0)
    for number in range(8):
        log.write(f"event {number}")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["game.log", "game.log.1"]


def test_an_event_larger_than_the_limit_is_written_all_the_same(tmp_path: Path) -> None:
    path = tmp_path / "game.log"
    log = EventLog(path, clock=noon, largest=10)
    log.write("a long event")
    log.write("another long event")
    assert lines(path) == ["2026-01-31T12:00:00+00:00 another long event"]


def test_a_failure_to_write_is_told_once_and_later_events_are_tried_again(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "game.log"
    log = EventLog(path, clock=noon)
    assert log.write("one") == (
        f"The log {path} cannot be written (no such file or directory); the game goes on without it."
    )
    assert log.write("two") == ""
    path.parent.mkdir()
    assert log.write("three") == ""
    assert lines(path) == ["2026-01-31T12:00:00+00:00 three"]


def test_a_folder_in_the_logs_place_is_told_too(tmp_path: Path) -> None:
    assert "is a directory" in EventLog(tmp_path, clock=noon).write("one")
