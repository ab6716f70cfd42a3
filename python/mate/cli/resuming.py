"""What was played and written to a file, to be played on."""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from mate.errors import RecordError

AnyRecord = TypeVar("AnyRecord")

YOU = "You"  # the person's name in the record, by which he is found again


def is_there(file: Path) -> bool:
    """Whether a file has something in it."""
    return file.is_file() and file.stat().st_size > 0


def unbroken(found: Iterable[AnyRecord | RecordError]) -> list[AnyRecord]:
    """Return all records of a file.

    Raises:
        RecordError: one of them is broken.
    """
    records = []
    for record in found:
        if isinstance(record, RecordError):
            raise record
        records.append(record)
    return records
