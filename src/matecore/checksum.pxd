"""XXH64, the checksum of a block of memory (Yann Collet's published algorithm, seed 0)."""
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

cdef enum:
    STRIPE = 32

cdef extern from *:
    """
    #define MATECORE_P1 0x9E3779B185EBCA87ull
    #define MATECORE_P2 0xC2B2AE3D27D4EB4Full
    #define MATECORE_P3 0x165667B19E3779F9ull
    #define MATECORE_P4 0x85EBCA77C2B2AE63ull
    #define MATECORE_P5 0x27D4EB2F165667C5ull
    """
    const uint64_t P1 "MATECORE_P1"
    const uint64_t P2 "MATECORE_P2"
    const uint64_t P3 "MATECORE_P3"
    const uint64_t P4 "MATECORE_P4"
    const uint64_t P5 "MATECORE_P5"


cdef inline uint64_t word_at(const char* data) noexcept nogil:
    cdef uint64_t word
    memcpy(&word, data, sizeof(word))
    return word


cdef inline uint64_t rotated(uint64_t word, int bits) noexcept nogil:
    return word << bits | word >> (64 - bits)


cdef inline uint64_t stirred(uint64_t lane, uint64_t word) noexcept nogil:
    return rotated(lane + word * P2, 31) * P1


cdef inline uint64_t merged(uint64_t state, uint64_t lane) noexcept nogil:
    return (state ^ stirred(0, lane)) * P1 + P4


cdef inline uint64_t stripes(const char* data, size_t size) noexcept nogil:
    cdef uint64_t a = P1 + P2, b = P2, c = 0, d = 0 - P1, state
    cdef size_t at = 0
    while size - at >= STRIPE:
        a = stirred(a, word_at(data + at))
        b = stirred(b, word_at(data + at + 8))
        c = stirred(c, word_at(data + at + 16))
        d = stirred(d, word_at(data + at + 24))
        at += STRIPE
    state = rotated(a, 1) + rotated(b, 7) + rotated(c, 12) + rotated(d, 18)
    return merged(merged(merged(merged(state, a), b), c), d)


cdef inline uint64_t tail(uint64_t state, const char* data, size_t size) noexcept nogil:
    cdef uint32_t half
    while size >= 8:
        state = rotated(state ^ stirred(0, word_at(data)), 27) * P1 + P4
        data += 8
        size -= 8
    if size >= 4:
        memcpy(&half, data, sizeof(half))
        state = rotated(state ^ half * P1, 23) * P2 + P3
        data += 4
        size -= 4
    while size:
        state = rotated(state ^ <uint8_t>data[0] * P5, 11) * P1
        data += 1
        size -= 1
    return state


cdef inline uint64_t checksum(const char* data, size_t size) noexcept nogil:
    cdef uint64_t state = stripes(data, size) if size >= STRIPE else P5
    cdef size_t done = size - size % STRIPE
    state = tail(state + size, data + done, size - done)
    state = (state ^ state >> 33) * P2
    state = (state ^ state >> 29) * P3
    return state ^ state >> 32
