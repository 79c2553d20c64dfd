"""No input makes a reader of histories fail otherwise than with one line, or invent chips."""

from __future__ import annotations

import tomllib
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from poker_actors.history import FORMATS
from poker_actors.history.phh_sections import plain_table
from tests.conformance.history.oddities import judge
from tests.conformance.history.seeds import texts

SEEDS = {name: [text.encode() for text in texts(name, 12)] for name in FORMATS}
NAMES = sorted(FORMATS)
OTHER_ENCODINGS = ("utf-16", "utf-32", "latin-1", "cp037", "utf-7")


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_a_file_cut_anywhere_is_read_or_named(name: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SEEDS[name]))
    judge(text[: data.draw(st.integers(0, len(text)))], name)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_any_bytes_flipped_are_read_or_named(name: str, data: st.DataObject) -> None:
    text = bytearray(data.draw(st.sampled_from(SEEDS[name])))
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    judge(bytes(text), name)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_lines_moved_doubled_and_dropped_are_read_or_named(name: str, data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(SEEDS[name])).splitlines(keepends=True)
    chosen = data.draw(st.lists(st.integers(0, len(lines) - 1), max_size=len(lines) + 3))
    judge(b"".join(lines[number] for number in chosen), name)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_numbers_changed_are_read_or_named(name: str, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SEEDS[name])).decode()
    places = [place for place, mark in enumerate(text) if mark.isdigit()]
    place = data.draw(st.sampled_from(places))
    number = data.draw(
        st.sampled_from(["-5", "0.5", "1e9", "10c", "", "9" * 40, "nan", "inf", "0x1", "٣", "1_0"])
    )
    judge((text[:place] + number + text[place + 1 :]).encode(), name)


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text(max_size=200))
def test_any_text_is_read_or_named(name: str, text: str) -> None:
    judge(text.encode("utf-8", "surrogatepass"), name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("encoding", OTHER_ENCODINGS)
def test_other_encodings_are_read_or_named(name: str, encoding: str) -> None:
    judge(SEEDS[name][0].decode().encode(encoding), name)


@pytest.mark.parametrize("name", NAMES)
def test_lists_within_lists_too_deep_are_named(name: str) -> None:
    for deep in (
        b"a = " + b"[" * 100_000,
        b'{"ohh":' * 50_000,
        b'{"poker_actors":1,"game":' + b"[" * 100_000,
    ):
        judge(deep, name)


@pytest.mark.parametrize("name", NAMES)
def test_a_line_without_an_end_is_named(name: str) -> None:
    assert judge(b"x" * (1 << 20), name) == 0


@given(st.data())
def test_what_the_quick_reader_reads_the_library_reads_the_same(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SEEDS["phh"])).decode()
    place = data.draw(st.integers(0, len(text)))
    text = text[:place] + data.draw(st.text(max_size=3)) + text[place + data.draw(st.integers(0, 3)) :]
    quick = plain_table(text)
    if quick is not None:
        assert quick == tomllib.loads(text, parse_float=Decimal)


@given(st.text(alphabet="ab_-= '\"[],.0123456789truefals\n\t", max_size=60))
def test_the_quick_reader_accepts_no_text_that_the_library_refuses(text: str) -> None:
    quick = plain_table(text)
    if quick is not None and not text.startswith("["):
        assert quick == tomllib.loads(text, parse_float=Decimal)
