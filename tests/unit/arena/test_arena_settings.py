"""What arena.toml says, and what it may not say; and what a run does of it, with a pool of this process."""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Self

import attrs
import pytest

from poker_actors.arena import Arena, ArenaSettings, arena
from poker_actors.arena.playing import Admit
from poker_actors.arena.state import Admission
from poker_actors.arena.workers import Lost
from poker_actors.bots import BotSpec
from poker_actors.errors import BadInput, BadSpec, MissingFeature
from poker_actors.sim.tournaments import sit_and_go
from tests.unit.arena.places import CALLS, RAISES, TOML, laid, made, put


def read(folder: Path, text: str) -> ArenaSettings:
    (folder / "arena.toml").write_text(text, encoding="utf-8")
    return ArenaSettings.read(folder)


def test_a_folder_without_a_file_is_played_by_default(tmp_path: Path) -> None:
    settings = ArenaSettings.read(tmp_path)
    assert (settings.game, settings.hands, settings.schedule, settings.cage) == (
        "holdem",
        1000,
        "round-robin",
        True,
    )


def test_the_limits_are_read(tmp_path: Path) -> None:
    assert ArenaSettings.read(made(tmp_path / "a", TOML)).limits.decision_seconds == 5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hnads = 100", "no setting is called 'hnads', did you mean hands?"),
        ("[limits]\nmemroy = 5", r"no setting of \[limits\] is called 'memroy', did you mean memory?"),
        ("hands = 101", "hands is 101, an odd number"),
        ("check_hands = 17", "check_hands is 17, an odd number"),
        ("hands = 8", "hands is 8: it must be 16 to"),
        ('hands = "many"', "hands is 'many': it must be a whole number"),
        ("seed = -1", "seed is -1: it must be 0 to"),
        ("hands = true", "hands is True: it must be a whole number"),
        ("cage = 1", "cage is 1: it must be true or false"),
        ("game = 5", "game is 5: it must be a string"),
        ('schedule = "knock-out"', "schedule 'knock-out' must be one of round-robin, swiss, ladder"),
        ('seats = "nine-max"', "seats 'nine-max' must be one of heads-up, six-max, sit-and-go"),
        ('seats = "six-max"\ngame = "kuhn"', "seats 'six-max': kuhn seats 2 to 2"),
        ("tournaments = 5", "tournaments is 5: it must be 8 to"),
        ('house = "tight"', "house is 'tight', not a list of bots"),
        ('house = ["cmd:./bot"]', "house 'cmd:./bot' is a program: give it a folder"),
        ('house = ["cage"]', "house 'cage' is a program: give it a folder"),
        ('house = ["tigt"]', "did you mean tight?"),
        ('game = "holdme"', "did you mean holdem?"),
        ('stakes = "1:2"', "1:2"),
        ('stacks = "much"', "much"),
        ("limits = 5", "limits is 5, not a table"),
        ("[limits]\nprocesses = 0", "processes is 0: it must be 1 to 1000"),
        ("hands = ", "cannot be read"),
    ],
)
def test_what_is_not_understood_is_refused_by_name(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(BadInput, match="(?s)" + said.replace("?", "[?]").replace(".", "[.]")):
        read(tmp_path, text)


def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSpec, match="nowhere is not a folder"):
        ArenaSettings.read(tmp_path / "nowhere")


def test_a_game_of_a_file_lies_beside_the_arenas_file_and_its_code_counts(tmp_path: Path) -> None:
    place = tmp_path / "games.py"
    place.write_text(
        "import attrs\nfrom poker_actors.rules import HOLDEM\nmine = attrs.evolve(HOLDEM, name='mine')\n"
    )
    settings = read(tmp_path, 'game = "games.py:mine"')
    assert settings.rules.name == "mine"
    before = settings.key
    place.write_text(place.read_text() + "# changed\n")
    assert before != ArenaSettings.read(tmp_path).key


def test_who_meets_whom_does_not_change_a_match(tmp_path: Path) -> None:
    assert read(tmp_path, 'schedule = "swiss"').key == read(tmp_path, "control = true").key
    assert read(tmp_path, "hands = 64").key != read(tmp_path, "hands = 32").key
    assert read(tmp_path, "[limits]\nmemory = 64").key != read(tmp_path, "[limits]\nmemory = 32").key


def test_hands_at_tables_of_six_are_whole_decks(tmp_path: Path) -> None:
    settings = read(tmp_path, 'seats = "six-max"\nhands = 1000')
    assert settings.match(["caller"] * 6, hands=settings.hands, seed=1).hands == 1002
    assert read(tmp_path, 'seats = "six-max"\nhands = 17\ncheck_hands = 17').hands == 17, (
        "odd, and no deck is halved"
    )
    assert settings.length(6) == "1,002 hands"
    assert settings.length(4) == "1,000 hands"


def test_scores_of_two_stay_where_there_are_new_settings(tmp_path: Path) -> None:
    assert read(tmp_path, "tournaments = 9").key == read(tmp_path, "").key
    assert read(tmp_path, "seed = 0").key == read(tmp_path, "").key != read(tmp_path, "seed = 5").key
    assert read(tmp_path, 'seats = "six-max"').key != read(tmp_path, "").key
    sit_and_go = read(tmp_path, 'seats = "sit-and-go"')
    assert sit_and_go.key != read(tmp_path, 'seats = "sit-and-go"\ntournaments = 9').key


def test_a_sit_and_go_has_the_blinds_and_stacks_that_are_said(tmp_path: Path) -> None:
    structure = read(tmp_path, 'seats = "sit-and-go"\nstakes = "5/10"\nstacks = "50bb"').structure(6)
    assert (structure.stakes(0).big_blind, structure.stack, structure.seats) == (10, 500, 6)
    with pytest.raises(BadSpec, match="sit-and-go"):
        read(tmp_path, 'seats = "sit-and-go"\ngame = "leduc"')
    assert read(tmp_path, 'stacks = "900,800"').stacks == "900,800", "of two, who play hands"
    with pytest.raises(BadSpec, match="in a sit-and-go everybody begins with the same stack"):
        read(tmp_path, 'seats = "sit-and-go"\nstacks = "900,800,900,800,900,800"')


def test_a_sit_and_go_of_which_nothing_is_said_has_its_own_and_is_counted_in_tournaments(
    tmp_path: Path,
) -> None:
    settings = read(tmp_path, 'seats = "sit-and-go"\nhouse = ["tight:vpip=0.3"]')
    structure = settings.structure(6)
    stud = read(tmp_path, 'seats = "sit-and-go"\ngame = "stud"').structure(6)
    assert stud == sit_and_go(6, game="stud"), "a game without blinds has levels, too"
    assert (structure.stakes(0).big_blind, structure.stack) == (20, 1500)
    assert settings.length(6) == "20 sit-and-gos"
    assert settings.house == ("tight:vpip=0.3",)
    with pytest.raises(BadSpec, match="house"):
        read(tmp_path, "house = [5]")


def test_luck_is_taken_out_where_hands_are_compared(tmp_path: Path) -> None:
    assert read(tmp_path, "").corrects
    assert not read(tmp_path, "adjust = false").corrects
    assert not read(tmp_path, 'game = "open-face"').corrects
    assert not read(tmp_path, 'seats = "sit-and-go"').corrects


# -- a run, in this process ------------------------------------------------------------------------


class Here:
    """A pool of this process: everybody passes unless `refuses`, and calls in matches; `tasks` are those of the last run."""

    tasks: ClassVar[list[object]] = []
    refuses: ClassVar[dict[str, object]] = {}

    def __init__(self, *_: object) -> None:
        self.tasks.clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None: ...

    def run(self, tasks: Sequence[Any]) -> Iterator[tuple[Any, Any]]:
        self.tasks.extend(tasks)
        for task in tasks:
            if isinstance(task, Admit):
                found = self.refuses.get(task.entrant.name)
                if found is None:
                    shutil.copytree(task.folder, task.place, dirs_exist_ok=True)
                yield task, found or (Admission(), b"")
            else:
                yield task, attrs.evolve(task, players=tuple(map(BotSpec.parse, ["caller"] * 2)))()


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> type[Here]:
    monkeypatch.setattr(arena, "Workers", Here)
    monkeypatch.setattr(Here, "refuses", {})
    return Here


def names(tasks: Sequence[Any]) -> list[str]:
    """Who is admitted, and which matches are played."""
    return [task.entrant.name if isinstance(task, Admit) else " - ".join(task.names) for task in tasks]


@pytest.mark.parametrize("workers", [0, 513])
def test_an_arena_has_1_to_512_workers(tmp_path: Path, workers: int) -> None:
    with pytest.raises(BadSpec, match=f"workers is {workers}: it must be 1 to 512"):
        Arena(laid(tmp_path / "a"), workers)
    assert Arena(tmp_path / "a", 512).workers == 512


def test_a_field_that_is_a_mistake_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: type[Here]
) -> None:
    monkeypatch.setattr(arena, "_MOST_ENTRANTS", 2)
    folder = laid(tmp_path / "a")
    with pytest.raises(BadSpec, match="3 entrants are too many: at most 2"):
        Arena(folder).run()
    shutil.rmtree(folder / "cat")
    assert Arena(folder).run().playing == 2


def test_an_address_is_where_an_arena_is_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: type[Here]
) -> None:
    asked = []

    def on_ray(*given: object) -> Here:
        asked.append(given)
        return Here()

    monkeypatch.setattr(arena, "on_ray", on_ray)
    folder = laid(tmp_path / "a")
    Arena(folder).run()
    assert asked == []
    Arena(folder, 2, "local").run()
    assert asked == [(2, "local", folder)]


def test_cages_are_asked_for_where_there_is_somebody_for_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: type[Here]
) -> None:
    def lacks() -> None:
        raise MissingFeature("bwrap")

    monkeypatch.setattr(arena, "check_cage", lacks)
    folder = laid(tmp_path / "a", TOML.replace("cage = false", "cage = true"), ann=CALLS)
    with pytest.raises(MissingFeature, match="bwrap"):
        Arena(folder).run()
    (folder / "arena.toml").write_text(TOML)
    assert Arena(folder).run().playing == 1
    (folder / "arena.toml").write_text("house = ['caller', 'tight']\nhands = 16\n")
    shutil.rmtree(folder / "ann")
    assert Arena(folder).run().playing == 2


def test_all_that_is_done_or_known_is_counted_and_nothing_is_done_twice(
    tmp_path: Path, here: type[Here]
) -> None:
    folder = laid(tmp_path / "a", f"house = ['caller']\n{TOML}", ann=CALLS, bob=RAISES)
    for done in (["ann", "bob", "ann - bob", "ann - caller", "bob - caller"], []):
        told: list[int] = []
        Arena(folder).run(told.append)
        assert names(here.tasks) == done
        assert sum(told) == Arena(folder).steps == 6
    shutil.rmtree(folder / ".arena/built")
    Arena(folder).run()
    assert names(here.tasks) == ["ann", "bob"], "what was built is gone"


def test_who_was_refused_is_asked_again_on_request_only(tmp_path: Path, here: type[Here]) -> None:
    folder = laid(tmp_path / "a", TOML, ann=CALLS, bob=CALLS, cat=CALLS)
    here.refuses["bob"] = Admission(refused="it smells", refused_code="check_failed"), b"as built"
    here.refuses["cat"] = Lost(why="its process ended twice: why", log="its process ended twice: why\nwhere")
    board = Arena(folder).run()
    assert [(each.name, each.admission.refused_code) for each in board.competitors] == [
        ("ann", ""),
        ("bob", "check_failed"),
        ("cat", "build_failed"),
    ]
    said = "its build or check did not finish: its process ended twice: why"
    assert board.competitors[2].admission.refused == said
    assert (folder / ".arena/entrants/cat/build.txt").read_text() == said, "the log has the rest"
    for recheck, done in ((False, []), (True, ["bob", "cat"])):
        Arena(folder).run(recheck=recheck)
        assert names(here.tasks) == done


def test_matches_whose_files_cannot_be_removed_are_removed_next_time(
    tmp_path: Path, here: type[Here], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = laid(tmp_path / "a")
    first = {pair.key for pair in Arena(folder).run().pairs}
    put(folder, "cat", CALLS)
    whole = shutil.rmtree

    def in_use(place: Path, **rest: Any) -> None:
        if place.name not in first:
            whole(place, **rest)

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", in_use)
        Arena(folder).run()
    kept = {path.name for path in (folder / ".arena/matches").glob("*/*")}
    assert first < kept
    now = {pair.key for pair in Arena(folder).run().pairs}
    assert {path.name for path in (folder / ".arena/matches").glob("*/*")} == now


def test_only_versions_that_were_built_sit_down(tmp_path: Path) -> None:
    found = Arena(laid(tmp_path / "a", TOML, ann=CALLS))
    shutil.copytree(found.folder / "ann", found.kept / "built/12ab-free/ann")
    shutil.copytree(found.folder / "ann", found.kept / "entrants-free/ann")
    assert isinstance(found.player("ann", "12ab"), BotSpec)
    for name, version in (("..", "12ab"), ("ann", "../entrants"), ("ann", "12ac"), ("bob", "12ab")):
        with pytest.raises(BadSpec, match=r"entrant .* has no version"):
            found.player(name, version)
