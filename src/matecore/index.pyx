"""The layers of a variant, and the tables that number its positions."""

from collections import namedtuple
from math import comb

from libc.string cimport memset

from matecore.cards cimport count
from matecore.lanes cimport uses_bits
from matecore.codes cimport both_is_plain
from matecore.rules cimport rules_t
from matecore.search cimport OTHER, OWN, TOKEN


Layer = namedtuple("Layer", "state n_leader n_follower trick step n_unions lanes offset")


# --- Layers --------------------------------------------------------------------------------------

cdef list states_of(const rules_t* rules):
    """Return the states that have a table of their own."""
    cdef list states = [0]
    if rules.foreplace:
        states += [OWN, OTHER] if both_is_plain(rules) else [OWN, OTHER, OWN | OTHER]
    return states + ([state | TOKEN for state in states] if rules.free_move else [])


cdef list shapes_of(const rules_t* rules, int state):
    """Return (step, leader's cards, follower's cards, trick) for the layers of a state."""
    cdef int own = state & OWN, other = (state & OTHER) != 0, size = rules.hand_size
    cdef int alone = own != other
    shapes = []
    if alone and rules.last_card_twice:
        shapes.append((1, 1, 1, size))
    for n in range(1, size + 1 - (own | other)):
        shapes.append((n, n + (other and alone), n + (own and alone), size + 1 - (own | other) - n))
    return shapes


def layers(Rules rules not None):
    """Return the layers of positions between tricks in the order in which they stand.

    Each is a `Layer`: state (1: the leader foreplaced, 2: the follower did, 4: the free move is to
    be had), n_leader and n_follower (cards), trick, step (layers of a step can be computed from
    those of the steps before), n_unions, lanes (hands in a union), offset.

    >>> from matecore import Rules
    >>> [tuple(layer) for layer in layers(Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10]))]
    [(0, 1, 1, 2, 1, 6, 2, 0), (0, 2, 2, 1, 2, 1, 6, 12)]
    """
    found, offset = [], 0
    for state in states_of(&rules.c):
        for step, n_leader, n_follower, trick in shapes_of(&rules.c, state):
            unions = comb(rules.c.n_cards, n_leader + n_follower)
            lanes = comb(n_leader + n_follower, n_leader)
            found.append(Layer(state, n_leader, n_follower, trick, step, unions, lanes, offset))
            offset += unions * lanes
    return found


# --- Tables --------------------------------------------------------------------------------------

cdef void fill_ranks(index_t* index) noexcept:
    cdef int half, card, n, size, cards, subset
    index.binomial[0][0] = 1
    for card in range(MOST_CARDS):
        index.binomial[card + 1][0] = 1
        for n in range(MOST_CARDS + 1):
            index.binomial[card + 1][n + 1] = index.binomial[card][n] + index.binomial[card][n + 1]
    for half in range(HALF + 1):
        index.low[half] = <uint32_t>count(half) << 24
        size = 0
        for card in range(10):
            if half >> card & 1:
                size += 1
                index.low[half] += index.binomial[card][size]
                for n in range(11):
                    index.high[n][half] += index.binomial[card + 10][size + n]
    for cards in range(32):
        for subset in range(32):
            index.packed[cards][subset] = count(cards) << 5
            n = 0
            for card in range(5):
                if cards >> card & 1:
                    index.packed[cards][subset] |= (subset >> card & 1) << n
                    n += 1


cdef void fill_layer(index_t* index, layer) except *:
    cdef layer_t* to = &index.layers[index.n_layers]
    to.state, to.n_leader, to.n_follower, to.trick, to.step = layer[:5]
    to.n_unions, to.lanes, to.offset = layer[5:]
    to.union_size = to.n_leader + to.n_follower
    index.n_layers += 1
    index.offset[to.state][to.n_leader][to.n_follower] = to.offset
    index.lanes[to.n_leader][to.n_follower] = to.lanes
    index.size = to.offset + <uint64_t>to.n_unions * to.lanes


cdef int fill_index(index_t* index, Rules rules) except -1:
    cdef const rules_t* r = &rules.c
    cdef int state, n
    found = layers(rules)
    if r.n_cards > MOST_CARDS:
        need = sum(layer.n_unions * layer.lanes for layer in found)
        raise ValueError(
            f"a deck of {r.n_cards} cards has {need:,} positions between tricks, a byte or more "
            f"each; decks of up to {MOST_CARDS} cards can be solved as a whole"
        )
    memset(index, 0, sizeof(index[0]))
    memset(index.offset, 255, sizeof(index.offset))
    index.deck = r.deck
    index.fast = uses_bits()
    fill_ranks(index)
    for layer in found:
        fill_layer(index, layer)
    if r.foreplace and both_is_plain(r):
        for state in range(OWN | OTHER, STATES, TOKEN):
            for n in range(1, r.hand_size):
                index.offset[state][n][n] = index.offset[state & TOKEN][n][n]
    return 0
