"""An environment of PettingZoo."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv  # type: ignore[import-untyped,unused-ignore]

from ._state import State, seed_text, state


#: What a game has only once it is begun.
_FROM_RESET = frozenset(
    "agents num_agents agent_selection rewards terminations truncations infos _cumulative_rewards".split()
)


class AEC(AECEnv):  # type: ignore[misc,unused-ignore]
    """A game whose players are asked one after the other.

    It refuses illegal actions and calls before `reset` and after the end itself: PettingZoo's
    wrappers look every attribute up three times, which takes more time than a step.
    """

    metadata = {"render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self, game: str, options: str = "", *, render_mode: str | None = None
    ) -> None:
        super().__init__()
        self._game, self._options = game, options
        #: The game as it stands; new after each `reset`.
        self.state_of_game: State = state(game, options, seed=0)
        first = self.state_of_game
        self.metadata = {**self.metadata, "name": f"{game}_v{first.version}"}
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(first.num_players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        columns, actions = len(first.columns), first.num_actions
        observed = spaces.Dict(
            {
                "observation": spaces.Box(0, 127, (columns,), np.int8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.observation_spaces = {agent: observed for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(actions) for agent in self.possible_agents}
        self._no_action = np.zeros(actions, np.int8)
        self._is_new = True

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins deal 0 of a seed, or the next deal of the last seed if none is given."""
        if seed is not None or self._is_new:
            text = seed_text(seed)
            self.state_of_game = state(self._game, self._options, seed=text)
            self._is_new = False
        else:
            self.state_of_game = self.state_of_game.next_deal()
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.state_of_game.current_player()]

    def __getattr__(self, name: str) -> Any:
        # Asked only for what is not there.
        if name in _FROM_RESET:
            raise AttributeError(f"{name} before the first game, expected a call of reset()")
        raise AttributeError(f"{type(self).__name__} has no attribute {name}")

    def last(
        self, observe: bool = True
    ) -> tuple[dict[str, Any] | None, float, bool, bool, dict[str, Any]]:
        """What the player to move sees and has got since its last move, and whether the game is over."""
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> dict[str, Any]:
        self._must_be_begun()
        current, seat = self.state_of_game, self._seats[agent]
        is_asked = current.current_player() == seat
        mask = current.legal_actions_mask() if is_asked else self._no_action.copy()
        return {"observation": current.observation(seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise RuntimeError("step after the end of the game, expected a call of reset()")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        current = self.state_of_game
        current.apply_action(-1 if action is None else action)
        player = current.current_player()
        if player < 0:
            self.terminations = dict.fromkeys(self.agents, True)
            self.rewards = dict(zip(self.agents, current.returns()))
            following = (self._seats[agent] + 1) % len(self.possible_agents)
            self.agent_selection = self.possible_agents[following]
            self._accumulate_rewards()
        else:
            # Scores come at the end, so there is nothing to add up.
            self.agent_selection = self.possible_agents[player]

    def render(self) -> str:
        """The view of the player to move, as text."""
        self._must_be_begun()
        return self.state_of_game.view(max(0, self.state_of_game.current_player()))

    def _must_be_begun(self) -> None:
        # Before `reset`, the game that is there only tells the sizes of rows.
        self.agents  # noqa: B018

    def close(self) -> None:
        """Does nothing: a game holds nothing open."""
