"""The low-level interface: what `cimport matecore.court_piece` gives."""
from matecore.court_piece.cards cimport N_CARDS, bit, count, holds, lowest
from matecore.court_piece.position cimport Position
from matecore.court_piece.rules cimport (
    MAX_PLIES, N_ACTIONS, NO_TRUMP, UNNAMED, Rules, legal_actions, opening, play, points_of,
    position_t, rules_t, winner_of,
)
