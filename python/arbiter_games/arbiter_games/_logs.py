"""Logs as data frames.

Reading needs no compiled code: a log is lines of JSON. `arbiter verify` checks what they say.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from dataclasses import dataclass, field
from typing import Any

#: The longest line that is read, in bytes, as in `arbiter`.
LONGEST_LINE = 64 * 1024 * 1024


def _frame(rows: list[dict[str, Any]], columns: list[str]) -> Any:
    """The rows as a data frame of pandas, or of polars where only that is installed."""
    try:
        import pandas  # type: ignore[import-untyped,unused-ignore]
    except ImportError:
        try:
            import polars  # type: ignore[import-not-found,unused-ignore]
        except ImportError:
            raise ImportError("frames need pandas or polars: pip install pandas") from None
        return polars.DataFrame(rows, schema=columns, infer_schema_length=None)
    return pandas.DataFrame(rows, columns=columns)


@dataclass
class Log:
    """The games of a log."""

    #: The first line: game, options, players and conditions.
    header: dict[str, Any]
    #: The lines of games, in order, with those that were played again.
    records: list[dict[str, Any]] = field(default_factory=list)
    #: The last line, once all games are played: it reveals the seed.
    end: dict[str, Any] | None = None

    def games(self) -> Any:
        """A frame with a row for each game and seat: its player, points and place."""
        columns = ["game", "attempt", "deal", "seat", "player", "points", "place", "fault", "moves"]
        rows = []
        for record in self.records:
            points, faults = _scores(record["result"])
            values = _values(record["result"])
            answers = [it["answer"] for it in record["inputs"] if "answer" in it]
            for seat, player in enumerate(record["seats"]):
                own = points[seat] if points else None
                place = 1 + sum(it > values[seat] for it in values) if values else None
                rows.append(
                    {
                        "game": record["number"],
                        "attempt": record.get("attempt", 0),
                        "deal": record["deal"],
                        "seat": seat,
                        "player": player,
                        "points": own,
                        "place": place,
                        "fault": faults.get(seat),
                        "moves": sum(answer["seat"] == seat for answer in answers),
                    }
                )
        return _frame(rows, columns)

    def moves(self) -> Any:
        """A frame with a row for each answer of a player, in order."""
        columns = ["game", "attempt", "number", "seat", "player", "reply", "verdict", "ms"]
        rows = []
        for record in self.records:
            answers = [it["answer"] for it in record["inputs"] if "answer" in it]
            for number, (answer, measured) in enumerate(zip(answers, record["measured"])):
                rows.append(
                    {
                        "game": record["number"],
                        "attempt": record.get("attempt", 0),
                        "number": number,
                        "seat": answer["seat"],
                        "player": record["seats"][answer["seat"]],
                        "reply": answer["reply"],
                        "verdict": answer["verdict"],
                        "ms": measured.get("ms"),
                    }
                )
        return _frame(rows, columns)

    def standings(self) -> Any:
        """A frame with a row for each player: games, wins, draws, losses, points, and the share of a win."""
        columns = ["player", "games", "won", "drawn", "lost", "points", "share"]
        totals = {it["name"]: [0, 0, 0, 0, 0.0, 0.0] for it in self.header["players"]}
        last = {(it["number"]): it for it in self.records}
        for record in last.values():
            points, _ = _scores(record["result"])
            values = _values(record["result"])
            if not points:
                continue
            for seat, player in enumerate(record["seats"]):
                better = sum(it > values[seat] for it in values)
                equal = sum(it == values[seat] for it in values)
                row = totals[player]
                row[0] += 1
                row[1] += better == 0 and equal == 1
                row[2] += better == 0 and equal > 1
                row[3] += better > 0
                row[4] += points[seat]
                row[5] += 1 / equal if better == 0 else 0
        rows = [
            dict(zip(columns, [player, *row[:5], row[5] / row[0] if row[0] else None]))
            for player, row in totals.items()
        ]
        rows.sort(key=lambda row: (-(row["share"] or 0), row["player"]))
        return _frame(rows, columns)

    def __len__(self) -> int:
        return len(self.records)


#: What is read of a header and of a game, with the types.
_HEADER: dict[str, type] = {"options": str, "players": list}
_GAME: dict[str, type] = {"number": int, "deal": int, "seats": list, "inputs": list, "measured": list, "result": dict}


def _checked(line: Any, keys: dict[str, type]) -> dict[str, Any]:
    """An object with these keys; `TypeError` if it is none."""
    if not isinstance(line, dict) or not all(isinstance(line.get(key), kind) for key, kind in keys.items()):
        raise TypeError("not an object with what belongs there")
    return line


def _checked_game(line: Any, header: dict[str, Any]) -> dict[str, Any]:
    """A game with a value for each seat and each answer in every list; `TypeError` if it is none."""
    game = _checked(line, _GAME)
    seats = len(game["seats"])
    if not set(game["seats"]) <= {player["name"] for player in header["players"]}:
        raise TypeError("not players of this log")
    result = game["result"]
    if result.get("ending") != "void" and not all(
        isinstance(result.get(key), list) and len(result[key]) == seats for key in ("scores", "out")
    ):
        raise TypeError("not a result of every seat")
    answers = [it["answer"] for it in game["inputs"] if "answer" in it]
    if not all(isinstance(it["seat"], int) and 0 <= it["seat"] < seats for it in answers):
        raise TypeError("not an answer of a seat of this game")
    if len(answers) != len(game["measured"]):
        raise TypeError("not as many measurements as answers")
    return game


def _values(result: dict[str, Any]) -> list[float]:
    """What places follow from: a seat that is out cannot have won, even where all have 0 points."""
    points, faults = _scores(result)
    return [-1.0 if seat in faults else score for seat, score in enumerate(points)]


def _scores(result: dict[str, Any]) -> tuple[list[float], dict[int, str]]:
    """The points by seat, and the verdicts of seats that are out; no points of a void game."""
    scores = [float(score) for score in result.get("scores", [])]
    faults = {seat: verdict for seat, verdict in enumerate(result.get("out", [])) if verdict}
    return scores, faults


def open_log(path: str | os.PathLike[str]) -> Log:
    """Reads a log, plain or compressed (`.gz`), as far as it goes.

    A last line that a crash cut off is left out. `ValueError` names the first line that is none of a log.
    """
    with open(path, "rb") as file:
        is_compressed = file.read(2) == b"\x1f\x8b"
    log: Log | None = None
    with gzip.open(path, "rb") if is_compressed else open(path, "rb") as source:
        number = 0
        while True:
            try:
                text = source.readline(LONGEST_LINE)
            except EOFError:
                # A compressed log that still grows ends in the middle of a member.
                break
            except (zlib.error, gzip.BadGzipFile) as error:
                raise ValueError(
                    f"{os.fspath(path)}, behind line {number}: {error}, expected a compressed log"
                ) from error
            if not text.endswith(b"\n"):
                if len(text) == LONGEST_LINE:
                    raise ValueError(f"{os.fspath(path)}, line {number + 1}: longer than {LONGEST_LINE} bytes")
                break
            number += 1
            try:
                line = json.loads(text)
                if log is None:
                    log = Log(_checked(line["header"], _HEADER))
                elif "game" in line:
                    log.records.append(_checked_game(line["game"], log.header))
                elif "end" in line:
                    log.end = _checked(line["end"], {})
            except (ValueError, KeyError, TypeError, RecursionError) as error:
                raise ValueError(
                    f"{os.fspath(path)}, line {number}: not a line of a log, expected one that arbiter wrote"
                ) from error
    if log is None:
        raise ValueError(f"{os.fspath(path)}: no header, expected a log of arbiter")
    return log
