"""The exact truth about a position: its value, and what every move would bring."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import matecore
from mate.errors import MateError, excerpt
from mate.notation import PLAYERS
from mate.objective import Playable, game_of, solver_for
from mate.position import Position
from mate.state import State
from mate.variant import Variant

if TYPE_CHECKING:
    from mate.tablebase import Tablebase


class Oracle(Protocol):
    """Whatever knows exact values: a search, or a table to look them up in."""

    @property
    def nodes(self) -> int: ...
    def value(self, position: matecore.Position) -> int: ...
    def line(self, position: matecore.Position) -> list[int]: ...


@dataclass(frozen=True)
class MoveValue:
    """What a move brings under best play of both.

    Attributes:
        move: the move.
        value: the margin in points for the player who makes it.
        line: the game's best course from here, the move first.
    """

    move: str
    value: int
    line: tuple[str, ...]


@dataclass(frozen=True)
class Outcome:
    """The mate that ends a game.

    Attributes:
        winner: "x" or "y".
        points: what he scores.
        trick: the trick of the mate, from 1.
        card: the card that mates.
    """

    winner: str
    points: int
    trick: int
    card: str


@dataclass(frozen=True)
class Analysis:
    """The exact analysis of a position.

    Attributes:
        variant: the name of the variant.
        position: the text of the position.
        to_move: who acts, "x" or "y".
        value: the margin in points, of the player to act, under best play of both.
        best: the first of the best moves in the order of the deck, None when the game is over.
        moves: every legal move with its own value and line, best first.
        outcome: how the game ends under best play, None for a draw.
        nodes: positions searched; 0 where values were looked up.
        seconds: time it took.
        source: what answered, "search" or "tablebase".
        start: the position itself.
        objective: what values are of: "game", "round" or "match".
    """

    variant: str
    position: str
    to_move: str
    value: int
    best: str | None
    moves: tuple[MoveValue, ...]
    outcome: Outcome | None
    nodes: int
    seconds: float
    source: str
    start: Position = field(repr=False, compare=False)
    objective: str = "game"

    def _repr_html_(self) -> str:
        from mate.render.html import analysis_html  # only a notebook needs it

        return analysis_html(self)


def analyze(
    game: Playable,
    solver: matecore.Solver | None = None,
    *,
    objective: str = "game",
    tablebase: "Tablebase | None" = None,
    progress: Callable[[int, int], None] | None = None,
) -> Analysis:
    """Return the exact analysis of a game or position, at any point of it.

    Arguments:
        game: a `Game` or a `Position`, or a `Round` or a `Match`, whose game it is that is played;
            it is not changed.
        solver: one to use again, so that what it learnt of this deal is not searched again.
        objective: what values are of. "game": the margin of this game. "round": the margin of the
            whole round, needs a `Round` or a `Match`. "match": whether the player to act wins the
            match with this round, 1, or the other, -1, or neither, 0; needs a `Match` in its last
            round, or one with a target (sections 6 and 8).
        tablebase: looked up in place of a search.
        progress: called with the moves analysed and the legal moves, after each of them.

    Raises:
        MateError: `game` is none of these, the solver or tablebase is none or of another variant,
            or the objective is none or not to be told.
        TablebaseError: the tablebase's file is damaged.

    >>> import mate
    >>> analysis = mate.analyze(mate.Position.parse("7.Q../.7.K. x - 9 -/- -"))
    >>> analysis.value, analysis.best, analysis.outcome
    (70, 'Qs', Outcome(winner='x', points=70, trick=10, card='7c'))
    >>> mate.analyze(mate.Round("AQ7.A7.TK7.AT"), objective="round").value
    0
    """
    start = time.perf_counter()
    oracle = _oracle(game, solver, objective, tablebase)
    nodes = oracle.nodes
    game = game_of(game)
    core = game.core
    found = _values_and_lines(core, game, oracle, progress or _no_progress)
    value = found[0][0] if found else oracle.value(core)
    for action in found[0][1] if found else ():
        core.push(action)
    names = game.variant.action_names
    moves = tuple(
        MoveValue(names[line[0]], value, tuple(names[action] for action in line))
        for value, line in found
    )
    return Analysis(
        variant=game.variant.name,
        position=str(game),
        to_move=game.to_move,
        value=value,
        best=moves[0].move if moves else None,
        moves=moves,
        outcome=_outcome(core, game.variant),
        nodes=oracle.nodes - nodes,
        seconds=time.perf_counter() - start,
        source="search" if tablebase is None else "tablebase",
        objective=objective,
        start=Position(game.core, game.variant),
    )


def _oracle(
    played: Playable,
    solver: matecore.Solver | None,
    objective: str,
    tablebase: "Tablebase | None",
) -> Oracle:
    game = game_of(played)
    if solver is None and tablebase is None:
        return solver_for(played, objective)
    if objective != "game" or (solver is not None and tablebase is not None):
        raise MateError("a solver, or a tablebase, or an objective other than the game")
    if tablebase is not None:
        if not hasattr(tablebase, "oracle_for"):
            raise MateError(f"{excerpt(tablebase)} is no tablebase")
        return tablebase.oracle_for(game)
    return _checked(solver, game.variant)


def _checked(solver: object, variant: Variant) -> matecore.Solver:
    if not isinstance(solver, matecore.Solver):
        raise MateError(f"{excerpt(solver)} is no solver")
    if solver.rules != variant.rules:
        raise MateError(f"the solver is not of the variant {variant.name}")
    if solver.worth is not None or solver.horizon is not None:
        raise MateError("the solver does not search for points to the end")
    return solver


def _no_progress(done: int, total: int) -> None:
    pass


def _values_and_lines(
    core: matecore.Position,
    game: State,
    oracle: Oracle,
    progress: Callable[[int, int], None],
) -> list[tuple[int, tuple[int, ...]]]:
    """Return for each legal action its value and line, best first; of copies, the lowest."""
    found = []
    mover = core.to_move
    actions = [game.action_of(move) for move in game.legal_moves]
    for action in actions:
        core.push(action)
        value = oracle.value(core)
        line = (action, *oracle.line(core))
        found.append((value if core.to_move == mover else -value, line))
        core.pop()
        progress(len(found), len(actions))
    return sorted(found, key=lambda move: -move[0])


def _margin(core: matecore.Position) -> int:
    return core.margin or 0


def _outcome(core: matecore.Position, variant: Variant) -> Outcome | None:
    if core.led is None:
        return None
    winner = PLAYERS[1 - core.to_move]
    return Outcome(winner, abs(_margin(core)), core.trick, variant.deck.cards[core.led])
