"""The extension modules and their compiler flags; everything else is in pyproject.toml."""

import os
import sys

from Cython.Build import cythonize
from setuptools import Extension, setup

MODULES = [
    "rules", "position", "search", "codes", "index", "lanes", "tablebase", "retrograde", "lattice",
    "rng", "dealing", "policy", "selfplay", "vector", "instep", "environments", "replaying",
    "capi", "court_piece.rules", "court_piece.position",
    "court_piece.table", "court_piece.sure", "court_piece.order", "court_piece.search",
    "court_piece.worth", "court_piece.solver",
    "court_piece.selfplay",
]  # fmt: skip
SANITIZE = bool(os.environ.get("MATECORE_SANITIZE"))  # gcc's address and undefined behaviour

if sys.platform == "win32":
    flags = ["/O2"]
elif SANITIZE:
    flags = ["-O1", "-g", "-fno-omit-frame-pointer", "-fsanitize=address,undefined"]
else:
    flags = ["-O3"]

setup(
    options={"build_ext": {"parallel": os.cpu_count()}},
    ext_modules=cythonize(
        [
            Extension(
                f"matecore.{name}",
                [f"src/matecore/{name.replace('.', '/')}.pyx"],
                include_dirs=["src/matecore/include"],
                extra_compile_args=flags,
                extra_link_args=["-fsanitize=address,undefined"] if SANITIZE else [],
            )
            for name in MODULES
        ],
        include_path=["src"],
        compiler_directives={
            "language_level": 3,
            "wraparound": False,
            "cdivision": True,
            "embedsignature": True,
            "freethreading_compatible": True,
        },
    ),
)
