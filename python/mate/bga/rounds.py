"""The rounds of a log: two games on one deal, put together from all that was seen in both."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from heapq import merge

from mate.bga.games import LoggedGame
from mate.consistent import Consistent, Seen, consistent_deals
from mate.deck import SINGLE
from mate.errors import LogError, MateError, NoDealError, VariantError
from mate.game import Game
from mate.position import Position
from mate.record import Record
from mate.recordtags import UNKNOWN
from mate.variant import PRESETS, Variant

OPTIONS = ("bga", "bga-king", "bga-figure", "bga-free")  # what the site lets players choose from
SITE = "Board Game Arena"
LATEST = 1 << 33  # seconds; no log is of a later time


@dataclass(frozen=True)
class ImportedGame:
    """A game of a log, and the deals that it can have been played on.

    Attributes:
        number: which game of the log it is, from 1.
        packet: where in the log it begins, from 1.
        found: the deals of its round, the first hand being X's in the first game.
        second: whether it is the second game, the hands exchanged.
        leader: who led first, "x" or "y"; X is who led the first game of the table.
        moves: the moves as far as the log goes.
        end: "mate", "draw", or None if the log breaks off.
        tags: as of a `Record`: Event, Site, Date, Round, X and Y.
    """

    number: int
    packet: int
    found: Consistent
    second: bool
    leader: str
    moves: tuple[str, ...]
    end: str | None
    tags: dict[str, str]

    @cached_property
    def starts(self) -> list[Position]:
        """The positions it can have begun in; none if they are too many to list."""
        deals = (deal.exchange() if self.second else deal for deal in self.found.deals)
        return [Game(deal, self.found.variant, self.leader).position for deal in deals]

    @property
    def unknown(self) -> tuple[str, ...]:
        """The cards of which it is not certain who held them."""
        return self.found.unknown

    def record(self) -> Record:
        """Return the record of the game; where cards are unknown, on the first deal there can be.

        Raises:
            MateError: the deals are too many to list.
        """
        if not self.starts:
            raise MateError("a record needs a deal, and too many are possible")
        tags = dict(self.tags)
        return Record(self.found.variant, self.starts[0], self.moves, tags, line=self.packet)


def check_variant(variant: Variant) -> None:
    """Refuse what nobody can have played on the site.

    Raises:
        VariantError: the variant has another deck, foreplacing, or a privilege to declare.
    """
    for name, wrong in (
        ("deck", variant.deck != SINGLE),
        ("foreplace", variant.foreplace is not None),
        ("privilege_declared", variant.privilege_declared),
    ):
        if wrong:
            raise VariantError(name, getattr(variant, name), f"{SITE} has {', '.join(OPTIONS)}")


# --- Which games are a round ---------------------------------------------------------------------


def import_games(
    found: Sequence[LoggedGame | LogError], variant: Variant, names: dict[int, str]
) -> Iterator[ImportedGame | LogError]:
    """Yield the games of a table in order, each with its deals, and the errors among them."""
    games = [game for game in found if isinstance(game, LoggedGame)]
    errors = [error for error in found if isinstance(error, LogError)]
    yield from merge(_Table(games, variant, names).results(), errors, key=_number)


def _number(result: ImportedGame | LogError) -> tuple[int, bool]:
    number = result.number if isinstance(result, ImportedGame) else result.game or 0
    return number, isinstance(result, LogError)


class _Table:
    """The games of one table, taken in pairs."""

    def __init__(self, games: list[LoggedGame], variant: Variant, names: dict[int, str]):
        self.games, self.variant, self.names = games, variant, names
        seen = [player for game in games for player in game.people]
        # X, who led first, is the first of them; names may be those of other tables, too.
        self.people = list(dict.fromkeys([*seen, *(names if len(names) == 2 else ())]))
        self.round = 0

    def results(self) -> Iterator[ImportedGame | LogError]:
        """Yield what comes out of each game."""
        at = 0
        while at < len(self.games):
            self.round += 1
            games, error = self._take(at)
            yield from sorted(self._import(games), key=_number)
            if error:
                yield error
            at += len(games)

    def _take(self, at: int) -> tuple[list[tuple[LoggedGame, bool]], LogError | None]:
        first, *others = self.games[at : at + 2]
        error = None
        if others and _may_be_second(first, others[0]):
            error = _contradiction(first, others[0])
            if error is None:
                return [(first, False), (others[0], True)], None
        return [(first, False)], error

    # --- One round ---

    def _import(self, games: list[tuple[LoggedGame, bool]]) -> Iterator[ImportedGame | LogError]:
        good = []
        for game, second in games:
            if game.announced and not self.variant.free_move:
                why = f"the free move is announced, which {self.variant.name} does not have"
                yield _located(game, game.announced.error(why))
            else:
                good.append((game, second))
        while good:
            try:
                found = self._deals(good, self.variant)
            except NoDealError as error:
                bad = good.pop(error.game if error.game is not None else -1)
                yield self._impossible(bad[0], error, [*good, bad])
                continue
            for game, second in good:
                yield self._imported(game, second, found)
            return

    def _deals(self, games: list[tuple[LoggedGame, bool]], variant: Variant) -> Consistent:
        seen, held, shown = [], [0, 0], []
        for game, second in games:
            x, y = self._players(game)
            cards = tuple(play.card for play in game.plays)
            leader = (game.plays[0].player != x) ^ second
            seen.append(Seen(int(leader), cards, game.end == "mate"))
            for player, hand in ((x, int(second)), (y, int(not second))):
                held[hand] |= game.cards_of(player) if player is not None else 0
            shown += [hand.cards for hand in game.hands if hand.player is None]
        return consistent_deals(seen, variant, (held[0], held[1]), shown)

    def _players(self, game: LoggedGame) -> tuple[int, int | None]:
        """Return X and Y; in a game of one card only the table tells who Y is, if anything."""
        x = self.people[0]
        if x not in game.people and len(game.people) == 2:
            return game.people[0], game.people[1]
        return x, next((p for p in [*game.people, *self.people] if p != x), None)

    def _impossible(
        self, game: LoggedGame, error: NoDealError, games: list[tuple[LoggedGame, bool]]
    ) -> LogError:
        told = game.told if error.move is None else game.plays[error.move].told
        trick = "" if error.move is None else f"trick {error.move // 2 + 1}: "
        others = [name for name in OPTIONS if self._is_possible(games, PRESETS[name])]
        instead = f"legal under {' or '.join(others)}" if others else "nor legal under any other"
        why = f"{trick}{error.why} (variant {self.variant.name}; {instead})"
        return _located(game, told.error(why))

    def _is_possible(self, games: list[tuple[LoggedGame, bool]], variant: Variant) -> bool:
        try:
            self._deals(sorted(games, key=lambda pair: pair[0].number), variant)
        except NoDealError:
            return False
        return True

    def _imported(self, game: LoggedGame, second: bool, found: Consistent) -> ImportedGame:
        x, y = self._players(game)
        tags = {
            "Event": SITE,
            "Site": f"{SITE}, table {game.told.table}" if game.told.table else SITE,
            "Date": _date_of(game.told.time),
            "Round": f"{self.round}.{1 + second}",
            "X": self._name(x),
            "Y": self._name(y),
        }
        leader = "x" if game.plays[0].player == x else "y"
        moves = tuple(SINGLE.cards[play.card] for play in game.plays)
        place = game.number, game.told.packet
        return ImportedGame(*place, found, second, leader, moves, game.end, tags)

    def _name(self, player: int | None) -> str:
        return UNKNOWN if player is None else self.names.get(player, f"player {player}")


def _may_be_second(first: LoggedGame, second: LoggedGame) -> bool:
    together = {*first.people, *second.people}
    leaders = first.plays[0].player, second.plays[0].player
    return second.order == first.order + 1 and len(together) == 2 and leaders[0] != leaders[1]


# The hands are exchanged, so nobody has a card in both games.
def _contradiction(first: LoggedGame, second: LoggedGame) -> LogError | None:
    for player in first.people:
        if both := first.cards_of(player) & second.cards_of(player):
            card = SINGLE.cards[(both & -both).bit_length() - 1]
            why = f"player {player} has {card} in this game and in game {first.number}"
            why += "; they lead in turn, but this is no round with hands exchanged"
            told = next((p.told for p in second.plays if SINGLE.cards[p.card] == card), second.told)
            return _located(second, told.error(why))
    return None


def _located(game: LoggedGame, error: LogError) -> LogError:
    return LogError(error.why, error.packet, error.notification, game.number)


def _date_of(time: int | None) -> str:
    known = time is not None and 0 < time < LATEST
    return datetime.fromtimestamp(time or 0, UTC).date().isoformat() if known else UNKNOWN
