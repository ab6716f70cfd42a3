"""What those who write shards and those who play on executors ask of a plan of self-play."""

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from mate.arrays.rows import Rows
from mate.threads import Progress

if TYPE_CHECKING:
    from mate.arrays.content import Content

AnyRows = TypeVar("AnyRows", bound=Rows)


class Plan(Protocol[AnyRows]):
    """What is played, apart from how much of it."""

    @property
    def content(self) -> "Content[AnyRows]":
        """What files of it hold."""

    def play(
        self,
        first: int,
        count: int,
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> AnyRows:
        """Play the units first .. first + count - 1."""

    def room(self, count: int) -> AnyRows:
        """Return room for what so many units come to."""

    def carried(self) -> "Carried[AnyRows]":
        """Return the plan as it goes to workers."""

    def to_plain(self) -> dict[str, Any]:
        """Return all that tells what is played, fit for JSON."""


class Carried(Protocol[AnyRows]):
    """A plan on its way to workers, pickled; what it needs there is opened when it is asked for."""

    @property
    def plan(self) -> Plan[AnyRows]:
        """The plan."""
