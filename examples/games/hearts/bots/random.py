#!/usr/bin/env python3
"""Plays a random legal move, in any game. The request is on standard input, the move goes to standard output."""

# The seed is all the chance that this bot needs. `import random` would find this very file.
import sys

request = sys.stdin.read().splitlines()

seed = 0
moves: list[str] = []
place = 0
while place < len(request):
    key, _, value = request[place].partition(" ")
    place += 1
    if key == "seed":
        seed = int(value, 16)
    elif key in ("view", "history", "legal"):
        count = int(value.split()[0])
        if key == "legal":
            moves = request[place : place + count]
        place += count

print(moves[seed % len(moves)])
