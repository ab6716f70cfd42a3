"""An analysis as people read it: a verdict, and a table of the moves."""

from rich.table import Table
from rich.text import Text

from mate.analysis import Analysis, MoveValue
from mate.render.grid import STYLES
from mate.render.text import brought, ended, numbered, outcome_after, signed
from mate.state import State


def verdict(analysis: Analysis, state: State) -> Text:
    """Say what best play brings: who wins, how, and on which way."""
    deck, player = state.variant.deck, analysis.to_move
    text = Text()
    if not analysis.moves:
        return text.append(f"The game is over. {ended(analysis.outcome, deck)}", style="bold")
    text.append(f"Best play: {ended(analysis.outcome, deck)}\n", style="bold")
    text.append(f"{player.upper()} plays {analysis.best}: ", style=STYLES[player])
    return text.append(numbered(state, analysis.moves[0].line))


def moves_table(moves: tuple[MoveValue, ...], state: State) -> Table:
    """Return a table of moves: the value, what it is made of, and the line."""
    player = state.to_move
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column("move", no_wrap=True)
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column(f"for {player.upper()}", no_wrap=True)
    table.add_column("best line")
    for move in moves:
        outcome = outcome_after(state, move.line)
        table.add_row(
            Text(move.move, style="bold"),
            Text(signed(move.value), style=_value_style(move.value)),
            brought(outcome, player),
            numbered(state, move.line),
        )
    return table


def _value_style(value: int) -> str:
    return "green" if value > 0 else "red" if value < 0 else ""
