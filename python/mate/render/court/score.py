"""The score of a match of Court Piece."""

from rich.table import Table

from mate.court_piece.match import Match
from mate.render.court.words import SEAT_WORDS, SHORT_SIDES, SUIT_NAMES, by_side


def score_line(match: Match) -> str:
    """Say how a match stands, and when it ends."""
    score = f"Score {by_side(match.scores)}"
    if match.variant.n_hands is None:
        return f"{score}; first to {match.variant.target_points}."
    played = sum(hand.is_over for hand in match.hands)
    return f"{score}; {played} of {match.variant.n_hands} hands played."


def score_sheet(match: Match) -> Table:
    """Return the hands of a match that are over, with what the sides scored, and the totals."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for name in ("hand", "caller", "trump", "tricks"):
        table.add_column(name)
    for side in SHORT_SIDES:
        table.add_column(side, justify="right")
    for number, hand in enumerate(match.hands, start=1):
        if hand.points is None:
            continue
        tricks = "{}-{}".format(*hand.collected) + ", court" * hand.court
        trump = SUIT_NAMES[hand.trump or "N"]
        table.add_row(str(number), SEAT_WORDS[hand.caller], trump, tricks, *map(str, hand.points))
    table.add_row("total", "", "", "", *map(str, match.scores), style="bold")
    return table
