"""A network that was trained, without packages: `arbiter_games.bot` puts a copy of this file into the folder of a bot.

It plays the legal action of the greatest score, of equal ones the first.
"""

from __future__ import annotations

import json
import math
import os
import sys

# Importing `typing` would take longer than reading a request, at every start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    class Observation(Protocol):
        """What the file `observing.py` beside this one makes of a request."""

        game: str
        options: str
        row: list[int]
        moves: list[list[int]]
        legal_actions: list[int]


#: Scores are compared to this many decimals, so that sums in another order choose the same move.
DECIMALS = 9


class Network:
    """Layers of weights and biases, with a rectifier or a hyperbolic tangent between two of them."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.game: str = told["game"]
        self.options: str = told["options"]
        #: The number of columns of an observation.
        self.columns: int = told["columns"]
        self.layers: list[tuple[list[list[float]], list[float], str]] = [
            (layer["weights"], layer["biases"], layer["activation"]) for layer in told["layers"]
        ]

    def outputs(self, row: Sequence[float]) -> list[float]:
        """The outputs for a row of inputs."""
        values: Sequence[float] = row
        for weights, biases, activation in self.layers:
            total = list(biases)
            for value, line in zip(values, weights):
                # Most inputs are 0, and so are silent neurons.
                if value:
                    total = [sum_ + value * weight for sum_, weight in zip(total, line)]
            if activation == "relu":
                values = [max(value, 0.0) for value in total]
            else:
                values = [math.tanh(value) for value in total] if activation == "tanh" else total
        return [round(value, DECIMALS) for value in values]

    def scores(self, observation: Observation) -> list[float]:
        """The score of each legal action, in their order."""
        inputs = len(self.layers[0][0])
        if inputs > self.columns:
            # It scores one move after the other, by the columns of the move behind those of the observation.
            return [self.outputs(observation.row + move)[0] for move in observation.moves]
        outputs = self.outputs(observation.row)
        return [outputs[action] for action in observation.legal_actions]

    def choose(self, observation: Observation) -> int:
        """The legal action of the greatest score, of equal ones the first."""
        if (observation.game, observation.options) != (self.game, self.options):
            asked = f"{observation.game} {observation.options}".strip()
            trained = f"{self.game} {self.options}".strip()
            sys.exit(f"asked for `{asked}`, but trained for `{trained}`: play that, or train another bot")
        scored = zip(self.scores(observation), observation.legal_actions)
        return max(scored, key=lambda it: (it[0], -it[1]))[1]


def beside(program: str) -> Network:
    """The network in `weights.json`, in the folder of a program."""
    path = os.path.join(os.path.dirname(os.path.abspath(program)), "weights.json")
    with open(path, encoding="utf-8") as file:
        return Network(json.load(file))
