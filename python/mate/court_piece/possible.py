"""The deals that are possible for one seat, each drawn as likely as it is.

Without the trump every layout of the unseen cards is as likely that agrees with what was seen: how
many cards each seat holds, which suits it showed out of, which card was turned. How the trump came
about makes some likelier; see `mate.court_piece.naming`. What else the choice of a card may tell is
not weighed.
"""

import random

from mate.court_piece.cards import INDEX, PACK, SEATS, SUITS
from mate.court_piece.layouts import Layouts
from mate.court_piece.naming import calls_so, is_telling
from mate.court_piece.view import View
from mate.errors import NoDealError

# A caller of whom the model thinks so often that he would not have called so has done it still.
MOST_TRIES = 500


class Possible:
    """The hands that the four seats may hold now, as one of them sees it.

    Arguments:
        view: what he sees.

    Raises:
        NoDealError: it tells what cannot be together.

    >>> from mate.court_piece import Deal, Hand
    >>> possible = Possible(Hand(Deal.random(1)).view(1))
    >>> [hand.bit_count() for hand in possible.draw(random.Random(1))]
    [13, 13, 13, 13]
    """

    def __init__(self, view: View):
        self.view = view
        self._gone = _gone(view, view.caller)
        self._known = [0] * 4
        self._known[view.seat] = view.hand.mask
        if view.turned is not None:
            self._known[view.caller] |= 1 << INDEX[view.turned] & ~self._gone
        self.layouts = self._layouts()
        if not self.layouts.count:
            raise NoDealError(f"no deal agrees with what seat {view.seat} sees")

    def draw(self, chances: random.Random) -> list[int]:
        """Return the hands as masks, drawn by chance."""
        for _ in range(MOST_TRIES):
            drawn = self.layouts.draw(chances)
            hands = [seen | more for seen, more in zip(self._known, drawn, strict=True)]
            if self._is_plausible(hands, chances):
                break
        return hands

    # The caller knows himself what made him call.
    def _is_plausible(self, hands: list[int], chances: random.Random) -> bool:
        view = self.view
        if view.seat == view.caller or not is_telling(view):
            return True
        return calls_so(hands[view.caller] | self._gone, view, chances)

    def _layouts(self) -> Layouts:
        view = self.view
        room = [view.sizes[seat] - self._known[seat].bit_count() for seat in SEATS]
        void = [sum(0x1FFF << 13 * SUITS.index(suit) for suit in suits) for suits in view.voids]
        hidden = PACK & ~(view.played.mask | sum(self._known))
        groups: dict[int, int] = {}
        for card in (1 << card for card in range(len(INDEX))):
            if hidden & card:
                holders = sum(1 << seat for seat in SEATS if room[seat] and not void[seat] & card)
                groups[holders] = groups.get(holders, 0) | card
        return Layouts(groups, room)


# The cards that a seat has played.
def _gone(view: View, seat: int) -> int:
    cards = (trick.by_seat[seat] for trick in (*view.tricks, view.table))
    return sum(1 << INDEX[card] for card in cards if card is not None)
