"""Duels: the same cards with the sides exchanged, and what is made of the results."""

import json
import math
import statistics

import pytest

from mate.court_piece import Deal, Duel, Hand, Player, duel
from mate.errors import IllegalMoveError, MateError, VariantError


class Watching(Player):
    """Plays the last legal move, and keeps what it saw."""

    def __init__(self):
        super().__init__(0)
        self.seen = []

    def choose(self, view):
        self.seen.append(view)
        return view.legal_moves[-1]


def test_both_play_the_same_cards_from_both_sides():
    one, other = Watching(), Watching()
    duel(one, other, deals=3, variant="hokm", seed=5)
    # Whoever names the trump in one seating sees the other do it with the same cards.
    names = [[view for view in player.seen if view.trump is None] for player in (one, other)]
    assert [len(views) for views in names] == [3, 3]
    assert {view.hand for view in names[0]} == {view.hand for view in names[1]}
    assert {view.dealer for view in names[0]} == {0, 1, 2}


def test_what_came_of_it_is_counted():
    found = duel("greedy", "random", deals=30, variant="pagat-points", seed=9)
    margins, won, courts, lost = [], 0, 0, 0
    import numpy as np

    for number in range(30):
        deal = Deal.random(np.random.default_rng([9, number]), number % 4, "pagat-points")
        pair = 0
        for side in (0, 1):
            hand = Hand(deal, "pagat-points")
            players = [Player.of("greedy", 18), Player.of("random", 19)]
            points = hand.play(players if side == 0 else players[::-1])
            pair += points[side] - points[1 - side]
            won += hand.winner == side
            courts += hand.court and hand.winner == side
            lost += hand.court and hand.winner != side
        margins.append(pair / 2)
    width = 2.0452 * statistics.stdev(margins) / math.sqrt(30)
    assert found.margin == pytest.approx(statistics.mean(margins))
    assert found.high - found.margin == pytest.approx(width, rel=1e-4)
    assert found.margin - found.low == pytest.approx(width, rel=1e-4)
    assert (found.wins, found.losses) == (won, 60 - won)
    assert (found.courts, found.courts_lost) == (courts, lost)
    assert courts + lost > 0


def test_the_same_seed_tells_the_same():
    one, other = (duel("random", "montecarlo:1", deals=3, seed=4) for _ in range(2))
    assert one == other
    assert one != duel("random", "montecarlo:1", deals=3, seed=5)


def test_equals_are_equal():
    found = duel("greedy", "greedy", deals=20)
    assert (found.margin, found.low, found.high) == (0, None, None)
    assert found.wins == found.losses == 20
    assert "  margin a hand   +0.000 points, no interval\n" in str(found)


def test_exchanged_players_exchange_the_margin():
    one, other = Watching(), Player.of("greedy")
    there, back = duel(one, other, deals=10), duel(other, one, deals=10)
    assert there.margin == -back.margin
    assert (there.wins, there.courts) == (back.losses, back.courts_lost)


def test_progress_is_told():
    told = []
    duel("random", "random", deals=3, progress=lambda done, total: told.append((done, total)))
    assert told == [(1, 3), (2, 3), (3, 3)]


def test_one_deal_has_no_interval():
    found = duel("greedy", "random", deals=1)
    assert (found.low, found.high) == (None, None)
    assert "2 hands on 1 deal, seed 0\n" in str(found)
    assert " points, no interval\n" in str(found)
    plain = json.loads(json.dumps(found.to_plain()))
    assert (plain["low"], plain["high"], plain["deals"]) == (None, None, 1)


def test_it_reads_well():
    found = Duel("greedy", "random", "seed", 3, 2, 0.5, -0.25, 1.25, 3, 1, 1, 0)
    assert str(found).splitlines() == [
        "greedy against random, seed: 4 hands on 2 deals, seed 3",
        "  margin a hand   +0.500 points, 95 % within -0.250 .. +1.250",
        "  hands           3 won (75.0%), 1 lost",
        "  courts          1 made, 0 suffered",
    ]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"a": "nobody"}, MateError),
        ({"b": None}, MateError),
        ({"a": 3}, MateError),
        ({"deals": 0}, MateError),
        ({"deals": "2"}, MateError),
        ({"seed": -1}, MateError),
        ({"seed": 2**64}, MateError),
        ({"variant": "chess"}, VariantError),
    ],
)
def test_what_it_refuses(arguments, error):
    with pytest.raises(error):
        duel(**{"a": "random", "b": "random", "deals": 1} | arguments)


def test_a_player_who_does_not_hold_to_the_rules():
    class Cheat(Player):
        def choose(self, view):
            return "AS"

    with pytest.raises(IllegalMoveError):
        duel(Cheat(1), "random", deals=1)
