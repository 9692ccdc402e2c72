#!/usr/bin/env python3
"""Plays any game: answers with one of the listed legal moves, chosen at random.

A bot reads a request from standard input and prints one move, and that is all. This one needs
nothing of the request but its seed and its list of legal moves.
"""
import sys

seed = 0
for line in sys.stdin:
    # Every line is a key and its value. Keys that are not known here are passed over, so that
    # the bot still plays when a later version of the protocol has more of them.
    key, _, value = line.strip().partition(" ")
    if key == "seed":
        # A number of 16 hexadecimal digits, different for every request. Taking all chance from
        # it makes the bot play the same again when a match is repeated.
        seed = int(value, 16)
    elif key in ("view", "history"):
        # So many lines follow: what the seat knows now, or what has happened. They depend on the
        # game, and a better bot would read them.
        for _ in range(int(value)):
            next(sys.stdin)
    elif key == "legal":
        # So many moves follow; after `legal 1000 more` there are others that are not listed.
        count = int(value.split()[0])
        moves = [next(sys.stdin).strip() for _ in range(count)]
        # The answer is flushed at once: a bot that is kept alive gets its next request only
        # after this line has arrived.
        print(moves[seed % count], flush=True)
