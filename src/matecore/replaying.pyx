"""What the players of many games saw, decision by decision."""

from libc.stdint cimport int8_t, uint8_t, uint32_t

from matecore.observation cimport PLANES, observe, write_legal
from matecore.rules cimport (
    Rules, action_is_legal, halves_the_deck, legal_moves, moves_t, opening, play, position_t,
    rules_t,
)

from matecore.selfplay import IllegalRow


# Where what was seen goes, and how many decisions there is room for.
ctypedef struct seen_t:
    Py_ssize_t n
    Py_ssize_t at
    uint8_t* observations
    uint8_t* legal
    int8_t* to_move


cdef void write_seen(const rules_t* rules, const position_t* p, seen_t* seen) noexcept nogil:
    observe(rules, p, seen.observations + seen.at * PLANES * rules.n_cards)
    write_legal(rules, p, seen.legal + seen.at * (3 * rules.n_cards + 1))
    seen.to_move[seen.at] = p.to_move
    seen.at += 1


# Returns the ply at which the moves are not legal or too many for the room, or -1.
cdef int replay_game(
    const rules_t* rules, position_t* p, const int8_t* moves, int plies, seen_t* seen
) noexcept nogil:
    cdef int ply, action
    cdef moves_t legal
    for ply in range(plies):
        action = moves[ply]
        if action == -1:
            return -1
        legal = legal_moves(rules, p)
        if seen.at == seen.n or not action_is_legal(rules, &legal, action):
            return ply
        write_seen(rules, p, seen)
        play(rules, p, action)
    return -1


def replay(
    Rules rules not None, const uint32_t[:, ::1] deals not None, const int8_t[::1] leaders not None,
    const int8_t[:, ::1] moves not None, uint8_t[:, :, ::1] observations not None,
    uint8_t[:, ::1] legal not None, int8_t[::1] to_move not None,
):
    """Play games again and write what was seen before each move, game by game and ply by ply.

    Arguments:
        rules: the compiled variant.
        deals: uint32 of shape (n, 2), the masks of X and Y.
        leaders: int8 of shape (n,), 0 where X leads trick 1, else 1.
        moves: int8 of shape (n, plies), -1 behind the last move; m moves in all.
        observations: uint8 of shape (m, PLANES, N), as of `Position.observe`, is written.
        legal: uint8 of shape (m, 3N + 1), a one for each legal action, is written.
        to_move: int8 of shape (m,), who acts, 0 X and 1 Y, is written.

    Raises:
        ValueError: a shape or dtype is wrong; the moves are not m.
        IllegalRow: a row is no game; the rows before it are written.

    >>> import numpy
    >>> from matecore import PLANES, Rules
    >>> rules = Rules([0, 0, 1, 1], [0, 1, 0, 1], [11, 10, 11, 10])
    >>> seen = numpy.empty((2, PLANES, 4), numpy.uint8)
    >>> legal, to_move = numpy.empty((2, 13), numpy.uint8), numpy.empty(2, numpy.int8)
    >>> moves = numpy.array([[0, 2, -1, -1]], numpy.int8)
    >>> deals, leaders = numpy.array([[3, 12]], numpy.uint32), numpy.zeros(1, numpy.int8)
    >>> replay(rules, deals, leaders, moves, seen, legal, to_move)
    >>> to_move.tolist(), legal[1].nonzero()[0].tolist()
    ([0, 1], [2])
    """
    cdef seen_t seen
    cdef Py_ssize_t row, n = moves.shape[0]
    cdef int ply = -1, plies = moves.shape[1]
    cdef uint32_t x, y
    cdef int leader
    cdef position_t position
    cdef bint is_deal = True
    seen.n, seen.at = to_move.shape[0], 0
    check_shapes(rules, deals.shape[0] == leaders.shape[0] == n and deals.shape[1] == 2, [
        (observations.shape[0], observations.shape[1], observations.shape[2]) == (
            seen.n, PLANES, rules.n_cards
        ),
        (legal.shape[0], legal.shape[1]) == (seen.n, rules.n_actions),
    ])
    if seen.n:
        seen.observations, seen.legal = &observations[0, 0, 0], &legal[0, 0]
        seen.to_move = &to_move[0]
    with nogil:
        for row in range(n):
            x, y, leader = deals[row, 0], deals[row, 1], leaders[row]
            is_deal = halves_the_deck(&rules.c, x, y) and 0 <= leader <= 1
            if not is_deal:
                break
            position = opening(&rules.c, x, y, leader)
            if plies:
                ply = replay_game(&rules.c, &position, &moves[row, 0], plies, &seen)
            if ply >= 0:
                break
    if not is_deal or ply >= 0:
        raise IllegalRow(row, ply if is_deal else None)
    if seen.at != seen.n:
        raise ValueError(f"{seen.at} moves where there is room for {seen.n}")


cdef check_shapes(Rules rules, bint games, list seen):
    if not games:
        raise ValueError("deals (n, 2), leaders (n,) and moves (n, plies): the shapes differ")
    if not all(seen):
        raise ValueError(
            f"observations (m, {PLANES}, {rules.n_cards}), legal (m, {rules.n_actions}) and"
            " to_move (m,): the shapes differ"
        )
