"""The games of arbiter as environments to learn from.

Everything is played by the referee's own rules: Tablić, Coup and Durak.

- `state(game)`: one game, with the calls of OpenSpiel's states.
- `batch(game, size)`: many games that step together, as arrays of numpy.
- `env(game)`: an environment of PettingZoo (needs `pettingzoo`).
- `single(game, opponent)`: an environment of Gymnasium against a built-in player (needs `gymnasium`).
- `vector(game, size, opponent)`: many of them that step together.
- `measure(policy, game)`: a share of wins with its interval; `SelfPlay`: games against past selves.
- `spiel(game)`: a game of OpenSpiel, for its algorithms (needs `open_spiel`).
- `observe(request)`: what a policy was trained to see, from the request that a bot gets.
- `bot(policy, folder, game)`: a policy as a bot that plays under the referee.
- `save_log(path, states)`: finished games as a log that `arbiter verify` accepts.
- `open_log(path)`: the games and moves of a log as data frames.
- `save_parquet(path, logs)`: the moves of logs as a file of Parquet (needs `pyarrow` and `arbiter`).
- `show(path, game)`: a game of a log in a notebook (needs the program `arbiter`).

Seeds are numbers, as on the command line of `arbiter`, or 64 hexadecimal digits. Equal seeds, deals and
actions give equal games, whatever the machine and the number of threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ._core import __version__
from ._measure import SelfPlay, Share, measure
from ._observing import VERSION as _VERSION
from ._parquet import save_parquet
from ._state import State, deserialize, save_log, state
from ._batch import Batch, Step, batch
from ._bot import Observed, bot, observe
from ._logs import Log, open_log
from ._view import Page, show

if TYPE_CHECKING:
    from ._single import Single
    from ._vector import Vector

#: The games, by their names.
GAMES = ("tablic", "coup", "durak")


def env(game: str, options: str = "", *, render_mode: str | None = None) -> Any:
    """An environment of PettingZoo's AEC interface, with action masks.

    An observation is a dictionary: `observation`, a row of int8 with a value for each of
    `state(game).columns`, and `action_mask`, 1 for each legal action. A reward is the score of a
    seat less the mean of all, when the game is over. Its `reset(seed)` begins deal 0 of a seed, and
    the next deal where no seed is given.
    """
    try:
        from ._aec import AEC
    except ImportError as error:
        raise ImportError("env needs PettingZoo: pip install arbiter-games[pettingzoo]") from error
    return AEC(game, options, render_mode=render_mode)


def single(
    game: str,
    opponent: str = "greedy",
    options: str = "",
    *,
    learner: int | None = None,
    illegal: Literal["raise", "forfeit"] = "raise",
    render_mode: str | None = None,
) -> Single:
    """An environment of Gymnasium: one seat, with a built-in player on all others.

    `opponent` is a player with its options, such as `"expert --time 10ms"`; `options` are those of
    the game. `learner` is the own seat, which by default changes from deal to deal. An illegal action
    raises `ValueError`, or with `illegal="forfeit"` ends the game: the own score is 0, and the others
    have the points of a walkover, as under the referee.

    `gymnasium.make("arbiter/Coup-v0")` gives the same, with `illegal="forfeit"`.
    """
    try:
        from ._single import Single
    except ImportError as error:
        raise ImportError("single needs Gymnasium: pip install arbiter-games[gymnasium]") from error
    return Single(game, opponent, options, learner=learner, illegal=illegal, render_mode=render_mode)


def vector(
    game: str,
    num_envs: int,
    opponent: str = "greedy",
    options: str = "",
    *,
    learner: int | None = None,
    threads: int | None = None,
) -> Vector:
    """A `VectorEnv` of Gymnasium: one seat of many games, which step together as in `batch`.

    `gymnasium.make_vec("arbiter/Coup-v0", 64, vectorization_mode="vector_entry_point")` gives the same.
    """
    try:
        from ._vector import Vector
    except ImportError as error:
        raise ImportError("vector needs Gymnasium: pip install arbiter-games[gymnasium]") from error
    return Vector(game, opponent, options, num_envs=num_envs, learner=learner, threads=threads)


def _register_environments() -> None:
    """Makes `arbiter/Coup-v0` and the other games known to Gymnasium."""
    from gymnasium.envs.registration import register, registry

    for game in GAMES:
        name = f"arbiter/{game.capitalize()}-v{_VERSION}"
        if name not in registry:
            register(
                id=name,
                entry_point="arbiter_games._single:Single",
                vector_entry_point="arbiter_games._vector:Vector",
                kwargs={"game": game, "opponent": "greedy"},
            )


def spiel(game: str, options: str = "", *, deals: int = 1000, seed: int = 0) -> Any:
    """A game of OpenSpiel, a `pyspiel.Game`, on which its algorithms run unchanged.

    Its first node is chance, which chooses one of `deals` deals of the seed, all equally likely; the
    rest follows from the moves. So it has explicit chance, and is the real game as far as these deals
    stand for all of them. `pyspiel.load_game("arbiter", {"game": ..., "options": ..., "deals": ...,
    "seed": ...})` gives the same game.
    """
    try:
        from ._spiel import load
    except ImportError as error:
        raise ImportError("spiel needs OpenSpiel: pip install arbiter-games[openspiel]") from error
    return load(game, options, deals, seed)


__all__ = [
    "GAMES",
    "Batch",
    "Log",
    "Observed",
    "Page",
    "SelfPlay",
    "Share",
    "State",
    "Step",
    "__version__",
    "batch",
    "bot",
    "deserialize",
    "env",
    "measure",
    "observe",
    "open_log",
    "save_log",
    "save_parquet",
    "show",
    "single",
    "spiel",
    "state",
    "vector",
]

try:
    _register_environments()
except ImportError:
    # Gymnasium is not installed.
    pass
