"""What a program keeps with its room is there again, from records and from a snapshot."""

from __future__ import annotations

from pathlib import Path

import pytest

from poker_actors.store import Noted, open_journal


@pytest.mark.parametrize("every", [1, 4000], ids=["snapshots", "records"])
def test_notes_come_back_and_a_forgotten_one_does_not(tmp_path: Path, every: int) -> None:
    journal = open_journal(tmp_path / "room.db", snapshot_every=every)
    journal.append(Noted("user/ann", "one"), Noted("user/bob", "two"))
    journal.append(Noted("user/ann", "three"), Noted("user/bob", None))
    # no close: as if the process had been killed
    journal._storage.close()
    again = open_journal(tmp_path / "room.db")
    assert again.look(lambda image: dict(image.notes)) == {"user/ann": "three"}
    again.close()


def test_a_note_does_not_show_its_text() -> None:
    assert "hunter2" not in repr(Noted("user/ann", "hunter2"))
