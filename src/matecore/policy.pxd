"""How a player chooses by a rule: at random, greedily, or by exact values.

A policy sees a position, draws from the stream of its game, and answers with an action. What a
policy draws is part of the streams that docs/selfplay.md promises: it never changes.
"""
from libc.stdint cimport int8_t, int64_t, uint32_t, uint64_t

from matecore.cards cimport bit, lowest, nth, places_t, size
from matecore.codes cimport state_of
from matecore.lookup cimport lookup_t, value_after
from matecore.rng cimport below, stream_t, word32
from matecore.rules cimport (
    ILLEGAL, MAX_HAND, NONE, UNDECIDED, code_of_lead, distinct, distinct_moves, forced_replies,
    is_plain, last_trick_of, lead, lead_wins, legal_moves, margin, moves_t,
    next_action, position_t, replies, reply, rules_t, weight_now,
)
from matecore.search cimport UNBOUNDED, exchanged

cdef enum:
    RANDOM = 0
    GREEDY = 1
    OPTIMAL = 2
    EPSILON = 3
    SOFTMAX = 4
    MOST_ACTIONS = 2 * MAX_HAND
    MOST_PLACES = MOST_ACTIONS * MAX_HAND


#   chance      of EPSILON: a 32-bit word below it plays at random
#   weights[d]  of SOFTMAX: of an action that brings d points less than the best, or 0 beyond
ctypedef struct policy_t:
    int kind
    uint64_t chance
    uint32_t n_weights
    const uint32_t* weights


# The actions of a position and what each brings the player who takes it.
#
#   place       where the values of the positions after each reply stand: to a lead that is judged,
#               or of a reply that is
#   of          the number of the action that it belongs to
#   sign        of the value there, for the player who acts
ctypedef struct judged_t:
    int n
    int best
    int action[MOST_ACTIONS]
    int value[MOST_ACTIONS]
    int n_places
    int64_t place[MOST_PLACES]
    int8_t of[MOST_PLACES]
    int8_t sign[MOST_PLACES]


# Where exact values come from.
#
#   look_up     the margin of the leader of a position between tricks
#   announce    where memory is slow: says where that margin stands, and has it fetched; then `read`
#               gives it. Between the two, others may be announced. Or NULL
ctypedef struct source_t:
    const void* table
    lookup_t look_up
    int64_t (*announce)(
        const void* table, uint32_t leader, uint32_t follower, int state
    ) noexcept nogil
    int (*read)(const void* table, int64_t place) noexcept nogil


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
        moves = legal_moves(rules, &child)  # copies count apart
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

cdef inline void announce(
    const source_t* source, uint32_t leader, uint32_t follower, int state, int of, int sign,
    judged_t* judged
) noexcept nogil:
    cdef int n = judged.n_places
    judged.place[n] = source.announce(source.table, leader, follower, state)
    judged.of[n] = of
    judged.sign[n] = sign
    judged.n_places = n + 1


# Announces what becomes of each reply; all belong to action `of`, or each to the one after it.
cdef inline void announce_replies(
    const rules_t* rules, const position_t* p, const source_t* source, uint32_t cards, int player,
    int of, int step, judged_t* judged
) noexcept nogil:
    cdef position_t child
    while cards:
        child = p[0]
        reply(rules, &child, lowest(cards))
        cards &= cards - 1
        announce(
            source, child.hand[child.to_move], child.hand[1 - child.to_move], state_of(&child), of,
            1 - 2 * (child.to_move ^ player), judged,
        )
        of += step


# All leads and replies where nothing but cards is to be played.
cdef inline void announce_plainly(
    const rules_t* rules, const position_t* p, const source_t* source, judged_t* judged
) noexcept nogil:
    cdef uint32_t hand = p.hand[p.to_move], other = p.hand[1 - p.to_move], cards, mine, yours
    cdef int i, card, state = state_of(p)
    cdef int turned = exchanged(state)
    for i in range(judged.n):
        card = judged.action[i]
        mine = hand ^ bit(card)
        cards = distinct(rules, forced_replies(rules, card, other))
        judged.value[i] = UNBOUNDED
        if not cards:
            judged.value[i] = rules.points[card] * weight_now(rules, p)
        while cards:
            yours = other & ~(cards & (0 - cards))
            if lead_wins(rules, card, lowest(cards)):
                announce(source, mine, yours, state, i, 1, judged)
            else:
                announce(source, yours, mine, turned, i, -1, judged)
            cards &= cards - 1


# A lead brings what the best reply leaves of it.
cdef inline void announce_leads(
    const rules_t* rules, const position_t* p, const source_t* source, judged_t* judged
) noexcept nogil:
    cdef position_t child
    cdef uint32_t cards
    cdef int i
    for i in range(judged.n):
        child = p[0]
        lead(rules, &child, code_of_lead(rules, judged.action[i]))
        cards = distinct(rules, replies(rules, child.led, child.hand[child.to_move], child.free))
        announce_replies(rules, &child, source, cards, p.to_move, i, 0, judged)
        judged.value[i] = UNBOUNDED if cards else abs(margin(rules, &child))


# One loop for all, since how many replies a lead has is chance.
cdef inline void read_places(const source_t* source, judged_t* judged) noexcept nogil:
    cdef int i, of, value
    for i in range(judged.n_places):
        of = judged.of[i]
        value = source.read(source.table, judged.place[i]) * judged.sign[i]
        judged.value[of] = min(judged.value[of], value)


cdef inline void judge_at_once(
    const rules_t* rules, const position_t* p, const source_t* source, judged_t* judged
) noexcept nogil:
    cdef int i
    for i in range(judged.n):
        judged.value[i] = value_after(rules, p, judged.action[i], source.look_up, source.table)


# Lists the actions, and announces what is to be looked up; of neighbouring copies the first.
cdef inline void begin_judging(
    const rules_t* rules, const position_t* p, const moves_t* moves, const source_t* source,
    judged_t* judged
) noexcept nogil:
    cdef moves_t left = moves[0]
    cdef int i, action = next_action(rules, &left)
    judged.n = judged.n_places = 0
    while action != ILLEGAL:
        judged.action[judged.n] = action
        judged.n += 1
        action = next_action(rules, &left)
    cdef bint is_last = p.trick >= last_trick_of(rules, p)  # behind it nothing is looked up
    if source.announce == NULL or p.fore[p.to_move] == UNDECIDED or is_last:
        judge_at_once(rules, p, source, judged)
    elif p.led == NONE and is_plain(rules, p):
        announce_plainly(rules, p, source, judged)
    elif p.led == NONE:
        announce_leads(rules, p, source, judged)
    else:
        for i in range(judged.n):
            judged.value[i] = UNBOUNDED
        announce_replies(rules, p, source, moves.play, p.to_move, 0, 1, judged)


cdef inline void end_judging(const source_t* source, judged_t* judged) noexcept nogil:
    cdef int i
    read_places(source, judged)
    judged.best = -UNBOUNDED
    for i in range(judged.n):
        judged.best = max(judged.best, judged.value[i])


cdef inline int best_at_random(
    const places_t* places, const judged_t* judged, stream_t* stream
) noexcept nogil:
    cdef uint32_t best = 0
    cdef int i
    for i in range(judged.n):
        best |= <uint32_t>(judged.value[i] == judged.best) << i
    return judged.action[nth(places, best, below(stream, size(places, best)))]


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

# Whether the player goes by values this time.
cdef inline bint goes_by_values(const policy_t* policy, stream_t* stream) noexcept nogil:
    if policy.kind == EPSILON:
        return word32(stream) >= policy.chance
    return needs_values(policy)


cdef inline int choose_by_values(
    const places_t* places, const policy_t* policy, const judged_t* judged, stream_t* stream
) noexcept nogil:
    if policy.kind == SOFTMAX:
        return by_weight(policy, judged, stream)
    return best_at_random(places, judged, stream)


cdef inline int choose_without(
    const rules_t* rules, const places_t* places, const policy_t* policy, const position_t* p,
    const moves_t* moves, stream_t* stream
) noexcept nogil:
    if policy.kind == GREEDY:
        return greedy_action(rules, places, p, moves)
    return random_action(rules, places, moves, stream)


# The action of the player who acts in a position with these distinct moves, which are not none.
cdef inline int choose(
    const rules_t* rules, const places_t* places, const policy_t* policy, const source_t* source,
    const position_t* p, const moves_t* moves, stream_t* stream
) noexcept nogil:
    cdef judged_t judged
    if not goes_by_values(policy, stream):
        return choose_without(rules, places, policy, p, moves, stream)
    begin_judging(rules, p, moves, source, &judged)
    end_judging(source, &judged)
    return choose_by_values(places, policy, &judged, stream)


cdef class Policy:
    cdef policy_t c
    cdef uint32_t[::1] weights
