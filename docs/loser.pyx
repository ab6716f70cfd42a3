# cython: boundscheck=False, wraparound=False
"""Rounds in which the loser of game 1 leads game 2: what a deal is worth, and how it is played.

Points are counted for the leader of game 1. Let m be his margin in game 1, a what the deal is worth
to its leader and b what the exchanged deal is worth to its own. After a mate by him or a draw the
other leads game 2 with the same hand, which is worth -a; after a mate by the other he leads it
himself, with the other hand, which is worth b (sections 6 and 8 of the rules). So the round is
worth f(m) - a, where f(m) = m for m >= 0 and m + (a + b) for m < 0. f does not rise with m
throughout, so no table of margins tells what it is worth: each deal is searched with f in place of
the margin, between tricks, over a table of bounds, as matecore/search.pyx does.
"""
from libc.stdint cimport int16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from matecore.cards cimport bit, highest64, lowest
from matecore.rules cimport (
    NONE, UNDECIDED, Rules, answered, distinct, foreplace, foreplaceable, forced_replies,
    has_foreplaced, last_trick, lead_wins, opening, position_t, rules_t, stays,
)

cdef enum:
    UNBOUNDED = 32767
    TABLE_BITS = 16
    # What of equally good ways counts: that the leader of game 1 is not mated; that he mates.
    IS_MATED = 0
    MATES = 1


# A position between tricks and bounds on what it is worth to its leader. `state` tells who leads,
# who foreplaced, and which search it is of, so that the table is never emptied.
ctypedef struct entry_t:
    uint32_t leader
    uint32_t follower
    uint32_t state
    int16_t lower
    int16_t upper


ctypedef struct search_t:
    const rules_t* rules
    entry_t* table
    int bonus           # a + b
    int kind            # IS_MATED or MATES
    uint32_t serial     # of the search


# Twice f, for the leader of game 1; one less if he is mated, or one more if he mates.
cdef inline int worth(const search_t* s, int margin) noexcept nogil:
    if margin < 0:
        return 2 * (margin + s.bonus) - (s.kind == IS_MATED)
    return 2 * margin + (s.kind == MATES and margin > 0)


# --- Between tricks ------------------------------------------------------------------------------

# `first` is 1 if the leader is that of game 1, else -1; `own` and `other` tell who foreplaced.
ctypedef struct node_t:
    uint32_t leader
    uint32_t follower
    int first
    bint own
    bint other
    int trick


cdef inline entry_t* entry_of(const search_t* s, const node_t* n) noexcept nogil:
    cdef uint64_t key = (<uint64_t>n.leader << 32 | n.follower) ^ state_of(s, n)
    return s.table + (key * <uint64_t>0x9E3779B97F4A7C15 >> (64 - TABLE_BITS))


cdef inline uint32_t state_of(const search_t* s, const node_t* n) noexcept nogil:
    return s.serial << 3 | (n.first > 0) << 2 | n.own << 1 | n.other


cdef inline node_t child_of(
    const search_t* s, const node_t* n, int card, int reply
) noexcept nogil:
    cdef node_t child = n[0]
    if not stays(s.rules, n.own, n.other, n.trick):
        child.leader ^= bit(card)
    if not stays(s.rules, n.other, n.own, n.trick):
        child.follower ^= bit(reply)
    child.trick += 1
    if not lead_wins(s.rules, card, reply):
        child.leader, child.follower = child.follower, child.leader
        child.own, child.other = child.other, child.own
        child.first = -child.first
    return child


# Of several mates the highest is the best for either player. -UNBOUNDED without any.
cdef inline int best_mate(const search_t* s, const node_t* n, uint32_t mates) noexcept nogil:
    cdef int points = -1
    while mates:
        points = max(points, s.rules.points[lowest(mates)])
        mates &= mates - 1
    if points < 0:
        return -UNBOUNDED
    return n.first * worth(s, n.first * points * s.rules.weight[n.own][n.other][n.trick])


# A bound on what the node is worth to its leader: at least `beta` if that is, else below it.
cdef int bound(search_t* s, const node_t* n, int beta) noexcept nogil:
    cdef uint32_t leads = n.leader & answered(s.rules, n.follower)
    cdef int best = best_mate(s, n, n.leader & ~leads)
    cdef entry_t* entry = entry_of(s, n)
    cdef uint32_t state = state_of(s, n)
    if n.trick == last_trick(s.rules, n.own + n.other):
        return max(best, 0) if leads else best
    if best >= beta:
        return best
    if entry.leader == n.leader and entry.follower == n.follower and entry.state == state:
        if entry.lower >= beta:
            return entry.lower
        if entry.upper < beta:
            return entry.upper
    best = max(best, bound_leads(s, n, beta, distinct(s.rules, leads)))
    if entry.leader != n.leader or entry.follower != n.follower or entry.state != state:
        entry[0] = entry_t(n.leader, n.follower, state, -UNBOUNDED, UNBOUNDED)
    if best >= beta:
        entry.lower = best
    else:
        entry.upper = best
    return best


# Leads with a single reply come first.
cdef int bound_leads(search_t* s, const node_t* n, int beta, uint32_t leads) noexcept nogil:
    cdef int best = -UNBOUNDED, pass_, card
    cdef uint32_t left, forced
    for pass_ in range(2):
        left = leads
        while left and best < beta:
            card = highest64(left)
            left ^= bit(card)
            forced = distinct(s.rules, forced_replies(s.rules, card, n.follower))
            if (forced & (forced - 1) != 0) == pass_:
                best = max(best, bound_replies(s, n, beta, card, forced))
    return best


# Replies that win the trick come first.
cdef int bound_replies(
    search_t* s, const node_t* n, int beta, int card, uint32_t replies
) noexcept nogil:
    cdef int worst = UNBOUNDED, value, reply
    cdef uint32_t winning
    cdef node_t child
    while replies and worst >= beta:
        winning = replies & ~s.rules.loses[card]
        reply = lowest(winning if winning else replies)
        replies ^= bit(reply)
        child = child_of(s, n, card, reply)
        if child.first == n.first:
            value = bound(s, &child, beta)
        else:
            value = -bound(s, &child, 1 - beta)
        worst = min(worst, value)
    return worst


# --- From the start ------------------------------------------------------------------------------

# The same before the first lead, for X, who leads game 1.
cdef int bound_opening(search_t* s, const position_t* p, int beta) noexcept nogil:
    cdef node_t node
    if p.fore[p.to_move] == UNDECIDED:
        return bound_foreplacing(s, p, beta)
    node = node_t(p.hand[0], p.hand[1], 1, has_foreplaced(p, 0), has_foreplaced(p, 1), 1)
    return bound(s, &node, beta)


cdef int bound_foreplacing(search_t* s, const position_t* p, int beta) noexcept nogil:
    cdef uint64_t left = <uint64_t>distinct(s.rules, foreplaceable(s.rules, p)) << 1 | 1
    cdef int best = UNBOUNDED if p.to_move else -UNBOUNDED, choice, value
    cdef position_t child
    for choice in range(s.rules.n_cards + 1):
        if left >> choice & 1:
            child = p[0]
            foreplace(s.rules, &child, choice - 1 if choice else NONE)
            value = bound_opening(s, &child, beta)
            best = min(best, value) if p.to_move else max(best, value)
            if (best < beta) == p.to_move:
                break
    return best


# Asks until the bounds meet, beginning at a guess.
cdef int exact(search_t* s, const position_t* p, int guess) noexcept nogil:
    cdef int lower = -UNBOUNDED, upper = UNBOUNDED, value = guess, beta
    s.serial += 1
    while lower < upper:
        beta = value if value > lower else value + 1
        value = bound_opening(s, p, beta)
        if value >= beta:
            lower = value
        else:
            upper = value
    return value


def search(
    Rules rules not None, const uint32_t[:, ::1] deals not None,
    const int16_t[:, ::1] values not None, int16_t[:, ::1] out not None
):
    """Search rounds, X leading game 1.

    Arguments:
        rules: of a variant without free move and without privilege to declare.
        deals: uint32 of shape (n, 2), the masks of X and Y.
        values: int16 of shape (n, 2), a and b of each deal.
        out: int16 of shape (n, 2), is written: what 2 f comes to under best play of both, less one
            where X is mated; and more by one where X mates.
    """
    cdef search_t s
    cdef position_t p
    cdef Py_ssize_t row
    if not (deals.shape[1] == values.shape[1] == out.shape[1] == 2):
        raise ValueError("deals, values and out must have the shape (n, 2)")
    if not (deals.shape[0] == values.shape[0] == out.shape[0]):
        raise ValueError("deals, values and out must have the same length")
    if rules.c.free_move or rules.c.declarable:
        raise ValueError("free moves and declared privileges are not searched")
    s.rules, s.serial = &rules.c, 0
    s.table = <entry_t*>calloc(<size_t>1 << TABLE_BITS, sizeof(entry_t))
    if s.table == NULL:
        raise MemoryError("no memory for the table")
    with nogil:
        for row in range(deals.shape[0]):
            p = opening(s.rules, deals[row, 0], deals[row, 1], 0)
            s.bonus = values[row, 0] + values[row, 1]
            for s.kind in range(2):
                out[row, s.kind] = exact(&s, &p, 2 * values[row, 0])
    free(s.table)
