"""A game as a picture: its tricks in two facing rows, Y's above and X's below, and the hands."""

from math import ceil

from mate.game import Game
from mate.render import shapes
from mate.render.board import LINE, MARGIN, WIDTH, headlines, legend
from mate.render.card import SIGNS, Box, Painter
from mate.render.marks import Mark, card_marks
from mate.render.markup import element, label, picture
from mate.render.text import ended, numbered, outcome_of, situation
from mate.render.tricks import Trick, start_of, tricks_of

MOST_IN_A_ROW = 10
CARD = (32, 48)
HAND_CARD = 46
PAD = 7
BETWEEN = 24  # the two cards of a trick: its number, and who led


def table_top(painter: Painter, game: Game) -> str:
    """Return the picture of a game with at least one lead."""
    return TableTop(painter, game).picture()


class TableTop:
    """Where everything of a game lies."""

    def __init__(self, painter: Painter, game: Game):
        self.painter, self.game = painter, game
        self.colours = painter.theme.colours
        self.tricks = tricks_of(game)
        self.marks = card_marks(game)
        rows = ceil(game.variant.deck.hand_size / MOST_IN_A_ROW)
        self.columns = ceil(game.variant.deck.hand_size / rows)
        self.pitch = min((WIDTH - 2 * (MARGIN + PAD)) / self.columns, 1.5 * CARD[0])

    def picture(self) -> str:
        """Put all of it together, from the top down."""
        game = self.game
        over = ended(outcome_of(game), game.variant.deck) if game.is_over else None
        heading = over or situation(game)
        parts = headlines(heading, WIDTH, self.colours.ink)
        y = 16.0 + LINE * len(parts)
        for player in "yx":
            if player == "x":
                y = self._lay_tricks(parts, y)
            if hand := self._hand(player, y):
                parts += hand
                y += HAND_CARD + 10
        explained = legend(self.painter, self._signs(), y, WIDTH)
        height = y + 17 * len(explained) + 5
        return picture(
            heading, self._told(), WIDTH, height, self.colours.ground, *parts, *explained
        )

    def _told(self) -> str:
        start = start_of(self.game)
        return f"{start}: {numbered(start, tuple(self.game.moves))}"

    # --- Hands ---

    def _hand(self, player: str, y: float) -> list[str]:
        cards = [
            card
            for card, (mark, holder) in enumerate(self.marks)
            if holder == player and mark is not Mark.LED
        ]
        cards.sort(key=lambda card: self.marks[card][0] is Mark.FOREPLACED)
        pitch = min(CARD[0] + 4, (WIDTH - 2 * MARGIN) / max(len(cards), 1))
        found = []
        for place, card in enumerate(cards):
            mark = self.marks[card][0]
            x = MARGIN + PAD + place * pitch
            if mark is Mark.FOREPLACED:
                x = WIDTH - MARGIN - PAD - pitch + 4
            box = Box(x, y, pitch - 4, HAND_CARD)
            found.append(self.painter.card(card, box, mark, player))
        return found

    # --- Tricks ---

    def _lay_tricks(self, parts: list[str], y: float) -> float:
        """Lay the tricks on as many tables as they need; return where the last one ends."""
        high = 2 * (PAD + CARD[1]) + BETWEEN
        for first in range(0, len(self.tricks), self.columns):
            parts.append(
                element(
                    "rect", x=MARGIN, y=y, width=WIDTH - 2 * MARGIN, height=high, rx=8,
                    fill=self.colours.table,
                )
            )  # fmt: skip
            for place, trick in enumerate(self.tricks[first : first + self.columns]):
                left = MARGIN + PAD + place * self.pitch + (self.pitch - CARD[0]) / 2
                parts.append(self._trick(trick, left, y + PAD))
            y += high + 10
        return y

    def _trick(self, trick: Trick, x: float, y: float) -> str:
        boxes = {
            "y": Box(x, y, *CARD),
            "x": Box(x, y + CARD[1] + BETWEEN, *CARD),
        }
        follower = boxes[trick.follower]
        mates = self.game.is_mate and trick is self.tricks[-1]
        end = "mates" if mates else _end(trick, trick.leader)
        lead = self.painter.laid(trick.lead, boxes[trick.leader], trick.leader, end)
        if trick.reply is None:
            reply = self.painter.place(follower, mates)
        else:
            end = _end(trick, trick.follower)
            reply = self.painter.laid(trick.reply, follower, trick.follower, end, trick.free)
        return element(
            "g", lead, reply, self._between(trick, x + CARD[0] / 2, y + CARD[1] + BETWEEN / 2),
            class_="trick", data_trick=str(trick.number), data_leader=trick.leader,
            data_winner=trick.winner or "-",
        )  # fmt: skip

    def _between(self, trick: Trick, x: float, y: float) -> str:
        ink = self.colours.ink
        upward = trick.leader == "x"
        number = str(trick.number) + "!" * trick.declared
        return shapes.shape(shapes.LEADS, x - 9, y, 10, ink, turn=-90 if upward else 90) + label(
            number, x + 6, y + 4.3, 11.5, ink, bold=True
        )

    # --- Legend ---

    def _signs(self) -> list[tuple[str, str]]:
        found = [(shapes.LEADS, "led"), (shapes.WINS, "took the trick")]
        if self.game.is_mate:
            found.append((shapes.MATES, "mate"))
        if any(trick.free for trick in self.tricks):
            found.append((shapes.SPENDS, "spent the free move"))
        if any(trick.declared for trick in self.tricks):
            found.append((shapes.DECLARES, "privilege declared"))
        seen = {mark for mark, _ in self.marks if mark is not Mark.LED}
        return found + [(SIGNS[mark], mark.value) for mark in SIGNS if mark in seen]


def _end(trick: Trick, player: str) -> str | None:
    return trick.winner and ("took" if trick.winner == player else "lost")
