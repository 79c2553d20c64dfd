"""Pictures of the docs are what the code draws today."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, PICTURES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def drawing() -> ModuleType:
    return script("draw_architecture")


def test_the_moving_picture_of_the_readme_is_the_hand_it_names() -> None:
    drawn = script("animate_hand").animation()
    kept = (PICTURES / "hand.svg").read_text(encoding="utf-8")
    assert drawn == kept, "hand.svg is stale: run docs/pictures/animate_hand.py"
    assert "<script" not in drawn


@pytest.mark.parametrize("name", ["one-hand.svg", "ladder.svg"])
def test_a_picture_is_not_stale(drawing: ModuleType, name: str) -> None:
    drawn = drawing.PICTURES[name]()
    kept = (PICTURES / name).read_text(encoding="utf-8")
    assert drawn == kept, f"{name} is stale: run docs/pictures/draw_architecture.py"


def test_every_import_between_packages_goes_down_the_ladder(drawing: ModuleType) -> None:
    rung = {name: number for number, layer in enumerate(drawing.rungs()) for name in layer}
    assert drawing.imports()
    for above, below in drawing.imports():
        assert rung[above] < rung[below], f"{above} imports {below}"


def test_the_ladder_of_the_page_is_the_one_that_is_checked(drawing: ModuleType) -> None:
    page = (PICTURES.parent / "architecture.md").read_text(encoding="utf-8")
    block = page.split("```text\n")[1].split("```")[0]
    named = {word.strip() for line in block.splitlines() for word in line[:46].split("|") if word.strip()}
    assert named == {name for layer in drawing.rungs() for name in layer}


def test_the_way_of_a_raise_passes_through_the_files_of_the_picture() -> None:
    drawing = script("draw_raise")
    kept = (PICTURES / drawing.PICTURE).read_text(encoding="utf-8")
    panels = kept.split('class="head"')[1:]
    for driver, panel in zip(drawing.LAST, panels, strict=True):
        named = re.findall(r">([a-z_/]+\.py)<", panel)
        assert named == drawing.files(drawing.way(driver)), (
            "raise.svg is stale: run docs/pictures/draw_raise.py"
        )
