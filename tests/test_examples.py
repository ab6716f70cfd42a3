"""The examples run and do what they say."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*.py"))


def load(name):
    """An example as a module."""
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_tiny_trainer_learns():
    trainer = load("tiny_trainer")
    regrets = [regret for _, regret in trainer.train(rounds=4, games=400, hidden=64, epochs=3)]
    assert regrets[0] > 20  # as at random
    assert regrets[-1] < 0.85 * regrets[0]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_programs_tell_how_they_are_used(program):
    done = subprocess.run(
        [sys.executable, program, "--help"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("usage:")


def test_the_tiny_trainer_prints_a_table():
    program = [sys.executable, EXAMPLES / "tiny_trainer.py", "--rounds", "2", "--games", "50"]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert [line.split()[0] for line in done.stdout.splitlines()] == ["round", "1", "2"]
