"""The client of a remote bot: it plays on this machine in a league or match of a server.

    python3 -m arbiter_bot.connect https://league.example.org/class/ --token-file token --enter -- ./my-bot

The bot is a folder with a `bot.toml`, or a command, with `resident:` before it if it keeps running for a whole game.
It runs in the folder of its `bot.toml`, or else in the current one, with the environment of the client. From Python:

    arbiter_bot.connect.play("https://league.example.org/class/", token, choose)

A poll is always open in a thread of its own, while each game is played in another. Answers are sent again until the
server has acknowledged them, which is harmless: docs/reference/remote.md specifies the calls. Only the standard
library is needed. The exit code is 0 if the client ended as it should, 1 if it was refused, 2 for wrong arguments, and
130 if Ctrl-C dropped games.
"""

from __future__ import annotations

import argparse
import collections
import json
import queue
import signal
import sys
import threading
import time
import urllib.parse
from typing import Any, Callable, Deque, Dict, List, Optional

from ._seats import Answer, Bot, FunctionBot, ProgramBot, Work
from ._wire import BODY_BYTES, Connection, Object, Refused, Unreachable, backoff, shown

# Bounds, whatever the server says.
MOST_GAMES = 1000
MOST_ANSWERED = 1000
# A game without a word for so long is over: the server may have ended without saying so.
IDLE_SECONDS = 900.0


def play(
    url: str,
    token: str,
    choose: Callable[[Any], str],
    *,
    enter: bool = False,
    replace: bool = False,
    games: int = MOST_GAMES,
    show: Optional[Callable[[str], None]] = None,
) -> int:
    """Plays with a function, as `arbiter_bot.bot` marks one, until the match is over or Ctrl-C.

    It is called in several threads at once, one for each game. `enter` enters the bot into a league first; `replace`
    lets it take the place of a version with files; `games` is the most games at once. Returns the exit code.
    """
    client = Client(url, token, FunctionBot(choose), games=games, show=show or _print)
    return client.run(enter=enter, replace=replace)


def main(arguments: Optional[List[str]] = None) -> int:
    """The command line."""
    words = sys.argv[1:] if arguments is None else arguments
    place = words.index("--") if "--" in words else len(words)
    parser = argparse.ArgumentParser(
        prog="python3 -m arbiter_bot.connect",
        usage="%(prog)s URL --token-file FILE [OPTIONS] -- COMMAND",
        description="Play with a bot on this machine in a league or match of a server.",
        epilog="COMMAND is the folder of a bot, or a command with its arguments, after `resident:` if it keeps "
        "running for the whole game. Ctrl-C finishes the games in progress; a second one drops them.",
    )
    parser.add_argument("url", metavar="URL", help="address of the league or match")
    parser.add_argument("--token-file", required=True, metavar="FILE", help="file with the token")
    parser.add_argument("--enter", action="store_true", help="enter the bot into the league first")
    parser.add_argument("--replace", action="store_true", help="with --enter, even if the bot has files there")
    parser.add_argument(
        "--games", type=int, default=MOST_GAMES, metavar="N", help="concurrent games [default: as many as allowed]"
    )
    parser.add_argument(
        "--patience", type=float, default=3600, metavar="SECONDS", help="end after so long without a server [default: 3600]"
    )
    parser.add_argument("--verbose", action="store_true", help="show each answer, and standard error of the bot")
    parser.add_argument("--json", action="store_true", help="show all events as lines of JSON")
    given = parser.parse_args(words[:place])
    if given.games < 1:
        parser.error("--games: expected at least 1")
    try:
        token = read_token(given.token_file)
        bot = ProgramBot(words[place + 1 :])
        client = Client(
            given.url,
            token,
            bot,
            games=given.games,
            patience=given.patience,
            is_verbose=given.verbose,
            show=(lambda line: None) if given.json else _print,
            events=(lambda event: _print(json.dumps(event))) if given.json else None,
        )
    except ValueError as error:
        parser.error(str(error))
    return client.run(enter=given.enter, replace=given.replace)


def read_token(path: str) -> str:
    """The token in a file."""
    try:
        with open(path, encoding="utf-8") as file:
            # `arbiter league invite` prints the name before it.
            token = file.read(4096).strip().rpartition(": ")[2]
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"--token-file {path}: {getattr(error, 'strerror', None) or 'not a text'}") from None
    if not token or not all("!" <= letter <= "~" for letter in token):
        # Without the text: it may be a secret.
        raise ValueError(f"--token-file {path}: expected a token and nothing else")
    return token


def _print(line: str) -> None:
    try:
        print(line, flush=True)
    except BrokenPipeError:
        raise
    except OSError:
        # A full disk under a log is no reason to lose games.
        pass


class Client:
    """A bot that answers the requests of a server."""

    def __init__(
        self,
        url: str,
        token: str,
        bot: Bot,
        *,
        games: int = MOST_GAMES,
        patience: float = 3600.0,
        is_verbose: bool = False,
        show: Callable[[str], None] = _print,
        events: Optional[Callable[[Object], None]] = None,
    ) -> None:
        self.poll = Connection(url, token)
        self.url, self.token, self.bot, self.most, self.patience = url, token, bot, games, patience
        self.is_verbose, self.show, self.events = is_verbose, show, events
        self.lock = threading.Lock()
        # Requests until their answer is acknowledged, by id; and the last answers.
        self.working: Dict[str, Work] = {}
        self.answered: Dict[str, Answer] = {}
        self.games: Dict[str, Game] = {}
        self.idle: Deque[Connection] = collections.deque()
        self.is_finishing = False
        self.is_leaving = False
        self.is_over = threading.Event()
        self.code = 0
        self.failure = ""
        self.grace, self.answer_bytes = 60.0, 4096
        self.poll_until = float("inf")

    # The way of a client, from its beginning to its end.

    def run(self, enter: bool = False, replace: bool = False) -> int:
        """Plays until it is over, and returns the exit code."""
        before: Dict[signal.Signals, Any] = {}
        signals: List[int] = []
        poll = threading.Thread(target=self._poll_guarded, daemon=True)
        try:
            if self._begin(enter, replace):
                if threading.current_thread() is threading.main_thread():
                    for number in (signal.SIGINT, signal.SIGTERM):
                        before[number] = signal.signal(number, lambda got, _: signals.append(got))
                poll.start()
                while not self.is_over.wait(0.2):
                    while signals:
                        signals.pop()
                        self.finish()
                    self._tidy()
        except KeyboardInterrupt:
            self.show("ended: it was not connected yet")
            self.code = 130
        finally:
            self.is_over.set()
            self.poll.interrupt()
            if self.is_leaving:
                # The last call is the one that counts.
                poll.join(5.0)
                self._leave()
            self._close()
            for number, handler in before.items():
                signal.signal(number, handler)
        if self.failure:
            print(f"error: {self.failure}", file=sys.stderr, flush=True)
        return self.code

    def finish(self) -> None:
        """Takes no more games, and ends when the open ones are finished; the second time it drops them."""
        names = self._open()
        if self.is_finishing or not names:
            self.code = 130 if names else 0
            self.show(f"dropped {_count(names)}: {', '.join(names[:5])}" if names else "ended: no game was open")
            self.is_leaving = True
            self.is_over.set()
            return
        self.is_finishing = True
        self.show(
            f"finishing {_count(names)}, taking no more; further games of a round or match that has begun are "
            "forfeited; Ctrl-C again drops all"
        )
        self.poll.interrupt()

    def _leave(self) -> None:
        """Says that no more games are wanted, so that no round begins with this bot."""
        try:
            Connection(self.url, self.token).call("/next", {"wait": 0, "working": [], "games": 0}, 2.0)
        except (Unreachable, Refused):
            # Then the server finds out by itself.
            pass

    def fail(self, why: str) -> None:
        """Ends at once, refused."""
        if not self.is_over.is_set():
            self.failure, self.code = why, 1
            self.is_over.set()

    def _begin(self, enter: bool, replace: bool) -> bool:
        """Signs in, and enters the league if asked to."""
        parts = urllib.parse.urlsplit(self.url)
        if parts.scheme == "http" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
            print("warning: the token crosses the network unencrypted: use https", file=sys.stderr, flush=True)
        try:
            if enter:
                told = self._repeated("/enter", {"replace": True} if replace else {})
                self.show(f"entered: {shown(told.get('bot'))}")
            about = self._repeated("", None)
            if about.get("version") != 1:
                raise Refused(0, f"expected version 1 of the wire, found {shown(about.get('version'))}")
            if about.get("entered") is not True:
                raise Refused(0, f"{shown(about.get('bot'))} has not entered as a remote bot: add --enter")
            self.grace = max(float(about["grace_ms"]) / 1000, 0.0)
            self.answer_bytes = min(int(about["answer_bytes"]), 1 << 16)
            self.most = max(1, min(self.most, int(about["games"]), MOST_GAMES))
            self.show(
                f"connected: {shown(about.get('bot'))} plays {shown(about.get('game'))}, at most {self.most} games at "
                f"once, {int(about['time_ms'])} ms per move"
            )
            self._tell({"connected": about})
        except Refused as error:
            self.fail(_refusal(error))
        except (KeyError, TypeError, ValueError, OverflowError):
            self.fail("the server's answer is not one of this protocol")
        return not self.is_over.is_set()

    def _repeated(self, path: str, body: Optional[Object]) -> Object:
        """A call, until it succeeds."""
        begun, failures = time.monotonic(), 0
        while not self.is_over.is_set():
            try:
                return self.poll.call(path, body, 30.0)
            except Unreachable as error:
                if failures == 0:
                    self.show(f"no connection: {error}; trying again for up to {_minutes(self.patience)}")
                if time.monotonic() - begun > self.patience:
                    raise Refused(0, f"no connection for {self.patience:.0f} s: {error}") from None
                failures += 1
                self.is_over.wait(backoff(failures, error.after))
        raise Refused(0, "stopped before it was connected")

    # The poll.

    def _poll_guarded(self) -> None:
        try:
            self._poll()
        # A thread that ends without a word would leave the client without one.
        except BaseException as error:
            self.fail(f"{type(error).__name__}: {shown(error)}")
            raise

    def _poll(self) -> None:
        after: Optional[int] = None
        lost, failures, replaced = 0.0, 0, 0
        while not self.is_over.is_set():
            with self.lock:
                working = list(self.working)
            body: Object = {"working": working, "games": 0 if self.is_finishing else self.most}
            # Four polls within the grace, so that one that is lost without a word costs little of it.
            body["wait"] = 0 if failures else max(1, min(25, int(self.grace / 4)))
            if after is not None:
                body["after"] = after
            self.poll_until = time.monotonic() + body["wait"] + 60
            try:
                told = self.poll.call("/next", body, body["wait"] + max(2.0, min(10.0, self.grace / 4)))
            except (Unreachable, Refused) as error:
                # A server that starts may not know its leagues yet.
                if isinstance(error, Refused) and error.status != 404:
                    return self.fail(_refusal(error))
                if self.is_over.is_set():
                    return
                now = time.monotonic()
                failures, lost = failures + 1, lost or now
                if failures == 2:
                    self.show(f"connection lost: {error}; trying again for up to {_minutes(self.patience)}")
                    self._tell({"lost": str(error)})
                if now - lost > self.patience:
                    return self.fail(f"no connection for {self.patience:.0f} s: {error}")
                if failures > 1:
                    self.is_over.wait(backoff(failures - 1, getattr(error, "after", 0.0)))
                continue
            if failures > 1:
                self.show(f"connected again after {time.monotonic() - lost:.1f} s")
                self._tell({"connected_again": True})
            lost, failures = 0.0, 0
            replaced = replaced + 1 if told.get("replaced") is True else 0
            if replaced > 1:
                return self.fail("another client plays with this token now: the newest one does")
            if replaced:
                # An older poll of this client may have arrived late.
                continue
            after = self._take(told, after)
            if told.get("ended") is True:
                self.show("ended: no more games will come")
                return self.is_over.set()
            self._end_if_finished()

    def _take(self, told: Object, after: Optional[int]) -> Optional[int]:
        """The events and requests of an answer. Those that are not of this protocol are skipped."""
        for event in _objects(told.get("events")):
            try:
                self._event(event)
            except (KeyError, TypeError, ValueError, OverflowError):
                self.show("skipped an event that is not of this protocol")
        for request in _objects(told.get("requests")):
            try:
                work = Work(request)
            except (KeyError, TypeError, ValueError, OverflowError):
                self.show("skipped a request that is not of this protocol")
            else:
                self._request(work)
        last = told.get("last")
        return last if isinstance(last, int) else after

    def _request(self, work: Work) -> None:
        with self.lock:
            known = self.working.get(work.id)
            if known:
                # Sent again, because the server took it for lost: the clock begins again.
                return known.again()
            if len(self.working) >= MOST_GAMES or len(self.games) > 2 * MOST_GAMES:
                return
            self.working[work.id] = work
            game = self.games.get(work.match)
            if game is None:
                game = self.games[work.match] = Game(self, work.game)
                seat, options = work.line("seat"), work.line("game")
                game.place = int(seat) if seat.isdecimal() else None
                self.show(f"{work.game}: begins, seat {shown(seat)} of {shown(options)}")
        game.requests.put(work)

    def _event(self, event: Object) -> None:
        self._tell(event)
        name = shown(event.get("game", ""))
        if "verdict" in event:
            detail = f", {shown(event['detail'])}" if event.get("detail") else ""
            for game in self._of(name):
                game.count(str(event["verdict"]))
            if event["verdict"] != "ok" or self.is_verbose:
                self.show(f"{name}: {shown(event['verdict'])}{detail}")
        elif "over" in event or event.get("stopped"):
            games = self._of(name)
            said = f", {games[0].told()}" if games else ""
            result = "stopped, and does not count"
            if "over" in event:
                result = _result(event["over"]["points"], games[0].place if games else None)
            self.show(f"{name}: {result}{said}")
            for game in games:
                self.drop(game)

    def _tell(self, event: Object) -> None:
        if self.events:
            self.events(event)

    # Games.

    def _of(self, name: str) -> List[Game]:
        with self.lock:
            return [game for game in self.games.values() if game.name == name]

    def drop(self, game: Game) -> None:
        """The game is over for this client."""
        with self.lock:
            self.games = {key: other for key, other in self.games.items() if other is not game}
        game.requests.put(None)

    def _tidy(self) -> None:
        """Drops games that ended without a word."""
        now = time.monotonic()
        with self.lock:
            busy = {work.match for work in self.working.values()}
            quiet = [game for key, game in self.games.items() if key not in busy]
            old = [game for game in quiet if now - game.heard > IDLE_SECONDS]
            # More than the server may have open at once: the quietest is over.
            if len(self.games) > 2 * self.most and quiet:
                old = old or [min(quiet, key=lambda game: game.heard)]
        for game in old:
            self.drop(game)
        # A server that sends its answer byte by byte would hold the poll for ever.
        if now > self.poll_until:
            self.poll.interrupt()
        self._end_if_finished()

    def _open(self) -> List[str]:
        """The games in progress."""
        with self.lock:
            return sorted({game.name for game in self.games.values()})

    def _end_if_finished(self) -> None:
        if self.is_finishing and not self._open() and not self.is_over.is_set():
            self.show("ended: no game is open any more")
            self.is_over.set()

    def _close(self) -> None:
        games = list(self.games.values())
        for game in games:
            game.requests.put(None)
        if not self.code:
            for game in games:
                game.thread.join(1.0)
        for game in games:
            game.seat.close()
        while self.idle:
            self.idle.pop().close()

    # Answers.

    def deliver(self, work: Work, answer: Answer) -> str:
        """Sends an answer until the server has acknowledged it, and returns its state."""
        body = self._body(work, answer)
        failures, until = 0, time.monotonic() + self.grace + work.milliseconds / 1000 + 60
        state = "dropped"
        while not self.is_over.is_set() and time.monotonic() < until:
            try:
                connection = self.idle.pop()
            except IndexError:
                connection = Connection(self.url, self.token)
            try:
                state = shown(connection.call("/answer", body, 10.0).get("state"))
                self.idle.append(connection)
                with self.lock:
                    self.answered[work.id] = answer
                    while len(self.answered) > MOST_ANSWERED:
                        del self.answered[next(iter(self.answered))]
                break
            except Unreachable as error:
                connection.close()
                failures += 1
                if failures == 1 and not error.after:
                    # The poll may hang in the same broken network, and not know it yet.
                    self.poll.interrupt()
                self.is_over.wait(backoff(failures, error.after))
            except Refused as error:
                self.idle.append(connection)
                if error.status == 401:
                    self.fail(_refusal(error))
                # The server does not know it any more, or has another answer: nothing is left to do.
                state = "unknown" if error.status == 404 else "refused"
                if error.status != 404:
                    self.show(f"{work.game}: the answer was refused: {error}")
                break
        with self.lock:
            self.working.pop(work.id, None)
        return state

    def _body(self, work: Work, answer: Answer) -> Object:
        """The call with an answer, which is never too large: more than the limit of an answer is as wrong as all of it."""
        text, said = answer
        body = {"id": work.id, "answer": text[: self.answer_bytes + 1], "stderr": said}
        while len(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")) > BODY_BYTES - 4096:
            body["stderr"] = body["stderr"][: len(body["stderr"]) // 2]
            if not body["stderr"]:
                body["answer"] = body["answer"][: len(body["answer"]) // 2]
        return body


class Game:
    """A game of the bot, in a thread of its own."""

    def __init__(self, client: Client, name: str) -> None:
        self.client, self.name = client, name
        self.seat = client.bot.seat()
        self.requests: queue.Queue[Optional[Work]] = queue.Queue()
        self.heard = time.monotonic()
        self.verdicts: Dict[str, int] = {}
        self.seconds: List[float] = [0.0, 0.0]
        self.answers = 0
        self.place: Optional[int] = None
        self.thread = threading.Thread(target=self._play, daemon=True)
        self.thread.start()

    def count(self, verdict: str) -> None:
        self.heard = time.monotonic()
        if verdict in self.verdicts or len(self.verdicts) < 20:
            self.verdicts[verdict] = self.verdicts.get(verdict, 0) + 1

    def told(self) -> str:
        """How it went."""
        mean = self.seconds[0] / max(self.answers, 1) * 1000
        faults = "".join(f", {count} {shown(name)}" for name, count in self.verdicts.items() if name != "ok")
        return f"{self.answers} answers{faults}, {mean:.0f} ms on average, {self.seconds[1] * 1000:.0f} ms at most"

    def _play(self) -> None:
        while True:
            work = self.requests.get()
            if work is None:
                return self.seat.close()
            self.heard = time.monotonic()
            try:
                # It may have been sent once more just before the answer arrived.
                answer = self.client.answered.get(work.id) or self.seat.answer(work)
            # One game that fails here is no reason for the others to end.
            except Exception as error:
                answer = "", f"{type(error).__name__}: {shown(error)}\n"
            used = time.monotonic() - work.received
            self.answers += 1
            self.seconds = [self.seconds[0] + used, max(self.seconds[1], used)]
            said = answer[1].splitlines()
            # Without an answer, the end of what it says is the reason.
            for line in said[:50] if self.client.is_verbose else said[-2:] if not answer[0].strip() else []:
                self.client.show(f"{self.name}: | {shown(line)}")
            state = self.client.deliver(work, answer)
            self.heard = time.monotonic()
            if state == "late":
                self.client.show(f"{self.name}: the answer came late, after {used * 1000:.0f} ms")
            if state in ("closed", "unknown"):
                self.client.drop(self)


def _objects(value: object) -> List[Object]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 60 else f"{seconds:.0f} s"


def _result(points: List[object], place: Optional[int]) -> str:
    """The points of all seats, and what they mean for the own one."""
    result = f"over, {':'.join(shown(each)[:12] for each in points)}"
    try:
        numbers = [float(str(each)) for each in points]
        own, best = numbers[place or 0], max(numbers)
    except (ValueError, IndexError):
        return result
    if place is None:
        return result
    return f"{result}, {'lost' if own < best else 'won' if numbers.count(best) == 1 else 'drawn'}"


def _count(names: List[str]) -> str:
    return f"{len(names)} game{'' if len(names) == 1 else 's'}"


def _refusal(error: Refused) -> str:
    hint = ": add --replace" if error.status == 409 else ""
    if error.status == 404:
        hint = ": no league or match is here; is the address right, and does a league's server run with --submit?"
    return f"the server refuses: {error}{hint}" if error.status else str(error)


if __name__ == "__main__":
    sys.exit(main())
