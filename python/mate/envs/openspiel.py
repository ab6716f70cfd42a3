"""Mate as a game of OpenSpiel, `python_mate` (extra `openspiel`).

Importing this module registers it: `pyspiel.load_game("python_mate(variant=capellen)")`. Without
a deal or a position chance deals card by card, each to X (outcome 0) or Y (outcome 1) with the
exact probability that makes every deal as likely: two outcomes a node, where one node for all deals
would have 184,756, and all that OpenSpiel does with chance nodes works. With one of them the game
has no chance and is what minimax asks for.
"""

from typing import Any

from mate.deal import Deal
from mate.envs.numbered import missing
from mate.envs.seen import seen_by
from mate.errors import MateError, excerpt
from mate.game import Game
from mate.notation import PLAYERS, write_hand
from mate.variant import Variant

try:
    import numpy as np
    import pyspiel
except ImportError:
    raise missing("open_spiel", "openspiel") from None

NAME = "python_mate"
# Settings of the variant's text (docs/notation.md); "" and 0: as the preset has it.
TEXTS = (
    "deck", "privileged", "privilege_declared", "free_move", "foreplace", "weights",
    "second_alone", "second_differs", "last_card_twice", "second_leader", "round_leader",
)  # fmt: skip
COUNTS = ("rounds", "target")
PARAMETERS = {
    "variant": "bga",
    **dict.fromkeys(TEXTS, ""),
    **dict.fromkeys(COUNTS, 0),
    "deal": "",
    "leader": "x",
    "position": "",
}


def _type_of(is_dealt: bool) -> "pyspiel.GameType":
    kind = pyspiel.GameType
    modes = kind.ChanceMode
    return kind(
        short_name=NAME,
        long_name="Mate",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=modes.DETERMINISTIC if is_dealt else modes.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


# --- Game ----------------------------------------------------------------------------------------


class MateGame(pyspiel.Game):
    """One game of Mate; player 0 is X, player 1 is Y, returns are margins in points.

    Actions are numbered as everywhere (docs/training.md). Of the settings those that are about
    rounds and matches change nothing in a single game.

    Arguments:
        params: of the game's text: `variant`, a preset; its settings by name, as text ("yes",
            "no") or, `rounds` and `target`, numbers; `deal`, `leader` "x" or "y", `position`.

    Raises:
        MateError: a parameter does not fit.

    >>> game = pyspiel.load_game("python_mate(deal=AQ7.A7.TK7.AT)")
    >>> state = game.new_initial_state()
    >>> [state.action_to_string(action) for action in state.legal_actions()][:3]
    ['Ac', 'Qc', '7c']
    """

    def __init__(self, params: dict[str, Any] | None = None):
        told = {**PARAMETERS, **(params or {})}
        self.variant = _variant_of(told)
        self.beginning = _beginning_of(told, self.variant)
        self.leader = told["leader"]
        rules, start = self.variant.rules, self.beginning
        cards = len(start.x) + len(start.y) if start else self.variant.deck.n_cards
        most = float(rules.margins[-1])
        # Two decisions on foreplacing, and who foreplaces alone plays a card twice.
        self.plies = cards + 2 * (self.variant.foreplace is not None)
        info = pyspiel.GameInfo(
            num_distinct_actions=rules.n_actions,
            max_chance_outcomes=0 if self.beginning else 2,
            num_players=2,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=self.plies,
        )
        super().__init__(_type_of(self.beginning is not None), info, params or {})

    def new_initial_state(self, state: Any = None) -> "MateState":
        """Return the state before the deal, or if there is one at the game's beginning."""
        return MateState(self)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> "Observer":
        """Return who observes states, with the moves played if recall is perfect."""
        recalls = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self, recalls, params)


def _variant_of(told: dict[str, Any]) -> Variant:
    settings = [f"{name}={told[name]}" for name in (*TEXTS, *COUNTS) if told[name]]
    if "," in told["variant"]:
        raise MateError(f"variant {excerpt(told['variant'])}: a preset; settings are parameters")
    # A match has rounds or a target; whoever tells one takes the other away.
    for name, other in (COUNTS, COUNTS[::-1]):
        if told[name] and not told[other]:
            settings.append(f"{other}=none")
    return Variant.of(",".join([told["variant"], *settings]))


def _beginning_of(told: dict[str, Any], variant: Variant) -> Game | None:
    if told["leader"] not in tuple(PLAYERS):
        raise MateError(f"leader {excerpt(told['leader'])}: x or y")
    if told["deal"] and told["position"]:
        raise MateError("deal and position: only one of them")
    if told["position"]:
        return Game.from_position(told["position"], variant)
    return Game(told["deal"], variant, told["leader"]) if told["deal"] else None


# OpenSpiel tells actions by their text, so that copies of a card need texts of their own.
def _name_of(variant: Variant, action: int) -> str:
    name = variant.action_names[action]
    copy = variant.actions[name].index(action) + 1
    return name if copy == 1 else f"{name}#{copy}"


# --- State ---------------------------------------------------------------------------------------


class MateState(pyspiel.State):
    """A state of the game: cards being dealt, or a game being played.

    Attributes:
        game: the game played, None while cards are dealt.
        dealt: the masks of the cards X and Y have been dealt.
    """

    def __init__(self, game: MateGame):
        super().__init__(game)
        self._variant, self._leader = game.variant, game.leader
        self.dealt = (0, 0)
        self.game = None if game.beginning is None else game.beginning.copy()
        if self.game is not None:
            self.dealt = self.game.x.mask, self.game.y.mask

    # --- Queries ---

    def current_player(self) -> int:
        """Return who acts: 0 X, 1 Y, or chance, or that the game is over."""
        if self.game is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self._player()

    def _player(self) -> int:
        return int(self.game is not None and self.game.to_move == "y")

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.game is not None and self.game.is_over

    def returns(self) -> list[float]:
        """Return the margins in points of X and of Y, 0 until the game is over."""
        margin = float((self.game.result if self.game is not None else None) or 0)
        return [margin, -margin]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return to whom the next card may go, with the probabilities."""
        size = self._variant.deck.hand_size
        left = [size - mask.bit_count() for mask in self.dealt]
        return [(player, left[player] / sum(left)) for player in (0, 1) if left[player]]

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.game is None else self.game.legal_mask().nonzero()[0].tolist()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == int(pyspiel.PlayerId.CHANCE):
            number = sum(mask.bit_count() for mask in self.dealt)
            if action not in (0, 1) or number >= self._variant.deck.n_cards:
                raise MateError(f"action {excerpt(action)}: no card is dealt by it")
            return f"{self._variant.deck.cards[number]} to {PLAYERS[action].upper()}"
        return _name_of(self._variant, action)

    def __str__(self) -> str:
        if self.game is not None:
            return str(self.game)
        return "dealt " + "/".join(self._text_of(mask) for mask in self.dealt)

    def _text_of(self, mask: int) -> str:
        return write_hand(mask, self._variant.deck)

    # --- Actions ---

    def _apply_action(self, action: int) -> None:
        if self.game is not None:
            self.game.push(action)
            return
        if action not in [outcome for outcome, _ in self.chance_outcomes()]:
            raise MateError(f"action {excerpt(action)}: 0 deals the next card to X, 1 to Y")
        x, y = self.dealt
        card = 1 << (x | y).bit_length()
        self.dealt = (x, y | card) if action else (x | card, y)
        deck = self._variant.deck
        if sum(mask.bit_count() for mask in self.dealt) == deck.n_cards:
            self.game = Game(Deal(*self.dealt, deck), self._variant, self._leader)


# --- Observer ------------------------------------------------------------------------------------


class Observer:
    """What a player sees of a state, and with perfect recall how it came to it.

    Attributes:
        tensor: float32, all of it.
        dict: views of its parts: `planes` (10, N), as `mate.envs.seen.seen_by`; `to_act` (1,),
            whether the player is; and with perfect recall `deal` (2, N), his and the other's cards
            at the beginning, and `moves` (plies, 3N + 1), the actions played, a row each.
    """

    def __init__(self, game: MateGame, recalls: bool, params: dict[str, Any] | None):
        if params:
            raise MateError(f"observation parameters {excerpt(params)}: there are none")
        n, actions = game.variant.deck.n_cards, game.variant.rules.n_actions
        shapes: dict[str, tuple[int, ...]] = {"planes": (10, n), "to_act": (1,)}
        if recalls:
            shapes.update(deal=(2, n), moves=(game.plies, actions))
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {
            name: part.reshape(shape)
            for (name, shape), part in zip(shapes.items(), parts, strict=True)
        }
        self._recalls = recalls

    def set_from(self, state: MateState, player: int) -> None:
        """Write what the player sees of the state into the tensor."""
        self.tensor.fill(0)
        game = state.game
        if game is None:
            self._write_hands(self.dict["planes"], state.dealt, player)
        else:
            self.dict["planes"][:] = seen_by(game, player)
            self.dict["to_act"][0] = not game.is_over and game.to_move == PLAYERS[player]
        if self._recalls:
            self._write_hands(self.dict["deal"], state.dealt, player)
            for ply, action in enumerate(game.actions if game is not None else ()):
                self.dict["moves"][ply, action] = 1

    def _write_hands(self, planes: "np.ndarray", hands: tuple[int, int], player: int) -> None:
        for plane, mask in enumerate((hands[player], hands[1 - player])):
            for card in range(planes.shape[1]):
                planes[plane, card] = mask >> card & 1

    def string_from(self, state: MateState, player: int) -> str:
        """Return the position as text, with perfect recall the history before it."""
        if not self._recalls:
            return str(state)
        moves = state.game.moves if state.game is not None else []
        dealt = "/".join(state._text_of(mask) for mask in state.dealt)
        return " ".join([dealt, *moves, "|", str(state)])


pyspiel.register_game(_type_of(False), MateGame)
