"""Foreplacing: cards put out of play before the first lead, and what that makes a mate worth."""

from dataclasses import dataclass

from mate.errors import refuse

MAX_WEIGHT = 32767
Weights = tuple[tuple[int, ...], ...]


# --- Weights ---


def plain_weights(size: int) -> tuple[int, ...]:
    return tuple(range(1, size + 1))


def _one_more(size: int) -> tuple[int, ...]:
    return tuple(range(2, size + 2))


def _capellen(size: int) -> Weights:
    overmate = (*_one_more(size)[:-1], 2 * (size + 1))
    return plain_weights(size), _one_more(size), overmate, plain_weights(size)


def _tempos(size: int) -> Weights:
    doubled = tuple(2 * weight for weight in _one_more(size))
    return plain_weights(size), _one_more(size), doubled, plain_weights(size)


def _pieces(size: int) -> Weights:
    # The last trick of a sole foreplacer's game counts as the trick it would have been.
    late = (*plain_weights(size)[:-2], size, size)
    return plain_weights(size), _one_more(size), tuple(2 * weight for weight in late), late


RULE_SETS = {"capellen": _capellen, "tempos": _tempos, "pieces": _pieces}


# --- Foreplacing ---


@dataclass(frozen=True)
class Foreplacing:
    """How cards are put out of play before the first lead (section 5).

    Arguments:
        weights: "capellen", "tempos" or "pieces"; or four rows (nobody foreplaced, both, only the
            mater, only the mated) of weights by trick from 1, as many as a hand has cards.
        second_alone: may the second player foreplace when the first declined.
        second_differs: the second card must differ from the first in suit and in rank.
        last_card_twice: a sole foreplacer plays his last card on the last two tricks.

    Raises:
        VariantError: a field is not of its kind.

    >>> Foreplacing("tempos").rows(10)[2]
    (4, 6, 8, 10, 12, 14, 16, 18, 20, 22)
    """

    weights: str | Weights
    second_alone: bool = False
    second_differs: bool = False
    last_card_twice: bool = False

    def __post_init__(self) -> None:
        for name in ("second_alone", "second_differs", "last_card_twice"):
            value = getattr(self, name)
            refuse(type(value) is not bool, f"foreplace.{name}", value, "must be True or False")
        named = isinstance(self.weights, str)
        known = self.weights in RULE_SETS if named else self._is_table()
        why = f"must be one of {', '.join(RULE_SETS)}, or four rows of integers of 0 or more"
        refuse(not known, "foreplace.weights", self.weights, why)

    def _is_table(self) -> bool:
        rows = self.weights
        tuples = isinstance(rows, tuple) and all(isinstance(row, tuple) for row in rows)
        if not tuples or len(rows) != 4:
            return False
        weights = [weight for row in rows for weight in row]
        return all(type(weight) is int and 0 <= weight <= MAX_WEIGHT for weight in weights)

    def rows(self, hand_size: int) -> Weights:
        """Return the four rows of weights for hands of so many cards."""
        return RULE_SETS[self.weights](hand_size) if isinstance(self.weights, str) else self.weights
