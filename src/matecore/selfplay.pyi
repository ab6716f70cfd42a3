import numpy as np
from numpy.typing import NDArray
from typing_extensions import disjoint_base

from matecore.policy import Policy
from matecore.rules import Rules
from matecore.tablebase import Tablebase

class IllegalRow(ValueError):
    row: int
    ply: int | None
    def __init__(self, row: int, ply: int | None = None) -> None: ...

@disjoint_base
class SelfPlay:
    def __new__(
        cls,
        rules: Rules,
        x: Policy,
        y: Policy,
        *,
        seed: int = 0,
        stream: int = 0,
        leader: int = ...,
        rounds: bool = False,
        loser_leads: bool = False,
        tablebase: Tablebase | None = None,
        labels: bool = False,
    ) -> SelfPlay: ...
    @property
    def rules(self) -> Rules: ...
    @property
    def x(self) -> Policy: ...
    @property
    def y(self) -> Policy: ...
    @property
    def tablebase(self) -> Tablebase | None: ...
    @property
    def plies(self) -> int: ...
    def play(
        self,
        first: int,
        deals: NDArray[np.uint32],
        leaders: NDArray[np.int8],
        moves: NDArray[np.int8],
        results: NDArray[np.int16],
        values: NDArray[np.int16] | None = None,
        best: NDArray[np.uint64] | None = None,
        *,
        draw: bool = True,
    ) -> None: ...
    def follow(
        self,
        deals: NDArray[np.uint32],
        leaders: NDArray[np.int8],
        moves: NDArray[np.int8],
        results: NDArray[np.int16],
        values: NDArray[np.int16] | None = None,
        best: NDArray[np.uint64] | None = None,
        to_move: NDArray[np.int8] | None = None,
        n_legal: NDArray[np.int8] | None = None,
    ) -> None: ...
