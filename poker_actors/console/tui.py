"""The full screen of a session: draw the table, show the keys, and ask twice before an all-in."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import attrs
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.events import Key, Resize
from textual.geometry import Size
from textual.widgets import Input, RichLog, Static

from poker_actors.console.drawing import THROWN, draw_five_card, draw_ring, draw_rows, draw_words
from poker_actors.console.session import Session
from poker_actors.console.setup import LESSONS, refused, sentence, sized, takes_all
from poker_actors.rules import Action, BringIn, Call, Check, Discard, Fold

Keys = dict[str, tuple[str, Callable[[], None]]]
"""Maps a key to a short label and the function it calls."""


_HELP: Final = (
    "Keys: c checks or calls, r bets or raises to a total in front of you this round, f folds, "
    "a goes all-in after you confirm, q leaves; PageUp and PageDown turn this story."
)
_DRAW_HELP: Final = "The number of a card chooses it, or keeps it again; Enter throws away the chosen cards."
_STUD_HELP: Final = "b brings it in."
_WISHES: Final = "l leaves after this hand, or stays after all; s shows your cards once a hand is over."


_LEAST: Final = (60, 20)
"""The fewest columns and rows; on fewer, the screen says that it is too small."""
_AROUND: Final = 5
"""Rows besides the table: the title, the rule and one line of the story, the question, the keys."""


class TableApp(App[bool]):
    """Plays a session full screen; its result is whether Ctrl-C ended it."""

    ENABLE_COMMAND_PALETTE = False
    AUTO_FOCUS = None
    CSS = """
    Screen { layout: vertical; }
    #title { height: 1; text-style: reverse; }
    #table { height: auto; }
    #foot { dock: bottom; height: auto; }
    #story { height: 1fr; min-height: 3; border-top: solid $primary; scrollbar-size-vertical: 0; }
    #prompt { height: auto; min-height: 1; text-style: bold; border-top: solid $primary; }
    #amount { height: 1; border: none; padding: 0; display: none; }
    #keys { height: 1; }
    """
    BINDINGS = [  # noqa: RUF012  Textual's own way of declaring them
        Binding("ctrl+c", "leave(True)", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("pageup", "turn_back(-1)", show=False),
        Binding("pagedown", "turn_back(1)", show=False),
    ]

    def __init__(self, session: Session, pause: float = 0.0) -> None:
        super().__init__()
        self.session: Final = session
        self._pause: Final = pause
        """seconds for which the opponents appear to think"""
        self._keys: Keys = {}
        game = session.setup.game
        self._drawing = draw_five_card if game.capped else draw_ring if game.board_cards else draw_rows
        self._thrown: set[int] = set()
        """indices of the cards chosen for the discard"""

    def compose(self) -> ComposeResult:
        """Lay the screen out, top to bottom."""
        yield Static(id="title")
        yield Static(id="table")
        story = RichLog(id="story", wrap=True, markup=False, highlight=False)
        story.can_focus = False
        yield story
        # docked: on a small terminal the table is cut off, but prompt and keys stay visible
        with Vertical(id="foot"):
            yield Static(id="prompt")
            yield Input(id="amount", restrict="[0-9]*", max_length=13, compact=True)
            yield Static(id="keys")

    def on_mount(self) -> None:
        """Sit down and deal."""
        self.session.begin()
        self._then_look(self.session.deal)

    # -- the states of the screen: the question and the keys that answer it ------------------

    def _look(self, remark: str = "") -> None:
        """Redraw everything and ask for the next decision."""
        session = self.session
        setup = session.setup
        parts = [f"game {session.games}, deal {session.rounds}", setup.notice, f"seed {setup.seed}"]
        title = "   ".join([f" {setup.game.title}", *(part for part in parts if part)])
        self._show("title", Text(title, overflow="ellipsis", no_wrap=True))
        self._draw_table()
        story = self.query_one("#story", RichLog)
        for line in session.take_lines():
            story.write(Text(line))
        deal: Callable[[], None] = partial(self._then_look, session.deal)
        leave: Keys = {"q": ("leave", self.action_leave)}
        if session.legal:
            self._ask_turn(remark)
        elif session.done:
            self._ask("The last hand is over.", self._between() | leave)
        elif session.game_over:
            self._ask("The game is over. Another one?", {"n": ("new game", deal)} | leave)
        else:
            self._ask("Enter deals the next hand.", {"enter": ("deal", deal)} | self._between() | leave)

    def _draw_table(self, size: Size | None = None) -> None:
        """Draw the table, or write it in words where the drawing and the lines around it do not fit."""
        setup, picture = self.session.setup, self.session.picture
        if self.session.legal.discards:
            picture = attrs.evolve(picture, marks=self._numbers())
        drawn = self._drawing(setup, picture)
        width, height = size or self.size
        lines = drawn.split("\n")
        small = width < _LEAST[0] or height < _LEAST[1]
        if small or len(lines) + _AROUND > height or max(line.cell_len for line in lines) > width:
            drawn = draw_words(setup, picture)
        if small:
            least = f"too small: {width}x{height}, the table is drawn from {_LEAST[0]}x{_LEAST[1]}"
            drawn = Text("\n").join([Text(least, "reverse"), drawn])
        self._show("table", drawn)

    def on_resize(self, event: Resize) -> None:
        """Draw the table for the new size; the first size comes before the first hand."""
        if self._keys:
            self._draw_table(event.size)

    def _ask_turn(self, remark: str = "") -> None:
        legal, consider = self.session.legal, self._consider
        if legal.discards:
            self._ask_discard(remark)
            return
        keys: Keys = {}
        if legal.bring_in:
            keys["b"] = (f"bring in {legal.bring_in}", partial(consider, BringIn()))
        elif legal.to_call:
            keys["c"] = (f"call {legal.to_call}", partial(consider, Call()))
        else:
            keys["c"] = ("check", partial(consider, Check()))
        if legal.can_raise:
            low, verb = legal.min_raise_to, "bet" if legal.opening else "raise"
            one_size = f"{verb}{'' if legal.opening else ' to'} {low}", partial(consider, sized(legal, low))
            keys["r"] = one_size if low == legal.max_raise_to else (verb, self._ask_amount)
        if not legal.bring_in:
            keys["f"] = ("fold", partial(self._act, Fold()))
        if legal.all_in is not None:
            keys["a"] = ("all-in", partial(consider, legal.all_in))
        keys |= self._lessons()
        keys["l"] = ("", partial(self._then_look, self.session.leave_after_hand))
        self._ask(f"{remark}{sentence(legal)}?", keys | self._always)

    @property
    def _always(self) -> Keys:
        leave = partial(self._confirm, "Leave, and fold this hand?", "leave", self.action_leave)
        return {"q": ("leave", leave), "?": ("help", self._help)}

    def _lessons(self) -> Keys:
        """Return the keys of lessons; at a turn there is room for their names only in the help."""
        if not self.session.teaches:
            return {}
        named = {"v": "review", "u": "undo", "o": "odds"}
        shown = ("odds",) if not self.session.legal else tuple(named.values())
        return {
            key: ("" if name in shown else name, partial(self._then_look, self.session.teach, name))
            for key, name in named.items()
        }

    def _between(self) -> Keys:
        """Return the keys between two hands: the lessons, and the one that shows the person's cards, if they may."""
        keys = self._lessons()
        if self.session.may_show:
            keys["s"] = ("show", partial(self._then_look, self.session.show_cards))
        return keys

    def _then_look(self, do: Callable[..., None], *given: str) -> None:
        do(*given)
        self._look()

    def _ask_discard(self, remark: str = "") -> None:
        legal = self.session.legal
        must, chosen = legal.must_discard, len(self._thrown)
        keys: Keys = {}
        for place in range(len(self._numbers())):
            keys[str(place + 1)] = ("", partial(self._turn_over, place))
        if chosen == must or not must:
            keys["enter"] = (f"throw {chosen} away" if chosen else "stand pat", self._discard)
        most = f"{must}" if must else f"up to {legal.discards}"
        self._ask(f"{remark}Throw {most} away? Numbers choose, {chosen} chosen.", keys | self._always)

    def _numbers(self) -> tuple[str, ...]:
        """Return the marks under the person's cards in a draw: the key of each, or that it is discarded."""
        held = range(len(self.session.state.hole))
        return tuple([THROWN if place in self._thrown else str(place + 1) for place in held])

    def _turn_over(self, place: int) -> None:
        """Choose a card for the discard, or keep it after all."""
        self._thrown ^= {place}
        if len(self._thrown) > self.session.legal.discards:
            self._thrown.discard(place)
        self._look()

    def _discard(self) -> None:
        gone = tuple([self.session.state.hole[place] for place in sorted(self._thrown)])
        self._thrown.clear()
        self._act(Discard(gone))

    def _ask_amount(self) -> None:
        legal = self.session.legal
        what = "Bet how much?" if legal.opening else "Raise to how much in front of you?"
        span = f"{legal.min_raise_to} to {legal.max_raise_to}"
        self._ask(f"{what} {span}, then Enter; Escape goes back.", {"escape": ("back", self._look)})
        field = self.query_one("#amount", Input)
        field.value = ""
        field.display = True
        self.query_one("#keys").display = False
        field.focus()

    def _confirm(self, question: str, label: str, do: Callable[[], None]) -> None:
        self._ask(question, {"y": (label, do), "n": ("back", self._look), "escape": ("", self._look)})

    def _ask(self, prompt: str, keys: Keys) -> None:
        self._keys = keys
        field = self.query_one("#amount", Input)
        field.display = False
        self.query_one("#keys").display = True
        self.set_focus(None)
        self._show("prompt", Text(prompt))
        line = Text(no_wrap=True, overflow="ellipsis")
        for key, (what, _) in keys.items():
            if what:
                line.append(f" {key.capitalize() if len(key) > 1 else key} ", "reverse").append(f" {what}  ")
        self._show("keys", line)

    # -- keys --------------------------------------------------------------------------------

    def on_key(self, event: Key) -> None:
        """Call the function of the key; ignore keys without one."""
        key = event.character if event.character and event.character.isprintable() else event.key
        found = self._keys.get(key.lower())
        if found is not None:
            event.stop()
            found[1]()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Act with the amount typed, or explain why it is illegal and ask again."""
        legal = self.session.legal
        if not event.value:
            self._look()
            return
        action = sized(legal, int(event.value))
        refusal = refused(legal, action)
        if refusal:
            self._ask_turn(f"Not possible: {refusal}. ")
        else:
            self._consider(action)

    def action_leave(self, by_ctrl_c: bool = False) -> None:
        """Leave at once."""
        self.session.leave()
        self.exit(by_ctrl_c)

    def action_turn_back(self, pages: int) -> None:
        """Scroll the story by a number of pages, upwards if negative."""
        story = self.query_one("#story", RichLog)
        story.scroll_relative(y=pages * max(1, story.size.height - 1), animate=False)

    # -- the functions of the keys -----------------------------------------------------------

    def _consider(self, action: Action) -> None:
        if takes_all(self.session.legal, action):
            question = f"{self.session.all_in_text}? It cannot be taken back."
            self._confirm(question, "all-in", partial(self._act, action))
        else:
            self._act(action)

    def _act(self, action: Action) -> None:
        self.session.act(action)
        if not self._pause:
            self._look()
            return
        self._ask("The others think.", {})
        self.set_timer(self._pause, self._look)

    def _help(self) -> None:
        game = self.session.setup.game
        more = [_WISHES, *([LESSONS] if self.session.teaches else [])]
        more += [_STUD_HELP] if game.brings_in else []
        if any(street.draw or street.throw for street in game.streets):
            more.append(_DRAW_HELP)
        self.session.lines += [_HELP, *more]
        self._look()

    def _show(self, widget: str, text: Text) -> None:
        self.query_one(f"#{widget}", Static).update(text)
