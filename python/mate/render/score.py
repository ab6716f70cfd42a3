"""The score sheet of a match."""

from rich.table import Table

from mate.match import Match
from mate.render.text import brought, outcome_of
from mate.round import points


def score_sheet(match: Match, names: tuple[str, str]) -> Table:
    """Return the games of a match that are over, with what X and Y scored, and the totals."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("game")
    table.add_column("leader")
    table.add_column("for X", no_wrap=True)
    for player, name in zip("XY", names, strict=True):
        table.add_column(f"{player} {name}", justify="right")
    for number, round in enumerate(match.rounds, start=1):
        for half, game in enumerate(round.games, start=1):
            if game.is_over:
                x, y = points(game.result or 0)
                ended = brought(outcome_of(game), "x")
                leader = game.root().leader.upper()
                table.add_row(f"{number}.{half}", leader, ended, str(x), str(y))
    table.add_row("total", "", "", *map(str, match.scores), style="bold")
    return table
