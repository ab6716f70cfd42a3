"""A small network learns to play Mate from labelled games against itself, in numpy alone.

Each round it plays games, drawing its moves from what it believes; the engine tells every best move
in them; it learns to take those. Printed is what a decision costs it against exact play.

    python examples/tiny_trainer.py
"""

import argparse
from collections.abc import Iterator

import numpy as np

import mate

SEEN = [0, 1, 2, 9]  # own hand, other hand, card led, trick: all planes that `bga` uses


class Network:
    """One hidden layer from what is seen to a preference for each card.

    Arguments:
        n_cards: in the deck.
        hidden: units in the layer.
        seed: of the weights at the start.
    """

    def __init__(self, n_cards: int, hidden: int, seed: int):
        rng = np.random.default_rng(seed)
        inputs = len(SEEN) * n_cards + 1
        self.weights = [
            rng.normal(0, (2 / inputs) ** 0.5, (inputs, hidden)).astype(np.float32),
            np.zeros((hidden + 1, n_cards), np.float32),
        ]
        # Adam: the running means of gradients and of their squares.
        self.means = [np.zeros_like(w) for w in self.weights]
        self.squares = [np.zeros_like(w) for w in self.weights]
        self.steps = 0

    def __call__(self, observations: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return the probability of each action: a policy, as `mate.selfplay` takes it."""
        n_cards = observations.shape[2]
        probabilities = np.zeros(legal.shape, np.float32)
        probabilities[:, :n_cards] = self.look(observations, legal[:, :n_cards])[-1]
        return probabilities

    def look(self, observations: np.ndarray, legal: np.ndarray) -> list[np.ndarray]:
        """Return the inputs, the hidden layer and the probability of each card."""
        seen = _with_one(observations[:, SEEN].reshape(len(legal), -1).astype(np.float32))
        hidden = _with_one(np.maximum(seen @ self.weights[0], 0))
        scores = np.where(legal, hidden @ self.weights[1], -np.inf)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return [seen, hidden, scores / scores.sum(axis=1, keepdims=True)]

    def learn(self, observations: np.ndarray, legal: np.ndarray, best: np.ndarray) -> None:
        """Make the best cards of some decisions likelier: a step along the gradient."""
        seen, hidden, chances = self.look(observations, legal)
        # Of several best cards any will do: what counts is the probability of all together.
        aim = np.where(best, chances, 0)
        error = (chances - aim / aim.sum(axis=1, keepdims=True)) / len(legal)
        back = (error @ self.weights[1][:-1].T) * (hidden[:, :-1] > 0)
        self._descend([seen.T @ back, hidden.T @ error])

    def _descend(self, gradients: list[np.ndarray], rate: float = 0.002) -> None:
        self.steps += 1
        for weight, mean, square, gradient in zip(
            self.weights, self.means, self.squares, gradients, strict=True
        ):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            unbiased = mean / (1 - 0.9**self.steps), square / (1 - 0.999**self.steps)
            weight -= rate * unbiased[0] / (unbiased[1] ** 0.5 + 1e-8)


def _with_one(inputs: np.ndarray) -> np.ndarray:
    return np.hstack([inputs, np.ones((len(inputs), 1), np.float32)])


def train(
    rounds: int = 8, games: int = 1000, hidden: int = 128, epochs: int = 2, seed: int = 1
) -> Iterator[tuple[Network, float]]:
    """Yield the network and the regret of its games, in points a decision, round by round."""
    network = Network(mate.PRESETS["bga"].deck.n_cards, hidden, seed)
    rng = np.random.default_rng(seed)
    decisions: list[tuple[np.ndarray, ...]] = []
    for number in range(rounds):
        played = mate.selfplay(
            games, network, network, seed=seed, first=number * games, labels=True
        )
        yield network, float(played.regret[played.moves >= 0].mean())
        decisions += _decisions_in(played)
        study(network, decisions, epochs, rng)


def _decisions_in(played: mate.Games) -> Iterator[tuple[np.ndarray, ...]]:
    n_cards = played.variant.deck.n_cards
    for batch in mate.samples(played):
        # Where every card is as good there is nothing to learn.
        open_ = (batch.legal != batch.best).any(axis=1)
        yield (
            batch.observation[open_],
            batch.legal[open_, :n_cards],
            batch.best[open_, :n_cards],
        )


def study(
    network: Network, decisions: list[tuple[np.ndarray, ...]], epochs: int, rng: np.random.Generator
) -> None:
    """Learn from all decisions so far, in random order, some of them at a time."""
    arrays = [np.concatenate(column) for column in zip(*decisions, strict=True)]
    for _ in range(epochs):
        for rows in np.array_split(rng.permutation(len(arrays[0])), max(len(arrays[0]) // 512, 1)):
            network.learn(*(array[rows] for array in arrays))


def main() -> None:
    """Train and tell the regret after each round of games."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--games", type=int, default=1000, help="in a round")
    arguments = parser.parse_args()
    print("round  regret, points a decision")
    for number, (_, regret) in enumerate(train(arguments.rounds, arguments.games), 1):
        print(f"{number:5}  {regret:.3f}", flush=True)


if __name__ == "__main__":
    main()
