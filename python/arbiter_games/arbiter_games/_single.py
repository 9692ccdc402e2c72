"""An environment of Gymnasium: one seat against a built-in player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium import spaces

from ._state import State, seed_text, state


class Single(gymnasium.Env[dict[str, Any], Any]):
    """One seat of a game, with a built-in player on all others.

    An observation is a dictionary of `observation` and `action_mask`; the reward comes when the
    game is over: the score less the mean of all.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str,
        opponent: str,
        options: str = "",
        *,
        learner: int | None = None,
        illegal: Literal["raise", "forfeit"] = "forfeit",
        render_mode: str | None = None,
    ) -> None:
        if illegal not in ("raise", "forfeit"):
            raise ValueError(f"illegal {illegal!r}, expected 'raise' or 'forfeit'")
        self._game, self._options, self._illegal = game, options, illegal
        self._opponent, self._learner = opponent, learner
        #: The game as it stands; new after each `reset`.
        self.state: State = self._begin("0", 0)
        self.render_mode = render_mode
        self.observation_space = spaces.Dict(
            {
                "observation": spaces.Box(0, 127, (len(self.state.columns),), np.int8),
                "action_mask": spaces.Box(0, 1, (self.state.num_actions,), np.int8),
            }
        )
        self.action_space = spaces.Discrete(self.state.num_actions)
        self._seed: str | None = None
        self._deal = 0
        self._own = 0
        self._is_forfeit = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begins deal 0 of a seed, or the next deal of the last seed if none is given."""
        super().reset(seed=seed)
        if seed is not None or self._seed is None:
            self._seed, self._deal = seed_text(seed), 0
        else:
            self._deal += 1
        self.state = self._begin(self._seed, self._deal)
        self._own = max(self.state.current_player(), 0)
        self._is_forfeit = False
        return self._observe(), {"player": self._own}

    def _begin(self, seed: str, deal: int) -> State:
        return state(
            self._game,
            self._options,
            seed=seed,
            deal=deal,
            opponent=self._opponent,
            learner=self._learner,
        )

    def _observe(self) -> dict[str, Any]:
        return {
            "observation": self.state.observation(self._own),
            "action_mask": self.state.legal_actions_mask(),
        }

    def step(
        self, action: Any
    ) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Plays a legal action, and all moves of the opponent that follow.

        Another one raises `ValueError`, or it forfeits the game for the reward that `forfeited` gives. A
        step after the end of the game raises `RuntimeError`.
        """
        if self._is_forfeit or self.state.is_terminal():
            raise RuntimeError("step after the end of the game, expected a call of reset()")
        if self._illegal == "forfeit" and action not in self.state.legal_actions():
            self._is_forfeit = True
            reward = forfeited(self.state, self._own)
            return self._observe(), reward, True, False, {"player": self._own, "forfeit": True}
        self.state.apply_action(action)
        is_over = self.state.is_terminal()
        reward = self.state.returns()[self._own]
        return self._observe(), reward, is_over, False, {"player": self._own}

    def action_masks(self) -> Any:
        """True for each legal action, as learners that mask actions ask for it."""
        return self.state.legal_actions_mask().astype(bool)

    def render(self) -> str:
        """The view of the own seat, as text."""
        return self.state.view(self._own)


#: The points that the others get at most when a seat forfeits, by the number of seats. A custom game has no opponents
#: here, so it is not among them.
POINTS: dict[str, Callable[[int], int]] = {
    "tablic": lambda seats: 25,
    "coup": lambda seats: 1,
    "durak": lambda seats: seats - 1,
}


def forfeited(state: State, player: int) -> float:
    """The reward of a player who forfeits now: no points, less the mean of all.

    With two seats, the other one has the points of the referee's walkover: 25 and its tablas so far in
    Tablić, 1 in Coup and Durak. With more, the referee lets the others play on; here the game ends, and
    the others have all points but those of later tablas.
    """
    points = POINTS[state.game](state.num_players)
    # Only Tablić has such columns.
    others = [
        place
        for place, name in enumerate(state.columns)
        if name.startswith("tablas +") and name != "tablas +0"
    ]
    tablas = int(state.observation(player)[others].sum(dtype=int))
    return -(points + tablas) / state.num_players
