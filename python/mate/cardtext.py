"""Ranks, suits and cards as they stand in a text, in the letters of several languages."""

from mate.errors import MateError, NotationError, excerpt

SYMBOLS = dict(zip("♣♠♥♦♧♤♡♢", "cshdcshd", strict=True))
RANK_LETTERS = {
    "en": {},
    "pt": {"R": "K", "D": "Q"},
    "fr": {"R": "K", "D": "Q"},
    "de": {"D": "Q"},
}
SUIT_LETTERS = {
    "en": {},
    "pt": {"p": "c", "e": "s", "c": "h", "o": "d"},
    "fr": {"t": "c", "p": "s", "c": "h", "k": "d"},
    "de": {"p": "s", "h": "h"},  # Kreuz and Karo begin alike
}


class CardReader:
    """A text read from left to right; what does not fit is a `NotationError` with its column.

    Arguments:
        text: the text.
        suits: the letters of the suits, in lower case.
        ranks: the letters of the ranks, in upper case.
        lang: whose letters are read, "en", "pt", "fr" or "de".
    """

    def __init__(self, text: str, suits: str, ranks: str, lang: str = "en"):
        if not isinstance(text, str):
            raise MateError(f"expected text, found {type(text).__name__}")
        if not isinstance(lang, str) or lang not in SUIT_LETTERS:
            raise MateError(f"lang {excerpt(lang)}: the languages are {', '.join(SUIT_LETTERS)}")
        self.text, self.suits, self.ranks, self.lang = text, suits, ranks, lang
        self.at, self.end = len(text) - len(text.lstrip()), len(text.rstrip())

    def fail(self, expected: str, at: int | None = None) -> NotationError:
        """Return the error for this place."""
        return NotationError(self.text, (self.at if at is None else at) + 1, expected)

    def accept(self, token: str) -> bool:
        """Step over the token if it comes next."""
        found = self.text.startswith(token, self.at, self.end)
        self.at += len(token) * found
        return found

    def expect_end(self) -> None:
        """Refuse anything that is left."""
        if self.at < self.end:
            raise self.fail("nothing more")

    def rank(self) -> str:
        """Read a rank letter, or 10."""
        if self.accept("10"):
            letter = "T"
        else:
            letter = self.text[self.at : min(self.at + 1, self.end)].upper()
            letter = RANK_LETTERS[self.lang].get(letter, letter)
            self.at += 1
        if not letter or letter not in self.ranks:
            raise self.fail(f"a rank of {self.ranks}", self.at - 1)
        return letter

    def suit(self) -> str:
        """Read a suit letter or symbol."""
        letter = self.text[self.at : min(self.at + 1, self.end)].lower()
        letters = SUIT_LETTERS[self.lang] or {suit: suit for suit in self.suits}
        suit = SYMBOLS.get(letter) or letters.get(letter)
        if not suit or suit not in self.suits:
            raise self.fail(f"a suit of {' '.join(letters)}")
        self.at += 1
        return suit

    def card(self) -> str:
        """Read a card, `Ac` or `♣A`, as its text."""
        if self.text[self.at : self.at + 1] in SYMBOLS:
            suit = self.suit()
            return self.rank() + suit
        rank = self.rank()
        return rank + self.suit()
