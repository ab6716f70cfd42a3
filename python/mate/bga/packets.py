"""The log of a table on Board Game Arena as JSON: packets, and the notifications in them.

A packet is `{"channel": "/table/t1", "table_id": 1, "packet_id": 2, "move_id": 2, "data": […]}`,
a notification in its `data` is `{"uid": …, "type": "playCard", "log": …, "args": {…}}`. Numbers may
be text, lists may be maps from numbers (as PHP writes lists with gaps), and packets may come twice.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from mate.errors import LogError, MateError, excerpt, shown

MAX_LOG = 1 << 23  # bytes; a match takes some hundred thousand
MAX_DIGITS = 15
MAX_NAME = 40

# What is read; all other types of notification are passed over. So is `cancelFreeMove`: that the
# free move was announced tells that there is one, and whether it was used the cards tell.
TYPES = frozenset(("playCard", "freeMove", "trickWin", "newHand", "points", "newScores"))


@dataclass(frozen=True)
class Notification:
    """Something that the site told of a table.

    Attributes:
        type, args: what it is and what goes with it.
        packet, number: its place, the packet in the log and the notification in that, from 1.
        table: of which table it is, None if it does not say.
        viewer: the one player it was told to, None if it was told to all.
        move: the move of the table that it belongs to, None if it does not say.
        time: when, in seconds since 1970, None if it does not say.
    """

    type: str
    args: dict[str, Any]
    packet: int
    number: int
    table: str | None = None
    viewer: int | None = None
    move: int | None = None
    time: int | None = None

    def error(self, why: str) -> LogError:
        """Return the error that says what is wrong here."""
        return LogError(why, self.packet, self.number)


# --- JSON ----------------------------------------------------------------------------------------


def decode(content: bytes) -> object:
    """Return the log as plain data.

    Raises:
        MateError: it is too large, or no JSON.
        RecursionError: it is nested too deeply.

    >>> decode(b'[{"data": []}]')
    [{'data': []}]
    """
    if len(content) > MAX_LOG:
        raise MateError(f"expected a log of at most {MAX_LOG} bytes")
    try:
        return json.loads(
            content.decode("utf-8-sig"),
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_constant=_refuse_constant,
        )
    except UnicodeDecodeError as error:
        raise MateError(f"byte {error.start + 1}: expected UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise MateError(f"{where}: expected JSON: {error.msg}") from None


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if key in found:
            raise MateError(f"the key {excerpt(key)} stands twice in an object")
        found[key] = value
    return found


# A huge number stays text: where it matters it is none that a log holds.
def _integer(text: str) -> int | str:
    return int(text) if len(text) <= MAX_DIGITS else text


def _refuse_constant(text: str) -> object:
    raise MateError(f"expected JSON, found {text}")


def number_of(value: object) -> int | None:
    """Return a whole number of 0 or more, given as such or as text; None if it is none.

    >>> number_of(12), number_of("12"), number_of(True), number_of("twelve")
    (12, 12, None, None)
    """
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS:
        return int(value)
    return value if type(value) is int and value >= 0 else None


def list_of(value: object) -> list[Any] | None:
    """Return a list, given as such or as a map from numbers; None if it is none.

    >>> list_of({"0": "a", "2": "b"}), list_of({"a": 1})
    (['a', 'b'], None)
    """
    if isinstance(value, dict) and all(number_of(key) is not None for key in value):
        return list(value.values())
    return value if isinstance(value, list) else None


def name_of(value: object) -> str:
    """Return a player's name, its control characters shown, or "" if it is none.

    >>> name_of("Ann\\x1b[2J"), name_of(7)
    ('Ann\\\\u001b[2J', '')
    """
    return shown(value[:MAX_NAME]).strip() if isinstance(value, str) else ""


# --- Packets -------------------------------------------------------------------------------------


def packets_of(log: object) -> list[Any]:
    """Return the packets of a log, bare or wrapped in one or two objects.

    Raises:
        MateError: it is no log.

    >>> packets_of({"status": 1, "data": {"logs": [{"data": []}]}})
    [{'data': []}]
    """
    found: object = log
    for _ in range(3):
        if isinstance(found, dict) and ("logs" in found or "data" in found):
            found = found.get("logs", found.get("data"))
            continue
        packets = list_of(found)
        if packets is None:
            break
        return packets
    kind = "no list" if isinstance(found, dict) else type(found).__name__
    raise MateError(f'expected a list of packets, or {{"data": {{"logs": […]}}}}; found {kind}')


def names_of(log: object) -> dict[int, str]:
    """Return the names of the players by their numbers, as far as the wrapping gives them."""
    data = log.get("data") if isinstance(log, dict) else None
    players = list_of(data.get("players")) if isinstance(data, dict) else None
    names = {}
    for player in players or []:
        number = number_of(player.get("id")) if isinstance(player, dict) else None
        if number is not None and (name := name_of(player.get("name"))):
            names[number] = name
    return names


def notifications_of(packets: list[Any]) -> Iterator[Notification | LogError]:
    """Yield each notification of the types that are read, once, and what cannot be one."""
    seen: set[tuple[object, ...]] = set()
    before: object = None
    for number, packet in enumerate(packets, 1):
        if not isinstance(packet, dict):
            yield LogError(f"expected a packet, found {type(packet).__name__}", number)
        elif not _repeats(packet, before):
            yield from _open(packet, number, seen)
        before = packet


# A packet that tells nothing to know it by is the same as the one before it if all in it is.
def _repeats(packet: dict[str, Any], before: object) -> bool:
    known = packet.get("packet_id") is not None or packet.get("move_id") is not None
    return not known and bool(packet.get("data")) and packet == before


def _open(
    packet: dict[str, Any], number: int, seen: set[tuple[object, ...]]
) -> Iterator[Notification | LogError]:
    data = packet.get("data")
    inside = [] if data is None else list_of(data)
    if inside is None:
        yield LogError(f"expected a list of notifications, found {type(data).__name__}", number)
        return
    for place, content in enumerate(inside, 1):
        kind = content.get("type") if isinstance(content, dict) else None
        if not isinstance(content, dict):
            why = f"expected a notification, found {type(content).__name__}"
            yield LogError(why, number, place)
        elif isinstance(kind, str) and kind in TYPES:
            args = content.get("args") or {}  # PHP writes what is empty as []
            if not isinstance(args, dict):
                why = f"expected the args of {kind}, found {type(args).__name__}"
                yield LogError(why, number, place)
            elif not _is_known(packet, content, place, seen):
                about = _table_of(packet), _viewer_of(packet), number_of(packet.get("move_id"))
                time = number_of(packet.get("time"))
                yield Notification(kind, args, number, place, *about, time)


# The same thing in the same move, in the same place of a packet or by the same uid is told twice.
def _is_known(
    packet: dict[str, Any], content: dict[str, Any], place: int, seen: set[tuple[object, ...]]
) -> bool:
    what = (content["type"], json.dumps(content.get("args"), sort_keys=True), _table_of(packet))
    keys: list[tuple[object, ...]] = []
    if isinstance(uid := content.get("uid"), str) and uid:
        keys.append(("uid", uid, *what))
    if (packet_id := number_of(packet.get("packet_id"))) is not None:
        keys.append(("packet", _viewer_of(packet), packet_id, place, *what))
    if (move := number_of(packet.get("move_id"))) is not None:
        keys.append(("move", move, *what))
    known = any(key in seen for key in keys)
    seen.update(keys)
    return known


def _table_of(packet: dict[str, Any]) -> str | None:
    table = number_of(packet.get("table_id"))
    if table is None:
        table = _number_in(packet, "/table/t")
    return None if table is None else str(table)


# What is private goes over a channel of the player's own.
def _viewer_of(packet: dict[str, Any]) -> int | None:
    return _number_in(packet, "/player/p")


def _number_in(packet: dict[str, Any], prefix: str) -> int | None:
    channel = packet.get("channel")
    if not isinstance(channel, str) or not channel.startswith(prefix):
        return None
    return number_of(channel.removeprefix(prefix))
