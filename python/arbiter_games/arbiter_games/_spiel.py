"""A game of OpenSpiel, on which its algorithms run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]

from ._state import HISTORY, USUAL_HISTORY, State, state

#: The name under which `pyspiel.load_game` finds games.
NAME = "arbiter"

#: The most that a player can win or lose, for algorithms that scale by it.
_MOST = {"tablic": 100.0, "coup": 1.0, "durak": 1.0}
_USUAL_MOST = 1000.0

#: The most moves of a game that an algorithm has to expect.
_LENGTH = 10_000

_DEFAULTS = {"game": "coup", "options": "", "deals": 1000, "seed": 0}

_KIND = pyspiel.GameType(
    short_name=NAME,
    long_name="A game of arbiter",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=48,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=_DEFAULTS,
)


class Game(pyspiel.Game):  # type: ignore[misc,unused-ignore]
    """A game whose first node is chance, which chooses one of its deals. All else follows from the moves."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**_DEFAULTS, **(params or {})}
        # In the texts of OpenSpiel's games, `=` stands between a name and a value, so that options have `:`.
        self.name, self.options = given["game"], given["options"].replace(":", "=")
        self.deals, self.seed = given["deals"], given["seed"]
        if not 0 < self.deals <= 1 << 20:
            raise ValueError(f"{self.deals} deals, expected 1 to {1 << 20}")
        #: The first deal, of which only what is the same in all deals is asked.
        self.first: State = state(self.name, self.options, seed=self.seed)
        most = _MOST.get(self.first.game, _USUAL_MOST)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.first.num_actions,
            max_chance_outcomes=self.deals,
            num_players=self.first.num_players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0,
            max_game_length=_LENGTH,
        )
        super().__init__(_KIND, info, given)

    def new_initial_state(self) -> Node:
        return Node(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        if params:
            raise ValueError(f"parameters {params} of an observer, expected none")
        return Observer(self, bool(iig_obs_type and iig_obs_type.perfect_recall))


class _Copied:
    """A state that is copied by `clone`, which plays nothing again."""

    def __init__(self, state: State) -> None:
        self.state = state

    def __deepcopy__(self, memo: Any) -> _Copied:
        return _Copied(self.state.clone())


class Node(pyspiel.State):  # type: ignore[misc,unused-ignore]
    """A state of OpenSpiel; `standing` is that of the package once the deal is chosen."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._standing: _Copied | None = None

    @property
    def standing(self) -> State:
        """The state of the package. Before the deal is chosen, there is none."""
        if self._standing is None:
            raise ValueError("no deal is chosen yet, expected an action of chance")
        return self._standing.state

    def current_player(self) -> int:
        if self._standing is None:
            return int(pyspiel.PlayerId.CHANCE)
        return self._standing.state.current_player()

    def is_terminal(self) -> bool:
        return self._standing is not None and self._standing.state.is_terminal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        deals = self.get_game().deals
        return [(deal, 1 / deals) for deal in range(deals)] if self._standing is None else []

    def _legal_actions(self, player: int) -> list[int]:
        # OpenSpiel wants them in the order of their numbers.
        return sorted(self.standing.legal_actions(player))

    def _apply_action(self, action: int) -> None:
        if self._standing is None:
            game = self.get_game()
            self._standing = _Copied(state(game.name, game.options, seed=game.seed, deal=action))
        else:
            self._standing.state.apply_action(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"deal {action}"
        return self.standing.action_to_string(action)

    def returns(self) -> list[float]:
        return [0.0] * self.num_players() if self._standing is None else self._standing.state.returns()

    def __str__(self) -> str:
        if self._standing is None:
            return "no deal yet"
        return "\n".join(self._standing.state.history())


class Observer:
    """What a player sees, with its history where an algorithm asks for perfect recall."""

    def __init__(self, game: Game, has_history: bool) -> None:
        self._has_history = has_history
        columns = len(game.first.columns)
        history = HISTORY.get(game.first.game, USUAL_HISTORY) if has_history else 0
        self.tensor = np.zeros(columns + history, np.float32)
        self.dict = {"observation": self.tensor[:columns]}
        if has_history:
            self.dict["history"] = self.tensor[columns:]

    def set_from(self, state: Node, player: int) -> None:
        if state.is_chance_node():
            self.tensor.fill(0)
        elif self._has_history:
            self.tensor[:] = state.standing.information_state_tensor(player)
        else:
            self.tensor[:] = state.standing.observation(player)

    def string_from(self, state: Node, player: int) -> str:
        if state.is_chance_node():
            return "no deal yet"
        if self._has_history:
            return state.standing.information_state_string(player)
        return state.standing.view(player)


pyspiel.register_game(_KIND, Game)


def load(game: str, options: str, deals: int, seed: int) -> Any:
    """A game of OpenSpiel."""
    given = {"game": game, "options": options.replace("=", ":"), "deals": deals, "seed": seed}
    return pyspiel.load_game(NAME, given)
