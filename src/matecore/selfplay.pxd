"""Games by the million: deals drawn or given, and moves chosen by two policies."""
from libc.stdint cimport int8_t, int16_t, int64_t, uint32_t, uint64_t

from matecore.cards cimport places_t
from matecore.dealing cimport deals_t
from matecore.lattice cimport Lattice, lattice_t
from matecore.policy cimport Policy, judged_t, policy_t, source_t
from matecore.rng cimport stream_t
from matecore.rules cimport Rules, moves_t, position_t, rules_t
from matecore.tablebase cimport Tablebase

cdef enum:
    TOGETHER = 16           # games played side by side, so that none waits for memory
    ALTERNATE = 2           # who leads: X units of even number, Y those of odd
    DECLINED = 32           # the bit of `best` that stands for foreplacing nothing


# Where a game is written, or read from; value and best, to_move and n_legal may be NULL.
# What lies in an array of Python's may be changed by another thread at any time: it is read once,
# and checked as it is read.
ctypedef struct row_t:
    uint32_t* deal
    int8_t* leader
    int8_t* moves
    int16_t* result
    int16_t* value
    uint64_t* best
    int8_t* to_move
    int8_t* n_legal


# A game that is played, or followed.
#
#   i           its row
#   deal, leader    as it began
#   moves       of the player who acts, distinct
#   by_values   he goes by values this time
ctypedef struct game_t:
    Py_ssize_t i
    row_t row
    uint32_t deal[2]
    int leader
    position_t position
    stream_t stream
    int ply
    moves_t moves
    bint by_values
    judged_t judged


#   policy[p]   of player p
#   plies       in a row of moves, as many as the longest game has
#   together    how many games are played side by side
#   solved      the deal that the lattice knows, by X's hand; 0 at first
ctypedef struct selfplay_t:
    const rules_t* rules
    policy_t policy[2]
    uint64_t seed
    uint64_t stream
    int plies
    int leader
    bint rounds
    bint loser_leads
    bint at_random
    source_t source
    lattice_t* lattice
    uint32_t solved
    places_t places
    deals_t deals
    int together
    game_t* games


# The arrays of many games.
ctypedef struct rows_t:
    Py_ssize_t n
    row_t first


cdef class SelfPlay:
    cdef readonly Rules rules
    cdef readonly Policy x
    cdef readonly Policy y
    cdef readonly Tablebase tablebase
    cdef Lattice lattice
    cdef object lock
    cdef selfplay_t* c
    cdef int take_values(self) except -1
    cdef rows_t rows_of(
        self, uint32_t[:, ::1] deals, int8_t[::1] leaders, int8_t[:, ::1] moves,
        int16_t[::1] results, int16_t[:, ::1] values, uint64_t[:, ::1] best
    ) except *
    cdef int8_t* plane(self, int8_t[:, ::1] array, Py_ssize_t n) except? NULL
    cdef int end(self) except -1
