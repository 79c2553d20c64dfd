"""Dependencies: each with its bounds and its licence in the docs, and none kept out that is newer."""

import json
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
DIRECT = [
    Requirement(text)
    for texts in (PROJECT["dependencies"], *PROJECT["optional-dependencies"].values())
    for text in texts
    if not text.startswith("poker-actors")
]
ROW = re.compile(r"^\| `([^`]+)` \| `([^`]+)` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "docs" / "versioning.md").read_text(encoding="utf-8"))


def test_the_page_lists_every_dependency_with_its_bounds() -> None:
    listed = {(name, str(Requirement(f"{name}{bounds}").specifier)) for name, bounds, _, _ in ROWS}
    assert listed == {(wanted.name, str(wanted.specifier)) for wanted in DIRECT}


HERE = {found.metadata["Name"].lower().replace("_", "-") for found in metadata.distributions()}
INSTALLED = [(name, licence) for name, _, _, licence in ROWS if name.lower().replace("_", "-") in HERE]


@pytest.mark.parametrize(("name", "licence"), INSTALLED)
def test_a_licence_is_the_one_that_the_package_states(name: str, licence: str) -> None:
    stated = metadata.metadata(name).json
    expression = stated.get("license_expression")
    texts = [str(stated.get("license", "")), *stated.get("classifier", [])]
    if expression is not None:
        assert licence == expression
    elif name != "axe-playwright-python":  # whose metadata state none; its sources do
        word = re.split(r"[- ]", licence)[0]
        assert any(word in text for text in texts if len(text) < 200)


def test_every_dependency_has_a_lower_bound_and_all_but_the_paint_an_upper_one() -> None:
    for wanted in DIRECT:
        signs = {specifier.operator for specifier in wanted.specifier}
        assert signs & {">=", "=="}, wanted
        assert signs & {"<", "=="} or wanted.name == "furo", wanted


@pytest.mark.heavy
def test_no_upper_bound_keeps_a_newer_version_out() -> None:
    command = [sys.executable, "-m", "pip", "list", "--outdated", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    newest = {one["name"].lower().replace("_", "-"): one["latest_version"] for one in json.loads(done.stdout)}
    kept_out = [
        f"{wanted} keeps out {newest[name]}"
        for wanted in DIRECT
        if (name := wanted.name.lower().replace("_", "-")) in newest
        if not wanted.specifier.contains(Version(newest[name]))
        # checkers are exact on purpose: their rules change with every version
        if not any(specifier.operator == "==" for specifier in wanted.specifier)
    ]
    assert kept_out == []
