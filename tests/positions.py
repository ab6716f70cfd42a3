"""Positions between tricks for the tests of what looks them up: all of a layer, or some."""

import random
from collections.abc import Iterator
from itertools import combinations

import matecore
from matecore.index import Layer


def mask_of(cards: tuple[int, ...] | list[int]) -> int:
    """The cards as a mask."""
    return sum(1 << card for card in cards)


def build(rules: matecore.Rules, steps: int | None = None) -> matecore.Retrograde:
    """The tablebase of a variant under way, its first steps done on one thread."""
    retrograde = matecore.Retrograde(rules)
    for step in range(1, (steps or retrograde.n_steps) + 1):
        while retrograde.work(step):
            pass
    return retrograde


def all_hands(rules: matecore.Rules, layer: Layer) -> Iterator[tuple[int, int]]:
    """Each leader's and follower's hand of a layer."""
    for union in combinations(range(rules.n_cards), layer.n_leader + layer.n_follower):
        for leader in combinations(union, layer.n_leader):
            hand = mask_of(leader)
            yield hand, mask_of(union) ^ hand


def some_hands(
    rules: matecore.Rules, layer: Layer, rng: random.Random, count: int
) -> Iterator[tuple[int, int]]:
    """Hands of a layer at random."""
    for _ in range(count):
        cards = rng.sample(range(rules.n_cards), layer.n_leader + layer.n_follower)
        yield mask_of(cards[: layer.n_leader]), mask_of(cards[layer.n_leader :])


def between_tricks(
    rules: matecore.Rules, layer: Layer, leader: int, follower: int
) -> matecore.Position | None:
    """The position, X to lead, or None if no game comes to it."""
    left = [card for card in range(rules.n_cards) if not (leader | follower) >> card & 1]
    fore: list[int | None] = [None, None]
    if layer.state & 1:
        fore[0] = left[0]
    if layer.state & 2:
        fore[1] = next((card for card in left[::-1] if card != fore[0]), None)
    free = bool(layer.state & 4)
    try:
        return matecore.Position(
            rules, leader, follower, trick=layer.trick, free=free, foreplaced=fore
        )
    except matecore.InvalidPosition:
        return None
