"""Every position of one deal, in one call; all that comes after is look-up.

X's and Y's own cards are numbered from 0 in the order of the deck. For each choice of who
foreplaced, of whether the free move is to be had, and of who leads, there is a layer for each pair
of numbers of cards; in it a row for each set of so many cards of X's, in increasing order, and in
the row a lane for each set of Y's. Which cards were foreplaced is told by the sets.

A lead and its reply take a card from each hand. The child's row is that of X's cards without his
one; of its lanes those without Y's one belong, in their order, to the lanes of the parent with it.
So each row, once solved, is split: for each of Y's cards the lanes without it, next to each other,
as they are and with their sign turned; from there they are expanded as in lanes.h.
"""

import threading
from math import comb

from libc.stdint cimport int8_t, int16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from matecore.cards cimport MAX_CARDS, bit, count, highest64, lowest
from matecore.codes cimport (
    BYTE_CODES, both_is_plain, fill_codes, leads_of, margin_of, play_out, state_of,
)
from matecore.index cimport next_set
from matecore.lanes cimport BLOCK, chosen_lanes, lanes_reply_t, lanes_t, lanes_two_bytes
from matecore.lookup cimport best_action, value_after, value_of
from matecore.position cimport Position
from matecore.rules cimport (
    DECLARED, ILLEGAL, Rules, distinct_moves, lead_wins, moves_t, next_action, play, position_t,
    rules_t,
)
from matecore.search cimport OTHER, OWN, TOKEN, exchanged, foreplacers

cdef enum:
    ROOM = 128      # bytes after what lanes.h reads and writes


# --- Layers --------------------------------------------------------------------------------------

# The positions of a deal with the same state, as X sees it, the same numbers of cards and the same
# leader, 0 for X.
ctypedef struct layer_t:
    const lanes_t* lanes
    int state
    int leader
    int n_x
    int n_y
    int trick
    size_t blocks


cdef inline layer_t layer_of(
    const lattice_t* t, int state, int leader, int step
) noexcept nogil:
    cdef layer_t layer
    layer.lanes = <const lanes_t*>t.lanes
    layer.state, layer.leader = state, leader
    layer.n_x = step + (foreplacers(state) == OTHER)
    layer.n_y = step + (foreplacers(state) == OWN)
    layer.trick = t.rules.hand_size + 1 - step - (foreplacers(state) != 0)
    layer.blocks = (t.sets[layer.n_y] + BLOCK - 1) // BLOCK
    return layer


# The values of a row, for the leader.
cdef inline char* row_of(
    const lattice_t* t, int state, int leader, int n_x, int n_y, uint32_t rank
) noexcept nogil:
    return t.values[state][leader] + t.width * (
        t.offset[state][n_x][n_y] + rank * <size_t>t.sets[n_y]
    )


cdef inline void put(char* row, size_t width, uint32_t lane, int code) noexcept nogil:
    if width == 1:
        (<int8_t*>row)[lane] = <int8_t>code
    else:
        (<int16_t*>row)[lane] = <int16_t>code


# Where the lanes without a card of Y's stand, of a row that is split. Rows of n cards and of n + 1
# are there at the same time.
cdef inline char* split_of(
    const lattice_t* t, int state, int leader, bint negated, int n_x, int n_y, uint32_t rank,
    int card
) noexcept nogil:
    cdef size_t place = (rank * <size_t>t.rules.hand_size + card) * t.sets_without[n_y]
    return t.split[state][leader][negated][n_x & 1] + t.width * place


# --- A row ---------------------------------------------------------------------------------------

# Replies of Y to a lead of X that leaves him `row`.
cdef inline int replies_of_y(
    const lattice_t* t, const layer_t* layer, int state, uint32_t row, int code, uint32_t cards,
    lanes_reply_t* to
) noexcept nogil:
    cdef int n = 0, reply, card
    cdef bint lost
    cards &= t.hand[1]
    while cards:
        reply = lowest(cards)
        cards &= cards - 1
        card = t.number[reply]
        lost = not lead_wins(t.rules, code, reply)
        to[n].from_ = split_of(
            t, state, lost, lost, layer.n_x - 1, layer.n_y - 1, t.rank[row], card
        )
        to[n].held = t.without[layer.n_y][card]
        n += 1
    return n


cdef void x_leads(const lattice_t* t, const layer_t* layer, uint32_t row) noexcept nogil:
    cdef const rules_t* rules = t.rules
    cdef lanes_reply_t[2 * MAX_CARDS] to
    cdef int[3] counts
    cdef uint32_t hand = cards_of(t, 0, row), first, second, rest
    cdef uint64_t leads = leads_of(rules, hand)
    cdef char* best = row_of(t, layer.state, 0, layer.n_x, layer.n_y, t.rank[row])
    cdef int code, card
    # Less than any code, in lanes of one byte and of two.
    memset(best, 0x80, layer.blocks * BLOCK * t.width)
    while leads:
        code = highest64(leads)
        leads ^= <uint64_t>1 << code
        card = code % DECLARED
        rest = row & ~bit(t.number[card])
        first = rules.first[code]
        second = rules.second[code] & ~first
        counts[0] = replies_of_y(t, layer, layer.state, rest, code, first, to)
        counts[1] = replies_of_y(t, layer, layer.state, rest, code, second, to + counts[0])
        counts[2] = 0
        if layer.state & TOKEN:
            counts[2] = replies_of_y(
                t, layer, layer.state & ~TOKEN, rest, code, second, to + counts[0] + counts[1]
            )
        layer.lanes.lead(
            best, layer.blocks, t.all[layer.n_y], to, counts,
            t.codes.mate[foreplacers(layer.state)][layer.trick][card]
        )


# Replies of X out of `row` to a lead of Y.
cdef inline int replies_of_x(
    const lattice_t* t, const layer_t* layer, int state, uint32_t row, int code, uint32_t cards,
    lanes_reply_t* to
) noexcept nogil:
    cdef int n = 0, reply
    cdef bint won
    cdef uint32_t rest
    while cards:
        reply = lowest(cards)
        cards &= cards - 1
        rest = row & ~bit(t.number[reply])
        won = lead_wins(t.rules, code, reply)
        to[n].from_ = split_of(
            t, state, won, not won, layer.n_x - 1, layer.n_y - 1, t.rank[rest],
            t.number[code % DECLARED]
        )
        to[n].held = t.none
        n += 1
    return n


cdef void y_leads(const lattice_t* t, const layer_t* layer, uint32_t row) noexcept nogil:
    cdef const rules_t* rules = t.rules
    cdef lanes_reply_t[2 * MAX_CARDS] to
    cdef int[3] counts
    cdef uint32_t hand = cards_of(t, 0, row), first, second
    cdef uint64_t leads = leads_of(rules, t.hand[1])
    cdef char* best = row_of(t, layer.state, 1, layer.n_x, layer.n_y, t.rank[row])
    cdef int code, card, state = layer.state
    memset(best, 0x80, layer.blocks * BLOCK * t.width)
    while leads:
        code = highest64(leads)
        leads ^= <uint64_t>1 << code
        card = code % DECLARED
        first = hand & rules.first[code]
        second = hand & rules.second[code] & ~first
        counts[0] = replies_of_x(t, layer, state, row, code, first if first else second, to)
        counts[1] = counts[2] = 0
        if first and state & TOKEN:
            counts[2] = replies_of_x(
                t, layer, state & ~TOKEN, row, code, second, to + counts[0]
            )
        layer.lanes.lead(
            best, layer.blocks, t.with_[layer.n_y][t.number[card]], to, counts,
            t.codes.mate[foreplacers(exchanged(state))][layer.trick][card]
        )


cdef void split_row(const lattice_t* t, const layer_t* layer, uint32_t row) noexcept nogil:
    cdef uint32_t rank = t.rank[row]
    cdef char* values = row_of(t, layer.state, layer.leader, layer.n_x, layer.n_y, rank)
    cdef int card
    for card in range(t.rules.hand_size):
        layer.lanes.select(
            split_of(t, layer.state, layer.leader, 0, layer.n_x, layer.n_y, rank, card),
            split_of(t, layer.state, layer.leader, 1, layer.n_x, layer.n_y, rank, card),
            values, t.without[layer.n_y][card], layer.blocks,
        )


# --- The whole deal ------------------------------------------------------------------------------

# The cards of a player by their numbers.
cdef inline uint32_t cards_of(const lattice_t* t, int player, uint32_t numbers) noexcept nogil:
    cdef uint32_t cards = 0
    while numbers:
        cards |= bit(t.card[player][lowest(numbers)])
        numbers &= numbers - 1
    return cards


# A row of the last tricks, each position by itself.
cdef void last_tricks(const lattice_t* t, const layer_t* layer, uint32_t row) noexcept nogil:
    cdef char* values = row_of(t, layer.state, layer.leader, layer.n_x, layer.n_y, t.rank[row])
    cdef uint32_t x = cards_of(t, 0, row), y, set = bit(layer.n_y) - 1, lane
    cdef int code
    for lane in range(t.sets[layer.n_y]):
        y = cards_of(t, 1, set)
        if layer.leader == 0:
            code = play_out(t.rules, t.codes, x, y, layer.state, layer.trick)
        else:
            code = play_out(t.rules, t.codes, y, x, exchanged(layer.state), layer.trick)
        put(values, t.width, lane, code)
        set = next_set(set)


# Rows and lanes run over into the next, which must come after.
cdef void solve_layer(const lattice_t* t, const layer_t* layer, int step) noexcept nogil:
    cdef uint32_t row = bit(layer.n_x) - 1
    for _ in range(t.sets[layer.n_x]):
        if step == 1:
            last_tricks(t, layer, row)
        elif layer.leader == 0:
            x_leads(t, layer, row)
        else:
            y_leads(t, layer, row)
        split_row(t, layer, row)
        row = next_set(row)


# Section 5: the sole foreplacer's last card is played again, one card against one.
cdef void solve_last_again(const lattice_t* t, int state, int leader) noexcept nogil:
    cdef layer_t layer = layer_of(t, state, leader, 1)
    cdef int row
    layer.n_x = layer.n_y = 1
    layer.trick = t.rules.hand_size
    for row in range(t.rules.hand_size):
        last_tricks(t, &layer, bit(row))


cdef void number_cards(lattice_t* t, uint32_t x, uint32_t y) noexcept nogil:
    cdef uint32_t left
    cdef int player, n
    t.hand[0], t.hand[1] = x, y
    for player in range(2):
        left = t.hand[player]
        for n in range(t.rules.hand_size):
            t.card[player][n] = lowest(left)
            t.number[lowest(left)] = n
            left &= left - 1


cdef void solve_deal(lattice_t* t, uint32_t x, uint32_t y) noexcept nogil:
    cdef layer_t layer
    cdef int state, step, leader
    number_cards(t, x, y)
    for step in range(1, t.rules.hand_size + 1):
        for state in range(STATES):
            for leader in range(2):
                if t.values[state][leader] == NULL:
                    continue
                if t.again[state] and step == 1:
                    solve_last_again(t, state, leader)
                if step <= t.rules.hand_size - (foreplacers(state) != 0):
                    layer = layer_of(t, state, leader, step)
                    solve_layer(t, &layer, step)


# --- Look-up -------------------------------------------------------------------------------------

cdef inline uint32_t numbers_of(const lattice_t* t, uint32_t cards) noexcept nogil:
    cdef uint32_t numbers = 0
    while cards:
        numbers |= bit(t.number[lowest(cards)])
        cards &= cards - 1
    return numbers


cdef int look_up(const void* lattice, const position_t* p) noexcept nogil:
    cdef const lattice_t* t = <const lattice_t*>lattice
    cdef int leader = p.to_move, state = state_of(p), code
    cdef uint32_t row = numbers_of(t, p.hand[0]), lane = t.rank[numbers_of(t, p.hand[1])]
    cdef const char* values
    if leader == 1:
        state = exchanged(state)
    if foreplacers(state) == OWN | OTHER and t.both_as_plain:
        state &= TOKEN
    values = row_of(t, state, leader, count(p.hand[0]), count(p.hand[1]), t.rank[row])
    code = (<const int8_t*>values)[lane] if t.width == 1 else (<const int16_t*>values)[lane]
    return margin_of(t.codes, code)


# --- Lattice -------------------------------------------------------------------------------------

cdef class Lattice:
    """All positions of one deal at a time.

    Any number of threads may look up; while one solves another deal, they wait.

    Arguments:
        rules: the compiled variant.

    Raises:
        ValueError: the deck has more than 24 cards; MATECORE_LANES names no path that runs here.
        MemoryError: there is no memory for the positions of a deal.

    >>> from matecore import Lattice, Position, Rules
    >>> rules = Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10])
    >>> lattice = Lattice(rules)
    >>> lattice.solve(0b0110, 0b1001)
    >>> lattice.values(Position(rules, 0b0110, 0b1001))
    [(1, 0), (2, 0)]
    """

    def __cinit__(self, Rules rules not None):
        if rules.c.hand_size > MOST_IN_HAND:
            raise ValueError(
                f"hands of {rules.c.hand_size} cards; a deal is solved as a whole with up to "
                f"{MOST_IN_HAND}"
            )
        cdef const lanes_t* lanes = chosen_lanes()
        fill_codes(&self.codes, rules)
        if self.codes.n > BYTE_CODES:
            lanes = &lanes_two_bytes
        self.rules = rules
        self.lock = threading.Lock()
        self.c.rules, self.c.codes = &rules.c, &self.codes
        self.c.lanes, self.c.width = lanes, lanes.width
        self.c.both_as_plain = rules.c.foreplace and both_is_plain(&rules.c)
        self.number_sets()
        self.allocate()

    def __dealloc__(self):
        free(self.memory)

    # The sets of so many cards in their order: ranks, and which of them hold a card.
    cdef void number_sets(self) noexcept:
        cdef int size = self.rules.c.hand_size, n, card
        cdef uint32_t set, lane
        for n in range(size + 1):
            self.c.sets[n] = comb(size, n)
            self.c.sets_without[n] = comb(size - 1, n)
            set = bit(n) - 1
            for lane in range(self.c.sets[n]):
                self.c.rank[set] = lane
                self.c.all[n][lane // BLOCK] |= <uint64_t>1 << lane % BLOCK
                for card in range(size):
                    if set >> card & 1:
                        self.c.with_[n][card][lane // BLOCK] |= <uint64_t>1 << lane % BLOCK
                    else:
                        self.c.without[n][card][lane // BLOCK] |= <uint64_t>1 << lane % BLOCK
                set = next_set(set) if n else 0

    cdef list states(self):
        """Return the states that have positions of their own."""
        cdef const rules_t* r = &self.rules.c
        return [
            state for state in range(STATES)
            if (not foreplacers(state) or r.foreplace)
            and not (foreplacers(state) == OWN | OTHER and self.c.both_as_plain)
            and (not state & TOKEN or r.free_move)
        ]

    # Gives each layer its offset; returns the sizes of a table of values and of the splits.
    cdef tuple measure(self, int state):
        cdef int step
        cdef layer_t layer
        cdef size_t size = 0, split = 0
        self.c.again[state] = foreplacers(state) in (OWN, OTHER) and self.rules.c.last_card_twice
        if self.c.again[state]:
            size = self.c.sets[1] * self.c.sets[1]
        for step in range(1, self.rules.c.hand_size + 1 - (foreplacers(state) != 0)):
            layer = layer_of(&self.c, state, 0, step)
            self.c.offset[state][layer.n_x][layer.n_y] = size
            size += self.c.sets[layer.n_x] * <size_t>self.c.sets[layer.n_y]
            split = max(
                split, <size_t>self.c.sets[layer.n_x] * self.rules.c.hand_size
                * self.c.sets_without[layer.n_y]
            )
        return size * self.c.width + ROOM * 2, split * self.c.width + ROOM * 2

    cdef int allocate(self) except -1:
        cdef size_t size, split
        cdef int i
        cdef char* place
        sizes = {state: self.measure(state) for state in self.states()}
        self.n_bytes = sum(2 * size + 8 * split for size, split in sizes.values())
        self.memory = place = <char*>calloc(self.n_bytes, 1)
        if self.memory == NULL:
            raise MemoryError(f"no memory for the {self.n_bytes:,} bytes of a deal")
        for state, (size, split) in sizes.items():
            for i in range(2):
                self.c.values[<int>state][i] = place
                place += size
            for i in range(8):
                self.c.split[<int>state][i >> 2][i >> 1 & 1][i & 1] = place
                place += split
        return 0

    # --- Queries ---

    @property
    def size(self):
        """The bytes it holds."""
        return self.n_bytes

    @property
    def hands(self):
        """The deal that is solved, the masks of X and Y; both 0 before the first."""
        with self.lock:
            return self.c.hand[0], self.c.hand[1]

    def value(self, Position position not None):
        """Return the exact margin for the player to act in any position of the deal.

        Raises:
            ValueError: the position is of another variant or another deal.
        """
        cdef position_t p
        with self.lock:
            p = self.begin(position)
            return value_of(&self.rules.c, &p, look_up, &self.c)

    def values(self, Position position not None):
        """Return the legal actions with the exact margins they bring the player who takes them.

        Of neighbouring copies of a card only the lowest is among them.

        Raises:
            ValueError: the position is of another variant or another deal.
        """
        cdef position_t p
        cdef moves_t moves
        cdef int action
        found = []
        with self.lock:
            p = self.begin(position)
            moves = distinct_moves(&self.rules.c, &p)
            while True:
                action = next_action(&self.rules.c, &moves)
                if action == ILLEGAL:
                    return found
                found.append((action, value_after(&self.rules.c, &p, action, look_up, &self.c)))

    def line(self, Position position not None):
        """Return the actions of best play to the end of the game, of equals the first.

        Raises:
            ValueError: the position is of another variant or another deal.
        """
        cdef position_t p
        cdef int action
        found = []
        with self.lock:
            p = self.begin(position)
            while True:
                action = best_action(&self.rules.c, &p, look_up, &self.c)
                if action == ILLEGAL:
                    return found
                found.append(action)
                play(&self.rules.c, &p, action)

    cdef position_t begin(self, Position position) except *:
        cdef position_t p = position.state()
        if position.rules != self.rules:
            raise ValueError("the position is of another variant")
        if p.hand[0] & ~self.c.hand[0] or p.hand[1] & ~self.c.hand[1]:
            raise ValueError("the position is of another deal")
        return p

    # --- Actions ---

    def solve(self, uint32_t x, uint32_t y):
        """Solve all positions of a deal; those of the deal before are forgotten.

        Arguments:
            x, y: the hands of X and Y as masks.

        Raises:
            ValueError: the hands do not halve the deck.
        """
        if x ^ y != self.rules.c.deck or x & y or count(x) != self.rules.c.hand_size:
            raise ValueError(f"{x:#x} and {y:#x} do not halve the deck")
        with self.lock:
            with nogil:
                solve_deal(&self.c, x, y)
