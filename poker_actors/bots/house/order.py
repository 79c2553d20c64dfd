"""The order of the 169 starting hands of hold'em."""

from __future__ import annotations

from typing import Final

__all__ = ["STARTING_HANDS"]

STARTING_HANDS: Final = """
AA KK QQ JJ TT AKs 99 AQs AKo KQs AJs 88 AQo ATs KJs KTs QJs AJo KQo QTs A9s 77 ATo JTs KJo A8s QJo
K9s A7s Q9s KTo J9s 66 A6s A5s QTo A4s A9o T9s JTo K8s A3s K7s A8o K9o Q8s A2s J8s K6s A7o T8s 98s
55 Q9o K5s T9o A5o J9o K4s A4o A6o Q7s J7s T7s K8o Q6s 97s 87s K3s K7o A3o K2s Q5s 44 Q8o T8o Q4s
J6s A2o J8o 98o K6o T6s 76s Q3s 86s 96s J5s K5o Q2s 33 J4s K4o Q7o Q6o 65s T5s 75s T7o 95s J7o 87o
J3s 85s 97o J2s K3o T4s 54s Q5o K2o 64s T3s 22 74s J6o 84s T2s 86o 94s Q4o 76o 53s T6o 93s Q3o 96o
J5o 63s 92s 43s 73s Q2o 65o J4o 83s 52s 75o T5o J3o 85o 54o 82s 95o 62s T4o J2o 42s 72s 64o 32s T3o
74o T2o 94o 84o 53o 93o 63o 43o 92o 73o 83o 82o 52o 42o 62o 72o 32o
"""
"""Best first, by the share of the pot won against three random hands: 60,000 deals each with
`random.Random(1)`, ranked by our own showdown. Against one opponent high cards would count more, against eight suits
and connected cards; three is typical of a pot in a six-handed game.
"""
