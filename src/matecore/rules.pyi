from collections.abc import Iterable, Sequence
from typing import Any

from typing_extensions import disjoint_base

@disjoint_base
class Rules:
    def __new__(
        cls,
        suits: Sequence[int],
        ranks: Sequence[int],
        points: Sequence[int],
        *,
        privileged: Iterable[int] = (),
        privilege_declared: bool = False,
        free_move: bool = False,
        foreplace: bool = False,
        second_alone: bool = False,
        second_differs: bool = False,
        last_card_twice: bool = False,
        weights: Iterable[Iterable[int]] | None = None,
    ) -> Rules: ...
    @property
    def arguments(self) -> tuple[Any, ...]: ...
    @property
    def n_cards(self) -> int: ...
    @property
    def hand_size(self) -> int: ...
    @property
    def n_actions(self) -> int: ...
    @property
    def margins(self) -> list[int]: ...
    def last_card_stays(self, foreplaced: bool, other_foreplaced: bool, trick: int) -> bool: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
