"""Trains a bot for Coup by policy gradients: `python coup.py`.

Half of the games are against `greedy`, the other half against itself. A network looks at the columns of
an observation and gives each action a score; training plays an action with a chance by its score, and
the bot plays the best one. The method is PPO: actions that led to more than was expected get a greater
chance, in steps that never change it by much at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import arbiter_games
import numpy as np
from numpy.typing import NDArray

from shared import Floats, Layers, Model, Network, run, settings, with_few_decimals

OPTIONS = "seats=2 rules=contest"
GAMES = 512
#: Steps of all games in a round.
STEPS = 32
HIDDEN = 96
EPOCHS = 3
MINIBATCH = 4096
#: How far one round may change the chance of an action.
CLIP = 0.2
#: How much later estimates count beside the result of the game.
TRACE = 0.95


class Decisions(NamedTuple):
    """What was decided in a round, a row for each decision."""

    rows: Floats
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    #: Logarithms of the chances that the actions had.
    chances: Floats
    #: The results that the estimates should have told.
    targets: Floats
    #: How much better that was than the estimate.
    advantages: Floats


def scale(columns: list[str]) -> Floats:
    """Divisors that bring all columns to about 1."""
    most = {"coins": 10, "decisions rest": 100, "claims of": 4, "hands": 2}
    divisor = [next((by for name, by in most.items() if it.startswith(name)), 1) for it in columns]
    return np.array(divisor, np.float32)


def log_chances(scores: Floats, masks: NDArray[np.bool_]) -> Floats:
    """The logarithm of the chance of each action; a very small one of illegal actions."""
    scores = np.where(masks, scores, np.float32(-1e9))
    scores = scores - scores.max(axis=1, keepdims=True)
    chances: Floats = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return chances


class Table:
    """Games of one batch, and where they stand."""

    def __init__(self, batch: arbiter_games.Batch) -> None:
        self.batch = batch
        self.step = batch.observe()

    def play(self, network: Network, divisor: Floats, rng: np.random.Generator) -> Decisions:
        """Plays a round with all seats of the learner."""
        size = np.arange(len(self.batch))
        rows: list[Floats] = []
        masks: list[NDArray[np.bool_]] = []
        actions: list[NDArray[np.int64]] = []
        chances: list[Floats] = []
        values: list[Floats] = []
        players: list[NDArray[np.int8]] = []
        ends: list[NDArray[np.bool_]] = []
        rewards: list[Floats] = []
        for _ in range(STEPS):
            row, mask = self.step.observation / divisor, self.step.action_mask != 0
            output = network.forward(row)[-1]
            logs = log_chances(output[:, :-1], mask)
            # The greatest of the scores with noise of Gumbel is each action with its chance.
            action = np.where(mask, logs + rng.gumbel(size=logs.shape), -np.inf).argmax(axis=1)
            rows.append(row)
            masks.append(mask)
            actions.append(action)
            chances.append(logs[size, action])
            values.append(output[:, -1])
            players.append(self.step.player)
            self.step = self.batch.step(action)
            ends.append(self.step.ended)
            rewards.append(np.sign(self.step.rewards))
        # From the last step to the first: what each seat can expect from its next decision on.
        value = network.forward(self.step.observation / divisor)[-1][:, -1]
        signs = np.where(np.arange(2) == self.step.player[:, None], 1, -1)
        expected = value[:, None] * signs
        estimate = expected.copy()
        targets = []
        for at in reversed(range(STEPS)):
            ended = ends[at][:, None]
            expected = np.where(ended, rewards[at], expected)
            estimate = np.where(ended, rewards[at], estimate)
            seat = players[at]
            target = TRACE * expected[size, seat] + (1 - TRACE) * estimate[size, seat]
            expected[size, seat], estimate[size, seat] = target, values[at]
            targets.append(target)
        told = np.concatenate(targets[::-1]).astype(np.float32)
        return Decisions(
            np.concatenate(rows),
            np.concatenate(masks),
            np.concatenate(actions),
            np.concatenate(chances),
            told,
            told - np.concatenate(values),
        )


def improve(
    network: Network, told: Decisions, rate: float, entropy: float, rng: np.random.Generator
) -> None:
    """Learns from the decisions of a round."""
    advantages = told.advantages / (told.advantages.std() + 1e-6)
    for _ in range(EPOCHS):
        order = rng.permutation(len(advantages))
        for chosen in np.array_split(order, len(order) // MINIBATCH + 1):
            values = network.forward(told.rows[chosen])
            logs = log_chances(values[-1][:, :-1], told.masks[chosen])
            chances = np.exp(logs)
            places, actions = np.arange(len(chosen)), told.actions[chosen]
            ratio = np.exp(logs[places, actions] - told.chances[chosen])
            gain = advantages[chosen]
            free = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            weight = -(gain * ratio * free)[:, None]
            slope = np.empty_like(values[-1])
            slope[:, :-1] = -weight * chances
            slope[places, actions] += weight[:, 0]
            # Keeps chances from going to 0 or 1 too soon.
            surprise = np.where(told.masks[chosen], logs, 0)
            mean = (chances * surprise).sum(axis=1, keepdims=True)
            slope[:, :-1] += entropy * chances * (surprise - mean)
            slope[:, -1] = values[-1][:, -1] - told.targets[chosen]
            network.learn(values, slope / np.float32(len(chosen)), rate)


def model_of(network: Network, batch: arbiter_games.Batch, divisor: Floats) -> Model:
    """The policy alone, for columns as they are."""
    layers: Layers = [(weights.astype(np.float64), biases) for weights, biases in network.layers]
    layers[0] = (layers[0][0] / divisor[:, None], layers[0][1])
    layers[-1] = (layers[-1][0][:, :-1], layers[-1][1][:-1])
    return Model("coup", batch.options, with_few_decimals(layers))


def train(seed: int, rounds: int, games: int = GAMES) -> Iterator[Model]:
    """Trains for a number of rounds, and yields the model now and then."""
    rng = np.random.default_rng(seed)
    tables = [
        Table(arbiter_games.batch("coup", games, OPTIONS, seed=seed, opponent="greedy")),
        Table(arbiter_games.batch("coup", games, OPTIONS, seed=seed + 1)),
    ]
    batch = tables[0].batch
    divisor = scale(batch.columns)
    network = Network([len(batch.columns), HIDDEN, len(batch.action_names) + 1], rng)
    for done in range(1, rounds + 1):
        rest = 1 - done / (rounds + 1)
        played = [table.play(network, divisor, rng) for table in tables]
        told = Decisions(*(np.concatenate(parts) for parts in zip(*played)))
        improve(network, told, 2e-3 * rest + 1e-4, 0.02 * rest + 0.002, rng)
        if done * 10 // rounds > (done - 1) * 10 // rounds:
            yield model_of(network, batch, divisor)


def choose(model: Model, _: arbiter_games.Batch, step: arbiter_games.Step) -> NDArray[np.int64]:
    """The best action of each game by a model."""
    scores = np.where(step.action_mask != 0, model.scores(step.observation), -np.inf)
    actions: NDArray[np.int64] = scores.argmax(axis=1)
    return actions


def main() -> None:
    told = settings("coup", "Trains a bot for Coup.", rounds=72)
    run(train(told.seed, told.rounds), choose, told)


if __name__ == "__main__":
    main()
