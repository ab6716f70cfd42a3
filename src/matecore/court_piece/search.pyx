"""Double-dummy search of positions and of whole deals."""

import threading

from libc.stdint cimport UINT64_MAX, int8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from matecore.cards cimport highest64, prefetch
from matecore.court_piece.cards cimport (
    N_CARDS, SEATS, SLOTS, SUITS, bit, count, lowest, suit_cards,
    suit_of,
)
from matecore.court_piece.order cimport FIRST, bring_best, move_t, moves_of
from matecore.court_piece.position cimport Position
from matecore.court_piece.rules cimport (
    ENOUGH, FIRST_SEVEN, MOST_TRICKS, NOBODY, NO_TRUMP, OVER, PLAYING, THIRTEEN, UNNAMED, Rules,
    centre_t, is_ace, is_court, legal_actions, opening, play, position_t, rules_t, side_of,
    take, winner_of, wins_over,
)
from matecore.court_piece.state cimport (
    TOLD, TOP, highest_of, in_suit, one_of, small_count, state_t, tell_owners, trick_t,
)
from matecore.court_piece.sure cimport late_tricks, own_tricks, quick_tricks
from matecore.court_piece.table cimport chain_of, class_t, entry_t, learn, look_up

cdef extern from "Python.h":
    # Without `except`: the exception it leaves is raised when the search has unwound.
    int check_signals "PyErr_CheckSignals" () noexcept
    void* error_is_set "PyErr_Occurred" () noexcept

cdef enum:
    MOST_WORTH = 1000
    BETWEEN_POLLS = 16384   # nodes, a few milliseconds
    UNKNOWN = -1


cdef inline bint halted(const solver_t* solver) noexcept nogil:
    return solver.stopped or solver.interrupted or solver.exhausted


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
    for place in range(16):
        for seat in range(4):
            c.killer[place][seat] = -1
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
    cdef uint32_t cards = in_suit(rests_on, suit)
    # All slots up to the lowest card.
    cards |= cards >> 1
    cards |= cards >> 2
    cards |= cards >> 4
    cards |= cards >> 8
    return (<uint64_t>1 << (2 * small_count(cards & in_suit(s.left, suit)))) - 1


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


# --- Tricks --------------------------------------------------------------------------------------

# How many tricks side 0 still collects, where that is `low` at least and `high` at most.
cdef int between(search_t* c, int low, int high, int guess) noexcept nogil:
    while low < high and not halted(c.solver):
        guess = min(max(guess, low + 1), high)
        if reaches(c, guess):
            low = guess
            guess += 1
        else:
            high = guess - 1
            guess -= 1
    return low


cdef inline int left_of(const position_t* position) noexcept nogil:
    return MOST_TRICKS - position.n_tricks + position.centre.pile


cdef int tricks_of_side_0(
    solver_t* solver, const position_t* position, int guess
) noexcept nogil:
    cdef search_t c
    begin_search(&c, solver, solver.rules, position, MOST_TRICKS)
    # All tricks are counted here, whatever court some of them make.
    c.s.sweep = 0
    return between(&c, 0, left_of(position), guess)


# The same of the side that is to act.
cdef inline int tricks_of_mover(
    solver_t* solver, const position_t* position, int guess
) noexcept nogil:
    cdef int left = left_of(position)
    if side_of(position.to_act) == 0:
        return tricks_of_side_0(solver, position, guess)
    return left - tricks_of_side_0(solver, position, left - guess)


# What the side to act still collects if it takes an action.
cdef int tricks_after(
    solver_t* solver, const position_t* position, int action, int guess
) noexcept nogil:
    cdef position_t child = position[0]
    cdef int side = side_of(position.to_act), taken
    play(solver.rules, &child, action)
    taken = child.collected[side] - position.collected[side]
    guess -= taken
    if side == 0:
        return taken + tricks_of_side_0(solver, &child, guess)
    return taken + left_of(&child) - tricks_of_side_0(solver, &child, left_of(&child) - guess)


# --- Points --------------------------------------------------------------------------------------

cdef bint sweep_is_forced(solver_t* solver, const position_t* position, int side) noexcept nogil:
    cdef search_t c
    cdef int left = ENOUGH - position.n_tricks
    if position.won[1 - side] or left < 0:
        return False
    begin_search(&c, solver, solver.plain, position, ENOUGH)
    return reaches(&c, left) if side == 0 else not reaches(&c, 1)


# Whether side 0 collects so many tricks in the whole hand, or sweeps, and side 1 does not sweep.
cdef bint has_in_the_end(solver_t* solver, const position_t* position, int tricks) noexcept nogil:
    cdef search_t c
    begin_search(&c, solver, solver.rules, position, MOST_TRICKS)
    return reaches(&c, tricks - position.collected[0])


# Whether a side can make a court.
cdef bint court_is_forced(solver_t* solver, const position_t* position, int side) noexcept nogil:
    cdef const rules_t* rules = solver.rules
    cdef bint plain = rules.claims[NOBODY][0]
    if rules.courts & FIRST_SEVEN and (plain or not rules.courts & THIRTEEN):
        return sweep_is_forced(solver, position, side)
    if not rules.goes_on:
        return False
    if side == 0:
        return has_in_the_end(solver, position, MOST_TRICKS)
    return not has_in_the_end(solver, position, 1)


# What the hand is worth to a side under best play of all, by the points that both sides score.
cdef int worth(solver_t* solver, const position_t* position, int side) noexcept nogil:
    cdef int winner, other
    cdef bint court
    if position.phase == OVER:
        winner, court = winner_of(solver.rules, position), is_court(solver.rules, position)
    elif position.phase != PLAYING:
        return best_worth(solver, position, side)
    else:
        winner = not has_in_the_end(solver, position, ENOUGH)
        court = court_is_forced(solver, position, winner)
    other = winner != side_of(position.caller)
    return solver.rules.points[other][court] * (1 if winner == side else -1)


cdef int worth_after(
    solver_t* solver, const position_t* position, int action, int side
) noexcept nogil:
    cdef position_t child = position[0]
    play(solver.rules, &child, action)
    return worth(solver, &child, side)


cdef int best_worth(solver_t* solver, const position_t* position, int side) noexcept nogil:
    cdef uint64_t legal = legal_actions(position)
    cdef int best = -MOST_WORTH, found
    while legal:
        found = worth_after(solver, position, lowest(legal), side_of(position.to_act))
        best = max(best, found)
        legal &= legal - 1
    return best if side_of(position.to_act) == side else -best


# --- Batches -------------------------------------------------------------------------------------

cdef bint is_deal(const uint64_t* hands) noexcept nogil:
    cdef uint64_t seen = 0
    cdef int seat
    for seat in range(SEATS):
        if count(hands[seat]) != SLOTS or seen & hands[seat] or hands[seat] >> N_CARDS:
            return False
        seen |= hands[seat]
    return True


# The first row that is no deal, or -1.
cdef Py_ssize_t solve_deals(
    solver_t* solver, const uint64_t[:, ::1] hands, const int8_t[:, ::1] asked, int8_t[::1] out
) noexcept nogil:
    cdef position_t position
    cdef Py_ssize_t row
    cdef bint known
    for row in range(hands.shape[0]):
        known = 0 <= asked[row, 0] <= NO_TRUMP and 0 <= asked[row, 1] < SEATS
        if not known or not is_deal(&hands[row, 0]):
            return row
        position = opening(&hands[row, 0], asked[row, 1], asked[row, 0])
        out[row] = tricks_of_mover(solver, &position, ENOUGH)
    return -1


# --- Solver --------------------------------------------------------------------------------------

cdef class Solver:
    """Double-dummy search of one variant, with the table of what it has learnt.

    All four hands are seen. A solver can be used from any thread, by one at a time; another waits.
    Its table takes 60 x 2^table_bits bytes; what it has learnt serves all deals.

    Arguments:
        rules: the compiled variant.
        table_bits: the binary logarithm of the number of entries in the table, 4..28.

    Raises:
        ValueError: `table_bits` is out of range.
        MemoryError: there is no memory for the table.

    >>> from matecore.court_piece import NO_TRUMP, Position, Rules, Solver
    >>> solver = Solver(Rules())
    >>> suits = [0x1FFF << 13 * suit for suit in range(4)]
    >>> solver.tricks(Position(Rules(), suits, 0, 0)), solver.tricks(Position(Rules(), suits, 0, 1))
    (13, 0)
    """

    def __cinit__(self, Rules rules not None, int table_bits=18):
        if not 4 <= table_bits <= 28:
            raise ValueError(f"table_bits {table_bits} is not in 4..28")
        self.rules, self.plain = rules, Rules()
        # A signal handler may ask again while a search of its thread polls: no search holds
        # anything of the table while another may run.
        self.lock = threading.RLock()
        self.c.rules, self.c.plain = &rules.c, &self.plain.c
        self.c.last_node = UINT64_MAX
        self.c.table.shift = 64 - table_bits
        self.c.table.size = <uint32_t>1 << table_bits
        self.c.table.first = <uint32_t*>calloc(<size_t>1 << table_bits, sizeof(uint32_t))
        self.c.table.entries = <entry_t*>calloc(<size_t>1 << table_bits, sizeof(entry_t))
        if self.c.table.first == NULL or self.c.table.entries == NULL:
            raise MemoryError(f"no memory for a table of 2^{table_bits} entries")

    def __dealloc__(self):
        free(self.c.table.first)
        free(self.c.table.entries)

    def __reduce__(self):
        # What it has learnt stays behind.
        return Solver, (self.rules, 64 - self.c.table.shift)

    cdef position_t begin(self, Position position, bint playing=True) except *:
        cdef position_t p
        if position.rules != self.rules:
            raise ValueError("the position is of another variant")
        p = position.state()
        if playing and p.trump == UNNAMED:
            raise ValueError("the trump is not named")
        return p

    # Raises what ended a search before its time.
    cdef int end(self) except -1:
        if self.c.interrupted:
            self.c.interrupted = False
            if error_is_set() != NULL:
                return -1
            raise KeyboardInterrupt("a search was interrupted before, and nobody looked")
        if self.c.stopped:
            raise RuntimeError("the solver was stopped")
        return 0

    @property
    def nodes(self):
        """Positions between tricks searched so far."""
        return self.c.nodes

    # --- Queries: tricks, the hand being played to its end --------------------------------------

    def at_least(self, Position position not None, int tricks):
        """Return whether the side to act still collects so many tricks.

        The trick on the table counts, and what lies in the centre.

        Raises:
            ValueError: the position is of another variant, or its trump is not named.
            RuntimeError: the solver was stopped.
        """
        cdef position_t p = self.begin(position)
        cdef search_t c
        cdef int left = left_of(&p)
        cdef bint first = side_of(p.to_act) == 0, found
        tricks = min(max(tricks, 0), left + 1)
        with self.lock:
            with nogil:
                begin_search(&c, &self.c, self.c.rules, &p, MOST_TRICKS)
                c.s.sweep = 0
                found = reaches(&c, tricks if first else left - tricks + 1)
            self.end()
        return bool(found) == first

    def tricks(self, Position position not None):
        """Return how many tricks the side to act still collects, under best play of all.

        Raises:
            ValueError, RuntimeError: as `at_least`.
        """
        cdef position_t p = self.begin(position)
        cdef int found
        with self.lock:
            with nogil:
                found = tricks_of_mover(&self.c, &p, left_of(&p) // 2 + 1)
            self.end()
        return found

    def values(self, Position position not None):
        """Return the legal cards with the tricks that the side to act still collects with each.

        Raises:
            ValueError, RuntimeError: as `at_least`.
        """
        cdef position_t p = self.begin(position)
        cdef uint64_t legal = legal_actions(&p) if p.phase == PLAYING else 0
        cdef int tricks = self.tricks(position), action, found
        values = []
        with self.lock:
            while legal:
                action = lowest(legal)
                with nogil:
                    found = tricks_after(&self.c, &p, action, tricks)
                self.end()
                values.append((action, found))
                legal &= legal - 1
        return values

    def line(self, Position position not None):
        """Return the cards of best play to the last trick, of equals the lowest.

        Suits stand in their order, so that of equals in several it is one of the last.

        Raises:
            ValueError, RuntimeError: as `at_least`.
        """
        cdef position_t p = self.begin(position)
        cdef int action, tricks
        cdef uint64_t legal
        cards = []
        with self.lock:
            p.phase = PLAYING
            while p.hand[p.to_act]:
                legal = legal_actions(&p)
                with nogil:
                    tricks = tricks_of_mover(&self.c, &p, left_of(&p) // 2 + 1)
                    action = highest64(legal)
                    while legal & (legal - 1) and tricks_after(
                        &self.c, &p, action, tricks
                    ) != tricks and not halted(&self.c):
                        legal ^= bit(action)
                        action = highest64(legal)
                self.end()
                cards.append(action)
                play(&self.rules.c, &p, action)
                # Points may be decided; the line goes on.
                p.phase = PLAYING
        return cards

    def first_seven(self, Position position not None, int side):
        """Return whether a side can win every one of the first seven tricks, those played counted.

        Raises:
            ValueError: as `at_least`, or the side is not 0 or 1.
            RuntimeError: the solver was stopped.
        """
        cdef position_t p = self.begin(position)
        cdef bint found
        if side not in (0, 1):
            raise ValueError(f"side {side} is not 0 or 1")
        with self.lock:
            with nogil:
                found = sweep_is_forced(&self.c, &p, side)
            self.end()
        return bool(found)

    # --- Queries: points, by the rules -----------------------------------------------------------

    def points(self, Position position not None):
        """Return the points that the side to act wins by the hand, negative if the other does.

        The trump may still be to be named, by a caller who sees all hands.

        Raises:
            ValueError: the position is of another variant.
            RuntimeError: the solver was stopped.
        """
        cdef position_t p = self.begin(position, False)
        cdef int found
        with self.lock:
            with nogil:
                found = worth(&self.c, &p, side_of(p.to_act))
            self.end()
        return found

    def points_within(self, Position position not None, uint64_t nodes):
        """Return the same as `points`, or None if that would take more than so many nodes.

        What was learnt until then is kept: the same position may take less the next time.

        Raises:
            ValueError, RuntimeError: as `points`.
        """
        cdef position_t p = self.begin(position, False)
        cdef int found
        with self.lock:
            self.c.last_node = self.c.nodes + min(nodes, UINT64_MAX - self.c.nodes)
            with nogil:
                found = worth(&self.c, &p, side_of(p.to_act))
            exhausted = self.c.exhausted
            self.c.exhausted, self.c.last_node = False, UINT64_MAX
            self.end()
        return None if exhausted else found

    def points_of(self, Position position not None):
        """Return the legal actions with the points that each brings the side to act.

        Raises:
            ValueError, RuntimeError: as `points`.
        """
        cdef position_t p = self.begin(position, False)
        cdef uint64_t legal = legal_actions(&p)
        cdef int action, found
        values = []
        with self.lock:
            while legal:
                action = lowest(legal)
                with nogil:
                    found = worth_after(&self.c, &p, action, side_of(p.to_act))
                self.end()
                values.append((action, found))
                legal &= legal - 1
        return values

    def solve(
        self, const uint64_t[:, ::1] hands not None, const int8_t[:, ::1] asked not None,
        int8_t[::1] out not None,
    ):
        """Write the tricks that the leader's side collects in whole deals.

        Arguments:
            hands: uint64 of shape (n, 4), C-contiguous, the masks by seat.
            asked: int8 of shape (n, 2), C-contiguous: the trump, 0..4, and who leads, 0..3.
            out: int8 of shape (n,), C-contiguous, is written.

        Raises:
            ValueError: a shape or dtype is wrong, or a row is no deal; rows before it are written.
            RuntimeError: the solver was stopped.
        """
        cdef Py_ssize_t row
        n = hands.shape[0]
        if hands.shape[1] != 4 or (asked.shape[0], asked.shape[1], out.shape[0]) != (n, 2, n):
            raise ValueError("hands, asked and out must have the shapes (n, 4), (n, 2) and (n,)")
        with self.lock:
            with nogil:
                row = solve_deals(&self.c, hands, asked, out)
            self.end()
        if row >= 0:
            raise ValueError(f"hands[{row}] or asked[{row}] is no deal with trump and leader")

    # --- Actions ---------------------------------------------------------------------------------

    def stop(self):
        """End the search that runs, in whatever thread, and refuse any other."""
        self.c.stopped = True
