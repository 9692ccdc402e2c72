"""Requests as observations, and policies as bots."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import arbiter_games

ROOT = pathlib.Path(__file__).resolve().parents[3]
#: The program `arbiter`, which checks and plays the bots.
ARBITER = os.environ.get("ARBITER", str(ROOT / "target/debug/arbiter"))

#: Every number of seats, and every set of rules.
GAMES = [
    *(("tablic", f"seats={seats}") for seats in (2, 3, 4, 6, 8, 12, 16, 24, 48)),
    ("coup", "seats=2 rules=contest"),
    *(("coup", f"seats={seats} rules=court") for seats in (2, 3, 4, 5, 6)),
    *(("durak", f"seats={seats}") for seats in (2, 3, 4, 5, 6)),
    ("durak", "seats=2 deck=24 transfer=on first-limit=6 throwers=all"),
    ("durak", "seats=4 deck=52 transfer=on first-limit=5 throwers=neighbours"),
]


def agree(state: arbiter_games.State) -> None:
    """The request of a state tells what the state tells."""
    request = state.request()
    assert request is not None
    seen = arbiter_games.observe(request.encode())
    assert seen.player == state.current_player()
    observation = state.observation()
    assert seen.observation.dtype == observation.dtype
    assert seen.observation.tolist() == observation.tolist(), request
    assert seen.legal_actions == state.legal_actions(), request
    assert seen.action_mask.tolist() == state.legal_actions_mask().tolist()
    assert seen.moves.tolist() == state.moves().tolist(), request
    texts = [state.action_to_string(action) for action in seen.legal_actions]
    assert seen.legal_moves == texts
    information = arbiter_games._observing.read(request).information_state
    assert information == state.information_state_string()


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_request_is_observed_as_its_state(game: str, options: str) -> None:
    rng = np.random.default_rng(4)
    assert arbiter_games.state(game, options).version == arbiter_games._observing.VERSION
    for deal in range(int(os.environ.get("EPISODES", "100")) // 50):
        state = arbiter_games.state(game, options, seed=17, deal=deal)
        while not state.is_terminal():
            agree(state)
            state.apply_action(int(rng.choice(state.legal_actions())))


def test_a_request_of_a_module_is_observed_as_its_state() -> None:
    game = os.environ.get("ARBITER_GAME")
    if game is None:
        pytest.skip("no module; set ARBITER_GAME to the folder of a game of one's own")
    rng = np.random.default_rng(4)
    for deal in range(20):
        state = arbiter_games.state(game, seed=17, deal=deal)
        while not state.is_terminal():
            agree(state)
            state.apply_action(int(rng.choice(state.legal_actions())))


@pytest.mark.parametrize("text", ["", "arbiter 1\n", "end\n", "game coup\nseat x\nview 0\nend\n", "view x\n"])
def test_a_text_that_is_no_request_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        arbiter_games.observe(text)


def layers(inputs: int, outputs: int, hidden: int = 8) -> list[tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(5)
    return [
        (rng.normal(size=(inputs, hidden)), rng.normal(size=hidden)),
        (rng.normal(size=(hidden, outputs)), rng.normal(size=outputs)),
    ]


def to_digits(values: np.ndarray) -> np.ndarray:
    """The numbers as a bot has them."""
    return np.vectorize(lambda value: float(np.format_float_scientific(value, precision=6)))(values)


def answers(folder: pathlib.Path, requests: list[str]) -> list[str]:
    # Without `site` there are no packages.
    words = [sys.executable, "-B", "-E", "-S", str(folder / "bot.py")]
    done = subprocess.run(words, input="".join(requests), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("game", arbiter_games.GAMES)
def test_a_network_is_a_bot_that_plays_its_best_action(game: str, tmp_path: pathlib.Path) -> None:
    state = arbiter_games.state(game, seed=6)
    width, of_moves = len(state.columns), len(state.move_columns)
    network = layers(width + of_moves, 1 if of_moves else len(state.action_names))
    folder = arbiter_games.bot(network, tmp_path / "mine", game)
    requests, expected = [], []
    rng = np.random.default_rng(6)
    (first, bias), (second, last) = [[to_digits(part) for part in layer] for layer in network]
    for deal in range(3):
        state = arbiter_games.state(game, seed=6, deal=deal)
        while not state.is_terminal():
            seen = arbiter_games.observe(state.request())
            row = np.tile(seen.observation, (max(len(seen.moves), 1), 1))
            rows = np.hstack([row, seen.moves]) if of_moves else row[:1]
            outputs = np.round(np.maximum(rows @ first + bias, 0) @ second + last, 9)
            scores = outputs[:, 0] if of_moves else outputs[0][seen.legal_actions]
            best = min(zip(-scores, seen.legal_actions))[1]
            requests.append(state.request())
            expected.append(state.action_to_string(best))
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert answers(folder, requests) == expected


@pytest.mark.parametrize("scale", [1e-6, 1e-4, 1e5])
def test_a_scaled_network_is_the_same_bot(scale: float, tmp_path: pathlib.Path) -> None:
    state = arbiter_games.state("coup", seed=6)
    (first, bias), (second, last) = layers(len(state.columns), len(state.action_names))
    # A rectifier lets the scale of a layer through, and the next layer takes it back.
    scaled = [(first * scale, bias * scale), (second / scale, last)]
    requests = []
    while not state.is_terminal():
        requests.append(state.request())
        state.apply_action(state.legal_actions()[-1])
    plain = arbiter_games.bot([(first, bias), (second, last)], tmp_path / "plain", "coup")
    other = arbiter_games.bot(scaled, tmp_path / "other", "coup")
    assert len(requests) > 5 and answers(other, requests) == answers(plain, requests)
    written, expected = (json.loads((folder / "weights.json").read_text()) for folder in (other, plain))
    for layer, unscaled, factor in zip(written["layers"], expected["layers"], (scale, 1 / scale)):
        assert np.allclose(layer["weights"], np.array(unscaled["weights"]) * factor, rtol=1e-6, atol=0)


@pytest.mark.parametrize("game", ["coup"])
def test_a_bot_passes_the_check(game: str, tmp_path: pathlib.Path) -> None:
    if not os.path.exists(ARBITER):
        pytest.skip("no program arbiter; set ARBITER to its path")
    state = arbiter_games.state(game)
    arbiter_games.bot(layers(len(state.columns), len(state.action_names)), tmp_path / "mine", game)
    words = [ARBITER, "check", "--game", game, "./mine"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mine passes" in done.stdout


def test_a_program_is_a_bot(tmp_path: pathlib.Path) -> None:
    program = tmp_path / "last.py"
    program.write_text(
        "import pathlib\n"
        "WORD = pathlib.Path(__file__).with_name('word.txt').read_text()\n"
        "def choose(observation):\n"
        "    assert WORD == 'there' and observation.seed > 0\n"
        "    return observation.legal_actions[-1]\n"
    )
    (tmp_path / "word.txt").write_text("there")
    word = tmp_path / "word.txt"
    folder = arbiter_games.bot(program, tmp_path / "mine", "durak", name="the-last", files=[word])
    assert 'name = "the-last"' in (folder / "bot.toml").read_text()
    request = arbiter_games.state("durak", seed=1).request()
    legal = arbiter_games.observe(request).legal_moves
    assert answers(folder, [request]) == [legal[-1]]


class Linear:
    """What a layer of PyTorch tells."""

    def __init__(self, inputs: int, outputs: int, bias: bool = True) -> None:
        rng = np.random.default_rng(8)
        self.weight, self.bias = rng.normal(size=(outputs, inputs)), rng.normal(size=outputs) if bias else None


class Tanh:
    pass


class Dropout:
    pass


class Sequential:
    def __init__(self, *parts: object) -> None:
        self.parts = parts

    def children(self) -> tuple[object, ...]:
        return self.parts

    def state_dict(self) -> None:
        pass


def test_a_network_of_pytorch_is_a_bot(tmp_path: pathlib.Path) -> None:
    state = arbiter_games.state("coup", seed=2)
    first, second = Linear(len(state.columns), 5), Linear(5, len(state.action_names), bias=False)
    folder = arbiter_games.bot(Sequential(first, Tanh(), second), tmp_path / "mine", "coup")
    hidden = np.tanh(to_digits(first.weight) @ state.observation() + to_digits(first.bias))
    scores = np.where(state.legal_actions_mask() != 0, second.weight @ hidden, -np.inf)
    assert answers(folder, [state.request()]) == [state.action_to_string(int(scores.argmax()))]
    with pytest.raises(ValueError, match="a part Dropout in the network"):
        arbiter_games.bot(Sequential(first, Dropout(), second), tmp_path / "other", "coup")


def test_a_policy_that_does_not_fit_leaves_nothing_behind(tmp_path: pathlib.Path) -> None:
    width, actions = 176, 55
    good = layers(width, actions)
    (tmp_path / "there").mkdir()
    (tmp_path / "network.py").write_text("")
    for wrong, settings, problem in [
        (layers(width, 54), {}, "176 inputs and 54 outputs, expected 176 inputs and 55 outputs"),
        ([good[0], *layers(9, actions)], {}, r"layer 1 has weights of shape \(9, 8\)"),
        ([], {}, "without layers"),
        ([(np.zeros(3), np.zeros(3))], {}, r"weights of shape \(3,\), expected"),
        ([(np.full((width, actions), np.nan), np.zeros(actions))], {}, "not finite"),
        (good, {"name": "a/b"}, "name 'a/b', expected up to 32"),
        (good, {"options": "seats=9"}, "seats"),
        (good, {"files": [tmp_path / "network.py"]}, "has a file network.py"),
        (tmp_path / "none.py", {}, "no such file"),
    ]:
        with pytest.raises((ValueError, FileNotFoundError), match=problem):
            arbiter_games.bot(wrong, tmp_path / "mine", "coup", **settings)
    with pytest.raises(FileExistsError):
        arbiter_games.bot(good, tmp_path / "there", "coup")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["network.py", "there"]
