"""Copies and pickles of states, batches and environments: independent, and they go on as the original does."""

import copy
import os
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import arbiter_games
from arbiter_games import State

COPIES: list[Callable[[Any], Any]] = [
    copy.deepcopy,
    copy.copy,
    lambda it: pickle.loads(pickle.dumps(it)),
    lambda it: pickle.loads(pickle.dumps(it, protocol=2)),
    # A pickle of what was restored.
    lambda it: copy.deepcopy(pickle.loads(pickle.dumps(it))),
]

GAMES = [("tablic", ""), ("tablic", "seats=4"), ("coup", ""), ("coup", "seats=4"), ("durak", "seats=3")]


def told(state: State) -> tuple[object, ...]:
    """All that a state tells."""
    seats = range(state.num_players)
    return (
        (state.game, state.options, state.deal, state.version, state.current_player(), state.legal_actions()),
        (state.history(), state.scores(), state.request()),
        [state.observation(seat).tolist() for seat in seats],
        [state.information_state_string(seat) for seat in seats],
        state.moves().tolist(),
    )


def play_on(state: State, most: int = 10_000) -> list[tuple[object, ...]]:
    """Plays to the end, always in the same way, and gives all that is told on the way."""
    all_told = [told(state)]
    for number in range(most):
        if state.is_terminal():
            break
        legal = state.legal_actions()
        state.apply_action(legal[(7 * number + 3) % len(legal)])
        all_told.append(told(state))
    return all_told


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize(("game", "options"), GAMES)
@pytest.mark.parametrize("opponent", [None, "greedy", "random"])
def test_a_copy_of_a_state_goes_on_alike(
    game: str, options: str, opponent: str | None, copied: Callable[[Any], Any]
) -> None:
    for played in (0, 1, 5, 10_000):
        state = arbiter_games.state(game, options, seed=7, deal=3, opponent=opponent)
        play_on(state, played)
        before = told(state)
        twin = copied(state)
        assert type(twin) is State and told(twin) == before
        went_on = play_on(twin)
        assert told(state) == before, "the copy is not independent"
        assert play_on(state) == went_on
        assert told(copied(state)) == told(twin)
        assert told(state.next_deal()) == told(twin.next_deal())


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("game", arbiter_games.GAMES)
def test_a_copy_of_a_clone_and_of_a_resampled_state_goes_on_alike(game: str, copied: Callable[[Any], Any]) -> None:
    state = arbiter_games.state(game, seed=7, opponent="greedy")
    play_on(state, 2)
    clone = state.clone()
    other = state.clone(seed=11)
    play_on(other, 3)
    drawn = state.resample(state.current_player(), seed=12)
    play_on(drawn, 2)
    both = other.resample(max(other.current_player(), 0), seed=13).clone(seed=14)
    for one in (clone, other, drawn, both):
        twin = copied(one)
        assert told(twin) == told(one)
        assert play_on(twin) == play_on(one)
        assert told(twin.next_deal()) == told(one.next_deal())


def test_a_restored_game_is_saved_as_a_log(tmp_path: Any) -> None:
    state = arbiter_games.state("coup", seed=7)
    play_on(state, 3)
    twin = pickle.loads(pickle.dumps(state))
    play_on(state), play_on(twin)
    state.save(tmp_path / "one.jsonl")
    twin.save(tmp_path / "other.jsonl")
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "other.jsonl").read_bytes()


def test_what_a_copied_opponent_has_learned_is_kept() -> None:
    # It watches its opponent, and a player that has seen nothing would play otherwise.
    state = arbiter_games.state("coup", seed=5, opponent="expert", learner=0)
    play_on(state, 4)
    twin = copy.deepcopy(state)
    assert play_on(state) == play_on(twin)


@pytest.mark.parametrize("copied", COPIES)
@pytest.mark.parametrize("opponent", [None, "greedy"])
def test_a_copy_of_a_batch_goes_on_alike(opponent: str | None, copied: Callable[[Any], Any]) -> None:
    def play_batch(batch: arbiter_games.Batch, steps: int) -> list[list[Any]]:
        return [[row.tolist() for row in batch.step(batch.random_actions())] for _ in range(steps)]

    batch = arbiter_games.batch("durak", 5, seed=3, opponent=opponent, threads=2)
    play_batch(batch, 150)
    twin = copied(batch)
    before = [row.tolist() for row in batch.observe()]
    assert len(twin) == 5 and [row.tolist() for row in twin.observe()] == before
    went_on = play_batch(twin, 150)
    assert [row.tolist() for row in batch.observe()] == before, "the copy is not independent"
    assert play_batch(batch, 150) == went_on
    assert any(any(step[4]) for step in went_on)


def test_environments_are_copied_deeply() -> None:
    pytest.importorskip("pettingzoo")
    copies = [copied for copied in COPIES if copied is not copy.copy]

    def play_env(env: Any) -> list[object]:
        seen: list[object] = []
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            legal = np.flatnonzero(observation["action_mask"])
            seen.append((agent, reward, terminated, env.render(), legal.tolist()))
            env.step(None if terminated or truncated else int(legal[len(seen) % len(legal)]))
        return seen

    for copied in copies:
        env = arbiter_games.env("durak", options="seats=3")
        twin = copied(env)
        with pytest.raises(AttributeError, match=r"expected a call of reset\(\)"):
            twin.last()
        env.reset(seed=5)
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
        twin = copied(env)
        assert play_env(twin) == play_env(env)
        # The next deal of the same seed.
        env.reset(), twin.reset()
        assert play_env(twin) == play_env(env)


def test_environments_of_gymnasium_are_copied_deeply() -> None:
    pytest.importorskip("gymnasium")

    def play_single(env: Any) -> list[object]:
        seen: list[object] = []
        ended = False
        while not ended:
            legal = np.flatnonzero(env.action_masks())
            observation, reward, ended, _, info = env.step(int(legal[len(seen) % len(legal)]))
            seen.append((observation["observation"].tolist(), reward, info))
        return seen

    for copied in (copied for copied in COPIES if copied is not copy.copy):
        env = arbiter_games.single("coup", "greedy")
        env.reset(seed=5)
        twin = copied(env)
        assert play_single(twin) == play_single(env)
        env.reset(), twin.reset()
        assert play_single(twin) == play_single(env)


def changed(pickled: Any, change: Callable[[list[Any]], None]) -> Any:
    """What `__reduce__` gives, with its arguments changed."""
    function, arguments = pickled.__reduce__()
    told = [arguments[0], arguments[1], [dict(arguments[2][0]), *arguments[2][1:]]]
    change(told)
    told[2] = tuple(told[2])
    return function(*told)


def test_a_pickle_of_another_version_or_a_wrong_one_is_refused_with_a_sentence() -> None:
    state = arbiter_games.state("coup", seed=7)
    play_on(state, 3)
    batch = arbiter_games.batch("coup", 2, seed=7, threads=1)

    def set_format(told: list[Any]) -> None:
        told[0] = 2

    def set_package(told: list[Any]) -> None:
        told[1] = "0.0.1"

    def set_columns(told: list[Any]) -> None:
        told[2][0]["columns"] += 1

    def set_rules(told: list[Any]) -> None:
        told[2][0]["rules"] = "00"

    def set_seed(told: list[Any]) -> None:
        told[2][0]["seed"] = "x"

    def set_form(told: list[Any]) -> None:
        told[2] = ["nothing"]

    cases: list[tuple[Callable[[list[Any]], None], str]] = [
        (set_format, "pickled by version .* of arbiter-games, but this is version"),
        (set_package, "pickled by version 0.0.1 of arbiter-games, but this is version"),
        (set_columns, "version .* of the columns of coup"),
        (set_rules, "the rules of `coup` have changed"),
        (set_seed, "seed"),
        (set_form, "the pickle is damaged"),
    ]
    for change, expected in cases:
        for one in (state, batch._core):
            with pytest.raises(ValueError, match=expected):
                changed(one, change)

    def set_moves(moves: list[str]) -> Callable[[list[Any]], None]:
        def change(told: list[Any]) -> None:
            told[2][3] = moves

        return change

    def set_branch(told: list[Any]) -> None:
        told[2][2] = [(99, None, "7")]

    play_on(state)
    moves = state.__reduce__()[1][2][3]  # type: ignore[index]
    for change, expected in [
        (set_moves(["nonsense\x1b"]), r"cannot restore the game: move `nonsense\\u\{1b\}` is not a move"),
        (set_moves([moves[-1]] * 50), "cannot restore the game"),
        (set_moves([*moves, moves[-1]]), "comes after the end"),
        (set_branch, "branches after move 99"),
    ]:
        with pytest.raises(ValueError, match=expected):
            changed(state, change)


@pytest.mark.skipif("ARBITER_GAME" not in os.environ, reason="no game of one's own was built")
def test_a_state_of_a_custom_game_is_copied() -> None:
    state = arbiter_games.state(os.environ["ARBITER_GAME"], seed=7)
    play_on(state, 1)
    for copied in COPIES:
        twin = copied(state)
        assert told(twin) == told(state)
        assert play_on(twin) == play_on(state.clone())
