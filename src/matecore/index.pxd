"""Where each position between tricks of a whole game has its place: a bijection.

The positions of one *layer* have the same state (who foreplaced, whether the free move is to be
had) and the same numbers of cards. Within a layer

    place = offset + rank of the union x lanes + rank of the leader's cards within the union

where the union is all cards in play, a set of m cards of the deck; its rank is its number among
all sets of m cards in increasing order as masks, the sum of C(card, i) over its i-th cards from 1;
and the leader's rank is that of his cards' places in the union, the same sum over them. `lanes` is
C(m, leader's cards). Layers stand by state, then by cards, without a gap, from place 0.

Invariants: the places of a variant are 0 .. size-1, each for one position; taking the same card
out of the unions that hold it, or out of the hands that do, keeps their order; the complement of
a hand in its union has the rank lanes - 1 - rank.
"""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from matecore.cards cimport pushed_fast
from matecore.rules cimport Rules

cdef enum:
    MOST_CARDS = 20     # in a deck whose positions are numbered
    MOST_LAYERS = 88
    STATES = 8
    HALF = 1023         # a set is looked up in two halves of ten cards
    RANK = 0xFFFFFF


ctypedef struct layer_t:
    int state
    int n_leader
    int n_follower
    int trick
    int step            # the fewer cards of the two: layers of a step need only those before
    int union_size
    uint32_t lanes
    uint32_t n_unions
    uint64_t offset


#   offset[s][l][f]     of the layer, or -1
#   lanes[l][f]         C(l + f, l)
#   low[half]           rank of a set of the low half | its size << 24
#   high[n][half]       what a set of the high half adds above n cards
#   fast                the machine pushes bits together
#   packed[u][s]        where it does not, within five cards: the members of s pushed together to
#                       their places in u, s being part of u, | the size of u << 5
ctypedef struct index_t:
    uint32_t deck
    int n_layers
    uint64_t size
    layer_t layers[MOST_LAYERS]
    uint32_t binomial[MOST_CARDS + 1][MOST_CARDS + 2]
    int64_t offset[STATES][11][11]
    uint32_t lanes[11][11]
    uint32_t low[HALF + 1]
    uint32_t high[11][HALF + 1]
    bint fast
    uint8_t packed[32][32]


cdef int fill_index(index_t* index, Rules rules) except -1


cdef inline uint32_t rank_of(const index_t* index, uint32_t cards) noexcept nogil:
    cdef uint32_t low = index.low[cards & HALF]
    return (low & RANK) + index.high[low >> 24][cards >> 10]


cdef inline int size_of(const index_t* index, uint32_t cards) noexcept nogil:
    return (index.low[cards & HALF] >> 24) + (index.low[cards >> 10] >> 24)


# The places that the members of a subset have in a set.
cdef inline uint32_t pushed_together(
    const index_t* index, uint32_t cards, uint32_t subset
) noexcept nogil:
    cdef uint32_t result = 0
    cdef uint8_t piece
    cdef int shift, at = 0
    if index.fast:
        return pushed_fast(cards, subset)
    for shift in range(0, MOST_CARDS, 5):
        piece = index.packed[(cards >> shift) & 31][(subset >> shift) & 31]
        result |= <uint32_t>(piece & 31) << at
        at += piece >> 5
    return result


# The place of a position of a layer.
cdef inline int64_t place_in_layer(
    const index_t* index, uint32_t leader, uint32_t cards, int64_t offset, int64_t lanes
) noexcept nogil:
    return (
        offset + rank_of(index, cards) * lanes
        + rank_of(index, pushed_together(index, cards, leader))
    )


# The place of a position between tricks, or -1 if there is none such.
cdef inline int64_t place_of(
    const index_t* index, uint32_t leader, uint32_t follower, int state
) noexcept nogil:
    cdef uint32_t cards = leader | follower
    cdef int n_leader, n_follower
    cdef int64_t offset
    if leader & follower or cards & ~index.deck:
        return -1
    n_leader = size_of(index, leader)
    n_follower = size_of(index, follower)
    if n_leader > 10 or n_follower > 10:
        return -1
    offset = index.offset[state][n_leader][n_follower]
    if offset < 0:
        return -1
    return place_in_layer(index, leader, cards, offset, index.lanes[n_leader][n_follower])


# The next larger number with as many bits.
cdef inline uint32_t next_set(uint32_t cards) noexcept nogil:
    cdef uint32_t lowest = cards & (0 - cards)
    cdef uint32_t ripple = cards + lowest
    return (((ripple ^ cards) >> 2) // lowest) | ripple


# The set of that size and rank.
cdef inline uint32_t unranked(const index_t* index, uint32_t rank, int size) noexcept nogil:
    cdef uint32_t cards = 0
    cdef int card = MOST_CARDS - 1
    while size:
        while index.binomial[card][size] > rank:
            card -= 1
        rank -= index.binomial[card][size]
        cards |= <uint32_t>1 << card
        size -= 1
    return cards
