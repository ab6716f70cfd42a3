from libc.stdint cimport int16_t, uint32_t, uint64_t

from matecore.rules cimport MAX_PLIES, Rules, position_t, rules_t


ctypedef struct key_t:
    uint64_t hands
    uint64_t state


# The same position with the copies of each card told apart no more: in every set the lowest
# copies that are still to be given away, in the order hand X, hand Y, foreplaced X, Y, led.
cdef position_t canonical(const rules_t* rules, const position_t* position) noexcept nogil

# Nothing but the canonical position itself, packed: equal keys are equal positions.
cdef key_t exact_key(const rules_t* rules, const position_t* position) noexcept nogil


cdef class Position:
    cdef readonly Rules rules
    cdef position_t[MAX_PLIES + 1] stack
    cdef int16_t[MAX_PLIES] actions
    cdef int ply

    # The state now, a pointer into the object.
    cdef const position_t* now(self) noexcept

    # The same as a copy, that no other thread plays on.
    cdef position_t state(self) noexcept


# A new object for a position, without its past.
cdef Position position_at(Rules rules, const position_t* position)
