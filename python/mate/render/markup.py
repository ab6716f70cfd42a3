"""SVG and HTML as text: elements with escaped attributes and contents, and no ids.

Several pictures may share one page of a notebook, so nothing in them has a name to collide.
"""

from html import escape
from textwrap import wrap

FONT = "Helvetica,Arial,DejaVu Sans,sans-serif"
MONO = "Menlo,Consolas,DejaVu Sans Mono,monospace"
NAMESPACE = "http://www.w3.org/2000/svg"
LONGEST = 120  # letters of any one text; names of decks have no bound of their own
LONGEST_MARKUP = 1 << 12  # of an outline, or of all the moves of a game


def safe(text: str, longest: int = LONGEST) -> str:
    """Return a text cut short and escaped, in ASCII; a letter that nobody can see becomes "?".

    >>> safe("<b>&\\x00"), safe("Épée")
    ('&lt;b&gt;&amp;?', '&#201;p&#233;e')
    """
    shown = "".join(c if c.isprintable() else "?" for c in clipped(text, longest))
    return escape(shown).encode("ascii", "xmlcharrefreplace").decode()


def clipped(text: str, longest: int) -> str:
    """Return a text of at most so many letters.

    >>> clipped("Diamonds", 8), clipped("Diamonds", 5)
    ('Diamonds', 'Diam…')
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


def wrapped(text: str, width: int, most: int = 3) -> list[str]:
    """Return a text in lines of at most so many letters, as even as can be.

    >>> wrapped("X mates with the Ten of Clubs", 24)
    ['X mates with the', 'Ten of Clubs']
    """
    text = clipped(text, width * most)
    lines = wrap(text, width)
    while len(closer := wrap(text, width - 1)) == len(lines) > 1:
        lines, width = closer, width - 1
    return lines[:most]


def element(name: str, *contents: str, **attributes: str | float | None) -> str:
    """Return an element; contents are markup already, attributes that are None are left out.

    >>> element("g", element("circle", r=2.50), class_="card", stroke_width=1)
    '<g class="card" stroke-width="1"><circle r="2.5"/></g>'
    """
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            text = safe(value, LONGEST_MARKUP) if isinstance(value, str) else number(value)
            words.append(f'{key.rstrip("_").replace("_", "-")}="{text}"')
    tag = " ".join(words)
    return f"<{tag}>{''.join(contents)}</{name}>" if contents else f"<{tag}/>"


def number(value: float) -> str:
    """Write a number with at most two decimals.

    >>> number(3.0), number(1 / 3), number(-0.001)
    ('3', '0.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def label(
    text: str,
    x: float,
    y: float,
    size: float,
    fill: str,
    *,
    anchor: str = "middle",
    bold: bool = False,
    mono: bool = False,
) -> str:
    """Return a line of text on a baseline."""
    return element(
        "text", safe(text), x=x, y=y, font_size=size, fill=fill,
        text_anchor=None if anchor == "start" else anchor,
        font_weight="bold" if bold else None,
        font_family=MONO if mono else None,
    )  # fmt: skip


def picture(
    title: str, description: str, width: float, height: float, ground: str, *contents: str
) -> str:
    """Return a whole SVG, as large as told, with what readers of screens are to say of it."""
    return (
        element(
            "svg",
            element("title", safe(title)),
            element("desc", safe(description, LONGEST_MARKUP)),
            element("rect", width=width, height=height, rx=10, fill=ground),
            *contents,
            xmlns=NAMESPACE, width=width, height=height, font_family=FONT,
            viewBox=f"0 0 {number(width)} {number(height)}",
            role="img", aria_label=clipped(title, LONGEST),
        )
        + "\n"
    )  # fmt: skip
