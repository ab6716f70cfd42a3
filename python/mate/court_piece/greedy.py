"""The rules of thumb of a sensible player: win cheaply, lead winners, keep trumps.

They are those of the policy `greedy` of self-play (docs/court_piece_selfplay.md). Cards are those
of the core: 13 x suit + slot, of which the lower slot is the higher card; sets of cards are masks.
"""

from collections.abc import Sequence

SUIT = 0x1FFF  # the mask of the first suit


def led(legal: Sequence[int], unseen: int, trump: int) -> int:
    """Return the card to lead.

    That is a plain card which nobody can beat in its suit, of the suit that most is out of; else
    the lowest of the longest plain suit; of trumps alone the highest.

    Arguments:
        legal: the cards of the hand, at least one.
        unseen: the cards that others may hold.
        trump: the suit, 0..3.
    """
    plain = [card for card in legal if card // 13 != trump]
    if not plain:
        return min(legal)
    winners = [card for card in plain if not unseen & higher(card)]
    if winners:
        return max(winners, key=lambda card: ((unseen & whole_suit(card)).bit_count(), -card))
    return max(plain, key=lambda card: (_length(plain, card), -(card // 13), card))


def followed(legal: Sequence[int], table: Sequence[int], trump: int) -> int:
    """Return the card to play to a trick that others began.

    If the partner has the trick, or it cannot be won, that is the lowest card; else the lowest that
    wins so far.

    Arguments:
        legal: the cards that may be played, at least one.
        table: those on the table in their order, one to three.
        trump: the suit, 0..3.
    """
    best = _best(table, trump)
    if len(table) > 1 and best == table[-2]:
        return lowest(legal, trump)
    return lowest([card for card in legal if beats(card, best, trump)] or legal, trump)


def _best(table: Sequence[int], trump: int) -> int:
    best = table[0]
    for card in table[1:]:
        best = card if beats(card, best, trump) else best
    return best


def lowest(cards: Sequence[int], trump: int) -> int:
    """Return the lowest card, no trump if there is another, and of the longest suit in a tie."""
    return max(
        cards,
        key=lambda card: (card // 13 != trump, card % 13, _length(cards, card), -card),
    )


def _length(cards: Sequence[int], card: int) -> int:
    return sum(card // 13 == other // 13 for other in cards)


def beats(card: int, other: int, trump: int) -> bool:
    """Return whether a card beats one played before it that has the trick so far (section 1.3)."""
    if card // 13 == other // 13:
        return card < other
    return card // 13 == trump


def higher(card: int) -> int:
    """Return the cards of the same suit above one.

    >>> bin(higher(3))
    '0b111'
    """
    return (1 << card) - 1 & whole_suit(card)


def whole_suit(card: int) -> int:
    """Return all the cards of a card's suit."""
    return SUIT << card // 13 * 13
