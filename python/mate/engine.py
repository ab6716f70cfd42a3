"""Engines in other processes, spoken to in the engine protocol (docs/protocol.md).

>>> import mate
>>> from mate.engine import Engine
>>> with Engine.popen() as engine:
...     engine.play(mate.Game("AQ7.A7.TK7.AT"))
'7c'
"""

import math
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import TypeVar

from mate.childprocess import ChildProcess
from mate.errors import EngineError, IllegalMoveError, MateError, NotationError, excerpt
from mate.game import Game
from mate.objective import Playable, game_of
from mate.players import Player
from mate.protocol.lines import LONGEST_LINE, Info, Limits, Option
from mate.protocol.search import NO_MOVE
from mate.protocol.settings import VARIANT, write_variant
from mate.state import State
from mate.variant import Variant

Answer = TypeVar("Answer", Info, Option)
OWN = (sys.executable, "-m", "mate", "engine")


class Engine:
    """A program that plays Mate, in a process of its own; `popen` starts one.

    One call is made at a time; `stop` may be called from another thread meanwhile. An engine that
    does not answer in time, ends, or answers nonsense is killed; each further call then raises what
    was wrong again. An engine that only refuses a command stays.

    Attributes:
        id: how it names itself.
        options: what can be set, by name.
        timeout: how many seconds an answer may take. A search has its `movetime` beside; one that
            takes longer is stopped and answers with what it has found, and has the same time for
            that.
    """

    def __init__(self, process: ChildProcess, timeout: float):
        self.timeout = timeout
        self.id = ""
        self.options: dict[str, Option] = {}
        self._process = process
        self._variant: Variant | None = None  # that the engine is known to play
        self._stopped = False
        self._failure: EngineError | None = None
        self._calling = threading.Lock()

    @classmethod
    def popen(cls, command: "Sequence[str] | str | None" = None, timeout: float = 10.0) -> "Engine":
        """Start an engine and make its acquaintance.

        Arguments:
            command: the program and its arguments, or a program without any; None for
                `mate engine` of this package.
            timeout: how many seconds each of its answers may take, above 0.

        Raises:
            EngineError: it cannot be started, or does not speak the protocol.
            MateError: an argument does not fit.
        """
        if type(timeout) not in (int, float) or not 0 < timeout < math.inf:
            raise MateError(f"timeout {excerpt(timeout)}: seconds above 0")
        engine = cls(ChildProcess(_words_of(command)), timeout)
        try:
            engine._meet()
        except BaseException:
            engine._process.kill()
            raise
        return engine

    # --- Dunder ---

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.quit()

    def __repr__(self) -> str:
        return f"<Engine {excerpt(self.id)}, process {self._process.pid}>"

    # --- Queries ---

    def play(self, game: Playable, *, depth: int | None = None, movetime: int | None = None) -> str:
        """Return the move that the engine makes.

        Arguments:
            game: a game or position, or the round or match whose game is played.
            depth: tricks that are looked ahead, from 1; None for all.
            movetime: milliseconds, from 1; None for as long as it takes.

        Raises:
            EngineError: the engine does not answer with a legal move.
            MateError: the game is over, or an argument does not fit.
        """
        state = game_of(game)
        if state.is_over:
            raise MateError(f"{state}: the game is over")
        return self._search(state, _limits(depth, movetime))[0]

    def analyse(
        self, game: Playable, *, depth: int | None = None, movetime: int | None = None
    ) -> Info:
        """Return what the engine found last: value, line, nodes, and whether that is exact.

        Arguments:
            game, depth, movetime: as of `play`; the game may be over.

        Raises:
            EngineError: the engine does not answer, or finds nothing before it is stopped.
            MateError: an argument does not fit.
        """
        _, found = self._search(game_of(game), _limits(depth, movetime))
        if found is None:
            raise EngineError("it sent no info", "go")
        return found

    # --- Actions ---

    def configure(self, **options: object) -> None:
        """Set options, `engine.configure(TableBits=18, Tablebase="default")`.

        Raises:
            EngineError: the engine refuses one, or does not answer.
            MateError: a value cannot be sent.
        """
        lines = [_line(f"setoption name {name} value {value}") for name, value in options.items()]
        with self._call():
            if VARIANT.name in options:
                self._variant = None  # the engine says whether it takes it
            for line in lines:
                self._send(line)
            self._settle()

    def position(self, game: Playable) -> None:
        """Tell the engine the variant, the position, and the moves that led to it.

        Raises:
            EngineError: the engine refuses it, or does not answer.
            MateError: it is no game.
        """
        with self._call():
            self._place(game_of(game))

    def new_game(self) -> None:
        """Have the engine forget what it learnt of the game before.

        Raises:
            EngineError: the engine does not answer.
        """
        with self._call():
            self._send("newgame")
            self._settle()

    def stop(self) -> None:
        """End the search that another thread waits for; that call then returns what was found.

        Raises:
            EngineError: the engine has ended.
        """
        self._stopped = True
        self._send("stop")

    def quit(self) -> None:
        """Have the engine end, and kill it if it does not; never raises, and may come again."""
        if not self._process.closed:
            with suppress(EngineError):  # it has ended, or does not read and will be killed
                self._process.write("quit")
            self._process.close(self.timeout)
        self._failure = self._failure or EngineError("it has been quitted")

    # --- Conversation ---

    @contextmanager
    def _call(self) -> Iterator[None]:
        if not self._calling.acquire(blocking=False):
            raise EngineError("another call is not finished")
        try:
            if self._failure:
                raise self._failure
            yield
        except MateError:
            raise
        except BaseException:  # Ctrl-C: what the engine still answers would be taken for another's
            self._fail("a call was interrupted")
            raise
        finally:
            self._calling.release()

    def _fail(self, why: str, command: str | None = None) -> EngineError:
        """Kill the engine, of which nothing can be expected any more, and return why."""
        self._process.kill()
        self._failure = EngineError(why, command)
        return self._failure

    def _send(self, line: str) -> None:
        try:
            self._process.write(line)
        except EngineError as error:
            raise self._fail(error.why, line) from None

    def _answers(
        self, command: str, extra: float = 0, stops: bool = False
    ) -> Iterator[tuple[str, list[str]]]:
        """Yield lines, each as its first word and the others, until it is too late.

        Arguments:
            command: what is answered.
            extra: seconds beside the time-out.
            stops: it is a search, which is stopped before it is given up.
        """
        patience = self.timeout + extra
        deadline = time.monotonic() + patience
        while True:
            words = self._line_before(deadline, command)
            if words is None and stops:
                stops, deadline = False, deadline + self.timeout
                self._send("stop")
            elif words is None:
                raise self._fail(f"no answer within {patience:g} s", command)
            elif words:
                yield words[0], words[1:]

    def _line_before(self, deadline: float, command: str) -> list[str] | None:
        """Return the words of the next line; None when it is too late, though the engine talks."""
        try:
            words = self._process.read(deadline).split()
        except TimeoutError:
            return None
        except EngineError as error:
            raise self._fail(error.why, command) from None
        return words if time.monotonic() <= deadline else None

    def _meet(self) -> None:
        self._send("mate")
        for word, rest in self._answers("mate"):
            if word == "mateok":
                return
            if word == "id" and rest[:1] == ["name"]:
                self.id = " ".join(rest[1:])
            elif word == "option":
                option = self._read(Option, rest, "mate")
                self.options[option.name] = option

    def _settle(self) -> None:
        """Wait until the engine has done all it was told; what it refused is raised."""
        refused = None
        self._send("isready")
        for word, rest in self._answers("isready"):
            if word == "readyok":
                break
            if word == "error":
                refused = refused or " ".join(rest)
        if refused is not None:
            raise EngineError(refused)

    def _place(self, state: State) -> None:
        if state.variant != self._variant:
            variant = write_variant(state.variant)
            self._send(_line(f"setoption name {VARIANT.name} value {variant}"))
        self._send(" ".join(["position", *_words_for(state)]))
        self._settle()
        self._variant = state.variant

    def _search(self, state: State, limits: Limits) -> tuple[str, Info | None]:
        with self._call():
            self._stopped = False
            self._place(state)
            command = str(limits)
            self._send(command)
            if self._stopped:  # it came before there was anything to stop
                self._send("stop")
            found = None
            for word, rest in self._answers(command, (limits.movetime or 0) / 1000, True):
                if word == "info":
                    found = self._read(Info, rest, command)
                elif word == "error":
                    raise EngineError(" ".join(rest), command)
                elif word == "bestmove":
                    break
            return self._checked(state, " ".join(rest), command), found

    def _checked(self, state: State, move: str, command: str) -> str:
        if state.is_over and move == NO_MOVE:
            return move
        try:
            return state.variant.action_names[state.action_of(move)]
        except (NotationError, IllegalMoveError):
            why = f"{excerpt(move)} is no legal move in {state}"
            raise self._fail(why, command) from None

    def _read(self, kind: type[Answer], words: list[str], command: str) -> Answer:
        try:
            return kind.parse(words)
        except MateError as error:
            raise self._fail(str(error), command) from None


class EnginePlayer(Player):
    """A player whose moves an engine makes.

    Arguments:
        engine: the engine; it is not quitted by the player.
        depth, movetime: as of `Engine.play`.

    >>> import mate
    >>> with Engine.popen() as engine:
    ...     mate.Round("AQ7.A7.TK7.AT").play(EnginePlayer(engine), EnginePlayer(engine))
    0
    """

    def __init__(self, engine: Engine, depth: int | None = None, movetime: int | None = None):
        super().__init__()
        self.engine, self.depth, self.movetime = engine, depth, movetime

    def choose(self, played: Playable) -> str:
        return self.engine.play(played, depth=self.depth, movetime=self.movetime)


# --- Words ---------------------------------------------------------------------------------------


def _words_of(command: object) -> Sequence[str]:
    if command is None:
        return OWN
    words = (command,) if isinstance(command, str) else command
    if not isinstance(words, (list, tuple)) or not words:
        raise MateError(f"{excerpt(command)} is no command")
    if not all(isinstance(word, str) and word for word in words):
        raise MateError(f"{excerpt(command)}: a command is texts")
    return words


def _line(text: str) -> str:
    if not text.isprintable() or len(text.encode()) > LONGEST_LINE:
        raise MateError(f"{excerpt(text)} is no line of at most {LONGEST_LINE} bytes")
    return text


def _limits(depth: int | None, movetime: int | None) -> Limits:
    for name, number in (("depth", depth), ("movetime", movetime)):
        if number is not None and (type(number) is not int or number < 1):
            raise MateError(f"{name} {excerpt(number)}: a whole number from 1")
    return Limits.parse(str(Limits(depth, movetime)).split()[1:])


def _words_for(state: State) -> Iterator[str]:
    if not isinstance(state, Game) or not state.moves:
        yield str(state)
    else:
        yield from (str(state.root()), "moves", *state.moves)
