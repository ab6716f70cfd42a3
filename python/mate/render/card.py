"""One card of a picture: its face, the badge of its holder, and what is marked on it."""

from dataclasses import dataclass

from mate.deck import CHESS, Deck
from mate.render import shapes
from mate.render.marks import Mark
from mate.render.markup import element, label, safe
from mate.render.themes import Theme

BADGE = 12
STRONG = 2.2  # lines about cards that matter now
FRENCH = frozenset(shapes.SUITS)


@dataclass(frozen=True)
class Look:
    """How a card is drawn.

    Attributes:
        said: what is said of it, in words.
        sign: the outline in its badge.
        line, dashes: of its edge.
        opacity: of its face, 0..1; None for 1.
    """

    said: str = ""
    sign: str | None = None
    line: float = 1
    dashes: str | None = None
    opacity: float | None = None


MARKED = {
    Mark.HELD: Look(),
    Mark.LED: Look(Mark.LED.value, shapes.LEADS, STRONG),
    Mark.LEGAL: Look(Mark.LEGAL.value, shapes.ALLOWED, STRONG),
    Mark.SPENDS: Look(Mark.SPENDS.value, shapes.SPENDS, STRONG),
    Mark.FOREPLACED: Look(Mark.FOREPLACED.value, shapes.ASIDE, dashes="4 2", opacity=0.55),
    Mark.PLAYED: Look(Mark.PLAYED.value, dashes="2 3", opacity=0.3),
}
ENDED = {
    "took": Look("took the trick", shapes.WINS, STRONG),
    "lost": Look(opacity=0.62),
    "mates": Look("mates", shapes.MATES, STRONG),
    "open": Look("led", shapes.LEADS, STRONG),
}


@dataclass(frozen=True)
class Box:
    """Where a card lies."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """The horizontal middle."""
        return self.x + self.width / 2


@dataclass(frozen=True)
class Painter:
    """Draws the cards of a deck in a theme."""

    deck: Deck
    theme: Theme

    def card(self, card: int, box: Box, mark: Mark, player: str | None) -> str:
        """Draw a card with what is marked on it.

        Arguments:
            card: its index in the deck.
            box: where it lies.
            mark: what is said of it.
            player: "x" or "y", None for a card that is gone.
        """
        return self._drawn(card, box, player, MARKED[mark], data_mark=mark.name.lower())

    def laid(self, card: int, box: Box, player: str, end: str) -> str:
        """Draw a card of a trick.

        Arguments:
            card: its index in the deck.
            box: where it lies.
            player: who played it, "x" or "y".
            end: "took", "lost", "mates", or "open" while nobody knows.
        """
        return self._drawn(card, box, player, ENDED[end], data_end=end)

    def place(self, box: Box, mated: bool) -> str:
        """Draw the place where the reply is missing, for now or for ever."""
        colours = self.theme.colours
        rest = {"fill": colours.ink} if mated else {"fill": "none", "stroke_dasharray": "3 3"}
        ink, sign = (colours.ground, "#") if mated else (colours.faint, "?")
        parts = [
            element(
                "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=4,
                stroke=colours.faint, **rest,
            ),
            label(sign, box.middle, box.y + box.height / 2 + 3, 19, ink, bold=True),
        ]  # fmt: skip
        word = label("mate" if mated else "", box.middle, box.y + box.height - 8, 10, ink)
        return "".join([*parts, word * mated])

    # --- Parts ---

    def _drawn(self, card: int, box: Box, player: str | None, look: Look, **data: str) -> str:
        colours, text = self.theme.colours, self.deck.cards[card]
        inner, badge = box, ""
        if player is not None:
            inner = Box(box.x, box.y + BADGE * (player == "y"), box.width, box.height - BADGE)
            badge = self._badge(box, player, look.sign)
        name = (f"{text}: {self.deck.name_of(card)[:80]}", player and player.upper(), look.said)
        return element(
            "g",
            element("title", safe(", ".join(filter(None, name)))),
            element(
                "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=4,
                fill="none" if player is None else colours.faces[player],
                stroke=colours.ink if look.line > 1 else colours.edge, stroke_width=look.line,
                stroke_dasharray=look.dashes,
            ),
            element("g", self._face(text, inner), opacity=look.opacity),
            badge,
            class_="card", data_card=text, data_player=player or "-", **data,
        )  # fmt: skip

    def _badge(self, box: Box, player: str, sign: str | None) -> str:
        # Y's at the top and X's at the bottom, as the players sit.
        ground, ink = self.theme.colours.players[player]
        top = box.y + 1.5 if player == "y" else box.y + box.height - BADGE
        aside = 6 if sign else 0
        return (
            element(
                "rect", x=box.x + 1.5, y=top, width=box.width - 3, height=BADGE - 1.5, rx=2.5,
                fill=ground,
            )
            + label(player.upper(), box.middle - aside, top + 8.8, 9.5, ink, bold=True)
            + (shapes.shape(sign, box.middle + aside, top + 5.3, 8, ink) if sign else "")
        )  # fmt: skip

    def _face(self, text: str, box: Box) -> str:
        """Draw rank and suit."""
        outline = shapes.PIECES.get(text[0]) if self.theme.pieces else None
        if outline:
            return self._piece(outline, text[1], box)
        colours = self.theme.colours
        size = min(box.width * 0.56, box.height * 0.47)
        ink = colours.ink if self.theme.pieces else self._colour(text[1])
        rank = "10" if text[0] == "T" and self.is_french else text[0]
        upper, lower = box.y + box.height * 0.29, box.y + box.height * 0.74
        return label(rank, box.middle, upper + size * 0.36, size, ink, bold=True) + self.suit(
            text[1], box.middle, lower, size * 0.78
        )

    def _piece(self, outline: str, suit: str, box: Box) -> str:
        colours = self.theme.colours
        size = min(box.width * 0.9, box.height * 0.82)
        x, y = box.middle, box.y + box.height / 2
        piece = shapes.shape(outline, x - size * 0.12, y, size, self._colour(suit), colours.ink)
        return piece + self.suit(suit, x + size * 0.36, y + size * 0.27, size * 0.42)

    def suit(self, suit: str, x: float, y: float, size: float) -> str:
        """Draw the sign of a suit about a point."""
        ink, colour = self.theme.colours.ink, self._colour(suit)
        if not self.is_french:
            return label(suit, x, y + size * 0.3, size * 1.05, ink, bold=True)
        if not self.theme.pieces:
            return shapes.shape(shapes.SUITS[suit], x, y, size, colour)
        letter = CHESS.suit_names[CHESS.suits.index(suit)][0]
        return element("circle", cx=x, cy=y, r=size / 2, fill=colour, stroke=ink) + label(
            letter, x, y + size * 0.27, size * 0.74, _written_on(colour), bold=True
        )

    def _colour(self, suit: str) -> str:
        colours = self.theme.colours
        return colours.suits[suit] if self.is_french else colours.ink

    @property
    def is_french(self) -> bool:
        """Whether the suits are those of French cards, and have their signs."""
        return set(self.deck.suits) <= FRENCH


def _written_on(ground: str) -> str:
    red, green, blue = (int(ground[at : at + 2], 16) for at in (1, 3, 5))
    return "#1d2024" if 0.3 * red + 0.59 * green + 0.11 * blue > 130 else "#ffffff"
