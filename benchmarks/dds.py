"""What DDS, the double-dummy solver of bridge, says; through `endplay`, for development only."""

from endplay.dds.solve import SolveMode, solve_board
from endplay.types import Deal, Denom, Player

SUITS, RANKS, SEATS = "SHDC", "AKQJT98765432", "NESW"
TRUMPS = (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt)
PLAYERS = (Player.north, Player.east, Player.south, Player.west)


def hand_text(mask: int) -> str:
    """Return a hand as PBN tells it."""
    cards = [[i for i in range(13) if mask >> 13 * suit + i & 1] for suit in range(4)]
    return ".".join("".join(RANKS[i] for i in suit) for suit in cards)


def deal_text(hands: tuple[int, ...] | list[int]) -> str:
    """Return a deal as PBN tells it."""
    return "N:" + " ".join(map(hand_text, hands))


def card_text(card: int) -> str:
    """Return a card as endplay reads it."""
    return SUITS[card // 13] + RANKS[card % 13]


def board(
    hands: tuple[int, ...] | list[int], trump: int, leader: int, table: tuple[int, ...] = ()
) -> Deal:
    """Return what DDS is asked; `hands` hold what lies on the table as well."""
    deal = Deal(deal_text(hands))
    deal.trump, deal.first = TRUMPS[trump], PLAYERS[leader]
    for card in table:
        deal.play(card_text(card))
    return deal


def tricks(deal: Deal) -> int:
    """Return how many tricks the side to act takes."""
    return next(iter(solve_board(deal, SolveMode.OptimalOne)))[1]


def at_least(deal: Deal, count: int) -> bool:
    """Return whether the side to act takes so many tricks."""
    found = list(solve_board(deal, SolveMode.TargetOne, count))
    return bool(found) and found[0][1] >= count


def values(deal: Deal) -> dict[int, int]:
    """Return the tricks that the side to act takes, by each card that it may play."""
    return {_number(str(card)): count for card, count in solve_board(deal)}


def _number(text: str) -> int:
    """Return the number of a card that endplay wrote, its suit as a letter or as a picture."""
    suit = next(i for i, names in enumerate(("S♠", "H♥", "D♦", "C♣")) if text[0] in names)
    return 13 * suit + RANKS.index(text[1])
