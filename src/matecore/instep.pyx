"""Games played in step, each drawing from the stream of its unit."""

from libc.math cimport isfinite
from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from matecore.cards cimport fill_places, places_t
from matecore.codes cimport state_of
from matecore.dealing cimport deals_t, fill_deals, random_hand
from matecore.lanes cimport uses_bits
from matecore.policy cimport Policy, choose, needs_values, policy_t, source_t
from matecore.rng cimport begin_stream, stream_t, word64
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
    const rules_t* rules, const position_t* p, const places_t* places, const policy_t* policy,
    const source_t* source, stream_t* stream
) noexcept nogil:
    cdef position_t position = p[0]  # a copy that no signal handler plays on
    cdef moves_t moves = distinct_moves(rules, &position)
    if not has_move(&moves):
        return BEYOND
    return choose(rules, places, policy, source, &position, &moves, stream)


cdef Py_ssize_t choose_rows(
    const vector_t* v, const rules_t* rules, stream_t* streams, const places_t* places,
    const policy_t* policy, const source_t* source, const picked_t* picked, int64_t* out
) noexcept nogil:
    cdef Py_ssize_t i
    cdef int64_t row
    cdef int action
    for i in range(picked.n):
        row = row_at(picked, i)
        if not 0 <= row < v.n:
            return i
        action = choose_one(rules, &v.position[row], places, policy, source, &streams[row])
        if action == BEYOND:
            return i
        out[i] = action
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
    const vector_t* v, const rules_t* rules, stream_t* streams, const picked_t* picked,
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
        out[i] = sampled(own, n, total, word64(&streams[row]))
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

    Raises:
        ValueError, MemoryError: as `Vector`.

    >>> import numpy
    >>> from matecore import Policy, Rules
    >>> games = InStep(Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10]), 2)
    >>> deals, rows = numpy.empty((2, 2), numpy.uint32), numpy.arange(2)
    >>> games.begin(rows, deals, numpy.zeros(2, numpy.int8), seed=1)
    >>> actions = numpy.empty(2, numpy.int64)
    >>> games.choose(rows, Policy(2), actions)
    >>> games.step(rows, actions)
    """

    def __cinit__(self, Rules rules not None, Py_ssize_t n):
        self.streams = <stream_t*>calloc(n, sizeof(stream_t))
        self.deals = <deals_t*>calloc(1, sizeof(deals_t))
        if self.streams == NULL or self.deals == NULL:
            raise MemoryError(f"no memory for {n} streams")
        fill_places(&self.places, uses_bits())
        fill_deals(self.deals, &rules.c)

    def __dealloc__(self):
        free(self.streams)
        free(self.deals)

    def __reduce__(self):
        raise TypeError("games in step are not pickled")

    # --- Actions ---

    def begin(
        self, const int64_t[::1] rows, uint32_t[:, ::1] deals not None,
        const int8_t[::1] leaders not None, *, uint64_t seed=0, uint64_t stream=0,
        uint64_t first=0, bint draw=True,
    ):
        """Begin a game and its stream in each row, that of unit first + i in rows[i].

        Arguments:
            rows, leaders: as of `reset`.
            deals: uint32 of shape (k, 2), are drawn and written.
            seed, stream, first: of the random numbers, 0..2^64-1; see `SelfPlay`.
            draw: False if the deals are given.

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
                begin_stream(&self.streams[row], seed, stream, first + <uint64_t>i)
                if draw:
                    deals[i, 0] = random_hand(self.deals, &self.streams[row])
                    deals[i, 1] = self.deals.deck ^ deals[i, 0]
            self.reset(rows, deals, leaders)

    def choose(
        self, const int64_t[::1] rows, Policy policy not None, int64_t[::1] out not None,
        Tablebase tablebase=None,
    ):
        """Write what a policy plays in each row; it draws from the streams.

        Arguments:
            rows: int64 of shape (k,), or None for all; games that are not over.
            out: int64 of shape (k,), actions, is written.
            tablebase: where exact values come from; None for searching them.

        Raises:
            ValueError: a shape or dtype is wrong, a row is none or over, or the tablebase is of
                another variant.
            DamagedTable: a block of the tablebase that was looked at is not what was written.
        """
        cdef picked_t picked = self.pick(rows)
        cdef Py_ssize_t wrong = FINE
        cdef source_t source
        if out.shape[0] != picked.n:
            raise ValueError(f"out must have the shape {(picked.n,)}")
        if picked.n == 0:
            return
        with self.lock:
            source = self.source_for(policy, tablebase)
            with nogil:
                wrong = choose_rows(
                    &self.c, &self.rules.c, self.streams, &self.places, &policy.c, &source,
                    &picked, &out[0]
                )
            if tablebase is not None:
                tablebase.end()
            if self.solver is not None:
                self.solver.end()
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
                &self.c, &self.rules.c, self.streams, &picked, &probabilities[0, 0], &out[0],
                &wrong
            )
        if index != FINE and wrong == BEYOND:
            self.end(index)
        if index != FINE:
            raise BadProbabilities(index, wrong if wrong < n else None)

    # --- Exact values ---

    cdef source_t source_for(self, Policy policy, Tablebase tablebase) except *:
        cdef source_t source
        memset(&source, 0, sizeof(source))
        if tablebase is not None:
            if tablebase.rules != self.rules:
                raise ValueError("the tablebase is of another variant")
            source.look_up, source.table = look_up, &tablebase.c
        elif needs_values(&policy.c):
            if self.solver is None:
                self.solver = Solver(self.rules, TABLE_BITS)
            source.look_up, source.table = search, &self.solver.c
        return source
