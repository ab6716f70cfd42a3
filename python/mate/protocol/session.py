"""The engine's side of the protocol: which command does what, and when."""

from collections.abc import Callable

from mate.errors import MateError, excerpt
from mate.game import Game
from mate.protocol.lines import LONGEST_LINE, Limits, error_line
from mate.protocol.search import Search
from mate.protocol.settings import OPTIONS, VARIANT, Settings

POSITION_FIELDS = 6

# Of the protocol: a client that knows it understands all answers.
VERSION = 1


class Session:
    """A conversation with one client.

    Arguments:
        say: called with each line of the answers; also from the thread of a search.

    Attributes:
        ended: whether the client said `quit`.

    >>> session = Session(print)
    >>> session.handle(b"position 7.Q../.7.K. x - 9 -/- -")
    >>> session.handle(b"position 7.Q../.7.K. x - 9 -/- - moves Kc")
    error position: 'Kc' is not legal in 7.Q../.7.K. x - 9 -/- -; legal: 7c Qs
    """

    def __init__(self, say: Callable[[str], None]):
        self.say = say
        self.settings = Settings()
        self.game: Game | None = None
        self.search: Search | None = None
        self.ended = False

    # --- Lines ---

    def handle(self, line: bytes) -> None:
        """Do what a line says; whatever it is, at most an `error` line comes of it."""
        name = ""
        try:
            name, _, rest = _decoded(line).partition(" ")
            if name:
                self._obey(name, rest.strip())
        except MateError as error:
            self._complain(name, str(error))
        except Exception as error:  # the conversation goes on, whatever happens
            self._complain(name, f"internal: {type(error).__name__}: {error}")

    def _complain(self, name: str, text: str) -> None:
        self.say(error_line(f"{name}: {text}" if name in COMMANDS else text))

    def _obey(self, name: str, rest: str) -> None:
        if name not in COMMANDS:
            raise MateError(f"command {excerpt(name)}: one of {', '.join(COMMANDS)}")
        if self.searching and name not in WHILE_SEARCHING:
            raise MateError("a search runs; stop it first")
        if rest and name not in WITH_WORDS:
            raise MateError(f"expected nothing more, found {excerpt(rest)}")
        COMMANDS[name](self, rest)

    # --- The search ---

    @property
    def searching(self) -> bool:
        """Whether a search runs."""
        return self.search is not None and self.search.running

    @property
    def endless(self) -> bool:
        """Whether a search runs that only `stop` will end."""
        return self.search is not None and self.searching and self.search.limits.infinite

    def wait(self, timeout: float | None = None) -> None:
        """Wait for the answer of the search, if there is one."""
        if self.search is not None:
            self.search.join(timeout)

    def stop(self, timeout: float | None = None) -> None:
        """End the search, and wait for its answer, so many seconds at most if told."""
        if self.search is not None:
            self.search.stop()
            self.search.join(timeout)

    # --- Commands ---

    def _introduce(self, rest: str) -> None:
        from mate import __version__

        self.say(f"id name matecore {__version__}")
        self.say(f"id protocol {VERSION}")
        for option in OPTIONS:
            self.say(str(option))
        self.say("mateok")

    def _answer(self, rest: str) -> None:
        self.say("readyok")

    def _set_option(self, rest: str) -> None:
        words = rest.split(maxsplit=3)
        if len(words) != 4 or (words[0], words[2]) != ("name", "value"):
            raise MateError(f"expected name NAME value VALUE, found {excerpt(rest)}")
        self.settings.set(words[1], words[3])
        if words[1] == VARIANT.name:
            self.game = None

    def _new_game(self, rest: str) -> None:
        self.game = None
        self.settings.forget()

    def _place(self, rest: str) -> None:
        words = rest.split()
        at = words.index("moves") if "moves" in words else len(words)
        game = self._game_of(words[:at])
        for move in words[at + 1 :]:
            game.push(move)
        self.game = game

    def _game_of(self, words: list[str]) -> Game:
        variant = self.settings.variant
        if words[:1] == ["deal"] and len(words) == 2:
            return Game(words[1], variant)
        if words[:1] == ["deal"] and len(words) == 4 and words[2] == "leader":
            return Game(words[1], variant, words[3])
        if words[:1] != ["deal"] and len(words) == POSITION_FIELDS:
            return Game.from_position(" ".join(words), variant)
        found = excerpt(" ".join(words))
        raise MateError(f"expected deal DEAL, deal DEAL leader x|y or six fields, found {found}")

    def _go(self, rest: str) -> None:
        limits = Limits.parse(rest.split())
        if self.game is None:
            raise MateError("there is no position")
        self.wait()  # a search that is over may still be saying so
        self.search = Search(self.game, limits, self.settings, self.say)
        self.search.begin()  # when it can be found, and so be stopped by who interrupts this

    def _stop(self, rest: str) -> None:
        self.stop()

    def _quit(self, rest: str) -> None:
        self.stop()
        self.ended = True


COMMANDS: dict[str, Callable[[Session, str], None]] = {
    "mate": Session._introduce,
    "isready": Session._answer,
    "setoption": Session._set_option,
    "newgame": Session._new_game,
    "position": Session._place,
    "go": Session._go,
    "stop": Session._stop,
    "quit": Session._quit,
}
WITH_WORDS = ("setoption", "position", "go")
WHILE_SEARCHING = ("mate", "isready", "stop", "quit")


def _decoded(line: bytes) -> str:
    line = line.rstrip(b"\r\n")
    if len(line) > LONGEST_LINE:
        raise MateError(f"expected a line of at most {LONGEST_LINE} bytes")
    try:
        return " ".join(line.decode().split(maxsplit=1))
    except UnicodeDecodeError as error:
        raise MateError(f"byte {error.start + 1}: expected UTF-8") from None
