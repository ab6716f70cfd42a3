"""A hand of Court Piece that is played on and back."""

from collections.abc import Sequence
from typing import Protocol

from mate.court_piece.cards import (
    ACTION_NAMES,
    CARDS,
    NO_CARDS,
    SEAT_NAMES,
    SEATS,
    SUITS,
    TRUMPS,
    Cards,
    indices_of,
    longest_suit,
)
from mate.court_piece.deal import Deal
from mate.court_piece.notation import action_of, parse_trump
from mate.court_piece.variant import Variant
from mate.court_piece.view import Run, Trick, View
from mate.errors import IllegalMoveError, MateError, NothingPlayedError, checked_integer
from mate.round import check_players
from matecore.court_piece import UNNAMED, Position


class Chooser(Protocol):
    """Whoever chooses moves, such as `mate.court_piece.Player`."""

    def choose(self, view: View) -> str:
        """Return a legal move, seeing no more than the view."""


class Hand:
    """One playing of a deal, from the naming of the trump to the last trick, and the way back.

    It knows all four hands; `view` tells what a seat may know.

    Arguments:
        deal: the `Deal`, or its text in PBN.
        variant: the `Variant`, or its text.
        dealer: who dealt; None for who did, of a text for seat 0.
        trump: `S`, `H`, `D`, `C`, or `N` for none, if it is not to be found as the variant says.

    Raises:
        NotationError: the text is no deal or no trump.
        VariantError: there is no such variant.
        MateError: somebody else dealt, or the turned card is needed and not known.

    >>> hand = Hand("N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75")
    >>> hand.push("S")
    >>> for move in "AS 2S 3S 4S KS 5S 9S 6S".split():
    ...     hand.push(move)
    >>> hand.trump, hand.to_act, hand.won, hand.run, hand.piles
    ('S', 1, (0, 2), Run(side=1, tricks=2), (0, 0))
    >>> hand.pop(), hand.legal_moves
    ('6S', ('JS', '6S'))
    """

    def __init__(
        self,
        deal: "Deal | str",
        variant: "Variant | str" = "seed",
        dealer: int | None = None,
        trump: str | None = None,
    ):
        self._variant = Variant.of(variant)
        self._deal = Deal.of(deal, dealer)
        self._given = None if trump is None else parse_trump(trump)
        found = self._given or _trump_of(self._deal, self._variant)
        code = UNNAMED if found is None else TRUMPS.index(found)
        self._core = Position(self._variant.rules, self._deal.masks, self._deal.caller, code)
        self._tricks: list[Trick] = []

    # --- Dunder ---

    def __repr__(self) -> str:
        return f"<Hand of {self.variant.name}: {self}>"

    def __str__(self) -> str:
        hands = " ".join(map(str, self.deal.hands if self.is_over else self.hands))
        return f"{SEAT_NAMES[0]}:{hands}, {self._situation()}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hand):
            return NotImplemented
        same = self.variant == other.variant and self.deal == other.deal
        return same and self._core == other._core and self.actions == other.actions

    __hash__ = None  # type: ignore[assignment]

    def __copy__(self) -> "Hand":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "Hand":
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.deal, self.variant, self.given_trump, self.actions)

    # --- Properties ---

    @property
    def deal(self) -> Deal:
        """Who was dealt what."""
        return self._deal

    @property
    def variant(self) -> Variant:
        """The rules it is played by."""
        return self._variant

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self._deal.dealer

    @property
    def caller(self) -> int:
        """The seat that names the trump and leads first."""
        return self._deal.caller

    @property
    def given_trump(self) -> str | None:
        """The trump that was given when the hand was made, None if none was."""
        return self._given

    @property
    def trump(self) -> str | None:
        """The trump, `S`, `H`, `D`, `C`, `N` for none; None while it is to be named."""
        code = self._core.trump
        return None if code == UNNAMED else TRUMPS[code]

    @property
    def hands(self) -> tuple[Cards, ...]:
        """The cards that the seats hold now."""
        return tuple(map(Cards, self._core.hands))

    @property
    def to_act(self) -> int:
        """The seat that acts; of no meaning when the hand is over."""
        return self._core.to_act

    @property
    def leader(self) -> int:
        """The seat that leads this trick: who won the last one."""
        return self._core.leader

    @property
    def table(self) -> Trick:
        """The trick that is being played."""
        return Trick(self._core.leader, tuple(CARDS[card] for card in self._core.table), None)

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The tricks that are finished."""
        return tuple(self._tricks)

    @property
    def won(self) -> tuple[int, int]:
        """The tricks won, by side."""
        return self._core.won

    @property
    def collected(self) -> tuple[int, int]:
        """The tricks collected, by side: those claimed in double sir, else those won."""
        return self._core.collected

    @property
    def run(self) -> Run:
        """The run on the table (section 1.4); there is one only if `collection` is "run"."""
        if self.variant.collection != "run" or not self._tricks:
            return Run(None, 0)
        sides = [_side(trick) for trick in self._tricks]
        length = next((n for n, side in enumerate(reversed(sides)) if side != sides[-1]), None)
        return Run(sides[-1], len(sides) if length is None else length)

    @property
    def piles(self) -> tuple[int, int]:
        """The tricks that lie before the sides: all collected ones but those of the run.

        With the run, and with the `centre` in double sir, they are all that were played.
        """
        first, second = self.collected
        side, tricks = self.run
        return first - tricks * (side == 0), second - tricks * (side == 1)

    @property
    def centre(self) -> int:
        """The tricks in the centre that nobody has collected (double sir)."""
        return self._core.pile

    @property
    def moves(self) -> list[str]:
        """What was named, played and decided, in order."""
        return [ACTION_NAMES[action] for action in self._core.played]

    @property
    def actions(self) -> list[int]:
        """The same as numbers."""
        return self._core.played

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves: cards; or suits to name; or `stop` and `on`."""
        return tuple(ACTION_NAMES[action] for action in self._core.legal_actions())

    @property
    def legal_actions(self) -> list[int]:
        """The numbers of the legal moves."""
        return self._core.legal_actions()

    @property
    def is_over(self) -> bool:
        """Whether the points of the hand are decided (section 1.5)."""
        return self._core.is_over

    @property
    def winner(self) -> int | None:
        """The side that won, 0 or 1; None while the hand is played."""
        return self._core.winner

    @property
    def court(self) -> bool:
        """Whether the hand was won by a court."""
        return self._core.court

    @property
    def points(self) -> tuple[int, int] | None:
        """What the sides score, None while the hand is played."""
        return self._core.points

    @property
    def voids(self) -> tuple[str, str, str, str]:
        """The suits each seat showed that it has none of, by not following them."""
        found: list[set[str]] = [set() for _ in SEATS]
        for trick in (*self._tricks, self.table):
            for place, card in enumerate(trick.cards):
                if card[1] != trick.cards[0][1]:
                    found[(trick.leader + place) % 4].add(trick.cards[0][1])
        north, east, south, west = ("".join(s for s in SUITS if s in suits) for suits in found)
        return north, east, south, west

    @property
    def core(self) -> Position:
        """A copy of the position for the compiled core."""
        return self._core.copy()

    # --- Queries ---

    def view(self, seat: int, scores: tuple[int, int] = (0, 0), number: int = 1) -> View:
        """Return what a seat may know.

        Arguments:
            seat: 0..3.
            scores, number: the match before this hand, and which hand of it this is.

        Raises:
            MateError: there is no such seat; or it is to name the trump, and which five cards it
                saw first is not known.

        >>> hand = Hand(Deal.random(1))
        >>> len(hand.view(1).hand), len(hand.view(2).hand), hand.view(2).legal_moves
        (5, 0, ())
        """
        seat = checked_integer("seat", seat, 0, 3)
        second = self.variant.trump == "second_batch"
        return View(
            seat=seat,
            variant=self.variant,
            dealer=self.dealer,
            caller=self.caller,
            trump=self.trump,
            hand=self._seen_by(seat),
            first_five=self.deal.first_five if seat == self.caller else None,
            turned=self.deal.turned if second else None,
            to_act=self.to_act,
            legal_moves=self.legal_moves if seat == self.to_act else (),
            moves=tuple(self.moves),
            tricks=self.tricks,
            table=self.table,
            won=self.won,
            collected=self.collected,
            piles=self.piles,
            run=self.run,
            centre=self.centre,
            armed=self._core.armed,
            by_ace=self._core.by_ace,
            chasing=self._core.chasing,
            voids=self.voids,
            scores=scores,
            number=number,
        )

    def _seen_by(self, seat: int) -> Cards:
        if self.trump is not None:
            return Cards(self._core.hands[seat])
        if seat != self.caller:
            return NO_CARDS
        if self.deal.first_five is None:
            why = 'tell them, Deal(..., first_five="AKQT7..."), or the trump, Hand(..., trump="S")'
            raise MateError(f"the caller's first five cards are not known: {why}")
        return self.deal.first_five

    # --- Actions ---

    def push(self, move: "str | int") -> None:
        """Do a legal move, given as text or as the number of an action.

        Raises:
            NotationError: the text is no move.
            IllegalMoveError: the move is not legal here.

        >>> hand = Hand(Deal.random(1))
        >>> hand.push("♥")
        >>> hand.trump
        'H'
        """
        action = action_of(move)
        before, leader = self._core.n_tricks, self._core.leader
        table = self._core.table
        try:
            self._core.push(action)
        except ValueError:
            name = move if isinstance(move, str) else ACTION_NAMES[action]
            raise IllegalMoveError(name, self._situation(), self.legal_moves) from None
        if self._core.n_tricks > before:
            cards = tuple(CARDS[card] for card in (*table, action))
            self._tricks.append(Trick(leader, cards, self._core.leader))

    def pop(self) -> str:
        """Take the last move back and return it.

        Raises:
            NothingPlayedError: as its name says.
        """
        try:
            action = self._core.pop()
        except IndexError:
            raise NothingPlayedError from None
        del self._tricks[self._core.n_tricks :]
        name: str = ACTION_NAMES[action]
        return name

    def copy(self) -> "Hand":
        """Return an independent copy with the same past."""
        return _restore(self.deal, self.variant, self.given_trump, self.actions)

    def play(self, players: Sequence[Chooser]) -> tuple[int, int]:
        """Let players play the hand to its end; return the points of the sides.

        Arguments:
            players: four by seat, or two, one for each side; see `mate.court_piece.players`.

        Raises:
            IllegalMoveError: a player chose a move that is not legal.
            MateError: one is no player, or there are not as many.
        """
        seated = four_players(players)
        while not self.is_over:
            self.push(seated[self.to_act].choose(self.view(self.to_act)))
        return self.points or (0, 0)

    def _situation(self) -> str:
        if self.is_over:
            return f"trump {self.trump}, {self.won[0]}-{self.won[1]}, over"
        seat, table = self.to_act, self.table.cards
        doing = f"on {' '.join(table)}" if table else "leads" if self.trump else "names the trump"
        if len(self.legal_moves[0]) > 2:
            doing = "with seven tricks to none"
        trump = f", trump {self.trump}" if self.trump else ""
        return f"{SEAT_NAMES[seat]} {self.hands[seat]} {doing}{trump}"


def four_players(players: object) -> list[Chooser]:
    """Return the players by seat; two play for a side each."""
    seated = list(players) if isinstance(players, Sequence) else []
    if isinstance(players, str) or len(seated) not in (2, 4):
        raise MateError("players: four by seat, or two, one for each side")
    check_players(*seated)
    return seated * (4 // len(seated))


def _side(trick: Trick) -> int:
    return (trick.winner or 0) % 2


def _trump_of(deal: Deal, variant: Variant) -> str | None:
    if variant.trump == "longest":
        return longest_suit(indices_of(deal.hands[deal.caller]))
    if variant.trump == "second_batch":
        if deal.turned is None:
            why = 'tell it, Deal(..., turned="QC"), or the trump, Hand(..., trump="S")'
            raise MateError(f"the card that was turned is not known: {why}")
        return deal.turned[1]
    return None


def _restore(deal: Deal, variant: Variant, trump: str | None, actions: list[int]) -> Hand:
    hand = Hand(deal, variant, None, trump)
    for action in actions:
        hand.push(action)
    return hand
