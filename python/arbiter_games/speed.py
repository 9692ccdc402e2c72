"""Measures steps a second of processor time: `python speed.py [SECONDS]`.

All games are played at random, one after the other in this process, in turns of SECONDS each (1
unless given) and in several rounds; the median counts. PettingZoo, RLCard and OpenSpiel are measured
where they are installed: what is missing is left out.
"""

from __future__ import annotations

import importlib
import random
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator

import numpy as np

import arbiter_games

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
ROUNDS = 3

#: Makes steps until the time is over, and gives their number.
Player = Callable[[float], int]


def until(end: float) -> bool:
    return time.process_time() < end


def aec(make: Callable[[], object]) -> Player:
    env = make()
    rng = np.random.default_rng(0)

    def play(end: float) -> int:
        steps = 0
        while until(end):
            env.reset(seed=int(rng.integers(1 << 30)))
            for _agent in env.agent_iter():
                observation, _, terminated, truncated, info = env.last()
                if terminated or truncated:
                    env.step(None)
                    continue
                is_dict = isinstance(observation, dict)
                mask = observation["action_mask"] if is_dict else info["action_mask"]
                env.step(int(rng.choice(np.flatnonzero(mask))))
                steps += 1
        return steps

    return play


def state(game: str) -> Player:
    # Numpy takes longer to choose from a list than a state takes for a step.
    choose = random.Random(0).choice
    deals = iter(range(1 << 40))

    def play(end: float) -> int:
        steps = 0
        while until(end):
            episode = arbiter_games.state(game, seed=1, deal=next(deals))
            while not episode.is_terminal():
                episode.observation()
                episode.apply_action(choose(episode.legal_actions()))
                steps += 1
        return steps

    return play


def batch(game: str, size: int) -> Player:
    games = arbiter_games.batch(game, size, seed=1, threads=1)

    def play(end: float) -> int:
        steps = 0
        while until(end):
            games.step(games.random_actions())
            steps += size
        return steps

    return play


def spiel(name: str) -> Player:
    import pyspiel

    game = pyspiel.load_game(name)
    kind = game.get_type()
    rng = random.Random(0)

    def play(end: float) -> int:
        steps = 0
        while until(end):
            position = game.new_initial_state()
            while not position.is_terminal():
                if position.is_chance_node():
                    outcomes, chances = zip(*position.chance_outcomes())
                    position.apply_action(rng.choices(outcomes, chances)[0])
                    continue
                player = position.current_player()
                if kind.provides_information_state_tensor:
                    position.information_state_tensor(player)
                elif kind.provides_observation_tensor:
                    position.observation_tensor(player)
                position.apply_action(rng.choice(position.legal_actions()))
                steps += 1
        return steps

    return play


def rlcard_game(name: str) -> Player:
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make(name, config={"seed": 1})
    env.set_agents([RandomAgent(env.num_actions) for _ in range(env.num_players)])

    def play(end: float) -> int:
        steps = 0
        while until(end):
            trajectories, _ = env.run(is_training=False)
            steps += sum((len(one) - 1) // 2 for one in trajectories)
        return steps

    return play


def players() -> Iterator[tuple[str, Callable[[], Player]]]:
    for game in arbiter_games.GAMES:
        yield f"arbiter {game}, batch of 1,024", lambda game=game: batch(game, 1024)
        yield f"arbiter {game}, batch of 256", lambda game=game: batch(game, 256)
        yield f"arbiter {game}, one state", lambda game=game: state(game)
        yield f"arbiter {game}, PettingZoo", lambda game=game: aec(lambda: arbiter_games.env(game))
    for name in ("connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4", "gin_rummy_v4"):
        module = f"pettingzoo.classic.{name}"
        yield f"PettingZoo {name}", lambda module=module: aec(importlib.import_module(module).env)
    for name in ("leduc-holdem", "limit-holdem", "no-limit-holdem", "doudizhu", "gin-rummy"):
        yield f"RLCard {name}", lambda name=name: rlcard_game(name)
    for name in ("kuhn_poker", "leduc_poker", "hearts", "gin_rummy"):
        yield f"OpenSpiel {name}", lambda name=name: spiel(name)
    for name in ("python_kuhn_poker", "python_liars_poker"):
        yield f"OpenSpiel {name}", lambda name=name: spiel_in_python(name)


def spiel_in_python(name: str) -> Player:
    import open_spiel.python.games  # noqa: F401

    return spiel(name)


def main() -> None:
    warnings.simplefilter("ignore")
    measured: dict[str, list[float]] = {}
    made: dict[str, Player] = {}
    for name, make in players():
        try:
            made[name] = make()
            made[name](time.process_time() + 0.05)
        except Exception as error:  # A library of others may lack whatever it likes.
            made.pop(name, None)
            print(f"{name}: left out, {type(error).__name__}: {str(error)[:80]}", file=sys.stderr)
    for _ in range(ROUNDS):
        for name, play in made.items():
            begun = time.process_time()
            steps = play(begun + SECONDS)
            measured.setdefault(name, []).append(steps / (time.process_time() - begun))
    for name, speeds in measured.items():
        print(f"{name:36} {statistics.median(speeds):12,.0f} steps a second")


if __name__ == "__main__":
    main()
