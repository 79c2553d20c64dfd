"""The work of an arena done in this process, of a few hands: matches, checks, pools, and what a server has done for it."""

from __future__ import annotations

import os
import resource
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import attrs
import pytest

from poker_actors.arena import Arena, ArenaSettings, Score, entrants, playing, serving
from poker_actors.arena.entrants import MOST_PATIENCE, Entrant
from poker_actors.arena.playing import Admit, Playing
from poker_actors.arena.state import Admission
from poker_actors.bots import BotSpec, Faults
from poker_actors.errors import BadHistory, BadSpec
from poker_actors.history import parse
from tests.unit.arena.places import CALLS, laid

FULL = "the machine failed (No space left on device), and the next run tries it again"
PLAIN = ArenaSettings(cage=False, adjust=False, histories=False, hands=16, check_hands=16)
WITH_HANDS = attrs.evolve(PLAIN, histories=True)


def of(settings: ArenaSettings = PLAIN, *bots: str, hands: int = 16) -> Playing:
    players = tuple(map(BotSpec.parse, bots or ("caller", "loose")))
    names = tuple(f"p{at}" for at, _ in enumerate(players))
    return Playing(key="k", names=names, players=players, seed=4, hands=hands, settings=settings)


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> list[Playing]:
    """Matches that are not compiled."""
    found: list[Playing] = []

    def played(self: Playing) -> str:
        found.append(self)
        return "by hand"

    monkeypatch.setattr(Playing, "_by_hand", played)
    return found


def test_compiled_code_plays_two_of_the_house_where_nobody_asks_for_hands_or_luck(
    by_hand: list[Playing],
) -> None:
    played = of()()
    of(PLAIN, "caller", "expert")()
    assert by_hand == [], "a house bot may be a class, and is no program"
    assert played.score.hands == 16
    assert played.texts["log.txt"].startswith("p0 - p1: 16 hands of holdem\ndigest ")
    assert [*played.texts] == ["log.txt"]
    program = tuple(map(BotSpec.parse, ("caller", "cmd:/bin/false")))
    others = [
        of(WITH_HANDS),
        of(attrs.evolve(PLAIN, adjust=True)),
        of(attrs.evolve(PLAIN, seats="six-max"), *["caller"] * 3, hands=18),
        attrs.evolve(of(), players=program),
    ]
    for match in others:
        match()
    assert by_hand == others


def test_a_match_whose_player_does_not_start_is_tried_again_and_void_after_three(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    starts: list[int] = []

    def fails(self: Playing) -> None:
        starts.append(1)
        raise BadSpec("it did\nnot start")

    monkeypatch.setattr(Playing, "_compiled", fails)
    played = of()()
    assert (len(starts), played.score) == (3, Score(void="it did not start"))
    assert played.texts == {"log.txt": "p0 - p1: 16 hands of holdem\nvoid: it did not start\n"}


def test_whom_the_machine_cannot_start_is_not_at_fault(tmp_path: Path) -> None:
    folder = laid(tmp_path / "a", ann=CALLS, bob=CALLS) / "ann"
    player = entrants.player_of(Entrant(name="ann", digest="1"), folder, PLAIN)
    match = attrs.evolve(of(), players=(player, BotSpec.parse("caller")))
    assert match().score.hands == 16
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    free = os.dup(0)
    os.close(free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (free, limits[1]))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            match()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    (folder / "bot").write_text("#!/bin/sh\nimport sys\nsys.exit(1)\n")
    assert match().score.void == "p0 does not start: ended with exit status 1"
    shutil.rmtree(folder)
    with pytest.raises(FileNotFoundError):
        match()


def test_an_error_names_entrants_and_no_command_and_no_place(tmp_path: Path) -> None:
    (tmp_path / "bot.py").touch()
    function = entrants.player_of(Entrant(name="fun", digest="1"), tmp_path, PLAIN)
    mit = BotSpec("mit", function.source, {"folder": "/x/y"})
    house = BotSpec.parse("caller")
    for error, said in (
        ("bot cmd:bot.py:bot does not start:\n gone", "p does not start: gone"),
        (f"bot cmd:{tmp_path}/bot.py:bot"[:68] + ": is none", "p: is none"),
        ("bot mit:/x/y does not connect", "q does not connect"),
        ("bot cmd:other does not start", "bot cmd:other does not start"),
        ("bot mit:/z does not connect", "bot mit:/z does not connect"),
    ):
        assert playing._in_words(BadSpec(error), ("p", "q", "r"), (function, mit, house)) == said


def test_hands_and_the_largest_are_those_that_were_played() -> None:
    match = of(WITH_HANDS, "caller", "loose", hands=64)
    played = match()
    histories = list(parse(played.texts["hands.phhs"]))
    assert len(histories) == 64
    largest = [abs(won) for _, won in played.score.largest]
    assert largest == sorted(largest, reverse=True)
    assert len(largest) == 30
    numbers = [number for number, won in played.score.largest if abs(won) == largest[-1]]
    assert numbers == sorted(numbers), "of equals the first"
    assert sum(won for _, won in of(WITH_HANDS)().score.largest) == of(WITH_HANDS)().score.net[0]
    lucky = attrs.evolve(PLAIN, adjust=True)
    assert [*of(lucky)().texts] == ["log.txt"], "nobody asked for the hands"


def test_no_hand_is_written_out_that_nobody_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "record", pytest.fail)
    assert of(attrs.evolve(PLAIN, adjust=True))().score.hands == 16


def test_a_score_has_the_decks_won_and_its_curve_is_that_of_its_means() -> None:
    plain = of(WITH_HANDS, hands=200)().score
    adjusted = of(attrs.evolve(WITH_HANDS, adjust=True), hands=200)().score
    assert sum(plain.won) == 100
    assert plain.curve[0][-1] == pytest.approx(plain.means[0])
    assert adjusted.curve[0][-1] == pytest.approx(adjusted.means[0])
    assert adjusted.means != adjusted.raw_means


def test_what_programs_said_is_asked_of_them_once_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def said(bot: object) -> str:
        asked.append(bot)
        return ""

    monkeypatch.setattr(playing, "_said", said)
    of(WITH_HANDS)()
    assert len(asked) == 2


def test_a_hand_that_no_history_has_words_for_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def wordless(*_: object, **__: object) -> None:
        raise BadHistory("no words")

    monkeypatch.setattr(playing, "record", wordless)
    assert of(WITH_HANDS)().texts["hands.phhs"] == ""


def test_only_matches_of_more_than_two_keep_who_beat_whom() -> None:
    three = of(attrs.evolve(WITH_HANDS, seats="six-max"), "caller", "loose", "tight", hands=18)()
    assert len(three.score.beaten) == 3
    assert all(len(won) == 4 for won in three.score.largest), "the number, and what each won"
    assert of(WITH_HANDS)().score.beaten == ()


def test_a_log_names_faults_and_what_programs_said_and_errors_have_files_of_their_own() -> None:
    paper = playing._Paper(("ann", "bob"), histories=True)
    accounts = [Faults(), Faults()]
    paper.listen(accounts)
    told: Any = accounts[1].told
    accounts[1].hand = 7
    told("late", "it took\n9 s", "", None, None)
    for _ in range(600):
        told("died", "gone", "line 3", None, None)
    paper.leave(accounts)
    assert [account.told for account in accounts] == [None, None]
    paper.said = ["", "one\ntwo"]
    score = Score(digest="d", net=(5, -5), means=(1.0, -1.0))
    texts = paper.texts("title", score, accounts)
    assert (
        texts["log.txt"]
        == "title\ndigest d\nann: +5 chips, +1.0 bb/100\nbob: -5 chips, -1.0 bb/100\n  | one\n  | two\n"
    )
    assert {*texts} == {"log.txt", "hands.phhs", "errors-2.txt"}
    lines = texts["errors-2.txt"].splitlines()
    assert lines[:2] == ["hand 7: late: it took 9 s", "hand 7: died: gone at line 3"]
    assert len(lines) == 500
    accounts[0].late = 2
    games = paper.texts("title", attrs.evolve(score, tournaments=8), accounts)["log.txt"]
    assert "ann: +5 % of buy-ins, +1.0 % of a buy-in each\n  " in games
    assert accounts[0].words in games


@pytest.mark.parametrize(
    ("bot", "said"),
    [
        (SimpleNamespace(stderr=b"err", printed=b"out"), "err"),
        (SimpleNamespace(stderr=b"", printed=b"\xff out"), "\ufffd out"),
        (SimpleNamespace(stderr="text"), "text"),
        (SimpleNamespace(), ""),
    ],
)
def test_what_a_program_printed_is_text_whatever_it_is(bot: object, said: str) -> None:
    assert playing._said(bot) == said


class TestAdmission:
    """What an entrant's build and check come to; the check is played by house bots in its place."""

    @pytest.fixture
    def admit(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Admit:
        monkeypatch.setattr(playing, "built", lambda *_: b"built")
        monkeypatch.setattr(playing, "player_of", lambda *_: BotSpec.parse("caller"))
        monkeypatch.setattr(playing, "patience", lambda: 1.0)  # however busy this machine is
        return Admit(entrant=Entrant(name="ann", digest="1"), folder=tmp_path, place=tmp_path, settings=PLAIN)

    def test_who_plays_well_has_no_remark_and_a_time(self, admit: Admit) -> None:
        admission, output = admit()
        assert (admission.refused, admission.remark, output) == ("", "", b"built")
        assert admission.seconds is None, "a house bot has no clock"

    def test_time_is_the_mean_of_a_decision(self, admit: Admit, monkeypatch: pytest.MonkeyPatch) -> None:
        faults = Faults()
        faults.used.calls, faults.used.seconds = 4, 2.0
        monkeypatch.setattr(Admit, "_try", lambda *_: (faults, "d", "there"))
        assert admit()[0].seconds == 0.5

    def test_who_plays_otherwise_the_second_time_is_told(
        self, admit: Admit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        digests = iter(("one", "two"))
        monkeypatch.setattr(Admit, "_try", lambda *_: (Faults(), next(digests), "there"))
        assert admit()[0].remark == "plays differently when the same hands are dealt again (there)"

    def test_faults_are_a_remark_and_an_ejection_a_refusal(
        self, admit: Admit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        faults = Faults()
        faults.late = 1
        monkeypatch.setattr(Admit, "_try", lambda *_: (faults, "d", "there"))
        assert admit()[0].remark.startswith("1 fault (late 1), the first: ")
        assert admit()[0].remark.endswith(", there")
        digests = iter(("one", "two", "three"))
        monkeypatch.setattr(Admit, "_try", lambda *_: (faults, next(digests), "there"))
        assert admit()[0].remark.startswith("1 fault ("), (
            "who was late plays otherwise, and is told the cause"
        )
        faults.ejected = 3
        found = admit()[0]
        assert found.refused.startswith("its check there: 1 fault (late 1), the first: ")
        faults.died = 2
        assert admit()[0].refused.startswith("its check there: 3 faults (late 1, died 2), the first: ")
        assert found.refused_code == "check_failed"

    def test_who_does_not_start_is_tried_three_times_and_said_without_a_place_of_this_machine(
        self, admit: Admit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "bot").write_text("#!/bin/sh\necho >> starts\nexit 1\n")
        spec = entrants.player_of(admit.entrant, tmp_path, attrs.evolve(PLAIN, cage=False))
        monkeypatch.setattr(playing, "player_of", lambda *_: spec)
        found = admit()[0]
        assert found.refused == "it does not start: ended with exit status 1"
        assert (tmp_path / "starts").read_text() == "\n" * 3
        starts = iter((False, False, True, True))

        def busy(*_: object) -> tuple[Faults, str, str]:
            if not next(starts):
                raise BadSpec("no answer in time")
            return Faults(), "d", "there"

        monkeypatch.setattr(Admit, "_try", busy)
        assert admit()[0].refused == ""

    def test_who_needs_longer_to_start_on_a_busy_machine_gets_it(
        self, admit: Admit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        limits = attrs.evolve(PLAIN.limits, start_seconds=0.1, decision_seconds=60.0)
        slow = attrs.evolve(PLAIN, limits=limits)
        program = (
            (laid(tmp_path, ann=CALLS) / "ann/bot")
            .read_text()
            .replace("import json", "import time; time.sleep(0.5)\nimport json")
        )
        (tmp_path / "ann/bot").write_text(program)
        player = entrants.player_of(admit.entrant, tmp_path / "ann", slow)
        match = attrs.evolve(of(slow), players=(player, BotSpec.parse("caller")))
        monkeypatch.setattr(playing, "player_of", lambda *_: player)
        for times, refused in ((1.0, "it does not start: no answer in time"), (600.0, "")):
            monkeypatch.setattr(playing, "patience", lambda times=times: times)
            assert admit()[0].refused == refused
            assert match().score.void == refused.replace("it does", "p0 does")

    @pytest.mark.parametrize(
        ("kinds", "busy", "tries"),
        [
            (("late",), MOST_PATIENCE, [3, 2]),
            (("late",), MOST_PATIENCE / 2, [1, 1]),
            (("late", "died"), MOST_PATIENCE, [1, 1]),
        ],
    )
    def test_who_is_only_late_is_checked_again_on_a_machine_that_is_very_busy(
        self,
        admit: Admit,
        monkeypatch: pytest.MonkeyPatch,
        kinds: tuple[str, ...],
        busy: float,
        tries: list[int],
    ) -> None:
        faults = Faults()
        for kind in kinds:
            setattr(faults, kind, 5)
        faults.ejected = 3
        remark = attrs.evolve(faults, ejected=None)
        monkeypatch.setattr(playing, "patience", lambda: busy)
        for then, count in zip((faults, remark), tries, strict=True):
            found = iter([faults, then, then])
            monkeypatch.setattr(Admit, "_try", lambda *_, found=found: (next(found), "d", "there"))
            admission = admit()[0]
            assert len([*found]) == 3 - count
            assert bool(admission.refused) is (count != 2)

    def test_a_check_of_sit_and_gos_is_one_and_says_so(self, admit: Admit) -> None:
        games = attrs.evolve(PLAIN, seats="sit-and-go")
        where = attrs.evolve(admit, settings=games)._try(BotSpec.parse("caller"))[2]
        assert where.startswith("in a sit-and-go of ")
        assert admit._try(BotSpec.parse("caller"))[2].startswith("in 16 hands of ")

    @pytest.mark.parametrize(
        ("error", "said", "code"),
        [
            (BadSpec("no\nbot", code="build_failed"), "no bot", "build_failed"),
            (OSError(2, "No such file", "/secret/place/bot"), "No such file: bot", "build_failed"),
            (OSError(2, "No such file", b"/secret/place/bot"), "No such file: bot", "build_failed"),
            (OSError(28, "No space left on device", "/secret/place/bot"), FULL, "machine_failed"),
            (
                shutil.Error([("/secret/a", "/secret/b", "[Errno 28] No space left on device")]),
                "the machine failed (its files cannot be copied), and the next run tries it again",
                "machine_failed",
            ),
            (OSError(), "its files cannot be read", "build_failed"),
            (OSError(9, "Bad file", 3), "Bad file", "build_failed"),
        ],
    )
    def test_what_cannot_be_built_is_refused_without_a_place_of_this_machine(
        self, admit: Admit, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str, code: str
    ) -> None:
        def fails(*_: object) -> bytes:
            raise error

        monkeypatch.setattr(playing, "built", fails)
        admission, output = admit()
        assert (admission.refused, admission.refused_code, output) == (said, code, b"")


@pytest.mark.parametrize("blocks", [(10, 10), (10,)])
def test_a_curve_is_the_mean_so_far(blocks: tuple[int, ...]) -> None:
    assert playing._curve((20.0, 30.0)[: len(blocks)], blocks, 50.0) == (100.0, 75.0)[: len(blocks)]


def worked(monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[int, list[dict[str, Any]]]:
    """Do a server's work in this process; return its exit status and what it said."""
    said: list[dict[str, Any]] = []
    monkeypatch.setattr(serving, "_end_with_stdin", lambda: None)
    monkeypatch.setattr(serving, "_say", lambda **value: said.append(value))
    return serving.main([*words]), said


def test_work_that_there_is_not_is_said_as_a_line_with_a_code(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert worked(monkeypatch, "dig", "here") == (
        2,
        [{"code": "bad_spec", "text": "unknown work: ['dig']"}],
    )
    (tmp_path / "upload").write_bytes(b"")
    status, said = worked(monkeypatch, "check", str(tmp_path), "ann", str(tmp_path / "upload"))
    assert (status, [*said[0]]) == (2, ["code", "text"])


def test_a_check_says_the_version_and_then_what_came_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(serving, "check_cage", lambda: asked.append(1))
    monkeypatch.setattr(
        Admit, "__call__", lambda self: (Admission(remark=self.entrant.name), b"x" * 20_000 + b"end")
    )
    for cage in ("true", "false"):
        (tmp_path / "arena.toml").write_text(f"cage = {cage}\n")
        place = tmp_path / cage
        place.mkdir()
        (place / "upload").write_bytes(b"#!/bin/sh\n")
        status, (version, found) = worked(monkeypatch, "check", str(tmp_path), "ann", str(place / "upload"))
        assert (status, [*version], found["remark"]) == (0, ["version"], "ann")
        assert found["output"] == "x" * (16_384 - 3) + "end"
    assert asked == [1], "without cages none is tried"


def test_an_archive_may_take_little_memory_where_the_system_says_how_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    limits: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (-1, -1))
    monkeypatch.setattr(resource, "setrlimit", lambda _, both: limits.append(both))
    with pytest.raises(BadSpec), serving._little_memory():
        raise BadSpec("no archive")
    assert len(limits) == 2
    assert limits[0][0] > 1 << 30
    assert limits[1] == (-1, -1)
    monkeypatch.setattr(Path, "exists", lambda _: False)
    with serving._little_memory():
        pass
    assert len(limits) == 2


def test_builds_that_are_not_on_the_board_are_removed(tmp_path: Path) -> None:
    arena = Arena(laid(tmp_path / "a", ann=CALLS))
    there = SimpleNamespace(name="ann", version="1")
    kept = arena.place_of(Entrant(name="ann", digest="1"))
    for place in (kept, kept.parent / "bob", arena.kept / "built/2-free/ann", arena.kept / "entrants/ann"):
        place.mkdir(parents=True)
    (arena.kept / "entrants/bob").mkdir()
    board: Any = SimpleNamespace(competitors=[there])
    serving._forget_builds(arena, board)
    left = {str(path.relative_to(arena.kept)) for path in arena.kept.rglob("*") if path.is_dir()}
    assert left == {"built", "built/1-free", "built/1-free/ann", "entrants", "entrants/ann"}
