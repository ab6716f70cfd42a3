"""Which cards to try first."""
from libc.stdint cimport uint32_t

from matecore.court_piece.cards cimport SLOTS, SUITS, lowest, suit_of
from matecore.court_piece.rules cimport beats
from matecore.court_piece.state cimport best_of, in_suit, length, state_t


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
        own &= own - 1
        # The next one is the same if nobody else's card is between.
        while own and not others & ((own & (0 - own)) - (<uint32_t>1 << slot)) and not parts(
            s, slot
        ):
            slot = lowest(own)
            moves[n].lowest = SLOTS * suit + slot
            own &= own - 1
        moves[n].suit = suit
        moves[n].weight = 0
        n += 1
    return n


# --- Leads ---------------------------------------------------------------------------------------

cdef inline bint ruffs(const state_t* s, int seat, int suit) noexcept nogil:
    return suit != s.trump and length(s, seat, suit) == 0 and length(s, seat, s.trump) > 0


cdef inline uint32_t highest(uint32_t cards) noexcept nogil:
    return cards & (0 - cards)


cdef void weigh_leads(const state_t* s, int suit, move_t* moves, int n) noexcept nogil:
    cdef int leader = s.trick.leader, partner = (leader + 2) & 3
    cdef int left = (leader + 1) & 3, right = (leader + 3) & 3
    cdef uint32_t cards = in_suit(s.left, suit), top = highest(cards)
    cdef uint32_t own = in_suit(s.hand[leader], suit), his = in_suit(s.hand[partner], suit)
    cdef bint ruffed = ruffs(s, left, suit) or ruffs(s, right, suit)
    cdef int base = 2 * (
        length(s, leader, suit) + length(s, partner, suit)
        - length(s, left, suit) - length(s, right, suit)
    )
    cdef int i
    if suit == s.trump:
        base += 5
    if ruffed:
        base -= 40
    elif ruffs(s, partner, suit):
        base += 45
    elif his & top:
        base += 35
    elif not own & top:
        base -= 10
        if own & highest(cards ^ top) or his & highest(cards ^ top):
            base += 8
    if length(s, leader, suit) == 1 and suit != s.trump and length(s, leader, s.trump):
        base += 12
    for i in range(n):
        moves[i].weight = base + moves[i].card % SLOTS
        if own & top and i == 0 and not ruffed:
            moves[i].weight += 55


cdef int leads_of(const state_t* s, move_t* moves) noexcept nogil:
    cdef int n = 0, found, suit
    for suit in range(SUITS):
        found = moves_in(s, s.trick.leader, suit, moves + n)
        weigh_leads(s, suit, moves + n, found)
        n += found
    return n


# --- Followers -----------------------------------------------------------------------------------

# Whether a seat that is still to play can win over a card.
cdef bint can_beat(const state_t* s, int seat, int card) noexcept nogil:
    cdef int led = suit_of(s.trick.card[0])
    cdef uint32_t hand = in_suit(s.hand[seat], led)
    if hand:
        return beats(s.trump, SLOTS * led + lowest(hand), card)
    if s.trump >= SUITS:
        return False
    hand = in_suit(s.hand[seat], s.trump)
    return hand != 0 and beats(s.trump, SLOTS * s.trump + lowest(hand), card)


# Whether opponents that are still to play can win over a card of this seat or its partner.
cdef bint is_beaten(const state_t* s, int seat, int card) noexcept nogil:
    cdef int place
    for place in range(s.trick.n + 1, 4):
        if (s.trick.leader + place - seat) & 1 and can_beat(s, (s.trick.leader + place) & 3, card):
            return True
    return False


# Whether the partner is still to play and can win over all that opponents have.
cdef bint partner_will(const state_t* s, int seat) noexcept nogil:
    cdef int best = best_of(s.trick), partner = (seat + 2) & 3
    cdef int led = suit_of(s.trick.card[0]), suit
    cdef uint32_t hand
    if s.trick.n > 1 or not can_beat(s, partner, best):
        return False
    hand = in_suit(s.hand[partner], led)
    suit = led if hand else s.trump
    best = SLOTS * suit + lowest(in_suit(s.hand[partner], suit))
    return not can_beat(s, (seat + 1) & 3, best)


cdef void weigh_replies(const state_t* s, int seat, move_t* moves, int n) noexcept nogil:
    cdef int best = best_of(s.trick), i, card, trump
    cdef bint ours = not (s.trick.holder - seat) & 1
    cdef bint safe = (ours and not is_beaten(s, seat, best)) or partner_will(s, seat)
    for i in range(n):
        card = moves[i].card
        trump = moves[i].suit == s.trump
        moves[i].weight = card % SLOTS - 14 * trump
        if not safe and beats(s.trump, card, best):
            # The cheapest that holds; what does not hold may still cost a higher card.
            moves[i].weight += 10 if is_beaten(s, seat, card) else 60


cdef void weigh_discards(const state_t* s, int seat, move_t* moves, int n) noexcept nogil:
    cdef int i, suit
    for i in range(n):
        suit = moves[i].suit
        if suit != s.trump:
            moves[i].weight += length(s, seat, suit)
            if in_suit(s.hand[seat], suit) & highest(in_suit(s.left, suit)):
                moves[i].weight -= 4


cdef int replies_of(const state_t* s, int seat, move_t* moves) noexcept nogil:
    cdef int n = moves_in(s, seat, suit_of(s.trick.card[0]), moves), suit
    if n:
        if n > 1:
            weigh_replies(s, seat, moves, n)
        return n
    for suit in range(SUITS):
        n += moves_in(s, seat, suit, moves + n)
    weigh_replies(s, seat, moves, n)
    weigh_discards(s, seat, moves, n)
    return n


cdef int moves_of(const state_t* s, move_t* moves) noexcept nogil:
    if s.trick.n == 0:
        return leads_of(s, moves)
    return replies_of(s, (s.trick.leader + s.trick.n) & 3, moves)
