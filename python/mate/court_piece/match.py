"""A match: hands one after the other, the call going round, up to a target (sections 1.6, 1.7)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from mate.court_piece.deal import Deal
from mate.court_piece.hand import Chooser, Hand, four_players
from mate.court_piece.record import Record
from mate.court_piece.variant import Variant
from mate.court_piece.view import View
from mate.deal import generator
from mate.errors import MateError, NothingPlayedError, checked_integer, excerpt

if TYPE_CHECKING:
    import numpy as np


class Match:
    """A match of two sides, hand by hand.

    Arguments:
        variant: the `Variant`, or its text; it tells how long the match is and who calls next.
        dealer: who deals first, 0..3.

    Raises:
        VariantError: there is no such variant.
        MateError: there is no such seat.

    >>> match = Match("hokm")
    >>> match.begin(Deal.random(1))
    >>> match.push("S")
    >>> match.hand.moves, match.scores, match.is_over, match.to_act
    (['S'], (0, 0), False, 1)
    """

    def __init__(self, variant: "Variant | str" = "seed", dealer: int = 0):
        self.variant = Variant.of(variant)
        self.first_dealer = checked_integer("dealer", dealer, 0, 3)
        self.hands: list[Hand] = []
        self._before: list[tuple[int, int]] = []  # the scores before each hand

    def __repr__(self) -> str:
        first, second = self.scores
        number = len(self.hands)
        hands = f"{number} hand{'s' * (number != 1)}"
        return f"<Match of {self.variant.name}: {hands}, {first}-{second}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        same = self.variant == other.variant and self.first_dealer == other.first_dealer
        return same and self.hands == other.hands

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def from_records(cls, records: Iterable[Record]) -> "Match":
        """Return the match whose hands these records tell, to be played on if it is not over.

        Arguments:
            records: the hands in order, as `records` returns them: of one variant, each dealt by
                whose turn it was after the hands before.

        Raises:
            MateError: there is none, or one does not follow; the message tells its line.

        >>> match = Match("hokm", 3)
        >>> match.begin(Deal.random(1, dealer=3))
        >>> match.push("S")
        >>> Match.from_records(match.records()) == match
        True
        """
        if not isinstance(records, Iterable):
            raise MateError(f"{excerpt(records)}: expected records")
        match: Match | None = None
        for record in records:
            if not isinstance(record, Record):
                raise MateError(f"{excerpt(record)} is no record of Court Piece")
            match = match or cls(record.variant, record.deal.dealer)
            try:
                match._add(record)
            except MateError as error:
                raise MateError(f"line {record.line}: no such hand of the match: {error}") from None
        if match is None:
            raise MateError("there is no hand of a match")
        return match

    def _add(self, record: Record) -> None:
        if record.variant != self.variant:
            raise MateError(f"expected a hand of {self.variant.name}")
        self.begin(record.deal, record.trump)
        for move in record.moves:
            self.push(move)

    # --- Properties ---

    @property
    def hand(self) -> Hand:
        """The hand that is played, or the last one.

        Raises:
            MateError: none has begun.
        """
        if not self.hands:
            raise MateError("no hand has begun")
        return self.hands[-1]

    @property
    def between_hands(self) -> bool:
        """Whether no hand is being played: a deal is to come, or the match is over."""
        return not self.hands or self.hand.is_over

    @property
    def to_act(self) -> int:
        """The seat that acts.

        Raises:
            MateError: no hand has begun.
        """
        return self.hand.to_act

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves; none when the hand is over.

        Raises:
            MateError: no hand has begun.
        """
        return self.hand.legal_moves

    @property
    def scores(self) -> tuple[int, int]:
        """The points of the sides in all hands that are over."""
        if not self.hands:
            return 0, 0
        first, second = self._before[-1]
        more, others = self.hand.points or (0, 0)
        return first + more, second + others

    @property
    def is_over(self) -> bool:
        """Whether a side has reached the target, or all hands are played (section 1.7)."""
        if not self.between_hands:
            return False
        if self.variant.target_points is None:
            return len(self.hands) == self.variant.n_hands
        return max(self.scores) >= self.variant.target_points

    @property
    def winner(self) -> int | None:
        """The side that won, 0 or 1; None while the match is played and when it is drawn."""
        first, second = self.scores
        return int(second > first) if self.is_over and first != second else None

    @property
    def dealer(self) -> int:
        """Who dealt the hand that is played, or deals the next one (sections 1.6 and 3)."""
        if not self.hands:
            return self.first_dealer
        hand = self.hand
        return hand.dealer if not hand.is_over else next_dealer(hand)

    @property
    def caller(self) -> int:
        """Who calls in the hand that is played, or in the next one."""
        return (self.dealer + 1) % 4

    # --- Queries ---

    def view(self, seat: int) -> View:
        """Return what a seat may know of the hand that is played, and of the match.

        Raises:
            MateError: there is no such seat or no hand; or see `Hand.view`.
        """
        return self.hand.view(seat, (self._before or [(0, 0)])[-1], len(self.hands))

    def records(self, tags: Mapping[str, str] | None = None) -> list[Record]:
        """Return the hands that were begun as records, fit to resume the match from.

        Arguments:
            tags: what each record tells beside its hand and its number, such as North and East.

        Raises:
            MateError: a tag cannot be written.
        """
        if not isinstance(tags or {}, Mapping):
            raise MateError(f"tags {excerpt(tags)}: texts by name")
        return [
            Record.of(hand, {**(tags or {}), "Board": str(number)})
            for number, hand in enumerate(self.hands, start=1)
        ]

    # --- Actions ---

    def begin(self, deal: "Deal | str", trump: str | None = None) -> None:
        """Begin the next hand with a deal of whose turn it is; `Deal.turn` makes another fit.

        Arguments:
            deal: the `Deal`, or its text in PBN.
            trump: the trump, if it is not to be found as the variant says.

        Raises:
            NotationError: the text is no deal or no trump.
            MateError: somebody else is to deal, a hand is being played, or the match is over.
        """
        if not self.between_hands:
            raise MateError(f"hand {len(self.hands)} is not over")
        if self.is_over:
            raise MateError("the match is over")
        hand, scores = Hand(deal, self.variant, self.dealer, trump), self.scores
        self.hands.append(hand)
        self._before.append(scores)

    def push(self, move: "str | int") -> None:
        """Do a legal move.

        Raises:
            NotationError: the text is no move.
            IllegalMoveError: the move is not legal here, or the hand is over.
            MateError: no hand has begun.
        """
        self.hand.push(move)

    def pop(self) -> str:
        """Take the last move of the hand back and return it; a deal is not taken back.

        Raises:
            NothingPlayedError: nothing was played in this hand.
        """
        if not self.hands:
            raise NothingPlayedError
        return self.hand.pop()

    def play(
        self,
        players: Sequence[Chooser],
        rng: "np.random.Generator | int | None" = None,
    ) -> tuple[int, int]:
        """Let players play the match to its end; return the points of the sides.

        Arguments:
            players: four by seat, or two, one for each side.
            rng: deals the hands to come: a numpy generator, a seed, or None.

        Raises:
            MateError: `rng` is none of these, one is no player, or there are not as many.
            IllegalMoveError: a player chose a move that is not legal.
        """
        seated, source = four_players(players), generator(rng)
        while not self.is_over:
            if self.between_hands:
                self.begin(Deal.random(source, self.dealer, self.variant))
            self.push(seated[self.to_act].choose(self.view(self.to_act)))
        return self.scores


def next_dealer(hand: Hand) -> int:
    """Return who deals after a hand that is over (sections 1.6 and 3).

    >>> hand = Hand("N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75")
    >>> next_dealer(hand)
    Traceback (most recent call last):
    mate.errors.MateError: the hand is not over
    """
    if hand.winner is None:
        raise MateError("the hand is not over")
    if hand.winner != hand.caller % 2:
        return hand.caller
    pagat = hand.variant.next_caller == "pagat"
    return (hand.dealer + 2) % 4 if pagat and hand.court else hand.dealer
