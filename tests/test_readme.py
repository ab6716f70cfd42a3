"""The snippets of README.md and the pages run and print what stands there; so do docstrings."""

import doctest
import importlib
import json
import os
import pkgutil
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import mate
import matecore

README = Path(__file__).parents[1] / "README.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
DOCS = sorted((README.parent / "docs").rglob("*.md"))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ ((?:mate|echo|printf) .*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
# Of extras, by page.
NEEDED = {"environments.md": ("gymnasium", "pettingzoo", "pyspiel")}
# Pages whose commands are run too.
RUN = (README, README.parent / "docs" / "court_piece.md")
BLOCKS = [block for page in RUN for block in BLOCK.findall(page.read_text(encoding="utf-8"))]
COMMANDS = [found for block in BLOCKS for found in COMMAND.findall(block)]


@pytest.mark.parametrize("page", [README, *DOCS], ids=lambda page: page.name)
def test_python_snippets(page, tmp_path, monkeypatch):
    for package in NEEDED.get(page.name, ()):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(
        str(page), module_relative=False, optionflags=FLAGS, encoding="utf-8"
    )
    assert tried > 15 or page != README
    assert failed == 0


@pytest.mark.skipif(os.name != "posix", reason="the snippets are for a POSIX shell")
@pytest.mark.parametrize(("command", "expected"), COMMANDS, ids=[text for text, _ in COMMANDS])
def test_console_snippets(command, expected):
    here = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": here + os.pathsep + os.environ["PATH"], "COLUMNS": "80"}
    done = subprocess.run(
        ["sh", "-c", command + " 2>&1"], env=environment, capture_output=True, text=True, timeout=60
    )
    checker = doctest.OutputChecker()
    assert checker.check_output(expected, done.stdout, FLAGS), done.stdout


def test_the_json_variant_of_the_documents():
    text = (README.parent / "docs" / "notation.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```json\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    variant = mate.Variant.from_plain(json.loads(block))
    assert (variant.name, variant.deck.n_cards) == ("mine", 12)
    assert variant.foreplace.second_alone


def test_the_snippets_are_found():
    assert len(COMMANDS) >= 3
    assert all(len(expected) > 20 for _, expected in COMMANDS)
    assert all("mate" in shlex.split(command) for command, _ in COMMANDS)


def modules():
    for package in (matecore, mate):
        yield package.__name__
        for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
            if not module.name.endswith("__main__"):
                yield module.name


@pytest.mark.parametrize("name", list(modules()))
def test_docstring_examples(name):
    try:
        module = importlib.import_module(name)
    except mate.MateError as error:  # an extra is not installed
        assert name.startswith("mate.envs.")
        pytest.skip(str(error))
    finder = doctest.DocTestFinder(exclude_empty=True)
    globs = {"mate": mate, "matecore": matecore, **vars(module)}
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    for test in finder.find(module, name, globs=globs):
        runner.run(test)
    assert runner.failures == 0


def test_no_docstring_example_is_left_out():
    roots = {"matecore": README.parent / "src", "mate": README.parent / "python"}
    for name in modules():
        stem = roots[name.partition(".")[0]].joinpath(*name.split("."))
        files = stem.with_suffix(".pyx"), stem.with_suffix(".py"), stem / "__init__.py"
        source = next(file for file in files if file.exists()).read_text(encoding="utf-8")
        found = doctest.DocTestFinder().find(importlib.import_module(name), name)
        examples = sum(len(test.examples) for test in found)
        assert examples >= len(re.findall(r"^\s*>>> ", source, re.MULTILINE)), name
