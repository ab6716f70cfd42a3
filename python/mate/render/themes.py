"""How decks look: French cards or chess pieces, on light ground or dark.

The players' colours differ in brightness too, and nothing is told by colour alone.
"""

from dataclasses import dataclass, replace

from mate.deck import CHESS, Deck
from mate.errors import MateError, excerpt

NAMES = ("french", "chess")


@dataclass(frozen=True)
class Colours:
    """The colours of a picture.

    Attributes:
        ground, table: behind all, and under the tricks.
        edge: of a card.
        ink, faint: of what is written.
        players: for "x" and "y" the colour of his badge and of what is written on it.
        faces: for "x" and "y" the ground of his cards.
        suits: by letter; a suit of another deck is in ink.
    """

    ground: str
    table: str
    edge: str
    ink: str
    faint: str
    players: dict[str, tuple[str, str]]
    faces: dict[str, str]
    suits: dict[str, str]


_LIGHT = Colours(
    ground="#f6f4ee",
    table="#dfe6dc",
    edge="#b9b4a6",
    ink="#1d2024",
    faint="#68655c",
    players={"x": ("#1b5a99", "#ffffff"), "y": ("#f2b13c", "#1d2024")},
    faces={"x": "#e3edf8", "y": "#fffbf0"},
    suits={"c": "#1d2024", "s": "#1d2024", "h": "#c8202f", "d": "#c8202f"},
)
_DARK = Colours(
    ground="#191c21",
    table="#20302b",
    edge="#59616d",
    ink="#eef0f3",
    faint="#a3aab4",
    players={"x": ("#2f74b8", "#ffffff"), "y": ("#f5bd4f", "#1d2024")},
    faces={"x": "#22384f", "y": "#3a3529"},
    suits={"c": "#eef0f3", "s": "#eef0f3", "h": "#ff7a7d", "d": "#ff7a7d"},
)
# Beside the four colours of suits the players are dark and light, as in chess.
_LIGHT_PIECES = replace(
    _LIGHT,
    players={"x": ("#30343b", "#ffffff"), "y": ("#ddd8c8", "#1d2024")},
    faces={"x": "#e2e3e6", "y": "#fffef9"},
    suits={"c": "#2a63d4", "s": "#1f9254", "h": "#f5c518", "d": "#d8322f"},
)
_DARK_PIECES = replace(
    _DARK,
    players={"x": ("#0b0d10", "#eef0f3"), "y": ("#d9dce1", "#1d2024")},
    faces={"x": "#2b3038", "y": "#4a515c"},
    suits={"c": "#6d9dff", "s": "#46c07d", "h": "#ffd84a", "d": "#ff6b62"},
)


@dataclass(frozen=True)
class Theme:
    """A way to draw cards.

    Attributes:
        pieces: ranks are chess pieces, and suits their colours.
        colours: of all there is.
    """

    pieces: bool
    colours: Colours

    @classmethod
    def of(cls, deck: Deck, name: str | None = None, dark: bool = False) -> "Theme":
        """Return the theme of this name, or the one that is the deck's own.

        Raises:
            MateError: there is no such theme.

        >>> import mate
        >>> Theme.of(mate.DECKS["chess"]).pieces, Theme.of(mate.DECKS["double"]).pieces
        (True, False)
        """
        if name is not None and name not in NAMES:
            raise MateError(f"theme {excerpt(name)}: the themes are {', '.join(NAMES)}")
        pieces = deck.rank_names == CHESS.rank_names if name is None else name == "chess"
        return cls(pieces, _colours(pieces, dark))


def _colours(pieces: bool, dark: bool) -> Colours:
    if pieces:
        return _DARK_PIECES if dark else _LIGHT_PIECES
    return _DARK if dark else _LIGHT
