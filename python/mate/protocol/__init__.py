"""The engine protocol (docs/protocol.md): its lines, and the engine apart from any stream.

>>> session = Session(print)
>>> session.handle(b"isready")
readyok
"""

from mate.protocol.lines import Info, Limits, Option
from mate.protocol.session import Session

__all__ = ["Info", "Limits", "Option", "Session"]
