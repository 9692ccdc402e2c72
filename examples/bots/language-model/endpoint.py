"""Calls of an endpoint of the form `/v1/chat/completions`: llama.cpp, vLLM, Ollama, hosted models."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import queue
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any, Dict, List, Optional

# What is read of an answer.
BYTES = 4 << 20
LATE = "no answer in time"


class Reply:
    """What a call gave: an answer, or a failure."""

    def __init__(self) -> None:
        self.text = self.thought = self.finish = self.failure = ""
        self.has_refused = self.may_repeat = False
        self.tokens_in = self.tokens_out = 0
        self.seconds = self.after = 0.0


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A key must not follow a redirect to somewhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


class Endpoint:
    """A model behind an address."""

    def __init__(self, settings: argparse.Namespace) -> None:
        parts = urllib.parse.urlsplit(settings.url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"--url: expected an address such as http://127.0.0.1:8080/v1, found `{settings.url}`")
        if not isinstance(settings.extra, dict):
            raise ValueError("--extra: expected a JSON object")
        self.url = settings.url.rstrip("/") + "/chat/completions"
        self.settings = settings
        self.key = os.environ.get(settings.key_env, "").strip()
        if settings.key_file:
            self.key = pathlib.Path(settings.key_file).read_text(encoding="utf-8")[:10_000].strip()
        if not all("!" <= letter <= "~" for letter in self.key):
            raise ValueError("the key has characters that no header may have")
        self.opener = urllib.request.build_opener(_NoRedirects)

    def ask(self, messages: List[Dict[str, str]], until: float, seed: int) -> Reply:
        """The answer to these messages. It never takes longer than until this time of the clock."""
        settings = self.settings
        body: Dict[str, Any] = {"model": settings.model, "messages": messages, settings.max_tokens_key: settings.max_tokens}
        if settings.temperature >= 0:
            body["temperature"] = settings.temperature
        if settings.temperature > 0:
            body["seed"] = seed & 0x7FFFFFFF
        body.update(settings.extra)
        begun = time.monotonic()
        replies: queue.Queue[Reply] = queue.Queue()
        # In a thread that is left behind at the deadline, however slowly the endpoint sends.
        call = threading.Thread(target=lambda: replies.put(self._call(body, until)), daemon=True)
        call.start()
        try:
            reply = replies.get(timeout=max(0.0, until - begun))
        except queue.Empty:
            reply = Reply()
            reply.failure = LATE
        reply.seconds = time.monotonic() - begun
        if not reply.tokens_in and (reply.text or reply.failure == LATE):
            # Not told, but surely used: four letters each.
            reply.tokens_in = sum(len(message["content"]) for message in messages) // 4
            reply.tokens_out = reply.tokens_out or len(reply.text) // 4
        return reply

    def _call(self, body: Dict[str, Any], until: float) -> Reply:
        reply = Reply()
        headers = {"Content-Type": "application/json", "User-Agent": "arbiter-language-model"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(self.url, json.dumps(body).encode(), headers)
        try:
            with self.opener.open(request, timeout=max(0.1, until - time.monotonic())) as response:
                content = response.read(BYTES + 1)
        except urllib.error.HTTPError as error:
            with error:
                told = error.read(1000).decode("utf-8", "replace")
            reply.failure = self._hidden(f"{error.code} {error.reason}: {' '.join(told.split())}"[:200])
            reply.may_repeat = error.code in (408, 409, 425, 429) or error.code >= 500
            after = error.headers.get("Retry-After", "")
            reply.after = float(after) if after.isdigit() and len(after) < 6 else 0.0
            return reply
        except Exception as error:  # a bad answer of the network is no reason to crash
            reason = getattr(error, "reason", error)
            is_late = isinstance(reason, socket.timeout)
            reply.failure = LATE if is_late else self._hidden(f"no connection: {reason}"[:200])
            reply.may_repeat = not is_late
            return reply
        try:
            if len(content) > BYTES:
                raise ValueError("too long")
            self._read(json.loads(content), reply)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            reply.failure = "the answer does not have the form of a chat completion"
        return reply

    def _read(self, told: Any, reply: Reply) -> None:
        choice = told["choices"][0]
        message = choice["message"]
        content = message.get("content")
        if isinstance(content, list):
            content = "".join(part["text"] for part in content if part.get("type") == "text")
        if content is not None and not isinstance(content, str):
            raise TypeError("content")
        reply.text = content or ""
        thought = message.get("reasoning_content") or message.get("reasoning") or reply.text
        reply.thought = thought[:1000] if isinstance(thought, str) else ""
        reply.has_refused = bool(message.get("refusal"))
        reply.finish = str(choice.get("finish_reason") or "")
        usage = told.get("usage") or {}
        for key, name in (("prompt_tokens", "tokens_in"), ("completion_tokens", "tokens_out")):
            count = usage.get(key)
            if isinstance(count, int) and 0 <= count < 1 << 40:
                setattr(reply, name, count)

    def _hidden(self, text: str) -> str:
        """Without the key, which some endpoints repeat."""
        return text.replace(self.key, "***") if self.key else text
