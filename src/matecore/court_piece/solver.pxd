from matecore.court_piece.position cimport Position
from matecore.court_piece.rules cimport Rules, position_t
from matecore.court_piece.search cimport solver_t


cdef class Solver:
    cdef readonly Rules rules
    cdef Rules plain
    cdef solver_t c
    cdef object lock
    cdef position_t begin(self, Position position, bint playing=*) except *

    # Raises what ended a search before its time.
    cdef int end(self) except -1
