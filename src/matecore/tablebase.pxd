"""The exact value of every position of a variant between tricks, to be looked up."""
from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint32_t, uint64_t

from matecore.checksum cimport checksum
from matecore.codes cimport codes_t, is_code, margin_of
from matecore.index cimport index_t, place_of
from matecore.position cimport Position
from matecore.rules cimport Rules, position_t, rules_t


cdef enum:
    NO_MARGIN = -32768  # no margin is below -32767
    BLOCK_BITS = 16     # a block has 65,536 bytes


# Codes that come out of a file are compared with the checksum of their block when one of the block
# is first looked at: opening reads nothing, and no damaged code is ever answered with.
#
#   checksums   of the blocks; NULL where the codes were not read but made
#   sound       for each block whether it need not be looked at any more
#   damaged     the block that was found to be damaged, or -1. Whoever looks up must read it before
#               he believes an answer; nothing is answered from then on
ctypedef struct table_t:
    const rules_t* rules
    const char* data
    size_t size         # in bytes
    int width           # bytes in a code
    const uint64_t* checksums
    uint8_t* sound
    int64_t damaged
    index_t index
    codes_t codes


cdef inline size_t blocks_of(size_t size) noexcept nogil:
    return (size + (1 << BLOCK_BITS) - 1) >> BLOCK_BITS


cdef inline uint64_t checksum_of(const table_t* table, size_t block) noexcept nogil:
    cdef size_t start = block << BLOCK_BITS
    return checksum(table.data + start, min(table.size - start, <size_t>1 << BLOCK_BITS))


cdef inline bint check_block(table_t* table, size_t block) noexcept nogil:
    if not table.sound[block]:
        if checksum_of(table, block) != table.checksums[block]:
            table.damaged = block
            return False
        table.sound[block] = True
    return True


# The margin that stands at a place.
cdef inline int margin_at(table_t* table, int64_t place) noexcept nogil:
    cdef size_t block = <size_t>(place * table.width) >> BLOCK_BITS
    cdef int code
    if not check_block(table, block):
        return 0
    if table.width == 1:
        code = (<const int8_t*>table.data)[place]
    else:
        code = (<const int16_t*>table.data)[place]
    if not is_code(&table.codes, code):
        table.damaged = block
        return 0
    return margin_of(&table.codes, code)


# The margin of the leader of a position between tricks; NO_MARGIN where the variant has no such
# position. The state is the sum of OWN, OTHER and TOKEN, never anything else.
cdef inline int margin_between(
    table_t* table, uint32_t leader, uint32_t follower, int state
) noexcept nogil:
    cdef int64_t place = place_of(&table.index, leader, follower, state)
    return margin_at(table, place) if place >= 0 else NO_MARGIN


# The same for a position, as `lookup` wants it.
cdef int look_up(const void* table, const position_t* p) noexcept nogil


cdef class Tablebase:
    cdef readonly Rules rules
    cdef readonly object buffer
    cdef const int8_t[::1] bytes_
    cdef const int16_t[::1] words
    cdef const uint64_t[::1] checksums_
    cdef table_t c
    cdef int end(self) except -1
    cdef int check(self, int state) except -1
    cdef position_t begin(self, Position position) except *
