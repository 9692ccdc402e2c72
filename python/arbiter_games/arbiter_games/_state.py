"""One game that is stepped through."""

from __future__ import annotations

import base64
import copy
import operator
import os
import pickle
import secrets
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core

Seed = int | str | None

#: The letters of a history in `information_state_tensor`: several times those of games at random.
HISTORY = {"tablic": 2048, "coup": 8192, "durak": 16384}
#: The same for custom games.
USUAL_HISTORY = 4096


def seed_text(seed: Seed) -> str:
    """The text of a seed: a number, 64 hexadecimal digits, or 32 random bytes for `None`."""
    return secrets.token_hex(32) if seed is None else str(seed)


def whole(value: object, what: str) -> int:
    """A whole number from 0 on. `TypeError` for anything else, also for truths and fractions."""
    if not isinstance(value, (bool, np.bool_)):
        try:
            number = operator.index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
        else:
            if 0 <= number < 1 << 63:
                return number
            raise ValueError(f"{what} {number}, expected a whole number from 0 on")
    raise TypeError(f"{what} {value!r}, expected a whole number from 0 on")


def seat_of(learner: int | None, opponent: str | None) -> int | None:
    """The learner's seat, which only a game with an opponent has."""
    if learner is not None and opponent is None:
        raise ValueError(f"learner {learner} without an opponent, expected both or neither")
    return None if learner is None else whole(learner, "learner")


class State:
    """A game that is either over or waits for a player.

    Nature and moves that the rules force are played on the way. Players are seats, from 0.
    """

    def __init__(self, core: _core.State) -> None:
        self._core = core

    @property
    def game(self) -> str:
        """The name of the game."""
        return self._core.game

    @property
    def options(self) -> str:
        """The options of the game, in their one spelling."""
        return self._core.options

    @property
    def deal(self) -> int:
        """The number of the deal of its seed, from 0."""
        return self._core.deal

    @property
    def version(self) -> int:
        """The version of the columns and actions; a model is trained for one."""
        return self._core.version

    @property
    def num_players(self) -> int:
        """The number of seats."""
        return self._core.num_players

    @property
    def num_actions(self) -> int:
        """The number of actions; the legal ones are among them."""
        return self._core.num_actions

    @property
    def columns(self) -> list[str]:
        """The names of the columns of an observation. `+0` is the seat that observes, `+1` the next."""
        return self._core.columns

    @property
    def action_names(self) -> list[str]:
        """The names of all actions. `+1` is the next seat."""
        return self._core.action_names

    @property
    def move_columns(self) -> list[str]:
        """The names of the columns of `moves`."""
        return self._core.move_columns

    def current_player(self) -> int:
        """The player to move; -4 once the game is over."""
        return self._core.current_player()

    def is_terminal(self) -> bool:
        """True once the game is over."""
        return self._core.is_terminal()

    def num_distinct_actions(self) -> int:
        """The number of actions, `num_actions`."""
        return self._core.num_actions

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

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions of the player to move, in the order of the legal moves of a request.

        For a player who is not to move, the list is empty.
        """
        if player is not None and whole(player, "player") != self._core.current_player():
            return []
        return self._core.legal_actions()

    def legal_actions_mask(self) -> NDArray[np.int8]:
        """1 for each legal action, shape `(num_actions,)`."""
        return self._core.legal_actions_mask()

    def action_to_string(self, *player_and_action: int) -> str:
        """The move that a legal action is, as a bot would print it; a player may be named before it."""
        return self._core.action_to_string(whole(player_and_action[-1], "action"))

    def string_to_action(self, text: str) -> int:
        """The legal action that a move is, in any spelling that the referee takes."""
        return self._core.string_to_action(text)

    def apply_action(self, action: int) -> None:
        """Plays a legal action. `ValueError` for another one, which changes nothing."""
        self._core.apply_action(whole(action, "action"))

    def scores(self) -> list[float]:
        """The points of each player once the game is over, else nothing."""
        return self._core.scores()

    def returns(self) -> list[float]:
        """The score of each player less the mean of all once the game is over, else zeros."""
        scores = self._core.scores()
        if not scores:
            return [0.0] * self.num_players
        mean = sum(scores) / len(scores)
        return [score - mean for score in scores]

    def rewards(self) -> list[float]:
        """The rewards of the last action, which are the returns: no reward comes before the end."""
        return self.returns()

    def player_return(self, player: int) -> float:
        """The return of a player."""
        return self.returns()[whole(player, "player")]

    def player_reward(self, player: int) -> float:
        """The reward of a player for the last action."""
        return self.returns()[whole(player, "player")]

    def child(self, action: int) -> State:
        """A copy in which this legal action was played."""
        copied = self.clone()
        copied.apply_action(action)
        return copied

    def serialize(self) -> str:
        """A text of which `deserialize` makes this state again. It gives all hidden cards away."""
        return base64.b64encode(pickle.dumps(self._core)).decode()

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

    def observation(self, player: int | None = None) -> NDArray[np.int8]:
        """What a player sees, shape `(len(columns),)`; of the player to move if none is named."""
        return self._core.observation(None if player is None else whole(player, "player"))

    def moves(self) -> NDArray[np.int8]:
        """A row for each legal action, shape `(len(legal_actions()), len(move_columns))`."""
        return self._core.moves()

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player knows: the view and the history as that seat saw it."""
        if player is None:
            player = max(self.current_player(), 0)
        return self._core.information_state_string(whole(player, "player"))

    def view(self, player: int) -> str:
        """The lines of the view of a player, as in a request."""
        return self._core.view(whole(player, "player"))

    def request(self) -> str | None:
        """The request that a bot would get now; `None` once the game is over."""
        return self._core.request()

    def history(self) -> list[str]:
        """All events so far, hidden cards included; of a resampled game, what the player saw."""
        return self._core.history()

    def clone(self, seed: Seed = None) -> State:
        """A copy. It holds the hidden cards; what comes is the same, unless a seed is given.

        No built-in player has a seat in it: a search plays all of them.
        """
        return State(self._core.clone(None if seed is None else seed_text(seed)))

    def resample(self, player: int, seed: Seed = None) -> State:
        """A game that a player cannot tell from this one: hidden cards, cards to come and seeds of players are drawn anew.

        Its history is what the player saw, and no built-in player has a seat in it.
        """
        return State(self._core.resample(whole(player, "player"), seed_text(seed)))

    def choose(self, player: str) -> int:
        """The action of a built-in player for the seat to move, such as `"greedy"`."""
        return self._core.choose(player)

    def evaluate(self, worlds: int | None = None) -> list[tuple[int, str, float, float]]:
        """What each different legal move is worth, as `arbiter review` values it.

        Action, move, the chance to win (a tie counts half), and the standard error of that.
        `worlds` is the number of sampled worlds.
        """
        count = None if worlds is None else min(whole(worlds, "worlds"), (1 << 32) - 1)
        return self._core.evaluate(count)

    def next_deal(self) -> State:
        """A new game: the next deal of the same seed, with the same opponent."""
        return State(self._core.begin(self._core.deal + 1))

    def save(self, path: str | os.PathLike[str], players: Sequence[str] | None = None) -> None:
        """Writes the finished game to a new log: `save_log` of one game."""
        save_log(path, [self], players)

    def __copy__(self) -> State:
        # A shallow copy would be the same game.
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        return repr(self._core)


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
    return State(_core.State(game, options, seed_text(seed), number, opponent, seat))


def deserialize(text: str) -> State:
    """The state of a text that `State.serialize` made. The text must come from a source that you trust."""
    core = pickle.loads(base64.b64decode(text, validate=True))
    if not isinstance(core, _core.State):
        raise ValueError("no state, expected a text that State.serialize made")
    return State(core)


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
    _core.save_log(os.fsdecode(path), [game._core for game in games], names)
