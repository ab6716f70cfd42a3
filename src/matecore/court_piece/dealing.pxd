"""How a hand begins: the deal, and who says what is trump (sections 1.2 and 2).

What a deal draws is part of the streams that docs/court_piece_selfplay.md promises: it never
changes.
"""
from libc.stdint cimport uint64_t

from matecore.cards cimport places_t
from matecore.court_piece.cards cimport (
    N_CARDS, PACK, SEATS, SLOTS, SUITS, bit, count, holds, is_pack, lowest, suit_cards, suit_of,
)
from matecore.court_piece.members cimport nth_of
from matecore.court_piece.rules cimport UNNAMED
from matecore.rng cimport below, stream_t

cdef enum:
    FIRST_BATCH = 5
    NOTHING = SLOTS     # no rank below which the first five are dealt again
    NO_CARD = -1

# How trump is chosen.
cdef enum:
    NAMED               # by the caller, who sees his first five cards
    TURNED              # the suit of the first card of his second batch
    LONGEST             # the suit he has most cards of


#   trump       how it is chosen
#   enough      the first five are dealt again if none of these cards is among them
ctypedef struct dealing_t:
    int trump
    uint64_t enough


#   turned      the card whose suit is trump, or NO_CARD
#   trump       a suit, or UNNAMED
ctypedef struct deal_t:
    uint64_t hand[SEATS]
    uint64_t first_five
    int turned
    int caller
    int trump


cdef inline dealing_t dealing_of(int trump, int redeal_below) noexcept nogil:
    cdef dealing_t dealing
    cdef int slot, suit
    dealing.trump = trump
    dealing.enough = 0
    for suit in range(SUITS):
        for slot in range(SLOTS):
            if slot <= redeal_below:
                dealing.enough |= bit(SLOTS * suit + slot)
    return dealing


# Whether a suit with these cards, not of the same suit, is longer than another, or as long and
# higher: of the highest cards that only one of them has, it has the higher.
cdef inline bint is_longer(uint64_t cards, uint64_t others) noexcept nogil:
    cdef int n = count(cards), n_others = count(others)
    if n != n_others:
        return n > n_others
    return cards != others and holds(cards, lowest(cards ^ others))


# Section 2: of equally long suits the one with the higher cards, then the first.
cdef inline int longest_suit(uint64_t cards) noexcept nogil:
    cdef int best = 0, suit
    for suit in range(1, SUITS):
        if is_longer(cards >> SLOTS * suit & suit_cards(0), cards >> SLOTS * best & suit_cards(0)):
            best = suit
    return best


# So many cards of a pack, which has them no longer.
cdef inline uint64_t drawn(
    const places_t* places, stream_t* stream, uint64_t* pack, int left, int n
) noexcept nogil:
    cdef uint64_t rest = pack[0], card
    cdef int i
    for i in range(n):
        card = nth_of(places, rest, below(stream, left - i))
        rest ^= card
    card = pack[0] ^ rest
    pack[0] = rest
    return card


cdef inline int trump_of(const dealing_t* dealing, const deal_t* deal) noexcept nogil:
    if dealing.trump == NAMED:
        return UNNAMED
    if dealing.trump == TURNED:
        return suit_of(deal.turned)
    return longest_suit(deal.hand[deal.caller])


cdef inline void draw_deal(
    const dealing_t* dealing, const places_t* places, stream_t* stream, int caller, deal_t* deal
) noexcept nogil:
    cdef uint64_t pack = PACK, turned
    deal.caller = caller
    deal.first_five = drawn(places, stream, &pack, N_CARDS, FIRST_BATCH)
    while not deal.first_five & dealing.enough:
        pack = PACK
        deal.first_five = drawn(places, stream, &pack, N_CARDS, FIRST_BATCH)
    turned = drawn(places, stream, &pack, 47, 1)
    deal.hand[caller] = deal.first_five | turned | drawn(places, stream, &pack, 46, 7)
    deal.hand[(caller + 1) & 3] = drawn(places, stream, &pack, 39, SLOTS)
    deal.hand[(caller + 2) & 3] = drawn(places, stream, &pack, 26, SLOTS)
    deal.hand[(caller + 3) & 3] = pack
    deal.turned = lowest(turned) if dealing.trump == TURNED else NO_CARD
    deal.trump = trump_of(dealing, deal)


# --- A deal from elsewhere -----------------------------------------------------------------------

# Whether it could be drawn; its trump is not looked at.
cdef inline bint is_deal(const dealing_t* dealing, const deal_t* deal) noexcept nogil:
    cdef uint64_t second
    if not 0 <= deal.caller < SEATS or not is_pack(deal.hand):
        return False
    second = deal.hand[deal.caller] ^ deal.first_five
    if deal.first_five & second or count(deal.first_five) != FIRST_BATCH:
        return False
    if dealing.trump != TURNED:
        return deal.turned == NO_CARD and deal.first_five & dealing.enough
    if not 0 <= deal.turned < N_CARDS or not holds(second, deal.turned):
        return False
    return deal.first_five & dealing.enough != 0
