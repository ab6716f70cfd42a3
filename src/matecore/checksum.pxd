"""A checksum of a block of memory, to find out whether it is what was written."""
from libc.stdint cimport uint64_t
from libc.string cimport memcpy


cdef enum:
    WORD = 8


# Each step is a bijection of the state and of the word, so that a change within one word is always
# found. Words are little-endian; a last one that is short is filled up with zeros.
cdef inline uint64_t checksum(const char* data, size_t size) noexcept nogil:
    cdef uint64_t state = <uint64_t>size, word
    cdef size_t at = 0
    while at < size:
        word = 0
        memcpy(&word, data + at, min(size - at, <size_t>WORD))
        state = (state ^ word) * <uint64_t>0x9E3779B97F4A7C15
        state ^= state >> 32
        at += WORD
    return state
