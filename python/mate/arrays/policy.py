"""The policies of `mate.players` that the compiled core plays by itself."""

from functools import lru_cache
from typing import TYPE_CHECKING

import matecore
from mate.errors import MateError, excerpt
from mate.players import Epsilon, Greedy, Optimal, Player, Softmax
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

KNOWN = "random, greedy, optimal, epsilon:p or softmax:t"
NAMES = ("random", "greedy", "optimal", "epsilon", "softmax")
RANDOM, GREEDY, OPTIMAL, EPSILON, SOFTMAX = range(5)
PLAIN: dict[type, int] = {Player: RANDOM, Greedy: GREEDY, Optimal: OPTIMAL}
# Behind so many temperatures a weight is 0.
NEGLIGIBLE = 17


def compiled(text: object, variant: Variant) -> matecore.Policy:
    """Return the policy that a text names.

    Arguments:
        text: as of `mate.Player.of`: `random`, `greedy`, `optimal`, `epsilon:p`, `softmax:t`.
        variant: what is played.

    Raises:
        MateError: the text names no such policy, or the number does not fit.
    """
    if not isinstance(text, str) or text.partition(":")[0] not in NAMES:
        raise MateError(f"policy {excerpt(text)}: expected {KNOWN}")
    player = Player.of(text)
    if isinstance(player, Epsilon):
        return matecore.Policy(EPSILON, chance=round(player.chance * matecore.policy.MOST_CHANCE))
    if isinstance(player, Softmax):
        span = 2 * variant.rules.margins[-1]
        return matecore.Policy(SOFTMAX, weights=_weights(player.temperature, span))
    return matecore.Policy(PLAIN[type(player)])


# In decimals, rounded the same on every machine.
@lru_cache(maxsize=16)
def _weights(temperature: float, span: int) -> "np.ndarray":
    import decimal

    import numpy as np

    one = 1 << matecore.policy.WEIGHT_BITS
    found = []
    with decimal.localcontext(decimal.Context(prec=30)):
        for less in range(span + 1):
            if less > NEGLIGIBLE * temperature:
                break
            weight = int((-decimal.Decimal(less) / decimal.Decimal(temperature)).exp() * one)
            found.append(min(weight, one - 1) if less else one)  # below 1, if by less than shows
    return np.array(found, dtype=np.uint32)
