"""Players: from one that plays at random to one that does not err, and levels between them."""

import math
import random
from collections.abc import Callable

import matecore
from mate.errors import MateError, excerpt
from mate.foresight import Foresight
from mate.match import Match
from mate.objective import Playable, game_of, solver_for
from mate.round import Round
from mate.state import State

# --- Player --------------------------------------------------------------------------------------


class Player:
    """A player who chooses among the legal moves by chance, each of them as likely.

    A player of your own is a subclass with a `weights` or a `choose` of its own.

    Arguments:
        seed: of the player's chances, an integer; None for one from the system.

    Raises:
        MateError: the seed is neither.

    >>> import mate
    >>> mate.Round("AQ7.A7.TK7.AT").play(Optimal(1), Optimal(2))
    0
    """

    def __init__(self, seed: int | None = None):
        if seed is not None and type(seed) is not int:
            raise MateError(f"seed {excerpt(seed)}: an integer or None")
        self.random = random.Random(seed)

    @staticmethod
    def of(text: str, seed: int | None = None) -> "Player":
        """Return the player that a text names.

        Arguments:
            text: `random`, `greedy`, `optimal`, or with a number `depth:n` (n tricks, from 1),
                `epsilon:p` (0 to 1), `softmax:t` (points, above 0), `level:n` (1 to 5); see
                the classes of the same names, and `level`.
            seed: of the player's chances, an integer; None for one from the system.

        Raises:
            MateError: the text names no player, or the number or seed does not fit.

        >>> Player.of("depth:3").tricks
        3
        >>> Player.of("epsilon:2")
        Traceback (most recent call last):
        mate.errors.MateError: epsilon '2': a probability of 0 to 1
        """
        name, _, number = text.partition(":") if isinstance(text, str) else ("", "", "")
        if not (name in PLAIN and name == text) and not (name in NUMBERED and number):
            known = [*PLAIN, *(f"{name}:{letter}" for name, letter in NUMBERED.items())]
            raise MateError(f"player {excerpt(text)}: {', '.join(known)}")
        return PLAIN[name](seed) if name in PLAIN else _numbered(name, number, seed)

    def choose(self, played: Playable) -> str:
        """Return the move that the player makes.

        Arguments:
            played: a game or position, or the round or match whose game is played; it is not
                changed.

        Raises:
            MateError: the game is over.
        """
        weights = self.weights(played)
        if not weights:
            raise MateError(f"{game_of(played)}: the game is over")
        return self.random.choices(list(weights), list(weights.values()))[0]

    def weights(self, played: Playable) -> dict[str, float]:
        """Return the moves that the player may choose, with their probabilities up to a factor."""
        return dict.fromkeys(game_of(played).legal_moves, 1.0)


def _numbered(name: str, number: str, seed: int | None) -> Player:
    if name == "depth":
        return Depth(_whole(name, number), seed)
    if name == "level":
        return level(_whole(name, number), seed)
    kind = Epsilon if name == "epsilon" else Softmax
    try:
        return kind(float(number), seed)
    except ValueError:
        raise MateError(f"{name} {excerpt(number)}: {kind.takes}") from None


def _whole(name: str, number: str) -> int:
    if not (number.isascii() and number.isdigit() and len(number) < 4):
        raise MateError(f"{name} {excerpt(number)}: a whole number")
    return int(number)


def level(number: int, seed: int | None = None) -> Player:
    """Return the player of a level for people; docs/players.md has their strength.

    Arguments:
        number: 1 to 5; the player looks twice as many tricks ahead, and 5 does not err.
        seed: as of `Player`.

    Raises:
        MateError: there is no such level.
    """
    if type(number) is not int or not 1 <= number <= len(LEVELS):
        raise MateError(f"level {excerpt(number)}: 1 to {len(LEVELS)}")
    return Player.of(LEVELS[number - 1], seed)


# --- Without search ------------------------------------------------------------------------------


class Greedy(Player):
    """Mates for the most points if it can, and else keeps to a simple rule, without chance.

    Leading, it leaves the follower the fewest replies. Replying, it wins the trick if it can. Of
    several such cards it plays the lowest, the last in the order of the deck. It foreplaces
    nothing and declares no privilege.

    >>> import mate
    >>> Greedy().choose(mate.Position.parse("7.K../.7.K. x - 9 -/- -"))
    'Ks'
    """

    def weights(self, played: Playable) -> dict[str, float]:
        game = game_of(played)
        core, n_cards = game.core, game.variant.deck.n_cards
        actions = [action for action in core.legal_actions() if action <= n_cards]
        if n_cards in actions:
            actions = [n_cards]
        rate = _lead_rated if core.led is None else _reply_rated
        best = max(actions, key=lambda action: (rate(core, action), action), default=None)
        return {} if best is None else {game.variant.action_names[best]: 1.0}


def _lead_rated(core: matecore.Position, action: int) -> tuple[int, int]:
    core.push(action)
    score, replies = abs(core.margin or 0), len(core.legal_actions())
    core.pop()
    return score, -replies


def _reply_rated(core: matecore.Position, action: int) -> bool:
    replier = core.to_move
    core.push(action)
    wins = core.to_move == replier
    core.pop()
    return wins


# --- With search ---------------------------------------------------------------------------------


class Depth(Player):
    """Plays best as far as it sees: a mate beyond so many tricks counts nothing.

    Arguments:
        tricks: how many it looks ahead, this one among them, from 1.
        seed: as of `Player`; of equally good moves each is as likely.

    Raises:
        MateError: the number or the seed does not fit.
    """

    def __init__(self, tricks: int, seed: int | None = None):
        super().__init__(seed)
        if type(tricks) is not int or tricks < 1:
            raise MateError(f"depth {excerpt(tricks)}: tricks, from 1")
        self.tricks = tricks
        self._foresight: Foresight | None = None

    def weights(self, played: Playable) -> dict[str, float]:
        game = game_of(played)
        if self._foresight is None or self._foresight.variant != game.variant:
            self._foresight = Foresight(game.variant)
        return _best(self._foresight.values(game, self.tricks))


class Optimal(Player):
    """Plays best, by exact values.

    Of a game or position it makes the most; of a round or match it makes the most of the round,
    which is something else where the loser of game 1 leads game 2 (section 8).

    Arguments:
        seed: as of `Player`; of equally good moves each is as likely.
    """

    def __init__(self, seed: int | None = None):
        super().__init__(seed)
        self._solver: matecore.Solver | None = None
        self._key: object = None

    def values(self, played: Playable) -> dict[str, int]:
        """Return every legal move with what it brings, in points, the player who makes it."""
        return _values(game_of(played), self._solver_of(played))

    def weights(self, played: Playable) -> dict[str, float]:
        return _best(self.values(played))

    # What was learnt of a variant's games, or of a round, serves for the moves to come.
    def _solver_of(self, played: Playable) -> matecore.Solver:
        round, solves = played.round if isinstance(played, Match) else played, "game"
        key: object = None
        if isinstance(round, Round) and round.variant.second_leader == "loser":
            key, solves = (round.scores, len(round.games), round.deal, round.leader), "round"
        if self._solver is None or self._key != (game_of(played).variant, key):
            self._solver = solver_for(round, solves)
            self._key = game_of(played).variant, key
        return self._solver


class Epsilon(Optimal):
    """Plays best, but with a certain probability any legal move.

    Arguments:
        chance: the probability, 0 to 1.
        seed: as of `Player`.

    Raises:
        MateError: the probability or the seed does not fit.
    """

    takes = "a probability of 0 to 1"

    def __init__(self, chance: float, seed: int | None = None):
        super().__init__(seed)
        if not isinstance(chance, (int, float)) or not 0 <= chance <= 1:
            raise MateError(f"epsilon {excerpt(chance)}: {self.takes}")
        self.chance = chance

    def weights(self, played: Playable) -> dict[str, float]:
        moves, best = game_of(played).legal_moves, super().weights(played)
        slips, plays = self.chance / max(len(moves), 1), (1 - self.chance) / max(len(best), 1)
        return {move: slips + plays * (move in best) for move in moves}


class Softmax(Optimal):
    """Plays a move that brings v points with a probability that grows as exp(v / temperature).

    Arguments:
        temperature: in points, above 0; the higher, the more it errs.
        seed: as of `Player`.

    Raises:
        MateError: the temperature or the seed does not fit.
    """

    takes = "points above 0"

    def __init__(self, temperature: float, seed: int | None = None):
        super().__init__(seed)
        if not isinstance(temperature, (int, float)) or not 0 < temperature < math.inf:
            raise MateError(f"softmax {excerpt(temperature)}: {self.takes}")
        self.temperature = temperature

    def weights(self, played: Playable) -> dict[str, float]:
        values = self.values(played)
        most = max(values.values(), default=0)
        return {move: math.exp((v - most) / self.temperature) for move, v in values.items()}


def _values(game: State, solver: matecore.Solver) -> dict[str, int]:
    names = game.variant.action_names
    return {names[action]: value for action, value in solver.values(game.core)}


def _best(values: dict[str, int]) -> dict[str, float]:
    most = max(values.values(), default=0)
    return {move: 1.0 for move, value in values.items() if value == most}


# --- Texts ---------------------------------------------------------------------------------------

PLAIN: dict[str, Callable[[int | None], Player]] = {
    "random": Player,
    "greedy": Greedy,
    "optimal": Optimal,
}
NUMBERED = {"depth": "n", "epsilon": "p", "softmax": "t", "level": "n"}

# For people; see `level`.
LEVELS = ("depth:2", "depth:4", "depth:6", "depth:8", "optimal")
