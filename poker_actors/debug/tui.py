"""The full-screen debugger: table, messages, timeline and state tree, for keyboard and mouse, at 80x24 and up."""

from __future__ import annotations

import gc
from typing import Any, Final

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult, SuspendNotSupported
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Input, OptionList, Static

from poker_actors.debug.asking import next_words, step_words, title
from poker_actors.debug.commands import Commands, Quit
from poker_actors.debug.draw import draw_text
from poker_actors.debug.session import MOST_STEPS, Stepper
from poker_actors.debug.state import Difference, differences, told_apart
from poker_actors.debug.widgets import ActorList, MessageList, StateTree, Timeline, short

_KEYS: Final = "n next  left back  a action  s street  c cont  b break  : command  q quit"

_FAR: Final = 20_000
"""The most steps played ahead to find the length of a session: about two seconds of work."""
_LISTED: Final = 2
"""Screens of messages listed at a time: listing hundreds takes longer than everything else a key does."""
_LEAST_LISTED: Final = 60
_NAMED: Final = {
    ":": "colon",
    "/": "slash",
    "$": "dollar_sign",
    "?": "question_mark",
    "\n": "enter",
    "\r": "enter",
}
"""The Textual key names of pasted characters, for those whose name is not the character."""
_EDITING: Final = {
    "backspace": "delete_left",
    "delete": "delete_right",
    "left": "cursor_left",
    "right": "cursor_right",
    "home": "home",
    "end": "end",
    "ctrl+u": "delete_left_all",
    "ctrl+w": "delete_left_word",
    "ctrl+k": "delete_right_all",
}
"""Editing keys of the command line, and the `Input` actions they run."""


class DebugApp(App[bool]):
    """Debugs a session. The caller closes the stepper."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    #title { height: 1; text-style: reverse; }
    #left { width: 3fr; } #right { width: 2fr; min-width: 28; border-left: solid $primary; }
    #actors { height: auto; max-height: 45%; border: none; padding: 0; }
    #state { height: 1fr; border-top: solid $primary; }
    #table { height: auto; }
    #title, #table, #next { text-wrap: nowrap; text-overflow: ellipsis; }
    #messages { height: 1fr; text-wrap: nowrap; text-overflow: ellipsis; border: none; border-top: solid $primary; padding: 0; }
    #answer { height: 1fr; display: none; border-top: solid $primary; }
    #next { height: 1; text-style: bold; }
    #command { height: 1; border: none; padding: 0; display: none; }
    #keys { height: 1; color: $text-muted; }
    """
    # All with priority: such a binding is carried out before the next key is read. Otherwise fast typing goes astray.
    BINDINGS = [  # noqa: RUF012  Textual's own way of declaring them
        Binding("n,right,l", "forward", "next", priority=True),
        Binding("left,p", "backward", "back", priority=True),
        Binding("a", "action", "action", priority=True),
        Binding("s", "street", "street", priority=True),
        Binding("c", "cont", "continue", priority=True),
        Binding("r", "reverse", "back to a breakpoint", priority=True),
        Binding("home,0", "first", "first", priority=True),
        Binding("end,dollar_sign", "last", "last", priority=True),
        Binding("b", "ask('b ')", "break", priority=True),
        Binding("slash", "ask('find ')", "find", priority=True),
        Binding("colon", "ask('')", "command", priority=True),
        Binding("w", "say('why pot')", "why", priority=True),
        Binding("f", "say('fault')", "fault", priority=True),
        Binding("i", "into", "into the bot", priority=True),
        Binding("m", "say('more')", "fetch a live table's newer messages", priority=True),
        Binding("question_mark,h", "say('h')", "help", priority=True),
        Binding("escape", "close_answer", "close", priority=True),
        Binding("q,ctrl+c", "say('q')", "quit", priority=True),
    ]

    def __init__(self, stepper: Stepper) -> None:
        super().__init__()
        self.commands: Final = Commands(stepper)
        self._shown: tuple[Stepper, int] | None = None
        """the branch and position drawn last; None: draw everything anew"""
        self._before: dict[str, Any] | None = None
        """the state drawn last, to mark what has changed since"""
        self._listed = range(0)
        """the positions in the list of messages"""
        self._freezes: Final = not gc.get_freeze_count()
        """whether the collector may be spared the record: not if the caller has frozen objects, as all thaw together"""

    @property
    def stepper(self) -> Stepper:
        """The current branch."""
        return self.commands.stepper

    def compose(self) -> ComposeResult:
        """Yield the widgets of the screen, top to bottom."""
        yield Static(id="title")
        with Horizontal():
            with Vertical(id="left"):
                yield Static(id="table")
                yield MessageList(id="messages", markup=False)
                yield VerticalScroll(Static(id="said"), id="answer")
            with Vertical(id="right"):
                yield ActorList()
                yield StateTree()
        yield Static(id="next")
        yield Timeline([], 1)
        yield Input(id="command", compact=True, select_on_focus=False)
        yield Static(_KEYS, id="keys")

    def on_mount(self) -> None:
        """Find the length of the session, and draw the current position."""
        self._know_all()
        self.query_one("#messages", OptionList).focus()
        self._look()

    def on_unmount(self) -> None:
        """Let the garbage collector see everything again: the caller's program may go on."""
        if self._freezes:
            gc.unfreeze()

    def _freeze(self) -> None:
        """Exempt the record, which is kept to the end, from garbage collection.

        Going through all of it takes a second at 1,000 hands, finds nothing, and could happen at any key.
        """
        if self._freezes:
            gc.freeze()

    def _know_all(self) -> None:
        """Play up to `_FAR` steps of this branch and go back, so that the timeline can show its length."""
        at = self.stepper.position
        self.stepper.goto(at + _FAR)
        self._freeze()
        self.stepper.goto(at)

    # -- keys -------------------------------------------------------------------------------

    async def on_event(self, event: events.Event) -> None:
        """Handle typed and pasted text here, at once.

        Forwarded to the `Input`, it would be overtaken by the keys after it, which are handled first.
        """
        if isinstance(event, events.Paste) and not event.is_forwarded:
            for mark in event.text:
                await self._typed(_NAMED.get(mark, mark), mark)
        elif isinstance(event, events.Key) and not event.is_forwarded and self._asking:
            await self._typed(event.key, event.character or "")
        else:
            await super().on_event(event)

    @property
    def _asking(self) -> bool:
        return any(field.display for field in self.query("#command"))

    async def _typed(self, key: str, mark: str) -> None:
        """Handle one key: type it into the command line if that is open, else run its binding."""
        if not self._asking:
            await self._check_bindings(key, priority=True)
            return
        field = self.query_one("#command", Input)
        if key == "enter":
            self._submit(field.value)
        elif key in _EDITING:
            await field.run_action(_EDITING[key])
        elif key in ("escape", "ctrl+c"):
            self._close_command()
        elif mark.isprintable() and mark:
            field.insert_text_at_cursor(mark)

    # -- drawing ----------------------------------------------------------------------------

    def _look(self) -> None:
        stepper = self.stepper
        other = self._shown is None or self._shown[0] is not stepper
        # Listing is slow: only if the branch is another, the position is not in the list, or the list does not end
        # where the known steps do
        if (
            other
            or stepper.position not in self._listed
            or len(stepper.steps) < self._listed.stop - 1
            or self._listed.stop <= min(len(stepper.steps), stepper.position + 1)
        ):
            self._list_messages()
        if other:
            self._before = None
        self._show("title", f" {title(stepper)}{self._branch()}")
        self._show("table", "\n".join(draw_text(stepper.picture())))
        self._show("next", short(next(iter(next_words(stepper, stepper.names()))).strip()))
        self.query_one("#messages", OptionList).highlighted = stepper.position - self._listed.start
        index = stepper.index
        self.query_one(Timeline).show(stepper.position, index.acts, index.wrong, len(stepper.steps))
        state = stepper.state()
        changed = self._changed(state)
        following = stepper.peek()
        receiver = None if following is None else following.receiver
        self.query_one(ActorList).show(state, receiver, changed)
        self.query_one(StateTree).show(state, changed)
        self._shown = (stepper, stepper.position)

    def _changed(self, state: dict[str, Any]) -> list[Difference]:
        """Return how `state` differs from the state drawn last, and keep it for the next time."""
        before, self._before = self._before, told_apart(state)
        return [] if before is None else differences(before, self._before)

    def _branch(self) -> str:
        return f"  branch {self.commands.current}" if len(self.commands.branches) > 1 else ""

    def _list_messages(self) -> None:
        """List the messages around the position. Listing those of a hundred hands would take seconds."""
        steps, viewpoint = self.stepper.steps, self.stepper.viewpoint
        most = max(_LEAST_LISTED, _LISTED * self.size.height)
        # always as many, if there are: other lines in place cost less than another number of lines
        start = max(0, min(self.stepper.position - most // 2, len(steps) + 1 - most))
        self._listed = range(start, min(start + most, len(steps) + 1))
        listed: list[Text | str] = []
        for position in self._listed:
            lines = ["    0  the beginning"] if not position else step_words(steps[position - 1], viewpoint)
            text = short("\n".join(lines))
            wrong = position and steps[position - 1].incidents
            listed.append(Text(text, "bold red") if wrong else text)
        self.query_one(MessageList).show(listed)

    def _show(self, name: str, text: str) -> None:
        """Show a text; the screen is laid out again only if the number of lines changes."""
        shown = self.query_one(f"#{name}", Static)
        drawn = Text(text, no_wrap=True, overflow="ellipsis")
        if shown.content != drawn:
            shown.update(drawn, layout=text.count("\n") + 1 != shown.size.height)

    # -- going ------------------------------------------------------------------------------

    def _go(self, position: int) -> None:
        if position != self.stepper.position:
            self.action_close_answer()
            self.stepper.goto(max(0, position))
            self._look()

    def action_forward(self) -> None:
        """Go one message forward."""
        self._go(self.stepper.position + 1)

    def action_backward(self) -> None:
        """Go one message back."""
        self._go(self.stepper.position - 1)

    def action_first(self) -> None:
        """Go to the beginning."""
        self._go(0)

    def action_last(self) -> None:
        """Go to the end."""
        self.stepper.goto(MOST_STEPS)
        self._freeze()
        self.action_close_answer()
        self._look()

    def action_action(self) -> None:
        """Go on until a player has acted."""
        self.stepper.step_action()
        self._look()

    def action_street(self) -> None:
        """Go on to the next street."""
        self.stepper.step_street()
        self._look()

    def action_cont(self) -> None:
        """Go on to a breakpoint or the end."""
        self._stopped(self.commands.do("c"))

    def action_reverse(self) -> None:
        """Go back to a breakpoint or the beginning."""
        self._stopped(self.commands.do("rc"))

    def _stopped(self, lines: list[str]) -> None:
        self._look()
        hits = [line for line in lines if line.startswith(("breakpoint", "***"))]
        if hits:
            self._answer([*hits, *(line for line in lines if line.lstrip().startswith("!!"))])

    def action_into(self) -> None:
        """Ask a bot again under pdb, with this screen suspended so that pdb has the terminal."""
        try:
            with self.suspend():
                lines = self.commands.do("into")
        except SuspendNotSupported:
            lines = ["*** into needs a terminal that can be lent to pdb"]
        self._look()
        self._answer(lines)

    def on_timeline_chosen(self, event: Timeline.Chosen) -> None:
        """Go to the position clicked on the timeline."""
        self._go(event.position)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Go to the message chosen by arrow keys or mouse.

        The list also posts this event for moves by `_look`. The highlight may have moved on by then: following the
        event would undo the keys pressed since.
        """
        late = event.option_list.highlighted != event.option_index
        if not late and self._shown is not None and self._shown[0] is self.stepper:
            self._go(self._listed.start + event.option_index)

    def on_actor_list_opened(self, event: ActorList.Opened) -> None:
        """Open or close the state of the chosen actor in the tree."""
        self.query_one(StateTree).toggle_actor(event.name)

    # -- commands ---------------------------------------------------------------------------

    def action_ask(self, start: str) -> None:
        """Open the command line, with `start` typed already."""
        field = self.query_one("#command", Input)
        field.value = start
        field.display = True
        self.query_one("#keys").display = False
        self.screen.set_focus(field)
        field.cursor_position = len(start)

    def _submit(self, text: str) -> None:
        """Close the command line and carry out its text."""
        self._close_command()
        if text.split()[:1] in (["into"], ["i"]):
            self.action_into()  # pdb needs the terminal: `action_say` would leave it to the screen
        elif text.strip():
            self.action_say(text)

    def action_say(self, line: str) -> None:
        """Carry out a command and show its output."""
        try:
            lines = self.commands.do(line)
        except Quit:
            self.exit(True)
            return
        if self._shown is None or self._shown[0] is not self.stepper:
            self._know_all()
        if line.split()[:1] in (["view"], ["more"]):
            self._shown = None  # list the messages anew: there are more, or their text has changed
        self._look()
        self._answer(lines)

    def _answer(self, lines: list[str]) -> None:
        self.query_one("#said", Static).update(Text("\n".join(lines)))
        answer = self.query_one("#answer", VerticalScroll)
        answer.display = True
        for covered in ("#messages", "#right"):
            self.query_one(covered).display = False
        answer.scroll_home(animate=False)
        answer.focus()

    def action_close_answer(self) -> None:
        """Close the command line and the output, and show the messages again."""
        if self.query_one("#command").display:
            self._close_command()
        if self.query_one("#answer").display:
            self.query_one("#answer").display = False
            for covered in ("#messages", "#right"):
                self.query_one(covered).display = True
            self.query_one("#messages").focus()

    def _close_command(self) -> None:
        self.query_one("#command").display = False
        self.query_one("#keys").display = True
        self.screen.set_focus(self.query_one("#messages"))
