"""What `from poker_actors import ...` and `from poker_actors.rules import ...` give is as in the last release, or in the changelog.

`python tests/unit/test_public_api.py` writes today's signatures down as those of a release.
"""

import inspect
import json
import re
from pathlib import Path

import poker_actors
from poker_actors import rules

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RELEASED = HERE / "public_api.json"


def names() -> dict[str, object]:
    return {name: getattr(door, name) for door in (rules, poker_actors) for name in door.__all__}


def signatures() -> dict[str, str]:
    """Name -> signature, for every name of the two doors and every public member of their classes."""
    found: dict[str, str] = {}
    for name, value in names().items():
        found[name] = signature(value)
        for owner in (
            reversed(value.__mro__) if inspect.isclass(value) else ()
        ):  # what a class overrides counts
            if owner.__module__.startswith("poker_actors"):
                members = {
                    member: inner for member, inner in vars(owner).items() if not member.startswith("_")
                }
                found |= {f"{name}.{member}": signature(inner) for member, inner in members.items()}
    return found


def signature(value: object) -> str:
    """Names and defaults of the parameters: what callers rely on, however annotations are written."""
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    if not (inspect.isfunction(value) or inspect.isclass(value)):
        return "value"
    try:
        parameters = inspect.signature(value).parameters.values()
    except ValueError:  # a class made by another one's constructor, as a kind of int
        return "class"
    return f"({', '.join(map(plainly, parameters))})"


def plainly(parameter: inspect.Parameter) -> str:
    default = parameter.default
    simple = default in (parameter.empty, None) or isinstance(default, bool | int | float | str)
    return str(parameter.replace(annotation=parameter.empty, default=default if simple else ...))


def test_a_change_of_the_public_names_is_in_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = changelog.split("\n## ")[1]
    told = set(re.findall(r"`([A-Za-z_.]+)", unreleased))
    before, now = json.loads(RELEASED.read_text(encoding="utf-8")), signatures()
    changed = sorted(name for name in before.keys() | now.keys() if before.get(name) != now.get(name))
    untold = [
        f"{name}: {before.get(name, 'new')} -> {now.get(name, 'gone')}"
        for name in changed
        if name not in told
    ]
    assert untold == [], "name them in the changelog, in backticks"


def test_every_name_of_the_last_release_is_there() -> None:
    before = json.loads(RELEASED.read_text(encoding="utf-8"))
    assert {name for name in before if "." not in name} <= {*names()}


if __name__ == "__main__":
    RELEASED.write_text(json.dumps(signatures(), indent=1, sort_keys=True) + "\n", encoding="utf-8")
