"""Records of hands: who held and played what, as text that people read too.

docs/court_piece_records.md is the format. Written is always one form; what is read is more
forgiving.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from mate.court_piece.cards import INDEX, SEAT_NAMES
from mate.court_piece.deal import Deal
from mate.court_piece.hand import Hand
from mate.court_piece.notation import parse_trump
from mate.court_piece.variant import PRESETS, Variant
from mate.errors import MateError, excerpt
from mate.recordtags import TagNames, checked_comments
from mate.recordtext import MAX_GAME, MAX_VALUE, wrap, write_comment, write_tag
from mate.varianttext import variant_text

SEAT_TAGS = ("North", "East", "South", "West")
ALWAYS = ("Event", "Site", "Date", "Board", *SEAT_TAGS)  # written of every hand, "?" if not told
OF_THE_HAND = ("Variant", "Dealer", "Deal", "FirstFive", "Turned", "Trump", "Points")
# Sections of PBN: what stands below these tags is read as what was played, or passed over.
SECTIONS = (
    "Auction", "Play", "Note", "ActionTable", "AuctionTimeTable", "InstantScoreTable",
    "OptimumPlayTable", "OptimumResultTable", "PlayTimeTable", "ScoreTable", "TotalScoreTable",
)  # fmt: skip
TAGS = TagNames(ALWAYS, OF_THE_HAND + SECTIONS)
UNFINISHED = "*"


@dataclass(frozen=True)
class Record:
    """One hand as a record tells it; it is always a legal one.

    Arguments:
        variant: the rules.
        deal: the cards, and what is known of how they were dealt.
        trump: the trump if it was not found as the variant says, else None.
        moves: what was named, played and decided.
        tags: what else is told: Event, Site, Date, Board (the number of the hand in its match),
            North, East, South and West (the players at seats 0 to 3), and any other; these eight
            are there in any case, "?" unless told.
        comments: by the number of moves done before them.
        line: where it begins in its file.

    Raises:
        IllegalMoveError: a move is not legal.
        MateError: an argument is not of its kind, or a tag is told by the hand itself.

    >>> hand = Hand(Deal.random(1))
    >>> hand.push("S")
    >>> record = Record.of(hand, {"East": "Anna"})
    >>> record.tags["East"], record.tags["West"], record.moves, record.points
    ('Anna', '?', ('S',), None)
    """

    variant: Variant
    deal: Deal
    trump: str | None = None
    moves: tuple[str, ...] = ()
    tags: dict[str, str] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)
    line: int = field(default=1, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.variant, Variant) or not isinstance(self.deal, Deal):
            raise MateError(f"record of {excerpt(self.deal)}: a deal and a variant are needed")
        if not isinstance(self.moves, (tuple, list)):
            raise MateError(f"moves {excerpt(self.moves)}: a tuple of moves")
        if self.trump is not None:
            object.__setattr__(self, "trump", parse_trump(self.trump))
        object.__setattr__(self, "moves", tuple(self.hand().moves))
        object.__setattr__(self, "tags", TAGS.checked(self.tags))
        object.__setattr__(self, "comments", checked_comments(self.comments, len(self.moves)))

    @classmethod
    def of(
        cls,
        hand: Hand,
        tags: Mapping[str, str] | None = None,
        comments: Mapping[int, str] | None = None,
    ) -> "Record":
        """Return the record of a hand from its first move to where it is now.

        Raises:
            MateError: `hand` is none, or a tag or comment cannot be written.
        """
        if not isinstance(hand, Hand):
            raise MateError(f"{excerpt(hand)} is no hand of Court Piece")
        for given in (tags or {}, comments or {}):
            if not isinstance(given, Mapping):
                raise MateError(f"{excerpt(given)}: expected texts by name or number")
        told, said = dict(tags or {}), dict(comments or {})
        return cls(hand.variant, hand.deal, hand.given_trump, tuple(hand.moves), told, said)

    @property
    def points(self) -> tuple[int, int] | None:
        """What the sides scored, None if the hand is not over."""
        return self.hand().points

    def hand(self) -> Hand:
        """Return the hand, played to the record's last move."""
        hand = Hand(self.deal, self.variant, None, self.trump)
        for move in self.moves:
            hand.push(move)
        return hand


# --- Writing -------------------------------------------------------------------------------------


def write_record(record: Record) -> str:
    """Return the text of a record, the one form that is written.

    Raises:
        MateError: `record` is none, or its text would be longer than one of a file may be.

    >>> hand = Hand("N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75")
    >>> for move in "S AS 2S 3S 4S KS".split():
    ...     hand.push(move)
    >>> print(write_record(Record.of(hand, {"East": "Anna"})))
    [Event "?"]
    [Site "?"]
    [Date "?"]
    [Board "?"]
    [North "?"]
    [East "Anna"]
    [South "?"]
    [West "?"]
    [Variant "seed"]
    [Dealer "N"]
    [Deal "N:J64.J95.T73.AKJ4 AKQT7.74.AQ5.863 852.T832.862.T92 93.AKQ6.KJ94.Q75"]
    [Points "*"]
    <BLANKLINE>
    S 1. AS 2S 3S 4S 2. KS *
    <BLANKLINE>
    """
    if not isinstance(record, Record):
        raise MateError(f"{excerpt(record)} is no record")
    points = write_points(record.points)
    tags = {name: record.tags[name] for name in ALWAYS}
    tags["Variant"] = variant_text(record.variant, PRESETS)
    tags |= deal_tags(record.deal)
    tags |= {"Trump": record.trump} if record.trump else {}
    tags["Points"] = points
    tags |= {name: value for name, value in record.tags.items() if name not in tags}
    lines = [write_tag(name, value) for name, value in tags.items()]
    text = "\n".join([*lines, "", *wrap([*_words_of(record), points]), ""])
    if len(text.encode()) > MAX_GAME or any(len(value) > MAX_VALUE for value in tags.values()):
        raise MateError(f"the record is too long: a hand has at most {MAX_GAME} bytes")
    return text


def write_points(points: tuple[int, int] | None) -> str:
    """Write what the sides scored.

    >>> write_points((0, 3)), write_points(None)
    ('0-3', '*')
    """
    return UNFINISHED if points is None else f"{points[0]}-{points[1]}"


def deal_tags(deal: Deal) -> dict[str, str]:
    """Return the tags that tell a deal.

    >>> deal_tags(Deal.random(1, 2))["Dealer"]
    'S'
    """
    tags = {"Dealer": SEAT_NAMES[deal.dealer], "Deal": str(deal)}
    tags |= {"FirstFive": str(deal.first_five)} if deal.first_five else {}
    return tags | ({"Turned": deal.turned} if deal.turned else {})


def _words_of(record: Record) -> Iterator[str]:
    n_cards = 0
    for ply, move in enumerate(record.moves):
        if ply in record.comments:
            yield write_comment(record.comments[ply])
        if move in INDEX:
            if n_cards % 4 == 0:
                yield f"{n_cards // 4 + 1}."
            n_cards += 1
        yield move
    if len(record.moves) in record.comments:
        yield write_comment(record.comments[len(record.moves)])
