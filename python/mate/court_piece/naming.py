"""What the trump tells of the hand of the caller who named it.

The model: of his first five cards, which are any five of his thirteen, a caller names the longest
suit, of equally long ones that with the higher cards; but once in ten times he names any of the
four. A hand is accepted as often as its caller would have named the trump that he did: hands that
are drawn at random and accepted so are distributed as the model says.
"""

import random

from mate.court_piece.cards import INDEX, RANKS, SUITS, Cards, longest_suit
from mate.court_piece.view import View

FIRST = 5  # cards that the caller names the trump from
FREAK = 0.1  # how often he names any suit


def calls_so(hand: Cards, view: View, chances: random.Random) -> bool:
    """Return by chance whether a caller who was dealt this hand calls as the caller did.

    Arguments:
        hand: the thirteen cards.
        view: of a seat when the trump is known.
    """
    if view.variant.trump == "longest":
        return longest_suit(hand) == view.trump
    # The turned card is not among the first five.
    cards = [INDEX[card] for card in hand if card != view.turned]
    five = chances.sample(cards, FIRST)
    return _is_kept(five, view.variant.redeal_below) and _is_named(five, view, chances)


# Section 2, `redeal_below`.
def _is_kept(five: list[int], rank: str | None) -> bool:
    return rank is None or any(card % len(RANKS) <= RANKS.index(rank) for card in five)


def _is_named(five: list[int], view: View, chances: random.Random) -> bool:
    return not view.moves[:1] or view.moves[0] not in SUITS or named(five, chances) == view.moves[0]


def named(five: list[int], chances: random.Random) -> str:
    """Return the suit that a caller names from five cards, after the model."""
    if chances.random() < FREAK:
        return chances.choice(SUITS)
    return longest_suit(Cards(sum(1 << card for card in five)))
