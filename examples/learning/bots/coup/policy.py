"""A request as lists of lines, and a network that was trained; the standard library is all it needs."""

from __future__ import annotations

import json
import pathlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

#: Scores of moves are compared to this many decimals, as in training.
DECIMALS = 9
#: A request has fewer lines than this.
LINES = 1_000_000


class Request:
    """What the referee asks."""

    def __init__(self, head: dict[str, str], lists: dict[str, list[str]]) -> None:
        self.game = head["game"]
        self.seat = int(head["seat"])
        self.view = lists["view"]
        self.history = lists["history"]
        self.legal = lists["legal"]


def read_request(lines: Iterator[str]) -> Request | None:
    """The next request; None if there is no other."""
    head: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    for line in lines:
        key, _, value = line.strip().partition(" ")
        if key == "end":
            return Request(head, lists)
        head[key] = value
        if key in ("view", "history", "legal"):
            count = min(int(value.split()[0]), LINES)
            lists[key] = [next(lines, "").strip() for _ in range(count)]
    return None


class Policy:
    """A network of layers, with a rectifier between two of them."""

    def __init__(self, path: pathlib.Path) -> None:
        read = json.loads(path.read_text())
        self.game: str = read["game"]
        #: The names of the columns of an observation.
        self.columns: list[str] = read["columns"]
        #: The names of all actions, or of the columns that tell what a move is.
        self.moves: list[str] = read["moves"]
        self.layers: list[tuple[list[list[float]], list[float]]] = [
            (layer["weights"], layer["biases"]) for layer in read["layers"]
        ]

    def row(self, values: Mapping[str, int]) -> list[int]:
        """The values in the order of the columns; 0 where there is none."""
        return [values.get(name, 0) for name in self.columns]

    def scores(self, row: Sequence[float]) -> list[float]:
        """The outputs for a row."""
        value: list[float] = [float(it) for it in row]
        for place, (weights, biases) in enumerate(self.layers):
            total = list(biases)
            for factor, line in zip(value, weights):
                # Most inputs are 0, and below 0 a neuron is silent.
                if factor > 0 or (factor and not place):
                    total = [sum_ + factor * weight for sum_, weight in zip(total, line)]
            value = total
        return [round(it, DECIMALS) for it in value]


def policy_beside(program: str) -> Policy:
    """The network of the file of weights beside a program."""
    return Policy(pathlib.Path(program).resolve().parent / "weights.json")


def play(policy: Policy, choose: Callable[[Policy, Request], str]) -> None:
    """Answers every request by the move that is chosen."""
    while request := read_request(sys.stdin):
        # Flushed at once: the next request comes only after this answer.
        print(choose(policy, request), flush=True)
