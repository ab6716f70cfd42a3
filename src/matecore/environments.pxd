"""Games in step of which each, when it ends, is followed by the next."""
from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint32_t, uint64_t

from matecore.instep cimport InStep
from matecore.policy cimport Policy
from matecore.tablebase cimport Tablebase


#   number[row]     of the game that is played there
#   step            from the number of a game to that of the next in its row
#   leader, seat    a player; ALTERNATE; or, of the seat, BOTH
#   given           n_given deals that are taken in turn, or NULL for drawn ones
#   action          what a call is about to play, by row
ctypedef struct environments_t:
    uint64_t* number
    uint64_t step
    uint64_t seed
    int leader
    int seat
    const uint32_t* given
    Py_ssize_t n_given
    int* action


# Where a call writes, by row; NULL for what is not asked for.
ctypedef struct written_t:
    uint8_t* observations
    uint8_t* masks
    int16_t* rewards
    uint8_t* dones
    int8_t* to_move
    uint8_t* final


cdef class Environments:
    cdef InStep games       # no one else's
    cdef environments_t c
    cdef written_t written
    cdef tuple arrays       # what `written` points into
    cdef const uint32_t[:, ::1] given
    cdef Policy policy
    cdef Tablebase tablebase
    cdef object lock
    cdef bint has_begun
    cdef bint is_busy
    cdef int enter(self) except -1
    cdef int settle_all(self, bint is_step) except -1
    cdef int take(self, const uint32_t[:, ::1] deals) except -1
    cdef int write_to(
        self, uint8_t[:, :, ::1] observations, uint8_t[:, ::1] masks, int16_t[::1] rewards,
        uint8_t[::1] dones, int8_t[::1] to_move, uint8_t[:, :, ::1] final
    ) except -1
