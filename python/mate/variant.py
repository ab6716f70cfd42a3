"""Variants of Mate: every rule that can differ, as data, and the presets (sections 4 to 7)."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, TypeVar

import matecore
from mate.deck import CHESS, DECKS, DOUBLE, SINGLE, Deck
from mate.errors import VariantError, refuse
from mate.foreplacing import RULE_SETS, Foreplacing, Weights, plain_weights
from mate.varianttext import read_switch, read_word

MAX_MARGIN = 32767
Kind = TypeVar("Kind")


def _is_count(value: object) -> bool:
    return type(value) is int and value >= 1


# --- Variant ---


@dataclass(frozen=True)
class Variant:
    """A set of rules to play by; equal variants play alike, whatever their names.

    Arguments:
        deck: the cards.
        privileged: letters of the ranks that are to be matched in rank first (section 4).
        privilege_declared: the leader declares it with the lead; else it always holds.
        free_move: once a game a follower may ignore the order of matching.
        foreplace: None, or how players foreplace (section 5).
        second_leader: who leads the second game of a round, "other" or "loser" (section 6).
        round_leader: who leads the next round, "other" or "winner".
        rounds, target: how many rounds, or up to how many points; the other one is None.
        name: what to call it.

    Raises:
        VariantError: a field is wrong or contradicts another.

    >>> PRESETS["bga-free"].free_move
    True
    >>> Variant(privilege_declared=True)
    Traceback (most recent call last):
    mate.errors.VariantError: variant field privilege_declared = True: no rank is privileged
    """

    deck: Deck = SINGLE
    privileged: frozenset[str] = frozenset()
    privilege_declared: bool = False
    free_move: bool = False
    foreplace: Foreplacing | None = None
    second_leader: str = "other"
    round_leader: str = "other"
    rounds: int | None = 2
    target: int | None = None
    name: str = field(default="custom", compare=False)

    def __post_init__(self) -> None:
        refuse(not isinstance(self.deck, Deck), "deck", self.deck, "must be a Deck")
        refuse(not isinstance(self.name, str), "name", self.name, "must be a text")
        for name in ("privilege_declared", "free_move"):
            value = getattr(self, name)
            refuse(type(value) is not bool, name, value, "must be True or False")
        self._check_privileged()
        self._check_foreplace()
        self._check_match()

    @classmethod
    def of(cls, variant: "Variant | str") -> "Variant":
        """Return a variant as it is, or read one from text.

        The text is the name of a preset, and after it, behind commas, fields to set otherwise;
        `deck` takes a name, `privileged` letters, switches "yes" or "no"; the fields of a
        `Foreplacing` stand beside those of the variant.

        Raises:
            VariantError: there is no such preset or field, or the value does not fit it.

        >>> Variant.of("capellen,deck=double24,second_alone=yes").deck.n_cards
        24
        """
        if isinstance(variant, Variant):
            return variant
        known = isinstance(variant, str)
        preset, *settings = variant.split(",") if known else [variant]
        known = known and preset in PRESETS
        refuse(not known, "variant", variant, f"presets are {', '.join(PRESETS)}")
        changes = _read_settings(PRESETS[preset], settings)
        return replace(PRESETS[preset], **changes, name=variant) if changes else PRESETS[preset]

    @classmethod
    def from_plain(cls, plain: object) -> "Variant":
        """Return the variant that plain data, as from JSON, tell of; see `to_plain`.

        Fields that are left out are as in `bga`; a deck or a way of foreplacing may be a name.

        Raises:
            VariantError: a field is unknown or wrong.
        """
        values = _plain_fields(plain, "variant", cls)
        values["deck"] = _plain_deck(values.get("deck", "single"))
        values["foreplace"] = _plain_foreplace(values.get("foreplace"))
        ranks = values.get("privileged")
        if isinstance(ranks, (list, str)) and all(isinstance(rank, str) for rank in ranks):
            values["privileged"] = frozenset(ranks)
        if values.get("target") is not None:
            values.setdefault("rounds", None)
        return _construct(cls, values, "variant")

    def to_plain(self) -> dict[str, Any]:
        """Return the variant as plain data, fit for JSON.

        >>> Variant.from_plain(PRESETS["pieces"].to_plain()) == PRESETS["pieces"]
        True
        """
        return {**asdict(self), "privileged": sorted(self.privileged)}

    def __getstate__(self) -> dict[str, object]:
        # Without what is derived from the fields.
        return {f.name: getattr(self, f.name) for f in fields(self)}

    # --- Checks ---

    def _check_privileged(self) -> None:
        ranks = self.privileged
        good = isinstance(ranks, frozenset) and all(isinstance(r, str) for r in ranks)
        refuse(not good, "privileged", ranks, "must be a frozenset of rank letters")
        unknown = ranks - set(self.deck.ranks)
        refuse(bool(unknown), "privileged", sorted(ranks), f"the ranks are {self.deck.ranks}")
        idle = self.privilege_declared and not ranks
        refuse(idle, "privilege_declared", True, "no rank is privileged")

    def _check_foreplace(self) -> None:
        rule, size = self.foreplace, self.deck.hand_size
        good = rule is None or isinstance(rule, Foreplacing)
        refuse(not good, "foreplace", rule, "must be None or a Foreplacing")
        refuse(rule is not None and size < 2, "foreplace", rule, "hands of one card")
        short = any(len(row) != size for row in self.weights)
        refuse(short, "foreplace.weights", self.weights, f"a row needs {size} tricks")
        highest = max(self.deck.points_of) * max(map(max, self.weights))
        why = f"a mate could score {highest}; {MAX_MARGIN} is the most"
        refuse(highest > MAX_MARGIN, "foreplace.weights" if rule else "deck.points", highest, why)

    def _check_match(self) -> None:
        leader, first = self.second_leader, self.round_leader
        refuse(leader not in ("other", "loser"), "second_leader", leader, "other or loser")
        refuse(first not in ("other", "winner"), "round_leader", first, "other or winner")
        for name in ("rounds", "target"):
            value = getattr(self, name)
            good = value is None or _is_count(value)
            refuse(not good, name, value, "must be None or an integer from 1")
        both = (self.rounds is None) == (self.target is None)
        refuse(both, "target", self.target, "a match has either rounds or a target")

    # --- Properties ---

    @property
    def weights(self) -> Weights:
        """What a point is worth by trick: nobody foreplaced, both, only the mater, the mated."""
        size = self.deck.hand_size
        return self.foreplace.rows(size) if self.foreplace else (plain_weights(size),) * 4

    @cached_property
    def rules(self) -> matecore.Rules:
        """The variant compiled for the core."""
        rule, deck = self.foreplace, self.deck
        return matecore.Rules(
            deck.suit_of,
            deck.rank_of,
            deck.points_of,
            privileged=[deck.ranks.index(rank) for rank in self.privileged],
            privilege_declared=self.privilege_declared,
            free_move=self.free_move,
            foreplace=rule is not None,
            second_alone=rule is not None and rule.second_alone,
            second_differs=rule is not None and rule.second_differs,
            last_card_twice=rule is not None and rule.last_card_twice,
            weights=self.weights,
        )

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        """The text of each action by its number: play, decline, foreplace, lead and declare."""
        cards = self.deck.cards
        return (*cards, "*-", *("*" + card for card in cards), *(card + "!" for card in cards))

    @cached_property
    def actions(self) -> dict[str, tuple[int, ...]]:
        """The numbers of each action by its text; copies of a card share a text."""
        found: dict[str, tuple[int, ...]] = {}
        for action, name in enumerate(self.action_names):
            found[name] = (*found.get(name, ()), action)
        return found

    @cached_property
    def first_copy(self) -> dict[str, int]:
        """The lowest number of each action by its text."""
        return {name: numbers[0] for name, numbers in self.actions.items()}


# --- Reading ---


# Settings are read before any is checked, since two may only together make sense.
def _read_settings(preset: "Variant", settings: list[str]) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        refuse(not equals, "variant", setting, "a setting is written field=value")
        known = [*_READERS, *_FOREPLACING_READERS]
        refuse(name not in known, name, text, f"the fields are {', '.join(known)}")
        if name in _READERS:
            changes[name] = _READERS[name](name, text)
            continue
        rule: Foreplacing | None = changes.get("foreplace", preset.foreplace)
        if rule is None:
            raise VariantError(name, text, "the variant has no foreplacing")
        changes["foreplace"] = replace(rule, **{name: _FOREPLACING_READERS[name](name, text)})
    return changes


def _read_count(name: str, text: str) -> object:
    if text == "none":
        return None
    refuse(not (text.isascii() and text.isdigit() and len(text) < 10), name, text, "a number")
    return int(text)


def _read_deck(name: str, text: str) -> object:
    refuse(text not in DECKS, name, text, f"decks are {', '.join(DECKS)}")
    return DECKS[text]


def _read_ranks(name: str, text: str) -> object:
    return frozenset(text.upper())


def _read_foreplace(name: str, text: str) -> object:
    if text == "none":
        return None
    refuse(text not in RULE_SETS, name, text, f"none, {', '.join(RULE_SETS)}")
    return PRESETS[text].foreplace


_READERS: dict[str, Callable[[str, str], Any]] = {
    "deck": _read_deck,
    "privileged": _read_ranks,
    "privilege_declared": read_switch,
    "free_move": read_switch,
    "foreplace": _read_foreplace,
    "second_leader": read_word,
    "round_leader": read_word,
    "rounds": _read_count,
    "target": _read_count,
}
_FOREPLACING_READERS: dict[str, Callable[[str, str], Any]] = {
    "weights": read_word,
    "second_alone": read_switch,
    "second_differs": read_switch,
    "last_card_twice": read_switch,
}

# --- Plain data ---


def _plain_fields(plain: Any, name: str, kind: type) -> dict[str, Any]:
    refuse(not isinstance(plain, dict), name, plain, "must be fields by name")
    known = {f.name for f in fields(kind)}
    for key in plain:
        refuse(key not in known, str(key), plain[key], f"the fields are {', '.join(known)}")
    return dict(plain)


def _tuples(plain: dict[str, Any]) -> dict[str, Any]:
    def tuple_of(value: object) -> object:
        return tuple(map(tuple_of, value)) if isinstance(value, (list, tuple)) else value

    return {name: tuple_of(value) for name, value in plain.items()}


def _plain_deck(plain: Any) -> Deck:
    if isinstance(plain, str):
        refuse(plain not in DECKS, "deck", plain, f"decks are {', '.join(DECKS)}")
        return DECKS[plain]
    return _construct(Deck, _tuples(_plain_fields(plain, "deck", Deck)), "deck")


def _plain_foreplace(plain: Any) -> Foreplacing | None:
    if plain is None:
        return None
    if isinstance(plain, str):
        refuse(plain not in RULE_SETS, "foreplace", plain, f"{', '.join(RULE_SETS)}")
        return PRESETS[plain].foreplace
    fields_ = _tuples(_plain_fields(plain, "foreplace", Foreplacing))
    return _construct(Foreplacing, fields_, "foreplace")


def _construct(kind: type[Kind], values: dict[str, Any], name: str) -> Kind:
    try:
        return kind(**values)
    except (AttributeError, TypeError) as error:
        raise VariantError(name, values, str(error)) from None


# --- Presets ---

_CAPELLEN = Foreplacing("capellen", second_differs=True, last_card_twice=True)
_TEMPOS = Foreplacing("tempos", second_alone=True, last_card_twice=True)
_PIECES = Foreplacing("pieces", second_alone=True)

PRESETS = {
    variant.name: variant
    for variant in (
        Variant(name="bga"),
        Variant(privileged=frozenset("K"), name="bga-king"),
        Variant(privileged=frozenset("KQ"), name="bga-figure"),
        Variant(free_move=True, name="bga-free"),
        Variant(second_leader="loser", rounds=None, target=200, name="abril"),
        Variant(foreplace=_TEMPOS, second_leader="loser", round_leader="winner", name="tempos"),
        Variant(foreplace=_CAPELLEN, name="capellen"),
        Variant(deck=DOUBLE, foreplace=_CAPELLEN, name="double"),
        Variant(
            deck=CHESS,
            privileged=frozenset("A"),
            privilege_declared=True,
            foreplace=_PIECES,
            rounds=3,
            name="pieces",
        ),
    )
}
