"""Which cards to try first.

The weights were found by trial: those with which 160 random deals took fewest nodes.
"""
from libc.stdint cimport uint32_t

from matecore.court_piece.cards cimport SLOTS, SUITS, lowest
from matecore.court_piece.rules cimport wins_over
from matecore.court_piece.state cimport in_suit, length, state_t


# --- Moves that differ ---------------------------------------------------------------------------

# Under the ace rule a trick won with an ace is not one won with a king.
cdef inline bint parts(const state_t* s, int slot) noexcept nogil:
    return s.rules.ace_rule and slot == 0


cdef int moves_in(const state_t* s, int seat, int suit, move_t* moves) noexcept nogil:
    cdef uint32_t own = in_suit(s.hand[seat], suit), others = in_suit(s.left, suit) & ~own
    cdef int n = 0, slot
    while own:
        slot = lowest(own)
        moves[n].card = moves[n].lowest = SLOTS * suit + slot
        moves[n].weight = slot
        own &= own - 1
        # The next one is the same if nobody else's card is between.
        while own and not others & ((own & (0 - own)) - (<uint32_t>1 << slot)) and not parts(
            s, slot
        ):
            slot = lowest(own)
            moves[n].lowest = SLOTS * suit + slot
            own &= own - 1
        moves[n].suit = suit
        n += 1
    return n


# --- Leads ---------------------------------------------------------------------------------------

cdef inline bint ruffs(const state_t* s, int seat, int suit) noexcept nogil:
    return suit != s.trump and length(s, seat, suit) == 0 and length(s, seat, s.trump) > 0


cdef inline uint32_t highest(uint32_t cards) noexcept nogil:
    return cards & (0 - cards)


# What speaks for a suit to be led, apart from its cards.
cdef int worth_of_suit(const state_t* s, int suit) noexcept nogil:
    cdef int leader = s.trick.leader, partner = (leader + 2) & 3
    cdef int left = (leader + 1) & 3, right = (leader + 3) & 3, worth = 0
    cdef uint32_t cards = in_suit(s.left, suit), top = highest(cards)
    cdef uint32_t ours = in_suit(s.hand[leader] | s.hand[partner], suit)
    if suit == s.trump:
        worth -= 20 if s.lengths[suit][left] and s.lengths[suit][right] else 5
    elif s.lengths[suit][leader] == 1 and s.lengths[s.trump][leader]:
        worth += 12     # to ruff it later
    if ruffs(s, left, suit) or ruffs(s, right, suit):
        return worth - 60
    if s.lengths[suit][left] == 0:
        worth -= 10
    if ruffs(s, partner, suit):
        return worth + 45
    if top & in_suit(s.hand[partner], suit):
        return worth + 46
    if top & in_suit(s.hand[leader], suit):
        return worth
    if ours & highest(cards ^ top):
        worth += 7
    return worth + (5 if top & in_suit(s.hand[left], suit) else -10)


cdef void weigh_leads(const state_t* s, int suit, move_t* moves, int n) noexcept nogil:
    cdef int leader = s.trick.leader, left = (leader + 1) & 3, right = (leader + 3) & 3
    cdef int worth = worth_of_suit(s, suit), i
    cdef uint32_t wins = in_suit(s.hand[leader], suit) & highest(in_suit(s.left, suit))
    for i in range(n):
        moves[i].weight += worth
    if wins and not ruffs(s, left, suit) and not ruffs(s, right, suit):
        moves[0].weight += 55


cdef int leads_of(const state_t* s, move_t* moves) noexcept nogil:
    cdef int n = 0, found, suit
    for suit in range(SUITS):
        if not s.lengths[suit][s.trick.leader]:
            continue
        found = moves_in(s, s.trick.leader, suit, moves + n)
        weigh_leads(s, suit, moves + n, found)
        n += found
    return n


# --- Followers -----------------------------------------------------------------------------------

# Whether a seat that is still to play can win over a card.
cdef bint can_beat(const state_t* s, int seat, int card, int suit) noexcept nogil:
    cdef int led = s.trick.suit[0], trump = s.trump
    if s.lengths[led][seat]:
        return wins_over(
            trump, SLOTS * led + lowest(in_suit(s.hand[seat], led)), led, card, suit
        )
    return s.lengths[trump][seat] and wins_over(
        trump, SLOTS * trump + lowest(in_suit(s.hand[seat], trump)), trump, card, suit
    )


# Whether opponents that are still to play can win over a card of this seat or its partner.
cdef bint is_beaten(const state_t* s, int seat, int card, int suit) noexcept nogil:
    if s.trick.n == 3:
        return False
    if can_beat(s, (seat + 1) & 3, card, suit):
        return True
    return s.trick.n == 0 and can_beat(s, (seat + 3) & 3, card, suit)


# Whether the partner is still to play and can win over all that opponents have.
cdef bint partner_will(const state_t* s, int seat) noexcept nogil:
    cdef int partner = (seat + 2) & 3, suit = s.trick.suit[0]
    if s.trick.n > 1 or not can_beat(s, partner, s.trick.best, s.trick.best_suit):
        return False
    if not s.lengths[suit][partner]:
        suit = s.trump
    return not can_beat(
        s, (seat + 1) & 3, SLOTS * suit + lowest(in_suit(s.hand[partner], suit)), suit
    )


# Of winners the cheapest that holds; what does not hold may still cost a higher card.
cdef void weigh_winners(const state_t* s, int seat, move_t* moves, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        if wins_over(s.trump, moves[i].card, moves[i].suit, s.trick.best, s.trick.best_suit):
            moves[i].weight += 10 if is_beaten(s, seat, moves[i].card, moves[i].suit) else 70


cdef void weigh_replies(const state_t* s, int seat, move_t* moves, int n) noexcept nogil:
    cdef bint ours = not (s.trick.holder - seat) & 1
    if ours and not is_beaten(s, seat, s.trick.best, s.trick.best_suit) or partner_will(s, seat):
        return
    weigh_winners(s, seat, moves, n)


cdef void weigh_discards(const state_t* s, int seat, move_t* moves, int n) noexcept nogil:
    cdef int i, suit
    for i in range(n):
        suit = moves[i].suit
        if suit == s.trump:
            moves[i].weight -= 17
        else:
            moves[i].weight += 3 * s.lengths[suit][seat]
            if in_suit(s.hand[seat], suit) & highest(in_suit(s.left, suit)):
                moves[i].weight -= 2


cdef int replies_of(const state_t* s, int seat, move_t* moves) noexcept nogil:
    cdef int n = 0, suit = s.trick.suit[0]
    if s.lengths[suit][seat]:
        n = moves_in(s, seat, suit, moves)
    else:
        for suit in range(SUITS):
            if s.lengths[suit][seat]:
                n += moves_in(s, seat, suit, moves + n)
        weigh_discards(s, seat, moves, n)
    if n > 1:
        weigh_replies(s, seat, moves, n)
    return n


cdef int moves_of(const state_t* s, move_t* moves) noexcept nogil:
    if s.trick.n == 0:
        return leads_of(s, moves)
    return replies_of(s, (s.trick.leader + s.trick.n) & 3, moves)
