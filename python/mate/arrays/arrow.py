"""pyarrow, where it is installed."""

from typing import Any

from mate.errors import MateError


def pyarrow_with_parquet() -> Any:
    """Return pyarrow, what it knows of Parquet included.

    Raises:
        MateError: it is not installed.
    """
    try:
        import pyarrow.parquet
    except ImportError:
        why = "Parquet needs pyarrow: pip install 'matecore[parquet]', or choose .npz"
        raise MateError(why) from None
    return pyarrow
