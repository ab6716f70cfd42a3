"""What a hand of Court Piece comes to when all its cards are seen: double-dummy analysis."""

import time
from dataclasses import dataclass

from mate.court_piece.cards import ACTION_NAMES
from mate.court_piece.hand import Hand
from mate.errors import MateError, excerpt
from matecore.court_piece import NAME, PLAY_ON, STOP, Position, Solver


@dataclass(frozen=True)
class MoveValue:
    """What a move is worth to the side that makes it.

    Attributes:
        move: its text.
        tricks: how many the side still collects, all thirteen being played; none after `stop`,
            which ends the hand.
        points: what it scores by the hand, negative if the other side does.
    """

    move: str
    tricks: int
    points: int


@dataclass(frozen=True)
class Analysis:
    """What is known of a hand when all four see all cards.

    Attributes:
        to_act: the seat whose turn it is, 0..3.
        tricks: how many its side still collects, the trick on the table and the pile counted.
        points: what it scores by the hand, negative if the other side does.
        moves: all legal ones, the best first: by points, then by tricks, of equals the lowest.
        line: the best move, and best play after it to the last trick, even if the hand is over
            before; where play goes on at seven tricks to none, `on` stands in it. `stop` never
            brings more than `on`, and is in no line.
        nodes: positions between tricks searched.
        seconds: how long it took.
    """

    to_act: int
    tricks: int
    points: int
    moves: tuple[MoveValue, ...]
    line: tuple[str, ...]
    nodes: int
    seconds: float

    @property
    def best(self) -> str | None:
        """The best move, None when the hand is over."""
        return self.moves[0].move if self.moves else None


def analyze(hand: Hand) -> Analysis:
    """Return what a hand comes to under best play of all, every card seen (section 5).

    Arguments:
        hand: its trump may be still to be named; if it is over, there are no moves.

    Raises:
        MateError: it is no hand.

    >>> from mate.court_piece import Deal
    >>> deal = "N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75"
    >>> analysis = analyze(Hand(Deal.parse(deal), trump="D"))
    >>> analysis.tricks, analysis.points, analysis.moves[0].tricks
    (13, 3, 13)
    """
    if not isinstance(hand, Hand):
        raise MateError(f"{excerpt(hand)} is no hand of Court Piece")
    start = time.perf_counter()
    solver, core = Solver(hand.variant.rules), hand.core
    moves = _moves(solver, core)
    line = _line(solver, core, moves[0].move) if moves else ()
    best = max((move.tricks for move in moves), default=0)
    points = moves[0].points if moves else solver.points(core)
    seconds = time.perf_counter() - start
    return Analysis(hand.to_act, best, points, moves, line, solver.nodes, seconds)


def _moves(solver: Solver, core: Position) -> tuple[MoveValue, ...]:
    points = dict(solver.points_of(core))
    tricks = _tricks(solver, core) if points else {}
    # Of equals the lowest card comes first, as in lines of play.
    best = sorted(points, key=lambda action: (points[action], tricks[action], action), reverse=True)
    return tuple(MoveValue(ACTION_NAMES[a], tricks[a], points[a]) for a in best)


def _plays_cards(core: Position) -> bool:
    # Else the trump is to be named, or whether play goes on: then the same side acts again.
    return core.legal_actions()[0] < NAME


def _tricks(solver: Solver, core: Position) -> dict[int, int]:
    if _plays_cards(core):
        return dict(solver.values(core))
    actions = core.legal_actions()
    return {a: 0 if a == STOP else solver.tricks(_after(core, a)) for a in actions}


def _line(solver: Solver, core: Position, best: str) -> tuple[str, ...]:
    after, line = _after(core, ACTION_NAMES.index(best)), [best]
    for card in solver.line(after):
        if PLAY_ON in after.legal_actions():
            line.append(ACTION_NAMES[PLAY_ON])
            after.push(PLAY_ON)
        line.append(ACTION_NAMES[card])
        if not after.is_over:
            after.push(card)
    return tuple(line)


def _after(core: Position, action: int) -> Position:
    after = core.copy()
    after.push(action)
    return after
