"""Figures over hand histories: those of the match that wrote them, in every format, however they are read."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from poker_actors.cli import main
from poker_actors.errors import BadSpec
from poker_actors.history import Entry
from poker_actors.sim import Share, histories
from poker_actors.sim.histories import HistoryCounts, count_histories, shares_between

BOTS = ("tight", "loose", "caller", "maniac")
HANDS = 240


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the hands of a match as `hands.phhs`, and its own result as `result.json`."""
    folder = tmp_path_factory.mktemp("played")
    bots = [word for bot in BOTS for word in ("--bot", bot)]
    outputs = ["--history", str(folder / "hands.phhs"), "--json", str(folder / "result.json")]
    assert main(["simulate", *bots, "--hands", str(HANDS), "--seed", "7", *outputs]) == 0
    return folder


@pytest.mark.parametrize("ending", ["phhs", "ohh", "txt", "pokerstars", "log", "acpc", "jsonl"])
def test_a_match_writes_the_format_of_the_files_name_as_convert_does(
    played: Path, tmp_path: Path, ending: str
) -> None:
    bots = [word for bot in BOTS for word in ("--bot", bot)]
    hands, converted = tmp_path / f"hands.{ending}", tmp_path / f"converted.{ending}"
    match = ["simulate", *bots, "--hands", str(HANDS), "--seed", "7"]
    assert main([*match, "--history", str(hands)]) == 0
    assert main(["convert", str(played / "hands.phhs"), str(converted)]) == 0
    assert hands.read_bytes() == converted.read_bytes()
    assert main(["replay", str(hands)]) == 0


def test_the_older_option_writes_phh_whatever_the_files_name(played: Path, tmp_path: Path) -> None:
    bots = [word for bot in BOTS for word in ("--bot", bot)]
    hands = tmp_path / "hands.txt"
    assert main(["simulate", *bots, "--hands", str(HANDS), "--seed", "7", "--phh", str(hands)]) == 0
    assert hands.read_bytes() == (played / "hands.phhs").read_bytes()


@pytest.mark.parametrize(
    ("words", "file", "said"),
    [
        ("", "hands.png", "hands.png has no suffix of hand histories (.phh"),
        ("", "hands", "hands has no suffix of hand histories (.phh"),
        ("", "hands.csv", "pokernow can be read, but not written"),
        ("", "hands.phh", "hands.phh: a .phh file holds one hand: name a .phhs file for more"),
        (
            "--game omaha8",
            "hands.phhs",
            "the Poker Hand History standard has no name for Pot-limit Omaha hi-lo",
        ),
        ("--game holdem+omaha8", "hands.phhs", "has no name for Pot-limit Omaha hi-lo"),
        ("--game badugi", "hands.log", "an ACPC log cannot carry"),
        ("--game open-face", "hands.jsonl", "hands.jsonl: Open-face Chinese poker has no hand history"),
        ("--run-it-twice", "hands.ohh", "Open Hand History cannot carry a board that was run again"),
        (
            "--run-it-twice --game omaha",
            "hands.ohh",
            "Open Hand History cannot carry a board that was run again",
        ),
        ("--bomb-pot 500", "hands.jsonl", "no hand history format can express bomb pots"),
    ],
)
def test_hands_that_the_file_cannot_hold_are_refused_before_any_is_played(
    words: str, file: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot, target = tmp_path / "mine.py", tmp_path / file
    asked = f"open({str(tmp_path / 'asked')!r}, 'w').close()"
    bot.write_text(f"def mine(view):\n    {asked}\n    return view.legal.passive\n", encoding="utf-8")
    match = ["simulate", "--bot", f"{bot}:mine", "--bot", f"{bot}:mine", "--hands", "100", *words.split()]
    assert main([*match, "--history", str(target)]) == 2
    shown = capsys.readouterr().err
    assert said in shown
    assert shown.count("\n") == 1
    assert [*tmp_path.iterdir()] == [bot]


@pytest.mark.parametrize("game", ["omaha8", "courchevel8", "8-game"])
def test_hands_without_a_name_in_one_format_are_written_in_another_and_counted(
    game: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hands = tmp_path / "hands.jsonl"
    match = ["simulate", "--bot", "loose", "--bot", "caller", "--hands", "40", "--seed", "3", "--game", game]
    assert main([*match, "--history", str(hands)]) == 0
    assert main(["replay", str(hands)]) == 0
    assert main(["stats", str(hands)]) == 0
    shown = capsys.readouterr().out
    assert "40 hands: 40 agree, 0 disagree" in shown
    assert "40 hands counted" in shown


def result_of(folder: Path) -> dict[str, dict[str, object]]:
    players = json.loads((folder / "result.json").read_text(encoding="utf-8"))["players"]
    return {player["bot"]: player for player in players}


@pytest.mark.parametrize("ending", ["phhs", "txt", "ohh", "log", "jsonl"])
def test_the_hands_of_a_match_give_its_own_figures_in_every_format(
    played: Path, tmp_path: Path, ending: str
) -> None:
    hands = tmp_path / f"hands.{ending}"
    if ending == "phhs":
        hands.write_bytes((played / "hands.phhs").read_bytes())
    else:
        assert main(["convert", str(played / "hands.phhs"), str(hands)]) == 0
    counts = count_histories([hands], by=["player"])
    assert (counts.hands, counts.unfinished, counts.disagreements.total()) == (HANDS, 0, 0)
    match = result_of(played)
    found = {figures.group["player"]: figures for figures in counts.figures()}
    assert found.keys() == match.keys()
    for name, figures in found.items():
        assert dict(figures.counts) == match[name]["counts"]
        assert figures.net_chips == match[name]["net_chips"]
        assert figures.bb_per_100.mean == match[name]["bb_per_100"]
        assert figures.bb_per_100.margin == match[name]["bb_per_100_margin95"]
        shown = {key: {"count": share.count, "of": share.of} for key, share in figures.statistics.items()}
        assert shown["vpip"]["count"] == match[name]["counts"]["vpip"]  # type: ignore[index]  # JSON of a match


def test_positions_are_those_of_the_match(played: Path) -> None:
    counts = count_histories([played / "hands.phhs"], by=["player", "position"])
    match = result_of(played)
    found = {(figures.group["player"], figures.group["position"]): figures for figures in counts.figures()}
    places = {(name, place["position"]): place for name in match for place in match[name]["positions"]}  # type: ignore[attr-defined]  # JSON of a match
    assert found.keys() == places.keys()
    for key, figures in found.items():
        assert dict(figures.counts) == places[key]["counts"]
        assert figures.net_chips == places[key]["net_chips"]


def test_files_add_up_packed_or_plain_on_one_process_or_two(played: Path, tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard")
    text = (played / "hands.phhs").read_bytes()
    (tmp_path / "one.phhs").write_bytes(text)
    (tmp_path / "two.phhs.zst").write_bytes(zstandard.ZstdCompressor().compress(text))
    with zipfile.ZipFile(tmp_path / "three.zip", "w") as archive:
        archive.writestr("inner/hands.phhs", text)
        archive.writestr("readme.md", "no hands")
    alone = count_histories([tmp_path / "one.phhs"])
    together = count_histories([tmp_path])
    assert together.hands == 3 * alone.hands
    tripled = HistoryCounts(alone.by)
    for _ in range(3):
        tripled.add(alone)
    assert together.to_plain() == tripled.to_plain()
    assert count_histories([tmp_path], workers=2).to_plain() == together.to_plain()


def test_sums_come_back_from_plain_values(played: Path) -> None:
    counts = count_histories([played / "hands.phhs"], by=["player", "game"])
    assert HistoryCounts.from_plain(json.loads(json.dumps(counts.to_plain()))) == counts


BROKEN = """
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [1, 2]
min_bet = 2
starting_stacks = [100, 100]
actions = ['d dh p1 QsQd', 'd dh p2 ????', 'p2 cbr 3', 'p1 f']
players = ['ann', 'bob']
"""


def test_hands_that_break_the_rules_are_left_out_and_counted_by_kind(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.phh").write_text(BROKEN, encoding="utf-8")
    (tmp_path / "b.phh").write_text(BROKEN.replace("cbr 3", "cbr 2"), encoding="utf-8")
    (tmp_path / "c.phh").write_text(BROKEN.replace("cbr 3", "cbr 6"), encoding="utf-8")
    (tmp_path / "d.phh").write_text(BROKEN.replace(", 'p2 cbr 3', 'p1 f'", ""), encoding="utf-8")
    assert main(["stats", str(tmp_path), "--json", "-"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["hands"], found["unfinished"]) == (1, 1)
    assert sum(found["disagreements"].values()) == 2
    assert all(not any(mark.isdigit() for mark in kind) for kind in found["disagreements"])
    by_name = {figures["player"]: figures for figures in found["figures"]}
    assert by_name["bob"]["net_chips"] == -by_name["ann"]["net_chips"] == 2


def test_what_cannot_be_read_is_counted_apart_from_hands_that_break_the_rules(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "words.txt").write_text("hello\n", encoding="utf-8")
    state = tmp_path / "state.jsonl"
    for _ in range(2):  # read, and then from the state
        assert main(["stats", str(tmp_path / "words.txt"), "--state", str(state)]) == 1
        first, second = capsys.readouterr().out.splitlines()
        assert first == "0 hands counted, 1 cannot be read"
        assert second.startswith("1 time ")
    older = json.loads(state.read_text(encoding="utf-8"))["counts"]
    del older["unread"]
    assert HistoryCounts.from_plain(older).headline == "0 hands counted"


@pytest.mark.parametrize("text", ["my notes", "my notes\nand more", '{"file": 1}\n{"fi", she said'])
def test_what_is_mistaken_for_a_state_stays_as_it_is(
    text: str, played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text(text, encoding="utf-8")
    assert main(["stats", str(played / "hands.phhs"), "--state", str(notes)]) == 2
    assert "this is not a state of `stats`" in capsys.readouterr().err
    assert notes.read_text(encoding="utf-8") == text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("option", "status", "said"), [("--state", 2, "is not a file"), ("--parquet", 3, "no space left")]
)
def test_a_device_keeps_no_state_and_a_full_disk_is_named(
    option: str, status: int, said: str, played: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["stats", str(played / "hands.phhs"), option, "/dev/full"]) == status
    assert said in capsys.readouterr().err


def test_a_state_is_gone_on_from_and_a_changed_file_is_read_again(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, state = tmp_path / "hands", tmp_path / "state.jsonl"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.phhs").write_bytes((played / "hands.phhs").read_bytes())
    command = ["stats", str(folder), "--state", str(state), "--json", "-"]
    assert main(command) == 0
    whole = capsys.readouterr().out
    kept = state.read_text(encoding="utf-8").splitlines(keepends=True)
    assert len(kept) == 2
    state.write_text(kept[0] + kept[1][:50], encoding="utf-8")  # killed within the second line
    assert main(command) == 0
    assert capsys.readouterr().out == whole
    assert main(command) == 0
    assert capsys.readouterr().out == whole
    assert main([*command, "--by", "game"]) == 2
    assert "is grouped by player, but --by says game" in capsys.readouterr().err
    first_hand = (played / "hands.phhs").read_text(encoding="utf-8").partition("[2]")[0]
    (folder / "b.phhs").write_text(first_hand, encoding="utf-8")
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["hands"] == HANDS + 1
    state.write_text("{}\n{}\n", encoding="utf-8")
    assert main(command) == 2
    assert "line 1: this is not a state of `stats`" in capsys.readouterr().err


@pytest.mark.parametrize("ending", ["phhs", "txt", "ohh", "log", "jsonl"])
def test_one_file_on_two_processes_is_counted_and_kept_as_on_one(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr("poker_actors.sim.histories._BATCH", 7)
    monkeypatch.setattr("poker_actors.sim.histories._PART", 14)
    hands = tmp_path / f"hands.{ending}"
    if ending == "phhs":  # a hand that breaks the rules, one that cannot be read, and a byte that is no text
        text = (played / "hands.phhs").read_bytes()
        hands.write_bytes(
            text.replace(b"'p1 f'", b"'p1 cbr 1'", 1) + b"[999]\nvariant = 'NT'\n[1000]\n\xff\n"
        )
    else:
        assert main(["convert", str(played / "hands.phhs"), str(hands)]) == 0
    kept: list[list[tuple[str, int, dict[str, object]]]] = []
    for workers in (1, 2):
        parts: list[tuple[str, int, dict[str, object]]] = []

        def part(file: str, entries: int, found: HistoryCounts, parts: Any = parts) -> None:
            parts.append((file, entries, found.to_plain()))

        whole = count_histories([hands], by=["player", "position"], workers=workers, part=part)
        kept.append([*parts, ("all", 0, whole.to_plain())])
    assert json.dumps(kept[0]) == json.dumps(kept[1])
    assert len(kept[0]) == 1 + HANDS // 14
    begun = {str(hands): (kept[0][5][1], HistoryCounts.from_plain(kept[0][5][2]))}
    gone_on = count_histories([hands], by=["player", "position"], workers=2, begun=begun)
    assert json.dumps(gone_on.to_plain()) == json.dumps(kept[0][-1][2])


def test_a_large_file_is_cut_and_small_ones_are_counted_whole(played: Path, tmp_path: Path) -> None:
    text = (played / "hands.phhs").read_bytes()
    for number in range(4):
        (tmp_path / f"{number}.phhs").write_bytes(text[: text.index(b"[3]\n")])
    (tmp_path / "large.phhs").write_bytes(text)
    tasks = [(str(file), 0, HistoryCounts()) for file in sorted(tmp_path.iterdir())]
    names = [task[0].__name__ for _, _, task in histories._shared_out(tasks, 2)]
    assert names == ["_count_file"] * 4 + ["_count_hands"]
    plain = [count_histories([tmp_path], workers=workers).to_plain() for workers in (1, 3)]
    assert plain[0] == plain[1]


def test_a_run_killed_within_a_file_goes_on_within_it(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    state, read = tmp_path / "state.jsonl", list[Entry]()
    command = ["stats", str(played / "hands.phhs"), "--state", str(state), "--json", "-"]
    monkeypatch.setattr("poker_actors.sim.histories._PART", 100)
    assert main(command) == 0
    whole = capsys.readouterr().out
    kept = state.read_text(encoding="utf-8").splitlines(keepends=True)
    assert [json.loads(line).get("entries") for line in kept] == [100, 200, None]
    state.write_text("".join(kept[:2]) + kept[2][:70], encoding="utf-8")
    count = HistoryCounts.count

    def noted(counts: HistoryCounts, entry: Entry) -> None:
        read.append(entry)
        count(counts, entry)

    monkeypatch.setattr(HistoryCounts, "count", noted)
    assert main(command) == 0
    assert capsys.readouterr().out == whole
    assert len(read) == HANDS - 200


def test_a_page_and_a_table_have_the_figures(played: Path, tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    page, table = tmp_path / "stats.html", tmp_path / "stats.parquet"
    assert main(["stats", str(played / "hands.phhs"), "--report", str(page), "--parquet", str(table)]) == 0
    text = page.read_text(encoding="utf-8")
    assert all(bot in text for bot in BOTS)
    rows = polars.read_parquet(table).to_dicts()
    match = result_of(played)
    assert {row["player"]: row["net_chips"] for row in rows} == {
        name: player["net_chips"] for name, player in match.items()
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "needs a file or a folder"),
        (["nowhere.phhs"], "no such file"),
        (["--least", "0", "x.phh"], "below the minimum of 1"),
        (["--workers", "0", "."], "hand histories in ."),
    ],
)
def test_what_cannot_be_counted_is_one_line(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["stats", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_grouping_that_is_none_and_no_workers_are_refused(played: Path) -> None:
    with pytest.raises(BadSpec, match="'colour': figures are grouped by"):
        count_histories([played], by=["colour"])
    with pytest.raises(BadSpec, match="workers is 0"):
        count_histories([played], workers=0)


@pytest.mark.parametrize("words", ["stats .", "replay .", "convert . all.jsonl"])
def test_too_many_workers_are_refused(
    words: str, played: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(played)
    assert main([*words.split(), "--workers", "513"]) == 2
    assert "workers is 513: it must be 1 to 512" in capsys.readouterr().err


def test_the_interval_of_a_share_is_wilsons() -> None:
    low, high = shares_between(Share(8, 10))  # Wilson (1927): 0.490 to 0.943
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert shares_between(Share(0, 0)) == (0.0, 1.0)
