"""Reviews as people read them: a game's choices, a line a game, and how well each player chose."""

from rich.cells import set_cell_size
from rich.table import Table
from rich.text import Text

from mate.annotate import MOST_TOLD, TURNING, write_cost
from mate.errors import shown
from mate.record import UNFINISHED, Record
from mate.render.grid import STYLES
from mate.render.text import signed
from mate.reviewing import Decision, Review, Summary

PLACE, NAME = 24, 14  # cells of a line for where a game stands, and for a player's name


def heading(record: Record, place: str) -> str:
    """Say which game this is, who played it and how it ended.

    >>> import mate
    >>> heading(Record.of(mate.Game("AQ7.A7.TK7.AT"), {"X": "Anna"}), "games.mate:1")
    'games.mate:1  ?, round ?: Anna (X), ? (Y), *  [bga]'
    """
    tags = {name: shown(value) for name, value in record.tags.items()}
    return (
        f"{shown(place)}  {tags['Event']}, round {tags['Round']}: {tags['X']} (X), "
        f"{tags['Y']} (Y), {_margin(record.result)}  [{shown(record.variant.name)}]"
    )


def _margin(value: int | None) -> str:
    return UNFINISHED if value is None else signed(value)


def _plain_table(*columns: str, left: int) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number < left else "right", no_wrap=True)
    return table


# --- One game ------------------------------------------------------------------------------------


def choices_table(review: Review) -> Table:
    """Return a table of every choice of a game: what it brought, and what the best would have."""
    table = _plain_table("trick", "player", "move", "value", "cost", "best", left=3)
    table.columns[-1].justify = "left"
    for decision in review.decisions:
        costly = decision.costs[1] > 0
        table.add_row(
            str(decision.trick),
            Text(decision.player.upper(), style=STYLES[decision.player]),
            Text(decision.move, style="bold"),
            "?" if decision.value is None else signed(decision.value),
            Text(write_cost(decision) if costly else "", style="red"),
            _best(decision) if costly else "",
            Text(f"← {TURNING}" if decision == review.turning_point else "", style="bold"),
        )
    return table


def _best(decision: Decision) -> str:
    if not decision.best:
        return "depends on unknown cards"
    more = " …" * (len(decision.best) > MOST_TOLD)
    kept = "?" if decision.best_value is None else signed(decision.best_value)
    return f"{' '.join(decision.best[:MOST_TOLD])}{more} ({kept})"


# --- Many games ----------------------------------------------------------------------------------

_COLUMNS = f"{'game':{PLACE}} {'X':{NAME}} {'Y':{NAME}} {'result':>6}  {'X lost':>6} {'Y lost':>6}"
LINES_HEADING = f"{_COLUMNS}  turning point"


def game_line(record: Record, review: Review, place: str) -> str:
    """Return a game on one line, under `LINES_HEADING`."""
    place = shown(place)
    place = place if len(place) <= PLACE else "…" + place[1 - PLACE :]
    names = [shown(record.tags[player]) for player in "XY"]
    turned = review.turning_point
    cells = [set_cell_size(place, PLACE), *(set_cell_size(name, NAME) for name in names)]
    lost = f"{review.x.loss:6} {review.y.loss:6}"
    turn = f"{turned.trick}. {turned.move} {write_cost(turned)}" if turned else ""
    return f"{' '.join(cells)} {_margin(review.result):>6}  {lost}  {turn}".rstrip()


def players_table(players: list[tuple[str, int, Summary]]) -> Table:
    """Return a table of names, games and how well each player chose in them."""
    table = _plain_table(
        "player", "games", "choices", "lost", "per choice", "accuracy", "perfect tricks", left=1
    )
    for name, games, summary in players:
        loss, accuracy = summary.average_loss, summary.accuracy
        table.add_row(
            Text(shown(name)),
            str(games),
            str(summary.decisions) + f" (+{summary.unknown} ?)" * (summary.unknown > 0),
            str(summary.loss),
            "" if loss is None else f"{loss:.2f}",
            "" if accuracy is None else f"{accuracy:.1%}",
            f"{summary.perfect} of {summary.tricks}",
        )
    return table
