"""Self-play: what is played, and how much of it."""

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import matecore
from mate.arrays.carrying import Carried
from mate.arrays.contents import GAMES, GameContent
from mate.arrays.games import Games
from mate.arrays.policy import compiled
from mate.arrays.ranges import LAST, checked_range
from mate.arrays.stepping import play_in_step
from mate.arrays.truth import damage_told, refuse_strangers
from mate.arrays.workers import play_on
from mate.batch import masks_of
from mate.errors import MateError, VariantError, checked_integer, excerpt
from mate.tablebase import Tablebase
from mate.threads import Progress, share_out, thread_count, workers_for
from mate.variant import Variant

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import numpy as np

    from mate.arrays.stepping import Policy

UNITS = ("game", "round")
LEADERS = ("x", "y", "alternate")
# Games a thread plays at a time, so that an interruption is heeded at once: without values, looked
# up in a tablebase, and with a lattice for each.
PIECE, LOOKED_UP, SOLVED = 8192, 1024, 16
PIECES_A_WORKER = 64  # that an executor's worker plays at a time


def selfplay(
    count: int,
    x: "str | Policy" = "random",
    y: "str | Policy" = "random",
    variant: Variant | str = "bga",
    seed: int = 0,
    threads: int | None = None,
    *,
    unit: str = "game",
    leader: str = "alternate",
    deals: Any = None,
    first: int = 0,
    labels: bool = False,
    tablebase: Tablebase | None = None,
    executor: "Executor | None" = None,
    progress: Progress | None = None,
) -> Games:
    """Play games and return them as arrays; the same seed gives the same games, bit for bit.

    Game i depends on the arguments and i alone, whatever the threads and the pieces it is played
    in (docs/selfplay.md).

    Arguments:
        count: how many games, or rounds.
        x, y: the policies: `random`, `greedy`, `optimal`, `epsilon:p`, `softmax:t`, or a function
            that chooses in many games at once (docs/training.md).
        variant: the variant or its text.
        seed: 0..2^64-1.
        threads: how many to use, 1..256; None for one a core. Where a side is a function, all
            games are played on the calling thread, and threads serve the labels only.
        unit: "game", or "round": two games on one deal, hands exchanged (section 6).
        leader: who leads first, "x", "y", or "alternate": X where the number is even.
        deals: deals, their texts or uint32 of shape (m, 2); game i is played on the one of number
            i modulo m. None for random ones.
        first: the number of the first game, or round.
        labels: tell the exact value and the best actions before each move.
        tablebase: where exact values come from; None for solving each deal.
        executor: who plays instead of threads of this process: any of `concurrent.futures`, or of
            a cluster (docs/shards.md).
        progress: called now and then with the games, or rounds, played and all.

    Raises:
        MateError: an argument is out of range, there is no memory for so many games, or the
            executor fails.
        VariantError: there is no such variant; the tablebase or a deal is of another one; its
            hands are too large for what needs exact values.
        TablebaseError: the file of the tablebase is damaged.

    >>> import mate
    >>> games = mate.selfplay(1000, x="random", y="optimal", seed=1)
    >>> games.result[:4].tolist(), mate.selfplay(1, y="optimal", seed=1, first=3).result.tolist()
    ([-110, -15, -15, -110], [-110])
    """
    plan = SelfPlay.of(x, y, variant, seed, unit, leader, deals, labels, tablebase)
    if executor is None:
        return plan.play(first, count, threads, progress)
    _check(threads is None, "threads are of this process, an executor has workers of its own")
    first, count = plan.checked_range(first, count)
    return play_on(executor, plan, first, count, PIECES_A_WORKER * plan.piece, progress)


def label(
    games: Games,
    tablebase: Tablebase | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Games:
    """Return games with the exact value and the best actions before each of their moves.

    Arguments:
        games: they are played again and checked.
        tablebase, threads, progress: as of `selfplay`.

    Raises:
        MateError: a row is no game or has another result.
        VariantError, TablebaseError: as `selfplay`.

    >>> import mate
    >>> games = mate.label(mate.selfplay(2, "greedy", "greedy", seed=1))
    >>> games.value[:, 0].tolist(), games.regret.sum(axis=1).tolist()
    ([0, 15], [110, 126])
    """
    if not isinstance(games, Games):
        raise MateError(f"{excerpt(games)} are no games")
    plan = SelfPlay.of(variant=games.variant, labels=True, tablebase=tablebase)
    done = Games.empty(games.variant, len(games), labels=True)
    for name in ("deal", "leader", "moves"):
        done.arrays()[name][:] = games.arrays()[name]
    plan._share_out(
        done, lambda core, rows, start: core.follow(*_columns(rows)), 1, threads, progress
    )
    games.refuse_other_results(done.result)
    return done


@dataclass(frozen=True, eq=False)
class SelfPlay:
    """What is played, apart from how much of it.

    Arguments:
        variant, x, y, seed, unit, leader, deals, labels, tablebase: as of `selfplay`.
        stream: sets games with the same seed apart, 0..2^64-1.

    Raises:
        MateError, VariantError: as `selfplay`; but that deals are of the variant, and what the
            policies are, is seen when they are played. `of` takes texts and checks all.
    """

    variant: Variant
    x: "str | Policy" = "random"
    y: "str | Policy" = "random"
    seed: int = 0
    unit: str = "game"
    leader: str = "alternate"
    deals: "np.ndarray | None" = None
    labels: bool = False
    tablebase: Tablebase | None = None
    stream: int = 0

    def __post_init__(self) -> None:
        _check(isinstance(self.variant, Variant), f"{excerpt(self.variant)} is no variant")
        _check(type(self.labels) is bool, f"labels {excerpt(self.labels)}: True or False")
        _check_choice("unit", self.unit, UNITS)
        _check_choice("leader", self.leader, LEADERS)
        if self.deals is not None:
            _check_deals(self.deals)
        if self.tablebase is not None:
            refuse_strangers(self.variant, self.tablebase)
        for name in ("seed", "stream"):
            object.__setattr__(self, name, checked_integer(name, getattr(self, name), 0, LAST))

    @classmethod
    def of(
        cls,
        x: "str | Policy" = "random",
        y: "str | Policy" = "random",
        variant: Variant | str = "bga",
        seed: int = 0,
        unit: str = "game",
        leader: str = "alternate",
        deals: Any = None,
        labels: bool = False,
        tablebase: Tablebase | None = None,
        stream: int = 0,
    ) -> "SelfPlay":
        """Check the arguments and read what is text.

        Raises:
            MateError, VariantError: as `selfplay`.
        """
        variant = Variant.of(variant)
        masks = None if deals is None else masks_of(deals, variant)
        plan = cls(variant, x, y, seed, unit, leader, masks, labels, tablebase, stream)
        if not plan.is_in_step:
            plan.core()
        return plan

    @property
    def content(self) -> GameContent:
        """What files of it hold."""
        return GAMES

    @property
    def games_a_unit(self) -> int:
        """How many games a unit is, 1 or 2."""
        return 2 if self.unit == "round" else 1

    @property
    def is_in_step(self) -> bool:
        """Whether a function of the user's plays."""
        return callable(self.x) or callable(self.y)

    def core(self) -> matecore.SelfPlay:
        """Return what plays on one thread.

        Raises:
            MateError: a policy is none.
            VariantError: the hands are too large for what needs exact values.
        """
        variant = self.variant
        x, y = compiled(self.x, variant), compiled(self.y, variant)
        try:
            return matecore.SelfPlay(
                variant.rules,
                x,
                y,
                seed=self.seed,
                stream=self.stream,
                leader=LEADERS.index(self.leader),
                rounds=self.unit == "round",
                loser_leads=variant.second_leader == "loser",
                tablebase=None if self.tablebase is None else self.tablebase.core,
                labels=self.labels,
            )
        except ValueError as error:
            raise VariantError("deck", variant.deck.name, str(error)) from None
        except MemoryError as error:
            raise MateError(str(error)) from None

    def checked_range(self, first: int, count: int) -> tuple[int, int]:
        """Return what unit comes first and how many are played, or refuse them.

        Raises:
            MateError: they are out of range, or there is no memory for them.
        """
        size = self.games_a_unit * Games.bytes_a_row(self.variant, self.labels)
        return checked_range(first, count, size, f"{self.unit}s")

    def room(self, count: int) -> Games:
        """Return room for what so many units come to."""
        return Games.empty(self.variant, count * self.games_a_unit, self.labels)

    def carried(self) -> Carried:
        """Return the plan as it goes to workers."""
        return Carried.of(self)

    def play(
        self,
        first: int,
        count: int,
        threads: int | None = 1,
        progress: Progress | None = None,
    ) -> Games:
        """Play the units first .. first + count - 1.

        Raises:
            MateError: they are out of range, or there is no memory for them.
            TablebaseError: the file of the tablebase is damaged.
        """
        first, count = self.checked_range(first, count)
        if self.is_in_step:
            thread_count(threads)  # those of a function are its own
            games = play_in_step(self, first, count, progress)
            return label(games, self.tablebase, threads) if self.labels else games
        games = self.room(count)
        if self.deals is not None:
            games.deal[:: self.games_a_unit] = self.deals_of(first, count)

        def play(core: matecore.SelfPlay, rows: Games, start: int) -> None:
            core.play(first + start, *_columns(rows), draw=self.deals is None)

        self._share_out(games, play, self.games_a_unit, threads, progress)
        return games

    def deals_of(self, first: int, count: int) -> "np.ndarray":
        """Return the deals of the units first .. first + count - 1, uint32 of shape (count, 2).

        Deals that are given are played in turn; of others nothing is known before they are drawn.
        """
        import numpy as np

        if self.deals is None:
            return np.empty((count, 2), dtype=np.uint32)
        which = (np.arange(count) + first % len(self.deals)) % len(self.deals)
        deals: np.ndarray = self.deals[which]
        return deals

    def _share_out(
        self,
        games: Games,
        work: Any,
        rows_a_unit: int,
        threads: int | None,
        progress: Progress | None,
    ) -> None:
        def do(core: matecore.SelfPlay, start: int, end: int) -> None:
            rows = games[start * rows_a_unit : end * rows_a_unit]
            try:
                work(core, rows, start)
            except matecore.IllegalRow as error:
                error.row += start * rows_a_unit
                raise

        piece = self.piece
        units = len(games) // rows_a_unit
        cores = [self.core() for _ in range(workers_for(units, piece, threads))]
        try:
            with damage_told(self.tablebase):
                share_out(units, piece, cores, do, progress)
        except matecore.IllegalRow as error:
            raise MateError(str(error)) from None

    @property
    def piece(self) -> int:
        """How many units a thread plays at a time."""
        needs = self.labels or any(
            compiled(policy, self.variant).needs_values
            for policy in (self.x, self.y)
            if not callable(policy)
        )
        if not needs:
            return PIECE
        return SOLVED if self.tablebase is None else LOOKED_UP

    def to_plain(self) -> dict[str, Any]:
        """Return all that tells which games are played, fit for JSON; deals by their digest.

        Raises:
            MateError: a function of the user's plays.
        """
        if self.is_in_step:
            raise MateError("what a function of your own plays cannot be told in a file")
        digest = None if self.deals is None else sha256(self.deals.astype("<u4").tobytes())
        return {
            "variant": self.variant.to_plain(),
            "x": self.x,
            "y": self.y,
            "seed": self.seed,
            "stream": self.stream,
            "unit": self.unit,
            "leader": self.leader,
            "deals": digest and digest.hexdigest(),
            "labels": self.labels,
        }


def _columns(games: Games) -> list[Any]:
    columns = [games.deal, games.leader, games.moves, games.result]
    return columns + ([games.value, games.best] if games.is_labelled else [])


# --- Checks --------------------------------------------------------------------------------------


def _check(good: bool, message: str) -> None:
    if not good:
        raise MateError(message)


def _check_choice(name: str, value: object, known: tuple[str, ...]) -> None:
    good = isinstance(value, str) and value in known
    _check(good, f"{name} {excerpt(value)}: {', '.join(known)}")


def _check_deals(deals: object) -> None:
    import numpy as np

    told = getattr(deals, "dtype", None), getattr(deals, "shape", (0,))
    good = isinstance(deals, np.ndarray) and told[0] == np.uint32 and told[1][1:] == (2,)
    _check(good and len(deals) > 0, f"deals: uint32 of shape (m, 2), m from 1; found {told}")  # type: ignore[arg-type]
