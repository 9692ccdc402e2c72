"""Tests of the client of remote bots: `python3 tests/test_connect.py` beside the package runs them."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from typing import Any, Iterator, List, Optional

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

import arbiter_bot  # noqa: E402
import arbiter_bot.connect as connect  # noqa: E402
from arbiter_bot import _seats, _wire  # noqa: E402
from fake_server import TOKEN, FakeServer, request  # noqa: E402

# Answers with the first legal move, and a count of its own calls: a resident program counts on.
COUNTING = """
import sys
count = 0
while True:
    lines = []
    for line in sys.stdin:
        lines.append(line.rstrip())
        if lines[-1] == "end":
            break
    if not lines:
        break
    count += 1
    print("note count", count, file=sys.stderr)
    place = [place for place, line in enumerate(lines) if line.startswith("legal ")][0]
    print(lines[place + 1], flush=True)
"""


def first(request: Any) -> str:
    return str(request.legal[0])


class Running:
    """A client in a thread."""

    def __init__(self, server: FakeServer, bot: Any = first, **options: Any) -> None:
        self.lines: List[str] = []
        self.events: List[Any] = []
        own = bot if isinstance(bot, _seats.Bot) else _seats.FunctionBot(bot)
        self.client = connect.Client(
            server.url, TOKEN, own, show=self.lines.append, events=self.events.append, **options
        )
        self.code: Optional[int] = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        self.code = self.client.run()

    def end(self) -> int:
        """Its exit code, after it was told to end."""
        if not self.client.is_over.is_set():
            self.client.is_over.set()
        self.thread.join(20)
        assert self.code is not None
        return self.code


class TestConnect(unittest.TestCase):
    def setUp(self) -> None:
        self.server = FakeServer()
        self.addCleanup(lambda: self.server.stop())
        self.error = io.StringIO()
        kept = contextlib.redirect_stderr(self.error)
        kept.__enter__()
        self.addCleanup(kept.__exit__, None, None, None)

    def running(self, bot: Any = first, **options: Any) -> Running:
        running = Running(self.server, bot, **options)
        self.addCleanup(running.end)
        return running

    def program(self, text: str, prefix: str = "resident:") -> _seats.ProgramBot:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = pathlib.Path(folder.name, "bot.py")
        path.write_text(text)
        return _seats.ProgramBot([f"{prefix}{sys.executable}", str(path)])

    def test_a_game_is_answered_and_shown(self) -> None:
        running = self.running()
        self.server.until(lambda: "next" in self.server.calls)
        self.assertEqual(self.server.answer(self.server.ask("game 1", request("00", "take 2", "take 1"))), "take 2")
        self.server.tell("game 1", verdict="ok", detail="")
        self.server.tell("game 1", verdict="timeout", detail="no line\x1b within 9 ms")
        self.server.tell("game 1", over={"points": ["3", "1"]}, later="key")
        self.server.tell("game 1", something={})
        self.server.answer(self.server.ask("game 3", request("03", "a")))
        self.server.tell("game 3", verdict="crash", detail="")
        self.server.tell("game 3", stopped=True)
        self.server.ask("game 2", request("01", "a"))
        self.server.until(lambda: len(self.server.answers) == 3)
        shown = "\n".join(running.lines)
        self.assertIn("connected: anna plays nim, at most 8 games at once, 5000 ms per move", shown)
        self.assertIn("game 1: begins, seat 0 of nim seats=2", shown)
        self.assertIn("game 1: timeout, no line? within 9 ms", shown)
        self.assertIn("game 1: over, 3:1, won, 1 answers, 1 timeout", shown)
        self.assertIn("game 3: stopped, and does not count, 1 answers, 1 crash", shown)
        self.assertEqual([event["over"] for event in running.events if "over" in event], [{"points": ["3", "1"]}])
        self.assertNotIn(TOKEN, shown + self.error.getvalue() + json.dumps(running.events))

    def test_an_answer_counts_once_whatever_happens_on_the_way(self) -> None:
        for fault in ("cut before", "cut after", "503", "504 after", "page", "close"):
            with self.subTest(fault):
                self.server.faults["answer"] = [fault, fault]
                running = self.running()
                number = self.server.ask(f"game {fault}", request("00", "a", "b"))
                self.assertEqual(self.server.answer(number), "a")
                self.server.until(lambda: not self.server.faults["answer"] or fault == "close")
                last = self.server.ask("game 2", request("02", "c"))
                self.server.answer(last)
                # Sent again where the server had it, but never another one.
                self.assertEqual({answer for answer, _ in self.server.answers[number]}, {"a"})
                running.end()
                self.server.faults["answer"] = []

    def test_a_poll_that_is_cut_loses_no_request(self) -> None:
        for fault in ("cut before", "cut after", "503", "504 after", "page", "close"):
            with self.subTest(fault):
                running = self.running()
                self.server.until(lambda: self.server.calls[-1:] == ["next"])
                self.server.faults["next"] = [fault] * 3
                number = self.server.ask("game", request("00", "a"))
                self.assertEqual(self.server.answer(number), "a")
                self.server.until(lambda: not self.server.faults["next"])
                self.assertEqual(len(self.server.answers[number]), 1)
                running.end()

    def test_cut_connections_are_made_again(self) -> None:
        self.running()
        self.server.until(lambda: "next" in self.server.calls)
        for game in range(10):
            self.server.cut()
            self.assertEqual(self.server.answer(self.server.ask(f"game {game}", request("00", "a"))), "a")

    def test_a_request_that_comes_twice_is_answered_once(self) -> None:
        release = threading.Event()
        asked: List[str] = []

        def slow(asking: Any) -> str:
            asked.append(asking.match)
            release.wait(20)
            return "a"

        running = self.running(slow)
        number = self.server.ask("game", request("00", "a"))
        self.server.until(lambda: bool(asked) or self.server.times_sent[number] == 1)
        work = {"id": number, "game": "game", "ms": 5000, "request": request("00", "a")}
        running.client._take({"requests": [work]}, None)
        release.set()
        self.server.answer(number)
        # The server has the answer before the client knows that.
        self.server.until(lambda: number not in running.client.working)
        running.client._take({"requests": [work]}, None)
        # The request also came from the server, which may have been answered by now.
        self.server.until(lambda: len(self.server.answers[number]) >= 2)
        self.assertEqual(asked, ["00"])

    def test_several_games_at_once(self) -> None:
        together = threading.Barrier(6, timeout=20)

        def all_at_once(asking: Any) -> str:
            together.wait()
            return str(asking.match)

        self.running(all_at_once)
        numbers = [self.server.ask(f"game {game}", request(f"{game:02}", "a")) for game in range(6)]
        self.assertEqual([self.server.answer(number) for number in numbers], [f"{game:02}" for game in range(6)])

    def test_a_slow_bot_does_not_stop_the_poll(self) -> None:
        release = threading.Event()
        self.running(lambda asking: str(release.wait(20)) if asking.match == "00" else "b")
        slow = self.server.ask("slow", request("00", "a"))
        self.assertEqual(self.server.answer(self.server.ask("fast", request("01", "b"))), "b")
        # Polls name the request that the bot still works on, so it is not sent again.
        polls = self.server.calls.count("next")
        self.server.until(lambda: self.server.calls.count("next") >= polls + 2)
        self.assertEqual(self.server.times_sent[slow], 1)
        release.set()
        self.assertEqual(self.server.answer(slow), "True")

    def test_a_restarted_server_is_found_again(self) -> None:
        running = self.running()
        self.server.answer(self.server.ask("game 1", request("00", "a")))
        self.server.stop()
        port = self.server.port
        deadline = time.monotonic() + 20
        while not any("connection lost" in line for line in running.lines) and time.monotonic() < deadline:
            running.client.is_over.wait(0.01)
        self.server = FakeServer(port)
        self.assertEqual(self.server.answer(self.server.ask("game 1", request("01", "b"))), "b")
        self.assertIn("connected again", "\n".join(running.lines))

    def test_an_answer_for_a_server_that_forgot_it_is_dropped(self) -> None:
        release = threading.Event()
        running = self.running(lambda asking: str(release.wait(20)) if asking.match == "00" else "b")
        number = self.server.ask("game 1", request("00", "a"))
        self.server.until(lambda: self.server.times_sent[number] == 1)
        with self.server.changed:
            self.server.times_sent.clear()
            self.server.sent.clear()
        release.set()
        self.server.until(lambda: "answer" in self.server.calls)
        other = self.server.ask("game 2", request("02", "b"))
        self.assertEqual(self.server.answer(other), "b")
        self.assertNotIn("refused", "\n".join(running.lines))

    def test_an_older_poll_that_arrives_late_ends_no_client(self) -> None:
        self.running()
        self.server.until(lambda: "next" in self.server.calls)
        with self.server.changed:
            self.server.newest = next(self.server.polls)
            self.server.changed.notify_all()
        self.assertEqual(self.server.answer(self.server.ask("game", request("00", "a"))), "a")

    def test_a_newer_client_takes_over(self) -> None:
        older = self.running()
        self.server.until(lambda: "next" in self.server.calls)
        self.running()
        older.thread.join(20)
        self.assertEqual(older.code, 1)
        self.assertIn("another client plays with this token", self.error.getvalue())

    def test_a_wrong_token_ends_it_and_is_not_shown(self) -> None:
        client = connect.Client(self.server.url, "wrong-and-secret", _seats.FunctionBot(first), show=lambda _: None)
        self.assertEqual(client.run(), 1)
        self.assertIn("the token is wrong", self.error.getvalue())
        self.assertNotIn("wrong-and-secret", self.error.getvalue())

    def test_entering(self) -> None:
        self.server.is_entered = False
        client = connect.Client(self.server.url, TOKEN, _seats.FunctionBot(first), show=lambda _: None)
        self.assertEqual(client.run(), 1)
        self.assertIn("anna has not entered as a remote bot: add --enter", self.error.getvalue())
        self.server.is_entered = True
        self.assertEqual(connect.play(self.server.url, TOKEN, first, enter=True, show=lambda _: None), 1)
        self.assertIn("add --replace", self.error.getvalue())

    def test_a_function_that_fails_loses_its_answer_alone_and_notes_go_with_it(self) -> None:
        def noting(asking: Any) -> str:
            arbiter_bot.note("match", asking.match)
            if asking.match == "00":
                raise RuntimeError("a mistake of the author")
            return "a"

        self.running(noting)
        bad = self.server.ask("bad", request("00", "a"))
        good = self.server.ask("good", request("01", "a"))
        self.assertEqual((self.server.answer(bad), self.server.answer(good)), ("", "a"))
        self.assertEqual(self.server.answers[good][0][1], "note match 01\n")
        self.assertIn("RuntimeError: a mistake of the author", self.server.answers[bad][0][1])

    def test_a_resident_program_lives_for_a_game(self) -> None:
        running = self.running(self.program(COUNTING))
        for move in range(3):
            number = self.server.ask("game 1", request("00", "a", move=move))
            self.assertEqual(self.server.answer(number), "a\n")
            self.assertEqual(self.server.answers[number][0][1], f"note count {move + 1}\n")
        number = self.server.ask("game 2", request("01", "b"))
        self.assertEqual(self.server.answer(number), "b\n")
        self.assertEqual(self.server.answers[number][0][1], "note count 1\n")
        seats = [game.seat for game in running.client.games.values()]
        processes = [seat.running.process for seat in seats if isinstance(seat, _seats.ProgramSeat) and seat.running]
        self.assertEqual(len(processes), 2)
        running.end()
        self.assertEqual([process.poll() is None for process in processes], [False, False])

    def test_a_program_per_move(self) -> None:
        self.running(self.program(COUNTING, ""))
        for move in range(2):
            number = self.server.ask("game 1", request("00", "a", move=move))
            self.assertEqual(self.server.answer(number), "a\n")
            self.assertEqual(self.server.answers[number][0][1], "note count 1\n")

    def test_faults_of_programs(self) -> None:
        for text, prefix, answer, said in (
            ("import sys; sys.exit('broken')", "", "", "broken\nexit 1\n"),
            ("import sys; sys.exit('broken')", "resident:", "", "broken\nexit 1\n"),
            ("import os; os.kill(os.getpid(), 9)", "", "", "signal 9\n"),
            ("import time; time.sleep(600)", "", "", "no answer within 300 ms\n"),
            ("import time; time.sleep(600)", "resident:", "", "no answer within 300 ms\n"),
            ("print('a'); print('b')", "", "a\nb\n", ""),
            ("print('x' * 100_000)", "", "x" * 4097, ""),
            ("", "", "", ""),
        ):
            with self.subTest(text, prefix=prefix):
                running = self.running(self.program(text, prefix))
                number = self.server.ask(f"game {text}", request("00", "a"), ms=300 if "sleep" in text else 20_000)
                self.assertEqual((self.server.answer(number), self.server.answers[number][0][1]), (answer, said))
                running.end()

    def test_no_answer_is_larger_than_a_body_may_be(self) -> None:
        running = self.running(self.program("import sys; sys.stderr.write('\\x01' * 500_000); print('a')", ""))
        number = self.server.ask("game", request("00", "a"), ms=20_000)
        self.assertEqual(self.server.answer(number), "a\n")
        said = self.server.answers[number][0][1]
        self.assertTrue(0 < len(said) <= _seats.ERROR_BYTES)
        running.end()

    def test_an_answer_of_the_server_has_a_bound(self) -> None:
        most = _wire.RESPONSE_BYTES
        self.addCleanup(setattr, _wire, "RESPONSE_BYTES", most)
        _wire.RESPONSE_BYTES = 50
        connection = _wire.Connection(self.server.url, TOKEN)
        with self.assertRaises(_wire.Unreachable):
            connection.call("", None, 5.0)

    def test_garbage_of_the_server_is_skipped(self) -> None:
        running = self.running()
        self.server.until(lambda: "next" in self.server.calls)
        garbage: List[Any] = [{}, None, 7, {"id": 1}, {"id": "x", "game": "g", "ms": "soon", "request": ""}]
        events: List[Any] = [{"verdict": {}}, {"over": []}, "x", {"over": {"points": 7}}]
        running.client._take({"requests": garbage, "events": events, "last": "x"}, None)
        self.assertEqual(self.server.answer(self.server.ask("game", request("00", "a"))), "a")

    def test_a_client_that_leaves_says_so(self) -> None:
        running = self.running()
        self.server.until(lambda: "next" in self.server.calls)
        running.client.finish()
        self.server.until(lambda: self.server.wanted[-1] == 0)
        running.thread.join(20)
        self.assertEqual((running.code, running.lines[-1]), (0, "ended: no game was open"))

    def test_the_first_stop_finishes_games_and_the_second_drops_them(self) -> None:
        running = self.running()
        self.server.until(lambda: "next" in self.server.calls)
        self.server.answer(self.server.ask("game 1", request("00", "a")))
        running.client.finish()
        self.assertIn("finishing 1 game, taking no more; ", running.lines[-1])
        self.server.until(lambda: self.server.wanted[-1] == 0)
        self.server.answer(self.server.ask("game 1", request("00", "b")))
        self.server.tell("game 1", over={"points": ["1", "0"]})
        running.thread.join(20)
        self.assertEqual((running.code, running.lines[-1]), (0, "ended: no game is open any more"))
        running = self.running(lambda asking: str(threading.Event().wait(20)))
        number = self.server.ask("game 2", request("01", "a"))
        self.server.until(lambda: self.server.times_sent[number] == 1)
        deadline = time.monotonic() + 20
        while not running.client.games and time.monotonic() < deadline:
            running.client.is_over.wait(0.01)
        running.client.finish()
        running.client.finish()
        running.thread.join(20)
        self.assertEqual((running.code, running.lines[-1]), (130, "dropped 1 game: game 2"))


@unittest.skipUnless(os.name == "posix", "signals")
class TestCommand(unittest.TestCase):
    """The program itself."""

    def setUp(self) -> None:
        self.server = FakeServer()
        self.addCleanup(self.server.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "token").write_text(TOKEN + "\n")
        (self.folder / "bot").mkdir()
        (self.folder / "bot/bot.py").write_text(COUNTING)
        (self.folder / "bot/bot.toml").write_text(
            f'name = "counting"\ncommand = "{sys.executable} bot.py"\nmode = "resident" # for a game\n'
        )

    @contextlib.contextmanager
    def started(self, *arguments: str) -> Iterator[subprocess.Popen[str]]:
        command = [sys.executable, "-m", "arbiter_bot.connect", self.server.url, "--token-file", "token", *arguments]
        package = str(pathlib.Path(connect.__file__).parent.parent)
        started = subprocess.Popen(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": package},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            yield started
        finally:
            started.kill()
            started.communicate()

    def test_ctrl_c_finishes_then_drops(self) -> None:
        with self.started("--games", "3", "--", "./bot") as client:
            self.assertEqual(self.server.answer(self.server.ask("game 1", request("00", "a"))), "a\n")
            self.assertEqual(self.server.wanted[-1], 3)
            client.send_signal(signal.SIGINT)
            self.server.until(lambda: self.server.wanted[-1] == 0)
            self.server.tell("game 1", over={"points": ["1", "0"]})
            stdout, stderr = client.communicate(timeout=20)
            self.assertEqual((client.returncode, stderr), (0, ""))
            self.assertTrue(stdout.endswith("ended: no game is open any more\n"), stdout)
        with self.started("--json", "--", "./bot") as client:
            self.assertEqual(self.server.answer(self.server.ask("game 2", request("01", "b"))), "b\n")
            client.send_signal(signal.SIGINT)
            self.server.until(lambda: self.server.wanted[-1] == 0)
            client.send_signal(signal.SIGINT)
            stdout, stderr = client.communicate(timeout=20)
            self.assertEqual((client.returncode, stderr), (130, ""))
            for line in stdout.splitlines():
                json.loads(line)

    @unittest.skipUnless(os.path.exists("/dev/full"), "there is no full disk")
    def test_a_full_disk_under_its_log_ends_no_client(self) -> None:
        full = os.open("/dev/full", os.O_WRONLY)
        with contextlib.redirect_stdout(io.TextIOWrapper(io.FileIO(full, "w", closefd=False))):
            connect._print("a line")
            connect._print("another line")
        os.close(full)

    def test_mistakes_of_the_command_line(self) -> None:
        (self.folder / "empty").write_text("\n")
        for arguments, why in (
            (["--"], "no bot: give its folder or its command after `--`"),
            (["--", "no-such-program"], "cannot start `no-such-program`: no such program"),
            (["--", "./token"], "cannot start `./token`: no such program"),
            (["--games", "0", "--", "./bot"], "--games: expected at least 1"),
            (["--token-file", "empty", "--", "./bot"], "--token-file empty: expected a token and nothing else"),
            (["--token-file", "none", "--", "./bot"], "--token-file none: No such file or directory"),
        ):
            with self.subTest(why), self.started(*arguments) as client:
                _, stderr = client.communicate(timeout=20)
                self.assertEqual(client.returncode, 2)
                self.assertIn(why, stderr)


EXAMPLE = pathlib.Path(__file__).parent.parent.parent.parent / "examples/remote/connect.mjs"


@unittest.skipUnless(shutil.which("node") and EXAMPLE.exists(), "no node")
class TestJavaScript(unittest.TestCase):
    """The example without the library."""

    def test_answers_count_once(self) -> None:
        server = FakeServer()
        self.addCleanup(server.stop)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        token, bot = pathlib.Path(folder.name, "token"), pathlib.Path(folder.name, "bot.py")
        token.write_text(TOKEN)
        bot.write_text(COUNTING)
        command = ["node", str(EXAMPLE), server.url, str(token), sys.executable, str(bot)]
        client = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        self.addCleanup(client.wait)
        self.addCleanup(client.kill)
        for fault in ("", "cut before", "cut after", "503", "504 after"):
            with self.subTest(fault):
                server.faults["answer"], server.faults["next"] = [fault], [fault]
                number = server.ask(f"game {fault}", request("00", "a"))
                self.assertEqual(server.answer(number), "a\n")
                self.assertEqual(set(server.answers[number]), {("a\n", "note count 1\n")})


if __name__ == "__main__":
    unittest.main()
