"""A variant of Court Piece, compiled to what every kernel reads."""

import operator
from itertools import islice

from libc.string cimport memset


cdef enum:
    MOST_POINTS = 100


cdef refuse(bint wrong, str why):
    if wrong:
        raise ValueError(why)


cdef int number(value, int most, str what) except -1:
    wrong = isinstance(value, bool) or not hasattr(value, "__index__")
    refuse(wrong or not 0 <= operator.index(value) <= most, f"{what} {value!r}: 0 to {most}")
    return operator.index(value)


cdef several(values, int most, what):
    refuse(not hasattr(values, "__iter__"), f"{what} {values!r}: several are expected")
    # No more than there can be are looked at: they might have no end.
    found = tuple(islice(values, most + 1))
    refuse(len(found) > most, f"{what}: {most} at most")
    return found


cdef bint claims(int collection, int armed, int winner) noexcept nogil:
    if collection == PLAIN or armed == NOBODY:
        return collection == PLAIN
    return armed == winner or (collection == DOUBLE_TEAM and side_of(armed) == side_of(winner))


cdef class Rules:
    """A variant of Court Piece, compiled (section 2 of the rules).

    Arguments:
        collection: PLAIN (0), DOUBLE (1) or DOUBLE_TEAM (2).
        court: THIRTEEN (1), FIRST_SEVEN (2), or both (3).
        chase: NO_CHASE (0), FORCED (1) or OPTIONAL (2); of no meaning where the collection is not
            plain, since there play goes on while one side has collected nothing.
        points: of a hand that the caller's side wins, by a court; that the other side wins, by a
            court; each 0..100, and a court worth no less.
        blocked: numbers of tricks, 1..13, at which nothing is claimed.
        ace_rule: whether two wins both made with aces claim nothing.
        restart: whether the win that claims does not count towards the next claim.

    Raises:
        ValueError: an argument is not one of these.

    >>> from matecore.court_piece import DOUBLE, Rules
    >>> Rules(collection=DOUBLE, blocked=[2, 12]).arguments
    (1, 1, 1, (1, 3, 1, 3), (2, 12), False, True)
    """

    def __cinit__(
        self, *, collection=PLAIN, court=THIRTEEN, chase=FORCED, points=(1, 3, 1, 3), blocked=(),
        ace_rule=False, restart=True,
    ):
        cdef rules_t* c = &self.c
        cdef int armed, winner, kind = number(collection, DOUBLE_TEAM, "collection")
        cdef int chased = number(chase, OPTIONAL, "chase")
        cdef bint plain = kind == PLAIN
        memset(c, 0, sizeof(rules_t))
        c.courts = number(court, THIRTEEN | FIRST_SEVEN, "court")
        refuse(c.courts == 0, "court 0: 1 to 3")
        points = several(points, 4, "points")
        points = tuple(number(value, MOST_POINTS, "points") for value in points)
        refuse(len(points) != 4, f"{len(points)} points: four are needed")
        less = points[1] < points[0] or points[3] < points[2]
        refuse(less, f"points {points}: a court is worth no less than another win")
        blocked = several(blocked, MOST_TRICKS, "blocked tricks")
        blocked = tuple(sorted({number(trick, MOST_TRICKS, "blocked trick") for trick in blocked}))
        refuse(0 in blocked, "blocked trick 0: from 1")
        for armed in range(SEATS + 1):
            for winner in range(SEATS):
                c.claims[armed][winner] = claims(kind, armed, winner)
        for trick in () if plain else blocked:
            c.blocked |= 1 << <int>trick
        c.rests = plain or bool(restart)
        c.ace_rule = not plain and bool(ace_rule)
        c.goes_on = not plain or chased != NO_CHASE
        c.asks = plain and chased == OPTIONAL
        for armed in range(4):
            c.points[armed // 2][armed % 2] = points[armed]
        self.arguments = (
            kind, c.courts, chased, points, blocked, bool(ace_rule), bool(restart)
        )

    # --- Dunder ----------------------------------------------------------------------------------

    def __eq__(self, other):
        return isinstance(other, Rules) and (<Rules>other).arguments == self.arguments

    def __hash__(self):
        return hash(self.arguments)

    def __repr__(self):
        return "Rules(collection={}, court={}, chase={}, points={}, blocked={}, ace_rule={}, " \
            "restart={})".format(*self.arguments)

    def __reduce__(self):
        return _rules_of, self.arguments


def _rules_of(collection, court, chase, points, blocked, ace_rule, restart):
    return Rules(
        collection=collection, court=court, chase=chase, points=points, blocked=blocked,
        ace_rule=ace_rule, restart=restart,
    )
