"""Cards and sets of cards as bits.

A card is its index in the deck, (slots per suit) x suit + slot, both counted from 0 at the
highest, so that within a suit a lower index is a higher card. A set of cards is 32 bits, bit i
standing for card i.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    #define matecore_prefetch(address) ((void)(address))
    static __forceinline int matecore_lowest(uint32_t set) {
        unsigned long index;
        _BitScanForward(&index, set);
        return (int)index;
    }
    static __forceinline int matecore_highest64(uint64_t set) {
        unsigned long index;
        if (set >> 32) {
            _BitScanReverse(&index, (unsigned long)(set >> 32));
            return (int)index + 32;
        }
        _BitScanReverse(&index, (unsigned long)set);
        return (int)index;
    }
    static __forceinline int matecore_count(uint32_t set) {
        set -= (set >> 1) & 0x55555555u;
        set = (set & 0x33333333u) + ((set >> 2) & 0x33333333u);
        return (int)((((set + (set >> 4)) & 0x0F0F0F0Fu) * 0x01010101u) >> 24);
    }
    #else
    #define matecore_prefetch(address) __builtin_prefetch(address)
    static inline int matecore_lowest(uint32_t set) { return __builtin_ctz(set); }
    static inline int matecore_highest64(uint64_t set) { return 63 - __builtin_clzll(set); }
    static inline int matecore_count(uint32_t set) { return __builtin_popcount(set); }
    #endif
    """
    # Of sets that are not empty; of the empty set they are undefined.
    int lowest "matecore_lowest" (uint32_t cards) noexcept nogil
    int highest64 "matecore_highest64" (uint64_t set) noexcept nogil
    void prefetch "matecore_prefetch" (const void* address) noexcept nogil
    int count "matecore_count" (uint32_t cards) noexcept nogil


cdef enum:
    MAX_CARDS = 32


cdef inline uint32_t bit(int card) noexcept nogil:
    return <uint32_t>1 << card


cdef inline bint holds(uint32_t cards, int card) noexcept nogil:
    return (cards >> card) & 1


# --- Members of a set ---

cdef extern from *:
    """
    #if defined(__GNUC__) && defined(__x86_64__)
    /* Where they are slow, they are as good as not there. */
    #define matecore_has_bits() \\
        (__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && \\
         !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2"))
    static inline int matecore_nth_fast(uint32_t set, uint32_t n) {
        uint32_t found;
        __asm__("pdepl %2, %1, %0" : "=r"(found) : "r"((uint32_t)1 << n), "r"(set));
        return __builtin_ctz(found);
    }
    static inline int matecore_count_fast(uint32_t set) {
        uint32_t found;
        __asm__("popcntl %1, %0" : "=r"(found) : "r"(set) : "cc");
        return (int)found;
    }
    static inline uint32_t matecore_pushed_fast(uint32_t set, uint32_t subset) {
        uint32_t found;
        __asm__("pextl %2, %1, %0" : "=r"(found) : "r"(subset), "r"(set));
        return found;
    }
    #else
    #define matecore_has_bits() 0
    #define matecore_pushed_fast(set, subset) 0
    #define matecore_nth_fast(set, n) 0
    #define matecore_count_fast(set) 0
    #endif
    """
    # Whether the machine has the instructions of those that follow.
    bint has_bits "matecore_has_bits" () noexcept nogil
    int nth_fast "matecore_nth_fast" (uint32_t cards, uint32_t n) noexcept nogil
    int count_fast "matecore_count_fast" (uint32_t cards) noexcept nogil
    # The places that the members of a subset have in a set.
    uint32_t pushed_fast "matecore_pushed_fast" (uint32_t cards, uint32_t subset) noexcept nogil


cdef enum:
    BYTES = 0x01010101  # a one in each byte


# What finds one of a set: an instruction, or else place[byte][n], the n-th bit of a byte.
ctypedef struct places_t:
    bint fast
    uint8_t place[256][8]


cdef inline void fill_places(places_t* places, bint fast) noexcept nogil:
    cdef int set, card, n
    places.fast = fast and has_bits()
    for set in range(256):
        n = 0
        for card in range(8):
            if set >> card & 1:
                places.place[set][n] = card
                n += 1


# In byte i of the result, how many cards are in the bytes 0 .. i of the set.
cdef inline uint32_t counts(uint32_t cards) noexcept nogil:
    cards -= (cards >> 1) & 0x55555555
    cards = (cards & 0x33333333) + ((cards >> 2) & 0x33333333)
    return ((cards + (cards >> 4)) & 0x0F0F0F0F) * BYTES


cdef inline int size(const places_t* places, uint32_t cards) noexcept nogil:
    return count_fast(cards) if places.fast else counts(cards) >> 24


# The n-th card from 0 of a set that has so many, without a branch that chance decides.
cdef inline int nth(const places_t* places, uint32_t cards, uint32_t n) noexcept nogil:
    if places.fast:
        return nth_fast(cards, n)
    # A bit for each byte up to which there are at most n; they are the bytes before the card's.
    cdef uint32_t counted = counts(cards), high = <uint32_t>BYTES << 7
    cdef uint32_t passed = ((n * BYTES | high) - counted) >> 7 & BYTES
    cdef int shift = 8 * <int>((passed * BYTES) >> 24)
    n -= (<uint64_t>counted << 8 >> shift) & 255
    return shift + places.place[(cards >> shift) & 255][n]
