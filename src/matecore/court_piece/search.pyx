"""Double-dummy search of a position."""

from libc.stdint cimport UINT64_MAX, uint32_t, uint64_t

from matecore.cards cimport prefetch
from matecore.court_piece.cards cimport SEATS, SLOTS, SUITS, bit, suit_cards, suit_of
from matecore.court_piece.order cimport FIRST, bring_best, move_t, moves_of
from matecore.court_piece.rules cimport (
    ENOUGH, FIRST_SEVEN, MOST_TRICKS, NOBODY, NO_TRUMP, centre_t, is_ace, position_t, rules_t,
    side_of, take, wins_over,
)
from matecore.court_piece.state cimport (
    TOLD, TOP, highest_of, in_suit, one_of, small_count, state_t, tell_owners, trick_t,
)
from matecore.court_piece.sure cimport late_tricks, own_tricks, quick_tricks
from matecore.court_piece.table cimport chain_of, class_t, entry_t, learn, look_up
from matecore.signals cimport check_signals

cdef enum:
    BETWEEN_POLLS = 16384   # nodes, a few milliseconds
    UNKNOWN = -1
    NO_KILLER = -1


# A handler of the signal may search with the same solver; its searches are not limited by this one.
cdef void poll(solver_t* solver) noexcept nogil:
    cdef uint64_t last_node = solver.last_node
    with gil:
        solver.last_node = UINT64_MAX
        if check_signals() != 0:
            solver.interrupted = True
        solver.last_node = last_node


# --- Beginning -----------------------------------------------------------------------------------

cdef inline int owner_of(const state_t* s, uint64_t card) noexcept nogil:
    cdef int seat
    for seat in range(SEATS):
        if s.hand[seat] & card:
            return seat
    return 0


cdef void fill_owners(state_t* s, int suit) noexcept nogil:
    cdef uint32_t cards, before
    cdef int[SLOTS] owner
    cdef int slot
    for slot in range(SLOTS):
        owner[slot] = owner_of(s, bit(SLOTS * suit + slot))
    s.top[suit][0] = s.low[suit][0] = 0
    # The lowest card of a set is told last: behind all the higher ones.
    for slot in range(TOP):
        for cards in range(1 << slot):
            before = s.top[suit][cards]
            s.top[suit][cards | 1 << slot] = (
                (before | owner[slot] << (before >> TOLD)) + (2 << TOLD)
            )
    for slot in range(SLOTS - TOP):
        for cards in range(1 << slot):
            s.low[suit][cards | 1 << slot] = (
                s.low[suit][cards] | owner[TOP + slot] << (2 * small_count(cards))
            )


# The sides that may still make a court of the first seven tricks, as bits. Where collection is
# plain it is a search of its own.
cdef int sweeps(const rules_t* rules, const position_t* position) noexcept nogil:
    if rules.claims[NOBODY][0] or not rules.courts & FIRST_SEVEN or position.n_tricks >= ENOUGH:
        return 0
    return (position.won[1] == 0) | (position.won[0] == 0) << 1


cdef void begin_search(
    search_t* c, solver_t* solver, const rules_t* rules, const position_t* position, int horizon
) noexcept nogil:
    cdef state_t* s = &c.s
    cdef int seat, suit, place
    c.solver = solver
    for place in range(SLOTS + 1):
        for seat in range(SEATS):
            c.killer[place][seat] = NO_KILLER
    s.rules = rules
    s.left = s.shape = 0
    for seat in range(SEATS):
        s.hand[seat] = position.hand[seat]
        s.left |= s.hand[seat]
        s.lengths[NO_TRUMP][seat] = 0
        for suit in range(SUITS):
            s.lengths[suit][seat] = small_count(in_suit(s.hand[seat], suit))
            s.shape += s.lengths[suit][seat] * one_of(seat, suit)
    for suit in range(SUITS):
        fill_owners(s, suit)
        tell_owners(s, suit)
    s.trump, s.number = position.trump, position.n_tricks + 1
    s.trick = &s.tricks[s.number]
    for place in range(position.n_table):
        s.trick.suit[place] = suit_of(position.table[place])
        s.trick.card[place] = s.trick.lowest[place] = position.table[place]
        s.left |= bit(position.table[place])
    s.trick.n, s.trick.leader, s.trick.holder = position.n_table, position.leader, position.holder
    if s.trick.n:
        s.trick.best = s.trick.card[(s.trick.holder - s.trick.leader) & 3]
        s.trick.best_suit = suit_of(s.trick.best)
    s.horizon = horizon
    s.centre = position.centre
    if rules.claims[NOBODY][0]:
        # Asked under plain collection, of a position that may have come about under another.
        s.centre.pile, s.centre.armed, s.centre.by_ace = 0, NOBODY, 0
    s.sweep = sweeps(rules, position)
    c.quick = rules.claims[NOBODY][0]
    c.late = c.quick and horizon == MOST_TRICKS


# --- Classes of positions ------------------------------------------------------------------------

cdef inline class_t class_of(const state_t* s) noexcept nogil:
    cdef class_t position
    cdef uint32_t aces = 0
    if s.rules.ace_rule:
        aces = (s.left & 1) | (s.left >> 12 & 2) | (s.left >> 24 & 4) | (s.left >> 36 & 8)
    position.shape = s.shape
    position.owners[0] = s.owners[0] | <uint64_t>s.owners[1] << 32
    position.owners[1] = s.owners[2] | <uint64_t>s.owners[3] << 32
    position.state = (
        s.trump | s.trick.leader << 3 | s.horizon << 5 | s.centre.pile << 9 | s.centre.armed << 13
        | s.centre.by_ace << 16 | aces << 17 | s.sweep << 21
    )
    return position


# A set of cards of a suit and all above them there, and of suits below it.
cdef inline uint64_t all_above(uint64_t cards) noexcept nogil:
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    return cards | cards >> 8


# The owners that count if a result rests on these cards, and so on all above them.
cdef inline uint64_t mask_of(const state_t* s, int suit, uint64_t rests_on) noexcept nogil:
    cdef uint32_t cards = in_suit(s.left, suit) & <uint32_t>all_above(in_suit(rests_on, suit))
    return (<uint64_t>1 << (2 * small_count(cards))) - 1


cdef inline uint64_t cards_of(const state_t* s, int suit, uint32_t mask) noexcept nogil:
    cdef uint32_t cards = in_suit(s.left, suit)
    cdef int n = small_count(mask & 0x5555) + small_count(mask >> 16 & 0x5555)
    return <uint64_t>highest_of(cards, n) << (SLOTS * suit)


cdef inline uint64_t rests_of(const state_t* s, const entry_t* entry) noexcept nogil:
    return (
        cards_of(s, 0, <uint32_t>entry.mask[0]) | cards_of(s, 1, entry.mask[0] >> 32)
        | cards_of(s, 2, <uint32_t>entry.mask[1]) | cards_of(s, 3, entry.mask[1] >> 32)
    )


# --- Search --------------------------------------------------------------------------------------

# What tricks that are sure say: whether side 0 collects `need` tricks, or UNKNOWN.
cdef inline int verdict(const search_t* c, int need, uint64_t* rests_on) noexcept nogil:
    cdef const state_t* s = &c.s
    cdef int against = s.horizon - s.number + 2 - need
    cdef bint leads = side_of(s.trick.leader) == 0
    cdef int enough = need if leads else against
    if quick_tricks(s, enough, c.late, rests_on) >= enough:
        return leads
    rests_on[0] = 0
    if c.late:
        enough = against if leads else need
        if late_tricks(s, enough, rests_on) >= enough:
            return not leads
        rests_on[0] = 0
    return UNKNOWN


# How many tricks the leader must take himself, from this one on, to collect so many.
cdef int wins_to_collect(const state_t* s, int tricks) noexcept nogil:
    cdef centre_t centre = s.centre
    cdef int number = s.number
    while tricks > 0 and number <= s.horizon:
        tricks -= take(s.rules, &centre, number, s.trick.leader, False)
        number += 1
    return number - s.number if tricks <= 0 else MOST_TRICKS + 1


# As `verdict`, of other collections: what the leader himself takes at once.
cdef inline int claims_verdict(const search_t* c, int need, uint64_t* rests_on) noexcept nogil:
    cdef const state_t* s = &c.s
    cdef bint leads = side_of(s.trick.leader) == 0
    cdef int against = s.horizon - s.number + 2 + s.centre.pile - need
    cdef int wins = wins_to_collect(s, need if leads else against)
    if wins <= MOST_TRICKS and own_tricks(s, wins, rests_on) >= wins:
        return leads
    rests_on[0] = 0
    return UNKNOWN


# The trick is complete: the rest is searched, and the position is as it was before.
cdef bint after_trick(search_t* c, int need, uint64_t* rests_on) noexcept nogil:
    cdef state_t* s = &c.s
    cdef trick_t* trick = s.trick
    cdef centre_t centre = s.centre
    cdef uint64_t left = s.left
    cdef uint32_t[SUITS] owners
    cdef int place = (trick.holder - trick.leader) & 3, winner = trick.holder, i, suit
    cdef int card = trick.best, sweep = s.sweep
    cdef bint contested = s.rules.ace_rule, reached, won
    cdef int taken = take(s.rules, &s.centre, s.number, winner, is_ace(card))
    s.left = s.hand[0] | s.hand[1] | s.hand[2] | s.hand[3]
    for suit in range(SUITS):
        owners[suit] = s.owners[suit]
    for i in range(SEATS):
        suit = trick.suit[i]
        contested |= i != place and suit == trick.best_suit
        if i == 0 or suit != trick.suit[0]:
            tell_owners(s, suit)
    s.number += 1
    s.trick = &s.tricks[s.number]
    s.trick.leader, s.trick.n = winner, 0
    s.sweep &= 1 << side_of(winner)
    reached = collects(c, need - taken if side_of(winner) == 0 else need, rests_on)
    for suit in range(SUITS):
        s.owners[suit] = owners[suit]
    s.trick, s.centre, s.left, s.sweep = trick, centre, left, sweep
    s.number -= 1
    if contested:
        # Who got what he wanted needed no more than the card; who did not could have played any
        # that was the same.
        won = reached == (side_of(winner) == 0) and not s.rules.ace_rule
        rests_on[0] |= bit(card if won else trick.lowest[place])
    return reached


cdef bint after_card(search_t* c, const move_t* move, int need, uint64_t* rests_on) noexcept nogil:
    cdef state_t* s = &c.s
    cdef trick_t* trick = s.trick
    cdef int n = trick.n, seat = (trick.leader + n) & 3
    cdef int holder = trick.holder, best = trick.best, best_suit = trick.best_suit
    cdef uint64_t gone = one_of(seat, move.suit)
    cdef bint reached
    if n == 0 or wins_over(s.trump, move.card, move.suit, best, best_suit):
        trick.holder, trick.best, trick.best_suit = seat, move.card, move.suit
    s.hand[seat] ^= bit(move.card)
    s.shape -= gone
    s.lengths[move.suit][seat] -= 1
    trick.card[n], trick.suit[n], trick.lowest[n] = move.card, move.suit, move.lowest
    trick.n = n + 1
    if n + 1 == SEATS:
        reached = after_trick(c, need, rests_on)
    else:
        reached = best_move(c, need, rests_on)
    trick.n = n
    s.shape += gone
    s.lengths[move.suit][seat] += 1
    s.hand[seat] |= bit(move.card)
    trick.holder, trick.best, trick.best_suit = holder, best, best_suit
    return reached


# The cards that would do as well as this one, if what came of it rests on these: those below all of
# them in the suit, if it is.
cdef inline uint64_t same_as(const move_t* move, uint64_t rests_on) noexcept nogil:
    cdef uint64_t suit = suit_cards(move.suit), below = suit & ~all_above(rests_on & suit)
    return below if below >> move.card & 1 else 0


# Whether side 0 reaches its aim with the best card of the seat whose turn it is.
cdef bint best_move(search_t* c, int need, uint64_t* rests_on) noexcept nogil:
    cdef move_t[SLOTS] moves
    cdef uint64_t cards = 0, fail = 0
    cdef int n = moves_of(&c.s, moves), i, place = c.s.trick.n
    cdef bint wants = side_of((c.s.trick.leader + place) & 3) == 0
    cdef int* killer = &c.killer[c.s.number][c.s.trick.leader]
    if place == 0:
        for i in range(n):
            if moves[i].card == killer[0]:
                moves[i].weight = FIRST
    rests_on[0] = 0
    for i in range(n):
        bring_best(moves + i, n - i)
        if fail >> moves[i].card & 1:
            continue
        if after_card(c, &moves[i], need, &cards) == wants:
            rests_on[0] = cards
            if place == 0:
                killer[0] = moves[i].card
            return wants
        rests_on[0] |= cards
        fail |= same_as(&moves[i], cards)
    return not wants


# The same at the beginning of a trick.
cdef bint collects(search_t* c, int need, uint64_t* rests_on) noexcept nogil:
    cdef solver_t* solver = c.solver
    cdef state_t* s = &c.s
    cdef const entry_t* entry
    cdef class_t position
    cdef uint64_t[2] mask
    cdef int known
    cdef bint reached
    rests_on[0] = 0
    if s.sweep:
        if s.number > ENOUGH:
            return s.sweep == 1
    elif need <= 0:
        return True
    elif need > s.horizon - s.number + 1 + s.centre.pile:
        return False
    position = class_of(s)
    prefetch(chain_of(&solver.table, &position))
    known = UNKNOWN
    if c.quick:
        known = verdict(c, need, rests_on)
    elif not s.sweep and not s.rules.ace_rule:
        known = claims_verdict(c, need, rests_on)
    if known != UNKNOWN:
        return known
    solver.nodes += 1
    if solver.nodes % BETWEEN_POLLS == 0:
        poll(solver)
    if solver.nodes > solver.last_node:
        solver.exhausted = True
    if halted(solver):
        return False
    entry = look_up(&solver.table, &position, need)
    if entry != NULL:
        rests_on[0] = rests_of(s, entry)
        return entry.lower >= need
    reached = best_move(c, need, rests_on)
    if not halted(solver):
        mask[0] = mask_of(s, 0, rests_on[0]) | mask_of(s, 1, rests_on[0]) << 32
        mask[1] = mask_of(s, 2, rests_on[0]) | mask_of(s, 3, rests_on[0]) << 32
        learn(&solver.table, &position, mask, need, reached)
    return reached


cdef bint reaches(search_t* c, int need) noexcept nogil:
    cdef uint64_t rests_on = 0
    if c.s.trick.n == 0:
        return collects(c, need, &rests_on)
    if need <= 0 and not c.s.sweep:
        return True
    return best_move(c, need, &rests_on)
