"""The board as a site: its pages lead to each other, say what the board says, and hold nothing else."""

import re
from html.parser import HTMLParser
from pathlib import Path

import attrs
import pytest

from poker_actors.arena import Arena, Board, write_site
from poker_actors.arena.charts import Line, lines_chart
from poker_actors.arena.mistakes import hands_of, mistakes_of
from poker_actors.arena.site import entrant_file
from poker_actors.arena.state import State
from poker_actors.cli import main
from poker_actors.history import histories, replay
from tests.unit.arena.places import CALLS, FOLDS, RAISES, TOML, laid, made, put

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
    board = arena.run()
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
    write_site(Arena(folder), Arena(folder).run(), tmp_path / "site")
    first = {path.name for path in (tmp_path / "site").iterdir()}
    (tmp_path / "site/mine.html").write_text("not the arena's")
    put(folder, "bob", FOLDS)
    write_site(Arena(folder), Arena(folder).run(), tmp_path / "site")
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
    assert "is a file, and no folder" in capsys.readouterr().err
    assert not (folder / ".arena").exists()
