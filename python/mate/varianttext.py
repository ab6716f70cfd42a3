"""Variants as text: in the tags of records, a preset with its changes or JSON, and their fields."""

import json
from collections.abc import Mapping
from typing import Any, Protocol, Self, TypeVar

from mate.errors import VariantError, refuse


class Named(Protocol):
    """What a variant of either game is."""

    @property
    def name(self) -> str:
        """What it is called."""

    @classmethod
    def of(cls, variant: str) -> Self:
        """Return that of a text."""

    @classmethod
    def from_plain(cls, plain: object) -> Self:
        """Return that of plain data."""

    def to_plain(self) -> dict[str, Any]:
        """Return it as plain data."""


Kind = TypeVar("Kind", bound=Named)


def variant_text(variant: Kind, presets: Mapping[str, Kind]) -> str:
    """Return the text by which a variant is read."""
    try:
        if type(variant).of(variant.name) == variant:
            return variant.name
    except VariantError:
        pass  # its name is only a name
    for name, preset in presets.items():
        if preset == variant:
            return name
    return json.dumps(variant.to_plain(), ensure_ascii=False, separators=(",", ":"))


def variant_of_text(text: str, kind: type[Kind]) -> Kind:
    """Return the variant that a text tells.

    Raises:
        VariantError: it tells none.
    """
    if not text.lstrip().startswith("{"):
        return kind.of(text)
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise VariantError("variant", text, f"not JSON: {error}") from None
    return kind.from_plain(plain)


def read_word(name: str, text: str) -> object:
    """Return the value of a field that is a word."""
    return text


def read_switch(name: str, text: str) -> object:
    """Return the value of a field that is a switch, "yes" or "no".

    Raises:
        VariantError: the text is neither.
    """
    refuse(text not in ("yes", "no"), name, text, "yes or no")
    return text == "yes"
