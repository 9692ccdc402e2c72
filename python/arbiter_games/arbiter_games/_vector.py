"""Many environments of Gymnasium that step together, over a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._batch import Batch, Step, batch


class Vector(VectorEnv[dict[str, Any], Any, Any]):
    """One seat of many games, with a built-in player on all others.

    A game that is over begins anew in the same step, so `observation` is that of the next game. There
    is no last observation: a game that is over has no value beyond its reward.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: str,
        opponent: str = "greedy",
        options: str = "",
        *,
        num_envs: int = 64,
        learner: int | None = None,
        threads: int | None = None,
    ) -> None:
        self.num_envs = num_envs
        self._begun = (game, num_envs, options)
        self._settings: dict[str, Any] = {"opponent": opponent, "learner": learner, "threads": threads}
        #: The games; new after each `reset`.
        self.batch: Batch = batch(*self._begun, seed=0, **self._settings)
        columns, actions = len(self.batch.columns), len(self.batch.action_names)
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 127, (columns,), np.int8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._player: NDArray[np.int8] = self.batch.observe().player

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins the first deals of a seed, or of a random one if none is given."""
        if isinstance(seed, list):
            raise TypeError("a list of seeds, expected one seed: each game plays deals of its own")
        self.batch = batch(*self._begun, seed=seed, **self._settings)
        return self._told(self.batch.observe())

    def step(
        self, actions: Any
    ) -> tuple[dict[str, Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays a legal action in each game, and all moves of the opponent that follow."""
        own = self._player
        step = self.batch.step(actions)
        rewards = step.rewards[np.arange(self.num_envs), own].astype(np.float64)
        observation, infos = self._told(step)
        return observation, rewards, step.ended, np.zeros(self.num_envs, np.bool_), infos

    def _told(self, step: Step) -> tuple[dict[str, Any], dict[str, Any]]:
        self._player = step.player
        observation = {"observation": step.observation, "action_mask": step.action_mask}
        return observation, {"player": step.player}
