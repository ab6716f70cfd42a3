"""What a person types, line by line: commands, which are obeyed, and all else, which are moves."""

from collections.abc import Callable


class Conversation:
    """A conversation in lines of text; a subclass says which commands there are.

    Arguments:
        ask: given a prompt, returns the person's next line, or None when there are no more.
        say: shows a text or a table.

    Attributes:
        left: whether the person left.
    """

    def __init__(self, ask: Callable[[str], str | None], say: Callable[[object], None]):
        self.ask, self.say = ask, say
        self.left = False
        self.commands: dict[str, Callable[[], None]] = {"quit": self.quit}

    def listen(self, prompt: str) -> str | None:
        """Return the next line that is no command, blanks stripped; None after one that was."""
        line = self.ask(prompt)
        word = "quit" if line is None else line.strip()
        if word.lower() not in self.commands:
            return word
        self.commands[word.lower()]()
        return None

    def quit(self) -> None:
        """Leave."""
        self.left = True
