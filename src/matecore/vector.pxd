"""Many positions of one variant in one block of memory, played in step."""
from libc.stdint cimport int64_t, uint8_t

from matecore.rules cimport Rules, position_t


#   n           positions
#   position    them, a row each
#   row, next   what a call is about to change: so many rows, each with its next position; prepared
#               as a whole before any is changed
#   taken[row]  whether the call has named the row already; 0 between calls
ctypedef struct vector_t:
    Py_ssize_t n
    position_t* position
    int64_t* row
    position_t* next
    uint8_t* taken


# The rows that a call names: some, or the first `n` of all. What lies in an array of Python's may
# be changed by another thread at any time: it is read once and checked as it is read.
ctypedef struct picked_t:
    Py_ssize_t n
    const int64_t* rows     # NULL for all


cdef inline int64_t row_at(const picked_t* picked, Py_ssize_t i) noexcept nogil:
    return i if picked.rows == NULL else picked.rows[i]


cdef class Vector:
    cdef readonly Rules rules
    cdef vector_t c
    cdef object lock
    cdef picked_t pick(self, const int64_t[::1] rows) noexcept
    cdef int check_length(self, Py_ssize_t length, str name) except -1
    cdef int end(self, Py_ssize_t wrong) except -1
