"""The position that a double-dummy search plays on and back.

    hand        the cards in the hands
    left        all of them as they were when the trick began, those on the table included
    shape       how many cards of each suit each seat holds, four bits each, at 16 x suit + 4 x seat
    top, low    for each suit the owners of its cards, two bits each, by the set of its cards that
                are left: of the six highest and of the seven lowest
"""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from matecore.court_piece.cards cimport SEATS, SLOTS, SUIT, SUITS, count, lowest
from matecore.court_piece.rules cimport centre_t, rules_t

cdef enum:
    TOP = 6             # slots that `top` covers


ctypedef struct state_t:
    const rules_t* rules
    uint64_t hand[SEATS]
    uint64_t left
    uint64_t shape
    int trump           # 0..3 or NO_TRUMP
    int horizon         # the last trick that counts
    int number          # of the trick, from 1
    int leader
    int n_table
    int holder          # who wins the trick so far
    int table[SEATS]
    centre_t centre
    int sweep           # sides that may still make a court of the first seven tricks, as bits
    uint16_t top[SUITS][1 << TOP]
    uint32_t low[SUITS][1 << (SLOTS - TOP)]


cdef inline uint32_t in_suit(uint64_t cards, int suit) noexcept nogil:
    return (cards >> (SLOTS * suit)) & SUIT


cdef inline uint64_t one_of(int seat, int suit) noexcept nogil:
    return <uint64_t>1 << (16 * suit + 4 * seat)


# How many cards of a suit a seat holds.
cdef inline int length(const state_t* s, int seat, int suit) noexcept nogil:
    return (s.shape >> (16 * suit + 4 * seat)) & 15


cdef inline int trumps_of(const state_t* s, int seat) noexcept nogil:
    return length(s, seat, s.trump) if s.trump < SUITS else 0


# The owners of the cards of a suit that are in `cards`, highest first.
cdef inline uint32_t owners_of(const state_t* s, int suit, uint32_t cards) noexcept nogil:
    cdef uint32_t high = cards & ((1 << TOP) - 1)
    return s.top[suit][high] | s.low[suit][cards >> TOP] << (2 * small_count(high))


# As `count`, of a set within the lowest 16 bits.
cdef inline int small_count(uint32_t cards) noexcept nogil:
    cards -= (cards >> 1) & 0x5555
    cards = (cards & 0x3333) + ((cards >> 2) & 0x3333)
    cards = (cards + (cards >> 4)) & 0x0F0F
    return (cards + (cards >> 8)) & 0xFF


# The n highest cards of a set, n not more than it has.
cdef inline uint32_t highest_of(uint32_t cards, int n) noexcept nogil:
    cdef uint32_t rest = cards
    for _ in range(n):
        rest &= rest - 1
    return cards ^ rest
