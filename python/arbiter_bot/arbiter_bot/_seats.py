"""Bots of a remote client: programs that speak the protocol, and functions of Python."""

from __future__ import annotations

import io
import os
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from typing import Any, Callable, List, Optional, Tuple

from ._wire import BODY_BYTES, Object, shown

# What is kept of standard error for an answer.
ERROR_BYTES = 64 << 10

Answer = Tuple[str, str]


class Work:
    """A request that is being answered."""

    def __init__(self, told: Object) -> None:
        self.id, self.game, self.request = str(told["id"]), shown(told["game"]), str(told["request"])
        self.milliseconds = int(told["ms"])
        self.again()

    def again(self) -> None:
        """The server has sent it, so its clock begins."""
        self.received: float = time.monotonic()
        # The verdict is the server's; a bot that is this late is ended.
        self.deadline: float = self.received + self.milliseconds / 1000 + 0.25

    def line(self, key: str) -> str:
        """What stands behind a key in the head of the request."""
        lines = (line.partition(" ") for line in self.request[:1000].split("\n"))
        return next((value for word, _, value in lines if word == key), "")

    @property
    def match(self) -> str:
        """The game that it belongs to."""
        return f"{self.game} {self.line('match')}"


class Bot:
    """What answers requests, in several games at once."""

    def seat(self) -> Seat:
        """For a new game."""
        raise NotImplementedError


class Seat:
    """What answers the requests of one game."""

    def answer(self, work: Work) -> Answer:
        """The answer, and what goes to standard error with it."""
        raise NotImplementedError

    def close(self) -> None:
        """The game is over."""


class ProgramBot(Bot):
    """A program that speaks the protocol."""

    def __init__(self, words: List[str]) -> None:
        mode, self.folder = "per-move", None
        if len(words) == 1 and os.path.isdir(words[0]):
            self.folder = os.path.abspath(words[0])
            words, mode = read_bot_toml(os.path.join(self.folder, "bot.toml"))
        elif words and words[0].startswith("resident:"):
            mode, words = "resident", [words[0][len("resident:") :], *words[1:]]
        if len(words) == 1 and not os.path.exists(words[0]):
            words = shlex.split(words[0])
        if not words or not words[0]:
            raise ValueError("no bot: give its folder or its command after `--`")
        here = os.path.join(self.folder or os.getcwd(), words[0]) if os.path.dirname(words[0]) else words[0]
        if shutil.which(here) is None:
            raise ValueError(f"cannot start `{words[0]}`: no such program")
        self.is_resident = mode == "resident"
        self.words = [here, *words[1:]]

    def seat(self) -> Seat:
        return ProgramSeat(self)


def read_bot_toml(path: str) -> Tuple[List[str], str]:
    """The command and the mode of a bot that is a folder."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(1 << 20)
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}: a bot is a folder with a bot.toml, or a command") from None
    try:
        import tomllib  # from Python 3.11 on

        table = tomllib.loads(text)
    except ImportError:
        pairs = (line.partition("=") for line in text.splitlines() if not line.lstrip().startswith("#"))
        table = {key.strip(): value.split(" #")[0].strip().strip("'\"") for key, _, value in pairs}
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    if str(table.get("dialect", "native")) != "native":
        raise ValueError(f"{path}: a bot in the classic dialect cannot be remote")
    command = table.get("command", "")
    return list(command) if isinstance(command, list) else shlex.split(command), str(table.get("mode", "per-move"))


class Process:
    """A running program, whose output is read as it comes."""

    def __init__(self, bot: ProgramBot, scratch: str) -> None:
        self.changed = threading.Condition()
        self.out, self.err = bytearray(), bytearray()
        self.has_exited = False
        self.open_pipes = 2
        options: Object = {"start_new_session": True} if os.name == "posix" else {"creationflags": 0x200}
        self.process = subprocess.Popen(
            bot.words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=bot.folder,
            env={**os.environ, "ARBITER_SCRATCH": scratch},
            **options,
        )
        assert self.process.stdin and self.process.stdout and self.process.stderr
        self.input: Any = self.process.stdin
        self.pipes = (
            (self.process.stdout, self.out, BODY_BYTES),
            (self.process.stderr, self.err, ERROR_BYTES),
        )
        for pipe in self.pipes:
            threading.Thread(target=self._read, args=pipe, daemon=True).start()
        threading.Thread(target=self._wait, daemon=True).start()

    def _read(self, pipe: Any, kept: bytearray, most: int) -> None:
        while True:
            if os.name == "posix":
                select.select([pipe], [], [])
                with self.changed:
                    if not self._keep(pipe, kept, most):
                        return
            else:
                data = pipe.read(1 << 16)
                with self.changed:
                    if not self._keep(pipe, kept, most, data):
                        return

    def _keep(self, pipe: Any, kept: bytearray, most: int, data: Optional[bytes] = None) -> bool:
        """Keeps what can be read now; false at the end."""
        if pipe.closed:
            return False
        data = pipe.read(1 << 16) if data is None else data
        kept += (data or b"")[: most - len(kept)]
        if not data:
            pipe.close()
            self.open_pipes -= 1
        self.changed.notify_all()
        return bool(data)

    def _wait(self) -> None:
        if hasattr(os, "waitid"):
            # Not reaped yet, so that its number still means its group when the group is killed.
            try:
                os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOWAIT)
            except ChildProcessError:
                # It was reaped when the client ended.
                pass
        else:
            self.process.wait()
        with self.changed:
            self.has_exited = True
            self.changed.notify_all()

    def send(self, text: str, then_close: bool) -> None:
        """Writes a request, in a thread: the program need not read it."""

        def write() -> None:
            try:
                # Unbuffered pipes may take a part.
                data = memoryview(text.encode("utf-8", "replace"))
                while data:
                    data = data[self.input.write(data) :]
                if then_close:
                    self.input.close()
            except (OSError, ValueError):
                pass

        threading.Thread(target=write, daemon=True).start()

    def until(self, work: Work, is_done: Callable[[], bool]) -> bool:
        """Waits until it is done or has exited; false if the deadline came first."""
        with self.changed:
            while not (is_done() or self.has_exited):
                left = work.deadline - time.monotonic()
                if left <= 0:
                    return False
                self.changed.wait(left)
            return True

    def kill(self) -> int:
        """Ends it with all that it has started, and returns its exit code."""
        if os.name == "posix":
            try:
                os.killpg(self.process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                pass
        else:
            self.process.kill()
        # Reaped by the thread that waits, or here.
        code = self.process.wait()
        with self.changed:
            # What it had printed is still in the pipes; who else holds them is not waited for.
            self.changed.wait_for(lambda: self.open_pipes == 0, 0.5)
        try:
            self.input.close()
        except OSError:
            pass
        return code

    def taken(self) -> Answer:
        """What it has printed since the last time."""
        with self.changed:
            if os.name == "posix":
                # What it wrote before the answer is in the pipe by now, if its reader has not come to it.
                for pipe, kept, most in self.pipes:
                    while not pipe.closed and select.select([pipe], [], [], 0)[0]:
                        if not self._keep(pipe, kept, most) or len(kept) == most:
                            break
            both = self.out.decode("utf-8", "replace"), self.err.decode("utf-8", "replace")
            self.out.clear()
            self.err.clear()
            return both


class ProgramSeat(Seat):
    """A program in one game: one process for each request, or one for all of them."""

    def __init__(self, bot: ProgramBot) -> None:
        self.bot = bot
        self.scratch = tempfile.TemporaryDirectory(prefix="arbiter-bot-", ignore_cleanup_errors=True) if (
            sys.version_info >= (3, 10)
        ) else tempfile.TemporaryDirectory(prefix="arbiter-bot-")
        self.running: Optional[Process] = None

    def answer(self, work: Work) -> Answer:
        try:
            running = self.running or Process(self.bot, self.scratch.name)
        except (OSError, ValueError) as error:
            return "", f"cannot start {self.bot.words[0]}: {shown(error)}\n"
        self.running = running
        # Lines that it printed unasked make the answer malformed, as they would beside the referee.
        before = running.out.count(b"\n")
        running.send(work.request, then_close=not self.bot.is_resident)
        if self.bot.is_resident:
            in_time = running.until(work, lambda: running.out.count(b"\n") > before)
            if in_time and not running.has_exited:
                return running.taken()
        else:
            in_time = running.until(work, lambda: False)
        self.running = None
        has_exited = running.has_exited
        code = running.kill()
        answer, said = running.taken()
        if not in_time:
            return "", f"{said}no answer within {work.milliseconds} ms\n"
        if code != 0 or self.bot.is_resident and has_exited and "\n" not in answer:
            return "", f"{said}exit {code}\n" if code >= 0 else f"{said}signal {-code}\n"
        return answer, said

    def close(self) -> None:
        running, self.running = self.running, None
        if running:
            try:
                running.input.close()
            except OSError:
                pass
            with running.changed:
                running.changed.wait_for(lambda: running.has_exited, 0.25)
            running.kill()
        self.scratch.cleanup()


class FunctionBot(Bot, Seat):
    """A function of Python, called in one thread for each game."""

    def __init__(self, choose: Callable[[Any], str]) -> None:
        self.choose = choose

    def seat(self) -> Seat:
        return self

    def answer(self, work: Work) -> Answer:
        import arbiter_bot

        with _notes.kept() as notes:
            try:
                request = arbiter_bot.read_request(iter(work.request.split("\n")))
                answer = str(self.choose(request)) if request else ""
            # Whatever a bot raises ends this answer, and no other game.
            except Exception:
                answer = ""
                traceback.print_exc()
        return answer, notes.getvalue()


class _Notes(io.TextIOBase):
    """Standard error that keeps what the thread of a game writes for its answer, and passes on the rest."""

    def __init__(self) -> None:
        self.own = threading.local()
        self.lock = threading.Lock()
        self.users = 0
        self.before: Any = None

    def write(self, text: str) -> int:
        kept: Optional[io.StringIO] = getattr(self.own, "kept", None)
        if kept is None:
            return int(self.before.write(text)) if self.before else len(text)
        if kept.tell() < ERROR_BYTES:
            kept.write(text[: ERROR_BYTES - kept.tell()])
        return len(text)

    def flush(self) -> None:
        if getattr(self.own, "kept", None) is None and self.before:
            self.before.flush()

    def kept(self) -> _Kept:
        return _Kept(self)


class _Kept:
    def __init__(self, notes: _Notes) -> None:
        self.notes = notes

    def __enter__(self) -> io.StringIO:
        with self.notes.lock:
            if self.notes.users == 0:
                self.notes.before, sys.stderr = sys.stderr, self.notes
            self.notes.users += 1
        self.notes.own.kept = io.StringIO()
        return self.notes.own.kept  # type: ignore[no-any-return]

    def __exit__(self, *_: object) -> None:
        self.notes.own.kept = None
        with self.notes.lock:
            self.notes.users -= 1
            if self.notes.users == 0:
                sys.stderr = self.notes.before


_notes = _Notes()
