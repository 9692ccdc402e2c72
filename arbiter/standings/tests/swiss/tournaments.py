"""Writes tournaments that another implementation of FIDE's Dutch system has paired and ranked.

Gacrux follows the rules of pairing of 1 February 2026 and those of tie-breaks of 1 March 2026:

    python3 -m venv venv
    venv/bin/pip install gacrux==1.11.65 networkx==3.6.1
    venv/bin/python tournaments.py SEED PLAYERS... > tournaments.txt

The file here has the seed 2026 and 60 tournaments of 8 to 64 players:

    venv/bin/python tournaments.py 2026 $(seq 8 64) 8 9 64 > tournaments.txt

Each number of players makes one tournament of 7 rounds, or of fewer if no pairing is left. Players are of different
skill, and there are more or fewer draws. A line holds a tournament:

    PLAYERS ROUNDS:TABLES;TABLES;...|DE=RANKS|BH=RANKS|...

A round lists its tables. `3+8` means that player 3 sat in seat 0 and won against player 8, `3-8` that it lost, `3=8` is
a draw, and `5*` is a bye. Players are counted from 1. After the rounds, there are the ranks of all players by their
points and one tie-break, in the order of the players.
"""

import random
import sys

from gacrux.chessjson import chessjson
from gacrux.gacruxexeptions import GacruxNoLegalPairing
from gacrux.pairingdutch import pairing_dutch
from gacrux.tiebreak import tiebreak

ROUNDS = 7
TIE_BREAKS = ["DE", "BH", "BH/C1", "SB", "WIN"]


def line(players, chance):
    """Plays one tournament."""
    skill = [chance.gauss(0, 1) for _ in range(players)]
    noise = chance.choice([0.3, 1.0, 3.0])
    draws = chance.choice([0.0, 0.2, 0.5])
    book = chessjson()
    tournament = book.add_tournament(1, False, ROUNDS)
    tournament.update(
        topColor="w", accelerated={"name": "", "values": []}, pairingSystem=["dutch"], tournamentType="Swiss"
    )
    for player in range(1, players + 1):
        rating = {"list": "FIDE", "rating": 2000}
        tournament["competitors"].append(
            dict(cid=player, profileId=0, present=True, gamePoints=0, rank=player, orgrank=player, rating=rating)
        )
    points = tournament["scoreSystem"]["game"]
    rounds = []
    for number in range(1, ROUNDS + 1):
        tournament["currentRound"] = number
        try:
            brackets = pairing_dutch(tournament, number, {"experimental": [], "verbose": 0}).compute_pairing(False)
        except GacruxNoLegalPairing:
            tournament["currentRound"] = number - 1
            break
        tables = []
        for pair in (pair for bracket in brackets for pair in bracket["pairs"]):
            white, black = pair["w"], pair["b"]
            if black == 0:
                mark, results = "*", (points["P"], None)
            else:
                strengths = [skill[player - 1] + noise * chance.gauss(0, 1) for player in (white, black)]
                mark = "=" if chance.random() < draws else "+" if strengths[0] > strengths[1] else "-"
                results = {"+": "WL", "=": "DD", "-": "LW"}[mark]
            for player, result in zip((white, black), results):
                if player:
                    tournament["competitors"][player - 1]["gamePoints"] += points[result]
            sides = [{"cid": player, "result": result} for player, result in zip((white, black), results)]
            game = dict(id=0, round=number, played=True, rated=True, white=sides[0], black=sides[1])
            book.append_result(tournament["gameList"], game)
            tables.append(f"{white}{mark}{black or ''}")
        rounds.append(" ".join(tables))
    parts = [f"{players} {ROUNDS}:" + ";".join(rounds)]
    for name in TIE_BREAKS:
        params = {"tiebreak": ["PTS", name + "/V2026"], "swiss": True, "check": False}
        ranked = tiebreak(tournament, len(rounds), params).compute_tiebreaks(tournament, params)["competitors"]
        ranks = {competitor["cid"]: competitor["rank"] for competitor in ranked}
        parts.append(f"{name}=" + " ".join(str(ranks[player]) for player in range(1, players + 1)))
    return "|".join(parts)


if __name__ == "__main__":
    chance = random.Random(int(sys.argv[1]))
    for players in sys.argv[2:]:
        print(line(int(players), chance), flush=True)
