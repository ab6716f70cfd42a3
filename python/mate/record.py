"""Records: games as they were played, by whom and where, as text that people read too.

docs/records.md is the format. Written is always one form; what is read is more forgiving.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from mate.deal import Deal
from mate.errors import (
    MateError,
    excerpt,
)
from mate.game import Game
from mate.position import Position
from mate.recordtags import TagNames, checked_comments
from mate.recordtext import MAX_GAME, MAX_VALUE, wrap, write_comment, write_tag
from mate.variant import PRESETS, Variant
from mate.varianttext import variant_text

ALWAYS = ("Event", "Site", "Date", "Round", "X", "Y")  # written of every game, "?" if not told
OF_THE_GAME = ("Variant", "Deal", "Leader", "Position", "Result")  # what the game itself tells
UNFINISHED = "*"

TAGS = TagNames(ALWAYS, OF_THE_GAME)


@dataclass(frozen=True)
class Record:
    """One game as a record tells it; it is always a legal one.

    Arguments:
        variant: the rules.
        start: the position before the first move, a deal with its leader as a rule.
        moves: the moves.
        tags: what else is told: Event, Site, Date, Round ("1.2", the second game of round 1), X
            and Y, the players' names, and any other; these six are there in any case, "?" unless
            told.
        comments: by the number of moves played before them.
        line: where it begins in its file.

    Raises:
        IllegalMoveError: a move is not legal.
        MateError: an argument is not of its kind, or a tag is told by the game itself.

    >>> import mate
    >>> record = Record.of(mate.Game("AQ7.A7.TK7.AT"), {"X": "Anna", "Y": "Bert"})
    >>> record.tags["X"], record.tags["Date"], record.result
    ('Anna', '?', None)
    """

    variant: Variant
    start: Position
    moves: tuple[str, ...] = ()
    tags: dict[str, str] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    line: int = field(default=1, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.start, Position) or self.start.variant != self.variant:
            raise MateError(f"start {excerpt(self.start)}: a position of the record's variant")
        if not isinstance(self.moves, (tuple, list)):
            raise MateError(f"moves {excerpt(self.moves)}: a tuple of moves")
        object.__setattr__(self, "moves", tuple(_played(self.start, self.moves).moves))
        object.__setattr__(self, "tags", TAGS.checked(self.tags))
        object.__setattr__(self, "comments", checked_comments(self.comments, len(self.moves)))

    @classmethod
    def of(
        cls,
        game: Game,
        tags: Mapping[str, str] | None = None,
        comments: Mapping[int, str] | None = None,
    ) -> "Record":
        """Return the record of a game from its first move to where it is now.

        Raises:
            MateError: `game` is none, or a tag or comment cannot be written.
        """
        if not isinstance(game, Game):
            raise MateError(f"{excerpt(game)} is no game")
        for given in (tags or {}, comments or {}):
            if not isinstance(given, Mapping):
                raise MateError(f"{excerpt(given)}: expected texts by name or number")
        moves = tuple(game.moves)
        return cls(
            game.variant, game.root().position, moves, dict(tags or {}), dict(comments or {})
        )

    @property
    def result(self) -> int | None:
        """X's points minus Y's when the game is over, else None."""
        return self.game().result

    @property
    def leader(self) -> str:
        """Who leads the trick that the record begins with, "x" or "y"."""
        return self.start.leader

    @property
    def deal(self) -> Deal | None:
        """The deal, None if the record begins in the middle of a game.

        >>> import mate
        >>> str(Record.of(mate.Game("AQ7.A7.TK7.AT")).deal)
        'AQ7.A7.TK7.AT/TK.TKQ.AQ.KQ7'
        """
        deal_size = self.variant.deck.hand_size
        if (len(self.start.x), len(self.start.y)) != (deal_size, deal_size):
            return None
        deal = Deal(self.start.x, self.start.y, self.variant.deck)
        return deal if Game(deal, self.variant, self.leader).position == self.start else None

    def game(self) -> Game:
        """Return the game, played to the record's last move."""
        return _played(self.start, self.moves)

    def with_comments(self, comments: Mapping[int, str]) -> "Record":
        """Return the record with these comments in place of its own."""
        if not isinstance(comments, Mapping):
            raise MateError(f"comments {excerpt(comments)}: texts by number of moves")
        return replace(self, comments=dict(comments))


def _played(start: Position, moves: Iterable[str]) -> Game:
    game = Game.from_position(start)
    for move in moves:
        game.push(move)
    return game


# --- Writing -------------------------------------------------------------------------------------


def write_record(record: Record) -> str:
    """Return the text of a record, the one form that is written.

    Raises:
        MateError: `record` is none, or its text would be longer than a game of a file may be.

    >>> import mate
    >>> game = mate.Game.from_position("7.Q../.7.K. x - 9 -/- -")
    >>> for move in ("Qs", "7s", "7c"):
    ...     game.push(move)
    >>> print(write_record(Record.of(game, {"X": "Anna"})))
    [Event "?"]
    [Site "?"]
    [Date "?"]
    [Round "?"]
    [X "Anna"]
    [Y "?"]
    [Variant "bga"]
    [Position "7.Q../.7.K. x - 9 -/- -"]
    [Result "+70"]
    <BLANKLINE>
    9. Qs 7s 10. 7c# +70
    <BLANKLINE>
    """
    if not isinstance(record, Record):
        raise MateError(f"{excerpt(record)} is no record")
    result = write_result(record.result)
    tags = {name: record.tags[name] for name in ALWAYS}
    tags |= {**_write_start(record), "Result": result}
    tags |= {name: value for name, value in record.tags.items() if name not in tags}
    lines = [write_tag(name, value) for name, value in tags.items()]
    text = "\n".join([*lines, "", *wrap([*_words_of(record), result]), ""])
    if len(text.encode()) > MAX_GAME or any(len(value) > MAX_VALUE for value in tags.values()):
        raise MateError(f"the record is too long: a game has at most {MAX_GAME} bytes")
    return text


def write_result(margin: int | None) -> str:
    if margin is None:
        return UNFINISHED
    return f"{margin:+d}" if margin else "0"


def _write_start(record: Record) -> dict[str, str]:
    tags = {"Variant": write_variant(record.variant)}
    deal = record.deal
    if deal is None:
        return {**tags, "Position": str(record.start)}
    return {**tags, "Deal": str(deal), "Leader": record.leader.upper()}


def write_variant(variant: Variant) -> str:
    """Return the text by which a variant is read: a preset with its changes, or else JSON.

    >>> import mate
    >>> write_variant(mate.Variant.of("capellen,deck=double24")), write_variant(mate.Variant())
    ('capellen,deck=double24', 'bga')
    >>> write_variant(mate.Variant(rounds=7))[:30]
    '{"deck":{"suits":"cshd","ranks'
    """
    return variant_text(variant, PRESETS)


def _words_of(record: Record) -> Iterator[str]:
    game = Game.from_position(record.start)
    for ply, move in enumerate(record.moves):
        if ply in record.comments:
            yield write_comment(record.comments[ply])
        if game.led is None and not any(game.core.undecided):
            yield f"{game.trick}."
        elif not ply and game.led:
            yield f"{game.trick}..."
        game.push(move)
        yield move + "#" * game.is_mate
    if len(record.moves) in record.comments:
        yield write_comment(record.comments[len(record.moves)])
