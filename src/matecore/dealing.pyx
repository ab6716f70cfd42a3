"""Deals by number."""

from matecore.cards cimport count


cdef void fill_deals(deals_t* deals, const rules_t* rules) noexcept nogil:
    cdef int size = rules.hand_size, n
    cdef uint32_t set, at = 0
    deals.half = size
    deals.deck = rules.deck
    deals.n_deals = 0
    for n in range(size + 1):
        deals.from_[n] = at
        for set in range(<uint32_t>1 << size):
            if count(set) == n:
                deals.sets[at] = <uint16_t>set
                at += 1
        deals.n_sets[n] = at - deals.from_[n]
        deals.n_deals += deals.n_sets[n] * deals.n_sets[n]
