"""The board as a site: its pages lead to each other, say what the board says, and hold nothing else."""

import re
from collections import Counter
from collections.abc import Callable
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any

import attrs
import pytest

from poker_actors.arena import Arena, Board, Fixture, Score, write_site
from poker_actors.arena.board import Competitor, Pair, board_of
from poker_actors.arena.charts import Line, lines_chart
from poker_actors.arena.mistakes import hands_of, mistakes_of
from poker_actors.arena.site import entrant_file
from poker_actors.arena.state import Admission, State
from poker_actors.cli import main
from poker_actors.cli.arena import processors
from poker_actors.history import histories, replay
from tests.unit.arena.places import CALLS, FOLDS, RAISES, TOML, laid, made, put, run_here
from tests.unit.arena.test_arena_playing import WITH_HANDS, of

SAYS = RAISES.replace("    acts", "    print('a word of my own', file=sys.stderr)\n    acts", 1)


@attrs.define
class Site:
    arena: Arena
    board: Board
    place: Path

    def text(self, name: str) -> str:
        return (self.place / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Site:
    folder = made(
        tmp_path_factory.mktemp("arenas") / "a", f"control = true\n{TOML}", ann=CALLS, bob=SAYS, cat=FOLDS
    )
    (folder / "sleeping <b>").mkdir()
    put(folder, "dan d", CALLS)
    arena = Arena(folder)
    board = run_here(folder)
    write_site(arena, board, folder.parent / "site")
    return Site(arena, board, folder.parent / "site")


class Links(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        named = dict(given)
        self.found += [value for name in ("href", "src") if (value := named.get(name))]
        if tag not in ("meta", "link", "line", "polyline", "circle", "input"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, given: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in given if name in ("href", "src") and value]

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag


def links(text: str) -> list[str]:
    parser = Links()
    parser.feed(text)
    assert parser.open == []
    return parser.found


def test_every_page_is_reached_from_the_first_and_every_link_leads_somewhere(site: Site) -> None:
    seen: set[str] = set()
    waiting = ["index.html"]
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        if name.endswith(".html"):
            for link in links(site.text(name)):
                assert not re.match(r"\w+:|//", link), "the site loads nothing from elsewhere"
                waiting.append(link.partition("#")[0])
    assert {path.name for path in site.place.iterdir()} - seen == set()


def test_the_standings_are_those_of_the_board_in_its_order(site: Site) -> None:
    rows = re.findall(
        r"<td class='place'>([\d-]+)</td><th scope='row'><a[^>]*>([^<]*)</a>", site.text("index.html")
    )
    assert rows == [
        (site.board.places(player), site.board.competitors[player].name) for player in site.board.order
    ]


def test_a_pair_leads_to_its_hands_which_are_those_that_moved_most(site: Site) -> None:
    for pair in site.board.matches:
        shown = list(histories(site.place / f"hands-{pair.key}.phhs"))
        whole = list(histories(site.arena.files_of(pair.key) / "hands.phhs"))
        moved = sorted((abs((replay(each).payoffs or (0,))[0]) for each in whole), reverse=True)
        assert [abs((replay(each).payoffs or (0,))[0]) for each in shown] == moved[: len(shown)]
        assert f"--history hands-{pair.key}.phhs" in site.text(f"match-{pair.key}.html")


def test_what_programs_wrote_and_the_decks_root_are_on_no_page(site: Site) -> None:
    logs = "".join(path.read_text() for path in (site.arena.kept / "matches").rglob("log.txt"))
    assert "a word of my own" in logs
    with State(site.arena.kept / "arena.db") as state:
        secrets = [str(state.root), *(str(state.seed(pair.key)) for pair in site.board.pairs)]
    for path in site.place.iterdir():
        text = path.read_text(encoding="utf-8")
        assert "a word of my own" not in text
        assert not any(secret in text for secret in secrets)
        assert str(site.arena.folder) not in text


def test_a_name_is_text_and_not_a_tag(site: Site) -> None:
    assert "<b>" not in site.text("index.html")
    assert "sleeping &lt;b&gt;" in site.text("index.html")


def test_two_names_have_two_pages() -> None:
    assert len({entrant_file(name) for name in ("a b", "a_b", "a.b", "a b ")}) == 4
    assert re.fullmatch(r"entrant-[\w-]+\.html", entrant_file("a/../b"))


def test_a_second_board_leaves_no_page_of_the_first(tmp_path: Path) -> None:
    folder = made(tmp_path / "a", TOML, ann=CALLS, bob=RAISES)
    write_site(Arena(folder), run_here(folder), tmp_path / "site")
    first = {path.name for path in (tmp_path / "site").iterdir()}
    (tmp_path / "site/mine.html").write_text("not the arena's")
    put(folder, "bob", FOLDS)
    write_site(Arena(folder), run_here(folder), tmp_path / "site")
    second = {path.name for path in (tmp_path / "site").iterdir()}
    assert "mine.html" in second
    assert {name for name in first & second if re.match("match|hands", name)} == set()
    assert "From run to run" in (tmp_path / "site/index.html").read_text()


def test_a_decision_that_expert_never_takes_is_named_with_its_hand(site: Site) -> None:
    pytest.importorskip("numpy")
    calls = next(
        player for player in range(site.board.playing) if site.board.competitors[player].name == "ann"
    )
    found = mistakes_of(site.arena, site.board, calls, 12)
    assert found
    assert [each.pot for each in found] == sorted((each.pot for each in found), reverse=True)
    for each in found:
        assert "Did call; expert would fold" in each.words or "Did check" in each.words
        assert f"hands-{each.key}.html#{each.number}" in site.text("entrant-ann.html")
        place = each.title.partition(" against")[0].removeprefix("hand ")
        hands = list(histories(site.place / f"hands-{each.key}.phhs"))
        assert hands[each.number - 1].hand_id == place


def test_hands_are_taken_out_of_a_file_by_number(site: Site) -> None:
    pair = site.board.matches[0]
    path = site.arena.files_of(pair.key) / "hands.phhs"
    found = hands_of(path, [31, 0, 99])
    assert list(found) == [31, 0]
    assert "hand = '0'" in found[0] or 'hand = "0"' in found[0] or "hand = 0" in found[0]


def test_a_chart_of_one_value_is_a_point_and_of_none_is_nothing() -> None:
    assert "<circle" in lines_chart([Line("a", [(1, 0.0)])], "w", "x", "y")
    assert lines_chart([], "w", "x", "y") == ""


def test_a_site_that_is_a_file_is_refused_before_anything_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "site").touch()
    folder = laid(tmp_path / "a")
    assert main(["arena", str(folder), "--site", str(tmp_path / "site")]) == 2
    assert "is a file, not a folder" in capsys.readouterr().err
    assert not (folder / ".arena").exists()


def known_score(**known: Any) -> Score:
    """A match of two that ended 40 bb/100 apart, give or take 4."""
    shared: dict[str, Any] = {
        "hands": 100, "units": 50, "freedom": 49, "means": (20.0, -20.0), "covariance": ((4.0, -4.0), (-4.0, 4.0)),
        "raw_means": (30.0, -30.0), "net": (600, -600), "won": (30.0, 20.0), "curve": ((5.0, 20.0), (-5.0, -20.0)),
        "positions": ({"BTN": [10, 7, {}]}, {}), "faults": ({}, {}), "seconds": (1.5, 0.0),
    }  # fmt: skip
    return Score(**(shared | known))


def written(
    place: Path, found: dict[Fixture, Score], *, playing: int = 2, before: int = 0
) -> Callable[[str], str]:
    """Write the site of known scores, of an arena that has played nothing; return what reads its pages."""
    place.mkdir(exist_ok=True)
    arena = Arena(made(place / "a", f'house = ["tight"]\n{TOML}', ann=CALLS))
    rows = [
        Competitor(name=f"bot{each}", version="1", house=False, admission=Admission(remark="slow" if each else ""))
        for each in range(playing)
    ]  # fmt: skip
    pairs = [Pair(fixture=each, key=f"{at:x}", score=one) for at, (each, one) in enumerate(found.items())]
    board = board_of(arena.settings, rows, pairs)
    standing = {"version": "v7", "places": "1", "rating": 3.0, "margin": 1.0}
    # in the first of several runs it was not there
    runs = tuple(
        {"entrants": {"bot0": standing} if number or before == 1 else {}} for number in range(before)
    )
    write_site(arena, attrs.evolve(board, before=runs), place / "site")
    return lambda name: (place / "site" / name).read_text(encoding="utf-8")


def test_a_site_has_no_section_of_what_there_is_nothing_of(tmp_path: Path) -> None:
    read = written(tmp_path, {Fixture((0, 1)): known_score(seconds=(0.0, 0.0))}, before=1)
    index, own = read("index.html"), read("entrant-bot0.html")
    for absent in ("Worth a look", "From run to run", "Not on the board", "Void", "copies of themselves"):
        assert absent not in index
    for absent in ("From run to run", "Time used", "The check"):
        assert absent not in own
    assert "<p>None.</p>" in own
    assert "<p>The check: slow</p>" in read("entrant-bot1.html")
    assert not (tmp_path / "site/hands-0.html").exists(), "no hand of it was kept"
    assert "The largest hands" not in read("match-0.html")
    assert "<nav>" not in index
    assert "<nav><a href='index.html'>" in own


def test_the_crosstable_is_empty_where_nobody_met_and_bold_where_it_is_sure(tmp_path: Path) -> None:
    scores = {
        Fixture((0, 1)): known_score(),
        Fixture((0, 2)): known_score(means=(0.3, -0.3)),
        Fixture((1, 1)): known_score(means=(7.0, -7.0)),
        Fixture((2, 2)): Score(void="did not start"),
    }
    read = written(tmp_path, scores, playing=3)
    rows = re.findall(r"<tr>(<th scope='row'>.*?)</tr>", read("index.html").partition("Who won from whom")[2])
    cells = {re.sub("<[^>]*>", "", row)[:4]: re.findall(r"<td(.*?)</td>", row) for row in rows}
    assert sorted(cells) == ["bot0", "bot1", "bot2"]
    assert sum(cell == ">" for row in cells.values() for cell in row) == 5, (
        "three selves, and two who never met"
    )
    kinds = Counter(kind for row in rows for kind in re.findall(r"<td class='([^']*)'", row))
    assert kinds == {"won sure": 1, "lost sure": 1, "won": 1, "lost": 1}
    assert ">+20</a>" in rows[0] + rows[1] + rows[2]
    assert ">0</a>" in rows[0] + rows[1] + rows[2], "0 has no sign"
    assert "bot2 - bot2: did not start" in read("index.html")
    assert "Against copies of themselves 0 of 1 came out even." in read("index.html")
    assert "a copy of itself</th><td>+7.0</td><td><a href='match-2.html'>" in read("entrant-bot1.html")
    assert "a copy of itself" not in read("entrant-bot0.html")
    assert "a copy of itself" not in read("entrant-bot2.html"), "that match is void"
    assert "bot2" not in read("entrant-bot1.html").partition("<h2>Results")[2].partition("</section>")[0]
    assert not (tmp_path / "site/match-3.html").exists()


def test_an_entrants_page_adds_up_its_own_positions_faults_and_times(tmp_path: Path) -> None:
    counts = {"hands": 10, "vpip": 4}
    late = {"first": "hand 9: <late>", "first_hand": 9, "late": 2, "ejected": 9}
    scores = {
        Fixture((0, 1)): known_score(positions=({"BTN": [10, 7, counts]}, {"BB": [10, -7, {}]}), faults=(late, {})),
        Fixture((1, 0)): known_score(positions=({"BB": [5, 1, {}]}, {"BTN": [6, 2, counts]})),
    }  # fmt: skip
    read = written(tmp_path, scores, before=3)
    own, other = read("entrant-bot0.html"), read("entrant-bot1.html")
    assert "<th scope='row'>BTN</th><td>16</td>" in own
    assert "<th scope='row'>BB</th>" not in own
    assert "<th scope='row'>BB</th><td>15</td>" in other
    assert "late 2. Not asked any more in 1 match. The first: hand 9: &lt;late&gt;" in own
    assert "<td class='minor'>2</td>" in read("index.html"), "that it was ejected is no fault more"
    assert "<td>2</td></tr>" in read("match-0.html")
    assert "1.5 s of thought" in own
    assert "for a decision in the check" not in own
    assert own.count("<td>v7</td>") == 2, "it was not there in the first run"
    assert "From run to run" not in other
    assert "<a href='match-0.html'>1</a>, <a href='match-1.html'>2</a>" in own


def test_a_sit_and_gos_page_speaks_of_buy_ins_and_tournaments(tmp_path: Path) -> None:
    read = written(tmp_path / "games", {Fixture((0, 1)): known_score(tournaments=20)})
    assert "<p class='soft'>20 sit-and-gos, 100 hands" in read("match-0.html")
    assert "won, % of buy-ins" in read("match-0.html")
    assert "tournaments of each match" in read("index.html")
    hands = written(tmp_path / "hands", {Fixture((0, 1)): known_score()})
    assert "<p class='soft'>100 hands" in hands("match-0.html")
    assert "hands of each match" in hands("index.html")


def test_pages_that_are_there_are_left_and_those_of_another_board_go(tmp_path: Path) -> None:
    found = {Fixture((0, 1)): known_score()}
    written(tmp_path, found)
    (tmp_path / "site/match-0.html").write_text("as it was")
    (tmp_path / "site/match-ffff.html").write_text("of another board")
    (tmp_path / "site/notes.html").write_text("mine")
    read = written(tmp_path, found)
    assert read("match-0.html") == "as it was"
    assert read("notes.html") == "mine"
    assert not (tmp_path / "site/match-ffff.html").exists()


def test_a_flag_names_both_and_leads_to_their_match(tmp_path: Path) -> None:
    strengths = [10.0 * place for place in range(8)]
    found = {
        Fixture((one, other)): known_score(
            means=(mean := strengths[one] - strengths[other] - 400.0 * ((one, other) == (0, 1)) + (one * 7 + other * 3) % 5, -mean)
        )
        for one, other in combinations(range(8), 2)
    }  # fmt: skip
    read = written(tmp_path, found, playing=8)
    flags = read("index.html").partition("Worth a look")[2].partition("</section>")[0]
    assert (
        "<a href='entrant-bot0.html'>bot0</a> did worse against <a href='entrant-bot1.html'>bot1</a>" in flags
    )
    assert "<a href='match-0.html'>The match</a>" in flags


def test_unknown_errors_and_no_results_are_drawn_as_nothing(tmp_path: Path) -> None:
    bars = r"class='range' x1='([\d.]+)' x2='([\d.]+)'"
    unknown = written(tmp_path / "unknown", {Fixture((0, 1)): known_score(covariance=None)})("index.html")
    assert [one == other for one, other in re.findall(bars, unknown)] == [True, True], "no interval"
    known = written(tmp_path / "known", {Fixture((0, 1)): known_score()})("index.html")
    drawn = [(float(one), float(other)) for one, other in re.findall(bars, known)]
    assert all(one < other for one, other in drawn), "an interval"
    assert (max(other for _, other in drawn), min(one for one, _ in drawn)) == (200.0, 0.0), (
        "all of it is seen"
    )
    means = [float(mean) for mean in re.findall(r"class='mean' x1='([\d.]+)'", known)]
    assert all(0.0 < mean < 200.0 for mean in means), "to the ends of the intervals"
    assert "<td class='minor'></td>" in known, "no faults are no number"
    assert "<td class='minor'>0</td>" not in known
    assert "class='won sure'" not in unknown.replace("class='won sure' style='--v:1.00'", "", 1)
    even = written(tmp_path / "even", {Fixture((0, 1)): known_score(means=(0.0, 0.0))})("index.html")
    assert even.count("--v:0.00") == 2
    alone = written(tmp_path / "alone", {Fixture((0, 1)): Score(void="gone")})("index.html")
    assert "--v:" not in alone


def test_hands_are_shown_where_a_match_names_them_and_their_file_is_there(tmp_path: Path) -> None:
    hands = of(attrs.evolve(WITH_HANDS, hands=16))().texts["hands.phhs"]
    folder = tmp_path / "a/.arena/matches/0"
    for name, kept, named in (("file", True, False), ("score", False, True), ("both", True, True)):
        place = tmp_path / name
        path = place / "a/.arena/matches" / folder.name / "0" / "hands.phhs"
        path.parent.mkdir(parents=True)
        if kept:
            path.write_text(hands)
        written(place, {Fixture((0, 1)): known_score(largest=((3, 9), (1, -4)) if named else ())})
        assert (place / "site/hands-0.html").exists() is (kept and named)
        assert ("The largest hands" in (place / "site/match-0.html").read_text()) is (kept and named)


@pytest.mark.parametrize(
    ("options", "said", "error"),
    [
        ([], ["0 entrants, 0 matches"], ["logs, hands and errors of every match are in"]),
        (["--json", "-"], ['"standings": ['], ["logs, hands"]),
        (["--site", "SITE"], ["0 entrants, 0 matches"], ["wrote 3 pages into", "logs, hands"]),
    ],
)
def test_the_command_prints_a_board_and_says_where_all_the_rest_is(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    said: list[str],
    error: list[str],
) -> None:
    written(tmp_path, {})
    board = board_of(Arena(tmp_path / "a").settings, [], [])
    asked: list[tuple[object, ...]] = []

    def run(self: Arena, _: object, *, recheck: bool, publish: Callable[[Board], None]) -> Board:
        asked.append((self.workers, self.address, recheck))
        publish(board)
        return board

    monkeypatch.setattr(Arena, "run", run)
    wrote: list[object] = []

    def write(*given: object) -> int:
        wrote.append(given[2])
        return 3

    monkeypatch.setattr("poker_actors.arena.write_site", write)
    chosen = [str(tmp_path / "s") if each == "SITE" else each for each in options]
    assert main(["arena", str(tmp_path / "a"), *chosen]) == 0
    found = capsys.readouterr()
    for lines, told in ((found.out, said), (found.err, error)):
        assert len(told) <= len(lines.splitlines())
        assert all(each in lines for each in told)
    assert ("pages" in found.err) is ("--site" in options)
    assert wrote == [tmp_path / "s"] * ("--site" in options)
    assert main(["arena", str(tmp_path / "a"), "--workers", "3", "--address", "local", "--recheck"]) == 0
    assert asked == [(processors(), None, False), (3, "local", True)]


def test_a_number_of_workers_below_one_is_refused_and_a_folder_that_is_there_is_written_into(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = laid(tmp_path / "a")
    assert main(["arena", str(folder), "--workers", "0"]) == 2
    assert "--workers 0 is below the minimum of 1" in capsys.readouterr().err
    monkeypatch.setattr(Arena, "run", lambda self, *_, **__: board_of(self.settings, [], []))
    (tmp_path / "site").mkdir()
    assert main(["arena", str(folder), "--site", str(tmp_path / "site")]) == 0


@pytest.mark.parametrize(("known", "said"), [(7, 7), (None, 1)])
def test_processors_are_counted_on_any_system(
    monkeypatch: pytest.MonkeyPatch, known: int | None, said: int
) -> None:
    monkeypatch.delattr("os.sched_getaffinity", raising=False)
    monkeypatch.setattr("os.cpu_count", lambda: known)
    assert processors() == said
