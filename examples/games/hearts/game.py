"""Hearts for four seats, as rules for the referee `arbiter`.

The referee writes a call on a line, and this program answers with some lines and an empty one. It never
draws a card: it says what can be drawn, and the referee draws.
"""

from __future__ import annotations

import itertools
import sys

SEATS = range(4)
RANKS = "23456789TJQKA"
SUITS = "CDHS"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
PLACE = {card: place for place, card in enumerate(PACK)}

FIRST_LEAD = "2C"
BLACK_QUEEN = "QS"
HAND_SIZE = 13
TRICKS = 13
PASSED_CARDS = 3
ALL_PENALTIES = 26

# How many seats further the passed cards go.
PASSING = {"left": 1, "right": 3, "across": 2, "none": 0}

ABOUT = """\
rules 1
name hearts
title Hearts
about avoid hearts and the queen of spades, or take them all
seats 4
option passing left where three cards are passed: left, right, across or none
most 26
help Each seat has 13 cards. Before the first trick each passes three of them to another seat, unless passing=none.
help The two of clubs leads to the first trick. Then the seat that took a trick leads to the next one.
help Follow suit if you can. The highest card of the suit that was led takes the trick.
help Each heart costs its taker 1 point, the queen of spades 13: 26 in all. A seat scores 26 minus what it has taken.
help Who takes all 26 shoots the moon: this seat scores 26, and all others 0.
help Hearts cannot be led until one was played, unless you have nothing else.
help In the first trick no heart and no queen of spades may be played, unless you have nothing else."""


class Refused(Exception):
    """The call cannot be done, and nothing has changed."""


def penalty_of(card: str) -> int:
    if card == BLACK_QUEEN:
        return 13
    return 1 if card[1] == "H" else 0


def in_order(cards: list[str]) -> list[str]:
    return sorted(cards, key=PLACE.__getitem__)


def lowest_first(cards: list[str]) -> list[str]:
    return sorted(cards, key=lambda card: RANKS.index(card[0]))


def line(*words: object) -> str:
    return " ".join(str(word) for word in words)


class Game:
    """One hand: the deal, the passing and 13 tricks."""

    def __init__(self, passing: str) -> None:
        self.passing = passing
        self.phase = "deal"  # then "pass", unless nothing is passed, then "play" and "over"
        self.turn = 0
        self.hands: list[list[str]] = [[] for _ in SEATS]
        self.passed: list[list[str]] = [[] for _ in SEATS]
        self.received: list[list[str]] = [[] for _ in SEATS]
        self.leader = 0
        self.trick: list[str] = []
        self.past_tricks: list[tuple[int, list[str]]] = []
        self.hearts_broken = False
        self.penalties = [0 for _ in SEATS]
        self.tricks = [0 for _ in SEATS]

    # What changes the game, and returns the events.

    def deal(self, cards: list[str]) -> list[str]:
        if self.phase != "deal":
            raise Refused("nothing is to be drawn now")
        if in_order([card for card in cards if card in PLACE]) != PACK or len(cards) != len(PACK):
            raise Refused("expected each card of the pack once")
        events = []
        for seat in SEATS:
            hand = in_order(cards[seat * HAND_SIZE : (seat + 1) * HAND_SIZE])
            self.hands[seat] = hand
            events += [
                line("secret", seat, "deal", seat, *hand),
                line("tell", f"{{{seat}}} is dealt", *hand),
                line("others deal", seat, *["?"] * HAND_SIZE),
                line("tell", f"{{{seat}}} is dealt {HAND_SIZE} cards"),
            ]
        if self.passing == "none":
            self.begin_tricks()
        else:
            self.phase = "pass"
        return events

    def play(self, move: str) -> list[str]:
        self.check(move)
        verb, *cards = move.split(" ")
        return self.pass_cards(cards) if verb == "pass" else self.play_card(cards[0])

    def check(self, move: str) -> None:
        if self.phase not in ("pass", "play"):
            raise Refused("no seat is to move now")
        if move not in self.legal_moves():
            raise Refused("this is not one of the legal moves")

    def pass_cards(self, cards: list[str]) -> list[str]:
        giver = self.turn
        self.passed[giver] = cards
        self.hands[giver] = [card for card in self.hands[giver] if card not in cards]
        events = [
            line("secret", giver, giver, "pass", *cards),
            line("tell", f"{{{giver}}} passes", *cards, f"to {{{self.receiver_of(giver)}}}"),
            line("others", giver, "pass", *["?"] * PASSED_CARDS),
            line("tell", f"{{{giver}}} passes three cards to {{{self.receiver_of(giver)}}}"),
        ]
        self.turn += 1
        if self.turn == len(SEATS):
            events += self.hand_over()
            self.begin_tricks()
        return events

    def hand_over(self) -> list[str]:
        """Gives the passed cards to their receivers, once all seats have chosen theirs."""
        events = []
        for giver in SEATS:
            receiver = self.receiver_of(giver)
            cards = self.passed[giver]
            self.received[receiver] = cards
            self.hands[receiver] = in_order(self.hands[receiver] + cards)
            events += [
                line("secret", receiver, "receive", receiver, *cards),
                line("tell", f"{{{receiver}}} receives", *cards, f"from {{{giver}}}"),
                line("others receive", receiver, *["?"] * PASSED_CARDS),
                line("tell", f"{{{receiver}}} receives three cards from {{{giver}}}"),
            ]
        return events

    def receiver_of(self, giver: int) -> int:
        return (giver + PASSING[self.passing]) % len(SEATS)

    def begin_tricks(self) -> None:
        self.phase = "play"
        self.leader = next(seat for seat in SEATS if FIRST_LEAD in self.hands[seat])
        self.turn = self.leader

    def play_card(self, card: str) -> list[str]:
        seat = self.turn
        self.hands[seat].remove(card)
        self.trick.append(card)
        if card[1] == "H":
            self.hearts_broken = True
        self.turn = (seat + 1) % len(SEATS)
        events = [line("event", seat, "play", card), line("tell", f"{{{seat}}} plays", card)]
        if len(self.trick) == len(SEATS):
            events += self.end_trick()
        return events

    def end_trick(self) -> list[str]:
        suit = self.trick[0][1]
        highest = max((card for card in self.trick if card[1] == suit), key=PLACE.__getitem__)
        taker = (self.leader + self.trick.index(highest)) % len(SEATS)
        points = sum(penalty_of(card) for card in self.trick)
        self.penalties[taker] += points
        self.tricks[taker] += 1
        self.past_tricks.append((self.leader, self.trick))
        self.trick = []
        self.leader = self.turn = taker
        counted = {0: "", 1: " with 1 point"}.get(points, f" with {points} points")
        events = [line("event trick", taker, points), f"tell {{{taker}}} takes the trick{counted}"]
        if len(self.past_tricks) == TRICKS:
            self.phase = "over"
            if ALL_PENALTIES in self.penalties:
                shooter = self.penalties.index(ALL_PENALTIES)
                events += [line("event moon", shooter), f"tell {{{shooter}}} shoots the moon"]
        return events

    # What the game is now.

    def legal_moves(self) -> list[str]:
        """The moves of the seat whose turn it is: in the order of the pack, since its hand is."""
        if self.phase == "pass":
            choices = itertools.combinations(self.hands[self.turn], PASSED_CARDS)
            return ["pass " + " ".join(cards) for cards in choices]
        return ["play " + card for card in self.playable(self.hands[self.turn])]

    def playable(self, hand: list[str]) -> list[str]:
        is_first_trick = not self.past_tricks
        if not self.trick:
            if is_first_trick:
                return [FIRST_LEAD]
            if self.hearts_broken:
                return hand
            return [card for card in hand if card[1] != "H"] or hand
        of_suit = [card for card in hand if card[1] == self.trick[0][1]]
        if of_suit:
            return of_suit
        if is_first_trick:
            return [card for card in hand if penalty_of(card) == 0] or hand
        return hand

    def is_forced(self) -> bool:
        """Says whether every seat knows that there is only one legal move.

        A seat that has only one for another reason is asked: a card that comes at once would tell the others
        that it had no choice.
        """
        is_first_lead = not self.past_tricks and not self.trick
        is_last_trick = len(self.past_tricks) == TRICKS - 1
        return self.phase == "play" and (is_first_lead or is_last_trick)

    def fallback(self) -> str:
        """The move of a seat that is out: its lowest cards."""
        hand = self.hands[self.turn]
        if self.phase == "pass":
            return line("pass", *in_order(lowest_first(hand)[:PASSED_CARDS]))
        return line("play", lowest_first(self.playable(hand))[0])

    def scores(self) -> list[int]:
        """The score of each seat if no more points are taken."""
        if ALL_PENALTIES in self.penalties:
            return [ALL_PENALTIES if taken == ALL_PENALTIES else 0 for taken in self.penalties]
        return [ALL_PENALTIES - taken for taken in self.penalties]

    def state(self) -> list[str]:
        if self.phase == "over":
            lines = [line("over", *self.scores())]
        elif self.phase == "deal":
            lines = [line("draw", len(PACK), *PACK)]
        else:
            lines = [line("turn", self.turn), *["move " + move for move in self.legal_moves()]]
            lines.append("fallback " + self.fallback())
            if self.is_forced():
                lines.append("forced")
        lines.append(line("points", *self.scores()))
        lines.append(line("walkover", *self.scores()))
        return lines + self.view()

    def view(self) -> list[str]:
        """All that each seat has been told, for it may see nothing else."""
        lines = []
        for seat in SEATS:
            if self.phase != "deal":
                lines.append(line("view", seat, "hand", *self.hands[seat]))
            if self.passed[seat]:
                lines.append(line("view", seat, "passed", *self.passed[seat]))
            if self.received[seat]:
                lines.append(line("view", seat, "received", *self.received[seat]))
        if self.phase in ("pass", "play"):
            lines.append(line("view * turn", self.turn, self.phase))
        if self.phase == "play":
            lines.append(line("view * leader", self.leader))
        lines.append(line("view * trick", *self.trick))
        if self.past_tricks and not self.trick:
            lines.append(line("view * last", *self.past_tricks[-1][1]))
        lines.append(line("view * hearts", "broken" if self.hearts_broken else "unbroken"))
        lines.append(line("view * cards", *[len(hand) for hand in self.hands]))
        lines.append(line("view * tricks", *self.tricks))
        lines.append(line("view * penalty", *self.penalties))
        for leader, cards in self.past_tricks:
            lines.append(line("view * past", leader, *cards))
        return lines


def new_game(options: str) -> Game:
    seats, _, passing = options.partition(" passing=")
    if seats != "seats=4" or passing not in PASSING:
        raise Refused("expected seats=4, and passing=left, right, across or none")
    return Game(passing)


class Rules:
    """Answers calls, and holds the game that is played now."""

    def __init__(self) -> None:
        self.game: Game | None = None

    def answer(self, call: str) -> list[str]:
        verb, _, rest = call.partition(" ")
        if verb == "about":
            return ABOUT.split("\n")
        if verb == "new":
            self.game = new_game(rest)
            return self.game.state()
        if self.game is None:
            raise Refused("no game has begun")
        if verb == "happen":
            return self.game.deal(rest.split(" ")) + self.game.state()
        if verb == "play":
            return self.game.play(rest) + self.game.state()
        if verb == "check":
            self.game.check(rest)
            return ["ok"]
        raise Refused("this call is unknown")


def main() -> None:
    sys.stdout.reconfigure(newline="\n")  # type: ignore[union-attr]
    rules = Rules()
    for call in sys.stdin:
        try:
            lines = rules.answer(call.rstrip("\n"))
        except Refused as refusal:
            lines = [f"refused {refusal}"]
        sys.stdout.write("\n".join(lines) + "\n\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
