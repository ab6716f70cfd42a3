"""What a search has learnt."""

from libc.string cimport memset


cdef enum:
    MOST = 64           # more tricks than there are


cdef void forget(table_t* table) noexcept nogil:
    memset(table.first, 0, <size_t>sizeof(uint32_t) << (64 - table.shift))
    table.used = 0


cdef inline bint is_same(
    const entry_t* entry, const class_t* position, const uint64_t* mask
) noexcept nogil:
    return fits(entry, position) and entry.mask[0] == mask[0] and entry.mask[1] == mask[1]


cdef entry_t* entry_for(
    table_t* table, const class_t* position, const uint64_t* mask
) noexcept nogil:
    cdef uint32_t* first = chain_of(table, position)
    cdef uint32_t index = first[0]
    cdef entry_t* entry
    while index:
        entry = table.entries + index
        if is_same(entry, position, mask):
            return entry
        index = entry.next
    if table.used + 1 >= table.size:
        forget(table)
    table.used += 1
    entry = table.entries + table.used
    entry.shape, entry.state = position.shape, position.state
    for index in range(2):
        entry.owners[index] = position.owners[index] & mask[index]
        entry.mask[index] = mask[index]
    entry.lower, entry.upper = -MOST, MOST
    entry.next = first[0]
    first[0] = table.used
    return entry


cdef void learn(
    table_t* table, const class_t* position, const uint64_t* mask, int tricks, bint reached
) noexcept nogil:
    cdef entry_t* entry = entry_for(table, position, mask)
    if reached:
        entry.lower = max(entry.lower, tricks)
    else:
        entry.upper = min(entry.upper, tricks - 1)
