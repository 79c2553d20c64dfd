"""A whole session in files: the page, the sequence diagram, the trace."""

from poker_actors.debug.export.page import page
from poker_actors.debug.export.whole import mermaid, sequence_svg, trace_of

__all__ = ["mermaid", "page", "sequence_svg", "trace_of"]
