"""Many games as arrays, a row a game."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import matecore
from mate.arrays.rows import Layout, Rows
from mate.deal import Deal
from mate.errors import MateError, checked_integer
from mate.game import Game
from mate.notation import PLAYERS
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np


def plies_of(variant: Variant) -> int:
    """Return how many moves the longest game of a variant has."""
    return 2 * variant.deck.hand_size + 2 * (variant.foreplace is not None)


@dataclass(frozen=True, eq=False, repr=False)
class Games(Rows):
    """Games that were played, a row each; of rounds the two games are next to each other.

    Arguments:
        variant: what was played.
        deal: uint32 of shape (n, 2), the hands of X and Y as masks.
        leader: int8 of shape (n,), who led trick 1, 0 X, 1 Y.
        moves: int8 of shape (n, plies), the actions by ply, -1 behind the last.
        result: int16 of shape (n,), X's margin in points.
        value: int16 of shape (n, plies), the exact margin for the player to act before each move,
            0 behind the last; None if the games are not labelled.
        best: uint64 of shape (n, plies), his best actions as bits: c for card c played, or
            foreplaced where that is decided; 32 + c for card c led and declared; 32 for nothing
            foreplaced. 0 behind the last move; None as `value`.

    Raises:
        MateError: an array is of another dtype or shape, or only one of the labels is there. That
            the rows are games is not looked at before `check`.

    >>> import mate
    >>> games = mate.selfplay(3, seed=1)
    >>> games, games.moves.shape, games[1:].result.shape
    (<Games of bga: 3>, (3, 20), (2,))
    >>> games.game(0).result == int(games.result[0])
    True
    """

    variant: Variant
    deal: "np.ndarray"
    leader: "np.ndarray"
    moves: "np.ndarray"
    result: "np.ndarray"
    value: "np.ndarray | None" = None
    best: "np.ndarray | None" = None

    one = "game"
    variants = Variant
    optional = ("value", "best")

    @classmethod
    def layout(cls, variant: Variant, optional: bool = True) -> Layout:
        """Return the arrays of a variant, in the order in which files keep them."""
        plies = (plies_of(variant),)
        layout: Layout = {
            "deal": ("uint32", (2,)),
            "leader": ("int8", ()),
            "moves": ("int8", plies),
            "result": ("int16", ()),
        }
        return (
            {**layout, "value": ("int16", plies), "best": ("uint64", plies)} if optional else layout
        )

    def __repr__(self) -> str:
        labelled = ", labelled" if self.is_labelled else ""
        return f"<Games of {self.variant.name}: {len(self):,}{labelled}>"

    # --- Properties ---

    @property
    def plies(self) -> int:
        """The moves of a row, as many as the longest game has."""
        return plies_of(self.variant)

    @property
    def is_labelled(self) -> bool:
        """Whether the exact values and best actions are there."""
        return self.value is not None

    @property
    def to_move(self) -> "np.ndarray":
        """Who acts before each move, int8 of shape (n, plies): 0 X, 1 Y, -1 behind the last.

        The games are played again for it, each time it is asked for.

        Raises:
            MateError: a row is no game; which, and at what ply.
        """
        import numpy as np

        to_move = np.empty(self.moves.shape, dtype=np.int8)
        self._follow(to_move)
        return to_move

    @property
    def n_legal(self) -> "np.ndarray":
        """How many moves there were, int8 of shape (n, plies), copies of a card being one.

        0 behind the last move. As `to_move` it is found by playing the games again.

        Raises:
            MateError: a row is no game; which, and at what ply.
        """
        import numpy as np

        n_legal = np.empty(self.moves.shape, dtype=np.int8)
        self._follow(n_legal=n_legal)
        return n_legal

    @property
    def regret(self) -> "np.ndarray":
        """What each move gave away, int32 of shape (n, plies), in points; 0 behind the last.

        As `to_move` it is found by playing the games again.

        Raises:
            MateError: the games are not labelled, or a row is no game.
        """
        import numpy as np

        if self.value is None:
            raise MateError("the games are not labelled; see mate.label")
        to_move = self.to_move
        sign = 1 - 2 * np.maximum(to_move, 0)
        of_x = self.value.astype(np.int32) * sign
        after = np.concatenate([of_x[:, 1:], of_x[:, :1]], axis=1)
        last = np.count_nonzero(to_move >= 0, axis=1) - 1
        after[np.arange(len(self)), last] = self.result
        # Twice the highest margin is no int16.
        return np.where(to_move >= 0, (of_x - after) * sign, 0).astype(np.int32)

    # --- Queries ---

    def game(self, row: int) -> Game:
        """Return a game, played to its end.

        Arguments:
            row: which, from 0.

        Raises:
            MateError: there is no such row, or it is no game.
        """
        row = checked_integer("game", row, 0, len(self) - 1)
        x, y = (int(mask) for mask in self.deal[row])
        leader = int(self.leader[row])
        deal = Deal(x, y, self.variant.deck)
        game = Game(deal, self.variant, PLAYERS[leader] if leader in (0, 1) else str(leader))
        for action in self.moves[row]:
            if action != -1:
                game.push(int(action))
        return game

    def check(self) -> None:
        """Play all games again, and see that they are legal and end with their results.

        Raises:
            MateError: a row is no game or has another result.
        """
        self.refuse_other_results(self._follow())

    def refuse_other_results(self, found: "np.ndarray") -> None:
        """Refuse games whose results are not those that were found by playing them again.

        Raises:
            MateError: a result differs.
        """
        import numpy as np

        differ = np.flatnonzero(found != self.result)
        if differ.size:
            raise MateError(f"game {differ[0]}: its result is not {self.result[differ[0]]}")

    def _follow(
        self, to_move: "np.ndarray | None" = None, n_legal: "np.ndarray | None" = None
    ) -> "np.ndarray":
        import numpy as np

        result = np.empty(len(self), dtype=np.int16)
        policy = matecore.Policy(0)
        core = matecore.SelfPlay(self.variant.rules, policy, policy)
        deal, leader, moves = map(np.ascontiguousarray, (self.deal, self.leader, self.moves))
        try:
            core.follow(deal, leader, moves, result, to_move=to_move, n_legal=n_legal)
        except matecore.IllegalRow as error:
            raise MateError(str(error)) from None
        return result
