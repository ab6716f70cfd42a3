"""What the rules say about one card and another, asked of the core, where they stand.

These are the questions of somebody who sees the cards that are played, and not the hands.
"""

from functools import cache

import matecore


@cache
def matching(rules: matecore.Rules, led: int) -> int:
    """Return, as a mask, the cards that can answer a lead at all; holding none is mate.

    >>> from mate.variant import PRESETS
    >>> hex(matching(PRESETS["bga"].rules, 0))  # Ac: the other clubs, the other aces
    '0x843e'
    """
    return sum(1 << card for card in range(rules.n_cards) if _may_reply(rules, led, card, card))


@cache
def ruled_out(rules: matecore.Rules, led: int, reply: int) -> int:
    """Return, as a mask, the cards that whoever gives this reply cannot hold beside it.

    Unless he uses the free move (section 4). The reply must match the lead in suit or in rank.

    >>> from mate.variant import PRESETS
    >>> hex(ruled_out(PRESETS["bga"].rules, 0, 5))  # As on Ac: he has no club
    '0x1e'
    """
    others = (card for card in range(rules.n_cards) if card not in (led, reply))
    return sum(1 << card for card in others if not _may_reply(rules, led, reply, card))


@cache
def is_beaten(rules: matecore.Rules, led: int, reply: int) -> bool:
    """Return whether the card led beats the reply (section 2.6).

    >>> from mate.variant import PRESETS
    >>> is_beaten(PRESETS["bga"].rules, 0, 5), is_beaten(PRESETS["bga"].rules, 1, 0)
    (True, False)
    """
    last = matecore.Position(rules, 0, 1 << reply, 1, led, trick=rules.hand_size, free=False)
    last.push(reply)
    return last.leader == 0


# Whether the reply is legal for one who holds it and another card, and no free move.
def _may_reply(rules: matecore.Rules, led: int, reply: int, other: int) -> bool:
    if led in (reply, other):
        return False
    hand = 1 << reply | 1 << other
    left = (card for card in range(rules.n_cards) if card != led and not hand >> card & 1)
    own = sum(1 << card for card, _ in zip(left, range(hand.bit_count() - 1), strict=False))
    trick = rules.hand_size + 1 - hand.bit_count()
    position = matecore.Position(rules, own, hand, 1, led, trick=trick, free=False)
    return position.is_legal(reply)
