"""What a player sees who looks some tricks ahead and no further."""

import matecore
from mate.state import State
from mate.variant import Variant


class Foresight:
    """Values of moves within a horizon: exact, but a mate on a later trick counts nothing.

    Depth is counted in tricks: a lead without its reply says nothing.

    Arguments:
        variant: the rules that are played.

    >>> import mate
    >>> position = mate.Position.parse("7.Q../.7.K. x - 9 -/- -")
    >>> foresight = Foresight(position.variant)
    >>> foresight.values(position, tricks=1), foresight.values(position, tricks=2)
    ({'7c': 0, 'Qs': 0}, {'7c': 30, 'Qs': 70})
    """

    def __init__(self, variant: Variant):
        self.variant = variant
        self.solvers: dict[int, matecore.Solver] = {}

    def values(self, state: State, tricks: int) -> dict[str, int]:
        """Return each legal move with the margin it brings who makes it.

        Arguments:
            state: a game or position of the variant; it is not changed.
            tricks: how many are seen, this one among them, 1 or more.
        """
        names = self.variant.action_names
        solver = self.solver(state.trick + tricks - 1)
        return {names[action]: value for action, value in solver.values(state.core)}

    def solver(self, last: int) -> matecore.Solver:
        """Return the search to which mates after a trick count nothing."""
        size = self.variant.deck.hand_size
        last = min(last, size)
        if last not in self.solvers:
            horizon = last if last < size else None
            self.solvers[last] = matecore.Solver(self.variant.rules, horizon=horizon)
        return self.solvers[last]
