"""Who plays against a single agent: a player, by name or not, or a function."""

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from mate.arrays.encoding import observe
from mate.errors import MateError, excerpt
from mate.game import Game
from mate.players import Player

if TYPE_CHECKING:
    import numpy as np


class Opponent:
    """The other player of a single-agent environment.

    Arguments:
        who: a text as of `mate.Player.of`, a `mate.Player`, or a function as of `mate.selfplay`,
            called with one row (docs/training.md).

    Raises:
        MateError: it is none of these.
    """

    def __init__(self, who: Any):
        # A player of its own: environments that share one would disturb its chances.
        self._who: Any = Player.of(who) if isinstance(who, str) else _own(who)
        if not isinstance(self._who, Player) and not callable(self._who):
            raise MateError(f"opponent {excerpt(who)}: a text, a Player or a function")

    def seed(self, seed: int) -> None:
        """Begin the chances of a player anew."""
        chances = getattr(self._who, "random", None)
        if isinstance(self._who, Player) and chances is not None:
            chances.seed(seed)

    def play(self, game: Game, rng: "np.random.Generator") -> None:
        """Play the move of who is to act.

        Raises:
            MateError: what was chosen is no legal move.
        """
        if isinstance(self._who, Player):
            game.push(self._who.choose(game))
        else:
            game.push(self._asked(game, rng))

    def _asked(self, game: Game, rng: "np.random.Generator") -> int:
        import numpy as np

        legal = game.legal_mask()[None]
        try:
            answer = np.asarray(self._who(observe(game)[None], legal.copy()))
        except (TypeError, ValueError) as error:
            raise MateError(f"opponent: {error}") from None
        if answer.dtype.kind in "iu" and answer.shape == (1,):
            return int(answer[0])
        if answer.dtype.kind == "f" and answer.shape == legal.shape:
            return _drawn(answer[0].astype(np.float64), legal[0], rng)
        raise MateError(
            "opponent: expected an action, integers of shape (1,), or probabilities, floats of "
            f"shape {legal.shape}; found {answer.dtype} of shape {answer.shape}"
        )


def _own(who: Any) -> Any:
    return deepcopy(who) if isinstance(who, Player) else who


def _drawn(weights: "np.ndarray", legal: "np.ndarray", rng: "np.random.Generator") -> int:
    import numpy as np

    total = weights.sum()
    if not (np.isfinite(total) and total > 0 and (weights >= 0).all()) or weights[~legal].any():
        raise MateError("opponent: no probabilities of legal actions")
    return int(rng.choice(len(weights), p=weights / total))
