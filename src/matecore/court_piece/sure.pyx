"""Tricks that are sure without a search."""

from matecore.court_piece.cards cimport SLOTS, SUITS
from matecore.court_piece.state cimport (
    highest_of, in_suit, length, small_count, state_t, trumps_of,
)

cdef enum:
    UNLIMITED = 64

# A suit as the leader's side sees it.
#
#   own         the leader's cards above all others', how many
#   partners    the partner's cards next below them
#   cashed      tricks that the leader takes in it
#   crossed     tricks that the partner takes in it after them
ctypedef struct suit_t:
    uint32_t cards
    int own
    int partners
    int cashed
    int crossed

ctypedef struct view_t:
    suit_t suit[SUITS]
    int leader
    int partner
    int left            # tricks that can still be played


cdef inline int most(int a, int b) noexcept nogil:
    return a if a > b else b


cdef inline int least(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline int longest_other(const state_t* s, int seat, int suit) noexcept nogil:
    return most(
        length(s, (seat + 2) & 3, suit),
        most(length(s, (seat + 1) & 3, suit), length(s, (seat + 3) & 3, suit)),
    )


# The cards above all that are not in `hand`.
cdef inline uint32_t run_of(uint32_t cards, uint32_t hand) noexcept nogil:
    cdef uint32_t others = cards & ~hand
    return cards & ((others & (0 - others)) - 1)


cdef inline void look_at(const state_t* s, view_t* view, int suit) noexcept nogil:
    cdef suit_t* v = &view.suit[suit]
    cdef uint32_t own, rest
    v.cards = in_suit(s.left, suit)
    own = run_of(v.cards, in_suit(s.hand[view.leader], suit))
    rest = v.cards ^ own
    v.own = small_count(own)
    v.partners = small_count(run_of(rest, in_suit(s.hand[view.partner], suit)))
    v.cashed = v.crossed = 0


# How many rounds of a suit can be played before an opponent may trump.
cdef inline int unruffed(const state_t* s, int leader, int suit, bint drawn) noexcept nogil:
    cdef int rounds = UNLIMITED
    cdef int left = (leader + 1) & 3, right = (leader + 3) & 3
    if drawn or suit == s.trump:
        return UNLIMITED
    if trumps_of(s, left):
        rounds = length(s, left, suit)
    if trumps_of(s, right):
        rounds = least(rounds, length(s, right, suit))
    return rounds


cdef inline bint drawn_by(const state_t* s, int leader, int rounds) noexcept nogil:
    return (
        trumps_of(s, (leader + 1) & 3) <= rounds and trumps_of(s, (leader + 3) & 3) <= rounds
    )


# Rounds of a suit that the leader takes himself from the top.
cdef inline int cashes(const state_t* s, const view_t* view, int suit) noexcept nogil:
    cdef int own = view.suit[suit].own
    if own and own >= longest_other(s, view.leader, suit):
        return length(s, view.leader, suit)
    return own


# The same of the partner, after the leader took his.
cdef inline int crosses(const state_t* s, const view_t* view, int suit) noexcept nogil:
    cdef const suit_t* v = &view.suit[suit]
    cdef int has = length(s, view.partner, suit) - v.cashed, rounds = v.cashed + v.partners
    if has <= 0 or v.partners == 0 or v.cashed < v.own:
        return 0
    return has if rounds >= longest_other(s, view.partner, suit) else least(has, v.partners)


cdef inline void rest_on(const view_t* view, int suit, uint64_t* rests_on) noexcept nogil:
    cdef const suit_t* v = &view.suit[suit]
    cdef int used = least(v.cashed, v.own)
    if v.crossed:
        used = v.own + least(v.crossed, v.partners)
    if used:
        rests_on[0] |= <uint64_t>highest_of(v.cards, used) << (SLOTS * suit)


# A player who follows with trumps alone wins the trick that he should not: so many side tricks can
# his partner take before that.
cdef inline int side_tricks(
    const state_t* s, int seat, int trumps_gone, int cards_gone, int left
) noexcept nogil:
    cdef int trumps = trumps_of(s, seat)
    return UNLIMITED if trumps <= trumps_gone else left - trumps - cards_gone


cdef int cash_own(const state_t* s, view_t* view, int enough) noexcept nogil:
    cdef int total = 0, suit, rounds, spare
    cdef bint drawn = drawn_by(s, view.leader, 0)
    if s.trump < SUITS:
        total = view.suit[s.trump].cashed = least(cashes(s, view, s.trump), view.left)
        drawn = drawn or drawn_by(s, view.leader, total)
    spare = side_tricks(s, view.partner, total, 0, 14 - s.number)
    for suit in range(SUITS):
        if suit == s.trump or total >= enough:
            continue
        rounds = least(cashes(s, view, suit), unruffed(s, view.leader, suit, drawn))
        rounds = least(rounds, spare)
        spare -= rounds
        view.suit[suit].cashed = rounds
        total += rounds
    return total


# Whether the leader can reach his partner's winners after he took his own.
cdef bint can_cross(const state_t* s, const view_t* view, bint drawn) noexcept nogil:
    cdef int suit, rounds
    for suit in range(SUITS):
        rounds = view.suit[suit].cashed
        if length(s, view.leader, suit) <= rounds or crosses(s, view, suit) == 0:
            continue
        if suit == s.trump or rounds < unruffed(s, view.leader, suit, drawn):
            return True
    return False


cdef int cash_partners(const state_t* s, view_t* view, int enough) noexcept nogil:
    cdef int total = 0, suit, rounds, spare, trumps = 0, side = 0
    cdef bint drawn
    if s.trump < SUITS:
        trumps = view.suit[s.trump].cashed
    if not can_cross(s, view, drawn_by(s, view.leader, trumps)):
        return 0
    if s.trump < SUITS:
        total = view.suit[s.trump].crossed = crosses(s, view, s.trump)
    drawn = drawn_by(s, view.leader, trumps + total)
    for suit in range(SUITS):
        if suit != s.trump:
            side += view.suit[suit].cashed
    spare = side_tricks(s, view.leader, trumps + total, side, 14 - s.number)
    for suit in range(SUITS):
        if suit == s.trump or total >= enough:
            continue
        rounds = unruffed(s, view.leader, suit, drawn) - view.suit[suit].cashed
        rounds = least(least(rounds, crosses(s, view, suit)), spare)
        if rounds > 0:
            spare -= rounds
            view.suit[suit].crossed = rounds
            total += rounds
    return total


cdef int quick_tricks(const state_t* s, int enough, uint64_t* rests_on) noexcept nogil:
    cdef view_t view
    cdef int suit, total
    view.leader, view.partner = s.leader, (s.leader + 2) & 3
    view.left = s.horizon - s.number + 1
    for suit in range(SUITS):
        look_at(s, &view, suit)
    total = cash_own(s, &view, enough)
    if total < enough:
        total += cash_partners(s, &view, enough - total)
    for suit in range(SUITS):
        rest_on(&view, suit, rests_on)
    return least(total, view.left)


cdef int late_tricks(const state_t* s, uint64_t* rests_on) noexcept nogil:
    cdef uint32_t cards, run, left, right
    cdef int tricks
    if s.trump >= SUITS:
        return 0
    cards = in_suit(s.left, s.trump)
    left = in_suit(s.hand[(s.leader + 1) & 3], s.trump)
    right = in_suit(s.hand[(s.leader + 3) & 3], s.trump)
    run = run_of(cards, left | right)
    tricks = most(small_count(run & left), small_count(run & right))
    if tricks:
        rests_on[0] |= <uint64_t>run << (SLOTS * s.trump)
    return tricks
