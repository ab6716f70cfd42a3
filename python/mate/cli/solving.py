"""A puzzle that a person solves against the best defence, apart from any terminal."""

from collections.abc import Callable

import matecore
from mate.analysis import Analysis, MoveValue, analyze
from mate.cli.conversation import Conversation
from mate.errors import IllegalMoveError, NotationError, excerpt
from mate.game import Game
from mate.puzzle import Puzzle
from mate.render.grid import grid
from mate.render.puzzle import aim, task
from mate.render.text import brought, ended, numbered, outcome_after, outcome_of, situation, told

HELP = """\
Kc     a card to play; 10d and a suit's sign do as well
Kc!    to lead it and declare the privilege
*Kc    to foreplace it; *- foreplaces nothing
hint   two moves, one of them right; asked again, the right one
moves  your legal moves
quit   leave the puzzles"""


class Solving(Conversation):
    """A puzzle played to its end: the solver makes his moves, the engine defends at its best.

    A wrong move is explained, and the right one is played in its place. A move without an
    alternative is played for the solver and counts nowhere.

    Arguments:
        puzzle: the puzzle.
        title: what it is called.
        ask: given a prompt, returns the person's next line, or None when there are no more.
        say: shows a text.

    Attributes:
        right, wrong: moves that were so.
        hints: how many were asked for.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        title: str,
        ask: Callable[[str], str | None],
        say: Callable[[object], None],
    ):
        super().__init__(ask, say)
        self.puzzle, self.title = puzzle, title
        self.side = puzzle.position.to_move
        self.game = Game.from_position(puzzle.position)
        self.solver = matecore.Solver(self.game.variant.rules)
        self.right = self.wrong = self.hints = 0
        self.hinted: int | None = None  # how many moves had been played at the last hint
        self.commands |= {
            "hint": self.hint,
            "moves": self.list_moves,
            "help": self.help,
            "?": self.help,
        }

    @property
    def solved(self) -> bool:
        """Whether it was played to its end without a wrong move or a hint."""
        return self.game.is_over and not self.wrong and not self.hints

    def run(self) -> None:
        """Play until the puzzle is over or the person leaves."""
        self.say(task(self.puzzle, self.title))
        while not (self.game.is_over or self.left):
            if len(self.game.legal_moves) == 1 or self.game.to_move != self.side:
                self._play(self._analysis().moves[0].move)
            else:
                self._let_person_move()
        if self.game.is_over:
            self._conclude()

    # --- Moves ---

    def _analysis(self) -> Analysis:
        return analyze(self.game, self.solver)

    def _let_person_move(self) -> None:
        if self.game.moves:
            self.say(f"\n{situation(self.game)}")
            self.say(grid(self.game))
        ply = len(self.game.moves)
        while len(self.game.moves) == ply and not self.left:
            if word := self.listen("Your move: "):
                self._try_move(word)

    def _try_move(self, word: str) -> None:
        try:
            move = self.game.variant.action_names[self.game.action_of(word)]
        except NotationError:
            self.say(f"{excerpt(word, 20)} is no move and no command; type help to see them.")
        except IllegalMoveError:
            legal = " ".join(self.game.legal_moves)
            self.say(f"{excerpt(word, 20)} is not legal; legal: {legal}")
        else:
            self._judge(move)

    def _judge(self, move: str) -> None:
        moves = self._analysis().moves
        played = next(found for found in moves if found.move == move)
        if played.value == moves[0].value:
            self.right += 1
            self.say("Right.")
            return self._play(move)
        self.wrong += 1
        self.say(f"Wrong. {played.move}: {self._fate(played)}.{self._answer(played)}")
        self.say(f"Right is {moves[0].move}: {self._fate(moves[0])}.{self._line(moves[0])}")
        self._play(moves[0].move)

    def _fate(self, move: MoveValue) -> str:
        return brought(outcome_after(self.game, move.line), self.side)

    def _answer(self, played: MoveValue) -> str:
        """Say what the opponent answers to a wrong move, and what comes of it."""
        after = self.game.position.play(played.move)
        if after.is_over or after.to_move == self.side:
            return self._line(played)
        return f" {after.to_move.upper()} answers {played.line[1]}:{self._line(played)}"

    def _line(self, move: MoveValue) -> str:
        return f" {numbered(self.game, move.line)}"

    def _play(self, move: str) -> None:
        trick = self.game.trick
        only = " There is no other move." * (len(self.game.legal_moves) == 1)
        self.say(told(self.game, move) + only)
        self.game.push(move)
        if self.game.trick > trick:
            self.say(f"{self.game.leader.upper()} wins trick {trick}.")

    # --- Commands ---

    def hint(self) -> None:
        """Name the right move and the strongest wrong one; asked again, the right one."""
        self.hints += 1
        moves, ply = self._analysis().moves, len(self.game.moves)
        wrong = [move.move for move in moves if move.value < moves[0].value]
        if self.hinted == ply or not wrong:
            return self.say(f"Play {moves[0].move}.")
        self.hinted = ply
        pair = [move for move in self.game.legal_moves if move in (moves[0].move, wrong[0])]
        self.say(f"Either {pair[0]} or {pair[1]}.")

    def list_moves(self) -> None:
        """Say what is legal."""
        self.say(f"Legal: {' '.join(self.game.legal_moves)}")

    def help(self) -> None:
        """Say what the person can do."""
        self.say(f"{aim(self.puzzle)}\n{HELP}")

    # --- Showing ---

    def _conclude(self) -> None:
        self.say(ended(outcome_of(self.game), self.game.variant.deck))
        self.say("Solved.\n" if self.solved else "Not solved by yourself.\n")
