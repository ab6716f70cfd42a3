"""The margins that a variant knows."""


cdef inline int score_of(const rules_t* rules, int card, int state, int trick) noexcept nogil:
    return rules.points[card] * rules.weight[state & OWN][(state & OTHER) != 0][trick]


cdef list margins_of(Rules rules):
    """Return all margins above 0 that a mate can bring, in increasing order."""
    cdef int card, trick, state
    found = set()
    for state in range(4 if rules.c.foreplace else 1):
        for trick in range(1, rules.c.hand_size + 1):
            for card in range(rules.c.n_cards):
                found.add(score_of(&rules.c, card, state, trick))
    return sorted(found - {0})


cdef int fill_codes(codes_t* codes, Rules rules) except -1:
    cdef list margins = margins_of(rules)
    cdef dict code_of = {margin: code for code, margin in enumerate([0, *margins])}
    cdef int card, trick, state, score
    codes.n = len(margins)
    for code, margin in enumerate([*(-margin for margin in reversed(margins)), 0, *margins]):
        codes.margin[code] = margin
    for state in range(4):
        for trick in range(1, rules.c.hand_size + 1):
            for card in range(rules.c.n_cards):
                score = score_of(&rules.c, card, state, trick)
                codes.mate[state][trick][card] = code_of.get(score, 0)
    return 0
