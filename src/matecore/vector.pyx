"""Many positions of one variant, played in step."""

import threading

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint32_t
from libc.stdlib cimport calloc, free

from matecore.observation cimport PLANES as PLANES_OF_ALL, observe, write_legal
from matecore.position cimport position_at
from matecore.rules cimport (
    Rules, action_is_legal, halves_the_deck, is_over, legal_moves, margin, moves_t,
    opening, play, position_t, rules_t,
)

PLANES = PLANES_OF_ALL
MOST_ROWS = 1 << 22

cdef enum:
    FINE = -1           # else a row's place in the call, at which the call ends


# --- Kernels -------------------------------------------------------------------------------------

# Takes a row for the call, if there is such a row and it is not taken.
cdef inline bint take(vector_t* v, int64_t row, Py_ssize_t i) noexcept nogil:
    if not 0 <= row < v.n or v.taken[row]:
        return False
    v.taken[row] = True
    v.row[i] = row
    return True


# Ends a call that has taken `n` rows, and changes them if it is fine.
cdef void commit(vector_t* v, Py_ssize_t n, bint fine) noexcept nogil:
    cdef Py_ssize_t i
    for i in range(n):
        v.taken[v.row[i]] = False
        if fine:
            v.position[v.row[i]] = v.next[i]


cdef Py_ssize_t reset_rows(
    vector_t* v, const rules_t* rules, const picked_t* picked, const uint32_t* deals,
    const int8_t* leaders
) noexcept nogil:
    cdef Py_ssize_t i, taken = 0, wrong = FINE
    cdef uint32_t x, y
    cdef int leader
    for i in range(picked.n):
        x, y, leader = deals[2 * i], deals[2 * i + 1], leaders[i]
        if not (halves_the_deck(rules, x, y) and 0 <= leader <= 1):
            wrong = i
            break
        if not take(v, row_at(picked, i), i):
            wrong = i
            break
        taken += 1
        v.next[i] = opening(rules, x, y, leader)
    commit(v, taken, wrong == FINE)
    return wrong


cdef Py_ssize_t step_rows(
    vector_t* v, const rules_t* rules, const picked_t* picked, const int64_t* actions,
    bint* is_illegal
) noexcept nogil:
    cdef Py_ssize_t i, taken = 0, wrong = FINE
    cdef int64_t action
    cdef moves_t moves
    for i in range(picked.n):
        if not take(v, row_at(picked, i), i):
            wrong = i
            break
        taken += 1
        action = actions[i]
        v.next[i] = v.position[v.row[i]]
        moves = legal_moves(rules, &v.next[i])
        if not 0 <= action <= 3 * rules.n_cards or not action_is_legal(rules, &moves, <int>action):
            is_illegal[0] = True
            wrong = i
            break
        play(rules, &v.next[i], <int>action)
    commit(v, taken, wrong == FINE)
    return wrong


cdef Py_ssize_t observe_rows(
    const vector_t* v, const rules_t* rules, const picked_t* picked, uint8_t* out
) noexcept nogil:
    cdef Py_ssize_t i
    cdef int64_t row
    for i in range(picked.n):
        row = row_at(picked, i)
        if not 0 <= row < v.n:
            return i
        observe(rules, &v.position[row], out + i * PLANES_OF_ALL * rules.n_cards)
    return FINE


cdef Py_ssize_t write_legal_rows(
    const vector_t* v, const rules_t* rules, const picked_t* picked, uint8_t* out
) noexcept nogil:
    cdef Py_ssize_t i
    cdef int64_t row
    for i in range(picked.n):
        row = row_at(picked, i)
        if not 0 <= row < v.n:
            return i
        write_legal(rules, &v.position[row], out + i * (3 * rules.n_cards + 1))
    return FINE


# --- Vector --------------------------------------------------------------------------------------

class IllegalAction(ValueError):
    """An action that is not legal in its row.

    Attributes:
        index: its place among the actions of the call.
        row: the row of the vector.
        action: the action.
    """

    def __init__(self, index, row, action):
        super().__init__(index, row, action)
        self.index, self.row, self.action = index, row, action

    def __str__(self):
        return f"row {self.row}: action {self.action} is not legal"


cdef class Vector:
    """Many positions of one variant, for games that are played in step.

    Any thread may use it; one waits for another. All arrays are C-contiguous, and what is written
    goes into arrays of the caller's. Where rows can be named, they are int64 of shape (k,), or
    None for all in order, k = n. Nothing is changed by a call that raises.

    Arguments:
        rules: the compiled variant.
        n: how many positions, 1..2^22. Each is at first the opening in which X holds the first
            half of the deck and leads.

    Raises:
        ValueError: `n` is out of range.
        MemoryError: there is no memory.

    >>> import numpy
    >>> from matecore import Rules
    >>> vector = Vector(Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10]), 2)
    >>> vector.step(None, numpy.array([0, 1]))
    >>> legal = numpy.empty((2, 13), numpy.uint8)
    >>> vector.legal(None, legal)
    >>> legal.nonzero()[1].tolist()
    [2, 3]
    """

    def __cinit__(self, Rules rules not None, Py_ssize_t n):
        cdef Py_ssize_t row
        cdef uint32_t half = (<uint32_t>1 << rules.c.hand_size) - 1
        if not 1 <= n <= MOST_ROWS:
            raise ValueError(f"n {n} is not in 1..{MOST_ROWS}")
        self.rules = rules
        # A signal handler may call again while a search in `InStep` polls.
        self.lock = threading.RLock()
        self.c.n = n
        self.c.position = <position_t*>calloc(n, sizeof(position_t))
        self.c.row = <int64_t*>calloc(n, sizeof(int64_t))
        self.c.next = <position_t*>calloc(n, sizeof(position_t))
        self.c.taken = <uint8_t*>calloc(n, sizeof(uint8_t))
        if not (self.c.position and self.c.row and self.c.next and self.c.taken):
            raise MemoryError(f"no memory for {n} positions")
        for row in range(n):
            self.c.position[row] = opening(&rules.c, half, rules.c.deck ^ half, 0)

    def __dealloc__(self):
        free(self.c.position)
        free(self.c.row)
        free(self.c.next)
        free(self.c.taken)

    def __len__(self):
        return self.c.n

    def __reduce__(self):
        raise TypeError("a vector is not pickled")

    # --- Queries ---

    def observe(self, const int64_t[::1] rows, uint8_t[:, :, ::1] out not None):
        """Write what the player to act sees in each row; see `Position.observe`.

        Arguments:
            rows: int64 of shape (k,), or None for all; a row may be named more than once.
            out: uint8 of shape (k, PLANES, N), is written.

        Raises:
            ValueError: a shape or dtype is wrong, or there is no such row.
        """
        cdef picked_t picked = self.pick(rows)
        cdef Py_ssize_t wrong = FINE
        shape = (picked.n, PLANES, self.rules.n_cards)
        if (out.shape[0], out.shape[1], out.shape[2]) != shape:
            raise ValueError(f"out must have the shape {shape}")
        with self.lock, nogil:
            wrong = observe_rows(
                &self.c, &self.rules.c, &picked, &out[0, 0, 0] if picked.n else NULL
            )
        self.end(wrong)

    def legal(self, const int64_t[::1] rows, uint8_t[:, ::1] out not None):
        """Write 1 for each legal action of each row and 0 for each other.

        Arguments:
            rows: int64 of shape (k,), or None for all; a row may be named more than once.
            out: uint8 of shape (k, 3N + 1), is written.

        Raises:
            ValueError: a shape or dtype is wrong, or there is no such row.
        """
        cdef picked_t picked = self.pick(rows)
        cdef Py_ssize_t wrong = FINE
        if (out.shape[0], out.shape[1]) != (picked.n, self.rules.n_actions):
            raise ValueError(f"out must have the shape {(picked.n, self.rules.n_actions)}")
        with self.lock, nogil:
            wrong = write_legal_rows(
                &self.c, &self.rules.c, &picked, &out[0, 0] if picked.n else NULL
            )
        self.end(wrong)

    def to_move(self, int8_t[::1] out not None):
        """Write who acts, 0 X and 1 Y, and -1 where the game is over.

        Arguments:
            out: int8 of shape (n,), is written.

        Raises:
            ValueError: its shape or dtype is wrong.
        """
        cdef Py_ssize_t row
        self.check_length(out.shape[0], "out")
        with self.lock, nogil:
            for row in range(self.c.n):
                out[row] = self.c.position[row].to_move
                if is_over(&self.rules.c, &self.c.position[row]):
                    out[row] = -1

    def margins(self, int16_t[::1] out not None):
        """Write X's points minus Y's where the game is over, and 0 elsewhere.

        Arguments:
            out: int16 of shape (n,), is written.

        Raises:
            ValueError: its shape or dtype is wrong.
        """
        cdef Py_ssize_t row
        self.check_length(out.shape[0], "out")
        with self.lock, nogil:
            for row in range(self.c.n):
                out[row] = 0
                if is_over(&self.rules.c, &self.c.position[row]):
                    out[row] = margin(&self.rules.c, &self.c.position[row])

    def position(self, Py_ssize_t row):
        """Return a copy of the position in a row.

        Raises:
            ValueError: there is no such row.
        """
        if not 0 <= row < self.c.n:
            raise ValueError(f"row {row} is not in 0..{self.c.n - 1}")
        with self.lock:
            return position_at(self.rules, &self.c.position[row])

    # --- Actions ---

    def reset(
        self, const int64_t[::1] rows, const uint32_t[:, ::1] deals not None,
        const int8_t[::1] leaders not None,
    ):
        """Begin a game in each row.

        Arguments:
            rows: int64 of shape (k,), each once, or None for all.
            deals: uint32 of shape (k, 2), the masks of X and Y.
            leaders: int8 of shape (k,), who leads trick 1, 0 X and 1 Y.

        Raises:
            ValueError: a shape or dtype is wrong, a row is none or named twice, or its hands are
                no deal or its leader neither.
        """
        cdef picked_t picked = self.pick(rows)
        cdef Py_ssize_t wrong = FINE
        if deals.shape[0] != picked.n or deals.shape[1] != 2 or leaders.shape[0] != picked.n:
            raise ValueError(f"deals must have the shape {(picked.n, 2)}, leaders {(picked.n,)}")
        if picked.n:
            with self.lock, nogil:
                wrong = reset_rows(&self.c, &self.rules.c, &picked, &deals[0, 0], &leaders[0])
        if wrong != FINE:
            raise ValueError(
                f"rows[{wrong}]: no row, or named twice; or its hands are no deal, or its leader"
                " is not 0 or 1"
            )

    def step(self, const int64_t[::1] rows, const int64_t[::1] actions not None):
        """Play an action in each row.

        Arguments:
            rows: int64 of shape (k,), each once, or None for all.
            actions: int64 of shape (k,).

        Raises:
            IllegalAction: (a ValueError) an action is not legal.
            ValueError: a shape or dtype is wrong, or a row is none or named twice.
        """
        cdef picked_t picked = self.pick(rows)
        cdef Py_ssize_t wrong = FINE
        cdef bint is_illegal = False
        if actions.shape[0] != picked.n:
            raise ValueError(f"actions must have the shape {(picked.n,)}")
        if picked.n:
            with self.lock, nogil:
                wrong = step_rows(&self.c, &self.rules.c, &picked, &actions[0], &is_illegal)
        if is_illegal:
            raise IllegalAction(wrong, row_at(&picked, wrong), actions[wrong])
        self.end(wrong)

    # --- Checks ---

    cdef picked_t pick(self, const int64_t[::1] rows) noexcept:
        cdef picked_t picked
        picked.n, picked.rows = self.c.n, NULL
        if rows is not None:
            picked.n = rows.shape[0]
            picked.rows = &rows[0] if picked.n else NULL
        return picked

    cdef int check_length(self, Py_ssize_t length, str name) except -1:
        if length != self.c.n:
            raise ValueError(f"{name} must have the shape {(self.c.n,)}")
        return 0

    cdef int end(self, Py_ssize_t wrong) except -1:
        if wrong != FINE:
            raise ValueError(f"rows[{wrong}] is no row of {self.c.n}, or named twice")
        return 0
