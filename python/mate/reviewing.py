"""What every decision of a game cost, what turned it, and how well each player chose.

docs/review.md defines the figures.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import matecore
from mate.errors import IllegalMoveError, MateError, excerpt
from mate.game import Game
from mate.notation import PLAYERS
from mate.position import Position
from mate.record import Record

LATTICE_HAND = 10  # cards; a lattice of larger hands costs more than the searches of one game


class Oracle(Protocol):
    """Whatever knows exact values: what each legal action brings the player who takes it."""

    def values(self, position: matecore.Position) -> list[tuple[int, int]]: ...


# --- Decisions -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Decision:
    """A move for which there was a choice, and what it cost.

    Where cards are unknown a figure is None if it depends on them. Values are margins in points
    for the player who moves, under best play of both from there.

    Attributes:
        ply: the moves played before it.
        trick: its trick, 1 for foreplacing.
        player: who moved, "x" or "y".
        move: the move.
        best: the moves that were best, whatever the unknown cards are.
        value: what the move brought.
        best_value: what a best move would have brought.
        cost: the points lost, 0 or more.
        costs: the least and the most it can have cost.
        spread: the points between the best and the worst move.
        known: whether cost and spread are the same whatever the unknown cards are.
    """

    ply: int
    trick: int
    player: str
    move: str
    best: tuple[str, ...]
    value: int | None
    best_value: int | None
    cost: int | None
    costs: tuple[int, int]
    spread: int | None
    known: bool


class _Choice(NamedTuple):
    """A move in one of the games that may have been: every legal move's value, for the mover."""

    trick: int
    player: str
    move: str
    values: dict[str, int]

    @property
    def value(self) -> int:
        return self.values[self.move]

    @property
    def best_value(self) -> int:
        return max(self.values.values())

    @property
    def cost(self) -> int:
        return self.best_value - self.value

    @property
    def spread(self) -> int:
        return self.best_value - min(self.values.values())

    def best(self) -> list[str]:
        best = self.best_value
        return [move for move, value in self.values.items() if value == best]

    def margin(self, value: int) -> int:
        """A value of the mover as a margin of X."""
        return value if self.player == "x" else -value


# --- Reviews -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Summary:
    """How well one player chose, in one game or many.

    Attributes:
        decisions: his choices, without those that depend on unknown cards.
        unknown: those.
        loss: the points they cost in all.
        attainable: the points between the best and the worst moves in all.
        tricks: the tricks in which he had a choice, none of them unknown.
        perfect: those of them in which he lost nothing.
    """

    decisions: int = 0
    unknown: int = 0
    loss: int = 0
    attainable: int = 0
    tricks: int = 0
    perfect: int = 0

    @property
    def average_loss(self) -> float | None:
        """Points lost a decision; None without decisions."""
        return self.loss / self.decisions if self.decisions else None

    @property
    def accuracy(self) -> float | None:
        """The share of the attainable margin that was kept, 0..1; None if nothing was."""
        kept = self.attainable - self.loss
        return kept / self.attainable if self.attainable else None

    def __add__(self, other: "Summary") -> "Summary":
        """Return both together, as of two games.

        >>> (Summary(decisions=1, loss=4) + Summary(decisions=3)).average_loss
        1.0
        """
        if not isinstance(other, Summary):
            return NotImplemented
        return Summary(
            self.decisions + other.decisions,
            self.unknown + other.unknown,
            self.loss + other.loss,
            self.attainable + other.attainable,
            self.tricks + other.tricks,
            self.perfect + other.perfect,
        )


@dataclass(frozen=True)
class Review:
    """The review of one game.

    Attributes:
        starts: where it may have begun; one position unless cards are unknown.
        moves: what was played.
        value: X's margin under best play from the start; None if it depends on unknown cards.
        result: X's margin if the game is over, else None.
        decisions: every move for which there was a choice, in order.
        turning_point: the decision after which the winner was who he stayed; see docs/review.md.
        x, y: the players' summaries.
    """

    starts: tuple[Position, ...]
    moves: tuple[str, ...]
    value: int | None
    result: int | None
    decisions: tuple[Decision, ...]
    turning_point: Decision | None
    x: Summary
    y: Summary

    @property
    def unknown(self) -> tuple[str, ...]:
        """The cards of which it is not certain who held them, in the order of the deck."""
        certain = [-1, -1]
        for start in self.starts:
            certain = [old & hand for old, hand in zip(certain, start.core.hands, strict=True)]
        dealt = self.starts[0].core.hands
        doubtful = (dealt[0] | dealt[1]) & ~(certain[0] | certain[1])
        cards = self.starts[0].variant.deck.cards
        return tuple(card for index, card in enumerate(cards) if doubtful >> index & 1)


def review(game: "Game | Record", oracle: Oracle | None = None) -> Review:
    """Return the review of a game from its first move to where it is now.

    Arguments:
        game: a `Game` or a `Record`.
        oracle: what knows the values, such as a `matecore.Solver` or a `matecore.Tablebase`;
            unless told, the deal is solved.

    Raises:
        MateError: `game` is neither, or the oracle knows nothing of it.

    >>> import mate
    >>> game = mate.Game("AQ7.A7.TK7.AT")
    >>> for move in ("Ac", "Tc", "Qc", "Kc"):
    ...     game.push(move)
    >>> found = review(game)
    >>> [(d.player, d.move, d.cost, d.best) for d in found.decisions if d.cost]
    [('x', 'Ac', 56, ('7c',)), ('x', 'Qc', 21, ('7c', 'As', '7s', 'Th', '7h', 'Ad', 'Td'))]
    >>> found.x.loss, found.x.attainable, found.x.accuracy, found.y.accuracy
    (77, 100, 0.23, None)
    """
    record = game if isinstance(game, Record) else Record.of(game)
    return review_deals((record.start,), record.moves, oracle)


def review_deals(
    starts: Iterable[Position], moves: Sequence[str], oracle: Oracle | None = None
) -> Review:
    """Return the review of a game that began at one of several positions, nobody knows which.

    Arguments:
        starts: the possible starts, of one variant, the same player to act; those from which the
            moves cannot be played are left out.
        moves: what was played.
        oracle: as for `review`.

    Raises:
        IllegalMoveError: the moves can be played from no start.
        MateError: there is no start, or they differ in more than cards.
    """
    if oracle is not None and not hasattr(oracle, "values"):
        raise MateError(f"{excerpt(oracle)} knows no values")
    games = [_choices_of(game, oracle) for game in _possible_games(starts, moves)]
    choices = [found for _, found in games]
    decisions = tuple(
        _decision(ply, at_ply)
        for ply, at_ply in enumerate(zip(*choices, strict=True))
        if any(len(choice.values) > 1 for choice in at_ply)
    )
    first = games[0][0]
    return Review(
        starts=tuple(game.root().position for game, _ in games),
        moves=tuple(first.moves),
        value=_same(_value_at_start(game, found, oracle) for game, found in games),
        result=_same(game.result for game, _ in games),
        decisions=decisions,
        turning_point=_turning_point(decisions, choices),
        x=_summary("x", decisions),
        y=_summary("y", decisions),
    )


def _possible_games(starts: Iterable[Position], moves: Sequence[str]) -> list[Game]:
    if not isinstance(starts, Iterable) or not isinstance(moves, (tuple, list)):
        raise MateError(f"expected positions and moves, found {excerpt(starts)}, {excerpt(moves)}")
    starts = tuple(starts)
    for start in starts:
        if not isinstance(start, Position):
            raise MateError(f"{excerpt(start)} is no position")
    if len({(start.variant, start.to_move, start.trick) for start in starts}) != 1:
        raise MateError("expected possible starts of one variant with the same player to act")
    games, refused = [], []
    for start in starts:
        try:
            games.append(_played(start, moves))
        except IllegalMoveError as error:
            refused.append(error)
    if not games:
        raise refused[0]
    return games


def _played(start: Position, moves: Sequence[str]) -> Game:
    game = Game.from_position(start)
    for move in moves:
        game.push(move)
    return game


# --- One possible game ---------------------------------------------------------------------------


def _choices_of(game: Game, oracle: Oracle | None) -> tuple[Game, list[_Choice]]:
    now = game.root()
    knows = oracle or _exact(now)
    choices = []
    for move in game.moves:
        values = _values(now, knows)
        choices.append(_Choice(now.trick, now.to_move, move, values))
        now.push(move)
    return game, choices


def _exact(start: Game) -> Oracle:
    size = start.variant.deck.hand_size
    hands = start.core.hands
    if size > LATTICE_HAND or [hand.bit_count() for hand in hands] != [size, size]:
        return matecore.Solver(start.variant.rules)
    lattice = matecore.Lattice(start.variant.rules)
    lattice.solve(*hands)
    return lattice


def _values(game: Game, oracle: Oracle) -> dict[str, int]:
    names = game.variant.action_names
    try:
        return {names[action]: value for action, value in oracle.values(game.core)}
    except MateError:
        raise
    except (TypeError, ValueError) as error:
        raise MateError(f"the oracle does not know this game: {error}") from None


def _value_at_start(game: Game, choices: list[_Choice], oracle: Oracle | None) -> int:
    if choices:
        return choices[0].margin(choices[0].best_value)
    if game.result is not None:
        return game.result
    best = max(_values(game, oracle or _exact(game)).values())
    return best if game.to_move == PLAYERS[0] else -best


# --- All of them together ------------------------------------------------------------------------


def _same(found: Iterable[int | None]) -> int | None:
    values = set(found)
    return values.pop() if len(values) == 1 else None


def _decision(ply: int, choices: tuple[_Choice, ...]) -> Decision:
    first = choices[0]
    costs = [choice.cost for choice in choices]
    spread = _same(choice.spread for choice in choices)
    best = [move for move in first.best() if all(move in choice.best() for choice in choices)]
    return Decision(
        ply=ply,
        trick=first.trick,
        player=first.player,
        move=first.move,
        best=tuple(best),
        value=_same(choice.value for choice in choices),
        best_value=_same(choice.best_value for choice in choices),
        cost=_same(costs),
        costs=(min(costs), max(costs)),
        spread=spread,
        known=spread is not None and min(costs) == max(costs),
    )


def _turning_point(
    decisions: tuple[Decision, ...], choices: list[list[_Choice]]
) -> Decision | None:
    ply = _same(_turning_ply(found) for found in choices)
    return next((decision for decision in decisions if decision.ply == ply), None)


def _turning_ply(choices: list[_Choice]) -> int | None:
    """The last move that changed who wins, or else the first of the costliest, or else None."""
    turned = [
        ply for ply, choice in enumerate(choices) if _sign(choice.value) != _sign(choice.best_value)
    ]
    costs = [choice.cost for choice in choices]
    if turned:
        return turned[-1]
    return costs.index(max(costs)) if any(costs) else None


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _summary(player: str, decisions: tuple[Decision, ...]) -> Summary:
    own = [decision for decision in decisions if decision.player == player]
    known = [decision for decision in own if decision.known]
    tricks = {decision.trick for decision in own}
    tricks -= {decision.trick for decision in own if not decision.known}
    lost = {decision.trick for decision in known if decision.cost}
    return Summary(
        decisions=len(known),
        unknown=len(own) - len(known),
        loss=sum(decision.cost or 0 for decision in known),
        attainable=sum(decision.spread or 0 for decision in known),
        tricks=len(tricks),
        perfect=len(tricks - lost),
    )
