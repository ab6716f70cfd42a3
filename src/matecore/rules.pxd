"""The rules of Mate, in the one place where they stand.

A variant is data: `Rules` compiles it once into the tables of `rules_t`, and the inline
functions below read them. No kernel asks which variant it is playing.

    first[code]     replies the follower must choose from if he holds one of them,
    second[code]    else from these; holding neither, he is mated
    match[card]     all that answers the card, in suit or in rank; a symmetric relation
    loses[card]     replies that the card led beats
    differs[card]   cards the second foreplacer may take after the first took `card`
    twin            cards equal to the card one index below (the copies of a double deck)
    weight[a][b][k] what a point is worth in a mate on trick k; a: the mater foreplaced, b: the
                    mated did; doubling, "+1" and overmates are all in it

A lead is told by its *code*: the card, or the card + 32 if it declares the privilege. An *action*
numbers everything a player can do, in a deck of N cards:

    0 .. N-1        lead the card, or reply with it
    N               decline to foreplace
    N+1 .. 2N       foreplace card  action - (N+1)
    2N+1 .. 3N      lead card  action - (2N+1)  and declare its privilege
"""
from libc.stdint cimport int16_t, uint8_t, uint32_t

from matecore.cards cimport MAX_CARDS, bit, count, holds, lowest


cdef enum:
    MAX_HAND = 16
    MAX_PLIES = 2 + 2 * MAX_HAND
    MAX_MARGIN = 32767
    DECLARED = 32       # added to a card it makes the code of a lead that declares
    NONE = 254          # no card: nothing led, nothing foreplaced
    UNDECIDED = 255     # may still foreplace
    ILLEGAL = -1


ctypedef struct rules_t:
    uint32_t first[2 * MAX_CARDS]
    uint32_t second[2 * MAX_CARDS]
    uint32_t match[MAX_CARDS]
    uint32_t loses[MAX_CARDS]
    uint32_t differs[MAX_CARDS]
    int16_t points[MAX_CARDS]
    int16_t weight[2][2][MAX_HAND + 2]
    uint32_t deck
    uint32_t declarable
    uint32_t twin
    uint8_t n_cards
    uint8_t hand_size
    uint8_t free_move
    uint8_t foreplace
    uint8_t second_alone
    uint8_t last_card_twice


# Players are 0 (X) and 1 (Y). While a lead is on the table the card has left the leader's hand,
# except the last card that will be played twice (section 5), which stays in it.
ctypedef struct position_t:
    uint32_t hand[2]
    uint8_t fore[2]     # card foreplaced, NONE or UNDECIDED
    uint8_t to_move
    uint8_t led         # code of the lead to be answered, or NONE
    uint8_t trick       # from 1; beyond the last trick, all is played
    uint8_t free        # the free move is still to be had


# What the player to act may do, as sets of cards.
ctypedef struct moves_t:
    uint32_t play
    uint32_t declare
    uint32_t fore
    bint decline


# Section 2.5 and 4: what a hand must answer to a lead when no free move is left.
cdef inline uint32_t forced_replies(
    const rules_t* rules, int led, uint32_t hand
) noexcept nogil:
    cdef uint32_t first = hand & rules.first[led]
    # Which it is, is chance: no branch.
    return first | (hand & rules.second[led] & (<uint32_t>(first != 0) - 1))


# Section 4: the free move lets a follower ignore the order of matching.
cdef inline uint32_t replies(
    const rules_t* rules, int led, uint32_t hand, bint free
) noexcept nogil:
    return hand & rules.match[led % DECLARED] if free else forced_replies(rules, led, hand)


# The leads that a follower with this hand could answer; any other mates.
cdef inline uint32_t answered(const rules_t* rules, uint32_t hand) noexcept nogil:
    cdef uint32_t leads = 0
    while hand:
        leads |= rules.match[lowest(hand)]
        hand &= hand - 1
    return leads


# A set of cards with one of each where two neighbouring copies are in it.
cdef inline uint32_t distinct(const rules_t* rules, uint32_t cards) noexcept nogil:
    return cards & ~(rules.twin & (cards << 1))


# Section 2.6.
cdef inline bint lead_wins(const rules_t* rules, int led, int reply) noexcept nogil:
    return holds(rules.loses[led % DECLARED], reply)


# Section 5: how many tricks a game has, by how many players foreplaced.
cdef inline int last_trick(const rules_t* rules, int n_foreplaced) noexcept nogil:
    if n_foreplaced == 0 or (n_foreplaced == 1 and rules.last_card_twice):
        return rules.hand_size
    return rules.hand_size - 1


# Section 5: the sole foreplacer's last card stays in his hand when it is first played.
cdef inline bint stays(
    const rules_t* rules, bint foreplaced, bint other_foreplaced, int trick
) noexcept nogil:
    return (
        rules.last_card_twice and foreplaced and not other_foreplaced
        and trick == rules.hand_size - 1
    )


cdef inline bint has_foreplaced(const position_t* position, int player) noexcept nogil:
    return position.fore[player] < NONE


# The last trick of the game, as far as it is decided who foreplaces.
cdef inline int last_trick_of(const rules_t* rules, const position_t* position) noexcept nogil:
    return last_trick(rules, has_foreplaced(position, 0) + has_foreplaced(position, 1))


cdef inline bint all_played(const rules_t* rules, const position_t* position) noexcept nogil:
    return position.trick > last_trick_of(rules, position)


# Whether nothing is left of the rules but that cards are played: no free move, no privilege to
# declare, and each card leaves its hand.
cdef inline bint is_plain(const rules_t* rules, const position_t* position) noexcept nogil:
    cdef bint alone = has_foreplaced(position, 0) != has_foreplaced(position, 1)
    return not (position.free or rules.declarable or alone and rules.last_card_twice)


cdef inline uint32_t foreplaceable(const rules_t* rules, const position_t* position) noexcept nogil:
    cdef uint32_t hand = position.hand[position.to_move]
    cdef int other = position.fore[1 - position.to_move]
    return hand if other >= NONE else hand & rules.differs[other]


cdef inline moves_t legal_moves(const rules_t* rules, const position_t* position) noexcept nogil:
    cdef moves_t moves
    cdef int player = position.to_move
    cdef uint32_t hand = position.hand[player]
    moves.play = moves.declare = moves.fore = 0
    moves.decline = position.fore[player] == UNDECIDED
    if moves.decline:
        moves.fore = foreplaceable(rules, position)
    elif position.led != NONE:
        moves.play = replies(rules, position.led, hand, position.free)
    elif not all_played(rules, position):
        moves.play = hand
        moves.declare = hand & rules.declarable
    return moves


# The same, with one of each where two neighbouring copies may be taken.
cdef inline moves_t distinct_moves(
    const rules_t* rules, const position_t* position
) noexcept nogil:
    cdef moves_t moves = legal_moves(rules, position)
    moves.play = distinct(rules, moves.play)
    moves.declare = distinct(rules, moves.declare)
    moves.fore = distinct(rules, moves.fore)
    return moves


cdef inline bint has_move(const moves_t* moves) noexcept nogil:
    return moves.play != 0 or moves.decline


# No legal move: mated if a lead is to be answered, else all is played.
cdef inline bint is_over(const rules_t* rules, const position_t* position) noexcept nogil:
    cdef moves_t moves = legal_moves(rules, position)
    return not has_move(&moves)


# Who leads the trick that is played, or will lead the first one.
cdef inline int leader_of(const position_t* position) noexcept nogil:
    cdef int other = 1 - position.to_move
    if position.led != NONE:
        return other
    # The second player decides on foreplacing while the first has decided.
    if position.fore[position.to_move] == UNDECIDED and position.fore[other] != UNDECIDED:
        return other
    return position.to_move


# Section 2.7 and 5: what a point counts if the leader mates now; 0 when all is played.
cdef inline int weight_now(const rules_t* rules, const position_t* position) noexcept nogil:
    cdef int leader = leader_of(position)
    cdef bint own = has_foreplaced(position, leader)
    cdef bint other = has_foreplaced(position, 1 - leader)
    return 0 if all_played(rules, position) else rules.weight[own][other][position.trick]


# The margin of X in a game that is over.
cdef inline int margin(const rules_t* rules, const position_t* position) noexcept nogil:
    cdef int score
    if position.led == NONE:
        return 0
    score = rules.points[position.led % DECLARED] * weight_now(rules, position)
    return score if leader_of(position) == 0 else -score


cdef inline bint action_is_legal(
    const rules_t* rules, const moves_t* moves, int action
) noexcept nogil:
    cdef int n = rules.n_cards
    if action < 0 or action > 3 * n:
        return False
    if action < n:
        return holds(moves.play, action)
    if action == n:
        return moves.decline
    if action <= 2 * n:
        return holds(moves.fore, action - (n + 1))
    return holds(moves.declare, action - (2 * n + 1))


# Section 5: the leader decides first. If the second is not asked, his decision is NONE at once.
cdef inline void foreplace(const rules_t* rules, position_t* position, int card) noexcept nogil:
    cdef int player = position.to_move
    cdef int other = 1 - player
    position.fore[player] = card
    if card != NONE:
        position.hand[player] &= ~bit(card)
    if position.fore[other] == UNDECIDED and card == NONE and not rules.second_alone:
        position.fore[other] = NONE
    else:
        position.to_move = other


cdef inline void leave_hand(const rules_t* rules, position_t* position, int card) noexcept nogil:
    cdef int player = position.to_move
    cdef bint own = has_foreplaced(position, player), other = has_foreplaced(position, 1 - player)
    if not stays(rules, own, other, position.trick):
        position.hand[player] &= ~bit(card)


cdef inline void lead(const rules_t* rules, position_t* position, int code) noexcept nogil:
    leave_hand(rules, position, code % DECLARED)
    position.led = code
    position.to_move = 1 - position.to_move


cdef inline void reply(const rules_t* rules, position_t* position, int card) noexcept nogil:
    cdef int player = position.to_move
    if position.free and not holds(
        forced_replies(rules, position.led, position.hand[player]), card
    ):
        position.free = False
    leave_hand(rules, position, card)
    position.to_move = 1 - player if lead_wins(rules, position.led, card) else player
    position.led = NONE
    position.trick += 1


# The code of an action that leads a card.
cdef inline int code_of_lead(const rules_t* rules, int action) noexcept nogil:
    return action if action < rules.n_cards else action - (2 * rules.n_cards + 1) + DECLARED


# Does a legal action; an illegal one leaves a position that has no meaning.
cdef inline void play(const rules_t* rules, position_t* position, int action) noexcept nogil:
    cdef int n = rules.n_cards
    if n <= action <= 2 * n:
        foreplace(rules, position, NONE if action == n else action - (n + 1))
    elif position.led == NONE:
        lead(rules, position, code_of_lead(rules, action))
    else:
        reply(rules, position, action)


# Takes the lowest action out of the moves; ILLEGAL when none is left.
cdef inline int next_action(const rules_t* rules, moves_t* moves) noexcept nogil:
    cdef int card
    if moves.play:
        card = lowest(moves.play)
        moves.play ^= bit(card)
        return card
    if moves.decline:
        moves.decline = False
        return rules.n_cards
    if moves.fore:
        card = lowest(moves.fore)
        moves.fore ^= bit(card)
        return rules.n_cards + 1 + card
    if moves.declare:
        card = lowest(moves.declare)
        moves.declare ^= bit(card)
        return 2 * rules.n_cards + 1 + card
    return ILLEGAL


# Section 3.
cdef inline bint halves_the_deck(const rules_t* rules, uint32_t x, uint32_t y) noexcept nogil:
    return x ^ y == rules.deck and x & y == 0 and count(x) == rules.hand_size


# The position at the start of a game.
cdef inline position_t opening(
    const rules_t* rules, uint32_t x, uint32_t y, int leader
) noexcept nogil:
    cdef position_t position
    position.hand[0] = x
    position.hand[1] = y
    position.fore[0] = position.fore[1] = UNDECIDED if rules.foreplace else NONE
    position.to_move = leader
    position.led = NONE
    position.trick = 1
    position.free = rules.free_move
    return position


cdef class Rules:
    cdef rules_t c
    cdef readonly tuple arguments
