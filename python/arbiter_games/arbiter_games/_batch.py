"""Many games that step together."""

from __future__ import annotations

import copy
import os
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._core import whole
from ._state import Seed, seat_of, seed_text


class Step(NamedTuple):
    """Where all games stand, a row for each."""

    #: What the player to move sees, int8, shape `(size, len(columns))`.
    observation: NDArray[np.int8]
    #: 1 for each legal action, int8, shape `(size, len(action_names))`.
    action_mask: NDArray[np.int8]
    #: The player to move, int8, shape `(size,)`.
    player: NDArray[np.int8]
    #: The scores of games that this step ended, else 0: float32, shape `(size, num_players)`.
    scores: NDArray[np.float32]
    #: True for games that this step ended, shape `(size,)`. Their rows tell of the game that began next.
    ended: NDArray[np.bool_]

    @property
    def rewards(self) -> NDArray[np.float32]:
        """Scores less the mean of each game, shape `(size, num_players)`."""
        mean = self.scores.mean(axis=1, keepdims=True)
        rewards: NDArray[np.float32] = self.scores - mean
        return rewards


class Batch:
    """Many games of one kind. A game that is over begins anew at once, with the next deal."""

    def __init__(self, core: _core.Batch) -> None:
        self._core = core
        #: The options of the game, in their one spelling.
        self.options: str = core.options
        #: The version of the columns and actions; a model is trained for one.
        self.version: int = core.version
        #: The number of seats.
        self.num_players: int = core.num_players
        #: The names of the columns of an observation.
        self.columns: list[str] = core.columns
        #: The names of all actions.
        self.action_names: list[str] = core.action_names
        #: The names of the columns of `moves`.
        self.move_columns: list[str] = core.move_columns

    def __copy__(self) -> Batch:
        # A shallow copy would be the same games.
        return copy.deepcopy(self)

    def __len__(self) -> int:
        return len(self._core)

    def observe(self) -> Step:
        """Tells where all games stand, without a step."""
        return Step(*self._core.observe())

    def step(self, actions: ArrayLike) -> Step:
        """Plays a legal action in each game. `ValueError` for an illegal one, before any game has moved."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions of type {given.dtype}, expected whole numbers")
        if given.shape != (len(self),):
            raise ValueError(f"actions of shape {given.shape}, expected ({len(self)},)")
        wrong = np.flatnonzero((given < 0) | (given > np.iinfo(np.int64).max))
        if wrong.size:
            raise ValueError(f"game {wrong[0]}: action {given[wrong[0]]} is not legal here")
        return Step(*self._core.step(np.ascontiguousarray(given, dtype=np.int64)))

    def random_actions(self) -> NDArray[np.int64]:
        """A legal action for each game, each equally likely, shape `(size,)`."""
        return self._core.random_actions()

    def choose(self, player: str) -> NDArray[np.int64]:
        """The actions of a built-in player for the seats to move, shape `(size,)`."""
        return self._core.choose(player)

    def moves(self) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
        """A row of `move_columns` for each legal action of all games, and the number of rows of each game."""
        return self._core.moves()


def _processors() -> int:
    """The number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def batch(
    game: str,
    size: int,
    options: str = "",
    *,
    seed: Seed = None,
    opponent: str | None = None,
    learner: int | None = None,
    threads: int | None = None,
) -> Batch:
    """Begins `size` games, on as many threads as there are processors unless `threads` says otherwise.

    Game `i` plays the deals `i`, `i + size`, `i + 2 * size` and so on of the seed. `opponent` and
    `learner` are as in `state`.
    """
    seat = seat_of(learner, opponent)
    count = _processors() if threads is None else whole(threads, "threads")
    games = whole(size, "size")
    return Batch(_core.Batch(game, options, seed_text(seed), games, count, opponent, seat))
