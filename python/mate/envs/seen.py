"""What a player sees of a game, whether he is to act or not, and what people do."""

from typing import TYPE_CHECKING

from mate.arrays.encoding import observe
from mate.notation import PLAYERS
from mate.state import State

if TYPE_CHECKING:
    import numpy as np

# Planes that change places between the players: hands, cards foreplaced, decisions on that.
EXCHANGED = (1, 0, 2, 4, 3, 5, 6, 8, 7, 9)


def seen_by(state: State, player: int) -> "np.ndarray":
    """Return what a player sees, uint8 of shape (10, N), his own cards first.

    >>> game = mate.Game("AQ7.A7.TK7.AT")
    >>> (seen_by(game, 0)[0] == seen_by(game, 1)[1]).all().item()
    True
    """
    planes = observe(state)
    return planes if PLAYERS[player] == state.to_move else planes[list(EXCHANGED)]


def mask_of(state: State) -> "np.ndarray":
    """Return which actions are legal, int8 of shape (3N + 1,), as spaces sample by."""
    import numpy as np

    return state.legal_mask().astype(np.int8)


def shown(state: State) -> str:
    """Return the board as plain text.

    >>> print(shown(mate.Game("AQ7.A7.TK7.AT")))
    bga  AQ7.A7.TK7.AT/TK.TKQ.AQ.KQ7 x - 1 -/- -
    Trick 1: X leads.
    ...
    """
    from mate.render.grid import grid
    from mate.render.text import ended, outcome_of, situation

    lines = [f"{state.variant.name}  {state}", situation(state), "", grid(state).plain.rstrip()]
    if state.is_over:
        lines.insert(2, ended(outcome_of(state), state.variant.deck))
    return "\n".join(line.rstrip() for text in lines for line in text.split("\n"))
