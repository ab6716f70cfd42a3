"""Start an engine and play a game against it, in nothing but the lines of its protocol.

    python examples/talk_to_engine.py [COMMAND ...]

The engine is X and plays its best. Y is this program, which need not know the rules: it plays at
random what the position's text and the engine's answer to it call possible. docs/protocol.md tells
of the protocol; mate.engine is a client that also survives engines that misbehave.
"""

import argparse
import random
import subprocess
import sys

DEAL = "AQ7.A7.TK7.AT/TK.TKQ.AQ.KQ7"


class Engine:
    """An engine as a process, asked and answering line by line."""

    def __init__(self, command: list[str]):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def say(self, line: str) -> None:
        """Send a command."""
        self.process.stdin.write(line + "\n")

    def answers(self, last: str) -> list[str]:
        """Read lines up to one that begins with a word."""
        lines = [""]
        while not lines[-1].startswith(last):
            line = self.process.stdout.readline()
            if not line:
                raise SystemExit("the engine has ended")
            lines.append(line.rstrip())
        return lines[1:]

    def accepts(self, moves: list[str]) -> bool:
        """Set the position after some moves, and say whether they are legal."""
        self.say(f"position deal {DEAL} moves {' '.join(moves)}")
        self.say("isready")
        return self.answers("readyok") == ["readyok"]  # and no error before it

    def best(self) -> tuple[str, int]:
        """Search the position: the best move, `none` if the game is over, and its value."""
        self.say("go")
        *_, info, best = self.answers("bestmove")
        words = info.split()
        return best.split()[1], int(words[words.index("value") + 1])


def main(command: list[str]) -> None:
    """Play the game and print it."""
    engine, chance = Engine(command), random.Random(1)
    engine.say("mate")
    print(engine.answers("mateok")[0].removeprefix("id name "), "is X")
    hand, moves = cards(DEAL.split("/")[1]), []
    while engine.accepts(moves):
        best, value = engine.best()
        if best == "none":
            break
        legal = [card for card in hand if engine.accepts([*moves, card])]
        # Both hands are different cards: where one of Y's is legal, it is Y's turn.
        if legal:
            best = chance.choice(legal)
            hand.remove(best)
        moves.append(best)
    print("moves:", *moves)
    print("the player who would be to act gets", value)
    engine.say("quit")
    engine.process.communicate()


def cards(hand: str) -> list[str]:
    """The cards of a hand written clubs.spades.hearts.diamonds."""
    suits = zip(hand.split("."), "cshd", strict=True)
    return [rank + suit for ranks, suit in suits for rank in ranks]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "command", nargs="*", help="that starts the engine; mate engine unless told"
    )
    main(parser.parse_args().command or [sys.executable, "-m", "mate", "engine"])
