"""Stand-in."""
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mate.variant import Variant


@dataclass(frozen=True, eq=False)
class Games:
    variant: Variant
    deal: np.ndarray
    leader: np.ndarray
    moves: np.ndarray
    result: np.ndarray
    value: np.ndarray | None = None
    best: np.ndarray | None = None

    def __len__(self) -> int:
        return len(self.deal)

    @property
    def plies(self) -> int:
        return self.moves.shape[1]

    @classmethod
    def concatenate(cls, parts: "Sequence[Games]") -> "Games":
        def joined(name: str):
            arrays = [getattr(part, name) for part in parts]
            return None if arrays[0] is None else np.concatenate(arrays)

        names = ("deal", "leader", "moves", "result", "value", "best")
        return cls(parts[0].variant, *(joined(name) for name in names))
