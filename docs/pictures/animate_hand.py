"""Draw the moving picture of the README: one hand, message by message, as a spectator sees it.

`python docs/pictures/animate_hand.py` plays the hand and writes `hand.svg` beside this file; a test holds the two together.
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Final

from poker_actors.debug import Stepper
from poker_actors.debug.draw import table_svg

PLACE: Final = Path(__file__).with_name("hand.svg")
SEED: Final = 19
BOTS: Final = ("tight", "loose", "pot-odds", "caller")
SECONDS: Final = 1.3
"""A picture is shown for so long, and the last one three times."""

HEAD: Final = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 450" width="640" font-family="sans-serif" font-size="13" role="img">"""
STYLE: Final = """\
.f{{visibility:hidden;animation:show {whole:.1f}s step-end infinite}}
@keyframes show{{0%{{visibility:visible}}{part:.3f}%{{visibility:hidden}}100%{{visibility:hidden}}}}
.end{{animation-name:last}}@keyframes last{{0%{{visibility:visible}}{end:.3f}%{{visibility:hidden}}100%{{visibility:hidden}}}}
@media(prefers-reduced-motion:reduce){{.f{{animation:none}}.end{{visibility:visible}}}}"""


def pictures() -> list[tuple[str, str]]:
    """Play the hand; give every change of the table: the message that made it, and the drawing."""
    found: list[tuple[str, str]] = []
    with Stepper(seed=SEED, bots=list(BOTS), viewpoint="spectator") as stepper:
        step = stepper.step()
        while step is not None:
            body = re.sub(r"^<svg[^>]*>|<title>.*?</title>|</svg>$", "", table_svg(stepper.picture()))
            if not found or body != found[-1][1]:
                sent = step.handled[0].delivery
                words = f"{sent.sender or 'outside'} → {sent.receiver}: {type(sent.message).__name__}"
                found.append((f"{step.number}  {words}", body))
            step = stepper.step()
    return found


def animation() -> str:
    """The whole hand as one SVG that moves without a script."""
    shown = pictures()
    whole = SECONDS * (len(shown) + 2)
    style = STYLE.format(whole=whole, part=100 * SECONDS / whole, end=300 * SECONDS / whole)
    command = " ".join(["poker-actors debug --seed", str(SEED), *(f"--bot {bot}" for bot in BOTS)])
    parts = [
        HEAD,
        f"<title>One hand between {len(BOTS)} bots, message by message</title><style>{style}</style>",
        '<rect width="640" height="450" fill="#24292f"/>',
        f'<text x="14" y="420" fill="#9ecbff" font-family="monospace" font-size="12">$ {escape(command)}</text>',
    ]
    for place, (words, body) in enumerate(shown):
        kind = "f end" if place == len(shown) - 1 else "f"
        caption = f'<text x="14" y="440" fill="#ffffff" font-family="monospace">{escape(words)}</text>'
        parts.append(f'<g class="{kind}" style="animation-delay:{place * SECONDS:.1f}s">{body}{caption}</g>')
    return "\n".join([*parts, "</svg>"]) + "\n"


if __name__ == "__main__":
    PLACE.write_text(animation(), encoding="utf-8")
