"""Which of several candidates is worth most in the mean, told as early as it sensibly can be."""

from collections.abc import Sequence
from math import sqrt

# A candidate is out when it lies so many standard errors behind the leader ...
BEHIND = 3.0
# ... but not before so many samples, nor later than this if it never differed from the leader.
FEWEST = 5
NO_DIFFERENCE = 25
# At the end the first candidate, which a rule of thumb speaks for, wins if it is that near.
NEAR = 1.0


class Race:
    """Candidates valued on one sample after the other, of which the hopeless drop out.

    Before any sample the first is thought to be best: another must be ahead of it by more than its
    standard error in the end.

    All are valued on the same samples, so that what counts is how the leader and another differ on
    each. The standard error of the mean difference is reckoned with one more sample on which they
    differ by a whole hand: a few samples that all agree are not yet proof.

    Arguments:
        n_candidates: how many, the one that a rule of thumb speaks for first.
        n_samples: after how many samples the leader has won.
        stake: what a hand more or less won is worth.

    >>> race = Race(3, n_samples=20, stake=2)
    >>> while not race.is_over:
    ...     race.add([{0: 1, 1: 1, 2: -1}[candidate] for candidate in race.running])
    >>> race.winner, race.running, race.n_seen
    (0, [0, 1], 20)
    """

    def __init__(self, n_candidates: int, n_samples: int, stake: int):
        self.n_samples, self.stake = n_samples, stake
        self.running = list(range(n_candidates))
        self.n_seen = 0
        self._values: list[list[float]] = [[] for _ in self.running]

    @property
    def leader(self) -> int:
        """The running candidate that did best so far, the first of them in a tie."""
        return max(self.running, key=lambda candidate: sum(self._values[candidate]))

    @property
    def winner(self) -> int:
        """The leader, or the first candidate if that is near to it."""
        leader = self.leader
        if leader == 0 or 0 not in self.running:
            return leader
        lead, error, _ = self._lead(0, leader)
        return 0 if lead <= NEAR * error else leader

    @property
    def is_over(self) -> bool:
        """Whether no more samples are wanted."""
        return len(self.running) == 1 or self.n_seen == self.n_samples

    def add(self, values: Sequence[float]) -> None:
        """Take what each of the running candidates, in their order, is worth on a new sample."""
        self.n_seen += 1
        for candidate, value in zip(self.running, values, strict=True):
            self._values[candidate].append(value)
        if self.n_seen >= FEWEST:
            leader = self.leader
            self.running = [at for at in self.running if at == leader or self._may_win(at, leader)]

    def _may_win(self, candidate: int, leader: int) -> bool:
        lead, error, differ = self._lead(candidate, leader)
        return lead <= BEHIND * error if differ else self.n_seen < NO_DIFFERENCE

    # How far the leader is ahead in all, the standard error of that, and whether they ever differ.
    def _lead(self, candidate: int, leader: int) -> tuple[float, float, bool]:
        pairs = zip(self._values[leader], self._values[candidate], strict=True)
        differences = [one - other for one, other in pairs]
        lead = sum(differences)
        scatter = sum(d * d for d in differences) - lead * lead / self.n_seen
        return lead, sqrt(scatter + self.stake**2), any(differences)
