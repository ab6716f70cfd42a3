"""The engine and the reference side by side: the same variant for both, and random ones."""

import random
from dataclasses import replace

import mate
import reference

ENGINE_TEXTS = {name: name for name in reference.PRESETS} | {"double24": "capellen,deck=double24"}
NAMES = list(ENGINE_TEXTS)


def engine_variant(name: str, slots: list[str] | None = None) -> mate.Variant:
    """The engine's variant of a reference's name, on another deck if slots are told."""
    variant = mate.Variant.of(ENGINE_TEXTS[name])
    if slots is None:
        return variant
    points = reference.POINTS
    ranks = "".join(rank for rank in "ATKQ7" if any(rank in suit for suit in slots))
    deck = mate.Deck("cshd", ranks, tuple(slots), tuple(points[rank] for rank in ranks))
    return replace(variant, deck=deck, privileged=variant.privileged & set(ranks), name="custom")


def random_variants(rng: random.Random) -> tuple[mate.Variant, reference.Variant]:
    """A variant with every field at random, on a small deck: for the engine, for the reference."""
    n_suits = rng.choice([2, 3, 4])
    n_slots = rng.choice([2, 3, 4]) if n_suits < 4 else rng.choice([2, 3])
    if n_suits == 3 and n_slots == 3:
        n_slots = 4
    suits, ranks = "wxyz"[:n_suits], "ABCD"[: max(n_slots, 2)]
    slots = tuple(
        "".join(sorted(rng.choice(ranks) for _ in range(n_slots))) for _ in range(n_suits)
    )
    points = tuple(rng.randint(0, 12) for _ in ranks)
    present = sorted(set("".join(slots)))
    privileged = "".join(rank for rank in present if rng.random() < 0.4)
    declared = bool(privileged) and rng.random() < 0.5
    free = rng.random() < 0.4
    size = n_suits * n_slots // 2
    rows = tuple(tuple(rng.randint(0, 9) for _ in range(size)) for _ in range(4))
    weights = rng.choice(["capellen", "tempos", "pieces", rows])
    switches = tuple(rng.random() < 0.5 for _ in range(3))
    foreplaces = rng.random() < 0.6
    deck = mate.Deck(suits, ranks, slots, points)
    engine = mate.Variant(
        deck=deck,
        privileged=frozenset(privileged),
        privilege_declared=declared,
        free_move=free,
        foreplace=mate.Foreplacing(weights, *switches) if foreplaces else None,
    )
    named = dict(zip(("nobody", "both", "mater", "mated"), rows, strict=True))
    plain = {name: list(range(1, size + 1)) for name in named}
    weights = (named if weights == rows else weights) if foreplaces else plain
    slow = reference.Variant(
        deck=slots,
        suits=suits,
        points=dict(zip(ranks, points, strict=True)),
        privileged=privileged,
        privilege_declared=declared,
        free_move=free,
        foreplace=reference.Foreplace(*switches) if foreplaces else None,
        weights=weights,
    )
    return engine, slow


def random_deal(variant: mate.Variant, rng: random.Random) -> mate.Deal:
    """A deal at random."""
    cards = rng.sample(range(variant.deck.n_cards), variant.deck.hand_size)
    return mate.Deal(sum(1 << card for card in cards), deck=variant.deck)


def random_game(variant: mate.Variant, rng: random.Random, plies: int = 100) -> mate.Game:
    """A game played at random for so many plies or to its end."""
    game = mate.Game(random_deal(variant, rng), variant, rng.choice("xy"))
    while not game.is_over and len(game.actions) < plies:
        game.push(rng.choice(game.legal_actions))
    return game
