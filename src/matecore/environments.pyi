import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from matecore.policy import Policy
from matecore.position import Position
from matecore.rules import Rules
from matecore.tablebase import Tablebase

@disjoint_base
class Environments:
    def __new__(
        cls,
        rules: Rules,
        n: int,
        observations: NDArray[np.uint8] | None,
        masks: NDArray[np.uint8] | None,
        rewards: NDArray[np.int16],
        dones: NDArray[np.uint8],
        to_move: NDArray[np.int8],
        final: NDArray[np.uint8] | None = None,
        *,
        leader: int = 2,
        policy: Policy | None = None,
        seat: int = 2,
        deals: NDArray[np.uint32] | None = None,
        tablebase: Tablebase | None = None,
    ) -> Environments: ...
    def __len__(self) -> int: ...
    def position(self, row: int) -> Position: ...
    def numbers(self, out: NDArray[np.uint64]) -> None: ...
    def begin(self, *, seed: int = 0, first: int = 0) -> None: ...
    def step(self, actions: NDArray[np.int64]) -> None: ...
