"""The text of PokerStars: one paragraph a hand, in the words of a dealer."""
