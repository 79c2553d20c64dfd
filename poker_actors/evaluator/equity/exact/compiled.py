"""All boards for known hands, compiled: the method of `plain`, about 600 times as fast."""

from __future__ import annotations

from typing import Final

import numpy as np

from poker_actors.evaluator.fast.compiling import bit_count, compiled
from poker_actors.evaluator.fast.omaha_kernels import board_row, omaha_best
from poker_actors.evaluator.fast.tables import HIGH_BITS, HIGH_SHIFT, LOW_BITS

# mypy: disable-error-code="no-untyped-def,no-untyped-call"


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
    """Add a showdown of all players to `counts`, `ways` times."""
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
    """Fill ``ways[5 * rank + count]`` with the ways to choose `count` of the available cards of a rank."""
    chosen = np.int64(1)
    for count in range(5):
        ways[5 * rank + count] = chosen
        chosen = chosen * (available - count) // (count + 1)


@compiled
def _choose_ways(available, ways):
    """Fill in the ways of every rank; the last entry, for no rank, is 1."""
    for rank in range(13):
        _choose_ways_of(rank, available[rank], ways)
    ways[65] = 1


@compiled
def _board_ways(missing, ways, multisets, boards):
    """Fill in the number of boards of each multiset to come."""
    _, multiset_ways, first = multisets
    base = first[missing]
    for row in range(first[missing + 1] - base):
        parts = multiset_ways[base + row]
        boards[row] = ways[parts[0]] * ways[parts[1]] * ways[parts[2]] * ways[parts[3]] * ways[parts[4]]


@compiled
def _all_board_ways(ways, multisets, paired, products, boards):
    """Fill in the number of boards of five cards to come, with a table of all products of two ways."""
    for one in range(ways.shape[0]):
        for other in range(ways.shape[0]):
            products[one * ways.shape[0] + other] = ways[one] * ways[other]
    _, multiset_ways, first = multisets
    first_two, next_two = paired
    last = multiset_ways[first[5] :]
    for row in range(boards.shape[0]):
        two, four = products[_WORD(first_two[row])], products[_WORD(next_two[row])]
        boards[row] = two * four * ways[_WORD(last[row, 4])]


@compiled
def _strengths_by_key(keys, missing, multisets, tables, strengths):
    """Fill in each hand's strength ignoring flushes for each multiset to come, shape (players, rows)."""
    place, start, ranked = tables
    multiset_keys, _, first = multisets
    base = first[missing]
    for player in range(keys.shape[0]):
        own = keys[player]
        for row in range(first[missing + 1] - base):
            key = own + multiset_keys[base + row]
            line = _WORD(start[(key >> _HIGH_SHIFT) & _HIGH_BITS]) + _WORD(place[key & _LOW_BITS])
            strengths[player, row] = ranked[line]


@compiled
def _strengths_by_pair(holes, pairs, strengths):
    """Fill in strengths before the flop from `pair_tables`, where the hole ranks and the row decide."""
    found, row_of = pairs
    for player in range(holes.shape[0]):
        ranks = 13 * (holes[player, 0] >> 2) + (holes[player, 1] >> 2)
        strengths[player, :] = found[row_of[ranks]]


@compiled
def _best_of_rows(strengths, above_flush, boards, codes, histogram):
    """Fill in the winners of each row, flushes aside, and count the boards by winners, a mask of players.

    ``codes[0]`` are the winners of rows that any flush beats, 0 where a full house or better stands; ``codes[1]`` are
    the winners of all rows.
    """
    players = strengths.shape[0]
    for row in range(boards.shape[0]):
        best = strengths[0, row]
        winners = _ONE
        for player in range(1, players):
            strength = strengths[player, row]
            if strength > best:
                best = strength
                winners = _ONE << _WORD(player)
            elif strength == best:
                winners |= _ONE << _WORD(player)
        histogram[winners] += boards[row]
        codes[1, row] = winners
        codes[0, row] = winners if best < above_flush else _ZERO


@compiled
def _best_of_two(strengths, above_flush, boards, codes, histogram):
    """Count the boards two players win, without branches; the winners are 1, 2 or 3."""
    won = lost = tied = np.int64(0)
    for row in range(boards.shape[0]):
        first, second, ways = strengths[0, row], strengths[1, row], boards[row]
        won += ways * np.int64(first > second)
        lost += ways * np.int64(first < second)
        tied += ways * np.int64(first == second)
        # three counters of ten bits: `_flushes_of_two` adds up at most 741 boards per set of suited ranks
        code = np.int32(first > second) | np.int32(first < second) << 10 | np.int32(first == second) << 20
        codes[1, row] = code
        codes[0, row] = code if max(first, second) < above_flush else 0
    histogram[1] += won
    histogram[2] += lost
    histogram[3] += tied


@compiled
def _others(missing, ways, multisets, other_ways):
    """Fill in the ways of each multiset of the other suits; return their sum."""
    _, multiset_ways, first = multisets
    total = np.int64(0)
    base = first[missing]
    for row in range(first[missing + 1] - base):
        boards = np.int64(1)
        for part in range(missing):
            boards *= ways[multiset_ways[base + row, part]]
        other_ways[row] = boards
        total += boards
    return total


@compiled
def _best_flush(held, suit, mask, flushes):
    """Return the best flush that a set of suited ranks makes, or 0, and the mask of players who have it."""
    best = flushes[_ZERO]
    winners = _ZERO
    for player in range(held.shape[0]):
        flush = flushes[held[player, suit] | mask]
        if flush > best:
            best = flush
            winners = _ONE << _WORD(player)
        elif flush and flush == best:
            winners |= _ONE << _WORD(player)
    return best, winners


@compiled
def _flushes_of_many(part, held, masks, rows, codes, flushes, straight_flush, histogram):
    """Move the boards of all sets of so many suited ranks to the players who win with a flush."""
    suit, coming, at, other_ways, total = part
    width = other_ways.shape[0]
    for subset in range(masks.shape[0]):
        mask = masks[subset]
        if mask & ~coming:
            continue
        best, winners = _best_flush(held, suit, mask, flushes)
        if not winners:
            continue
        line = _WORD(at + subset * width)
        chosen = _WORD(best >= straight_flush)
        before = histogram[0]  # rows with code 0 keep their winners: what lands here is not moved
        for other in range(width):
            code = codes[chosen, _WORD(rows[line + _WORD(other)])]
            histogram[_WORD(code)] -= np.int64(other_ways[other])
        histogram[winners] += total - (before - histogram[0])


@compiled
def _flushes_of_two(part, held, masks, rows, codes, flushes, straight_flush, histogram):
    """Count flushes for two players, adding up three counters in one number."""
    suit, coming, at, other_ways, _ = part
    width = other_ways.shape[0]
    mine, theirs = held[0, suit], held[1, suit]
    for subset in range(masks.shape[0]):
        mask = masks[subset]
        if mask & ~coming:
            continue
        first, second = flushes[mine | mask], flushes[theirs | mask]
        best = max(first, second)
        if not best:
            continue
        line = _WORD(at + subset * width)
        chosen = _WORD(best >= straight_flush)
        taken = np.int32(0)
        for other in range(width):
            taken += codes[chosen, _WORD(rows[line + _WORD(other)])] * other_ways[other]
        won, lost, tied = np.int64(taken & 1023), np.int64((taken >> 10) & 1023), np.int64(taken >> 20)
        histogram[1] -= won
        histogram[2] -= lost
        histogram[3] -= tied
        histogram[_WORD(first >= second) | _WORD(second >= first) << _ONE] += won + lost + tied


@compiled
def _flushes_of_suit(suit, deal, ways, multisets, subsets, suited, flushes, work):
    """Move all boards with a flush of one suit to the players who win with it.

    A hand with a flush cannot hold a full house or better. So the best flush wins unless another player has a full
    house or quads, and a straight flush always wins.
    """
    lying, held, coming, missing = deal
    codes, other_ways, histogram, straight_flush = work
    subset_masks, subset_first = subsets
    rows, begin = suited
    most = _ZERO
    for player in range(held.shape[0]):
        most = max(most, bit_count(held[player, suit]))
    on_board = bit_count(lying[suit])
    fewest = np.int64(max(_THREE, on_board) - on_board)
    for count in range(max(fewest, np.int64(_FIVE) - np.int64(most)), missing + 1):
        masks = subset_masks[subset_first[count] : subset_first[count + 1]]
        width = multisets[2][missing - count + 1] - multisets[2][missing - count]
        total = _others(missing - count, ways, multisets, other_ways)
        part = (suit, coming[suit], begin[missing, count], other_ways[:width], total)
        if held.shape[0] == 2:
            _flushes_of_two(part, held, masks, rows, codes, flushes, straight_flush, histogram)
        else:
            _flushes_of_many(part, held, masks, rows, codes, flushes, straight_flush, histogram)


@compiled
def _counts_by_winners(histogram, counts):
    """Turn boards by winners into ``counts[player, number of winners]``."""
    for winners in range(1, histogram.shape[0]):
        number = np.int64(bit_count(_WORD(winners)))
        for player in range(counts.shape[0]):
            if (winners >> player) & 1:
                counts[player, number] += histogram[winners]


@compiled
def _suit_masks(masks, card):
    masks[_WORD(card) & _THREE] |= _ONE << (_WORD(card) >> _TWO)


@compiled
def _lay_out(holes, board, stub, rank_keys, keys, deal, available):
    """Fill in the hands' keys, the masks by suit, and the number of available cards per rank."""
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

    `stub` is the 52-bit mask of cards neither on the board nor dead; each matchup's hands are removed here. `subsets`
    are masks and firsts of `subset_tables`, then `suited_tables`. `tables` are the flushes, (place, start, ranked) for
    seven cards, `pair_tables`, `paired_ways`, and `_around_flushes`.
    """
    flushes, of_seven, pairs, paired, (above_flush, straight_flush) = tables
    players = holes.shape[1]
    missing = 5 - board.shape[0]
    rows = multisets[2][missing + 1] - multisets[2][missing]
    keys = np.empty(players, np.uint64)
    deal = (np.empty(4, np.uint64), np.empty((players, 4), np.uint64), np.empty(4, np.uint64))
    ways, products = np.empty(66, np.int32), np.empty(66 * 66, np.int32)
    available = np.empty(13, np.int64)
    strengths = np.empty((players, rows), np.uint16)
    boards = np.empty(rows, np.int32)
    histogram = np.empty(1 << players, np.int64)
    work = (np.empty((2, rows), np.int32), np.empty(91, np.int32), histogram, straight_flush)
    for matchup in range(holes.shape[0]):
        _lay_out(holes[matchup], board, stub, rank_keys, keys, deal, available)
        _choose_ways(available, ways)
        if missing == 5:
            _all_board_ways(ways, multisets, paired, products, boards)
            _strengths_by_pair(holes[matchup], pairs, strengths)
        else:
            _board_ways(missing, ways, multisets, boards)
            _strengths_by_key(keys, missing, multisets, of_seven, strengths)
        histogram[:] = 0
        if players == 2:
            _best_of_two(strengths, above_flush, boards, work[0], histogram)
        else:
            _best_of_rows(strengths, above_flush, boards, work[0], histogram)
        for suit in range(4):
            for rank in range(13):
                elsewhere = available[rank] - np.int64((deal[2][suit] >> _WORD(rank)) & _ONE)
                _choose_ways_of(rank, elsewhere, ways)
            _flushes_of_suit(suit, (*deal, missing), ways, multisets, subsets[:2], subsets[2:], flushes, work)
        _counts_by_winners(histogram, counts[matchup])


# mypy: disable-error-code="no-untyped-def,no-untyped-call"


@compiled
def omaha_counts(holes, columns, board, stub, keys, tables, flushes, counts):
    """Fill ``counts[player, winners]`` over all boards completed from `stub`, an array of cards.

    `columns` are the columns of the Omaha table for each player's pairs.
    """
    players = holes.shape[0]
    missing = 5 - board.shape[0]
    shared = np.empty((1, 5), np.uint8)
    shared[0, : board.shape[0]] = board
    chosen = np.arange(missing)
    strengths = np.empty(players, np.uint16)
    cards = stub.shape[0]
    while True:
        for place in range(missing):
            shared[0, 5 - missing + place] = stub[chosen[place]]
        line, suits = board_row(shared, keys, tables)
        for player in range(players):
            strengths[player] = omaha_best(
                line, suits, columns[player], holes, player, shared, tables, flushes
            )
        count_showdown(counts, strengths, players, np.int64(1))
        place = missing - 1
        while place >= 0 and chosen[place] == cards - missing + place:
            place -= 1
        if place < 0:
            return
        chosen[place] += 1
        for later in range(place + 1, missing):
            chosen[later] = chosen[later - 1] + 1
