"""Variants of Court Piece: every rule that can differ, as data, and the presets (sections 2, 3)."""

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from mate.court_piece.cards import RANKS
from mate.errors import VariantError, refuse
from mate.varianttext import read_switch, read_word
from matecore import court_piece as core

COLLECTIONS = {
    "run": core.PLAIN,
    "single": core.PLAIN,
    "double": core.DOUBLE,
    "double_team": core.DOUBLE_TEAM,
}
COURTS = {
    "thirteen": core.THIRTEEN,
    "first_seven": core.FIRST_SEVEN,
    "both": core.THIRTEEN | core.FIRST_SEVEN,
}
CHASES = {"forced": core.FORCED, "optional": core.OPTIONAL, "none": core.NO_CHASE}
_WORDS = {
    "collection": tuple(COLLECTIONS),
    "court": tuple(COURTS),
    "chase": tuple(CHASES),
    "next_caller": ("keep", "pagat"),
    "trump": ("first_five", "second_batch", "longest"),
}
MOST_POINTS = 100
MOST = 1_000_000
_HANDS = re.compile(r"([1-9][0-9]{0,6}) hands?")


@dataclass(frozen=True)
class Variant:
    """A set of rules to play by; equal variants play alike, whatever their names (section 2).

    A field that another makes idle, such as `chase` in double sir, is kept and does nothing.

    Arguments:
        collection: how won tricks become a side's: "run", "single", "double", "double_team".
        court: what makes a court: "thirteen", "first_seven", "both".
        chase: what comes of seven tricks to none: "forced", "optional", "none".
        points: of a hand that the caller's side wins, by a court; that the other side wins, by a
            court; each 0..100, not all 0, a court worth no less than another win.
        next_caller: who calls next: "keep", "pagat".
        target: the points that win a match, 1..1000000, or a number of hands, "8 hands".
        trump: how the trump is found: "first_five", "second_batch", "longest".
        redeal_below: None, or the letter of a rank: first fives all below it are dealt again.
        blocked_claims: the numbers of tricks, 1..13, at which nothing is claimed in double sir.
        ace_rule: two straight wins both made with aces do not claim.
        restart_after_claim: the win that claims does not count towards the next claim.
        name: what to call it.

    Raises:
        VariantError: a field is wrong.

    >>> PRESETS["double-sir"].blocked_claims == {2, 12}
    True
    >>> Variant(court="seven")
    Traceback (most recent call last):
    mate.errors.VariantError: variant field court = 'seven': thirteen, first_seven or both
    """

    collection: str = "run"
    court: str = "thirteen"
    chase: str = "forced"
    points: tuple[int, int, int, int] = (1, 3, 1, 3)
    next_caller: str = "keep"
    target: int | str = 5
    trump: str = "first_five"
    redeal_below: str | None = None
    blocked_claims: frozenset[int] = frozenset()
    ace_rule: bool = False
    restart_after_claim: bool = True
    name: str = field(default="custom", compare=False)

    def __post_init__(self) -> None:
        refuse(not isinstance(self.name, str), "name", self.name, "must be a text")
        for name, words in _WORDS.items():
            value = getattr(self, name)
            known = isinstance(value, str) and value in words
            refuse(not known, name, value, f"{', '.join(words[:-1])} or {words[-1]}")
        for name in ("ace_rule", "restart_after_claim"):
            value = getattr(self, name)
            refuse(type(value) is not bool, name, value, "must be True or False")
        self._check_points()
        self._check_target()
        self._check_cards()

    @classmethod
    def of(cls, variant: "Variant | str") -> "Variant":
        """Return a variant as it is, or read one from text.

        The text is the name of a preset, and after it, behind commas, fields to set otherwise:
        `points` as "1/3/1/3", `blocked_claims` as "2/12" or "none", `target` as "5" or "8 hands",
        `redeal_below` a rank or "none", switches "yes" or "no".

        Raises:
            VariantError: there is no such preset or field, or the value does not fit it.

        >>> Variant.of("double-sir,blocked_claims=2,target=8 hands").n_hands
        8
        """
        if isinstance(variant, Variant):
            return variant
        known = isinstance(variant, str)
        preset, *settings = variant.split(",") if known else [variant]
        known = known and preset in PRESETS
        refuse(not known, "variant", variant, f"presets are {', '.join(PRESETS)}")
        changes = _read_settings(settings)
        return replace(PRESETS[preset], **changes, name=variant) if changes else PRESETS[preset]

    @classmethod
    def from_plain(cls, plain: object) -> "Variant":
        """Return the variant that plain data, as from JSON, tell of; see `to_plain`.

        Fields that are left out are as in `seed`.

        Raises:
            VariantError: a field is unknown or wrong.
        """
        if not isinstance(plain, dict):
            raise VariantError("variant", plain, "must be fields by name")
        known = [f.name for f in fields(cls)]
        for key, value in plain.items():
            refuse(key not in known, str(key), value, f"the fields are {', '.join(known)}")
        values = dict(plain)
        if isinstance(values.get("points"), list):
            values["points"] = tuple(values["points"])
        tricks = values.get("blocked_claims")
        if isinstance(tricks, list) and all(type(trick) is int for trick in tricks):
            values["blocked_claims"] = frozenset(tricks)
        return cls(**values)

    def to_plain(self) -> dict[str, Any]:
        """Return the variant as plain data, fit for JSON.

        >>> Variant.from_plain(PRESETS["double-sir"].to_plain()) == PRESETS["double-sir"]
        True
        """
        tricks, points = sorted(self.blocked_claims), list(self.points)
        return {**asdict(self), "blocked_claims": tricks, "points": points}

    def __getstate__(self) -> dict[str, object]:
        # Without what is derived from the fields.
        return {f.name: getattr(self, f.name) for f in fields(self)}

    # --- Checks ---

    def _check_points(self) -> None:
        points = self.points
        good = isinstance(points, tuple) and all(type(p) is int for p in points)
        refuse(not good or len(points) != 4, "points", points, "must be a tuple of four integers")
        refuse(not all(0 <= p <= MOST_POINTS for p in points), "points", points, "0 to 100")
        refuse(not any(points), "points", points, "nobody would ever score")
        less = points[1] < points[0] or points[3] < points[2]
        refuse(less, "points", points, "a court is worth no less than another win")

    def _check_target(self) -> None:
        target = self.target
        if isinstance(target, str):
            count = _HANDS.fullmatch(target)
            refuse(not count or int(count[1]) > MOST, "target", target, 'hands are "8 hands"')
            object.__setattr__(self, "target", _hands_of(int(count[1] if count else 0)))
            return
        good = type(target) is int and 1 <= target <= MOST
        refuse(not good, "target", target, 'an integer 1 to 1000000, or a text as "8 hands"')

    def _check_cards(self) -> None:
        rank, tricks = self.redeal_below, self.blocked_claims
        known = rank is None or (isinstance(rank, str) and len(rank) == 1 and rank in RANKS)
        refuse(not known, "redeal_below", rank, f"None or a rank of {RANKS}")
        good = isinstance(tricks, frozenset) and all(type(trick) is int for trick in tricks)
        refuse(not good, "blocked_claims", tricks, "must be a frozenset of integers")
        refuse(not all(1 <= t <= 13 for t in tricks), "blocked_claims", sorted(tricks), "1 to 13")

    # --- Properties ---

    @property
    def is_double(self) -> bool:
        """Whether tricks lie in the centre until they are claimed (double sir)."""
        return COLLECTIONS[self.collection] != core.PLAIN

    @property
    def n_hands(self) -> int | None:
        """How many hands a match has, None if it goes by points.

        >>> PRESETS["seed"].n_hands, Variant(target="1 hand").n_hands
        (None, 1)
        """
        return int(self.target.split()[0]) if isinstance(self.target, str) else None

    @property
    def target_points(self) -> int | None:
        """The points that win a match, None if it has a number of hands."""
        return None if isinstance(self.target, str) else self.target

    @cached_property
    def rules(self) -> core.Rules:
        """The variant compiled for the core."""
        return core.Rules(
            collection=COLLECTIONS[self.collection],
            court=COURTS[self.court],
            chase=CHASES[self.chase],
            points=self.points,
            blocked=self.blocked_claims,
            ace_rule=self.ace_rule,
            restart=self.restart_after_claim,
        )


def _hands_of(count: int) -> str:
    return f"{count} hand" + "s" * (count != 1)


# --- Reading -------------------------------------------------------------------------------------


def _read_settings(settings: list[str]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        refuse(not equals, "variant", setting, "a setting is written field=value")
        refuse(name not in _READERS, name, text, f"the fields are {', '.join(_READERS)}")
        changes[name] = _READERS[name](name, text)
    return changes


def _number(name: str, text: str, whole: str) -> int:
    good = text.isascii() and text.isdigit() and len(text) < 10
    refuse(not good, name, whole, "numbers with slashes between them")
    return int(text)


def _read_points(name: str, text: str) -> object:
    return tuple(_number(name, part, text) for part in text.split("/"))


def _read_tricks(name: str, text: str) -> object:
    parts = [] if text == "none" else text.split("/")
    return frozenset(_number(name, part, text) for part in parts)


def _read_target(name: str, text: str) -> object:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else text


def _read_rank(name: str, text: str) -> object:
    return None if text == "none" else text.upper()


_READERS: dict[str, Callable[[str, str], Any]] = {
    **dict.fromkeys(("collection", "court", "chase"), read_word),
    "points": _read_points,
    "next_caller": read_word,
    "target": _read_target,
    "trump": read_word,
    "redeal_below": _read_rank,
    "blocked_claims": _read_tricks,
    "ace_rule": read_switch,
    "restart_after_claim": read_switch,
}

# --- Presets -------------------------------------------------------------------------------------

_FIRST_SEVEN = Variant(
    collection="single", court="first_seven", chase="none", next_caller="pagat", target=10
)

PRESETS = {
    variant.name: variant
    for variant in (
        Variant(name="seed"),
        replace(_FIRST_SEVEN, points=(1, 3, 2, 4), name="pagat-points"),
        replace(_FIRST_SEVEN, points=(0, 1, 0, 3), name="courts"),
        replace(_FIRST_SEVEN, points=(1, 2, 1, 3), next_caller="keep", target=7, name="hokm"),
        Variant(
            collection="double",
            chase="none",
            next_caller="pagat",
            target=10,
            blocked_claims=frozenset({2, 12}),
            name="double-sir",
        ),
    )
}
