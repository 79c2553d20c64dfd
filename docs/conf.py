from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode

from poker_actors import __version__

project = "poker_actors"
author = "The poker_actors authors"
copyright = "2026, The poker_actors authors"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_design"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "poker_actors"

# `name` in a docstring is a link where there is something to link to
default_role = "py:obj"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_member_order = "bysource"
napoleon_numpy_docstring = False
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

nitpicky = True
nitpick_ignore_regex = [
    # single backticks also hold arguments and values, which have no page of their own
    ("py:obj", r"(?s).*"),
    # types that annotations name: the standard library's, pykka's, and our own that are no part of the public face
    ("py:class", r"(collections|fractions|pathlib|random|pykka|poker_actors)\..*"),
]


def link_by_last_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element
) -> nodes.Element | None:
    """Link `BadSpec` from any page: names are unique, so a docstring need not say in which package one lives."""
    name = node.get("reftarget", "").rpartition(".")[2]
    python = env.domains.python_domain
    found = {
        entry.node_id: (full, entry) for full, entry in python.objects.items() if full.endswith(f".{name}")
    }
    if node.get("refdomain") != "py" or len(found) != 1:
        return None
    ((full, entry),) = found.values()
    return make_refnode(app.builder, node["refdoc"], entry.docname, entry.node_id, [text], full)


def keep_colons(
    app: Sphinx, what: str, name: str, documented: object, options: object, lines: list[str]
) -> None:
    """Put back what stands before a colon in an attribute's first line: napoleon has taken it for the type."""
    types = [line for line in lines if line.startswith(":type: ")]
    if types and what in {"attribute", "data", "property"}:
        lines[0] = f"{types[0].removeprefix(':type: ')}: {lines[0]}"
        lines.remove(types[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the links, and mend what napoleon (at 500) has read."""
    app.connect("missing-reference", link_by_last_name)
    app.connect("autodoc-process-docstring", keep_colons, priority=600)
    return {"parallel_read_safe": True}
