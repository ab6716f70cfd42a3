"""The review of a game: against the reference's values, and what must hold of every game."""

import random

import pytest

import mate
import matecore
import reference
from mate.annotate import annotate, comment_on
from pairing import ENGINE_TEXTS, NAMES, engine_variant, random_game, random_variants

DEAL = "AQ7.A7.TK7.AT"


def played(moves: str, variant: str = "bga") -> mate.Game:
    game = mate.Game(DEAL, variant)
    for move in moves.split():
        game.push(move)
    return game


def ending(game: mate.Game, plies: int) -> mate.Record:
    """The last moves of a game as a record of their own."""
    start = game.copy()
    for _ in range(min(plies, len(game.moves))):
        start.pop()
    return mate.Record(game.variant, start.position, tuple(game.moves[len(start.actions) :]))


# --- Against the reference -----------------------------------------------------------------------


def check(record: mate.Record, slow: reference.Variant | str, review: mate.Review) -> int:
    """Compare a review with the definitions, on the reference's values; return the decisions."""
    state = reference.read_position(str(record.start), slow)
    decisions = iter(review.decisions)
    totals = {player: [0, 0, 0, 0, set(), set()] for player in "xy"}
    signs, costs, memo = [], [], {}
    for ply, move in enumerate(record.moves):
        values = reference.move_values(state, memo)
        player = "xy"[state.turn]
        best, value, worst = max(values.values()), values[move], min(values.values())
        margin = 1 if player == "x" else -1
        signs += [(best * margin > 0) - (best * margin < 0)]
        costs.append(best - value)
        if len(values) > 1:
            found = next(decisions)
            assert (found.ply, found.trick, found.player) == (ply, state.trick, player)
            assert (found.move, found.value, found.best_value) == (move, value, best)
            assert (found.cost, found.spread, found.known) == (best - value, best - worst, True)
            assert found.costs == (best - value,) * 2
            assert set(found.best) == {name for name in values if values[name] == best}
            sums = totals[player]
            sums[0] += 1
            sums[1] += best - value
            sums[2] += value - worst
            sums[3] += best - worst
            sums[4].add(state.trick)
            if best > value:
                sums[5].add(state.trick)
        else:
            assert best == value
        last = value * margin
        state = reference.play(state, move)
    assert next(decisions, None) is None
    for player, (count, loss, kept, attainable, tricks, lost) in totals.items():
        summary = getattr(review, player)
        assert (summary.decisions, summary.unknown, summary.loss) == (count, 0, loss)
        assert summary.average_loss == (loss / count if count else None)
        assert summary.accuracy == (kept / attainable if attainable else None)
        assert (summary.tricks, summary.perfect) == (len(tricks), len(tricks - lost))
    assert review.turning_point == turning_point(review, signs, costs, last)
    assert review.result == (reference.result(state) if reference.is_over(state) else None)
    return len(review.decisions)


def turning_point(review, signs, costs, last):
    """By its words: the last move that changed the winner; or the first of the costliest."""
    after = [*signs[1:], (last > 0) - (last < 0)]
    changed = [ply for ply in range(len(signs)) if signs[ply] != after[ply]]
    ply = changed[-1] if changed else costs.index(max(costs)) if any(costs) else None
    return next((found for found in review.decisions if found.ply == ply), None)


@pytest.mark.parametrize("name", NAMES)
def test_endings_against_the_reference(name):
    rng, decisions = random.Random(name), 0
    for _ in range(25):
        record = ending(random_game(engine_variant(name), rng), rng.randint(3, 8))
        decisions += check(record, name, mate.review(record))
    assert decisions > 40


@pytest.mark.parametrize("seed", range(40))
def test_whole_games_of_any_variant_against_the_reference(seed):
    rng = random.Random(seed)
    engine, slow = random_variants(rng)
    if engine.deck.n_cards > 12:
        return
    for _ in range(5):
        record = mate.Record.of(random_game(engine, rng))
        check(record, slow, mate.review(record))


# --- What holds of every game --------------------------------------------------------------------


@pytest.mark.parametrize("name", ENGINE_TEXTS)
def test_the_margin_is_the_value_less_what_was_lost(name):
    rng, variant = random.Random(name), engine_variant(name)
    for number in range(400 if variant.deck.n_cards == 20 else 12):
        game = random_game(variant, rng, 100 if number % 4 else rng.randint(0, 12))
        review = mate.review(game)
        end = review.value - review.x.loss + review.y.loss
        assert end == review.result or review.result is None
        if review.result is None:
            best = mate.analyze(game).value
            assert end == (best if game.to_move == "x" else -best)
        for summary in (review.x, review.y):
            assert 0 <= summary.perfect <= summary.tricks <= summary.decisions
            assert 0 <= summary.loss <= summary.attainable
        assert all(decision.cost <= decision.spread for decision in review.decisions)


def test_best_play_costs_nothing():
    game = mate.Game(DEAL, "capellen")
    while not game.is_over:
        game.push(mate.analyze(game).best)
    review = mate.review(game)
    assert (review.x.loss, review.y.loss, review.turning_point) == (0, 0, None)
    assert review.value == review.result
    assert {review.x.accuracy, review.y.accuracy} <= {1.0, None}


@pytest.mark.parametrize("name", ["bga-free", "pieces", "double"])
def test_any_oracle_will_do(name):
    rng, variant = random.Random(1), engine_variant(name)
    solver = matecore.Solver(variant.rules)
    for _ in range(5):
        game = random_game(variant, rng)
        assert mate.review(game) == mate.review(game, solver) == mate.review(mate.Record.of(game))


def test_hands_too_large_for_a_lattice_are_searched():
    variant = mate.Variant(
        deck=mate.Deck("abcd", "1234567", ("1234567",) * 4, (7, 6, 5, 4, 3, 2, 1)), free_move=True
    )
    review = mate.review(random_game(variant, random.Random(3)))
    assert review.result == review.value - review.x.loss + review.y.loss


def test_a_game_of_which_nothing_was_played():
    game = mate.Game(DEAL, leader="y")
    review = mate.review(game)
    assert (review.value, review.result) == (-mate.analyze(game).value, None)
    assert (review.decisions, review.turning_point) == ((), None)
    assert (review.x.accuracy, review.x.average_loss) == (None, None)
    reply = mate.Record(game.variant, played("Ac").position)
    assert mate.review(reply).value == mate.review(played("Ac")).decisions[0].value
    position = mate.Position.parse("7.Q../.7.K. x - 9 -/- -")
    for move in ("Qs", "7s", "7c"):
        position = position.play(move)
    assert mate.review(mate.Record(position.variant, position)).value == 70


def test_summaries_add_up():
    both = mate.Summary(1, 2, 3, 4, 5, 6) + mate.Summary(10, 20, 30, 40, 50, 60)
    assert both == mate.Summary(11, 22, 33, 44, 55, 66)
    assert both.accuracy == 11 / 44
    with pytest.raises(TypeError):
        both + 5


# --- Unknown cards -------------------------------------------------------------------------------


def starts_with(*hands: str) -> list[mate.Position]:
    return [mate.Game(hand).position for hand in hands]


def test_starts_from_which_the_moves_cannot_be_played_are_left_out():
    game = played("7c Tc")
    others = starts_with("AQ7.A7.TK7.AK", "ATQ.A7.TK7.A7")  # the second never had the 7c
    review = mate.review_deals([*starts_with(DEAL), *others], game.moves)
    assert [str(start) for start in review.starts] == [
        str(start) for start in starts_with(DEAL, "AQ7.A7.TK7.AK")
    ]
    one = mate.review_deals([others[1], *starts_with(DEAL)], game.moves)
    assert one == mate.review(game)
    with pytest.raises(mate.IllegalMoveError):
        mate.review_deals(others[1:], game.moves)


def test_what_depends_on_unknown_cards_is_told_as_a_range():
    """Each figure of the review of several starts is that of all of them, or of none."""
    rng, seen = random.Random(6), {"known": 0, "range": 0, "spread": 0, "some": 0}
    for _ in range(150):
        game = random_game(mate.Variant.of("bga"), rng, 12)
        starts = similar_starts(game, rng)
        review = mate.review_deals(starts, game.moves)
        alone = [mate.review_deals([start], game.moves) for start in review.starts]
        assert review.value == agreed(single.value for single in alone)
        turned = agreed(single.turning_point and single.turning_point.ply for single in alone)
        assert turned == (review.turning_point and review.turning_point.ply)
        plies = {d.ply for single in alone for d in single.decisions}
        assert [d.ply for d in review.decisions] == sorted(plies)
        for decision in review.decisions:
            check_merged(decision, alone, seen)
        for player in "xy":
            check_sums(getattr(review, player), player, review)
    assert min(seen.values()) > 3, seen


def similar_starts(game: mate.Game, rng: random.Random) -> list[mate.Position]:
    """The start of a game, and others with two cards that were not played exchanged."""
    start = mate.Record.of(game).start
    left = [[card for card in range(20) if game.core.hands[p] >> card & 1] for p in range(2)]
    starts = [start]
    for _ in range(3):
        if all(left):
            swap = 1 << rng.choice(left[0]) | 1 << rng.choice(left[1])
            deal = mate.Deal(start.x.mask ^ swap, start.y.mask ^ swap)
            starts.append(mate.Game(deal, "bga", start.to_move).position)
    return starts


def agreed(values):
    found = set(values)
    return found.pop() if len(found) == 1 else None


def check_merged(decision, alone, seen):
    each = [next((d for d in one.decisions if d.ply == decision.ply), None) for one in alone]
    costs = [one.cost if one else 0 for one in each]
    spreads = [one.spread if one else 0 for one in each]
    assert decision.costs == (min(costs), max(costs))
    assert decision.cost == agreed(costs)
    assert decision.spread == agreed(spreads)
    assert decision.known == (len(set(costs)) == len(set(spreads)) == 1)
    if all(each):
        assert decision.value == agreed(one.value for one in each)
        assert decision.best_value == agreed(one.best_value for one in each)
        assert set(decision.best) == set.intersection(*(set(one.best) for one in each))
    seen["known"] += decision.known
    seen["range"] += decision.cost is None
    seen["spread"] += decision.cost is not None and not decision.known
    seen["some"] += not all(each)


def check_sums(summary, player, review):
    own = [decision for decision in review.decisions if decision.player == player]
    known = [decision for decision in own if decision.known]
    assert (summary.decisions, summary.unknown) == (len(known), len(own) - len(known))
    assert summary.loss == sum(decision.cost for decision in known)
    assert summary.attainable == sum(decision.spread for decision in known)
    assert summary.tricks == len(known)  # without foreplacing a player acts once a trick
    assert summary.perfect == sum(decision.cost == 0 for decision in known)


# --- Comments ------------------------------------------------------------------------------------


def test_comments_tell_what_moves_cost():
    record = mate.Record.of(played("Ac Tc Qc Kc"), comments={1: "why?", 4: "the end"})
    review = mate.review(record)
    annotated = annotate(record, review)
    assert annotated.comments == {
        1: "why? -56: 7c kept +56",
        3: "-21: 7c, As, 7s, … kept 0; turning point",
        4: "the end",
    }
    assert (annotated.moves, annotated.tags, annotated.start) == (
        record.moves, record.tags, record.start,
    )  # fmt: skip


@pytest.mark.parametrize("name", NAMES[:9])
def test_comments_do_not_pile_up(name):
    rng, variant = random.Random(3), engine_variant(name)
    for _ in range(60):
        game = random_game(variant, rng)
        own = {rng.randint(0, len(game.moves)): "-5 and 3: good, kept" for _ in range(3)}
        record = mate.Record.of(game, comments=own)
        review = mate.review(record)
        once = annotate(record, review)
        assert annotate(once, review) == once
        (read,) = mate.parse_records(mate.write_record(once))
        assert annotate(read, mate.review(read)) == once
        told = {d.ply + 1 for d in review.decisions if d.cost}
        assert set(once.comments) == told | set(own)
        assert all(once.comments[ply].startswith(text) for ply, text in own.items())


def test_comments_of_an_older_review_go():
    record = mate.Record.of(played("7c Tc"), comments={
        0: "-3: *- kept 0 hello", 1: "a -14: Kc!, *Kc, … kept ?; turning point", 2: "b",
    })  # fmt: skip
    assert annotate(record, mate.review(record)).comments == {0: "hello", 1: "a", 2: "b"}
    for text in ("0 to -36: unknown cards", "-8 to -36: 7h kept +3; turning point b"):
        record = record.with_comments({1: text})
        rest = {1: "b"} if text.endswith(" b") else {}
        assert annotate(record, mate.review(record)).comments == rest


def test_comments_on_unknown_cards():
    rng, told = random.Random(6), set()
    for _ in range(100):
        game = random_game(mate.Variant.of("bga"), rng, 12)
        review = mate.review_deals(similar_starts(game, rng), game.moves)
        record = mate.Record.of(game)
        once = annotate(record, review)
        assert annotate(once, review) == once
        for decision in review.decisions:
            text = comment_on(decision)
            if decision.cost is None:
                least, most = decision.costs
                assert text.startswith(f"{-least or 0} to -{most}: ")
                told.add(text.split(": ")[1].split(" ")[-1])
    assert {"cards", "?"} <= told


# --- What is no game -----------------------------------------------------------------------------


@pytest.mark.parametrize("game", [None, "AQ7.A7.TK7.AT", mate.Game(DEAL).position, 5])
def test_what_is_no_game(game):
    with pytest.raises(mate.MateError):
        mate.review(game)


@pytest.mark.parametrize(
    ("starts", "moves"),
    [
        ([], []),
        (None, []),
        (starts_with(DEAL), None),
        (starts_with(DEAL), "7c"),
        ([mate.Game(DEAL)], []),
        ([DEAL], []),
        ([mate.Game(DEAL).position, mate.Game(DEAL, "capellen").position], []),
        ([mate.Game(DEAL).position, mate.Game(DEAL, "bga", "y").position], []),
        (starts_with(DEAL), ["Kc"]),
        (starts_with(DEAL), ["nonsense"]),
        (starts_with(DEAL), [None]),
    ],
)
def test_what_are_no_starts(starts, moves):
    with pytest.raises(mate.MateError):
        mate.review_deals(starts, moves)


def test_an_oracle_of_another_game():
    with pytest.raises(mate.MateError, match="oracle"):
        mate.review(played("7c Tc"), matecore.Solver(mate.Variant.of("capellen").rules))
    lattice = mate.Lattice("ATK.Q7.A.TKQ7").core
    with pytest.raises(mate.MateError, match="oracle"):
        mate.review(played("7c Tc"), lattice)


@pytest.mark.parametrize("oracle", [5, "search"])
def test_what_knows_no_values_is_no_oracle(oracle):
    with pytest.raises(mate.MateError, match="knows no values"):
        mate.review(mate.Game("AQ7.A7.TK7.AT"), oracle)
