"""Hands by the million, each a function of the seed and its number."""

import operator
import threading

from libc.stdint cimport UINT64_MAX, int8_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from matecore.cards cimport fill_places, places_t
from matecore.court_piece.cards cimport N_CARDS, SEATS, SUITS, lowest, suit_of
from matecore.court_piece.dealing cimport (
    LONGEST, NAMED, NOTHING, dealing_of, draw_deal, is_deal, trump_of,
)
from matecore.court_piece.members cimport nth_of, size
from matecore.court_piece.policy cimport GREEDY, RANDOM, greedy_action, random_action
from matecore.court_piece.rules cimport (
    N_ACTIONS, OVER, PLAYING, Rules, beats, finish_trick, is_court, legal_actions, may_follow,
    opening, play, points_of, position_t, side_of, winner_of,
)
from matecore.lanes cimport uses_bits
from matecore.rng cimport begin_stream, below, next_words, stream_t

from matecore.selfplay import IllegalRow as NoRow


# --- Beginning and end ---------------------------------------------------------------------------

cdef inline void write_deal(const hand_t* h) noexcept nogil:
    cdef int seat
    for seat in range(SEATS):
        h.row.hands[seat] = h.deal.hand[seat]
    h.row.first_five[0] = h.deal.first_five
    h.row.turned[0] = h.deal.turned
    h.row.caller[0] = h.deal.caller


cdef inline void write_result(const selfplay_t* k, const hand_t* h) noexcept nogil:
    cdef const position_t* p = &h.position
    cdef int winner = winner_of(k.rules, p)
    h.row.collected[0], h.row.collected[1] = p.collected[0], p.collected[1]
    h.row.points[winner] = points_of(k.rules, p)
    h.row.points[1 - winner] = 0
    h.row.winner[0] = winner
    h.row.court[0] = is_court(k.rules, p)


cdef inline void end_hand(const selfplay_t* k, hand_t* h) noexcept nogil:
    cdef int ply
    h.row.trump[0] = h.position.trump
    write_result(k, h)
    for ply in range(h.ply, k.plies):
        h.row.moves[ply] = -1


# --- Play ----------------------------------------------------------------------------------------

cdef inline void do(const selfplay_t* k, hand_t* h, int action) noexcept nogil:
    h.row.moves[h.ply] = <int8_t>action
    h.ply += 1
    play(k.rules, &h.position, action)


cdef inline int chosen(const selfplay_t* k, hand_t* h) noexcept nogil:
    if k.policy[side_of(h.position.to_act)] == GREEDY:
        return greedy_action(&h.position, h.deal.first_five)
    return random_action(&k.places, &h.position, &h.stream)


# A card at random, as a set.
cdef inline uint64_t any_of(
    const places_t* places, uint64_t cards, stream_t* stream
) noexcept nogil:
    return nth_of(places, cards, below(stream, size(places, cards)))


# A trick at random: the same as ply by ply, without branches that chance decides.
cdef inline void play_trick(const selfplay_t* k, hand_t* h) noexcept nogil:
    cdef position_t* p = &h.position
    cdef int seat = p.leader, place, card, won, best
    cdef uint64_t found = any_of(&k.places, p.hand[seat], &h.stream)
    cdef int led = lowest(found)
    cdef const uint8_t* strength = k.strength[p.trump][suit_of(led)]
    cdef int8_t* moves = &h.row.moves[h.ply]
    p.hand[seat] ^= found
    moves[0] = <int8_t>led
    p.table[0] = led
    best = strength[led] << 2
    for place in range(1, SEATS):
        seat = (p.leader + place) & 3
        found = any_of(&k.places, may_follow(p.hand[seat], led), &h.stream)
        card = lowest(found)
        p.hand[seat] ^= found
        moves[place] = <int8_t>card
        p.table[place] = card
        won = strength[card] << 2 | place
        best = won if won > best else best
    p.holder = (p.leader + (best & 3)) & 3
    h.ply += SEATS
    finish_trick(k.rules, p)


cdef void play_at_random(const selfplay_t* k, hand_t* h) noexcept nogil:
    while h.position.phase != OVER:
        if h.position.phase == PLAYING:
            play_trick(k, h)
        else:
            do(k, h, random_action(&k.places, &h.position, &h.stream))


cdef void play_by_policies(const selfplay_t* k, hand_t* h) noexcept nogil:
    while h.position.phase != OVER:
        do(k, h, chosen(k, h))


# --- A hand from elsewhere -----------------------------------------------------------------------

# Takes the deal of a row, unless it is none of this game.
cdef bint read_deal(const selfplay_t* k, hand_t* h) noexcept nogil:
    cdef int seat
    for seat in range(SEATS):
        h.deal.hand[seat] = h.row.hands[seat]
    h.deal.first_five = h.row.first_five[0]
    h.deal.turned = h.row.turned[0]
    h.deal.caller = h.row.caller[0]
    if not is_deal(&k.dealing, &h.deal):
        return False
    h.deal.trump = trump_of(&k.dealing, &h.deal)
    return True


cdef inline void write_seen(const selfplay_t* k, const hand_t* h, uint64_t legal) noexcept nogil:
    if h.row.to_act != NULL:
        h.row.to_act[h.ply] = h.position.to_act
    if h.row.n_legal != NULL:
        h.row.n_legal[h.ply] = <int8_t>size(&k.places, legal)


# Plays what the row says. Returns the ply at which it says no legal move, or -1.
cdef int follow_hand(const selfplay_t* k, hand_t* h) noexcept nogil:
    cdef uint64_t legal
    cdef int action
    while h.position.phase != OVER:
        legal = legal_actions(&h.position)
        action = h.row.moves[h.ply] if h.ply < k.plies else -1
        if not 0 <= action < N_ACTIONS or not legal >> action & 1:
            return h.ply
        write_seen(k, h, legal)
        play(k.rules, &h.position, action)
        h.ply += 1
    return end_of_moves(k, h)


# Returns the ply at which there is a move though the hand is over, or -1.
cdef int end_of_moves(const selfplay_t* k, const hand_t* h) noexcept nogil:
    cdef int ply
    for ply in range(h.ply, k.plies):
        if h.row.moves[ply] != -1:
            return ply
        if h.row.to_act != NULL:
            h.row.to_act[ply] = -1
        if h.row.n_legal != NULL:
            h.row.n_legal[ply] = 0
    return -1


# --- Many ----------------------------------------------------------------------------------------

cdef inline row_t row_at(const selfplay_t* k, const rows_t* rows, Py_ssize_t i) noexcept nogil:
    cdef row_t row = rows.first
    row.hands += SEATS * i
    row.first_five += i
    row.turned += i
    row.caller += i
    row.trump += i
    row.moves += k.plies * i
    row.collected += 2 * i
    row.points += 2 * i
    row.winner += i
    row.court += i
    if row.to_act != NULL:
        row.to_act += k.plies * i
    if row.n_legal != NULL:
        row.n_legal += k.plies * i
    return row


cdef inline void begin_hand(const selfplay_t* k, hand_t* h) noexcept nogil:
    h.position = opening(h.deal.hand, h.deal.caller, h.deal.trump)
    h.ply = 0


cdef void play_one(selfplay_t* k, hand_t* h) noexcept nogil:
    cdef int caller = h.stream.unit & 3 if k.caller == IN_TURN else k.caller
    draw_deal(&k.dealing, &k.places, &h.stream, caller, &h.deal)
    write_deal(h)
    begin_hand(k, h)
    if k.at_random:
        play_at_random(k, h)
    else:
        play_by_policies(k, h)
    end_hand(k, h)


# The first random numbers of the hands are made together, since they need not wait for each other.
cdef void play_rows(selfplay_t* k, const rows_t* rows, uint64_t first) noexcept nogil:
    cdef Py_ssize_t start = 0
    cdef int i, n
    while start < rows.n:
        n = min(rows.n - start, <Py_ssize_t>TOGETHER)
        for i in range(n):
            begin_stream(&k.hands[i].stream, k.seed, k.stream, first + start + i)
            next_words(&k.hands[i].stream)
        for i in range(n):
            k.hands[i].row = row_at(k, rows, start + i)
            play_one(k, &k.hands[i])
        start += n


# The first row that is no hand, or -1; `ply` is where it ceases to be one, or -1.
cdef Py_ssize_t follow_rows(selfplay_t* k, const rows_t* rows, int* ply) noexcept nogil:
    cdef hand_t* h = k.hands
    cdef Py_ssize_t i
    cdef int told
    ply[0] = -1
    for i in range(rows.n):
        h.row = row_at(k, rows, i)
        told = h.row.trump[0]
        if not read_deal(k, h):
            return i
        begin_hand(k, h)
        ply[0] = follow_hand(k, h)
        if ply[0] >= 0:
            return i
        if h.position.trump != told:
            return i
        write_result(k, h)
    return -1


# --- SelfPlay ------------------------------------------------------------------------------------

# By the rules: a card is as strong as there are cards that it beats.
cdef void fill_strength(selfplay_t* k) noexcept nogil:
    cdef int trump, led, card, other
    for trump in range(SUITS):
        for led in range(SUITS):
            for card in range(N_CARDS):
                k.strength[trump][led][card] = 0
                if suit_of(card) != led and suit_of(card) != trump:
                    continue
                k.strength[trump][led][card] = 1
                for other in range(N_CARDS):
                    if suit_of(other) == led or suit_of(other) == trump:
                        k.strength[trump][led][card] += beats(trump, card, other)


class IllegalRow(NoRow):
    """A hand that is none.

    Attributes:
        row: its number.
        ply: the first that is no legal move; None if nothing was dealt like that, or its trump is
            not the one that was chosen.
    """

    def __str__(self):
        if self.ply is None:
            return f"row {self.row}: no deal, or another trump"
        return super().__str__()


cdef uint64_t checked(value, most, str name) except? 0xDEAD:
    number = operator.index(value)
    if not 0 <= number <= most:
        raise ValueError(f"{name} {value} is not in 0..{most}")
    return number


cdef class SelfPlay:
    """Plays hands of a variant between the policies of two sides, on the thread that calls it.

    What hand i is depends on the arguments and on i alone. Threads that use the same object wait
    for each other.

    Arguments:
        rules: the compiled variant.
        a, b: the policies of the sides of seats 0 and 2, 1 and 3: RANDOM (0) or GREEDY (1).
        seed, stream: the key of the random numbers, 0..2^64-1.
        caller: who calls, 0..3, or IN_TURN (4): the seat of the hand's number modulo 4.
        trump: NAMED (0) by the caller who sees his first five cards, TURNED (1) in his second
            batch, or his LONGEST (2) suit.
        redeal_below: the slot of the rank below which the caller's first five are dealt again,
            0..12; 13 for none.

    Raises:
        ValueError: an argument is out of range.
        MemoryError: there is no memory.

    >>> import numpy
    >>> from matecore.court_piece import Rules, SelfPlay
    >>> hands = SelfPlay(Rules(), seed=1)
    >>> hands.plies
    53
    >>> deals, first_five = numpy.empty((2, 4), numpy.uint64), numpy.empty(2, numpy.uint64)
    >>> turned, caller, trump = numpy.empty((3, 2), numpy.int8)
    >>> moves = numpy.empty((2, 53), numpy.int8)
    >>> collected, points, (winner, court) = numpy.empty((3, 2, 2), numpy.int8)
    >>> hands.play(
    ...     0, deals, first_five, turned, caller, trump, moves, collected, points, winner, court
    ... )
    >>> points.tolist()
    [[1, 0], [1, 0]]
    """

    def __cinit__(
        self, Rules rules not None, a=RANDOM, b=RANDOM, *, seed=0, stream=0, caller=IN_TURN,
        trump=NAMED, redeal_below=NOTHING,
    ):
        self.c = <selfplay_t*>calloc(1, sizeof(selfplay_t))
        if self.c == NULL:
            raise MemoryError("no memory for self-play")
        self.rules = rules
        self.lock = threading.Lock()
        self.c.rules = &rules.c
        self.c.policy[0], self.c.policy[1] = checked(a, GREEDY, "a"), checked(b, GREEDY, "b")
        self.c.at_random = a == RANDOM and b == RANDOM
        self.c.seed = checked(seed, UINT64_MAX, "seed")
        self.c.stream = checked(stream, UINT64_MAX, "stream")
        self.c.caller = checked(caller, IN_TURN, "caller")
        self.c.dealing = dealing_of(
            checked(trump, LONGEST, "trump"), checked(redeal_below, NOTHING, "redeal_below")
        )
        self.c.plies = N_CARDS + (trump == NAMED) + rules.c.asks
        fill_places(&self.c.places, uses_bits())
        fill_strength(self.c)

    def __dealloc__(self):
        free(self.c)

    @property
    def plies(self):
        """The moves in a row, as many as the longest hand has."""
        return self.c.plies

    def play(
        self, uint64_t first, uint64_t[:, ::1] hands not None, uint64_t[::1] first_five not None,
        int8_t[::1] turned not None, int8_t[::1] caller not None, int8_t[::1] trump not None,
        int8_t[:, ::1] moves not None, int8_t[:, ::1] collected not None,
        int8_t[:, ::1] points not None, int8_t[::1] winner not None, int8_t[::1] court not None,
    ):
        """Play hands and write them; all arrays are C-contiguous, a row a hand.

        Arguments:
            first: the number of the first hand.
            hands: uint64 of shape (n, 4), what was dealt to each seat.
            first_five: uint64 of shape (n,), the cards from which the caller chose.
            turned: int8 of shape (n,), the card that was turned, or -1.
            caller: int8 of shape (n,), his seat.
            trump: int8 of shape (n,), a suit.
            moves: int8 of shape (n, plies), actions, -1 behind the last.
            collected: int8 of shape (n, 2), the tricks of the sides.
            points: int8 of shape (n, 2), what the sides score.
            winner: int8 of shape (n,), the side that wins.
            court: int8 of shape (n,), whether by a court.

        Raises:
            ValueError: a shape or dtype is wrong.
        """
        cdef rows_t rows = self.rows_of(
            hands, first_five, turned, caller, trump, moves, collected, points, winner, court
        )
        with self.lock:
            with nogil:
                play_rows(self.c, &rows, first)

    def follow(
        self, uint64_t[:, ::1] hands not None, uint64_t[::1] first_five not None,
        int8_t[::1] turned not None, int8_t[::1] caller not None, int8_t[::1] trump not None,
        int8_t[:, ::1] moves not None, int8_t[:, ::1] collected not None,
        int8_t[:, ::1] points not None, int8_t[::1] winner not None, int8_t[::1] court not None,
        int8_t[:, ::1] to_act=None, int8_t[:, ::1] n_legal=None,
    ):
        """Play what was played, and write what is to be told of it.

        Arguments:
            hands, first_five, turned, caller, trump, moves: as in `play`, are read.
            collected, points, winner, court: as in `play`, are written.
            to_act: int8 of shape (n, plies), who acts, -1 behind the last move; or None.
            n_legal: int8 of shape (n, plies), how many moves there are, 0 behind the last; or None.

        Raises:
            ValueError: as `play`.
            IllegalRow: a row is no hand; the rows before it are written.
        """
        cdef rows_t rows = self.rows_of(
            hands, first_five, turned, caller, trump, moves, collected, points, winner, court
        )
        cdef Py_ssize_t row
        cdef int ply = -1
        if rows.n:
            rows.first.to_act = self.plane(to_act, rows.n)
            rows.first.n_legal = self.plane(n_legal, rows.n)
        with self.lock:
            with nogil:
                row = follow_rows(self.c, &rows, &ply)
        if row >= 0:
            raise IllegalRow(row, ply if ply >= 0 else None)

    cdef rows_t rows_of(
        self, uint64_t[:, ::1] hands, uint64_t[::1] first_five, int8_t[::1] turned,
        int8_t[::1] caller, int8_t[::1] trump, int8_t[:, ::1] moves, int8_t[:, ::1] collected,
        int8_t[:, ::1] points, int8_t[::1] winner, int8_t[::1] court
    ) except *:
        cdef rows_t rows
        cdef Py_ssize_t n = moves.shape[0]
        memset(&rows, 0, sizeof(rows))
        if hands.shape[0] != n or hands.shape[1] != SEATS or moves.shape[1] != self.c.plies:
            raise ValueError(f"hands (n, 4) and moves (n, {self.c.plies}): the shapes differ")
        if not first_five.shape[0] == turned.shape[0] == caller.shape[0] == trump.shape[0] == n:
            raise ValueError("first_five, turned, caller, trump: as many rows as moves")
        if not (collected.shape[0] == points.shape[0] == n
                and collected.shape[1] == points.shape[1] == 2):
            raise ValueError(f"collected and points must have the shape ({n}, 2)")
        if not winner.shape[0] == court.shape[0] == n:
            raise ValueError("winner and court: as many rows as moves")
        rows.n = n
        if n == 0:
            return rows
        rows.first.hands, rows.first.first_five = &hands[0, 0], &first_five[0]
        rows.first.turned, rows.first.caller, rows.first.trump = &turned[0], &caller[0], &trump[0]
        rows.first.moves, rows.first.collected = &moves[0, 0], &collected[0, 0]
        rows.first.points = &points[0, 0]
        rows.first.winner, rows.first.court = &winner[0], &court[0]
        return rows

    cdef int8_t* plane(self, int8_t[:, ::1] array, Py_ssize_t n) except? NULL:
        if array is None:
            return NULL
        if array.shape[0] != n or array.shape[1] != self.c.plies:
            raise ValueError(f"to_act and n_legal must have the shape ({n}, {self.c.plies})")
        return &array[0, 0]
