"""Environments of Gymnasium: one agent against a chosen player (extra `envs`).

Importing this module registers `Mate-v0`.
"""

from typing import Any

from mate.envs.numbered import NumberedGames, missing, player_or_alternate, seat_of, word
from mate.envs.opponents import Opponent
from mate.envs.seen import mask_of, seen_by, shown
from mate.envs.vector import Arrays, VectorGames
from mate.errors import MateError, excerpt
from mate.game import Game
from mate.notation import PLAYERS
from mate.tablebase import Tablebase
from mate.variant import Variant

try:
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError:
    raise missing("gymnasium", "envs") from None

ID = "Mate-v0"
PATIENCE = 1000  # games in a row that end before the agent could act
RENDER_MODES = ("ansi", "human")


def spaces_of(variant: Variant) -> "tuple[spaces.Box, spaces.Discrete]":
    """Return the spaces of observations and actions, uint8 (10, N) and 3N + 1 numbers."""
    rules = variant.rules
    shape = seen_by(Game(_any_deal(variant), variant), 0).shape
    return spaces.Box(0, 1, shape, np.uint8), spaces.Discrete(rules.n_actions)


def _any_deal(variant: Variant) -> Any:
    from mate.deal import Deal

    return Deal((1 << variant.deck.hand_size) - 1, deck=variant.deck)


# --- One environment -----------------------------------------------------------------------------


class MateEnv(gymnasium.Env):
    """One agent against a chosen player, an episode a game.

    Observations are uint8 of shape (10, N), what the agent sees (docs/training.md); what is legal
    is `info["action_mask"]`, int8 of shape (3N + 1,). The reward is 0 until the game ends, and
    then the agent's margin in points. An illegal action ends the episode as if lost by the most
    that a game of the variant can score; `info["illegal"]` tells. The k-th episode after
    `reset(seed=s)` is game k of `mate.selfplay(seed=s)`, from 0; games that the opponent ends
    before the agent could act are passed over, and counted.

    Arguments:
        variant: the variant or its text.
        opponent: a text as of `mate.Player.of`, a `mate.Player`, or a function as of
            `mate.selfplay`; a player's chances are seeded by `reset(seed=...)`.
        seat: whom the agent plays, "x", "y" or "alternate": two games X, two games Y.
        leader: who leads trick 1, "x", "y" or "alternate": X where the number is even.
        deals: as of `mate.selfplay`.
        render_mode: None, "ansi" or "human".

    Raises:
        MateError, VariantError: an argument is none of these.

    >>> env = gymnasium.make("Mate-v0", opponent="greedy")
    >>> observation, info = env.reset(seed=1)
    >>> observation.shape, info["action_mask"].nonzero()[0].tolist()
    ((10, 20), [2, 3, 4, 6, 9, 10, 11, 14, 17, 18])
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        variant: Variant | str = "bga",
        opponent: Any = "random",
        *,
        seat: str = "alternate",
        leader: str = "alternate",
        deals: Any = None,
        render_mode: str | None = None,
    ):
        self._games = NumberedGames(variant, deals, leader)
        self.variant = self._games.variant
        self._opponent = Opponent(opponent)
        self._seat = player_or_alternate("seat", seat)
        self.observation_space, self.action_space = spaces_of(self.variant)
        if render_mode not in (None, *RENDER_MODES):
            raise MateError(f"render_mode {excerpt(render_mode)}: None, {', '.join(RENDER_MODES)}")
        self.render_mode = render_mode
        self.game: Game | None = None
        self.agent = 0
        self._stream: int | None = None
        self._next = 0

    # --- Actions ---

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple["np.ndarray", dict[str, Any]]:
        """Begin the next game, or the first of a seed.

        Raises:
            MateError: the seed is not in 0..2^64-1, or game after game ends before the agent
                could act.
        """
        super().reset(seed=seed)
        if seed is not None or self._stream is None:
            drawn = int(self.np_random.integers(1 << 63))
            self._stream = drawn if seed is None else word("seed", seed)
            self._opponent.seed(self._stream)
            self._next = 0
        for _ in range(PATIENCE):
            if not self._begin().is_over:
                return self._told()
        raise MateError(f"{PATIENCE} games in a row ended before the agent could act")

    def step(self, action: Any) -> tuple["np.ndarray", float, bool, bool, dict[str, Any]]:
        """Play an action and the opponent's until the agent is to act or the game is over.

        Raises:
            MateError: no game was begun or it is over, or the opponent plays no legal move.
        """
        game = self.game
        if game is None or game.is_over:
            raise MateError("no game is played: reset() begins one")
        if not self._is_legal(game, action):
            self.game = None
            observation = seen_by(game, self.agent)
            info = {"action_mask": mask_of(game), "illegal": True}
            return observation, -float(self.variant.rules.margins[-1]), True, False, info
        game.push(int(action))
        self._answer(game)
        observation, info = self._told()
        return observation, self._margin(game), game.is_over, False, info

    def render(self) -> Any:
        """Return the board as text in the mode "ansi"."""
        if self.render_mode is None or self.game is None:
            return "" if self.render_mode == "ansi" else None
        return shown(self.game) if self.render_mode == "ansi" else None

    # --- Parts ---

    def _begin(self) -> Game:
        number, self._next = self._next, self._next + 1
        self.agent = seat_of(self._seat, number)
        self.game = self._games.begin(self._stream or 0, number)
        self._answer(self.game)
        return self.game

    def _answer(self, game: Game) -> None:
        while not game.is_over and game.to_move != PLAYERS[self.agent]:
            self._opponent.play(game, self.np_random)

    def _told(self) -> tuple["np.ndarray", dict[str, Any]]:
        assert self.game is not None
        if self.render_mode == "human":
            print(shown(self.game))
        return seen_by(self.game, self.agent), {"action_mask": mask_of(self.game)}

    def _margin(self, game: Game) -> float:
        margin = game.result or 0
        return float(-margin if self.agent else margin)

    def _is_legal(self, game: Game, action: Any) -> bool:
        return self.action_space.contains(action) and bool(game.legal_mask()[int(action)])


# --- Many ----------------------------------------------------------------------------------------


class MateVectorEnv(VectorEnv):
    """`VectorGames` against an opponent, by Gymnasium's interface.

    A game that ends is followed by the next in the same call (`AutoresetMode.SAME_STEP`): what was
    seen at its end is `info["final_obs"]`, in the rows where `info["_final_obs"]` is true. Legal
    actions are `info["action_mask"]`, int8 of shape (n, 3N + 1); an illegal one is refused.

    Arguments:
        num_envs, variant, opponent, seat, leader, deals, tablebase: as of `VectorGames`.
        copy: False to return the same arrays in each call, written anew.
        render_mode: None.

    Raises:
        MateError, VariantError: as `VectorGames`.

    >>> envs = gymnasium.make_vec("Mate-v0", num_envs=64, opponent="greedy")
    >>> observations, info = envs.reset(seed=1)
    >>> actions = envs.action_space.sample(mask=tuple(info["action_mask"]))
    >>> observations, rewards, terminations, truncations, info = envs.step(actions)
    >>> observations.shape, rewards.dtype
    ((64, 10, 20), dtype('float64'))
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        variant: Variant | str = "bga",
        opponent: str = "random",
        *,
        seat: str = "alternate",
        leader: str = "alternate",
        deals: Any = None,
        tablebase: Tablebase | None = None,
        copy: bool = True,
        render_mode: str | None = None,
    ):
        if not isinstance(opponent, str):
            why = "a vector's is a text; make it with vectorization_mode='sync' for others"
            raise MateError(f"opponent {excerpt(opponent)}: {why}")
        if render_mode is not None:
            raise MateError(f"render_mode {excerpt(render_mode)}: a vector is not shown")
        self.num_envs, self.copy = num_envs, copy
        variant = Variant.of(variant)
        arrays = Arrays.empty(num_envs, variant)
        assert arrays.observations is not None
        arrays = arrays._replace(final=np.zeros_like(arrays.observations))
        self.games = VectorGames(
            num_envs, variant, opponent=opponent, seat=seat, leader=leader, deals=deals,
            tablebase=tablebase, arrays=arrays,
        )  # fmt: skip
        self.single_observation_space, self.single_action_space = spaces_of(variant)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._has_seed = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple["np.ndarray", dict[str, Any]]:
        """Begin the first games of a seed; without one, those of a seed that is drawn.

        Raises:
            MateError: as `VectorGames.reset`.
        """
        super().reset(seed=seed)
        drawn = int(self.np_random.integers(1 << 63))
        arrays = self.games.reset(drawn if seed is None else seed)
        return self._own(arrays.observations), {"action_mask": self._mask(arrays)}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Play an action in each game.

        Raises:
            MateError: as `VectorGames.step`.
        """
        arrays = self.games.step(actions)
        dones = self._own(arrays.dones)
        info = {"action_mask": self._mask(arrays)}
        if dones.any():
            info.update(final_obs=self._own(arrays.final), _final_obs=dones)
        rewards = arrays.rewards.astype(np.float64)
        return self._own(arrays.observations), rewards, dones, np.zeros_like(dones), info

    def _own(self, array: Any) -> Any:
        return array.copy() if self.copy else array

    def _mask(self, arrays: Arrays) -> Any:
        assert arrays.masks is not None
        return self._own(arrays.masks.view(np.int8))


if ID not in gymnasium.registry:
    gymnasium.register(
        ID,
        entry_point="mate.envs.gymnasium:MateEnv",
        vector_entry_point="mate.envs.gymnasium:MateVectorEnv",
    )
