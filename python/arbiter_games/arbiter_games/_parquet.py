"""Moves of logs as a file of Parquet."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Literal

#: Columns of whole numbers; other numbers are fractions.
_WHOLE = frozenset("game deal seat move legal_moves more place chosen".split())
#: The prefix of columns of notes, which are texts.
_NOTE = "note_"
#: Rows that are in memory at a time.
_ROWS = 1 << 16


def save_parquet(
    path: str | os.PathLike[str],
    logs: str | os.PathLike[str] | Iterable[str | os.PathLike[str]],
    *,
    features: Literal["moves", "greedy", "minimax", "expert"] = "moves",
    notes: Iterable[str] = (),
) -> int:
    """Writes the moves of logs and of folders of tournaments to a new file of Parquet, and gives the number of rows.

    The table is that of `arbiter export`: `features` and `notes` are its options. It needs pyarrow
    and the program `arbiter`, on `PATH` or named by the variable `ARBITER`.
    """
    try:
        import pyarrow  # type: ignore[import-not-found,import-untyped,unused-ignore]
        import pyarrow.parquet  # type: ignore[import-not-found,import-untyped,unused-ignore]
    except ImportError as error:
        raise ImportError("save_parquet needs pyarrow: pip install pyarrow") from error
    target = pathlib.Path(os.fsdecode(path))
    if target.exists():
        raise FileExistsError(f"{target}: there is a file, expected a new one")
    given = [logs] if isinstance(logs, (str, os.PathLike)) else list(logs)
    if not given:
        # Without a log, the program would take the last match.
        raise ValueError("no logs, expected at least one log or folder of a tournament")
    program = os.environ.get("ARBITER", "arbiter")
    words = [program, "export", "--format", "jsonl", "--features", features]
    for note in notes:
        words += ["--notes", note]
    words += ["--", *(os.fsdecode(log) for log in given)]
    count, writer = 0, None
    with tempfile.TemporaryDirectory(dir=target.parent) as folder, tempfile.TemporaryFile() as problems:
        unfinished = os.path.join(folder, "table")
        try:
            made = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=problems)
        except FileNotFoundError:
            raise FileNotFoundError(
                f"{program}: not found, expected the program arbiter: pip install arbiter-referee"
            ) from None
        with made:
            assert made.stdout is not None
            for rows in _pieces(made.stdout):
                if writer is None:
                    writer = pyarrow.parquet.ParquetWriter(unfinished, _schema(pyarrow, rows))
                writer.write_batch(pyarrow.RecordBatch.from_pylist(rows, schema=writer.schema))
                count += len(rows)
        if writer is not None:
            writer.close()
        problems.seek(0)
        said = problems.read().decode(errors="replace").strip()
        if made.returncode != 0:
            raise ValueError(said or f"arbiter export ended with {made.returncode}")
        if writer is None:
            raise ValueError("no moves in these logs, expected at least one")
        # Only a whole table gets its name.
        os.rename(unfinished, target)
    return count


def _pieces(lines: Iterable[bytes]) -> Iterator[list[dict[str, Any]]]:
    """The rows, some thousands at a time."""
    rows = (_row(json.loads(line)) for line in lines)
    while piece := list(islice(rows, _ROWS)):
        yield piece


def _row(told: dict[str, Any]) -> dict[str, Any]:
    """A row with notes as texts."""
    notes = {
        key: value if value is None or isinstance(value, str) else json.dumps(value)
        for key, value in told.items()
        if key.startswith(_NOTE)
    }
    return {**told, **notes}


def _schema(pyarrow: Any, rows: list[dict[str, Any]]) -> Any:
    def kind(name: str) -> Any:
        if name.startswith(_NOTE) or any(isinstance(row[name], str) for row in rows):
            return pyarrow.string()
        return pyarrow.int64() if name in _WHOLE else pyarrow.float64()

    return pyarrow.schema([(name, kind(name)) for name in rows[0]])
