"""How strong a policy is, and games against its past selves."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._batch import Batch, Step, batch
from ._core import whole
from ._state import Seed

#: The actions of a policy for all games of a batch.
Policy = Callable[[Batch, Step], NDArray[np.int64]]

#: The games that each place of a batch plays in a measure: the first ones count, however short or long they are.
_EACH = 4


class Share(NamedTuple):
    """A share of wins, ties as half, and how far its 95% interval reaches from it."""

    mean: float
    #: The interval is Wilson's; the margin is up to its farther end, so it is never 0.
    margin: float
    games: int

    def __str__(self) -> str:
        return f"{100 * self.mean:.1f}% \u00b1 {100 * self.margin:.1f} in {self.games} games"


def measure(
    policy: Policy,
    game: str,
    opponent: str = "greedy",
    options: str = "",
    *,
    games: int = 1000,
    seed: Seed = None,
) -> Share:
    """The share of wins of a policy against a built-in player, each seat in as many games.

    `policy(batch, step)` gives an action for each game of a batch. The number of games is rounded up
    until each seat has as many. Give another seed than in training.
    """
    if not callable(policy):
        raise TypeError(f"a policy of type {type(policy).__name__}, expected a function of a batch and a step")
    if whole(games, "games") < 1:
        raise ValueError(f"{games} games, expected at least 1")
    seats = batch(game, 1, options, seed=0).num_players
    size = math.ceil(games / _EACH / seats) * seats
    # A place has one learner's seat for all its games, since the size is a multiple of the seats.
    played = batch(game, size, options, seed=seed, opponent=opponent)
    shares, counts = np.zeros((_EACH, size)), np.zeros(size, np.int64)
    step = played.observe()
    while counts.min() < _EACH:
        player, step = step.player, played.step(policy(played, step))
        counted = np.flatnonzero(step.ended & (counts < _EACH))
        scores, own = step.scores[counted], step.scores[counted, player[counted]]
        best = scores.max(axis=1)
        # Those with the best score share the win.
        shares[counts[counted], counted] = (own == best) / (scores == best[:, None]).sum(axis=1)
        counts[counted] += 1
    mean = float(shares.mean())
    return Share(mean, wilson_margin(mean, shares.size), shares.size)


def wilson_margin(share: float, games: int) -> float:
    """How far the 95% interval of a share reaches from it: up to the farther end of Wilson's interval.

    From E. B. Wilson, Probable inference, the law of succession, and statistical inference, Journal of
    the American Statistical Association 22 (1927), which is about wins and losses. Results with ties vary
    less, so their interval comes out too wide. Where all games end alike it is not empty: 8 wins in 8
    games are 67.6% or more.
    """
    z = 1.96
    shift = z * z / games * (0.5 - share)
    half = z * math.sqrt(share * (1 - share) / games + (z / (2 * games)) ** 2)
    return (half + abs(shift)) / (1 + z * z / games)


class SelfPlay:
    """Games of a learner against its past selves.

    In each game one seat is the learner's, and a past policy, drawn at random when the game begins,
    has all others. Before there is a past policy, the learner has all seats.
    """

    def __init__(self, batch: Batch, *, seed: int = 0) -> None:
        if not isinstance(batch, Batch):
            raise TypeError(f"{batch!r}, expected a batch: arbiter_games.batch(game, size)")
        self.batch = batch
        #: Where the games stand.
        self.step: Step = batch.observe()
        self._past: list[Policy] = []
        self._rng = np.random.default_rng(seed)
        size = len(batch)
        self._seat = np.arange(size) % batch.num_players
        self._opponent = np.full(size, -1)

    def keep(self, policy: Policy) -> None:
        """Adds a past self, which games that begin from now on may have. It must not change any more."""
        self._past.append(policy)

    def learns(self) -> NDArray[np.bool_]:
        """True where the learner is to move."""
        mask: NDArray[np.bool_] = (self._opponent < 0) | (self.step.player == self._seat)
        return mask

    def act(self, policy: Policy) -> NDArray[np.int64]:
        """The actions of all games: those of the learner's policy, and those of the past selves."""
        actions = policy(self.batch, self.step).copy()
        learns = self.learns()
        for number in np.unique(self._opponent[~learns]):
            here = ~learns & (self._opponent == number)
            actions[here] = self._past[number](self.batch, self.step)[here]
        return actions

    def play(self, actions: NDArray[np.int64]) -> Step:
        """Plays these actions. Games that are over begin anew, with another seat and opponent."""
        self.step = self.batch.step(actions)
        ended = np.flatnonzero(self.step.ended)
        self._seat[ended] = (self._seat[ended] + 1) % self.batch.num_players
        if self._past:
            self._opponent[ended] = self._rng.integers(len(self._past), size=len(ended))
        return self.step
