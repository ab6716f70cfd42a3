"""Whole deals of Court Piece against another program: what DDS found is in tests/data.

Endings cannot show every cut that is not sound: some need long suits and many small cards.
"""

import json
from pathlib import Path

import pytest

from matecore.court_piece import Position, Rules, Solver
from test_court_search import from_pbn

DEALS = json.loads((Path(__file__).parent / "data" / "court_values.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def solver():
    """One for all deals: what is learnt of one must do no harm to another."""
    return Solver(Rules())


def position_of(deal):
    leader, trump = "NESW".index(deal["leader"]), "SHDCN".index(deal["trump"])
    return Position(Rules(), from_pbn(deal["deal"]), leader, trump)


@pytest.mark.parametrize("deal", DEALS, ids=range(len(DEALS)))
def test_whole_deals_bring_what_another_solver_says(deal, solver):
    assert solver.tricks(position_of(deal)) == max(deal["tricks"])


@pytest.mark.parametrize("deal", DEALS[:5], ids=range(5))
def test_so_does_every_lead_whatever_is_asked_first(deal):
    position, best = position_of(deal), max(deal["tricks"])
    solver = Solver(Rules())
    assert not solver.at_least(position, best + 1)
    assert solver.at_least(position, best)
    assert [value for _, value in solver.values(position)] == deal["tricks"]
