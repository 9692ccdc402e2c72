"""A server of remote bots for tests: it keeps the rules of docs/reference/remote.md for one bot, and fails on command."""

from __future__ import annotations

import http.server
import itertools
import json
import secrets
import socket
import threading
import time
from typing import Any, Dict, List, Optional, Tuple

TOKEN = "a-token-that-nobody-may-see"


def request(match: str, *legal: str, move: int = 0) -> str:
    """A request of a game that the library does not know."""
    lines = ["arbiter 1", "game nim seats=2", f"match {match}", "seat 0", f"move {move}", "time 2000", "seed ff"]
    return "\n".join([*lines, "view 0", "history 0", f"legal {len(legal)}", *legal, "end", ""])


class FakeServer:
    """Requests and events for one bot, and what it answers."""

    def __init__(self, port: int = 0, is_entered: bool = True) -> None:
        self.changed = threading.Condition()
        self.is_entered = is_entered
        self.waiting: List[Dict[str, Any]] = []
        self.sent: Dict[str, Dict[str, Any]] = {}
        self.times_sent: Dict[str, int] = {}
        self.answers: Dict[str, List[Tuple[str, str]]] = {}
        self.events: List[Dict[str, Any]] = []
        self.polls = itertools.count(1)
        self.newest = 0
        self.wanted: List[int] = []
        # The next calls of a path fail in these ways.
        self.faults: Dict[str, List[str]] = {"next": [], "answer": [], "": [], "enter": []}
        self.calls: List[str] = []
        self.connections: List[socket.socket] = []
        self.numbers = itertools.count(time.time_ns() // 1_000_000)
        fake = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                fake.serve(self)

            do_POST = do_GET

            def log_message(self, *_: object) -> None:
                pass

        class Server(http.server.ThreadingHTTPServer):
            allow_reuse_address = True
            daemon_threads = True

            def get_request(self) -> Any:
                own, address = super().get_request()
                fake.connections.append(own)
                return own, address

            def handle_error(self, *_: object) -> None:
                pass

        self.http = Server(("127.0.0.1", port), Handler)
        self.port = int(self.http.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}/class/"
        self.thread = threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """As a server that is killed: all connections end."""
        self.http.shutdown()
        self.http.server_close()
        self.cut()

    def cut(self) -> None:
        """Breaks all connections."""
        for own in self.connections:
            try:
                own.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    # What tests ask for.

    def ask(self, game: str, text: str, ms: int = 5000) -> str:
        """A request for the bot; its id."""
        with self.changed:
            number = secrets.token_hex(16)
            self.times_sent[number] = 0
            self.waiting.append({"id": number, "game": game, "ms": ms, "request": text})
            self.changed.notify_all()
            return number

    def tell(self, game: str, **what: Any) -> None:
        """An event."""
        with self.changed:
            self.events.append({"event": next(self.numbers), "game": game, **what})
            self.changed.notify_all()

    def until(self, is_so: Any, seconds: float = 20.0) -> None:
        """Waits until something is so, and fails if it takes too long."""
        end = time.monotonic() + seconds
        with self.changed:
            while not is_so():
                assert time.monotonic() < end, (self.calls[-20:], self.times_sent, self.answers)
                # Nothing tells that a client has changed.
                self.changed.wait(0.01)

    def answer(self, number: str) -> str:
        """The answer to a request, as soon as it is there."""
        self.until(lambda: number in self.answers)
        return self.answers[number][0][0]

    # The wire.

    def serve(self, call: http.server.BaseHTTPRequestHandler) -> None:
        length = int(call.headers.get("Content-Length") or 0)
        text = call.rfile.read(length)
        path = call.path.partition("/class/remote/v1")[2].strip("/")
        with self.changed:
            self.calls.append(path)
            self.changed.notify_all()
            fault = self.faults[path].pop(0) if self.faults.get(path) else ""
        if fault == "cut before":
            return self.end(call)
        if fault == "503":
            return self.reply(call, 503, {"error": "starting"}, {"Retry-After": "0"})
        if fault == "page":
            return self.reply(call, 200, None, {}, b"<html>Sign in to this network</html>")
        if call.headers.get("Authorization") != f"Bearer {TOKEN}":
            return self.reply(call, 401, {"error": "the token is wrong"})
        body = json.loads(text) if text else {}
        status, told = getattr(self, f"do_{path or 'about'}", lambda _: (404, {"error": "no such address"}))(body)
        if fault == "cut after":
            return self.end(call)
        if fault == "504 after":
            return self.reply(call, 504, None, {}, b"<html>Gateway Timeout</html>")
        self.reply(call, status, told, {"Connection": "close"} if fault == "close" else {})

    def end(self, call: http.server.BaseHTTPRequestHandler) -> None:
        call.close_connection = True
        call.connection.shutdown(socket.SHUT_RDWR)

    def reply(
        self,
        call: http.server.BaseHTTPRequestHandler,
        status: int,
        told: Optional[Dict[str, Any]],
        headers: Optional[Dict[str, str]] = None,
        content: bytes = b"",
    ) -> None:
        content = content or json.dumps(told).encode()
        call.send_response(status)
        for key, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            call.send_header(key, value)
        call.end_headers()
        call.wfile.write(content)

    def do_about(self, _: Dict[str, Any]) -> Tuple[int, Dict[str, Any]]:
        return 200, {
            "version": 1,
            "bot": "anna",
            "entered": self.is_entered,
            "mode": "remote",
            "game": "nim",
            "time_ms": 5000,
            "grace_ms": 4000,
            "games": 8,
            "answer_bytes": 4096,
            "a key of a later version": [],
        }

    def do_enter(self, body: Dict[str, Any]) -> Tuple[int, Dict[str, Any]]:
        if self.is_entered and not body.get("replace"):
            return 409, {"error": "anna has files"}
        self.is_entered = True
        return 200, {"bot": "anna@2"}

    def do_next(self, body: Dict[str, Any]) -> Tuple[int, Dict[str, Any]]:
        assert set(body) <= {"wait", "working", "games", "after"}, body
        until = time.monotonic() + body["wait"]
        with self.changed:
            own = self.newest = next(self.polls)
            self.wanted.append(body["games"])
            for number, sent in list(self.sent.items()):
                if number not in body["working"] and number not in self.answers:
                    del self.sent[number]
                    self.waiting.append(sent)
            after = body.get("after", self.events[-1]["event"] if self.events else 0)
            self.changed.notify_all()

            def news() -> List[Dict[str, Any]]:
                return [event for event in self.events if event["event"] > after]

            while own == self.newest and not self.waiting and not news() and time.monotonic() < until:
                self.changed.wait(max(0.0, until - time.monotonic()))
            last = max([after, *(event["event"] for event in self.events)])
            if own != self.newest:
                return 200, {"requests": [], "events": [], "last": after, "replaced": True}
            told = {"requests": list(self.waiting), "events": news(), "last": last}
            for sent in self.waiting:
                self.sent[sent["id"]] = sent
                self.times_sent[sent["id"]] += 1
            self.waiting.clear()
            self.changed.notify_all()
            return 200, told

    def do_answer(self, body: Dict[str, Any]) -> Tuple[int, Dict[str, Any]]:
        number, answer = body["id"], (body["answer"], body.get("stderr", ""))
        with self.changed:
            if number not in self.times_sent:
                return 404, {"error": "no request with this id"}
            known = self.answers.setdefault(number, [])
            known.append(answer)
            self.changed.notify_all()
            if known[0][0] != answer[0]:
                return 409, {"error": "the request has another answer"}
            return 200, {"state": "taken" if len(known) == 1 else "repeated"}
