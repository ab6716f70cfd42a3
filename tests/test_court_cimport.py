"""The solver of Court Piece in other people's Cython: the example of the book is built and run."""

import random
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from matecore.court_piece import Position, Rules, Solver
from test_court_search import dealt

PAGE = Path(__file__).parents[1] / "docs" / "court_piece_solver.md"


def test_the_example_of_the_book_asks_the_solver(tmp_path, monkeypatch):
    pytest.importorskip("Cython")
    code = re.search(r"```cython\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    (tmp_path / "court_outside.pyx").write_text(f"# cython: language_level=3\n{code}")
    (tmp_path / "setup.py").write_text(
        textwrap.dedent("""
        from Cython.Build import cythonize
        from setuptools import Extension, setup
        modules = [Extension("court_outside", ["court_outside.pyx"], extra_compile_args=["-O0"])]
        setup(name="court_outside", ext_modules=cythonize(modules))
        """)
    )
    build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True, timeout=300)
    monkeypatch.syspath_prepend(tmp_path)
    import court_outside

    rules = Rules()
    position = Position(rules, dealt(random.Random(1)), 0, 2)
    tricks = Solver(rules).tricks(position)
    solver = Solver(rules)
    found = [court_outside.side_0_collects(solver, position, count) for count in range(14)]
    assert found == [count <= tricks for count in range(14)]
    solver.stop()
    with pytest.raises(RuntimeError, match="stopped"):
        court_outside.side_0_collects(solver, position, 7)
