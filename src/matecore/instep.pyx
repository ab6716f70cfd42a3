"""Games played in step, each drawing from the stream of its unit."""

from libc.math cimport isfinite
from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy

from matecore.cards cimport fill_places
from matecore.codes cimport state_of
from matecore.dealing cimport deals_t, fill_deals, random_hand
from matecore.policy cimport Policy, choose, judged_t, needs_values, policy_t
from matecore.rng cimport stream_of, stream_t, word64
from matecore.rules cimport (
    ILLEGAL, Rules, action_is_legal, distinct_moves, has_move, legal_moves, moves_t, position_t,
    rules_t,
)
from matecore.search cimport Solver, exact, solver_t
from matecore.tablebase cimport Tablebase, margin_between, table_t
from matecore.vector cimport Vector, picked_t, row_at, vector_t

cdef enum:
    TABLE_BITS = 20     # of the search for many games at once: 16 MB
    MOST_NUMBERS = 97   # actions, of a deck of 32 cards
    FINE = -1           # else a row's place in the call, at which the call ends
    BEYOND = -2         # of an action: there is no such row, or nothing to choose in it

# 2^-53: the double of [0, 1) that the high 53 bits of a word make.
cdef double UNIT = 1.0 / (<uint64_t>1 << 53)


# --- Exact values --------------------------------------------------------------------------------

cdef int look_up(const void* table, const position_t* p) noexcept nogil:
    cdef int leader = p.to_move
    return margin_between(<table_t*>table, p.hand[leader], p.hand[1 - leader], state_of(p))


cdef int search(const void* solver, const position_t* p) noexcept nogil:
    return exact(<solver_t*>solver, p)


# --- Kernels -------------------------------------------------------------------------------------

cdef int choose_one(
    instep_t* s, const vector_t* v, const rules_t* rules, const policy_t* policy, int64_t row
) noexcept nogil:
    cdef position_t position
    cdef moves_t moves
    cdef judged_t judged
    if not 0 <= row < v.n:
        return BEYOND
    position = v.position[row]
    moves = distinct_moves(rules, &position)
    if not has_move(&moves):
        return BEYOND
    judged.n = 0
    return choose(
        rules, &s.places, policy, &s.source, &position, &moves, &judged, &s.streams[row]
    )


cdef Py_ssize_t choose_rows(
    instep_t* s, const vector_t* v, const rules_t* rules, const policy_t* policy,
    const picked_t* picked, int64_t* out
) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(picked.n):
        out[i] = choose_one(s, v, rules, policy, row_at(picked, i))
        if out[i] == BEYOND:
            return i
    return FINE


# The sum of probabilities, or of the first `n`; NaN if one of those is none, or not for a legal
# action, and `n` is then where.
cdef double sum_of(
    const rules_t* rules, const moves_t* moves, const double* weights, int* n
) noexcept nogil:
    cdef double total = 0
    cdef int action
    for action in range(n[0]):
        if not (weights[action] >= 0 and isfinite(weights[action])) or (
            weights[action] > 0 and not action_is_legal(rules, moves, action)
        ):
            n[0] = action
            return -1
        total += weights[action]
    return total


# The first action whose share of the sum is not exceeded.
cdef int sampled(const double* weights, int n, double total, uint64_t word) noexcept nogil:
    cdef double aim = <double>(word >> 11) * UNIT * total, passed = 0
    cdef int action, last = ILLEGAL
    for action in range(n):
        if weights[action] > 0:
            last = action
            passed += weights[action]
            if passed > aim:
                break
    return last


cdef Py_ssize_t sample_rows(
    instep_t* s, const vector_t* v, const rules_t* rules, const picked_t* picked,
    const double* weights, int64_t* out, int* wrong
) noexcept nogil:
    cdef double[MOST_NUMBERS] own  # a copy that no other thread changes
    cdef double total
    cdef int n = 3 * rules.n_cards + 1
    cdef Py_ssize_t i
    cdef int64_t row
    cdef moves_t moves
    for i in range(picked.n):
        row = row_at(picked, i)
        wrong[0] = BEYOND
        if not 0 <= row < v.n:
            return i
        memcpy(own, weights + i * n, n * sizeof(double))
        moves = legal_moves(rules, &v.position[row])
        wrong[0] = n
        total = sum_of(rules, &moves, own, wrong)
        if not (total > 0 and isfinite(total)):
            return i
        out[i] = sampled(own, n, total, word64(&s.streams[row]))
    return FINE


# --- InStep --------------------------------------------------------------------------------------

class BadProbabilities(ValueError):
    """Probabilities that no action can be drawn by.

    Attributes:
        index: their place among those of the call.
        action: the action whose probability is negative, not finite, or not 0 while the action is
            not legal; None if they sum to 0 or beyond what is finite.
    """

    def __init__(self, index, action=None):
        super().__init__(index, action)
        self.index, self.action = index, action

    def __str__(self):
        if self.action is None:
            return f"probabilities[{self.index}]: their sum is 0 or not finite"
        return (
            f"probabilities[{self.index}]: that of action {self.action} is negative, not finite,"
            " or above 0 where it is not legal"
        )


cdef class InStep(Vector):
    """A vector whose rows draw random numbers, each from the stream of its unit.

    Arguments:
        rules, n: as of `Vector`.
        tablebase: where exact values come from; None for searching them.
        seed, number: the key of the streams, 0..2^64-1; see `SelfPlay`, where the second is called
            stream.

    Raises:
        ValueError: `n` is out of range, or the tablebase is of another variant.
        MemoryError: there is no memory.

    >>> import numpy
    >>> from matecore import Policy, Rules
    >>> games = InStep(Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10]), 2, seed=1)
    >>> deals, rows = numpy.empty((2, 2), numpy.uint32), numpy.arange(2)
    >>> games.begin(rows, 0, deals, numpy.zeros(2, numpy.int8))
    >>> actions = numpy.empty(2, numpy.int64)
    >>> games.choose(rows, Policy(2), actions)
    >>> games.step(rows, actions)
    """

    def __cinit__(
        self, Rules rules not None, Py_ssize_t n, Tablebase tablebase=None, *, uint64_t seed=0,
        uint64_t number=0,
    ):
        if tablebase is not None and tablebase.rules != rules:
            raise ValueError("the tablebase is of another variant")
        self.tablebase = tablebase
        self.s.seed, self.s.number = seed, number
        self.s.streams = <stream_t*>calloc(n, sizeof(stream_t))
        self.s.deals = <deals_t*>calloc(1, sizeof(deals_t))
        if self.s.streams == NULL or self.s.deals == NULL:
            raise MemoryError(f"no memory for {n} streams")
        fill_places(&self.s.places)
        fill_deals(self.s.deals, &rules.c)

    def __dealloc__(self):
        free(self.s.streams)
        free(self.s.deals)

    # --- Actions ---

    def begin(
        self, const int64_t[::1] rows, uint64_t first, uint32_t[:, ::1] deals not None,
        const int8_t[::1] leaders not None, *, bint draw=True,
    ):
        """Begin a game and its stream in each row, that of unit first + i in rows[i].

        Arguments:
            rows, leaders: as of `reset`.
            deals: uint32 of shape (k, 2), are drawn and written.
            draw: False if they are given.

        Raises:
            ValueError: as `reset`; streams may have begun.
        """
        cdef picked_t picked = self.pick(rows)
        cdef Py_ssize_t i
        cdef int64_t row
        if deals.shape[0] != picked.n or deals.shape[1] != 2:
            raise ValueError(f"deals must have the shape {(picked.n, 2)}")
        with self.lock:
            for i in range(picked.n):
                row = row_at(&picked, i)
                if not 0 <= row < self.c.n:
                    break
                self.s.streams[row] = stream_of(self.s.seed, self.s.number, first + <uint64_t>i)
                if draw:
                    deals[i, 0] = random_hand(self.s.deals, &self.s.streams[row])
                    deals[i, 1] = self.s.deals.deck ^ deals[i, 0]
            self.reset(rows, deals, leaders)

    def choose(self, const int64_t[::1] rows, Policy policy not None, int64_t[::1] out not None):
        """Write what a policy plays in each row; it draws from the streams.

        Arguments:
            rows: int64 of shape (k,), or None for all; games that are not over.
            out: int64 of shape (k,), actions, is written.

        Raises:
            ValueError: a shape or dtype is wrong, or a row is none or over.
            DamagedTable: a block of the tablebase that was looked at is not what was written.
        """
        cdef picked_t picked = self.pick(rows)
        cdef Py_ssize_t wrong = FINE
        if out.shape[0] != picked.n:
            raise ValueError(f"out must have the shape {(picked.n,)}")
        if picked.n == 0:
            return
        with self.lock:
            if needs_values(&policy.c):
                self.take_values()
            with nogil:
                wrong = choose_rows(
                    &self.s, &self.c, &self.rules.c, &policy.c, &picked, &out[0]
                )
            self.end_values()
        if wrong != FINE:
            raise ValueError(f"rows[{wrong}] is no row of {self.c.n}, or its game is over")

    def sample(
        self, const int64_t[::1] rows, const double[:, ::1] probabilities not None,
        int64_t[::1] out not None,
    ):
        """Write an action for each row, drawn by probabilities with one word of its stream.

        Arguments:
            rows: int64 of shape (k,), or None for all.
            probabilities: float64 of shape (k, 3N + 1), 0 for what is not legal; they need not
                sum to 1.
            out: int64 of shape (k,), actions, is written.

        Raises:
            BadProbabilities: (a ValueError) a row of them is none.
            ValueError: a shape or dtype is wrong, or there is no such row.
        """
        cdef picked_t picked = self.pick(rows)
        cdef Py_ssize_t index = FINE
        cdef int wrong = 0, n = self.rules.n_actions
        if out.shape[0] != picked.n:
            raise ValueError(f"out must have the shape {(picked.n,)}")
        if (probabilities.shape[0], probabilities.shape[1]) != (picked.n, n):
            raise ValueError(f"probabilities must have the shape {(picked.n, n)}")
        if picked.n == 0:
            return
        with self.lock, nogil:
            index = sample_rows(
                &self.s, &self.c, &self.rules.c, &picked, &probabilities[0, 0], &out[0], &wrong
            )
        if index != FINE and wrong == BEYOND:
            self.end(index)
        if index != FINE:
            raise BadProbabilities(index, wrong if wrong < n else None)

    # --- Exact values ---

    cdef int take_values(self) except -1:
        if self.s.source.table != NULL:
            return 0
        if self.tablebase is not None:
            self.s.source.look_up = look_up
            self.s.source.table = &self.tablebase.c
        else:
            self.solver = Solver(self.rules, TABLE_BITS)
            self.s.source.look_up = search
            self.s.source.table = &self.solver.c
        return 0

    cdef int end_values(self) except -1:
        if self.tablebase is not None:
            self.tablebase.end()
        if self.solver is not None:
            self.solver.end()
        return 0
