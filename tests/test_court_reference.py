"""The reference of Court Piece holds to the facts of its rules (section 4)."""

import pytest

import court_reference as reference
from court_reference import Rules

DOUBLE = Rules(collection="double", chase="none")
S3_DEAL = (
    "N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75"  # seats 0, 1, 2, 3
)
S3_PLAY = "AS 2S 3S 4S KS 5S 9S 6S 4H 2H AH 5H 4D 3D QD 2D QS 8S 5C JS"
S3_PLAY = f"{S3_PLAY} AD 6D 9D 7D 5D 8D KD TD KH 9H 7H 3H QC AC 3C 2C".split()
ENDINGS = [  # seats 0 to 3, and what 1 and 3 take under plain, double, double_team
    ("5H QD TC / 9C 9H AC / 5S 7H AS / 2S 5D 9S", 2, 0, 2),
    ("4S 5C JH / 2C AH AS / 2H KC QH / 3D 7H 9H", 2, 3, 3),
]


def hands_of(pbn):
    """The hands of a deal of four, from the seat that stands first."""
    return [
        [rank + suit for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks]
        for hand in pbn[2:].split()
    ]


def played(rules, state, moves):
    for move in moves:
        assert move in reference.legal(rules, state)
        state = reference.play(rules, state, move)
    return state


def test_the_hand_of_s3_ends_after_trick_nine():
    rules = Rules()
    state = played(rules, reference.begin(hands_of(S3_DEAL), 1, "S"), S3_PLAY)
    assert (reference.n_tricks(state), state.won) == (9, (1, 8))
    assert reference.outcome(rules, state) == (1, False)
    assert reference.points(rules, state) == (0, 1)
    assert reference.next_dealer("keep", 0, 1, False) == 0


def test_without_a_chase_it_ends_after_trick_seven():
    rules = Rules(chase="none")
    state = played(rules, reference.begin(hands_of(S3_DEAL), 1, "S"), S3_PLAY[:28])
    assert reference.outcome(rules, state) == (1, False)
    assert state.won == (0, 7)


@pytest.mark.parametrize(
    ("winners", "rules", "aces", "collected"),
    [
        ([1] * 13, DOUBLE, (), (0, 13)),
        ([1, 3] * 6 + [1], DOUBLE, (), (0, 13)),
        ([1, 1, 0, 2, 0, 3, 3, 1, 1, 1, 1, 0, 0], DOUBLE, (), (2, 11)),
        ([1, 1, 1, 0, 0, 2, 2, 2, 3, 3, 1, 1, 0], DOUBLE, (), (6, 7)),
        (
            [1, 1, 1, 0, 0, 2, 2, 2, 3, 3, 1, 1, 0],
            Rules(collection="double", blocked=(2, 12)),
            (),
            (7, 6),
        ),
        (
            [1, 1, 1, 0, 0, 1, 1, 3, 3, 1, 1, 1, 1],
            Rules(collection="double", ace_rule=True),
            (1, 2),
            (2, 11),
        ),
    ],
)
def test_what_is_collected_in_double_sir(winners, rules, aces, collected):
    assert reference.collect(rules, winners, aces) == collected


def test_the_ace_rule_gives_three_tricks_at_the_third():
    rules = Rules(collection="double", ace_rule=True)
    assert reference.collect(rules, [1, 1], (1, 2)) == (0, 0)
    assert reference.collect(rules, [1, 1, 1], (1, 2)) == (0, 3)


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("column", [0, 1, 2])
def test_endings(number, column):
    text, *expected = ENDINGS[number]
    rules = Rules(collection=("plain", "double", "double_team")[column])
    state = reference.begin([hand.split() for hand in text.split("/")], 1, "S")
    assert reference.tricks(rules, state) == expected[column]


def test_the_run_and_the_piles_add_up_to_the_tricks():
    winners = [1, 3, 0, 2, 2, 1]
    assert reference.run_and_piles(winners[:2]) == (1, 2, (0, 0))
    assert reference.run_and_piles(winners[:5]) == (0, 3, (0, 2))
    assert reference.run_and_piles(winners) == (1, 1, (3, 2))


def test_the_rotation():
    for rotation in ("keep", "pagat"):
        assert reference.next_dealer(rotation, 3, 0, False) == 3
        assert reference.next_dealer(rotation, 3, 1, False) == 0
        assert reference.next_dealer(rotation, 3, 1, True) == 0
    assert reference.next_dealer("keep", 3, 0, True) == 3
    assert reference.next_dealer("pagat", 3, 0, True) == 1
