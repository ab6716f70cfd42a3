"""Decisions by samples: each judged right, and the best in the mean over all that is possible."""

import random

import pytest

import court_reference as reference
from mate.court_piece import PRESETS, Deal, Hand, Player
from mate.court_piece.cards import ACTIONS
from mate.court_piece.montecarlo import Judge, _stake, decide
from mate.court_piece.possible import Possible
from matecore.court_piece import Position, Rules, Solver
from test_court_possible import ending, weighed_layouts, weigher

VARIANTS = ["seed", "pagat-points", "seed,chase=optional", "double-sir",
            "double-sir,collection=double_team,ace_rule=yes"]  # fmt: skip


def rules_of(variant):
    """The variant for the reference."""
    return reference.Rules(
        collection=variant.collection if variant.is_double else "plain",
        court=("thirteen", "first_seven") if variant.court == "both" else (variant.court,),
        chase=variant.chase,
        points=variant.points,
        blocked=tuple(variant.blocked_claims),
        ace_rule=variant.ace_rule,
        restart=variant.restart_after_claim,
    )


def state_of(hand, held):
    """The state for the reference if the seats held these cards."""
    return reference.State(
        tuple(tuple(sorted(cards)) for cards in held), hand.caller, hand.trump, hand.leader,
        hand.table.cards, hand.won, hand.collected, hand.centre, hand.core.armed, hand.core.by_ace,
        hand.core.chasing,
    )  # fmt: skip


def endings(variant, n_left, seeds):
    for seed in seeds:
        hand = ending(seed, n_left, variant)
        if hand is not None and len(hand.legal_moves) > 1:
            yield hand


# --- Searches that give up -----------------------------------------------------------------------


def deals(n):
    return [Deal.random(seed).masks for seed in range(n)]


def test_a_search_within_enough_nodes_is_the_whole_search():
    solver, other = Solver(Rules()), Solver(Rules())
    for number, hands in enumerate(deals(20)):
        position = Position(Rules(), hands, 1, number % 4)
        assert solver.points_within(position, 10**7) == other.points(position)
    assert solver.nodes == other.nodes


def test_a_search_gives_up_in_time_and_goes_on_later():
    solver, gave_up = Solver(Rules()), 0
    for number, hands in enumerate(deals(20)):
        position = Position(Rules(), hands, 1, number % 4)
        before, expected = solver.nodes, Solver(Rules()).points(position)
        found = solver.points_within(position, 300)
        assert found in (None, expected)
        # Unwinding asks no further.
        assert solver.nodes - before < 10_000
        gave_up += found is None
        assert solver.points(position) == expected
    assert gave_up >= 5


def test_no_nodes_at_all():
    position = Position(Rules(), deals(1)[0], 1, 0)
    solver = Solver(Rules())
    assert solver.points_within(position, 0) is None
    assert solver.points_within(position, 2**64) == solver.points(position)
    for nodes in (-1, "3", None):
        with pytest.raises((TypeError, ValueError)):
            solver.points_within(position, nodes)


# --- What a move is worth ------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_moves_are_worth_what_they_bring_with_all_cards_seen(variant):
    judged = set()
    for hand in endings(variant, 3, range(1, 60)):
        rules, judge = rules_of(hand.variant), Judge(hand.view(hand.to_act))
        expected = reference.move_values(rules, state_of(hand, hand.hands))
        values = judge.values(hand.core, [ACTIONS[move] for move in hand.legal_moves])
        found = dict(zip(hand.legal_moves, values, strict=True))
        assert found == expected
        judged |= set(found.values())
    assert len(judged) > 1


def test_a_deal_with_a_move_that_takes_too_long_is_left_out(monkeypatch):
    hand = Hand(Deal.random(8), trump="S")
    actions = [ACTIONS[move] for move in hand.legal_moves]
    judged = Judge(hand.view(1))
    values = judged.values(hand.core, actions)
    assert len(values) == len(actions)
    # A search that was done before is short: only the first move of these two takes nodes.
    monkeypatch.setattr("mate.court_piece.montecarlo.MOST_NODES", 0)
    fresh = Judge(hand.view(1))
    assert fresh.values(hand.core, actions) is None
    assert hand.core.played == []
    assert decide(hand.view(1), hand.legal_moves[3], 40, random.Random(1)) == hand.legal_moves[3]


# --- The best in the mean ------------------------------------------------------------------------


def means(hand):
    """What each move brings in the mean over all possible deals, by brute force."""
    rules, seat, totals, weights = rules_of(hand.variant), hand.to_act, {}, 0.0
    for held, weight in weighed_layouts(hand, seat, weigher(hand)):
        weights += weight
        for move, value in reference.move_values(rules, state_of(hand, held)).items():
            totals[move] = totals.get(move, 0.0) + weight * value
    return {move: total / weights for move, total in totals.items()}


@pytest.mark.parametrize("variant", ["seed", "double-sir"])
def test_decisions_are_best_in_the_mean(variant):
    losses, differed = [], 0
    for hand in endings(variant, 2, range(1, 32)):
        expected, view = means(hand), hand.view(hand.to_act)
        for preferred in hand.legal_moves:
            chosen = decide(view, preferred, 200, random.Random(1))
            losses.append(max(expected.values()) - expected[chosen])
            if len(set(expected.values())) == 1:
                assert chosen == preferred
        differed += max(expected.values()) - min(expected.values()) > 0.2
    assert differed >= 2
    assert max(losses) < 0.2
    assert sum(losses) / len(losses) < 0.02


def test_who_holds_all_trumps_names_them():
    spades, hearts, diamonds, clubs = ("AKQJT98765432",) * 4
    hands = f".{hearts}.. {spades}... ..{diamonds}. ...{clubs}"
    deal = Deal(Deal.parse(f"N:{hands}").masks, 0, first_five=0b11111 << 8)
    assert Player.of("montecarlo:20", 3).choose(Hand(deal).view(1)) == "S"


def test_decisions_do_not_depend_on_earlier_ones():
    hand = ending(5, 6)
    view = hand.view(hand.to_act)
    player = Player.of("montecarlo:10", 2)
    first = player.choose(view)
    for seed in range(3):
        other = ending(seed + 10, 7)
        player.choose(other.view(other.to_act))
    assert player.choose(view) == first


def test_where_only_courts_count_a_hand_is_worth_a_court():
    assert _stake(PRESETS["courts"]) == 4
    assert _stake(PRESETS["pagat-points"]) == 3


def test_a_decision_takes_no_more_nodes_than_it_may(monkeypatch):
    drawn, draw = [], Possible.draw
    monkeypatch.setattr(Possible, "draw", lambda *args: drawn.append(1) or draw(*args))
    view = Hand(Deal.random(3), trump="S").view(1)
    decide(view, view.legal_moves[0], 40, random.Random(1))
    assert len(drawn) > 1
    drawn.clear()
    monkeypatch.setattr("mate.court_piece.montecarlo.NODES_A_SAMPLE", 0.001)
    decide(view, view.legal_moves[0], 40, random.Random(1))
    assert len(drawn) == 1
