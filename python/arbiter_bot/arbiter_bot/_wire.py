"""Calls of a remote bot to its server over HTTP: docs/reference/remote.md specifies them."""

from __future__ import annotations

import http.client
import json
import random
import socket
import ssl
import urllib.parse
import urllib.request
from typing import Any, Dict, Optional

# What is read is bounded, whatever the server does.
RESPONSE_BYTES = 16 << 20
# A larger body is refused.
BODY_BYTES = 256 << 10

Object = Dict[str, Any]


class Refused(Exception):
    """The server refuses, and would refuse again. `status` is that of HTTP."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Unreachable(Exception):
    """There was no answer; the next attempt may get one, after `after` seconds if the server said so."""

    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(why)
        self.after = after


def backoff(failures: int, after: float = 0.0) -> float:
    """Seconds to wait after so many failures: longer each time up to 5 s, and different for each client."""
    longest = min(0.1 * float(1 << min(failures, 10)), 5.0)
    return max(min(after, 60.0), longest * random.uniform(0.5, 1.0))


def shown(value: object) -> str:
    """A text of the server on one line, without anything that a terminal would obey."""
    text = str(value)[:300]
    return "".join(letter if letter.isprintable() else "?" for letter in text)


class Connection:
    """A connection to the server that is kept open, and opened again when it breaks."""

    def __init__(self, url: str, token: str) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"expected an address such as https://league.example.org/, found `{shown(url)}`")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("the address has more than a host, a port and a path: the token goes into its file")
        self._secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port or (443 if self._secure else 80)
        self._path = parts.path.rstrip("/") + "/remote/v1"
        self._netloc = parts.netloc
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Content-Type": "application/json",
            "User-Agent": "arbiter-bot",
        }
        self._open: Optional[http.client.HTTPConnection] = None

    def _connect(self, seconds: float) -> http.client.HTTPConnection:
        # Looked up each time: the name may lead to another address than before.
        proxy = None
        if not urllib.request.proxy_bypass(f"{self._host}:{self._port}"):
            proxy = urllib.request.getproxies().get("https" if self._secure else "http")
        host, port, headers = self._host, self._port, {}
        if proxy:
            way = urllib.parse.urlsplit(proxy if "//" in proxy else f"//{proxy}")
            host, port = way.hostname or "", way.port or 80
            if way.username:
                request = urllib.request.Request("http://proxy/")
                name, word = urllib.parse.unquote(way.username), urllib.parse.unquote(way.password or "")
                manager = urllib.request.HTTPPasswordMgrWithPriorAuth()
                manager.add_password(None, "http://proxy/", name, word, is_authenticated=True)
                request = urllib.request.HTTPBasicAuthHandler(manager).http_request(request)
                headers["Proxy-Authorization"] = str(request.get_header("Authorization"))
        if self._secure:
            made: http.client.HTTPConnection = http.client.HTTPSConnection(
                host, port, timeout=seconds, context=ssl.create_default_context()
            )
            if proxy:
                made.set_tunnel(self._host, self._port, headers)
        else:
            made = http.client.HTTPConnection(host, port, timeout=seconds)
        self._target = f"http://{self._netloc}{self._path}" if proxy and not self._secure else self._path
        self._extra = headers if proxy and not self._secure else {}
        made.connect()
        own = made.sock
        own.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # A peer that is gone without a word is noticed within half a minute.
        own.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in (("TCP_KEEPIDLE", 10), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3)):
            if hasattr(socket, option):
                own.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
        return made

    def call(self, path: str, body: Optional[Object], seconds: float) -> Object:
        """What the server answers. Raises `Refused` or `Unreachable`."""
        text = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        is_used = self._open is not None
        try:
            return self._once(path, text, seconds)
        except Unreachable:
            raise
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if not (is_used and isinstance(error, (http.client.BadStatusLine, ConnectionError, ssl.SSLEOFError))):
                raise Unreachable(shown(error) or type(error).__name__) from None
        # A server may close a connection that was idle: the first failure of a used one says nothing.
        try:
            return self._once(path, text, seconds)
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise Unreachable(shown(error) or type(error).__name__) from None

    def _once(self, path: str, text: Optional[bytes], seconds: float) -> Object:
        if self._open is None:
            self._open = self._connect(min(seconds, 10.0))
        opened = self._open
        opened.sock.settimeout(seconds)
        headers = {**self._headers, **self._extra}
        opened.request("GET" if text is None else "POST", self._target + path, text, headers)
        response = opened.getresponse()
        content = response.read(RESPONSE_BYTES + 1)
        if response.will_close or len(content) > RESPONSE_BYTES:
            self.close()
        try:
            told = json.loads(content) if len(content) <= RESPONSE_BYTES else None
        except (ValueError, RecursionError):
            told = None
        status = response.status
        if status == 200 and isinstance(told, dict):
            return told
        why = told.get("error") if isinstance(told, dict) else None
        why = f"{status}, {shown(why)}" if why else f"{status} {shown(response.reason)}"
        if status == 200:
            raise Unreachable("the answer is not one of this server: does the address lead to a league or match?")
        if status == 408 or status == 429 or status >= 500:
            after = response.headers.get("Retry-After", "")
            raise Unreachable(why, float(after) if after.isdigit() and len(after) < 5 else 0.0)
        if 300 <= status < 400:
            why = f"the address leads to {shown(response.headers.get('Location'))}: give that address instead"
        raise Refused(status, why)

    def interrupt(self) -> None:
        """Makes a call in another thread fail now."""
        opened = self._open
        own = opened.sock if opened else None
        if own is not None:
            try:
                # That of the socket itself: the state of TLS belongs to the other thread.
                socket.socket.shutdown(own, socket.SHUT_RDWR)
            except OSError:
                pass

    def close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None
