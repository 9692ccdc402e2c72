"""Trains a bot for Tablić by regression: `python tablic.py`.

The games are against `greedy`. For each legal move, `features` tells what it gains and leaves: the table, the
hand, the cards not seen yet, and what another seat could take next. From these a network estimates how many
points more than the other seat its seat will gain from now to the end of the game. It learns that from the
ends of games that it plays itself, mostly with the moves that it likes best; the bot plays the best one.
"""

from __future__ import annotations

from collections.abc import Iterator

import arbiter_games
import numpy as np
from numpy.typing import NDArray

from shared import Floats, Model, Network, run, settings, with_few_decimals

OPTIONS = "seats=2"
GAMES = 512
#: Steps of all games in a round; a game has 24 of each seat.
STEPS = 24
HIDDEN = 48
EPOCHS = 2
MINIBATCH = 1024
#: Noise in the choice of moves while it trains, in points.
NOISE = 0.4
#: How much later estimates count beside the result of the game.
TRACE = 0.8

RANKS = 13
SUITS = 4
PACK = RANKS * SUITS
#: The values of each rank as a sum: from 2 to 10, jack, queen, king, and the ace, which has two.
VALUES = [(2,), (3,), (4,), (5,), (6,), (7,), (8,), (9,), (10,), (12,), (13,), (14,), (1, 11)]
HIGHEST = 14
#: What cards are worth in tenths of a point: their points, and a tenth as one of the most cards.
WORTH = np.array([1] * 32 + [11] * 20)
WORTH[0] = 11  # The 2 of clubs.
WORTH[33] = 21  # The 10 of diamonds.
#: Where the parts of an observation and of a row of a move begin.
HAND, TABLE, TAKEN, TALON = 1, 53, 105, 157
HANDS, CARDS, POINTS, LAST = 158, 160, 162, 166
PLAYS, TAKES, GAINS_POINTS, GAINS_CARDS, TABLA = 0, 52, 104, 105, 106
FEATURES = 14 + 6 * RANKS

Rows = NDArray[np.int8]


def by_rank(cards: NDArray[np.int64]) -> NDArray[np.int64]:
    """The number of cards of each rank."""
    counts: NDArray[np.int64] = cards.reshape(-1, RANKS, SUITS).sum(axis=2)
    return counts


def replies(table: NDArray[np.int64]) -> NDArray[np.int64]:
    """What a card of each rank takes from a table by one sum, in tenths of a point; a tabla counts 10."""
    nothing = -1000
    best = np.full((len(table), HIGHEST + 1), nothing)
    best[:, 0] = 0
    for card in range(PACK):
        holding = np.flatnonzero(table[:, card])
        before = best[holding]
        after = before.copy()
        for value in VALUES[card // SUITS]:
            np.maximum(after[:, value:], before[:, :-value] + WORTH[card], out=after[:, value:])
        best[holding] = after
    counts = by_rank(table)
    aces = counts[:, -1]
    lowest = counts @ np.array([values[0] for values in VALUES])
    taken = np.zeros((len(table), RANKS), np.int64)
    for rank, values in enumerate(VALUES):
        for value in values:
            higher, rest = np.divmod(value - lowest, 10)
            is_tabla = (lowest > 0) & (rest == 0) & (higher >= 0) & (higher <= aces)
            np.maximum(taken[:, rank], best[:, value] + 10 * is_tabla, out=taken[:, rank])
    return taken


def features(observations: Rows, moves: Rows) -> Floats:
    """What each move gains and leaves, a row for each; `features` in `tablic_policy.py` is the same."""
    seen, move = observations.astype(np.int64), moves.astype(np.int64)
    hand, table, taken = (seen[:, at : at + PACK] for at in (HAND, TABLE, TAKEN))
    plays, takes = move[:, PLAYS : PLAYS + PACK], move[:, TAKES : TAKES + PACK]
    is_laid = move[:, GAINS_CARDS] == 0
    left = table - takes + plays * is_laid[:, None]
    kept = by_rank(hand - plays)
    unseen = by_rank(1 - hand - table - taken)
    reply = replies(left)
    total = np.maximum(unseen.sum(axis=1), 1)
    # About how likely the other seat holds each rank.
    held = np.minimum(seen[:, HANDS + 1, None] * unseen / total[:, None], 1.0)
    # The mean of the best reply: the best one if it can, else the next one, and so on.
    order = np.argsort(-reply, axis=1, kind="stable")
    chance, worth = np.take_along_axis(held, order, 1), np.take_along_axis(reply, order, 1)
    missing = np.cumprod(1 - chance, axis=1)
    missing = np.concatenate([np.ones((len(missing), 1)), missing[:, :-1]], axis=1)
    mean_reply = (missing * chance * worth).sum(axis=1)
    numbers = [
        move[:, GAINS_POINTS] / 4,
        move[:, TABLA],
        move[:, GAINS_CARDS] / 5,
        left.sum(axis=1) == 0,
        left @ (WORTH // 10) / 4,
        left.sum(axis=1) / 8,
        mean_reply / 10,
        seen[:, TALON] / 36,
        seen[:, HANDS] / 6,
        seen[:, HANDS + 1] / 6,
        (seen[:, CARDS] - seen[:, CARDS + 1]) / 10,
        (seen[:, CARDS] + move[:, GAINS_CARDS]) / 26,
        (seen[:, POINTS] - seen[:, POINTS + 1]) / 10,
        seen[:, LAST],
    ]
    gains = reply / 20
    ranks = [by_rank(left), kept, unseen / 4, gains, held * reply / 20, (kept > 0) * gains]
    return np.column_stack([*numbers, *ranks])


class Choices:
    """The legal moves of all games of a batch."""

    def __init__(self, observation: Rows, moves: Rows, counts: NDArray[np.int64]) -> None:
        self.rows = features(np.repeat(observation, counts, axis=0), moves)
        self.starts = np.cumsum(counts) - counts
        #: Where each move stands: its game, and its place in the list.
        self.games = np.repeat(np.arange(len(counts)), counts)
        self.places = np.arange(len(self.rows)) - self.starts[self.games]
        self.shape = (len(counts), int(counts.max()))

    def best(self, scores: Floats) -> NDArray[np.int64]:
        """The place of the move of the greatest score in each game."""
        table = np.full(self.shape, -np.inf)
        table[self.games, self.places] = scores
        places: NDArray[np.int64] = table.argmax(axis=1)
        return places


def model_of(network: Network, batch: arbiter_games.Batch) -> Model:
    """The network with few decimals."""
    return Model("tablic", batch.options, with_few_decimals(network.layers))


def train(seed: int, rounds: int, games: int = GAMES) -> Iterator[Model]:
    """Trains for a number of rounds, and yields the model now and then."""
    rng = np.random.default_rng(seed)
    batch = arbiter_games.batch("tablic", games, OPTIONS, seed=seed, opponent="greedy")
    network = Network([FEATURES, HIDDEN, 1], rng)
    size = np.arange(games)
    step = batch.observe()
    for done in range(1, rounds + 1):
        rest = 1 - done / (rounds + 1)
        rows: list[Floats] = []
        estimates: list[Floats] = []
        leads: list[Floats] = []
        ends: list[NDArray[np.bool_]] = []
        results: list[Floats] = []
        for at in range(STEPS + 1):
            choices = Choices(step.observation, *batch.moves())
            scores = network.forward(choices.rows.astype(np.float32))[-1][:, 0]
            lead = step.observation[:, POINTS].astype(np.float64) - step.observation[:, POINTS + 1]
            estimates.append(lead + scores[choices.starts + choices.best(scores)])
            if at == STEPS:
                break
            noise = NOISE * rest * rng.gumbel(size=len(scores))
            action = choices.best(scores + noise)
            rows.append(choices.rows[choices.starts + action].astype(np.float32))
            leads.append(lead)
            player, step = step.player, batch.step(action)
            ends.append(step.ended)
            results.append(2 * step.rewards[size, player])
        # From the last step to the first: the lead at the end of the game, or the estimate of it.
        target: Floats = estimates[-1]
        targets: list[Floats] = []
        for at in reversed(range(STEPS)):
            later = TRACE * target + (1 - TRACE) * estimates[at + 1]
            target = np.where(ends[at], results[at], later)
            targets.append(target - leads[at])
        told, goal = np.concatenate(rows), np.concatenate(targets[::-1]).astype(np.float32)
        for _ in range(EPOCHS):
            order = rng.permutation(len(goal))
            for chosen in np.array_split(order, len(order) // MINIBATCH + 1):
                values = network.forward(told[chosen])
                slope = (values[-1] - goal[chosen, None]) / np.float32(len(chosen))
                network.learn(values, slope, 2e-3 * rest + 5e-5)
        if done * 10 // rounds > (done - 1) * 10 // rounds:
            yield model_of(network, batch)


def choose(
    model: Model, batch: arbiter_games.Batch, step: arbiter_games.Step
) -> NDArray[np.int64]:
    """The best move of each game by a model."""
    choices = Choices(step.observation, *batch.moves())
    return choices.best(model.scores(choices.rows)[:, 0])


def main() -> None:
    told = settings("tablic", "Trains a bot for Tablić.", rounds=80)
    run(train(told.seed, told.rounds), choose, told)


if __name__ == "__main__":
    main()
