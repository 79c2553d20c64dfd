"""Draw the pictures of the architecture page: one hand as its actors told it, and the packages as they import each other.

`python docs/pictures/draw_architecture.py`; needs import-linter (extra `test`). A test draws them again and compares.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from html import escape
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).parent
PROJECT: Final = HERE.parents[1] / "pyproject.toml"
WIDTH: Final = 1040
ROW: Final = 74
BOX: Final = (104, 34)
STYLE: Final = (
    "text{font:13px sans-serif;fill:#1d2330}.box{fill:#e8eef7;stroke:#5b6b86}"
    ".arrow{fill:none;stroke:#8a97ad;stroke-width:1}.arrow:hover{stroke:#c0392b;stroke-width:2}"
)
TIP: Final = (
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0 0 L8 4 L0 8 z" fill="#8a97ad"/></marker></defs>'
)
EVERYWHERE: Final = frozenset({"cards", "errors", "frozen", "jsontext", "native", "version"})
"""Used by nearly everybody: arrows to them would hide the others."""


def one_hand() -> str:
    """A raise and a fold, every message of it, as SVG: from a session of the step-debugger."""
    from poker_actors.bots import BotSpec
    from poker_actors.debug import Script, Stepper, sequence_svg
    from poker_actors.rules import Fold, RaiseTo

    bots = (BotSpec.of("caller"), BotSpec.of("caller"))
    script = Script(7, bots, (200, 200), names=("ann", "bob"), actions=(RaiseTo(6), Fold()))
    with Stepper(script) as stepper:
        return sequence_svg(stepper)


def rungs() -> list[list[str]]:
    """The packages of each rung of the ladder, the top first, as import-linter is told them."""
    contracts: list[dict[str, Any]] = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    return [[name.strip(" ()") for name in layer.split("|")] for layer in layers]


def imports() -> set[tuple[str, str]]:
    """Which package imports which, as the code says."""
    import grimp

    graph = grimp.build_graph("poker_actors")
    found = set()
    for module in graph.modules:
        for other in graph.find_modules_directly_imported_by(module):
            pair = tuple(name.split(".")[1] for name in (module, other) if "." in name)
            if len(pair) == 2 and pair[0] != pair[1]:
                found.add((pair[0], pair[1]))
    return found


def ladder() -> str:
    """The packages on their rungs, an arrow for each import between them, as SVG."""
    places: dict[str, tuple[float, float]] = {}
    layers = rungs()
    for number, layer in enumerate(layers):
        for place, name in enumerate(layer):
            places[name] = (WIDTH * (place + 1) / (len(layer) + 1), 40 + ROW * number)
    height = 40 + ROW * len(layers)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">',
        "<title>The packages of poker_actors and what each imports</title>",
        f"<style>{STYLE}</style>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        TIP,
    ]
    for above, below in sorted(pair for pair in imports() if pair[1] not in EVERYWHERE):
        parts.append(_arrow(above, below, places))
    for name, (x, y) in places.items():
        parts.append(
            f'<rect class="box" x="{x - BOX[0] / 2:.0f}" y="{y - BOX[1] / 2:.0f}" width="{BOX[0]}" height="{BOX[1]}" rx="6"/>'
            f'<text x="{x:.0f}" y="{y + 5:.0f}" text-anchor="middle">{escape(name)}</text>'
        )
    return "\n".join([*parts, "</svg>\n"])


def _arrow(above: str, below: str, places: dict[str, tuple[float, float]]) -> str:
    (x, y), (to_x, to_y) = places[above], places[below]
    start, end = y + BOX[1] / 2, to_y - BOX[1] / 2
    bend = (end - start) * 0.45
    path = (
        f"M{x:.0f} {start:.0f} C{x:.0f} {start + bend:.0f} {to_x:.0f} {end - bend:.0f} {to_x:.0f} {end:.0f}"
    )
    return (
        f'<path class="arrow" marker-end="url(#tip)" d="{path}"><title>{above} imports {below}</title></path>'
    )


PICTURES: Final[dict[str, Callable[[], str]]] = {"one-hand.svg": one_hand, "ladder.svg": ladder}


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (HERE / name).write_text(draw(), encoding="utf-8")
