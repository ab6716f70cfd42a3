from setuptools import Extension, setup

import matecore

setup(
    name="randommate",
    ext_modules=[
        Extension("randommate", ["randommate.c"], include_dirs=[matecore.get_include()]),
    ],
)
