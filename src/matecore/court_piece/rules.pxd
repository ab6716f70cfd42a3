"""The rules of Court Piece, in the one place where they stand.

A variant is data: `Rules` compiles it once into `rules_t`, and the inline functions below read it.
No kernel asks which variant it is playing.

    claims[a][w]   whether the winner w of a trick collects the pile when a may claim, a being the
                   seat that won the trick before, or NOBODY
    rests          after a claim nobody may claim at the next trick
    blocked        bit k: no claim at trick k
    ace_rule       two wins both made with aces claim nothing
    courts         THIRTEEN, FIRST_SEVEN: what makes a court
    goes_on        the hand goes on when one side has seven tricks and the other none
    asks           ... if the side that has them wants it
    points[o][c]   of a hand won by the caller's side (o = 0) or the other, by a court (c = 1)

Seats are 0 to 3 in the order of play; the side of a seat is its lowest bit. An *action* numbers
everything a player can do:

    0 .. 51     play the card
    52 .. 55    name the trump suit
    56, 57      with seven tricks to none: stop, play on
"""
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from matecore.court_piece.cards cimport (
    N_CARDS, SEATS, SLOTS, SUITS, bit, holds, suit_cards, suit_of,
)


cdef enum:
    NOBODY = 4
    NO_TRUMP = 4
    UNNAMED = 5
    NAME = N_CARDS              # the action that names suit 0
    STOP = NAME + SUITS
    PLAY_ON = STOP + 1
    N_ACTIONS = PLAY_ON + 1
    MAX_PLIES = N_CARDS + 2
    MOST_TRICKS = SLOTS
    ENOUGH = 7                  # tricks that win a hand

# What is to be done now.
cdef enum:
    NAMING
    PLAYING
    ASKED
    OVER

# What makes a court, and how tricks become a side's.
cdef enum:
    THIRTEEN = 1
    FIRST_SEVEN = 2
cdef enum:
    PLAIN
    DOUBLE
    DOUBLE_TEAM
cdef enum:
    NO_CHASE
    FORCED
    OPTIONAL


ctypedef struct rules_t:
    uint8_t claims[SEATS + 1][SEATS]
    uint16_t blocked
    uint8_t rests
    uint8_t ace_rule
    uint8_t courts
    uint8_t goes_on
    uint8_t asks
    uint8_t points[2][2]


# What the tricks won so far leave behind, apart from the cards.
#
#   pile        tricks in the centre that nobody has collected
#   armed       who won the last trick and may claim at this one, or NOBODY
#   by_ace      the last trick was won with an ace; only where the ace rule makes it matter
ctypedef struct centre_t:
    uint8_t pile
    uint8_t armed
    uint8_t by_ace


ctypedef struct position_t:
    uint64_t hand[SEATS]
    uint8_t table[SEATS]    # cards of the trick, in the order played
    uint8_t n_table
    uint8_t holder          # who wins the trick so far; of an empty one nobody
    uint8_t trump
    uint8_t caller
    uint8_t leader
    uint8_t to_act
    uint8_t phase
    uint8_t n_tricks        # finished
    uint8_t won[2]          # by side
    uint8_t collected[2]
    uint8_t chasing         # the side with seven tricks to none plays on
    centre_t centre


cdef inline int side_of(int seat) noexcept nogil:
    return seat & 1


cdef inline int after(int seat) noexcept nogil:
    return (seat + 1) & 3


# Section 1.3: follow suit if able.
cdef inline uint64_t may_follow(uint64_t hand, int led) noexcept nogil:
    cdef uint64_t same = hand & suit_cards(suit_of(led))
    return same if same else hand


# Section 1.3: whether a card wins over the one that wins so far, their suits being told.
cdef inline bint wins_over(int trump, int card, int suit, int best, int best_suit) noexcept nogil:
    return card < best if suit == best_suit else suit == trump


cdef inline bint beats(int trump, int card, int best) noexcept nogil:
    return wins_over(trump, card, suit_of(card), best, suit_of(best))


cdef inline bint is_ace(int card) noexcept nogil:
    return card % SLOTS == 0


# Section 2: the tricks that the winner of trick `number` collects with it, and what is then left.
cdef inline int take(
    const rules_t* rules, centre_t* centre, int number, int winner, bint by_ace
) noexcept nogil:
    cdef int taken = 0
    centre.pile += 1
    if number == MOST_TRICKS or (
        rules.claims[centre.armed][winner]
        and not rules.blocked >> number & 1
        and not (by_ace and centre.by_ace)
    ):
        taken = centre.pile
        centre.pile = 0
    centre.armed = NOBODY if taken and rules.rests else winner
    centre.by_ace = by_ace and rules.ace_rule and centre.armed != NOBODY
    return taken


# Section 1.5 and 2: who made a court of the first seven tricks, -1 for nobody.
cdef inline int first_seven_of(const rules_t* rules, const position_t* p) noexcept nogil:
    if not rules.courts & FIRST_SEVEN or p.n_tricks != ENOUGH:
        return -1
    return 0 if p.won[0] == ENOUGH else 1 if p.won[1] == ENOUGH else -1


# Section 1.5 and 2: what is to be done after a trick. A hand is over once its points are decided.
cdef inline int phase_after_trick(const rules_t* rules, const position_t* p) noexcept nogil:
    cdef int more = p.collected[1] > p.collected[0]
    if p.n_tricks == MOST_TRICKS or first_seven_of(rules, p) >= 0:
        return OVER
    if p.collected[more] < ENOUGH:
        return PLAYING
    if p.collected[1 - more] or not rules.goes_on or not rules.courts & THIRTEEN:
        return OVER
    return ASKED if rules.asks and not p.chasing else PLAYING


cdef inline void finish_trick(const rules_t* rules, position_t* p) noexcept nogil:
    cdef int winner = p.holder, card = p.table[(winner - p.leader) & 3]
    p.n_tricks += 1
    p.won[side_of(winner)] += 1
    p.collected[side_of(winner)] += take(rules, &p.centre, p.n_tricks, winner, is_ace(card))
    p.leader = p.to_act = winner
    p.n_table = 0
    p.phase = phase_after_trick(rules, p)


cdef inline void play_card(const rules_t* rules, position_t* p, int card) noexcept nogil:
    cdef int seat = p.to_act
    p.hand[seat] ^= bit(card)
    if p.n_table == 0 or beats(p.trump, card, p.table[(p.holder - p.leader) & 3]):
        p.holder = seat
    p.table[p.n_table] = card
    p.n_table += 1
    p.to_act = after(seat)
    if p.n_table == SEATS:
        finish_trick(rules, p)


# Does a legal action; an illegal one leaves a position that has no meaning.
cdef inline void play(const rules_t* rules, position_t* p, int action) noexcept nogil:
    if action < N_CARDS:
        play_card(rules, p, action)
    elif action < STOP:
        p.trump = action - NAME
        p.phase = PLAYING
    else:
        p.chasing = action == PLAY_ON
        p.phase = PLAYING if p.chasing else OVER


# What the player to act may do, as a set of actions.
cdef inline uint64_t legal_actions(const position_t* p) noexcept nogil:
    cdef uint64_t hand = p.hand[p.to_act]
    if p.phase == PLAYING:
        return may_follow(hand, p.table[0]) if p.n_table else hand
    if p.phase == NAMING:
        return <uint64_t>0xF << NAME
    return <uint64_t>3 << STOP if p.phase == ASKED else 0


# --- A hand that is over -------------------------------------------------------------------------

cdef inline int winner_of(const rules_t* rules, const position_t* p) noexcept nogil:
    cdef int swept = first_seven_of(rules, p)
    return swept if swept >= 0 else p.collected[1] > p.collected[0]


cdef inline bint is_court(const rules_t* rules, const position_t* p) noexcept nogil:
    if first_seven_of(rules, p) >= 0:
        return True
    return rules.courts & THIRTEEN and p.collected[winner_of(rules, p)] == MOST_TRICKS


# Section 2: what the winner of a hand scores.
cdef inline int points_of(const rules_t* rules, const position_t* p) noexcept nogil:
    cdef bint other = winner_of(rules, p) != side_of(p.caller)
    return rules.points[other][is_court(rules, p)]


# The position at the start of a hand.
cdef inline position_t opening(const uint64_t* hands, int caller, int trump) noexcept nogil:
    cdef position_t p
    cdef int seat
    for seat in range(SEATS):
        p.hand[seat] = hands[seat]
        p.table[seat] = 0
    p.n_table = p.n_tricks = p.chasing = 0
    p.won[0] = p.won[1] = p.collected[0] = p.collected[1] = 0
    p.centre.pile = p.centre.by_ace = 0
    p.centre.armed = NOBODY
    p.caller = p.leader = p.to_act = p.holder = caller
    p.trump = trump
    p.phase = NAMING if trump == UNNAMED else PLAYING
    return p


cdef class Rules:
    cdef rules_t c
    cdef readonly tuple arguments
