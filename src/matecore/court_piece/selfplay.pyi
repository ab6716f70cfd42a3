import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from matecore.court_piece.rules import Rules
from matecore.selfplay import IllegalRow as NoRow

class IllegalRow(NoRow): ...

@disjoint_base
class SelfPlay:
    def __new__(
        cls,
        rules: Rules,
        a: int = 0,
        b: int = 0,
        *,
        seed: int = 0,
        stream: int = 0,
        caller: int = 4,
        trump: int = 0,
        redeal_below: int = 13,
    ) -> SelfPlay: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def plies(self) -> int: ...
    def play(
        self,
        first: int,
        hands: NDArray[np.uint64],
        first_five: NDArray[np.uint64],
        turned: NDArray[np.int8],
        caller: NDArray[np.int8],
        trump: NDArray[np.int8],
        moves: NDArray[np.int8],
        collected: NDArray[np.int8],
        points: NDArray[np.int8],
        winner: NDArray[np.int8],
        court: NDArray[np.int8],
    ) -> None: ...
    def follow(
        self,
        hands: NDArray[np.uint64],
        first_five: NDArray[np.uint64],
        turned: NDArray[np.int8],
        caller: NDArray[np.int8],
        trump: NDArray[np.int8],
        moves: NDArray[np.int8],
        collected: NDArray[np.int8],
        points: NDArray[np.int8],
        winner: NDArray[np.int8],
        court: NDArray[np.int8],
        to_act: NDArray[np.int8] | None = None,
        n_legal: NDArray[np.int8] | None = None,
    ) -> None: ...
