"""Deals by number, so that one random number makes a deal and each is exactly as likely.

The deals of a deck are numbered by how many of X's cards are in its low half, the first N/2; those
with as many by X's cards in the high half, in increasing order as masks; then by those in the low
half, in the same way.
"""
from libc.stdint cimport uint16_t, uint32_t

from matecore.rng cimport below, stream_t
from matecore.rules cimport MAX_HAND, rules_t

cdef enum:
    HALVES = 1 << MAX_HAND


#   half            cards in half a deck, as many as in a hand
#   n_deals         how many deals there are; at most 601,080,390, the halves of 32 cards
#   sets[from_[n]..]    the sets of n cards of half a deck in their order
#   n_sets[n]       how many there are
ctypedef struct deals_t:
    int half
    uint32_t deck
    uint32_t n_deals
    uint32_t from_[MAX_HAND + 2]
    uint32_t n_sets[MAX_HAND + 1]
    uint16_t sets[HALVES]


cdef void fill_deals(deals_t* deals, const rules_t* rules) noexcept nogil


# X's hand in a deal, by its number.
cdef inline uint32_t hand_of(const deals_t* deals, uint32_t number) noexcept nogil:
    cdef int low = 0
    cdef uint32_t n = deals.n_sets[0] * deals.n_sets[0], high, rest
    # As many cards of X's in the high half are missing there as he has in the low half, and of
    # either half there are as many sets with n cards as without n.
    while number >= n:
        number -= n
        low += 1
        n = deals.n_sets[low] * deals.n_sets[low]
    high = number // deals.n_sets[low]
    rest = number % deals.n_sets[low]
    return (
        <uint32_t>deals.sets[deals.from_[deals.half - low] + high] << deals.half
        | deals.sets[deals.from_[low] + rest]
    )


cdef inline uint32_t random_hand(const deals_t* deals, stream_t* stream) noexcept nogil:
    return hand_of(deals, below(stream, deals.n_deals))
