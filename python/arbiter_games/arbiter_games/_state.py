"""One game that is stepped through."""

from __future__ import annotations

import base64
import binascii
import copy
import os
import pickle
import secrets
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._core import whole

Seed = int | str | None

#: The letters of a history in `information_state_tensor`: several times those of games at random.
HISTORY = {"tablic": 2048, "coup": 8192, "durak": 16384}
#: The same for custom games.
USUAL_HISTORY = 4096


def seed_text(seed: Seed) -> str:
    """The text of a seed: a number, 64 hexadecimal digits, or 32 random bytes for `None`."""
    return secrets.token_hex(32) if seed is None else str(seed)


def seat_of(learner: int | None, opponent: str | None) -> int | None:
    """The learner's seat, which only a game with an opponent has."""
    if learner is not None and opponent is None:
        raise ValueError(f"learner {learner} without an opponent, expected both or neither")
    return None if learner is None else whole(learner, "learner")


class State(_core.State):
    """A game that is either over or waits for a player.

    Nature and moves that the rules force are played on the way. Players are seats, from 0. What a
    step needs is compiled; `help(State)` shows it, too.
    """

    __slots__ = ()

    def num_distinct_actions(self) -> int:
        """The number of actions, `num_actions`."""
        return self.num_actions

    def is_chance_node(self) -> bool:
        """False: nature plays on the way, from the seed. In the games of `spiel` it has a node of its own."""
        return False

    def is_simultaneous_node(self) -> bool:
        """False: players move one after the other."""
        return False

    def is_player_node(self) -> bool:
        """True while a player is to move."""
        return not self.is_terminal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Nothing: nature plays on the way, from the seed."""
        return []

    def returns(self) -> list[float]:
        """The score of each player less the mean of all once the game is over, else zeros."""
        scores = self.scores()
        if not scores:
            return [0.0] * self.num_players
        mean = sum(scores) / len(scores)
        return [score - mean for score in scores]

    def rewards(self) -> list[float]:
        """The rewards of the last action, which are the returns: no reward comes before the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """The return of a player."""
        returns, number = self.returns(), whole(player, "player")
        if number >= len(returns):
            raise ValueError(f"player {number}, expected one from 0 to {len(returns) - 1}")
        return returns[number]

    def player_reward(self, player: int) -> float:
        """The reward of a player for the last action."""
        return self.player_return(player)

    def child(self, action: int) -> State:
        """A copy in which this legal action was played."""
        copied = self.clone()
        copied.apply_action(action)
        return copied

    def serialize(self) -> str:
        """A text of which `deserialize` makes this state again. It gives all hidden cards away."""
        return base64.b64encode(pickle.dumps(self)).decode()

    def observation_tensor(self, player: int | None = None) -> list[float]:
        """The columns of `observation` as a list."""
        row: list[float] = self.observation(player).astype(float).tolist()
        return row

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        """The columns of `observation`, and behind them the history as that player saw it.

        The history has a number for each letter of its lines, its code divided by 128, and zeros up
        to a length that only the game decides. So states that differ to a player have other rows.
        """
        text = self.information_state_string(player).partition("\nhistory")[2]
        length = HISTORY.get(self.game, USUAL_HISTORY)
        if len(text) > length:
            raise ValueError(f"a history of {len(text)} letters, expected up to {length}: use information_state_string")
        letters = [ord(letter) / 128 for letter in text]
        return [*self.observation_tensor(player), *letters, *[0.0] * (length - len(text))]

    def observation_string(self, player: int | None = None) -> str:
        """The view of a player, as in a request."""
        return self.view(max(self.current_player(), 0) if player is None else player)

    def clone(self, seed: Seed = None) -> State:
        """A copy. It holds the hidden cards; what comes is the same, unless a seed is given.

        No built-in player has a seat in it: a search plays all of them.
        """
        return State(self._clone(None if seed is None else seed_text(seed)))

    def resample(self, player: int, seed: Seed = None) -> State:
        """A game that a player cannot tell from this one: hidden cards, cards to come and seeds of players are drawn anew.

        Its history is what the player saw, and no built-in player has a seat in it.
        """
        return State(self._resample(player, seed_text(seed)))

    def next_deal(self) -> State:
        """A new game: the next deal of the same seed, with the same opponent."""
        return State(self._next_deal())

    def save(self, path: str | os.PathLike[str], players: Sequence[str] | None = None) -> None:
        """Writes the finished game to a new log: `save_log` of one game."""
        save_log(path, [self], players)

    def __copy__(self) -> State:
        # A shallow copy would be the same game.
        return copy.deepcopy(self)

    def __deepcopy__(self, memo: object) -> State:
        return State(super().__deepcopy__(memo))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return _restored, super().__reduce__()[1]


def _restored(*told: Any) -> State:
    """The state of a pickle."""
    return State(_core.restored_state(*told))


def state(
    game: str,
    options: str = "",
    *,
    seed: Seed = None,
    deal: int = 0,
    opponent: str | None = None,
    learner: int | None = None,
) -> State:
    """Begins a game.

    `options` are those of the command line, such as `"seats=4"`. With an `opponent`, a built-in
    player such as `"greedy"` or `"expert --time 10ms"`, that player has all seats but `learner`,
    which is by default `deal` modulo the number of seats.
    """
    number, seat = whole(deal, "deal"), seat_of(learner, opponent)
    return State(_core.begun_state(game, options, seed_text(seed), number, opponent, seat))


def deserialize(text: str) -> State:
    """The state of a text that `State.serialize` made. The text must come from a source that you trust."""
    expected = "no state, expected a text that State.serialize made"
    try:
        pickled = base64.b64decode(text, validate=True)
    except binascii.Error as error:
        raise ValueError(expected) from error
    made = pickle.loads(pickled)
    if not isinstance(made, State):
        raise ValueError(expected)
    return made


def save_log(
    path: str | os.PathLike[str],
    states: Iterable[State],
    players: Sequence[str] | None = None,
) -> None:
    """Writes finished games to a new log that `arbiter verify` accepts; it reveals their seed.

    The games are consecutive deals of one seed. `players` are names, one for each seat.
    """
    games = list(states)
    for game in games:
        if not isinstance(game, State):
            raise TypeError(f"{game!r} among the games, expected states")
    seats = games[0].num_players if games else 0
    names = [f"player-{seat}" for seat in range(seats)] if players is None else list(players)
    if isinstance(players, str) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"players {players!r}, expected a list of names")
    if games and (len(names) != seats or len(set(names)) != seats):
        raise ValueError(f"players {names}, expected {seats} different names")
    _core.save_log(os.fsdecode(path), games, names)
