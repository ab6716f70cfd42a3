"""The games in a log: who played what, who was mated, which hands were shown, and where it says so.

The site plays game after game at a table. A game ends with `points`, or when all is played; the
next card begins the next one. What contradicts the rules whatever the privileges are is refused
here: the place, and with it the whole game; the games after it are read on.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mate.bga.packets import Notification, list_of, name_of, number_of
from mate.deck import SINGLE
from mate.errors import LogError, excerpt
from mate.tricks import is_beaten, matching
from mate.variant import PRESETS

RANKS = {7: "7", 10: "T", 12: "Q", 13: "K", 14: "A"}
SUITS = {1: "s", 2: "h", 3: "c", 4: "d"}
RULES = PRESETS["bga"].rules  # what is asked of them here is the same under any privilege
SIZE, EVERYTHING = SINGLE.hand_size, (1 << SINGLE.n_cards) - 1


class Play(NamedTuple):
    """A card that a player played, by its number in the deck."""

    player: int
    card: int
    told: Notification


class Shown(NamedTuple):
    """The ten cards that a player had at the beginning, as a mask; of whom may be unknown."""

    player: int | None
    cards: int
    told: Notification


@dataclass
class LoggedGame:
    """A game as a log tells it.

    Attributes:
        number: which game of its table it is, from 1.
        told: what it began with.
        plays: the cards, leads and replies in turn.
        hands: the hands that were shown.
        end: "mate", "draw", or None if the log breaks off.
        announced: the first announcement of the free move, None if there is none.
    """

    number: int
    told: Notification
    plays: list[Play] = field(default_factory=list)
    hands: list[Shown] = field(default_factory=list)
    end: str | None = None
    announced: Notification | None = None

    @property
    def lead(self) -> Play | None:
        """The lead that has no reply yet."""
        return self.plays[-1] if len(self.plays) % 2 else None

    @property
    def trick(self) -> int:
        """The number of the trick, from 1; one beyond the last when all is played."""
        return len(self.plays) // 2 + 1

    @property
    def is_full(self) -> bool:
        """Whether all cards are played."""
        return len(self.plays) == SINGLE.n_cards

    @property
    def players(self) -> list[int]:
        """Who played, in the order of their first cards."""
        return list(dict.fromkeys(play.player for play in self.plays))

    @property
    def winner(self) -> int | None:
        """Who won the last trick that is complete, None before there is one."""
        full = self.plays[: len(self.plays) // 2 * 2]
        if not full:
            return None
        led, reply = full[-2:]
        return led.player if is_beaten(RULES, led.card, reply.card) else reply.player

    def cards_of(self, player: int) -> int:
        """Return the cards that a player is seen to have begun with, as a mask."""
        played = sum(1 << play.card for play in self.plays if play.player == player)
        for shown in self.hands:
            played |= shown.cards if shown.player == player else 0
            other = shown.player not in (None, player)
            played |= EVERYTHING & ~shown.cards if other else 0
        return played

    # --- What is added ---

    def add(self, play: Play) -> None:
        """Add a card that is played.

        Raises:
            LogError: it cannot have been played then, under any privilege.
        """
        card, player = SINGLE.cards[play.card], play.player
        if player not in self.players and len(self.players) == 2:
            raise play.told.error(f"{card} is played by a third player, {player}")
        if any(before.card == play.card for before in self.plays):
            raise play.told.error(f"{card} is played twice")
        for shown in self.hands:
            if shown.player is not None and shown.cards >> play.card & 1 != (
                shown.player == player
            ):
                raise play.told.error(f"{card} is not in the hand that was shown of this player")
        if self.lead is None:
            self._check_lead(play)
        else:
            self._check_reply(play, self.lead)
        self.plays.append(play)

    def _check_lead(self, play: Play) -> None:
        if self.winner not in (None, play.player):
            led = SINGLE.cards[play.card]
            raise play.told.error(f"player {play.player} leads {led}, and did not win the trick")

    def _check_reply(self, play: Play, lead: Play) -> None:
        card, led = SINGLE.cards[play.card], SINGLE.cards[lead.card]
        if play.player == lead.player:
            raise play.told.error(f"{card} follows {led} of the same player; a reply is missing")
        if not matching(RULES, lead.card) >> play.card & 1:
            raise play.told.error(f"{card} answers {led} neither in suit nor in rank")

    def show(self, shown: Shown) -> None:
        """Add a hand that is shown.

        Raises:
            LogError: the player played other cards, or this is the other player's hand.
        """
        for player in self.players if shown.player is not None else []:
            own = shown.cards if player == shown.player else EVERYTHING & ~shown.cards
            if wrong := self.cards_of(player) & ~own:
                card = SINGLE.cards[(wrong & -wrong).bit_length() - 1]
                raise shown.told.error(f"a hand is shown that contradicts who had {card}")
        if all((shown.player, shown.cards) != (old.player, old.cards) for old in self.hands):
            self.hands.append(shown)


# --- Arguments of notifications ------------------------------------------------------------------


def card_of(suit: object, value: object, told: Notification) -> int:
    """Return the number of the card that the site calls by these numbers.

    Raises:
        LogError: it is no card of the deck.
    """
    ranks, suits = RANKS.get(_or_none(value)), SUITS.get(_or_none(suit))
    if ranks is None or suits is None:
        why = f"no card of Mate: value {excerpt(value)}, suit {excerpt(suit)}"
        raise told.error(f"{why}; values are 7, 10, 12, 13, 14, suits 1 to 4")
    return SINGLE.cards.index(ranks + suits)


def _or_none(value: object) -> int:
    number = number_of(value)
    return -1 if number is None else number


def player_of(told: Notification, name: str = "player_id") -> int:
    """Return who it is about.

    Raises:
        LogError: it does not say.
    """
    player = number_of(told.args.get(name))
    if player is None:
        found = excerpt(told.args[name]) if name in told.args else "nothing"
        raise told.error(f"{told.type}: expected a player's number in {name}, found {found}")
    return player


def hand_of(told: Notification) -> int:
    """Return the cards of a `newHand` as a mask.

    Raises:
        LogError: it is no hand.
    """
    # A map from the numbers of cards, or a list.
    cards = told.args.get("cards")
    listed = list(cards.values()) if isinstance(cards, dict) else list_of(cards)
    if listed is None:
        raise told.error("newHand: expected the cards as a list or a map")
    hand = 0
    for card in listed:
        if not isinstance(card, dict):
            raise told.error(f"newHand: expected a card, found {type(card).__name__}")
        bit = 1 << card_of(card.get("type"), card.get("type_arg"), told)
        if hand & bit:
            raise told.error("newHand: a card stands twice")
        hand |= bit
    return hand


def scores_of(args: Any, players: list[int]) -> dict[int, int] | None:
    """Return the totals of the players, None if that is not what stands there.

    >>> scores_of({"newScores": {"1": "56", "2": 0}}, [1, 2])
    {1: 56, 2: 0}
    """
    for found in [args, *args.values()]:
        if isinstance(found, dict):
            totals = {player: number_of(found.get(str(player))) for player in players}
            if totals and None not in totals.values():
                return {player: total or 0 for player, total in totals.items()}
    return None


# --- Reading -------------------------------------------------------------------------------------


class TableReader:
    """Reads what is told of one table, and gathers its games, and the errors among them."""

    def __init__(self) -> None:
        self.found: list[LoggedGame | LogError] = []
        self.names: dict[int, str] = {}
        self.game: LoggedGame | None = None
        self.number = 0
        self.broken = False  # what comes up to the end of this game is passed over
        self.repeated: tuple[int, Notification] | None = None
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
            number = self.game.number if self.game else self.number + 1
            self.number = number
            self.found.append(LogError(error.why, error.packet, error.notification, number))

    def _begin(self, told: Notification) -> LoggedGame:
        self._close("draw" if self.game and self.game.is_full else None)
        self.number += 1
        self.broken = False
        self.game = LoggedGame(self.number, told)
        return self.game

    def _close(self, end: str | None) -> None:
        game, self.game = self.game, None
        if self.repeated:
            self.game = game
            raise self._twice()
        if game and game.plays:
            game.end = end
            self.found.append(game)
            if end is None:
                self.totals = None

    # --- Cards ---

    def _play(self, told: Notification) -> None:
        if self.broken:
            return
        card = card_of(told.args.get("suit"), told.args.get("value"), told)
        play = Play(player_of(told), card, told)
        if name := name_of(told.args.get("player_name")):
            self.names.setdefault(play.player, name)
        if self.game and self._is_repeated(self.game, play):
            return
        game = self.game
        if game is None or game.is_full:
            game = self._begin(told)
        game.add(play)

    # Cards told twice: in the same move, or, where moves are not numbered, the same cards once
    # more in the same order up to the last one.
    def _is_repeated(self, game: LoggedGame, play: Play) -> bool:
        known = [(old.player, old.card) for old in game.plays]
        if self.repeated:
            index = self.repeated[0]
            if known[index] != (play.player, play.card):
                raise self._twice()
            self.repeated = (index + 1, self.repeated[1]) if index + 1 < len(known) else None
            return True
        if (play.player, play.card) not in known or game.is_full and play.told.move is None:
            return False
        index = known.index((play.player, play.card))
        moves = game.plays[index].told.move, play.told.move
        if None in moves:
            self.repeated = (index + 1, play.told) if index + 1 < len(known) else None
            return True
        return moves[0] == moves[1]

    def _twice(self) -> LogError:
        told, self.repeated = (self.repeated or (0, None))[1], None
        if told is None:
            return LogError("a card is played twice")
        card = card_of(told.args.get("suit"), told.args.get("value"), told)
        return told.error(f"{SINGLE.cards[card]} is played twice")

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
            LoggedGame(0, game.told, game.plays, list(game.hands)).show(shown)
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

    def _pass_over(self, told: Notification) -> None:
        pass

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
    "cancelFreeMove": TableReader._pass_over,
    "points": TableReader._points,
    "newScores": TableReader._scores,
}
