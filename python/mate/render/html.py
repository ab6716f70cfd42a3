"""An analysis as a page of a notebook shows it: the position, the verdict, a table of the moves."""

from mate.analysis import Analysis, MoveValue
from mate.render.markup import element, safe
from mate.render.svg import svg
from mate.render.text import brought, ended, numbered, outcome_after, signed
from mate.state import State

LINE = 1 << 10  # letters of a line of play; one of the longest game has about two hundred


def analysis_html(analysis: Analysis) -> str:
    """Return an analysis as HTML.

    >>> import mate
    >>> page = analysis_html(mate.analyze(mate.Position.parse("7.Q../.7.K. x - 9 -/- -")))
    >>> "X mates with the Seven of Clubs (7c) on trick 10: 70 points." in page
    True
    """
    state = analysis.start
    deck, whose = state.variant.deck, f"for {analysis.to_move.upper()}"
    best = ended(analysis.outcome, deck)
    verdict = f"Best play: {best}" if analysis.moves else f"The game is over. {best}"
    heads = [element("th", text) for text in ("move", "value", whose, "best line")]
    rows = [_row(move, state) for move in analysis.moves]
    table = element("table", element("tr", *heads), *rows) if rows else ""
    return element("div", svg(state), element("p", element("b", safe(verdict, LINE))), table)


def _row(move: MoveValue, state: State) -> str:
    outcome = brought(outcome_after(state, move.line), state.to_move)
    line = numbered(state, move.line)
    return element(
        "tr",
        element("td", element("b", safe(move.move))),
        element("td", signed(move.value), style="text-align:right"),
        element("td", outcome),
        element("td", safe(line, LINE), style="text-align:left"),
    )
