"""Export a whole session: as a page, a sequence diagram or a trace."""

from poker_actors.debug.export.page import page
from poker_actors.debug.export.whole import mermaid, sequence_svg, trace_of

__all__ = ["mermaid", "page", "sequence_svg", "trace_of"]
