"""The core from outside: a module in Cython and one in C, built and run; the interface as told."""

import os
import shutil
import subprocess
import sys
import sysconfig
import threading
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import mate
import matecore
import matecore.capi
from make_c_interface import PLACE, lines

EXAMPLES = Path(__file__).parent.parent / "examples"


def test_the_c_interface_is_what_was_told():
    assert lines() == PLACE.read_text().splitlines()


def test_the_header_is_where_it_is_said_to_be():
    assert os.listdir(matecore.get_include()) == ["matecore.h"]


# --- Modules of others ---


def built(name, module, tmp_path_factory, endings):
    folder = tmp_path_factory.mktemp(name)
    for file in (EXAMPLES / name).iterdir():
        if file.suffix in endings:
            shutil.copy(file, folder)
    build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    done = subprocess.run(build, cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    [path] = [file for file in folder.iterdir() if file.suffix in (".so", ".pyd")]
    spec = spec_from_file_location(module, path)
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


@pytest.fixture(scope="module")
def in_c(tmp_path_factory):
    return built("c_extension", "randommate", tmp_path_factory, (".c", ".py"))


@pytest.fixture(scope="module")
def in_cython(tmp_path_factory):
    return built("cython_engine", "playout", tmp_path_factory, (".pyx", ".py"))


@pytest.mark.parametrize("name", list(mate.PRESETS))
def test_c_counts_what_the_core_counts(in_c, name):
    variant = mate.PRESETS[name]
    for seed in range(3):
        game = mate.Game(mate.Deal.random(seed, variant.deck), variant)
        for depth in range(6 if variant.foreplace is None else 4):
            assert in_c.perft(variant.rules, game.core, depth) == game.perft(depth)


@pytest.mark.parametrize("name", list(mate.PRESETS))
def test_games_at_random_in_c_and_cython(in_c, in_cython, name):
    variant = mate.PRESETS[name]
    deal = mate.Deal.random(1, variant.deck)
    margins, steps = in_c.random_games(variant.rules, deal.x.mask, deal.y.mask, 500)
    assert 500 * 2 < steps <= 500 * 22
    assert margins != 0
    margins, steps = in_cython.random_games(deal, 500, name)
    assert 500 * 2 < steps <= 500 * 22
    assert margins != 0


@pytest.mark.parametrize("name", list(mate.PRESETS))
def test_the_first_game_in_c_ends_as_in_python(in_c, name):
    variant = mate.PRESETS[name]
    for seed in range(20):
        deal = mate.Deal.random(seed, variant.deck)
        for leader in (0, 1):
            game = mate.Game(deal, variant, "xy"[leader])
            while not game.is_over:
                game.push(game.legal_actions[0])
            told = in_c.first_game(variant.rules, deal.x.mask, deal.y.mask, leader)
            assert told[:2] == (game.result, len(game.moves))
            assert game.core.key in (told[2] << 64 | told[3], told[3] << 64 | told[2])
    for x, y, leader in ((1, 1, 0), (deal.x.mask, deal.y.mask, 2), (deal.x.mask, deal.y.mask, -1)):
        with pytest.raises(ValueError, match=f"no deal of {variant.deck.n_cards} cards"):
            in_c.first_game(variant.rules, x, y, leader)


@pytest.mark.skipif(shutil.which("g++") is None, reason="no compiler for C++")
def test_the_header_is_cpp_too_without_a_warning(tmp_path):
    (tmp_path / "any.cpp").write_text("#include <matecore.h>\nint main() { return 0; }\n")
    include = [f"-I{matecore.get_include()}", f"-I{sysconfig.get_path('include')}"]
    strict = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    done = subprocess.run(
        ["g++", *strict, *include, "any.cpp"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", ["bga", "capellen", "double", "pieces"])
def test_exact_values_in_c_and_cython(in_c, in_cython, name):
    variant = mate.PRESETS[name]
    solver = matecore.Solver(variant.rules)
    for seed in range(3):
        game = mate.Game(mate.Deal.random(seed, variant.deck), variant)
        expected = matecore.Solver(variant.rules).value(game.core)
        assert in_c.exact_margin(solver, game.core) == expected
        assert in_cython.exact_margin(mate.Deal.random(seed, variant.deck), name) == expected


def test_look_up_in_c_without_the_gil_from_many_threads(in_c):
    deck = mate.Deck("ab", "WXYZ", ("WXYZ", "WXYZ"), (9, 7, 5, 3))
    variant = mate.Variant(deck=deck)
    table = mate.Tablebase.build(variant)
    games = [mate.Game(mate.Deal.random(seed, deck), variant) for seed in range(20)]
    expected = [table.probe(game) for game in games]
    found = {}

    def run(number):
        found[number] = [in_c.look_up(table.core, game.core) for game in games * 20]

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(values == expected * 20 for values in found.values())
    assert len(found) == 8


def test_what_c_is_given_wrongly_is_an_error(in_c):
    rules, other = mate.PRESETS["bga"].rules, object()
    with pytest.raises(ValueError, match="halve"):
        in_c.random_games(rules, 1, 1, 1)
    for call in (
        lambda: in_c.random_games(other, 1, 1, 1),
        lambda: in_c.exact_margin(other, mate.Game("AQ7.A7.TK7.AT").core),
        lambda: in_c.exact_margin(matecore.Solver(rules), None),
        lambda: in_c.look_up(None, None),
        lambda: in_c.play(rules, None, 0),
    ):
        with pytest.raises(TypeError):
            call()


def test_positions_of_other_variants_are_refused(in_c):
    deck = mate.Deck("ab", "WXYZ", ("WXYZ", "WXYZ"), (9, 7, 5, 3))
    small = mate.Variant(deck=deck)
    table, solver = mate.Tablebase.build(small), matecore.Solver(small.rules)
    for variant in mate.PRESETS.values():
        core = mate.Game(mate.Deal.random(1, variant.deck), variant).core
        for call in (
            lambda core=core: in_c.look_up(table.core, core),
            lambda core=core: in_c.exact_margin(solver, core),
            lambda core=core: in_c.perft(small.rules, core, 3),
            lambda core=core: in_c.play(small.rules, core, 0),
        ):
            with pytest.raises(ValueError, match="another variant"):
                call()
    again = mate.Variant(deck=mate.Deck("ab", "WXYZ", ("WXYZ", "WXYZ"), (9, 7, 5, 3)))
    game = mate.Game(mate.Deal.random(1, deck), again)
    assert in_c.look_up(table.core, game.core) == table.probe(game)


def test_c_refuses_what_is_not_legal(in_c):
    game = mate.Game("AQ7.A7.TK7.AT")
    legal = set(game.legal_actions)
    for action in range(-300, 300):
        if action in legal:
            assert in_c.play(game.variant.rules, game.core, action) > 0
        else:
            with pytest.raises(ValueError, match="not legal"):
                in_c.play(game.variant.rules, game.core, action)


def test_a_solver_that_was_stopped_says_so_in_c(in_c):
    game = mate.Game("AQ7.A7.TK7.AT")
    solver = matecore.Solver(game.variant.rules)
    solver.stop()
    with pytest.raises(RuntimeError, match="stopped"):
        in_c.exact_margin(solver, game.core)


# --- Signals -------------------------------------------------------------------------------------

INTERRUPTED = """
import signal, sys
sys.path.insert(0, {folder!r})
import mate, matecore, {module} as outside

variant = mate.Variant.of("capellen,deck=double24")
deals = [mate.Deal.random(seed, variant.deck) for seed in range(2000)]
solver = matecore.Solver(variant.rules)

def stop(number, frame):
    raise TimeoutError

signal.signal(signal.SIGALRM, stop)
signal.setitimer(signal.ITIMER_REAL, 0.2)
try:
    for deal in deals:
        {call}
except TimeoutError:
    print("stopped")
signal.setitimer(signal.ITIMER_REAL, 0)
game = mate.Game(deals[0], variant)
print(solver.value(game.core) == matecore.Solver(variant.rules).value(game.core))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
@pytest.mark.parametrize("which", ["in_c", "in_cython"])
def test_a_signal_in_a_search_is_an_exception_and_nothing_is_spoilt(which, request):
    module = request.getfixturevalue(which)
    calls = {
        "in_c": "outside.exact_margin(solver, mate.Game(deal, variant).core)",
        "in_cython": "outside.exact_margin(deal, variant)",
    }
    folder = str(Path(module.__file__).parent)
    text = INTERRUPTED.format(folder=folder, module=module.__name__, call=calls[which])
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=120)
    assert done.stdout.split() == ["stopped", "True"], done.stderr
