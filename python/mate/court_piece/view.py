"""What one seat may know of a hand, and nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mate.court_piece.cards import INDEX, PACK, SEAT_NAMES, TRUMPS, Cards
from mate.court_piece.variant import Variant
from mate.errors import MateError, excerpt
from matecore.court_piece import UNNAMED, InvalidPosition, Position


class Trick(NamedTuple):
    """A trick: who led it, its cards in the order played, and who won it; None while it lasts.

    >>> Trick(2, ("AS", "2S", "3S", "4S"), 2).by_seat
    ('3S', '4S', 'AS', '2S')
    """

    leader: int
    cards: tuple[str, ...]
    winner: int | None

    @property
    def by_seat(self) -> tuple[str | None, ...]:
        """The cards by the seats that played them, None of who has not."""
        cards = [*self.cards, *[None] * (4 - len(self.cards))]
        return tuple(cards[(seat - self.leader) % 4] for seat in range(4))


class Run(NamedTuple):
    """The run on the table: the side whose it is, None if there is none, and its tricks (1.4)."""

    side: int | None
    tricks: int


@dataclass(frozen=True)
class View:
    """What the player at one seat may know: plain data, without any card that is hidden from him.

    Attributes:
        seat: whose view it is, 0..3.
        variant: the rules.
        dealer, caller: seats.
        trump: `S`, `H`, `D`, `C`, `N` for none; None while it is to be named.
        hand: his cards now. While the trump is named the caller has his first five, the others,
            who have nothing to decide, none.
        first_five: the caller's first five, to the caller alone and if they are known.
        turned: the card that all saw turned (`second_batch`).
        to_act: the seat that acts; of no meaning when the hand is over.
        legal_moves: his moves if it is he who acts, else none.
        moves: all that was named, played and decided.
        tricks: the tricks that are finished; `table`: the one that is being played.
        won, collected: tricks by side, which differ in double sir only.
        piles, run: how they lie on the table (section 1.4); `centre`: tricks nobody has collected.
        armed: who won the last trick in double sir and may claim at this one, if claims are not
            blocked there, or None; `by_ace`: whether an ace won it the last one, under the ace
            rule.
        chasing: whether a side with seven tricks to none decided to play on.
        voids: by seat the suits that it showed it has none of, such as `("", "SH", "", "")`.
        scores: the points of the sides in the match before this hand.
        number: which hand of the match this is, from 1.
    """

    seat: int
    variant: Variant
    dealer: int
    caller: int
    trump: str | None
    hand: Cards
    first_five: Cards | None
    turned: str | None
    to_act: int
    legal_moves: tuple[str, ...]
    moves: tuple[str, ...]
    tricks: tuple[Trick, ...]
    table: Trick
    won: tuple[int, int]
    collected: tuple[int, int]
    piles: tuple[int, int]
    run: Run
    centre: int
    armed: int | None
    by_ace: bool
    chasing: bool
    voids: tuple[str, str, str, str]
    scores: tuple[int, int] = (0, 0)
    number: int = 1

    # --- Properties ---

    @property
    def side(self) -> int:
        """The side of the seat, 0 or 1."""
        return self.seat % 2

    @property
    def played(self) -> Cards:
        """The cards that were played."""
        tricks = (*self.tricks, self.table)
        return Cards.of(card for trick in tricks for card in trick.cards)

    @property
    def unseen(self) -> Cards:
        """The cards that are neither in his hand nor played: those that the others hold.

        While the trump is named also those not yet dealt.
        """
        return Cards(PACK & ~(self.hand.mask | self.played.mask))

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """How many cards each seat holds of the thirteen dealt to it."""
        left = 13 - len(self.tricks)
        gone = {(self.table.leader + place) % 4 for place in range(len(self.table.cards))}
        north, east, south, west = (left - (seat in gone) for seat in range(4))
        return north, east, south, west

    # --- Queries ---

    def position(self, hands: Sequence[int]) -> Position:
        """Return what the core would have if the seats held these cards now.

        Arguments:
            hands: four masks; whether they agree with what was seen is not asked.

        Raises:
            MateError: no such cards can be held.
        """
        trump = UNNAMED if self.trump is None else TRUMPS.index(self.trump)
        try:
            return Position(
                self.variant.rules, hands, self.caller, trump, leader=self.table.leader,
                table=[INDEX[card] for card in self.table.cards], won=self.won,
                collected=self.collected, pile=self.centre, armed=self.armed, by_ace=self.by_ace,
                chasing=self.chasing,
            )  # fmt: skip
        except (InvalidPosition, TypeError, OverflowError) as error:
            raise MateError(f"hands {excerpt(hands)}: {error}") from None

    def __str__(self) -> str:
        table = " ".join(self.table.cards) or "nothing"
        return (
            f"{SEAT_NAMES[self.seat]} {self.hand}, trump {self.trump or 'to be named'}, "
            f"{SEAT_NAMES[self.table.leader]} led {table}, {self.won[0]}-{self.won[1]}"
        )
