"""One game of a person against the engine, apart from any terminal."""

from collections.abc import Callable

import matecore
from mate.analysis import Analysis
from mate.cli.output import analyze_waiting
from mate.errors import IllegalMoveError, NotationError, excerpt
from mate.game import Game
from mate.position import Position
from mate.render.grid import grid
from mate.render.table import moves_table, verdict
from mate.render.text import ended, outcome_of, situation, told

HELP = """\
Kc     a card to play; 10d and a suit's sign do as well
Kc!    to lead it and declare the privilege
*Kc    to foreplace it; *- foreplaces nothing
hint   what the engine would play for you
why    why the engine played its last move
moves  your legal moves
undo   take your last move back
quit   leave the game"""


class Dialogue:
    """A game that a person and the engine play, in lines of text.

    Arguments:
        game: where it begins; it is played on.
        side: who the person is, "x" or "y".
        ask: given a prompt, returns the person's next line, or None when there are no more.
        say: shows a text or a table.
    """

    def __init__(
        self,
        game: Game,
        side: str,
        ask: Callable[[str], str | None],
        say: Callable[[object], None],
    ):
        self.game, self.side, self.ask, self.say = game, side, ask, say
        self.start = game.position
        self.solver = matecore.Solver(game.variant.rules)
        self.movers: list[str] = []
        # The last choice of the engine is where `why` finds it, also after an undo.
        self.choices: dict[int, tuple[Position, Analysis]] = {}
        self.left = False
        self.commands = {
            "hint": self.hint,
            "why": self.why,
            "moves": self.list_moves,
            "undo": self.undo,
            "help": self.help,
            "?": self.help,
            "quit": self.quit,
        }

    def run(self) -> None:
        """Play until the game is over or the person leaves."""
        you, engine = ("XY", "YX")[self.side == "y"]
        self.say(f"You are {you}, the engine is {engine}. Type help to see what you can do.")
        while not (self.game.is_over or self.left):
            if self.game.to_move == self.side:
                self._let_person_move()
            else:
                self._move_engine()
        if self.game.is_over:
            self._conclude()

    # --- Moves ---

    def _move_engine(self) -> None:
        analysis = analyze_waiting(self.game, self.solver)
        self.choices[len(self.movers)] = self.game.position, analysis
        move = analysis.moves[0].move
        self.say(told(self.game, move))
        self._push(move)

    def _let_person_move(self) -> None:
        self._show_board()
        ply = len(self.movers)
        while len(self.movers) == ply and not self.left:
            line = self.ask(self._prompt())
            if line is None:
                return self.quit()
            word = line.strip()
            if word.lower() in self.commands:
                self.commands[word.lower()]()
            elif word:
                self._try_move(word)

    def _prompt(self) -> str:
        if any(self.game.core.undecided):
            return "Your card to foreplace, or *-: "
        led = self.game.led
        return f"Your reply to {led}: " if led else "Your lead: "

    def _try_move(self, word: str) -> None:
        legal = " ".join(self.game.legal_moves)
        try:
            self._push(word)
        except NotationError:
            self.say(f"{excerpt(word, 20)} is no move and no command; legal: {legal}")
        except IllegalMoveError:
            self.say(f"{excerpt(word, 20)} is not legal; legal: {legal}")

    def _push(self, move: str) -> None:
        mover, trick = self.game.to_move, self.game.trick
        self.game.push(move)
        self.movers.append(mover)
        if self.game.trick > trick:
            self.say(f"{self.game.leader.upper()} wins trick {trick}.")

    # --- Commands ---

    def hint(self) -> None:
        """Say what the engine would play."""
        self.say(verdict(analyze_waiting(self.game, self.solver), self.game))

    def why(self) -> None:
        """Explain the engine's last move: its value and what the others would have brought."""
        plies = [ply for ply, mover in enumerate(self.movers) if mover != self.side]
        if not plies:
            return self.say("The engine has not moved yet.")
        before, analysis = self.choices[plies[-1]]
        self.say(told(before, analysis.moves[0].move))
        if len(analysis.moves) == 1:
            return self.say("It was the only legal move.")
        self.say(f"Best play from there: {ended(analysis.outcome, before.variant.deck)}")
        self.say(moves_table(analysis.moves, before))

    def list_moves(self) -> None:
        """Say what is legal."""
        self.say(f"Legal: {' '.join(self.game.legal_moves)}")

    def undo(self) -> None:
        """Go back to before the person's last move."""
        if self.side not in self.movers:
            return self.say("There is nothing to take back.")
        while self._pop() != self.side:
            pass

    def _pop(self) -> str:
        self.game.pop()
        return self.movers.pop()

    def help(self) -> None:
        """Say what the person can do."""
        self.say(HELP)

    def quit(self) -> None:
        """Leave the game as it is."""
        self.left = True

    # --- Showing ---

    def _show_board(self) -> None:
        self.say(f"\n{situation(self.game)}")
        self.say(grid(self.game))

    def _conclude(self) -> None:
        self._show_board()
        deck, outcome = self.game.variant.deck, outcome_of(self.game)
        if outcome:
            self.say("You win." if outcome.winner == self.side else "You lose.")
        self.say(ended(outcome, deck))
        best = analyze_waiting(self.start, self.solver)
        self.say(f"Best play from the start: {ended(best.outcome, deck)}")
