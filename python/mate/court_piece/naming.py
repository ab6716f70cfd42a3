"""What the trump tells of the hand of the caller who named it.

The model: of his first five cards, which are any five of his thirteen, a caller names the longest
suit, of equally long ones that with the higher cards; but once in ten times he names any of the
four. A hand is accepted as often as its caller would have named the trump that he did: hands that
are drawn at random and accepted so are distributed as the model says.
"""

import random

from mate.court_piece.cards import INDEX, RANKS, SUITS, longest_suit
from mate.court_piece.view import View

FIRST = 5  # cards that the caller names the trump from
FREAK = 0.1  # how often he names any suit


def is_telling(view: View) -> bool:
    """Return whether the trump, or that the deal was kept, tells anything of the caller's hand."""
    longest = view.variant.trump == "longest"
    return longest or _named(view) is not None or view.variant.redeal_below is not None


def calls_so(hand: int, view: View, chances: random.Random) -> bool:
    """Return by chance whether a caller who was dealt this hand calls as the caller did.

    Arguments:
        hand: the thirteen cards, a mask.
        view: of a seat when the trump is known.
    """
    cards = [card for card in INDEX.values() if hand >> card & 1]
    if view.variant.trump == "longest" and longest_suit(cards) != view.trump:
        return False
    if view.turned is not None:
        # It came after the first five.
        cards.remove(INDEX[view.turned])
    five = chances.sample(cards, FIRST)
    return _is_kept(five, view.variant.redeal_below) and _is_named(five, _named(view), chances)


# The trump that the caller named himself.
def _named(view: View) -> str | None:
    return view.moves[0] if view.moves and view.moves[0] in SUITS else None


# Section 2, `redeal_below`.
def _is_kept(five: list[int], rank: str | None) -> bool:
    return rank is None or any(card % len(RANKS) <= RANKS.index(rank) for card in five)


def _is_named(five: list[int], trump: str | None, chances: random.Random) -> bool:
    if trump is None:
        return True
    if chances.random() < FREAK:
        return chances.choice(SUITS) == trump
    return longest_suit(five) == trump
