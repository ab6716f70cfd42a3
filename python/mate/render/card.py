"""One card of a picture: its face, the badge of its holder, and what is marked on it."""

from dataclasses import dataclass

from mate.deck import CHESS, Deck
from mate.render import shapes
from mate.render.marks import Mark
from mate.render.markup import element, label, safe
from mate.render.themes import Theme

BADGE = 12
SIGNS = {
    Mark.LED: shapes.LEADS,
    Mark.LEGAL: shapes.ALLOWED,
    Mark.SPENDS: shapes.SPENDS,
    Mark.FOREPLACED: shapes.ASIDE,
}
ENDS = {"took": shapes.WINS, "mates": shapes.MATES}
FRENCH = frozenset(shapes.SUITS)


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
        strong = mark in (Mark.LED, Mark.LEGAL, Mark.SPENDS)
        dashes = "2 3" if player is None else "4 2" if mark is Mark.FOREPLACED else None
        said = "" if mark is Mark.HELD else mark.value
        return self._whole(
            card, box, player, said, SIGNS.get(mark), 2.2 if strong else 1, dashes,
            0.3 if player is None else 0.55 if mark is Mark.FOREPLACED else 1,
            data_mark=mark.name.lower(),
        )  # fmt: skip

    def laid(self, card: int, box: Box, player: str, end: str | None, free: bool = False) -> str:
        """Draw a card of a trick.

        Arguments:
            card: its index in the deck.
            box: where it lies.
            player: who played it, "x" or "y".
            end: "took", "lost" or "mates", None while nobody knows.
            free: it spent the free move.
        """
        said = {"took": "took the trick", "mates": "mates"}.get(end or "", "")
        sign = ENDS.get(end or "") or (shapes.SPENDS if free else None)
        return self._whole(
            card, box, player, said, sign, 2.2 if sign else 1, None, 0.62 if end == "lost" else 1,
            data_end=end, data_free="yes" if free else None,
        )  # fmt: skip

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

    def _whole(
        self, card: int, box: Box, player: str | None, said: str, sign: str | None, line: float,
        dashes: str | None, opacity: float, **data: str | None,
    ) -> str:  # fmt: skip
        colours, text = self.theme.colours, self.deck.cards[card]
        inner, badge = box, ""
        if player is not None:
            inner = Box(box.x, box.y + BADGE * (player == "y"), box.width, box.height - BADGE)
            badge = self._badge(box, player, sign)
        name = (f"{text}: {self.deck.name_of(card)[:80]}", player and player.upper(), said)
        return element(
            "g",
            element("title", safe(", ".join(filter(None, name)))),
            element(
                "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=4,
                fill="none" if player is None else colours.faces[player],
                stroke=colours.ink if line > 1 else colours.edge, stroke_width=line,
                stroke_dasharray=dashes,
            ),
            element("g", self.face(text, inner), opacity=opacity if opacity < 1 else None),
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

    def face(self, text: str, box: Box) -> str:
        """Draw rank and suit."""
        outline = shapes.PIECES.get(text[0]) if self.theme.pieces else None
        if outline:
            return self._piece(outline, text[1], box)
        colours = self.theme.colours
        size = min(box.width * 0.56, box.height * 0.47)
        ink = colours.ink if self.theme.pieces else colours.suits.get(text[1], colours.ink)
        rank = "10" if text[0] == "T" and self.is_french else text[0]
        upper, lower = box.y + box.height * 0.29, box.y + box.height * 0.74
        return label(rank, box.middle, upper + size * 0.36, size, ink, bold=True) + self.suit(
            text[1], box.middle, lower, size * 0.78
        )

    def _piece(self, outline: str, suit: str, box: Box) -> str:
        colours = self.theme.colours
        size = min(box.width * 0.9, box.height * 0.82)
        fill = colours.suits.get(suit, colours.faint)
        piece = shapes.shape(
            outline, box.middle - size * 0.12, box.y + box.height / 2, size, fill, colours.ink
        )
        return piece + self.suit(
            suit, box.middle + size * 0.36, box.y + box.height / 2 + size * 0.27, size * 0.42
        )

    def suit(self, suit: str, x: float, y: float, size: float) -> str:
        """Draw the sign of a suit about a point."""
        colours = self.theme.colours
        fill = colours.suits.get(suit)
        if self.theme.pieces and fill:
            disc = element("circle", cx=x, cy=y, r=size * 0.5, fill=fill, stroke=colours.ink)
            letter = CHESS.suit_names[CHESS.suits.index(suit)][0]
            ink = _written_on(fill)
            return disc + label(letter, x, y + size * 0.27, size * 0.74, ink, bold=True)
        if self.is_french:
            return shapes.shape(shapes.SUITS[suit], x, y, size, fill or colours.ink)
        return label(suit, x, y + size * 0.3, size * 1.05, colours.ink, bold=True)

    @property
    def is_french(self) -> bool:
        """Whether the suits are those of French cards, and have their signs."""
        return set(self.deck.suits) <= FRENCH


def _written_on(ground: str) -> str:
    red, green, blue = (int(ground[at : at + 2], 16) for at in (1, 3, 5))
    return "#1d2024" if 0.3 * red + 0.59 * green + 0.11 * blue > 130 else "#ffffff"
