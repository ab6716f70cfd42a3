"""Mate for programs that learn: environments of OpenSpiel, PettingZoo and Gymnasium, and vectors.

Each is a module of its own and needs its extra; `mate.envs.vector` needs none
(docs/environments.md).
"""
