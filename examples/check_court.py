"""Plays the games of a log of Coup at a court again, by rules written from docs/games/coup.md alone.

`python3 check_court.py LOG` takes the draws and the answers from the log. It makes every request anew, byte for byte,
and compares its digest; then it compares the history and the points. It stops at the first difference. Games in which
a bot is out by a fault are not checked.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import struct
import sys
from collections import Counter
from collections.abc import Generator

CHARACTERS = ("ambassador", "assassin", "captain", "contessa", "duke")
CLAIMS = {"tax": "duke", "assassinate": "assassin", "steal": "captain", "exchange": "ambassador"}
BLOCKS = {"foreign-aid": ("duke",), "assassinate": ("contessa",), "steal": ("ambassador", "captain")}
PRICES = {"coup": 7, "assassinate": 3}


class Differs(Exception):
    """The log and these rules do not agree."""


class Over(Exception):
    """The game is over."""


class Ask:
    """A question to a seat: its legal moves, and what the view tells of the turn."""

    def __init__(self, seat: int, legal: list[str], owed: list[str], claim: str = "none") -> None:
        self.seat, self.legal, self.owed, self.claim = seat, legal, owed, claim


class Draw:
    """Cards for a seat."""

    def __init__(self, verb: str, seat: int, count: int) -> None:
        self.verb, self.seat, self.count = verb, seat, count


Steps = Generator["Ask | Draw", str, bool]


def options(verb: str, cards: list[str] | tuple[str, ...]) -> list[str]:
    return [f"{verb} {card}" for card in CHARACTERS if card in cards]


class Game:
    """One game. A turn is a generator: it yields what it needs, and is sent the answer."""

    def __init__(self, seats: int) -> None:
        self.seats = range(seats)
        self.hands: list[list[str]] = [[] for _ in self.seats]
        self.lost: list[list[str]] = [[] for _ in self.seats]
        self.coins = [1 if seats == 2 and seat == 0 else 2 for seat in self.seats]
        self.decisions = 0
        self.actor: int | None = 0
        self.action = "none"
        self.events: list[tuple[int | None, str, str]] = []

    def alive(self, seat: int) -> bool:
        return len(self.lost[seat]) < 2

    def others(self, seat: int) -> list[int]:
        """The other seats in the game, in the order of turns from this one on."""
        order = [(seat + step) % len(self.seats) for step in range(1, len(self.seats))]
        return [other for other in order if self.alive(other)]

    def tell(self, text: str, owner: int | None = None, hidden: str = "") -> None:
        self.events.append((owner, text, hidden))

    def deck(self) -> Counter[str]:
        return Counter({card: 3 for card in CHARACTERS}) - Counter(sum(self.hands + self.lost, []))

    # The course of a game.

    def play(self) -> Steps:
        for seat in self.seats:
            cards = yield Draw("deal", seat, 2)
            self.hands[seat] = cards.split()
        actor = 0
        while True:
            self.actor, self.action = actor, "none"
            yield from self.turn(actor)
            actor = self.others(actor)[0]

    def decide(self, ask: Ask) -> Generator[Ask | Draw, str, str]:
        answer = yield ask
        self.decisions += 1
        verb, _, rest = answer.partition(" ")
        secret = verb == "keep"
        hidden = f"{ask.seat} keep " + " ".join("??" for _ in rest.split())
        self.tell(f"{ask.seat} {answer}", ask.seat if secret else None, hidden if secret else "")
        if verb == "lose":
            self.hands[ask.seat].remove(rest)
            self.lost[ask.seat].append(rest)
            if not self.alive(ask.seat):
                self.coins[ask.seat] = 0
        left = [seat for seat in self.seats if self.alive(seat)]
        if len(left) == 1 or self.decisions == 100 * len(self.seats):
            self.tell(f"winner {left[0] if len(left) == 1 else 'none'}")
            raise Over
        return answer

    def lose(self, seat: int, owed: list[str]) -> Steps:
        if self.alive(seat):
            yield from self.decide(Ask(seat, options("lose", self.hands[seat]), [f"lose {seat}", *owed]))
        return True

    def actions(self, actor: int) -> list[str]:
        targets = sorted(self.others(actor))
        coins = self.coins[actor]
        coups = [f"coup {target}" for target in targets] if coins >= 7 else []
        if coins >= 10:
            return coups
        kills = [f"assassinate {target}" for target in targets] if coins >= 3 else []
        thefts = [f"steal {target}" for target in targets if self.coins[target]]
        return ["income", "foreign-aid", *coups, "tax", *kills, *thefts, "exchange"]

    def turn(self, actor: int) -> Steps:
        self.action = yield from self.decide(Ask(actor, self.actions(actor), [f"act {actor}"]))
        verb, _, aim = self.action.partition(" ")
        target = int(aim) if aim else None
        price = PRICES.get(verb, 0)
        self.coins[actor] -= price
        end = [f"end {actor}"]
        if verb == "coup":
            yield from self.lose(int(aim), end)
            return True
        if verb != "income":
            happens = yield from self.answers(actor, verb, target, price, [f"effect {actor}", *end])
            if not happens:
                return False
        if verb in ("income", "foreign-aid", "tax"):
            self.coins[actor] += {"income": 1, "foreign-aid": 2, "tax": 3}[verb]
        elif verb == "steal":
            taken = min(2, self.coins[int(aim)])
            self.coins[int(aim)] -= taken
            self.coins[actor] += taken
        elif verb == "assassinate":
            yield from self.lose(int(aim), end)
        else:
            drawn = yield Draw("draw", actor, 2)
            count = len(self.hands[actor])
            self.hands[actor] = drawn.split() + self.hands[actor]
            kept = sorted(set(itertools.permutations(self.hands[actor], count)))
            legal = ["keep " + " ".join(cards) for cards in kept]
            answer = yield from self.decide(Ask(actor, legal, [f"keep {actor}", *end]))
            self.hands[actor] = answer.split()[1:]
        return True

    def answers(self, actor: int, verb: str, target: int | None, price: int, owed: list[str]) -> Steps:
        """All answers to an action; true if it happens, false if not, or if it has been let happen."""
        claim = CLAIMS.get(verb)
        order = [seat for seat in self.others(actor) if seat != target]
        order += [] if target is None else [target]
        for place, seat in enumerate(order):
            waiting = [f"answer {other}" for other in order[place:]] + owed
            may_block = target is None or seat == target
            legal = self.replies(seat, verb, may_block, ["challenge"] if claim else [])
            told = f"{actor} {claim}" if claim else "none"
            answer = yield from self.decide(Ask(seat, legal, waiting, told))
            is_last = False
            if answer == "challenge" and claim:
                later = owed if target is None else [f"block {target}", *owed]
                if not (yield from self.challenge(actor, claim, seat, later, owed[1:])):
                    self.coins[actor] += price if self.alive(actor) else 0
                    return False
                if target is None or not self.alive(target):
                    return True
                legal = self.replies(target, verb, True, [])
                answer = yield from self.decide(Ask(target, legal, later))
                seat, is_last = target, True
            if answer.startswith("block"):
                stands = yield from self.block(seat, answer.split()[1], owed)
                return not stands
            if answer.startswith("lose"):
                return False
            if is_last:
                return True
        return True

    def replies(self, seat: int, verb: str, may_block: bool, challenge: list[str]) -> list[str]:
        dies = verb == "assassinate" and may_block
        blocks = options("block", BLOCKS.get(verb, ())) if may_block else []
        losses = options("lose", self.hands[seat]) if dies else []
        return ([] if dies else ["pass"]) + challenge + blocks + losses

    def block(self, blocker: int, card: str, owed: list[str]) -> Steps:
        """The answers to a block; true if it stands."""
        order = self.others(blocker)
        for place, seat in enumerate(order):
            waiting = [f"accept {other} {card}" for other in order[place:]]
            waiting += [f"stand {blocker} {card}", *owed]
            ask = Ask(seat, ["pass", "challenge"], waiting, f"{blocker} {card}")
            if (yield from self.decide(ask)) == "challenge":
                return (yield from self.challenge(blocker, card, seat, owed, owed[1:]))
        return True

    def challenge(self, claimant: int, card: str, challenger: int, owed: list[str], stopped: list[str]) -> Steps:
        """A challenge; true if the claim is true. What is owed afterwards differs for a block that stands."""
        waiting = [f"prove {claimant} {card}", f"doubt {challenger}", *owed]
        is_true = card in self.hands[claimant]
        legal = [f"show {card}"] if is_true else options("lose", self.hands[claimant])
        yield from self.decide(Ask(claimant, legal, waiting, f"{claimant} {card}"))
        if not is_true:
            return False
        self.hands[claimant].remove(card)
        drawn = yield Draw("draw", claimant, 1)
        self.hands[claimant].append(drawn)
        after = owed if claimant == self.actor else stopped
        yield from self.lose(challenger, after)
        return True

    # What a seat is shown.

    def history(self, seat: int) -> list[str]:
        return [text if owner in (None, seat) else hidden for owner, text, hidden in self.events]

    def request(self, ask: Ask, heading: str) -> str:
        numbers = lambda values: " ".join(map(str, values))
        view = [
            f"hand {' '.join(self.hands[ask.seat])}",
            f"hands {numbers(len(hand) for hand in self.hands)}",
            f"coins {numbers(self.coins)}",
            *(" ".join(["lost", str(seat), *self.lost[seat]]) for seat in self.seats),
            f"turn {self.actor}",
            f"action {self.action}",
            f"claim {ask.claim}",
            f"owed {', '.join(ask.owed)}",
            f"decisions {self.decisions}",
        ]
        history = self.history(ask.seat)
        lines = [heading, f"view {len(view)}", *view, f"history {len(history)}", *history]
        return "\n".join([*lines, f"legal {len(ask.legal)}", *ask.legal, "end", ""])


def chacha(key: bytes, stream: int) -> bytes:
    """The first 8 bytes of ChaCha20."""
    start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), 0, 0]
    start += [stream & 0xFFFFFFFF, stream >> 32]
    x = start[:]

    def quarter(a: int, b: int, c: int, d: int) -> None:
        for first, second, third, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[first] = (x[first] + x[second]) & 0xFFFFFFFF
            mixed = x[third] ^ x[first]
            x[third] = (mixed << turn | mixed >> 32 - turn) & 0xFFFFFFFF

    for _ in range(10):
        for place in range(4):
            quarter(place, place + 4, place + 8, place + 12)
        for place in range(4):
            quarter(place, 4 + (place + 1) % 4, 8 + (place + 2) % 4, 12 + (place + 3) % 4)
    return struct.pack("<2I", *((x[place] + start[place]) & 0xFFFFFFFF for place in range(2)))


def check(header: dict, record: dict) -> int:
    """Plays a game of the log, and returns how many questions were compared."""
    seats = len(record["seats"])
    times = {player["name"]: player["limits"]["time_ms"] for player in header["players"]}
    key = bytes.fromhex(record["bot_seeds"])
    game, inputs, asked = Game(seats), iter(record["inputs"]), 0
    steps = game.play()
    try:
        step = next(steps)
        while True:
            if isinstance(step, Draw):
                chance = next(inputs)["chance"]
                before = f"{step.verb} {step.seat} "
                cards = chance.removeprefix(before)
                words = cards.split()
                if not chance.startswith(before) or len(words) != step.count or Counter(words) - game.deck():
                    raise Differs(f"`{chance}` cannot be drawn")
                game.tell(chance, step.seat, before + " ".join("??" for _ in words))
                step = steps.send(cards)
                continue
            answer = step.legal[0]
            if len(step.legal) > 1:
                given = next(inputs)["answer"]
                if given["verdict"] != "ok":
                    return asked
                number, seat = game.decisions, step.seat
                heading = "\n".join([
                    "arbiter 1",
                    f"game coup {header['options']}",
                    f"match {record['id']}",
                    f"seat {seat}",
                    f"move {number}",
                    f"time {times[record['seats'][seat]]}",
                    f"seed {chacha(key, seat << 32 | number).hex()}",
                ])
                request = game.request(step, heading)
                if given["asked"] != hashlib.sha256(request.encode()).hexdigest():
                    raise Differs(f"another request was sent than\n{request}")
                answer, asked = given["reply"], asked + 1
            if answer not in step.legal:
                raise Differs(f"`{answer}` is none of {step.legal}")
            step = steps.send(answer)
    except Over:
        pass
    if next(inputs, None) is not None:
        raise Differs("over before the log says")
    events = [text for _, text, _ in game.events]
    if events != record["events"]:
        raise Differs(f"the history is\n{events}\ninstead of\n{record['events']}")
    left = [seat for seat in game.seats if game.alive(seat)]
    scores = [int(left == [seat]) for seat in game.seats]
    if record["result"]["scores"] != scores:
        raise Differs(f"the points are {scores}, not {record['result']['scores']}")
    return asked


def main() -> None:
    header: dict = {}
    games = questions = 0
    with open(sys.argv[1], encoding="utf-8") as log:
        for line in map(json.loads, log):
            header = line.get("header", header)
            if "game" in line:
                if "rules=court" not in header["options"]:
                    sys.exit("these are not games at a court")
                if any({"game_time", "first_ms"} & player["limits"].keys() for player in header["players"]):
                    sys.exit("these games have a clock, which this check does not know")
                try:
                    questions += check(header, line["game"])
                except Differs as differs:
                    sys.exit(f"game {line['game']['number']}: {differs}")
                games += 1
    print(f"{games} games and {questions} requests are the same")


main()
