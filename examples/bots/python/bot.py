#!/usr/bin/env python3
"""Plays any game: a legal move at random. A bot to start from.

A bot reads a request from standard input and prints one move. These are its lines:

  arbiter 1          the version of the protocol, always the first line
  game NAME OPTIONS  the game and how it is set up
  match ID           a name of this game, the same in all its requests
  seat S             your seat; seats count from 0 in the order of turns
  move K             how many moves were made before in the game
  time T             milliseconds for this answer
  seed X             16 hexadecimal digits for your own chance, new in every request
  retry K            your last answer broke a rule, and this is another chance
  reason TEXT        the rule that it broke
  view N             N lines follow: what you may know of the state now, KEY VALUE...
  history N          N lines follow: what has happened, an event a line
  legal N            N lines follow: legal moves; behind `legal N more` there are others
  end                the last line; another request may follow

Lines with another key are skipped, for later versions may have more of them.
"""
import sys


def read_request(lines):
    """The next request, with a list of lines behind `view`, `history` and `legal`, and else the
    text behind the key; None where no other request comes."""
    request = {}
    for line in lines:
        key, _, value = line.strip().partition(" ")
        if key == "arbiter" and value != "1":
            sys.exit(f"expected version 1 of the protocol, found `{value}`")
        if key == "end":
            return request
        if key in ("view", "history", "legal"):
            request[key] = [next(lines).strip() for _ in range(int(value.split()[0]))]
        else:
            request[key] = value
    return None


def choose(request):
    """The move to play."""
    # YOUR BOT GOES HERE. All that your seat knows is in request["view"] and request["history"].
    # A bot that takes all chance from the seed plays the same again when a match is repeated.
    moves = request["legal"]
    return moves[int(request["seed"], 16) % len(moves)]


if __name__ == "__main__":
    while request := read_request(sys.stdin):
        # Flushed at once: a bot that is kept alive gets its next request only after its answer.
        print(choose(request), flush=True)
