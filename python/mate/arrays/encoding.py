"""What a player sees, as an array, and back (docs/training.md)."""

from typing import TYPE_CHECKING, Any, TypeVar

import matecore
from mate.errors import MateError, excerpt
from mate.notation import PLAYERS
from mate.position import Position
from mate.state import State
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

Part = TypeVar("Part")

# The planes by number; the core writes them (matecore/observation.pxd).
OWN_HAND, OTHER_HAND, LED, OWN_FOREPLACED, OTHER_FOREPLACED = range(5)
DECLARES, FREE_MOVE, OWN_UNDECIDED, OTHER_UNDECIDED, TRICK = range(5, 10)

NAMES = (
    "own hand",
    "other's hand",
    "card led",
    "own card foreplaced",
    "other's card foreplaced",
    "privilege declared",
    "free move",
    "own decision on foreplacing",
    "other's decision on foreplacing",
    "trick",
)


def observe(game: State) -> "np.ndarray":
    """Return what the player to act sees.

    Arguments:
        game: a game or position.

    Returns:
        uint8 of shape (planes, N), ones and zeros; N: cards in the deck.

    Raises:
        MateError: it is neither.

    >>> planes = observe(mate.Game("ATK.Q7.A.TKQ7"))
    >>> planes.shape, planes[0].nonzero()[0].tolist()
    ((10, 20), [0, 1, 2, 8, 9, 10, 16, 17, 18, 19])
    """
    import numpy as np

    if not isinstance(game, State):
        raise MateError(f"{excerpt(game)} is no game and no position")
    planes = np.empty((matecore.PLANES, game.variant.deck.n_cards), dtype=np.uint8)
    game.core.observe(planes)
    return planes


def decode(
    observation: "np.ndarray", variant: "Variant | str" = "bga", to_move: str = "x"
) -> Position:
    """Return the position that a player sees so.

    Arguments:
        observation: uint8 of shape (planes, N), as `observe` returns it.
        variant: the variant or its text.
        to_move: who the player to act is, "x" or "y"; no observation tells.

    Raises:
        MateError: the array has another shape or dtype, or is no observation.
        VariantError: there is no such variant.

    >>> game = mate.Game("ATK.Q7.A.TKQ7")
    >>> game.push("Kc")
    >>> decode(observe(game), "bga", "y") == game.position
    True
    """
    variant = Variant.of(variant)
    if not isinstance(to_move, str) or to_move not in ("x", "y"):
        raise MateError(f"to_move {excerpt(to_move)}: x or y")
    _check(observation, variant)
    try:
        return Position(_core_of(observation, variant, PLAYERS.index(to_move)), variant)
    except matecore.InvalidPosition as error:
        raise MateError(f"no position of {variant.name} is seen so: {error}") from None


def _core_of(planes: "np.ndarray", variant: Variant, player: int) -> matecore.Position:
    x, y = _by_player(player, _mask(planes[OWN_HAND]), _mask(planes[OTHER_HAND]))
    cards = _card(planes, OWN_FOREPLACED), _card(planes, OTHER_FOREPLACED)
    waits = _flag(planes, OWN_UNDECIDED), _flag(planes, OTHER_UNDECIDED)
    return matecore.Position(
        variant.rules,
        x,
        y,
        player,
        _card(planes, LED),
        declared=_flag(planes, DECLARES),
        trick=int(planes[TRICK].argmax()) + 1,
        free=_flag(planes, FREE_MOVE),
        foreplaced=_by_player(player, *cards),
        undecided=_by_player(player, *waits),
    )


def _by_player(player: int, own: Part, other: Part) -> tuple[Part, Part]:
    return (other, own) if player else (own, other)


def _mask(plane: "np.ndarray") -> int:
    return sum(1 << int(card) for card in plane.nonzero()[0])


def _card(planes: "np.ndarray", number: int) -> int | None:
    return int(planes[number].argmax()) if planes[number].any() else None


def _flag(planes: "np.ndarray", number: int) -> bool:
    return bool(planes[number, 0])


# --- Checks --------------------------------------------------------------------------------------


def _check(planes: Any, variant: Variant) -> None:
    import numpy as np

    shape = matecore.PLANES, variant.deck.n_cards
    if not isinstance(planes, np.ndarray) or planes.dtype != np.uint8 or planes.shape != shape:
        is_array = isinstance(planes, np.ndarray)
        found = f"{planes.dtype} of shape {planes.shape}" if is_array else excerpt(planes)
        raise MateError(f"observation: expected uint8 of shape {shape}, found {found}")
    if (planes > 1).any():
        raise MateError("observation: a number that is neither 0 nor 1")
    _check_counts(planes)
    _check_agreement(planes)


def _check_counts(planes: "np.ndarray") -> None:
    ones = planes.sum(axis=1, dtype=int).tolist()
    n_cards = planes.shape[1]
    for number in (LED, OWN_FOREPLACED, OTHER_FOREPLACED):
        _refuse(ones[number] > 1, number, f"{ones[number]} cards")
    for number in (DECLARES, FREE_MOVE, OWN_UNDECIDED, OTHER_UNDECIDED):
        _refuse(ones[number] not in (0, n_cards), number, "neither all ones nor all zeros")
    _refuse(ones[TRICK] != 1, TRICK, f"{ones[TRICK]} ones, not a single one")


def _check_agreement(planes: "np.ndarray") -> None:
    _refuse(planes[DECLARES].any() > planes[LED].any(), DECLARES, "but nothing is led")
    for card, waits in ((OWN_FOREPLACED, OWN_UNDECIDED), (OTHER_FOREPLACED, OTHER_UNDECIDED)):
        both = bool(planes[card].any() and planes[waits].any())
        _refuse(both, waits, "still to be made, but a card is foreplaced")


def _refuse(wrong: bool, number: int, why: str) -> None:
    if wrong:
        raise MateError(f"observation, plane {number} ({NAMES[number]}): {why}")
