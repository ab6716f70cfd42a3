"""The book: it builds without a warning, names all that is public, and its links lead somewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import mate
import mate.court_piece
import matecore
from mate.cli import COMMANDS

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
REFERENCE = "\n".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*"))
LINK = re.compile(r"\]\(([^)\s#]*)(?:#([^)\s]+))?\)")


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """Where Sphinx puts the pages, once it has made them."""
    pytest.importorskip("sphinx")
    pytest.importorskip("furo")
    pytest.importorskip("myst_parser")
    out = tmp_path_factory.mktemp("book")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", "-d", out / "doctrees"]
    done = subprocess.run(
        [*command, DOCS, out / "html"], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return out / "html"


def test_the_book_is_built_without_a_warning(book):
    assert (book / "tutorial.html").exists()
    for page in PAGES:
        assert (book / page.relative_to(DOCS).with_suffix(".html")).exists()


@pytest.mark.parametrize(
    "package", [mate, mate.court_piece, matecore], ids=lambda package: package.__name__
)
def test_every_public_name_is_in_the_reference(package, book):
    html = "\n".join(page.read_text(encoding="utf-8") for page in (book / "reference").glob("*"))
    told = set(re.findall(r'id="((?:mate|matecore)\.[\w.]+)"', html))
    for name in package.__all__:
        # An error of the face stands where it is defined.
        assert {f"{package.__name__}.{name}", f"{package.__name__}.errors.{name}"} & told, name


def test_the_reference_tells_of_nothing_else():
    for kind, name in re.findall(r"^\.\. (auto\w+|data):: (\S+)$", REFERENCE, re.MULTILINE):
        if kind == "data":
            module, _, attribute = name.rpartition(".")
            assert hasattr(sys.modules[module], attribute)
    assert len(re.findall(r"^\.\. auto", REFERENCE, re.MULTILINE)) > 60


def test_every_command_has_its_help(book):
    html = (book / "reference" / "command.html").read_text(encoding="utf-8")
    for command in COMMANDS:
        assert f'id="mate-{command}"' in html
    assert "mate tablebase build" in html
    assert "mate court solve" in html


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for target, anchor in LINK.findall(text):
        if "://" in target:
            continue
        found = (page.parent / target).resolve() if target else page
        assert found.exists(), target
        if anchor:
            assert anchor in anchors(found), f"{target}#{anchor}"


def anchors(page):
    """The anchors that GitHub, and MyST after it, give to headings."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
