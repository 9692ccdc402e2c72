"""The interfaces of PettingZoo and Gymnasium, by the tests of these projects."""

import warnings

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")
import arbiter_games  # noqa: E402
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


@pytest.mark.parametrize("game", arbiter_games.GAMES)
def test_gymnasium_checks_an_environment(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        made = gymnasium.make(f"arbiter_games:arbiter/{game.capitalize()}-v0")
        check_env(made.unwrapped)


def test_an_illegal_action_is_an_error_or_a_forfeit() -> None:
    env = arbiter_games.single("coup")
    env.reset(seed=1)
    with pytest.raises(ValueError, match="action 54 is not legal"):
        env.step(54)
    env = arbiter_games.single("coup", illegal="forfeit")
    env.reset(seed=1)
    _, reward, is_over, _, info = env.step(54)
    assert (reward, is_over, info["forfeit"]) == (-0.5, True, True)
    with pytest.raises(ValueError, match="illegal 'never'"):
        arbiter_games.single("coup", illegal="never")


@pytest.mark.parametrize(
    ("game", "options", "expected"),
    [
        ("tablic", "", -25 / 2),
        ("tablic", "seats=4", -25 / 4),
        ("coup", "", -1 / 2),
        ("coup", "seats=4", -1 / 4),
        ("durak", "", -1 / 2),
        ("durak", "seats=3", -2 / 3),
    ],
)
def test_a_forfeit_costs_what_the_referee_takes(game: str, options: str, expected: float) -> None:
    env = arbiter_games.single(game, "greedy", options, illegal="forfeit")
    rng = np.random.default_rng(2)
    lost, forfeited = [], []
    for episode in range(60):
        env.reset(seed=3 if episode == 0 else None)
        ended, moves = False, 0
        while not ended:
            legal = np.flatnonzero(env.action_masks())
            if episode % 3 == 0 and moves == episode // 6:
                # The tablas of the others count, as in the referee's walkover.
                lines = env.state.history()
                tablas = sum(line.startswith("tabla ") and line != f"tabla {env._own}" for line in lines)
                _, reward, ended, _, info = env.step(-1)
                assert info["forfeit"] and reward == pytest.approx(expected - tablas / env.state.num_players)
                forfeited.append(tablas)
            else:
                _, reward, ended, _, info = env.step(int(rng.choice(legal)))
                if ended:
                    lost.append(reward)
            moves += 1
        for action in (int(legal[0]), -1):
            with pytest.raises(RuntimeError, match=r"after the end of the game, expected a call of reset\(\)"):
                env.step(action)
    assert len(lost) > 30 and len(forfeited) > 1
    if game == "tablic":
        # Later tablas can make a single loss greater.
        assert max(forfeited) > 0 and np.mean(lost) > expected
    else:
        assert min(lost) >= expected - 1e-9


@pytest.mark.parametrize("game", arbiter_games.GAMES)
def test_a_vector_of_environments_is_a_batch(game: str) -> None:
    name = f"arbiter_games:arbiter/{game.capitalize()}-v0"
    made = gymnasium.make_vec(name, 6, vectorization_mode="vector_entry_point")
    observation, info = made.reset(seed=9)
    batch = arbiter_games.batch(game, 6, seed=9, opponent="greedy")
    step, total = batch.observe(), 0.0
    for _ in range(60):
        assert made.observation_space.contains(observation)
        assert (observation["observation"] == step.observation).all()
        assert (observation["action_mask"] == step.action_mask).all()
        assert (info["player"] == step.player).all()
        actions, player = batch.random_actions(), step.player
        step = batch.step(actions)
        observation, rewards, ended, truncated, info = made.step(actions)
        assert (ended == step.ended).all() and not truncated.any()
        assert np.allclose(rewards, step.rewards[np.arange(6), player])
        total += rewards.sum()
    assert total != 0


def first(batch: arbiter_games.Batch, step: arbiter_games.Step) -> np.ndarray:
    """The first legal action of each game."""
    return step.action_mask.argmax(axis=1)


def test_a_share_is_measured_with_its_interval() -> None:
    for options, seats in (("", 2), ("seats=3", 3)):
        greedy = arbiter_games.measure(
            lambda batch, step: batch.choose("greedy"), "coup", "greedy", options, games=120, seed=1
        )
        assert greedy.games == 120 and 0 < greedy.margin < 0.15
        assert abs(greedy.mean - 1 / seats) < 2 * greedy.margin
    weak = arbiter_games.measure(first, "coup", games=30, seed=1)
    assert weak.games == 32 and weak.mean < 0.5
    assert str(weak).endswith(" in 32 games")


def test_games_that_are_all_won_are_no_proof() -> None:
    won = arbiter_games.measure(lambda batch, step: batch.choose("greedy"), "durak", "random", games=8, seed=3)
    assert str(won) == "100.0% \u00b1 32.4 in 8 games"


@pytest.mark.parametrize(("share", "games"), [(0.0, 8), (0.5, 8), (0.75, 20), (0.25, 1), (1.0, 1000)])
def test_a_margin_reaches_to_the_farther_end_of_the_interval_of_wilson(share: float, games: int) -> None:
    margin = arbiter_games._measure.wilson_margin(share, games)
    # Were this the true share, the one measured would be 1.96 standard errors from it.
    end = share - margin if share > 0.5 else share + margin
    assert 0 < end < 1 and margin == pytest.approx(1.96 * (end * (1 - end) / games) ** 0.5)


def test_a_learner_plays_against_its_past_selves() -> None:
    games = arbiter_games.SelfPlay(arbiter_games.batch("coup", 16, seed=4), seed=4)
    assert games.learns().all()
    asked = np.zeros(16, np.int64)

    def past(batch: arbiter_games.Batch, step: arbiter_games.Step) -> np.ndarray:
        asked[:] += 1
        return first(batch, step)

    games.keep(past)
    seats = set()
    for _ in range(200):
        learns, player = games.learns(), games.step.player
        actions = games.act(lambda batch, step: batch.random_actions())
        others = first(games.batch, games.step)
        assert (actions[~learns] == others[~learns]).all()
        seats |= set(player[learns].tolist())
        games.play(actions)
    assert asked[0] > 50 and seats == {0, 1} and not games.learns().all()
