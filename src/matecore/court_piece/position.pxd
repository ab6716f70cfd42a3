from matecore.court_piece.rules cimport MAX_PLIES, Rules, position_t


cdef class Position:
    cdef readonly Rules rules
    cdef position_t[MAX_PLIES + 1] stack
    cdef int[MAX_PLIES] actions
    cdef int ply
    cdef tuple arguments

    # The state now, a pointer into the object.
    cdef const position_t* now(self) noexcept

    # The same as a copy, that no other thread plays on.
    cdef position_t state(self) noexcept
