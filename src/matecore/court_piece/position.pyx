"""A position of Court Piece that is played on and back; all four hands are seen."""

import operator

from libc.stdint cimport uint64_t

cimport cython

from matecore.court_piece.cards cimport N_CARDS, SEATS, count, holds, lowest
from matecore.court_piece.rules cimport (
    ENOUGH, FIRST_SEVEN, MAX_PLIES, MOST_TRICKS, NAMING, NOBODY, N_ACTIONS, OVER, PLAYING, UNNAMED,
    Rules, beats, is_court, legal_actions, opening, phase_after_trick, play, points_of, position_t,
    rules_t, winner_of,
)
from matecore.position import InvalidPosition


# --- Checking ------------------------------------------------------------------------------------

cdef refuse(bint wrong, str field, str why):
    if wrong:
        raise InvalidPosition(field, why)


cdef code_of(value, most, str field):
    wrong = isinstance(value, bool) or not hasattr(value, "__index__")
    refuse(wrong, field, f"{value!r} is no integer")
    number = operator.index(value)
    refuse(not 0 <= number <= most, field, f"{number} is not in 0..{most}")
    return number


cdef codes_of(values, most, str field, lengths):
    values = tuple(code_of(value, most, field) for value in values)
    refuse(len(values) not in lengths, field, f"{len(values)} of them")
    return values


cdef set_table(position_t* p, table):
    cdef int place, card
    cdef uint64_t held = p.hand[0] | p.hand[1] | p.hand[2] | p.hand[3]
    for place in range(len(table)):
        card = table[place]
        refuse(holds(held, card), "table", "a card that is in a hand, or twice")
        held |= <uint64_t>1 << card
        if place == 0 or beats(p.trump, card, p.table[(p.holder - p.leader) & 3]):
            p.holder = (p.leader + place) & 3
        p.table[place] = card
    p.n_table = len(table)
    p.to_act = (p.leader + p.n_table) & 3


cdef check_hands(const position_t* p):
    cdef uint64_t seen = 0
    cdef int seat, place, expected = count(p.hand[p.to_act])
    for seat in range(SEATS):
        place = (seat - p.leader) & 3
        refuse(p.hand[seat] & seen, "hands", "the same card in two hands")
        seen |= p.hand[seat]
        refuse(
            count(p.hand[seat]) != expected - (place < p.n_table), "hands",
            f"seat {seat} has {count(p.hand[seat])} cards where {expected - (place < p.n_table)} "
            "are expected",
        )
    refuse(expected > MOST_TRICKS, "hands", f"{expected} cards")
    refuse(expected == 0 and p.n_table, "table", "its player to act has no card")


# A player who did not follow suit cannot hold it.
cdef check_follows(const position_t* p):
    cdef int place, suit = p.table[0] // 13
    for place in range(1, p.n_table):
        seat = (p.leader + place) & 3
        void = not p.hand[seat] & (<uint64_t>0x1FFF << (13 * suit))
        refuse(
            p.table[place] // 13 != suit and not void,
            "table", f"seat {seat} did not follow suit and could",
        )


cdef check_tricks(const rules_t* rules, const position_t* p):
    cdef bint plain = rules.claims[NOBODY][0]
    cdef int n = p.n_tricks
    refuse(p.won[0] + p.won[1] > n, "won", f"more than the {n} tricks that were played")
    refuse(p.centre.pile > n, "pile", f"more than the {n} tricks that were played")
    refuse(
        p.collected[0] + p.collected[1] + p.centre.pile > n,
        "collected", f"with the pile more than the {n} tricks that were played",
    )
    if plain:
        same = p.won[0] == p.collected[0] and p.won[1] == p.collected[1]
        refuse(not same, "collected", "every trick is collected at once")
        refuse(p.centre.pile, "pile", "every trick is collected at once")
    swept = n > ENOUGH and (p.won[0] == n or p.won[1] == n) and rules.courts & FIRST_SEVEN
    refuse(swept, "won", "the hand ended with the first seven tricks")
    armed = p.centre.armed
    refuse(armed != NOBODY and plain, "armed", "every trick is collected at once")
    refuse(armed != NOBODY and armed != p.leader, "armed", "only who won the last trick can claim")
    refuse(armed != NOBODY and rules.rests and not p.centre.pile, "armed", "the pile is empty")
    idle = not rules.ace_rule or armed == NOBODY
    refuse(p.centre.by_ace and idle, "by_ace", "nobody is armed, or the variant has no ace rule")
    refuse(p.chasing and not rules.asks, "chasing", "the variant asks nobody")


cdef set_phase(const rules_t* rules, position_t* p):
    begun = p.n_table or p.n_tricks
    refuse(begun and p.trump == UNNAMED, "trump", "it is named before the first lead")
    refuse(not begun and p.leader != p.caller, "leader", "the caller leads to the first trick")
    if p.trump == UNNAMED:
        p.phase = NAMING
    elif p.n_tricks:
        p.phase = phase_after_trick(rules, p)
    refuse(p.n_table and p.phase != PLAYING, "table", "the hand is over, or play is to be decided")


# --- Position ------------------------------------------------------------------------------------

cdef class Position:
    """A position of a hand, with the actions that led to it, to be played on and back.

    It is for one thread at a time; others do no harm to memory, but may see half a move.

    Arguments:
        rules: the compiled variant.
        hands: four 52-bit masks by seat, equally many cards in each, but that those who have
            played to the trick have one less; tricks played follow from how many cards are left.
        caller: the seat that names the trump and leads to the first trick.
        trump: the suit 0..3, NO_TRUMP (4), or UNNAMED (5) for the caller to name.
        leader: of the trick, the caller if not told; `table`: its cards in the order played.
        won, collected: tricks by side; of plain collection they are the same. In an ending they
            need not tell all tricks that were played.
        pile: tricks in the centre; `armed`: who won the last trick and may claim at this one, or
            None; `by_ace`: whether he won it with an ace, under the ace rule (section 2).
        chasing: the side with seven tricks to none decided to play on.

    Raises:
        InvalidPosition: (a ValueError) no hand of the variant comes to such a position.

    >>> from matecore.court_piece import Position, Rules
    >>> ending = Position(Rules(), [0b1, 0b10, 0b100, 0b1000], 0, 0)
    >>> for card in range(4):
    ...     ending.push(card)
    >>> ending.is_over, ending.won
    (True, (1, 0))
    """

    def __cinit__(
        self, Rules rules not None, hands, caller, trump=UNNAMED, *, leader=None, table=(),
        won=(0, 0), collected=None, pile=0, armed=None, by_ace=False, chasing=False,
    ):
        cdef position_t p
        cdef uint64_t[4] masks
        cdef int side
        masks = codes_of(hands, (<uint64_t>1 << N_CARDS) - 1, "hands", (SEATS,))
        p = opening(masks, code_of(caller, 3, "caller"), code_of(trump, UNNAMED, "trump"))
        if leader is not None:
            p.leader = p.holder = code_of(leader, 3, "leader")
        set_table(&p, codes_of(table, N_CARDS - 1, "table", range(SEATS)))
        check_hands(&p)
        check_follows(&p)
        p.n_tricks = MOST_TRICKS - count(p.hand[p.to_act])
        won = codes_of(won, MOST_TRICKS, "won", (2,))
        if collected is None:
            collected = won if rules.c.claims[NOBODY][0] else (0, 0)
        collected = codes_of(collected, MOST_TRICKS, "collected", (2,))
        for side in range(2):
            p.won[side], p.collected[side] = won[side], collected[side]
        p.centre.pile = code_of(pile, MOST_TRICKS, "pile")
        p.centre.armed = NOBODY if armed is None else code_of(armed, 3, "armed")
        p.centre.by_ace = bool(by_ace)
        p.chasing = bool(chasing)
        check_tricks(&rules.c, &p)
        set_phase(&rules.c, &p)
        self.rules = rules
        self.ply = 0
        self.stack[0] = p

    cdef const position_t* now(self) noexcept:
        return &self.stack[self.ply]

    cdef position_t state(self) noexcept:
        cdef position_t p
        with cython.critical_section(self):
            p = self.stack[self.ply]
        return p

    def __reduce__(self):
        return _restore, (self.rules, *state_of(&self.stack[0]), self.played)

    def __copy__(self):
        return self.copy()

    def __eq__(self, other):
        if not isinstance(other, Position):
            return NotImplemented
        mine, its = (<Position>self).now(), (<Position>other).now()
        return (
            self.rules == (<Position>other).rules
            and state_of(mine) == state_of(its) and mine.phase == its.phase
        )

    __hash__ = None

    # --- Properties ---

    @property
    def hands(self):
        """The four hands as masks, by seat."""
        return tuple([self.now().hand[seat] for seat in range(SEATS)])

    @property
    def caller(self):
        """The seat that names the trump."""
        return self.now().caller

    @property
    def trump(self):
        """The trump suit 0..3, NO_TRUMP or UNNAMED."""
        return self.now().trump

    @property
    def to_act(self):
        """The seat that acts; of a hand that is over it means nothing."""
        return self.now().to_act

    @property
    def leader(self):
        """The seat that leads this trick."""
        return self.now().leader

    @property
    def table(self):
        """The cards of the trick so far, in the order played."""
        return tuple([self.now().table[place] for place in range(self.now().n_table)])

    @property
    def won(self):
        """The tricks won, by side."""
        return self.now().won[0], self.now().won[1]

    @property
    def collected(self):
        """The tricks collected, by side (section 2); what they won if collection is plain."""
        return self.now().collected[0], self.now().collected[1]

    @property
    def pile(self):
        """The tricks in the centre that nobody has collected."""
        return self.now().centre.pile

    @property
    def armed(self):
        """The seat that won the last trick and may claim at this one, or None."""
        return None if self.now().centre.armed == NOBODY else self.now().centre.armed

    @property
    def by_ace(self):
        """Whether it won that trick with an ace, under the ace rule."""
        return bool(self.now().centre.by_ace)

    @property
    def chasing(self):
        """Whether the side with seven tricks to none decided to play on."""
        return bool(self.now().chasing)

    @property
    def n_tricks(self):
        """How many tricks are finished, 0..13."""
        return self.now().n_tricks

    @property
    def is_over(self):
        """Whether the points of the hand are decided (sections 1.5 and 2)."""
        return self.now().phase == OVER

    @property
    def winner(self):
        """The side that won the hand, None while it is not over."""
        return winner_of(&self.rules.c, self.now()) if self.is_over else None

    @property
    def court(self):
        """Whether the hand is over and won by a court."""
        return self.is_over and bool(is_court(&self.rules.c, self.now()))

    @property
    def points(self):
        """What the sides score, None while the hand is not over."""
        if not self.is_over:
            return None
        scored = [0, 0]
        scored[self.winner] = points_of(&self.rules.c, self.now())
        return tuple(scored)

    @property
    def played(self):
        """The actions played since the position was made, in order."""
        return [self.actions[ply] for ply in range(self.ply)]

    # --- Queries ---

    def legal_actions(self):
        """Return the legal actions, ascending: cards, or suits to name, or to stop and play on."""
        cdef uint64_t legal = legal_actions(self.now())
        actions = []
        while legal:
            actions.append(lowest(legal))
            legal &= legal - 1
        return actions

    def is_legal(self, int action):
        """Return whether the action may be played now."""
        return 0 <= action < N_ACTIONS and bool(holds(legal_actions(self.now()), action))

    # --- Actions ---

    def push(self, int action):
        """Play a legal action.

        Raises:
            ValueError: the action is not legal here.
        """
        with cython.critical_section(self):
            legal = 0 <= action < N_ACTIONS and holds(legal_actions(self.now()), action)
            if not legal or self.ply == MAX_PLIES:
                raise ValueError(f"action {action} is not legal here")
            self.stack[self.ply + 1] = self.stack[self.ply]
            play(&self.rules.c, &self.stack[self.ply + 1], action)
            self.actions[self.ply] = action
            self.ply += 1

    def pop(self):
        """Take the last action back and return it.

        Raises:
            IndexError: nothing was played.
        """
        with cython.critical_section(self):
            if self.ply == 0:
                raise IndexError("pop from a position where nothing was played")
            self.ply -= 1
            return self.actions[self.ply]

    def copy(self):
        """Return an independent copy with the same past."""
        return _restore(self.rules, *state_of(&self.stack[0]), self.played)


cdef state_of(const position_t* p):
    cdef int place, seat
    table = tuple([p.table[place] for place in range(p.n_table)])
    armed = None if p.centre.armed == NOBODY else p.centre.armed
    return (
        tuple([p.hand[seat] for seat in range(SEATS)]), p.caller, p.trump, p.leader, table,
        (p.won[0], p.won[1]), (p.collected[0], p.collected[1]), p.centre.pile, armed,
        bool(p.centre.by_ace), bool(p.chasing),
    )


def _restore(
    rules, hands, caller, trump, leader, table, won, collected, pile, armed, by_ace, chasing,
    actions,
):
    """Make a position from its first state and the actions played."""
    position = Position(
        rules, hands, caller, trump, leader=leader, table=table, won=won, collected=collected,
        pile=pile, armed=armed, by_ace=by_ace, chasing=chasing,
    )
    for action in actions:
        position.push(action)
    return position
