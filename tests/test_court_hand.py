"""Hands of Court Piece go as the rules tell: beside the reference, move by move, rule by rule."""

import copy
import pickle
import random

import numpy as np
import pytest

import court_reference as reference
from mate.court_piece import CARDS, PRESETS, Cards, Deal, Hand, Run, Variant
from mate.errors import IllegalMoveError, MateError, NotationError, NothingPlayedError, VariantError
from test_court_reference import S3_DEAL, S3_PLAY

COURTS = {
    "thirteen": ("thirteen",),
    "first_seven": ("first_seven",),
    "both": ("thirteen", "first_seven"),
}
DEAL = Deal.parse(S3_DEAL)
SEEDS = 400


def any_variant(rng):
    return Variant(
        collection=rng.choice(("run", "single", "double", "double_team")),
        court=rng.choice(tuple(COURTS)),
        chase=rng.choice(("forced", "optional", "none")),
        points=tuple(sorted(rng.sample(range(9), 2)) + sorted(rng.sample(range(9), 2))),
        next_caller=rng.choice(("keep", "pagat")),
        target=rng.choice((5, 7, "3 hands")),
        trump=rng.choice(("first_five", "second_batch", "longest")),
        redeal_below=rng.choice((None, "J", "A")),
        blocked_claims=rng.choice((frozenset(), frozenset({2}), frozenset({2, 12}))),
        ace_rule=rng.random() < 0.5,
        restart_after_claim=rng.random() < 0.5,
    )


def reference_rules(variant):
    plain = variant.collection in ("run", "single")
    return reference.Rules(
        collection="plain" if plain else variant.collection,
        court=COURTS[variant.court],
        chase=variant.chase,
        points=variant.points,
        blocked=variant.blocked_claims,
        ace_rule=variant.ace_rule,
        restart=variant.restart_after_claim,
    )


def one_sided_deal(rng, dealer):
    """A deal where one side holds the high cards, or two whole suits, for courts and chases."""
    strong = [card for card in reference.PACK if card[0] in "AKQJT9"]
    weak = [card for card in reference.PACK if card not in strong]
    n_strong = rng.randrange(20, 25)
    side = rng.sample(strong, n_strong) + rng.sample(weak, 26 - n_strong)
    if rng.random() < 0.3:
        side = list(reference.PACK[:26])
    others = [card for card in reference.PACK if card not in side]
    rng.shuffle(side)
    hands = [Cards.of(side[:13]), Cards.of(others[:13]), Cards.of(side[13:]), Cards.of(others[13:])]
    return Deal(hands[:] if rng.random() < 0.5 else hands[1:] + hands[:1], dealer)


def any_deal(rng, variant):
    dealer = rng.randrange(4)
    if rng.random() < 0.5 or variant.trump == "second_batch":
        return Deal.random(rng.randrange(1 << 30), dealer, variant)
    return one_sided_deal(rng, dealer)


def any_move(rng, hand):
    """A move at random, the highest card more often than others."""
    moves = hand.legal_moves
    highest = len(moves[0]) == 2 and rng.random() < 0.7
    return min(moves, key=lambda card: reference.RANKS.index(card[0])) if highest else (
        rng.choice(moves)
    )  # fmt: skip


def check_same(hand, rules, state):
    over = reference.outcome(rules, state)
    assert sorted(hand.legal_moves) == sorted(reference.legal(rules, state))
    assert [sorted(cards) for cards in hand.hands] == [sorted(cards) for cards in state.hands]
    assert (hand.won, hand.collected, hand.centre) == (state.won, state.collected, state.pile)
    assert (hand.trump, hand.table.cards) == (state.trump, state.table)
    assert hand.is_over == (over is not None)
    if over:
        assert (hand.winner, hand.court) == over
        assert hand.points == reference.points(rules, state)
    else:
        assert (hand.winner, hand.court, hand.points) == (None, False, None)
        assert hand.to_act == reference.to_act(rules, state)
    check_table(hand)


def check_table(hand):
    winners = [trick.winner for trick in hand.tricks]
    if hand.variant.collection == "run":
        owner, run, piles = reference.run_and_piles(winners)
        assert (hand.run, hand.piles) == (Run(owner, run), piles)
    else:
        assert (hand.run, hand.piles) == (Run(None, 0), hand.collected)
    assert sum(hand.piles) + hand.run.tricks + hand.centre == len(winners)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_hand_goes_as_the_reference_tells(seed):
    rng = random.Random(seed)
    variant = any_variant(rng)
    deal, rules = any_deal(rng, variant), reference_rules(variant)
    hand = Hand(deal, variant)
    state = reference.begin(deal.hands, deal.caller, hand.trump)
    check_same(hand, rules, state)
    while not hand.is_over:
        move = any_move(rng, hand)
        hand.push(move)
        state = reference.play(rules, state, move)
        check_same(hand, rules, state)


def test_the_random_hands_come_to_all_ends():
    ends, asked = set(), 0
    for seed in range(SEEDS):
        rng = random.Random(seed)
        variant = any_variant(rng)
        hand = Hand(any_deal(rng, variant), variant)
        while not hand.is_over:
            hand.push(any_move(rng, hand))
        ends.add((variant.is_double, variant.court, hand.court))
        asked += "on" in hand.moves or "stop" in hand.moves
    assert len(ends) == 12
    assert asked


# --- Facts ---------------------------------------------------------------------------------------


def test_the_hand_of_s3():
    hand = Hand(DEAL)
    assert (hand.caller, hand.to_act, hand.legal_moves) == (1, 1, ("S", "H", "D", "C"))
    hand.push("S")
    for number, move in enumerate(S3_PLAY, 1):
        assert not hand.is_over
        hand.push(move)
        if number == 28:
            assert (hand.won, hand.run, hand.piles) == ((0, 7), Run(1, 7), (0, 0))
    assert (hand.won, hand.points, hand.winner, hand.court) == ((1, 8), (0, 1), 1, False)
    assert (hand.run, hand.piles) == (Run(0, 1), (0, 8))
    assert len(hand.tricks) == 9


def test_the_hand_of_s3_without_a_chase():
    hand = Hand(DEAL, "seed,chase=none")
    for move in ("S", *S3_PLAY[:28]):
        hand.push(move)
    assert (hand.is_over, hand.won, hand.points) == (True, (0, 7), (0, 1))


DOUBLE_SIR = [  # winners of the tricks, what differs from double sir, what the sides collect
    ([1] * 13, "blocked_claims=none", (0, 13)),
    ([1, 3] * 6 + [1], "blocked_claims=none", (0, 13)),
    ([1, 1, 0, 2, 0, 3, 3, 1, 1, 1, 1, 0, 0], "blocked_claims=none", (2, 11)),
    ([1, 1, 1, 0, 0, 2, 2, 2, 3, 3, 1, 1, 0], "blocked_claims=none", (6, 7)),
    ([1, 1, 1, 0, 0, 2, 2, 2, 3, 3, 1, 1, 0], "blocked_claims=2/12", (7, 6)),
    ([1, 1, 1, 0, 0, 1, 1, 3, 3, 1, 1, 1, 1], "blocked_claims=none,ace_rule=yes", (2, 11)),
]


def tricks_won_by(winners):
    """Four cards of a suit for each of twelve tricks, and a leftover each, so that these win.

    Aces win tricks 1 and 2, and then only 11 and 12.
    """
    ranks = {"S": "AKQJT9876543", "H": "AKQJT9876543", "D": "T9876543AKQJ", "C": "T9876543AKQJ"}
    tricks = []
    for number, winner in enumerate(winners[:12]):
        suit, group = "SHDC"[number % 4], number // 4 * 4
        cards = [rank + suit for rank in ranks[suit][group : group + 4]]
        tricks.append(cards[-winner % 4 :] + cards[: -winner % 4])
    leftovers = ["2S", "2H", "2D", "2C"]
    return [*tricks, leftovers[-winners[12] % 4 :] + leftovers[: -winners[12] % 4]]


@pytest.mark.parametrize(("winners", "fields", "collected"), DOUBLE_SIR)
def test_what_the_sides_collect_in_double_sir(winners, fields, collected):
    tricks = tricks_won_by(winners)
    deal = Deal([Cards.of(trick[seat] for trick in tricks) for seat in range(4)])
    variant = Variant.of(f"double-sir,{fields}")
    hand = Hand(deal, variant, trump="S")
    for number, (trick, winner) in enumerate(zip(tricks, winners, strict=True), 1):
        for _ in range(4):
            hand.push(trick[hand.to_act])
        assert hand.tricks[-1].winner == winner
        if variant.ace_rule and number == 3:
            assert (hand.collected, hand.centre) == ((0, 3), 0)
        if hand.is_over:
            break
    # A hand that is decided stops; what follows would change nothing but the count.
    rules, aces = reference_rules(variant), (1, 2, 11, 12)
    assert reference.collect(rules, winners, aces) == collected
    assert reference.collect(rules, winners[: len(hand.tricks)], aces) == hand.collected
    assert len(hand.tricks) == 13 or max(hand.collected) >= 7 > min(hand.collected) >= 1
    assert hand.winner == collected.index(max(collected))
    assert hand.court == (max(collected) == 13)


def test_the_side_with_seven_to_none_may_be_asked():
    hand = Hand(DEAL, "seed,chase=optional")
    for move in ("S", *S3_PLAY[:28]):
        hand.push(move)
    assert (hand.to_act, hand.legal_moves) == (hand.tricks[-1].winner, ("stop", "on"))
    stopped = hand.copy()
    stopped.push("stop")
    assert (stopped.points, stopped.winner) == ((0, 1), 1)
    hand.push("on")
    for move in S3_PLAY[28:]:
        hand.push(move)
    assert (hand.points, hand.won) == ((0, 1), (1, 8))


# --- Playing on and back -------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_what_is_taken_back_was_never_played(seed):
    rng = random.Random(seed)
    variant = any_variant(rng)
    hand, before = Hand(any_deal(rng, variant), variant), []
    while not hand.is_over:
        before.append((hand.copy(), hand.tricks, hand.voids))
        hand.push(any_move(rng, hand))
    moves = hand.moves
    while before:
        assert hand.pop() == moves.pop()
        copied, tricks, voids = before.pop()
        assert (hand, hand.tricks, hand.voids) == (copied, tricks, voids)
    with pytest.raises(NothingPlayedError):
        hand.pop()


def test_copies_are_equal_and_apart():
    hand = Hand(DEAL, "double-sir", trump="H")
    for move in ("AS", "2S"):
        hand.push(move)
    twins = hand.copy(), copy.copy(hand), copy.deepcopy(hand), pickle.loads(pickle.dumps(hand))
    for twin in twins:
        assert twin == hand
        assert (twin.tricks, twin.moves, twin.trump) == (hand.tricks, hand.moves, "H")
        twin.pop()
        assert twin != hand
    assert hand != Hand(DEAL, "double-sir", trump="S")
    assert hand != 1


# --- Trumps --------------------------------------------------------------------------------------


def test_a_trump_may_be_given_or_none():
    assert Hand(DEAL, trump="hearts"[0]).trump == "H"
    hand = Hand(DEAL, trump="NT")
    assert (hand.trump, hand.given_trump, hand.to_act) == ("N", "N", 1)
    for move in ("6C", "2C", "7C", "4C"):
        hand.push(move)
    assert hand.tricks[0].winner == 3


def test_the_longest_suit_is_trump_by_itself():
    for seed in range(40):
        deal = Deal.random(seed, seed % 4)
        hand = Hand(deal, "seed,trump=longest")
        assert hand.trump == reference.longest_suit(deal.hands[deal.caller])
        assert hand.to_act == deal.caller


def test_the_turned_card_makes_trump():
    variant = Variant.of("seed,trump=second_batch")
    found = {Deal.random(seed, 0, variant).turned[1] for seed in range(20)}
    assert found == set("SHDC")
    deal = Deal.random(3, 1, variant)
    assert Hand(deal, variant).trump == deal.turned[1]
    with pytest.raises(MateError, match="turned"):
        Hand(DEAL, variant)
    assert Hand(DEAL, variant, trump="C").trump == "C"


# --- Bad input -----------------------------------------------------------------------------------


def test_a_revoke_tells_who_had_what():
    hand = Hand(DEAL, trump="S")
    for move in ("4H", "2H"):
        hand.push(move)
    with pytest.raises(IllegalMoveError) as error:
        hand.push("9S")
    assert str(error.value) == (
        "'9S' is not legal in W 93.AKQ6.KJ94.Q75 on 4H 2H, trump S; legal: AH KH QH 6H"
    )
    assert error.value.legal == ("AH", "KH", "QH", "6H")


@pytest.mark.parametrize("move", ["", "XS", "1S", "AS AS", "S", "stop", "AH", "♠", "\x00", "A♠♠"])
def test_moves_that_are_none(move):
    hand = Hand(DEAL, trump="S")
    with pytest.raises((NotationError, IllegalMoveError)):
        hand.push(move)
    assert hand.moves == []


@pytest.mark.parametrize("move", [None, -1, 58, 1 << 70, 1.0, True, b"AS", ["AS"], object()])
def test_moves_of_no_kind(move):
    hand = Hand(DEAL, trump="S")
    with pytest.raises(MateError):
        hand.push(move)
    assert hand.moves == []


@pytest.mark.parametrize(
    "arguments",
    [(None,), (5,), ("",), (DEAL, 5), (DEAL, "bga"), (DEAL, "seed", 1), (DEAL, "seed", 4),
     (DEAL, "seed", -1), (DEAL, "seed", "0"), (DEAL, "seed", 0, ""), (DEAL, "seed", 0, "X"),
     (DEAL, "seed", 0, 5), (DEAL, "seed", 0, "NTT"), (S3_DEAL, "seed", 1 << 80)],
)  # fmt: skip
def test_hands_that_cannot_be(arguments):
    with pytest.raises(MateError):
        Hand(*arguments)


def test_players_that_are_none():
    for players in (None, 5, "ab", [], [1, 2], [object()] * 3, [Hand, Hand]):
        with pytest.raises(MateError):
            Hand(DEAL).play(players)


def test_players_play_a_hand_out():
    class First:
        def choose(self, view):
            assert view.seat == view.to_act
            return view.legal_moves[0]

    hand = Hand(Deal.random(1), "pagat-points")
    points = hand.play([First()] * 4)
    assert hand.points == points
    again = Hand(Deal.random(1), "pagat-points")
    assert again.play((First(), First())) == points


# --- Variants ------------------------------------------------------------------------------------


def test_the_presets_are_those_of_the_rules():
    told = {
        name: (v.collection, v.court, v.chase, v.points, v.next_caller, v.target)
        for name, v in PRESETS.items()
    }
    assert told == {
        "seed": ("run", "thirteen", "forced", (1, 3, 1, 3), "keep", 5),
        "pagat-points": ("single", "first_seven", "none", (1, 3, 2, 4), "pagat", 10),
        "courts": ("single", "first_seven", "none", (0, 1, 0, 3), "pagat", 10),
        "hokm": ("single", "first_seven", "none", (1, 2, 1, 3), "keep", 7),
        "double-sir": ("double", "thirteen", "none", (1, 3, 1, 3), "pagat", 10),
    }
    assert PRESETS["double-sir"].blocked_claims == {2, 12}
    for variant in PRESETS.values():
        assert not variant.ace_rule
        assert variant.restart_after_claim
        assert (variant.trump, variant.redeal_below) == ("first_five", None)


@pytest.mark.parametrize("seed", range(20))
def test_variants_come_back_from_plain_data_and_pickles(seed):
    variant = any_variant(random.Random(seed))
    assert Variant.from_plain(variant.to_plain()) == variant
    assert pickle.loads(pickle.dumps(variant)) == variant
    assert variant.rules == Variant.from_plain(variant.to_plain()).rules


def test_every_field_can_be_set_in_text():
    text = (
        "seed,collection=double,court=both,chase=none,points=1/2/3/4,next_caller=pagat,"
        "target=8 hands,trump=longest,redeal_below=j,blocked_claims=2/12,ace_rule=yes,"
        "restart_after_claim=no"
    )
    assert Variant.of(text) == Variant(
        "double", "both", "none", (1, 2, 3, 4), "pagat", "8 hands", "longest", "J",
        frozenset({2, 12}), True, False,
    )  # fmt: skip
    assert Variant.of("double-sir,blocked_claims=none,target=7").target_points == 7


@pytest.mark.parametrize(
    "text",
    ["", "bga", "seed,", "seed,x=1", "seed,court", "seed,court=", "seed,points=1/2/3",
     "seed,points=1/2/3/101", "seed,points=0/0/0/0",
     "seed,points=2/1/1/1", "seed,points=1/1/2/1", "seed,points=-1/1/1/1", "seed,target=0",
     "seed,target=8 x", "seed,target=0 hands", "seed,target=9999999 hands", "seed,target=²",
     "seed,redeal_below=1", "seed,redeal_below=AK", "seed,blocked_claims=14",
     "seed,blocked_claims=", "seed,blocked_claims=0", "seed,ace_rule=1", "seed,name=x"],
)  # fmt: skip
def test_variants_that_cannot_be_in_text(text):
    with pytest.raises(VariantError):
        Variant.of(text)


@pytest.mark.parametrize(
    "fields",
    [{"points": (1, 2, 3)}, {"points": [1, 2, 3, 4]}, {"points": (1, 2, 3, True)}, {"court": 1},
     {"court": ["both"]}, {"target": 0}, {"target": True}, {"target": 1 << 70}, {"target": None},
     {"target": 5.0}, {"redeal_below": "AK"}, {"redeal_below": ""}, {"redeal_below": 5},
     {"blocked_claims": {2}}, {"blocked_claims": frozenset({"2"})}, {"name": 1},
     {"blocked_claims": frozenset({True})}, {"ace_rule": 1}, {"collection": "plain"}],
)  # fmt: skip
def test_variants_that_cannot_be(fields):
    with pytest.raises(VariantError):
        Variant(**fields)


@pytest.mark.parametrize(
    "plain", [None, [], {"x": 1}, {1: 2}, {"points": [1, [], 3, 4]}, {"blocked_claims": [[]]},
              {"blocked_claims": 5}, {"target": {}}]
)  # fmt: skip
def test_plain_data_that_are_no_variant(plain):
    with pytest.raises(VariantError):
        Variant.from_plain(plain)


def test_any_card_of_the_second_batch_may_be_turned():
    """Each of the four as likely: of 400 deals each 100, give or take five standard deviations."""
    counts = [0] * 4
    for seed in range(400):
        deal = Deal.random(seed, 0, "seed,trump=second_batch")
        pack = np.random.default_rng(seed).permutation(52)
        second = [CARDS[card] for card in pack[20:24]]
        counts[second.index(deal.turned)] += 1
    assert all(57 < count < 143 for count in counts)
