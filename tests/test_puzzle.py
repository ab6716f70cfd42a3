"""Puzzles: each is checked against the reference, which knows nothing of how they are made."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

import make_puzzles
import mate
import mate.puzzle as making
import matecore
import reference
from mate.foresight import Foresight
from pairing import NAMES, engine_variant, random_game, random_variants

SMALL = 12  # cards in both hands, for what the reference walks in a moment


def pairs() -> list:
    """The presets, the big deck and random variants, for the engine and for the reference."""
    found = [pytest.param(engine_variant(n), reference.variant_of(n), id=n) for n in NAMES]
    rng = random.Random(20)
    made = [random_variants(rng) for _ in range(40)]
    having = [(e, s) for e, s in made if has_puzzles(e)]
    assert len(having) > 20
    return found + [pytest.param(e, s, id=f"custom{i}") for i, (e, s) in enumerate(having)]


def has_puzzles(variant: mate.Variant) -> bool:
    foresight, rng = Foresight(variant), random.Random(1)
    positions = [making._some_position(rng, foresight) for _ in range(100)]
    return any(position and making._puzzle_at(position, foresight) for position in positions)


def looking(slow: reference.Variant, last: int) -> reference.Variant:
    """The variant in which mates after a trick score nothing."""
    who = {"nobody": (0, 0), "both": (1, 1), "mater": (1, 0), "mated": (0, 1)}
    rows = {
        name: [
            reference.weight(slow, *foreplaced, trick) if trick <= last else 0
            for trick in range(1, slow.hand_size + 1)
        ]
        for name, foreplaced in who.items()
    }
    return replace(slow, weights=rows)


def values_within(slow: reference.Variant, text: str, last: int) -> dict[str, int]:
    state = reference.read_position(text, looking(slow, last))
    return reference.move_values(state)


def best_of(values: dict[str, int]) -> list[str]:
    return [move for move, value in values.items() if value == max(values.values())]


def small_puzzles(variant: mate.Variant, count: int) -> list[mate.Puzzle]:
    found = islice(mate.puzzles(7, variant), 60)
    small = [p for p in found if len(p.position.x) + len(p.position.y) <= SMALL]
    return small[:count]


PAIRS = pairs()

# --- What a puzzle says, by the reference --------------------------------------------------------


@pytest.mark.parametrize(("variant", "slow"), PAIRS)
def test_exactly_one_move_is_best_and_it_brings_the_prize(variant, slow):
    for puzzle in small_puzzles(variant, 8):
        values = values_within(slow, str(puzzle.position), slow.hand_size)
        assert best_of(values) == [puzzle.best]
        assert values[puzzle.best] == puzzle.value >= 0
        assert puzzle.cost == puzzle.value - sorted(values.values())[-2] > 0
        assert (puzzle.outcome is None) == (puzzle.value == 0)


@pytest.mark.parametrize(("variant", "slow"), PAIRS)
def test_best_play_of_any_kind_mates_on_the_stated_trick(variant, slow):
    for puzzle in small_puzzles(variant, 4):
        state = reference.read_position(str(puzzle.position), slow)
        if puzzle.outcome is None:
            assert puzzle.prize.endswith(" and hold the draw")
            continue
        outcome = puzzle.outcome
        assert tricks_of_best_play(state) == {outcome.trick}
        assert (outcome.winner, outcome.points) == (puzzle.position.to_move, puzzle.value)
        assert puzzle.prize.endswith(f" and mate on trick {outcome.trick} for {puzzle.value}")


def without_variant(state: reference.State) -> tuple:
    return (*state[1:],)  # all but the variant, which is the same for all


def tricks_of_best_play(state: reference.State) -> set[int]:
    """The tricks on which a game may end that both play at their best, all their ways walked."""
    tricks, seen, waiting, memo = set(), set(), [state], {}
    while waiting:
        state = waiting.pop()
        if without_variant(state) in seen:
            continue
        seen.add(without_variant(state))
        values = reference.move_values(state, memo)
        if not values:
            tricks.add(state.trick)
        waiting += [reference.after(state, move) for move in best_of(values)] if values else []
    return tricks


@pytest.mark.parametrize(("variant", "slow"), PAIRS)
def test_depth_traps_deception_and_level_are_as_defined(variant, slow):
    for puzzle in small_puzzles(variant, 5):
        position = puzzle.position
        looks = [
            values_within(slow, str(position), last)
            for last in range(position.trick, slow.hand_size + 1)
        ]
        found = [best_of(look) == [puzzle.best] for look in looks]
        assert all(found[puzzle.depth - 1 :])
        assert puzzle.depth == 1 or not found[puzzle.depth - 2]
        better = [
            {move for move in look if look[move] > look[puzzle.best]}
            for look in looks[: puzzle.depth - 1]
        ]
        assert set(puzzle.traps) == set().union(*better)
        assert puzzle.deception == sum(bool(moves) for moves in better)
        assert puzzle.level == level_of(puzzle)


def level_of(puzzle: mate.Puzzle) -> int:
    """The level by docs/puzzles.md."""
    if puzzle.position.play(puzzle.best).is_mate:
        return 1
    difficulty = puzzle.depth + puzzle.deception
    return next((i for i, most in enumerate((1, 3, 5, 8), 1) if difficulty <= most), 5)


@pytest.mark.parametrize(("variant", "slow"), PAIRS)
def test_what_is_seen_within_a_horizon(variant, slow):
    rng, foresight = random.Random(5), Foresight(variant)
    for _ in range(12):
        game = random_game(variant, rng, rng.randrange(2 * variant.deck.hand_size))
        if game.is_over or len(game.x) + len(game.y) > SMALL:
            continue
        tricks = rng.randint(1, 4)
        slowly = values_within(slow, str(game.position), game.trick + tricks - 1)
        assert foresight.values(game, tricks) == slowly


# --- What a puzzle says, by the other engine -----------------------------------------------------


@pytest.mark.parametrize(("variant", "slow"), PAIRS)
def test_puzzles_of_any_size_have_one_best_move_by_the_lattice(variant, slow):
    for puzzle in islice(mate.puzzles(3, variant), 5):
        values = dict(lattice_of(puzzle.position).values(puzzle.position))
        assert best_of(values) == [puzzle.best]
        assert values[puzzle.best] == puzzle.value
        assert sorted(values.values())[-2] == puzzle.value - puzzle.cost


@pytest.mark.parametrize("name", ["bga", "bga-free", "tempos", "pieces", "double"])
def test_depth_and_level_of_puzzles_of_any_size_by_the_lattice(name):
    variant = engine_variant(name)
    difficulties = set()
    for puzzle in islice(mate.puzzles(9, variant), 40):
        looks = list(looks_of_lattice(puzzle.position))
        found = [best_of(look) == [puzzle.best] for look in looks]
        assert all(found[puzzle.depth - 1 :])
        assert puzzle.depth == 1 or not found[puzzle.depth - 2]
        misled = [max(look.values()) > look[puzzle.best] for look in looks[: puzzle.depth - 1]]
        assert puzzle.deception == sum(misled)
        assert puzzle.level == level_of(puzzle)
        difficulties.add(puzzle.depth + puzzle.deception)
    assert difficulties >= {2, 3, 8, 9}  # either side of two cuts


def looks_of_lattice(position: mate.Position) -> Iterator[dict[str, int]]:
    """What is seen within one trick, two and so on, each by a lattice of its own."""
    variant, deal = position.variant, lattice_of(position).deal
    for last in range(position.trick, variant.deck.hand_size + 1):
        rows = tuple(
            tuple(weight if trick <= last else 0 for trick, weight in enumerate(row, start=1))
            for row in variant.weights
        )
        restored, arguments = variant.rules.__reduce__()
        lattice = matecore.Lattice(restored(*arguments[:-1], rows))
        lattice.solve(deal.x.mask, deal.y.mask)
        found = lattice.values(under(lattice.rules, position.core))
        yield {variant.action_names[action]: value for action, value in found}


def under(rules: matecore.Rules, core: matecore.Position) -> matecore.Position:
    fields = ("declared", "trick", "free", "foreplaced", "undecided")
    kept = {name: getattr(core, name) for name in fields}
    return matecore.Position(rules, *core.hands, core.to_move, core.led, **kept)


def lattice_of(position: mate.Position) -> mate.Lattice:
    """The lattice of a deal that the position may come from."""
    core, deck = position.core, position.variant.deck
    hands = list(core.hands)
    for player, card in enumerate(core.foreplaced):
        hands[player] |= 0 if card is None else 1 << card
    if core.led is not None:
        hands[core.leader] |= 1 << core.led
    for card in range(deck.n_cards):
        if not (hands[0] | hands[1]) >> card & 1:
            hands[hands[0].bit_count() == deck.hand_size] |= 1 << card
    return mate.Lattice(mate.Deal(*hands, deck), position.variant)


@pytest.mark.parametrize(("variant", "slow"), PAIRS)
def test_the_line_and_the_position_are_what_an_analysis_says(variant, slow):
    for puzzle in islice(mate.puzzles(4, variant), 5):
        position = puzzle.position
        assert mate.Position.parse(str(position), variant) == position
        analysis = mate.analyze(position)
        assert puzzle.outcome == (analysis.outcome if puzzle.value else None)
        assert puzzle.line[0] == puzzle.best
        game = mate.Game.from_position(position)
        for move in puzzle.line:
            game.push(move)
        assert game.is_over
        assert game.result == puzzle.value * (1 if position.to_move == "x" else -1)


# --- How puzzles are made ------------------------------------------------------------------------


def test_the_puzzles_of_a_seed_stay_as_they_are():
    kept = [json.loads(line) for line in make_puzzles.FILE.read_text().splitlines()]
    assert make_puzzles.rows() == kept
    assert len(kept) == 52


def test_a_level_has_those_of_all_puzzles_that_are_of_it():
    everything = list(islice(mate.puzzles(11), 80))
    assert {puzzle.level for puzzle in everything} == {1, 2, 3, 4, 5}
    for level in range(1, 6):
        of_level = [puzzle for puzzle in everything if puzzle.level == level]
        assert list(islice(mate.puzzles(11, level=level), len(of_level))) == of_level


def test_iterators_do_not_disturb_each_other():
    first, second = mate.puzzles(1), mate.puzzles(1)
    mixed = [(next(first), next(second)) for _ in range(10)]
    assert all(one == other for one, other in mixed)
    assert mixed[0][0] == next(mate.puzzles(np.int64(1)))
    assert mixed[0][0] != next(mate.puzzles(2))


def test_puzzles_are_varied():
    found = list(islice(mate.puzzles(1), 200))
    assert len({puzzle.position for puzzle in found}) > 195
    assert sum(puzzle.position.led is not None for puzzle in found) > 20
    assert sum(puzzle.outcome is None for puzzle in found) > 10
    assert {puzzle.position.to_move for puzzle in found} == {"x", "y"}
    assert {puzzle.position.trick for puzzle in found} >= set(range(1, 9))
    heads = {puzzle.prize.split()[0] for puzzle in islice(mate.puzzles(1, "tempos"), 60)}
    assert heads == {"Foreplace", "Lead", "Reply"}


def test_big_decks_too():
    deck = mate.Deck("abcd", "ZYXWVUTS", ("ZYXWVUTS",) * 4, (9, 8, 7, 6, 5, 4, 3, 2))
    for puzzle in islice(mate.puzzles(1, mate.Variant(deck=deck)), 5):
        assert max(len(puzzle.position.x), len(puzzle.position.y)) <= making.MOST_CARDS
        values = matecore_values(puzzle.position)
        assert best_of(values) == [puzzle.best]


def matecore_values(position: mate.Position) -> dict[str, int]:
    return {move.move: move.value for move in mate.analyze(position).moves}


def test_on_which_tricks_best_play_mates_is_found_where_points_do_not_tell(monkeypatch):
    rng = random.Random(2)
    told = {True: 0, False: 0}
    for _ in range(300):
        variant, slow = random_variants(rng)
        position = random_game(variant, rng, rng.randrange(6)).position
        solver = Foresight(variant).solver(variant.deck.hand_size)
        if position.is_over or solver.value(position.core) <= 0:
            continue
        state = reference.read_position(str(position), slow)
        one = len(tricks_of_best_play(state)) == 1
        assert making._mates_on_one_trick(position, solver) == one
        told[one] += 1
        monkeypatch.setattr(making, "MOST_POSITIONS", 1)
        assert one or not making._mates_on_one_trick(position, solver)
        monkeypatch.undo()
    assert min(told.values()) > 5


# --- Bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [-1, None, True, "1", 1.0, [], "\x1b[2J" * 1000])
def test_a_seed_that_is_none(seed):
    with pytest.raises(mate.MateError, match=r"^seed .*: an integer, 0 or more$") as caught:
        mate.puzzles(seed)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 120


@pytest.mark.parametrize("level", [0, 6, -1, True, "1", 1.0, 10**30])
def test_a_level_that_is_none(level):
    with pytest.raises(mate.MateError, match=r"^level .*: an integer, 1 to 5$"):
        mate.puzzles(1, level=level)


@pytest.mark.parametrize("variant", ["nonsense", None, 3])
def test_a_variant_that_is_none(variant):
    with pytest.raises(mate.VariantError):
        mate.puzzles(1, variant)


def test_a_game_without_puzzles_ends_in_an_error(monkeypatch):
    monkeypatch.setattr(making, "GAMES", 200)
    hopeless = mate.Variant(deck=mate.Deck("ab", "ZY", ("ZY", "ZY"), (0, 0)), name="hopeless")
    with pytest.raises(mate.MateError, match=r"^200 games of hopeless in a row had no puzzle$"):
        next(mate.puzzles(1, hopeless))
    tiny = mate.Variant(deck=mate.Deck("a", "ZY", ("ZY",), (1, 1)))
    with pytest.raises(mate.MateError, match=r"no puzzle of level 5$"):
        next(mate.puzzles(1, tiny, level=5))
