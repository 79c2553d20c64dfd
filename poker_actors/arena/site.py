"""The board as a static site: pages that load nothing but their style, for any web server or none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

import attrs

from poker_actors.arena.arena import Arena
from poker_actors.arena.board import Board, Pair
from poker_actors.arena.charts import Line, interval_bar, lines_chart
from poker_actors.arena.mistakes import Mistake, hands_of, mistakes_of
from poker_actors.arena.schedule import names_at
from poker_actors.arena.state import Score
from poker_actors.atomic import replacing
from poker_actors.browser import drawing_files
from poker_actors.history import page, parse
from poker_actors.sim import Estimate
from poker_actors.sim.results import PositionResult, estimate_text
from poker_actors.sim.statistics import COUNTERS

_STYLE: Final = "arena.css"
_OURS: Final = re.compile(r"(index|entrant-[\w-]+|match-[0-9a-f]+|hands-[0-9a-f]+)\.(html|phhs)")
"""Files that a site is made of: those left over from an earlier board are removed."""
_HANDS: Final = 12
"""The most hands of a match, the largest ones, that replay on the site; fewer if there are very many matches."""
_ALL_HANDS: Final = 6_000
_LINES: Final = 8
_HABITS: Final = {
    "VPIP": "vpip",
    "PFR": "pfr",
    "3-bet": "three_bet",
    "c-bet": "flop_cbet",
    "WTSD": "wtsd",
    "W$SD": "wsd",
    "all-in": "all_in",
}


def write_site(arena: Arena, board: Board, place: Path) -> int:
    """Write the site of a board into the folder `place`; return its number of pages.

    Existing pages of matches are kept: they cannot have changed. A match's page shows its largest hands, with all
    cards, but not what programs wrote.
    """
    place.mkdir(parents=True, exist_ok=True)
    site = _Site(arena, board, place)
    kept = set(site.written())
    for path in place.iterdir():
        if _OURS.fullmatch(path.name) and path.name not in kept:
            path.unlink()
    return sum(name.endswith(".html") for name in kept)


@attrs.define
class _Site:
    arena: Arena
    board: Board
    place: Path

    def written(self) -> Iterable[str]:
        """Write all files; yield the name of each."""
        shared = drawing_files().joinpath("css/shared.css").read_text(encoding="utf-8")
        own = files("poker_actors.arena").joinpath("site.css").read_text(encoding="utf-8")
        self._put(_STYLE, shared + own)
        for pair in self.board.pairs:
            if not pair.score.void:
                yield from self._match(pair)
        for player in range(self.board.playing):
            name = entrant_file(self.board.competitors[player].name)
            self._put(name, self._entrant(player))
            yield name
        self._put("index.html", self._index())
        yield "index.html"

    @property
    def _most(self) -> int:
        """The number of hands shown of each match."""
        return max(3, min(_HANDS, _ALL_HANDS // max(len(self.board.pairs), 1)))

    @property
    def _is_tournament(self) -> bool:
        return any(pair.score.tournaments for pair in self.board.pairs)

    @property
    def _units(self) -> str:
        return "tournaments" if self._is_tournament else "hands"

    @property
    def _columns(self) -> list[str]:
        if self._is_tournament:
            return ["won, % of buy-ins", self.board.measure, "as the chips fell", "tournaments won"]
        return ["chips", "bb/100", "as the chips fell", "decks won"]

    def _put(self, name: str, text: str) -> None:
        with replacing(self.place / name) as stream:
            stream.write(text)

    def _name(self, player: int) -> str:
        return self.board.competitors[player].name

    def _link(self, player: int) -> str:
        name = self._name(player)
        return f"<a href='{entrant_file(name)}'>{escape(name)}</a>"

    # -- the board --------------------------------------------------------------------------------

    def _index(self) -> str:
        board = self.board
        judged = "the luck of the cards taken out" if board.corrected else "as the chips fell"
        sections = {
            "Worth a look": self._flags(),
            "As the matches went on": self._course(),
            "From run to run": self._runs(),
            "Who won from whom": self._crosstable(),
            "Not on the board": _items(
                f"<strong>{escape(each.name)}</strong>: {escape(each.admission.refused)}"
                for each in board.competitors[board.playing :]
            ),
            "Void, and counted for nobody": _items(
                f"{escape(' - '.join(map(self._name, pair.fixture.players)))}: {escape(pair.score.void)}"
                for pair in board.pairs
                if pair.score.void
            ),
        }
        even, of = board.controls
        control = f" Against copies of themselves {even} of {of} came out even." if of else ""
        head = (
            f"<p class='soft'>{escape(board.title)}, {judged}. All places together are right in 95 arenas of 100.{control}</p>"
            f"{self._standings()}"
        )
        return _page("Standings", head, sections)

    def _standings(self) -> str:
        board = self.board
        found = [board.estimates.of(player) for player in range(board.playing)]
        ends = [
            end for each in found for end in (each.mean - (each.margin or 0), each.mean + (each.margin or 0))
        ]
        low, high = min([0.0, *ends]), max([0.0, *ends])
        rows = []
        for player in board.order:
            rating, faults = found[player], board.faults(player)
            count = sum(number for kind, number in faults.items() if kind != "ejected")
            rows.append(
                f"<tr><td class='place'>{board.places(player)}</td>"
                f"<th scope='row'>{self._link(player)}</th><td>{estimate_text(rating)}</td>"
                f"<td class='bar'>{interval_bar(rating.mean, rating.margin or 0.0, low, high)}</td>"
                f"<td class='minor'>{board.elo[player]:+.0f}</td><td class='minor'>{count or ''}</td></tr>"
            )
        heads = "".join(
            f"<th scope='col' class='{kind}'>{name}</th>"
            for name, kind in (
                ("place", "words"),
                ("entrant", "words"),
                (f"{board.measure} ± 95 %", ""),
                ("", ""),
                ("Elo, by decks won", ""),
                ("faults", ""),
            )
        )
        return f"<table class='board'><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"

    def _flags(self) -> str:
        return "".join(
            f"<p class='flag'>{self._link(flag.loser)} did worse against {self._link(flag.winner)} by "
            f"{flag.unexplained:.0f} {self.board.measure} than all other matches of the two say (p {flag.p:.4f}). "
            f"{self._cell(flag.loser, flag.winner, 'The match')}</p>"
            for flag in self.board.flags
        )

    def _course(self) -> str:
        """Draw the running means of the matches of the first players."""
        lines = []
        for player in self.board.order[:_LINES]:
            curves = [
                pair.score.curve[pair.fixture.players.index(player)]
                for pair in self.board.matches
                if player in pair.fixture.players
            ]
            points = min(map(len, curves), default=0)
            means = [sum(curve[point] for curve in curves) / len(curves) for point in range(points)]
            weight = sum(pair.score.weight for pair in self.board.matches[:1])
            lines.append(
                Line(
                    self._name(player), [((at + 1) * weight / points, mean) for at, mean in enumerate(means)]
                )
            )
        return lines_chart(
            lines,
            f"The first players' results over the {self._units}",
            f"{self._units} of each match",
            f"{self.board.measure} so far, on average over all matches",
        )

    def _runs(self) -> str:
        boards = self.board.before
        if len(boards) < 2:
            return ""
        lines = []
        for player in self.board.order[:_LINES]:
            name = self._name(player)
            rows = [(number, board["entrants"].get(name)) for number, board in enumerate(boards, start=1)]
            lines.append(Line(name, [(number, row["rating"]) for number, row in rows if row is not None]))
        return lines_chart(lines, "Ratings from run to run", "runs", f"rating, {self.board.measure}")

    def _crosstable(self) -> str:
        order = self.board.order
        most = max((abs(cell.mean) for cell in self.board.cells.values()), default=0.0) or 1.0
        head = "".join(f"<th scope='col'>{escape(self._name(player))}</th>" for player in order)
        rows = []
        for row in order:
            cells = "".join(self._crosscell(row, column, most) for column in order)
            rows.append(f"<tr><th scope='row'>{self._link(row)}</th>{cells}</tr>")
        what = "wins from the column" if self.board.seats == 2 else "leads the column by, at their tables"
        return (
            f"<p class='soft'>What the row {what}, {self.board.measure}; bold where its own 95 % interval leaves out 0. "
            f"Each leads to {'the match' if self.board.seats == 2 else 'the last of their matches'}.</p>"
            "<div class='scroll' tabindex='0' role='region' aria-label='Crosstable'><table class='cross'>"
            f"<thead><tr><th></th>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        )

    def _crosscell(self, row: int, column: int, most: float) -> str:
        cell = self.board.cells.get((row, column))
        if cell is None:
            return "<td></td>"
        kind = "won" if cell.mean >= 0 else "lost"
        sure = " sure" if abs(cell.mean) > (cell.margin or 0.0) else ""
        return (
            f"<td class='{kind}{sure}' style='--v:{abs(cell.mean) / most:.2f}'>"
            f"{self._cell(row, column, _signed(cell.mean))}</td>"
        )

    def _cell(self, one: int, other: int, words: str) -> str:
        """Link to the last match of two players."""
        pairs = [pair for pair in self.board.matches if {one, other} <= {*pair.fixture.players}]
        return f"<a href='match-{pairs[-1].key}.html'>{words}</a>" if pairs else words

    # -- an entrant -------------------------------------------------------------------------------

    def _entrant(self, player: int) -> str:
        board, competitor = self.board, self.board.competitors[player]
        rating = board.estimates.of(player)
        remark = competitor.admission.remark
        head = (
            f"<p>Place {board.places(player)} of {board.playing}, {estimate_text(rating)} {board.measure}, Elo {board.elo[player]:+.0f}."
            f"</p>{f'<p>The check: {escape(remark)}</p>' if remark else ''}"
        )
        sections = {
            "Results": self._results(player),
            "Style by position": self._style(player),
            "Where expert disagrees most": self._mistakes(mistakes_of(self.arena, board, player, self._most)),
            "Errors": self._errors(player),
            "Time used": self._time(player),
            "From run to run": self._history(player),
        }
        return _page(competitor.name, head, sections, back="index.html")

    def _results(self, player: int) -> str:
        rows = []
        for other in self.board.order:
            pairs = [
                pair
                for pair in self.board.pairs
                if {player, other} <= {*pair.fixture.players}
                and pair.fixture.is_control is (player == other)
                and not pair.score.void
            ]
            links = ", ".join(
                f"<a href='match-{pair.key}.html'>{'hands' if len(pairs) == 1 else at}</a>"
                for at, pair in enumerate(pairs, start=1)
            )
            cell = self.board.cells.get((player, other))
            if other == player and pairs:
                rows.append(["a copy of itself", f"{pairs[0].score.means[0]:+.1f}", links])
            elif cell is not None:
                rows.append([self._link(other), estimate_text(cell), links])
        return _table(["against", f"{self.board.measure} ± 95 %", "match"], rows)

    def _style(self, player: int) -> str:
        rows = []
        for name, place in positions_of(self.board, player).items():
            shown = place.statistics
            cells = [
                f"{100 * value:.0f} %" if (value := shown[key].value) is not None else "-"
                for key in _HABITS.values()
            ]
            factor = place.aggression_factor
            rows.append([name, f"{place.hands:,}", *cells, "-" if factor is None else f"{factor:.1f}"])
        return _table(["position", "hands", *_HABITS, "aggression"], rows)

    def _mistakes(self, found: Sequence[Mistake]) -> str:
        return _items(
            f"<a href='hands-{each.key}.html#{each.number}'>{escape(each.title)}</a>: {escape(each.words)}"
            for each in found
        )

    def _errors(self, player: int) -> str:
        faults = self.board.faults(player)
        if not faults:
            return "<p>None.</p>"
        gone = faults.pop("ejected", 0)
        counts = ", ".join(f"{kind} {count:,}" for kind, count in faults.items())
        ended = f" Not asked any more in {gone} match{'es' if gone > 1 else ''}." if gone else ""
        return f"<p>{escape(counts)}.{ended} The first: {escape(self.board.first_fault(player))}</p>"

    def _time(self, player: int) -> str:
        used, mean = self.board.seconds(player), self.board.competitors[player].admission.seconds
        if not used:
            return ""
        each = "" if mean is None else f", {1000 * mean:.1f} ms for a decision in the check"
        return f"<p>{used:,.1f} s of thought over all matches{each}.</p>"

    def _history(self, player: int) -> str:
        name = self._name(player)
        rows = [
            [
                str(number),
                escape(row["version"]),
                row["places"],
                estimate_text(Estimate(row["rating"], row["margin"])),
            ]
            for number, board in enumerate(self.board.before, start=1)
            if (row := board["entrants"].get(name)) is not None
        ]
        return (
            _table(["run", "version", "place", f"{self.board.measure} ± 95 %"], rows) if len(rows) > 1 else ""
        )

    # -- a match ----------------------------------------------------------------------------------

    def _match(self, pair: Pair) -> Iterable[str]:
        """Write the page of a match and that of its largest hands, unless they exist; yield their names."""
        names = [f"match-{pair.key}.html", f"hands-{pair.key}.html", f"hands-{pair.key}.phhs"]
        shown = dict(list(pair.score.moved.items())[: self._most])
        path = self.arena.files_of(pair.key) / "hands.phhs"
        if not shown or not path.exists():
            names = names[:1]
        if not all((self.place / name).exists() for name in names):
            if len(names) > 1:
                texts = hands_of(path, shown)
                histories = [history for text in texts.values() for history in parse(text)]
                back = (names[0], "The match")
                self._put(names[1], page(histories, back=back))
                self._put(
                    names[2],
                    "".join(f"[{number}]\n{text}" for number, text in enumerate(texts.values(), start=1)),
                )
            self._put(names[0], self._match_page(pair, shown if len(names) > 1 else {}))
        yield from names

    def _match_page(self, pair: Pair, shown: Mapping[int, tuple[int, ...]]) -> str:
        score, players = pair.score, pair.fixture.players
        names = names_at(pair.fixture, [self._name(player) for player in players])
        rows = [
            [
                self._link(player),
                f"{score.net[at]:+,}",
                f"{score.means[at]:+.1f}",
                f"{score.raw_means[at]:+.1f}",
                f"{score.won[at]:g}",
                f"{sum(count for kind, count in score.faults[at].items() if isinstance(count, int) and kind not in ('first_hand', 'ejected'))}",
            ]
            for at, player in enumerate(players)
        ]
        hands = [
            [f"<a href='hands-{pair.key}.html#{at}'>{number}</a>", *(f"{each:+,}" for each in won)]
            for at, (number, won) in enumerate(shown.items(), start=1)
        ]
        command = f"poker-actors debug --history hands-{pair.key}.phhs --hand 0"
        again = (
            f"<p>Each replays on its page. In the debugger, with <a href='hands-{pair.key}.phhs' download>their file</a>, "
            f"numbers from 0:</p><pre>{escape(command)}</pre>"
        )
        sections = {
            "Result": _table(["player", *self._columns, "faults"], rows),
            f"Over the {self._units}": self._match_chart(score, names),
            "The largest hands": _table(["hand", *map(escape, names)], hands) + again if hands else "",
        }
        games = f"{score.tournaments:,} sit-and-gos, " if score.tournaments else ""
        head = f"<p class='soft'>{games}{score.hands:,} hands, digest {score.digest}</p>"
        return _page(" - ".join(names), head, sections, back="index.html")

    def _match_chart(self, score: Score, names: Sequence[str]) -> str:
        count = len(score.curve[0])
        lines = [
            Line(name, [((at + 1) * score.weight / count, value) for at, value in enumerate(curve)])
            for name, curve in zip(names, score.curve, strict=True)
        ]
        words, so_far = f"Results over the {self._units}", f"{self.board.measure} so far"
        return lines_chart(lines, words, self._units, so_far)


def entrant_file(name: str) -> str:
    """Return the file name of an entrant's page: unusual characters are replaced, and a hash keeps names distinct."""
    plain = re.sub(r"[^A-Za-z0-9-]", "_", name)
    mark = "" if plain == name else f"-{blake2b(name.encode(), digest_size=3).hexdigest()}"
    return f"entrant-{plain}{mark}.html"


def positions_of(board: Board, player: int) -> dict[str, PositionResult]:
    """Add up a player's counters over its matches by position."""
    found: dict[str, tuple[int, int, dict[str, int]]] = {}
    for pair in board.matches:
        for number, places in zip(pair.fixture.players, pair.score.positions, strict=True):
            if number != player:
                continue
            for name, (hands, net, counts) in places.items():
                before = found.get(name, (0, 0, dict.fromkeys(COUNTERS, 0)))
                total = {key: value + counts.get(key, 0) for key, value in before[2].items()}
                found[name] = (before[0] + hands, before[1] + net, total)
    return {name: PositionResult(name, hands, net, counts) for name, (hands, net, counts) in found.items()}


def _page(title: str, head: str, sections: Mapping[str, str], back: str = "") -> str:
    body = "".join(
        f"<section><h2>{escape(name)}</h2>{inside}</section>" for name, inside in sections.items() if inside
    )
    nav = f"<nav><a href='{back}'>Standings</a></nav>" if back else ""
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width, initial-scale=1'>"
        f"<title>{escape(title)}</title><link rel='stylesheet' href='{_STYLE}'></head><body>{nav}<main>"
        f"<h1>{escape(title)}</h1>{head}{body}</main></body></html>\n"
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Make a table in a box that a keyboard can scroll; the first column names the row."""
    head = "".join(
        f"<th scope='col'{' class=words' if at == 0 else ''}>{name}</th>" for at, name in enumerate(heads)
    )
    body = "".join(
        f"<tr><th scope='row'>{row[0]}</th>{''.join(f'<td>{cell}</td>' for cell in row[1:])}</tr>"
        for row in rows
    )
    return (
        f"<div class='scroll' tabindex='0' role='region' aria-label='{heads[0]}'><table>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _signed(value: float) -> str:
    """Write a whole number with its sign, and 0 without."""
    return f"{round(value):+d}" if round(value) else "0"


def _items(items: Iterable[str]) -> str:
    inside = "".join(f"<li>{item}</li>" for item in items)
    return f"<ul class='plain'>{inside}</ul>" if inside else ""
