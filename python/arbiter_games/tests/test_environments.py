"""The interfaces of PettingZoo and Gymnasium, by the tests of these projects."""

import warnings

import numpy as np
import pytest

import arbiter_games
import arbiter_games._single

pytest.importorskip("pettingzoo")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

GAMES = [("tablic", ""), ("coup", ""), ("coup", "seats=4"), ("durak", ""), ("durak", "seats=3")]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_pettingzoo_accepts_an_environment(game: str, options: str) -> None:
    with warnings.catch_warnings():
        # PettingZoo warns of observations that are no pictures.
        warnings.simplefilter("ignore")
        api_test(arbiter_games.env(game, options=options), num_cycles=300)
        seed_test(lambda: arbiter_games.env(game, options=options), num_cycles=100)


def test_an_environment_refuses_wrong_calls() -> None:
    env = arbiter_games.env("coup")
    calls = (env.last, lambda: env.observe("player_0"), env.render, lambda: env.num_agents)
    for call in calls:
        with pytest.raises(AttributeError, match=r"expected a call of reset\(\)"):
            call()
    env.reset(seed=1)
    for action in (env.action_space(env.agent_selection).n, -1, None):
        with pytest.raises(ValueError, match=r"action -?\d+.*, expected"):
            env.step(action)
    for agent in env.agent_iter():
        legal = np.flatnonzero(env.observe(agent)["action_mask"])
        env.step(int(legal[0]) if len(legal) else None)
    with pytest.raises(RuntimeError, match="after the end of the game"):
        env.step(None)


def test_an_environment_goes_on_from_deal_to_deal() -> None:
    def deals() -> list[str]:
        env = arbiter_games.env("coup")
        views = []
        for seed in (7, None, None):
            env.reset(seed=seed)
            views.append(env.unwrapped.state_of_game.view(0))
        return views

    first, second = deals(), deals()
    assert first == second and len(set(first)) > 1
    states = [arbiter_games.state("coup", seed=7, deal=deal).view(0) for deal in range(3)]
    assert first == states


def test_rewards_add_up_to_nothing() -> None:
    env = arbiter_games.env("durak", options="seats=3")
    rng = np.random.default_rng(1)
    for _ in range(5):
        env.reset(seed=1)
        total = 0.0
        for _agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            total += reward
            done = terminated or truncated
            legal = np.flatnonzero(observation["action_mask"])
            env.step(None if done else int(rng.choice(legal)))
        assert abs(total) < 1e-9


@pytest.mark.parametrize("game", arbiter_games.GAMES)
def test_gymnasium_accepts_an_environment(game: str) -> None:
    env = arbiter_games.single(game, "greedy")
    rng = np.random.default_rng(1)
    rewards = []
    for episode in range(20):
        observation, info = env.reset(seed=3 if episode == 0 else None)
        assert info["player"] == episode % 2
        assert env.observation_space.contains(observation)
        ended = False
        while not ended:
            legal = np.flatnonzero(env.action_masks())
            observation, reward, ended, _, _ = env.step(int(rng.choice(legal)))
            assert env.observation_space.contains(observation)
        rewards.append(reward)
    assert np.mean(rewards) < 0


def test_gymnasium_checks_an_environment() -> None:
    class Legal(arbiter_games._single.Single):  # type: ignore[name-defined,misc]
        """Takes any action for a legal one, since the checker draws at random."""

        def step(self, action):  # type: ignore[no-untyped-def]
            legal = self.state.legal_actions()
            return super().step(legal[action % len(legal)])

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(Legal("coup", "greedy"), skip_render_check=True)
