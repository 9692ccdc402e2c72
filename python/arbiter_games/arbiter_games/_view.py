"""A game of a log in a notebook, by the viewer of `arbiter report`."""

from __future__ import annotations

import base64
import json
import os
import pathlib
import re
import subprocess
import tempfile

#: What stands for the scripts of data, which the viewer loads by their names: here they are in the page.
_LOADED = """
const inPage = DATA;
const load = document.head.append.bind(document.head);
document.head.append = (script) => {
  const name = (script.src || "").split("/").pop();
  if (!(name in inPage)) return load(script);
  (0, eval)(inPage[name]);
  script.onload();
};
Object.defineProperty(document, "currentScript", { get: () => ({ getAttribute: () => "data/index.js" }) });
"""


class Page:
    """A page that a notebook shows."""

    def __init__(self, text: str) -> None:
        self._text = text

    def _repr_html_(self) -> str:
        # The frame may run the scripts of the viewer, and reach nothing of the notebook. Its address is the page
        # itself, so that the viewer can write the step that it shows behind it.
        page = base64.b64encode(self._text.encode()).decode()
        return (
            f'<iframe sandbox="allow-scripts" src="data:text/html;charset=utf-8;base64,{page}" '
            'style="width: 100%; height: 46rem; border: 0" title="A game"></iframe>'
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page as one file, for a browser."""
        pathlib.Path(path).write_text(self._text, encoding="utf-8")


def show(path: str | os.PathLike[str], game: int = 0) -> Page:
    """A game of a log to step through.

    It needs the program `arbiter`, on `PATH` or named by the variable `ARBITER`, which proves the
    log and makes the page. `ValueError` if the log does not verify or has no such game.
    """
    program = os.environ.get("ARBITER", "arbiter")
    with tempfile.TemporaryDirectory() as folder:
        command = [program, "report", os.fspath(path), "-o", folder]
        try:
            made = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
        except FileNotFoundError:
            raise FileNotFoundError(
                f"{program}: not found, expected the program arbiter: pip install arbiter-referee"
            ) from None
        if made.returncode != 0:
            raise ValueError(made.stderr.strip() or f"{os.fspath(path)}: no report")
        return Page(_in_one(pathlib.Path(folder), game, os.fspath(path)))


def _in_one(report: pathlib.Path, game: int, log: str) -> str:
    """The viewer with its styles, its scripts and the data of one game."""
    text = (report / "game.html").read_text(encoding="utf-8")
    index = (report / "data/index.js").read_text(encoding="utf-8")
    told = json.loads(index[index.index("(") + 1 : index.rindex(")")])
    if not 0 <= game < told["games"]:
        raise ValueError(f"{log}: no game {game}, expected one from 0 to {told['games'] - 1}")
    piece = sum(first <= game for first, _ in told["pieces"]) - 1
    names = ["index.js", f"games-{piece}.js", f"list-{game // told['page']}.js"]
    data = {name: (report / "data" / name).read_text(encoding="utf-8") for name in names}

    def style(found: re.Match[str]) -> str:
        return f"<style>{(report / found[1]).read_text(encoding='utf-8')}</style>"

    def script(found: re.Match[str]) -> str:
        source = (report / found[1]).read_text(encoding="utf-8")
        return f"<script>{_inline(source)}</script>"

    text = text.replace("<main ", f'<main data-game="{game}" ', 1)
    text = re.sub(r'<p class="crumbs">.*?</p>', "", text, count=1)
    # Everything comes from the page itself, so the rule where it may come from goes.
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
    text = re.sub(r'<link rel="stylesheet" href="([^"]*)">', style, text)
    # Scripts that wait for the page go to its end.
    waiting = re.findall(r'<script src="([^"]*)" defer></script>', text)
    text = re.sub(r'<script src="[^"]*" defer></script>', "", text)
    text = re.sub(r'<script src="([^"]*)"></script>', script, text)
    last = "".join(script(found) for name in waiting for found in [re.fullmatch("(.*)", name)] if found)
    text = text.replace("</body>", f"{last}</body>", 1)
    loaded = _LOADED.replace("DATA", json.dumps(data))
    return text.replace("<head>", f"<head><script>{_inline(loaded)}</script>", 1)


def _inline(script: str) -> str:
    """A script that cannot end its element: what closes one is spelt with an escape."""
    return script.replace("</", "<\\/").replace("<!--", "<\\!--")
