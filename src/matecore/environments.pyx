"""Games in step of which each, when it ends, is followed by the next."""

import threading

from libc.stdint cimport int8_t, int16_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from matecore.dealing cimport random_hand
from matecore.instep cimport InStep
from matecore.observation cimport PLANES, observe, write_moves
from matecore.policy cimport Policy, choose, source_t
from matecore.rng cimport begin_stream
from matecore.rules cimport (
    Rules, action_is_legal, distinct_moves, halves_the_deck, has_move, legal_moves, margin,
    moves_t, opening, play, position_t, rules_t,
)
from matecore.tablebase cimport Tablebase
from matecore.vector import IllegalAction

cdef enum:
    FINE = -1           # else a row, at which the call ends
    BOTH = -1
    ALTERNATE = 2
    PATIENCE = 1000     # games in a row that end before the caller acts


# --- Kernels -------------------------------------------------------------------------------------

# Who plays game `number` for the caller.
cdef inline int seat_of(const environments_t* e, uint64_t number) noexcept nogil:
    return <int>(number >> 1 & 1) if e.seat == ALTERNATE else e.seat


# Begins the game whose number the row has, and its stream.
cdef void begin_row(environments_t* e, InStep games, Py_ssize_t row) noexcept nogil:
    cdef const rules_t* rules = &games.rules.c
    cdef uint64_t number = e.number[row]
    cdef int leader = <int>(number & 1) if e.leader == ALTERNATE else e.leader
    cdef uint32_t x
    begin_stream(&games.streams[row], e.seed, 0, number)
    if e.given == NULL:
        x = random_hand(games.deals, &games.streams[row])
    else:
        x = e.given[2 * (number % <uint64_t>e.n_given)] & rules.deck
    games.c.position[row] = opening(rules, x, rules.deck ^ x, leader)


cdef inline void write_end(
    const environments_t* e, const written_t* out, const rules_t* rules, const position_t* p,
    Py_ssize_t row
) noexcept nogil:
    cdef position_t seen = p[0]
    cdef int seat = seat_of(e, e.number[row])
    out.rewards[row] = -margin(rules, p) if seat == 1 else margin(rules, p)
    out.dones[row] = True
    if out.final != NULL:
        seen.to_move = p.to_move if seat == BOTH else seat
        observe(rules, &seen, out.final + row * PLANES * rules.n_cards)


cdef inline void write_row(
    const written_t* out, const rules_t* rules, const position_t* p, const moves_t* moves,
    Py_ssize_t row
) noexcept nogil:
    if out.observations != NULL:
        observe(rules, p, out.observations + row * PLANES * rules.n_cards)
    if out.masks != NULL:
        write_moves(rules, moves, out.masks + row * (3 * rules.n_cards + 1))
    out.to_move[row] = p.to_move


# Plays the caller's action, if it is a step, and goes on in a row until he is to act there; whether
# it comes to that. That a game has ended is written if he has acted in it.
cdef bint settle(
    environments_t* e, InStep games, const written_t* out, Policy policy,
    const source_t* source, Py_ssize_t row, bint is_step
) noexcept nogil:
    cdef const rules_t* rules = &games.rules.c
    cdef position_t* p = &games.c.position[row]
    cdef moves_t moves
    cdef int passed = 0
    out.rewards[row] = 0
    out.dones[row] = False
    if is_step:
        play(rules, p, e.action[row])
    while passed < PATIENCE:
        moves = legal_moves(rules, p)
        if not has_move(&moves):
            if is_step and not passed:
                write_end(e, out, rules, p, row)
            passed += 1
            e.number[row] += e.step
            begin_row(e, games, row)
        elif e.seat == BOTH or p.to_move == seat_of(e, e.number[row]):
            write_row(out, rules, p, &moves, row)
            return True
        else:
            moves = distinct_moves(rules, p)
            play(rules, p, choose(
                rules, &games.places, &policy.c, source, p, &moves, &games.streams[row]
            ))
    return False


# Reads each action once, since another thread may change it, and returns the first illegal one's
# row.
cdef Py_ssize_t read_actions(
    environments_t* e, InStep games, const int64_t* actions
) noexcept nogil:
    cdef const rules_t* rules = &games.rules.c
    cdef Py_ssize_t row
    cdef int64_t action
    cdef moves_t moves
    for row in range(games.c.n):
        action = actions[row]
        moves = legal_moves(rules, &games.c.position[row])
        if not 0 <= action <= 3 * rules.n_cards or not action_is_legal(rules, &moves, <int>action):
            return row
        e.action[row] = <int>action
    return FINE


# --- Environments --------------------------------------------------------------------------------

cdef class Environments:
    """Games in step, each row of them followed by its next game when it ends.

    Row r plays the games first + r, first + r + n, first + r + 2n and so on; game i is drawn from
    the stream (seed, 0, i), as that of `SelfPlay`. Any thread may use it; one waits for another.
    A call releases the GIL and writes into the arrays that are given here, which are C-contiguous.

    Arguments:
        rules: the compiled variant.
        n: how many rows, 1..2^22.
        observations: uint8 of shape (n, PLANES, N), what the player to act sees, or None.
        masks: uint8 of shape (n, 3N + 1), what he may do, or None.
        rewards: int16 of shape (n,): where a game has ended in the call, the caller's margin, or
            X's if he plays both sides; else 0.
        dones: uint8 of shape (n,), 1 where a game has ended in the call.
        to_move: int8 of shape (n,), who acts, 0 X and 1 Y.
        final: uint8 of shape (n, PLANES, N), written where a game has ended: what the caller saw
            at its end; or None.
        leader: who leads trick 1, 0 X, 1 Y, or 2: X where the number of the game is even.
        policy: who plays against the caller; None if the caller plays both sides.
        seat: whom the caller plays, 0 X, 1 Y, or 2: X where half the number, rounded down, is even.
        deals: uint32 of shape (m, 2), game i is played on the one of number i modulo m; None for
            drawn ones. They are copied.
        tablebase: where a policy has exact values from; None for searching them.

    Raises:
        ValueError: an argument has another shape or dtype, or is out of range.
        MemoryError: there is no memory.

    >>> import numpy
    >>> from matecore import Rules
    >>> n, rules = 2, Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10])
    >>> masks = numpy.empty((n, 13), numpy.uint8)
    >>> rewards, dones = numpy.empty(n, numpy.int16), numpy.empty(n, numpy.uint8)
    >>> to_move = numpy.empty(n, numpy.int8)
    >>> games = Environments(rules, n, None, masks, rewards, dones, to_move)
    >>> games.begin(seed=1)
    >>> to_move.tolist()
    [0, 1]
    >>> games.step(masks.argmax(axis=1))
    """

    def __cinit__(
        self, Rules rules not None, Py_ssize_t n, uint8_t[:, :, ::1] observations,
        uint8_t[:, ::1] masks, int16_t[::1] rewards not None, uint8_t[::1] dones not None,
        int8_t[::1] to_move not None, uint8_t[:, :, ::1] final=None, *, int leader=2,
        Policy policy=None, int seat=2, deals=None, Tablebase tablebase=None,
    ):
        self.games = InStep(rules, n)
        self.lock = threading.RLock()
        if not (0 <= leader <= ALTERNATE and 0 <= seat <= ALTERNATE):
            raise ValueError(f"leader {leader}, seat {seat}: 0, 1 or 2")
        self.policy = policy if policy is not None else Policy(0)
        self.tablebase = tablebase
        if tablebase is not None and tablebase.rules != rules:
            raise ValueError("the tablebase is of another variant")
        self.c.leader, self.c.seat = leader, BOTH if policy is None else seat
        self.c.step = n
        self.c.number = <uint64_t*>calloc(n, sizeof(uint64_t))
        self.c.action = <int*>calloc(n, sizeof(int))
        if not (self.c.number and self.c.action):
            raise MemoryError(f"no memory for {n} games")
        self.write_to(observations, masks, rewards, dones, to_move, final)
        if deals is not None:
            import numpy

            self.take(numpy.array(deals, order="C"))

    def __dealloc__(self):
        free(self.c.number)
        free(self.c.action)

    def __len__(self):
        return self.games.c.n

    def __reduce__(self):
        raise TypeError("environments are not pickled")

    # --- Queries ---

    def position(self, Py_ssize_t row):
        """Return a copy of the position in a row.

        Raises:
            ValueError: there is no such row, or no game was begun.
        """
        with self.lock:
            if not self.has_begun:
                raise ValueError("no game was begun")
            return self.games.position(row)

    def numbers(self, uint64_t[::1] out not None):
        """Write the number of the game that each row plays.

        Arguments:
            out: uint64 of shape (n,), is written.

        Raises:
            ValueError: its shape or dtype is wrong.
        """
        cdef Py_ssize_t row
        if out.shape[0] != self.games.c.n:
            raise ValueError(f"out must have the shape {(self.games.c.n,)}")
        with self.lock, nogil:
            for row in range(self.games.c.n):
                out[row] = self.c.number[row]

    # --- Actions ---

    def begin(self, *, uint64_t seed=0, uint64_t first=0):
        """Begin the games first .. first + n - 1, and write what is to be seen of them.

        Arguments:
            seed, first: 0..2^64-1.

        Raises:
            ValueError: in a row game after game ends before the caller acts.
        """
        cdef Py_ssize_t row
        with self.lock:
            self.enter()
            self.c.seed = seed
            for row in range(self.games.c.n):
                self.c.number[row] = first + <uint64_t>row
                begin_row(&self.c, self.games, row)
            self.settle_all(False)

    def step(self, const int64_t[::1] actions not None):
        """Play an action in each row, and what follows until the caller is to act again.

        Arguments:
            actions: int64 of shape (n,).

        Raises:
            IllegalAction: (a ValueError) an action is not legal; nothing is played.
            ValueError: a shape or dtype is wrong, no game was begun, or in a row game after game
                ends before the caller acts.
        """
        cdef Py_ssize_t wrong = FINE
        if actions.shape[0] != self.games.c.n:
            raise ValueError(f"actions must have the shape {(self.games.c.n,)}")
        with self.lock:
            if not self.has_begun:
                raise ValueError("no game was begun")
            with nogil:
                wrong = read_actions(&self.c, self.games, &actions[0])
            if wrong != FINE:
                raise IllegalAction(wrong, wrong, actions[wrong])
            self.enter()
            self.settle_all(True)

    # --- Parts ---

    cdef int write_to(
        self, uint8_t[:, :, ::1] observations, uint8_t[:, ::1] masks, int16_t[::1] rewards,
        uint8_t[::1] dones, int8_t[::1] to_move, uint8_t[:, :, ::1] final
    ) except -1:
        cdef Py_ssize_t n = self.games.c.n
        planes = (n, PLANES, self.games.rules.n_cards)
        for name, array, shape in (
            ("observations", observations, planes), ("final", final, planes),
            ("masks", masks, (n, self.games.rules.n_actions)),
            ("rewards", rewards, (n,)), ("dones", dones, (n,)), ("to_move", to_move, (n,)),
        ):
            if array is not None and tuple(array.shape) != shape:
                raise ValueError(f"{name} must have the shape {shape}")
        self.arrays = (observations, masks, rewards, dones, to_move, final)
        self.written.observations = &observations[0, 0, 0] if observations is not None else NULL
        self.written.masks = &masks[0, 0] if masks is not None else NULL
        self.written.rewards = &rewards[0]
        self.written.dones = &dones[0]
        self.written.to_move = &to_move[0]
        self.written.final = &final[0, 0, 0] if final is not None else NULL
        return 0

    cdef int take(self, const uint32_t[:, ::1] deals) except -1:
        cdef Py_ssize_t i
        cdef const rules_t* rules = &self.games.rules.c
        if deals.shape[0] == 0 or deals.shape[1] != 2:
            raise ValueError("deals must have the shape (m, 2), m from 1")
        for i in range(deals.shape[0]):
            if not halves_the_deck(rules, deals[i, 0], deals[i, 1]):
                raise ValueError(f"deals[{i}] is no deal")
        self.given = deals
        self.c.given, self.c.n_given = &deals[0, 0], deals.shape[0]
        return 0

    # A signal handler may call while a search of its thread polls; it is not to play on then.
    cdef int enter(self) except -1:
        if self.is_busy:
            raise ValueError("a call is not at its end yet")
        self.has_begun = False
        return 0

    cdef int settle_all(self, bint is_step) except -1:
        cdef Py_ssize_t row, wrong = FINE
        cdef source_t source = self.games.source_for(self.policy, self.tablebase)
        self.is_busy = True
        try:
            with nogil:
                for row in range(self.games.c.n):
                    if not settle(
                        &self.c, self.games, &self.written, self.policy, &source, row, is_step
                    ):
                        wrong = row
                        break
            if self.tablebase is not None:
                self.tablebase.end()
            if self.games.solver is not None:
                self.games.solver.end()
        finally:
            self.is_busy = False
        if wrong != FINE:
            raise ValueError(
                f"row {wrong}: {PATIENCE} games in a row ended before the caller could act"
            )
        self.has_begun = True
        return 0
