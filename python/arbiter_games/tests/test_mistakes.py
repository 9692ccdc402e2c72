"""Mistakes of those who train: each message says what is wrong and what is expected."""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import arbiter_games

SIZES = (176, 32, 55)


def network(*sizes: int, turned: bool = False) -> list[tuple[Any, Any]]:
    """Layers of zeros; as PyTorch keeps them if they are turned."""
    shapes = [pair[::-1] if turned else pair for pair in zip(sizes, sizes[1:])]
    return [(np.zeros(shape), np.zeros(shape[0] if turned else shape[1])) for shape in shapes]


def over() -> arbiter_games.State:
    state = arbiter_games.state("coup", seed=1)
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    return state


def bot(policy: Any, options: str = "") -> Any:
    return arbiter_games.bot(policy, "bot", "coup", options)


def measure(policy: Any, opponent: str = "greedy") -> Any:
    return arbiter_games.measure(policy, "coup", opponent, games=2)


MISTAKES: list[tuple[Callable[[], Any], type[Exception], str]] = [
    # Games.
    (lambda: arbiter_games.state("Coup"), ValueError, "no game `Coup`, expected one of tablic, coup, durak"),
    (lambda: arbiter_games.state("coup", "players=4"), ValueError, "expected `seats=4` or .*, found `players=4`"),
    (lambda: arbiter_games.state("coup", seed=1.5), ValueError, "expected a seed .*, found `1.5`"),  # type: ignore[arg-type]
    (lambda: arbiter_games.state("coup", opponent="gredy"), ValueError, "called `gredy`, expected one such as `greedy`"),
    (lambda: arbiter_games.batch("coup", "seats=2"), TypeError, "size 'seats=2', expected a whole number"),  # type: ignore[arg-type]
    # Actions.
    (lambda: arbiter_games.state("coup", seed=1).apply_action(54), ValueError, "not legal here, expected one of 0, 1"),
    (lambda: arbiter_games.state("coup").apply_action(np.float32(3)), TypeError, "action .*3.0.*, expected a whole"),  # type: ignore[arg-type]
    (lambda: over().apply_action(0), ValueError, "the game is over, expected no action"),
    (lambda: over().action_to_string(0), ValueError, "the game is over, expected no action"),
    (lambda: arbiter_games.state("coup").player_return(5), ValueError, "player 5, expected one from 0 to 1"),
    (lambda: arbiter_games.batch("coup", 4).step([0]), ValueError, r"actions of shape \(1,\), expected \(4,\)"),
    (lambda: arbiter_games.deserialize("abc"), ValueError, "no state, expected a text that State.serialize made"),
    # Measures.
    (lambda: measure(network(*SIZES)), TypeError, "policy of type list, expected a function of a batch and a step"),
    (lambda: measure(lambda batch, step: step.action_mask), ValueError, r"actions of shape .*, expected \(2,\)"),
    (lambda: measure(lambda batch, step: None), TypeError, "expected whole numbers"),
    (lambda: arbiter_games.SelfPlay("coup"), TypeError, r"expected a batch: arbiter_games.batch\(game, size\)"),  # type: ignore[arg-type]
    # Bots.
    (lambda: bot(network(*SIZES, turned=True)), ValueError, r"layer 0 .* expected \(32, N\) .*: transpose the weights"),
    (lambda: bot(network(*SIZES), "seats=3"), ValueError, "expected 222 inputs and 58 outputs for coup seats=3"),
    (lambda: bot(lambda observation: 0), TypeError, "policy of type function, expected pairs of weights and biases"),
    (lambda: bot("none.py"), FileNotFoundError, "none.py: no such file, expected one for the bot"),
    (lambda: bot("nameless.py"), ValueError, r"nameless.py: no function choose\(observation\), expected one"),
    (lambda: bot("broken.py"), ValueError, "broken.py: no program of Python"),
    (lambda: arbiter_games.bot(network(*SIZES), "old", "coup"), FileExistsError, "old: it exists, expected a new folder"),
    (lambda: arbiter_games.observe("7S"), ValueError, r"no request: .*, expected a text such as State.request\(\) gives"),
    (lambda: arbiter_games.observe(over().request()), TypeError, "None, expected .*; a game that is over has no"),  # type: ignore[arg-type]
]


PROGRAMS = [
    "choose = print\n",
    "choose: object = max\n",
    "choose, other = min, max\n",
    "from random import choice as choose\n",
    "from random import *\n",
    "class choose: ...\n",
    "try:\n    import numpy\n    def choose(observation): ...\nexcept ImportError:\n    choose = max\n",
    "if True:\n    async def choose(observation): ...\n",
    "for choose in (min, max):\n    pass\n",
    "def set_up():\n    global choose\n    choose = max\nset_up()\n",
]

# None of them binds the name for those who import it.
NAMELESS = [
    "def chose(observation):\n    return 0\n",
    "class Bot:\n    def choose(self, observation):\n        return 0\n",
    "def inner():\n    choose = max\n",
    "print(choose)\n",
]


@pytest.mark.parametrize(("mistake", "kind", "expected"), MISTAKES)
def test_a_mistake_is_told_with_what_is_expected(
    mistake: Callable[[], Any],
    kind: type[Exception],
    expected: str,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nameless.py").write_text("def chose(observation):\n    return 0\n")
    (tmp_path / "broken.py").write_text("def choose(observation) return 0\n")
    (tmp_path / "old").mkdir()
    with pytest.raises(kind, match=expected) as told:
        mistake()
    assert "\n" not in str(told.value)
    assert not (tmp_path / "bot").exists(), "nothing is written"


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_has_its_function_in_any_way(program: str, tmp_path: pathlib.Path) -> None:
    policy = tmp_path / "policy.py"
    policy.write_text(program)
    assert bot_of(policy, tmp_path / "bot").is_dir()


@pytest.mark.parametrize("program", NAMELESS)
def test_a_program_without_its_function_is_refused(program: str, tmp_path: pathlib.Path) -> None:
    policy = tmp_path / "policy.py"
    policy.write_text(program)
    with pytest.raises(ValueError, match="no function choose"):
        bot_of(policy, tmp_path / "bot")


def bot_of(policy: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    return arbiter_games.bot(policy, folder, "coup")
