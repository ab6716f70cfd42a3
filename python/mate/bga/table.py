"""The games of one table, read from what the log tells of it, one thing after the other.

The site plays game after game at a table. A game ends with `points`, or when all is played; the
next card begins the next one. What cannot be is reported with its place, and costs the whole game;
the games after it are read on.
"""

from collections.abc import Iterator

from mate.bga.arguments import card_of, hand_of, player_of, scores_of
from mate.bga.games import LoggedGame, Play, Shown
from mate.bga.packets import Notification, name_of, number_of
from mate.deck import SINGLE
from mate.errors import LogError, excerpt

SIZE = SINGLE.hand_size


def _twice(told: Notification) -> LogError:
    card = card_of(told.args.get("suit"), told.args.get("value"), told)
    return told.error(f"{SINGLE.cards[card]} is played twice")


class TableReader:
    """Reads what is told of one table, and gathers its games, and the errors among them."""

    def __init__(self, numbers: Iterator[int], names: dict[int, str]) -> None:
        self.found: list[LoggedGame | LogError] = []
        self.names = names
        self.game: LoggedGame | None = None
        self.numbers = numbers  # of the games of the log, whichever table they are of
        self.order = 0
        self.broken = False  # what comes up to the end of this game is passed over
        self.repeated: tuple[int, Notification] | None = None
        self.moves: set[tuple[int | None, int, int]] = set()  # who played what in which move
        self.totals: dict[int, int] | None = None  # as the site told them last
        self.gained: dict[int, int] = {}  # since then

    def read(self, told: Notification) -> None:
        """Read what was told next."""
        try:
            _READERS[told.type](self, told)
        except LogError as error:
            self._report(error)
            self.broken, self.game, self.repeated = True, None, None

    def finish(self) -> None:
        """End with the log."""
        try:
            self._close("draw" if self.game and self.game.is_full else None)
        except LogError as error:
            self._report(error)

    # A game is reported once: what is wrong after that follows from it, as a rule.
    def _report(self, error: LogError) -> None:
        if not self.broken:
            number = self.game.number if self.game else self._next_number()
            self.found.append(LogError(error.why, error.packet, error.notification, number))

    def _next_number(self) -> int:
        self.order += 1
        return next(self.numbers)

    def _begin(self, told: Notification) -> LoggedGame:
        game = self.game
        self._close("draw" if game and game.is_full else None)
        self.broken = False
        # A game of which nothing but a hand is known was none.
        number = game.number if game and not game.plays else self._next_number()
        self.game = LoggedGame(number, self.order, told)
        return self.game

    def _close(self, end: str | None) -> None:
        game, self.game = self.game, None
        if self.repeated:
            self.game = game
            raise _twice(self.repeated[1])
        if game and game.plays:
            game.end = end
            self.found.append(game)
            if end is None:
                self.totals = None

    # --- Cards ---

    def _play(self, told: Notification) -> None:
        card = card_of(told.args.get("suit"), told.args.get("value"), told)
        play = Play(player_of(told), card, told)
        if name := name_of(told.args.get("player_name")):
            self.names.setdefault(play.player, name)
        known = (told.move, play.player, card) in self.moves
        if told.move is not None:
            self.moves.add((told.move, play.player, card))
        if known or self.broken or (self.game and self._is_repeated(self.game, play)):
            return
        game = self.game
        if game is None or game.is_full:
            game = self._begin(told)
        game.add(play)

    # Where moves are not numbered: the same cards once more in the same order, up to the last one.
    def _is_repeated(self, game: LoggedGame, play: Play) -> bool:
        known = [(old.player, old.card) for old in game.plays]
        if self.repeated:
            index, begin = self.repeated
            if known[index] != (play.player, play.card):
                raise _twice(begin)
        elif (play.player, play.card) in known and not game.is_full:
            index, begin = known.index((play.player, play.card)), play.told
            if None not in (game.plays[index].told.move, play.told.move):
                return False
        else:
            return False
        self.repeated = (index + 1, begin) if index + 1 < len(known) else None
        return True

    def _win_trick(self, told: Notification) -> None:
        game = self.game
        if self.broken or self.repeated or game is None or not game.plays:
            return
        best = player_of(told, "best_player_id")
        if game.lead:
            led = SINGLE.cards[game.lead.card]
            raise told.error(f"the trick is won by {best} while {led} has no reply")
        if best != game.winner:
            last = " ".join(SINGLE.cards[play.card] for play in game.plays[-2:])
            raise told.error(f"{best} is said to win {last}, which {game.winner} wins")

    # A whole hand that does not belong to the game going on is dealt for the next one.
    def _hand(self, told: Notification) -> None:
        cards, player = hand_of(told), number_of(told.args.get("player_id"))
        shown = Shown(told.viewer if player is None else player, cards, told)
        game = self.game
        if cards.bit_count() < SIZE and game and game.plays:
            self._rest_of_hand(game, shown)
        elif cards.bit_count() != SIZE:
            if cards:
                why = f"a hand of {cards.bit_count()} cards is shown; {SIZE} are dealt"
                raise told.error(why)
        elif game is None or game.is_full or not self._belongs(game, shown):
            self._begin(told).show(shown)
        else:
            game.show(shown)

    def _belongs(self, game: LoggedGame, shown: Shown) -> bool:
        try:
            LoggedGame(0, 0, game.told, game.plays, list(game.hands)).show(shown)
        except LogError:
            return False
        return True

    def _rest_of_hand(self, game: LoggedGame, shown: Shown) -> None:
        played = sum(1 << play.card for play in game.plays if play.player == shown.player)
        whole = shown.cards | played
        if shown.player is not None and whole.bit_count() != SIZE:
            why = f"{shown.cards.bit_count()} cards are shown"
            raise shown.told.error(f"{why} of a player who played {played.bit_count()} of {SIZE}")
        if shown.player is not None:
            game.show(shown._replace(cards=whole))

    def _announce(self, told: Notification) -> None:
        if self.game and self.game.announced is None:
            self.game.announced = told

    # --- The end of a game ---

    def _points(self, told: Notification) -> None:
        game = self.game
        if self.broken:
            self.broken, self.game, self.totals = False, None, None
        elif game is not None and game.plays:
            if told.args.get("player_id") in (None, "") and not number_of(told.args.get("points")):
                self._check_draw(game, told)
                self._close("draw")
            else:
                self._check_mate(game, told)
                self._close("mate")

    def _check_draw(self, game: LoggedGame, told: Notification) -> None:
        if not game.is_full:
            left = SINGLE.n_cards - len(game.plays)
            raise told.error(f"nobody scores, while {left} cards are not played")

    def _check_mate(self, game: LoggedGame, told: Notification) -> None:
        player = player_of(told)
        if game.lead is None:
            raise told.error(f"player {player} scores, and no lead is without reply")
        led = SINGLE.cards[game.lead.card]
        if player != game.lead.player:
            raise told.error(f"player {player} scores, and {led} was led by {game.lead.player}")
        worth = SINGLE.points_of[game.lead.card]
        right = {"tricks": game.trick, "points": worth * game.trick}
        for name, value in right.items():
            if told.args.get(name) is not None and number_of(told.args[name]) != value:
                found = excerpt(told.args[name])
                raise told.error(f"{name} {found}: {led} mates on trick {game.trick} for {value}")
        self.gained[player] = self.gained.get(player, 0) + right["points"]

    # The site's totals are compared with those before. A contradiction is reported, and costs no
    # game; what looks like something else than totals that grow is not understood.
    def _scores(self, told: Notification) -> None:
        before, gained = self.totals, self.gained
        last = self.found[-1] if self.found else None
        between = self.game is None and isinstance(last, LoggedGame) and not self.broken
        players = last.players if between and isinstance(last, LoggedGame) else []
        self.totals, self.gained = scores_of(told.args, players), {}
        if before is None or self.totals is None or before.keys() != self.totals.keys():
            return
        told_gains = {player: self.totals[player] - before[player] for player in before}
        if min(told_gains.values()) >= 0 and any(
            told_gains[player] != gained.get(player, 0) for player in before
        ):
            why = f"newScores: {told_gains} more than before, and the plays say {gained}"
            game = last.number if isinstance(last, LoggedGame) else None
            self.found.append(LogError(why, told.packet, told.number, game))


_READERS = {
    "playCard": TableReader._play,
    "trickWin": TableReader._win_trick,
    "newHand": TableReader._hand,
    "freeMove": TableReader._announce,
    "points": TableReader._points,
    "newScores": TableReader._scores,
}
