"""Plays Coup by the network in `weights.json`.

`columns` makes the same numbers of a request as `state("coup").observation()`, by the names of columns.
"""

from __future__ import annotations

import sys

from policy import Policy, Request, play, policy_beside

CHARACTERS = ("ambassador", "assassin", "captain", "contessa", "duke")
#: The character that each action claims.
CLAIMS = {"tax": "duke", "assassinate": "assassin", "steal": "captain", "exchange": "ambassador"}


def columns(request: Request) -> dict[str, int]:
    """The columns that are not 0, by name. Seats are relative: `+0` is the own one, `+1` the other."""
    own = request.seat

    def relative(seat: str | int) -> str:
        return f"+{(int(seat) - own) % 2}"

    told = {"seat": own}
    for line in request.view:
        key, _, value = line.partition(" ")
        words = value.split()
        if key == "hand":
            for slot, card in enumerate(words):
                told[f"hand {slot} {card}"] = 1
        elif key in ("hands", "coins"):
            for place, count in enumerate(words):
                told[f"{key} {relative(place)}"] = int(count)
        elif key == "lost":
            for slot, card in enumerate(words[1:]):
                told[f"lost {relative(words[0])} {slot} {card}"] = 1
        elif key == "action" and value != "none":
            told[f"action {words[0]}"] = 1
            if len(words) > 1:
                told[f"action at {relative(words[1])}"] = 1
        elif key == "owed":
            for slot, debt in enumerate(value.split(", ")):
                verb, debtor, *about = debt.split()
                told[f"owed {slot} {verb}"] = 1
                told[f"owed by {slot} {relative(debtor)}"] = 1
                if about:
                    told[f"owed card {slot} {about[0]}"] = 1
        elif key == "decisions":
            told["decisions 128s"], told["decisions rest"] = divmod(int(value), 128)
    for event in request.history:
        seat, *move = event.split()
        if not seat.isdigit():
            continue
        claimed = move[1] if move[0] == "block" else CLAIMS.get(move[0])
        if claimed in CHARACTERS:
            name = f"claims of {claimed} {relative(seat)}"
            told[name] = min(told.get(name, 0) + 1, 127)
    return told


def action(move: str) -> str:
    """The name of the action that a move is."""
    verb, _, target = move.partition(" ")
    return f"{verb} +1" if target.isdigit() else move


def choose(policy: Policy, request: Request) -> str:
    """The legal move of the greatest score."""
    if request.game != policy.game:
        sys.exit(f"asked for `{request.game}`, expected `{policy.game}`: train it for that")
    scores = dict(zip(policy.moves, policy.scores(policy.row(columns(request)))))
    # Of equal scores, the action that is named first, as in training.
    order = {name: -place for place, name in enumerate(policy.moves)}
    return max(request.legal, key=lambda move: (scores[action(move)], order[action(move)]))


if __name__ == "__main__":
    play(policy_beside(__file__), choose)
