"""The programs in examples/learning: their training, and the bots that come out of it."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest

import arbiter_games

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = pathlib.Path(os.environ.get("ARBITER_EXAMPLES", ROOT / "examples"))
LEARNING = EXAMPLES / "learning"
GAMES = ("coup", "tablic")


def load(path: pathlib.Path, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A program as a module that finds the modules beside it, and no others of these names."""
    for name in ("policy", "shared"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(str(folder))
    spec = importlib.util.spec_from_file_location(f"{folder.name}_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def trainer(game: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    return load(LEARNING / f"{game}.py", LEARNING, monkeypatch)


def agree(game: str, folder: pathlib.Path, deals: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot sees what the package tells, and plays what the model says."""
    training = trainer(game, monkeypatch)
    model = sys.modules["shared"].read_model(folder / "weights.json")
    bot = load(folder / "bot.py", folder, monkeypatch)
    protocol = sys.modules["policy"]
    network = protocol.Policy(folder / "weights.json")
    rng = np.random.default_rng(7)
    for deal in range(deals):
        state = arbiter_games.state(game, model.options, seed=3, deal=deal)
        assert (model.version, model.columns) == (state.version, state.columns)
        assert model.moves == (state.move_columns or state.action_names)
        while not state.is_terminal():
            request = protocol.read_request(iter(state.request().splitlines()))
            told = bot.columns(request)
            assert told.keys() <= set(state.columns)
            row = state.observation()
            assert network.row(told) == row.tolist()
            legal, rows = state.legal_actions(), state.moves()
            if game == "tablic":
                for move, expected in zip(request.legal, rows, strict=True):
                    columns = bot.move_columns(move, told)
                    assert columns.keys() <= set(state.move_columns)
                    found = [columns.get(name, 0) for name in state.move_columns]
                    assert found == expected.tolist()
                inputs = training.features(np.repeat(row[None], len(rows), axis=0), rows)
                best = legal[int(model.scores(inputs)[:, 0].argmax())]
            else:
                named = [state.action_names.index(bot.action(move)) for move in request.legal]
                assert named == legal
                mask = state.legal_actions_mask() != 0
                best = int(np.where(mask, model.scores(row[None])[0], -np.inf).argmax())
            assert state.string_to_action(bot.choose(network, request)) == best
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
    for seed in (5, 5, 6):
        (*_, model) = training.train(seed, rounds=2, games=32)
        texts.append(model.text())
    assert texts[0] == texts[1] and texts[0] != texts[2]
    export(model, tmp_path / "bot")
    assert (tmp_path / "bot/weights.json").read_text() == texts[2]
    agree(game, tmp_path / "bot", {"coup": 10, "tablic": 2}[game], monkeypatch)


@pytest.mark.parametrize("game", GAMES)
def test_the_program_trains_measures_and_exports(game: str, tmp_path: pathlib.Path) -> None:
    package = pathlib.Path(arbiter_games.__file__).resolve().parents[1]
    words = ["--rounds", "1", "--games", "8", "--bot", str(tmp_path / "bot")]
    done = subprocess.run(
        [sys.executable, str(LEARNING / f"{game}.py"), *words],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(package), "PATH": "", "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "against greedy in 8 other games" in done.stdout
    names = sorted(path.name for path in (tmp_path / "bot").iterdir())
    assert names == ["bot.py", "bot.toml", "policy.py", "weights.json"]


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
    expected = "expected `coup seats=2 rules=contest`: train it for that"
    assert done.stderr == f"asked for `{asked.removeprefix('game ')}`, {expected}\n"


def test_both_bots_share_a_file() -> None:
    first, second = (LEARNING / "bots" / game / "policy.py" for game in GAMES)
    assert first.read_text() == second.read_text()


def test_a_bot_is_small() -> None:
    for game in GAMES:
        folder = LEARNING / "bots" / game
        size = sum(path.stat().st_size for path in folder.iterdir() if path.is_file())
        assert size < 300_000, game
