from typing import NamedTuple

from matecore.rules import Rules

class Layer(NamedTuple):
    state: int
    n_leader: int
    n_follower: int
    trick: int
    step: int
    n_unions: int
    lanes: int
    offset: int

def layers(rules: Rules) -> list[Layer]: ...
