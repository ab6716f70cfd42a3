"""The compiled core taken by itself: hostile arguments, buffers, and `cimport` from outside."""

import random
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import numpy as np
import pytest

import matecore
from matecore import Position, Rules

SUITS = [suit for suit in range(4) for _ in range(5)]
RANKS = [rank for _ in range(4) for rank in range(5)]
POINTS = [11, 10, 4, 3, 7] * 4
RULES = Rules(SUITS, RANKS, POINTS)
X, Y = 0x3FF, 0xFFC00
PLAIN = [range(1, 11)] * 4


# --- Rules ---


@pytest.mark.parametrize(
    ("suits", "ranks", "points"),
    [
        ([], [], []), ([0], [0], [1]), ([0, 0, 0], [0, 1, 2], [1, 1, 1]),
        ([0] * 34, [0] * 34, [1] * 34), ([0, 0], [0], [1, 1]), ([1, 0], [0, 0], [1, 1]),
        ([0, 0], [1, 0], [1, 1]), ([0, 0], [0, 0], [1, 2]), ([0, 32], [0, 0], [1, 1]),
        ([0, -1], [0, 0], [1, 1]), ([0, 0], [0, 99], [1, 1]), ([0, 0], [0, 1], [1, -1]),
        ([0, 0], [0, 1], [1, 32768]), ([0, 0], [0, 1], [1, 10**30]),
    ],
)  # fmt: skip
def test_what_is_no_deck(suits, ranks, points):
    with pytest.raises(ValueError, match=r"."):
        Rules(suits, ranks, points)


@pytest.mark.parametrize(
    "weights",
    [[], PLAIN[:3], [range(1, 10)] * 4, [[-1] * 10] * 4, [[3000] * 10] * 4, [[10**30] * 10] * 4],
)
def test_what_are_no_weights(weights):
    with pytest.raises(ValueError, match="weight"):
        Rules(SUITS, RANKS, POINTS, weights=weights)


@pytest.mark.parametrize(
    "arguments",
    [(None, None, None), (5, 5, 5), ("ab", "ab", "ab"), ([None] * 2, [0, 1], [1, 1]), ()],
)
def test_rules_of_the_wrong_type(arguments):
    with pytest.raises((TypeError, ValueError)):
        Rules(*arguments)


def test_objects_cannot_be_made_without_their_arguments():
    for kind in (Rules, Position, matecore.Solver):
        with pytest.raises(TypeError):
            kind.__new__(kind)
    with pytest.raises(TypeError):
        Position(None, X, Y)
    with pytest.raises(TypeError):
        matecore.Solver(None)


# --- Position ---


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ((-1, Y), {}), ((1 << 32, Y), {}), ((10**30, Y), {}), ((X, X), {}), ((X, 1 << 31), {}),
        ((1.5, Y), {}), ((None, Y), {}), ((True, Y), {}), ((X, Y, 2), {}), ((X, Y, -1), {}),
        ((X, Y, 0, 32), {}), ((X, Y, 0, 25), {}), ((X, Y, 0, -1), {}), ((X, Y, 0, 0), {}),
        ((X, Y), {"trick": 0}), ((X, Y), {"trick": 12}), ((X, Y), {"trick": 10**9}),
        ((X, Y), {"free": True}), ((X, Y), {"foreplaced": (1, None)}),
        ((X, Y), {"foreplaced": (99, None)}), ((X, Y), {"foreplaced": (None, 254)}),
        ((X, Y), {"undecided": (True, True)}), ((0, 0), {}), ((X & ~1, Y), {}),
    ],
)  # fmt: skip
def test_positions_that_cannot_be(arguments, options):
    with pytest.raises(matecore.InvalidPosition) as caught:
        Position(RULES, *arguments, **options)
    assert caught.value.field in ("hands", "to move", "led", "trick", "foreplaced", "free")


FORE = Rules(SUITS, RANKS, POINTS, foreplace=True, second_alone=True, last_card_twice=True)
OTHERS = 0xFFC00


@pytest.mark.parametrize(
    ("field", "arguments", "options"),
    [
        ("foreplaced", (X, OTHERS), {"foreplaced": (0, None)}),
        ("foreplaced", (X & ~1, OTHERS), {"foreplaced": (1, None)}),
        ("foreplaced", (X & ~1, OTHERS & ~(1 << 10)), {"foreplaced": (0, 0)}),
        ("led", (X & ~1, OTHERS, 1, 10), {"foreplaced": (0, None)}),
        ("led", (X & ~3, OTHERS, 1, 0), {"foreplaced": (0, None)}),
        ("led", (X & ~1, OTHERS, 1, 5), {"foreplaced": (0, None)}),
        ("led", (X & ~3, OTHERS & ~(1 << 10), 1, 10), {"foreplaced": (0, 10)}),
        ("led", (0, 3 << 10, 1, 5), {"trick": 9, "foreplaced": (0, None)}),
        ("trick", (0, 0), {"trick": 11, "foreplaced": (0, 10)}),
        ("trick", (0, 0), {"trick": 12, "foreplaced": (0, None)}),
    ],
)
def test_positions_that_foreplacing_cannot_come_to(field, arguments, options):
    with pytest.raises(matecore.InvalidPosition) as caught:
        Position(FORE, *arguments, **options)
    assert caught.value.field == field


@pytest.mark.parametrize("pair", [(), (1,), (None, None, None), 5, "x"])
def test_pairs_of_the_wrong_shape(pair):
    for field in ("foreplaced", "undecided"):
        if pair == ():
            Position(RULES, X, Y, **{field: pair})  # as if not told
        else:
            with pytest.raises((TypeError, ValueError)):
                Position(RULES, X, Y, **{field: pair})


def test_illegal_actions_leave_the_position_alone():
    position = Position(RULES, X, Y)
    for action in (-1, 10, 20, 21, 41, 60, 61, 2**31 - 1, -(2**31)):
        assert not position.is_legal(action)
        with pytest.raises(ValueError, match="not legal"):
            position.push(action)
    for action in (2**31, 10**30):
        with pytest.raises(OverflowError):
            position.push(action)
    assert position.played == []
    assert position.perft(1) == 10


@pytest.mark.parametrize(
    "out",
    [
        np.zeros(60, np.uint8), np.zeros(62, np.uint8), np.zeros(61, np.int16),
        np.zeros((61, 1), np.uint8), np.zeros(122, np.uint8)[::2], b"x" * 61, None, [0] * 61,
    ],
    ids=range(8),
)  # fmt: skip
def test_masks_of_the_wrong_shape(out):
    with pytest.raises((BufferError, TypeError, ValueError)):
        Position(RULES, X, Y).legal_mask(out)


def test_depths_of_perft():
    with pytest.raises(ValueError, match="negative"):
        Position(RULES, X, Y).perft(-1)
    assert Position(RULES, X, Y).perft(0) == 1
    assert Position(RULES, X, Y).perft(2**31 - 1) == 0


def test_random_arguments_never_make_a_position_that_breaks():
    """Whatever is accepted can be played to its end."""
    rng = random.Random(1)
    rules = Rules(
        [0, 0, 1, 1, 2, 2], [0, 0, 0, 1, 0, 1], [3, 3, 3, 2, 3, 2], privileged=[0],
        privilege_declared=True, free_move=True, foreplace=True, last_card_twice=True,
        second_differs=True,
    )  # fmt: skip
    made = 0
    card = st_card(rng)
    for _ in range(60_000):
        x = rng.getrandbits(6)
        y = rng.getrandbits(6) & ~x if rng.random() < 0.9 else rng.getrandbits(6)
        arguments = {
            "to_move": rng.randint(0, 1), "led": card(), "declared": rng.random() < 0.3,
            "trick": rng.randint(1, 5), "free": rng.random() < 0.5,
            "foreplaced": (card(), card()), "undecided": (rng.random() < 0.2, rng.random() < 0.2),
        }  # fmt: skip
        try:
            position = Position(rules, x, y, **arguments)
        except matecore.InvalidPosition:
            continue
        made += 1
        while not position.is_over:
            position.push(rng.choice(position.legal_actions()))
        assert position.margin is not None
        assert len(position.played) <= 8
    assert made > 200


def st_card(rng):
    return lambda: None if rng.random() < 0.5 else rng.randint(0, 5)


# --- cimport ---

OUTSIDE = """
# cython: language_level=3
from matecore.position cimport Position, exact_key
from matecore.rules cimport is_over, legal_moves, moves_t, next_action, play, position_t
from matecore.search cimport Solver, exact

def value(Solver solver, Position position):
    return exact(&solver.c, position.now())

def first_moves(Position position):
    cdef position_t p = position.now()[0]
    cdef moves_t moves
    cdef int action
    played = []
    with nogil:
        while not is_over(&position.rules.c, &p):
            moves = legal_moves(&position.rules.c, &p)
            action = next_action(&position.rules.c, &moves)
            with gil:
                played.append(action)
            play(&position.rules.c, &p, action)
    return played
"""


def test_the_core_can_be_cimported_from_outside(tmp_path):
    (tmp_path / "outside.pyx").write_text(OUTSIDE)
    (tmp_path / "setup.py").write_text(
        textwrap.dedent("""
        from Cython.Build import cythonize
        from setuptools import Extension, setup
        setup(name="outside", ext_modules=cythonize([Extension("outside", ["outside.pyx"])]))
        """)
    )
    build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True, timeout=300)
    sys.path.insert(0, str(tmp_path))
    try:
        import outside
    finally:
        sys.path.remove(str(tmp_path))
    position = Position(RULES, X, Y)
    played = outside.first_moves(position)
    solver = matecore.Solver(RULES)
    assert outside.value(solver, position) == solver.value(position)
    for action in played:
        assert action == position.legal_actions()[0]
        position.push(action)
    assert position.is_over


def test_every_package_is_installed():
    """A folder that pyproject.toml does not name would be missing from the wheel."""
    checkout = Path(__file__).parent.parent
    project = tomllib.loads((checkout / "pyproject.toml").read_text())["tool"]["setuptools"]
    found = {
        ".".join(path.parent.relative_to(checkout / root).parts)
        for root in ("python", "src")
        for path in (checkout / root).rglob("__init__.py")
    }
    assert found == set(project["packages"])
    assert {name for name in found if name.startswith("matecore")} == {
        name for name in project["package-data"] if name != "mate"
    }


def test_headers_are_installed():
    folder = Path(matecore.__file__).parent
    names = {file.name for file in folder.iterdir()}
    modules = {"rules", "position", "search"}
    expected = {f"{module}.{ending}" for module in modules for ending in ("pxd", "pyi")}
    assert expected | {"cards.pxd", "__init__.pxd", "py.typed"} <= names
    court = {file.name for file in (folder / "court_piece").iterdir()}
    modules = {"rules", "position", "solver", "selfplay"}
    expected = {f"{module}.{ending}" for module in modules for ending in ("pxd", "pyi")}
    assert expected | {"cards.pxd", "__init__.pxd", "search.pxd", "state.pxd"} <= court
    assert not [name for name in names | court if name.endswith(".c")]
