#!/usr/bin/env python3
"""Plays a legal move at random: reads a request from standard input, and prints a move."""

import sys

lines = sys.stdin.read().splitlines()
seed = next(line.split()[1] for line in lines if line.startswith("seed "))

# `legal N`, or `legal N more`, and then N lines with a move each.
place = next(place for place, line in enumerate(lines) if line.startswith("legal "))
count = int(lines[place].split()[1])
moves = lines[place + 1 : place + 1 + count]

# A bot that takes all chance from the seed plays the same again when a match is repeated.
print(moves[int(seed, 16) % count])
