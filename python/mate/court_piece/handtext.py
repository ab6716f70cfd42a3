"""The text of one hand: which lines are of it, and what they mean."""

import re
from collections.abc import Iterator
from functools import lru_cache

from mate.court_piece.cards import SEAT_NAMES, Cards
from mate.court_piece.deal import Deal
from mate.court_piece.hand import Hand
from mate.court_piece.notation import parse_card, parse_cards, parse_seat, parse_trump
from mate.court_piece.record import SECTIONS, TAGS, UNFINISHED, Record, write_points
from mate.court_piece.variant import PRESETS, Variant
from mate.errors import IllegalMoveError, MateError, NotationError, excerpt
from mate.recordtags import UNKNOWN, TaggedGame
from mate.recordtext import GameLines, GameText, Word
from mate.varianttext import variant_of_text

_POINTS = re.compile(r"[0-9]{1,3}-[0-9]{1,3}")
_TAG_LINE = re.compile(rb"\s*\[\s*(\w*)")
_NOTE = re.compile(r"\$[0-9]+|=[0-9]+=")
_NOTES = "Note"  # a tag that stands any number of times


class HandLines(GameLines):
    """The lines of a stream that belong to one hand.

    As in PBN a blank line ends a hand, and tags may stand between the sections of it. A line that
    stands where no tag came before is a deal by itself. A line before a hand that begins with % is
    none.
    """

    _bare = _parted = False

    def ended_by(self, line: bytes) -> bool:
        """Whether the line is of the next hand."""
        if self._bare:
            return bool(line.strip())
        tag = _TAG_LINE.match(line)
        if tag is None:
            return False
        again = tag[1].lower() in self._tags and tag[1].lower() != _NOTES.lower().encode()
        return bool(self.first) and (self._parted or (self._has_moves and again))

    def add(self, number: int, line: bytes) -> None:
        """Take the next line."""
        if line.startswith(b"%") and (self._parted or not self.first):
            line = b"\n"
        super().add(number, line)
        self._parted = not line.strip()
        if self.first == number:
            self._bare = not line.lstrip().startswith((b"[", b"{"))


@lru_cache(maxsize=32)
def _variant_of(text: str) -> Variant:
    return variant_of_text(text, Variant)


class HandReader(TaggedGame):
    """What the text of one hand means."""

    def __init__(self, text: GameText):
        super().__init__(text, TAGS)

    # --- Results ---

    def record(self) -> Record | None:
        """Return the record, None if there is nothing but comments.

        Raises:
            RecordError: it is none.
        """
        bare = self._bare_deal()
        if bare:
            return Record(PRESETS["seed"], bare, line=self.text.first)
        self._read_tags()
        if not self.tags:
            self.expect_nothing(self.text.words(), "a tag or a deal")
            return None
        hand = self._begin()
        self._read_sections(hand)
        if "Points" in self.tags:
            tag = self.tags["Points"]
            self._check_points(tag.value, tag.value_at, hand)
        moves = tuple(hand.moves)
        try:
            return Record(
                hand.variant, hand.deal, hand.given_trump, moves, self.others, self.comments,
                self.text.first,
            )  # fmt: skip
        except MateError as error:  # comments that are too long together
            raise self.text.fail(0, str(error)) from None

    def deal_alone(self) -> Deal | None:
        """Return the deal, None if there is nothing but comments.

        Raises:
            RecordError: it is none.
        """
        bare = self._bare_deal()
        if bare:
            return bare
        self._read_tags()
        if self.tags:
            return self._deal()
        self.expect_nothing(self.text.words(), "a tag or a deal")
        return None

    # --- Tags ---

    def _bare_deal(self) -> Deal | None:
        line = self.text.text.partition("\n")[0]
        if line.lstrip()[:1] in ("", "[", "{", ";"):
            return None
        try:
            return Deal.parse(line)
        except NotationError as error:
            raise self.text.fail(error.column - 1, error.why) from None

    def _read_tags(self) -> str:
        last = ""
        for tag in self.text.tags():
            last = self.names.spelt(tag.name)
            if last != _NOTES:
                self.add(tag)
        return last

    def _deal(self) -> Deal:
        if "Deal" not in self.tags:
            raise self.text.fail(0, "expected the tag Deal in this hand")
        dealer = self.value("Dealer", parse_seat) if "Dealer" in self.tags else 0
        deal = self.value("Deal", lambda text: Deal.parse(text, dealer))
        five: Cards | None = None
        if "FirstFive" in self.tags:
            five = self.value("FirstFive", parse_cards)
            deal = self.value("FirstFive", lambda _: Deal(deal.hands, dealer, five))
        if "Turned" in self.tags:
            turned = self.value("Turned", parse_card)
            deal = self.value("Turned", lambda _: Deal(deal.hands, dealer, five, turned))
        return deal

    def _begin(self) -> Hand:
        variant = self.value("Variant", _variant_of) if "Variant" in self.tags else PRESETS["seed"]
        deal = self._deal()
        if "Trump" in self.tags:
            return self.value("Trump", lambda text: Hand(deal, variant, None, parse_trump(text)))
        try:
            return Hand(deal, variant)
        except MateError as error:
            raise self.text.fail(self.tags["Deal"].at, str(error)) from None

    # --- Sections ---

    def _read_sections(self, hand: Hand) -> None:
        section = list(self.tags)[-1]
        while self.text.at < len(self.text.text):
            words = self.text.words()
            if section == "Play":
                self._play_columns(hand, words)
            elif section in SECTIONS:
                for _ in words:  # what bridge tells there is nothing here
                    pass
            else:
                self._play(hand, words)
            section = self._read_tags() or section

    # In the order of play.
    def _play(self, hand: Hand, words: Iterator[Word]) -> None:
        ended = False
        for word in words:
            if word.is_comment:
                self.comment(len(hand.actions), word.text)
            elif ended:
                why = f"expected the tags of the next hand, found {excerpt(word.text, 20)}"
                raise self.text.fail(word.at, why)
            elif word.text == UNFINISHED or _POINTS.fullmatch(word.text):
                self._check_points(word.text, word.at, hand)
                ended = True
            else:
                self._push(hand, word)

    # As PBN tells it: a row a trick, its columns from the seat of the first lead on.
    def _play_columns(self, hand: Hand, words: Iterator[Word]) -> None:
        tag = self.tags["Play"]
        if self.value("Play", parse_seat) != hand.caller:
            raise self.text.fail(tag.value_at, f"{SEAT_NAMES[hand.caller]} is to lead, the caller")
        if hand.trump is None:
            raise self.text.fail(tag.at, "expected the tag Trump before Play")
        row: list[Word] = []
        for word in words:
            if word.is_comment:
                self.comment(len(hand.actions), word.text)
            elif word.text == UNFINISHED:
                break
            elif not _NOTE.fullmatch(word.text):
                row.append(word)
            if len(row) == 4:
                self._play_row(hand, row)
                row = []
        self._play_row(hand, row + [Word("-", self.text.at)] * (4 - len(row)))
        self.expect_nothing(words, "the end of the section")

    def _play_row(self, hand: Hand, row: list[Word]) -> None:
        if hand.legal_moves == ("stop", "on") and any(word.text != "-" for word in row):
            hand.push("on")
        first = hand.leader - hand.caller
        in_order = [row[(first + place) % 4] for place in range(4)]
        while in_order and in_order[-1].text == "-":
            in_order.pop()
        for word in in_order:
            if word.text == "-":
                raise self.text.fail(word.at, f"expected the card of {SEAT_NAMES[hand.to_act]}")
            self._push(hand, word)

    def _push(self, hand: Hand, word: Word) -> None:
        try:
            hand.push(word.text)
        except NotationError as error:
            raise self.text.fail(word.at + error.column - 1, error.why) from None
        except IllegalMoveError as error:
            raise self.text.fail(word.at, str(error)) from None

    def _check_points(self, told: str, at: int, hand: Hand) -> None:
        points = write_points(hand.points)
        if told.strip() not in (points, UNKNOWN, ""):
            raise self.text.fail(at, f"the points are {points}, not {excerpt(told, 20)}")
