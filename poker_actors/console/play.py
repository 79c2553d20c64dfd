"""Play a session in lines, for screen readers and pipes, or on the full screen, which needs the extra `tui`."""

from __future__ import annotations

from collections.abc import Callable

from poker_actors.console.session import Session
from poker_actors.console.setup import LESSONS, WISHES, help_for, read_order, sentence, takes_all
from poker_actors.errors import IllegalAction, from_extra
from poker_actors.rules import Action

Read = Callable[[str], str | None]
"""Shows a prompt and returns the line typed, or None at the end of input."""
Write = Callable[[str], None]


def play_plain(session: Session, read: Read, write: Write) -> None:
    """Play until the person leaves or the input ends; the session is always settled.

    An interrupt (Ctrl-C, a closed pipe) is raised again once everything is settled.
    """

    def show() -> None:
        for line in session.take_lines():
            write(line)

    def ask(prompt: str) -> str:
        show()
        line = read(prompt)
        return "quit" if line is None else line

    try:
        session.begin()
        _play(session, ask, write)
    except KeyboardInterrupt:
        write("")  # end the line of the prompt
        raise
    finally:
        session.leave()
        show()


def _play(session: Session, ask: Callable[[str], str], write: Write) -> None:
    while True:
        session.deal()
        while session.legal:
            action = _decision(session, ask, write)
            if action is None:
                return
            session.act(action)
        if session.done:
            return
        if session.game_over and not _wants(ask, "Another game? yes or no: ", write):
            return


def _decision(session: Session, ask: Callable[[str], str], write: Write) -> Action | None:
    """Ask until the person types a legal action, confirmed if it is all-in; return None if they leave."""
    legal = session.legal
    pot = "" if session.setup.game.open_face else f"Pot {session.picture.pot}. "
    prompt = f"{pot}{sentence(legal)}: "
    while True:
        try:
            order = read_order(ask(prompt), legal)
        except IllegalAction as error:
            write(f"Not possible: {error}.")
            continue
        if order == "leave":
            return None
        if order == "help":
            for line in (help_for(legal), WISHES, *([LESSONS] if session.teaches else [])):
                write(line)
        elif order == "last":
            session.leave_after_hand()
        elif order == "show":
            session.show_cards()
        elif order == "muck":
            session.show_cards(show=False)
        elif isinstance(order, str):
            session.teach(order)
            return _decision(session, ask, write)  # an action taken back leads to another turn
        elif not takes_all(legal, order) or _wants(
            ask, f"{session.all_in_text}, is that right? yes or no: ", write
        ):
            return order


def _wants(ask: Callable[[str], str], prompt: str, write: Write) -> bool:
    while True:
        answer = ask(prompt).strip().lower()
        if answer in ("y", "yes"):
            return True
        if answer in ("n", "no", "q", "quit"):
            return False
        write("Please answer yes or no.")


def run_full_screen(session: Session, pause: float = 0.0) -> bool:
    """Play full screen and settle the session; return whether Ctrl-C or a signal ended it.

    The opponents appear to think for `pause` seconds after each turn of the person. Raise `MissingExtra` if
    Textual is not installed.
    """
    with from_extra("tui", "textual", "rich"):
        from poker_actors.console.tui import TableApp
    try:
        left_by_ctrl_c = TableApp(session, pause).run()
        # no result: a signal ended the app from outside
        return left_by_ctrl_c is None or left_by_ctrl_c
    finally:
        session.leave()
