from collections.abc import Iterable

from typing_extensions import disjoint_base

@disjoint_base
class Rules:
    def __new__(
        cls,
        *,
        collection: int = 0,
        court: int = 1,
        chase: int = 1,
        points: Iterable[int] = (1, 3, 1, 3),
        blocked: Iterable[int] = (),
        ace_rule: bool = False,
        restart: bool = True,
    ) -> Rules: ...
    @property
    def arguments(
        self,
    ) -> tuple[int, int, int, tuple[int, ...], tuple[int, ...], bool, bool]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
