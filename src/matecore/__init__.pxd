"""The low-level interface: what `cimport matecore` gives.

Everything here is C: structures, and functions that need no GIL and cannot fail. What each does
stands where it is defined. A position is a value: copy it to keep it, and so to take a move back.
"""
from matecore.cards cimport MAX_CARDS, bit, count, holds, lowest
from matecore.lookup cimport best_action, lookup_t, value_after, value_of
from matecore.position cimport Position, canonical, exact_key, key_t
from matecore.rng cimport begin_stream, below, stream_t, word32, word64
from matecore.rules cimport (
    DECLARED, ILLEGAL, MAX_HAND, MAX_PLIES, NONE, UNDECIDED, Rules, action_is_legal,
    distinct_moves, halves_the_deck, has_move, is_over, leader_of, legal_moves, margin, moves_t,
    next_action, opening, play, position_t, rules_t, weight_now,
)
from matecore.search cimport Solver, exact, exact_value, solver_t
from matecore.tablebase cimport Tablebase, look_up, table_t
