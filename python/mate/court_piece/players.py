"""Players who see what their seat may see, and nothing else."""

import random
from collections.abc import Callable

from mate.court_piece import greedy
from mate.court_piece.cards import CARDS, INDEX, PLAY_ON, SUITS, indices_of, longest_suit
from mate.court_piece.montecarlo import decide
from mate.court_piece.view import View
from mate.errors import MateError, checked_integer, excerpt

MOST_SAMPLES = 10_000
SAMPLES = 40
# For people; see `level`.
LEVELS = ("greedy", "montecarlo:4", "montecarlo:12", f"montecarlo:{SAMPLES}", "montecarlo:120")


class Player:
    """Who chooses a move from what one seat sees; a player of your own is a subclass with `choose`.

    What he chooses is a function of his seed and of what he sees, whatever he chose before.

    Arguments:
        seed: of the player's chances, an integer; None for one from the system.

    Raises:
        MateError: the seed is neither.
    """

    def __init__(self, seed: int | None = None):
        if seed is not None and type(seed) is not int:
            raise MateError(f"seed {excerpt(seed)}: an integer or None")
        self.seed = random.SystemRandom().getrandbits(64) if seed is None else seed

    @staticmethod
    def of(text: str, seed: int | None = None) -> "Player":
        """Return the player that a text names.

        Arguments:
            text: `random`, `greedy`, `montecarlo`, or with a number `montecarlo:n` (samples, 1 to
                10000), `level:n` (1 to 5); see the classes of the same names, and `level`.
            seed: of the player's chances, an integer; None for one from the system.

        Raises:
            MateError: the text names no player, or the number or seed does not fit.

        >>> Player.of("montecarlo:30").samples
        30
        >>> Player.of("level:9")
        Traceback (most recent call last):
        mate.errors.MateError: level 9: an integer from 1 to 5
        """
        name, colon, number = text.partition(":") if isinstance(text, str) else ("", "", "")
        if not colon and name in PLAIN:
            return PLAIN[name](seed)
        if name in NUMBERED and number.isascii() and number.isdigit() and len(number) < 10:
            return NUMBERED[name](int(number), seed)
        known = [*PLAIN, *(f"{name}:n" for name in NUMBERED)]
        raise MateError(f"player {excerpt(text)}: {', '.join(known)}")

    def choose(self, view: View) -> str:
        """Return the move that the player makes.

        Arguments:
            view: of the seat that acts.

        Raises:
            MateError: that seat has nothing to choose now.
        """
        raise NotImplementedError

    def chances(self, view: View) -> random.Random:
        """Return the source of chance for one decision: the same for the same view.

        Raises:
            MateError: it is no view, or the seat has nothing to choose now.
        """
        if not isinstance(view, View):
            raise MateError(f"{excerpt(view)} is no view: players see no more than that")
        if not view.legal_moves:
            raise MateError(f"seat {view.seat} has nothing to choose now")
        return random.Random(f"{self.seed} {view.seat} {view.hand} {' '.join(view.moves)}")


class Random(Player):
    """Chooses by chance, each legal move as likely.

    >>> from mate.court_piece import Deal, Hand
    >>> Random(1).choose(Hand(Deal.random(1)).view(1)) in "SHDC"
    True
    """

    def choose(self, view: View) -> str:
        return self.chances(view).choice(view.legal_moves)


class Greedy(Player):
    """Keeps to rules of thumb, without chance: wins cheaply, leads winners, keeps trumps.

    He names the longest suit of his first five cards, and always plays on for the court. See
    docs/court_piece_players.md for the cards he plays.

    >>> from mate.court_piece import Deal, Hand
    >>> hand = Hand(Deal.random(1))
    >>> str(hand.view(1).hand), Greedy().choose(hand.view(1))
    ('8.Q.K95.', 'D')
    """

    def choose(self, view: View) -> str:
        self.chances(view)
        if view.trump is None:
            return longest_suit(indices_of(view.hand))
        if PLAY_ON in view.legal_moves:
            return PLAY_ON
        legal = [INDEX[card] for card in view.legal_moves]
        trump, table = SUITS.find(view.trump), [INDEX[card] for card in view.table.cards]
        unseen = view.unseen.mask
        if table:
            return CARDS[greedy.followed(legal, table, trump)]
        return CARDS[greedy.led(legal, unseen, trump)]


class MonteCarlo(Player):
    """Samples the deals that are possible for him and plays what is best in the mean.

    Each deal is played out double-dummy after each of his moves, trump choice and the decision to
    play on included, for the points of the variant (docs/court_piece_players.md).

    Arguments:
        samples: deals for a decision at most, 1..10000.
        seed: as of `Player`.

    Raises:
        MateError: the number or the seed does not fit.
    """

    def __init__(self, samples: int = SAMPLES, seed: int | None = None):
        super().__init__(seed)
        self.samples = checked_integer("samples", samples, 1, MOST_SAMPLES)
        self._greedy = Greedy(0)

    def choose(self, view: View) -> str:
        chances = self.chances(view)
        return decide(view, self._greedy.choose(view), self.samples, chances)


def level(number: int, seed: int | None = None) -> Player:
    """Return the player of a level for people; docs/court_piece_players.md has their strength.

    Arguments:
        number: 1 to 5: greedy, then by the deals that are sampled; 4 is `montecarlo`.
        seed: as of `Player`.

    Raises:
        MateError: there is no such level.
    """
    return Player.of(LEVELS[checked_integer("level", number, 1, len(LEVELS)) - 1], seed)


# --- Texts ---------------------------------------------------------------------------------------

PLAIN: dict[str, Callable[[int | None], Player]] = {
    "random": Random,
    "greedy": Greedy,
    "montecarlo": lambda seed: MonteCarlo(seed=seed),
}
NUMBERED: dict[str, Callable[[int, int | None], Player]] = {
    "montecarlo": MonteCarlo,
    "level": level,
}
