"""Mate as an environment of PettingZoo, two agents in turn (extra `envs`)."""

import operator
from typing import Any

from mate.envs.gymnasium import RENDER_MODES, spaces_of
from mate.envs.numbered import NumberedGames, missing, word
from mate.envs.seen import mask_of, seen_by, shown
from mate.errors import IllegalMoveError, MateError, excerpt
from mate.game import Game
from mate.notation import PLAYERS
from mate.variant import Variant

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise missing("pettingzoo", "envs") from None

# X and Y, named as PettingZoo names agents.
AGENTS = ("player_0", "player_1")


def env(**settings: Any) -> AECEnv:
    """Return the environment as PettingZoo's own card games come.

    An illegal action ends the game, its player losing the most that one can score, and actions
    out of turn or out of range are refused.

    Arguments:
        settings: as of `raw_env`.

    Raises:
        MateError, VariantError: as `raw_env`.

    >>> game = env(variant="bga")
    >>> game.reset(seed=1)
    >>> observation, reward, termination, truncation, info = game.last()
    >>> observation["observation"].shape, observation["action_mask"].shape
    ((10, 20), (61,))
    """
    made = raw_env(**settings)
    most = -float(made.variant.rules.margins[-1])
    checked = wrappers.TerminateIllegalWrapper(made, illegal_reward=most)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class raw_env(AECEnv):
    """Two agents in turn, `player_0` X and `player_1` Y.

    An observation is {"observation": uint8 (10, N), what the agent sees (docs/training.md);
    "action_mask": int8 (3N + 1,), zeros where the other is to act}. Rewards are 0 until the game
    ends, and then the margins in points. The k-th game after `reset(seed=s)` is dealt as game k of
    `mate.selfplay(seed=s)`, from 0.

    Arguments:
        variant: the variant or its text.
        deals: as of `mate.selfplay`.
        leader: who leads trick 1, "x", "y" or "alternate": X where the number is even.
        render_mode: None, "ansi" or "human".

    Raises:
        MateError, VariantError: an argument is none of these.
    """

    metadata = {  # noqa: RUF012
        "name": "mate_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        variant: Variant | str = "bga",
        deals: Any = None,
        leader: str = "alternate",
        render_mode: str | None = None,
    ):
        super().__init__()
        self._games = NumberedGames(variant, deals, leader)
        self.variant = self._games.variant
        if render_mode not in (None, *RENDER_MODES):
            raise MateError(f"render_mode {excerpt(render_mode)}: None, {', '.join(RENDER_MODES)}")
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        # One space an agent, which each seeds as it likes.
        made = {agent: _spaces(self.variant) for agent in AGENTS}
        self._observation_spaces = {agent: seen for agent, (seen, _) in made.items()}
        self._action_spaces = {agent: actions for agent, (_, actions) in made.items()}
        self.game: Game | None = None
        self._seed: int | None = None
        self._next = 0

    def __str__(self) -> str:
        return "mate_v0"

    # --- Queries ---

    def observation_space(self, agent: str) -> "spaces.Dict":
        """Return the space of an agent's observations, always the same object."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> "spaces.Discrete":
        """Return the space of an agent's actions, always the same object."""
        return self._action_spaces[agent]

    def observe(self, agent: str) -> dict[str, "np.ndarray"]:
        """Return what an agent sees, and what is legal if it is to act.

        Raises:
            MateError: there is no such agent, or no game was begun.
        """
        if agent not in AGENTS or self.game is None:
            raise MateError(f"agent {excerpt(agent)}: {', '.join(AGENTS)}, in a game")
        player = AGENTS.index(agent)
        mask = mask_of(self.game)
        if self.game.to_move != PLAYERS[player]:
            mask[:] = 0
        return {"observation": seen_by(self.game, player), "action_mask": mask}

    def render(self) -> str | None:
        """Return the board as text in the mode "ansi", print it in "human"."""
        if self.render_mode is None or self.game is None:
            return None
        text = shown(self.game)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing: nothing is held."""

    # --- Actions ---

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin the next game, or the first of a seed.

        Raises:
            MateError: the seed is not in 0..2^64-1.
        """
        if seed is not None or self._seed is None:
            drawn = int(seeding.np_random()[0].integers(1 << 63))
            self._seed, self._next = drawn if seed is None else word("seed", seed), 0
        self.game = self._games.begin(self._seed, self._next)
        self._next += 1
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = self._to_act(self.game)

    def step(self, action: Any) -> None:
        """Play an action of the agent that is to act, or None where its game is over.

        Raises:
            IllegalMoveError: it is not legal; `env` ends the game instead.
            MateError: no game was begun.
        """
        if self.game is None:
            raise MateError("no game is played: reset() begins one")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            number = operator.index(action)
        except TypeError:
            raise IllegalMoveError(action, str(self.game), self.game.legal_moves) from None
        self.game.push(number)
        self._cumulative_rewards[agent] = 0.0
        if self.game.is_over:
            margin = float(self.game.result or 0)
            self.rewards = {AGENTS[0]: margin, AGENTS[1]: -margin}
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = self._to_act(self.game)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _to_act(self, game: Game) -> str:
        return AGENTS[PLAYERS.index(game.to_move)]


def _spaces(variant: Variant) -> "tuple[spaces.Dict, spaces.Discrete]":
    seen, actions = spaces_of(variant)
    mask = spaces.Box(0, 1, (int(actions.n),), np.int8)
    return spaces.Dict({"observation": seen, "action_mask": mask}), actions
