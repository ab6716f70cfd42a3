"""Many hands of Court Piece as arrays, a row each."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mate.arrays.rows import Layout, Rows
from mate.court_piece.cards import CARDS, RANKS
from mate.court_piece.deal import Deal
from mate.court_piece.hand import Hand
from mate.court_piece.variant import Variant
from mate.errors import MateError, checked_integer
from matecore import court_piece as core

if TYPE_CHECKING:
    import numpy as np

TRUMPS = {"first_five": core.NAMED, "second_batch": core.TURNED, "longest": core.LONGEST}
NO_RANK = len(RANKS)
ENDS = ("collected", "points", "winner", "court")


def core_of(
    variant: Variant,
    a: int = core.RANDOM,
    b: int = core.RANDOM,
    *,
    seed: int = 0,
    stream: int = 0,
    caller: int = core.IN_TURN,
) -> core.SelfPlay:
    """Return what plays hands of a variant on one thread, or follows those that were played."""
    below = variant.redeal_below
    return core.SelfPlay(
        variant.rules,
        a,
        b,
        seed=seed,
        stream=stream,
        caller=caller,
        trump=TRUMPS[variant.trump],
        redeal_below=NO_RANK if below is None else RANKS.index(below),
    )


def plies_of(variant: Variant) -> int:
    """Return how many moves the longest hand of a variant has: 52 cards, and what is decided."""
    asks = variant.chase == "optional" and not variant.is_double
    return len(CARDS) + (variant.trump == "first_five") + asks


@dataclass(frozen=True, eq=False, repr=False)
class Hands(Rows):
    """Hands that were played, a row each.

    Arguments:
        variant: what was played.
        hands: uint64 of shape (n, 4), what was dealt to each seat, as masks: bit 13 x suit + slot,
            suits S H D C, slots from the ace down to the deuce.
        first_five: uint64 of shape (n,), the caller's first five cards, as a mask.
        turned: int8 of shape (n,), the card that was turned to find the trump, -1 if none was.
        caller: int8 of shape (n,), his seat.
        trump: int8 of shape (n,), the suit.
        moves: int8 of shape (n, plies), the actions by ply, -1 behind the last: a card, 52 + suit
            to name the trump, 56 to stop and 57 to play on at seven tricks to none.
        collected: int8 of shape (n, 2), the tricks of the sides.
        points: int8 of shape (n, 2), what the sides score.
        winner: int8 of shape (n,), the side that wins.
        court: int8 of shape (n,), 1 if it wins by a court, else 0.

    Raises:
        MateError: an array is of another dtype or shape. That the rows are hands is not looked at
            before `check`.

    >>> from mate.court_piece import selfplay
    >>> hands = selfplay(3, seed=1)
    >>> hands, hands.moves.shape, hands[1:].points.shape
    (<Hands of seed: 3>, (3, 53), (2, 2))
    >>> hands.hand(0).points == tuple(hands.points[0].tolist())
    True
    """

    variant: Variant
    hands: "np.ndarray"
    first_five: "np.ndarray"
    turned: "np.ndarray"
    caller: "np.ndarray"
    trump: "np.ndarray"
    moves: "np.ndarray"
    collected: "np.ndarray"
    points: "np.ndarray"
    winner: "np.ndarray"
    court: "np.ndarray"

    one = "hand"
    variants = Variant

    @classmethod
    def layout(cls, variant: Variant, optional: bool = True) -> Layout:
        """Return the arrays of a variant, in the order in which files keep them."""
        return {
            "hands": ("uint64", (4,)),
            "first_five": ("uint64", ()),
            "turned": ("int8", ()),
            "caller": ("int8", ()),
            "trump": ("int8", ()),
            "moves": ("int8", (plies_of(variant),)),
            "collected": ("int8", (2,)),
            "points": ("int8", (2,)),
            "winner": ("int8", ()),
            "court": ("int8", ()),
        }

    def __repr__(self) -> str:
        return f"<Hands of {self.variant.name}: {len(self):,}>"

    # --- Properties ---

    @property
    def plies(self) -> int:
        """The moves of a row, as many as the longest hand has."""
        return plies_of(self.variant)

    @property
    def to_act(self) -> "np.ndarray":
        """Who acts before each move, int8 of shape (n, plies): a seat, -1 behind the last.

        The hands are played again for it, each time it is asked for.

        Raises:
            MateError: a row is no hand; which, and at what ply.
        """
        return self._follow()["to_act"]

    @property
    def n_legal(self) -> "np.ndarray":
        """How many moves there were, int8 of shape (n, plies), 0 behind the last; as `to_act`.

        Raises:
            MateError: a row is no hand; which, and at what ply.
        """
        return self._follow()["n_legal"]

    # --- Queries ---

    def hand(self, row: int) -> Hand:
        """Return a hand, played to its end.

        Arguments:
            row: which, from 0.

        Raises:
            MateError: there is no such row, or it is no hand.
        """
        row = checked_integer("hand", row, 0, len(self) - 1)
        hand = Hand(self._deal(row), self.variant)
        for action in self.moves[row].tolist():
            if action != -1:
                hand.push(action)
        return hand

    def _deal(self, row: int) -> Deal:
        turned, caller = int(self.turned[row]), int(self.caller[row])
        if not (-1 <= turned < len(CARDS) and 0 <= caller < 4):
            raise MateError(f"row {row}: no deal, or another trump")
        card = None if turned == -1 else CARDS[turned]
        masks = self.hands[row].tolist()
        return Deal(masks, (caller - 1) % 4, int(self.first_five[row]), card)

    def check(self) -> None:
        """Play all hands again, and see that they are legal and end as the rows tell.

        Raises:
            MateError: a row is no hand or has ended otherwise.
        """
        import numpy as np

        found = self._follow()
        for name in ENDS:
            told = getattr(self, name)
            differ = np.nonzero(found[name] != told)[0]
            if differ.size:
                row = int(differ[0])
                why = f"{name} is not {told[row].tolist()} but {found[name][row].tolist()}"
                raise MateError(f"hand {row}: {why}")

    def _follow(self) -> dict[str, "np.ndarray"]:
        import numpy as np

        found = {name: np.empty_like(getattr(self, name), order="C") for name in ENDS}
        seen = {name: np.empty(self.moves.shape, dtype=np.int8) for name in ("to_act", "n_legal")}
        given: list[Any] = [a for name, a in self.arrays().items() if name not in ENDS]
        told = [*map(np.ascontiguousarray, given), *found.values(), *seen.values()]
        try:
            core_of(self.variant).follow(*told)
        except core.IllegalRow as error:
            raise MateError(str(error)) from None
        return {**found, **seen}
