"""Members of a set of cards by number: how many there are, and the n-th of them.

As in `matecore.cards` it is an instruction, or else a table of bytes.
"""
from libc.stdint cimport uint32_t, uint64_t

from matecore.cards cimport places_t
from matecore.court_piece.cards cimport bit, lowest

cdef extern from *:
    """
    #if defined(__GNUC__) && defined(__x86_64__)
    static inline uint64_t matecore_nth64_fast(uint64_t set, uint32_t n) {
        uint64_t found;
        __asm__("pdepq %2, %1, %0" : "=r"(found) : "r"((uint64_t)1 << n), "r"(set));
        return found;
    }
    static inline int matecore_count64_fast(uint64_t set) {
        uint64_t found;
        __asm__("popcntq %1, %0" : "=r"(found) : "r"(set) : "cc");
        return (int)found;
    }
    #else
    #define matecore_nth64_fast(set, n) 0
    #define matecore_count64_fast(set) 0
    #endif
    """
    # Only where `places.fast` says so. The n-th card as a set.
    uint64_t nth_fast "matecore_nth64_fast" (uint64_t cards, uint32_t n) noexcept nogil
    int count_fast "matecore_count64_fast" (uint64_t cards) noexcept nogil


cdef enum:
    TOP = 56            # where the last byte begins


cdef inline uint64_t in_each_byte(uint64_t byte) noexcept nogil:
    return byte * <uint64_t>0x0101010101010101


# In byte i of the result, how many cards are in the bytes 0 .. i of the set.
cdef inline uint64_t counts(uint64_t cards) noexcept nogil:
    cards -= (cards >> 1) & in_each_byte(0x55)
    cards = (cards & in_each_byte(0x33)) + ((cards >> 2) & in_each_byte(0x33))
    return in_each_byte((cards + (cards >> 4)) & in_each_byte(0x0F))


cdef inline int size(const places_t* places, uint64_t cards) noexcept nogil:
    return count_fast(cards) if places.fast else counts(cards) >> TOP


cdef inline uint64_t nth_plain(const places_t* places, uint64_t cards, uint32_t n) noexcept nogil:
    # A bit for each byte up to which there are at most n; they are the bytes before the card's.
    cdef uint64_t counted = counts(cards)
    cdef uint64_t passed = ((in_each_byte(n) | in_each_byte(0x80)) - counted) >> 7 & in_each_byte(1)
    cdef int shift = 8 * <int>(in_each_byte(passed) >> TOP)
    n -= (counted << 8 >> shift) & 255
    return bit(shift + places.place[(cards >> shift) & 255][n])


# The n-th card from 0, as a set, of a set that has so many; without a branch that chance decides.
cdef inline uint64_t nth_of(const places_t* places, uint64_t cards, uint32_t n) noexcept nogil:
    return nth_fast(cards, n) if places.fast else nth_plain(places, cards, n)


cdef inline int nth(const places_t* places, uint64_t cards, uint32_t n) noexcept nogil:
    return lowest(nth_of(places, cards, n))
