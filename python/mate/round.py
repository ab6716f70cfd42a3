"""A round: two games on one deal, the hands exchanged between them (section 6)."""

from typing import TYPE_CHECKING

from mate.deal import Deal
from mate.errors import MateError, NothingPlayedError, excerpt
from mate.game import Game
from mate.variant import Variant

if TYPE_CHECKING:
    from mate.players import Player


def opponent(player: str) -> str:
    """Return the other player.

    >>> opponent("x")
    'y'
    """
    return "y" if player == "x" else "x"


def points(margin: int) -> tuple[int, int]:
    """Return what X and Y score in a game that X ends with this margin.

    >>> points(-36)
    (0, 36)
    """
    return max(margin, 0), max(-margin, 0)


def winner_of(margin: int) -> str | None:
    """Return whom a margin of X makes the winner, None if it is level."""
    return None if not margin else "x" if margin > 0 else "y"


def second_leader(variant: Variant, leader: str, margin: int) -> str:
    """Return who leads game 2 when `leader` led game 1 and X ended it with this margin.

    >>> from mate.variant import PRESETS
    >>> second_leader(PRESETS["abril"], "x", -36), second_leader(PRESETS["bga"], "x", -36)
    ('x', 'y')
    """
    lost = margin and variant.second_leader == "loser"
    return opponent(winner_of(margin) or "x") if lost else opponent(leader)


class Round:
    """Two games on one deal, each player holding in the second what the other held in the first.

    Game 2 begins of itself when game 1 is over.

    Arguments:
        deal: the `Deal` of game 1, or its text.
        variant: the `Variant`, or its text; its `second_leader` tells who leads game 2.
        leader: who leads game 1, "x" or "y".

    Raises:
        NotationError: the text is no deal.
        VariantError: there is no such variant, or it has another deck.

    >>> round = Round("AQ7.A7.TK7.AT")
    >>> for move in "7c Tc Kd Ad Qc Kc 7d Td Ac Ah As Ks Th Qh 7h".split():
    ...     round.push(move)
    >>> round.scores, len(round.games), round.to_move
    ((56, 0), 2, 'y')
    >>> round.game.y == round.deal.x
    True
    """

    def __init__(self, deal: "Deal | str", variant: "Variant | str" = "bga", leader: str = "x"):
        self.games = [Game(deal, variant, leader)]
        self.variant = self.games[0].variant
        self.deal = Deal.of(deal, self.variant.deck)
        self.leader = leader

    def __repr__(self) -> str:
        return f"<Round of {self.variant.name}: game {len(self.games)}, {self.game}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Round):
            return NotImplemented
        return self.games == other.games

    __hash__ = None  # type: ignore[assignment]

    # --- Properties ---

    @property
    def game(self) -> Game:
        """The game that is played, or the last one when the round is over."""
        return self.games[-1]

    @property
    def to_move(self) -> str:
        """Who acts, "x" or "y"."""
        return self.game.to_move

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves; none when the round is over."""
        return self.game.legal_moves

    @property
    def scores(self) -> tuple[int, int]:
        """The points of X and of Y in the games that are over."""
        scored = [points(game.result or 0) for game in self.games]
        return sum(x for x, _ in scored), sum(y for _, y in scored)

    @property
    def is_over(self) -> bool:
        """Whether both games are over."""
        return len(self.games) == 2 and self.game.is_over

    @property
    def result(self) -> int | None:
        """X's points minus Y's when the round is over, else None."""
        x, y = self.scores
        return x - y if self.is_over else None

    @property
    def winner(self) -> str | None:
        """Who won, "x" or "y"; None while the round is played and when it is level."""
        return winner_of(self.result or 0)

    # --- Actions ---

    def push(self, move: "str | int") -> None:
        """Play a legal move, given as text or as the number of an action.

        Raises:
            NotationError: the text is no move.
            IllegalMoveError: the move is not legal here, or the round is over.
        """
        self.game.push(move)
        self._begin_second()

    def _begin_second(self) -> None:
        margin = self.game.result
        if margin is None or len(self.games) == 2:
            return
        leader = second_leader(self.variant, self.leader, margin)
        self.games.append(Game(self.deal.exchange(), self.variant, leader))

    def pop(self) -> str:
        """Take the last move back, out of game 2 into game 1 if need be, and return it.

        Raises:
            NothingPlayedError: as its name says.
        """
        if not any(game.actions for game in self.games):
            raise NothingPlayedError
        if not self.game.actions:
            self.games.pop()
        return self.game.pop()

    def copy(self) -> "Round":
        """Return an independent copy with the same past."""
        twin = Round(self.deal, self.variant, self.leader)
        twin.games = [game.copy() for game in self.games]
        return twin

    def play(self, x: "Player", y: "Player") -> int:
        """Let two players play the round to its end; return X's margin.

        Arguments:
            x, y: the players; see `mate.players`.

        Raises:
            IllegalMoveError: a player chose a move that is not legal.
            MateError: one is no player.
        """
        check_players(x, y)
        while not self.is_over:
            self.push((x if self.to_move == "x" else y).choose(self))
        return self.result or 0


def check_players(*players: object) -> None:
    """Refuse what cannot choose; a text is made a player by `Player.of`."""
    for player in players:
        if isinstance(player, type) or not hasattr(player, "choose"):
            raise MateError(f"{excerpt(player)} is no player")
