"""A match: a number of rounds, or rounds up to a target score (section 6)."""

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import TYPE_CHECKING

from mate.deal import Deal, generator
from mate.errors import MateError, NothingPlayedError, excerpt
from mate.game import Game
from mate.record import Record
from mate.round import Round, check_players, opponent, winner_of
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

    from mate.players import Player


class Match:
    """A match of two players, round by round.

    Arguments:
        variant: the `Variant`, or its text; it tells how long the match is and who leads.
        leader: who leads the first round, "x" or "y".

    Raises:
        VariantError: there is no such variant.
        MateError: `leader` is neither.

    >>> match = Match("bga")
    >>> match.begin("AQ7.A7.TK7.AT")
    >>> match.push("7c")
    >>> match.game.moves, match.scores, match.is_over
    (['7c'], (0, 0), False)
    """

    def __init__(self, variant: "Variant | str" = "bga", leader: str = "x"):
        if leader not in ("x", "y"):
            raise MateError(f"leader {excerpt(leader)}: x or y")
        self.variant = Variant.of(variant)
        self.first_leader = leader
        self.rounds: list[Round] = []

    def __repr__(self) -> str:
        x, y = self.scores
        return f"<Match of {self.variant.name}: {len(self.rounds)} rounds, {x}:{y}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Match):
            return NotImplemented
        same = self.variant == other.variant and self.first_leader == other.first_leader
        return same and self.rounds == other.rounds

    __hash__ = None  # type: ignore[assignment]

    @classmethod
    def from_records(cls, records: Iterable[Record]) -> "Match":
        """Return the match whose games these records tell, to be played on if it is not over.

        Arguments:
            records: the games in order, as `records` returns them: of one variant, each from the
                deal and with the leader that follow from the games before.

        Raises:
            MateError: there is none, or one does not follow; the message tells its line.

        >>> match = Match("bga", "y")
        >>> match.begin("AQ7.A7.TK7.AT")
        >>> match.push("Kc")
        >>> Match.from_records(match.records()) == match
        True
        """
        if not isinstance(records, Iterable):
            raise MateError(f"{excerpt(records)}: expected records")
        records = iter(records)
        first = next(records, None)
        if first is None:
            raise MateError("there is no game of a match")
        match = cls(_checked(first).variant, first.leader)
        told: Game | None = None
        for record in chain([first], records):
            try:
                told = match._add(_checked(record), told)
            except MateError as error:
                raise MateError(f"line {record.line}: no such game of the match: {error}") from None
        return match

    # Returns the game that the record told; `told` is that of the record before.
    def _add(self, record: Record, told: Game | None) -> Game:
        if record.variant != self.variant or record.deal is None:
            raise MateError(f"expected a deal of {self.variant.name}")
        game = self.game if self.rounds else None
        if game is None or game.is_over:
            self.begin(record.deal)
        elif game.actions:
            raise MateError("the game before is not over")
        game = self.game
        if game is told or Game(record.deal, self.variant, record.leader) != game:
            raise MateError("it is told twice" if game is told else f"expected {game}")
        for move in record.moves:
            self.push(move)
        return game

    # --- Properties ---

    @property
    def round(self) -> Round:
        """The round that is played, or the last one.

        Raises:
            MateError: none has begun.
        """
        if not self.rounds:
            raise MateError("no round has begun")
        return self.rounds[-1]

    @property
    def game(self) -> Game:
        """The game that is played, or the last one.

        Raises:
            MateError: no round has begun.
        """
        return self.round.game

    @property
    def to_move(self) -> str:
        """Who acts, "x" or "y".

        Raises:
            MateError: no round has begun.
        """
        return self.round.to_move

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves; none when the round is over.

        Raises:
            MateError: no round has begun.
        """
        return self.round.legal_moves

    @property
    def between_rounds(self) -> bool:
        """Whether no round is being played: a deal is to come, or the match is over."""
        return not self.rounds or self.round.is_over

    @property
    def scores(self) -> tuple[int, int]:
        """The points of X and of Y in all games that are over."""
        scored = [round.scores for round in self.rounds]
        return sum(x for x, _ in scored), sum(y for _, y in scored)

    @property
    def is_over(self) -> bool:
        """Whether the last round is over.

        With a target: whether at the end of a round a player has that many points and leads.
        """
        if not self.between_rounds:
            return False
        if self.variant.target is None:
            return len(self.rounds) == self.variant.rounds
        x, y = self.scores
        return max(x, y) >= self.variant.target and x != y

    @property
    def is_last_round(self) -> bool:
        """Whether the round that is played ends the match for certain, or its end may do so."""
        played = not self.between_rounds
        return played and self.variant.rounds in (None, len(self.rounds))

    @property
    def result(self) -> int | None:
        """X's points minus Y's when the match is over, else None."""
        x, y = self.scores
        return x - y if self.is_over else None

    @property
    def winner(self) -> str | None:
        """Who won, "x" or "y"; None while the match is played and when it is drawn."""
        return winner_of(self.result or 0)

    @property
    def leader(self) -> str:
        """Who leads game 1 of the round that is played, or of the next one."""
        if not self.rounds:
            return self.first_leader
        if not self.round.is_over:
            return self.round.leader
        winner = self.round.winner if self.variant.round_leader == "winner" else None
        return winner or opponent(self.round.leader)

    def records(self, tags: Mapping[str, str] | None = None) -> list[Record]:
        """Return the games that were begun as records, fit to resume the match from.

        Arguments:
            tags: what each record tells beside its game and its number, such as X and Y.

        Raises:
            MateError: a tag cannot be written.
        """
        if not isinstance(tags or {}, Mapping):
            raise MateError(f"tags {excerpt(tags)}: texts by name")
        return [
            Record.of(game, {**(tags or {}), "Round": f"{number}.{half}"})
            for number, round in enumerate(self.rounds, start=1)
            for half, game in enumerate(round.games, start=1)
            if game.actions or half == 1
        ]

    # --- Actions ---

    def begin(self, deal: "Deal | str") -> None:
        """Begin the next round with a deal.

        Raises:
            NotationError: the text is no deal.
            VariantError: the deal is of another deck.
            MateError: a round is being played, or the match is over.
        """
        if not self.between_rounds:
            raise MateError(f"round {len(self.rounds)} is not over")
        if self.is_over:
            raise MateError("the match is over")
        self.rounds.append(Round(deal, self.variant, self.leader))

    def push(self, move: "str | int") -> None:
        """Play a legal move.

        Raises:
            NotationError: the text is no move.
            IllegalMoveError: the move is not legal here, or the round is over.
            MateError: no round has begun.
        """
        self.round.push(move)

    def pop(self) -> str:
        """Take the last move of the round back and return it; a deal is not taken back.

        Raises:
            NothingPlayedError: nothing was played in this round.
        """
        if not self.rounds:
            raise NothingPlayedError
        return self.round.pop()

    def play(self, x: "Player", y: "Player", rng: "np.random.Generator | int | None" = None) -> int:
        """Let two players play the match to its end; return X's margin.

        Arguments:
            x, y: the players; see `mate.players`.
            rng: deals the rounds to come: a numpy generator, a seed, or None.

        Raises:
            MateError: `rng` is none of these, or one is no player.
            IllegalMoveError: a player chose a move that is not legal.
        """
        check_players(x, y)
        deals = generator(rng)
        while not self.is_over:
            if self.between_rounds:
                self.begin(Deal.random(deals, self.variant.deck))
            self.push((x if self.to_move == "x" else y).choose(self))
        return self.result or 0


def _checked(record: object) -> Record:
    if not isinstance(record, Record):
        raise MateError(f"{excerpt(record)} is no record")
    return record
