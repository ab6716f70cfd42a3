import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from matecore.policy import Policy
from matecore.rules import Rules
from matecore.tablebase import Tablebase
from matecore.vector import Vector

class BadProbabilities(ValueError):
    index: int
    action: int | None
    def __init__(self, index: int, action: int | None = None) -> None: ...

@disjoint_base
class InStep(Vector):
    def __new__(cls, rules: Rules, n: int) -> InStep: ...
    def begin(
        self,
        rows: NDArray[np.int64] | None,
        deals: NDArray[np.uint32],
        leaders: NDArray[np.int8],
        *,
        seed: int = 0,
        stream: int = 0,
        first: int = 0,
        draw: bool = True,
    ) -> None: ...
    def choose(
        self,
        rows: NDArray[np.int64] | None,
        policy: Policy,
        out: NDArray[np.int64],
        tablebase: Tablebase | None = None,
    ) -> None: ...
    def sample(
        self,
        rows: NDArray[np.int64] | None,
        probabilities: NDArray[np.float64],
        out: NDArray[np.int64],
    ) -> None: ...
