"""All boards for known hands, compiled: the method of `plain`, some 600 times as fast."""

# mypy: disable-error-code="no-untyped-def,no-untyped-call"

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.evaluator.fast.compiled.compiling import bit_count, compiled
from poker_actors.evaluator.fast.tables import HIGH_BITS, HIGH_SHIFT, LOW_BITS

__all__ = ["count_showdown", "holdem_counts"]

_WORD = np.uint64
_ZERO: Final = _WORD(0)
_ONE: Final = _WORD(1)
_THREE: Final = _WORD(3)
_FIVE: Final = _WORD(5)
_TWO: Final = _WORD(2)
_HIGH_SHIFT: Final = _WORD(HIGH_SHIFT)
_HIGH_BITS: Final = _WORD(HIGH_BITS)
_LOW_BITS: Final = _WORD(LOW_BITS)


@compiled
def count_showdown(counts, strengths, players, ways):
    """Count a showdown of all players `ways` times."""
    best = strengths[0]
    for player in range(1, players):
        best = max(best, strengths[player])
    winners = 0
    for player in range(players):
        winners += strengths[player] == best
    for player in range(players):
        if strengths[player] == best:
            counts[player, winners] += ways


@compiled
def _choose_ways_of(rank, available, ways):
    """Fill ``ways[5 * rank + count]`` with the ways to choose so many of the cards of a rank."""
    chosen = np.int64(1)
    for count in range(5):
        ways[5 * rank + count] = chosen
        chosen = chosen * (available - count) // (count + 1)


@compiled
def _choose_ways(available, ways):
    """Fill in the ways to choose of every rank; the last entry, for no rank, is 1."""
    for rank in range(13):
        _choose_ways_of(rank, available[rank], ways)
    ways[65] = 1


@compiled
def _by_ranks(keys, missing, ways, multisets, tables, strengths, boards):
    """Fill in every hand's strength without flushes, and the number of boards, per multiset to come."""
    place, start, ranked = tables
    multiset_keys, multiset_ways, first = multisets
    players = keys.shape[0]
    base = first[missing]
    for row in range(first[missing + 1] - base):
        come = multiset_keys[base + row]
        parts = multiset_ways[base + row]
        boards[row] = ways[parts[0]] * ways[parts[1]] * ways[parts[2]] * ways[parts[3]] * ways[parts[4]]
        if boards[row]:
            for player in range(players):
                key = keys[player] + come
                line = _WORD(start[(key >> _HIGH_SHIFT) & _HIGH_BITS]) + _WORD(place[key & _LOW_BITS])
                strengths[row, player] = ranked[line]


@compiled
def _count_rows(counts, strengths, boards, rows):
    """Count the boards that are left without a flush."""
    players = strengths.shape[1]
    if players > 2:
        for row in range(rows):
            if boards[row]:
                count_showdown(counts, strengths[row], players, boards[row])
        return
    won = lost = tied = np.int64(0)
    for row in range(rows):
        first, second, ways = strengths[row, 0], strengths[row, 1], boards[row]
        won += ways * np.int64(first > second)
        lost += ways * np.int64(first < second)
        tied += ways * np.int64(first == second)
    counts[0, 1] += won
    counts[1, 1] += lost
    counts[0, 2] += tied
    counts[1, 2] += tied


@compiled
def _others(missing, ways, multisets, other_keys, other_ways):
    """List the multisets that can come from the other suits, with their ways; give how many."""
    multiset_keys, multiset_ways, first = multisets
    found = 0
    for row in range(first[missing], first[missing + 1]):
        boards = np.int64(1)
        for part in range(missing):
            boards *= ways[multiset_ways[row, part]]
        if boards:
            other_keys[found] = multiset_keys[row]
            other_ways[found] = boards
            found += 1
    return found


@compiled
def _flush_of_two(counts, come, flushed, others, rows_of, strengths, boards):
    """Count the boards of one set of suited ranks for two players, and take them from the rest."""
    place, start = rows_of
    other_keys, other_ways, found = others
    won = lost = tied = np.int64(0)
    mine, theirs = flushed[0], flushed[1]
    for other in range(found):
        key = come + other_keys[other]
        ways = other_ways[other]
        row = _WORD(start[key >> _HIGH_SHIFT]) + _WORD(place[key & _LOW_BITS])
        boards[row] -= ways
        first, second = max(strengths[row, 0], mine), max(strengths[row, 1], theirs)
        won += ways * np.int64(first > second)
        lost += ways * np.int64(first < second)
        tied += ways * np.int64(first == second)
    counts[0, 1] += won
    counts[1, 1] += lost
    counts[0, 2] += tied
    counts[1, 2] += tied


@compiled
def _flush_of_many(counts, come, flushed, others, rows_of, strengths, boards):
    """The same for any number of players."""
    place, start = rows_of
    other_keys, other_ways, found = others
    players = strengths.shape[1]
    for other in range(found):
        key = come + other_keys[other]
        ways = other_ways[other]
        row = _WORD(start[key >> _HIGH_SHIFT]) + _WORD(place[key & _LOW_BITS])
        boards[row] -= ways
        best = np.uint16(0)
        for player in range(players):
            best = max(best, strengths[row, player], flushed[player])
        winners = 0
        for player in range(players):
            winners += max(strengths[row, player], flushed[player]) == best
        for player in range(players):
            counts[player, winners] += ways * np.int64(max(strengths[row, player], flushed[player]) == best)


@compiled
def _flushes_of_suit(counts, suit, deal, ways, multisets, subsets, tables, work):
    """Count all boards that give somebody a flush of one suit."""
    lying, held, coming, missing = deal
    flushes, rows_of = tables
    strengths, boards, flushed, other_keys, other_ways = work
    subset_masks, subset_keys, subset_first = subsets
    players = held.shape[0]
    most = _ZERO
    for player in range(players):
        most = max(most, bit_count(held[player, suit]))
    on_board = bit_count(lying[suit])
    fewest = np.int64(max(_THREE, on_board) - on_board)
    for count in range(max(fewest, np.int64(_FIVE) - np.int64(most)), missing + 1):
        found = _others(missing - count, ways, multisets, other_keys, other_ways)
        others = (other_keys, other_ways, found)
        for row in range(subset_first[count], subset_first[count + 1]):
            mask = subset_masks[row]
            if mask & ~coming[suit]:
                continue
            somebody = False
            for player in range(players):
                flushed[player] = flushes[held[player, suit] | mask]
                somebody |= flushed[player] > 0
            if somebody and players == 2:
                _flush_of_two(counts, subset_keys[row], flushed, others, rows_of, strengths, boards)
            elif somebody:
                _flush_of_many(counts, subset_keys[row], flushed, others, rows_of, strengths, boards)


@compiled
def _suit_masks(masks, card):
    masks[_WORD(card) & _THREE] |= _ONE << (_WORD(card) >> _TWO)


@compiled
def _lay_out(holes, board, stub, rank_keys, keys, deal, available):
    """Fill in the keys of the hands, the masks of suits and the ranks that can come."""
    lying, held, coming = deal
    shared = _ZERO
    lying[:] = _ZERO
    coming[:] = _ZERO
    available[:] = 0
    for card in board:
        shared += rank_keys[card >> 2]
        _suit_masks(lying, card)
    left = stub
    for player in range(holes.shape[0]):
        keys[player] = shared
        held[player, :] = lying
        for card in holes[player]:
            keys[player] += rank_keys[card >> 2]
            left &= ~(_ONE << _WORD(card))
            _suit_masks(held[player], card)
    for card in range(52):
        if (left >> _WORD(card)) & _ONE:
            available[card >> 2] += 1
            _suit_masks(coming, card)


@compiled
def holdem_counts(holes, board, stub, rank_keys, multisets, subsets, tables, counts):
    """Fill ``counts[matchup, player, winners]`` for known hands of shape (matchups, players, 2).

    `stub` is the mask of 52 bits of cards neither on the board nor dead; the hands of each matchup
    are taken out of it here. `tables` are the flushes, (place, start, ranked) for seven cards, and
    (place, start) for as many cards as the board lacks.
    """
    flushes, of_seven, rows_of = tables
    players = holes.shape[1]
    missing = 5 - board.shape[0]
    rows = multisets[2][missing + 1] - multisets[2][missing]
    keys = np.empty(players, np.uint64)
    deal = (np.empty(4, np.uint64), np.empty((players, 4), np.uint64), np.empty(4, np.uint64))
    ways = np.empty(66, np.int64)
    available = np.empty(13, np.int64)
    strengths = np.empty((rows, players), np.uint16)
    boards = np.empty(rows, np.int64)
    others = (np.empty(rows, np.uint64), np.empty(rows, np.int64))
    work = (strengths, boards, np.empty(players, np.uint16), *others)
    for matchup in range(holes.shape[0]):
        _lay_out(holes[matchup], board, stub, rank_keys, keys, deal, available)
        _choose_ways(available, ways)
        _by_ranks(keys, missing, ways, multisets, of_seven, strengths, boards)
        for suit in range(4):
            for rank in range(13):
                elsewhere = available[rank] - np.int64((deal[2][suit] >> _WORD(rank)) & _ONE)
                _choose_ways_of(rank, elsewhere, ways)
            coming = (*deal, missing)
            _flushes_of_suit(
                counts[matchup], suit, coming, ways, multisets, subsets, (flushes, rows_of), work
            )
        _count_rows(counts[matchup], strengths, boards, rows)
