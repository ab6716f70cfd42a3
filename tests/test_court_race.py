"""When sampling stops: hopeless candidates drop out, and the best is hardly ever one of them."""

import random

import pytest

from mate.court_piece.race import FEWEST, NO_DIFFERENCE, Race


def run(race, value):
    """Run to the end, with what a candidate is worth on a sample."""
    while not race.is_over:
        race.add([value(candidate) for candidate in race.running])
    return race


def test_what_always_loses_is_out_as_soon_as_may_be():
    race = run(Race(2, n_samples=50, stake=2), lambda candidate: (-1, 1)[candidate])
    assert (race.winner, race.n_seen) == (1, FEWEST)


def test_what_never_differs_is_one():
    race = run(Race(3, n_samples=50, stake=2), lambda candidate: 1)
    assert (race.winner, race.n_seen) == (0, NO_DIFFERENCE)


def test_the_last_sample_ends_it():
    race = run(Race(2, n_samples=3, stake=2), lambda candidate: (-1, 3)[candidate])
    assert (race.winner, race.n_seen, race.running) == (1, 3, [0, 1])


def test_one_candidate_needs_no_sample():
    assert Race(1, n_samples=10, stake=2).is_over


def test_samples_count_in_pairs():
    # The samples scatter widely, the candidates always differ by the same: that decides soon.
    chances = random.Random(2)
    race = Race(2, n_samples=100, stake=2)
    while not race.is_over:
        luck = chances.choice((-3, 3))
        race.add([luck, luck + 2][: len(race.running)])
    assert (race.winner, race.n_seen) == (1, FEWEST)


@pytest.mark.parametrize("better", [0, 2])
def test_the_better_one_is_seldom_lost(better):
    chances, right = random.Random(3), 0
    for _ in range(300):
        race = Race(3, n_samples=60, stake=2)
        while not race.is_over:
            wins = [0.45 + 0.3 * (candidate == better) for candidate in race.running]
            race.add([1 if chances.random() < win else -1 for win in wins])
        right += race.winner == better
    assert right >= 280


@pytest.mark.parametrize(("better", "winner"), [(0, 0), (1, 0), (2, 1), (8, 1)])
def test_the_first_wins_if_it_is_near(better, winner):
    # Of ten samples, so many on which the second is better by a hand.
    race = Race(2, n_samples=10, stake=2)
    for sample in range(10):
        if not race.is_over:
            race.add([-1, 1 if sample < better else -1][: len(race.running)])
    assert race.winner == winner
