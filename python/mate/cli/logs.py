"""Logs of game sites as games to be reviewed."""

from collections.abc import Iterator
from enum import StrEnum

from mate.bga import ImportedGame, read_log
from mate.bga.packets import MAX_LOG
from mate.bga.rounds import check_variant
from mate.cli.reading import standard_input, variant_of
from mate.errors import RecordError
from mate.position import Position
from mate.record import Record


class Source(StrEnum):
    """What the files are that games are read from."""

    records = "records"
    bga = "bga"


def games_of_log(
    file: str, name: str, variant: str
) -> Iterator[tuple[Record, tuple[Position, ...]] | RecordError]:
    """Yield the games of a log of Board Game Arena, each with the positions it may have begun in.

    Arguments:
        file: its path, or - for standard input.
        name: what to call it.
        variant: by which options it was played.

    Raises:
        RecordError: the file cannot be read, or is no log.
        VariantError: there is no such variant, or the site does not have it.
    """
    rules = variant_of(variant)
    check_variant(rules)
    try:
        games = read_log(_content_of(file), rules)
    except (OSError, ValueError) as error:
        raise RecordError(name, 0, 0, getattr(error, "strerror", None) or str(error)) from None
    for game in games:
        if not isinstance(game, ImportedGame):
            yield RecordError(name, 0, 0, str(game))
        elif not game.starts:
            yield RecordError(name, 0, 0, _doubtful(game))
        else:
            yield game.record(), tuple(game.starts)


def _content_of(file: str) -> bytes:
    if file == "-":
        return standard_input().read(MAX_LOG + 1)
    with open(file, "rb") as stream:
        return stream.read(MAX_LOG + 1)


def _doubtful(game: ImportedGame) -> str:
    why = f"not reviewed, since of {len(game.unknown)} cards it is not known who held them"
    return f"game {game.number}, packet {game.packet}: {why}"
