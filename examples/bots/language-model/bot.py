#!/usr/bin/env python3
"""A language model plays any game, through an endpoint of the form `/v1/chat/completions`.

    python3 bot.py --url http://127.0.0.1:8080/v1 --model qwen --key-file key

Each request becomes a prompt: the rules in short, the view, the history and the numbered legal moves. The last line of
the answer must be `MOVE: n`; everything else is refused and asked for again, on one clock. Notes on standard error have
the reasoning, the tokens and the price. Only the standard library is needed; docs/language-models.md has the setup.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import random
import sys
import time
from typing import Dict, List, Optional, Union

import endpoint
import prompt

# How much of an answer the next prompt quotes.
QUOTED = 2000


def main() -> None:
    """Answers one request after another."""
    settings = arguments()
    try:
        model = endpoint.Endpoint(settings)
    except (ValueError, OSError) as error:
        sys.exit(f"language-model: {error}")
    spent: Dict[str, Spent] = {}
    for request in prompt.requests(sys.stdin):
        if request.match not in spent:
            spent = {request.match: Spent.read(request.match)}
        move = choose(request, model, settings, spent[request.match])
        # An empty line is a forfeit: a move that the model did not choose would say nothing about it.
        print(move or "", flush=True)


def arguments(words: Optional[List[str]] = None) -> argparse.Namespace:
    """The settings of the bot."""
    parser = argparse.ArgumentParser(description="A language model plays any game.")
    parser.add_argument("--url", default="http://127.0.0.1:8080/v1", help="address of the endpoint, up to /v1")
    parser.add_argument("--model", default="default", help="name of the model there")
    parser.add_argument("--key-file", help="file with the key, if the endpoint needs one")
    parser.add_argument("--key-env", default="LANGUAGE_MODEL_KEY", help="variable with the key")
    parser.add_argument("--temperature", type=float, default=0.0, help="0 for the likeliest answer; -1 to leave it out")
    parser.add_argument("--max-tokens", type=int, default=1024, help="most tokens of an answer")
    parser.add_argument("--max-tokens-key", default="max_tokens", help="its key; some models want max_completion_tokens")
    parser.add_argument("--extra", type=json.loads, default={}, help="more keys of the call, as a JSON object")
    parser.add_argument("--retries", type=int, default=2, help="more calls after answers without a legal move")
    parser.add_argument("--margin", type=float, default=0.5, help="seconds of the clock that are kept back")
    parser.add_argument("--fallback", choices=["none", "random", "first"], default="none", help="move without an answer")
    parser.add_argument("--game-tokens", type=int, default=0, help="tokens for a game; 0 for no limit")
    parser.add_argument("--game-price", type=float, default=0.0, help="price of a game; 0 for no limit")
    parser.add_argument("--game-seconds", type=float, default=0.0, help="seconds of the endpoint for a game; 0 for no limit")
    parser.add_argument("--price-in", type=float, default=0.0, help="price of a million tokens of a prompt")
    parser.add_argument("--price-out", type=float, default=0.0, help="price of a million tokens of an answer")
    parser.add_argument("--history", type=int, default=120, help="most lines of the history in a prompt")
    return parser.parse_args(words)


class Spent:
    """What a game has used so far."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.tokens, self.price, self.seconds = 0, 0.0, 0.0

    @classmethod
    def read(cls, match: str) -> Spent:
        """From the scratch folder, for a bot that starts for every move."""
        spent = cls(match)
        try:
            kept = json.loads(spent._path().read_text())
            spent.tokens, spent.price, spent.seconds = int(kept[0]), float(kept[1]), float(kept[2])
        except (OSError, ValueError, LookupError, TypeError):
            pass
        return spent

    def _path(self) -> pathlib.Path:
        name = "".join(letter for letter in self.match if letter.isalnum())[:40]
        return pathlib.Path(os.environ.get("ARBITER_SCRATCH", "."), f"spent-{name}.json")

    def add(self, reply: endpoint.Reply, settings: argparse.Namespace) -> float:
        """Adds a call, and returns its price."""
        price: float = (reply.tokens_in * settings.price_in + reply.tokens_out * settings.price_out) / 1e6
        self.tokens += reply.tokens_in + reply.tokens_out
        self.price += price
        self.seconds += reply.seconds
        if "ARBITER_SCRATCH" in os.environ:
            try:
                self._path().write_text(json.dumps([self.tokens, self.price, self.seconds]))
            except OSError:
                pass
        return price

    def is_enough(self, length: int, settings: argparse.Namespace) -> Optional[str]:
        """Which budget another call could exceed, if any."""
        # A token of a prompt has three letters or more in most languages.
        tokens_in, tokens_out = length // 3, settings.max_tokens
        price = (tokens_in * settings.price_in + tokens_out * settings.price_out) / 1e6
        if settings.game_tokens and self.tokens + tokens_in + tokens_out > settings.game_tokens:
            return "tokens"
        if settings.game_price and self.price + price > settings.game_price:
            return "price"
        if settings.game_seconds and self.seconds >= settings.game_seconds:
            return "seconds"
        return None


def choose(
    request: prompt.Request, model: endpoint.Endpoint, settings: argparse.Namespace, spent: Spent
) -> Optional[str]:
    """The move of the model; without one, that of the fallback."""
    if len(request.legal) == 1 and request.is_complete:
        note("forced", 1)
        return request.legal[0]
    until = time.monotonic() + request.milliseconds / 1000 - settings.margin
    messages = prompt.messages(request, settings.history)
    tokens_in = tokens_out = calls = refused = 0
    price, why, move = 0.0, "no time", None
    while refused <= settings.retries and time.monotonic() < until:
        over = spent.is_enough(sum(len(message["content"]) for message in messages), settings)
        if over:
            why = f"budget of {over} used up"
            break
        reply = model.ask(messages, until, request.seed)
        calls += 1
        price += spent.add(reply, settings)
        tokens_in, tokens_out = tokens_in + reply.tokens_in, tokens_out + reply.tokens_out
        if reply.failure:
            why = reply.failure
            if not reply.may_repeat:
                break
            # The same prompt again, a little later; these calls are no retries of the model.
            time.sleep(max(0.0, min(reply.after or 0.2 * 2 ** min(calls, 5), until - time.monotonic())))
            continue
        number, why = prompt.read_answer(reply, len(request.legal))
        if reply.thought:
            note("thought", reply.thought)
        if number is not None:
            move = request.legal[number - 1]
            break
        refused += 1
        messages = [*messages[:2], *prompt.again(reply.text[-QUOTED:], why)]
    note("calls", calls)
    note("tokens-in", tokens_in)
    note("tokens-out", tokens_out)
    note("price", f"{price:.6f}")
    note("game-tokens", spent.tokens)
    note("game-price", f"{spent.price:.6f}")
    note("refused", refused)
    if move is None:
        note("no-move", why)
        if settings.fallback != "none":
            move = random.Random(request.seed).choice(request.legal) if settings.fallback == "random" else request.legal[0]
            note("fallback", settings.fallback)
    return move


def note(key: str, value: Union[str, int]) -> None:
    """A note of the protocol: one line of at most 100 printable letters, whatever the model wrote."""
    text = "".join(letter if " " <= letter <= "~" else "?" for letter in " ".join(str(value).split()))
    if text.strip():
        print("note", key, text[:100].strip(), file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
