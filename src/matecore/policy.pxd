"""How a player chooses by a rule: at random, greedily, or by exact values.

A policy sees a position, draws from the stream of its game, and answers with an action. What a
policy draws is part of the streams that docs/selfplay.md promises: it never changes.
"""
from libc.stdint cimport int16_t, uint32_t, uint64_t

from matecore.cards cimport lowest, nth, places_t, size
from matecore.lookup cimport lookup_t, value_after
from matecore.rng cimport below, stream_t, word32
from matecore.rules cimport (
    DECLARED, ILLEGAL, MAX_HAND, NONE, distinct_moves, holds, lead, lead_wins, margin, moves_t,
    next_action, position_t, replies, rules_t,
)
from matecore.search cimport UNBOUNDED

cdef enum:
    RANDOM = 0
    GREEDY = 1
    OPTIMAL = 2
    EPSILON = 3
    SOFTMAX = 4
    MOST_ACTIONS = 2 * MAX_HAND


#   chance      of EPSILON: a 32-bit word below it plays at random
#   weights[d]  of SOFTMAX: of an action that brings d points less than the best, or 0 beyond
ctypedef struct policy_t:
    int kind
    uint64_t chance
    uint32_t n_weights
    const uint32_t* weights


# The actions of a position and what each brings the player who takes it.
ctypedef struct judged_t:
    int n
    int best
    int action[MOST_ACTIONS]
    int value[MOST_ACTIONS]


# Where exact values come from: one pass over the positions to be looked up, or two, of which the
# first only tells where they stand, so that memory is fetched for all of them at once.
ctypedef struct source_t:
    const void* table
    lookup_t look_up
    lookup_t announce       # or NULL
    void (*forget)(const void* table) noexcept nogil


# --- Without values ------------------------------------------------------------------------------

cdef inline int count_moves(const places_t* places, const moves_t* moves) noexcept nogil:
    cdef int n = size(places, moves.play)
    if moves.declare or moves.decline:
        n += moves.decline + size(places, moves.fore) + size(places, moves.declare)
    return n


# Each as likely, in the order of `next_action`; there is one at least.
cdef inline int random_action(
    const rules_t* rules, const places_t* places, const moves_t* moves, stream_t* stream
) noexcept nogil:
    cdef int plays = size(places, moves.play)
    cdef int n = below(stream, count_moves(places, moves))
    if n < plays:
        return nth(places, moves.play, n)
    n -= plays
    if moves.declare:
        return 2 * rules.n_cards + 1 + nth(places, moves.declare, n)
    if n == 0:
        return rules.n_cards
    return rules.n_cards + 1 + nth(places, moves.fore, n - 1)


# Mates for the most points, or leaves the fewest replies; of equals the last.
cdef inline int greedy_lead(
    const rules_t* rules, const places_t* places, const position_t* p, uint32_t leads
) noexcept nogil:
    cdef int best = ILLEGAL, highest = -UNBOUNDED, card, rating
    cdef position_t child
    cdef moves_t moves
    while leads:
        card = lowest(leads)
        leads &= leads - 1
        child = p[0]
        lead(rules, &child, card)
        moves = distinct_moves(rules, &child)
        rating = -count_moves(places, &moves)
        if rating == 0:
            rating = abs(margin(rules, &child))
        if rating >= highest:
            best, highest = card, rating
    return best


# Wins the trick if it can; of equals the last.
cdef inline int greedy_reply(const rules_t* rules, int led, uint32_t cards) noexcept nogil:
    cdef int best = ILLEGAL, card
    cdef bint best_wins = False, wins
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        wins = not lead_wins(rules, led, card)
        if best == ILLEGAL or wins >= best_wins:
            best, best_wins = card, wins
    return best


cdef inline int greedy_action(
    const rules_t* rules, const places_t* places, const position_t* p, const moves_t* moves
) noexcept nogil:
    if moves.decline:
        return rules.n_cards
    if p.led == NONE:
        return greedy_lead(rules, places, p, moves.play)
    return greedy_reply(rules, p.led, moves.play)


# --- By exact values -----------------------------------------------------------------------------

cdef inline void judge_with(
    const rules_t* rules, const position_t* p, lookup_t look_up, const void* table,
    judged_t* judged
) noexcept nogil:
    cdef moves_t moves = distinct_moves(rules, p)
    cdef int action
    judged.n = 0
    judged.best = -UNBOUNDED
    while True:
        action = next_action(rules, &moves)
        if action == ILLEGAL:
            return
        judged.action[judged.n] = action
        judged.value[judged.n] = value_after(rules, p, action, look_up, table)
        judged.best = max(judged.best, judged.value[judged.n])
        judged.n += 1


cdef inline void judge(
    const rules_t* rules, const position_t* p, const source_t* source, judged_t* judged
) noexcept nogil:
    if source.announce != NULL:
        source.forget(source.table)
        judge_with(rules, p, source.announce, source.table, judged)
    judge_with(rules, p, source.look_up, source.table, judged)


cdef inline int best_at_random(const judged_t* judged, stream_t* stream) noexcept nogil:
    cdef int i, left, n = 0
    for i in range(judged.n):
        n += judged.value[i] == judged.best
    left = below(stream, n)
    for i in range(judged.n):
        if judged.value[i] == judged.best:
            if left == 0:
                return judged.action[i]
            left -= 1
    return ILLEGAL


cdef inline uint32_t weight_of(
    const policy_t* policy, const judged_t* judged, int i
) noexcept nogil:
    cdef uint32_t less = judged.best - judged.value[i]
    return policy.weights[less] if less < policy.n_weights else 0


cdef inline int by_weight(
    const policy_t* policy, const judged_t* judged, stream_t* stream
) noexcept nogil:
    cdef int i
    cdef uint32_t total = 0, left
    for i in range(judged.n):
        total += weight_of(policy, judged, i)
    left = below(stream, total)
    for i in range(judged.n):
        if left < weight_of(policy, judged, i):
            return judged.action[i]
        left -= weight_of(policy, judged, i)
    return ILLEGAL


cdef inline bint needs_values(const policy_t* policy) noexcept nogil:
    return OPTIMAL <= policy.kind <= SOFTMAX


# --- The choice ----------------------------------------------------------------------------------

# The action of the player who acts in a position with these moves, which are not none. `judged` is
# filled already if its n is not 0, else it is filled if need be.
cdef inline int choose(
    const rules_t* rules, const places_t* places, const policy_t* policy, const source_t* source,
    const position_t* p, const moves_t* moves, judged_t* judged, stream_t* stream
) noexcept nogil:
    if policy.kind == RANDOM:
        return random_action(rules, places, moves, stream)
    if policy.kind == GREEDY:
        return greedy_action(rules, places, p, moves)
    if policy.kind == EPSILON and word32(stream) < policy.chance:
        return random_action(rules, places, moves, stream)
    if judged.n == 0:
        judge(rules, p, source, judged)
    if policy.kind == SOFTMAX:
        return by_weight(policy, judged, stream)
    return best_at_random(judged, stream)


cdef class Policy:
    cdef policy_t c
    cdef uint32_t[::1] weights
