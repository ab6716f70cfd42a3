"""The double-dummy solver of Court Piece, for positions and for whole deals."""

import operator
import threading

from libc.stdint cimport UINT64_MAX, int8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

cimport cython

from matecore.cards cimport highest64
from matecore.court_piece.cards cimport SEATS, bit, is_pack, lowest
from matecore.court_piece.position cimport Position
from matecore.court_piece.rules cimport (
    MOST_TRICKS, NO_TRUMP, PLAYING, UNNAMED, Rules, legal_actions, opening, play,
    position_t, side_of,
)
from matecore.court_piece.search cimport begin_search, halted, reaches, search_t, solver_t
from matecore.court_piece.table cimport entry_t
from matecore.court_piece.worth cimport (
    left_of, sweep_is_forced, tricks_after, tricks_of_mover, worth, worth_after,
)

cdef extern from "Python.h":
    void* error_is_set "PyErr_Occurred" () noexcept


# --- Batches -------------------------------------------------------------------------------------

# The first row that is no deal, or -1. Nothing is written of a search that was halted.
@cython.boundscheck(False)
cdef Py_ssize_t solve_deals(
    solver_t* solver, const uint64_t[:, ::1] hands, const int8_t[:, ::1] asked, int8_t[::1] out
) noexcept nogil:
    cdef position_t position
    cdef Py_ssize_t row
    cdef int tricks, trump, leader
    for row in range(hands.shape[0]):
        trump, leader = asked[row, 0], asked[row, 1]
        # A copy is checked, that no other thread writes to.
        position = opening(&hands[row, 0], leader, trump)
        if not (0 <= trump <= NO_TRUMP and 0 <= leader < SEATS and is_pack(position.hand)):
            return row
        tricks = tricks_of_mover(solver, &position)
        if halted(solver):
            break
        out[row] = tricks
    return -1


# Whether what the sides have is known, and not only what they may still get.
cdef bint tells_all(const position_t* p) noexcept nogil:
    cdef int collected = p.collected[0] + p.collected[1] + p.centre.pile
    return p.won[0] + p.won[1] == p.n_tricks and collected == p.n_tricks


# --- Solver --------------------------------------------------------------------------------------

cdef class Solver:
    """Double-dummy search of one variant, with the table of what it has learnt.

    All four hands are seen. A solver can be used from any thread, by one at a time; another waits.
    Its table takes 60 x 2^table_bits bytes; what it has learnt serves all deals.

    Arguments:
        rules: the compiled variant.
        table_bits: the binary logarithm of the number of entries in the table, 4..28.

    Raises:
        ValueError: `table_bits` is out of range.
        MemoryError: there is no memory for the table.

    >>> from matecore.court_piece import NO_TRUMP, Position, Rules, Solver
    >>> solver = Solver(Rules())
    >>> suits = [0x1FFF << 13 * suit for suit in range(4)]
    >>> solver.tricks(Position(Rules(), suits, 0, 0)), solver.tricks(Position(Rules(), suits, 0, 1))
    (13, 0)
    """

    def __cinit__(self, Rules rules not None, table_bits=18):
        cdef int bits = min(max(operator.index(table_bits), 0), 64)
        if not 4 <= bits <= 28:
            raise ValueError(f"table_bits {table_bits} is not in 4..28")
        self.rules, self.plain = rules, Rules()
        # A signal handler may ask again while a search of its thread polls: no search holds
        # anything of the table while another may run.
        self.lock = threading.RLock()
        self.c.rules, self.c.plain = &rules.c, &self.plain.c
        self.c.last_node = UINT64_MAX
        self.c.table.shift = 64 - bits
        self.c.table.size = <uint32_t>1 << bits
        self.c.table.first = <uint32_t*>calloc(<size_t>1 << bits, sizeof(uint32_t))
        self.c.table.entries = <entry_t*>calloc(<size_t>1 << bits, sizeof(entry_t))
        if self.c.table.first == NULL or self.c.table.entries == NULL:
            raise MemoryError(f"no memory for a table of 2^{table_bits} entries")

    def __dealloc__(self):
        free(self.c.table.first)
        free(self.c.table.entries)

    def __reduce__(self):
        # What it has learnt stays behind.
        return Solver, (self.rules, 64 - self.c.table.shift)

    cdef position_t begin(self, Position position, bint playing=True) except *:
        cdef position_t p
        if position.rules != self.rules:
            raise ValueError("the position is of another variant")
        p = position.state()
        if playing and p.trump == UNNAMED:
            raise ValueError("the trump is not named")
        if not playing and not tells_all(&p):
            raise ValueError("won and collected do not tell of all tricks that were played")
        return p

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

    # --- Queries: tricks, the hand being played to its end --------------------------------------

    def at_least(self, Position position not None, tricks):
        """Return whether the side to act still collects so many tricks.

        The trick on the table counts, and what lies in the centre.

        Raises:
            ValueError: the position is of another variant, or its trump is not named.
            RuntimeError: the solver was stopped.
        """
        cdef position_t p = self.begin(position)
        cdef search_t c
        cdef int left = left_of(&p)
        cdef bint first = side_of(p.to_act) == 0, found
        cdef int wanted = min(max(operator.index(tricks), 0), left + 1)
        with self.lock:
            with nogil:
                begin_search(&c, &self.c, self.c.rules, &p, MOST_TRICKS)
                c.s.sweep = 0
                found = reaches(&c, wanted if first else left - wanted + 1)
            self.end()
        return bool(found) == first

    def tricks(self, Position position not None):
        """Return how many tricks the side to act still collects, under best play of all.

        Raises:
            ValueError, RuntimeError: as `at_least`.
        """
        cdef position_t p = self.begin(position)
        cdef int found
        with self.lock:
            with nogil:
                found = tricks_of_mover(&self.c, &p)
            self.end()
        return found

    def values(self, Position position not None):
        """Return the legal cards with the tricks that the side to act still collects with each.

        Raises:
            ValueError, RuntimeError: as `at_least`.
        """
        cdef position_t p = self.begin(position)
        cdef uint64_t legal = legal_actions(&p) if p.phase == PLAYING else 0
        cdef int tricks = self.tricks(position), action, found
        values = []
        with self.lock:
            while legal:
                action = lowest(legal)
                with nogil:
                    found = tricks_after(&self.c, &p, action, tricks)
                self.end()
                values.append((action, found))
                legal &= legal - 1
        return values

    def line(self, Position position not None):
        """Return the cards of best play to the last trick, of equals the lowest.

        Suits stand in their order, so that of equals in several it is one of the last.

        Raises:
            ValueError, RuntimeError: as `at_least`.
        """
        cdef position_t p = self.begin(position)
        cdef int action, tricks
        cdef uint64_t legal
        cards = []
        with self.lock:
            p.phase = PLAYING
            while p.hand[p.to_act]:
                legal = legal_actions(&p)
                with nogil:
                    tricks = tricks_of_mover(&self.c, &p)
                    action = highest64(legal)
                    while legal & (legal - 1) and tricks_after(
                        &self.c, &p, action, tricks
                    ) != tricks and not halted(&self.c):
                        legal ^= bit(action)
                        action = highest64(legal)
                self.end()
                cards.append(action)
                play(&self.rules.c, &p, action)
                # Points may be decided; the line goes on.
                p.phase = PLAYING
        return cards

    def first_seven(self, Position position not None, side):
        """Return whether a side can win every one of the first seven tricks, those played counted.

        Raises:
            ValueError: as `at_least`, or the side is not 0 or 1.
            RuntimeError: the solver was stopped.
        """
        cdef position_t p = self.begin(position)
        cdef bint found
        cdef int of
        if type(side) is not int or side not in (0, 1):
            raise ValueError(f"side {side!r} is not 0 or 1")
        of = side
        with self.lock:
            with nogil:
                found = sweep_is_forced(&self.c, &p, of)
            self.end()
        return bool(found)

    # --- Queries: points, by the rules -----------------------------------------------------------

    def points(self, Position position not None):
        """Return the points that the side to act wins by the hand, negative if the other does.

        The trump may still be to be named, by a caller who sees all hands.

        Raises:
            ValueError: the position is of another variant, or does not tell of all tricks that were
                played.
            RuntimeError: the solver was stopped.
        """
        cdef position_t p = self.begin(position, False)
        cdef int found
        with self.lock:
            with nogil:
                found = worth(&self.c, &p, side_of(p.to_act))
            self.end()
        return found

    def points_within(self, Position position not None, nodes):
        """Return the same as `points`, or None if that would take more than so many nodes.

        What was learnt until then is kept: the same position may take less the next time.

        Raises:
            ValueError: as `points`, or `nodes` is negative.
            RuntimeError: the solver was stopped.
        """
        cdef position_t p = self.begin(position, False)
        cdef int found
        cdef uint64_t most
        if operator.index(nodes) < 0:
            raise ValueError(f"nodes {nodes} are less than none")
        most = min(operator.index(nodes), <object>(UINT64_MAX >> 1))
        with self.lock:
            self.c.last_node = self.c.nodes + most
            with nogil:
                found = worth(&self.c, &p, side_of(p.to_act))
            exhausted = self.c.exhausted
            self.c.exhausted, self.c.last_node = False, UINT64_MAX
            self.end()
        return None if exhausted else found

    def points_of(self, Position position not None):
        """Return the legal actions with the points that each brings the side to act.

        Raises:
            ValueError, RuntimeError: as `points`.
        """
        cdef position_t p = self.begin(position, False)
        cdef uint64_t legal = legal_actions(&p)
        cdef int action, found
        values = []
        with self.lock:
            while legal:
                action = lowest(legal)
                with nogil:
                    found = worth_after(&self.c, &p, action, side_of(p.to_act))
                self.end()
                values.append((action, found))
                legal &= legal - 1
        return values

    def solve(
        self, const uint64_t[:, ::1] hands not None, const int8_t[:, ::1] asked not None,
        int8_t[::1] out not None,
    ):
        """Write the tricks that the leader's side collects in whole deals.

        Arguments:
            hands: uint64 of shape (n, 4), C-contiguous, the masks by seat.
            asked: int8 of shape (n, 2), C-contiguous: the trump, 0..4, and who leads, 0..3.
            out: int8 of shape (n,), C-contiguous, is written.

        Raises:
            ValueError: a shape or dtype is wrong, or a row is no deal; rows before it are written.
            RuntimeError: the solver was stopped; rows solved before are written.
        """
        cdef Py_ssize_t row
        n = hands.shape[0]
        if hands.shape[1] != 4 or (asked.shape[0], asked.shape[1], out.shape[0]) != (n, 2, n):
            raise ValueError("hands, asked and out must have the shapes (n, 4), (n, 2) and (n,)")
        with self.lock:
            with nogil:
                row = solve_deals(&self.c, hands, asked, out)
            self.end()
        if row >= 0:
            raise ValueError(f"hands[{row}] or asked[{row}] is no deal with trump and leader")

    # --- Actions ---------------------------------------------------------------------------------

    def stop(self):
        """End the search that runs, in whatever thread, and refuse any other."""
        self.c.stopped = True
