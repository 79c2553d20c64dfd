"""Marks on classes for the compiled build; the pure build ignores them.

The build that mypyc compiles on request (docs/performance.md) seals classes: without these marks they could
neither be subclassed in Python nor created without their `__init__`, as copying does.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

__all__ = ["is_compiled", "mypyc_attr"]

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_marks: Any):
        """Return the class unchanged."""
        return lambda marked: marked


def is_compiled() -> bool:
    """Return whether this is the compiled build."""
    spec = find_spec("poker_actors.rules.hand")
    return spec is not None and spec.origin is not None and not spec.origin.endswith(".py")
