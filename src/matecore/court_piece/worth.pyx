"""What positions are worth: tricks and points, asked of searches."""

from libc.stdint cimport uint64_t

from matecore.court_piece.cards cimport lowest
from matecore.court_piece.rules cimport (
    ENOUGH, FIRST_SEVEN, MOST_TRICKS, NOBODY, OVER, PLAYING, THIRTEEN, is_court, legal_actions,
    play, position_t, rules_t, side_of, winner_of,
)
from matecore.court_piece.search cimport begin_search, halted, reaches, search_t, solver_t

cdef enum:
    MOST_WORTH = 1000


# --- Tricks --------------------------------------------------------------------------------------

# How many tricks side 0 still collects, where that is `low` at least and `high` at most.
cdef int between(search_t* c, int low, int high, int guess) noexcept nogil:
    while low < high and not halted(c.solver):
        guess = min(max(guess, low + 1), high)
        if reaches(c, guess):
            low = guess
            guess += 1
        else:
            high = guess - 1
            guess -= 1
    return low


cdef int tricks_of_side_0(
    solver_t* solver, const position_t* position, int guess
) noexcept nogil:
    cdef search_t c
    begin_search(&c, solver, solver.rules, position, MOST_TRICKS)
    # All tricks are counted here, whatever court some of them make.
    c.s.sweep = 0
    return between(&c, 0, left_of(position), guess)


# The same of the side that is to act, looked for from the middle on.
cdef int tricks_of_mover(solver_t* solver, const position_t* position) noexcept nogil:
    cdef int left = left_of(position), guess = left // 2 + 1
    if side_of(position.to_act) == 0:
        return tricks_of_side_0(solver, position, guess)
    return left - tricks_of_side_0(solver, position, left - guess)


# What the side to act still collects if it takes an action.
cdef int tricks_after(
    solver_t* solver, const position_t* position, int action, int guess
) noexcept nogil:
    cdef position_t child = position[0]
    cdef int side = side_of(position.to_act), taken
    play(solver.rules, &child, action)
    taken = child.collected[side] - position.collected[side]
    guess -= taken
    if side == 0:
        return taken + tricks_of_side_0(solver, &child, guess)
    return taken + left_of(&child) - tricks_of_side_0(solver, &child, left_of(&child) - guess)


# --- Points --------------------------------------------------------------------------------------

cdef bint sweep_is_forced(solver_t* solver, const position_t* position, int side) noexcept nogil:
    cdef search_t c
    cdef int left = ENOUGH - position.n_tricks
    if position.won[1 - side] or left < 0:
        return False
    begin_search(&c, solver, solver.plain, position, ENOUGH)
    return reaches(&c, left) if side == 0 else not reaches(&c, 1)


# Whether side 0 collects so many tricks in the whole hand, or sweeps, and side 1 does not sweep.
cdef bint has_in_the_end(solver_t* solver, const position_t* position, int tricks) noexcept nogil:
    cdef search_t c
    begin_search(&c, solver, solver.rules, position, MOST_TRICKS)
    return reaches(&c, tricks - position.collected[0])


# Whether a side can make a court.
cdef bint court_is_forced(solver_t* solver, const position_t* position, int side) noexcept nogil:
    cdef const rules_t* rules = solver.rules
    cdef bint plain = rules.claims[NOBODY][0]
    if rules.courts & FIRST_SEVEN and (plain or not rules.courts & THIRTEEN):
        return sweep_is_forced(solver, position, side)
    if not rules.goes_on:
        return False
    if side == 0:
        return has_in_the_end(solver, position, MOST_TRICKS)
    return not has_in_the_end(solver, position, 1)


# What the hand is worth to a side under best play of all, by the points that both sides score.
cdef int worth(solver_t* solver, const position_t* position, int side) noexcept nogil:
    cdef int winner, other
    cdef bint court
    if position.phase == OVER:
        winner, court = winner_of(solver.rules, position), is_court(solver.rules, position)
    elif position.phase != PLAYING:
        return best_worth(solver, position, side)
    else:
        winner = not has_in_the_end(solver, position, ENOUGH)
        court = court_is_forced(solver, position, winner)
    other = winner != side_of(position.caller)
    return solver.rules.points[other][court] * (1 if winner == side else -1)


cdef int worth_after(
    solver_t* solver, const position_t* position, int action, int side
) noexcept nogil:
    cdef position_t child = position[0]
    play(solver.rules, &child, action)
    return worth(solver, &child, side)


cdef int best_worth(solver_t* solver, const position_t* position, int side) noexcept nogil:
    cdef uint64_t legal = legal_actions(position)
    cdef int best = -MOST_WORTH, found
    while legal:
        found = worth_after(solver, position, lowest(legal), side_of(position.to_act))
        best = max(best, found)
        legal &= legal - 1
    return best if side_of(position.to_act) == side else -best
