"""Games in which a function of the user's chooses: thousands in step, a call for each move."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import matecore
from mate.arrays.games import Games
from mate.arrays.policy import compiled
from mate.arrays.truth import damage_told
from mate.errors import MateError, excerpt
from mate.position import Position
from mate.threads import Progress

if TYPE_CHECKING:
    import numpy as np

    from mate.arrays.selfplaying import SelfPlay

    Policy = Callable[[np.ndarray, np.ndarray], Any]

# Games, or rounds, in step at a time. What is played does not depend on it.
BLOCK = 4096
ALTERNATE = "alternate"


def play_in_step(
    plan: "SelfPlay", first: int, count: int, progress: Progress | None = None
) -> Games:
    """Play the units first .. first + count - 1 of a plan, all of a block in step.

    A policy of the plan is a text, as of `selfplay`, or a function: it is called with what the
    player to act sees in k games, uint8 of shape (k, planes, N), and what is legal there, bool of
    shape (k, 3N + 1). It returns the actions, integers of shape (k,), or probabilities, floats of
    shape (k, 3N + 1), which need not sum to 1: an action is drawn by them with one 64-bit word of
    the stream of its game. Actions draw nothing.

    Arguments:
        plan: what is played; its labels are left to others.
        first, count: which units.
        progress: called now and then with the units played, and all.

    Returns:
        the games, without labels.

    Raises:
        MateError: a policy answers with something else, or with what is not legal; the message
            names the player, the game and the ply.
        TablebaseError: the file of the tablebase is damaged.
    """
    games = Games.empty(plan.variant, count * plan.games_a_unit)
    games.moves[:] = -1
    if not count:
        return games
    table = _Table(plan, min(count, BLOCK), first)
    for start in range(0, count, BLOCK):
        end = min(start + BLOCK, count)
        table.play(first + start, games[start * plan.games_a_unit : end * plan.games_a_unit])
        if progress is not None:
            progress(end, count)
    return games


class _Table:
    """The games that are played in step, and who chooses in them.

    Attributes:
        first: the unit that game 0 of the whole is of.
        rows: for each game in step its row in all games of the block, int64.
        before: games before the block.
    """

    def __init__(self, plan: "SelfPlay", n: int, first: int):
        import numpy as np

        self.plan, self.first = plan, first
        self.core = matecore.InStep(plan.variant.rules, n)
        self.seats = [_seat(self, "x", plan.x), _seat(self, "y", plan.y)]
        self.to_move = np.empty(n, dtype=np.int8)
        self.margins = np.empty(n, dtype=np.int16)
        self.rows = np.arange(n)
        self.before = 0

    # --- A block ---

    def play(self, first: int, games: Games) -> None:
        """Play units from `first` on, into room for their games."""
        import numpy as np

        a_unit = self.plan.games_a_unit
        units = len(games) // a_unit
        self.before = (first - self.first) * a_unit
        rows = np.arange(units)
        self.rows = np.arange(len(self.to_move)) * a_unit
        self._begin(first, rows, games[::a_unit])
        self._play_out(games, units)
        if a_unit == 2:
            self.rows = self.rows + 1
            self._exchange(rows, games)
            self._play_out(games, units)

    def _begin(self, first: int, rows: "np.ndarray", games: Games) -> None:
        import numpy as np

        plan = self.plan
        deals = plan.deals_of(first, len(rows))
        odd = ((rows + first % 2) % 2).astype(np.int8)
        games.leader[:] = odd if plan.leader == ALTERNATE else "xy".index(plan.leader)
        leaders = np.ascontiguousarray(games.leader)
        self.core.begin(
            rows,
            deals,
            leaders,
            seed=plan.seed,
            stream=plan.stream,
            first=first,
            draw=plan.deals is None,
        )
        games.deal[:] = deals

    # Section 6.
    def _exchange(self, rows: "np.ndarray", games: Games) -> None:
        import numpy as np

        before, after = games[::2], games[1::2]
        after.deal[:] = before.deal[:, ::-1]
        after.leader[:] = 1 - before.leader
        if self.plan.variant.second_leader == "loser":
            lost = before.result != 0
            after.leader[lost] = before.result[lost] > 0
        deals, leaders = np.ascontiguousarray(after.deal), np.ascontiguousarray(after.leader)
        self.core.reset(rows, deals, leaders)

    # A game that is not over has had as many moves as any other.
    def _play_out(self, games: Games, units: int) -> None:
        import numpy as np

        for ply in range(games.plies):
            self.core.to_move(self.to_move)
            rows = np.flatnonzero(self.to_move >= 0)
            if not rows.size:
                break
            actions = np.empty(len(self.to_move), dtype=np.int64)
            for player, seat in enumerate(self.seats):
                mine = np.flatnonzero(self.to_move == player)
                if mine.size:
                    actions[mine] = seat.choose(mine, ply)
            self.core.step(rows, actions[rows])
            games.moves[self.rows[rows], ply] = actions[rows]
        self.core.margins(self.margins)
        games.result[self.rows[:units]] = self.margins[:units]


# --- Seats ---------------------------------------------------------------------------------------


def _seat(table: _Table, name: str, policy: "str | Policy") -> "_Told | _Asked":
    if callable(policy):
        return _Asked(table, name, policy)
    return _Told(table, compiled(policy, table.plan.variant))


class _Told:
    """A player who chooses by a rule of the core's."""

    def __init__(self, table: _Table, policy: matecore.Policy):
        self.policy, self.core = policy, table.core
        self.tablebase = table.plan.tablebase

    def choose(self, rows: "np.ndarray", ply: int) -> "np.ndarray":
        """Return the actions of the rows, int64."""
        import numpy as np

        actions = np.empty(len(rows), dtype=np.int64)
        table = None if self.tablebase is None else self.tablebase.core
        with damage_told(self.tablebase):
            self.core.choose(rows, self.policy, actions, table)
        return actions


class _Asked:
    """A player whose moves a function of the user's chooses."""

    def __init__(self, table: _Table, name: str, policy: "Policy"):
        self.table, self.name, self.policy = table, name, policy
        self.core = table.core

    def choose(self, rows: "np.ndarray", ply: int) -> "np.ndarray":
        """Return the actions of the rows, int64."""
        import numpy as np

        rules, k = self.core.rules, len(rows)
        observations = np.empty((k, matecore.PLANES, rules.n_cards), dtype=np.uint8)
        legal = np.empty((k, rules.n_actions), dtype=np.uint8)
        self.core.observe(rows, observations)
        self.core.legal(rows, legal)
        # The function has a mask of its own, to do with it what it likes.
        answer = self._array(self.policy(observations, legal.astype(np.bool_)), ply)
        if answer.dtype.kind in "iu" and answer.shape == (k,):
            return self._actions(answer, legal, rows, ply)
        if answer.dtype.kind == "f" and answer.shape == legal.shape:
            return self._drawn(answer, rows, ply)
        found = f"{answer.dtype} of shape {answer.shape}"
        raise MateError(
            f"policy {self.name}, ply {ply}: expected actions, integers of shape {(k,)}, or "
            f"probabilities, floats of shape {legal.shape}; found {found}"
        )

    def _array(self, answer: object, ply: int) -> "np.ndarray":
        import numpy as np

        try:
            return np.asarray(answer)
        except Exception as error:  # whatever the conversion of a stranger's object raises
            why = f"{excerpt(answer)} is no array: {error}"
            raise MateError(f"policy {self.name}, ply {ply}: {why}") from None

    def _actions(
        self, answer: "np.ndarray", legal: "np.ndarray", rows: "np.ndarray", ply: int
    ) -> "np.ndarray":
        import numpy as np

        known: np.ndarray = np.clip(answer, 0, legal.shape[1] - 1).astype(np.int64)
        wrong = np.flatnonzero((known != answer) | (legal[np.arange(len(rows)), known] == 0))
        if wrong.size:
            index = int(wrong[0])
            raise self._refused(rows, index, ply, f"action {answer[index]} is not legal")
        return known

    def _drawn(self, answer: "np.ndarray", rows: "np.ndarray", ply: int) -> "np.ndarray":
        import numpy as np

        actions = np.empty(len(rows), dtype=np.int64)
        try:
            self.core.sample(rows, np.ascontiguousarray(answer, dtype=np.float64), actions)
        except matecore.BadProbabilities as error:
            index, action = error.index, error.action
            sums = "have no finite sum" if answer[index].any() else "are all 0"
            why = f"the probabilities {sums}"
            if action is not None:
                value = answer[index, action]
                illegal = "" if not value > 0 else ", which is not legal"
                why = f"probability {value} of action {action}{illegal}"
            raise self._refused(rows, index, ply, why) from None
        return actions

    def _refused(self, rows: "np.ndarray", index: int, ply: int, why: str) -> MateError:
        row = int(rows[index])
        game = self.table.before + int(self.table.rows[row])
        position = Position(self.core.position(row), self.table.plan.variant)
        return MateError(f"policy {self.name}, game {game}, ply {ply}: {why} in {position}")
