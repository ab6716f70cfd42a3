"""Which cards to try first: the order makes a search fast, never right or wrong."""
from matecore.court_piece.cards cimport SLOTS
from matecore.court_piece.state cimport state_t


# Cards that are the same to a search: next to each other in one hand among those left.
ctypedef struct move_t:
    int card            # the highest
    int lowest
    int weight          # what is tried first has most


# All moves of the seat whose turn it is, in the order to be tried. Returns how many.
cdef int moves_of(const state_t* s, move_t* moves) noexcept nogil
