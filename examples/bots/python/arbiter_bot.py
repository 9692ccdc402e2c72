"""What a bot in Python needs: the requests of the referee `arbiter` as typed values. One file, no packages.

    import arbiter_bot

    @arbiter_bot.bot
    def choose(request: arbiter_bot.Request) -> str:
        if isinstance(request, arbiter_bot.DurakRequest):
            for move in request.legal:
                if move.kind == "beat" and move.card and move.card.suit != request.view.trump.suit:
                    return move
        return request.pick(request.legal)

    if __name__ == "__main__":
        arbiter_bot.run()

`run` answers one request after the other, so the same bot can be started for every move or keep running for
a whole game. Cards, moves and events are texts (`str`) that are spelt as in the protocol and have typed
parts; a view has a field for each of its lines.
"""

from __future__ import annotations

import sys

# Importing `typing` would take longer than reading a request, at every start.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeVar

    Item = TypeVar("Item")
    Choice = TypeVar("Choice", bound=Callable[["Request"], str])

HIDDEN = "??"


class Card(str):
    """A card of the pack in Tablić and Durak, as `10C` or `AS`."""

    __slots__ = ()

    @property
    def rank(self) -> str:
        """`2` to `10`, `J`, `Q`, `K` or `A`."""
        return self[:-1]

    @property
    def suit(self) -> str:
        """`C`, `D`, `H` or `S`."""
        return self[-1]

    @property
    def place(self) -> int:
        """Its place in the order of the pack, from 0: by rank, 2 to ace, then by suit."""
        return RANKS.index(self.rank) * len(SUITS) + SUITS.index(self.suit)


RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("C", "D", "H", "S")
PACK = tuple(Card(rank + suit) for rank in RANKS for suit in SUITS)
_CARDS = {str(card): card for card in PACK}


def cards(text: str) -> tuple[Card, ...]:
    """The cards of a text such as `10C AS`."""
    return tuple(_CARDS[word] for word in text.split())


class Event(str):
    """A line of the history."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """`move` for the move of a seat, and else its first word: `deal`, `out` and so on."""
        return "move" if self[0].isdigit() else self.split()[0]

    @property
    def seat(self) -> int | None:
        """The seat that it is about, if it is about one."""
        words = self.split()
        word = words[0] if self.kind == "move" else words[1]
        return int(word) if word.isdigit() else None

    @property
    def hidden(self) -> int:
        """How many cards it has that you do not see."""
        return self.count(HIDDEN)

    @property
    def verdict(self) -> str | None:
        """Why the seat is out, where the kind is `out`."""
        return self.split()[2] if self.kind == "out" else None

    def _move(self) -> str | None:
        return self.partition(" ")[2] if self.kind == "move" else None

    def _cards(self) -> list[str]:
        if self.kind in ("move", "out"):
            return []
        words = self.split()[1 if self.seat is None else 2 :]
        return [word for word in words if word not in (HIDDEN, "table", "none")]


class Request:
    """What a seat is asked."""

    def __init__(self, head: dict[str, str], lists: dict[str, list[str]]) -> None:
        self.game, *options = head["game"].split()
        self.options = dict(option.split("=", 1) for option in options)
        self.match = head["match"]
        """A name of this game, the same in all its requests."""
        self.seat = int(head["seat"])
        """Your seat; seats count from 0 in the order of turns."""
        self.move = int(head["move"])
        """How many moves were made before in the game."""
        self.time = int(head["time"])
        """Milliseconds for this answer; 0 means no limit."""
        self.seed = int(head["seed"], 16)
        """A number for your own chance, new in every request: `random.Random(request.seed)`."""
        self.retry = int(head.get("retry", "0"))
        """Which chance this is: 0, or the number of the second chance."""
        self.reason = head.get("reason")
        """The rule that your last answer broke, if this is a second chance."""
        self.is_complete = not head["legal"].endswith("more")
        """Whether all legal moves are listed."""
        self.view_lines = tuple(lists["view"])
        """The view as lines, with those that a later version may add."""
        self._history = tuple(lists["history"])
        self._legal = tuple(lists["legal"])

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return int(self.options["seats"])

    @property
    def history(self) -> Sequence[str]:
        """What has happened, as your seat saw it."""
        return self._history

    @property
    def legal(self) -> Sequence[str]:
        """The legal moves; see `is_complete`."""
        return self._legal

    def pick(self, items: Sequence[Item]) -> Item:
        """One of these, by the seed of the request: a bot without other chance can be repeated."""
        return items[self.seed % len(items)]


def _words(lines: Iterable[str]) -> dict[str, list[str]]:
    """What stands behind each key of a view, in order."""
    words: dict[str, list[str]] = {}
    for line in lines:
        key, _, value = line.partition(" ")
        words.setdefault(key, []).append(value)
    return words


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split())


def _after_seat(text: str) -> str:
    return text.partition(" ")[2]


# Tablić


class TablicMove(str):
    """The card that is played, then the cards that it captures."""

    __slots__ = ()

    @classmethod
    def of(cls, card: Card, captured: Iterable[Card] = ()) -> TablicMove:
        """The move that plays a card and captures these, in any order."""
        return cls(" ".join([card, *sorted(captured, key=lambda it: it.place)]))

    @property
    def card(self) -> Card:
        """The card that is played."""
        return _CARDS[self.partition(" ")[0]]

    @property
    def captured(self) -> tuple[Card, ...]:
        """The cards that it captures; none if it is laid down."""
        return cards(self.partition(" ")[2])


class TablicEvent(Event):
    """`deal` (without a seat: to the table), `move`, `tabla` or `out`."""

    __slots__ = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that were dealt, as far as you see them."""
        return tuple(_CARDS[word] for word in self._cards())

    @property
    def move(self) -> TablicMove | None:
        """What was played, where the kind is `move`."""
        move = self._move()
        return None if move is None else TablicMove(move)


class TablicView:
    """What a seat is allowed to know now."""

    def __init__(self, lines: Iterable[str]) -> None:
        words = _words(lines)
        self.hand = cards(words["hand"][0])
        self.table = cards(words["table"][0])
        self.taken = cards(words["taken"][0])
        """All cards captured so far, by any seat."""
        self.talon = int(words["talon"][0])
        """How many cards are still to be dealt."""
        self.hands = _numbers(words["hands"][0])
        """How many cards each seat holds."""
        self.cards = _numbers(words["cards"][0])
        """How many cards each seat has captured."""
        self.points = _numbers(words["points"][0])
        """The points of each seat so far, without those for the most cards."""
        self.tablas = _numbers(words["tablas"][0])
        last = words["last"][0]
        self.last = None if last == "none" else int(last)
        """The seat that captured last."""


class TablicRequest(Request):
    """What a seat of Tablić is asked."""

    def __init__(self, head: dict[str, str], lists: dict[str, list[str]]) -> None:
        super().__init__(head, lists)
        self.view = TablicView(self.view_lines)

    @property
    def history(self) -> Sequence[TablicEvent]:
        return tuple(TablicEvent(line) for line in self._history)

    @property
    def legal(self) -> Sequence[TablicMove]:
        return tuple(TablicMove(line) for line in self._legal)


# Coup


CHARACTERS = ("ambassador", "assassin", "captain", "contessa", "duke")


def characters(text: str) -> tuple[str, ...]:
    """The characters of a text such as `duke captain`, without hidden ones."""
    return tuple(word for word in text.split() if word in CHARACTERS)


class CoupMove(str):
    """An action, an answer to one, or a choice of cards."""

    __slots__ = ()

    @classmethod
    def of(cls, kind: str, target: int | None = None, cards: Iterable[str] = ()) -> CoupMove:
        """The move of this kind, as `CoupMove.of("steal", 1)` or `CoupMove.of("lose", None, ["duke"])`."""
        return cls(" ".join([kind, *([] if target is None else [str(target)]), *cards]))

    @property
    def kind(self) -> str:
        """Its first word: `income`, `challenge`, `block`, `keep` and so on."""
        return self.split()[0]

    @property
    def target(self) -> int | None:
        """The seat that an action is against."""
        word = self.partition(" ")[2]
        return int(word) if word.isdigit() else None

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that it names, as far as you see them."""
        return characters(self)


class CoupEvent(Event):
    """`deal`, `draw`, `move`, `lost` (the second of two cards lost at once) or `out`."""

    __slots__ = ()

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards that were dealt, drawn or lost, as far as you see them."""
        return tuple(self._cards())

    @property
    def move(self) -> CoupMove | None:
        """What was played, where the kind is `move`."""
        move = self._move()
        return None if move is None else CoupMove(move)


class CoupDebt(str):
    """What is owed in a turn."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        """`act`, `answer`, `accept`, `prove`, `lose`, `keep`, `end`, `pay`, `deal`, `draw` or `replace`."""
        return self.split()[0]

    @property
    def seat(self) -> int:
        """The seat that owes it."""
        return int(self.split()[1])

    @property
    def card(self) -> str | None:
        """The card that it is about, if it is about one."""
        return next(iter(characters(self)), None)


class CoupView:
    """What a seat is allowed to know now."""

    def __init__(self, lines: Iterable[str]) -> None:
        words = _words(lines)
        self.hand = characters(words["hand"][0])
        """Your hand; cards drawn for an exchange stand in front of it."""
        self.hands = _numbers(words["hands"][0])
        """How many cards each seat holds."""
        self.coins = _numbers(words["coins"][0])
        self.lost = tuple(characters(_after_seat(value)) for value in words["lost"])
        """The cards that each seat has lost."""
        self.turn = int(words["turn"][0])
        """The seat whose turn it is."""
        action, claim = words["action"][0], words["claim"][0]
        self.action = None if action == "none" else CoupMove(action)
        self.claim = None if claim == "none" else (int(claim.split()[0]), claim.split()[1])
        """Who claims to hold which card, while the claim can be or is challenged."""
        self.owed = tuple(CoupDebt(debt) for debt in words["owed"][0].split(", "))
        """What is left to do in this turn if nothing else happens, the first one now."""
        self.decisions = int(words["decisions"][0])
        """How many decisions were made, of both seats."""


class CoupRequest(Request):
    """What a seat of Coup is asked."""

    def __init__(self, head: dict[str, str], lists: dict[str, list[str]]) -> None:
        super().__init__(head, lists)
        self.view = CoupView(self.view_lines)

    @property
    def history(self) -> Sequence[CoupEvent]:
        return tuple(CoupEvent(line) for line in self._history)

    @property
    def legal(self) -> Sequence[CoupMove]:
        return tuple(CoupMove(line) for line in self._legal)


# Durak


class DurakMove(str):
    """`lead`, `beat`, `transfer` or `throw` with a card, or `take` or `done`."""

    __slots__ = ()

    @classmethod
    def of(cls, kind: str, card: Card | None = None) -> DurakMove:
        """The move of this kind with this card."""
        return cls(kind if card is None else f"{kind} {card}")

    @property
    def kind(self) -> str:
        """Its first word."""
        return self.partition(" ")[0]

    @property
    def card(self) -> Card | None:
        """The card that is played, if one is."""
        return _CARDS.get(self.partition(" ")[2])


class DurakEvent(Event):
    """`deal`, `trump`, `first`, `move`, `discard`, `pick-up`, `draw`, `last`, `gone` or `out`."""

    __slots__ = ()

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards that were dealt, drawn, shown, discarded or taken up, as far as you see them."""
        return tuple(_CARDS[word] for word in self._cards())

    @property
    def move(self) -> DurakMove | None:
        """What was played, where the kind is `move`."""
        move = self._move()
        return None if move is None else DurakMove(move)


class DurakView:
    """What a seat is allowed to know now."""

    def __init__(self, lines: Iterable[str]) -> None:
        words = _words(lines)
        self.hand = cards(words["hand"][0])
        self.trump = _CARDS[words["trump"][0]]
        """The trump card, wherever it is now."""
        self.talon = int(words["talon"][0])
        """How many cards the talon has; the last of them is the trump card."""
        self.hands = _numbers(words["hands"][0])
        """How many cards each seat holds."""
        self.known = tuple(cards(_after_seat(value)) for value in words["known"])
        """The cards of each hand that all seats have seen."""
        self.gone = _numbers(words["gone"][0])
        """The seats that are out of the game without cards."""
        self.discards = cards(words["discards"][0])
        self.first = int(words["first"][0])
        """The seat that led this bout."""
        self.attacker = int(words["attacker"][0])
        self.defender = int(words["defender"][0])
        pairs = [cards(pair) for pair in words["table"][0].split(",") if pair]
        self.table = tuple((pair[0], pair[1] if len(pair) > 1 else None) for pair in pairs)
        """The attack cards in the order of play, each with the card that beats it, if any."""
        self.left = int(words["left"][0])
        """How many more attack cards this bout may have."""
        self.is_taking = words["taking"][0] == "yes"
        """Whether the defender takes."""
        turn, self.asked = words["turn"][0].split()
        """What is asked for: `lead`, `defend` or `throw`."""
        self.turn = int(turn)
        """Who is asked."""
        self.decisions = int(words["decisions"][0])
        """How many decisions were made, of all seats."""


class DurakRequest(Request):
    """What a seat of Durak is asked."""

    def __init__(self, head: dict[str, str], lists: dict[str, list[str]]) -> None:
        super().__init__(head, lists)
        self.view = DurakView(self.view_lines)

    @property
    def history(self) -> Sequence[DurakEvent]:
        return tuple(DurakEvent(line) for line in self._history)

    @property
    def legal(self) -> Sequence[DurakMove]:
        return tuple(DurakMove(line) for line in self._legal)


class OtherRequest(Request):
    """What a seat of a game is asked that is not known here."""

    def __init__(self, head: dict[str, str], lists: dict[str, list[str]]) -> None:
        super().__init__(head, lists)
        self.view = {key: "\n".join(values) for key, values in _words(self.view_lines).items()}
        """The text behind each key of the view; lines with one key are joined by line ends."""


# Requests


_GAMES: dict[str, type[Request]] = {
    "tablic": TablicRequest,
    "coup": CoupRequest,
    "durak": DurakRequest,
}


def read_request(lines: Iterator[str]) -> Request | None:
    """The next request; None if there is no other. Lines with an unknown key are skipped."""
    head: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    for line in lines:
        key, _, value = line.strip().partition(" ")
        if key == "arbiter" and value != "1":
            sys.exit(f"expected version 1 of the protocol, found `{value}`")
        if key == "end":
            return _GAMES.get(head["game"].split()[0], OtherRequest)(head, lists)
        head[key] = value
        if key in ("view", "history", "legal"):
            lists[key] = [next(lines, "").strip() for _ in range(int(value.split()[0]))]
    return None


def note(key: str, value: object) -> None:
    """Notes what the bot thinks, for its author: `note("eval", 0.61)`.

    `arbiter explain` and reports show it after the game, and no other bot sees it. Call it before the answer.
    """
    # On one line, whatever the value is: the rest would not belong to the note.
    print("note", key, *str(value).split(), file=sys.stderr, flush=True)


def play(choose: Callable[[Request], str]) -> None:
    """Answers every request of the referee by the move that is chosen."""
    while request := read_request(sys.stdin):
        # Flushed at once: a bot that is kept alive gets its next request only after its answer.
        print(choose(request), flush=True)


_bots: list[Callable[[Request], str]] = []


def bot(choose: Choice) -> Choice:
    """Makes a function the bot that `run` runs. The function stays as it is, so tests can call it.

    If several functions are marked, the last one is the bot.
    """
    _bots.append(choose)
    return choose


def run() -> None:
    """Answers every request of the referee by the function that is marked with `@bot`."""
    if not _bots:
        sys.exit("no function is the bot, expected @arbiter_bot.bot before one")
    play(_bots[-1])
