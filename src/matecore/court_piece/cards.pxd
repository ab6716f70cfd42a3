"""The cards of Court Piece and sets of them as bits.

A card is 13 x suit + slot, the suits being 0 to 3 and the slots 0 for the ace to 12 for the deuce,
so that within a suit a lower index is a higher card. A set of cards is 64 bits, bit i standing for
card i.
"""
from libc.stdint cimport uint64_t

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_MSC_VER) && !defined(__clang__)
    #include <intrin.h>
    static __forceinline int matecore_lowest64(uint64_t set) {
        unsigned long index;
        if ((uint32_t)set) {
            _BitScanForward(&index, (unsigned long)set);
            return (int)index;
        }
        _BitScanForward(&index, (unsigned long)(set >> 32));
        return (int)index + 32;
    }
    #else
    static inline int matecore_lowest64(uint64_t set) { return __builtin_ctzll(set); }
    #endif
    static inline int matecore_count64(uint64_t set) {
        set -= (set >> 1) & 0x5555555555555555u;
        set = (set & 0x3333333333333333u) + ((set >> 2) & 0x3333333333333333u);
        return (int)((((set + (set >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u) >> 56);
    }
    """
    int lowest "matecore_lowest64" (uint64_t cards) noexcept nogil  # of a set that is not empty
    int count "matecore_count64" (uint64_t cards) noexcept nogil


cdef enum:
    SUITS = 4
    SEATS = 4
    SLOTS = 13          # cards of a suit, and of a hand
    N_CARDS = 52
    SUIT = 0x1FFF       # the thirteen cards of suit 0
    PACK = 0xFFFFFFFFFFFFF


cdef inline uint64_t bit(int card) noexcept nogil:
    return <uint64_t>1 << card


cdef inline bint holds(uint64_t cards, int card) noexcept nogil:
    return (cards >> card) & 1


cdef inline int suit_of(int card) noexcept nogil:
    return card // SLOTS


cdef inline uint64_t suit_cards(int suit) noexcept nogil:
    return <uint64_t>SUIT << (SLOTS * suit)


# Whether four hands are the whole pack, thirteen cards each.
cdef inline bint is_pack(const uint64_t* hands) noexcept nogil:
    cdef uint64_t seen = 0
    cdef int seat
    for seat in range(SEATS):
        if hands[seat] & seen or count(hands[seat]) != SLOTS:
            return False
        seen |= hands[seat]
    return seen == PACK
