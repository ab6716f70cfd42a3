"""Hands by the million: deals that are drawn, and moves chosen by two policies."""
from libc.stdint cimport int8_t, uint8_t, uint64_t

from matecore.cards cimport places_t
from matecore.court_piece.cards cimport N_CARDS, SUITS
from matecore.court_piece.dealing cimport deal_t, dealing_t
from matecore.court_piece.rules cimport Rules, position_t, rules_t
from matecore.rng cimport stream_t

cdef enum:
    TOGETHER = 16           # hands whose first random numbers are made together
    IN_TURN = 4             # who calls: the seat of the number of the hand modulo 4


# Where a hand is written, or read from; to_act and n_legal may be NULL.
# What lies in an array of Python's may be changed by another thread at any time: it is read once,
# and checked as it is read.
ctypedef struct row_t:
    uint64_t* hands
    uint64_t* first_five
    int8_t* turned
    int8_t* caller
    int8_t* trump
    int8_t* moves
    int8_t* collected
    int8_t* points
    int8_t* winner
    int8_t* court
    int8_t* to_act
    int8_t* n_legal


ctypedef struct rows_t:
    Py_ssize_t n
    row_t first


# A hand that is played, or followed.
ctypedef struct hand_t:
    row_t row
    deal_t deal
    position_t position
    stream_t stream
    int ply


#   policy[s]           of the players of side s
#   plies               in a row of moves, as many as the longest hand has
#   strength[t][s][c]   of card c in a trick where suit t is trump and s was led: who has the
#                       highest wins it; 0 of cards that cannot win
ctypedef struct selfplay_t:
    const rules_t* rules
    int policy[2]
    uint64_t seed
    uint64_t stream
    int plies
    int caller
    bint at_random
    dealing_t dealing
    places_t places
    uint8_t strength[SUITS][SUITS][N_CARDS]
    hand_t hands[TOGETHER]


cdef class SelfPlay:
    cdef readonly Rules rules
    cdef object lock
    cdef selfplay_t* c
    cdef rows_t rows_of(
        self, uint64_t[:, ::1] hands, uint64_t[::1] first_five, int8_t[::1] turned,
        int8_t[::1] caller, int8_t[::1] trump, int8_t[:, ::1] moves, int8_t[:, ::1] collected,
        int8_t[:, ::1] points, int8_t[::1] winner, int8_t[::1] court
    ) except *
    cdef int8_t* plane(self, int8_t[:, ::1] array, Py_ssize_t n) except? NULL
