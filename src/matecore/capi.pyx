"""The C interface: include/matecore.h, filled in. What it promises stands there."""

from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int8_t, uint32_t, uint64_t
from libc.string cimport memcmp

from matecore.cards cimport count
from matecore.lookup cimport value_of
from matecore.position cimport Position, exact_key, key_t
from matecore.rng cimport stream_t
from matecore.rules cimport (
    ILLEGAL, Rules, action_is_legal, halves_the_deck, is_over, legal_moves, margin, moves_t,
    next_action, opening, play, position_t, rules_t,
)
from matecore.search cimport Solver, exact, solver_t
from matecore.tablebase cimport Tablebase, look_up, table_t


cdef extern from "matecore.h":
    enum:
        MATECORE_API_VERSION
        MATECORE_OK
        MATECORE_ILLEGAL
        MATECORE_NO_DEAL
        MATECORE_DAMAGED
        MATECORE_STOPPED

    # The same as position_t and moves_t; `fill` compares their sizes.
    ctypedef struct matecore_position:
        pass

    ctypedef struct matecore_moves:
        pass

    # The functions have types in C; here they are addresses.
    ctypedef struct matecore_api:
        uint32_t version
        uint32_t size
        void* rules_of
        void* solver_of
        void* tablebase_of
        void* position_of
        void* n_cards
        void* hand_size
        void* start
        void* legal
        void* legal_actions
        void* play
        void* play_unchecked
        void* is_over
        void* margin
        void* key
        void* value
        void* probe


# --- With the GIL --------------------------------------------------------------------------------

cdef const rules_t* rules_of(object holder) except NULL:
    if isinstance(holder, Solver):
        return &(<Solver>holder).rules.c
    if isinstance(holder, Tablebase):
        return &(<Tablebase>holder).rules.c
    return &(<Rules?>holder).c


cdef solver_t* solver_of(object solver) except NULL:
    return &(<Solver?>solver).c


cdef table_t* tablebase_of(object tablebase) except NULL:
    return &(<Tablebase?>tablebase).c


cdef int position_of(object position, const rules_t* rules, position_t* out) except -1:
    cdef Rules own = (<Position?>position).rules
    if &own.c != rules and memcmp(&own.c, rules, sizeof(rules_t)) != 0:
        raise ValueError("the position is of another variant")
    out[0] = (<Position>position).state()
    return MATECORE_OK


# --- Rules ---------------------------------------------------------------------------------------

cdef int n_cards(const rules_t* rules) noexcept nogil:
    return rules.n_cards


cdef int hand_size(const rules_t* rules) noexcept nogil:
    return rules.hand_size


cdef int start(
    const rules_t* rules, uint32_t x, uint32_t y, int leader, position_t* out
) noexcept nogil:
    if not halves_the_deck(rules, x, y) or not 0 <= leader <= 1:
        return MATECORE_NO_DEAL
    out[0] = opening(rules, x, y, leader)
    return MATECORE_OK


cdef int legal(const rules_t* rules, const position_t* position, moves_t* out) noexcept nogil:
    out[0] = legal_moves(rules, position)
    return size_of(out)


cdef inline int size_of(const moves_t* moves) noexcept nogil:
    return (
        count(moves.play) + count(moves.declare) + count(moves.fore) + (1 if moves.decline else 0)
    )


cdef int legal_actions(
    const rules_t* rules, const position_t* position, int8_t* out
) noexcept nogil:
    cdef moves_t moves = legal_moves(rules, position)
    cdef int n = 0, action = next_action(rules, &moves)
    while action != ILLEGAL:
        out[n] = <int8_t>action
        n += 1
        action = next_action(rules, &moves)
    return n


cdef int play_legal(const rules_t* rules, position_t* position, int action) noexcept nogil:
    cdef moves_t moves = legal_moves(rules, position)
    if not action_is_legal(rules, &moves, action):
        return MATECORE_ILLEGAL
    play(rules, position, action)
    return MATECORE_OK


cdef void play_unchecked(const rules_t* rules, position_t* position, int action) noexcept nogil:
    play(rules, position, action)


cdef int over(const rules_t* rules, const position_t* position) noexcept nogil:
    return is_over(rules, position)


cdef int margin_of_x(const rules_t* rules, const position_t* position) noexcept nogil:
    return margin(rules, position)


cdef void key(const rules_t* rules, const position_t* position, uint64_t* out) noexcept nogil:
    cdef key_t found = exact_key(rules, position)
    out[0], out[1] = found.hands, found.state


# --- Exact values --------------------------------------------------------------------------------

cdef int value(solver_t* solver, const position_t* position, int* out) noexcept nogil:
    out[0] = exact(solver, position)
    if solver.stopped or solver.interrupted:
        solver.interrupted = False
        return MATECORE_STOPPED
    return MATECORE_OK


cdef int probe(table_t* table, const position_t* position, int* out) noexcept nogil:
    out[0] = value_of(table.rules, position, look_up, table)
    return MATECORE_DAMAGED if table.damaged >= 0 else MATECORE_OK


# --- Capsule -------------------------------------------------------------------------------------

cdef matecore_api api


cdef object fill():
    if sizeof(matecore_position) != sizeof(position_t) or sizeof(matecore_moves) != sizeof(moves_t):
        raise ImportError("matecore.h tells of other structures than the core has")
    api.version, api.size = MATECORE_API_VERSION, sizeof(matecore_api)
    api.rules_of, api.solver_of = <void*>rules_of, <void*>solver_of
    api.tablebase_of, api.position_of = <void*>tablebase_of, <void*>position_of
    api.n_cards, api.hand_size = <void*>n_cards, <void*>hand_size
    api.start, api.legal, api.legal_actions = <void*>start, <void*>legal, <void*>legal_actions
    api.play, api.play_unchecked = <void*>play_legal, <void*>play_unchecked
    api.is_over, api.margin = <void*>over, <void*>margin_of_x
    api.key, api.value, api.probe = <void*>key, <void*>value, <void*>probe
    return PyCapsule_New(&api, "matecore.capi.API", NULL)


API = fill()
SIZES = {
    "matecore_api": sizeof(matecore_api),
    "matecore_moves": sizeof(matecore_moves),
    "matecore_position": sizeof(matecore_position),
    "moves_t": sizeof(moves_t),
    "position_t": sizeof(position_t),
    "rules_t": sizeof(rules_t),
    "solver_t": sizeof(solver_t),
    "stream_t": sizeof(stream_t),
    "table_t": sizeof(table_t),
}
