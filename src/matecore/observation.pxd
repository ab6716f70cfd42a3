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
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memset

from matecore.cards cimport lowest
from matecore.rules cimport (
    DECLARED, ILLEGAL, NONE, UNDECIDED, legal_moves, moves_t, next_action, position_t, rules_t,
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


cdef inline void write_cards(uint8_t* plane, uint32_t cards) noexcept nogil:
    while cards:
        plane[lowest(cards)] = 1
        cards &= cards - 1


cdef inline void write_fore(
    uint8_t* planes, int n, int fore, int card_plane, int undecided_plane
) noexcept nogil:
    if fore < NONE:
        planes[card_plane * n + fore] = 1
    elif fore == UNDECIDED:
        memset(planes + undecided_plane * n, 1, n)


# Writes PLANES x N bytes.
cdef inline void observe(
    const rules_t* rules, const position_t* p, uint8_t* planes
) noexcept nogil:
    cdef int n = rules.n_cards, player = p.to_move
    memset(planes, 0, PLANES * n)
    write_cards(planes + OWN_HAND * n, p.hand[player])
    write_cards(planes + OTHER_HAND * n, p.hand[1 - player])
    if p.led != NONE:
        planes[LED * n + p.led % DECLARED] = 1
        if p.led >= DECLARED:
            memset(planes + DECLARES * n, 1, n)
    write_fore(planes, n, p.fore[player], OWN_FORE, OWN_UNDECIDED)
    write_fore(planes, n, p.fore[1 - player], OTHER_FORE, OTHER_UNDECIDED)
    if p.free:
        memset(planes + FREE_MOVE * n, 1, n)
    planes[TRICK * n + p.trick - 1] = 1


# Writes 3N + 1 bytes, a one for each legal action.
cdef inline void write_legal(
    const rules_t* rules, const position_t* p, uint8_t* out
) noexcept nogil:
    cdef moves_t moves = legal_moves(rules, p)
    cdef int action = next_action(rules, &moves)
    memset(out, 0, 3 * rules.n_cards + 1)
    while action != ILLEGAL:
        out[action] = 1
        action = next_action(rules, &moves)
