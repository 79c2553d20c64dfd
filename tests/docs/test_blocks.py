"""Every block of Python and every command in the README and the docs is run."""

import doctest
import os
import re
import shlex
import subprocess
import sysconfig
from pathlib import Path

import pytest
from sybil import Document, Example, Sybil
from sybil.parsers.myst import CodeBlockParser, PythonCodeBlockParser

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
LANGUAGES = {"console", "json", "python", "shell", "text", "toml", "ts", "{eval-rst}", "{toctree}"}
LOOSELY = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def evaluate_console(example: Example) -> str | None:
    """Run the commands of a `console` block in an empty directory; what follows each is what it prints."""
    for command, wanted in commands_of(str(example.parsed)):
        shown = run(command, example.namespace["directory"])
        if wanted.strip() and not doctest.OutputChecker().check_output(wanted, shown, LOOSELY):
            return f"$ {command}\nexpected:\n{wanted}\nprinted:\n{shown}"
    return None


def commands_of(block: str) -> list[tuple[str, str]]:
    """The commands of a block, each with the output that follows it."""
    first, *rest = re.split(r"^\$ ", block, flags=re.MULTILINE)
    assert not first.strip(), "a console block starts with `$ command`"
    return [command_of(part) for part in rest]


def command_of(part: str) -> tuple[str, str]:
    """A command, which goes on after `>` as in a terminal until it is whole, and its output."""
    command, *lines = part.split("\n")
    while not is_whole(command) and lines and re.match(r">( |$)", lines[0]):
        command += "\n" + lines.pop(0)[2:]
    return command, "\n".join(lines)


def is_whole(command: str) -> bool:
    """Whether a shell would run it, or wait for the end of a text or of a quotation."""
    ends = re.findall(r"<<'?(\w+)'?", command)
    return all(re.search(rf"^{end}$", command, re.MULTILINE) for end in ends) and command.count('"') % 2 == 0


def run(command: str, directory: Path) -> str:
    """What a command prints on stdout. A failure is told, unless the line says that it wants stderr."""
    environment = os.environ | {
        "PATH": f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}",
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 or "2>&1" in command, f"$ {command}\n{done.stderr}"
    return done.stdout


def document_of(page: Path, directory: Path) -> Document:
    python = PythonCodeBlockParser(doctest_optionflags=LOOSELY)
    console = CodeBlockParser(language="console", evaluator=evaluate_console)
    document = Sybil(parsers=[python, console]).parse(page)
    document.namespace["directory"] = directory
    return document


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_the_blocks_of_a_page_run_and_print_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for example in document_of(page, tmp_path).examples():
        example.evaluate()


def test_every_block_says_its_language() -> None:
    unknown = []
    for page in PAGES:
        fences = re.findall(r"^ *(```+|~~~+) *(\S*)", page.read_text(encoding="utf-8"), re.MULTILINE)
        unknown += [
            f"{name_of(page)}: {language}" for _, language in fences[::2] if language not in LANGUAGES
        ]
    assert unknown == []


def test_a_wrong_output_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ echo one && echo two\none\nthree\n```\n", encoding="utf-8")
    (example,) = document_of(page, tmp_path).examples()
    with pytest.raises(Exception, match="three"):
        example.evaluate()


def test_a_failing_command_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ false\n```\n", encoding="utf-8")
    (example,) = document_of(page, tmp_path).examples()
    with pytest.raises(AssertionError, match="false"):
        example.evaluate()


def test_a_wrong_python_block_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nassert 1 == 2\n```\n", encoding="utf-8")
    (example,) = document_of(page, tmp_path).examples()
    with pytest.raises(AssertionError):
        example.evaluate()


def test_a_wrong_doctest_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\n>>> 1 + 1\n3\n```\n", encoding="utf-8")
    (example,) = document_of(page, tmp_path).examples()
    with pytest.raises(Exception, match="Expected"):
        example.evaluate()


def test_the_checks_install_and_test_by_the_readmes_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (command,) = [line for line in readme.splitlines() if " -m pytest" in line]
    checks = (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace("install -q ", "install ")
    assert f"\n{command} |" in checks


def test_the_readme_starts_with_setting_up() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    first, second = re.findall(r"```shell\n(.*)\n```", readme)[:2]
    assert shlex.split(first)[:4] == shlex.split(second)[:4] == ["python3", "-m", "venv", ".venv"]
    assert first.endswith("poker-actors simulate")


def test_the_reference_has_a_page_for_every_package() -> None:
    contents = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^reference/(\w+)$", contents, re.MULTILINE))
    pages = {page.stem for page in (ROOT / "docs" / "reference").glob("*.md")}
    packages = {door.parent.name for door in (ROOT / "poker_actors").glob("*/__init__.py")}
    assert pages == listed, "list the page in docs/reference.md"
    assert packages - pages == {"cli"}, "add a page to docs/reference"
