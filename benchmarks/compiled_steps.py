"""Steps a second of modules compiled outside of the package: rows for steps.py.

The two examples are built in a folder of their own. Counting sequences (perft) is the same loop in
the kernel and in C, so that their ratio tells what the interface costs.
"""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import mate
from report import median_seconds

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
DEAL = "AQ7.A7.TK7.AT"
GAMES, DEPTH = 200_000, 12


def built(folder: str, name: str) -> ModuleType:
    """Return an example's module, built and loaded."""
    with tempfile.TemporaryDirectory() as place:
        made = shutil.copytree(EXAMPLES / folder, Path(place) / folder)
        build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        done = subprocess.run(build, cwd=made, capture_output=True, text=True)
        if done.returncode:
            raise ImportError(f"{folder}: {done.stderr.strip().splitlines()[-1:]}")
        [path] = [file for file in made.iterdir() if file.suffix in (".so", ".pyd")]
        spec = spec_from_file_location(name, path)
        assert spec is not None
        assert spec.loader is not None
        module = module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def row(interface: str, steps: int, work: Callable[[], object], runs: int) -> dict[str, object]:
    """Return the row of so many steps."""
    return {
        "interface": interface,
        "games": 1,
        "seen": "",
        "steps/s": steps / median_seconds(work, runs),
    }


def rows(runs: int) -> Iterator[dict[str, object]]:
    """Yield the rows of the C interface, of a loop in Cython, and of the kernel itself."""
    in_c, in_cython = built("c_extension", "randommate"), built("cython_engine", "playout")
    game = mate.Game(DEAL)
    rules, x, y = game.variant.rules, game.x.mask, game.y.mask
    _, steps = in_c.random_games(rules, x, y, GAMES)
    yield row("C interface, random", steps, lambda: in_c.random_games(rules, x, y, GAMES), runs)
    _, steps = in_cython.random_games(DEAL, GAMES)
    yield row("Cython loop, random", steps, lambda: in_cython.random_games(DEAL, GAMES), runs)
    leaves = game.perft(DEPTH)
    c, core = in_c.perft, game.core
    yield row("C interface, perft", leaves, lambda: c(rules, core, DEPTH), runs)
    yield row("kernel, perft", leaves, lambda: game.perft(DEPTH), runs)
