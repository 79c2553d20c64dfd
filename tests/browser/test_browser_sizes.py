"""Every kind of game the server has, on screens of five sizes: what is pressed is in sight, and the game has its name.

Run with POKER_SCREENS=write and `-m "heavy or not heavy"` to store the pictures of ten games in docs/pictures, and look
at them before committing.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from poker_actors.rules import GAMES
from poker_actors.server.contract.tables import Offered
from poker_actors.server.live.views import GAMES_SHOWN
from tests.browser.looks import out_of_reach, too_wide
from tests.browser.visitor import Visitor

Visit = Callable[..., Visitor]

SIZES: Final = ((1280, 720), (1280, 800), (390, 844), (844, 390), (320, 568))
MOST_SEATS: Final = 6
PICTURES: Final = Path(__file__).parents[2] / "docs" / "pictures"
PICTURED: Final = {
    *("holdem", "limit-holdem", "omaha8", "double-board-holdem", "stud", "razz"),
    *("five-card-draw", "2-7-triple-draw", "badugi", "open-face"),
}


def drawn_alike() -> list[Any]:
    """Every game by itself. Of those whose first turn is drawn alike, all but the one of the longest title are heavy."""
    alike: dict[tuple[object, ...], list[Offered]] = {}
    for shown in GAMES_SHOWN:
        if not shown["several"]:
            game, seats = GAMES[shown["name"]], min(shown["seats"], MOST_SEATS)
            first = game.streets[0]
            kind = (first.hole, first.up, first.board, game.boards, game.betting, bool(game.open_face), seats)
            alike.setdefault(kind, []).append(shown)
    for games in alike.values():
        games.sort(key=lambda shown: -len(shown["title"]))
    return [
        pytest.param(shown, id=shown["name"], marks=[pytest.mark.heavy] * (shown is not games[0]))
        for games in alike.values()
        for shown in games
    ]


_OFF_THE_SCREEN: Final = """() => [...document.querySelectorAll('.table button, .controls input, .seat .plate, .seat .card, .lays *')]
    .filter((one) => one.checkVisibility() && !one.classList.contains('skip'))
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.width && (box.bottom > innerHeight + 1 || box.right > innerWidth + 1 || box.left < -1 || box.top < -1);
    }).map((one) => `${one.className} ${one.textContent}`)"""

_COVERED: Final = """() => {
    const box = (one) => one.getBoundingClientRect();
    const cards = [...document.querySelectorAll('.seat.mine .hand .card')].filter((one) => one.checkVisibility());
    const others = [...document.querySelectorAll('.seat.mine .plate, .board .card, .pot, .seat:not(.mine) .plate, .bet')]
        .filter((one) => one.checkVisibility());
    const lies = (one, other) => Math.min(
        Math.min(box(one).right, box(other).right) - Math.max(box(one).left, box(other).left),
        Math.min(box(one).bottom, box(other).bottom) - Math.max(box(one).top, box(other).top)) > 4;
    return cards.flatMap((card) => others.filter((other) => lies(card, other))
        .map((other) => `${card.dataset.card} and ${other.className} ${other.textContent}`));
}"""
"""One's own cards that lie on something or under it; a corner of a turned card may."""

_TENS_CUT: Final = """() => [...document.querySelectorAll('.seat .hand .card:not(:last-child) .rank')].flatMap((rank) => {
    const [words, kind, range] = [rank.textContent, rank.className, new Range()];
    [rank.textContent, rank.className] = ['10', 'rank ten'];
    range.selectNodeContents(rank);
    const over = range.getBoundingClientRect().right - rank.parentElement.nextElementSibling.getBoundingClientRect().left;
    [rank.textContent, rank.className] = [words, kind];
    return over > 1 ? [`${words}: ${over}`] : [];
})"""
"""The ranks that the next card would cover if they were tens, by some pixels."""

_CLOCK_COVERS: Final = """() => {
    const box = (one) => one.getBoundingClientRect();
    const others = [...document.querySelectorAll('button, .plate, .card, .pot, .bet')].filter((one) => one.checkVisibility());
    return [...document.querySelectorAll('.seat .clock')].flatMap((clock) => {
        const { parentElement: seat, hidden, textContent } = clock;
        [clock.hidden, clock.textContent] = [false, 'time bank 120'];
        const here = box(clock);
        const off = here.left < 0 || here.top < 0 || here.right > innerWidth || here.bottom > innerHeight + 1;
        const found = others.filter((one) => !seat.contains(one) && Math.min(
            Math.min(here.right, box(one).right) - Math.max(here.left, box(one).left),
            Math.min(here.bottom, box(one).bottom) - Math.max(here.top, box(one).top)) > (one.matches('button') ? 0 : 4));
        [clock.hidden, clock.textContent] = [hidden, textContent];
        return [...(off ? ['the edge'] : []), ...found.map((one) => `${one.className} ${one.textContent}`)]
            .map((one) => `seat ${seat.dataset.seat}: ${one}`);
    });
}"""
"""What each seat's clock would cover if it were that player's turn, by some pixels, and buttons at all; one's own plate it may."""

_CUT: Final = """(one, words) => {
    const was = one.textContent;
    one.textContent = words;
    const low = document.querySelector('.acts').getBoundingClientRect().bottom - innerHeight;
    const cut = Math.max(one.scrollWidth - one.clientWidth, low);
    one.textContent = was;
    return cut;
}"""
"""How much of one's hand, in so many words, is cut, or of the buttons below it."""


@pytest.mark.parametrize("game", drawn_alike())
def test_all_that_is_to_be_pressed_is_in_sight_at_every_size(visit: Visit, game: Offered) -> None:
    ann = visit()
    name = game["name"]
    ann.enter(name[-32:])
    seats = min(game["seats"], MOST_SEATS)
    setting = {"pause": 0, "think": 0, "name": "Friday night", "game": name, "seats": seats}
    made = ann.ask("POST", "/games/", setting)["gameID"]
    ann.ask("POST", f"/games/{made}/house", {"bots": ["caller"] * (seats - 1)})
    ann.come(f"/#/table/{made}")
    ann.page.locator(".controls:not(.idle) .act.call").wait_for()
    for width, height in SIZES:
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.page.evaluate(
            "() => new Promise(seen => requestAnimationFrame(() => requestAnimationFrame(seen)))"
        )
        assert ann.page.evaluate(_OFF_THE_SCREEN) == [], f"{width}x{height}"
        assert out_of_reach(ann.page) == [], f"{width}x{height}"
        assert too_wide(ann.page) <= 0, f"{width}x{height}"
        assert ann.page.evaluate(_COVERED) == [], f"{width}x{height}"
        assert ann.page.evaluate(_TENS_CUT) == [], f"{width}x{height}"
        assert ann.page.evaluate(_CLOCK_COVERS) == [], f"{width}x{height}"
        words = " / ".join(["Full House, Queens over Sevens"] * (2 if "double-board" in name else 1))
        cut = ann.page.locator(".holding").evaluate(_CUT, words)
        assert cut <= 1 or height < 600, f"one's hand in words, at {width}x{height}"
        if (
            os.environ.get("POKER_SCREENS") == "write"
            and name in PICTURED
            and (width, height) in SIZES[::2][:2]
        ):
            shot = ann.page.screenshot(type="jpeg", quality=60)
            (PICTURES / f"game-{name}-{width}.jpg").write_bytes(shot)
        assert game["title"] in ann.page.locator("#where").inner_text()
