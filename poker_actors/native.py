"""What the compiled build is told of a class; the pure one takes no notice.

The build that mypyc compiles on request (docs/compiled.md) seals classes: without these marks they could
neither be extended in Python nor made without their `__init__`, as copies are.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

__all__ = ["is_compiled", "mypyc_attr"]

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_marks: Any):
        """Leave the class as it is."""
        return lambda marked: marked


def is_compiled() -> bool:
    """Tell whether this is the compiled build."""
    spec = find_spec("poker_actors.rules.hand")
    return spec is not None and spec.origin is not None and not spec.origin.endswith(".py")
