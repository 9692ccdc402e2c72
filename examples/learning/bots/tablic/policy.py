"""Plays Tablić by a network that scores moves: `features` makes of an observation what the network looks at.

It is the same as in `tablic.py`, which trained the network. With more seats than in training, it looks at itself and
the next one. `arbiter_games.bot` puts this file into the folder of the bot, with `network.py` and `observing.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

import network
from observing import PACK, RANKS, Observation

#: The values of each rank as a sum.
VALUES: dict[str, tuple[int, ...]] = {
    **{rank: (value,) for value, rank in enumerate(RANKS[:9], start=2)},
    **{"J": (12,), "Q": (13,), "K": (14,), "A": (1, 11)},
}
HIGHEST = 14
POINTS = {card: int(card[:-1] in RANKS[8:]) for card in PACK}
POINTS.update({"2C": 1, "10D": 2})
#: Where the parts of an observation and of a row of a move begin.
HAND, TABLE, TAKEN, TALON, COUNTS = 1, 53, 105, 157, 158
PLAYS, TAKES, GAINS_POINTS, GAINS_CARDS, TABLA = 0, 52, 104, 105, 106

NETWORK = network.beside(__file__)


def among(row: Sequence[int], at: int) -> list[str]:
    """The cards whose columns begin there."""
    return [card for place, card in enumerate(PACK, at) if row[place]]


def by_rank(cards: list[str]) -> list[int]:
    """The number of cards of each rank."""
    return [sum(card[:-1] == rank for card in cards) for rank in RANKS]


def replies(table: list[str]) -> list[int]:
    """What a card of each rank takes from a table by one sum, in tenths of a point; a tabla counts 10."""
    nothing = -1000
    best = [0] + [nothing] * HIGHEST
    for card in table:
        before = list(best)
        for value in VALUES[card[:-1]]:
            for total in range(value, HIGHEST + 1):
                worth = before[total - value] + 10 * POINTS[card] + 1
                best[total] = max(best[total], worth)
    aces = sum(card[:-1] == "A" for card in table)
    lowest = sum(VALUES[card[:-1]][0] for card in table)
    sums = {lowest + 10 * higher for higher in range(aces + 1)} if table else set()
    return [
        max(0, *(best[value] + (10 if value in sums else 0) for value in VALUES[rank]))
        for rank in RANKS
    ]


def features(row: Sequence[int], move: Sequence[int]) -> list[float]:
    """What a move gains and leaves."""
    # The counts of all seats lie one behind the other, and the seat that took last is behind them.
    seats = (len(row) - COUNTS) // 5
    hands, cards, points, _, last = (row[COUNTS + seats * at :] for at in range(5))
    hand, table, taken = (among(row, at) for at in (HAND, TABLE, TAKEN))
    plays, takes = among(move, PLAYS), among(move, TAKES)
    laid = plays if not move[GAINS_CARDS] else []
    left = [card for card in PACK if (card in table and card not in takes) or card in laid]
    kept = by_rank([card for card in hand if card not in plays])
    seen = {*hand, *table, *taken}
    unseen = by_rank([card for card in PACK if card not in seen])
    reply = replies(left)
    # About how likely the other seat holds each rank.
    total = max(sum(unseen), 1)
    held = [min(hands[1] * count / total, 1.0) for count in unseen]
    # The mean of the best reply: the best one if it can, else the next one, and so on.
    mean_reply, missing = 0.0, 1.0
    for rank in sorted(range(len(RANKS)), key=lambda it: -reply[it]):
        mean_reply += missing * held[rank] * reply[rank]
        missing *= 1 - held[rank]
    return [
        move[GAINS_POINTS] / 4,
        move[TABLA],
        move[GAINS_CARDS] / 5,
        float(not left),
        sum(POINTS[card] for card in left) / 4,
        len(left) / 8,
        mean_reply / 10,
        row[TALON] / 36,
        hands[0] / 6,
        hands[1] / 6,
        (cards[0] - cards[1]) / 10,
        (cards[0] + move[GAINS_CARDS]) / 26,
        (points[0] - points[1]) / 10,
        last[0],
        *by_rank(left),
        *kept,
        *(count / 4 for count in unseen),
        *(worth / 20 for worth in reply),
        *(chance * worth / 20 for chance, worth in zip(held, reply)),
        *(worth / 20 if count else 0.0 for count, worth in zip(kept, reply)),
    ]


def choose(observation: Observation) -> int:
    """The legal action of the greatest score, of equal ones the first."""
    scores = [NETWORK.outputs(features(observation.row, move))[0] for move in observation.moves]
    return observation.legal_actions[scores.index(max(scores))]
