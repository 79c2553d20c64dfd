"""The words of the field, in code and docs: what has a better word is not used, but for older names kept one release."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import poker_actors

ROOT = Path(poker_actors.__file__).parent
DOCS = ROOT.parent / "docs"
BETTER: dict[str, str] = {
    "evenings?": "run",
    "stretch(es)?": "block",
    "premises": "application state",
    "purses?": "funding",
    "eyes": "Viewpoint",
    "aftermath": "postmortem",
    "lucky_again": "restore_streams",
}
BANNED = re.compile(rf"(?<![a-zA-Z])_?({'|'.join(BETTER)})(?![a-z])", re.IGNORECASE)
OLDER_NAMES = {
    "testing/chaos/bench.py": {"evening"},
    "testing/chaos/__init__.py": {"evening"},
    "cli/chaos.py": {"evening"},
    "debug/session/stepper.py": {"eyes"},
    "sim/results/plain.py": {"stretches"},
    "sim/results/figures.py": {"stretches"},
}
"""Taken or given beside the new name for one release: files, and the older names in them."""
PLAIN_ENGLISH = {"sim/pictures/drawings.py": {"eyes"}}
"""Where the word means what it says to anybody: what people see with."""
PAGES = [
    page
    for page in sorted(DOCS.glob("**/*.md"))
    if page.parent.name != "adr" and page.name not in ("options.md", "routes.md")
]
MODULES = sorted(ROOT.rglob("*.py"))


def banned_in(text: str) -> set[str]:
    """The banned words of a text, in lower case."""
    return {found[1].lower() for found in BANNED.finditer(text)}


def test_code_uses_the_words_of_the_field() -> None:
    found = {}
    for path in MODULES:
        name = path.relative_to(ROOT).as_posix()
        allowed = OLDER_NAMES.get(name, set()) | PLAIN_ENGLISH.get(name, set())
        if banned := banned_in(path.read_text(encoding="utf-8")) - allowed:
            found[name] = {word: better_than(word) for word in banned}
    assert found == {}


def test_pages_use_the_words_of_the_field() -> None:
    words = {page.relative_to(DOCS).as_posix(): banned_in(page.read_text(encoding="utf-8")) for page in PAGES}
    found = {page: {word: better_than(word) for word in banned} for page, banned in words.items() if banned}
    assert found == {}


def better_than(word: str) -> str:
    return next(better for banned, better in BETTER.items() if re.fullmatch(banned, word))


@pytest.mark.parametrize("word", ["Evening", "watched_evening", "_Stretch", "Eyes"])
def test_a_banned_word_is_found(word: str) -> None:
    assert banned_in(word)
