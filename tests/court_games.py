"""Variants of Court Piece twice: for the engine, and for the reference; and others at random."""

import random

import court_reference as court
from court_selfplay_reference import Game
from mate.court_piece import PRESETS, Variant

OTHERS = [
    "seed,redeal_below=T", "seed,redeal_below=A,trump=second_batch", "seed,trump=longest",
    "seed,chase=optional", "courts,court=both,chase=forced", "double-sir,collection=double_team",
    "double-sir,ace_rule=yes,restart_after_claim=no", "double-sir,court=both,trump=longest",
]  # fmt: skip
TEXTS = [*PRESETS, *OTHERS]


def game_of(variant: Variant) -> Game:
    """The game as the reference knows it, read from the fields of the variant."""
    both = ("thirteen", "first_seven")
    rules = court.Rules(
        collection={"run": "plain", "single": "plain"}.get(variant.collection, variant.collection),
        court=both if variant.court == "both" else (variant.court,),
        chase=variant.chase,
        points=variant.points,
        blocked=tuple(variant.blocked_claims),
        ace_rule=variant.ace_rule,
        restart=variant.restart_after_claim,
    )
    return Game(rules, variant.trump, variant.redeal_below)


def random_variant(rng: random.Random) -> Variant:
    """A variant, each field of it at random."""
    return Variant(
        collection=rng.choice(["run", "single", "double", "double_team"]),
        court=rng.choice(["thirteen", "first_seven", "both"]),
        chase=rng.choice(["forced", "optional", "none"]),
        points=(*sorted(rng.randrange(9) for _ in range(2)), rng.randrange(9), rng.randint(9, 100)),
        trump=rng.choice(["first_five", "second_batch", "longest"]),
        redeal_below=rng.choice([None, None, *"AKT92"]),
        blocked_claims=frozenset(rng.sample(range(1, 14), rng.choice([0, 0, 1, 2, 5]))),
        ace_rule=rng.random() < 0.5,
        restart_after_claim=rng.random() < 0.5,
    )
