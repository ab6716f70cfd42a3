"""What a search has learnt: bounds for classes of positions between tricks.

Who wins tricks depends on the lengths of the suits in each hand and on who holds the top cards of
each suit, in their order; below the cards that ever decided a trick it does not matter which small
card is where. So an entry holds for every position with the same *shape* (the sixteen lengths), the
same *state* (all else that counts) and the same owners of the top k cards left in each suit, k
being as small as the search found it to be. Neither the deal nor the trick number is in it.

    owners      two bits a card left, from the highest on: the seat that holds it; suits 0 and 1 in
                the first word, 32 bits each, suits 2 and 3 in the second
    mask        the part of the owners that counts: of each suit the top k cards
    lower       bounds on the tricks that side 0 still collects
    upper
    next        in the chain of the entries with the same hash; 0 at its end

The shape and state are whole in the entry, so a wrong answer cannot come out of a collision. When
there is no room for another entry, all are forgotten.
"""
from libc.stdint cimport int8_t, uint32_t, uint64_t


ctypedef struct entry_t:
    uint64_t shape
    uint64_t owners[2]
    uint64_t mask[2]
    uint32_t state
    uint32_t next
    int8_t lower
    int8_t upper


ctypedef struct class_t:
    uint64_t shape
    uint64_t owners[2]
    uint32_t state


#   first[hash]     the first entry of a chain
#   used            entries, from 1
ctypedef struct table_t:
    uint32_t* first
    entry_t* entries
    uint32_t size
    uint32_t used
    int shift


cdef inline uint32_t* chain_of(const table_t* table, const class_t* position) noexcept nogil:
    cdef uint64_t key = position.shape + position.state * <uint64_t>0xD6E8FEB86659FD93
    key ^= key >> 29
    return table.first + (key * <uint64_t>0x9E3779B97F4A7C15 >> table.shift)


cdef inline bint fits(const entry_t* entry, const class_t* position) noexcept nogil:
    return (
        entry.shape == position.shape
        and (entry.owners[0] ^ position.owners[0]) & entry.mask[0] == 0
        and (entry.owners[1] ^ position.owners[1]) & entry.mask[1] == 0
        and entry.state == position.state
    )


# The first entry that tells whether side 0 still collects `tricks`, or NULL.
cdef inline const entry_t* look_up(
    const table_t* table, const class_t* position, int tricks
) noexcept nogil:
    cdef uint32_t* first = chain_of(table, position)
    cdef uint32_t index = first[0]
    cdef entry_t* entry
    cdef entry_t* before = NULL
    while index:
        entry = table.entries + index
        if fits(entry, position) and (entry.lower >= tricks or entry.upper < tricks):
            if before != NULL:
                before.next = entry.next
                entry.next = first[0]
                first[0] = index
            return entry
        before = entry
        index = entry.next
    return NULL


cdef void forget(table_t* table) noexcept nogil


# Adds what was found: side 0 collects at least `tricks`, or fewer.
cdef void learn(
    table_t* table, const class_t* position, const uint64_t* mask, int tricks, bint reached
) noexcept nogil
