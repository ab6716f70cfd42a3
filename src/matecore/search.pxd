"""Exact search: zero-window alpha-beta between tricks, over a table of exact bounds."""
from libc.stdint cimport int16_t, uint32_t, uint64_t

from matecore.position cimport Position
from matecore.rules cimport Rules, position_t, rules_t


cdef enum:
    UNBOUNDED = 32767   # no margin is beyond it


# A position between tricks and what is known of the leader's margin there. Which trick it is
# follows from the hands and the state, so an entry serves every deal, both leaders and every choice
# of cards to foreplace, and the table is never emptied. The key is whole: a wrong answer cannot
# come out of a collision. An entry is 16 bytes, four of them in a cache line; the newest stays.
ctypedef struct entry_t:
    uint32_t leader     # the hands
    uint32_t follower
    int16_t lower       # bounds on the margin
    int16_t upper
    uint32_t state      # OWN, OTHER, TOKEN; FIRST if it matters


cdef enum:
    OWN = 1     # the leader foreplaced
    OTHER = 2   # the follower did
    TOKEN = 4   # the free move is still to be had
    FIRST = 8   # the leader is X; only where the worth of margins tells X from Y


# The same state, told by the other player; FIRST is left as it is.
cdef inline int exchanged(int state) noexcept nogil:
    return (state & ~(OWN | OTHER)) | (state & OWN) << 1 | (state & OTHER) >> 1


cdef inline int foreplacers(int state) noexcept nogil:
    return state & (OWN | OTHER)


ctypedef struct solver_t:
    const rules_t* rules
    entry_t* table
    int shift           # 64 - the binary logarithm of the table's size
    int horizon         # the last trick that is searched
    int last[4]         # the same, or the last of the game, by OWN | OTHER
    int16_t* worth      # what X's margins are worth to him, from the middle; NULL: themselves
    int sided           # FIRST if `worth` tells X from Y, else 0
    int answer          # what last refuted a first foreplacing: 0 to decline, else the card + 1
    bint stopped        # for good, by another thread
    bint interrupted    # by a signal, while the search now running runs
    uint64_t nodes      # positions between tricks whose leads were tried


# The exact margin for the player to act, or what it is worth to him if `worth` tells; meaningless
# once the solver is stopped or interrupted. It takes the GIL now and then to look for signals: who
# calls it must, once he has the GIL again, call `end`, which raises what came in.
cdef int exact(solver_t* solver, const position_t* position) noexcept nogil


cdef class Solver:
    cdef readonly Rules rules
    cdef readonly object worth
    cdef readonly object horizon
    cdef solver_t c
    cdef object lock
    cdef position_t begin(self, Position position) except *
    cdef int weigh(self) except -1
    cdef int end(self) except -1


# The same, checked: without the GIL while it searches, one thread after another; raises what ends
# a search before its time. The position is of the solver's rules.
cdef int exact_value(Solver solver, const position_t* position) except? -32768
