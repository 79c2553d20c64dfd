"""Widgets of the full-screen debugger, with short names for a small screen."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, Self

from rich.text import Text
from textual.events import Click
from textual.geometry import Region
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList, Tree
from textual.widgets.option_list import Option
from textual.widgets.tree import TreeNode

from poker_actors.debug.state import Difference, message_words

_HAND_ID: Final = re.compile(r"[^\s]+/hand-([0-9]{9})")


def short(text: str) -> str:
    """Return the text with `hand 3` for `main/hand-000000003`."""
    return _HAND_ID.sub(lambda found: f"hand {int(found[1])}", text)


def relist(options: OptionList, lines: Sequence[Text | str]) -> None:
    """Show other lines, in place if their number is the same, which saves a layout."""
    if options.option_count != len(lines):
        options.clear_options()
        options.add_options([Option(line) for line in lines])
        return
    for number, line in enumerate(lines):
        if options.get_option_at_index(number).prompt != line:
            options.replace_option_prompt_at_index(number, line)


class Pane(Widget):
    """A pane of the screen, as large as the others leave it: laid out again only for scroll bars that come or go.

    Textual would lay out the whole screen for any change of the lines that can be scrolled to: at most keys.
    """

    _bars = (False, False)
    _waits = False

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> Self:
        """Draw again, and lay out if scroll bars came or went; later, within `drawn_once`."""
        if self._waits:
            return self
        if layout:
            layout, self._bars = self.scrollbars_enabled != self._bars, self.scrollbars_enabled
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    @contextmanager
    def drawn_once(self) -> Iterator[None]:
        """Draw once for all the changes in a block."""
        self._waits = True
        try:
            yield
        finally:
            self._waits = False
            self.refresh(layout=True)


class MessageList(OptionList, Pane):
    """The messages around the position."""

    def show(self, lines: Sequence[Text | str]) -> None:
        """List other messages."""
        with self.drawn_once():
            relist(self, lines)


class ActorList(OptionList):
    """One line for each actor: `>` marks the receiver of the next message, a number the messages that wait.

    Posts `ActorList.Opened` when an actor is clicked or chosen with Enter.
    """

    class Opened(Message):
        """The user wants to open, or close again, the state of the actor `name`."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self) -> None:
        super().__init__(id="actors", markup=False)
        self._names: list[str] = []

    def show(self, state: dict[str, Any], following: str | None, changed: list[Difference]) -> None:
        """Draw the actors of a room; `following` is the receiver of the next message, None at the end."""
        waiting = Counter(one["to"] for one in state["mailbox"])
        touched = {one.path[0] for one in changed}
        at = self.highlighted
        self._names = list(state["actors"])
        lines = []
        for name in self._names:
            count = waiting[name]
            line = Text(no_wrap=True, overflow="ellipsis")
            line.append("> " if name == following else "  ", "bold")
            line.append(short(name), "bold yellow" if name in touched else "")
            line.append(f"  {count}" if count else "", "cyan")
            lines.append(line)
        relist(self, lines)
        if at is not None and self._names:
            self.highlighted = min(at, len(self._names) - 1)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Post `Opened` for the chosen actor."""
        event.stop()
        self.post_message(self.Opened(self._names[event.option_index]))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Keep the event from the app, which would go to the highlighted line as a message."""
        event.stop()


class StateTree(Tree[str], Pane):
    """The tree, rebuilt at every stop. Actors that the user opens stay open; whatever has just changed is opened."""

    def __init__(self) -> None:
        super().__init__("room", id="state")
        self.show_root = False
        self.guide_depth = 2
        self.pinned: set[str] = set()
        """names of the actors opened by hand"""
        self._unfilled: dict[TreeNode[str], Callable[[], None]] = {}
        """what fills a node that is not open, when it is opened: most never are, and the tree is rebuilt at every stop"""

    def show(self, state: dict[str, Any], changed: list[Difference]) -> None:
        """Draw the state of a room, with the changes since the last stop highlighted."""
        paths = {one.path[:depth] for one in changed for depth in range(1, len(one.path) + 1)}
        with self.drawn_once():
            self._plant(state, paths)

    def _plant(self, state: dict[str, Any], paths: set[tuple[str, ...]]) -> None:
        self.clear()
        self._unfilled.clear()
        for name, actor in state["actors"].items():
            waiting = [one for one in state["mailbox"] if one["to"] == name]
            touched = (name,) in paths
            label = Text(
                f"{name}{f'  ({len(waiting)})' if waiting else ''}", "bold yellow" if touched else "bold"
            )
            node = self.root.add(label, data=name, expand=touched or name in self.pinned)
            self._fill(node, (name,), actor, paths, waiting)
        # Count the lines and set the scroll bars now: else the screen would be laid out again for each
        if self.last_line >= 0:
            self._scroll_update(self.virtual_size)

    def on_tree_node_selected(self, event: Tree.NodeSelected[str]) -> None:
        """Remember whether the user wants this actor open."""
        name = event.node.data
        if name is not None:
            self.pinned ^= {name}

    def toggle_actor(self, name: str) -> None:
        """Open an actor's state and keep it open, or close it; scroll to it."""
        self.pinned ^= {name}
        for node in self.root.children:
            if node.data == name:
                (node.expand if name in self.pinned else node.collapse)()
                self.call_after_refresh(self.scroll_to_node, node, animate=False)

    def on_tree_node_expanded(self, event: Tree.NodeExpanded[str]) -> None:
        """Fill a node that is opened for the first time."""
        fill = self._unfilled.pop(event.node, None)
        if fill is not None:
            fill()

    def _fill(
        self,
        node: TreeNode[str],
        path: tuple[str, ...],
        value: Any,
        paths: set[tuple[str, ...]],
        waiting: list[dict[str, Any]] | None = None,
    ) -> None:
        """Fill a node with the parts of a value, now if it is open, and of an actor with the messages `waiting` for it."""

        def fill() -> None:
            for key, item in value.items() if isinstance(value, dict) else enumerate(value):
                self._add(node, (*path, str(key)), item, paths)
            for one in waiting or ():
                asked = " asks" if one["asked"] else ""
                words = f"< {one['from'] or 'outside'}{asked}: {message_words(one['message'])}"
                node.add_leaf(Text(words, "cyan"))

        if node.is_expanded:
            fill()
        else:
            self._unfilled[node] = fill

    def _add(
        self, node: TreeNode[str], here: tuple[str, ...], item: Any, paths: set[tuple[str, ...]]
    ) -> None:
        marked = here in paths
        style = "bold yellow" if marked else ""
        nested = isinstance(item, dict) or (
            isinstance(item, list) and any(isinstance(one, dict) for one in item)
        )
        if nested and item:
            branch = node.add(Text(here[-1], style), expand=marked)
            self._fill(branch, here, item, paths)
        else:
            shown = " ".join(map(str, item)) if isinstance(item, list) else item
            node.add_leaf(Text(f"{here[-1]}: {'-' if shown in (None, '') else shown}", style))


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
        self._bar: list[str] = []
        """the bar without the position, drawn once: a long session has tens of thousands of marks"""

    def show(self, position: int, marks: list[int], wrong: list[int], length: int) -> None:
        """Draw a position, with marks and length; if these are the same as before, keep the bar."""
        if marks is not self.marks or wrong is not self.wrong or length != self.length:
            self._bar = []
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
        if len(self._bar) != columns:
            self._bar = ["-"] * columns
            for sign, marks in (("|", self.marks), ("!", self.wrong)):
                for mark in marks:
                    self._bar[min(columns - 1, mark * columns // (self.length + 1))] = sign
        bar = self._bar.copy()
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
