"""What a position, a move and the end of a game are called, for people."""

from mate.analysis import Outcome
from mate.deck import Deck
from mate.game import Game
from mate.position import Position
from mate.state import State

# --- Words ---------------------------------------------------------------------------------------


def spoken(card: str, deck: Deck) -> str:
    """Return a card's name for people with its text.

    >>> import mate
    >>> spoken("Kc", mate.DECKS["single"])
    'the King of Clubs (Kc)'
    """
    return f"the {deck.name_of(deck.copies[card][0])} ({card})"


def points(number: int) -> str:
    """Return a number of points.

    >>> points(1), points(32)
    ('1 point', '32 points')
    """
    return f"{number} point{'s' * (number != 1)}"


def signed(value: int) -> str:
    """Write a margin with its sign.

    >>> signed(32), signed(0), signed(-7)
    ('+32', '0', '-7')
    """
    return f"{value:+d}" if value else "0"


def situation(state: State) -> str:
    """Say who is to do what.

    >>> import mate
    >>> situation(mate.Game("ATK.Q7.A.TKQ7"))
    'Trick 1: X leads.'
    """
    who = state.to_move.upper()
    if state.is_over:
        return f"{who} is mated." if state.is_mate else "Every trick is played."
    if state.core.undecided[who == "Y"]:
        return f"{who} may foreplace a card."
    does = f"replies to {state.led}" if state.led else "leads"
    free = f" The free move is {'there' if state.free else 'spent'}." * state.variant.free_move
    return f"Trick {state.trick}: {who} {does}.{free}"


def told(state: State, move: str) -> str:
    """Say what a legal move does.

    >>> import mate
    >>> told(mate.Game("ATK.Q7.A.TKQ7"), "Kc")
    'X leads the King of Clubs (Kc).'
    """
    who, deck = state.to_move.upper(), state.variant.deck
    if move == "*-":
        return f"{who} foreplaces nothing."
    if move.startswith("*"):
        return f"{who} foreplaces {spoken(move[1:], deck)}."
    card = spoken(move.removesuffix("!"), deck)
    if state.led is None:
        return f"{who} leads {card}{', declaring the privilege' * move.endswith('!')}."
    spent = state.free and not _position_of(state).play(move).free
    return f"{who} replies with {card}{', spending the free move' * spent}."


def ended(outcome: Outcome | None, deck: Deck) -> str:
    """Say how a game ends.

    >>> import mate
    >>> ended(Outcome("x", 32, 8, "Kc"), mate.DECKS["single"])
    'X mates with the King of Clubs (Kc) on trick 8: 32 points.'
    """
    if outcome is None:
        return "Nobody mates, a draw."
    card = spoken(outcome.card, deck)
    return (
        f"{outcome.winner.upper()} mates with {card} on trick {outcome.trick}: "
        f"{points(outcome.points)}."
    )


def brought(outcome: Outcome | None, player: str) -> str:
    """Say shortly what a game's end brings a player.

    >>> brought(Outcome("x", 32, 8, "Kc"), "y"), brought(None, "x")
    ('loses 32, trick 8, Kc', 'draw')
    """
    if outcome is None:
        return "draw"
    verb = "wins" if outcome.winner == player else "loses"
    return f"{verb} {outcome.points}, trick {outcome.trick}, {outcome.card}"


# --- Lines ---------------------------------------------------------------------------------------


def outcome_of(state: State) -> Outcome | None:
    """Return how a game ended that is over, None for a draw."""
    if state.result is None or state.led is None:
        return None
    card = state.led.removesuffix("!")
    return Outcome(state.leader, abs(state.result), state.trick, card)


def outcome_after(state: State, line: tuple[str, ...]) -> Outcome | None:
    """Return how a line of play ends the game."""
    game = Game.from_position(_position_of(state))
    for move in line:
        game.push(move)
    return outcome_of(game)


def numbered(state: State, line: tuple[str, ...]) -> str:
    """Write a line of play with the numbers of the tricks.

    >>> import mate
    >>> numbered(mate.Position.parse("7.../...7 x - 10 -/- -"), ("7c", "7d"))
    '10.7c 7d'
    """
    game = Game.from_position(_position_of(state))
    words: list[str] = []
    for move in line:
        if game.led is None and not any(game.core.undecided):
            number = f"{game.trick}."
        elif not words and game.led:
            number = f"{game.trick}..."
        else:
            number = ""
        words.append(number + move)
        game.push(move)
    return " ".join(words)


def _position_of(state: State) -> Position:
    return Position(state.core, state.variant)
