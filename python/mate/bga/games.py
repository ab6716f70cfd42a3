"""A game as a log tells it: who played what, who was mated, which hands were shown.

Refused is what contradicts the rules whatever the privileges are; what depends on them is left to
`rounds`.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from mate.bga.packets import Notification
from mate.deck import SINGLE
from mate.tricks import is_beaten, matching
from mate.variant import PRESETS

RULES = PRESETS["bga"].rules  # what is asked of them here is the same under any privilege
EVERYTHING = (1 << SINGLE.n_cards) - 1


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
        number: which game of the log it is, from 1.
        order: which game of its table it is, from 1.
        told: what it began with.
        plays: the cards, leads and replies in turn.
        hands: the hands that were shown.
        end: "mate", "draw", or None if the log breaks off.
        announced: the first announcement of the free move, None if there is none.
    """

    number: int
    order: int
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
    def people(self) -> list[int]:
        """Who played or was shown a hand: two, or fewer if the log breaks off early."""
        owners = (shown.player for shown in self.hands if shown.player is not None)
        return list(dict.fromkeys([*self.players, *owners]))

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
        if player not in self.people and len(self.people) == 2:
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
        for player in self.people if shown.player is not None else ():
            own = shown.cards if player == shown.player else EVERYTHING & ~shown.cards
            if wrong := self.cards_of(player) & ~own:
                card = SINGLE.cards[(wrong & -wrong).bit_length() - 1]
                raise shown.told.error(f"a hand is shown that contradicts who had {card}")
        if all((shown.player, shown.cards) != (old.player, old.cards) for old in self.hands):
            self.hands.append(shown)
