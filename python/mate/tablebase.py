"""The whole game solved: the exact value of every position of a variant, to be looked up."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import matecore
from mate.analysis import Oracle
from mate.batch import masks_of
from mate.errors import MateError, TablebaseError, VariantError, excerpt
from mate.state import State
from mate.tablefile import read, write
from mate.threads import thread_count
from mate.variant import Variant

if TYPE_CHECKING:
    import numpy as np

COUNTED_AT_A_TIME = 1 << 20
P = ParamSpec("P")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class BuildProgress:
    """How far a build is.

    Attributes:
        step: the cards of the smaller hand in the layers now solved.
        steps: how many steps there are.
        done, total: positions solved, and in all.
        seconds: since the start.
    """

    step: int
    steps: int
    done: int
    total: int
    seconds: float


@dataclass(frozen=True)
class LayerStats:
    """The values of the positions of one layer, for the leader.

    Attributes:
        leader_cards, follower_cards: how many each holds.
        trick: the trick that is to be led.
        leader_foreplaced, follower_foreplaced, free: the state of the layer.
        positions: how many there are.
        wins, draws, losses: how many of them are won, drawn and lost for the leader.
        lowest, highest: the margins in points.
        mean: their mean.
    """

    leader_cards: int
    follower_cards: int
    trick: int
    leader_foreplaced: bool
    follower_foreplaced: bool
    free: bool
    positions: int
    wins: int
    draws: int
    losses: int
    lowest: int
    highest: int
    mean: float


class Tablebase:
    """The exact values of all positions of a variant.

    It serves every variant whose games are played alike, whatever its matches are like. Any number
    of threads may look things up at once.

    >>> deck = mate.Deck("ab", "XYZ", ("XYZ", "XYZ"), (3, 2, 1))
    >>> tablebase = Tablebase.build(mate.Variant(deck=deck))
    >>> tablebase.probe(mate.Game("XZ.X", tablebase.variant))
    9
    """

    def __init__(self, core: matecore.Tablebase, variant: Variant, path: Path | None = None):
        self.core, self.variant, self.path = core, variant, path

    # --- Construction ---

    @classmethod
    def build(
        cls,
        variant: "Variant | str" = "bga",
        threads: int | None = None,
        progress: Callable[[BuildProgress], None] | None = None,
    ) -> "Tablebase":
        """Solve a variant: all its positions, from the last trick back.

        It takes `size_of(variant)` bytes of memory and little beside.

        Arguments:
            variant: the variant or its text; its deck has at most 20 cards.
            threads: how many to use, 1..256; None for one a core.
            progress: called about ten times a second.

        Raises:
            VariantError: there is no such variant, or its deck is too large.
            MateError: `threads` is out of range.
        """
        variant = Variant.of(variant)
        try:
            work = matecore.Retrograde(variant.rules)
        except MemoryError:
            raise MateError(f"no memory for {size_of(variant):,} bytes") from None
        except ValueError as error:
            raise VariantError("deck", variant.deck.name, str(error)) from None
        _build(work, thread_count(threads), progress or (lambda progress: None))
        return cls(work.tablebase(), variant)

    @classmethod
    def open(cls, path: "str | os.PathLike[str]") -> "Tablebase":
        """Open a tablebase file, memory-mapped and shared with other processes.

        Each block of it is checked before it is used for the first time; after the first damaged
        one nothing is answered any more. The file must not be changed while it is open: `save`
        puts a new file in its place instead, and a shortened one would end the process.

        Raises:
            TablebaseError: the file cannot be read, or is no whole tablebase.
        """
        path = _path_of(path)
        header, codes, checksums = read(path)
        try:
            variant = Variant.from_plain(header["variant"])
            core = matecore.Tablebase(variant.rules, codes, checksums)
        except ValueError as error:
            raise TablebaseError(str(path), str(error)) from None
        about = json.loads(json.dumps(_about(core, variant)))
        if any(header.get(name) != value for name, value in about.items()):
            raise TablebaseError(str(path), "its layers or margins are not those of its variant")
        return cls(core, variant, path)

    def save(self, path: "str | os.PathLike[str] | None" = None) -> Path:
        """Write the tablebase to a file, whole or not at all, and return where.

        Arguments:
            path: the file; None for the default place.

        Raises:
            TablebaseError: the file cannot be written; nothing is left behind.
        """
        place = default_path(self.variant) if path is None else _path_of(path)
        if path is None:
            place.parent.mkdir(parents=True, exist_ok=True)
        self._ask(self.core.check_all)
        about = _about(self.core, self.variant)
        write(place, about, self.core.buffer, self.core.checksums())
        return place

    def __reduce__(self) -> tuple[object, ...]:
        # Another process maps the same file.
        if self.path is None:
            raise MateError("a tablebase in memory is not pickled; save it and open the file")
        return Tablebase.open, (self.path,)

    def __repr__(self) -> str:
        return f"<Tablebase of {self.variant.name}, {len(self.core.buffer):,} positions>"

    # --- Queries ---

    def probe(self, game: State) -> int:
        """Return the exact margin for the player to act in a game or position.

        Raises:
            MateError: it is of another variant.
            TablebaseError: the file is damaged.
        """
        return self._ask(self.core.value, self._core_of(game))

    def values(self, game: State) -> list[tuple[str, int]]:
        """Return every legal move with the margin it brings the player who makes it.

        Raises:
            MateError, TablebaseError: as `probe`.
        """
        names = self.variant.action_names
        found = self._ask(self.core.values, self._core_of(game))
        return list({names[action]: value for action, value in found}.items())

    def best_moves(self, game: State) -> list[str]:
        """Return all moves that are best, in the order of the deck; none when the game is over.

        Raises:
            MateError, TablebaseError: as `probe`.
        """
        values = self.values(game)
        best = max((value for _, value in values), default=0)
        return [move for move, value in values if value == best]

    def probe_many(
        self,
        leaders: "np.ndarray",
        followers: "np.ndarray",
        leader_foreplaced: bool = False,
        follower_foreplaced: bool = False,
        free: bool | None = None,
    ) -> "np.ndarray":
        """Return the leaders' margins in many positions between tricks, numbers of cards mixed.

        Arguments:
            leaders, followers: uint32 of shape (n,), the hands as masks.
            leader_foreplaced, follower_foreplaced: who foreplaced, the same for all.
            free: whether the free move is still to be had; None for what the variant begins with.

        Returns:
            int16 of shape (n,).

        Raises:
            MateError: a shape or dtype is wrong, or a row is no position of the variant.
            TablebaseError: the file is damaged.
        """
        import numpy as np

        free = self.variant.free_move if free is None else free
        state = bool(leader_foreplaced) + 2 * bool(follower_foreplaced) + 4 * bool(free)
        out = np.empty(np.shape(leaders)[:1] or (0,), dtype=np.int16)
        self._ask(self.core.probe_many, leaders, followers, out, state)
        return out

    def solve(self, deals: Any) -> "np.ndarray":
        """Return the value of each deal, for either player leading; as `mate.solve`, looked up.

        Raises:
            MateError, VariantError: as `mate.solve`.
            TablebaseError: the file is damaged.
        """
        import numpy as np

        masks = masks_of(deals, self.variant)
        out = np.empty((len(masks), 2), dtype=np.int16)
        self._ask(self.core.solve, masks, out)
        return out

    def stats(self) -> list[LayerStats]:
        """Return the values' distribution, layer by layer.

        Raises:
            TablebaseError: the file is damaged.
        """
        self._ask(self.core.check_all)
        return [self._stats_of(layer) for layer in matecore.layers(self.variant.rules)]

    def _stats_of(self, layer: Any) -> LayerStats:
        import numpy as np

        margins = np.array(self.core.margins)
        counts = np.zeros(len(margins), dtype=np.int64)
        stop = layer.offset + layer.n_unions * layer.lanes
        for start in range(layer.offset, stop, COUNTED_AT_A_TIME):
            codes = self.core.buffer[start : min(start + COUNTED_AT_A_TIME, stop)]
            places = codes.astype(np.int64) + len(margins) // 2
            if places.min() < 0 or places.max() >= len(margins):
                raise TablebaseError(str(self.path or "in memory"), "a code that is none")
            counts += np.bincount(places, minlength=len(margins))
        values, counts = margins[counts > 0], counts[counts > 0]
        return LayerStats(
            layer.n_leader,
            layer.n_follower,
            layer.trick,
            bool(layer.state & 1),
            bool(layer.state & 2),
            bool(layer.state & 4),
            positions=int(counts.sum()),
            wins=int(counts[values > 0].sum()),
            draws=int(counts[values == 0].sum()),
            losses=int(counts[values < 0].sum()),
            lowest=int(values.min()),
            highest=int(values.max()),
            mean=float(values @ counts / counts.sum()),
        )

    def verify(
        self,
        samples: int = 1000,
        seed: int = 1,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        """Check every checksum, and the values of random positions against the search.

        Arguments:
            samples: how many positions between tricks, from all layers in turn.
            seed: of the positions.
            progress: called now and then with the positions checked and all.

        Raises:
            TablebaseError: something is wrong.
        """
        self._ask(self.core.check_all)
        solver, rng = matecore.Solver(self.variant.rules), Random(seed)
        positions = _random_positions(self.variant, rng)
        for done in range(samples):
            core = next(positions)
            found, expected = self._ask(self.core.value, core), solver.value(core)
            if found != expected:
                where = str(self.path or "in memory")
                why = f"position {core.key:#x} is worth {expected}, the table says {found}"
                raise TablebaseError(where, why)
            if progress and done % 16 == 15:
                progress(done + 1, samples)

    # --- Checks ---

    def oracle_for(self, game: State) -> Oracle:
        """Return what answers for the positions of a game.

        Raises:
            MateError: the tablebase is of another variant.
        """
        self._core_of(game)
        return _Oracle(self)

    def _core_of(self, game: State) -> matecore.Position:
        if not isinstance(game, State):
            raise MateError(f"{excerpt(game)} is no game and no position")
        if game.variant.rules != self.variant.rules:
            raise MateError(f"the tablebase is of {self.variant.name}, not {game.variant.name}")
        return game.core

    def _ask(self, question: Callable[P, Answer], *args: P.args, **kwargs: P.kwargs) -> Answer:
        try:
            return question(*args, **kwargs)
        except matecore.DamagedTable as error:
            raise TablebaseError(str(self.path or "in memory"), str(error)) from None
        except (TypeError, ValueError) as error:
            raise MateError(str(error)) from None


class _Oracle:
    """A tablebase asked about positions of the compiled core; nothing is searched."""

    nodes = 0

    def __init__(self, tablebase: Tablebase):
        self.tablebase = tablebase

    def value(self, position: matecore.Position) -> int:
        return self.tablebase._ask(self.tablebase.core.value, position)

    def line(self, position: matecore.Position) -> list[int]:
        return self.tablebase._ask(self.tablebase.core.line, position)


def _path_of(path: object) -> Path:
    if not isinstance(path, (str, os.PathLike)):
        raise MateError(f"{excerpt(path)} is no name of a file")
    return Path(path)


def _about(core: matecore.Tablebase, variant: Variant) -> dict[str, Any]:
    # What the places and the codes mean, so that a file tells it without this program.
    layers = [list(layer) for layer in matecore.layers(variant.rules)]
    return {"variant": variant.to_plain(), "layers": layers, "margins": core.margins}


# --- Places --------------------------------------------------------------------------------------


def size_of(variant: "Variant | str") -> int:
    """Return how many bytes the tablebase of a variant takes, whether it can be built or not."""
    variant = Variant.of(variant)
    layers = matecore.layers(variant.rules)
    return matecore.width_of(variant.rules) * sum(x.n_unions * x.lanes for x in layers)


def default_path(variant: "Variant | str") -> Path:
    """Return where the tablebase of a variant is kept: in the user's cache directory.

    Variants whose games are played alike share a file.
    """
    variant = Variant.of(variant)
    suits, ranks, points, privileged, *rest = variant.rules.arguments
    told = repr((suits, ranks, points, sorted(privileged), *rest))
    alike = sha256(told.encode()).hexdigest()[:16]
    return _cache_directory() / "tablebases" / f"{alike}.mtb"


def _cache_directory() -> Path:
    home = Path.home()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local"
        return Path(local) / "matecore" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "matecore"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "matecore"


# --- Building ------------------------------------------------------------------------------------


def _build(
    work: matecore.Retrograde, threads: int, progress: Callable[[BuildProgress], None]
) -> None:
    total = sum(work.positions(step) for step in range(1, work.n_steps + 1))
    start, done, stopped = time.monotonic(), 0, threading.Event()

    def run(step: int) -> None:
        nonlocal done
        while not stopped.is_set():
            solved = work.work(step)
            if not solved:
                return
            with lock:
                done += solved

    lock = threading.Lock()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for step in range(1, work.n_steps + 1):
                running = [pool.submit(run, step) for _ in range(threads)]
                while wait(running, timeout=0.1).not_done:
                    seconds = time.monotonic() - start
                    progress(BuildProgress(step, work.n_steps, done, total, seconds))
                for worker in running:
                    worker.result()
        finally:
            stopped.set()
    progress(BuildProgress(work.n_steps, work.n_steps, done, total, time.monotonic() - start))


def _random_positions(variant: Variant, rng: Random) -> Iterator[matecore.Position]:
    """Yield positions between tricks, a random one of each layer in turn, without end."""
    while True:
        for layer in matecore.layers(variant.rules):
            with suppress(matecore.InvalidPosition):  # the cards foreplaced may not go together
                yield _random_position(variant, layer, rng)


def _random_position(variant: Variant, layer: Any, rng: Random) -> matecore.Position:
    cards = rng.sample(range(variant.deck.n_cards), variant.deck.n_cards)
    end = layer.n_leader + layer.n_follower
    leader, follower = cards[: layer.n_leader], cards[layer.n_leader : end]
    fore = [card if layer.state >> player & 1 else None for player, card in enumerate(cards[-2:])]
    return matecore.Position(
        variant.rules,
        sum(1 << card for card in leader),
        sum(1 << card for card in follower),
        trick=layer.trick,
        free=bool(layer.state & 4),
        foreplaced=fore,
    )
