"""Self-play once more, slowly and from its definition: the oracle of `mate.selfplay`.

The rules are those of `reference`, the random words those of numpy's Philox. Nothing here is of the
engine but `searched`, exact values for decks on which the reference takes too long.

>>> play_units(reference.PRESETS["bga"], "other", count=1, seed=1)["result"].tolist()
[-110]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import ROUND_FLOOR, Decimal, localcontext
from functools import cache
from itertools import combinations
from math import comb

import numpy as np

import mate
import matecore
import reference
from reference import State, Variant

Exact = Callable[[State], dict[str, int]]  # each move with what it brings who makes it

# --- The stream -----------------------------------------------------------------------------------


class Stream:
    """The words that a unit draws: those of a counter-based generator, at a place of its own."""

    def __init__(self, seed: int, unit: int, stream: int = 0):
        key = np.array([seed, stream], dtype=np.uint64)
        counter = np.array([0, unit, 0, 0], dtype=np.uint64)
        self.philox = np.random.Philox(key=key, counter=counter)
        self.drawn = 0
        self._words = self._halves()

    def _halves(self) -> Iterator[int]:
        while True:
            both = int(self.philox.random_raw())
            yield both % 2**32
            yield both // 2**32

    def word(self) -> int:
        """The next word, 0..2^32 - 1."""
        self.drawn += 1
        return next(self._words)

    def below(self, n: int) -> int:
        """A number of 0..n - 1, each as likely: words that would favour some are passed over."""
        while True:
            product = self.word() * n
            if product % 2**32 >= (2**32 - n) % n:
                return product // 2**32


# --- Deals ----------------------------------------------------------------------------------------


def nth_hand(number: int, n_cards: int) -> set[int]:
    """The hand of this number: by how many low cards, then by the high ones, then by the low."""
    half = n_cards // 2
    for n_low in range(half + 1):
        lows = comb(half, n_low)
        size = lows * comb(half, half - n_low)
        if number < size:
            high = by_mask(half, half - n_low)[number // lows]
            return {card + half for card in high} | set(by_mask(half, n_low)[number % lows])
        number -= size
    raise ValueError("there are not so many deals")


@cache
def by_mask(n: int, size: int) -> list[tuple[int, ...]]:
    """The subsets of 0..n - 1 of that size, as masks in increasing order."""
    return sorted(combinations(range(n), size), key=lambda cards: sum(2**card for card in cards))


# --- Exact values ---------------------------------------------------------------------------------


def slow() -> Exact:
    """The reference's values for the positions of one game, on a small deck."""
    memo: dict = {}
    return lambda state: reference.move_values(state, memo)


def searched(variant: mate.Variant) -> Callable[[], Exact]:
    """The values of the engine's search, for decks on which the reference takes too long."""
    solver = matecore.Solver(variant.rules)

    def values(state: State) -> dict[str, int]:
        core = mate.Position.parse(reference.write_position(state), variant).core
        return {variant.action_names[action]: value for action, value in solver.values(core)}

    return lambda: values


# --- Decisions ------------------------------------------------------------------------------------


@dataclass
class Table:
    """A game under way: the state in words, and which copy of each card lies where."""

    state: State
    hands: list[set[int]]

    @classmethod
    def laid(cls, variant: Variant, x: set[int], leader: int) -> Table:
        """The table before the first decision."""
        cards = variant.cards
        y = set(range(len(cards))) - x
        texts = tuple(tuple(cards[i] for i in sorted(hand)) for hand in (x, y))
        deal = reference.write_deal(texts, variant)
        return cls(reference.start(variant, deal, "xy"[leader]), [set(x), y])

    def actions(self, copies: bool = False) -> dict[int, str]:
        """The legal moves by number, in order; of neighbouring copies all, or the lowest alone."""
        cards, legal = self.state.variant.cards, reference.legal(self.state)
        n, hand = len(cards), sorted(self.hands[self.state.turn])
        kinds = [(0, "{}"), (n + 1, "*{}"), (2 * n + 1, "{}!")]
        found = [
            (base + i, form.format(cards[i]))
            for base, form in kinds
            for i in hand
            if copies or not (i - 1 in hand and cards[i - 1] == cards[i])
        ]
        found += [(n, "*-")]
        return {action: move for action, move in sorted(found) if move in legal}

    def play(self, action: int, move: str) -> None:
        """Play a legal move; a card may stay in the hand (§5)."""
        player, n = self.state.turn, len(self.state.variant.cards)
        held = len(self.state.hands[player])
        self.state = reference.play(self.state, move)
        if len(self.state.hands[player]) < held:
            self.hands[player].remove(action if action < n else (action - n - 1) % n)


def any_move(stream: Stream, actions: list[int]) -> int:
    """One of the actions, each as likely."""
    return actions[stream.below(len(actions))]


def greedy(state: State, actions: dict[int, str]) -> int:
    """Declines; mates for the most; leaves the fewest replies; wins the trick; the last of equals.

    No privilege is declared.
    """
    decline = len(state.variant.cards)
    if decline in actions:
        return decline
    plain = [action for action in actions if action < decline]
    rates = {action: rated(state, actions[action]) for action in plain}
    return max(plain, key=lambda action: (rates[action], action))


def rated(state: State, move: str) -> tuple[int, int]:
    """How a greedy player rates a move: a lead by its mate or its replies, a reply by the trick."""
    child = reference.after(state, move)
    if state.led is not None:
        return int(child.turn == state.turn), 0
    replies = len(reference.legal(child))
    return (0, -replies) if replies else (abs(reference.result(child)), 0)


def best_of(actions: dict[int, str], values: dict[str, int]) -> list[int]:
    """The actions that bring the most."""
    highest = max(values[move] for move in actions.values())
    return [action for action, move in actions.items() if values[move] == highest]


def softmax_weight(lost: int, temperature: str) -> int:
    """exp(-lost / temperature) in units of 2^-24, rounded down."""
    with localcontext() as context:
        context.prec = 80
        weight = (-Decimal(lost) / Decimal(float(temperature))).exp() * 2**24
        return int(weight.to_integral_value(ROUND_FLOOR))


def softmax(stream: Stream, actions: dict[int, str], values: dict[str, int], t: str) -> int:
    """An action by its weight."""
    highest = max(values[move] for move in actions.values())
    weights = [softmax_weight(highest - values[move], t) for move in actions.values()]
    left = stream.below(sum(weights))
    for action, weight in zip(actions, weights, strict=True):
        if left < weight:
            return action
        left -= weight
    raise ValueError("the weights do not reach so far")


def chosen(policy: str, stream: Stream, table: Table, exact: Exact) -> int:
    """The action that a policy takes."""
    actions, state = table.actions(), table.state
    name, _, number = policy.partition(":")
    if name == "random":
        return any_move(stream, list(actions))
    if name == "greedy":
        return greedy(state, actions)
    if name == "optimal":
        return any_move(stream, best_of(actions, exact(state)))
    if name == "epsilon":
        slips = stream.word() < round(float(number) * 2**32)
        return any_move(stream, list(actions) if slips else best_of(actions, exact(state)))
    return softmax(stream, actions, exact(state), number)


# --- Games ----------------------------------------------------------------------------------------


@dataclass
class Played:
    """A game that was played, and what its decisions were worth."""

    x: set[int]
    leader: int
    moves: list[int] = field(default_factory=list)
    values: list[int] = field(default_factory=list)
    best: list[int] = field(default_factory=list)
    result: int = 0


def bit_of(action: int, n_cards: int) -> int:
    """The bit of `Games.best`: the card, 32 and the card if it is declared, 32 for declining."""
    if action < n_cards:
        return action
    if action == n_cards:
        return 32
    return action - n_cards - 1 if action <= 2 * n_cards else 32 + action - 2 * n_cards - 1


def play_game(
    table: Table, policies: tuple[str, str], stream: Stream, exact: Exact, labels: bool
) -> Played:
    """A game to its end."""
    played = Played(set(table.hands[0]), table.state.turn)
    while actions := table.actions():
        if labels:
            values = exact(table.state)
            played.values.append(max(values.values()))
            best = best_of(table.actions(copies=True), values)
            bits = [bit_of(action, len(table.state.variant.cards)) for action in best]
            played.best.append(sum(2**bit for bit in bits))
        action = chosen(policies[table.state.turn], stream, table, exact)
        table.play(action, actions[action])
        played.moves.append(action)
    played.result = reference.result(table.state)
    return played


def play_units(
    variant: Variant,
    second_leader: str,
    count: int,
    x: str = "random",
    y: str = "random",
    seed: int = 0,
    *,
    unit: str = "game",
    leader: str = "alternate",
    deals: np.ndarray | None = None,
    first: int = 0,
    labels: bool = False,
    exact: Callable[[], Exact] = slow,
) -> dict[str, np.ndarray | None]:
    """The arrays of `mate.Games` for the units first .. first + count - 1."""
    games, n_cards = [], len(variant.cards)
    for i in range(first, first + count):
        stream = Stream(seed, i)
        if deals is None:
            hand = nth_hand(stream.below(comb(n_cards, n_cards // 2)), n_cards)
        else:
            mask = int(deals[i % len(deals)][0])
            hand = {card for card in range(n_cards) if mask >> card & 1}
        leads = i % 2 if leader == "alternate" else "xy".index(leader)
        table = Table.laid(variant, hand, leads)
        games.append(play_game(table, (x, y), stream, exact(), labels))
        if unit == "round":
            margin = games[-1].result
            leads = "xy".index(reference.leader_of_second(second_leader, "xy"[leads], margin))
            table = Table.laid(variant, set(range(n_cards)) - hand, leads)
            games.append(play_game(table, (x, y), stream, exact(), labels))
    return arrays(games, variant, labels)


def arrays(games: list[Played], variant: Variant, labels: bool) -> dict[str, np.ndarray | None]:
    """The games as arrays, short ones filled up."""
    n_cards = len(variant.cards)
    plies = n_cards + 2 * (variant.foreplace is not None)

    def rows(lists: list[list[int]], filler: int, dtype: type) -> np.ndarray:
        filled = [row + [filler] * (plies - len(row)) for row in lists]
        return np.array(filled, dtype=dtype).reshape(len(games), plies)

    masks = [sum(2**card for card in game.x) for game in games]
    deal = np.array([(mask, 2**n_cards - 1 - mask) for mask in masks], dtype=np.uint32)
    return {
        "deal": deal.reshape(len(games), 2),
        "leader": np.array([game.leader for game in games], dtype=np.int8),
        "moves": rows([game.moves for game in games], -1, np.int8),
        "result": np.array([game.result for game in games], dtype=np.int16),
        "value": rows([game.values for game in games], 0, np.int16) if labels else None,
        "best": rows([game.best for game in games], 0, np.uint64) if labels else None,
    }
