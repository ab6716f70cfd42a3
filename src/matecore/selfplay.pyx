"""Games by the million, each a function of the seed and its number."""

import threading

from libc.stdint cimport int8_t, int16_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from matecore.cards cimport bit, fill_places, lowest, nth, places_t, prefetch, size
from matecore.dealing cimport fill_deals, random_hand
from matecore.index cimport index_t, place_in_layer, size_of
from matecore.lanes cimport uses_bits
from matecore.lattice cimport Lattice, look_up as look_up_in_lattice, solve_deal
from matecore.policy cimport (
    RANDOM, Policy, begin_judging, choose_by_values, choose_without, count_moves, end_judging,
    goes_by_values, judged_t, needs_values, policy_t,
)
from matecore.rng cimport begin_stream, below, next_words, stream_t
from matecore.rules cimport (
    DECLARED, UNDECIDED, Rules, action_is_legal, distinct, distinct_moves, forced_replies,
    halves_the_deck, has_move, is_plain, last_trick_of, legal_moves, margin, moves_t,
    opening, play, position_t, rules_t,
)
from matecore.tablebase cimport Tablebase, look_up as look_up_in_table, margin_at, table_t


# --- Exact values --------------------------------------------------------------------------------

# Positions that games come to are none but those of the variant: nothing is checked.
cdef int64_t announce_place(
    const void* table, uint32_t leader, uint32_t follower, int state
) noexcept nogil:
    cdef const table_t* t = <const table_t*>table
    cdef const index_t* index = &t.index
    cdef int n_leader = size_of(index, leader), n_follower = size_of(index, follower)
    cdef int64_t place = place_in_layer(
        index, leader, leader | follower, index.offset[state][n_leader][n_follower],
        index.lanes[n_leader][n_follower],
    )
    prefetch(t.data + place * t.width)
    return place


cdef int read_place(const void* table, int64_t place) noexcept nogil:
    return margin_at(<table_t*>table, place)


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

# Begins the game of a row, unless its hands are no deal or its leader is none.
cdef inline bint begin_game(
    selfplay_t* k, const rows_t* rows, Py_ssize_t i, uint32_t x, uint32_t y, int leader, game_t* g
) noexcept nogil:
    if not halves_the_deck(k.rules, x, y) or not 0 <= leader <= 1:
        return False
    g.i = i
    g.row = row_at(k, rows, i)
    g.ply = 0
    g.deal[0], g.deal[1], g.leader = x, y, leader
    g.position = opening(k.rules, x, y, leader)
    know_deal(k, &g.position)
    return True


cdef inline void write_start(const game_t* g) noexcept nogil:
    g.row.deal[0], g.row.deal[1] = g.deal[0], g.deal[1]
    g.row.leader[0] = g.leader


cdef inline void end_game(selfplay_t* k, game_t* g) noexcept nogil:
    cdef int ply
    g.row.result[0] = <int16_t>margin(k.rules, &g.position)
    for ply in range(g.ply, k.plies):
        g.row.moves[ply] = -1
    erase_labels(k, g)


# Behind the last move.
cdef inline void erase_labels(selfplay_t* k, game_t* g) noexcept nogil:
    cdef int ply
    if g.row.value != NULL:
        for ply in range(g.ply, k.plies):
            g.row.value[ply] = 0
            g.row.best[ply] = 0


cdef inline void write_labels(selfplay_t* k, game_t* g) noexcept nogil:
    cdef moves_t all = legal_moves(k.rules, &g.position)
    g.row.value[g.ply] = <int16_t>g.judged.best
    g.row.best[g.ply] = best_of(k.rules, &g.judged, &all)


# A ply in two steps, between which other games take theirs: while one announces what it will look
# up, the memory of the others is fetched. The first tells whether there is a ply.
cdef inline bint begin_ply(selfplay_t* k, game_t* g) noexcept nogil:
    g.moves = distinct_moves(k.rules, &g.position)
    if not has_move(&g.moves):
        return False
    g.by_values = goes_by_values(&k.policy[g.position.to_move], &g.stream)
    if g.by_values or g.row.value != NULL:
        begin_judging(k.rules, &g.position, &g.moves, &k.source, &g.judged)
    return True


cdef inline void end_ply(selfplay_t* k, game_t* g) noexcept nogil:
    cdef const policy_t* policy = &k.policy[g.position.to_move]
    cdef int action
    if g.by_values or g.row.value != NULL:
        end_judging(&k.source, &g.judged)
    if g.row.value != NULL:
        write_labels(k, g)
    if g.by_values:
        action = choose_by_values(&k.places, policy, &g.judged, &g.stream)
    else:
        action = choose_without(
            k.rules, &k.places, policy, &g.position, &g.moves, &g.stream
        )
    g.row.moves[g.ply] = <int8_t>action
    g.ply += 1
    play(k.rules, &g.position, action)


# Both at random, where nothing but cards is to be played: the same as ply by ply, with the state in
# registers.
cdef void play_plainly(selfplay_t* k, game_t* g) noexcept nogil:
    cdef const rules_t* rules = k.rules
    cdef const places_t* places = &k.places
    cdef position_t* p = &g.position
    cdef stream_t* stream = &g.stream
    cdef int8_t* moves = g.row.moves
    cdef int leader = p.to_move, card, ply = g.ply, trick
    cdef uint32_t hand = p.hand[leader], other = p.hand[1 - leader], cards, turn
    for trick in range(p.trick, last_trick_of(rules, p) + 1):
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
    g.ply = ply


cdef inline bint is_undecided(const position_t* p) noexcept nogil:
    return p.fore[p.to_move] == UNDECIDED


# Plays a game whose players need no values, from its first position on.
cdef void play_at_random(selfplay_t* k, game_t* g) noexcept nogil:
    while is_undecided(&g.position):
        begin_ply(k, g)
        end_ply(k, g)
    if is_plain(k.rules, &g.position):
        play_plainly(k, g)
    else:
        while begin_ply(k, g):
            end_ply(k, g)
    end_game(k, g)


cdef inline void write_seen(selfplay_t* k, game_t* g) noexcept nogil:
    g.moves = distinct_moves(k.rules, &g.position)
    if g.row.to_move != NULL:
        g.row.to_move[g.ply] = g.position.to_move
    if g.row.n_legal != NULL:
        g.row.n_legal[g.ply] = <int8_t>count_moves(&k.places, &g.moves)
    if g.row.value != NULL:
        begin_judging(k.rules, &g.position, &g.moves, &k.source, &g.judged)
        end_judging(&k.source, &g.judged)
        write_labels(k, g)


# Plays what the row says. Returns the ply at which it says no legal move, or -1.
cdef int follow_game(selfplay_t* k, game_t* g) noexcept nogil:
    cdef moves_t all
    cdef int action
    while g.ply < k.plies:
        all = legal_moves(k.rules, &g.position)
        if not has_move(&all):
            break
        action = g.row.moves[g.ply]
        if not action_is_legal(k.rules, &all, action):
            return g.ply
        write_seen(k, g)
        play(k.rules, &g.position, action)
        g.ply += 1
    g.row.result[0] = <int16_t>margin(k.rules, &g.position)
    erase_labels(k, g)
    return end_of_moves(k, g)


# Returns the ply at which there is a move though the game is over, or -1.
cdef int end_of_moves(selfplay_t* k, game_t* g) noexcept nogil:
    cdef int ply
    for ply in range(g.ply, k.plies):
        if g.row.moves[ply] != -1:
            return ply
        if g.row.to_move != NULL:
            g.row.to_move[ply] = -1
        if g.row.n_legal != NULL:
            g.row.n_legal[ply] = 0
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
    if row.n_legal != NULL:
        row.n_legal += k.plies * i
    return row


# The second game of a round, if this was the first: section 6, the hands are exchanged.
cdef inline bint goes_on(selfplay_t* k, const rows_t* rows, game_t* g) noexcept nogil:
    cdef int result = margin(k.rules, &g.position), leader = 1 - g.leader
    if not k.rounds or g.i % 2:
        return False
    if k.loser_leads and result:
        leader = result > 0
    begin_game(k, rows, g.i + 1, g.deal[1], g.deal[0], leader, g)
    write_start(g)
    return True


# The random numbers of the games are made together, since they need not wait for each other.
# Returns the place of the first that has no deal, or -1.
cdef Py_ssize_t begin_units(
    selfplay_t* k, const rows_t* rows, Py_ssize_t start, int n, uint64_t first, bint draw
) noexcept nogil:
    cdef Py_ssize_t games = 2 if k.rounds else 1
    cdef game_t* g
    cdef row_t row
    cdef uint32_t x, y
    cdef int i, leader
    for i in range(n):
        g = &k.games[i]
        begin_stream(&g.stream, k.seed, k.stream, first + start + i)
        next_words(&g.stream)
    for i in range(n):
        g = &k.games[i]
        row = row_at(k, rows, (start + i) * games)
        x = random_hand(&k.deals, &g.stream) if draw else row.deal[0]
        y = k.rules.deck ^ x if draw else row.deal[1]
        leader = g.stream.unit & 1 if k.leader == ALTERNATE else k.leader
        if not begin_game(k, rows, (start + i) * games, x, y, leader, g):
            return (start + i) * games
        write_start(g)
    return -1


# Ply by ply, all games in turn.
cdef void play_side_by_side(selfplay_t* k, const rows_t* rows, int n) noexcept nogil:
    cdef game_t* g
    cdef int i, playing = n
    cdef bint[TOGETHER] plays
    for i in range(n):
        plays[i] = True
    while playing:
        for i in range(n):
            g = &k.games[i]
            if plays[i] and not begin_ply(k, g):
                end_game(k, g)
                plays[i] = goes_on(k, rows, g) and begin_ply(k, g)
                playing -= not plays[i]
        for i in range(n):
            if plays[i]:
                end_ply(k, &k.games[i])


cdef void play_group(selfplay_t* k, const rows_t* rows, int n) noexcept nogil:
    cdef game_t* g
    cdef int i
    if not k.at_random or rows.first.value != NULL:
        play_side_by_side(k, rows, n)
        return
    for i in range(n):
        g = &k.games[i]
        play_at_random(k, g)
        if goes_on(k, rows, g):
            play_at_random(k, g)


# The first row that is no deal, or -1.
cdef Py_ssize_t play_rows(
    selfplay_t* k, const rows_t* rows, uint64_t first, bint draw
) noexcept nogil:
    cdef Py_ssize_t units = rows.n // (2 if k.rounds else 1), start = 0, wrong
    cdef int n
    while start < units:
        n = min(units - start, <Py_ssize_t>k.together)
        wrong = begin_units(k, rows, start, n, first, draw)
        if wrong >= 0:
            return wrong
        play_group(k, rows, n)
        start += n
    return -1


# The first row that is no game, or -1; `ply` is where it ceases to be one, or -1.
cdef Py_ssize_t follow_rows(selfplay_t* k, const rows_t* rows, int* ply) noexcept nogil:
    cdef Py_ssize_t i
    cdef row_t row
    ply[0] = -1
    for i in range(rows.n):
        row = row_at(k, rows, i)
        if not begin_game(k, rows, i, row.deal[0], row.deal[1], row.leader[0], k.games):
            return i
        ply[0] = follow_game(k, k.games)
        if ply[0] >= 0:
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

    What game i is depends on the arguments and on i alone. Threads that use the same object wait
    for each other.

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
        if self.c != NULL:
            self.c.games = <game_t*>calloc(TOGETHER, sizeof(game_t))
        if self.c == NULL or self.c.games == NULL:
            raise MemoryError("no memory for self-play")
        self.rules, self.x, self.y, self.tablebase = rules, x, y, tablebase
        self.lock = threading.Lock()
        self.c.rules = &rules.c
        self.c.policy[0], self.c.policy[1] = x.c, y.c
        self.c.seed, self.c.stream, self.c.leader = seed, stream, leader
        self.c.rounds, self.c.loser_leads = rounds, loser_leads
        self.c.at_random = x.c.kind == RANDOM and y.c.kind == RANDOM
        self.c.plies = 2 * rules.c.hand_size + (2 if rules.c.foreplace else 0)
        fill_places(&self.c.places, uses_bits())
        fill_deals(&self.c.deals, &rules.c)
        if labels or needs_values(&x.c) or needs_values(&y.c):
            self.take_values()
        # A lattice knows one deal at a time.
        self.c.together = TOGETHER if self.c.lattice == NULL else 1

    def __dealloc__(self):
        if self.c != NULL:
            free(self.c.games)
        free(self.c)

    cdef int take_values(self) except -1:
        if self.tablebase is not None:
            self.c.source.table = &self.tablebase.c
            self.c.source.look_up = look_up_in_table
            self.c.source.announce = announce_place
            self.c.source.read = read_place
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
            IllegalRow: a row to be read is no deal; rows before it may be written.
            DamagedTable: a block of the tablebase that was looked at is not what was written.
        """
        cdef rows_t rows = self.rows_of(deals, leaders, moves, results, values, best)
        cdef Py_ssize_t row
        if self.c.rounds and rows.n % 2:
            raise ValueError("a round has two rows")
        with self.lock:
            with nogil:
                row = play_rows(self.c, &rows, first, draw)
        self.end()
        if row >= 0:
            raise IllegalRow(row)

    def follow(
        self, uint32_t[:, ::1] deals not None, int8_t[::1] leaders not None,
        int8_t[:, ::1] moves not None, int16_t[::1] results not None,
        int16_t[:, ::1] values=None, uint64_t[:, ::1] best=None, int8_t[:, ::1] to_move=None,
        int8_t[:, ::1] n_legal=None,
    ):
        """Play what was played, and write what is to be told of it.

        Arguments:
            deals, leaders, moves: as in `play`, are read.
            results, values, best: as in `play`, are written.
            to_move: int8 of shape (n, plies), who acts, 0 X, and -1 behind the last move; or None.
            n_legal: int8 of shape (n, plies), how many moves there are, copies of a card as one,
                and 0 behind the last move; or None.

        Raises:
            ValueError, DamagedTable: as `play`.
            IllegalRow: a row is no game; the rows before it are written.
        """
        cdef rows_t rows = self.rows_of(deals, leaders, moves, results, values, best)
        cdef Py_ssize_t row
        cdef int ply = -1
        if rows.n:
            rows.first.to_move = self.plane(to_move, rows.n)
            rows.first.n_legal = self.plane(n_legal, rows.n)
        with self.lock:
            with nogil:
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

    cdef int8_t* plane(self, int8_t[:, ::1] array, Py_ssize_t n) except? NULL:
        if array is None:
            return NULL
        if array.shape[0] != n or array.shape[1] != self.c.plies:
            raise ValueError(f"to_move and n_legal must have the shape ({n}, {self.c.plies})")
        return &array[0, 0]

    cdef int end(self) except -1:
        return self.tablebase.end() if self.tablebase is not None else 0
