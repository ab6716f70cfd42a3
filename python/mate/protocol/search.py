"""A search that goes deeper trick by trick in a thread of its own, and ends at once when told."""

import threading
import time
from collections.abc import Callable, Iterator

import matecore
from mate.analysis import Oracle
from mate.errors import MateError
from mate.game import Game
from mate.protocol.lines import Info, Limits, error_line
from mate.protocol.settings import Settings

NO_MOVE = "none"


class Stopped(Exception):
    """The search was told to end."""


class Search:
    """What follows one `go`: a line for each depth, then the best move.

    Arguments:
        game: what is searched; it is not changed.
        limits: how long.
        settings: what answers.
        say: called with each line, in the search's thread.
    """

    def __init__(self, game: Game, limits: Limits, settings: Settings, say: Callable[[str], None]):
        self.game, self.limits, self.settings, self.say = game, limits, settings, say
        self.start, self.nodes = time.monotonic(), 0
        size = game.variant.deck.hand_size
        self.tricks = 0 if game.is_over else size - game.trick + 1
        self.running = True
        self._stopped = threading.Event()
        self._lock = threading.Lock()  # over the two below
        self._oracle: Oracle | None = None
        self._thread = threading.Thread(target=self._run, daemon=True, name="mate search")
        self._timer: threading.Timer | None = None

    # --- For other threads ---

    def begin(self) -> None:
        """Start the thread, and the clock of a `movetime`."""
        if self.limits.movetime is not None:
            self._timer = threading.Timer(self.limits.movetime / 1000, self.stop)
            self._timer.daemon = True
            self._timer.start()
        self._thread.start()

    def stop(self) -> None:
        """Have the search end with the best move it knows; a search that is over stays as it is."""
        with self._lock:
            self._stopped.set()
            if self.running and isinstance(self._oracle, matecore.Solver):
                self._oracle.stop()

    def join(self, timeout: float | None = None) -> None:
        """Wait until the last line was said."""
        if self._thread.is_alive():  # it is not if Ctrl-C came before it began
            self._thread.join(timeout)

    # --- In its own ---

    def _run(self) -> None:
        try:
            answer = f"bestmove {self._deepen()}"
        except MateError as error:
            answer = error_line(f"go: {error}")
        except MemoryError:
            answer = error_line("go: no memory for the table")
        except Exception as error:  # a client waits for an answer, whatever happens
            answer = error_line(f"go: internal: {type(error).__name__}: {error}")
        self._end()
        self.say(answer)

    def _end(self) -> None:
        with self._lock:
            if self._stopped.is_set():
                self.settings.forget()  # a solver once stopped answers no more
            self.running, self._oracle = False, None
        if self._timer:
            self._timer.cancel()

    def _deepen(self) -> str:
        best = next(iter(self.game.legal_moves), NO_MOVE)
        try:
            for depth in self._depths():
                info = self._look(depth)
                best = info.line[0] if info.line else best
                self.say(str(info))
        except Stopped:
            return best
        if self.limits.infinite:
            self._stopped.wait()
        return best

    def _depths(self) -> Iterator[int]:
        deepest = min(self.limits.depth or self.tricks, self.tricks)
        if deepest == self.tricks and (not deepest or self.settings.tablebase):
            yield deepest  # known without a search
        else:
            yield from range(1, deepest + 1)

    def _look(self, depth: int) -> Info:
        exact, last = depth == self.tricks, self.game.trick + depth - 1
        oracle = self._use(self.settings.exact(self.game) if exact else self.settings.seen_to(last))
        before = oracle.nodes
        try:
            value, line = oracle.value(self.game.core), oracle.line(self.game.core)
        except RuntimeError:
            if self._stopped.is_set():
                raise Stopped from None
            raise
        self.nodes += oracle.nodes - before
        milliseconds = int((time.monotonic() - self.start) * 1000)
        moves = tuple(self._seen(line, last))
        return Info(depth, exact, value, self.nodes, milliseconds, moves)

    def _use(self, oracle: Oracle) -> Oracle:
        with self._lock:
            if self._stopped.is_set():
                raise Stopped
            self._oracle = oracle
        return oracle

    def _seen(self, line: list[int], last: int) -> Iterator[str]:
        """Yield the moves of a line up to the end of a trick."""
        core, names = self.game.core, self.game.variant.action_names
        for action in line:
            if core.trick > last:
                return
            core.push(action)
            yield names[action]
