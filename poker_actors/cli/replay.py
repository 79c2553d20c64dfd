"""`poker-actors replay` and `verify`: replay hand histories by the rules, and check a deck against its commitment."""

from __future__ import annotations

import json as json_text
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import attrs
from cyclopts import Parameter

from poker_actors.atomic import replacing
from poker_actors.cli.output import NO, many, note
from poker_actors.cli.reading import read_text
from poker_actors.cli.values import FILE, PLACE, STDOUT, WRITTEN, JsonOption, to_be_printed
from poker_actors.errors import BadHistory, BadSpec, Discrepancy, Unplayed, printable
from poker_actors.jsontext import parse_json

if TYPE_CHECKING:
    from poker_actors.bots.awaiting import Attempt
    from poker_actors.history import Entry, HandHistory
    from poker_actors.store.fairness import FairnessRecord

_MANY = 1000
"""The fewest hands for which the speed is shown."""
MOST_ON_A_PAGE = 1000
"""The most hands on one page: a browser copes with tens of megabytes, not more."""


def replay(
    *paths: Annotated[str, PLACE, Parameter(allow_leading_hyphen=True)],
    json: bool = False,
    show: bool = False,
    html: Annotated[Path | None, FILE, WRITTEN] = None,
    transcript: Annotated[list[Path] | None, FILE] = None,
    workers: int = 1,
) -> int | None:
    """Replay hand histories by the rules, checking every action and every payoff.

    Reads files, folders and, for -, stdin: .phh .phhs .ohh .txt (PokerStars) .log (ACPC) .jsonl, .zip archives of them,
    and .zst. Hands of variants that are not played here are skipped and counted. The exit status is 1 if a hand
    disagrees or cannot be read.

    Args:
        paths: Files, folders, or - for stdin.
        json: Write one line of JSON for each hand.
        show: Draw each hand, street by street.
        html: Write a page with a replayer for the hands, to step through with the arrow keys.
        transcript: With --show or --html, the log of a language model, shown beside its actions; repeat for more.
        workers: Processes to play on: a file at a time.
    """
    if json and show:
        raise BadSpec("--json and --show both want stdout: choose one")
    if transcript and not show and html is None:
        raise BadSpec("--transcript is shown beside actions: it needs --show or --html")
    said = _said_in(transcript or [])
    places = _places(paths, json=json)
    began, tally = time.perf_counter(), _Tally()
    if workers != 1:
        if show or html is not None or workers < 1:
            raise BadSpec(f"--workers {workers} must be 1 or more, and 1 with --show or --html")
        _replay_side_by_side(places, workers, tally, json=json)
        return _conclude(tally, time.perf_counter() - began, quiet=json)
    page: list[HandHistory] | None = None if html is None else []
    for entry in _entries(places):
        line = _checked(entry, tally)
        if json or line["ok"] is False:
            _write(line, json=json)
        elif show and entry.history is not None:
            _draw(entry.history, said(entry.history), first=tally.agree == 1)
        if page is not None and line["ok"] and entry.history is not None:
            page.append(entry.history)
            if len(page) > MOST_ON_A_PAGE:
                raise BadSpec(f"--html: a page holds at most {MOST_ON_A_PAGE} hands")
    if html is not None and page:
        _write_page(html, page, said)
    return _conclude(tally, time.perf_counter() - began, quiet=json)


def _write(line: dict[str, Any], *, json: bool) -> None:
    text = json_text.dumps(line) if json else printable(line["error"], "")
    sys.stdout.write(f"{text}\n")


def _replay_side_by_side(places: list[str], workers: int, tally: _Tally, *, json: bool) -> None:
    """Replay files on several processes and write the output in the order of the files."""
    from poker_actors.history import files_in
    from poker_actors.sim.engines import check_workers, process_pool

    check_workers(workers)
    if STDOUT in places:
        raise BadSpec("--workers divides files among processes, and stdin is only one")
    files = [str(file) for place in places for file in files_in(Path(place))]
    with process_pool(min(workers, len(files))) as pool:
        for found, lines in pool.map(_replay_file, files, [json] * len(files)):
            tally.add(found)
            for line in lines:
                _write(line, json=json)


def _replay_file(file: str, json: bool) -> tuple[_Tally, list[dict[str, Any]]]:
    """Replay one file; return its counts and the lines to write, in a process of its own."""
    tally = _Tally()
    return tally, [
        line for entry in _entries([file]) if (line := _checked(entry, tally))["ok"] is False or json
    ]


def _places(paths: tuple[str, ...], *, json: bool) -> list[str]:
    """Return the places to read.

    A `-` beside other places is dropped with `--json`: elsewhere `FILE --json -` sends JSON to stdout,
    and read as stdin it would wait for a terminal.
    """
    if not paths:
        raise BadSpec("replay needs a file, a folder, or - for stdin")
    places = list(paths)
    if json and len(places) > 1 and STDOUT in places:
        places.remove(STDOUT)
    return places


@attrs.define
class _Tally:
    """Count the outcomes of the hands."""

    agree: int = 0
    disagree: int = 0
    unread: int = 0
    """hands, or whole files, that are not in the format they are said to be in"""
    undecided: int = 0
    """hands that agree as far as they go: unknown cards, or a record that stops early"""
    scaled: int = 0
    skipped: Counter[str] = attrs.Factory(Counter)
    """by reason"""

    def add(self, other: _Tally) -> None:
        self.agree += other.agree
        self.disagree += other.disagree
        self.unread += other.unread
        self.undecided += other.undecided
        self.scaled += other.scaled
        self.skipped += other.skipped


def _entries(paths: list[str]) -> Iterator[Entry]:
    from poker_actors.history import entries

    for path in paths:
        yield from entries(path, sys.stdin.buffer if path == STDOUT else None)


def _checked(entry: Entry, tally: _Tally) -> dict[str, Any]:
    """Replay and count one hand; return its line of `--json`."""
    line = _line(entry)
    history = entry.history
    try:
        if history is None:
            assert entry.error is not None
            raise entry.error
        tally.scaled += history.scale > 1
        line |= _agreed(history, tally)
    except Unplayed as error:
        line |= {"ok": None, "error": str(error)}
        reason = str(error).partition(": ")[2] or str(error)
        tally.skipped[reason] += 1
    except BadHistory as error:
        where = f"{entry.file}, line {entry.line}: " if history else ""
        named = f"hand {history.hand_id or entry.index + 1}, " if history else ""
        line |= {"ok": False, "error": f"{where}{named}{error}"}
        if history is None:
            tally.unread += 1
        else:
            tally.disagree += 1
    return line


def _line(entry: Entry) -> dict[str, Any]:
    """Return the line about a hand before its replay."""
    history = entry.history
    recorded = history.finishing if history else None
    return {
        "file": entry.file,
        "index": entry.index,
        "format": entry.format,
        "variant": _variant(history) if history else None,
        "game": history.game.name if history else None,
        "players": [history.name(player) for player in range(history.size)] if history else [],
        "ok": True,
        "error": None,
        "final_stacks": None,
        "payoffs": None,
        "recorded_final_stacks": None if recorded is None else list(recorded),
        "scale": history.scale if history else 1,
    }


def _variant(history: HandHistory) -> str | None:
    """Return the game's code in the Poker Hand History standard, which has none for many games that are played."""
    try:
        return history.variant
    except BadHistory:
        return None


def _agreed(history: HandHistory, tally: _Tally) -> dict[str, Any]:
    """Replay a hand and return its results; raise `Discrepancy` if the rules or the referee disagree."""
    from poker_actors.history import replay as replayed
    from poker_actors.history.refereed import verdicts

    found = replayed(history)
    for verdict in verdicts(found.hand):
        raise Discrepancy(f"the rules played it, but the referee says: {verdict.words}")
    tally.agree += 1
    tally.undecided += found.payoffs is None or not found.hand.over
    if found.final_stacks is None or found.payoffs is None:
        return {}
    stacks = list(found.final_stacks)
    agreed: dict[str, Any] = {"final_stacks": stacks, "payoffs": list(found.payoffs)}
    if history.finishing is None and history.winnings is not None and found.hand.over:
        agreed["recorded_final_stacks"] = stacks
    return agreed


def _said_in(logs: list[Path]) -> Callable[[HandHistory], Mapping[int, Sequence[str]]]:
    """Return what gives, for a hand of a match, what its language models said before each action."""
    if not logs:
        return lambda history: {}
    from poker_actors.bots.awaiting import read_transcript
    from poker_actors.history import story_of

    asked = defaultdict[int | None, list["Attempt"]](list)
    for log in logs:
        for attempt in read_transcript(log):
            asked[attempt.hand].append(attempt)

    def said(history: HandHistory) -> Mapping[int, Sequence[str]]:
        number = int(history.hand_id) if history.hand_id.isdecimal() else None
        attempts = [] if number is None else asked[number]
        seats = story_of(history).seats
        lines = defaultdict[int, list[str]](list)
        for attempt in attempts:
            if attempt.seat not in seats:
                raise BadSpec(
                    f"--transcript comes from another match: nobody sits in seat {attempt.seat} of hand {number}"
                )
            lines[attempt.seq].append(attempt.words)
        return lines

    return said


def _draw(history: HandHistory, said: Mapping[int, Sequence[str]], *, first: bool) -> None:
    from poker_actors.history import drawing

    if not first:
        sys.stdout.write("\n")
    sys.stdout.write("\n".join([printable(line, "") for line in drawing(history, said)]) + "\n")


def _write_page(
    path: Path, histories: list[HandHistory], said: Callable[[HandHistory], Mapping[int, Sequence[str]]]
) -> None:
    from poker_actors.history import page

    with replacing(path) as stream:
        stream.write(page(histories, said=said))
    note(f"wrote {path}, {many(len(histories), 'hand')}")


def _conclude(tally: _Tally, seconds: float, *, quiet: bool) -> int | None:
    hands = tally.agree + tally.disagree
    skipped = sum(tally.skipped.values())
    if not hands and skipped and not tally.unread:
        raise BadSpec(next(iter(tally.skipped)))
    if not quiet and hands + skipped + tally.unread > 1:
        parts = [f"{many(hands, 'hand')}: {tally.agree:,} agree, {tally.disagree:,} disagree"]
        if tally.unread:
            parts.append(f"{tally.unread:,} cannot be read")
        if tally.undecided:
            parts.append(f"{tally.undecided:,} stop early or hide cards that decide")
        if tally.scaled:
            parts.append(f"{tally.scaled:,} have decimals and were counted in smaller chips")
        if skipped:
            reasons = ", ".join(f"{many(count, 'time')} {reason}" for reason, count in tally.skipped.items())
            parts.append(f"{skipped:,} skipped ({reasons})")
        sys.stdout.write(printable("; ".join(parts), "") + "\n")
    elif not quiet and tally.agree:
        sys.stdout.write("the hand agrees\n")
    if hands >= _MANY:
        note(f"{hands / seconds:,.0f} hands/s")
    return NO if tally.disagree or tally.unread else None


_LARGEST: Final = 1_000_000
"""The most bytes read of a record; one has some 3,000."""


def verify(
    record: Annotated[str, Parameter(allow_leading_hyphen=True)],
    *,
    commitment: str | None = None,
    json: JsonOption = None,
) -> int | None:
    """Check that the cards in a fairness record are those committed to before the deal.

    Every card the record claims must be proven: own cards, the board, and what was shown. The exit status is 1 if one
    is not. Give the commitment you noted when the hand started: a record alone proves only that it agrees with itself.

    Args:
        record: A fairness record, a JSON file, or - for stdin.
        commitment: The commitment published before the deal, in hexadecimal.
    """
    from poker_actors.store.fairness import FairnessRecord

    found = FairnessRecord.from_dict(_read(record))
    flaw = _against(found, commitment) or found.flaw()
    cards = None if flaw else len(found.proofs)
    verdict = {"hand_id": found.hand_id, "verified": flaw is None, "flaw": flaw, "cards": cards}
    if to_be_printed(json, verdict):
        print(printable(flaw or _verdict(found, commitment), ""))
    return NO if flaw else None


def _read(place: str) -> object:
    text = read_text(place, _LARGEST, "fairness record")
    try:
        return parse_json(text)
    except ValueError as error:
        raise BadSpec(f"{place} is not JSON: {error}") from None


def _against(record: FairnessRecord, commitment: str | None) -> str | None:
    """Return how the record's commitment differs from the given one, or None if it does not."""
    if commitment is None:
        return None
    try:
        noted = bytes.fromhex(commitment)
    except ValueError:
        raise BadSpec(f"--commitment {commitment[:80]!r} is not hexadecimal") from None
    if noted == record.commitment:
        return None
    return f"{record.hand_id} was committed to as {record.commitment.hex()}, not as {noted.hex()[:80]}"


def _verdict(record: FairnessRecord, commitment: str | None) -> str:
    text = f"{record.hand_id}: {len(record.proofs)} cards are those committed to before the deal"
    if commitment is None:
        text += f", if {record.commitment.hex()} is what was published then"
    return text
