"""Links between pages lead somewhere; those out of the project are looked up by `pytest -m heavy`."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(page for page in (ROOT / "docs").rglob("*.md") if "_build" not in page.parts)]
)
LINK = re.compile(r"\]\(<?([^)>\s]+)>?\)")
DOC = re.compile(r"\{doc\}`(?:[^`<]*<)?([^`>]+)>?`")


def prose(page: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as its readers make them."""
    found = re.findall(r"^#+ (.*)", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-") for text in found}


def test_every_link_of_a_page_leads_to_something_of_the_project() -> None:
    assert [f"{page.relative_to(ROOT)}: {target}" for page in PAGES for target in dead_links(page)] == []


def dead_links(page: Path) -> list[str]:
    text = prose(page)
    dead = []
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        if not there.exists() or (anchor and there.suffix == ".md" and anchor not in headings(there)):
            dead.append(target)
    for target in DOC.findall(text):
        base = ROOT / "docs" if target.startswith("/") else page.parent
        if not (base / f"{target.lstrip('/')}.md").exists():
            dead.append(target)
    return dead


def test_a_dead_link_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One\n[a](#one) [b](#two) [c](page.md#one) [d](gone.md) {doc}`gone` {doc}`page`", encoding="utf-8"
    )
    assert dead_links(page) == ["#two", "gone.md", "gone"]


@pytest.mark.heavy
def test_links_out_of_the_project_answer(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-b", "linkcheck", str(ROOT / "docs"), str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
