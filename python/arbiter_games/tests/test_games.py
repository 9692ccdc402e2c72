"""Games, batches and logs. The number of episodes a game is EPISODES, 100 unless it is set."""

import json
import os
import pathlib
import subprocess
import threading

import numpy as np
import pytest

import arbiter_games

ROOT = pathlib.Path(__file__).resolve().parents[3]
EXAMPLES = pathlib.Path(os.environ.get("ARBITER_EXAMPLES", ROOT / "examples"))
EPISODES = int(os.environ.get("EPISODES", "100"))
#: The program `arbiter`, which checks what is written here.
ARBITER = os.environ.get("ARBITER", str(ROOT / "target/debug/arbiter"))

GAMES = [
    ("tablic", "seats=2"),
    ("tablic", "seats=4"),
    ("coup", "seats=2 rules=contest"),
    ("coup", "seats=4 rules=court"),
    ("durak", "seats=2 deck=36 transfer=off first-limit=6 throwers=all"),
    ("durak", "seats=4 deck=52 transfer=on first-limit=5 throwers=neighbours"),
]


def arbiter(*words: str, cwd: pathlib.Path) -> subprocess.CompletedProcess[str]:
    if not os.path.exists(ARBITER):
        pytest.skip("no program arbiter; set ARBITER to its path")
    return subprocess.run([ARBITER, *words], cwd=cwd, capture_output=True, text=True)


def played(game: str, options: str, deal: int, rng: np.random.Generator) -> arbiter_games.State:
    state = arbiter_games.state(game, options, seed=7, deal=deal)
    while not state.is_terminal():
        legal = state.legal_actions()
        assert list(np.flatnonzero(state.legal_actions_mask())) == sorted(legal)
        state.apply_action(int(rng.choice(legal)))
    return state


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_episodes_are_logs_that_verify(game: str, options: str, tmp_path: pathlib.Path) -> None:
    rng = np.random.default_rng(1)
    states = [played(game, options, deal, rng) for deal in range(EPISODES)]
    arbiter_games.save_log(tmp_path / "games.jsonl", states)
    verified = arbiter("verify", "games.jsonl", cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    log = arbiter_games.open_log(tmp_path / "games.jsonl")
    assert len(log) == EPISODES and log.header["options"] == options
    points = log.games().pivot(index="game", columns="seat", values="points")
    assert points.to_numpy().tolist() == [state.scores() for state in states]
    assert [record["events"] for record in log.records] == [state.history() for state in states]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_built_in_players_play_as_in_a_simulation(
    game: str, options: str, tmp_path: pathlib.Path
) -> None:
    seats = int(options[6])
    states = []
    for deal in range(5):
        state = arbiter_games.state(game, options, seed=42, deal=deal)
        while not state.is_terminal():
            state.apply_action(state.choose("greedy"))
        states.append(state)
    names = ["greedy" if seat == 0 else f"greedy-{seat + 1}" for seat in range(seats)]
    arbiter_games.save_log(tmp_path / "ours.jsonl", states, names)
    bots = ["greedy"] * seats
    made = arbiter(
        "simulate", "--game", game, "--options", options.partition(" ")[2], "--deals", "5", "--order", "fixed",
        "--seed", "42", "--log", "theirs.jsonl", *bots, cwd=tmp_path,
    )
    assert made.returncode == 0, made.stderr
    ours, theirs = (
        [json.loads(line) for line in (tmp_path / name).read_text().splitlines()]
        for name in ("ours.jsonl", "theirs.jsonl")
    )
    games = [[line["game"]["inputs"] for line in log if "game" in line] for log in (ours, theirs)]
    assert games[0] == games[1]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_player_sees_nothing_hidden(game: str, options: str) -> None:
    rng = np.random.default_rng(2)
    worlds = 0
    for deal in range(3):
        state = arbiter_games.state(game, options, seed=3, deal=deal)
        while not state.is_terminal():
            for player in range(state.num_players):
                other = state.resample(player, seed=worlds)
                assert (state.observation(player) == other.observation(player)).all()
                told = [it.information_state_string(player) for it in (state, other)]
                assert told[0] == told[1]
                if player == state.current_player():
                    assert state.legal_actions() == other.legal_actions()
                    assert (state.moves() == other.moves()).all()
                worlds += 1
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert worlds > 20


def test_a_state_says_what_it_is() -> None:
    state = arbiter_games.state("coup", seed=5)
    assert repr(state) == "<state of coup seats=2 rules=contest, deal 0>"
    assert len(state.columns) == len(state.observation()) and len(set(state.columns)) == len(state.columns)
    assert len(state.action_names) == state.num_actions == len(set(state.action_names))
    action = state.string_to_action("TAX")
    assert state.action_to_string(action) == state.action_names[action] == "tax"
    request = state.request()
    assert request is not None and request.startswith("arbiter 1\ngame coup seats=2 rules=contest\n")
    assert state.view(0) in request and state.view(0) in state.information_state_string()
    assert state.returns() == [0, 0] and state.scores() == []


def test_a_clone_shares_the_future_unless_it_has_a_seed() -> None:
    state = arbiter_games.state("tablic", seed=5)
    copies = [state.clone(), state.clone(), state.clone(seed=1)]
    for copy in copies:
        while not copy.is_terminal():
            copy.apply_action(copy.legal_actions()[0])
    assert copies[0].history() == copies[1].history() != copies[2].history()
    assert not state.is_terminal()
    with pytest.raises(ValueError, match="other chance"):
        copies[2].save("never.jsonl")


def test_the_next_deal_has_the_same_opponent() -> None:
    first = arbiter_games.state("coup", seed=7, opponent="greedy", learner=0)
    following = first.next_deal()
    expected = arbiter_games.state("coup", seed=7, deal=1, opponent="greedy", learner=0)
    while not following.is_terminal():
        assert following.current_player() == 0 and following.history() == expected.history()
        for state in (following, expected):
            state.apply_action(state.legal_actions()[0])


def test_a_drawn_game_says_nothing_of_the_real_future() -> None:
    state = arbiter_games.state("coup", seed=11)
    drawn = state.resample(0, seed=5)
    assert drawn.next_deal().history() != state.next_deal().history()
    while not drawn.is_terminal():
        drawn.apply_action(drawn.legal_actions()[0])
    with pytest.raises(ValueError, match="resampled"):
        drawn.save("never.jsonl")


def test_a_thread_that_waits_stops_no_other() -> None:
    batch = arbiter_games.batch("coup", 4)
    other = threading.Thread(target=lambda: [batch.step(batch.random_actions()) for _ in range(200)])
    other.start()
    for _ in range(200):
        assert len(batch) == 4 and batch.observe().player.shape == (4,)
    other.join()


def test_moves_are_valued() -> None:
    state = arbiter_games.state("durak", seed=5)
    values = state.evaluate(worlds=20)
    assert {action for action, *_ in values} <= set(state.legal_actions())
    assert all(0 <= share <= 1 and error >= 0 for _, _, share, error in values)


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_batch_is_as_many_states(game: str, options: str) -> None:
    size = 6
    batch = arbiter_games.batch(game, size, options, seed=9)
    states = [arbiter_games.state(game, options, seed=9, deal=deal) for deal in range(size)]
    step = batch.observe()
    for _ in range(60):
        rows, counts = batch.moves()
        assert counts.tolist() == [len(state.legal_actions()) for state in states]
        assert rows.shape == (counts.sum(), len(batch.move_columns))
        actions = batch.random_actions()
        scores = np.zeros((size, batch.num_players), np.float32)
        for place, state in enumerate(states):
            assert step.player[place] == state.current_player()
            assert (step.observation[place] == state.observation()).all()
            assert (step.action_mask[place] == state.legal_actions_mask()).all()
            state.apply_action(actions[place])
            if state.is_terminal():
                scores[place] = state.scores()
                deal = state.deal + size
                states[place] = arbiter_games.state(game, options, seed=9, deal=deal)
        step = batch.step(actions)
        assert (step.scores == scores).all() and (step.ended == scores.any(axis=1)).all()
        assert np.allclose(step.rewards.sum(axis=1), 0, atol=1e-5)


def test_a_batch_plays_against_a_built_in_player() -> None:
    batch = arbiter_games.batch("coup", 8, seed=1, opponent="greedy", learner=1, threads=2)
    for _ in range(50):
        step = batch.step(batch.choose("greedy"))
        assert (step.player == 1).all()


def test_values_from_outside_are_checked() -> None:
    for wrong, problem in [
        (lambda: arbiter_games.state("chess"), "no game `chess`, expected one of tablic"),
        (lambda: arbiter_games.state("coup", "seats=9"), "2 to 6 seats"),
        (lambda: arbiter_games.state("coup", seed=-1), "seed"),
        (lambda: arbiter_games.state("coup", opponent="nobody"), "nobody"),
        (lambda: arbiter_games.state("coup", opponent=""), "no name of a player"),
        (lambda: arbiter_games.state("coup", opponent="greedy", learner=5), "seat 5"),
        (lambda: arbiter_games.state("coup").apply_action(54), "action 54 is not legal"),
        (lambda: arbiter_games.state("coup").string_to_action("fly"), "`fly`"),
        (lambda: arbiter_games.state("coup").observation(2), "player 2, expected"),
        (lambda: arbiter_games.state("coup").choose("lowest"), "lowest"),
        (lambda: arbiter_games.state("coup", "seats=4").evaluate(), "no move values"),
        (lambda: arbiter_games.batch("coup", 0), "0 games at once"),
        (lambda: arbiter_games.batch("coup", 2, threads=0), "0 threads, expected 1 to 1024"),
        (lambda: arbiter_games.batch("coup", 2).step([0, -1]), "game 1: action -1 is not legal"),
        (lambda: arbiter_games.batch("coup", 2).step([0, 54]), "game 1: action 54 is not legal"),
        (lambda: arbiter_games.batch("coup", 2).step([0]), "actions of shape"),
        (lambda: arbiter_games.batch("coup", 2, learner=1), "learner 1 without an opponent"),
        (lambda: arbiter_games.state("coup", learner=1), "learner 1 without an opponent"),
        (lambda: arbiter_games.state("coup", deal=-1), "deal -1, expected a whole number"),
        (lambda: arbiter_games.state("coup", deal=2**30), "deal 1073741824, expected 0 to"),
        (lambda: arbiter_games.state("coup").apply_action(-1), "action -1, expected"),
        (lambda: arbiter_games.state("coup").apply_action(2**70), "expected a whole number"),
        (lambda: arbiter_games.state("coup").action_to_string(54), "54 is not legal here, expected one of 0"),
        (lambda: arbiter_games.state("coup").evaluate(0), "0 worlds"),
        (lambda: arbiter_games.save_log("x.jsonl", []), "no games"),
        (lambda: arbiter_games.state("coup").save("x.jsonl"), "not over"),
        (lambda: arbiter_games.state("coup").save("x.jsonl", ["a", "a"]), "expected 2 different names"),
        (lambda: arbiter_games.state("coup").save("x.jsonl", ["a"]), "expected 2 different names"),
    ]:
        with pytest.raises(ValueError, match=problem):
            wrong()
    coup = arbiter_games.state("coup")
    batch = arbiter_games.batch("coup", 2)
    for mistaken in (1.9, "0", True, np.True_, None, np.array([0, 1])):
        with pytest.raises(TypeError, match="expected a whole number"):
            coup.apply_action(mistaken)
    for mistaken in ([0.9, 0.9], ["0", "0"], [True, True]):
        with pytest.raises(TypeError, match="expected whole numbers"):
            batch.step(mistaken)
    for mistaken in ("ab", [1, 2]):
        with pytest.raises(TypeError, match="expected a list of names"):
            coup.save("x.jsonl", mistaken)
    with pytest.raises(TypeError, match="expected states"):
        arbiter_games.save_log("x.jsonl", [5])
    assert not os.path.exists("x.jsonl")


def test_a_log_is_new_and_of_consecutive_deals(tmp_path: pathlib.Path) -> None:
    rng = np.random.default_rng(3)
    states = [played("coup", "", deal, rng) for deal in (4, 5, 6)]
    states[2].save(tmp_path / "one.jsonl", ["ann", "bob"])
    arbiter_games.save_log(tmp_path / "three.jsonl", states)
    for name in ("one.jsonl", "three.jsonl"):
        verified = arbiter("verify", name, cwd=tmp_path)
        assert verified.returncode == 0, verified.stdout + verified.stderr
    with pytest.raises(FileExistsError, match="expected a new file"):
        states[0].save(tmp_path / "one.jsonl")
    with pytest.raises(ValueError, match="another deal than expected, which is deal 5"):
        arbiter_games.save_log(tmp_path / "two.jsonl", [states[0], states[2]])
    with pytest.raises(OSError):
        states[0].save(tmp_path / "none" / "log.jsonl")


def test_logs_of_the_program_are_frames() -> None:
    for path in sorted((EXAMPLES / "matches").glob("*.jsonl")):
        log = arbiter_games.open_log(path)
        games, moves, standings = log.games(), log.moves(), log.standings()
        assert len(games) == sum(len(record["seats"]) for record in log.records), path
        assert len(moves) == sum(len(record["measured"]) for record in log.records), path
        assert standings.games.sum() == len(games[games.points.notna()]), path
        assert log.end is not None
        points = {player: total for player, total in zip(standings.player, standings.points)}
        names = [player["name"] for player in log.header["players"]]
        assert [points[name] for name in names] == log.end["points"], path


def test_a_log_that_is_cut_off_or_none_is_said_so(tmp_path: pathlib.Path) -> None:
    import gzip

    whole = (EXAMPLES / "matches/coup.jsonl").read_bytes()
    games = len(arbiter_games.open_log(EXAMPLES / "matches/coup.jsonl"))
    path = tmp_path / "log.jsonl"
    path.write_bytes(whole[:-5])
    assert arbiter_games.open_log(path).end is None
    compressed = gzip.compress(whole)
    path.write_bytes(compressed)
    assert len(arbiter_games.open_log(path)) == games
    path.write_bytes(compressed[: len(compressed) // 2])
    arbiter_games.open_log(path)
    for text, problem in [(b"", "no header"), (b"{}\n", "line 1"), (b"[1]\n", "line 1"), (b"\xff\n", "line 1"),
        (b'{"header":5}\n', "line 1"), (b"[" * 100_000 + b"\n", "line 1"), (compressed[:40] + bytes(50), "expected a"),
        (whole.splitlines(True)[0] + b'{"game":5}\n', "line 2")]:
        path.write_bytes(text)
        with pytest.raises(ValueError, match=problem):
            arbiter_games.open_log(path)


def test_no_list_of_a_log_is_too_short_or_too_long(tmp_path: pathlib.Path) -> None:
    import json

    lines = (EXAMPLES / "matches/coup.jsonl").read_text().splitlines()
    path = tmp_path / "log.jsonl"
    for keys in (["seats"], ["result", "scores"], ["result", "out"], ["measured"]):
        for edit in (lambda it: it[:-1], lambda it: [], lambda it: it + it[-1:]):
            game = json.loads(lines[1])
            inner = game["game"]
            for key in keys[:-1]:
                inner = inner[key]
            inner[keys[-1]] = edit(inner[keys[-1]])
            path.write_text(lines[0] + "\n" + json.dumps(game) + "\n")
            with pytest.raises(ValueError, match="line 2"):
                arbiter_games.open_log(path)
    game = json.loads(lines[1])
    game["game"]["seats"][0] = "nobody"
    path.write_text(lines[0] + "\n" + json.dumps(game) + "\n")
    with pytest.raises(ValueError, match="line 2"):
        arbiter_games.open_log(path)


def test_a_game_of_a_log_is_a_page_for_a_notebook(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not os.path.exists(ARBITER):
        pytest.skip("no program arbiter; set ARBITER to its path")
    log = EXAMPLES / "matches/durak.jsonl"
    monkeypatch.setenv("ARBITER", ARBITER)
    page = arbiter_games.show(log, 1)
    page.save(tmp_path / "game.html")
    text = (tmp_path / "game.html").read_text()
    assert 'data-game="1"' in text and "src=" not in text.split("<body>")[0].replace("script.src", "")
    assert page._repr_html_().startswith('<iframe sandbox="allow-scripts" src="data:text/html')
    with pytest.raises(ValueError, match="no game 99"):
        arbiter_games.show(log, 99)
    (tmp_path / "none.jsonl").write_text("nothing\n")
    with pytest.raises(ValueError, match="none.jsonl"):
        arbiter_games.show(tmp_path / "none.jsonl")


def test_moves_of_logs_are_a_file_of_parquet(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    if not os.path.exists(ARBITER):
        pytest.skip("no program arbiter; set ARBITER to its path")
    monkeypatch.setenv("ARBITER", ARBITER)
    logs = [EXAMPLES / "matches" / name for name in ("coup.jsonl", "durak.jsonl")]
    for features, words in (("moves", ["--notes", "eval"]), ("expert", [])):
        path = tmp_path / f"{features}.parquet"
        notes = ["eval"] if words else []
        named = logs[:1] if features == "expert" else logs
        count = arbiter_games.save_parquet(path, named, features=features, notes=notes)
        csv = arbiter("export", "--features", features, *words, *map(str, named), "-o", "all.csv", cwd=tmp_path)
        assert csv.returncode == 0, csv.stderr
        expected = pandas.read_csv(tmp_path / "all.csv")
        (tmp_path / "all.csv").unlink()
        found = pandas.read_parquet(path)
        assert count == len(found) == len(expected) and list(found) == list(expected)
        for name in ("game", "seat", "move", "place", "final_points"):
            assert (found[name] == expected[name]).all(), name
        with pytest.raises(FileExistsError, match="expected a new one"):
            arbiter_games.save_parquet(path, logs)
    (tmp_path / "none.jsonl").write_text("nothing\n")
    with pytest.raises(ValueError, match="none.jsonl"):
        arbiter_games.save_parquet(tmp_path / "new.parquet", tmp_path / "none.jsonl")
    assert sorted(it.name for it in tmp_path.iterdir()) == ["expert.parquet", "moves.parquet", "none.jsonl"]


def test_a_missing_program_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARBITER", "/nowhere/arbiter")
    with pytest.raises(FileNotFoundError, match="pip install arbiter-referee"):
        arbiter_games.show("log.jsonl")


def test_a_module_is_a_game(tmp_path: pathlib.Path) -> None:
    game = os.environ.get("ARBITER_GAME")
    if game is None:
        pytest.skip("no module; set ARBITER_GAME to the folder of a game of one's own")
    rng = np.random.default_rng(1)
    states = []
    for deal in range(20):
        state = arbiter_games.state(game, seed=7, deal=deal)
        while not state.is_terminal():
            copy = state.clone()
            assert copy.history() == state.history() and copy.request() == state.request()
            legal = state.legal_actions()
            assert legal == list(range(len(legal))) and state.choose("random") in legal
            assert state.string_to_action(state.action_to_string(legal[-1])) == legal[-1]
            assert state.view(state.current_player()) in state.information_state_string()
            state.apply_action(int(rng.choice(legal)))
        states.append(state)
    arbiter_games.save_log(tmp_path / "games.jsonl", states)
    verified = arbiter("verify", "games.jsonl", "--game", game, cwd=tmp_path)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    batch = arbiter_games.batch(game, 4, seed=7)
    ended = sum(int(batch.step(batch.random_actions()).ended.sum()) for _ in range(50))
    assert ended > 4
    with pytest.raises(ValueError, match="not built in"):
        states[0].resample(0)


def test_a_program_of_rules_is_refused() -> None:
    with pytest.raises(ValueError, match="is a program, expected a WebAssembly module"):
        arbiter_games.state(str(EXAMPLES / "games/hearts"))


def test_no_logs_are_no_file_of_parquet(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyarrow")
    # The program, which would export the last match, is not even started.
    monkeypatch.setenv("ARBITER", str(tmp_path / "nothing"))
    for logs in ([], (), iter([])):
        with pytest.raises(ValueError, match="no logs, expected at least one"):
            arbiter_games.save_parquet(tmp_path / "new.parquet", logs)
    assert not list(tmp_path.iterdir())
