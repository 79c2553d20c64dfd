"""A short run of what `fuzz.py` does for minutes."""

import importlib.util
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from poker_actors.wire.opp import Message, Op


@pytest.fixture(scope="module")
def arrivals() -> ModuleType:
    spec = importlib.util.spec_from_file_location("opp_arrivals", Path(__file__).with_name("arrivals.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_changed_vectors_bring_messages_a_wait_or_one_error(
    arrivals: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: Counter[Op] = Counter()
    whole = arrivals.encode

    def counting(event: Message) -> bytes:
        heard[event.op] += 1
        data: bytes = whole(event)
        return data

    monkeypatch.setattr(arrivals, "encode", counting)
    run(arrivals, 20_000)
    # the inputs get through to every message but those that only another phase allows
    assert set(heard) >= set(Op) - {Op.GOODPASS, Op.BADPASS, Op.ILLNICK, Op.BADNICK, Op.QUIT_GAME}
    assert sum(heard.values()) > 5_000


def test_every_message_of_the_vectors_is_one_for_the_decoder_alone(
    arrivals: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: set[Op] = set()
    whole = arrivals.encode

    def hearing(event: Message) -> bytes:
        heard.add(event.op)
        data: bytes = whole(event)
        return data

    inputs = arrivals.message_seeds()
    monkeypatch.setattr(arrivals, "encode", hearing)
    for data in inputs:
        arrivals.one_message(data)
        arrivals.one_message(data[:-1])
    assert heard >= set(Op) - {Op.BADPASS, Op.ILLNICK, Op.BADNICK, Op.QUIT_GAME}


def test_a_decoder_that_forgets_is_noticed(arrivals: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The fuzzer's own proof."""
    whole = arrivals.decode_data

    def forgetful(op: Op, data: bytes, start: int, end: int, offset: int) -> Message:
        return Message(whole(op, data, start, end, offset).op, ())

    monkeypatch.setattr(arrivals, "decode_data", forgetful)
    with pytest.raises(AssertionError):
        run(arrivals, 1_000)


def run(arrivals: ModuleType, inputs: int) -> None:
    for data in arrivals.mutations(inputs, seed=7):
        arrivals.one_input(data)
