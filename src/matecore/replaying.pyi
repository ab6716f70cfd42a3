import numpy as np
from numpy.typing import NDArray

from matecore.rules import Rules

def replay(
    rules: Rules,
    deals: NDArray[np.uint32],
    leaders: NDArray[np.int8],
    moves: NDArray[np.int8],
    observations: NDArray[np.uint8],
    legal: NDArray[np.uint8],
    to_move: NDArray[np.int8],
) -> None: ...
