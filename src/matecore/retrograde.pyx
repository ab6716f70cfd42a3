"""Every position of a variant between tricks, solved from the last trick back.

For a union of cards all hands of the leader are done together, a lane for each (lanes.h). A lead
and its reply leave the union without both cards; there the lanes of the same leader stand in the
right order already, those of the other, if he wins the trick, in the reverse with the sign turned.
"""

import threading

from libc.stdint cimport int8_t, int16_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from matecore.cards cimport bit, count, highest64, lowest
from matecore.codes cimport BYTE_CODES, codes_t, fill_codes, leads_of, play_out
from matecore.index cimport MOST_CARDS, fill_index, index_t, layer_t, next_set, unranked
from matecore.lanes cimport BLOCK, chosen_lanes, lanes_reply_t, lanes_t, lanes_two_bytes
from matecore.rules cimport DECLARED, Rules, lead_wins, rules_t
from matecore.search cimport TOKEN, exchanged, foreplacers
from matecore.tablebase cimport Tablebase

cdef enum:
    SIZES = 11                      # of a hand, from none
    MARGIN = 128                    # bytes around what lanes.h reads and writes
    POSITIONS_A_CHUNK = 1 << 19     # some milliseconds, also on the plain path


# What all threads read. held[m][l]: for each place in a union of m cards a stream of bits, those of
# the lanes in which a leader of l cards holds the card there.
ctypedef struct build_t:
    const rules_t* rules
    const index_t* index
    const codes_t* codes
    const lanes_t* lanes
    char* data
    uint64_t* held[MOST_CARDS + 1][SIZES]


# What a thread has for itself, for one layer.
#
#   child[group][won]   offset of the layer that a reply of the group leads to
#   kept[d][k]          what the first k cards of the union add to the rank of a union that lacks d
#                       cards below them
#   best                the lanes of the union
#   reversed            room for the children in which the other player leads
ctypedef struct work_t:
    const layer_t* layer
    int64_t child[3][2]
    uint32_t child_lanes
    size_t blocks
    uint32_t cards
    uint32_t kept[3][MOST_CARDS + 1]
    char* best
    char* reversed
    size_t room


cdef inline size_t blocks_of(uint32_t lanes) noexcept nogil:
    return (<size_t>lanes + BLOCK - 1) // BLOCK


# --- A union -------------------------------------------------------------------------------------

cdef void sum_ranks(const index_t* index, work_t* w) noexcept nogil:
    cdef uint32_t left = w.cards
    cdef int place, lacking, card
    for lacking in range(3):
        w.kept[lacking][0] = 0
    for place in range(w.layer.union_size):
        card = lowest(left)
        left &= left - 1
        for lacking in range(3):
            w.kept[lacking][place + 1] = w.kept[lacking][place] + (
                index.binomial[card][place + 1 - lacking] if place >= lacking else 0
            )


# The rank of the union without the cards at two of its places.
cdef inline uint32_t rank_without(const work_t* w, int a, int b) noexcept nogil:
    cdef int low = min(a, b), high = max(a, b)
    return (
        w.kept[0][low] + w.kept[1][high] - w.kept[1][low + 1]
        + w.kept[2][w.layer.union_size] - w.kept[2][high + 1]
    )


# Adds a group of replies to those at `to`; returns how many.
cdef inline int gather(
    const build_t* b, work_t* w, int code, int place, uint32_t cards, const int64_t* child,
    lanes_reply_t* to, char** room
) noexcept nogil:
    cdef size_t width = b.lanes.width
    cdef uint64_t* held = b.held[w.layer.union_size][w.layer.n_leader]
    cdef int n = 0, reply, other, won
    cdef const char* found
    while cards:
        reply = lowest(cards)
        cards &= cards - 1
        other = count(w.cards & (bit(reply) - 1))
        won = lead_wins(b.rules, code, reply)
        found = b.data + width * (
            child[won] + <int64_t>w.child_lanes * rank_without(w, place, other)
        )
        if not won:
            b.lanes.reverse(room[0], found, w.child_lanes)
            found = room[0]
            room[0] += w.room
        to[n].from_ = found
        to[n].held = held + other * w.blocks
        n += 1
    return n


cdef void solve_lead(const build_t* b, work_t* w, int code) noexcept nogil:
    cdef const rules_t* rules = b.rules
    cdef lanes_reply_t[2 * MOST_CARDS] replies
    cdef int[3] counts
    cdef int card = code % DECLARED, place = count(w.cards & (bit(card) - 1))
    cdef uint32_t others = w.cards & ~bit(card)
    cdef uint32_t first = others & rules.first[code], second = others & rules.second[code] & ~first
    cdef char* room = w.reversed
    counts[0] = gather(b, w, code, place, first, w.child[0], replies, &room)
    counts[1] = gather(b, w, code, place, second, w.child[1], replies + counts[0], &room)
    counts[2] = 0
    if w.layer.state & TOKEN:
        counts[2] = gather(
            b, w, code, place, second, w.child[2], replies + counts[0] + counts[1], &room
        )
    b.lanes.lead(
        w.best, w.blocks, b.held[w.layer.union_size][w.layer.n_leader] + place * w.blocks,
        replies, counts, b.codes.mate[foreplacers(w.layer.state)][w.layer.trick][card]
    )


cdef void solve_union(const build_t* b, work_t* w, uint32_t rank) noexcept nogil:
    cdef uint64_t leads = leads_of(b.rules, w.cards)
    cdef int code
    cdef size_t width = b.lanes.width, lanes = w.layer.lanes
    # Less than any code, in lanes of one byte and of two.
    memset(w.best, 0x80, w.blocks * BLOCK * width)
    sum_ranks(b.index, w)
    while leads:
        code = highest64(leads)
        leads ^= <uint64_t>1 << code
        solve_lead(b, w, code)
    memcpy(b.data + width * (w.layer.offset + rank * <uint64_t>lanes), w.best, width * lanes)


# --- A chunk of a layer --------------------------------------------------------------------------

cdef void find_children(const build_t* b, work_t* w) noexcept nogil:
    cdef int leader = w.layer.n_leader - 1, follower = w.layer.n_follower - 1, group, state
    w.child_lanes = b.index.lanes[leader][follower]
    for group in range(3):
        state = w.layer.state & ~TOKEN if group == 2 else w.layer.state
        w.child[group][1] = b.index.offset[state][leader][follower]
        w.child[group][0] = b.index.offset[exchanged(state)][follower][leader]


cdef int solve_unions(
    const build_t* b, const layer_t* layer, uint32_t start, uint32_t stop
) except -1 nogil:
    cdef work_t w
    cdef uint32_t rank
    cdef size_t width = b.lanes.width, size
    w.layer = layer
    w.blocks = blocks_of(layer.lanes)
    find_children(b, &w)
    w.room = (blocks_of(w.child_lanes) * BLOCK + MARGIN) * width
    size = w.blocks * BLOCK * width
    w.best = <char*>malloc(size + MARGIN + w.room * 2 * layer.union_size)
    if w.best == NULL:
        raise MemoryError("no memory for the lanes of a union")
    w.reversed = w.best + size + MARGIN
    w.cards = unranked(b.index, start, layer.union_size)
    for rank in range(start, stop):
        solve_union(b, &w, rank)
        w.cards = next_set(w.cards)
    free(w.best)
    return 0


cdef inline void put(const build_t* b, uint64_t place, int code) noexcept nogil:
    if b.lanes.width == 1:
        (<int8_t*>b.data)[place] = <int8_t>code
    else:
        (<int16_t*>b.data)[place] = <int16_t>code


# The last tricks have two or three cards: each position by itself.
cdef void solve_last_tricks(
    const build_t* b, const layer_t* layer, uint32_t start, uint32_t stop
) noexcept nogil:
    cdef uint32_t cards = unranked(b.index, start, layer.union_size), hand, leader
    cdef uint64_t place = layer.offset + <uint64_t>start * layer.lanes
    cdef int code
    for _ in range(start, stop):
        hand = bit(layer.n_leader) - 1
        for _ in range(layer.lanes):
            leader = spread(cards, hand)
            code = play_out(
                b.rules, b.codes, leader, cards & ~leader, layer.state, layer.trick
            )
            put(b, place, code)
            place += 1
            hand = next_set(hand)
        cards = next_set(cards)


# The cards at those places of a union.
cdef inline uint32_t spread(uint32_t cards, uint32_t places) noexcept nogil:
    cdef uint32_t found = 0
    while cards:
        if places & 1:
            found |= cards & (0 - cards)
        places >>= 1
        cards &= cards - 1
    return found


# --- Streams of bits -----------------------------------------------------------------------------

cdef uint64_t* new_streams(int union_size, int n_leader, uint32_t lanes) except NULL:
    cdef size_t blocks = blocks_of(lanes), size = blocks * union_size * sizeof(uint64_t)
    cdef uint64_t* streams = <uint64_t*>malloc(size)
    cdef uint32_t hand = bit(n_leader) - 1, left, lane
    if streams == NULL:
        raise MemoryError("no memory for the masks of a layer")
    memset(streams, 0, size)
    for lane in range(lanes):
        left = hand
        while left:
            streams[lowest(left) * blocks + lane // BLOCK] |= <uint64_t>1 << lane % BLOCK
            left &= left - 1
        hand = next_set(hand)
    return streams


# --- Retrograde ----------------------------------------------------------------------------------

cdef class Retrograde:
    """The making of a tablebase: the layers step by step, each by any number of threads.

    Steps go from 1 to the size of a hand; those of step n have n cards in the smaller hand. Call
    `work` with a step from all threads until it returns 0 in each, then go on to the next step.

    Arguments:
        rules: the compiled variant.

    Raises:
        ValueError: the deck has more than 20 cards; MATECORE_LANES names no path that runs here.
        MemoryError: there is no memory for the positions.

    >>> from matecore import Retrograde, Rules
    >>> build = Retrograde(Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10]))
    >>> for step in range(1, build.n_steps + 1):
    ...     while build.work(step):
    ...         pass
    >>> build.tablebase().probe(0b0101, 0b1010)
    0
    """
    cdef readonly Rules rules
    cdef readonly object buffer
    cdef readonly str lanes
    cdef index_t index
    cdef codes_t codes
    cdef build_t c
    cdef object lock
    cdef int[SIZES] layer         # by step: the next layer to be taken up,
    cdef uint32_t[SIZES] start    # its next union
    cdef uint64_t[SIZES] left     # positions not yet solved

    def __cinit__(self, Rules rules not None):
        import numpy

        cdef int i
        cdef layer_t* layer
        cdef char[::1] data
        fill_index(&self.index, rules)
        fill_codes(&self.codes, rules)
        self.rules = rules
        self.lock = threading.Lock()
        self.c.rules, self.c.index, self.c.codes = &rules.c, &self.index, &self.codes
        self.c.lanes = chosen_lanes()
        if self.codes.n > BYTE_CODES:
            self.c.lanes = &lanes_two_bytes
        self.lanes = self.c.lanes.name.decode()
        dtype = numpy.int8 if self.c.lanes.width == 1 else numpy.int16
        whole = numpy.empty(self.index.size + MARGIN, dtype=dtype)
        data = whole.view(numpy.int8)
        self.c.data = &data[0]
        self.buffer = whole[:self.index.size]
        for i in range(self.index.n_layers):
            layer = &self.index.layers[i]
            self.left[layer.step] += <uint64_t>layer.n_unions * layer.lanes
            if self.c.held[layer.union_size][layer.n_leader] == NULL:
                self.c.held[layer.union_size][layer.n_leader] = new_streams(
                    layer.union_size, layer.n_leader, layer.lanes
                )

    def __dealloc__(self):
        cdef int i, j
        for i in range(MOST_CARDS + 1):
            for j in range(SIZES):
                free(self.c.held[i][j])

    @property
    def n_steps(self):
        """How many steps there are: the cards of a hand."""
        return self.rules.c.hand_size

    def positions(self, int step):
        """Return how many positions a step has.

        Raises:
            ValueError: there is no such step.
        """
        self.check(step)
        return sum(
            <uint64_t>layer.n_unions * layer.lanes
            for layer in self.index.layers[:self.index.n_layers] if layer.step == step
        )

    cdef int check(self, int step) except -1:
        if not 1 <= step <= self.rules.c.hand_size:
            raise ValueError(f"step {step} is not in 1..{self.rules.c.hand_size}")
        return 0

    # Takes up the next chunk of a step; NULL when there is none.
    cdef layer_t* take(self, int step, uint32_t* start, uint32_t* stop) except? NULL:
        cdef layer_t* layer
        if step > 1 and self.left[step - 1]:
            raise RuntimeError(f"step {step - 1} is not finished")
        while self.layer[step] < self.index.n_layers:
            layer = &self.index.layers[self.layer[step]]
            if layer.step == step and self.start[step] < layer.n_unions:
                start[0] = self.start[step]
                stop[0] = <uint32_t>min(
                    <uint64_t>layer.n_unions,
                    start[0] + <uint64_t>max(1, POSITIONS_A_CHUNK // layer.lanes),
                )
                self.start[step] = stop[0]
                return layer
            self.layer[step] += 1
            self.start[step] = 0
        return NULL

    def work(self, int step):
        """Solve the next chunk of a step, some milliseconds without the GIL.

        Any number of threads may be at work on one step.

        Returns:
            The number of positions solved; 0 when every chunk of the step is taken.

        Raises:
            ValueError: there is no such step.
            RuntimeError: the step before it is not finished.
            MemoryError: there is no memory to work with; the build cannot be finished.
        """
        cdef uint32_t start = 0, stop = 0
        cdef layer_t* layer
        cdef uint64_t positions
        self.check(step)
        with self.lock:
            layer = self.take(step, &start, &stop)
        if layer == NULL:
            return 0
        with nogil:
            if layer.step == 1:
                solve_last_tricks(&self.c, layer, start, stop)
            else:
                solve_unions(&self.c, layer, start, stop)
        positions = <uint64_t>(stop - start) * layer.lanes
        with self.lock:
            self.left[step] -= positions
        return positions

    def tablebase(self):
        """Return the finished tablebase.

        Raises:
            RuntimeError: a step is not finished.
        """
        cdef int step
        with self.lock:
            for step in range(1, self.rules.c.hand_size + 1):
                if self.left[step]:
                    raise RuntimeError(f"step {step} is not finished")
        return Tablebase(self.rules, self.buffer)
