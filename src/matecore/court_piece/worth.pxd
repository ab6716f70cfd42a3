"""What positions are worth: tricks, the hand being played to its end, and points, by the rules.

Each is asked of a few searches, and is meaningless once the solver is halted.
"""
from matecore.court_piece.rules cimport MOST_TRICKS, position_t
from matecore.court_piece.search cimport solver_t


# The tricks that are not collected yet.
cdef inline int left_of(const position_t* position) noexcept nogil:
    return MOST_TRICKS - position.n_tricks + position.centre.pile


# How many tricks the side to act still collects.
cdef int tricks_of_mover(solver_t* solver, const position_t* position) noexcept nogil

# The same if it takes an action; `guess` is where the search begins.
cdef int tricks_after(
    solver_t* solver, const position_t* position, int action, int guess
) noexcept nogil

# Whether a side can win each of the first seven tricks, those played counted.
cdef bint sweep_is_forced(solver_t* solver, const position_t* position, int side) noexcept nogil

# What the hand brings a side in points, less those of the other.
cdef int worth(solver_t* solver, const position_t* position, int side) noexcept nogil

# The same after an action.
cdef int worth_after(
    solver_t* solver, const position_t* position, int action, int side
) noexcept nogil
