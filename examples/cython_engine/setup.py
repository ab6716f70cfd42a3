from Cython.Build import cythonize
from setuptools import Extension, setup

setup(
    name="playout",
    ext_modules=cythonize([Extension("playout", ["playout.pyx"])]),
)
