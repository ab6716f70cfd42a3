import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

MOST_CHANCE: int
WEIGHT_BITS: int

@disjoint_base
class Policy:
    def __new__(
        cls, kind: int, chance: int = 0, weights: NDArray[np.uint32] | None = None
    ) -> Policy: ...
    @property
    def needs_values(self) -> bool: ...
