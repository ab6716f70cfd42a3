"""Tricks that are sure without a search."""

from libc.stdint cimport uint32_t, uint64_t

from matecore.cards cimport lowest
from matecore.court_piece.cards cimport SEATS, SLOTS, SUITS
from matecore.court_piece.state cimport highest_of, in_suit, length, state_t

cdef enum:
    UNLIMITED = 64
    EVERY = 0x55555555  # times a seat: that seat in every place
    LAST = 1 << 30      # beyond the owners of thirteen cards

# A suit as the leader's side sees it.
#
#   own         the leader's cards above all others', how many
#   partners    the partner's cards next below them
#   cashed      tricks that the leader takes in it
#   crossed     tricks that the partner takes in it after them
ctypedef struct suit_t:
    int own
    int partners
    int cashed
    int crossed

ctypedef struct view_t:
    suit_t suit[SUITS]
    int leader
    int partner
    int left            # opponents
    int right
    int trumps[SEATS]


# How many of the owners told, from the first on, are one seat; at most the cards it has.
cdef inline int run_of(uint32_t owners, int seat, int cards) noexcept nogil:
    return min(lowest((owners ^ (seat * EVERY)) | LAST) >> 1, cards)


cdef inline int longest_other(const state_t* s, int seat, int suit) noexcept nogil:
    return max(
        length(s, (seat + 2) & 3, suit),
        max(length(s, (seat + 1) & 3, suit), length(s, (seat + 3) & 3, suit)),
    )


# How many rounds of a side suit can be played before an opponent may trump.
cdef inline int unruffed(const state_t* s, const view_t* view, int suit, bint drawn) noexcept nogil:
    cdef int rounds = UNLIMITED
    if drawn:
        return UNLIMITED
    if view.trumps[view.left]:
        rounds = length(s, view.left, suit)
    if view.trumps[view.right]:
        rounds = min(rounds, length(s, view.right, suit))
    return rounds


# Whether so many rounds of trumps leave the opponents none.
cdef inline bint draws(const view_t* view, int rounds) noexcept nogil:
    return max(view.trumps[view.left], view.trumps[view.right]) <= rounds


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
    return has if rounds >= longest_other(s, view.partner, suit) else min(has, v.partners)


# The cards of the highest ranks that tricks in each suit rest on.
cdef uint64_t ranks_used(const state_t* s, const view_t* view) noexcept nogil:
    cdef uint64_t cards = 0
    cdef int suit, used
    cdef const suit_t* v
    for suit in range(SUITS):
        v = &view.suit[suit]
        used = v.own + min(v.crossed, v.partners) if v.crossed else min(v.cashed, v.own)
        cards |= <uint64_t>highest_of(in_suit(s.left, suit), used) << (SLOTS * suit)
    return cards


# A player who can follow with trumps alone wins a trick that he should leave to his partner: so
# many tricks of side suits the partner takes before that.
cdef inline int side_tricks(int trumps, int gone, int others) noexcept nogil:
    return UNLIMITED if trumps <= gone else others


cdef int cash_own(const state_t* s, view_t* view, int enough) noexcept nogil:
    cdef int total = 0, suit, rounds, spare
    cdef bint drawn = draws(view, 0)
    if s.trump < SUITS and view.suit[s.trump].own:
        total = view.suit[s.trump].cashed = min(cashes(s, view, s.trump), enough)
        drawn = drawn or draws(view, total)
    spare = side_tricks(
        view.trumps[view.partner], total, 14 - s.number - view.trumps[view.partner]
    )
    for suit in range(SUITS):
        if suit == s.trump or total >= enough or not view.suit[suit].own:
            continue
        rounds = min(cashes(s, view, suit), unruffed(s, view, suit, drawn))
        rounds = min(min(rounds, spare), enough - total)
        spare -= rounds
        view.suit[suit].cashed = rounds
        total += rounds
    return total


# The suit in which the leader can reach his partner's winners after he took his own, or -1.
cdef int entry_of(const state_t* s, const view_t* view, bint drawn) noexcept nogil:
    cdef int suit, rounds
    for suit in range(SUITS):
        rounds = view.suit[suit].cashed
        if length(s, view.leader, suit) <= rounds or crosses(s, view, suit) == 0:
            continue
        if suit == s.trump or rounds < unruffed(s, view, suit, drawn):
            return suit
    return -1


cdef int cash_partners(const state_t* s, view_t* view, int enough) noexcept nogil:
    cdef int total = 0, suit, rounds, spare, trumps = 0, side = 0, entry
    cdef bint drawn
    for suit in range(SUITS):
        view.suit[suit].partners = run_of(
            s.owners[suit] >> (2 * view.suit[suit].own), view.partner, length(s, view.partner, suit)
        )
    if s.trump < SUITS:
        trumps = view.suit[s.trump].cashed
    entry = entry_of(s, view, draws(view, trumps))
    if entry < 0:
        return 0
    # Whatever is counted rests on it.
    view.suit[entry].crossed = 1
    if s.trump < SUITS:
        total = view.suit[s.trump].crossed = min(crosses(s, view, s.trump), enough)
    drawn = draws(view, trumps + total)
    for suit in range(SUITS):
        if suit != s.trump:
            side += view.suit[suit].cashed
    spare = side_tricks(
        view.trumps[view.leader], trumps + total, 14 - s.number - view.trumps[view.leader] - side
    )
    for suit in range(SUITS):
        if suit == s.trump or total >= enough or not view.suit[suit].partners:
            continue
        rounds = unruffed(s, view, suit, drawn) - view.suit[suit].cashed
        rounds = min(min(rounds, crosses(s, view, suit)), spare)
        if rounds > 0:
            rounds = min(rounds, enough - total)
            spare -= rounds
            view.suit[suit].crossed = rounds
            total += rounds
    return total


# The tricks that one hand takes sooner or later with its trumps, or its partner over them: all but
# those for which opponents have a higher trump to spend on each. No more than `enough` are looked
# for.
cdef int sure_trumps(
    const state_t* s, int seat, int enough, uint64_t* rests_on
) noexcept nogil:
    cdef int own = length(s, seat, s.trump), sure = 0, higher = 0, told = 0, owner
    cdef int against = length(s, (seat + 1) & 3, s.trump) + length(s, (seat + 3) & 3, s.trump)
    cdef uint32_t owners = s.owners[s.trump]
    if own - against >= enough or own < enough:
        return own if own >= enough else 0
    while own and sure < enough:
        owner = owners & 3
        owners >>= 2
        told += 1
        if owner == seat:
            own -= 1
            if higher:
                higher -= 1
            else:
                sure += 1
        else:
            higher += (owner ^ seat) & 1
    if sure >= enough:
        rests_on[0] |= <uint64_t>highest_of(in_suit(s.left, s.trump), told) << (SLOTS * s.trump)
    return sure


cdef inline view_t view_of(const state_t* s) noexcept nogil:
    cdef view_t view
    cdef int suit, seat
    view.leader = s.trick.leader
    view.left, view.partner, view.right = (
        (view.leader + 1) & 3, (view.leader + 2) & 3, (view.leader + 3) & 3
    )
    for seat in range(SEATS):
        view.trumps[seat] = length(s, seat, s.trump)
    for suit in range(SUITS):
        view.suit[suit].own = run_of(s.owners[suit], view.leader, length(s, view.leader, suit))
        view.suit[suit].cashed = view.suit[suit].crossed = 0
    return view


cdef int quick_tricks(const state_t* s, int enough, bint late, uint64_t* rests_on) noexcept nogil:
    cdef view_t view = view_of(s)
    cdef int total = cash_own(s, &view, enough), trumps, needed
    if total < enough and late and s.trump < SUITS:
        trumps = view.suit[s.trump].cashed
        needed = enough - total + trumps
        # The partner's may fall under the leader's.
        if sure_trumps(s, view.leader, needed, rests_on) >= needed or (
            trumps == 0 and sure_trumps(s, view.partner, needed, rests_on) >= needed
        ):
            total = enough
    if total < enough:
        total += cash_partners(s, &view, enough - total)
    if total >= enough:
        rests_on[0] |= ranks_used(s, &view)
    return total


cdef int own_tricks(const state_t* s, int enough, uint64_t* rests_on) noexcept nogil:
    cdef view_t view = view_of(s)
    cdef int total = cash_own(s, &view, enough)
    if total >= enough:
        rests_on[0] |= ranks_used(s, &view)
    return total


cdef int late_tricks(const state_t* s, int enough, uint64_t* rests_on) noexcept nogil:
    cdef int left = (s.trick.leader + 1) & 3, sure
    if s.trump >= SUITS:
        return 0
    sure = sure_trumps(s, left, enough, rests_on)
    return sure if sure >= enough else sure_trumps(s, left ^ 2, enough, rests_on)
