"""Games by the million, each a function of the seed and its number."""

from libc.stdint cimport int8_t, int16_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from matecore.cards cimport bit, fill_places, lowest, nth, places_t, prefetch, size
from matecore.codes cimport state_of
from matecore.dealing cimport fill_deals, random_hand
from matecore.index cimport place_of
from matecore.lattice cimport Lattice, look_up as look_up_in_lattice, solve_deal
from matecore.policy cimport RANDOM, Policy, choose, judge, judged_t, needs_values, random_action
from matecore.rng cimport below, next_words, stream_of, stream_t
from matecore.rules cimport (
    DECLARED, UNDECIDED, Rules, action_is_legal, code_of_lead, distinct, distinct_moves,
    forced_replies,    halves_the_deck, has_foreplaced, has_move, last_trick, lead, legal_moves, margin, moves_t,
    opening, play, position_t, replies, reply, rules_t,
)
from matecore.tablebase cimport Tablebase, margin_at


# --- Exact values --------------------------------------------------------------------------------

cdef void forget_places(const void* ahead) noexcept nogil:
    cdef places_ahead_t* a = <places_ahead_t*>ahead
    a.n = a.read = 0


cdef int announce_place(const void* ahead, const position_t* p) noexcept nogil:
    cdef places_ahead_t* a = <places_ahead_t*>ahead
    cdef int leader = p.to_move
    cdef int64_t place = place_of(
        &a.table.index, p.hand[leader], p.hand[1 - leader], state_of(p)
    )
    prefetch(a.table.data + place * a.table.width)
    a.place[a.n] = place
    a.n += 1
    return 0


cdef int read_place(const void* ahead, const position_t* p) noexcept nogil:
    cdef places_ahead_t* a = <places_ahead_t*>ahead
    a.read += 1
    return margin_at(a.table, a.place[a.read - 1])


cdef inline void know_deal(selfplay_t* k, const position_t* p) noexcept nogil:
    if k.lattice != NULL and k.solved != p.hand[0]:
        solve_deal(k.lattice, p.hand[0], p.hand[1])
        k.solved = p.hand[0]


# An action in a set of the best; see `DECLINED`.
cdef inline int place_in_best(const rules_t* rules, int action) noexcept nogil:
    cdef int n = rules.n_cards
    if action < n:
        return action
    if action == n:
        return DECLINED
    return action - (n + 1) if action <= 2 * n else action - (2 * n + 1) + DECLARED


# Every copy of a card is as good; judged is the first.
cdef inline uint64_t best_of(
    const rules_t* rules, const judged_t* judged, const moves_t* moves
) noexcept nogil:
    cdef uint64_t best = 0, twins = rules.twin | <uint64_t>rules.twin << DECLARED
    cdef uint64_t legal = moves.play | moves.fore | <uint64_t>moves.declare << DECLARED
    cdef int i
    for i in range(judged.n):
        if judged.value[i] == judged.best:
            best |= <uint64_t>1 << place_in_best(rules, judged.action[i])
    while best << 1 & twins & legal & ~best:
        best |= best << 1 & twins & legal
    return best


# --- One game ------------------------------------------------------------------------------------

cdef inline void label(
    selfplay_t* k, const position_t* p, judged_t* judged, row_t* row, int ply
) noexcept nogil:
    cdef moves_t moves = legal_moves(k.rules, p)
    judge(k.rules, p, &k.source, judged)
    row.value[ply] = judged.best
    row.best[ply] = best_of(k.rules, judged, &moves)


cdef inline void pad(selfplay_t* k, row_t* row, int ply) noexcept nogil:
    for ply in range(ply, k.plies):
        row.moves[ply] = -1


# The action of a player who must think, or whose position is labelled.
cdef int considered(
    selfplay_t* k, const position_t* p, const moves_t* moves, stream_t* stream, row_t* row, int ply
) noexcept nogil:
    cdef judged_t judged
    judged.n = 0
    if row.value != NULL:
        label(k, p, &judged, row, ply)
    return choose(
        k.rules, &k.places, &k.policy[p.to_move], &k.source, p, moves, &judged, stream
    )


# The action of the player who acts, of these moves; it is written.
cdef inline int act(
    selfplay_t* k, const position_t* p, const moves_t* moves, stream_t* stream, row_t* row, int ply
) noexcept nogil:
    cdef int action
    if k.policy[p.to_move].kind == RANDOM and row.value == NULL:
        action = random_action(k.rules, &k.places, moves, stream)
    else:
        action = considered(k, p, moves, stream, row, ply)
    row.moves[ply] = <int8_t>action
    return action


# Both have decided on foreplacing, or the variant has none. Returns how many plies there were.
cdef inline int decide_on_foreplacing(
    selfplay_t* k, position_t* p, stream_t* stream, row_t* row
) noexcept nogil:
    cdef moves_t moves
    cdef int ply = 0
    while p.fore[p.to_move] == UNDECIDED:
        moves = distinct_moves(k.rules, p)
        play(k.rules, p, act(k, p, &moves, stream, row, ply))
        ply += 1
    return ply


# Whether nothing is left of the rules but that cards are played: no free move, no privilege to
# declare, and each card leaves its hand.
cdef inline bint is_plain(const rules_t* rules, const position_t* p, int n_foreplaced) noexcept nogil:
    return not (
        p.free or rules.declarable or n_foreplaced == 1 and rules.last_card_twice
    )


# Both at random, where nothing but cards is to be played: the same as the general way below, with
# the state in registers.
cdef int play_plainly(
    selfplay_t* k, position_t* p, stream_t* stream, int8_t* moves, int last
) noexcept nogil:
    cdef const rules_t* rules = k.rules
    cdef const places_t* places = &k.places
    cdef int leader = p.to_move, card, ply = 0, trick
    cdef uint32_t hand = p.hand[leader], other = p.hand[1 - leader], cards, turn
    for trick in range(p.trick, last + 1):
        cards = distinct(rules, hand)
        card = nth(places, cards, below(stream, size(places, cards)))
        hand ^= bit(card)
        moves[ply] = <int8_t>card
        ply += 1
        cards = distinct(rules, forced_replies(rules, card, other))
        if not cards:
            p.led = card
            p.to_move = 1 - leader
            p.trick = trick
            break
        cards = bit(nth(places, cards, below(stream, size(places, cards))))
        other ^= cards
        moves[ply] = <int8_t>lowest(cards)
        ply += 1
        # Who wins the trick leads the next; by chance, so without a branch.
        turn = <uint32_t>(rules.loses[card] & cards == 0)
        leader ^= turn
        turn = (hand ^ other) & (0 - turn)
        hand ^= turn
        other ^= turn
    return ply


# What `legal_moves` and `play` ask at every ply is known here, trick by trick.
cdef int play_tricks(
    selfplay_t* k, position_t* p, stream_t* stream, row_t* row, int ply, int last
) noexcept nogil:
    cdef moves_t moves
    cdef int action
    moves.fore = 0
    moves.decline = False
    while p.trick <= last:
        moves.play = distinct(k.rules, p.hand[p.to_move])
        moves.declare = moves.play & k.rules.declarable
        action = act(k, p, &moves, stream, row, ply)
        lead(k.rules, p, code_of_lead(k.rules, action))
        ply += 1
        moves.play = distinct(k.rules, replies(k.rules, p.led, p.hand[p.to_move], p.free))
        moves.declare = 0
        if not moves.play:
            break
        action = act(k, p, &moves, stream, row, ply)
        reply(k.rules, p, action)
        ply += 1
    return ply


# Plays a game from its first position on.
cdef void play_game(
    selfplay_t* k, position_t* p, stream_t* stream, row_t* row
) noexcept nogil:
    cdef int ply = decide_on_foreplacing(k, p, stream, row)
    cdef int foreplaced = has_foreplaced(p, 0) + has_foreplaced(p, 1)
    cdef int last = last_trick(k.rules, foreplaced)
    if k.at_random and row.value == NULL and is_plain(k.rules, p, foreplaced):
        ply += play_plainly(k, p, stream, row.moves + ply, last)
    else:
        ply = play_tricks(k, p, stream, row, ply, last)
    row.result[0] = <int16_t>margin(k.rules, p)
    pad(k, row, ply)


# Plays what the row says. Returns the ply at which it says no legal move, or -1.
cdef int follow_game(selfplay_t* k, position_t* p, row_t* row) noexcept nogil:
    cdef judged_t judged
    cdef moves_t moves
    cdef int ply
    for ply in range(k.plies):
        moves = legal_moves(k.rules, p)
        if not has_move(&moves):
            break
        if not action_is_legal(k.rules, &moves, row.moves[ply]):
            return ply
        if row.to_move != NULL:
            row.to_move[ply] = p.to_move
        if row.value != NULL:
            label(k, p, &judged, row, ply)
        play(k.rules, p, row.moves[ply])
    else:
        ply = k.plies
    row.result[0] = margin(k.rules, p)
    for ply in range(ply, k.plies):
        if row.moves[ply] != -1:
            return ply
    return -1


# --- Many ----------------------------------------------------------------------------------------

cdef inline row_t row_at(const selfplay_t* k, const rows_t* rows, Py_ssize_t i) noexcept nogil:
    cdef row_t row = rows.first
    row.deal += 2 * i
    row.leader += i
    row.moves += k.plies * i
    row.result += i
    if row.value != NULL:
        row.value += k.plies * i
        row.best += k.plies * i
    if row.to_move != NULL:
        row.to_move += k.plies * i
    return row


cdef inline position_t start_of(selfplay_t* k, const row_t* row) noexcept nogil:
    cdef position_t position = opening(k.rules, row.deal[0], row.deal[1], row.leader[0])
    know_deal(k, &position)
    return position


# Section 6.
cdef inline void exchange(selfplay_t* k, const row_t* row, row_t* next) noexcept nogil:
    next.deal[0], next.deal[1] = row.deal[1], row.deal[0]
    next.leader[0] = 1 - row.leader[0]
    if k.loser_leads and row.result[0]:
        next.leader[0] = row.result[0] > 0


cdef inline void draw_deal(selfplay_t* k, stream_t* stream, const row_t* row) noexcept nogil:
    row.deal[0] = random_hand(&k.deals, stream)
    row.deal[1] = k.rules.deck ^ row.deal[0]


cdef void play_unit(
    selfplay_t* k, const rows_t* rows, Py_ssize_t i, stream_t* stream
) noexcept nogil:
    cdef row_t row = row_at(k, rows, i), second
    cdef position_t position
    row.leader[0] = stream.unit & 1 if k.leader == ALTERNATE else k.leader
    position = start_of(k, &row)
    play_game(k, &position, stream, &row)
    if k.rounds:
        second = row_at(k, rows, i + 1)
        exchange(k, &row, &second)
        position = start_of(k, &second)
        play_game(k, &position, stream, &second)


# The random numbers of some games are made together, since they need not wait for each other.
cdef void play_rows(selfplay_t* k, const rows_t* rows, uint64_t first, bint draw) noexcept nogil:
    cdef Py_ssize_t games = 2 if k.rounds else 1, units = rows.n // games, start = 0, i, n
    cdef stream_t[TOGETHER] streams
    cdef row_t row
    while start < units:
        n = min(units - start, <Py_ssize_t>TOGETHER)
        for i in range(n):
            streams[i] = stream_of(k.seed, k.stream, first + start + i)
            next_words(&streams[i])
        for i in range(n if draw else 0):
            row = row_at(k, rows, (start + i) * games)
            draw_deal(k, &streams[i], &row)
        for i in range(n):
            play_unit(k, rows, (start + i) * games, &streams[i])
        start += n


# The first row that is no game, or -1; `ply` is where it ceases to be one.
cdef Py_ssize_t follow_rows(selfplay_t* k, const rows_t* rows, int* ply) noexcept nogil:
    cdef Py_ssize_t i
    cdef row_t row
    cdef position_t position
    for i in range(rows.n):
        row = row_at(k, rows, i)
        position = start_of(k, &row)
        ply[0] = follow_game(k, &position, &row)
        if ply[0] >= 0:
            return i
    return -1


# The first row whose hands are no deal or whose leader is neither, or -1.
cdef Py_ssize_t check_rows(selfplay_t* k, const rows_t* rows, bint leaders) noexcept nogil:
    cdef Py_ssize_t i
    cdef row_t row
    for i in range(rows.n):
        row = row_at(k, rows, i)
        if not halves_the_deck(k.rules, row.deal[0], row.deal[1]):
            return i
        if leaders and not 0 <= row.leader[0] <= 1:
            return i
    return -1


# --- SelfPlay ------------------------------------------------------------------------------------

class IllegalRow(ValueError):
    """A game that is none.

    Attributes:
        row: its number.
        ply: the first that is no legal move; None if its deal or leader are none.
    """

    def __init__(self, Py_ssize_t row, ply=None):
        super().__init__(row, ply)
        self.row, self.ply = row, ply

    def __str__(self):
        if self.ply is None:
            return f"row {self.row}: no deal, or no leader"
        return f"row {self.row}, ply {self.ply}: no legal move"


cdef class SelfPlay:
    """Plays games of a variant between two policies, on the thread that calls it.

    One thread at a time may use it. What game i is depends on the arguments and on i alone.

    Arguments:
        rules: the compiled variant.
        x, y: the policies of the players.
        seed, stream: the key of the random numbers, 0..2^64-1.
        leader: who leads first, 0 X, 1 Y, 2 X where the number is even and else Y.
        rounds: a unit is a round of two games, which are next to each other.
        loser_leads: the loser of game 1 leads game 2, and not the other player (section 6).
        tablebase: where exact values come from; None for a lattice of each deal.
        labels: games will be labelled.

    Raises:
        ValueError: an argument is out of range, the tablebase is of another variant, or the hands
            are too large for a lattice and values are needed.
        MemoryError: there is no memory.

    >>> import numpy
    >>> from matecore import Policy, Rules, SelfPlay
    >>> rules = Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10])
    >>> games = SelfPlay(rules, Policy(0), Policy(2), seed=1)
    >>> games.plies
    4
    >>> deals = numpy.empty((3, 2), numpy.uint32)
    >>> moves, leaders = numpy.empty((3, 4), numpy.int8), numpy.empty(3, numpy.int8)
    >>> results = numpy.empty(3, numpy.int16)
    >>> games.play(0, deals, leaders, moves, results)
    >>> results.tolist()
    [0, 0, 0]
    """

    def __cinit__(
        self, Rules rules not None, Policy x not None, Policy y not None, *, uint64_t seed=0,
        uint64_t stream=0, int leader=ALTERNATE, bint rounds=False, bint loser_leads=False,
        Tablebase tablebase=None, bint labels=False,
    ):
        if not 0 <= leader <= ALTERNATE:
            raise ValueError(f"leader {leader} is not in 0..{ALTERNATE}")
        if tablebase is not None and tablebase.rules != rules:
            raise ValueError("the tablebase is of another variant")
        self.c = <selfplay_t*>calloc(1, sizeof(selfplay_t))
        if self.c == NULL:
            raise MemoryError("no memory for self-play")
        self.rules, self.x, self.y, self.tablebase = rules, x, y, tablebase
        self.c.rules = &rules.c
        self.c.policy[0], self.c.policy[1] = x.c, y.c
        self.c.seed, self.c.stream, self.c.leader = seed, stream, leader
        self.c.rounds, self.c.loser_leads = rounds, loser_leads
        self.c.at_random = x.c.kind == RANDOM and y.c.kind == RANDOM
        self.c.plies = 2 * rules.c.hand_size + (2 if rules.c.foreplace else 0)
        fill_places(&self.c.places, True)
        fill_deals(&self.c.deals, &rules.c)
        if labels or needs_values(&x.c) or needs_values(&y.c):
            self.take_values()

    def __dealloc__(self):
        free(self.c)

    cdef int take_values(self) except -1:
        if self.tablebase is not None:
            self.c.ahead.table = &self.tablebase.c
            self.c.source.table = &self.c.ahead
            self.c.source.look_up = read_place
            self.c.source.announce = announce_place
            self.c.source.forget = forget_places
        else:
            self.lattice = Lattice(self.rules)
            self.c.lattice = &self.lattice.c
            self.c.source.table = self.c.lattice
            self.c.source.look_up = look_up_in_lattice
        return 0

    @property
    def plies(self):
        """The moves in a row, as many as the longest game has."""
        return self.c.plies

    def play(
        self, uint64_t first, uint32_t[:, ::1] deals not None, int8_t[::1] leaders not None,
        int8_t[:, ::1] moves not None, int16_t[::1] results not None,
        int16_t[:, ::1] values=None, uint64_t[:, ::1] best=None, *, bint draw=True,
    ):
        """Play games and write them; all arrays are C-contiguous, a row a game.

        Arguments:
            first: the number of the first game, or round.
            deals: uint32 of shape (n, 2), the masks of X and Y.
            leaders: int8 of shape (n,), 0 where X leads trick 1.
            moves: int8 of shape (n, plies), actions, -1 behind the last.
            results: int16 of shape (n,), X's margins.
            values, best: int16 and uint64 of shape (n, plies), the exact labels, or both None:
                the margin for the player to act, and his best actions as bits, c for card c
                played or foreplaced, 32 + c for it led and declared, 32 for nothing foreplaced.
            draw: draw the deals; else they are read, of each round that of its first game.

        Raises:
            ValueError: a shape or dtype is wrong.
            IllegalRow: a row to be read is no deal.
            DamagedTable: a block of the tablebase that was looked at is not what was written.
        """
        cdef rows_t rows = self.rows_of(deals, leaders, moves, results, values, best)
        cdef Py_ssize_t row = -1
        if self.c.rounds and rows.n % 2:
            raise ValueError("a round has two rows")
        with nogil:
            if not draw:
                row = check_rows(self.c, &rows, False)
            if row < 0:
                play_rows(self.c, &rows, first, draw)
        self.end()
        if row >= 0:
            raise IllegalRow(row)

    def follow(
        self, uint32_t[:, ::1] deals not None, int8_t[::1] leaders not None,
        int8_t[:, ::1] moves not None, int16_t[::1] results not None,
        int16_t[:, ::1] values=None, uint64_t[:, ::1] best=None, int8_t[:, ::1] to_move=None,
    ):
        """Play what was played, and write what is to be told of it.

        Arguments:
            deals, leaders, moves: as in `play`, are read.
            results, values, best: as in `play`, are written.
            to_move: int8 of shape (n, plies), who acts, 0 X, is written where there is a move, or
                None.

        Raises:
            ValueError, DamagedTable: as `play`.
            IllegalRow: a row is no game; the rows before it are written.
        """
        cdef rows_t rows = self.rows_of(deals, leaders, moves, results, values, best)
        cdef Py_ssize_t row
        cdef int ply = -1
        if to_move is not None:
            if to_move.shape[0] != rows.n or to_move.shape[1] != self.c.plies:
                raise ValueError(f"to_move must have the shape ({rows.n}, {self.c.plies})")
            rows.first.to_move = &to_move[0, 0] if rows.n else NULL
        with nogil:
            row = check_rows(self.c, &rows, True)
            if row < 0:
                row = follow_rows(self.c, &rows, &ply)
        self.end()
        if row >= 0:
            raise IllegalRow(row, ply if ply >= 0 else None)

    cdef rows_t rows_of(
        self, uint32_t[:, ::1] deals, int8_t[::1] leaders, int8_t[:, ::1] moves,
        int16_t[::1] results, int16_t[:, ::1] values, uint64_t[:, ::1] best
    ) except *:
        cdef rows_t rows
        cdef Py_ssize_t n = moves.shape[0]
        memset(&rows, 0, sizeof(rows))
        if deals.shape[0] != n or deals.shape[1] != 2 or moves.shape[1] != self.c.plies:
            raise ValueError(f"deals (n, 2) and moves (n, {self.c.plies}): the shapes differ")
        if leaders.shape[0] != n or results.shape[0] != n:
            raise ValueError("leaders and results must have as many rows as moves")
        if (values is None) != (best is None):
            raise ValueError("values and best go together")
        rows.n = n
        if n == 0:
            return rows
        rows.first.deal, rows.first.leader = &deals[0, 0], &leaders[0]
        rows.first.moves, rows.first.result = &moves[0, 0], &results[0]
        if values is not None:
            if not (values.shape[0] == best.shape[0] == n
                    and values.shape[1] == best.shape[1] == self.c.plies):
                raise ValueError(f"values and best must have the shape ({n}, {self.c.plies})")
            if self.c.source.table == NULL:
                raise ValueError("made for games without labels")
            rows.first.value, rows.first.best = &values[0, 0], &best[0, 0]
        return rows

    cdef int end(self) except -1:
        return self.tablebase.end() if self.tablebase is not None else 0
