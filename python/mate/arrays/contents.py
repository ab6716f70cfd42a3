"""What the shards of Mate hold: games."""

from typing import Any, ClassVar

from mate.arrays.content import Column, Content
from mate.arrays.games import Games
from mate.arrays.tally import Tally
from mate.errors import ShardError, excerpt


class GameContent(Content[Games]):
    """Games, or the two games of each round."""

    format = "mate-selfplay"
    name = "games"
    kind = Games
    tally = Tally
    told: ClassVar[dict[str, type]] = {"variant": dict, "unit": str, "labels": bool}
    columns = (
        Column("x", "deal", 0),
        Column("y", "deal", 1),
        Column("leader", "leader", compressed=True),
        Column("result", "result", compressed=True),
        Column("moves", "moves", as_bytes=True),
        Column("value", "value", compressed=True),
        Column("best", "best", compressed=True),
    )

    def rows_a_unit(self, head: dict[str, Any]) -> int:
        """Return how many games a unit is."""
        return 2 if head["unit"] == "round" else 1

    def refuse_head(self, head: dict[str, Any], path: str) -> None:
        """Refuse a head that cannot be one of games.

        Raises:
            ShardError: a field is missing, of another kind, or out of range.
        """
        super().refuse_head(head, path)
        if head["unit"] not in ("game", "round"):
            raise ShardError(path, f"unit {excerpt(head['unit'])}: game or round")


GAMES = GameContent()
