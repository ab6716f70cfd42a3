"""Look-up in a solved game."""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport cython

from matecore.cards cimport prefetch
from matecore.checksum cimport checksum
from matecore.codes cimport BYTE_CODES, codes_t, fill_codes, state_of
from matecore.index cimport STATES, fill_index, place_of
from matecore.lookup cimport best_action, value_after, value_of
from matecore.position cimport Position
from matecore.rules cimport (
    ILLEGAL, Rules, distinct_moves, halves_the_deck, moves_t, next_action, opening, play,
    position_t, rules_t,
)
from matecore.signals cimport raise_signals

cdef enum:
    BATCH = 64      # look-ups under way at a time

BLOCK_SIZE = 1 << BLOCK_BITS


# --- Look-up -------------------------------------------------------------------------------------

cdef int look_up(const void* table, const position_t* p) noexcept nogil:
    cdef int leader = p.to_move
    return margin_between(
        <table_t*>table, p.hand[leader], p.hand[1 - leader], state_of(p)
    )


# The first row that is no position, or -1. The places of a batch are all found, and their memory
# asked for, before the first is read.
@cython.boundscheck(False)
cdef Py_ssize_t look_up_many(
    table_t* table, const uint32_t[:] leaders, const uint32_t[:] followers, int state,
    int16_t[:] out
) noexcept nogil:
    cdef int64_t[BATCH] places
    cdef int64_t place
    cdef Py_ssize_t start = 0, row, n = leaders.shape[0], size
    while start < n:
        size = min(n - start, <Py_ssize_t>BATCH)
        for row in range(size):
            place = place_of(&table.index, leaders[start + row], followers[start + row], state)
            if place < 0:
                return start + row
            prefetch(table.data + place * table.width)
            places[row] = place
        for row in range(size):
            out[start + row] = margin_at(table, places[row])
        start += size
    return -1


# The first row that is no deal, or -1.
cdef Py_ssize_t look_up_deals(
    table_t* table, const rules_t* rules, const uint32_t[:, ::1] deals, int16_t[:, ::1] out
) noexcept nogil:
    cdef position_t position
    cdef Py_ssize_t row
    cdef uint32_t x, y
    cdef int leader
    for row in range(deals.shape[0]):
        x, y = deals[row, 0], deals[row, 1]
        if not halves_the_deck(rules, x, y):
            return row
        for leader in range(2):
            position = opening(rules, x, y, leader)
            out[row, leader] = value_of(rules, &position, look_up, table)
    return -1


# --- Tablebase -----------------------------------------------------------------------------------

def width_of(Rules rules not None):
    """Return how many bytes a code of the variant takes, 1 or 2."""
    cdef codes_t codes
    fill_codes(&codes, rules)
    return 1 if codes.n <= BYTE_CODES else 2


def checksum_of_bytes(const uint8_t[::1] data not None):
    """Return the checksum of a block of bytes, XXH64 with seed 0.

    >>> f"{checksum_of_bytes(b'abc'):x}"
    '44bc2cf5ad770999'
    """
    return checksum(<const char*>&data[0] if data.shape[0] else NULL, data.shape[0])


class DamagedTable(ValueError):
    """Codes that are not what was written."""


cdef class Tablebase:
    """The exact values of a variant, over a buffer of codes.

    Any number of threads may read it at once.

    Arguments:
        rules: the compiled variant.
        buffer: int8, or int16 if the variant knows more than 126 margins above 0 (`width`), one-
            dimensional and contiguous, an element for each position; may be read-only and
            memory-mapped. It is kept, not copied.
        checksums: uint64, one for each block of the buffer, as `checksums` returned them; each
            block is compared before it is first used. None if the buffer is known to be sound.

    Raises:
        ValueError: the deck has more than 20 cards; an array is of another kind or size.
    """

    def __cinit__(self, Rules rules not None, buffer not None, checksums=None):
        fill_index(&self.c.index, rules)
        fill_codes(&self.c.codes, rules)
        self.rules = rules
        self.c.rules = &rules.c
        self.buffer = buffer
        if len(buffer) != <object>self.c.index.size:
            raise ValueError(f"{len(buffer)} codes, expected {self.c.index.size}")
        if self.c.codes.n <= BYTE_CODES:
            self.bytes_ = buffer
            self.c.width = 1
            self.c.data = <const char*>&self.bytes_[0]
        else:
            self.words = buffer
            self.c.width = 2
            self.c.data = <const char*>&self.words[0]
        self.c.size = <size_t>self.c.index.size * self.c.width
        self.c.damaged = -1
        self.c.sound = <uint8_t*>malloc(blocks_of(self.c.size))
        if self.c.sound == NULL:
            raise MemoryError("no memory for the state of the blocks")
        memset(self.c.sound, checksums is None, blocks_of(self.c.size))
        if checksums is not None:
            self.checksums_ = checksums
            if len(checksums) != <object>blocks_of(self.c.size):
                raise ValueError(f"{len(checksums)} checksums, expected {blocks_of(self.c.size)}")
            self.c.checksums = &self.checksums_[0]

    def __dealloc__(self):
        free(self.c.sound)

    # --- Properties ---

    @property
    def width(self):
        """The bytes in a code, 1 or 2."""
        return self.c.width

    @property
    def margins(self):
        """The margin of each code from the lowest, -n .. n, in increasing order."""
        return [self.c.codes.margin[i] for i in range(2 * self.c.codes.n + 1)]

    # --- Queries ---

    def probe(self, uint32_t leader, uint32_t follower, int state=0):
        """Return the exact margin of the leader of a position between tricks.

        Arguments:
            leader, follower: the hands as masks.
            state: the sum of 1 if the leader foreplaced, 2 if the follower did, 4 if the free move
                is still to be had.

        Raises:
            ValueError: the variant has no such position.
        """
        cdef int margin = margin_at(&self.c, self.place(leader, follower, state))
        self.end()
        return margin

    def place(self, uint32_t leader, uint32_t follower, int state=0):
        """Return where in the buffer the code of a position between tricks stands.

        Raises:
            ValueError: the variant has no such position.
        """
        self.check(state)
        cdef int64_t place = place_of(&self.c.index, leader, follower, state)
        if place < 0:
            raise ValueError(f"{leader:#x} against {follower:#x}, state {state}: no such position")
        return place

    cdef int check(self, int state) except -1:
        if not 0 <= state < STATES:
            raise ValueError(f"state {state} is not in 0..{STATES - 1}")
        return 0

    def probe_many(
        self, const uint32_t[:] leaders not None, const uint32_t[:] followers not None,
        int16_t[:] out not None, int state=0
    ):
        """Write the exact margins of the leaders of many positions between tricks.

        Arguments:
            leaders, followers: the hands as masks; numbers of cards may be mixed.
            out: is written.
            state: as in `probe`, the same for all.

        Raises:
            ValueError: a dtype or a length is wrong, or a row is no position of the variant; rows
                before it may be written.
        """
        cdef Py_ssize_t row
        self.check(state)
        if not leaders.shape[0] == followers.shape[0] == out.shape[0]:
            raise ValueError("leaders, followers and out must have the same length")
        with nogil:
            row = look_up_many(&self.c, leaders, followers, state, out)
        self.end()
        if row >= 0:
            self.place(leaders[row], followers[row], state)

    def value(self, Position position not None):
        """Return the exact margin for the player to act in any position.

        Raises:
            ValueError: the position is of another variant.
            DamagedTable: a block that was looked at is not what was written.
        """
        cdef position_t p = self.begin(position)
        cdef int value = value_of(&self.rules.c, &p, look_up, &self.c)
        self.end()
        return value

    def values(self, Position position not None):
        """Return the legal actions with the exact margins they bring the player who takes them.

        Of neighbouring copies of a card only the lowest is among them.

        Raises:
            ValueError: the position is of another variant.
        """
        cdef position_t p = self.begin(position)
        cdef moves_t moves = distinct_moves(&self.rules.c, &p)
        cdef int action
        found = []
        while True:
            action = next_action(&self.rules.c, &moves)
            if action == ILLEGAL:
                self.end()
                return found
            found.append((action, value_after(&self.rules.c, &p, action, look_up, &self.c)))

    def line(self, Position position not None):
        """Return the actions of best play to the end of the game, of equals the first.

        Raises:
            ValueError, DamagedTable: as `value`.
        """
        cdef position_t p = self.begin(position)
        cdef int action
        found = []
        while True:
            action = best_action(&self.rules.c, &p, look_up, &self.c)
            self.end()
            if action == ILLEGAL:
                return found
            found.append(action)
            play(&self.rules.c, &p, action)

    def solve(self, const uint32_t[:, ::1] deals not None, int16_t[:, ::1] out not None):
        """Write the value of each deal, as `Solver.solve` does.

        Arguments:
            deals: uint32 of shape (n, 2), C-contiguous, the masks of X and Y.
            out: int16 of shape (n, 2), C-contiguous, is written.

        Raises:
            ValueError: a shape or dtype is wrong, or a row is no deal; rows before it are written.
            DamagedTable: as `value`.
        """
        cdef Py_ssize_t row
        if deals.shape[1] != 2 or out.shape[1] != 2 or deals.shape[0] != out.shape[0]:
            raise ValueError("deals and out must both have the shape (n, 2)")
        with nogil:
            row = look_up_deals(&self.c, &self.rules.c, deals, out)
        self.end()
        if row >= 0:
            raise ValueError(f"deals[{row}] do not halve the deck")

    def checksums(self):
        """Return the checksum of each block of 65,536 bytes, uint64 of shape (blocks,)."""
        import numpy

        found = numpy.empty(blocks_of(self.c.size), dtype=numpy.uint64)
        cdef uint64_t[::1] view = found
        cdef Py_ssize_t block
        with nogil:
            for block in range(view.shape[0]):
                view[block] = checksum_of(&self.c, block)
        return found

    def check_all(self):
        """Compare all blocks with their checksums, also those that were found to be sound before.

        Raises:
            DamagedTable: one of them is not what was written.
        """
        cdef size_t block, n = blocks_of(self.c.size)
        if self.c.checksums == NULL:
            return
        for block in range(n):
            with nogil:
                self.c.sound[block] = False
                check_block(&self.c, block)
            self.end()
            raise_signals()

    cdef int end(self) except -1:
        if self.c.damaged >= 0:
            raise DamagedTable(f"block {self.c.damaged} of 65,536 bytes is damaged")
        return 0

    cdef position_t begin(self, Position position) except *:
        if position.rules != self.rules:
            raise ValueError("the position is of another variant")
        return position.state()
