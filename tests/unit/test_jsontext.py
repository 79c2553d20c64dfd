"""JSON from anybody: what is nested too deeply is refused like all else that is none."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from poker_actors.bots.awaiting.transcript import RecordedModel
from poker_actors.debug.session.retelling import script_of_recording
from poker_actors.errors import BadHistory, BadJournal, BadSpec, PokerError
from poker_actors.jsontext import parse_json
from poker_actors.sim.results.plain import load_result
from poker_actors.store.journal.facts import decode
from poker_actors.store.journal.image import RoomImage
from poker_actors.wire.hspe.routes import Call, ServerRefusal

DEEP = "[" * 100_000


def test_what_is_nested_too_deeply_is_no_json() -> None:
    with pytest.raises(json.JSONDecodeError, match="lists within lists, too deep to read"):
        parse_json(DEEP)
    assert parse_json(b'{"a":[1.5]}', parse_float=str) == {"a": ["1.5"]}


def in_file(read: Callable[[Path], object]) -> Callable[[Path], object]:
    def write_and_read(folder: Path) -> object:
        path = folder / "deep.json"
        path.write_text(DEEP, encoding="utf-8")
        return read(path)

    return write_and_read


def deep_list() -> list[Any]:
    lists: list[Any] = []
    for _ in range(100_000):
        lists = [lists]
    return lists


def answered(status: int) -> object:
    return Call("GET", "/", lambda plain: plain).answered(status, DEEP.encode())


@pytest.mark.parametrize(
    ("error", "read"),
    [
        (BadJournal, lambda _: decode("deposited", DEEP)),
        (BadJournal, lambda _: RoomImage.from_json(DEEP)),
        (BadHistory, lambda _: script_of_recording({"heard": deep_list()})),
        (ServerRefusal, lambda _: answered(200)),
        (BadSpec, in_file(load_result)),
        (BadSpec, in_file(lambda path: RecordedModel(path, None))),
    ],
)
def test_readers_refuse_it_as_they_refuse_any_bad_text(
    error: type[PokerError], read: Callable[[Path], object], tmp_path: Path
) -> None:
    with pytest.raises(error):
        read(tmp_path)


def test_a_servers_refusal_without_end_is_a_refusal() -> None:
    with pytest.raises(ServerRefusal, match="400: "):
        answered(400)
