"""The board as a picture: suits as rows, ranks as columns, each card with its holder's badge."""

from collections.abc import Sequence

from mate.deck import Deck
from mate.render import shapes
from mate.render.card import MARKED, Box, Painter
from mate.render.marks import CardMark
from mate.render.markup import clipped, element, label, picture, wrapped

WIDTH = 400  # at least; decks with more cards in a row need more
MARGIN = 12
SIDE = 70  # left of the cards, for the suits
HEAD = 24  # above them, for the ranks
CARD = (46, 54)
NARROWEST = 25
GAP = 4
LINE = 18  # of the heading


def board(
    painter: Painter, marks: Sequence[CardMark], heading: str, scores: tuple[str, Sequence[int]],
    notation: str,
) -> str:  # fmt: skip
    """Return the picture of a board.

    Arguments:
        painter: of the deck.
        marks: for each card its mark and holder.
        heading: stands above.
        scores: what the last row is, and its numbers by rank.
        notation: the text of what is shown.
    """
    return Board(painter, marks).picture(heading, scores, notation)


class Board:
    """Where everything stands on a board."""

    def __init__(self, painter: Painter, marks: Sequence[CardMark]):
        self.painter, self.deck, self.marks = painter, painter.deck, marks
        self.colours = painter.theme.colours
        self.copies = _widest(self.deck)
        room = WIDTH - SIDE - MARGIN
        columns, cards = len(self.copies), sum(self.copies)
        self.card = max(NARROWEST, min(CARD[0], (room - columns * GAP) / cards - GAP))
        spare = room - sum(map(self._needs, self.copies))
        self.air = max(0.0, spare / columns)
        self.width = max(WIDTH, WIDTH - spare)
        self.row = CARD[1] + GAP

    def _needs(self, copies: int) -> float:
        return copies * (self.card + GAP) + GAP

    def _room(self, rank: int) -> float:
        return self._needs(self.copies[rank]) + self.air

    def _middle(self, rank: int) -> float:
        return SIDE + sum(map(self._room, range(rank))) + self._room(rank) / 2

    # --- Parts ---

    def picture(self, heading: str, scores: tuple[str, Sequence[int]], notation: str) -> str:
        """Put all of it together."""
        lines = headlines(heading, self.width, self.colours.ink)
        self.top = 12 + LINE * len(lines) + HEAD + 6
        below = self.top + len(self.deck.suits) * self.row
        feet = [*self._scores(scores, below + 16)]
        height = below + 26.0
        for line in self._legend(height):
            feet.append(line)
            height += 17
        for line in wrapped(notation, int(self.width / 6.9)):
            faint = self.colours.faint
            feet.append(label(line, MARGIN, height + 10, 10.5, faint, anchor="start", mono=True))
            height += 14
        return picture(
            heading, notation, self.width, height + 8, self.colours.ground,
            *lines, *self._heads(), *self._suits(), *self._cards(), *feet,
        )  # fmt: skip

    def _heads(self) -> list[str]:
        found = []
        for rank, letter in enumerate(self.deck.ranks):
            x = self._middle(rank)
            found.append(label(letter, x, self.top - 6, 12, self.colours.ink, bold=True))
            if self.deck.rank_names:
                name = clipped(self.deck.rank_names[rank], int(self._room(rank) / 6))
                found.append(label(name, x, self.top - 19, 10.5, self.colours.faint))
        return found

    def _suits(self) -> list[str]:
        found = []
        for number, suit in enumerate(self.deck.suits):
            y = self.top + number * self.row + CARD[1] / 2
            found.append(self.painter.suit(suit, SIDE / 2 - 8 * self.painter.is_french, y - 7, 17))
            if self.painter.is_french:
                found.append(label(suit, SIDE / 2 + 12, y - 3, 12, self.colours.ink, bold=True))
            if self.deck.suit_names:
                name = clipped(self.deck.suit_names[number], 9)
                found.append(label(name, SIDE / 2, y + 16, 10.5, self.colours.faint))
        return found

    def _cards(self) -> list[str]:
        found = []
        for card, (mark, player) in enumerate(self.marks):
            suit, rank = self.deck.suit_of[card], self.deck.rank_of[card]
            same = self.deck.copies[self.deck.cards[card]]
            left = self._middle(rank) - (len(same) * (self.card + GAP) - GAP) / 2
            x = left + same.index(card) * (self.card + GAP)
            box = Box(x, self.top + suit * self.row, self.card, CARD[1])
            found.append(self.painter.card(card, box, mark, player))
        return found

    def _scores(self, scores: tuple[str, Sequence[int]], y: float) -> list[str]:
        what, numbers = scores
        found = [label(what, SIDE - 2, y, 10, self.colours.faint, anchor="end")]
        for rank, points in enumerate(numbers):
            size = min(12, 1.5 * self._room(rank) / len(str(points)))
            found.append(label(str(points), self._middle(rank), y, size, self.colours.ink))
        return found

    def _legend(self, y: float) -> list[str]:
        return legend(self.painter, signs_of(self.marks), y, self.width)


def headlines(text: str, width: float, ink: str) -> list[str]:
    """Return the heading of a picture, a line or a few, the first one 23 below the top."""
    return [
        label(line, MARGIN, 23 + LINE * number, 13.5, ink, anchor="start", bold=True)
        for number, line in enumerate(wrapped(text, int(width / 8.6)))
    ]


def signs_of(marks: Sequence[CardMark]) -> list[tuple[str, str]]:
    """Return the signs of the marks that are there, each with its meaning."""
    seen = {mark for mark, _ in marks}
    return [(look.sign, look.said) for mark, look in MARKED.items() if look.sign and mark in seen]


def legend(painter: Painter, entries: list[tuple[str, str]], y: float, width: float) -> list[str]:
    """Return lines that explain signs, each an element, the first one below y."""
    colours, x = painter.theme.colours, float(MARGIN)
    lines: list[list[str]] = [[]]
    for sign, meaning in entries:
        room = 18 + 6.2 * len(meaning)
        if x + room > width and lines[-1]:
            lines.append([])
            x = MARGIN
        base = y + 17 * len(lines) - 5
        lines[-1].append(shapes.shape(sign, x + 5, base - 4, 9, colours.ink))
        lines[-1].append(label(meaning, x + 14, base, 11, colours.faint, anchor="start"))
        x += room + 8
    return [element("g", *line) for line in lines if line]


def _widest(deck: Deck) -> list[int]:
    return [
        max(len(deck.copies.get(rank + suit, ())) for suit in deck.suits) or 1
        for rank in deck.ranks
    ]
