"""Decks: which cards there are, in which order, and what they score (section 3 of the rules)."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from string import ascii_lowercase, ascii_uppercase, digits

from mate.errors import VariantError

MAX_CARDS = 32


@dataclass(frozen=True)
class Deck:
    """The cards of a game, highest first, dealt in halves.

    Arguments:
        suits: a lower-case letter for each suit, the highest suit first.
        ranks: an upper-case letter or a digit for each rank, the highest rank first.
        slots: for each suit its cards as rank letters, highest first, copies next to each other;
            all suits have the same number of slots, 2 to 32 cards in all, an even number.
        points: for each rank what mating with it scores, 0..32767.
        name, suit_names, rank_names, card_name: how people call it all; equal decks may differ.

    Raises:
        VariantError: the deck contradicts section 3; `field` tells where.

    >>> SINGLE.n_cards, SINGLE.cards[:6]
    (20, ('Ac', 'Tc', 'Kc', 'Qc', '7c', 'As'))
    >>> CHESS.name_of(0)
    'Blue King'
    """

    suits: str
    ranks: str
    slots: tuple[str, ...]
    points: tuple[int, ...]
    name: str = field(default="custom", compare=False)
    suit_names: tuple[str, ...] = field(default=(), compare=False, repr=False)
    rank_names: tuple[str, ...] = field(default=(), compare=False, repr=False)
    card_name: str = field(default="{rank} of {suit}", compare=False, repr=False)

    def __post_init__(self) -> None:
        self._check_letters("suits", ascii_lowercase)
        self._check_letters("ranks", ascii_uppercase + digits)
        self._check_slots()
        self._check_points()
        self._check_names("suit_names", self.suits)
        self._check_names("rank_names", self.ranks)
        for name in ("name", "card_name"):
            self._refuse(not isinstance(getattr(self, name), str), name, "must be a text")

    # --- Checks ---

    def _refuse(self, wrong: bool, name: str, why: str) -> None:
        if wrong:
            raise VariantError(f"deck.{name}", getattr(self, name), why)

    def _check_letters(self, name: str, allowed: str) -> None:
        letters = getattr(self, name)
        self._refuse(not isinstance(letters, str) or not letters, name, "must be a text of letters")
        self._refuse(not set(letters) <= set(allowed), name, f"letters must be among {allowed}")
        self._refuse(len(set(letters)) < len(letters), name, "a letter stands twice")

    def _check_slots(self) -> None:
        texts = isinstance(self.slots, tuple) and all(isinstance(s, str) for s in self.slots)
        self._refuse(not texts, "slots", "must be a tuple of texts")
        self._refuse(len(self.slots) != len(self.suits), "slots", "one text a suit is needed")
        self._refuse(len({len(s) for s in self.slots}) != 1, "slots", "suits differ in length")
        known = set("".join(self.slots)) <= set(self.ranks)
        self._refuse(not known, "slots", f"the ranks are {self.ranks}")
        falling = all(list(s) == sorted(s, key=self.ranks.index) for s in self.slots)
        self._refuse(not falling, "slots", "ranks must stand highest first")
        n = len("".join(self.slots))
        self._refuse(n % 2 == 1 or not 2 <= n <= MAX_CARDS, "slots", f"{n} cards; 2 to 32, even")

    def _check_points(self) -> None:
        ints = isinstance(self.points, tuple) and all(type(p) is int for p in self.points)
        self._refuse(not ints, "points", "must be a tuple of integers")
        self._refuse(len(self.points) != len(self.ranks), "points", "one number a rank is needed")
        self._refuse(not all(0 <= p <= 32767 for p in self.points), "points", "0 to 32767")

    def _check_names(self, name: str, letters: str) -> None:
        names = getattr(self, name)
        good = isinstance(names, tuple) and all(isinstance(n, str) for n in names)
        self._refuse(not good, name, "must be a tuple of texts")
        short = bool(names) and len(names) != len(letters)
        self._refuse(short, name, "one name a letter is needed")

    # --- Properties ---

    @property
    def n_cards(self) -> int:
        """Cards in the deck."""
        return len(self.cards)

    @property
    def hand_size(self) -> int:
        """Cards dealt to each player."""
        return len(self.cards) // 2

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The text of each card by its index."""
        return tuple(r + s for s, ranks in zip(self.suits, self.slots, strict=True) for r in ranks)

    @cached_property
    def copies(self) -> dict[str, tuple[int, ...]]:
        """The indices of each card by its text, lowest first."""
        return {
            card: tuple(i for i, other in enumerate(self.cards) if other == card)
            for card in self.cards
        }

    @cached_property
    def suit_of(self) -> tuple[int, ...]:
        """The suit of each card, 0 the highest."""
        return tuple(self.suits.index(card[1]) for card in self.cards)

    @cached_property
    def rank_of(self) -> tuple[int, ...]:
        """The rank of each card, 0 the highest."""
        return tuple(self.ranks.index(card[0]) for card in self.cards)

    @cached_property
    def points_of(self) -> tuple[int, ...]:
        """The points of each card."""
        return tuple(self.points[rank] for rank in self.rank_of)

    # --- Queries ---

    def name_of(self, card: int) -> str:
        """Return a card's name for people."""
        suit, rank = self.suit_of[card], self.rank_of[card]
        suit_name = self.suit_names[suit] if self.suit_names else self.suits[suit]
        rank_name = self.rank_names[rank] if self.rank_names else self.ranks[rank]
        return self.card_name.replace("{suit}", suit_name).replace("{rank}", rank_name)


_FRENCH_SUITS = ("Clubs", "Spades", "Hearts", "Diamonds")

SINGLE = Deck(
    "cshd", "ATKQ7", ("ATKQ7",) * 4, (11, 10, 4, 3, 7), "single", _FRENCH_SUITS,
    ("Ace", "Ten", "King", "Queen", "Seven"),
)  # fmt: skip
CHESS = replace(
    SINGLE,
    name="chess",
    suit_names=("Blue", "Green", "Yellow", "Red"),
    rank_names=("King", "Queen", "Rook", "Bishop", "Knight"),
    card_name="{suit} {rank}",
)
DOUBLE = Deck(
    "cshd", "ATK7", ("ATK77", "ATKK7", "ATTK7", "AATK7"), (11, 10, 4, 7), "double", _FRENCH_SUITS,
    ("Ace", "Ten", "King", "Seven"),
)  # fmt: skip
DOUBLE24 = replace(SINGLE, name="double24", slots=("ATKQ77", "ATKKQ7", "ATTKQ7", "AATKQ7"))

DECKS = {deck.name: deck for deck in (SINGLE, CHESS, DOUBLE, DOUBLE24)}
