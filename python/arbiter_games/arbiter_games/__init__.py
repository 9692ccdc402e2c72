"""The games of arbiter as environments to learn from.

Everything is played by the referee's own rules: Tablić, Coup and Durak.

- `state(game)`: one game, with the calls of OpenSpiel's states.
- `batch(game, size)`: many games that step together, as arrays of numpy.
- `env(game)`: an environment of PettingZoo (needs `pettingzoo`).
- `single(game, opponent)`: an environment of Gymnasium against a built-in player (needs `gymnasium`).
- `save_log(path, states)`: finished games as a log that `arbiter verify` accepts.
- `open_log(path)`: the games and moves of a log as data frames.
- `show(path, game)`: a game of a log in a notebook (needs the program `arbiter`).

Seeds are numbers, as on the command line of `arbiter`, or 64 hexadecimal digits. Equal seeds, deals and
actions give equal games, whatever the machine and the number of threads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._core import __version__
from ._state import State, save_log, state
from ._batch import Batch, Step, batch
from ._logs import Log, open_log
from ._view import Page, show

if TYPE_CHECKING:
    from ._single import Single

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
    render_mode: str | None = None,
) -> Single:
    """An environment of Gymnasium: one seat, with a built-in player on all others.

    `opponent` is a player with its options, such as `"expert --time 10ms"`; `options` are those of
    the game. `learner` is the own seat, which by default changes from deal to deal.
    """
    try:
        from ._single import Single
    except ImportError as error:
        raise ImportError("single needs Gymnasium: pip install arbiter-games[gymnasium]") from error
    return Single(game, opponent, options, learner=learner, render_mode=render_mode)


__all__ = [
    "GAMES",
    "Batch",
    "Log",
    "Page",
    "State",
    "Step",
    "__version__",
    "batch",
    "env",
    "open_log",
    "save_log",
    "show",
    "single",
    "state",
]
