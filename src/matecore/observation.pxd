"""What a player sees of a position, as planes of a byte a card; he is the one who acts.

    OWN_HAND        his cards                           OTHER_HAND       the other player's
    LED             the card to be answered
    OWN_FORE        the card he has foreplaced          OTHER_FORE       the other player
    DECLARES        all ones if the lead declares its privilege
    FREE_MOVE       all ones if the free move is still to be had
    OWN_UNDECIDED   all ones if he has still to decide on foreplacing
    OTHER_UNDECIDED the same of the other player
    TRICK           a one at cell trick - 1

Nothing of a position is lost but which of the players is X. Bytes are 0 or 1.
"""
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from matecore.cards cimport bit
from matecore.rules cimport (
    DECLARED, NONE, UNDECIDED, legal_moves, moves_t, position_t, rules_t,
)

cdef enum:
    OWN_HAND = 0
    OTHER_HAND = 1
    LED = 2
    OWN_FORE = 3
    OTHER_FORE = 4
    DECLARES = 5
    FREE_MOVE = 6
    OWN_UNDECIDED = 7
    OTHER_UNDECIDED = 8
    TRICK = 9
    PLANES = 10


cdef inline void write_eight(uint8_t* out, uint32_t cards) noexcept nogil:
    # Each byte has one of the bits left, and then a one if it was set; compiled to one store.
    cdef uint64_t t = (<uint64_t>(cards & 255) * 0x0101010101010101ULL) & 0x8040201008040201ULL
    t = (t + 0x7F7F7F7F7F7F7F7FULL) >> 7 & 0x0101010101010101ULL
    out[0] = <uint8_t>t
    out[1] = <uint8_t>(t >> 8)
    out[2] = <uint8_t>(t >> 16)
    out[3] = <uint8_t>(t >> 24)
    out[4] = <uint8_t>(t >> 32)
    out[5] = <uint8_t>(t >> 40)
    out[6] = <uint8_t>(t >> 48)
    out[7] = <uint8_t>(t >> 56)


# Writes a byte for each of n cards; the last eight once more where n is no multiple of eight.
cdef inline void write_cards(uint8_t* out, uint32_t cards, int n) noexcept nogil:
    cdef int i = 0
    while i < n - 8:
        write_eight(out + i, cards >> i)
        i += 8
    if n >= 8:
        write_eight(out + n - 8, cards >> (n - 8))
        return
    for i in range(n):
        out[i] = cards >> i & 1


cdef inline uint32_t card_or_none(int fore) noexcept nogil:
    return bit(fore) if fore < NONE else 0


cdef inline uint32_t all_if(const rules_t* rules, bint true) noexcept nogil:
    return rules.deck if true else 0


# Writes PLANES x N bytes.
cdef inline void observe(
    const rules_t* rules, const position_t* p, uint8_t* planes
) noexcept nogil:
    cdef int plane, n = rules.n_cards, player = p.to_move
    cdef int own = p.fore[player], other = p.fore[1 - player]
    cdef uint32_t[PLANES] cards
    cards[OWN_HAND], cards[OTHER_HAND] = p.hand[player], p.hand[1 - player]
    cards[LED] = bit(p.led % DECLARED) if p.led != NONE else 0
    cards[OWN_FORE], cards[OTHER_FORE] = card_or_none(own), card_or_none(other)
    cards[DECLARES] = all_if(rules, p.led != NONE and p.led >= DECLARED)
    cards[FREE_MOVE] = all_if(rules, p.free)
    cards[OWN_UNDECIDED] = all_if(rules, own == UNDECIDED)
    cards[OTHER_UNDECIDED] = all_if(rules, other == UNDECIDED)
    cards[TRICK] = bit(p.trick - 1)
    for plane in range(PLANES):
        write_cards(planes + plane * n, cards[plane], n)


# Writes 3N + 1 bytes, a one for each of these actions.
cdef inline void write_moves(
    const rules_t* rules, const moves_t* moves, uint8_t* out
) noexcept nogil:
    cdef int n = rules.n_cards
    write_cards(out, moves.play, n)
    out[n] = moves.decline
    write_cards(out + n + 1, moves.fore, n)
    write_cards(out + 2 * n + 1, moves.declare, n)


# The same of each legal action.
cdef inline void write_legal(
    const rules_t* rules, const position_t* p, uint8_t* out
) noexcept nogil:
    cdef moves_t moves = legal_moves(rules, p)
    write_moves(rules, &moves, out)
