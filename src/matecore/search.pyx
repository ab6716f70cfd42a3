"""Exact search of positions and of whole deals."""

import threading

from libc.stdint cimport int16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from matecore.cards cimport bit, count, highest64, holds
from matecore.position cimport Position
from matecore.rules cimport (
    DECLARED, ILLEGAL, NONE, Rules, action_is_legal, distinct, forced_replies, has_foreplaced,
    has_move, last_trick, lead_wins, legal_moves, margin, mate_score, matching, moves_t,
    next_action, opening, play, position_t, rules_t,
)

cdef extern from "Python.h":
    # Without `except`: the exception it leaves is raised when the search has unwound.
    int check_signals "PyErr_CheckSignals" () noexcept

cdef enum:
    SMALLEST_STORED = 3     # with fewer tricks left, searching costs less than looking up
    NO_LEAD = 255
    CLASSES = 5


# --- The table -----------------------------------------------------------------------------------

cdef inline entry_t* entry_of(
    const solver_t* solver, uint32_t leader, uint32_t follower, int state
) noexcept nogil:
    cdef uint64_t key = (<uint64_t>leader << 32 | follower) * <uint64_t>0x9E3779B97F4A7C15
    key = (key ^ key >> 32 ^ <uint64_t>state) * <uint64_t>0xD6E8FEB86659FD93
    return solver.table + (key >> solver.shift)


cdef inline bint is_for(
    const entry_t* entry, uint32_t leader, uint32_t follower, int state
) noexcept nogil:
    return entry.leader == leader and entry.follower == follower and entry.state == state


cdef inline void store(
    entry_t* entry, uint32_t leader, uint32_t follower, int state, int value, int beta, int lead
) noexcept nogil:
    if not is_for(entry, leader, follower, state):
        entry.leader, entry.follower, entry.state = leader, follower, state
        entry.lower, entry.upper, entry.lead = -UNBOUNDED, UNBOUNDED, NO_LEAD
    if value >= beta:
        entry.lower = value
        entry.lead = lead
    else:
        entry.upper = value


# --- Between tricks ------------------------------------------------------------------------------

# The same state, told by the other player.
cdef inline int exchanged(int state) noexcept nogil:
    return (state & TOKEN) | (state & OWN) << 1 | (state & OTHER) >> 1


cdef inline int without_token(int state) noexcept nogil:
    return state & ~TOKEN


cdef void poll(solver_t* solver) noexcept nogil:
    with gil:
        if check_signals() != 0:
            solver.halted |= INTERRUPTED


# The leads by how little they leave the follower, and the best mate's points, or -1: class 3 has
# one reply and it loses, 2 one reply, 1 replies that all lose, 0 the rest; class 4 is the lead the
# table remembers.
cdef inline int sort_leads(
    const rules_t* rules, uint32_t leader, uint32_t follower, int remembered, uint64_t* classes
) noexcept nogil:
    cdef uint64_t todo = distinct(rules, leader), one
    cdef uint32_t answers
    cdef int code, mate = -1, kind
    todo |= (todo & rules.declarable) << DECLARED
    for kind in range(CLASSES):
        classes[kind] = 0
    while todo:
        code = highest64(todo)
        one = <uint64_t>1 << code
        todo ^= one
        answers = forced_replies(rules, code, follower)
        if not answers:
            mate = max(mate, rules.points[code % DECLARED])
            continue
        kind = 2 * (answers & (answers - 1) == 0) + (answers & ~rules.loses[code % DECLARED] == 0)
        classes[4 if code == remembered else kind] |= one
    return mate


# Of the replies still to be tried: spend the free move first, win the trick first, the lowest card
# of what remains first.
cdef inline int next_reply(
    const rules_t* rules, int code, uint32_t forced, uint32_t left
) noexcept nogil:
    if left & ~forced:
        left &= ~forced
    if left & ~rules.loses[code % DECLARED]:
        left &= ~rules.loses[code % DECLARED]
    return highest64(left)


# A bound on the leader's margin: at least `beta` if the value is, else below it (fail-soft).
cdef int search(
    solver_t* solver, uint32_t leader, uint32_t follower, int state, int trick, int beta
) noexcept nogil:
    cdef const rules_t* rules = solver.rules
    cdef int tricks_after = solver.last[state & (OWN | OTHER)] - trick
    cdef entry_t* entry = NULL
    cdef uint64_t[CLASSES] classes
    cdef uint32_t forced, left, kept_by_leader = 0, kept_by_follower = 0, after, rest
    cdef int best, worst, value, code, reply, kind, next_state, lead = NO_LEAD, remembered = NO_LEAD

    solver.nodes += 1
    if solver.nodes % 65536 == 0:
        poll(solver)
    if solver.halted:
        return 0

    if tricks_after >= SMALLEST_STORED - 1:
        entry = entry_of(solver, leader, follower, state)
        if is_for(entry, leader, follower, state):
            if entry.lower >= beta:
                return entry.lower
            if entry.upper < beta:
                return entry.upper
            remembered = entry.lead

    best = sort_leads(rules, leader, follower, remembered, classes)
    if best >= 0:
        best *= rules.weight[state & OWN][(state & OTHER) >> 1][trick]
    else:
        best = -UNBOUNDED if tricks_after else 0
    if best >= beta or not tricks_after:
        return best

    # Section 5: the sole foreplacer's last card stays in his hand for the last trick.
    if tricks_after == 1 and rules.last_card_twice:
        kept_by_leader = leader if state & (OWN | OTHER) == OWN else 0
        kept_by_follower = follower if state & (OWN | OTHER) == OTHER else 0

    for kind in range(CLASSES - 1, -1, -1):
        while classes[kind] and best < beta:
            code = highest64(classes[kind])
            classes[kind] ^= <uint64_t>1 << code
            after = leader & ~bit(code % DECLARED) | kept_by_leader
            forced = left = distinct(rules, forced_replies(rules, code, follower))
            if state & TOKEN:
                left = distinct(rules, matching(rules, code, follower))
            worst = UNBOUNDED
            while left and worst >= beta:
                reply = next_reply(rules, code, forced, left)
                left ^= bit(reply)
                rest = follower & ~bit(reply) | kept_by_follower
                next_state = state if holds(forced, reply) else without_token(state)
                if lead_wins(rules, code, reply):
                    value = search(solver, after, rest, next_state, trick + 1, beta)
                else:
                    next_state = exchanged(next_state)
                    value = -search(solver, rest, after, next_state, trick + 1, 1 - beta)
                worst = min(worst, value)
            if worst > best:
                best = worst
                lead = code

    if entry != NULL and not solver.halted:
        store(entry, leader, follower, state, best, beta, lead)
    return best


# --- Any position --------------------------------------------------------------------------------

cdef int search_between_tricks(
    solver_t* solver, const position_t* p, int beta
) noexcept nogil:
    cdef int leader = p.to_move, state = TOKEN if p.free else 0
    cdef bint own = has_foreplaced(p, leader), other = has_foreplaced(p, 1 - leader)
    cdef int trick = p.trick
    if own and other and solver.both_as_plain:
        trick += 1
    else:
        state |= own * OWN + other * OTHER
    return search(solver, p.hand[leader], p.hand[1 - leader], state, trick, beta)


# Where the decision that was right last time is kept: by what the other player foreplaced.
cdef inline int* favourite_of(solver_t* solver, const position_t* p) noexcept nogil:
    cdef int other = p.fore[1 - p.to_move]
    return &solver.favourite[MAX_CARDS + other - NONE if other >= NONE else other]


# As `search`, for the player to act in any position.
cdef int bound(solver_t* solver, const position_t* p, int beta) noexcept nogil:
    cdef const rules_t* rules = solver.rules
    cdef moves_t moves = legal_moves(rules, p)
    cdef position_t child
    cdef int best = -UNBOUNDED, value, action
    cdef int* favourite = favourite_of(solver, p)
    if not has_move(&moves):
        return margin(rules, p) if p.to_move == 0 else -margin(rules, p)
    if p.led == NONE and not moves.decline:
        return search_between_tricks(solver, p, beta)
    moves.play = distinct(rules, moves.play)
    moves.fore = distinct(rules, moves.fore)
    action = favourite[0]
    if not moves.decline or not action_is_legal(rules, &moves, action):
        action = next_action(rules, &moves)
    while action != ILLEGAL and best < beta:
        child = p[0]
        play(rules, &child, action)
        if child.to_move == p.to_move:
            value = bound(solver, &child, beta)
        else:
            value = -bound(solver, &child, 1 - beta)
        if value > best:
            best = value
            favourite[0] = action
        action = next_action(rules, &moves)
    return best


cdef int exact(solver_t* solver, const position_t* position) noexcept nogil:
    cdef int lower = -UNBOUNDED, upper = UNBOUNDED, value = 0, beta
    while lower < upper and not solver.halted:
        beta = value if value > lower else value + 1
        value = bound(solver, position, beta)
        if value >= beta:
            lower = value
        else:
            upper = value
    return value


# The exact margin, after a move of `player`, for that player.
cdef inline int exact_for(
    solver_t* solver, const position_t* position, int player
) noexcept nogil:
    cdef int value = exact(solver, position)
    return value if position.to_move == player else -value


cdef int best_action(solver_t* solver, const position_t* position) noexcept nogil:
    cdef moves_t moves = legal_moves(solver.rules, position)
    cdef int value = exact(solver, position), action, score
    cdef position_t child
    while not solver.halted:
        action = next_action(solver.rules, &moves)
        if action == ILLEGAL:
            return ILLEGAL
        child = position[0]
        play(solver.rules, &child, action)
        if exact_for(solver, &child, position.to_move) == value:
            return action
    return ILLEGAL


# --- Batches -------------------------------------------------------------------------------------

cdef inline bint halves_the_deck(const rules_t* rules, uint32_t x, uint32_t y) noexcept nogil:
    return x ^ y == rules.deck and x & y == 0 and count(x) == rules.hand_size


# The first row that is no deal, or -1.
cdef Py_ssize_t solve_deals(
    solver_t* solver, const uint32_t[:, ::1] deals, int16_t[:, ::1] out
) noexcept nogil:
    cdef position_t position
    cdef Py_ssize_t row
    cdef int leader
    for row in range(deals.shape[0]):
        if not halves_the_deck(solver.rules, deals[row, 0], deals[row, 1]):
            return row
        for leader in range(2):
            position = opening(solver.rules, deals[row, 0], deals[row, 1], leader)
            out[row, leader] = exact(solver, &position)
    return -1


# --- Solver --------------------------------------------------------------------------------------

cdef class Solver:
    """The exact search of one variant, with the table of what it has learnt.

    A solver can be used from any thread, by one at a time; another waits. It holds
    16 x 2^table_bits bytes, 4 MB as a rule.

    Arguments:
        rules: the compiled variant.
        table_bits: the binary logarithm of the number of entries in the table, 4..32.

    Raises:
        ValueError: `table_bits` is out of range.
        MemoryError: there is no memory for the table.

    >>> from matecore import Position, Rules, Solver
    >>> rules = Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10])
    >>> solver = Solver(rules)
    >>> solver.value(Position(rules, 0b0110, 0b1001)), solver.values(Position(rules, 0b0110, 0b1001))
    (0, [(1, 0), (2, 0)])
    """

    def __cinit__(self, Rules rules not None, int table_bits=18):
        if not 4 <= table_bits <= 32:
            raise ValueError(f"table_bits {table_bits} is not in 4..32")
        self.rules = rules
        self.lock = threading.Lock()
        self.c.rules = &rules.c
        self.c.shift = 64 - table_bits
        self.c.table = <entry_t*>calloc(<size_t>1 << table_bits, sizeof(entry_t))
        if self.c.table == NULL:
            raise MemoryError(f"no memory for a table of 2^{table_bits} entries")
        self.c.last[0] = last_trick(&rules.c, 0)
        self.c.last[OWN] = self.c.last[OTHER] = last_trick(&rules.c, 1)
        self.c.last[OWN | OTHER] = last_trick(&rules.c, 2)
        self.c.both_as_plain = True
        for trick in range(1, rules.c.hand_size):
            if rules.c.weight[1][1][trick] != rules.c.weight[0][0][trick + 1]:
                self.c.both_as_plain = False

    def __dealloc__(self):
        free(self.c.table)

    cdef position_t begin(self, Position position) except *:
        if position.rules != self.rules:
            raise ValueError("the position is of another variant")
        return position.now()[0]

    # Raises what ended a search before its time.
    cdef int end(self) except -1:
        if self.c.halted & INTERRUPTED:
            self.c.halted &= ~INTERRUPTED
            return -1
        if self.c.halted:
            raise RuntimeError("the solver was stopped")
        return 0

    @property
    def nodes(self):
        """Positions between tricks searched so far."""
        return self.c.nodes

    # --- Queries ---

    def value(self, Position position not None):
        """Return the exact margin in points for the player to act, under best play of both.

        Raises:
            ValueError: the position is of another variant.
            RuntimeError: the solver was stopped.
        """
        cdef position_t p = self.begin(position)
        cdef int value
        with self.lock:
            with nogil:
                value = exact(&self.c, &p)
            self.end()
        return value

    def values(self, Position position not None):
        """Return every legal action with the exact margin it brings the player who takes it.

        Raises:
            ValueError, RuntimeError: as `value`.
        """
        cdef position_t p = self.begin(position), child
        cdef moves_t moves = legal_moves(&self.rules.c, &p)
        cdef int action, value
        found = []
        with self.lock:
            while True:
                action = next_action(&self.rules.c, &moves)
                if action == ILLEGAL:
                    return found
                with nogil:
                    child = p
                    play(&self.rules.c, &child, action)
                    value = exact_for(&self.c, &child, p.to_move)
                self.end()
                found.append((action, value))

    def line(self, Position position not None):
        """Return the actions of best play to the end of the game, of equals the first.

        Raises:
            ValueError, RuntimeError: as `value`.
        """
        cdef position_t p = self.begin(position)
        cdef int action
        found = []
        with self.lock:
            while True:
                with nogil:
                    action = best_action(&self.c, &p)
                self.end()
                if action == ILLEGAL:
                    return found
                found.append(action)
                play(&self.rules.c, &p, action)

    def solve(self, const uint32_t[:, ::1] deals not None, int16_t[:, ::1] out not None):
        """Write the exact value of each deal: the leader's margin if X leads, and if Y leads.

        Arguments:
            deals: uint32 of shape (n, 2), C-contiguous, the masks of X and Y.
            out: int16 of shape (n, 2), C-contiguous, is written.

        Raises:
            ValueError: a shape or dtype is wrong, or a row is no deal; rows before it are written.
            RuntimeError: the solver was stopped.
        """
        cdef Py_ssize_t row
        if deals.shape[1] != 2 or out.shape[1] != 2 or deals.shape[0] != out.shape[0]:
            raise ValueError("deals and out must both have the shape (n, 2)")
        with self.lock:
            with nogil:
                row = solve_deals(&self.c, deals, out)
            self.end()
        if row >= 0:
            raise ValueError(f"deals[{row}] do not halve the deck")

    # --- Actions ---

    def stop(self):
        """End the search that runs, in whatever thread, and refuse any other."""
        self.c.halted |= STOPPED
