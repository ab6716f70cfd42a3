"""Puzzles: positions with exactly one best move and a stated prize; see docs/puzzles.md."""

import operator
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import matecore
from mate.analysis import Analysis, Outcome, analyze
from mate.deal import Deal
from mate.errors import MateError, excerpt
from mate.foresight import Foresight
from mate.game import Game
from mate.notation import PLAYERS
from mate.position import Position
from mate.variant import Variant

LEVELS = 5
# The greatest difficulty of each level but the last; difficulty is depth and deception together.
CUTS = (1, 3, 5, 8)

# The players of the games that puzzles are taken from.
LOOK = 2  # tricks they look ahead, at random between what then looks best
ERROR = 1 / 3  # how often they play any legal move instead

MOST_CARDS = 12  # in a hand, in games whose players look ahead and in positions that are searched
MOST_POSITIONS = 5_000  # walked to learn whether best play always mates on the same trick
GAMES = 20_000  # without a puzzle among them, after which there is no hope

Item = TypeVar("Item")


@dataclass(frozen=True)
class Puzzle:
    """A position whose player to act wins points, or saves a draw, by one move only.

    Attributes:
        position: where it is.
        best: the one best move.
        value: the margin in points it brings, 0 where it holds the draw.
        outcome: the mate that best play comes to: always on this trick, and with this card in
            `line`; None where a draw is held.
        line: the game's best course, the best move first.
        depth: how many tricks ahead one must look, this one among them, to prefer the best move
            and to do so however much further one looks.
        traps: the moves that look better to somebody who looks less far, in the order of the deck.
        deception: how many of the depths below `depth` are deceived by a trap.
        cost: what the second-best move gives away, in points.
        level: 1 the easiest to 5, by depth and deception.
    """

    position: Position
    best: str
    value: int
    outcome: Outcome | None
    line: tuple[str, ...]
    depth: int
    traps: tuple[str, ...]
    deception: int
    cost: int
    level: int

    @property
    def prize(self) -> str:
        """What there is to do, for people.

        >>> next(puzzles(seed=1)).prize
        'Lead and mate on trick 6 for 60'
        """
        foreplaces = any(self.position.core.undecided)
        does = "Foreplace" if foreplaces else "Reply" if self.position.led else "Lead"
        if self.outcome is None:
            return f"{does} and hold the draw"
        return f"{does} and mate on trick {self.outcome.trick} for {self.outcome.points}"


def puzzles(
    seed: int, variant: "Variant | str" = "bga", level: int | None = None
) -> Iterator[Puzzle]:
    """Return puzzles without end, always the same ones for a seed and a variant.

    Each is from another game, and games come to each of the positions. With a level, they are
    those of the same puzzles that are of this level.

    Arguments:
        seed: 0 or more.
        variant: the variant or its text.
        level: 1 to 5, or None for all.

    Raises:
        VariantError: there is no such variant.
        MateError: the seed or level is none; or, from the iterator, 20,000 games in a row had no
            such puzzle, as with a deck too small for it.

    >>> puzzle = next(puzzles(seed=1, level=5))
    >>> puzzle.prize, puzzle.best, puzzle.depth
    ('Lead and mate on trick 7 for 21', 'Qs', 10)
    """
    number = _integer(seed, "seed", 0, None)
    wanted = None if level is None else _integer(level, "level", 1, LEVELS)
    return _puzzles(number, Variant.of(variant), wanted)


def _integer(value: object, name: str, low: int, high: int | None) -> int:
    good = hasattr(value, "__index__") and not isinstance(value, bool)
    number = operator.index(value) if good else -1  # type: ignore[arg-type]
    if number < low or (high is not None and number > high):
        limits = f"{low} or more" if high is None else f"{low} to {high}"
        raise MateError(f"{name} {excerpt(value)}: an integer, {limits}")
    return number


def _puzzles(seed: int, variant: Variant, level: int | None) -> Iterator[Puzzle]:
    # Of all generators at hand this is the one whose random() is promised never to change.
    rng = random.Random(seed)
    foresight = Foresight(variant)
    since = 0
    while since < GAMES:
        since += 1
        position = _some_position(rng, foresight)
        puzzle = position and _puzzle_at(position, foresight)
        if puzzle and level in (None, puzzle.level):
            yield puzzle
            since = 0
    of_level = "" if level is None else f" of level {level}"
    raise MateError(f"{GAMES} games of {variant.name} in a row had no puzzle{of_level}")


# --- Positions -----------------------------------------------------------------------------------


def _some_position(rng: random.Random, foresight: Foresight) -> Position | None:
    """Return a position of a game at random, one with a choice; None if the game has none."""
    game = _random_game(rng, foresight.variant)
    found = []
    while not game.is_over:
        moves: Sequence[str] = game.legal_moves
        if max(len(game.x), len(game.y)) <= MOST_CARDS:
            if len(moves) > 1:
                found.append(game.position)
            moves = _sensible(moves, game, foresight) if rng.random() >= ERROR else moves
        game.push(_pick(rng, moves))
    return _pick(rng, found) if found else None


def _sensible(moves: Sequence[str], game: Game, foresight: Foresight) -> Sequence[str]:
    return _best(foresight.values(game, LOOK)) if len(moves) > 1 else moves


def _random_game(rng: random.Random, variant: Variant) -> Game:
    deck = variant.deck
    keys = [rng.random() for _ in deck.cards]
    hand = sorted(range(deck.n_cards), key=keys.__getitem__)[: deck.hand_size]
    return Game(Deal(sum(1 << card for card in hand), deck=deck), variant, _pick(rng, PLAYERS))


def _pick(rng: random.Random, items: Sequence[Item]) -> Item:
    return items[int(rng.random() * len(items))]


def _best(values: dict[str, int]) -> list[str]:
    most = max(values.values())
    return [move for move, value in values.items() if value == most]


# --- Puzzles -------------------------------------------------------------------------------------


def _puzzle_at(position: Position, foresight: Foresight) -> Puzzle | None:
    """Return the puzzle that a position is, if it is one."""
    solver = foresight.solver(position.variant.deck.hand_size)
    values = foresight.values(position, position.variant.deck.hand_size)
    if len(_best(values)) > 1 or max(values.values()) < 0:
        return None
    if max(values.values()) > 0 and not _mates_on_one_trick(position, solver):
        return None
    return _graded(position, analyze(position, solver), foresight)


def _graded(position: Position, analysis: Analysis, foresight: Foresight) -> Puzzle:
    first, second = analysis.moves[:2]
    left = position.variant.deck.hand_size - position.trick + 1
    looks = [foresight.values(position, tricks) for tricks in range(1, left + 1)]
    depth = left
    while depth > 1 and _best(looks[depth - 2]) == [first.move]:
        depth -= 1
    traps = [
        [move for move, value in look.items() if value > look[first.move]]
        for look in looks[: depth - 1]
    ]
    deception = sum(map(bool, traps))
    return Puzzle(
        position=position,
        best=first.move,
        value=first.value,
        # A mate may score nothing, where the points or the weights of a variant are 0.
        outcome=analysis.outcome if first.value else None,
        line=first.line,
        depth=depth,
        traps=tuple(move for move in position.legal_moves if any(move in trap for trap in traps)),
        deception=deception,
        cost=first.value - second.value,
        level=_level(depth + deception, mates_at_once=len(first.line) == 1),
    )


def _level(difficulty: int, mates_at_once: bool) -> int:
    """Return the level; a mate that is there to be seen is never above the first."""
    return 1 if mates_at_once else 1 + sum(difficulty > cut for cut in CUTS)


# --- Prizes --------------------------------------------------------------------------------------


def _mates_on_one_trick(position: Position, solver: matecore.Solver) -> bool:
    """Return whether best play of both, in all its ways, mates on the same trick.

    As a rule the points tell; else all best play is walked, and if that is too much, the answer
    is no.
    """
    return len(_tricks_worth(position, solver)) == 1 or len(_tricks_of_mates(position, solver)) == 1


def _tricks_worth(position: Position, solver: matecore.Solver) -> set[int]:
    """Return the tricks on which some card of the player to act would mate for the value."""
    core, variant = position.core, position.variant
    value = solver.value(core)
    hand = core.hands[core.to_move]
    points = {p for card, p in enumerate(variant.deck.points_of) if hand >> card & 1}
    return {
        trick
        for row in variant.weights
        for trick, weight in enumerate(row, start=1)
        if trick >= position.trick and any(p * weight == value for p in points)
    }


def _tricks_of_mates(position: Position, solver: matecore.Solver) -> set[int]:
    """Return the tricks on which best play mates; none if there is too much of it to walk."""
    seen: set[int] = set()
    tricks, waiting = set(), [position.core]
    while waiting:
        core = waiting.pop()
        if core.key in seen:
            continue
        if len(seen) == MOST_POSITIONS:
            return set()
        seen.add(core.key)
        if core.is_over:
            tricks.add(core.trick)
        waiting.extend(_after_best_moves(core, solver))
    return tricks


def _after_best_moves(
    core: matecore.Position, solver: matecore.Solver
) -> Iterator[matecore.Position]:
    values = solver.values(core)
    best = max((value for _, value in values), default=0)
    for action, value in values:
        if value == best:
            child = core.snapshot()
            child.push(action)
            yield child
