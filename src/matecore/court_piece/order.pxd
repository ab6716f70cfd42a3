"""Which cards to try first: the order makes a search fast, never right or wrong."""
from matecore.court_piece.state cimport state_t


# Cards that are the same to a search: next to each other in one hand among those left.
ctypedef struct move_t:
    int card            # the highest
    int lowest
    int suit
    int weight          # what is tried first has most


cdef enum:
    FIRST = 1000        # a weight above all others


# Brings the move with most weight to the front.
cdef inline void bring_best(move_t* moves, int n) noexcept nogil:
    cdef int i, best = 0
    cdef move_t move
    for i in range(1, n):
        if moves[i].weight > moves[best].weight:
            best = i
    if best:
        move = moves[0]
        moves[0] = moves[best]
        moves[best] = move


# All moves of the seat whose turn it is, with their weights. Returns how many.
cdef int moves_of(const state_t* s, move_t* moves) noexcept nogil
