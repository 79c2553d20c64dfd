"""`poker-actors verify`: yes, no with exit status 1, and what is not a record with 2."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cards import Deck
from poker_actors.cli import main
from poker_actors.rules import HOLDEM, Hand, Stakes
from poker_actors.store.fairness import SealedDeal

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def record() -> dict[str, Any]:
    cards = Deck.seeded(1, HOLDEM.pack).draw(9)
    hand = Hand([100, 100], Stakes(1, 2), deck=Deck(cards, entropy=-1))
    while not hand.over:
        hand.check_or_call()
    return SealedDeal("main/hand-000000000", cards, bytes(32)).records(hand)[0].to_dict()


def write(folder: Path, value: object) -> str:
    path = folder / "record.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


def test_a_true_record_verifies_and_says_what_it_rests_on(
    record: dict[str, Any], tmp_path: Path, capsys: Capture
) -> None:
    path = write(tmp_path, record)
    assert main(["verify", path]) == 0
    out = capsys.readouterr().out
    assert "cards are those committed to before the deal, if" in out
    assert record["commitment"] in out
    assert main(["verify", path, "--commitment", record["commitment"]]) == 0
    assert capsys.readouterr().out.endswith("are those committed to before the deal\n")


def test_a_false_record_exits_with_1_and_names_the_card(
    record: dict[str, Any], tmp_path: Path, capsys: Capture
) -> None:
    record["board"].reverse()
    assert main(["verify", write(tmp_path, record)]) == 1
    assert "is not what was committed to" in capsys.readouterr().out


def test_another_commitment_than_the_one_noted_exits_with_1(
    record: dict[str, Any], tmp_path: Path, capsys: Capture
) -> None:
    assert main(["verify", write(tmp_path, record), "--commitment", "00" * 32]) == 1
    assert f"was committed to as {record['commitment']}, not as {'00' * 32}" in capsys.readouterr().out


def test_json_holds_the_verdict(record: dict[str, Any], tmp_path: Path, capsys: Capture) -> None:
    assert main(["verify", write(tmp_path, record), "--json", "-"]) == 0
    verdict = json.loads(capsys.readouterr().out)
    assert verdict == {
        "hand_id": "main/hand-000000000", "verified": True, "flaw": None, "cards": len(record["proofs"]),
    }  # fmt: skip


def test_a_record_may_come_from_stdin(
    record: dict[str, Any], monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(record).encode())))
    assert main(["verify", "-"]) == 0
    assert "main/hand-000000000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "this is not a fairness record of format 1"),
        ('{"format": 1}', "the fairness record cannot be read: KeyError"),
        ('{"format": 9}', "this is not a fairness record of format 1"),
        (" " * 1_000_001, "has more than 1000000 bytes"),
    ],
    ids=["half", "deep", "list", "empty", "newer", "huge"],
)
def test_what_is_no_record_is_one_line_and_2(tmp_path: Path, capsys: Capture, text: str, line: str) -> None:
    path = tmp_path / "record.json"
    path.write_text(text, encoding="utf-8")
    assert main(["verify", str(path)]) == 2
    err = capsys.readouterr().err
    assert line in err
    assert err.count("\n") == 1


def test_a_commitment_that_is_not_hexadecimal_and_a_missing_file_are_2(
    record: dict[str, Any], tmp_path: Path, capsys: Capture
) -> None:
    assert main(["verify", write(tmp_path, record), "--commitment", "xyz"]) == 2
    assert main(["verify", str(tmp_path / "none.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 2


@pytest.mark.parametrize("raw", [b"\xff\xfe{}", b'{"a": "\xe9"}'])
def test_bytes_that_are_not_utf8_are_refused_in_one_line(raw: bytes, tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "record.json"
    path.write_bytes(raw)
    assert main(["verify", str(path)]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert f"{path} is not a text in UTF-8: byte 0x" in error


def test_a_record_cannot_control_the_terminal(
    record: dict[str, Any], tmp_path: Path, capsys: Capture
) -> None:
    record["hand_id"] = "\x1b[2Jmain\n1"
    assert main(["verify", write(tmp_path, record), "--commitment", "00"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(r"\x1b[2Jmain\n1 was committed to as ")
    assert out.count("\n") == 1
