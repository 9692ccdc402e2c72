"""What both programs need: a network, its measure against built-in players, and the bot that it becomes.

Only numpy computes here.
"""

from __future__ import annotations

import argparse
import json
import math
import pathlib
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import arbiter_games
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
Layers = list[tuple[Floats, Floats]]

HERE = pathlib.Path(__file__).resolve().parent
#: Scores of moves are compared to this many decimals, by the bot too.
DECIMALS = 9


class Network:
    """Layers of weights and biases, with a rectifier between two layers, trained by Adam."""

    def __init__(self, sizes: list[int], rng: np.random.Generator) -> None:
        self.layers: Layers = []
        for fan_in, fan_out in zip(sizes, sizes[1:]):
            weights = rng.normal(0, math.sqrt(2 / fan_in), (fan_in, fan_out))
            self.layers.append((weights.astype(np.float32), np.zeros(fan_out, np.float32)))
        # The last layer begins small: at first, all moves are nearly as good.
        self.layers[-1][0][:] *= 0.1
        self._means = [np.zeros_like(part) for layer in self.layers for part in layer]
        self._squares = [np.zeros_like(part) for layer in self.layers for part in layer]
        self._steps = 0

    def forward(self, rows: Floats) -> list[Floats]:
        """The values of all layers, from the rows themselves to the output."""
        values = [rows]
        for place, (weights, biases) in enumerate(self.layers):
            value = values[-1] @ weights + biases
            values.append(value if place + 1 == len(self.layers) else np.maximum(value, 0))
        return values

    def learn(self, values: list[Floats], slope: Floats, rate: float) -> None:
        """A step down the slope of the loss in the output, which `forward` gave with these values."""
        parts: list[tuple[Floats, Floats]] = []
        for (weights, biases), below in zip(reversed(self.layers), reversed(values[:-1])):
            parts.append((biases, slope.sum(axis=0)))
            parts.append((weights, below.T @ slope))
            slope = (slope @ weights.T) * (below > 0)
        self._steps += 1
        fresh = rate * math.sqrt(1 - 0.999**self._steps) / (1 - 0.9**self._steps)
        for place, (part, gradient) in enumerate(reversed(parts)):
            mean, square = self._means[place], self._squares[place]
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient * gradient - square)
            part -= fresh * mean / (np.sqrt(square) + 1e-8)


class Model(NamedTuple):
    """A trained network as it is exported: for raw columns, with few decimals."""

    game: str
    options: str
    layers: Layers

    def scores(self, rows: NDArray[np.generic]) -> Floats:
        """What the moves are worth, to the decimals that count."""
        value: Floats = rows.astype(np.float64)
        for place, (weights, biases) in enumerate(self.layers):
            value = np.maximum(value, 0) if place else value
            value = value @ weights + biases
        return np.round(value, DECIMALS)


def with_few_decimals(layers: Layers) -> Layers:
    """The layers as a file of weights holds them."""

    def few(part: Floats) -> Floats:
        return np.round(part.astype(np.float64), 4)

    return [(few(weights), few(biases)) for weights, biases in layers]


def weights_of(model: Model) -> str:
    """The file of weights, as `network.py` in the folder of a bot reads it."""
    last = len(model.layers) - 1
    layers = [
        {
            "activation": "relu" if place < last else "none",
            "biases": biases.tolist(),
            "weights": weights.tolist(),
        }
        for place, (weights, biases) in enumerate(model.layers)
    ]
    inputs = len(model.layers[0][0])
    told = {"game": model.game, "options": model.options, "columns": inputs, "layers": layers}
    return json.dumps(told).replace("], [", "],\n[") + "\n"


def export(model: Model, folder: pathlib.Path) -> None:
    """Writes the bot of a model."""
    program = HERE / f"{model.game}_policy.py"
    about = (model.game, model.options)
    if not program.exists():
        arbiter_games.bot(model.layers, folder, *about, name=f"learned-{model.game}")
        return
    # The inputs of the network are not the columns, so a program makes them.
    with tempfile.TemporaryDirectory() as place:
        weights = pathlib.Path(place, "weights.json")
        weights.write_text(weights_of(model))
        arbiter_games.bot(program, folder, *about, name=f"learned-{model.game}", files=[weights])


#: The actions of a model for all games of a batch.
Chooser = Callable[[Model, arbiter_games.Batch, arbiter_games.Step], NDArray[np.int64]]


def measure(model: Model, choose: Chooser, games: int, seed: int) -> arbiter_games.Share:
    """The share of a model against `greedy`."""
    return arbiter_games.measure(
        lambda batch, step: choose(model, batch, step),
        model.game,
        "greedy",
        model.options,
        games=games,
        seed=seed,
    )


class Settings(NamedTuple):
    """What the command line says."""

    seed: int
    rounds: int
    games: int
    folder: pathlib.Path


def settings(game: str, description: str, rounds: int) -> Settings:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seed", type=int, default=1, help="equal seeds train equal bots")
    parser.add_argument("--rounds", type=int, default=rounds, help="how long to train")
    parser.add_argument("--games", type=int, default=4000, help="games of the last measure")
    parser.add_argument(
        "--bot", type=pathlib.Path, default=f"my-{game}", help="the folder of the bot, a new one"
    )
    read = parser.parse_args()
    if read.bot.exists():
        parser.error(f"{read.bot} exists, expected a new folder: name another one, or remove it")
    return Settings(read.seed, read.rounds, read.games, read.bot)


def run(training: Iterator[Model], choose: Chooser, settings: Settings) -> None:
    """Trains, keeps the best model on seeds that are not trained on, and exports it.

    A training yields a model now and then. Ctrl-C ends it early.
    """
    begun, best, kept = time.monotonic(), -1.0, None
    try:
        for model in training:
            games = min(settings.games, 1000)
            share = measure(model, choose, games, settings.seed + 1_000_000)
            print(f"{time.monotonic() - begun:4.0f} s: {share} against greedy", flush=True)
            if share.mean > best:
                best, kept = share.mean, model
    except KeyboardInterrupt:
        print("stopped")
    if kept is None:
        raise SystemExit("nothing was trained yet, so there is no bot")
    export(kept, settings.folder)
    share = measure(kept, choose, settings.games, settings.seed + 2_000_000)
    print(f"{settings.folder}: {share} against greedy")
