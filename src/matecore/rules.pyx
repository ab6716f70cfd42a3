"""A variant of Mate, compiled to the tables that every kernel reads."""

from libc.string cimport memset

from matecore.cards cimport MAX_CARDS, bit


# --- Compilation ---------------------------------------------------------------------------------

cdef void compile_card(
    rules_t* rules, const int* suit, const int* rank, int card, bint automatic, bint second_differs
) noexcept nogil:
    cdef uint32_t same_suit = 0, same_rank = 0
    cdef int other
    for other in range(rules.n_cards):
        if suit[other] == suit[card]:
            same_suit |= bit(other)
            if rank[other] >= rank[card]:
                rules.loses[card] |= bit(other)
        if rank[other] == rank[card]:
            same_rank |= bit(other)
            if suit[other] > suit[card]:
                rules.loses[card] |= bit(other)
    rules.match[card] = same_suit | same_rank
    rules.first[card] = same_rank if automatic else same_suit
    rules.second[card] = same_suit if automatic else same_rank
    rules.first[card + DECLARED] = same_rank
    rules.second[card + DECLARED] = same_suit
    rules.differs[card] = rules.deck & ~rules.match[card] if second_differs else rules.deck
    if card and suit[card] == suit[card - 1] and rank[card] == rank[card - 1]:
        rules.twin |= bit(card)


cdef refuse(bint wrong, str why):
    if wrong:
        raise ValueError(why)


cdef checked_deck(suits, ranks, points):
    """Return the deck as a list of (suit, rank, points), or refuse what is no deck."""
    cards = list(zip(suits, ranks, points, strict=True))
    refuse(not 2 <= len(cards) <= MAX_CARDS or len(cards) % 2, f"{len(cards)} cards: 2 to 32, even")
    for suit, rank, value in cards:
        refuse(not 0 <= suit < MAX_CARDS, f"suit {suit} is not in 0..{MAX_CARDS - 1}")
        refuse(not 0 <= rank < MAX_CARDS, f"rank {rank} is not in 0..{MAX_CARDS - 1}")
        refuse(not 0 <= value <= MAX_MARGIN, f"points {value} are not in 0..{MAX_MARGIN}")
    order = [card[:2] for card in cards]
    refuse(order != sorted(order), "cards must stand by suit, then by rank, highest first")
    kinds = {card[:2]: card[2] for card in cards}
    refuse(any(kinds[card[:2]] != card[2] for card in cards), "copies of a card differ in points")
    return cards


cdef checked_weights(weights, int hand_size, int highest_points):
    """Return the four rows of weights as tuples, or refuse them."""
    rows = tuple(tuple(row) for row in weights)
    refuse(len(rows) != 4, "weights need four rows: nobody, both, only the mater, only the mated")
    for row in rows:
        refuse(len(row) != hand_size, f"weights need {hand_size} tricks a row, not {len(row)}")
        for weight in row:
            refuse(
                not 0 <= weight * highest_points <= MAX_MARGIN or weight < 0,
                f"weight {weight} with {highest_points} points is not in 0..{MAX_MARGIN}",
            )
    return rows


cdef fill_cards(rules_t* rules, list cards, privileged, bint declared, bint second_differs):
    cdef int[MAX_CARDS] suit
    cdef int[MAX_CARDS] rank
    cdef int card
    cdef bint special
    for card in range(rules.n_cards):
        suit[card], rank[card], rules.points[card] = cards[card]
    for card in range(rules.n_cards):
        special = rank[card] in privileged
        compile_card(rules, suit, rank, card, special and not declared, second_differs)
        if special and declared:
            rules.declarable |= bit(card)


cdef fill_weights(rules_t* rules, tuple rows):
    cdef int trick
    for trick in range(1, rules.hand_size + 1):
        rules.weight[0][0][trick] = rows[0][trick - 1]
        rules.weight[1][1][trick] = rows[1][trick - 1]
        rules.weight[1][0][trick] = rows[2][trick - 1]
        rules.weight[0][1][trick] = rows[3][trick - 1]


# --- Rules ---------------------------------------------------------------------------------------

cdef class Rules:
    """The rules of one variant as tables.

    Arguments:
        suits, ranks, points: for each card in order its suit and rank, 0 the highest, and its
            points, 0..32767. Cards stand by suit, then rank; copies of a card next to each other.
        privileged: the ranks that a follower must match before the suit (section 4).
        privilege_declared: the leader says so with the lead; otherwise it always holds.
        free_move: once a game a follower may ignore the order of matching.
        foreplace: players may put a card out of play before the first lead (section 5), with
            `second_alone`, `second_differs` and `last_card_twice` as there.
        weights: four rows (nobody foreplaced, both, only the mater, only the mated), a weight for
            each trick from 1.

    Raises:
        ValueError: the arguments contradict the rules or each other.

    >>> rules = Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10])
    >>> rules.n_cards, rules.hand_size, rules.n_actions
    (4, 2, 13)
    """

    def __cinit__(
        self, suits, ranks, points, *, privileged=(), bint privilege_declared=False,
        bint free_move=False, bint foreplace=False, bint second_alone=False,
        bint second_differs=False, bint last_card_twice=False, weights=None,
    ):
        cards = checked_deck(suits, ranks, points)
        cdef int hand_size = len(cards) // 2
        if weights is None:
            weights = [range(1, hand_size + 1)] * 4
        weights = checked_weights(weights, hand_size, max(card[2] for card in cards))
        refuse(foreplace and hand_size < 2, "foreplacing needs hands of two cards or more")
        privileged = frozenset(privileged)
        self.arguments = (
            *(tuple(column) for column in zip(*cards)), privileged, privilege_declared, free_move,
            foreplace, second_alone, second_differs, last_card_twice, weights,
        )
        memset(&self.c, 0, sizeof(self.c))
        self.c.n_cards = len(cards)
        self.c.hand_size = hand_size
        self.c.deck = <uint32_t>((<unsigned long long>1 << self.c.n_cards) - 1)
        self.c.free_move = free_move
        self.c.foreplace = foreplace
        self.c.second_alone = second_alone
        self.c.last_card_twice = last_card_twice
        fill_cards(&self.c, cards, privileged, privilege_declared, second_differs)
        fill_weights(&self.c, weights)

    def __reduce__(self):
        return _restore, self.arguments

    def __eq__(self, other):
        if not isinstance(other, Rules):
            return NotImplemented
        return self is other or self.arguments == (<Rules>other).arguments

    def __hash__(self):
        return hash(self.arguments)

    @property
    def n_cards(self):
        """Cards in the deck, 2..32."""
        return self.c.n_cards

    @property
    def hand_size(self):
        """Cards dealt to each player, 1..16."""
        return self.c.hand_size

    @property
    def n_actions(self):
        """How many actions the deck numbers, 3N + 1."""
        return 3 * self.c.n_cards + 1

    @property
    def margins(self):
        """All margins of X that a game can end with, in order (section 2.7)."""
        *_, weights = self.arguments
        points = {self.c.points[card] for card in range(self.c.n_cards)}
        scores = {score * weight for score in points for row in weights for weight in row}
        return sorted({0, *scores, *(-score for score in scores)})

    def last_card_stays(self, bint foreplaced, bint other_foreplaced, int trick):
        """Return whether a card played on this trick stays in its player's hand (section 5)."""
        return stays(&self.c, foreplaced, other_foreplaced, trick)


def _restore(
    suits, ranks, points, privileged, declared, free, foreplace, alone, differs, twice, weights
):
    """Make the Rules that a pickle tells of."""
    return Rules(
        suits, ranks, points, privileged=privileged, privilege_declared=declared, free_move=free,
        foreplace=foreplace, second_alone=alone, second_differs=differs, last_card_twice=twice,
        weights=weights,
    )
