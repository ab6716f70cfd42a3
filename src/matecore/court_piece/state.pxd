"""The position that a double-dummy search plays on and back.

    hand        the cards in the hands
    left        all of them as they were when the trick began, those on the table included
    shape       how many cards of each suit each seat holds, four bits each, at 16 x suit + 4 x seat
    lengths     the same; of the suit NO_TRUMP none
    owners      for each suit who holds its cards in `left`, two bits each, the highest card first;
                true when a trick begins
    top, low    what they are put together from: by the set of cards left of the six highest, and
                of the seven lowest
"""
from libc.stdint cimport uint32_t, uint64_t

from matecore.court_piece.cards cimport SEATS, SLOTS, SUIT, SUITS, count, lowest
from matecore.court_piece.rules cimport centre_t, rules_t

cdef enum:
    TOP = 6             # slots that `top` covers
    TOLD = 16           # where in `top` the bits begin that tell how many bits the owners take


# The trick on the table, its cards in the order played.
#
#   lowest      of each card the lowest of those that were the same to who played it
#   holder      who wins it so far, with the card `best`
ctypedef struct trick_t:
    int card[SEATS]
    int suit[SEATS]
    int lowest[SEATS]
    int n
    int leader
    int holder
    int best
    int best_suit


ctypedef struct state_t:
    const rules_t* rules
    uint64_t hand[SEATS]
    uint64_t left
    uint64_t shape
    int lengths[SUITS + 1][SEATS]
    int trump           # 0..3 or NO_TRUMP
    int horizon         # the last trick that counts
    int number          # of the trick, from 1
    trick_t tricks[SLOTS + 2]
    trick_t* trick      # the one on the table, by its number
    centre_t centre
    int sweep           # sides that may still make a court of the first seven tricks, as bits
    uint32_t owners[SUITS]
    uint32_t top[SUITS][1 << TOP]
    uint32_t low[SUITS][1 << (SLOTS - TOP)]


cdef inline uint32_t in_suit(uint64_t cards, int suit) noexcept nogil:
    return (cards >> (SLOTS * suit)) & SUIT


cdef inline uint64_t one_of(int seat, int suit) noexcept nogil:
    return <uint64_t>1 << (16 * suit + 4 * seat)


# How many cards of a suit a seat holds.
cdef inline int length(const state_t* s, int seat, int suit) noexcept nogil:
    return s.lengths[suit][seat]


cdef inline void tell_owners(state_t* s, int suit) noexcept nogil:
    cdef uint32_t cards = in_suit(s.left, suit)
    cdef uint32_t top = s.top[suit][cards & ((1 << TOP) - 1)]
    s.owners[suit] = (top & ((1 << TOLD) - 1)) | s.low[suit][cards >> TOP] << (top >> TOLD)


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
