"""A match of a person and three players of ours, apart from any terminal."""

from collections.abc import Callable, Iterator, Sequence

from mate.cli.conversation import Conversation
from mate.court_piece.cards import PLAY_ON, STOP
from mate.court_piece.deal import Deal
from mate.court_piece.hand import Hand
from mate.court_piece.match import Match
from mate.court_piece.notation import parse_move
from mate.court_piece.players import Player
from mate.court_piece.view import View
from mate.errors import NotationError, excerpt
from mate.render.court.diagram import deal_diagram
from mate.render.court.score import score_line, score_sheet
from mate.render.court.table import tricks_table, view_diagram
from mate.render.court.words import SEAT_WORDS, ended, how_tricks_lie, situation, told

HELP = """\
KS      a card to play; 10s and a suit's sign do as well
S H D C a suit, to name it trump
stop on to end the hand at seven tricks to none, or to play on
hint    what level:4 would do in your place, seeing what you see
moves   your legal moves
table   show the table again
tricks  the tricks of this hand so far
score   the hands so far
quit    leave"""


class Dialogue(Conversation):
    """A match that a person and three players of ours play, in lines of text.

    Arguments:
        match: it is played on.
        seat: who the person is, 0..3.
        ask, say: as of `Conversation`.
        players: four by seat; that of the person's own gives hints.
        deals: those of the hands to come, whoever dealt them; each is turned to who is to deal.
        save: called as each hand begins, when it ends, and when the conversation does.
    """

    def __init__(
        self,
        match: Match,
        seat: int,
        ask: Callable[[str], str | None],
        say: Callable[[object], None],
        players: Sequence[Player],
        deals: Iterator[Deal],
        save: Callable[[], None],
    ):
        super().__init__(ask, say)
        self.match, self.seat = match, seat
        self.players, self.deals, self.save = players, deals, save
        self.commands |= {
            "hint": self.hint,
            "moves": self.list_moves,
            "table": self.show_table,
            "tricks": self.list_tricks,
            "score": self.show_score,
            "help": self.help,
            "?": self.help,
        }

    @property
    def hand(self) -> Hand:
        """The hand that is played, or the last one."""
        return self.match.hand

    @property
    def view(self) -> View:
        """What the person sees of it."""
        return self.match.view(self.seat)

    def run(self) -> None:
        """Play until the match is over or the person leaves."""
        you, partner = SEAT_WORDS[self.seat], SEAT_WORDS[(self.seat + 2) % 4]
        self.say(f"You are {you}, {partner} is your partner. Type help to see what you can do.")
        try:
            while not (self.match.is_over or self.left):
                self._go_on()
        finally:
            self.save()

    def _go_on(self) -> None:
        if self.match.between_hands:
            self.match.begin(next(self.deals).turn(self.match.dealer))
            self.save()  # at once, so that a place that cannot be written to is known before play
            caller = SEAT_WORDS[self.hand.caller]
            self.say(f"\nHand {len(self.match.hands)}. {caller} is the caller.")
        elif self.hand.to_act == self.seat:
            self._let_person_move()
        else:
            seat = self.hand.to_act
            self._push(self.players[seat].choose(self.match.view(seat)))

    # --- Moves ---

    def _let_person_move(self) -> None:
        self.show_table()
        while not self.left:
            word = self.listen(self._prompt())
            if word and self._try_move(word):
                return

    def _prompt(self) -> str:
        if self.hand.trump is None:
            return "Your trump: "
        if self.hand.legal_moves[0] in (STOP, PLAY_ON):
            return "Stop or on: "
        led = self.hand.table.cards[:1]
        return f"Your card to {led[0]}: " if led else "Your lead: "

    def _try_move(self, word: str) -> bool:
        legal = " ".join(self.hand.legal_moves)
        try:
            move = parse_move(word)
        except NotationError:
            self.say(f"{excerpt(word, 20)} is no move and no command; legal: {legal}")
            return False
        if move not in self.hand.legal_moves:
            self.say(f"{excerpt(word, 20)} is not legal; legal: {legal}")
            return False
        self._push(move)
        return True

    def _push(self, move: str) -> None:
        hand, n_tricks = self.hand, len(self.hand.tricks)
        if hand.to_act != self.seat:
            self.say(told(hand, move))
        self.match.push(move)
        if len(hand.tricks) > n_tricks:
            winner = SEAT_WORDS[hand.tricks[-1].winner or 0]
            self.say(f"{winner} wins trick {len(hand.tricks)}. {how_tricks_lie(self.view)}")
        if hand.is_over:
            self._conclude(hand)

    # --- The end of a hand ---

    def _conclude(self, hand: Hand) -> None:
        self.say(f"\n{ended(hand)}")
        self.say(deal_diagram(hand.deal))
        self.say(score_line(self.match))
        if self.match.is_over:
            won = self.match.winner == self.seat % 2
            drawn = self.match.winner is None
            self.say("A drawn match." if drawn else f"You {'win' if won else 'lose'} the match.")
        self.save()
        self._pause()

    def _pause(self) -> None:
        prompt = "Enter to leave: " if self.match.is_over else "Enter to go on: "
        while not self.left:
            word = self.listen(prompt)
            if word == "":
                return
            if word:
                self.say(f"{excerpt(word, 20)} is no command; type help to see them.")

    # --- Commands ---

    def hint(self) -> None:
        """Say what the engine would do, seeing what the person sees."""
        if self.hand.is_over:
            return self.say("The hand is over.")
        move = self.players[self.seat].choose(self.view)
        self.say(f"{move} is what the engine would choose.")

    def list_moves(self) -> None:
        """Say what is legal."""
        legal = " ".join(self.hand.legal_moves)
        self.say(f"Legal: {legal}" if legal else "The hand is over.")

    def show_table(self) -> None:
        """Show what the person sees."""
        if self.hand.is_over:
            return self.say(deal_diagram(self.hand.deal))
        self.say(f"\n{situation(self.hand)}")
        self.say(view_diagram(self.view))
        self.say(f"{how_tricks_lie(self.view)} {score_line(self.match)}")

    def list_tricks(self) -> None:
        """Show the tricks that are finished."""
        self.say(tricks_table(self.hand.tricks) if self.hand.tricks else "No trick is finished.")

    def show_score(self) -> None:
        """Show the hands that are over, and the score."""
        self.say(score_sheet(self.match))
        self.say(score_line(self.match))

    def help(self) -> None:
        """Say what the person can do."""
        self.say(HELP)
