"""How a player chooses by a rule, from nothing that he may not know.

What a policy draws is part of the streams that docs/court_piece_selfplay.md promises, and so is
what it chooses: neither ever changes.
"""
from libc.stdint cimport uint64_t

from matecore.cards cimport highest64, places_t
from matecore.court_piece.cards cimport SLOTS, SUITS, bit, count, holds, lowest, suit_cards, suit_of
from matecore.court_piece.dealing cimport longest_suit
from matecore.court_piece.members cimport nth, size
from matecore.court_piece.rules cimport (
    NAME, NAMING, PLAY_ON, PLAYING, UNNAMED, beats, legal_actions, position_t, side_of,
)
from matecore.rng cimport below, stream_t

cdef enum:
    RANDOM
    GREEDY


# Each as likely, in the order of their numbers.
cdef inline int random_action(
    const places_t* places, const position_t* p, stream_t* stream
) noexcept nogil:
    cdef uint64_t legal = legal_actions(p)
    return nth(places, legal, below(stream, size(places, legal)))


# --- Greedy --------------------------------------------------------------------------------------

# The cards that are not trumps, or all if there is none.
cdef inline uint64_t without_trumps(uint64_t cards, int trump) noexcept nogil:
    cdef uint64_t side = cards & ~suit_cards(trump) if trump < SUITS else cards
    return side if side else cards


# The card to be parted with: no trump, the lowest, from the suit that the hand has most cards of.
cdef inline int cheapest(uint64_t cards, uint64_t hand, int trump) noexcept nogil:
    cdef int best = -1, rating, most = -1, suit, card
    cdef uint64_t held
    cards = without_trumps(cards, trump)
    for suit in range(SUITS):
        held = cards & suit_cards(suit)
        if held:
            card = highest64(held)
            rating = SLOTS * (card % SLOTS) + count(hand & suit_cards(suit))
            if rating > most:
                best, most = card, rating
    return best


# The highest card of a suit other than trump that nobody else can have a higher one of, from the
# suit that others have most cards of; -1 if there is none.
cdef inline int sure_lead(uint64_t hand, uint64_t unseen, int trump) noexcept nogil:
    cdef int best = -1, n, most = -1, suit, card
    cdef uint64_t others
    for suit in range(SUITS):
        if suit == trump or not hand & suit_cards(suit):
            continue
        card = lowest(hand & suit_cards(suit))
        others = unseen & suit_cards(suit)
        n = count(others)
        if not others & (bit(card) - 1) and n > most:
            best, most = card, n
    return best


# The lowest card of the longest suit other than trump; of trumps alone the highest.
cdef inline int plain_lead(uint64_t hand, int trump) noexcept nogil:
    cdef uint64_t side = without_trumps(hand, trump)
    cdef int best = -1, most = 0, suit, n
    if trump < SUITS and side & suit_cards(trump):
        return lowest(hand)
    for suit in range(SUITS):
        n = count(side & suit_cards(suit))
        if n > most:
            best, most = suit, n
    return highest64(side & suit_cards(best))


# The cards of a set that win over the one that wins so far.
cdef inline uint64_t winners(uint64_t cards, int trump, int best) noexcept nogil:
    cdef uint64_t found = 0
    cdef int card
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        if beats(trump, card, best):
            found |= bit(card)
    return found


cdef inline int greedy_reply(const position_t* p, uint64_t legal) noexcept nogil:
    cdef uint64_t hand = p.hand[p.to_act], winning
    cdef bint partner_holds = side_of(p.holder) == side_of(p.to_act)
    if not partner_holds:
        winning = winners(legal, p.trump, p.table[(p.holder - p.leader) & 3])
        if winning:
            return cheapest(winning, hand, p.trump)
    return cheapest(legal, hand, p.trump)


cdef inline int greedy_lead(const position_t* p) noexcept nogil:
    cdef uint64_t hand = p.hand[p.to_act]
    # What is neither played nor his own: he knows that, if not who has it.
    cdef uint64_t unseen = (p.hand[0] | p.hand[1] | p.hand[2] | p.hand[3]) ^ hand
    cdef int card = sure_lead(hand, unseen, p.trump)
    return card if card >= 0 else plain_lead(hand, p.trump)


cdef inline int greedy_action(const position_t* p, uint64_t first_five) noexcept nogil:
    if p.phase == NAMING:
        return NAME + longest_suit(first_five)
    if p.phase != PLAYING:
        return PLAY_ON
    return greedy_reply(p, legal_actions(p)) if p.n_table else greedy_lead(p)
