# cython: language_level=3
"""An engine of one's own in Cython: it plays many games at random, and asks for exact values.

Build it beside an installed matecore:

    python setup.py build_ext --inplace
    python -c "import playout; print(playout.random_games('AQ7.A7.TK7.AT', 1000))"
"""
from libc.stdint cimport uint32_t

from matecore cimport (
    Rules, Solver, begin_stream, below, count, exact_value, has_move, legal_moves, margin, moves_t,
    next_action, opening, play, position_t, rules_t, stream_t,
)

import matecore
import mate


cdef inline int moves_in(const moves_t* moves) noexcept nogil:
    return count(moves.play) + count(moves.declare) + count(moves.fore) + moves.decline


cdef int choose(const rules_t* rules, moves_t moves, stream_t* stream) noexcept nogil:
    cdef int left = below(stream, moves_in(&moves))
    while left:
        next_action(rules, &moves)
        left -= 1
    return next_action(rules, &moves)


# The margin of X in a game at random; `steps` counts the moves.
cdef int play_out(
    const rules_t* rules, position_t position, stream_t* stream, long long* steps
) noexcept nogil:
    cdef moves_t moves = legal_moves(rules, &position)
    while has_move(&moves):
        play(rules, &position, choose(rules, moves, stream))
        steps[0] += 1
        moves = legal_moves(rules, &position)
    return margin(rules, &position)


def random_games(deal, int games, variant="bga"):
    """Return the sum of X's margins in games at random from a deal, and the moves in all."""
    cdef Rules rules = mate.Variant.of(variant).rules
    deal = mate.Deal.of(deal, mate.Variant.of(variant).deck)
    cdef uint32_t x = deal.x.mask, y = deal.y.mask
    cdef long long total = 0, steps = 0
    cdef stream_t stream
    cdef int _
    begin_stream(&stream, 1, 0, 0)
    with nogil:
        for _ in range(games):
            total += play_out(&rules.c, opening(&rules.c, x, y, 0), &stream, &steps)
    return total, steps


def exact_margin(deal, variant="bga"):
    """Return X's exact margin where he leads."""
    cdef Rules rules = mate.Variant.of(variant).rules
    cdef Solver solver = matecore.Solver(rules)
    deal = mate.Deal.of(deal, mate.Variant.of(variant).deck)
    cdef position_t position = opening(&rules.c, deal.x.mask, deal.y.mask, 0)
    return exact_value(solver, &position)
