"""Games of OpenSpiel, by the tests and algorithms of that package."""

from __future__ import annotations

import os

import numpy as np
import pytest

import arbiter_games

pyspiel = pytest.importorskip("pyspiel")
from open_spiel.python import policy, rl_environment  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    exploitability,
    external_sampling_mccfr,
    mcts,
    outcome_sampling_mccfr,
)

GAMES = [("tablic", ""), ("coup", ""), ("coup", "seats=4"), ("durak", "seats=3")]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_openspiel_accepts_a_game(game: str, options: str) -> None:
    made = arbiter_games.spiel(game, options, deals=5, seed=3)
    pyspiel.random_sim_test(made, num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_a_node_is_a_state(game: str, options: str) -> None:
    made = arbiter_games.spiel(game, options, deals=4, seed=3)
    node = made.new_initial_state()
    assert node.is_chance_node() and node.chance_outcomes() == [(deal, 0.25) for deal in range(4)]
    node.apply_action(2)
    state = arbiter_games.state(game, options, seed=3, deal=2)
    assert made.num_distinct_actions() == state.num_distinct_actions() == node.num_distinct_actions()
    rng = np.random.default_rng(2)
    while not state.is_terminal():
        assert not node.is_chance_node() and not node.is_terminal()
        player = node.current_player()
        assert player == state.current_player()
        assert node.legal_actions() == sorted(state.legal_actions())
        for seat in range(made.num_players()):
            assert node.legal_actions(seat) == sorted(state.legal_actions(seat))
            assert node.observation_tensor(seat) == state.observation_tensor(seat)
            assert np.allclose(node.information_state_tensor(seat), state.information_state_tensor(seat))
            assert node.information_state_string(seat) == state.information_state_string(seat)
            assert node.observation_string(seat) == state.observation_string(seat)
        assert node.rewards() == node.returns() == state.rewards() == state.returns()
        action = int(rng.choice(state.legal_actions()))
        assert node.action_to_string(player, action) == state.action_to_string(player, action)
        child = state.child(action)
        assert child.history() != state.history()
        again = arbiter_games.deserialize(child.serialize())
        assert again.history() == child.history() and again.legal_actions() == child.legal_actions()
        node, state = node.child(action), child
    assert node.is_terminal() and node.returns() == state.returns()
    assert node.player_return(0) == state.player_return(0) == state.player_reward(0)
    text = pyspiel.serialize_game_and_state(made, node)
    _, again = pyspiel.deserialize_game_and_state(text)
    assert str(again) == str(node)


def test_an_environment_and_a_search_of_openspiel_play() -> None:
    env = rl_environment.Environment(arbiter_games.spiel("coup"))
    step = env.reset()
    while not step.last():
        player = step.observations["current_player"]
        step = env.step([step.observations["legal_actions"][player][0]])
    assert sum(step.rewards) == 0
    node = arbiter_games.spiel("coup").new_initial_state()
    node.apply_action(0)
    rng = np.random.RandomState(1)
    search = mcts.MCTSBot(node.get_game(), 1.4, 20, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    assert search.step(node) in node.legal_actions()


def test_an_algorithm_of_openspiel_samples_games() -> None:
    made = arbiter_games.spiel("coup", deals=50)
    np.random.seed(1)
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(made)
    for _ in range(20):
        solver.iteration()
    node = made.new_initial_state()
    node.apply_action(0)
    chances = solver.average_policy().action_probabilities(node)
    assert sorted(chances) == node.legal_actions() and abs(sum(chances.values()) - 1) < 1e-9


def test_an_algorithm_of_openspiel_makes_a_policy_less_exploitable() -> None:
    game = os.environ.get("ARBITER_GAME")
    if game is None:
        pytest.skip("no module; set ARBITER_GAME to the folder of a game of one's own")
    made = arbiter_games.spiel(game, deals=3)
    np.random.seed(1)
    solver = external_sampling_mccfr.ExternalSamplingSolver(made)
    for _ in range(60):
        solver.iteration()
    before = exploitability.exploitability(made, policy.UniformRandomPolicy(made))
    assert exploitability.exploitability(made, solver.average_policy()) < 0.75 * before


def test_a_game_of_openspiel_is_checked() -> None:
    with pytest.raises(ValueError, match="0 deals, expected 1 to"):
        arbiter_games.spiel("coup", deals=0)
    node = arbiter_games.spiel("coup", deals=2).new_initial_state()
    with pytest.raises(ValueError, match="no deal is chosen yet"):
        node.standing
    with pytest.raises(ValueError, match="no state"):
        arbiter_games.deserialize("gARLBS4=")
