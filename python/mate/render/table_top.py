"""A game as a picture: its tricks in two facing rows, Y's above and X's below, and the hands."""

from math import ceil

from mate.game import Game
from mate.render import shapes
from mate.render.board import GAP, LINE, MARGIN, WIDTH, headlines, legend, signs_of
from mate.render.card import Box, Painter
from mate.render.marks import Mark, card_marks
from mate.render.markup import element, label, picture
from mate.render.text import ended, numbered, outcome_of, situation
from mate.render.tricks import Trick, tricks_of

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
        start = self.game.root()
        return f"{start}: {numbered(start, tuple(self.game.moves))}"

    # --- Hands ---

    def _hand(self, player: str, y: float) -> list[str]:
        marks = self.marks
        held = [card for card in range(len(marks)) if self._is_held(card, player)]
        aside = [card for card in held if marks[card][0] is Mark.FOREPLACED]
        held = [card for card in held if card not in aside]
        room = WIDTH - 2 * (MARGIN + PAD) + GAP
        pitch = min(CARD[0] + GAP, room / max(len(held + aside), 1))
        lefts = [MARGIN + PAD + place * pitch for place in range(len(held))]
        lefts += [MARGIN + PAD + room - pitch] * len(aside)
        return [
            self.painter.card(card, Box(x, y, pitch - GAP, HAND_CARD), marks[card][0], player)
            for card, x in zip(held + aside, lefts, strict=True)
        ]

    def _is_held(self, card: int, player: str) -> bool:
        mark, holder = self.marks[card]
        return holder == player and mark is not Mark.LED

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
            reply = self.painter.laid(trick.reply, follower, trick.follower, end)
        return element(
            "g", lead, reply, self._between(trick, x + CARD[0] / 2, y + CARD[1] + BETWEEN / 2),
            class_="trick", data_trick=str(trick.number), data_leader=trick.leader,
            data_winner=trick.winner or "-",
        )  # fmt: skip

    def _between(self, trick: Trick, x: float, y: float) -> str:
        ink, upward = self.colours.ink, trick.leader == "x"
        number = str(trick.number) + "!" * trick.declared
        parts = [
            shapes.shape(shapes.LEADS, x - 9, y, 10, ink, turn=-90 if upward else 90),
            label(number, x + 5, y + 4.3, 11.5, ink, bold=True),
        ]
        if trick.free:
            parts.append(shapes.shape(shapes.SPENDS, x + 14, y, 9, ink))
        return "".join(parts)

    # --- Legend ---

    def _signs(self) -> list[tuple[str, str]]:
        found = [(shapes.LEADS, "led"), (shapes.WINS, "took the trick")]
        if self.game.is_mate:
            found.append((shapes.MATES, "mate"))
        if any(trick.free for trick in self.tricks):
            found.append((shapes.SPENDS, "spent the free move"))
        if any(trick.declared for trick in self.tricks):
            found.append((shapes.DECLARES, "privilege declared"))
        return found + signs_of([mark for mark in self.marks if mark[0] is not Mark.LED])


def _end(trick: Trick, player: str) -> str:
    if trick.winner is None:
        return "open"
    return "took" if trick.winner == player else "lost"
