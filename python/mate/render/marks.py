"""What a board shows of each card: who holds it, and what can be said of it now."""

from enum import Enum

from mate.notation import PLAYERS
from mate.state import State


class Mark(Enum):
    """What can be said of a card."""

    HELD = "held"
    LED = "led"
    LEGAL = "may be played"
    SPENDS = "may be played, spending the free move"
    FOREPLACED = "foreplaced"
    PLAYED = "played"


CardMark = tuple[Mark, str | None]


def card_marks(state: State) -> list[CardMark]:
    """Return for each card of the deck its mark and its holder, None for a card that is gone.

    Where any card may be played, as with a lead, none is marked as legal.

    >>> import mate
    >>> game = mate.Game("ATK.Q7.A.TKQ7")
    >>> game.push("Kc")
    >>> [(mark.name, player) for mark, player in card_marks(game)[1:5]]
    [('HELD', 'x'), ('LED', 'x'), ('LEGAL', 'y'), ('LEGAL', 'y')]
    """
    core = state.core
    marks: list[CardMark] = [(Mark.PLAYED, None)] * state.variant.deck.n_cards
    for player, hand in zip(PLAYERS, core.hands, strict=True):
        for card in range(len(marks)):
            if hand >> card & 1:
                marks[card] = Mark.HELD, player
    for player, foreplaced in zip(PLAYERS, core.foreplaced, strict=True):
        if foreplaced is not None:
            marks[foreplaced] = Mark.FOREPLACED, player
    for card, mark in _choices(state).items():
        marks[card] = mark, state.to_move
    if core.led is not None:
        marks[core.led] = Mark.LED, state.leader
    return marks


def _choices(state: State) -> dict[int, Mark]:
    core, n_cards = state.core, state.variant.deck.n_cards
    foreplaces = any(core.undecided)
    if core.led is None and not foreplaces:
        return {}
    found = {}
    for action in core.legal_actions():
        if action != n_cards:
            card = action if action < n_cards else action - n_cards - 1
            found[card] = Mark.SPENDS if spends_free_move(state, action) else Mark.LEGAL
    everything = foreplaces and len(found) == core.hands[core.to_move].bit_count()
    return {} if everything else found


def spends_free_move(state: State, action: int) -> bool:
    """Return whether a legal action would use up the free move (section 4)."""
    core = state.core
    before = core.free
    core.push(action)
    return before and not core.free
