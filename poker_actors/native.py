"""What the compiled build is told of a class; the pure one takes no notice.

The build that mypyc compiles on request (docs/compiled.md) seals classes: without these marks they could
neither be extended in Python nor made without their `__init__`, as copies are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__all__ = ["mypyc_attr"]

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr
else:

    def mypyc_attr(**_marks: Any):
        """Leave the class as it is."""
        return lambda marked: marked
