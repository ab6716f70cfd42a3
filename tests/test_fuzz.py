"""A little of tests/fuzz.py, and what a long run of it has found."""

import random
from contextlib import suppress

import pytest

import fuzz
import mate

READERS = fuzz.readers()


@pytest.mark.parametrize("name", READERS)
def test_no_input_breaks_a_reader(name):
    reader, seeds = READERS[name]
    tried, taken, broken = fuzz.fuzz(reader, seeds, random.Random(name), 300, 60)
    assert broken == []
    assert 0 < taken < tried


@pytest.mark.parametrize("name", READERS)
def test_what_the_inputs_are_made_from_is_sound(name):
    reader, seeds = READERS[name]
    taken = 0
    for seed in seeds[:40]:
        for number in range(20):  # the notation has six readers, and each takes its own
            with suppress(mate.MateError):
                taken += bool(reader(seed, random.Random(number)))
    assert taken


def test_a_reader_that_breaks_is_found():
    def reader(data, rng):
        return 1 // (len(data) % 7)

    tried, _, broken = fuzz.fuzz(reader, [b"seed"], random.Random(1), 1000, 60)
    assert len(broken) == 5
    assert tried < 1000
    assert "ZeroDivisionError" in broken[0][1]
