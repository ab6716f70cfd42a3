"""Exact search of positions and of whole deals."""

import operator
import threading

from libc.stdint cimport int16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from matecore.cards cimport bit, highest64, holds, lowest, prefetch
from matecore.position cimport Position
from matecore.rules cimport (
    DECLARED, ILLEGAL, MAX_HAND, MAX_MARGIN, NONE, UNDECIDED, Rules, all_played, answered, distinct,
    distinct_moves, forced_replies, foreplace, foreplaceable, halves_the_deck, has_foreplaced,
    last_trick, lead_wins, margin, moves_t, next_action, opening, play, position_t, replies, reply,
    rules_t, stays,
)
from matecore.signals cimport check_signals

cdef extern from "Python.h":
    void* error_is_set "PyErr_Occurred" () noexcept

cdef enum:
    CLASSES = 4             # of leads, by how little they leave the follower
    BETWEEN_POLLS = 65536   # nodes, a few milliseconds


# --- The table -----------------------------------------------------------------------------------

cdef inline entry_t* entry_of(
    const solver_t* solver, uint32_t leader, uint32_t follower, int state
) noexcept nogil:
    cdef uint64_t key = <uint64_t>leader << 32 | follower
    key += <uint64_t>state * <uint64_t>0xD6E8FEB86659FD93
    return solver.table + (key * <uint64_t>0x9E3779B97F4A7C15 >> solver.shift)


cdef inline bint is_for(
    const entry_t* entry, uint32_t leader, uint32_t follower, int state
) noexcept nogil:
    return entry.leader == leader and entry.follower == follower and entry.state == <uint32_t>state


cdef inline void store(
    entry_t* entry, uint32_t leader, uint32_t follower, int state, int value, int beta
) noexcept nogil:
    if not is_for(entry, leader, follower, state):
        entry.leader, entry.follower, entry.state = leader, follower, state
        entry.lower, entry.upper = -UNBOUNDED, UNBOUNDED
    if value >= beta:
        entry.lower = value
    else:
        entry.upper = value


# --- Between tricks ------------------------------------------------------------------------------

cdef inline bint halted(const solver_t* solver) noexcept nogil:
    return solver.stopped or solver.interrupted


cdef void poll(solver_t* solver) noexcept nogil:
    with gil:
        if check_signals() != 0:
            solver.interrupted = True


# What a margin is worth, to the player whose it is.
cdef inline int worth_of(const solver_t* solver, int points, bint is_first) noexcept nogil:
    if solver.worth == NULL:
        return points
    return solver.worth[points] if is_first else -solver.worth[-points]


# The best that leads which mate bring; -UNBOUNDED without any.
cdef inline int best_mate(
    const solver_t* solver, uint32_t mates, int weight, int state
) noexcept nogil:
    cdef const rules_t* rules = solver.rules
    cdef int points = -1, best = -UNBOUNDED
    if solver.worth != NULL:
        while mates:
            points = rules.points[lowest(mates)]
            best = max(best, worth_of(solver, points * weight, state & FIRST))
            mates &= mates - 1
        return best
    while mates:
        points = max(points, rules.points[lowest(mates)])
        mates &= mates - 1
    return points * weight if points >= 0 else -UNBOUNDED


# Class 3 has one reply and it loses, class 2 one reply, class 1 replies that all lose.
cdef inline void sort_leads(
    const rules_t* rules, uint32_t leads, uint32_t follower, uint64_t* classes
) noexcept nogil:
    cdef uint64_t codes = distinct(rules, leads), one
    cdef uint32_t forced
    cdef int code, kind
    codes |= (codes & rules.declarable) << DECLARED
    for kind in range(CLASSES):
        classes[kind] = 0
    while codes:
        code = highest64(codes)
        one = <uint64_t>1 << code
        codes ^= one
        forced = forced_replies(rules, code, follower)
        kind = 2 * (forced & (forced - 1) == 0) + (forced & ~rules.loses[code % DECLARED] == 0)
        classes[kind] |= one


# Of the replies left: spend the free move first, win the trick first, play the lowest card first.
cdef inline int next_reply(
    const rules_t* rules, int code, uint32_t forced, uint32_t left
) noexcept nogil:
    if left & ~forced:
        left &= ~forced
    if left & ~rules.loses[code % DECLARED]:
        left &= ~rules.loses[code % DECLARED]
    return highest64(left)


# A bound on the leader's margin: at least `beta` if the margin is, else below it (fail-soft).
# Here is all that needs no moves: the best mate, then the table. Half of all positions go no
# further.
cdef int search(
    solver_t* solver, uint32_t leader, uint32_t follower, int state, int trick, int beta
) noexcept nogil:
    cdef const rules_t* rules = solver.rules
    cdef entry_t* entry = entry_of(solver, leader, follower, state)
    prefetch(entry)
    cdef uint32_t leads = leader & answered(rules, follower)
    cdef int weight = rules.weight[state & OWN][(state & OTHER) >> 1][trick]
    cdef int best = best_mate(solver, leader & ~leads, weight, state)
    if trick == solver.last[foreplacers(state)]:
        return max(best, worth_of(solver, 0, state & FIRST)) if leads else best
    if best >= beta:
        return best
    if is_for(entry, leader, follower, state):
        if entry.lower >= beta:
            return entry.lower
        if entry.upper < beta:
            return entry.upper
    return expand(solver, leader, follower, state, trick, beta, leads, best)


# The same by trying the leads that do not mate; `best` is what those that do would give.
cdef int expand(
    solver_t* solver, uint32_t leader, uint32_t follower, int state, int trick, int beta,
    uint32_t leads, int best,
) noexcept nogil:
    cdef const rules_t* rules = solver.rules
    cdef bint own = foreplacers(state) & OWN, other = foreplacers(state) & OTHER
    cdef uint32_t kept = leader if stays(rules, own, other, trick) else 0
    cdef uint32_t kept_by_follower = follower if stays(rules, other, own, trick) else 0
    cdef uint64_t[CLASSES] classes
    cdef uint32_t forced, left, after, rest
    cdef int worst, value, code, card, next_state, kind = CLASSES - 1

    solver.nodes += 1
    if solver.nodes % BETWEEN_POLLS == 0:
        poll(solver)
    if halted(solver):
        return 0

    sort_leads(rules, leads, follower, classes)
    while best < beta:
        while kind >= 0 and not classes[kind]:
            kind -= 1
        if kind < 0:
            break
        code = highest64(classes[kind])
        classes[kind] ^= <uint64_t>1 << code
        after = leader & ~bit(code % DECLARED) | kept
        forced = forced_replies(rules, code, follower)
        left = distinct(rules, replies(rules, code, follower, state & TOKEN))
        worst = UNBOUNDED
        while left and worst >= beta:
            card = next_reply(rules, code, forced, left)
            left ^= bit(card)
            rest = follower & ~bit(card) | kept_by_follower
            next_state = state if holds(forced, card) else state & ~TOKEN
            if lead_wins(rules, code, card):
                value = search(solver, after, rest, next_state, trick + 1, beta)
            else:
                next_state = exchanged(next_state) ^ solver.sided
                value = -search(solver, rest, after, next_state, trick + 1, 1 - beta)
            worst = min(worst, value)
        best = max(best, worst)

    if not halted(solver):
        store(entry_of(solver, leader, follower, state), leader, follower, state, best, beta)
    return best


# --- Any position --------------------------------------------------------------------------------

# Each of the functions below is as `search`, for the player to act.

cdef int bound_lead(solver_t* solver, const position_t* p, int beta) noexcept nogil:
    cdef int leader = p.to_move
    cdef int state = TOKEN if p.free else 0
    if has_foreplaced(p, leader):
        state |= OWN
    if has_foreplaced(p, 1 - leader):
        state |= OTHER
    if leader == 0:
        state |= solver.sided
    return search(solver, p.hand[leader], p.hand[1 - leader], state, p.trick, beta)


# What a game that is over is worth to the player to act.
cdef inline int ended(const solver_t* solver, const position_t* p) noexcept nogil:
    cdef int points = margin(solver.rules, p)
    return worth_of(solver, -points if p.to_move else points, p.to_move == 0)


cdef int bound_reply(solver_t* solver, const position_t* p, int beta) noexcept nogil:
    cdef const rules_t* rules = solver.rules
    cdef uint32_t left = distinct(rules, replies(rules, p.led, p.hand[p.to_move], p.free))
    cdef int best = -UNBOUNDED
    cdef position_t child
    if not left:
        return ended(solver, p)
    while left and best < beta:
        child = p[0]
        reply(rules, &child, lowest(left))
        best = max(best, bound_child(solver, p, &child, beta))
        left &= left - 1
    return best


# The first player tries declining first, the second what refuted the last first card; then both
# low cards. Bit 0 declines, bit i + 1 foreplaces card i.
cdef int bound_foreplacing(solver_t* solver, const position_t* p, int beta) noexcept nogil:
    cdef const rules_t* rules = solver.rules
    cdef uint64_t left = <uint64_t>distinct(rules, foreplaceable(rules, p)) << 1 | 1
    cdef bint is_second = p.fore[1 - p.to_move] != UNDECIDED
    cdef int favourite = solver.answer if is_second else 0
    cdef int best = -UNBOUNDED, choice
    cdef position_t child
    while left and best < beta:
        choice = favourite if left >> favourite & 1 else highest64(left)
        left ^= <uint64_t>1 << choice
        child = p[0]
        foreplace(rules, &child, choice - 1 if choice else NONE)
        best = max(best, bound_child(solver, p, &child, beta))
        if is_second and best >= beta:
            solver.answer = choice
    return best


cdef int bound_child(
    solver_t* solver, const position_t* p, const position_t* child, int beta
) noexcept nogil:
    if child.to_move == p.to_move:
        return bound(solver, child, beta)
    return -bound(solver, child, 1 - beta)


cdef int bound(solver_t* solver, const position_t* p, int beta) noexcept nogil:
    if p.fore[p.to_move] == UNDECIDED:
        return bound_foreplacing(solver, p, beta)
    if p.led != NONE:
        return bound_reply(solver, p, beta)
    if p.trick > solver.horizon or all_played(solver.rules, p):
        return worth_of(solver, 0, p.to_move == 0)
    return bound_lead(solver, p, beta)


# MTD(f): ask until the bounds meet, first about a draw, then about what the last answer gave.
cdef int exact(solver_t* solver, const position_t* position) noexcept nogil:
    cdef int lower = -UNBOUNDED, upper = UNBOUNDED, value = 0, beta
    while lower < upper and not halted(solver):
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
    cdef moves_t moves = distinct_moves(solver.rules, position)
    cdef int value = exact(solver, position), action
    cdef position_t child
    while not halted(solver):
        action = next_action(solver.rules, &moves)
        if action == ILLEGAL:
            return ILLEGAL
        child = position[0]
        play(solver.rules, &child, action)
        if exact_for(solver, &child, position.to_move) == value:
            return action
    return ILLEGAL


# --- Batches -------------------------------------------------------------------------------------

# The first row that is no deal, or -1.
cdef Py_ssize_t solve_deals(
    solver_t* solver, const uint32_t[:, ::1] deals, int16_t[:, ::1] out
) noexcept nogil:
    cdef position_t position
    cdef Py_ssize_t row
    cdef uint32_t x, y
    cdef int leader
    for row in range(deals.shape[0]):
        x, y = deals[row, 0], deals[row, 1]
        if not halves_the_deck(solver.rules, x, y):
            return row
        for leader in range(2):
            position = opening(solver.rules, x, y, leader)
            out[row, leader] = exact(solver, &position)
    return -1


# --- Solver --------------------------------------------------------------------------------------

cdef class Solver:
    """The exact search of one variant, with the table of what it has learnt.

    A solver can be used from any thread, by one at a time; another waits. Its table takes
    16 x 2^table_bits bytes, 1 MB as a rule, so that it fits the second-level cache.

    Arguments:
        rules: the compiled variant.
        table_bits: the binary logarithm of the number of entries in the table, 4..28.
        worth: what is searched for in place of points: given X's margin at the end of the game,
            returns what that is worth to him, and less that to Y, -32766..32766. It is called once
            for each margin that can be. The values of the solver are then of that kind.
        horizon: the last trick that is searched, from 1; a game that is not over with it counts as
            a draw. None for all.

    Raises:
        ValueError: `table_bits`, `horizon` or what a margin is worth is out of range.
        MemoryError: there is no memory for the table.

    >>> from matecore import Position, Rules, Solver
    >>> rules = Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10])
    >>> solver = Solver(rules)
    >>> position = Position(rules, 0b0110, 0b1001)
    >>> solver.value(position), solver.values(position), solver.line(position)
    (0, [(1, 0), (2, 0)], [1, 0, 3, 2])
    """

    def __cinit__(
        self, Rules rules not None, int table_bits=16, *, worth=None, horizon=None
    ):
        cdef int state
        if not 4 <= table_bits <= 28:
            raise ValueError(f"table_bits {table_bits} is not in 4..28")
        if horizon is not None and operator.index(horizon) < 1:
            raise ValueError(f"horizon {horizon} is no trick")
        self.rules, self.worth, self.horizon = rules, worth, horizon
        # A signal handler may ask again while a search of its thread polls: a search has no state
        # of its own in the solver, so that one may run inside another.
        self.lock = threading.RLock()
        self.c.rules = &rules.c
        self.c.shift = 64 - table_bits
        self.c.table = <entry_t*>calloc(<size_t>1 << table_bits, sizeof(entry_t))
        if self.c.table == NULL:
            raise MemoryError(f"no memory for a table of 2^{table_bits} entries")
        self.c.last[0] = last_trick(&rules.c, 0)
        self.c.last[OWN] = self.c.last[OTHER] = last_trick(&rules.c, 1)
        self.c.last[OWN | OTHER] = last_trick(&rules.c, 2)
        self.c.horizon = MAX_HAND if horizon is None else min(<object>MAX_HAND, horizon)
        for state in range(4):
            self.c.last[state] = min(self.c.last[state], self.c.horizon)
        if worth is not None:
            self.weigh()

    def __dealloc__(self):
        free(self.c.table)
        if self.c.worth != NULL:
            free(self.c.worth - MAX_MARGIN)

    def __reduce__(self):
        # What it has learnt stays behind.
        if self.worth is not None or self.horizon is not None:
            raise TypeError("a solver with a worth or a horizon of its own is not pickled")
        return Solver, (self.rules, 64 - self.c.shift)

    cdef position_t begin(self, Position position) except *:
        if position.rules != self.rules:
            raise ValueError("the position is of another variant")
        return position.state()

    # Section 2.7: all margins that can be are made of points and weights.
    cdef int weigh(self) except -1:
        cdef int16_t* table = <int16_t*>calloc(2 * MAX_MARGIN + 1, sizeof(int16_t))
        if table == NULL:
            raise MemoryError("no memory for what margins are worth")
        self.c.worth = table + MAX_MARGIN
        for points in self.rules.margins:
            found = operator.index(self.worth(points))
            if not -UNBOUNDED < found < UNBOUNDED:
                raise ValueError(f"a margin of {points} is worth {found}: beyond {UNBOUNDED - 1}")
            self.c.worth[<int>points] = found
        self.c.sided = FIRST
        return 0

    # Raises what ended a search before its time.
    cdef int end(self) except -1:
        if self.c.interrupted:
            self.c.interrupted = False
            if error_is_set() != NULL:
                return -1
            raise KeyboardInterrupt("a search was interrupted before, and nobody looked")
        if self.c.stopped:
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
        return exact_value(self, &p)

    def values(self, Position position not None):
        """Return the legal actions with the exact margins they bring the player who takes them.

        Of neighbouring copies of a card only the lowest is among them.

        Raises:
            ValueError, RuntimeError: as `value`.
        """
        cdef position_t p = self.begin(position), child
        cdef moves_t moves = distinct_moves(&self.rules.c, &p)
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
        self.c.stopped = True


cdef int exact_value(Solver solver, const position_t* position) except? -32768:
    cdef int value
    with solver.lock:
        with nogil:
            value = exact(&solver.c, position)
        solver.end()
    return value
