"""What cards, suits, sides, moves and the state of a hand of Court Piece are called, for people."""

from mate.court_piece.cards import PLAY_ON, STOP, SUITS
from mate.court_piece.hand import Hand
from mate.court_piece.view import View
from mate.render.text import points

SEAT_WORDS = ("North", "East", "South", "West")
SIDES = ("North and South", "East and West")
SHORT_SIDES = ("N-S", "E-W")
SUIT_NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "N": "no trump"}
RANK_NAMES = {
    "A": "Ace", "K": "King", "Q": "Queen", "J": "Jack", "T": "Ten", "9": "Nine", "8": "Eight",
    "7": "Seven", "6": "Six", "5": "Five", "4": "Four", "3": "Three", "2": "Deuce",
}  # fmt: skip


# --- Words ---------------------------------------------------------------------------------------


def spoken(card: str) -> str:
    """Return a card's name for people with its text.

    >>> spoken("KS")
    'the King of Spades (KS)'
    """
    return f"the {RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]].capitalize()} ({card})"


def tricks_word(number: int) -> str:
    """Return a number of tricks.

    >>> tricks_word(1), tricks_word(7)
    ('1 trick', '7 tricks')
    """
    return f"{number} trick{'s' * (number != 1)}"


def by_side(pair: tuple[int, int]) -> str:
    """Return what each side has.

    >>> by_side((2, 5))
    'N-S 2, E-W 5'
    """
    return ", ".join(f"{side} {number}" for side, number in zip(SHORT_SIDES, pair, strict=True))


# --- Moves ---------------------------------------------------------------------------------------


def told(state: Hand | View, move: str) -> str:
    """Say what a legal move of the seat to act does.

    >>> from mate.court_piece import Deal
    >>> told(Hand(Deal.random(1)), "H")
    'East names hearts.'
    """
    who = SEAT_WORDS[state.to_act]
    if move in SUITS:
        return f"{who} names {SUIT_NAMES[move]}."
    if move in (STOP, PLAY_ON):
        return f"{who} {'stops' if move == STOP else 'plays on'} at seven tricks to none."
    return f"{who} {'plays' if state.table.cards else 'leads'} {spoken(move)}."


def situation(state: Hand | View) -> str:
    """Say who is to do what.

    >>> from mate.court_piece import Deal
    >>> situation(Hand(Deal.random(1)))
    'North dealt, East names the trump.'
    """
    who = SEAT_WORDS[state.to_act]
    if state.trump is None:
        return f"{SEAT_WORDS[state.dealer]} dealt, {who} names the trump."
    if STOP in state.legal_moves:
        return f"Seven tricks to none: {who} may stop, or play on for the court."
    trick = f"Trick {len(state.tricks) + 1}, {trump_word(state.trump)}"
    if not state.table.cards:
        return f"{trick}: {who} leads."
    return (
        f"{trick}: {SEAT_WORDS[state.table.leader]} led {state.table.cards[0]}, {who} is to play."
    )


def trump_word(trump: str) -> str:
    """Say what is trump.

    >>> trump_word("S"), trump_word("N")
    ('spades are trump', 'no trump')
    """
    return SUIT_NAMES[trump] + " are trump" * (trump in SUITS)


# --- Tricks --------------------------------------------------------------------------------------


def how_tricks_lie(view: View) -> str:
    """Say where the tricks are that were won, as the variant's collection has them (section 1.4).

    >>> from mate.court_piece import Deal
    >>> how_tricks_lie(Hand(Deal.random(1)).view(0))
    'No run on the table; piles N-S 0, E-W 0.'
    """
    if view.variant.is_double:
        return _centre(view)
    if view.variant.collection == "single":
        return f"Tricks {by_side(view.won)}."
    run = "No run on the table"
    if view.run.side is not None and view.run.tricks:
        run = f"On the table a run of {view.run.tricks} of {SHORT_SIDES[view.run.side]}"
    return f"{run}; piles {by_side(view.piles)}."


def _centre(view: View) -> str:
    lie = tricks_word(view.centre)
    return f"In the centre {lie}{_claims(view)}; collected {by_side(view.collected)}."


def _claims(view: View) -> str:
    number = len(view.tricks) + 1
    if number == 13:
        return ", this trick takes all"  # blocked or not, whoever wins it
    if number in view.variant.blocked_claims:
        return ", no claim at this trick"
    if view.armed is None or not view.centre:
        return ""
    team = view.variant.collection == "double_team"
    name = SHORT_SIDES[view.armed % 2] if team else SEAT_WORDS[view.armed]
    return f", {name} may claim them"


def ended(hand: Hand) -> str:
    """Say how a hand that is over ended.

    >>> from mate.court_piece import Deal
    >>> hand = Hand(Deal.random(1), "hokm")
    >>> while not hand.is_over:
    ...     hand.push(hand.legal_moves[0])
    >>> ended(hand)
    'East and West win 7-3: 1 point.'
    """
    winner = hand.winner or 0
    score = f"{hand.collected[winner]}-{hand.collected[1 - winner]}"
    won = points((hand.points or (0, 0))[winner])
    return f"{SIDES[winner]} win {score}{', a court' * hand.court}: {won}."
