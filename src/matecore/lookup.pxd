"""The value of any position, where those between tricks can be looked up."""
from matecore.rules cimport (
    ILLEGAL, NONE, distinct_moves, has_move, legal_moves, margin, moves_t, next_action, play,
    position_t, rules_t,
)
from matecore.search cimport UNBOUNDED


# The margin of the leader in a position between tricks in which cards are left to play.
ctypedef int (*lookup_t)(const void* table, const position_t* p) noexcept nogil


# The margin for the player to act.
cdef inline int value_of(
    const rules_t* rules, const position_t* p, lookup_t lookup, const void* table
) noexcept nogil:
    cdef moves_t moves = legal_moves(rules, p)
    cdef int best = -UNBOUNDED, action
    if not has_move(&moves):
        return margin(rules, p) if p.to_move == 0 else -margin(rules, p)
    if p.led == NONE and not moves.decline:
        return lookup(table, p)
    while True:
        action = next_action(rules, &moves)
        if action == ILLEGAL:
            return best
        best = max(best, value_after(rules, p, action, lookup, table))


# The margin that an action brings the player who takes it.
cdef inline int value_after(
    const rules_t* rules, const position_t* p, int action, lookup_t lookup, const void* table
) noexcept nogil:
    cdef position_t child = p[0]
    play(rules, &child, action)
    cdef int value = value_of(rules, &child, lookup, table)
    return value if child.to_move == p.to_move else -value


# The first of the best actions; ILLEGAL when the game is over.
cdef inline int best_action(
    const rules_t* rules, const position_t* p, lookup_t lookup, const void* table
) noexcept nogil:
    cdef moves_t moves = distinct_moves(rules, p)
    cdef int best = ILLEGAL, highest = -UNBOUNDED - 1, action, value
    while True:
        action = next_action(rules, &moves)
        if action == ILLEGAL:
            return best
        value = value_after(rules, p, action, lookup, table)
        if value > highest:
            best, highest = action, value
