"""All positions of one deal at once: values, lane paths, threads, hostile arguments."""

import random
import threading

import pytest

import mate
import matecore
import reference
from matecore import Lattice, Position, Rules, Solver, lanes
from pairing import ENGINE_TEXTS, NAMES, random_deal, random_game, random_variants

SMALL = Rules([0, 0, 0, 1, 1, 1], [0, 1, 2, 0, 1, 2], [11, 10, 4] * 2)


def solved(variant, deal):
    lattice = Lattice(variant.rules)
    lattice.solve(deal.x.mask, deal.y.mask)
    return lattice


def random_positions(variant, deal, rng, games):
    """Every position of some games at random of a deal."""
    for _ in range(games):
        core = mate.Game(deal, variant, rng.choice("xy")).position._core.copy()
        yield core
        while not core.is_over:
            core.push(rng.choice(core.legal_actions()))
            yield core


# --- Values ---


@pytest.mark.parametrize("name", NAMES)
def test_every_position_of_random_games(name):
    variant, rng = mate.Variant.of(ENGINE_TEXTS[name]), random.Random(1)
    solver, lattice = Solver(variant.rules), Lattice(variant.rules)
    for _ in range(3):
        deal = random_deal(variant, rng)
        lattice.solve(deal.x.mask, deal.y.mask)
        assert lattice.hands == (deal.x.mask, deal.y.mask)
        for core in random_positions(variant, deal, rng, 20):
            assert lattice.value(core) == solver.value(core)
            if len(core.played) > 6:
                assert lattice.values(core) == solver.values(core)


@pytest.mark.parametrize("seed", range(100))
def test_random_variants_against_the_reference(seed):
    rng = random.Random(seed)
    engine, slow = random_variants(rng)
    for _ in range(3):
        game = random_game(engine, rng, rng.randint(0, 8))
        state, memo = reference.read_position(str(game), slow), {}
        core, begin = game.position._core, game.copy()
        while begin.actions:
            begin.pop()
        lattice = Lattice(engine.rules)
        lattice.solve(*begin.position._core.hands)
        assert lattice.value(core) == reference.value(state, memo)
        values = {engine.action_names[action]: value for action, value in lattice.values(core)}
        assert values == reference.move_values(state, memo)


def test_margins_beyond_a_byte():
    # 20 cards, each with points of its own: more than 126 margins.
    points = [101 + 7 * i for i in range(20)]
    rules = Rules([i // 5 for i in range(20)], [i % 5 for i in range(20)], points, free_move=True)
    rng, lattice, solver = random.Random(2), Lattice(rules), Solver(rules)
    for _ in range(3):
        x = sum(1 << card for card in rng.sample(range(20), 10))
        lattice.solve(x, 0xFFFFF ^ x)
        for _ in range(10):
            core = Position(rules, x, 0xFFFFF ^ x, rng.randrange(2))
            while not core.is_over:
                assert lattice.value(core) == solver.value(core)
                core.push(rng.choice(core.legal_actions()))


@pytest.mark.parametrize("n_cards", [2, 4, 22, 24])
def test_decks_of_other_sizes(n_cards):
    half = n_cards // 2
    rules = Rules([i // half for i in range(n_cards)], [i % half for i in range(n_cards)],
                  [1 + i % 5 for i in range(n_cards)])  # fmt: skip
    rng, lattice, solver = random.Random(n_cards), Lattice(rules), Solver(rules)
    everything = (1 << n_cards) - 1
    x = sum(1 << card for card in rng.sample(range(n_cards), half))
    lattice.solve(x, everything ^ x)
    for _ in range(5):
        core = Position(rules, x, everything ^ x, rng.randrange(2))
        while not core.is_over:
            assert lattice.value(core) == solver.value(core)
            core.push(rng.choice(core.legal_actions()))


# --- Lane paths and threads ---


@pytest.mark.parametrize("name", [*NAMES, *range(40)])
def test_all_paths_tell_the_same(name, monkeypatch):
    rng = random.Random(3)
    if isinstance(name, int):
        variant = random_variants(random.Random(name))[0]
    else:
        variant = mate.Variant.of(ENGINE_TEXTS[name])
    deal = random_deal(variant, rng)
    lattices = []
    for path in lanes.available():
        monkeypatch.setenv("MATECORE_LANES", path)
        lattices.append(solved(variant, deal))
    for core in random_positions(variant, deal, rng, 20):
        assert len({lattice.value(core) for lattice in lattices}) == 1


def test_a_lattice_is_used_by_many_threads():
    variant, rng = mate.Variant.of("bga"), random.Random(4)
    deal = random_deal(variant, rng)
    lattice, solver = solved(variant, deal), Solver(variant.rules)
    cores = [core.copy() for core in random_positions(variant, deal, rng, 5)]
    expected = [solver.value(core) for core in cores]
    found = []

    def work():
        for _ in range(20):
            lattice.solve(deal.x.mask, deal.y.mask)
            found.append([lattice.value(core) for core in cores])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 80


# --- Hostile arguments ---


def test_hands_that_do_not_halve_the_deck():
    lattice = Lattice(SMALL)
    for x, y in [(0, 0), (7, 7), (7, 0x38 | 64), (0b1111, 0b110000), (63, 0), (2**32 - 1, 0)]:
        with pytest.raises(ValueError, match="do not halve the deck"):
            lattice.solve(x, y)
    for x, y in [(-1, 0), (2**32, 0), (10**30, 0)]:
        with pytest.raises(OverflowError):
            lattice.solve(x, y)
    assert lattice.hands == (0, 0)


def test_positions_of_another_deal_or_variant():
    lattice = Lattice(SMALL)
    position = Position(SMALL, 0b000111, 0b111000)
    for query in (lattice.value, lattice.values):
        with pytest.raises(ValueError, match="another deal"):
            query(position)
    lattice.solve(0b000111, 0b111000)
    assert lattice.value(position) == Solver(SMALL).value(position)
    lattice.solve(0b001011, 0b110100)
    for query in (lattice.value, lattice.values):
        with pytest.raises(ValueError, match="another deal"):
            query(position)
        with pytest.raises(ValueError, match="another variant"):
            query(Position(mate.Variant.of("bga").rules, 0x3FF, 0xFFC00))
        with pytest.raises(TypeError):
            query(None)


def test_large_hands_are_refused():
    rules = Rules([0] * 26, range(26), [1] * 26)
    with pytest.raises(ValueError, match="hands of 13 cards"):
        matecore.Lattice(rules)
