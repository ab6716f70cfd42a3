"""A match, or one game, of a person against a player of ours, apart from any terminal."""

from collections.abc import Callable, Iterator
from itertools import repeat

from mate.analysis import Analysis
from mate.cli.conversation import Conversation
from mate.cli.output import analyze_waiting
from mate.deal import Deal
from mate.errors import IllegalMoveError, NotationError, NothingPlayedError, excerpt
from mate.game import Game
from mate.match import Match
from mate.players import Optimal, Player
from mate.render.grid import grid
from mate.render.score import score_sheet
from mate.render.table import moves_table, verdict
from mate.render.text import ended, outcome_of, points, signed, situation, told
from mate.round import Round

HELP = """\
Kc      a card to play; 10d, a suit's sign and the card's name do as well
Kc!     to lead it and declare the privilege
*Kc     to foreplace it; *- foreplaces nothing
hint    the best move
why     what the engine's last move was worth, and what the others were
comment let each trick be commented, or no more
moves   your legal moves
board   show the board again
score   the games so far
undo    take your last move back
quit    leave"""


class Dialogue(Conversation):
    """A match or a game that a person and a player of ours play, in lines of text.

    Arguments:
        played: the match or game; it is played on.
        side: who the person is, "x" or "y".
        ask, say: as of `Conversation`.
        other: the player of the other side.
        deals: those of the rounds to come of a match.
        save: called after each game, and when the conversation ends in whatever way.
        commenting: whether each trick is commented.
    """

    def __init__(
        self,
        played: Match | Game,
        side: str,
        ask: Callable[[str], str | None],
        say: Callable[[object], None],
        other: Player | None = None,
        deals: Iterator[Deal] | None = None,
        save: Callable[[], None] | None = None,
        commenting: bool = False,
    ):
        super().__init__(ask, say)
        self.played, self.side = played, side
        self.other = other or Optimal()
        self.deals = deals or (Deal.random(deck=played.variant.deck) for _ in repeat(None))
        self.save = save or (lambda: None)
        self.commenting = commenting
        self.judge = Optimal()
        self.comments: list[str] = []
        self.undone = False
        self.commands |= {
            "hint": self.hint,
            "why": self.why,
            "comment": self.toggle_comments,
            "moves": self.list_moves,
            "board": self.show_board,
            "score": self.show_score,
            "undo": self.undo,
            "help": self.help,
            "?": self.help,
        }

    @property
    def current(self) -> Round | Game:
        """The round that is played, or the one game."""
        return self.played.round if isinstance(self.played, Match) else self.played

    @property
    def game(self) -> Game:
        """The game that is played, or the last one."""
        return self.current.game if isinstance(self.current, Round) else self.current

    def run(self) -> None:
        """Play until the match or game is over or the person leaves."""
        you, engine = ("XY", "YX")[self.side == "y"]
        self.say(f"You are {you}, the engine is {engine}. Type help to see what you can do.")
        try:
            while not (self.played.is_over or self.left):
                self._go_on()
        finally:
            self.save()

    def _go_on(self) -> None:
        if isinstance(self.played, Match) and self.played.between_rounds:
            self.played.begin(next(self.deals))
            self.save()  # at once, so that a place that cannot be written to is known before play
            self.say(f"\nRound {len(self.played.rounds)}.")
        elif self.current.to_move == self.side:
            self._let_person_move()
        else:
            move = self.other.choose(self.current)
            self.say(told(self.game, move))
            self._push(move)

    # --- Moves ---

    def _let_person_move(self) -> None:
        self.show_board()
        self.undone = False
        while not (self.left or self.undone):
            word = self.listen(self._prompt())
            if word and self._try_move(word):
                return

    def _prompt(self) -> str:
        if any(self.game.core.undecided):
            return "Your card to foreplace, or *-: "
        led = self.game.led
        return f"Your reply to {led}: " if led else "Your lead: "

    def _try_move(self, word: str) -> bool:
        game, legal = self.game, " ".join(self.game.legal_moves)
        try:
            move = game.variant.action_names[game.action_of(self._named(word))]
        except NotationError:
            self.say(f"{excerpt(word, 20)} is no move and no command; legal: {legal}")
            return False
        except IllegalMoveError:
            self.say(f"{excerpt(word, 20)} is not legal; legal: {legal}")
            return False
        self._push(move)
        return True

    def _named(self, word: str) -> str:
        deck = self.game.variant.deck
        names = {deck.name_of(index).lower(): card for index, card in enumerate(deck.cards)}
        return names.get(" ".join(word.lower().split()), word)

    def _push(self, move: str) -> None:
        game, trick = self.game, self.game.trick
        if self.commenting:
            self._judge(move)
        self.played.push(move)
        if game.trick > trick:
            self.say(f"{game.leader.upper()} wins trick {trick}.")
        if game.trick > trick or game.is_over:
            self._comment(trick)
        if game.is_over:
            self._conclude(game)

    # --- Comments ---

    def _judge(self, move: str) -> None:
        values = self.judge.values(self.current)
        best = max(values, key=values.__getitem__)
        if lost := values[best] - values[move]:
            who = self.current.to_move.upper()
            kept = signed(values[best])
            self.comments.append(f"{who}'s {move} gave away {points(lost)}, {best} kept {kept}")

    def _comment(self, trick: int) -> None:
        if self.commenting:
            self.say(f"Trick {trick}: {'; '.join(self.comments) or 'nothing given away'}.")
        self.comments = []

    # --- The end of a game ---

    def _conclude(self, game: Game) -> None:
        self.say(f"\n{situation(game)}")
        self.say(grid(game))
        deck, outcome = game.variant.deck, outcome_of(game)
        if outcome:
            self.say("You win." if outcome.winner == self.side else "You lose.")
        self.say(ended(outcome, deck))
        best = analyze_waiting(game.root())
        self.say(f"Best play from the start: {ended(best.outcome, deck)}")
        if isinstance(self.played, Match):
            self.show_score()
            self._tell_the_match(self.played)
        self.save()
        self._pause()

    def _tell_the_match(self, match: Match) -> None:
        if match.is_over:
            won = f"{'You win' if match.winner == self.side else 'You lose'} the match"
            self.say(f"{won} by {abs(match.result or 0)}." if match.winner else "A drawn match.")

    def _pause(self) -> None:
        self.undone = False
        prompt = "Enter to leave: " if self.played.is_over else "Enter to go on: "
        while not (self.left or self.undone):
            word = self.listen(prompt)
            if word == "":
                return
            if word:
                self.say(f"{excerpt(word, 20)} is no command; type help to see them.")

    # --- Commands ---

    def _analysis(self, played: Round | Game) -> Analysis:
        # Where the loser of game 1 leads game 2, the best move is the best for the round.
        of_round = isinstance(played, Round) and played.variant.second_leader == "loser"
        return analyze_waiting(played, objective="round" if of_round else "game")

    def hint(self) -> None:
        """Say what is best."""
        if self.game.is_over:
            return self.say("The game is over.")
        self.say(verdict(self._analysis(self.current), self.game))

    def why(self) -> None:
        """Explain the engine's last move: its value and what the others would have brought."""
        before = self.current.copy()
        try:
            move = before.pop()
            while before.to_move == self.side:
                move = before.pop()
        except NothingPlayedError:
            return self.say("The engine has not moved yet.")
        game = before.game if isinstance(before, Round) else before
        self.say(told(game, move))
        if len(game.legal_moves) == 1:
            return self.say("It was the only legal move.")
        analysis = self._analysis(before)
        lost = analysis.value - next(m.value for m in analysis.moves if m.move == move)
        if lost:
            self.say(f"It gave away {points(lost)}.")
        self.say(f"Best play from there: {ended(analysis.outcome, game.variant.deck)}")
        self.say(moves_table(analysis.moves, game))

    def toggle_comments(self) -> None:
        """Comment each trick from now on, or no more."""
        self.commenting, self.comments = not self.commenting, []
        self.say("Each trick is commented." if self.commenting else "No more comments.")

    def list_moves(self) -> None:
        """Say what is legal."""
        self.say(f"Legal: {' '.join(self.current.legal_moves)}")

    def show_board(self) -> None:
        """Show the position."""
        self.say(f"\n{situation(self.game)}")
        self.say(grid(self.game))

    def show_score(self) -> None:
        """Show the score sheet."""
        if not isinstance(self.played, Match):
            return self.say("It is a single game.")
        names = ("you", "engine") if self.side == "x" else ("engine", "you")
        self.say(score_sheet(self.played, names))

    def undo(self) -> None:
        """Go back to before the person's last move, into game 1 of the round if need be."""
        before, n_moves = self.current.copy(), 0
        try:
            while not n_moves or before.to_move != self.side:
                before.pop()
                n_moves += 1
        except NothingPlayedError:
            return self.say("There is nothing to take back.")
        for _ in range(n_moves):
            self.played.pop()
        self.comments, self.undone = [], True

    def help(self) -> None:
        """Say what the person can do."""
        self.say(HELP)
