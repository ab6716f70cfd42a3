"""Stand-in."""
import random
from dataclasses import dataclass

import numpy as np

from mate.arrays.games import Games
from mate.deal import Deal
from mate.errors import MateError
from mate.game import Game
from mate.tablebase import Tablebase
from mate.variant import Variant


@dataclass(frozen=True)
class SelfPlay:
    variant: Variant
    x: str = "random"
    y: str = "random"
    seed: int = 0
    unit: str = "game"
    leader: str = "alternate"
    deals: np.ndarray | None = None
    labels: bool = False
    tablebase: Tablebase | None = None

    def __post_init__(self):
        if self.x not in ("random", "greedy", "optimal"):
            raise MateError(f"policy {self.x}")

    def play(self, first: int, count: int, threads: int | None = 1) -> Games:
        size = self.variant.deck.hand_size
        plies = 2 * size + 2 * (self.variant.foreplace is not None)
        per = 2 if self.unit == "round" else 1
        n = count * per
        deal = np.zeros((n, 2), np.uint32)
        leader = np.zeros(n, np.int8)
        moves = np.full((n, plies), -1, np.int8)
        result = np.zeros(n, np.int16)
        value = np.zeros((n, plies), np.int16) if self.labels else None
        best = np.zeros((n, plies), np.uint64) if self.labels else None
        for row in range(n):
            i = first + row // per
            rng = random.Random(f"{self.seed}/{i}/{row % per}/{self.x}/{self.y}")
            dealt = Deal.random(hash((self.seed, i)) % 2**32, self.variant.deck)
            if row % per:
                dealt = dealt.exchange()
            leader[row] = (i + row) & 1
            game = Game(dealt, self.variant, "xy"[leader[row]])
            deal[row] = dealt.x.mask, dealt.y.mask
            while not game.is_over:
                at = len(game.actions)
                if self.labels:
                    value[row, at] = rng.randrange(-99, 99)
                    best[row, at] = rng.getrandbits(40)
                game.push(rng.choice(game.legal_moves))
            moves[row, : len(game.actions)] = game.actions
            result[row] = game.result
        return Games(self.variant, deal, leader, moves, result, value, best)

    def to_plain(self) -> dict:
        return {
            "variant": self.variant.to_plain(), "x": self.x, "y": self.y, "seed": self.seed,
            "unit": self.unit, "leader": self.leader, "labels": self.labels, "deals": None,
        }
