"""The timeline: a bar as wide as the screen, from the first message to the last, for clicks to go anywhere."""

from __future__ import annotations

from rich.text import Text
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

__all__ = ["Timeline"]


class Timeline(Widget):
    """Shows the position in the session; posts `Timeline.Chosen` on a click."""

    DEFAULT_CSS = "Timeline { height: 1; }"

    class Chosen(Message):
        """The user wants to go to `position`."""

        def __init__(self, position: int) -> None:
            super().__init__()
            self.position = position

    def __init__(self, marks: list[int], length: int) -> None:
        super().__init__(id="timeline")
        self.marks = marks
        """positions right after a player's act"""
        self.wrong: list[int] = []
        """positions right after a step with an incident"""
        self.length = max(1, length)
        self.position = 0

    def show(self, position: int, marks: list[int], wrong: list[int], length: int) -> None:
        """Draw a position, with other marks and length."""
        self.position, self.marks, self.wrong, self.length = position, marks, wrong, max(1, length)
        self.refresh()

    @property
    def _numbers(self) -> str:
        width = max(4, len(str(self.length)))
        return f" {self.position:>{width}} of {self.length:<3}"

    @property
    def _columns(self) -> int:
        # All of the numbers: in a line one column too long, the terminal library wraps the length out of sight
        return max(1, self.size.width - len(self._numbers))

    def render(self) -> Text:
        """Return the bar: `|` for an act, `!` for an incident, `#` for the position."""
        columns = self._columns
        bar = ["-"] * columns
        for sign, marks in (("|", self.marks), ("!", self.wrong)):
            for mark in marks:
                bar[min(columns - 1, mark * columns // (self.length + 1))] = sign
        at = min(columns - 1, self.position * columns // (self.length + 1))
        bar[at] = "#"
        text = Text("".join(bar), style="dim")
        text.highlight_regex("!", style="not dim bold red")
        text.stylize("not dim bold reverse", at, at + 1)
        text.append(self._numbers)
        return text

    def on_click(self, event: Click) -> None:
        """Post the position clicked on; clicks on the numbers after the bar do nothing."""
        if event.x < self._columns:
            self.post_message(self.Chosen(round(event.x * self.length / max(1, self._columns - 1))))
