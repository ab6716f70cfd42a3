"""Writes data/c_interface.txt: what programs in Cython and C build on, line by line.

A change there is a change of what others compiled against: announce it in CHANGELOG.md, raise
MATECORE_API_VERSION where something in matecore.h means something else now, then run this again.
"""

import re
from pathlib import Path

import matecore
import matecore.capi

PLACE = Path(__file__).with_name("data") / "c_interface.txt"
ROOT = Path(matecore.__file__).parent


def squeezed(text: str) -> str:
    """Return a text in one line, blanks as single ones."""
    return re.sub(r"\s+", " ", text).replace("( ", "(").replace(" )", ")").strip()


def header() -> list[str]:
    """Return the declarations of matecore.h without comments, and what it defines."""
    text = (ROOT / "include" / "matecore.h").read_text()
    defined = re.findall(r"#define (MATECORE_\w+ \S+)", text)
    text = text[text.index("enum {") : text.index("static inline")]
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    parts = [squeezed(part) for part in re.split(r"[;{}]", text)]
    return [*defined, *filter(None, parts)]


def told() -> dict[str, list[str]]:
    """Return the names that `cimport matecore` gives, by the file that defines them."""
    text = (ROOT / "__init__.pxd").read_text()
    found = re.findall(r"from matecore\.(\w+) cimport (\([^)]*\)|[^\n]*)", text)
    return {module: re.findall(r"\w+", names) for module, names in found}


def definition(module: str, name: str) -> str:
    """Return how a .pxd file declares a name: a signature, or a structure with all its fields."""
    text = re.sub(r"#.*", "", (ROOT / f"{module}.pxd").read_text())
    kinds = (
        rf"^(?:cdef |ctypedef )(?:inline )?[^\n(]*\b{name}\s*\([^)]*\)[^\n:]*",
        rf"^(?:ctypedef struct|cdef class) {name}:\n(?:[ \t]+[^\n]*\n|\n(?=[ \t]))*",
        rf"^ +{name} = [^\n]*",
        rf"^ctypedef [^\n]*\b{name}\b[^\n]*",
        rf"^ +int {name} [^\n]*",
    )
    for kind in kinds:
        if match := re.search(kind, text, flags=re.M):
            return squeezed(match[0])
    raise LookupError(f"{module}.pxd does not define {name}")


def lines() -> list[str]:
    """Return the whole file's lines."""
    found = [f"sizeof({name}) = {size}" for name, size in sorted(matecore.capi.SIZES.items())]
    found += ["", "matecore.h", *header()]
    for module, names in told().items():
        found += ["", f"{module}.pxd"] + [definition(module, name) for name in names]
    return found


if __name__ == "__main__":
    PLACE.write_text("\n".join(lines()) + "\n")
