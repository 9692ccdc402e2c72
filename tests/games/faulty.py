#!/usr/bin/env python3
"""Rules of a small poker that break the protocol of rules in one way: `faulty.py FAULT`.

`faulty.py --list` prints the names of the faults; `none` is the game without one. A fault comes after the
first move of a game, unless it is about something else.
"""

import os
import signal
import sys
import time

CARDS = ["J", "Q", "K"]
UNTIL_KILLED = 1_000_000_000
# Their order depends on PYTHONHASHSEED.
COLOURS = {"red", "green", "blue", "black", "white", "grey"}
# What is left over from games before.
ALL_MOVES = []
# A process that is said to tire does so after this number of moves.
TIRED = 400


class Game:
    def __init__(self):
        self.cards, self.pot, self.moves, self.round, self.scores = [], [1, 1], [[], []], 0, None

    def is_chance(self):
        return self.scores is None and len(self.cards) < 2 + self.round

    def left(self, card):
        return 2 - self.cards.count(card)

    def turn(self):
        return len(self.moves[self.round]) % 2

    def legal(self):
        if self.scores or self.is_chance():
            return []
        moves = ["check"] if self.pot[0] == self.pot[1] else ["fold", "call"]
        return moves + (["raise"] if self.moves[self.round].count("raise") < 2 else [])

    def state(self):
        if self.scores:
            yield "over {} {}".format(*self.scores)
        elif self.is_chance():
            yield "chance " + " ".join(f"{self.left(card)}*{card}" for card in CARDS if self.left(card))
        else:
            yield f"turn {self.turn()}"
            yield from (f"move {move}" for move in self.legal())
            yield f"fallback {self.legal()[0]}"
        yield "view * pot {} {}".format(*self.pot)
        yield from (f"view * {key} {' '.join(moves)}" for key, moves in zip(["first", "second"], self.moves) if moves)
        yield from (f"view {seat} card {card}" for seat, card in enumerate(self.cards[:2]))
        yield from (f"view * board {card}" for card in self.cards[2:])
        if self.scores and self.moves[self.round][-1] != "fold":
            yield "view * shown {} {}".format(*self.cards)

    def happen(self, card):
        if not self.is_chance() or card not in CARDS or not self.left(card):
            return None
        self.cards.append(card)
        seat = len(self.cards) - 1
        return [f"event board {card}"] if seat == 2 else [f"secret {seat} deal {seat} {card}", f"others deal {seat} ?"]

    def play(self, move):
        if move not in self.legal():
            return None
        seat = self.turn()
        self.moves[self.round].append(move)
        ALL_MOVES.append(move)
        events = [f"event {seat} {move}", f"tell {{{seat}}} {move}s"]
        if move == "fold":
            self.end(1 - seat)
        elif move == "raise":
            self.pot[seat] = self.pot[1 - seat] + [2, 4][self.round]
        elif move == "call" or seat == 1:
            self.pot[seat] = self.pot[1 - seat]
            if self.round == 1:
                more = self.strength(0) - self.strength(1)
                self.end(0 if more > 0 else 1 if more < 0 else None)
                return events + ["event shown {} {}".format(*self.cards)]
            self.round = 1
        return events

    def strength(self, seat):
        return CARDS.index(self.cards[seat]) + 3 * (self.cards[seat] == self.cards[2])

    def end(self, winner):
        self.scores = [13, 13]
        if winner is not None:
            lost = self.pot[1 - winner]
            self.scores[winner] += lost
            self.scores[1 - winner] -= lost


def without(lines, *keys):
    """The lines of an answer but for these."""
    return [line for line in lines if line.split(" ")[0] not in keys]


def with_next(lines, *others):
    """The answer with something else that comes next."""
    return without(lines, "turn", "move", "fallback", "chance", "over") + list(others)


def instead(lines, key, line):
    """The answer with another line of this key, or with another one where it has none."""
    return without(lines, key) + [line]


def at_over(change):
    """A fault of the last answer of a game."""
    return lambda lines, game: change(lines, game) if game.scores else lines


def at_turn(change):
    """A fault of every answer with a turn."""
    return lambda lines, game: change(lines, game) if game.legal() else lines


def once(change):
    """A fault of the answer to the first move, after which it is the turn of seat 1."""
    return lambda lines, game: change(lines, game) if [len(moves) for moves in game.moves] == [1, 0] else lines


def write(data):
    """Writes outside of the answer."""
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def flood(lines, game):
    for _ in range(1600):
        write(b"view * pot 1 1\n" * 4370)
    return lines


def memory(lines, game):
    held = [b"\1" * (1 << 26) for _ in range(40)]
    return lines + [f"view * held {len(held)}"]


def killed(lines, game):
    os.kill(os.getpid(), signal.SIGKILL)
    return lines


def tired(end):
    """A fault of a process that has played many moves."""
    return lambda lines, game: end(lines, game) if len(ALL_MOVES) > TIRED else lines


def late(lines, game):
    time.sleep(UNTIL_KILLED)
    return lines


def raw(data):
    def change(lines, game):
        write(data)
        return lines

    return change


def other_card(game):
    return game.cards[1 - game.turn()]


def is_weak(game):
    """Only the seat whose turn it is knows that its card is too low to raise."""
    return game.pot[0] == game.pot[1] and game.cards[game.turn()] == "J"


# What each fault makes of an answer with a state, of a game in which a move was played.
CHANGES = {
    "none": lambda lines, game: lines,
    "exits": once(lambda lines, game: sys.exit("this program ends here")),
    "raises": once(lambda lines, game: [lines[1000]]),
    "late": once(late),
    "killed": once(killed),
    "tires": tired(lambda lines, game: sys.exit("it is tired")),
    "memory": once(memory),
    "flood": once(flood),
    "control": once(lambda lines, game: lines + ["view * colour \x1b[31mred"]),
    "control-tell": once(lambda lines, game: ["event red", "tell \x1b[31mred", *lines]),
    "not-utf8": once(raw(b"view * colour \xff\xfe\n")),
    "not-ascii": once(lambda lines, game: lines + ["view * colour grün"]),
    "two-blanks": once(lambda lines, game: lines + ["view * colour dark  red"]),
    "no-answer": once(lambda lines, game: []),
    "answers-twice": once(lambda lines, game: [*lines, "", *lines]),
    "unknown-line": once(lambda lines, game: [line.replace("turn", "trun") for line in lines]),
    "no-state": once(lambda lines, game: with_next(lines)),
    "two-states": once(lambda lines, game: lines + ["chance J Q"]),
    "wrong-seat": once(lambda lines, game: instead(lines, "turn", "turn 2")),
    "wrong-view": once(lambda lines, game: lines + ["view 2 card K"]),
    "wrong-key": once(lambda lines, game: lines + ["view * Card K"]),
    "no-move": once(lambda lines, game: without(lines, "move")),
    "same-move-twice": once(lambda lines, game: lines + [f"move {game.legal()[0]}"]),
    "long-move": once(lambda lines, game: lines + ["move " + "x" * 201]),
    "too-many-moves": once(lambda lines, game: lines + [f"move {number}" for number in range(10_001)]),
    "no-fallback": once(lambda lines, game: without(lines, "fallback")),
    "bad-fallback": once(lambda lines, game: instead(lines, "fallback", "fallback pass")),
    "forced-choice": once(lambda lines, game: lines + ["forced"]),
    "chance-with-moves": once(lambda lines, game: instead(lines, "turn", "chance J Q")),
    "short-scores": at_over(lambda lines, game: with_next(lines, "over 26")),
    "long-scores": at_over(lambda lines, game: with_next(lines, "over 13 13 0")),
    "negative-score": at_over(lambda lines, game: with_next(lines, "over 27 -1")),
    "odd-score": at_over(lambda lines, game: with_next(lines, "over 13.5 12.5")),
    "above-most": at_over(lambda lines, game: with_next(lines, "over 27 0")),
    "weight-zero": once(lambda lines, game: with_next(lines, "chance 0*J 2*Q")),
    "weight-too-large": once(lambda lines, game: with_next(lines, "chance 1000000000*J 2*Q")),
    "same-outcome-twice": once(lambda lines, game: with_next(lines, "chance J Q J")),
    "draw-too-many": once(lambda lines, game: with_next(lines, "draw 3 2*J")),
    "others-alone": once(lambda lines, game: ["others deal 0 ?", *lines]),
    "tell-alone": once(lambda lines, game: ["tell {0} waits", *lines]),
    "tell-of-nobody": once(lambda lines, game: ["event wait", "tell {2} waits", *lines]),
    "event-out": once(lambda lines, game: ["event out 1 time", *lines]),
    "refused-and-state": once(lambda lines, game: ["refused why not", *lines]),
    "moody": at_turn(lambda lines, game: lines + ["view * colours " + " ".join(COLOURS)]),
    "clock": at_turn(lambda lines, game: lines + [f"view * time {time.time_ns()}"]),
    "address": at_turn(lambda lines, game: lines + [f"view * address {id(game)}"]),
    "forgets": at_turn(lambda lines, game: lines + [f"view * moves {len(ALL_MOVES)}"]),
    "leaks-view": at_turn(lambda lines, game: lines + [f"view {game.turn()} other {other_card(game)}"]),
    "leaks-moves": at_turn(
        lambda lines, game: [line for line in lines if line != "move raise" or other_card(game) != "K"]
    ),
    "leaks-forced": at_turn(
        lambda lines, game: [line for line in lines if line != "move raise"] + ["forced"] if is_weak(game) else lines
    ),
    "leaks-event": once(lambda lines, game: [f"event shown {' '.join(game.cards)}", *lines]),
    "hides-view": lambda lines, game: [line for line in lines if not line.startswith("view * board")],
}

# Faults that are not a change of one answer.
OTHERS = [
    "never-answers-about",
    "wrong-version",
    "no-name",
    "taken-name",
    "refuses-listed",
    "refuses-outcome",
    "ignores-outcome",
    "accepts-unlisted",
    "check-lies",
    "check-changes",
    "endless",
    "long-events",
    "half-line",
]

ABOUT = ["rules 1", "name faulty", "about a small poker with a fault", "seats 2", "most 26"]


class Rules:
    def __init__(self, fault):
        self.fault, self.game = fault, None

    def about(self):
        if self.fault == "never-answers-about":
            time.sleep(UNTIL_KILLED)
        changed = {"wrong-version": ("rules 1", "rules 2"), "taken-name": ("name faulty", "name tablic")}
        old, new = changed.get(self.fault, ("", ""))
        lines = [new if line == old else line for line in ABOUT]
        return without(lines, "name") if self.fault == "no-name" else lines

    def is_begun(self):
        return self.game is not None and bool(self.game.moves[0])

    def play(self, move):
        game = self.game
        if self.fault == "refuses-listed" and self.is_begun():
            return None
        if self.fault == "leaks-forced" and move == "raise" and self.is_begun() and game.legal() and is_weak(game):
            return None
        if self.fault == "accepts-unlisted" and self.is_begun() and game.legal() and move not in game.legal():
            move = game.legal()[0]
        if self.fault in ("endless", "long-events") and self.is_begun():
            return ["event wait"] if move == "check" else None
        return game.play(move)

    def happen(self, card):
        is_refused = self.fault == "refuses-outcome" and self.is_begun()
        if self.fault == "ignores-outcome" and self.is_begun() and self.game.is_chance() and card in CARDS:
            card = next(it for it in CARDS if self.game.left(it))
        return None if is_refused else self.game.happen(card)

    def check(self, move):
        if self.fault == "check-changes" and self.is_begun():
            self.game.pot[0] += 1
        is_fine = move in self.game.legal() or self.fault == "check-lies"
        return ["ok"] if is_fine or self.fault == "accepts-unlisted" else ["refused not possible"]

    def answer(self, call):
        verb, _, rest = call.partition(" ")
        if verb == "about":
            return self.about()
        if verb == "new":
            if rest != "seats=2" or self.fault == "refuses-options":
                return ["refused expected seats=2"]
            self.game = Game()
            events = []
        elif verb == "check":
            return self.check(rest)
        else:
            events = self.play(rest) if verb == "play" else self.happen(rest)
        if events is None:
            return ["refused not possible"]
        lines = [*events, *self.game.state()]
        if not self.is_begun():
            return lines
        if self.fault in ("endless", "long-events"):
            lines = ["event " + "x" * 1_000_000, *lines] if self.fault == "long-events" else lines
            return with_next(lines, f"turn {self.game.turn()}", "move check", "fallback check")
        if self.fault in ("check-lies", "check-changes") and self.game.legal():
            return lines + ["more"]
        if self.fault == "half-line":
            write("\n".join(lines).encode()[:-3])
            sys.exit(0)
        return CHANGES.get(self.fault, CHANGES["none"])(lines, self.game)


def main():
    names = [name for name in [*CHANGES, *OTHERS] if name != "none"]
    fault = sys.argv[1] if len(sys.argv) == 2 else ""
    if fault == "--list":
        print(*names, sep="\n")
    elif fault not in ["none", *names]:
        sys.exit("usage: faulty.py FAULT, one of those of faulty.py --list")
    else:
        rules = Rules(fault)
        for line in sys.stdin:
            answer = rules.answer(line.rstrip("\n"))
            write("".join(line + "\n" for line in [*answer, ""]).encode())


if __name__ == "__main__":
    main()
