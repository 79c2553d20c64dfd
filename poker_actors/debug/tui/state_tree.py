"""The state of the room as a tree: actors, their state and waiting messages, with changes highlighted."""

from __future__ import annotations

from typing import Any

from rich.text import Text
from textual.widgets import Tree
from textual.widgets.tree import TreeNode

from poker_actors.debug.state import Difference, message_words

__all__ = ["StateTree"]


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
