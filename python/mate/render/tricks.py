"""The tricks of a game, as they lie on the table."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from mate.game import Game


@dataclass(frozen=True)
class Trick:
    """One lead, and the reply to it if there was one.

    Attributes:
        number: of the trick, from 1.
        leader: "x" or "y".
        lead: the card led, by its index in the deck.
        declared: the lead declared its privilege.
        reply: the card that answered, None where none did.
        free: the reply spent the free move.
        winner: who took the trick; None while it is not answered.
    """

    number: int
    leader: str
    lead: int
    declared: bool = False
    reply: int | None = None
    free: bool = False
    winner: str | None = None

    @property
    def follower(self) -> str:
        """Who was to reply."""
        return "y" if self.leader == "x" else "x"


def tricks_of(game: Game) -> list[Trick]:
    """Return the tricks of a game that its moves show, the last perhaps not answered.

    >>> import mate
    >>> game = mate.Game("AQ7.A7.TK7.AT")
    >>> for move in ("7c", "Tc", "Kd"):
    ...     game.push(move)
    >>> [(trick.leader, trick.lead, trick.reply, trick.winner) for trick in tricks_of(game)]
    [('x', 4, 1, 'y'), ('y', 17, None, None)]
    """
    replay = game.root()
    found = [*_unanswered(replay)]
    for action in game.actions:
        free, answers = replay.free, replay.led
        replay.push(action)
        if answers:
            spent = free and not replay.free
            found[-1] = replace(found[-1], reply=action, free=spent, winner=replay.leader)
        else:
            found += _unanswered(replay)  # none, if a card was foreplaced
    return found


def _unanswered(state: Game) -> Iterator[Trick]:
    core = state.core
    if core.led is not None:
        yield Trick(state.trick, state.leader, core.led, core.declared)
