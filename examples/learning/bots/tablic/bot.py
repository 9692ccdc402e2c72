"""Plays Tablić by the network in `weights.json`.

`columns` and `move_columns` make the same numbers of a request as `state("tablic").observation()` and
`moves()`, by the names of columns. `features` makes of them what the network looks at; it is the same as in
the program that trained it. With more seats than in training, it looks at itself and the next one.
"""

from __future__ import annotations

from collections.abc import Mapping

from policy import Policy, Request, play, policy_beside

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
PACK = [rank + suit for rank in RANKS for suit in "CDHS"]
#: The values of each rank as a sum.
VALUES: dict[str, tuple[int, ...]] = {
    **{rank: (value,) for value, rank in enumerate(RANKS[:9], start=2)},
    **{"J": (12,), "Q": (13,), "K": (14,), "A": (1, 11)},
}
HIGHEST = 14
POINTS = {card: int(card[:-1] in RANKS[8:]) for card in PACK}
POINTS.update({"2C": 1, "10D": 2})


def columns(request: Request) -> dict[str, int]:
    """The columns that are not 0, by name. Seats are relative: `+0` is the own one, `+1` the next."""
    own, seats = request.seat, int(request.game.partition("seats=")[2])
    told = {"seat": own}
    for line in request.view:
        key, _, value = line.partition(" ")
        words = value.split()
        if key in ("hand", "table", "taken"):
            told.update({f"{key} {card}": 1 for card in words})
        elif key == "talon":
            told["talon"] = int(value)
        elif key in ("hands", "cards", "points", "tablas"):
            told.update({f"{key} +{(seat - own) % seats}": int(it) for seat, it in enumerate(words)})
        elif key == "last" and value != "none":
            told[f"last +{(int(value) - own) % seats}"] = 1
    return told


def move_columns(move: str, told: Mapping[str, int]) -> dict[str, int]:
    """The columns of a move that are not 0, by name."""
    plays, *takes = move.split()
    gained = [plays, *takes] if takes else []
    is_tabla = takes and all(card in takes for card in PACK if f"table {card}" in told)
    row = {f"takes {card}": 1 for card in takes}
    row[f"plays {plays}"] = 1
    row["gains points"] = sum(POINTS[card] for card in gained)
    row["gains cards"] = len(gained)
    row["tabla"] = int(bool(is_tabla))
    return row


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


def features(told: Mapping[str, int], move: Mapping[str, int]) -> list[float]:
    """What a move gains and leaves."""

    def number(name: str) -> int:
        return told.get(name, 0)

    hand = [card for card in PACK if f"hand {card}" in told]
    table = [card for card in PACK if f"table {card}" in told]
    is_laid = not move["gains cards"]
    left = [
        card
        for card in PACK
        if (card in table and f"takes {card}" not in move) or (is_laid and f"plays {card}" in move)
    ]
    kept = by_rank([card for card in hand if f"plays {card}" not in move])
    seen = {*hand, *table}
    unseen = by_rank([card for card in PACK if card not in seen and f"taken {card}" not in told])
    reply = replies(left)
    # About how likely the other seat holds each rank.
    total = max(sum(unseen), 1)
    held = [min(number("hands +1") * count / total, 1.0) for count in unseen]
    # The mean of the best reply: the best one if it can, else the next one, and so on.
    mean_reply, missing = 0.0, 1.0
    for rank in sorted(range(len(RANKS)), key=lambda it: -reply[it]):
        mean_reply += missing * held[rank] * reply[rank]
        missing *= 1 - held[rank]
    return [
        move["gains points"] / 4,
        move["tabla"],
        move["gains cards"] / 5,
        float(not left),
        sum(POINTS[card] for card in left) / 4,
        len(left) / 8,
        mean_reply / 10,
        number("talon") / 36,
        number("hands +0") / 6,
        number("hands +1") / 6,
        (number("cards +0") - number("cards +1")) / 10,
        (number("cards +0") + move["gains cards"]) / 26,
        (number("points +0") - number("points +1")) / 10,
        number("last +0"),
        *by_rank(left),
        *kept,
        *(count / 4 for count in unseen),
        *(worth / 20 for worth in reply),
        *(chance * worth / 20 for chance, worth in zip(held, reply)),
        *(worth / 20 if count else 0.0 for count, worth in zip(kept, reply)),
    ]


def choose(policy: Policy, request: Request) -> str:
    """The legal move of the greatest score, of equal ones the first."""
    told = columns(request)

    def score(move: str) -> float:
        return policy.scores(features(told, move_columns(move, told)))[0]

    return max(request.legal, key=score)


if __name__ == "__main__":
    play(policy_beside(__file__), choose)
