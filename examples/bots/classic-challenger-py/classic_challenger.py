#!/usr/bin/env python3
"""Plays Coup in the classic dialect: challenges whenever it may, and else plays at random.

It is called for each decision as
`classic_challenger.py FILE OPPONENT_COINS OWN_COINS CARDS LEGAL...`. FILE holds the game so far, a
turn a line, and the last line is the turn that is going on.
"""
import random
import sys

path, opponent_coins, own_coins, cards, *legal = sys.argv[1:]

# Line ends are moves, so they are read and written as they are.
with open(path, newline="") as game:
    turn = game.read().rpartition("\n")[2]

with open(path, "a", newline="") as game:
    game.write("q" if "q" in legal else random.choice(legal))

# An exchange ends with a line end, while CARDS has two more. Those that are kept are printed.
if turn.startswith("E") and legal == ["\n"]:
    print("".join(random.sample(cards, len(cards) - 2)))
