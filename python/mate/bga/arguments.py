"""What goes with a notification: cards, players, hands, totals, as the site numbers them."""

from typing import Any

from mate.bga.packets import Notification, list_of, number_of
from mate.deck import SINGLE
from mate.errors import excerpt

RANKS = {7: "7", 10: "T", 12: "Q", 13: "K", 14: "A"}
SUITS = {1: "s", 2: "h", 3: "c", 4: "d"}


def card_of(suit: object, value: object, told: Notification) -> int:
    """Return the number of the card that the site calls by these numbers.

    Raises:
        LogError: it is no card of the deck.
    """
    rank, letter = RANKS.get(number_of(value) or 0), SUITS.get(number_of(suit) or 0)
    if rank is None or letter is None:
        why = f"{told.type}: no card of Mate: value {excerpt(value)}, suit {excerpt(suit)}"
        raise told.error(f"{why}; values are 7, 10, 12, 13, 14, suits 1 to 4")
    return SINGLE.cards.index(rank + letter)


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
