"""The list of actors: the receiver of the next message, how many messages wait for each, and recent changes."""

from __future__ import annotations

from collections import Counter
from typing import Any

from rich.text import Text
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from poker_actors.debug.state import Difference
from poker_actors.debug.tui.short import short

__all__ = ["ActorList"]


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
