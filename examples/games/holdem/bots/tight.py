#!/usr/bin/env python3
"""Plays few hands, and those hard: reads a request from standard input, and prints a move.

It deals the unseen cards at random many times, and counts how often its hand wins. A strong hand bets or raises by
about the pot, a hand that wins more often than the price of a call asks for calls, and all others check or fold.
"""

from __future__ import annotations

import sys

# `random.py` in this folder would be found in place of the module `random`, so chance is made here.

DEALS = 300
RANKS = "23456789TJQKA"
PACK = [rank + suit for suit in "CDHS" for rank in RANKS]

# How often a hand must win against any cards: to bet, to raise, and to raise all in.
BET, RAISE, ALL_IN = 0.55, 0.62, 0.75

# Who bets has better cards than any: a call needs this much more than its price.
RESPECT = 0.03


class Request:
    """The lines of a request that this bot looks at."""

    def __init__(self, lines: list[str]) -> None:
        self.values = {}
        for place, line in enumerate(lines):
            key, _, value = line.partition(" ")
            self.values.setdefault(key, value)
            if key == "legal":
                self.moves = lines[place + 1 : place + 1 + int(value.split()[0])]

    def numbers(self, key: str) -> list[int]:
        return [int(word) for word in self.values[key].split()]

    def cards(self, key: str) -> list[str]:
        return self.values.get(key, "").split()


class Chance:
    """Random numbers from a seed, by SplitMix64."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, limit: int) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) % 2**64
        mixed = (self._state ^ self._state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
        return (mixed ^ mixed >> 31) % limit

    def draw(self, pool: list[str], number: int) -> list[str]:
        """Moves so many cards to the front of the pool, and returns them."""
        for place in range(number):
            other = place + self.below(len(pool) - place)
            pool[place], pool[other] = pool[other], pool[place]
        return pool[:number]


def straight(ranks: set[int]) -> int:
    """The highest rank of the highest straight, or -1. The ace also stands below the 2."""
    ladder = ranks | {-1} if 12 in ranks else ranks
    tops = (top for top in range(12, 2, -1) if all(top - step in ladder for step in range(5)))
    return next(tops, -1)


def strength(cards: list[str]) -> tuple[int, list[int]]:
    """The category of the best five cards and what decides within it; the greater one wins."""
    ranks = [RANKS.index(card[0]) for card in cards]
    for suit in "CDHS":
        suited = [rank for rank, card in zip(ranks, cards) if card[1] == suit]
        if len(suited) >= 5:
            top = straight(set(suited))
            # Two more cards are too few for four of a kind or a full house beside a flush.
            return (8, [top]) if top >= 0 else (5, sorted(suited)[:-6:-1])
    # Groups of equal cards, the larger ones first, then the higher ones.
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    (first, rank), (second, other) = groups[:2]
    rest = sorted(set(ranks) - {rank}, reverse=True)
    if first == 4:
        return 7, [rank, rest[0]]
    if first == 3 and second >= 2:
        return 6, [rank, other]
    top = straight(set(ranks))
    if top >= 0:
        return 4, [top]
    if first == 3:
        return 3, [rank, *rest[:2]]
    if second == 2:
        return 2, [rank, other, max(set(ranks) - {rank, other})]
    if first == 2:
        return 1, [rank, *rest[:3]]
    return 0, [rank, *rest[:4]]


def equity(hole: list[str], board: list[str], chance: Chance) -> float:
    """How much of the pot these cards win on average against any cards."""
    pool = [card for card in PACK if card not in hole + board]
    won = 0.0
    for _ in range(DEALS):
        drawn = chance.draw(pool, 7 - len(board))
        other, full = drawn[:2], board + drawn[2:]
        mine, theirs = strength(hole + full), strength(other + full)
        won += 1 if mine > theirs else 0.5 if mine == theirs else 0
    return won / DEALS


def choose(request: Request) -> str:
    seat = int(request.values["seat"])
    bets, (pot,) = request.numbers("bets"), request.numbers("pot")
    to_call = max(bets) - bets[seat]
    wins = equity(request.cards("hole"), request.cards("board"), Chance(int(request.values["seed"], 16)))

    # Bets and raises are listed from the smallest to the largest.
    sizes = [move for move in request.moves if move.startswith(("bet ", "raise "))]
    if sizes and wins >= ALL_IN:
        return sizes[-1]
    if sizes and wins >= (RAISE if to_call else BET):
        pot_size = max(bets) + pot + to_call
        return min(sizes, key=lambda move: abs(int(move.split()[1]) - pot_size))
    if not to_call:
        return "check"
    price = to_call / (pot + to_call)
    return "call" if wins >= price + RESPECT else "fold"


if __name__ == "__main__":
    print(choose(Request(sys.stdin.read().splitlines())))
