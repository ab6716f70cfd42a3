"""Margins as small integers, and the values that need no table.

Whatever rises with the margin and turns with its sign leaves best play what it is. So the kernels
count in codes: 0 for 0, k for the k-th smallest margin above 0 that a mate can bring, -k for its
negative. There are 50 of them for the plain game, and a code fits a byte wherever there are at
most 126.
"""
from libc.stdint cimport int16_t, uint32_t, uint64_t

from matecore.cards cimport MAX_CARDS, bit, highest64, lowest
from matecore.rules cimport (
    DECLARED, MAX_HAND, Rules, forced_replies, has_foreplaced, holds, last_trick, lead_wins,
    position_t, replies, rules_t, stays,
)
from matecore.search cimport OTHER, OWN, TOKEN, exchanged, foreplacers

cdef enum:
    BYTE_CODES = 126                                # the most that leave a byte for "no reply"
    MOST_CODES = 4 * MAX_HAND * MAX_CARDS
    NO_CODE = 32767


#   mate[s][k][c]   code of the margin of a leader who mates with card c on trick k, where s says
#                   who foreplaced, OWN | OTHER
#   margin[n + c]   the margin of code c, n being how many there are above 0
ctypedef struct codes_t:
    int n
    int16_t mate[4][MAX_HAND + 2][MAX_CARDS]
    int16_t margin[2 * MOST_CODES + 1]


cdef int fill_codes(codes_t* codes, Rules rules) except -1


cdef inline bint is_code(const codes_t* codes, int code) noexcept nogil:
    return -codes.n <= code <= codes.n


cdef inline int margin_of(const codes_t* codes, int code) noexcept nogil:
    return codes.margin[codes.n + code]


# The leader's state in a position between tricks.
cdef inline int state_of(const position_t* p) noexcept nogil:
    cdef int state = TOKEN if p.free else 0
    state |= OWN if has_foreplaced(p, p.to_move) else 0
    return state | (OTHER if has_foreplaced(p, 1 - p.to_move) else 0)


cdef inline int n_foreplaced(int state) noexcept nogil:
    return (state & OWN) + (state & OTHER) // OTHER


# Both foreplaced: is it everywhere as if nobody had, a trick later? (Section 8.)
cdef inline bint both_is_plain(const rules_t* rules) noexcept nogil:
    cdef int trick
    for trick in range(1, rules.hand_size):
        if rules.weight[1][1][trick] != rules.weight[0][0][trick + 1]:
            return False
    return True


cdef inline uint64_t leads_of(const rules_t* rules, uint32_t hand) noexcept nogil:
    return hand | <uint64_t>(hand & rules.declarable) << DECLARED


# The code of a reply, for the leader, once both cards are played; trick is not the last.
cdef inline int after_reply(
    const rules_t* rules, const codes_t* codes, uint32_t leader, uint32_t follower, int state,
    int trick, int code, int reply
) noexcept nogil:
    cdef bint own = state & OWN, other = (state & OTHER) != 0
    cdef bint spends = not holds(forced_replies(rules, code, follower), reply)
    if not stays(rules, own, other, trick):
        leader &= ~bit(code % DECLARED)
    if not stays(rules, other, own, trick):
        follower &= ~bit(reply)
    state = state & ~TOKEN if spends else state
    if lead_wins(rules, code, reply):
        return play_out(rules, codes, leader, follower, state, trick + 1)
    return -play_out(rules, codes, follower, leader, exchanged(state), trick + 1)


# The code of a position between tricks, by trying everything: for the last tricks.
cdef inline int play_out(
    const rules_t* rules, const codes_t* codes, uint32_t leader, uint32_t follower, int state,
    int trick
) noexcept nogil:
    cdef uint64_t leads = leads_of(rules, leader)
    cdef uint32_t answers
    cdef int best = -NO_CODE, worst, code, last = last_trick(rules, n_foreplaced(state))
    while leads:
        code = highest64(leads)
        leads ^= <uint64_t>1 << code
        answers = replies(rules, code, follower, state & TOKEN)
        if not answers:
            worst = codes.mate[foreplacers(state)][trick][code % DECLARED]
        elif trick == last:
            worst = 0
        else:
            worst = NO_CODE
            while answers:
                worst = min(worst, after_reply(
                    rules, codes, leader, follower, state, trick, code, lowest(answers)
                ))
                answers &= answers - 1
        best = max(best, worst)
    return best
