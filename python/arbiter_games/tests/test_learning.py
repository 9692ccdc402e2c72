"""The programs in examples/learning: their training, and the bots that come out of it."""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import arbiter_games

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = pathlib.Path(os.environ.get("ARBITER_EXAMPLES", ROOT / "examples"))
LEARNING = EXAMPLES / "learning"
GAMES = ("coup", "tablic")


#: The modules in the folder of a bot.
MODULES = ("network", "observing", "policy")


def load(path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A program as a module that finds the modules beside it, and no others of these names."""
    for name in (*MODULES, "shared"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(str(path.parent))
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def trainer(game: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load(LEARNING / f"{game}.py", monkeypatch)


def read_model(path: pathlib.Path, shared: ModuleType) -> Any:
    """The model of a file of weights."""
    read = json.loads(path.read_text())
    layers = [(np.array(it["weights"]), np.array(it["biases"])) for it in read["layers"]]
    return shared.Model(read["game"], read["options"], layers)


def agree(game: str, folder: pathlib.Path, deals: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot plays what the model says."""
    training = trainer(game, monkeypatch)
    model = read_model(folder / "weights.json", sys.modules["shared"])
    bot = load(folder / "bot.py", monkeypatch)
    choose = bot.policy.choose if game == "tablic" else bot.network.beside(bot.__file__).choose
    rng = np.random.default_rng(7)
    for deal in range(deals):
        state = arbiter_games.state(game, model.options, seed=3, deal=deal)
        while not state.is_terminal():
            row, legal, rows = state.observation(), state.legal_actions(), state.moves()
            if game == "tablic":
                inputs = training.features(np.repeat(row[None], len(rows), axis=0), rows)
                best = legal[int(model.scores(inputs)[:, 0].argmax())]
            else:
                mask = state.legal_actions_mask() != 0
                best = int(np.where(mask, model.scores(row[None])[0], -np.inf).argmax())
            assert choose(bot.observing.read(state.request())) == best
            # Half of the moves at random, so that it sees more than games between good players.
            state.apply_action(best if rng.random() < 0.5 else int(rng.choice(legal)))


@pytest.mark.parametrize("game", GAMES)
def test_the_bots_in_the_repository_agree_with_the_package(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    agree(game, LEARNING / "bots" / game, {"coup": 100, "tablic": 8}[game], monkeypatch)


@pytest.mark.parametrize("game", GAMES)
def test_a_training_can_be_repeated_and_exports_a_bot(
    game: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    training = trainer(game, monkeypatch)
    export = sys.modules["shared"].export
    texts = []
    for place, seed in enumerate((5, 5, 6)):
        (*_, model) = training.train(seed, rounds=2, games=32)
        export(model, tmp_path / str(place))
        texts.append((tmp_path / str(place) / "weights.json").read_text())
    assert texts[0] == texts[1] and texts[0] != texts[2]
    agree(game, tmp_path / "2", {"coup": 10, "tablic": 2}[game], monkeypatch)


def run(program: str, folder: pathlib.Path) -> list[str]:
    """Trains for a round, and gives the names of the files of the bot."""
    package = pathlib.Path(arbiter_games.__file__).resolve().parents[1]
    words = ["--rounds", "1", "--games", "8", "--bot", str(folder)]
    done = subprocess.run(
        [sys.executable, str(LEARNING / program), *words],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(package), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "in 8 games against greedy" in done.stdout
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("game", GAMES)
def test_the_program_trains_measures_and_exports(game: str, tmp_path: pathlib.Path) -> None:
    names = run(f"{game}.py", tmp_path / "bot")
    program = {"coup": [], "tablic": ["policy.py"]}[game]
    assert names == ["bot.py", "bot.toml", "network.py", "observing.py", *program, "weights.json"]


def test_the_program_in_pytorch_trains_measures_and_exports(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("torch")
    names = run("coup_torch.py", tmp_path / "bot")
    assert names == ["bot.py", "bot.toml", "network.py", "observing.py", "weights.json"]
    agree("coup", tmp_path / "bot", 10, monkeypatch)


@pytest.mark.parametrize("game", GAMES)
def test_a_bot_lives_for_a_game_with_the_standard_library_alone(game: str) -> None:
    requests = sorted((EXAMPLES / "requests" / game).glob("*.txt"))
    texts = [path.read_text() for path in requests]
    assert len(texts) > 10
    program = LEARNING / "bots" / game / "bot.py"
    # Without `site` there are no packages.
    done = subprocess.run(
        [sys.executable, "-B", "-E", "-S", str(program)],
        input="".join(texts),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    answers = done.stdout.splitlines()
    for text, answer in zip(texts, answers, strict=True):
        legal = text.partition("\nlegal ")[2].splitlines()[1:-1]
        assert answer in legal


def test_the_bot_for_coup_says_what_it_was_trained_for() -> None:
    request = sorted((EXAMPLES / "requests/coup-court").glob("*.txt"))[0].read_text()
    asked = next(line for line in request.splitlines() if line.startswith("game "))
    words = [sys.executable, "-B", str(LEARNING / "bots/coup/bot.py")]
    done = subprocess.run(words, input=request, capture_output=True, text=True)
    assert done.returncode == 1
    expected = "but trained for `coup seats=2 rules=contest`: play that, or train another bot"
    assert done.stderr == f"asked for `{asked.removeprefix('game ')}`, {expected}\n"


def test_the_bots_have_the_files_of_the_package() -> None:
    package = pathlib.Path(arbiter_games.__file__).resolve().parent
    for game in GAMES:
        for name in ("network.py", "observing.py"):
            copy = LEARNING / "bots" / game / name
            assert copy.read_text() == (package / f"_{name}").read_text(), copy
    policy = LEARNING / "bots/tablic/policy.py"
    assert policy.read_text() == (LEARNING / "tablic_policy.py").read_text()


def test_a_bot_is_small() -> None:
    for game in GAMES:
        folder = LEARNING / "bots" / game
        size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
        assert size < 300_000, game
