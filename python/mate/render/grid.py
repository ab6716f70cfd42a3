"""The board: suits as rows, ranks as columns.

So a reply to a card stands in the row of the card, or else in its column, and where neither has
one of the follower's cards the card mates.
"""

from rich.text import Text

from mate.deck import Deck
from mate.render.marks import Mark, card_marks
from mate.state import State

STYLES = {"x": "bold cyan", "y": "bold yellow"}
GONE, LEGEND = "dim", "dim"

# A card is an X or a Y, its holder, between two marks; who plays needs no colour to tell them.
SHAPES = {
    Mark.HELD: (" {} ", ""),
    Mark.LED: ("[{}]", "reverse"),
    Mark.LEGAL: ("({})", ""),
    Mark.SPENDS: ("<{}>", ""),
    Mark.FOREPLACED: ("*{} ", "dim"),
}
PLAYED = " . "
MEANINGS = {
    "[": "[ ] led",
    "(": "( ) may be played",
    "<": "< > may be played, spending the free move",
    "*": "* foreplaced",
    ".": ". played",
}


def grid(state: State) -> Text:
    """Return the board of a game or position, with a legend of the marks on it.

    The last row is what a mate scores on this trick, by the rank of the mating card.

    >>> import mate
    >>> game = mate.Game("ATK.Q7.A.TKQ7")
    >>> game.push("Kc")
    >>> print(grid(game))
                   A      T      K      Q      7
                  Ace    Ten   King   Queen  Seven
       Clubs  c    X      X     [X]    (Y)    (Y)
      Spades  s    Y      Y      Y      X      X
      Hearts  h    X      Y      Y      Y      Y
    Diamonds  d    Y      X      X      X      X
    mate scores   11     10      4      3      7
    [ ] led   ( ) may be played
    """
    deck, marks = state.variant.deck, marks_of(state)
    width = max(3 * _most_copies(deck) + 1, *(len(name) + 2 for name in deck.rank_names), 4)
    labels = [f"{name}  {suit}" for name, suit in zip(_suit_names(deck), deck.suits, strict=True)]
    margin = max(map(len, (*labels, "mate scores")))
    heads = [head for head in (deck.ranks, deck.rank_names) if head]
    rows = [_row("", margin, [_centred(name, width) for name in head]) for head in heads]
    for suit, label in enumerate(labels):
        cells = [_cell(deck, marks, suit, rank, width) for rank in range(len(deck.ranks))]
        rows.append(_row(label, margin, cells))
    scores = [_centred(str(points * state.weight), width) for points in deck.points]
    rows.append(_row("mate scores", margin, scores))
    legend = _legend(marks)
    return Text("\n", no_wrap=True, overflow="ignore").join([*rows, *[legend] * bool(legend)])


# --- Cards ---------------------------------------------------------------------------------------


def marks_of(state: State) -> list[tuple[str, str]]:
    """Return for each card of the deck its three letters on the board and their style."""
    return [_marked(mark, player) for mark, player in card_marks(state)]


def _marked(mark: Mark, player: str | None) -> tuple[str, str]:
    if player is None:
        return PLAYED, GONE
    shape, style = SHAPES[mark]
    return shape.format(player.upper()), f"{STYLES[player]} {style}".strip()


# --- Rows ----------------------------------------------------------------------------------------


def _cell(deck: Deck, marks: list[tuple[str, str]], suit: int, rank: int, width: int) -> Text:
    cards = deck.copies.get(deck.ranks[rank] + deck.suits[suit], ())
    cell = Text()
    for card in cards:
        cell.append(*marks[card])
    return _padded(cell, width)


def _padded(cell: Text, width: int) -> Text:
    left = (width - len(cell)) // 2
    return Text(" " * left).append(cell).append(" " * (width - len(cell) - left))


def _centred(text: str, width: int) -> Text:
    return _padded(Text(text), width)


def _row(label: str, margin: int, cells: list[Text]) -> Text:
    row = Text(label.rjust(margin) + " ").append(Text.assemble(*cells))
    row.rstrip()
    return row


def _legend(marks: list[tuple[str, str]]) -> Text:
    seen = "".join(text for text, _ in marks)
    return Text("   ".join(text for sign, text in MEANINGS.items() if sign in seen), style=LEGEND)


def _suit_names(deck: Deck) -> tuple[str, ...]:
    return deck.suit_names or ("",) * len(deck.suits)


def _most_copies(deck: Deck) -> int:
    return max(map(len, deck.copies.values()))
