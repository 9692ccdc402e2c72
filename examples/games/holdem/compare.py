#!/usr/bin/env python3
"""Plays random hands through game.wasm and through PokerKit, and compares them.

`python3 compare.py [HANDS [SEED]]` needs the packages `wasmtime` and `pokerkit`. At every step it compares whose turn it
is, whether the seat may fold, check or call, what a call costs, the smallest and the largest bet or raise, the stacks and
the pot, and at the end what each seat has. It stops at the first difference and prints the hand that shows it.
"""

from __future__ import annotations

import pathlib
import random
import sys
import time

import wasmtime
from pokerkit import Automation, NoLimitTexasHoldem, State

# PokerKit does by itself what leaves nothing to choose. Cards are dealt to it, and it burns none.
AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.RUNOUT_COUNT_SELECTION,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Module:
    """Rules in a WebAssembly module."""

    def __init__(self, path: pathlib.Path) -> None:
        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        module = wasmtime.Module.from_file(engine, str(path))
        exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._memory, self._room, self._answer = exports["memory"], exports["room"], exports["answer"]

    def call(self, text: str) -> list[str]:
        """The lines that answer a call."""
        call = text.encode()
        self._memory.write(self._store, call, self._room(self._store, len(call)))
        packed = self._answer(self._store, len(call))
        start, length = packed >> 32 & 0xFFFFFFFF, packed & 0xFFFFFFFF
        return self._memory.read(self._store, start, start + length).decode().splitlines()


class Differs(Exception):
    """The two do not agree."""


class Hand:
    """One hand, played by both."""

    def __init__(self, module: Module, stack: int, small: int, big: int) -> None:
        self._module = module
        self.calls: list[str] = []
        self._call(f"new seats=2 stack={stack} small-blind={small} big-blind={big}")
        # The player with index 1 has the button of two: seat 0.
        self._other: State = NoLimitTexasHoldem.create_state(
            AUTOMATIONS, True, 0, (small, big), big, stack, 2
        )

    def _call(self, call: str) -> None:
        self.calls.append(call)
        self._answer = self._module.call(call)

    def _lines(self, key: str) -> list[list[str]]:
        return [line.split()[1:] for line in self._answer if line.split()[0] == key]

    def _view(self, key: str) -> list[int]:
        return next([int(word) for word in line[2:]] for line in self._lines("view") if line[1] == key)

    def play(self, chance: random.Random) -> int:
        """Plays to the end, and returns the number of decisions."""
        decisions = 0
        while not self._lines("over"):
            if self._lines("turn"):
                decisions += 1
                self._decide(chance)
            else:
                self._draw(chance)
        if self._other.status:
            raise Differs("over here alone")
        stacks = [int(score) for score in self._lines("over")[0]]
        self._same("scores", stacks, self._other.stacks[::-1])
        return decisions

    def _draw(self, chance: random.Random) -> None:
        number, *pool = self._lines("draw")[0]
        if self._other.actor_index is not None or not self._other.status:
            raise Differs(f"cards are due here alone: {self._other.operations[-1]}")
        cards = chance.sample(pool, int(number))
        self._call(f"happen {' '.join(cards)}")
        spelt = "".join(card[0] + card[1].lower() for card in cards)
        if self._other.hole_dealee_index is None:
            self._other.burn_card("??")
            self._other.deal_board(spelt)
        else:
            # The big blind is first of PokerKit's order, so the hole cards are dealt by name.
            self._other.deal_hole(spelt, 1 if len(self.calls) == 2 else 0)

    def _decide(self, chance: random.Random) -> None:
        other = self._other
        seat = int(self._lines("turn")[0][0])
        self._same("seat to move", seat, None if other.actor_index is None else 1 - other.actor_index)
        moves = [" ".join(line) for line in self._lines("move")]
        sizes = [int(move.split()[1]) for move in moves if " " in move]
        stacks, bets, pot = self._view("stacks"), self._view("bets"), self._view("pot")
        self._same("fold", "fold" in moves, other.can_fold())
        self._same("check", "check" in moves, other.checking_or_calling_amount == 0)
        self._same("call", "call" in moves, bool(other.checking_or_calling_amount))
        self._same("price of a call", max(bets) - bets[seat], other.checking_or_calling_amount)
        self._same("least", min(sizes, default=None), other.min_completion_betting_or_raising_to_amount)
        self._same("most", max(sizes, default=None), other.max_completion_betting_or_raising_to_amount)
        if not self._lines("more"):
            self._same("number of sizes", len(sizes), max(sizes) - min(sizes) + 1 if sizes else 0)
        self._same("stacks", stacks, other.stacks[::-1])
        self._same("bets", bets, other.bets[::-1])
        self._same("pot", pot, [other.total_pot_amount])
        # Small raises make long hands, and few folds many showdowns.
        weights = [1 if move == "fold" else 4 if " " not in move else 0 for move in moves]
        move = chance.choices(moves, weights)[0]
        if sizes and chance.random() < 0.4:
            size = chance.choice([sizes[0], chance.choice(sizes[:10]), chance.choice(sizes), sizes[-1]])
            move = next(move for move in moves if move.endswith(f" {size}"))
        self._call(f"play {move}")
        if move == "fold":
            other.fold()
        elif " " in move:
            other.complete_bet_or_raise_to(int(move.split()[1]))
        else:
            other.check_or_call()

    @staticmethod
    def _same(what: str, here: object, there: object) -> None:
        if here != there:
            raise Differs(f"{what}: {here} here, {there} in PokerKit")


def options(chance: random.Random) -> tuple[int, int, int]:
    """A stack and blinds: half of the time those of the game, else any, also blinds that are all in.

    Blinds differ: where they are the same, PokerKit asks the other seat first, as if it had posted the small one.
    """
    if chance.random() < 0.5:
        return 200, 1, 2
    big = chance.randint(2, 30)
    stack = chance.choice([chance.randint(1, 12), chance.randint(1, 100 * big)])
    return stack, chance.randint(1, big - 1), big


def main() -> int:
    hands = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    module = Module(pathlib.Path(__file__).with_name("game.wasm"))
    chance = random.Random(seed)
    begun, decisions = time.monotonic(), 0
    showdowns = 0
    for number in range(hands):
        hand = Hand(module, *options(chance))
        try:
            decisions += hand.play(chance)
        except Differs as difference:
            print(f"hand {number}: {difference}", *hand.calls, sep="\n")
            return 1
        showdowns += not hand.calls[-1].endswith("fold")
    seconds = time.monotonic() - begun
    print(
        f"{hands} hands, {decisions} decisions with the legal moves of each, {showdowns} showdowns: "
        f"the same in PokerKit, in {seconds:.0f} s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
