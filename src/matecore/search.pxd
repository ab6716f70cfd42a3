"""Exact search: zero-window alpha-beta between tricks, over a table of exact bounds."""
from libc.stdint cimport int16_t, uint8_t, uint32_t, uint64_t

from matecore.position cimport Position
from matecore.rules cimport MAX_CARDS, Rules, position_t, rules_t


cdef enum:
    UNBOUNDED = 32767   # no margin is beyond it


# A position between tricks and what is known of the leader's margin there. Who leads and which
# trick it is follow from the hands and the state, so the table serves every deal and both leaders,
# and never needs to be emptied. The key is whole: a wrong answer cannot come out of a collision.
# An entry is 16 bytes, four of them in a cache line.
#
#   leader, follower   the hands
#   lower, upper       bounds on the margin
#   lead               code of the lead that last reached `lower`, or 255
#   state              OWN, OTHER, TOKEN
ctypedef struct entry_t:
    uint32_t leader
    uint32_t follower
    int16_t lower
    int16_t upper
    uint8_t lead
    uint8_t state


cdef enum:
    OWN = 1     # the leader foreplaced
    OTHER = 2   # the follower did
    TOKEN = 4   # the free move is still to be had


cdef enum:
    STOPPED = 1         # for good, by another thread
    INTERRUPTED = 2     # by a signal, while the search now running runs


ctypedef struct solver_t:
    const rules_t* rules
    entry_t* table
    int shift                   # 64 - the binary logarithm of the table's size
    int last[4]                 # the last trick, by OWN | OTHER
    bint both_as_plain          # both foreplaced: as nobody did, a trick later (section 8)
    int favourite[MAX_CARDS + 2]    # decisions on foreplacing that were right last time
    int halted
    uint64_t nodes


# The exact margin for the player to act; meaningless once the solver is halted.
cdef int exact(solver_t* solver, const position_t* position) noexcept nogil


cdef class Solver:
    cdef readonly Rules rules
    cdef solver_t c
    cdef object lock
    cdef position_t begin(self, Position position) except *
    cdef int end(self) except -1
