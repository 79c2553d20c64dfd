"""Short names for a small screen."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Final

from rich.text import Text
from textual.events import Click
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList, Tree
from textual.widgets.option_list import Option
from textual.widgets.tree import TreeNode

from poker_actors.debug.state import Difference, message_words

__all__ = [
    "ActorList",
    "StateTree",
    "Timeline",
    "short",
]


_HAND_ID: Final = re.compile(r"[^\s]+/hand-([0-9]{9})")


def short(text: str) -> str:
    """Return the text with `hand 3` for `main/hand-000000003`."""
    return _HAND_ID.sub(lambda found: f"hand {int(found[1])}", text)


class ActorList(OptionList):
    """One line for each actor: `>` marks the receiver of the next message, a number the messages that wait.

    Posts `ActorList.Opened` when an actor is clicked or chosen with Enter.
    """

    class Opened(Message):
        """The user wants the state of the actor `name` opened, or closed again."""

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
        self.clear_options()
        for name in self._names:
            count = waiting[name]
            line = Text(no_wrap=True, overflow="ellipsis")
            line.append("> " if name == following else "  ", "bold")
            line.append(short(name), "bold yellow" if name in touched else "")
            line.append(f"  {count}" if count else "", "cyan")
            self.add_option(Option(line))
        if at is not None and self._names:
            self.highlighted = min(at, len(self._names) - 1)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Post `Opened` for the chosen actor."""
        event.stop()
        self.post_message(self.Opened(self._names[event.option_index]))

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Keep the event from the app, which would take the highlighted line for a message to go to."""
        event.stop()


class StateTree(Tree[str]):
    """The tree, rebuilt at every stop. Actors opened by hand stay open; whatever has just changed is opened."""

    def __init__(self) -> None:
        super().__init__("room", id="state")
        self.show_root = False
        self.guide_depth = 2
        self.pinned: set[str] = set()
        """names of the actors opened by hand"""

    def show(self, state: dict[str, Any], changed: list[Difference]) -> None:
        """Draw the state of a room, with the changes since the last stop highlighted."""
        paths = {one.path for one in changed}
        self.clear()
        for name, actor in state["actors"].items():
            waiting = [one for one in state["mailbox"] if one["to"] == name]
            touched = any(path[0] == name for path in paths)
            label = Text(
                f"{name}{f'  ({len(waiting)})' if waiting else ''}", "bold yellow" if touched else "bold"
            )
            node = self.root.add(label, data=name, expand=touched or name in self.pinned)
            self._fill(node, (name,), actor, paths)
            for one in waiting:
                asked = " asks" if one["asked"] else ""
                words = f"< {one['from'] or 'outside'}{asked}: {message_words(one['message'])}"
                node.add_leaf(Text(words, "cyan"))

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

    def _fill(
        self, node: TreeNode[str], path: tuple[str, ...], value: Any, paths: set[tuple[str, ...]]
    ) -> None:
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            here = (*path, str(key))
            marked = any(one[: len(here)] == here for one in paths) or here in paths
            style = "bold yellow" if marked else ""
            nested = isinstance(item, dict) or (
                isinstance(item, list) and any(isinstance(one, dict) for one in item)
            )
            if nested and item:
                branch = node.add(Text(str(key), style), expand=marked)
                self._fill(branch, here, item, paths)
            else:
                shown = " ".join(map(str, item)) if isinstance(item, list) else item
                node.add_leaf(Text(f"{key}: {'-' if shown in (None, '') else shown}", style))


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
