#!/usr/bin/env python3
"""Leduc poker: the rules of a game, to start from.

The referee asks in lines, and this program answers in lines. The first part is the game. YOUR GAME GOES
HERE: put another class `Game` into its place. The second part reads the calls, and can stay as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

ABOUT = """\
rules 1
name leduc
title Leduc poker
about two rounds of betting with six cards
seats 2
most 26
help There are six cards: two jacks, two queens and two kings.
help Each seat has 13 chips, puts 1 into the pot, and gets one card, which the other seat does not see.
help After a round of betting, a card is turned up for both seats: the board. Then there is another round.
help Seat 0 begins each round. A seat that owes nothing can check or raise; otherwise call, raise or fold.
help A raise is 2 chips in the first round and 4 in the second. Each round has at most two raises.
help A seat that folds loses the pot. At the end, a card equal to the board wins it, or else the higher card.
help If the cards are equal, each seat takes back what it put in. You score the chips that you have at the end.
"""


class Refused(Exception):
    """Why something is not possible. Raise it before anything has changed."""


# The game


def name(seat: int) -> str:
    """The place for the name of a seat, in the text of a line `tell`."""
    return "{" + str(seat) + "}"


class Game:
    """One game. Its methods give lines of the protocol of rules."""

    CARDS = ("J", "Q", "K")
    CHIPS = 13
    RAISES = (2, 4)
    MOST_RAISES = 2

    def __init__(self, options: dict[str, str]) -> None:
        """Begins a game."""
        if options != {"seats": "2"}:
            raise Refused("Leduc poker has two seats and no options")
        self.cards: list[str] = []  # of seat 0, of seat 1, and the board
        self.pot = [1, 1]  # from each seat
        self.moves: list[list[str]] = [[], []]  # of each round
        self.round = 0
        self.scores: list[int] | None = None  # when the game is over

    def state(self) -> Iterator[str]:
        """What comes next, and what each seat may know."""
        if self.scores is not None:
            yield f"over {self.scores[0]} {self.scores[1]}"
        elif self.is_chance():
            yield "chance " + " ".join(f"{self.left(card)}*{card}" for card in self.CARDS if self.left(card))
        else:
            legal = self.legal()
            yield f"turn {self.turn()}"
            for move in legal:
                yield f"move {move}"
            yield f"fallback {legal[0]}"
        if self.scores is None:
            yield f"walkover {self.CHIPS + self.pot[1]} {self.CHIPS + self.pot[0]}"
        yield f"view * round {self.round + 1}"
        yield f"view * pot {self.pot[0]} {self.pot[1]}"
        for key, moves in zip(("first", "second"), self.moves):
            if moves:
                yield f"view * {key} " + " ".join(moves)
        for seat, card in enumerate(self.cards[:2]):
            yield f"view {seat} card {card}"
        for card in self.cards[2:]:
            yield f"view * board {card}"
        if self.is_shown():
            yield f"view * shown {self.cards[0]} {self.cards[1]}"

    def happen(self, card: str) -> Iterator[str]:
        """Nature has drawn this card."""
        if not self.is_chance() or card not in self.CARDS or not self.left(card):
            raise Refused("this card cannot be drawn now")
        self.cards.append(card)
        if len(self.cards) == 3:
            yield f"event board {card}"
            yield f"tell The board is {card}"
        else:
            seat = len(self.cards) - 1
            yield f"secret {seat} deal {seat} {card}"
            yield f"tell {name(seat)} gets {card}"
            yield f"others deal {seat} ?"
            yield f"tell {name(seat)} gets a card"

    def check(self, move: str) -> None:
        """Refuses a move that is not legal now."""
        if move not in self.legal():
            raise Refused("this move is not possible now")

    def play(self, move: str) -> Iterator[str]:
        """The seat whose turn it is plays this legal move."""
        seat = self.turn()
        self.moves[self.round].append(move)
        yield f"event {seat} {move}"
        yield f"tell {name(seat)} {move}s"
        if move == "fold":
            self.end(1 - seat)
        elif move == "raise":
            self.pot[seat] = self.pot[1 - seat] + self.RAISES[self.round]
        else:
            self.pot[seat] = self.pot[1 - seat]
            if move == "check" and seat == 0:
                return
            if self.round == 0:
                self.round = 1
                return
            strengths = [self.strength(0), self.strength(1)]
            self.end(None if strengths[0] == strengths[1] else strengths.index(max(strengths)))
            yield f"event shown {self.cards[0]} {self.cards[1]}"
            yield f"tell {name(0)} shows {self.cards[0]} and {name(1)} shows {self.cards[1]}"

    def is_chance(self) -> bool:
        """Is it nature that decides next?"""
        return self.scores is None and len(self.cards) < 2 + self.round

    def left(self, card: str) -> int:
        """The number of these cards that are not drawn."""
        return 2 - self.cards.count(card)

    def turn(self) -> int:
        """The seat that is to move."""
        return len(self.moves[self.round]) % 2

    def legal(self) -> list[str]:
        """The legal moves. The first of them costs nothing."""
        if self.scores is not None or self.is_chance():
            return []
        moves = ["check"] if self.pot[0] == self.pot[1] else ["fold", "call"]
        if self.moves[self.round].count("raise") < self.MOST_RAISES:
            moves.append("raise")
        return moves

    def strength(self, seat: int) -> int:
        """The strength of a seat's card beside the board."""
        card = self.cards[seat]
        return self.CARDS.index(card) + (len(self.CARDS) if card == self.cards[2] else 0)

    def is_shown(self) -> bool:
        """Has the game ended with both cards on the table?"""
        return self.scores is not None and self.moves[self.round][-1] != "fold"

    def end(self, winner: int | None) -> None:
        """Ends the game. Without a winner, each seat takes back what it has put in."""
        self.scores = [self.CHIPS, self.CHIPS]
        if winner is not None:
            lost = self.pot[1 - winner]
            self.scores[winner] += lost
            self.scores[1 - winner] -= lost


# The protocol


class Rules:
    """Answers calls, one after the other."""

    def __init__(self) -> None:
        self.game: Game | None = None

    def answer(self, call: str) -> list[str]:
        """The lines of the answer to a call."""
        try:
            return list(self.lines(call))
        except Refused as reason:
            return [f"refused {reason}"]

    def lines(self, call: str) -> Iterator[str]:
        verb, _, rest = call.partition(" ")
        if verb == "about":
            yield from ABOUT.splitlines()
            return
        if verb == "new":
            words = [word.partition("=") for word in rest.split(" ")]
            self.game = Game({key: value for key, _, value in words})
        elif self.game is None:
            raise Refused("no game has begun")
        elif verb == "happen":
            yield from self.game.happen(rest)
        elif verb == "play":
            self.game.check(rest)
            yield from self.game.play(rest)
        elif verb == "check":
            self.game.check(rest)
            yield "ok"
            return
        else:
            raise Refused("this call is not known")
        yield from self.game.state()


def main() -> None:
    rules = Rules()
    for line in sys.stdin:
        answer = rules.answer(line.rstrip("\n"))
        # An empty line ends the answer.
        print(*answer, "", sep="\n", flush=True)


if __name__ == "__main__":
    main()
