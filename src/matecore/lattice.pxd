"""All positions of one deal at once."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from matecore.cards cimport MAX_CARDS
from matecore.codes cimport codes_t
from matecore.index cimport STATES
from matecore.position cimport Position
from matecore.rules cimport Rules, position_t, rules_t

cdef enum:
    MOST_IN_HAND = 12
    SETS = 4096             # of cards of a hand
    SIZES = 13              # of such sets, from none
    MOST_BLOCKS = 15        # of 64 in the sets of one size


#   lanes, width        the path taken (lanes.h) and the bytes in a code
#   values[s][l]        codes for the leader, by state as X sees it and by leader, or NULL;
#                       layers stand in the order in which they are solved
#   offset[s][x][y]     of the layer with so many cards
#   again[s]            a last layer is played with a card that was played before (section 5)
#   split[s][l][-][p]   of the layers with p = X's cards modulo 2; see split_of
#   rank[set]           of a set among those of its size; sets[n], sets_without[n]: how many there
#                       are, and how many without a given card
#   with_, without, all, none    which sets of n hold a card, as bits
#   card[p][n]          the n-th card of a player; number[c] its n
ctypedef struct lattice_t:
    const rules_t* rules
    const codes_t* codes
    const void* lanes
    size_t width
    bint both_as_plain
    uint32_t hand[2]
    uint8_t card[2][MAX_CARDS]
    uint8_t number[MAX_CARDS]
    char* values[STATES][2]
    size_t offset[STATES][SIZES][SIZES]
    bint again[STATES]
    char* split[STATES][2][2][2]
    uint16_t rank[SETS]
    uint32_t sets[SIZES]
    uint32_t sets_without[SIZES]
    uint64_t with_[SIZES][MOST_IN_HAND][MOST_BLOCKS]
    uint64_t without[SIZES][MOST_IN_HAND][MOST_BLOCKS]
    uint64_t all[SIZES][MOST_BLOCKS]
    uint64_t none[MOST_BLOCKS]


cdef class Lattice:
    cdef readonly Rules rules
    cdef lattice_t c
    cdef codes_t codes
    cdef char* memory
    cdef size_t n_bytes
    cdef object lock
    cdef void number_sets(self) noexcept
    cdef list states(self)
    cdef tuple measure(self, int state)
    cdef int allocate(self) except -1
    cdef position_t begin(self, Position position) except *


cdef void solve_deal(lattice_t* t, uint32_t x, uint32_t y) noexcept nogil

# The margin of the leader of a position between tricks of the deal that is solved.
cdef int look_up(const void* lattice, const position_t* p) noexcept nogil
