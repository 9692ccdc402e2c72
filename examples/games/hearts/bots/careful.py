#!/usr/bin/env python3
"""A careful player of Hearts: it takes as few points as it can, and never tries to shoot the moon.

It passes its most dangerous cards, stays below the highest card of a trick where it can, and gets rid of
the queen of spades, hearts and high cards where it need not follow suit.
"""

from __future__ import annotations

import sys

RANKS = "23456789TJQKA"
SUITS = "CDHS"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
QUEEN = "QS"


def height(card: str) -> int:
    return RANKS.index(card[0])


def points(card: str) -> int:
    return 13 if card == QUEEN else int(card[1] == "H")


def of_suit(cards: list[str], suit: str) -> list[str]:
    return [card for card in cards if card[1] == suit]


class Request:
    """What this bot needs of a request."""

    def __init__(self, lines: list[str]) -> None:
        self.view: dict[str, list[list[str]]] = {}
        self.moves: list[str] = []
        self.seat = 0
        rest = iter(lines)
        for line in rest:
            key, _, value = line.partition(" ")
            if key == "seat":
                self.seat = int(value)
            elif key in ("view", "history", "legal"):
                block = [next(rest) for _ in range(int(value.split()[0]))]
                if key == "legal":
                    self.moves = block
                if key == "view":
                    for shown in block:
                        name, *words = shown.split()
                        self.view.setdefault(name, []).append(words)

        self.hand = self.view["hand"][0]
        self.trick = self.view["trick"][0]
        self.past = [words[1:] for words in self.view.get("past", [])]
        played = [card for trick in [*self.past, self.trick] for card in trick]
        known = {*self.hand, *played}
        self.unseen = [card for card in PACK if card not in known]
        self.seen_queen = QUEEN in played


def danger(card: str, hand: list[str]) -> float:
    """How much a card in this hand should be got rid of."""
    length = len(of_suit(hand, card[1]))
    if card[1] == "S":
        # With many spades the queen can wait until she is safe; low spades guard her.
        if card == QUEEN:
            return 40 if length < 5 else 8
        if height(card) > height(QUEEN):
            return 25 if length < 5 else 4
        return -5
    # A short suit is soon empty, and then anything can be thrown away.
    return height(card) + (1 if card[1] == "H" else 0) - 1.5 * length


def pass_cards(request: Request) -> str:
    hand = request.hand
    worst = sorted(hand, key=lambda card: danger(card, hand), reverse=True)[:3]
    return " ".join(["pass", *sorted(worst, key=PACK.index)])


def lead(request: Request, cards: list[str]) -> str:
    """The card that is most likely to be beaten."""

    def risk(card: str) -> float:
        if card[1] == "S" and not request.seen_queen and height(card) >= height(QUEEN):
            return 50
        unseen = of_suit(request.unseen, card[1])
        lower = sum(height(other) < height(card) for other in unseen)
        # Where few cards of a suit are left, others throw points on it.
        scarce = 6 if len(unseen) < 3 else 0
        return lower - 0.3 * (len(unseen) - lower) + scarce + 2 * points(card)

    return min(cards, key=risk)


def follow(request: Request, cards: list[str]) -> str:
    trick = request.trick
    suit = trick[0][1]
    highest = max(height(card) for card in trick if card[1] == suit)
    lower = [card for card in cards if height(card) < highest]
    if QUEEN in lower:
        return QUEEN
    without_queen = [card for card in cards if card != QUEEN] or cards
    is_last = len(trick) == 3
    is_first_trick = not request.past
    if is_first_trick or (is_last and not any(points(card) for card in trick)):
        # The trick costs nothing, so this is the time for a high card.
        return max(without_queen, key=height)
    if lower:
        return max(lower, key=height)
    return (max if is_last else min)(without_queen, key=height)


def throw_away(request: Request, cards: list[str]) -> str:
    def gain(card: str) -> float:
        if card == QUEEN:
            return 100
        if card in ("KS", "AS"):
            return 5 if request.seen_queen else 50
        lower = sum(height(other) < height(card) for other in of_suit(request.unseen, card[1]))
        return lower + 4 * (card[1] == "H") - len(of_suit(request.hand, card[1]))

    return max(cards, key=gain)


def choose(request: Request) -> str:
    if request.moves[0].startswith("pass "):
        return pass_cards(request)
    cards = [move.split()[1] for move in request.moves]
    if not request.trick:
        return "play " + lead(request, cards)
    if cards[0][1] == request.trick[0][1]:
        return "play " + follow(request, cards)
    return "play " + throw_away(request, cards)


if __name__ == "__main__":
    print(choose(Request(sys.stdin.read().splitlines())))
