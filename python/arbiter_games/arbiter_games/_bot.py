"""A policy as a bot: a folder that plays under the referee."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import pathlib
import re
import shutil
import symtable
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _observing
from ._state import state

HERE = pathlib.Path(__file__).resolve().parent

#: A network: pairs of weights, shape `(inputs, outputs)`, and biases, with a rectifier between two layers.
Layers = Sequence[tuple[ArrayLike, ArrayLike]]

_MANIFEST = """\
name = {name}
command = "python3 bot.py"
mode = "resident"
games = [{game}]
"""

_OF_A_NETWORK = '''\
"""Plays {game} by the network in `weights.json`."""

import network
import observing

if __name__ == "__main__":
    observing.play(network.beside(__file__).choose)
'''

_OF_A_PROGRAM = '''\
"""Plays {game} by `choose` in `policy.py`."""

import observing
import policy

if __name__ == "__main__":
    observing.play(policy.choose)
'''


class Observed(NamedTuple):
    """A request as arrays."""

    #: The seat that is asked.
    player: int
    #: The columns, as in `State.observation()`.
    observation: NDArray[np.int8]
    #: 1 for each legal action, as in `State.legal_actions_mask()`.
    action_mask: NDArray[np.int8]
    #: The numbers of the legal actions, as in `State.legal_actions()`.
    legal_actions: list[int]
    #: The moves that they are, as a bot prints them.
    legal_moves: list[str]
    #: A row for each legal action, as in `State.moves()`.
    moves: NDArray[np.int8]


def observe(request: str | bytes) -> Observed:
    """What a policy was trained to see, from the request that a bot gets.

    `legal_moves[legal_actions.index(action)]` is the move to print.
    """
    if not isinstance(request, (str, bytes)):
        hint = "; a game that is over has no request" if request is None else ""
        raise TypeError(f"request {request!r}, expected a text such as State.request() gives{hint}")
    seen = _observing.read(request)
    mask = np.zeros(seen.num_actions, np.int8)
    mask[seen.legal_actions] = 1
    moves = np.array(seen.moves, np.int8).reshape(len(seen.legal_actions), -1)
    row = np.array(seen.row, np.int8)
    return Observed(seen.player, row, mask, seen.legal_actions, seen.legal_moves, moves)


def bot(
    policy: Layers | str | os.PathLike[str] | Any,
    folder: str | os.PathLike[str],
    game: str,
    options: str = "",
    *,
    name: str | None = None,
    files: Iterable[str | os.PathLike[str]] = (),
) -> pathlib.Path:
    """Writes a new folder with a bot that plays by a policy, and gives its path.

    `policy` is a network or a program. A network is a list of layers, pairs of weights of shape
    `(inputs, outputs)` and biases, with a rectifier between two of them; or a `torch.nn.Sequential`
    of `Linear`, `ReLU` and `Tanh`. Its inputs are the columns of an observation, and it has an
    output for each action; or its inputs are these columns and those of a move behind them, and its
    one output is the score of that move. The bot plays the legal action of the greatest score, with
    the standard library of Python alone.

    A program is the path of a file with a function `choose(observation)`, which gets what
    `observing.py` in the folder makes of a request and returns a legal action. `files` are copied
    beside it. The bot has the packages of the Python that starts it; under isolation that is
    `python3` of the system or of an active virtual environment.
    """
    target = pathlib.Path(os.fsdecode(folder))
    called = target.resolve().name if name is None else name
    if not re.fullmatch(r"\w[\w.-]{0,31}", called) or called.endswith("."):
        raise ValueError(f"name {called!r}, expected up to 32 letters, digits and . _ -")
    if target.exists():
        raise FileExistsError(f"{target}: it exists, expected a new folder")
    first = state(game, options, seed=0)
    contents: dict[str, str] = {}
    copies = {"observing.py": HERE / "_observing.py", "network.py": HERE / "_network.py"}
    if isinstance(policy, (str, os.PathLike)):
        copies["policy.py"] = pathlib.Path(os.fsdecode(policy))
        contents["bot.py"] = _OF_A_PROGRAM.format(game=first.game)
    else:
        contents["bot.py"] = _OF_A_NETWORK.format(game=first.game)
        contents["weights.json"] = _weights(policy, first)
    for file in map(pathlib.Path, files):
        if file.name in copies or file.name in contents or file.name == "bot.toml":
            raise ValueError(f"{file}: the bot has a file {file.name}, expected another name")
        copies[file.name] = file
    for file in copies.values():
        if not file.is_file():
            raise FileNotFoundError(f"{file}: no such file, expected one for the bot")
    if "policy.py" in copies:
        _must_choose(copies["policy.py"])
    quoted = {"name": json.dumps(called, ensure_ascii=False), "game": json.dumps(first.game)}
    contents["bot.toml"] = _MANIFEST.format(**quoted)
    target.mkdir(parents=True)
    for file_name, file in copies.items():
        shutil.copyfile(file, target / file_name)
    for file_name, content in contents.items():
        (target / file_name).write_text(content, encoding="utf-8")
    return target


def _must_choose(program: pathlib.Path) -> None:
    """Checks that a program can be read and has a name `choose`, which the first game would show otherwise."""
    try:
        source = importlib.util.decode_source(program.read_bytes())
        symbols = symtable.symtable(source, str(program), "exec").get_symbols()
        parts = ast.walk(ast.parse(source))
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"{program}: no program of Python: {error}") from error
    # Whatever is bound in the program outside of its functions, in whichever statement.
    names = {it.get_name() for it in symbols if it.is_assigned() or it.is_imported() or it.is_declared_global()}
    # The names of `from module import *` are not known here.
    stars = (part for part in parts if isinstance(part, ast.ImportFrom) and part.names[0].name == "*")
    if "choose" not in names and not any(stars):
        raise ValueError(f"{program}: no function choose(observation), expected one that returns a legal action")


class _Layer(NamedTuple):
    weights: NDArray[np.float64]
    biases: NDArray[np.float64]
    activation: str


def _weights(policy: Any, first: Any) -> str:
    """The file of weights of a network, a line for each input of a layer."""
    layers = _of_torch(policy) if hasattr(policy, "state_dict") else _of_arrays(policy)
    if not layers:
        raise ValueError("a network without layers, expected at least one")
    width = layers[0].weights.shape[0]
    # PyTorch keeps the weights of a layer as (outputs, inputs).
    turned = all(layer.biases.shape == layer.weights.shape[:1] != layer.weights.shape[1:] for layer in layers)
    for place, layer in enumerate(layers):
        inputs, outputs = layer.weights.shape
        if inputs != width or layer.biases.shape != (outputs,):
            raise ValueError(
                f"layer {place} has weights of shape {layer.weights.shape} and biases of shape {layer.biases.shape}, "
                f"expected ({width}, N) and (N,){': transpose the weights' if turned else ''}"
            )
        if not (np.isfinite(layer.weights).all() and np.isfinite(layer.biases).all()):
            raise ValueError(f"layer {place} has weights that are not finite: train again")
        width = outputs
    columns, of_moves = len(first.columns), len(first.move_columns)
    inputs = layers[0].weights.shape[0]
    expected = {(columns, first.num_actions)} | ({(columns + of_moves, 1)} if of_moves else set())
    if (inputs, width) not in expected:
        shapes = " or ".join(f"{inputs} inputs and {outputs} outputs" for inputs, outputs in sorted(expected))
        raise ValueError(
            f"a network of {inputs} inputs and {width} outputs, expected {shapes} for {first.game} {first.options}"
        )
    head = {"game": first.game, "options": first.options, "version": first.version, "columns": columns}
    parts = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    written = []
    for layer in layers:
        rows = ",\n".join(json.dumps(row) for row in layer.weights.tolist())
        biases, activation = json.dumps(layer.biases.tolist()), json.dumps(layer.activation)
        written.append(f'{{"activation": {activation},\n"biases": {biases},\n"weights": [\n{rows}]}}')
    return "{" + ",\n".join([*parts, '"layers": [' + ",\n".join(written) + "]"]) + "}\n"


def _of_arrays(layers: Any) -> list[_Layer]:
    try:
        pairs = [(_array(weights), _array(biases)) for weights, biases in layers]
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"a policy of type {type(layers).__name__}, expected pairs of weights and biases, a torch.nn.Sequential, "
            "or the path of a program with a function choose"
        ) from error
    for weights, _ in pairs:
        if weights.ndim != 2:
            raise ValueError(f"weights of shape {weights.shape}, expected (inputs, outputs)")
    last = len(pairs) - 1
    return [_Layer(*pair, "relu" if place < last else "none") for place, pair in enumerate(pairs)]


def _of_torch(network: Any) -> list[_Layer]:
    """The layers of a `torch.nn.Sequential`."""
    layers: list[_Layer] = []
    for part in network.children():
        kind = type(part).__name__
        if kind == "Linear":
            weights = _array(part.weight).T
            biases = np.zeros(weights.shape[1]) if part.bias is None else _array(part.bias)
            layers.append(_Layer(weights, biases, "none"))
        elif kind in ("ReLU", "Tanh") and layers and layers[-1].activation == "none":
            layers[-1] = layers[-1]._replace(activation=kind.lower())
        else:
            raise ValueError(
                f"a part {kind} in the network, expected a Sequential of Linear with ReLU or Tanh between them; for "
                "anything else, write a program with a function choose"
            )
    return layers


def _array(values: Any) -> NDArray[np.float64]:
    """The numbers of an array, or of a tensor of PyTorch."""
    detached = values.detach().cpu().numpy() if hasattr(values, "detach") else values
    values = np.asarray(detached, np.float64)
    # As many digits as a float32 has keep the folder small, whatever the scale of a layer.
    return np.array([float(f"{value:.7g}") for value in values.flat]).reshape(values.shape)
