"""A position of Mate that is played on and back."""

import operator

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cimport cython

from matecore.cards cimport bit, count, holds, lowest
from matecore.observation cimport PLANES, observe
from matecore.rules cimport (
    DECLARED, ILLEGAL, MAX_PLIES, NONE, UNDECIDED, Rules, action_is_legal, all_played,
    has_foreplaced, is_over, last_trick, leader_of, legal_moves, margin, moves_t, next_action,
    opening, play, position_t, rules_t, stays, weight_now,
)
from matecore.signals cimport raise_signals


# --- Keys ----------------------------------------------------------------------------------------

cdef uint32_t move_group(uint32_t source, uint32_t group, uint32_t* left) noexcept nogil:
    # As many of the copies that are left as `source` holds of the group.
    cdef uint32_t taken = 0
    for _ in range(count(source & group)):
        taken |= bit(lowest(left[0]))
        left[0] &= left[0] - 1
    return taken


cdef uint8_t move_card(uint8_t card, uint32_t group, uint32_t* left) noexcept nogil:
    if card >= NONE or not holds(group, card % DECLARED):
        return card
    return lowest(move_group(bit(card % DECLARED), group, left)) + (card & DECLARED)


cdef void canonical_group(position_t* position, uint32_t group) noexcept nogil:
    cdef uint32_t left = group, moved
    cdef int player
    cdef uint8_t leader = 1 - position.to_move
    cdef bint kept = position.led != NONE and holds(
        position.hand[leader] & group, position.led % DECLARED
    )
    for player in range(2):
        moved = move_group(position.hand[player], group, &left)
        position.hand[player] = (position.hand[player] & ~group) | moved
    for player in range(2):
        position.fore[player] = move_card(position.fore[player], group, &left)
    if kept:
        left = position.hand[leader] & group
    position.led = move_card(position.led, group, &left)


cdef position_t canonical(const rules_t* rules, const position_t* position) noexcept nogil:
    cdef position_t result = position[0]
    cdef uint32_t twins = rules.twin, group
    cdef int first
    while twins:
        first = lowest(twins) - 1
        group = bit(first)
        while twins & (group << 1):
            group |= group << 1 & twins
            twins &= ~group
        canonical_group(&result, group)
    return result


cdef key_t exact_key(const rules_t* rules, const position_t* position) noexcept nogil:
    cdef position_t p = canonical(rules, position)
    cdef key_t key
    key.hands = p.hand[0] | <uint64_t>p.hand[1] << 32
    key.state = (
        p.fore[0] | <uint64_t>p.fore[1] << 8 | <uint64_t>p.led << 16 | <uint64_t>p.trick << 24
        | <uint64_t>p.to_move << 32 | <uint64_t>p.free << 33
    )
    return key


# --- Checking ------------------------------------------------------------------------------------

class InvalidPosition(ValueError):
    """A position that cannot be; `field` names the part of it that is wrong, `why` says how."""

    def __init__(self, field, why):
        super().__init__(f"{field}: {why}")
        self.field = field
        self.why = why

    def __reduce__(self):
        return InvalidPosition, (self.field, self.why)


cdef refuse(bint wrong, str field, str why):
    if wrong:
        raise InvalidPosition(field, why)


cdef int expected_cards(const rules_t* rules, const position_t* p, int player):
    cdef bint own = has_foreplaced(p, player), other = has_foreplaced(p, 1 - player)
    cdef int left = rules.hand_size - own - (p.trick - 1)
    if rules.last_card_twice and own and not other and p.trick == rules.hand_size:
        left = 1
    if p.led != NONE and player != p.to_move and not stays(rules, own, other, p.trick):
        left -= 1
    return max(left, 0)


cdef check_cards(const rules_t* rules, const position_t* p):
    cdef uint32_t taken = p.hand[0] | p.hand[1]
    cdef int player
    refuse(taken & ~rules.deck, "hands", "a card that the deck does not have")
    refuse(p.hand[0] & p.hand[1], "hands", "the same card in both hands")
    for player in range(2):
        if has_foreplaced(p, player):
            refuse(p.fore[player] >= rules.n_cards, "foreplaced", "no card of the deck")
            refuse(holds(taken, p.fore[player]), "foreplaced", "the card is in a hand, or twice")
            taken |= bit(p.fore[player])


cdef check_foreplacing(const rules_t* rules, const position_t* p):
    cdef bint both = has_foreplaced(p, 0) and has_foreplaced(p, 1)
    cdef int leader = leader_of(p)
    if not rules.foreplace:
        none = p.fore[0] == NONE and p.fore[1] == NONE
        refuse(not none, "foreplaced", "the variant has no foreplacing")
    refuse(
        both and not holds(rules.differs[p.fore[0]], p.fore[1]),
        "foreplaced", "the two cards must differ in suit and in rank",
    )
    second_alone = has_foreplaced(p, 1 - leader) and p.fore[leader] == NONE
    refuse(
        second_alone and p.trick == 1 and not rules.second_alone,
        "foreplaced", "only after the leader foreplaced may the other player",
    )


cdef check_undecided(const rules_t* rules, const position_t* p):
    cdef int other = 1 - p.to_move
    refuse(p.trick != 1, "trick", "1 until foreplacing is decided")
    refuse(p.led != NONE, "led", "nothing can be led until foreplacing is decided")
    refuse(p.fore[p.to_move] != UNDECIDED, "to move", "the player who has not decided must act")
    refuse(
        p.fore[other] == NONE and not rules.second_alone,
        "foreplaced", "the second player is not asked when the first declined",
    )


cdef check_led(const rules_t* rules, const position_t* p):
    cdef int leader = 1 - p.to_move, card = p.led % DECLARED
    cdef bint kept = stays(rules, has_foreplaced(p, leader), has_foreplaced(p, 1 - leader), p.trick)
    refuse(all_played(rules, p), "led", "nothing can be led, every trick is played")
    refuse(card >= rules.n_cards, "led", "no card of the deck")
    refuse(
        p.led >= DECLARED and not holds(rules.declarable, card),
        "led", "the privilege cannot be declared with this card",
    )
    refuse(holds(p.hand[p.to_move], card), "led", "the card is in the follower's hand")
    refuse(card == p.fore[0] or card == p.fore[1], "led", "the card is foreplaced")
    held = holds(p.hand[leader], card)
    refuse(held and not kept, "led", "the card is still in the leader's hand")
    refuse(kept and not held, "led", "the last card stays in the leader's hand")


cdef check_sizes(const rules_t* rules, const position_t* p):
    cdef int player, expected, found
    for player in range(2):
        expected, found = expected_cards(rules, p, player), count(p.hand[player])
        refuse(
            expected != found, "hands",
            f"{'XY'[player]} has {found} cards where trick {p.trick} leaves {expected}",
        )


cdef check(const rules_t* rules, const position_t* p):
    cdef int n = has_foreplaced(p, 0) + has_foreplaced(p, 1)
    refuse(not 1 <= p.trick <= last_trick(rules, n) + 1, "trick", f"{p.trick} is not in the game")
    refuse(p.free and not rules.free_move, "free", "the variant has no free move")
    refuse(
        rules.free_move and p.trick == 1 and not p.free,
        "free", "the free move cannot be spent before the first reply",
    )
    check_cards(rules, p)
    check_foreplacing(rules, p)
    if p.fore[0] == UNDECIDED or p.fore[1] == UNDECIDED:
        check_undecided(rules, p)
    if p.led != NONE:
        check_led(rules, p)
    check_sizes(rules, p)


cdef code_of(value, limit, str field):
    wrong = isinstance(value, bool) or not hasattr(value, "__index__")
    refuse(wrong, field, f"{value!r} is no integer")
    number = operator.index(value)
    refuse(not 0 <= number < limit, field, f"{number} is not in 0..{limit - 1}")
    return number


cdef uint8_t foreplaced_code(card, bint undecided) except? 253:
    return UNDECIDED if undecided else NONE if card is None else code_of(card, 32, "foreplaced")


# --- Counting ------------------------------------------------------------------------------------

cdef uint64_t count_moves(moves_t moves) noexcept nogil:
    return count(moves.play) + count(moves.declare) + count(moves.fore) + moves.decline


cdef uint64_t count_leaves(
    const rules_t* rules, const position_t* position, int depth, uint64_t* inner
) except? 0xDEAD nogil:
    cdef moves_t moves = legal_moves(rules, position)
    cdef position_t child
    cdef uint64_t total = 0
    cdef int action
    if depth == 1:
        return count_moves(moves)
    inner[0] += 1
    if inner[0] % (1 << 20) == 0:
        with gil:
            raise_signals()
    while True:
        action = next_action(rules, &moves)
        if action == ILLEGAL:
            return total
        child = position[0]
        play(rules, &child, action)
        total += count_leaves(rules, &child, depth - 1, inner)


# --- Position ------------------------------------------------------------------------------------

cdef class Position:
    """A position of a game, with the moves that led to it, to be played on and back.

    It is for one thread at a time; others do no harm to memory, but may see half a move.

    Arguments:
        rules: the compiled variant.
        x, y: the hands, 32-bit masks; while a lead is on the table it has left its hand, save the
            sole foreplacer's last card that is played twice (section 5).
        to_move: 0 for X, 1 for Y.
        led: the card to be answered, 0..N-1, or None; `declared` with it.
        trick: from 1; one beyond the last when all is played.
        free: whether the free move is still to be had; None for what the variant begins with.
        foreplaced: for each player the card or None; `undecided`: for each player whether he is
            still to decide. None for both: as the variant begins a game.

    Raises:
        InvalidPosition: (a ValueError) no game of the variant comes to such a position.

    >>> from matecore import Position, Rules
    >>> rules = Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10])
    >>> position = Position(rules, 0b0011, 0b1100)
    >>> position.legal_actions()
    [0, 1]
    >>> position.push(0)
    >>> position.legal_actions()
    [2]
    """

    def __cinit__(
        self, Rules rules not None, x, y, to_move=0, led=None, *, bint declared=False, trick=1,
        free=None, foreplaced=None, undecided=None,
    ):
        cdef position_t p
        self.rules = rules
        self.ply = 0
        p = opening(
            &rules.c, code_of(x, 1 << 32, "hands"), code_of(y, 1 << 32, "hands"),
            code_of(to_move, 2, "to move"),
        )
        if led is not None:
            p.led = code_of(led, 32, "led") + (DECLARED if declared else 0)
        p.trick = code_of(trick, 32, "trick")
        if free is not None:
            p.free = bool(free)
        if foreplaced is not None or undecided is not None:
            x_card, y_card = foreplaced or (None, None)
            x_waits, y_waits = undecided or (False, False)
            p.fore[0] = foreplaced_code(x_card, x_waits)
            p.fore[1] = foreplaced_code(y_card, y_waits)
        check(&rules.c, &p)
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
        return self.rules == (<Position>other).rules and self.key == other.key

    __hash__ = None

    # --- Properties ---

    @property
    def hands(self):
        """The hands of X and Y as masks."""
        return self.now().hand[0], self.now().hand[1]

    @property
    def to_move(self):
        """Who acts, 0 for X, 1 for Y; in a game that ended in mate, the mated player."""
        return self.now().to_move

    @property
    def leader(self):
        """Who leads this trick, 0 for X, 1 for Y."""
        return leader_of(self.now())

    @property
    def weight(self):
        """What each point counts if the leader mates now (section 5); 0 when all is played."""
        return weight_now(&self.rules.c, self.now())

    @property
    def led(self):
        """The card to be answered, or None."""
        return None if self.now().led == NONE else self.now().led % DECLARED

    @property
    def declared(self):
        """Whether the lead declared its privilege (section 4)."""
        return self.now().led != NONE and self.now().led >= DECLARED

    @property
    def trick(self):
        """The number of the trick, from 1."""
        return self.now().trick

    @property
    def free(self):
        """Whether the free move is still to be had (section 4)."""
        return bool(self.now().free)

    @property
    def foreplaced(self):
        """For X and for Y the card out of play, or None (section 5)."""
        return tuple([None if card >= NONE else card for card in self.now().fore])

    @property
    def undecided(self):
        """For X and for Y whether he has still to decide on foreplacing."""
        return tuple([card == UNDECIDED for card in self.now().fore])

    @property
    def is_over(self):
        """Whether the player to act has no move: mated, or every trick played."""
        return is_over(&self.rules.c, self.now())

    @property
    def is_mate(self):
        """Whether the game ended in mate of the player to act (section 2.7)."""
        return self.now().led != NONE and is_over(&self.rules.c, self.now())

    @property
    def margin(self):
        """X's points minus Y's in a game that is over, else None."""
        return margin(&self.rules.c, self.now()) if self.is_over else None

    @property
    def played(self):
        """The actions played since the position was made, in order."""
        return [self.actions[ply] for ply in range(self.ply)]

    @property
    def key(self):
        """An integer equal for equal positions only; copies of a card are not told apart."""
        cdef key_t key = exact_key(&self.rules.c, self.now())
        return int(key.hands) | int(key.state) << 64

    # --- Queries ---

    def legal_actions(self):
        """Return the legal actions, ascending by kind: cards, decline, foreplace, declare."""
        cdef moves_t moves = legal_moves(&self.rules.c, self.now())
        cdef int action = next_action(&self.rules.c, &moves)
        actions = []
        while action != ILLEGAL:
            actions.append(action)
            action = next_action(&self.rules.c, &moves)
        return actions

    def is_legal(self, int action):
        """Return whether the action may be played now."""
        cdef moves_t moves = legal_moves(&self.rules.c, self.now())
        return action_is_legal(&self.rules.c, &moves, action)

    def legal_mask(self, uint8_t[::1] out not None):
        """Write 1 for each legal action and 0 for each other into `out`, of length 3N + 1.

        Raises:
            ValueError: `out` has another length.
        """
        cdef moves_t moves = legal_moves(&self.rules.c, self.now())
        cdef int action
        if out.shape[0] != 3 * self.rules.c.n_cards + 1:
            raise ValueError(f"out: length {out.shape[0]}, not {3 * self.rules.c.n_cards + 1}")
        for action in range(out.shape[0]):
            out[action] = action_is_legal(&self.rules.c, &moves, action)

    def observe(self, uint8_t[:, ::1] out not None):
        """Write what the player to act sees: planes of a byte a card, 0 or 1.

        In order: his hand; the other's hand; the card to be answered; the card he foreplaced; the
        one the other did; all ones if the lead declares its privilege; if the free move is still
        to be had; if he has still to decide on foreplacing; if the other has; and a one at cell
        trick - 1.

        Arguments:
            out: uint8 of shape (PLANES, N), is written.

        Raises:
            ValueError: `out` has another shape.
        """
        if (out.shape[0], out.shape[1]) != (PLANES, self.rules.n_cards):
            raise ValueError(f"out must have the shape {(PLANES, self.rules.n_cards)}")
        observe(&self.rules.c, self.now(), &out[0, 0])

    def perft(self, int depth):
        """Return how many sequences of exactly `depth` actions can be played from here.

        Copies of a card count apart. A game that ends earlier counts only at its own length.

        Raises:
            ValueError: the depth is negative.
        """
        cdef uint64_t total = 1, inner = 0
        cdef position_t start = self.state()
        if depth < 0:
            raise ValueError(f"depth {depth} is negative")
        if depth > MAX_PLIES:
            return 0
        with nogil:
            if depth:
                total = count_leaves(&self.rules.c, &start, depth, &inner)
        return total

    # --- Actions ---

    def push(self, int action):
        """Play a legal action.

        Raises:
            ValueError: the action is not legal here.
        """
        cdef moves_t moves
        with cython.critical_section(self):
            moves = legal_moves(&self.rules.c, self.now())
            if not action_is_legal(&self.rules.c, &moves, action) or self.ply == MAX_PLIES:
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

    def snapshot(self):
        """Return an independent copy without its past."""
        cdef position_t p = self.state()
        return position_at(self.rules, &p)

    def copy(self):
        """Return an independent copy with the same past."""
        return _restore(self.rules, *state_of(&self.stack[0]), self.played)


cdef state_of(const position_t* p):
    led = None if p.led == NONE else p.led % DECLARED
    fore = tuple([None if card >= NONE else card for card in p.fore])
    undecided = tuple([card == UNDECIDED for card in p.fore])
    declared = p.led != NONE and p.led >= DECLARED
    return p.hand[0], p.hand[1], p.to_move, led, declared, p.trick, bool(p.free), fore, undecided


cdef Position position_at(Rules rules, const position_t* position):
    return _restore(rules, *state_of(position), ())


def _restore(rules, x, y, to_move, led, declared, trick, free, fore, undecided, actions):
    """Make a position from its first state and the actions played."""
    position = Position(
        rules, x, y, to_move, led, declared=declared, trick=trick, free=free, foreplaced=fore,
        undecided=undecided,
    )
    for action in actions:
        position.push(action)
    return position
