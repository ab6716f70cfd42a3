"""Outlines of suits, of chess pieces and of the marks on cards, in a box from -50 to 50."""

from mate.render.markup import element, number

SUITS = {
    "c": "M21-24A21 21 0 1 1-21-24A21 21 0 1 1 21-24ZM-2 10A21 21 0 1 1-44 10A21 21 0 1 1-2 10Z"
    "M44 10A21 21 0 1 1 2 10A21 21 0 1 1 44 10ZM-10-8H10V10C6 30 10 40 18 48H-18"
    "C-10 40-6 30-10 10Z",
    "s": "M0-48C12-30 44-10 44 14C44 30 33 38 22 38C14 38 8 34 4 28C5 38 9 44 17 48H-17"
    "C-9 44-5 38-4 28C-8 34-14 38-22 38C-33 38-44 30-44 14C-44-10-12-30 0-48Z",
    "h": "M0 46C-12 28-46 8-46-17C-46-34-34-44-22-44C-12-44-4-38 0-28C4-38 12-44 22-44"
    "C34-44 46-34 46-17C46 8 12 28 0 46Z",
    "d": "M0-49C10-30 24-13 38 0C24 13 10 30 0 49C-10 30-24 13-38 0C-24-13-10-30 0-49Z",
}

_FOOT = "M-32 40H32V50H-32Z"
PIECES = {
    "A": "M-4-50H4V-43H11V-35H4V-27C22-36 42-25 37-5C34 7 27 16 25 35H-25"
    "C-27 16-34 7-37-5C-42-25-22-36-4-27V-35H-11V-43H-4Z" + _FOOT,
    "T": "M-25 35L-40-26L-22-2L-20-40L-7-6L0-46L7-6L20-40L22-2L40-26L25 35Z" + _FOOT,
    "K": "M-32-46H-19V-35H-7V-46H7V-35H19V-46H32V-22L22-12V22L28 35H-28L-22 22V-12L-32-22Z" + _FOOT,
    "Q": "M6-46A6 6 0 1 1-6-46A6 6 0 1 1 6-46ZM0-38C7-33 12-28 16-22L2-2L8 2L21-14C26-6 28 0 28 8"
    "C28 18 20 24 14 28L19 35H-19L-14 28C-20 24-28 18-28 8C-28-8-18-26 0-38Z" + _FOOT,
    "7": "M-26 35C-26 14-8 8-6-6C-14 2-24 4-31 11C-37 15-45 7-41-1C-35-12-27-20-23-30L-24-48L-10-38"
    "C30-40 38-8 31 35Z" + _FOOT,
}

LEADS = "M-36-42L44 0L-36 42Z"
ALLOWED = "M-46 4L-30-14L-12 6L28-42L46-26L-10 40Z"
SPENDS = "M0-50L13-16L49-15L20 7L31 42L0 21L-31 42L-20 7L-49-15L-13-16Z"
ASIDE = (
    "M-9-50H9V-16L39-33L48-17L18 0L48 17L39 33L9 16V50H-9V16L-39 33L-48 17L-18 0"
    "L-48-17L-39-33L-9-16Z"
)
WINS = "M-46 30L-50-24L-24-4L0-40L24-4L50-24L46 30Z"
MATES = (
    "M-20-46H-6L-10-22H10L14-46H28L24-22H44V-8H22L19 10H40V24H17L13 46H-1L3 24H-17L-21 46H-35"
    "L-31 24H-48V10H-29L-26-8H-44V-22H-24ZM-12-8L-15 10H5L8-8Z"
)
DECLARES = "M-12-48H12L8 16H-8ZM-12 26H12V48H-12Z"


def shape(
    outline: str, x: float, y: float, size: float, fill: str, stroke: str | None = None,
    turn: int = 0,
) -> str:  # fmt: skip
    """Return an outline drawn about a point, as high as told; turned by so many degrees."""
    turned = f" rotate({turn})" if turn else ""
    return element(
        "path", d=outline, fill=fill, stroke=stroke,
        stroke_width=None if stroke is None else 100 / size, stroke_linejoin=stroke and "round",
        transform=f"translate({number(x)} {number(y)}){turned} scale({size / 100:.4g})",
    )  # fmt: skip
