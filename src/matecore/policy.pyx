"""Policies, compiled to what the kernels read."""

MOST_CHANCE = 1 << 32
WEIGHT_BITS = 24


cdef class Policy:
    """A rule by which a player chooses.

    Arguments:
        kind: 0 random, 1 greedy, 2 optimal, 3 optimal but at random with a chance, 4 by weights.
        chance: of kind 3, in 2^-32, 0..2^32.
        weights: of kind 4, uint32 of shape (n,), n from 1: the weight of an action that brings d
            points less than the best, at most 2^24; the first is not 0, and beyond the last it
            is. They are copied.

    Raises:
        ValueError: an argument is out of range.
    """

    def __cinit__(self, int kind, chance=0, weights=None):
        if not RANDOM <= kind <= SOFTMAX:
            raise ValueError(f"policy {kind} is not in {RANDOM}..{SOFTMAX}")
        if not 0 <= chance <= MOST_CHANCE:
            raise ValueError(f"chance {chance} is not in 0..{MOST_CHANCE}")
        if (kind == SOFTMAX) != (weights is not None):
            raise ValueError("weights are of the policy by weights, and only of it")
        self.c.kind = kind
        self.c.chance = chance
        if weights is not None:
            self.weights = weights.copy()
            if not len(weights) or not weights[0] or max(weights) > 1 << WEIGHT_BITS:
                raise ValueError("weights are 1 or more, up to 2^24, the first above 0")
            self.c.weights = &self.weights[0]
            self.c.n_weights = len(weights)

    @property
    def needs_values(self):
        """Whether it goes by exact values."""
        return needs_values(&self.c)
