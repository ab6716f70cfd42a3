"""Import of games that were played on Board Game Arena; docs/bga.md tells what is read."""

from collections.abc import Iterator
from itertools import count

from mate.bga.packets import Notification, decode, names_of, notifications_of, packets_of
from mate.bga.rounds import ImportedGame, check_variant, import_games
from mate.bga.table import TableReader
from mate.errors import LogError, MateError, excerpt
from mate.variant import Variant

__all__ = ["ImportedGame", "read_log"]


MAX_TABLES = 100  # a log holds one; whoever joined some has them all reported


def read_log(
    log: "bytes | str", variant: "Variant | str" = "bga"
) -> Iterator[ImportedGame | LogError]:
    """Return the games of a log one by one, and in the place of each broken one what is wrong.

    Arguments:
        log: the log as JSON, at most 8 MiB.
        variant: by which options it was played: `bga`, `bga-king`, `bga-figure` or `bga-free`.

    Raises:
        VariantError: there is no such variant, or the site does not have it.
        MateError: it is no log, or none of Mate.

    >>> play = '{"type": "playCard", "args": {"player_id": %d, "value": %d, "suit": 3}}'
    >>> data = f"[{play % (1, 7)}, {play % (2, 10)}]"
    >>> (game,) = read_log('[{"table_id": 5, "data": %s}]' % data)
    >>> game.moves, game.leader, len(game.unknown), game.tags["Y"]
    (('7c', 'Tc'), 'x', 18, 'player 2')
    """
    variant = Variant.of(variant)
    check_variant(variant)
    if isinstance(log, str):
        log = log.encode(errors="surrogatepass")
    if not isinstance(log, bytes):
        raise MateError(f"{excerpt(log)} is no log")
    try:
        return _read(decode(log), variant)
    except RecursionError:
        raise MateError("expected a log, found JSON nested too deeply") from None


def _read(log: object, variant: Variant) -> Iterator[ImportedGame | LogError]:
    tables = _Tables(names_of(log))
    for told in notifications_of(packets_of(log)):
        tables.read(told)
    tables.finish()
    if not tables.errors and not any(reader.found for reader in tables.readers.values()):
        raise MateError("there is no playCard in it: no log of Mate, or one without a card played")
    return tables.results(variant)


class _Tables:
    """The tables of a log; there should be one."""

    def __init__(self, names: dict[int, str]):
        self.names = names
        self.errors: list[LogError] = []
        self.readers: dict[str | None, TableReader] = {}
        self.numbers = count(1)

    def read(self, told: Notification | LogError) -> None:
        """Give what was told to the reader of its table."""
        if isinstance(told, LogError):
            self.errors.append(told)
            return
        # What tells no table is of the one that was told of before.
        table = told.table or next(reversed(self.readers), None)
        if table not in self.readers:
            self._open(table, told)
        self.readers[table].read(told)

    def _open(self, table: str | None, told: Notification) -> None:
        if None in self.readers:
            self.readers = {table: self.readers[None]}
            return
        if self.readers:
            why = f"of table {table}, and the log began with table {next(iter(self.readers))}"
            self.errors.append(told.error(why))
        if len(self.readers) == MAX_TABLES:
            raise told.error(f"a log holds one table, and this one more than {MAX_TABLES}")
        self.readers[table] = TableReader(self.numbers, self.names)

    def finish(self) -> None:
        """End with the log."""
        for reader in self.readers.values():
            reader.finish()

    def results(self, variant: Variant) -> Iterator[ImportedGame | LogError]:
        """Yield what was found, table by table."""
        yield from self.errors
        for reader in self.readers.values():
            yield from import_games(reader.found, variant, self.names)
